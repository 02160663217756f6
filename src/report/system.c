#include "report/system.h"

#include "report/cite.h"
#include "report/page.h"
#include "report/part.h"

#include <stdio.h>
#include <string.h>

/* ---- The aggregate ----------------------------------------------------------------- */

static const ridge__total *total_find(const ridge_system *s, const char *what)
{
    for (size_t i = 0; i < s->total_count; i++)
        if (strcmp(s->total[i].what, what) == 0)
            return &s->total[i];
    return NULL;
}

static void add(ridge__aggregate *out, size_t *count, const ridge_system *s,
                const char *what, ridge_unit unit, double part)
{
    const ridge__total *total = total_find(s, what);
    if (!ridge_known(part) && !total)
        return;
    ridge__aggregate *a = &out[(*count)++];
    *a = (ridge__aggregate){.unit = unit,
                            .part = part,
                            .node = part * s->gpus.value,
                            .domain = part * ridge__system_domain(s),
                            .total = total};
    snprintf(a->what, sizeof a->what, "%s", what);
}

size_t ridge__system_aggregate(ridge__aggregate *out, const ridge_system *s)
{
    size_t count = 0;
    for (int t = 0; t < RIDGE_DTYPE_COUNT; t++)
        add(out, &count, s, ridge_dtype_name((ridge_dtype)t), RIDGE_UNIT_FLOP_PER_S,
            ridge_device_peak(s->device, RIDGE_PIPE_ANY, (ridge_dtype)t, RIDGE_FP32)
                .dense.value);
    add(out, &count, s, "dram", RIDGE_UNIT_BYTES_PER_S,
        ridge_device_bandwidth(s->device, RIDGE_DRAM).value);
    add(out, &count, s, "dram_capacity", RIDGE_UNIT_BYTES,
        ridge_device_capacity(s->device, RIDGE_DRAM).value);
    add(out, &count, s, "fast_memory", RIDGE_UNIT_BYTES, RIDGE_UNKNOWN);
    add(out, &count, s, "link", RIDGE_UNIT_BYTES_PER_S, s->inside.bandwidth.value);
    add(out, &count, s, "link_both", RIDGE_UNIT_BYTES_PER_S,
        2 * s->inside.bandwidth.value);
    add(out, &count, s, "network", RIDGE_UNIT_BYTES_PER_S, s->between.bandwidth.value);
    add(out, &count, s, "fp32_cores", RIDGE_UNIT_COUNT,
        ridge__part_fp32_cores(s->device) * s->device->units.value);
    add(out, &count, s, "units", RIDGE_UNIT_COUNT, s->device->units.value);
    return count;
}

/* ---- The list ---------------------------------------------------------------------- */

static double peak_of(const ridge_system *s, ridge_dtype dtype)
{
    return ridge_device_peak(s->device, RIDGE_PIPE_ANY, dtype, RIDGE_FP32).dense.value;
}

/* In bf16, or in fp16 on parts before it. */
static double half_of(const ridge_system *s)
{
    const double bf16 = peak_of(s, RIDGE_BF16);
    return ridge_known(bf16) ? bf16 : peak_of(s, RIDGE_FP16);
}

/* Three digits, or "?". */
static const char *short_text(char *buf, double value)
{
    return ridge__plain_text(buf, value, 3);
}
#define SHORT(value) short_text((char[48]){0}, value)

static void put_list(ridge__str *out, const ridge_system *const *systems, size_t count,
                     const ridge_style *style)
{
    static const char *const form = "%-18s%-19s%5s%8s%8s%9s%11s\n";
    ridge__color(out, style, "1");
    ridge__str_format(out, form, "id", "GPU", "node", "domain", "link", "network",
                      "16 bit");
    ridge__color(out, style, "0");
    ridge__str_format(out, form, "", "", "GPUs", "GPUs", "GB/s", "GB/s", "PFLOP/s");
    for (size_t i = 0; i < count; i++) {
        const ridge_system *s = systems[i];
        ridge__str_format(out, form, s->id, s->gpu, SHORT(s->gpus.value),
                          RIDGE__N(ridge__system_domain(s)),
                          SHORT(s->inside.bandwidth.value / 1e9),
                          SHORT(s->between.bandwidth.value / 1e9),
                          SHORT(half_of(s) * ridge__system_domain(s) / 1e15));
    }
    ridge__str_format(out,
                      "%zu system%s; link, network: one direction, of one GPU; 16 bit: "
                      "dense bf16 or\nfp16 of the domain, the GPUs that the links "
                      "inside join; ?: not known\n",
                      count, count == 1 ? "" : "s");
}

static void put_list_csv(ridge__str *out, const ridge_system *const *systems,
                         size_t count)
{
    ridge__str_text(
        out, "id,name,gpu,gpus,domain,inside,topology,link_bytes_per_s,"
             "achieved_bytes_per_s,latency_s,reduces,between,"
             "network_bytes_per_s,nics,nic_bytes_per_s,nic,cpu,cpu_cores,"
             "host_memory_bytes,pcie,power_w,power_of,bf16_flop_per_s,fp16_flop_per_s,"
             "dram_bytes_per_s,dram_bytes\n");
    for (size_t i = 0; i < count; i++) {
        const ridge_system *s = systems[i];
        const double domain = ridge__system_domain(s);
        ridge__cell_text(out, "", s->id);
        ridge__cell_text(out, ",", s->name);
        ridge__cell_text(out, ",", s->gpu);
        ridge__cell_number(out, ",", s->gpus.value);
        ridge__cell_number(out, ",", domain);
        ridge__cell_text(out, ",", s->inside.name);
        ridge__cell_text(out, ",", ridge__topology_name(s->inside.topology));
        ridge__cell_number(out, ",", s->inside.bandwidth.value);
        ridge__cell_number(out, ",", s->inside.achieved.value);
        ridge__cell_number(out, ",", s->inside.latency.value);
        ridge__cell_text(out, ",", s->inside.reduces ? "1" : "0");
        ridge__cell_text(out, ",", s->between.name);
        ridge__cell_number(out, ",", s->between.bandwidth.value);
        ridge__cell_number(out, ",", s->nics.value);
        ridge__cell_number(out, ",", s->nic_rate.value);
        ridge__cell_text(out, ",", s->nic_kind);
        ridge__cell_text(out, ",", s->cpu);
        ridge__cell_number(out, ",", s->cpu_cores.value);
        ridge__cell_number(out, ",", s->host_memory.value);
        ridge__cell_text(out, ",", s->pcie);
        ridge__cell_number(out, ",", s->power_w.value);
        ridge__cell_text(out, ",",
                         ridge_known(s->power_w.value)
                             ? s->power_of_domain ? "domain" : "node"
                             : NULL);
        ridge__cell_number(out, ",", peak_of(s, RIDGE_BF16) * domain);
        ridge__cell_number(out, ",", peak_of(s, RIDGE_FP16) * domain);
        ridge__cell_number(out, ",",
                           ridge_device_bandwidth(s->device, RIDGE_DRAM).value * domain);
        ridge__cell_number(out, ",",
                           ridge_device_capacity(s->device, RIDGE_DRAM).value * domain);
        ridge__str_text(out, "\n");
    }
}

static bool matches(const ridge_system *s, const char *const *words, size_t count)
{
    const char *fields[] = {s->id,           s->name,           s->gpu,
                            s->device->arch, s->device->vendor, s->inside.name};
    return ridge__holds_words(fields, RIDGE__COUNT(fields), words, count);
}

/* ---- The public face --------------------------------------------------------------- */

/* Systems that have every word, in id order, in the arena. */
static ridge_status select_systems(const ridge_system ***out, size_t *count,
                                   ridge_catalog *catalog, const char *const *words,
                                   size_t word_count, ridge__arena *arena,
                                   ridge_error *err)
{
    const size_t total = ridge_catalog_system_count(catalog);
    const ridge_system **systems = ridge__arena_alloc(arena, total * sizeof *systems);
    size_t n = 0;
    if (!systems)
        return ridge__error_set(err, RIDGE_NOMEM, "out of memory");
    for (size_t i = 0; i < total; i++) {
        ridge_status status = ridge_catalog_load_system(
            &systems[n], catalog, ridge_catalog_system_id(catalog, i), err);
        if (status)
            return status;
        n += matches(systems[n], words, word_count);
    }
    if (n == 0 && word_count)
        return ridge__error_set(
            err, RIDGE_NOTFOUND,
            "no system has \"%s\"%s in its id, name, GPU, architecture, vendor or links",
            RIDGE__QUOTE(words[0]), word_count > 1 ? " and the other words" : "");
    *out = systems;
    *count = n;
    return RIDGE_OK;
}

ridge_status ridge_systems_write(ridge_catalog *catalog, const char *const *words,
                                 size_t word_count, const ridge_style *style,
                                 ridge_sink sink, ridge_error *err)
{
    ridge_status status;
    const ridge_system **systems = NULL;
    size_t count = 0;
    ridge__arena arena;
    ridge__str out;
    ridge__arena_init(&arena, NULL);
    ridge__str_init(&out, 0, NULL);
    RIDGE__TRY(select_systems(&systems, &count, catalog, words, word_count, &arena, err));
    if (style->format == RIDGE_JSON)
        ridge__system_json(&out, systems, count, true);
    else if (style->format == RIDGE_CSV)
        put_list_csv(&out, systems, count);
    else
        put_list(&out, systems, count, style);
    status = ridge__str_send(&out, sink, err);
out:
    ridge__arena_clear(&arena);
    ridge__str_clear(&out);
    return status;
}

ridge_status ridge_system_write(const ridge_system *const *systems, size_t count,
                                const ridge_style *style, ridge_sink sink,
                                ridge_error *err)
{
    if (count == 0)
        return ridge__error_set(err, RIDGE_INVALID, "no system was named");
    ridge__str out;
    ridge__str_init(&out, 0, NULL);
    if (style->format == RIDGE_JSON)
        ridge__system_json(&out, systems, count, count > 1);
    else if (style->format == RIDGE_CSV)
        ridge__system_csv(&out, systems, count);
    else if (count > 1)
        ridge__system_compare(&out, systems, count, style);
    else
        ridge__system_page(&out, systems[0], style);
    ridge_status status = ridge__str_send(&out, sink, err);
    ridge__str_clear(&out);
    return status;
}
