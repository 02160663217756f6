#include "report/cite.h"
#include "report/page.h"
#include "report/part.h"

#include <string.h>

static void put_joined(ridge__str *out, const char *label, const char *const *words,
                       size_t count)
{
    char text[1000] = "";
    size_t size = 0;
    for (size_t i = 0; i < count && size + 4 < sizeof text; i++) {
        int n =
            snprintf(text + size, sizeof text - size, "%s%s", i ? ", " : "", words[i]);
        size = n < 0 ? size : size + (size_t)n;
    }
    if (count)
        ridge__row(out, label, text);
}

static void put_fact(ridge__str *out, ridge__cited *s, const char *label, ridge_fact fact,
                     ridge_unit unit, const char *after)
{
    if (ridge_known(fact.value))
        ridge__row_format(out, label, "%s%s%s %s", RIDGE__FIGURE(fact.value, unit),
                          after[0] ? " " : "", after, RIDGE__CITE(s, fact));
}

/* "boost 1.98 GHz A[2], matrix 1.83 GHz A[3]" */
static void put_clocks(ridge__str *out, ridge__cited *s, const ridge_device *d)
{
    const struct {
        const char *name;
        ridge_fact fact;
    } clocks[] = {
        {"base", d->clock_base}, {"boost", d->clock_boost}, {"matrix", d->clock_tensor}};
    char text[200] = "";
    size_t size = 0;
    for (size_t i = 0; i < RIDGE__COUNT(clocks); i++)
        if (ridge_known(clocks[i].fact.value))
            size += (size_t)snprintf(text + size, sizeof text - size, "%s%s %s %s",
                                     size ? ", " : "", clocks[i].name,
                                     RIDGE__FIGURE(clocks[i].fact.value, RIDGE_UNIT_HZ),
                                     RIDGE__CITE(s, clocks[i].fact));
    if (size)
        ridge__row(out, "clocks", text);
}

static void put_head(ridge__str *out, ridge__cited *s, const ridge_device *d,
                     const ridge_style *style)
{
    ridge__color(out, style, "1");
    char title[400];
    snprintf(title, sizeof title, "%s: %s %s%s%s", d->id, d->vendor, d->name,
             d->variant ? " " : "", d->variant ? d->variant : "");
    ridge__wrap(out, 0, 0, title);
    ridge__color(out, style, "0");
    ridge__row_format(
        out, "arch", "%s%s%s%s%s", d->arch, d->capability ? ", compute capability " : "",
        d->capability ? d->capability : "", ridge_known(d->year) ? ", " : "",
        ridge_known(d->year) ? RIDGE__N(d->year) : "");
    if (d->process)
        ridge__row(out, "process", d->process);
    put_joined(out, "aliases", d->aliases, d->alias_count);
    put_joined(out, "reported as", d->device_names, d->device_name_count);
    put_fact(out, s, "units", d->units, RIDGE_UNIT_COUNT,
             d->unit_name ? d->unit_name : "");
    put_clocks(out, s, d);
    put_fact(out, s, "power", d->tdp_w, RIDGE_UNIT_W, "");
}

/* The accumulator is said where it makes a difference. */
static const char *accumulator_text(const ridge_device *d, const ridge__compute *c)
{
    for (size_t i = 0; i < d->compute_count; i++) {
        const ridge__compute *other = &d->compute[i];
        if (other != c && other->dtype == c->dtype && other->pipe == c->pipe)
            return ridge_dtype_name(c->accumulator);
    }
    return "";
}

static void put_compute(ridge__str *out, ridge__cited *s, const ridge_device *d,
                        const ridge_style *style)
{
    if (d->compute_count == 0)
        return;
    ridge__heading(out, style,
                   "Peaks (dense; 2:4 sparsity apart, never used by default)");
    ridge__str_format(out, "  %-7s%-8s%-5s%15s%12s%9s  %-6s%14s\n", "dtype", "pipe",
                      "acc", "dense", "at clock", "ridge", "", "sparse");
    for (size_t i = 0; i < d->compute_count; i++) {
        const ridge__compute *c = &d->compute[i];
        bool sparse = ridge_known(c->peak.sparse.value);
        char mark[16];
        double ridge = ridge__part_ridge(d, c->peak.dense.value);
        ridge__str_format(
            out, "  %-7s%-8s%-5s%15s%12s%9s  %s%*s\n", ridge_dtype_name(c->dtype),
            ridge_pipe_name(c->pipe), accumulator_text(d, c),
            RIDGE__FIGURE(c->peak.dense.value, RIDGE_UNIT_FLOP_PER_S),
            RIDGE__FIGURE(c->peak.clock.value, RIDGE_UNIT_HZ), RIDGE__N(ridge),
            ridge__cite(s, c->peak.dense, mark), sparse ? 20 - (int)strlen(mark) : 0,
            sparse ? RIDGE__FIGURE(c->peak.sparse.value, RIDGE_UNIT_FLOP_PER_S) : "");
    }
    for (size_t i = 0; i < d->compute_count; i++)
        if (d->compute[i].note)
            ridge__wrap(out, 0, 2, d->compute[i].note);
    const char *missing[RIDGE_DTYPE_COUNT];
    size_t count = 0;
    for (int t = 0; t < RIDGE_DTYPE_COUNT; t++)
        if (d->unsupported & 1u << t)
            missing[count++] = ridge_dtype_name((ridge_dtype)t);
    put_joined(out, "no hardware", missing, count);
}

static bool same_fact(ridge_fact a, ridge_fact b)
{
    return a.value == b.value && a.origin == b.origin;
}

static void put_memory(ridge__str *out, ridge__cited *s, const ridge_device *d,
                       const ridge_style *style)
{
    if (d->memory_count == 0)
        return;
    ridge__heading(out, style, "Memory (the roof uses the bandwidth marked so)");
    for (size_t i = 0; i < d->memory_count; i++) {
        const ridge__memory *m = &d->memory[i];
        const ridge_fact rates[] = {m->stated, m->device, m->measured};
        char capacity[64] = "size unknown";
        size_t shown = 0;
        if (ridge_known(m->capacity_bytes.value))
            snprintf(capacity, sizeof capacity, "%s %s",
                     RIDGE__FIGURE(m->capacity_bytes.value, RIDGE_UNIT_BYTES),
                     RIDGE__CITE(s, m->capacity_bytes));
        ridge__str_format(out, "  %-6s%-22s%-13s ", ridge_level_name(m->level),
                          m->name ? m->name : "", capacity);
        for (size_t k = 0; k < RIDGE__COUNT(rates); k++) {
            if (!ridge_known(rates[k].value))
                continue;
            ridge__str_format(out, "%*s%12s %s %s%s\n", shown++ ? 44 : 0, "",
                              RIDGE__FIGURE(rates[k].value, RIDGE_UNIT_BYTES_PER_S),
                              ridge__origin_name(rates[k].origin),
                              RIDGE__CITE(s, rates[k]),
                              same_fact(rates[k], m->roof) ? ", roof" : "");
        }
        if (!shown)
            ridge__str_text(out, "bandwidth unknown\n");
        if (m->level == RIDGE_DRAM && ridge_known(m->capacity_bytes.value))
            ridge__str_format(out, "        %s%s\n",
                              RIDGE__FIGURE(m->capacity_bytes.value, RIDGE_UNIT_BYTES),
                              RIDGE__BINARY(m->capacity_bytes.value));
        if (m->note)
            ridge__wrap(out, 0, 8, m->note);
    }
}

static void put_links(ridge__str *out, ridge__cited *s, const ridge_device *d,
                      const ridge_style *style)
{
    if (d->link_count)
        ridge__heading(out, style, "Links (one direction, per GPU)");
    for (size_t i = 0; i < d->link_count; i++) {
        const ridge__link *l = &d->link[i];
        char text[400] = "";
        size_t size = 0;
        if (ridge_known(l->count) && l->count > 1)
            size += (size_t)snprintf(text, sizeof text, "%s links, together ",
                                     RIDGE__N(l->count));
        size += (size_t)snprintf(text + size, sizeof text - size, "%s",
                                 RIDGE__FIGURE(l->stated.value, RIDGE_UNIT_BYTES_PER_S));
        if (ridge_known(l->stated.value))
            size += (size_t)snprintf(text + size, sizeof text - size, " %s %s",
                                     ridge__origin_name(l->stated.origin),
                                     RIDGE__CITE(s, l->stated));
        if (ridge_known(l->measured.value))
            snprintf(text + size, sizeof text - size, "; %s measured %s",
                     RIDGE__FIGURE(l->measured.value, RIDGE_UNIT_BYTES_PER_S),
                     RIDGE__CITE(s, l->measured));
        ridge__str_format(out, "  %-20s", l->name);
        ridge__wrap(out, 22, 22, text);
        if (l->note)
            ridge__wrap(out, 0, 22, l->note);
    }
}

static void put_slices(ridge__str *out, ridge__cited *s, const ridge_device *d,
                       const ridge_style *style)
{
    const char *unit = d->unit_name ? d->unit_name : "units";
    if (d->slice_count)
        ridge__heading(out, style, "Slices (MIG): --gpu with the name behind a slash");
    for (size_t i = 0; i < d->slice_count; i++) {
        const ridge__slice *l = &d->slice[i];
        char units[48];
        snprintf(units, sizeof units, "%s%s %s",
                 l->units.origin == RIDGE_DERIVED ? "about " : "",
                 RIDGE__N(l->units.value), unit);
        ridge__str_format(
            out, "  %-10s %s at most  %-14s%11s%14s  %s\n", l->name, RIDGE__N(l->count),
            units,
            RIDGE__FIGURE(l->memory_share * ridge_device_capacity(d, RIDGE_DRAM).value,
                          RIDGE_UNIT_BYTES),
            RIDGE__FIGURE(l->memory_share * ridge_device_bandwidth(d, RIDGE_DRAM).value,
                          RIDGE_UNIT_BYTES_PER_S),
            RIDGE__CITE(s, l->units));
    }
}

/* The figures of one group, two to a line. */
static void put_pairs(ridge__str *out, ridge__cited *s, const ridge__figure *figures,
                      size_t count, ridge__group group)
{
    size_t shown = 0, width = 0;
    for (size_t i = 0; i < count; i++) {
        const ridge__figure *f = &figures[i];
        if (f->group != group)
            continue;
        char text[64], name[48];
        ridge__figure_label(name, sizeof name, f);
        snprintf(text, sizeof text, "%s %s", RIDGE__FIGURE(f->fact.value, f->unit),
                 RIDGE__CITE(s, f->fact));
        /* The blanks between the two belong to the second. */
        if (shown++ % 2)
            ridge__str_format(out, "%*s%-21s%s\n", 17 - (int)width, "", name, text);
        else
            ridge__str_format(out, "  %-21s%s", name, text);
        width = strlen(text);
    }
    if (shown % 2)
        ridge__str_text(out, "\n");
}

static void put_limits(ridge__str *out, ridge__cited *s, const ridge_device *d,
                       const ridge__figure *figures, size_t count,
                       const ridge_style *style)
{
    char heading[80];
    snprintf(heading, sizeof heading, "Limits of one %s",
             d->unit_name ? d->unit_name : "unit");
    if (d->limit_count)
        ridge__heading(out, style, heading);
    put_pairs(out, s, figures, count, RIDGE__GROUP_LIMIT);
}

static void put_latencies(ridge__str *out, ridge__cited *s, const ridge_device *d,
                          const ridge__figure *figures, size_t count,
                          const ridge_style *style)
{
    if (count == 0 || figures[count - 1].group != RIDGE__GROUP_LATENCY)
        return; /* the last group */
    char heading[128];
    snprintf(heading, sizeof heading, "Latencies measured on %s (all: ridge latency)",
             d->arch);
    ridge__heading(out, style, heading);
    put_pairs(out, s, figures, count, RIDGE__GROUP_LATENCY);
}

void ridge__part_page(ridge__str *out, const ridge_device *d, const ridge_style *style,
                      ridge__arena *scratch)
{
    size_t count;
    const ridge__figure *figures = ridge__part_figures(d, scratch, &count);
    ridge__cited s = {.count = 0};
    if (!figures)
        return; /* the caller asks the arena */
    put_head(out, &s, d, style);
    put_compute(out, &s, d, style);
    put_memory(out, &s, d, style);
    put_links(out, &s, d, style);
    put_limits(out, &s, d, figures, count, style);
    put_latencies(out, &s, d, figures, count, style);
    put_slices(out, &s, d, style);
    if (d->note_count)
        ridge__heading(out, style, "Notes");
    for (size_t i = 0; i < d->note_count; i++)
        ridge__wrap(out, 0, 2, d->notes[i]);
    ridge__cited_list(out, &s, style);
}
