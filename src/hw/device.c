#include "hw/device.h"

#include "hw/reader.h"

#include <stdio.h>

/* A peak may differ by this share from units x rate x clock without a note. */
#define PEAK_TOLERANCE 0.02

/* ---- Single figures ---------------------------------------------------------------- */

static ridge_status figures_read(const ridge__reader *r, ridge_device *d,
                                 const raw_device *raw)
{
    static const raw_clocks no_clocks = {0};
    const raw_clocks *clocks = raw->clocks ? raw->clocks : &no_clocks;
    ridge_status status = RIDGE_OK;
    RIDGE__TRY(ridge__reader_figure(r, &d->units, raw->units, RIDGE_UNIT_COUNT, "units"));
    RIDGE__TRY(ridge__reader_figure(r, &d->clock_base, clocks->base, RIDGE_UNIT_HZ,
                                    "clocks.base"));
    RIDGE__TRY(ridge__reader_figure(r, &d->clock_boost, clocks->boost, RIDGE_UNIT_HZ,
                                    "clocks.boost"));
    RIDGE__TRY(ridge__reader_figure(r, &d->clock_tensor, clocks->tensor, RIDGE_UNIT_HZ,
                                    "clocks.tensor"));
    RIDGE__TRY(ridge__reader_figure(r, &d->tdp_w, raw->tdp, RIDGE_UNIT_W, "tdp"));
    RIDGE__TRY(ridge__reader_number(r, &d->year, raw->year, RIDGE_UNIT_COUNT,
                                    (ridge__place){"", "year"}));
    d->unit_name = ridge__arena_text(r->arena, raw->units ? raw->units->name : NULL);
out:
    return status;
}

/* Names and units of limits; one that is not here is an error. */
static const struct {
    const char *name;
    ridge_unit unit;
} limits[] = {
    {"threads", RIDGE_UNIT_COUNT},
    {"warps", RIDGE_UNIT_COUNT},
    {"blocks", RIDGE_UNIT_COUNT},
    {"threads_per_block", RIDGE_UNIT_COUNT},
    {"warp_size", RIDGE_UNIT_COUNT},
    {"registers_bytes", RIDGE_UNIT_BYTES},
    {"l1_shared_bytes", RIDGE_UNIT_BYTES},
    {"shared_bytes", RIDGE_UNIT_BYTES},
    {"shared_per_block_bytes", RIDGE_UNIT_BYTES},
    {"registers_per_thread", RIDGE_UNIT_COUNT},
    {"registers_per_block_bytes", RIDGE_UNIT_BYTES},
    {"tensor_cores", RIDGE_UNIT_COUNT},
    {"special_per_cycle", RIDGE_UNIT_COUNT},
    {"tmem_bytes", RIDGE_UNIT_BYTES},
    {"shared_rate", RIDGE_UNIT_BYTES_PER_CYCLE},
    {"l1_measured_rate", RIDGE_UNIT_BYTES_PER_CYCLE},
};

static ridge_status limits_read(const ridge__reader *r, ridge_device *d,
                                const raw_device *raw)
{
    char row[RIDGE__ROW_BYTES];
    ridge__limit *list = ridge__arena_alloc(r->arena, raw->limits_count * sizeof *list);
    for (size_t i = 0; list && i < raw->limits_count; i++) {
        const raw_figure *f = &raw->limits[i];
        size_t k = 0;
        ridge__reader_row(row, "limits", i);
        while (k < RIDGE__COUNT(limits) && strcmp(limits[k].name, f->name) != 0)
            k++;
        if (k == RIDGE__COUNT(limits))
            return ridge__reader_fail(r, RIDGE_SYNTAX, row, "no limit is called \"%s\"",
                                      RIDGE__QUOTE(f->name));
        for (size_t j = 0; j < i; j++)
            if (strcmp(list[j].name, f->name) == 0)
                return ridge__reader_fail(r, RIDGE_SYNTAX, row, "\"%s\" is given twice",
                                          f->name);
        list[i].name = limits[k].name;
        ridge_status status =
            ridge__reader_figure(r, &list[i].value, f, limits[k].unit, row);
        if (status)
            return status;
    }
    d->limit = list;
    d->limit_count = raw->limits_count;
    return RIDGE_OK;
}

/* ---- Compute ----------------------------------------------------------------------- */

static ridge_status dtype_read(const ridge__reader *r, ridge_dtype *out, const char *text,
                               ridge__place at)
{
    char path[64];
    if (ridge__dtype_parse(out, text, strlen(text)))
        return RIDGE_OK;
    ridge__place_text(at, path, sizeof path);
    return ridge__reader_fail(r, RIDGE_SYNTAX, path, "\"%s\" is no dtype; as in bf16",
                              RIDGE__QUOTE(text));
}

/* units x rate x clock must give the peak, or a note says why not. */
static ridge_status peak_check(const ridge__reader *r, const ridge_device *d,
                               const ridge__compute *c, const char *row)
{
    char path[64], peak[32], product[32];
    double expected = d->units.value * c->rate_flop_per_cycle * c->peak.clock.value;
    double found = c->peak.dense.value;
    if (!ridge_known(expected) || c->note ||
        fabs(found - expected) <= PEAK_TOLERANCE * expected)
        return RIDGE_OK;
    ridge_quantity_format(peak, sizeof peak, found, RIDGE_UNIT_FLOP_PER_S);
    ridge_quantity_format(product, sizeof product, expected, RIDGE_UNIT_FLOP_PER_S);
    ridge__place_text((ridge__place){row, "peak"}, path, sizeof path);
    return ridge__reader_fail(r, RIDGE_INVALID, path,
                              "%s is more than 2 %% from units x rate x clock, %s; mend "
                              "one, or say why in a note",
                              peak, product);
}

static ridge_status compute_row(const ridge__reader *r, const ridge_device *d,
                                ridge__compute *c, const raw_compute *raw,
                                const char *row)
{
    ridge_status status = RIDGE_OK;
    ridge__claim claim = {raw->source, "source", raw->confidence, raw->origin,
                          RIDGE_STATED};
    c->accumulator = RIDGE_FP32;
    RIDGE__TRY(dtype_read(r, &c->dtype, raw->dtype, (ridge__place){row, "dtype"}));
    if (raw->accumulate)
        RIDGE__TRY(dtype_read(r, &c->accumulator, raw->accumulate,
                              (ridge__place){row, "accumulate"}));
    if (!ridge__pipe_parse(&c->pipe, raw->pipe, strlen(raw->pipe))) {
        char path[64];
        ridge__place_text((ridge__place){row, "pipe"}, path, sizeof path);
        return ridge__reader_fail(r, RIDGE_SYNTAX, path,
                                  "\"%s\" is no pipe; vector or matrix",
                                  RIDGE__QUOTE(raw->pipe));
    }
    RIDGE__TRY(ridge__reader_fact(r, &c->peak.dense, raw->peak, RIDGE_UNIT_FLOP_PER_S,
                                  claim, (ridge__place){row, "peak"}));
    RIDGE__TRY(ridge__reader_fact(r, &c->peak.sparse, raw->sparse, RIDGE_UNIT_FLOP_PER_S,
                                  claim, (ridge__place){row, "sparse"}));
    RIDGE__TRY(ridge__reader_fact(r, &c->peak.clock, raw->clock, RIDGE_UNIT_HZ, claim,
                                  (ridge__place){row, "clock"}));
    RIDGE__TRY(ridge__reader_number(r, &c->rate_flop_per_cycle, raw->rate,
                                    RIDGE_UNIT_FLOP_PER_CYCLE,
                                    (ridge__place){row, "rate"}));
    c->note = ridge__arena_text(r->arena, raw->note);
    RIDGE__TRY(peak_check(r, d, c, row));
out:
    return status;
}

static ridge_status compute_read(const ridge__reader *r, ridge_device *d,
                                 const raw_device *raw)
{
    char row[RIDGE__ROW_BYTES];
    ridge__compute *list =
        ridge__arena_alloc(r->arena, raw->compute_count * sizeof *list);
    if (!list)
        return RIDGE_OK; /* the caller asks the arena */
    for (size_t i = 0; i < raw->compute_count; i++) {
        ridge__reader_row(row, "compute", i);
        ridge_status status = compute_row(r, d, &list[i], &raw->compute[i], row);
        if (status)
            return status;
        d->compute = list;
        d->compute_count = i; /* the rows before this one */
        if (ridge__device_compute(d, list[i].pipe, list[i].dtype, list[i].accumulator))
            return ridge__reader_fail(r, RIDGE_SYNTAX, row,
                                      "%s on the %s pipe is given twice",
                                      raw->compute[i].dtype, raw->compute[i].pipe);
    }
    d->compute = list;
    d->compute_count = raw->compute_count;
    return RIDGE_OK;
}

static ridge_status unsupported_read(const ridge__reader *r, ridge_device *d,
                                     const raw_device *raw)
{
    char row[RIDGE__ROW_BYTES];
    for (size_t i = 0; i < raw->unsupported_count; i++) {
        ridge_dtype dtype = RIDGE_FP32;
        ridge__reader_row(row, "unsupported", i);
        ridge_status status =
            dtype_read(r, &dtype, raw->unsupported[i], (ridge__place){row, ""});
        if (status)
            return status;
        for (size_t k = 0; k < d->compute_count; k++)
            if (d->compute[k].dtype == dtype)
                return ridge__reader_fail(r, RIDGE_INVALID, row,
                                          "%s has a row under compute",
                                          raw->unsupported[i]);
        d->unsupported |= 1u << dtype;
    }
    return RIDGE_OK;
}

/* ---- Memory and links -------------------------------------------------------------- */

static ridge_status roof_choose(const ridge__reader *r, ridge__memory *m,
                                const char *word, const char *row)
{
    char path[64];
    const struct {
        const char *word;
        const ridge_fact *fact;
    } choice[] = {
        {"stated", &m->stated}, {"device", &m->device}, {"measured", &m->measured}};
    for (size_t i = 0; i < RIDGE__COUNT(choice); i++) {
        if (word ? strcmp(word, choice[i].word) != 0
                 : !ridge_known(choice[i].fact->value))
            continue;
        m->roof = *choice[i].fact;
        if (ridge_known(m->roof.value))
            return RIDGE_OK;
        ridge__place_text((ridge__place){row, "roof"}, path, sizeof path);
        return ridge__reader_fail(r, RIDGE_INVALID, path, "there is no \"%s\" figure",
                                  word);
    }
    if (!word)
        return RIDGE_OK; /* a capacity alone */
    ridge__place_text((ridge__place){row, "roof"}, path, sizeof path);
    return ridge__reader_fail(r, RIDGE_SYNTAX, path,
                              "\"%s\" is none of stated, device, measured",
                              RIDGE__QUOTE(word));
}

static ridge_status level_read(const ridge__reader *r, ridge_level *out, const char *text,
                               const char *row)
{
    char path[64];
    for (int i = 0; i < RIDGE_LEVEL_COUNT; i++)
        if (strcmp(ridge_level_name((ridge_level)i), text) == 0) {
            *out = (ridge_level)i;
            return RIDGE_OK;
        }
    ridge__place_text((ridge__place){row, "level"}, path, sizeof path);
    return ridge__reader_fail(r, RIDGE_SYNTAX, path,
                              "\"%s\" is none of dram, llc, l2, l1", RIDGE__QUOTE(text));
}

static ridge_status memory_row(const ridge__reader *r, ridge__memory *m,
                               const raw_memory *raw, const char *row)
{
    ridge_status status = RIDGE_OK;
    ridge__claim stated = {raw->source, "source", raw->confidence, NULL, RIDGE_STATED};
    ridge__claim device = {raw->device_source, "device_source", raw->confidence, NULL,
                           RIDGE_DEVICE};
    ridge__claim measured = {raw->measured_source, "measured_source", raw->confidence,
                             NULL, RIDGE_MEASURED};
    m->roof = ridge__fact_unknown();
    RIDGE__TRY(level_read(r, &m->level, raw->level, row));
    RIDGE__TRY(ridge__reader_fact(r, &m->capacity_bytes, raw->capacity, RIDGE_UNIT_BYTES,
                                  stated, (ridge__place){row, "capacity"}));
    RIDGE__TRY(ridge__reader_fact(r, &m->stated, raw->stated, RIDGE_UNIT_BYTES_PER_S,
                                  stated, (ridge__place){row, "stated"}));
    RIDGE__TRY(ridge__reader_fact(r, &m->device, raw->device, RIDGE_UNIT_BYTES_PER_S,
                                  device, (ridge__place){row, "device"}));
    RIDGE__TRY(ridge__reader_fact(r, &m->measured, raw->measured, RIDGE_UNIT_BYTES_PER_S,
                                  measured, (ridge__place){row, "measured"}));
    RIDGE__TRY(ridge__reader_number(r, &m->bus_bits, raw->bus_bits, RIDGE_UNIT_COUNT,
                                    (ridge__place){row, "bus_bits"}));
    RIDGE__TRY(roof_choose(r, m, raw->roof, row));
    m->name = ridge__arena_text(r->arena, raw->name);
    m->note = ridge__arena_text(r->arena, raw->note);
out:
    return status;
}

/*
 * L1 and shared memory of all units together, from what one unit has: capacity x units,
 * bytes per cycle x units x boost clock.
 */
static void l1_derive(ridge_device *d, ridge__memory *m)
{
    const double units = d->units.value, clock = d->clock_boost.value;
    *m = (ridge__memory){.level = RIDGE_L1,
                         .name = "L1 and shared memory",
                         .capacity_bytes = ridge__device_limit(d, "l1_shared_bytes"),
                         .stated = ridge__device_limit(d, "shared_rate"),
                         .device = ridge__fact_unknown(),
                         .measured = ridge__device_limit(d, "l1_measured_rate"),
                         .bus_bits = RIDGE_UNKNOWN,
                         .note = "one unit's figure x units (x boost clock)"};
    m->capacity_bytes.value *= units;
    m->stated.value *= units * clock;
    m->measured.value *= units * clock;
    m->capacity_bytes.origin = m->stated.origin = RIDGE_DERIVED;
    m->roof = m->stated;
}

static ridge_status memory_read(const ridge__reader *r, ridge_device *d,
                                const raw_device *raw)
{
    char row[RIDGE__ROW_BYTES];
    ridge__memory *list =
        ridge__arena_alloc(r->arena, (raw->memory_count + 1) * sizeof *list);
    if (!list)
        return RIDGE_OK;
    d->memory = list;
    for (size_t i = 0; i < raw->memory_count; i++) {
        ridge__reader_row(row, "memory", i);
        ridge_status status = memory_row(r, &list[i], &raw->memory[i], row);
        if (status)
            return status;
        if (ridge__device_memory(d, list[i].level))
            return ridge__reader_fail(r, RIDGE_SYNTAX, row, "%s is given twice",
                                      raw->memory[i].level);
        d->memory_count = i + 1;
    }
    if (!ridge__device_memory(d, RIDGE_L1) &&
        ridge_known(ridge__device_limit(d, "l1_shared_bytes").value))
        l1_derive(d, &list[d->memory_count++]);
    return RIDGE_OK;
}

static ridge_status links_read(const ridge__reader *r, ridge_device *d,
                               const raw_device *raw)
{
    char row[RIDGE__ROW_BYTES];
    ridge_status status = RIDGE_OK;
    ridge__link *list = ridge__arena_alloc(r->arena, raw->links_count * sizeof *list);
    for (size_t i = 0; list && i < raw->links_count; i++) {
        const raw_link *l = &raw->links[i];
        ridge__claim stated = {l->source, "source", l->confidence, NULL, RIDGE_STATED};
        ridge__claim measured = {l->measured_source, "measured_source", l->confidence,
                                 NULL, RIDGE_MEASURED};
        ridge__reader_row(row, "links", i);
        RIDGE__TRY(ridge__reader_number(r, &list[i].count, l->count, RIDGE_UNIT_COUNT,
                                        (ridge__place){row, "count"}));
        RIDGE__TRY(ridge__reader_fact(r, &list[i].stated, l->stated,
                                      RIDGE_UNIT_BYTES_PER_S, stated,
                                      (ridge__place){row, "stated"}));
        RIDGE__TRY(ridge__reader_fact(r, &list[i].measured, l->measured,
                                      RIDGE_UNIT_BYTES_PER_S, measured,
                                      (ridge__place){row, "measured"}));
        list[i].name = ridge__arena_text(r->arena, l->name);
        list[i].note = ridge__arena_text(r->arena, l->note);
    }
    d->link = list;
    d->link_count = raw->links_count;
out:
    return status;
}

/* ---- Slices ------------------------------------------------------------------------ */

static ridge_status slice_read(const ridge__reader *r, const ridge_device *d,
                               ridge__slice *s, const raw_slice *raw, const char *row)
{
    ridge_status status = RIDGE_OK;
    double share = RIDGE_UNKNOWN;
    ridge__claim stated = {raw->source, "source", raw->confidence, NULL, RIDGE_STATED};
    s->name = ridge__arena_text(r->arena, raw->name);
    if (!raw->units == !raw->share)
        return ridge__reader_fail(r, RIDGE_SYNTAX, row,
                                  "either units, or a share of them, is wanted");
    RIDGE__TRY(ridge__reader_number(r, &s->count, raw->count, RIDGE_UNIT_COUNT,
                                    (ridge__place){row, "count"}));
    RIDGE__TRY(ridge__reader_number(r, &s->memory_share, raw->memory, RIDGE_UNIT_NONE,
                                    (ridge__place){row, "memory"}));
    RIDGE__TRY(ridge__reader_number(r, &share, raw->share, RIDGE_UNIT_NONE,
                                    (ridge__place){row, "share"}));
    RIDGE__TRY(ridge__reader_fact(r, &s->units, raw->units ? raw->units : raw->share,
                                  raw->units ? RIDGE_UNIT_COUNT : RIDGE_UNIT_NONE, stated,
                                  (ridge__place){row, "units"}));
    if (ridge_known(share)) {
        s->units.value = floor(share * d->units.value); /* whole ones */
        s->units.origin = RIDGE_DERIVED;
    }
    if (s->units.value > d->units.value || s->memory_share > 1)
        return ridge__reader_fail(r, RIDGE_INVALID, row, "is more than the whole part");
out:
    return status;
}

static ridge_status slices_read(const ridge__reader *r, ridge_device *d,
                                const raw_device *raw)
{
    char row[RIDGE__ROW_BYTES];
    ridge__slice *list = ridge__arena_alloc(r->arena, raw->mig_count * sizeof *list);
    for (size_t i = 0; list && i < raw->mig_count; i++) {
        ridge__reader_row(row, "mig", i);
        for (size_t j = 0; j < i; j++)
            if (strcmp(raw->mig[j].name, raw->mig[i].name) == 0)
                return ridge__reader_fail(r, RIDGE_SYNTAX, row, "\"%s\" is given twice",
                                          RIDGE__QUOTE(raw->mig[i].name));
        ridge_status status = slice_read(r, d, &list[i], &raw->mig[i], row);
        if (status)
            return status;
    }
    d->slice = list;
    d->slice_count = raw->mig_count;
    return RIDGE_OK;
}

/* ---- The whole --------------------------------------------------------------------- */

static ridge_status names_read(const ridge__reader *r, ridge_device *d,
                               const raw_device *raw)
{
    const struct {
        const char *key, *text;
    } slugs[] = {{"id", raw->id}, {"arch", raw->arch}};
    for (size_t i = 0; i < RIDGE__COUNT(slugs); i++)
        if (!ridge__id_valid(slugs[i].text))
            return ridge__reader_fail(
                r, RIDGE_SYNTAX, slugs[i].key,
                "\"%s\" has other characters than a-z, 0-9, dot, - and _",
                RIDGE__QUOTE(slugs[i].text));
    d->id = ridge__arena_text(r->arena, raw->id);
    d->name = ridge__arena_text(r->arena, raw->name);
    d->variant = ridge__arena_text(r->arena, raw->variant);
    d->vendor = ridge__arena_text(r->arena, raw->vendor);
    d->arch = ridge__arena_text(r->arena, raw->arch);
    d->capability = ridge__arena_text(r->arena, raw->capability);
    d->process = ridge__arena_text(r->arena, raw->process);
    d->aliases = ridge__reader_texts(r, raw->aliases, raw->aliases_count);
    d->alias_count = raw->aliases_count;
    d->device_names = ridge__reader_texts(r, raw->device_names, raw->device_names_count);
    d->device_name_count = raw->device_names_count;
    d->notes = ridge__reader_texts(r, raw->notes, raw->notes_count);
    d->note_count = raw->notes_count;
    return RIDGE_OK;
}

ridge_status ridge__device_parse(ridge_device **out, ridge__arena *arena,
                                 const char *text, size_t size, const char *where,
                                 ridge_error *err)
{
    ridge_status status = RIDGE_OK;
    ridge__reader r = {
        .where = where, .text = text, .size = size, .arena = arena, .err = err};
    void *data = NULL;
    ridge_device *d = ridge__arena_alloc(arena, sizeof *d);
    if (!d)
        return ridge__error_set(err, RIDGE_NOMEM, "out of memory");
    RIDGE__TRY(ridge__yaml_parse(&data, text, size, where, &ridge__schema_device, err));
    const raw_device *raw = data;
    RIDGE__TRY(ridge__reader_sources(&r, raw->sources, raw->sources_count));
    RIDGE__TRY(names_read(&r, d, raw));
    RIDGE__TRY(figures_read(&r, d, raw));
    RIDGE__TRY(limits_read(&r, d, raw));
    RIDGE__TRY(compute_read(&r, d, raw));
    RIDGE__TRY(unsupported_read(&r, d, raw));
    RIDGE__TRY(memory_read(&r, d, raw));
    RIDGE__TRY(links_read(&r, d, raw));
    RIDGE__TRY(slices_read(&r, d, raw));
    if (!ridge__arena_ok(arena))
        status = ridge__error_set(err, RIDGE_NOMEM, "out of memory");
    else
        *out = d;
out:
    ridge__yaml_free(data, &ridge__schema_device);
    return status;
}
