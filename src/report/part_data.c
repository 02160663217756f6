#include "report/cite.h"
#include "report/part.h"

#include <string.h>

/* ---- JSON -------------------------------------------------------------------------- */

/* What a matrix pipe sums in; NULL where the question does not arise or nobody says. */
static const char *accumulator_name(const ridge__compute *c)
{
    if (c->pipe != RIDGE_MATRIX || c->dtype == RIDGE_INT8)
        return NULL;
    return ridge_dtype_name(c->dtype == RIDGE_FP64 ? RIDGE_FP64 : c->accumulator);
}

static void put_peaks(ridge__json *j, const ridge_device *d)
{
    ridge__json_open(j, "peaks", '[');
    for (size_t i = 0; i < d->compute_count; i++) {
        const ridge__compute *c = &d->compute[i];
        ridge__json_open(j, NULL, '{');
        ridge__json_text(j, "dtype", ridge_dtype_name(c->dtype));
        ridge__json_text(j, "pipe", ridge_pipe_name(c->pipe));
        ridge__json_text(j, "accumulator", accumulator_name(c));
        ridge__json_number(j, "flop_per_s", c->peak.dense.value);
        ridge__json_number(j, "sparse_flop_per_s", c->peak.sparse.value);
        ridge__json_number(j, "clock_hz", c->peak.clock.value);
        ridge__json_number(j, "flop_per_cycle", c->rate_flop_per_cycle);
        ridge__json_number(j, "ridge", ridge__part_ridge(d, c->peak.dense.value));
        ridge__origin_json(j, c->peak.dense);
        ridge__json_text(j, "note", c->note);
        ridge__json_close(j, '}');
    }
    ridge__json_close(j, ']');
}

static void put_memory(ridge__json *j, const ridge_device *d)
{
    ridge__json_open(j, "memory", '[');
    for (size_t i = 0; i < d->memory_count; i++) {
        const ridge__memory *m = &d->memory[i];
        ridge__json_open(j, NULL, '{');
        ridge__json_text(j, "level", ridge_level_name(m->level));
        ridge__json_text(j, "name", m->name);
        ridge__json_number(j, "bytes_per_s", m->roof.value);
        ridge__json_text(j, "roof",
                         ridge_known(m->roof.value) ? ridge__origin_name(m->roof.origin)
                                                    : NULL);
        ridge__fact_json(j, "capacity_bytes", m->capacity_bytes);
        ridge__fact_json(j, "stated_bytes_per_s", m->stated);
        ridge__fact_json(j, "device_bytes_per_s", m->device);
        ridge__fact_json(j, "measured_bytes_per_s", m->measured);
        ridge__json_text(j, "note", m->note);
        ridge__json_close(j, '}');
    }
    ridge__json_close(j, ']');
}

static void put_links(ridge__json *j, const ridge_device *d)
{
    ridge__json_open(j, "links", '[');
    for (size_t i = 0; i < d->link_count; i++) {
        const ridge__link *l = &d->link[i];
        ridge__json_open(j, NULL, '{');
        ridge__json_text(j, "name", l->name);
        ridge__json_text(j, "direction", "one");
        ridge__json_number(j, "count", l->count);
        ridge__fact_json(j, "stated_bytes_per_s", l->stated);
        ridge__fact_json(j, "measured_bytes_per_s", l->measured);
        ridge__json_text(j, "note", l->note);
        ridge__json_close(j, '}');
    }
    ridge__json_close(j, ']');
}

static void put_unsupported(ridge__json *j, const ridge_device *d)
{
    ridge__json_open(j, "unsupported", '[');
    for (int t = 0; t < RIDGE_DTYPE_COUNT; t++)
        if (d->unsupported & 1u << t)
            ridge__json_text(j, NULL, ridge_dtype_name((ridge_dtype)t));
    ridge__json_close(j, ']');
}

/* As measured on the architecture: in cycles, or in seconds where no clock matters. */
static void put_latencies(ridge__json *j, const ridge_device *d)
{
    ridge__json_open(j, "latencies", '{');
    for (int i = 0; d->latencies && i < RIDGE_ATOM_COUNT; i++) {
        const ridge__latency *row = ridge__latencies_find(d->latencies, (ridge_atom)i, 0);
        if (!row || ridge_known(row->per_cycles) || row->unit == RIDGE_UNIT_FLOP_PER_S)
            continue;
        char key[64];
        snprintf(key, sizeof key, "%s_%s", ridge_atom_name((ridge_atom)i),
                 row->unit == RIDGE_UNIT_CYCLES ? "cycles" : "s");
        ridge__fact_json(j, key, row->figure);
    }
    ridge__json_close(j, '}');
}

static void put_slices(ridge__json *j, const ridge_device *d)
{
    ridge__json_open(j, "mig", '[');
    for (size_t i = 0; i < d->slice_count; i++) {
        ridge__json_open(j, NULL, '{');
        ridge__json_text(j, "name", d->slice[i].name);
        ridge__json_number(j, "count", d->slice[i].count);
        ridge__fact_json(j, "units", d->slice[i].units);
        ridge__json_number(j, "memory_share", d->slice[i].memory_share);
        ridge__json_close(j, '}');
    }
    ridge__json_close(j, ']');
}

static void put_device(ridge__json *j, const ridge_device *d)
{
    ridge__json_open(j, NULL, '{');
    ridge__json_text(j, "id", d->id);
    ridge__json_text(j, "name", d->name);
    ridge__json_text(j, "variant", d->variant);
    ridge__json_text(j, "vendor", d->vendor);
    ridge__json_text(j, "arch", d->arch);
    ridge__json_text(j, "capability", d->capability);
    ridge__json_number(j, "year", d->year);
    ridge__json_text(j, "process", d->process);
    ridge__words_json(j, "aliases", d->aliases, d->alias_count);
    ridge__words_json(j, "device_names", d->device_names, d->device_name_count);
    ridge__json_text(j, "unit_name", d->unit_name);
    ridge__fact_json(j, "units", d->units);
    ridge__fact_json(j, "clock_base_hz", d->clock_base);
    ridge__fact_json(j, "clock_boost_hz", d->clock_boost);
    ridge__fact_json(j, "clock_tensor_hz", d->clock_tensor);
    ridge__fact_json(j, "tdp_w", d->tdp_w);
    put_peaks(j, d);
    put_unsupported(j, d);
    put_memory(j, d);
    put_links(j, d);
    ridge__json_open(j, "limits", '{');
    for (size_t i = 0; i < d->limit_count; i++)
        ridge__fact_json(j, d->limit[i].name, d->limit[i].value);
    ridge__json_close(j, '}');
    put_latencies(j, d);
    put_slices(j, d);
    ridge__words_json(j, "notes", d->notes, d->note_count);
    ridge__json_close(j, '}');
}

void ridge__part_json(ridge__str *out, const ridge_device *const *devices, size_t count,
                      bool list)
{
    ridge__json j;
    ridge__json_init(&j, out);
    if (list) {
        ridge__json_open(&j, NULL, '{');
        ridge__json_open(&j, "gpus", '[');
    }
    for (size_t i = 0; i < count; i++)
        put_device(&j, devices[i]);
    if (list) {
        ridge__json_close(&j, ']');
        ridge__json_close(&j, '}');
    }
    ridge__str_text(out, "\n");
}

/* ---- CSV: one row per figure ------------------------------------------------------- */

void ridge__part_csv(ridge__str *out, const ridge_device *const *devices, size_t count,
                     ridge__arena *scratch)
{
    ridge__str_text(out, "gpu,what,value,unit,origin,confidence,source\n");
    for (size_t i = 0; i < count; i++) {
        size_t n;
        const ridge__figure *f = ridge__part_figures(devices[i], scratch, &n);
        for (size_t k = 0; f && k < n; k++) {
            char text[80];
            snprintf(text, sizeof text, "%s.%s", ridge__group_key(f[k].group), f[k].name);
            ridge__fact_row(out, devices[i]->id, text, f[k].unit, f[k].fact);
        }
    }
}
