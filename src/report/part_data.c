#include "format/csv.h"
#include "format/json.h"
#include "report/part.h"

#include <string.h>

/* ---- JSON -------------------------------------------------------------------------- */

static void put_origin(ridge__json *j, ridge_fact fact)
{
    char confidence[2] = {fact.confidence, '\0'};
    bool known = ridge_known(fact.value);
    ridge__json_text(j, "origin", known ? ridge__origin_name(fact.origin) : NULL);
    ridge__json_text(j, "confidence", known ? confidence : NULL);
    ridge__json_text(j, "source", known ? fact.source : NULL);
}

static void put_fact(ridge__json *j, const char *key, ridge_fact fact)
{
    ridge__json_open(j, key, '{');
    ridge__json_number(j, "value", fact.value);
    put_origin(j, fact);
    ridge__json_close(j, '}');
}

static void put_words(ridge__json *j, const char *key, const char *const *words,
                      size_t count)
{
    ridge__json_open(j, key, '[');
    for (size_t i = 0; i < count; i++)
        ridge__json_text(j, NULL, words[i]);
    ridge__json_close(j, ']');
}

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
        put_origin(j, c->peak.dense);
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
        put_fact(j, "capacity_bytes", m->capacity_bytes);
        put_fact(j, "stated_bytes_per_s", m->stated);
        put_fact(j, "device_bytes_per_s", m->device);
        put_fact(j, "measured_bytes_per_s", m->measured);
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
        put_fact(j, "stated_bytes_per_s", l->stated);
        put_fact(j, "measured_bytes_per_s", l->measured);
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
    put_words(j, "aliases", d->aliases, d->alias_count);
    put_words(j, "device_names", d->device_names, d->device_name_count);
    ridge__json_text(j, "unit_name", d->unit_name);
    put_fact(j, "units", d->units);
    put_fact(j, "clock_base_hz", d->clock_base);
    put_fact(j, "clock_boost_hz", d->clock_boost);
    put_fact(j, "clock_tensor_hz", d->clock_tensor);
    put_fact(j, "tdp_w", d->tdp_w);
    put_peaks(j, d);
    put_unsupported(j, d);
    put_memory(j, d);
    put_links(j, d);
    ridge__json_open(j, "limits", '{');
    for (size_t i = 0; i < d->limit_count; i++)
        put_fact(j, d->limit[i].name, d->limit[i].value);
    ridge__json_close(j, '}');
    put_words(j, "notes", d->notes, d->note_count);
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

static void put_cell(ridge__str *out, const char *text, const char *after)
{
    ridge__csv_cell(out, text, strlen(text));
    ridge__str_text(out, after);
}

static const char *unit_name(ridge_unit unit)
{
    switch (unit) {
    case RIDGE_UNIT_FLOP_PER_S:
        return "FLOP/s";
    case RIDGE_UNIT_BYTES_PER_S:
        return "B/s";
    case RIDGE_UNIT_BYTES:
        return "B";
    case RIDGE_UNIT_HZ:
        return "Hz";
    case RIDGE_UNIT_W:
        return "W";
    case RIDGE_UNIT_FLOP_PER_BYTE:
        return "FLOP/B";
    case RIDGE_UNIT_BYTES_PER_CYCLE:
        return "B/cycle";
    default:
        return "";
    }
}

void ridge__part_csv(ridge__str *out, const ridge_device *const *devices, size_t count,
                     ridge__arena *scratch)
{
    ridge__str_text(out, "gpu,what,value,unit,origin,confidence,source\n");
    for (size_t i = 0; i < count; i++) {
        size_t n;
        const ridge__figure *f = ridge__part_figures(devices[i], scratch, &n);
        for (size_t k = 0; f && k < n; k++) {
            char text[80];
            put_cell(out, devices[i]->id, ",");
            snprintf(text, sizeof text, "%s.%s", ridge__group_key(f[k].group), f[k].name);
            put_cell(out, text, ",");
            ridge__number_shortest(text, f[k].fact.value);
            put_cell(out, text, ",");
            put_cell(out, unit_name(f[k].unit), ",");
            put_cell(out, ridge__origin_name(f[k].fact.origin), ",");
            snprintf(text, sizeof text, "%c", f[k].fact.confidence);
            put_cell(out, text, ",");
            put_cell(out, f[k].fact.source, "\n");
        }
    }
}
