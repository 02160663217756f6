#include "hw/system_read.h"

#include "hw/reader.h"

/* A datasheet's total may differ by this share from count x part without a note. */
#define TOTAL_TOLERANCE 0.02

/* ---- Access ------------------------------------------------------------------------ */

static const char *const topologies[RIDGE__TOPOLOGY_COUNT] = {
    [RIDGE__SWITCH] = "switch", [RIDGE__MESH] = "mesh", [RIDGE__PAIRS] = "pairs",
    [RIDGE__TORUS] = "torus",   [RIDGE__PCIE] = "pcie", [RIDGE__NETWORK] = "network",
};

const char *ridge__topology_name(ridge__topology topology)
{
    return (unsigned)topology < RIDGE__TOPOLOGY_COUNT ? topologies[topology] : NULL;
}

ridge__fabric ridge__fabric_none(void)
{
    const ridge_fact none = ridge__fact_unknown();
    return (ridge__fabric){.bandwidth = none,
                           .achieved = none,
                           .per_peer = none,
                           .beyond = none,
                           .latency = none,
                           .parts = RIDGE_UNKNOWN};
}

double ridge__system_domain(const ridge_system *system)
{
    return ridge_known(system->inside.parts) ? system->inside.parts : system->gpus.value;
}

const char *ridge_system_id(const ridge_system *system)
{
    return system->id;
}

const char *ridge_system_name(const ridge_system *system)
{
    return system->name;
}

const ridge_device *ridge_system_device(const ridge_system *system)
{
    return system->device;
}

/* ---- Words ------------------------------------------------------------------------- */

static ridge_status yes_read(const ridge__reader *r, bool *out, const char *text,
                             ridge__place at)
{
    char path[64];
    *out = text && strcmp(text, "yes") == 0;
    if (!text || *out || strcmp(text, "no") == 0)
        return RIDGE_OK;
    ridge__place_text(at, path, sizeof path);
    return ridge__reader_fail(r, RIDGE_SYNTAX, path, "\"%s\" is neither yes nor no",
                              RIDGE__QUOTE(text));
}

static ridge_status topology_read(const ridge__reader *r, ridge__topology *out,
                                  const char *text, const char *row)
{
    char path[64];
    for (size_t i = 0; i < RIDGE__COUNT(topologies); i++)
        if (strcmp(topologies[i], text) == 0) {
            *out = (ridge__topology)i;
            return RIDGE_OK;
        }
    ridge__place_text((ridge__place){row, "topology"}, path, sizeof path);
    return ridge__reader_fail(
        r, RIDGE_SYNTAX, path,
        "\"%s\" is none of switch, mesh, pairs, torus, pcie, network",
        RIDGE__QUOTE(text));
}

/* ---- Fabrics ----------------------------------------------------------------------- */

static ridge_status fabric_read(const ridge__reader *r, ridge__fabric *f,
                                const raw_fabric *raw, const char *row)
{
    ridge_status status = RIDGE_OK;
    *f = ridge__fabric_none();
    if (!raw)
        return RIDGE_OK;
    ridge__claim stated = {raw->source, "source", raw->confidence, NULL, RIDGE_STATED};
    ridge__claim achieved = {raw->achieved_source, "achieved_source", raw->confidence,
                             NULL, RIDGE_MEASURED};
    ridge__claim latency = {raw->latency_source, "latency_source", raw->confidence, NULL,
                            RIDGE_MEASURED};
    const struct {
        ridge_fact *out;
        const char *text, *key;
        ridge_unit unit;
        const ridge__claim *claim;
    } facts[] = {
        {&f->bandwidth, raw->bandwidth, "bandwidth", RIDGE_UNIT_BYTES_PER_S, &stated},
        {&f->per_peer, raw->per_peer, "per_peer", RIDGE_UNIT_BYTES_PER_S, &stated},
        {&f->beyond, raw->beyond, "beyond", RIDGE_UNIT_BYTES_PER_S, &stated},
        {&f->achieved, raw->achieved, "achieved", RIDGE_UNIT_BYTES_PER_S, &achieved},
        {&f->latency, raw->latency, "latency", RIDGE_UNIT_S, &latency},
    };
    for (size_t i = 0; i < RIDGE__COUNT(facts); i++)
        RIDGE__TRY(ridge__reader_fact(r, facts[i].out, facts[i].text, facts[i].unit,
                                      *facts[i].claim,
                                      (ridge__place){row, facts[i].key}));
    RIDGE__TRY(topology_read(r, &f->topology, raw->topology, row));
    RIDGE__TRY(ridge__reader_number(r, &f->parts, raw->domain, RIDGE_UNIT_COUNT,
                                    (ridge__place){row, "domain"}));
    RIDGE__TRY(yes_read(r, &f->reduces, raw->reduces, (ridge__place){row, "reduces"}));
    f->link = ridge__arena_text(r->arena, raw->link);
    f->name = ridge__arena_text(r->arena, raw->name);
    f->note = ridge__arena_text(r->arena, raw->note);
out:
    return status;
}

static ridge_status fabrics_read(const ridge__reader *r, ridge_system *s,
                                 const raw_system *raw)
{
    ridge_status status = RIDGE_OK;
    s->switches = ridge__fact_unknown();
    RIDGE__TRY(fabric_read(r, &s->inside, raw->inside, "inside"));
    RIDGE__TRY(fabric_read(r, &s->between, raw->between, "between"));
    if (raw->inside) {
        ridge__claim claim = {raw->inside->source, "source", raw->inside->confidence,
                              NULL, RIDGE_STATED};
        RIDGE__TRY(ridge__reader_fact(r, &s->switches, raw->inside->switches,
                                      RIDGE_UNIT_COUNT, claim,
                                      (ridge__place){"inside", "switches"}));
    }
out:
    return status;
}

/*
 * What the system's file leaves out is that of the link it is built of: the share of the
 * rate that is reached, and the latency.
 */
static ridge_status link_borrow(const ridge__reader *r, ridge__fabric *f,
                                ridge_catalog *catalog, const char *path)
{
    ridge_error why = {0};
    const ridge_link *link = NULL;
    if (!f->link)
        return RIDGE_OK;
    ridge_status status = ridge_catalog_load_link(&link, catalog, f->link, &why);
    if (status == RIDGE_NOTFOUND)
        return ridge__reader_fail(r, status, path, "%s", why.message);
    if (status) {
        if (r->err)
            *r->err = why;
        return status;
    }
    if (!ridge_known(f->achieved.value)) {
        f->achieved = ridge__span_middle(link->achieved, link->achieved_count);
        f->achieved.value *= f->bandwidth.value / link->one.value;
    }
    if (!ridge_known(f->latency.value))
        f->latency = ridge__span_middle(link->latency, link->latency_count);
    return RIDGE_OK;
}

/* ---- The rest of the box ----------------------------------------------------------- */

static ridge_status nics_read(const ridge__reader *r, ridge_system *s,
                              const raw_nics *raw)
{
    ridge_status status = RIDGE_OK;
    s->nics = s->nic_rate = ridge__fact_unknown();
    s->nics_per_gpu = RIDGE_UNKNOWN;
    if (!raw)
        return RIDGE_OK;
    ridge__claim claim = {raw->source, "source", raw->confidence, NULL, RIDGE_STATED};
    RIDGE__TRY(ridge__reader_fact(r, &s->nics, raw->count, RIDGE_UNIT_COUNT, claim,
                                  (ridge__place){"nics", "count"}));
    RIDGE__TRY(ridge__reader_fact(r, &s->nic_rate, raw->rate, RIDGE_UNIT_BYTES_PER_S,
                                  claim, (ridge__place){"nics", "rate"}));
    RIDGE__TRY(ridge__reader_number(r, &s->nics_per_gpu, raw->per_gpu, RIDGE_UNIT_COUNT,
                                    (ridge__place){"nics", "per_gpu"}));
    s->nic_kind = ridge__arena_text(r->arena, raw->kind);
out:
    return status;
}

static ridge_status cpu_read(const ridge__reader *r, ridge_system *s, const raw_cpu *raw)
{
    ridge_status status = RIDGE_OK;
    s->cpu_sockets = s->cpu_cores = ridge__fact_unknown();
    if (!raw)
        return RIDGE_OK;
    ridge__claim claim = {raw->source, "source", raw->confidence, NULL, RIDGE_STATED};
    RIDGE__TRY(ridge__reader_fact(r, &s->cpu_sockets, raw->sockets, RIDGE_UNIT_COUNT,
                                  claim, (ridge__place){"cpu", "sockets"}));
    RIDGE__TRY(ridge__reader_fact(r, &s->cpu_cores, raw->cores, RIDGE_UNIT_COUNT, claim,
                                  (ridge__place){"cpu", "cores"}));
    s->cpu = ridge__arena_text(r->arena, raw->name);
out:
    return status;
}

static ridge_status power_read(const ridge__reader *r, ridge_system *s,
                               const raw_power *raw)
{
    s->power_w = ridge__fact_unknown();
    if (!raw)
        return RIDGE_OK;
    ridge__claim claim = {raw->source, "source", raw->confidence, NULL, RIDGE_STATED};
    s->power_of_domain = raw->of && strcmp(raw->of, "domain") == 0;
    if (raw->of && !s->power_of_domain && strcmp(raw->of, "node") != 0)
        return ridge__reader_fail(r, RIDGE_SYNTAX, "power.of",
                                  "\"%s\" is neither node nor domain",
                                  RIDGE__QUOTE(raw->of));
    return ridge__reader_fact(r, &s->power_w, raw->value, RIDGE_UNIT_W, claim,
                              (ridge__place){"power", "value"});
}

/* ---- Totals ------------------------------------------------------------------------ */

/* What one part has of it; unknown where the part says nothing. */
static double share_of(const ridge_system *s, const char *what, ridge_unit *unit)
{
    ridge_dtype dtype;
    *unit = RIDGE_UNIT_FLOP_PER_S;
    if (ridge__dtype_parse(&dtype, what, strlen(what)))
        return ridge_device_peak(s->device, RIDGE_PIPE_ANY, dtype, RIDGE_FP32)
            .dense.value;
    *unit = RIDGE_UNIT_BYTES_PER_S;
    if (strcmp(what, "dram") == 0)
        return ridge_device_bandwidth(s->device, RIDGE_DRAM).value;
    if (strcmp(what, "link_both") == 0)
        return 2 * s->inside.bandwidth.value;
    *unit = RIDGE_UNIT_BYTES;
    if (strcmp(what, "dram_capacity") == 0)
        return ridge_device_capacity(s->device, RIDGE_DRAM).value;
    if (strcmp(what, "fast_memory") != 0) /* GPU and CPU memory: no check */
        *unit = RIDGE_UNIT_NONE;
    return RIDGE_UNKNOWN;
}

static ridge_status total_read(const ridge__reader *r, const ridge_system *s,
                               ridge__total *t, const raw_figure *raw, const char *row)
{
    char path[64], total[32], product[32];
    ridge_unit unit;
    const double expected = share_of(s, raw->name, &unit) * ridge__system_domain(s);
    if (unit == RIDGE_UNIT_NONE)
        return ridge__reader_fail(
            r, RIDGE_SYNTAX, row,
            "\"%s\" is no total; a dtype, dram, dram_capacity, link_both or fast_memory",
            RIDGE__QUOTE(raw->name));
    ridge_status status = ridge__reader_figure(r, &t->value, raw, unit, row);
    if (status)
        return status;
    t->what = ridge__arena_text(r->arena, raw->name);
    t->note = ridge__arena_text(r->arena, raw->note);
    if (!ridge_known(expected) || raw->note ||
        fabs(t->value.value - expected) <= TOTAL_TOLERANCE * expected)
        return RIDGE_OK;
    ridge_quantity_format(total, sizeof total, t->value.value, unit);
    ridge_quantity_format(product, sizeof product, expected, unit);
    ridge__place_text((ridge__place){row, "value"}, path, sizeof path);
    return ridge__reader_fail(r, RIDGE_INVALID, path,
                              "%s is more than 2 %% from parts x part, %s; mend one, or "
                              "say why in a note",
                              total, product);
}

static ridge_status totals_read(const ridge__reader *r, ridge_system *s,
                                const raw_system *raw)
{
    char row[RIDGE__ROW_BYTES];
    ridge__total *list = ridge__arena_alloc(r->arena, raw->totals_count * sizeof *list);
    for (size_t i = 0; list && i < raw->totals_count; i++) {
        ridge_status status = total_read(r, s, &list[i], &raw->totals[i],
                                         ridge__reader_row(row, "totals", i));
        if (status)
            return status;
    }
    s->total = list;
    s->total_count = raw->totals_count;
    return RIDGE_OK;
}

/* ---- The whole --------------------------------------------------------------------- */

static ridge_status part_load(const ridge__reader *r, ridge_system *s,
                              ridge_catalog *catalog)
{
    ridge_error why = {0};
    ridge_status status = ridge_catalog_load(&s->device, catalog, s->gpu, &why);
    if (status == RIDGE_NOTFOUND)
        return ridge__reader_fail(r, status, "gpu", "%s", why.message);
    if (status && r->err)
        *r->err = why;
    return status;
}

static ridge_status names_read(const ridge__reader *r, ridge_system *s,
                               const raw_system *raw)
{
    if (!ridge__id_valid(raw->id))
        return ridge__reader_fail(
            r, RIDGE_SYNTAX, "id",
            "\"%s\" has other characters than a-z, 0-9, dot, - and _",
            RIDGE__QUOTE(raw->id));
    s->id = ridge__arena_text(r->arena, raw->id);
    s->name = ridge__arena_text(r->arena, raw->name);
    s->gpu = ridge__arena_text(r->arena, raw->gpu);
    s->pcie = ridge__arena_text(r->arena, raw->pcie);
    s->aliases = ridge__reader_texts(r, raw->aliases, raw->aliases_count);
    s->alias_count = raw->aliases_count;
    s->notes = ridge__reader_texts(r, raw->notes, raw->notes_count);
    s->note_count = raw->notes_count;
    return yes_read(r, &s->ordinary, raw->ordinary, (ridge__place){"", "ordinary"});
}

ridge_status ridge__system_parse(const ridge_system **out, ridge_catalog *catalog,
                                 const ridge__entry *file, ridge_error *err)
{
    ridge_status status = RIDGE_OK;
    ridge__reader r = {.where = file->where,
                       .text = file->text,
                       .size = file->size,
                       .arena = &catalog->arena,
                       .err = err};
    void *data = NULL;
    ridge_system *s = ridge__arena_alloc(&catalog->arena, sizeof *s);
    if (!s)
        return ridge__error_set(err, RIDGE_NOMEM, "out of memory");
    RIDGE__TRY(
        ridge__yaml_parse(&data, r.text, r.size, r.where, &ridge__schema_system, err));
    const raw_system *raw = data;
    RIDGE__TRY(ridge__reader_sources(&r, raw->sources, raw->sources_count));
    RIDGE__TRY(names_read(&r, s, raw));
    if (!ridge__arena_ok(&catalog->arena))
        RIDGE__TRY(ridge__error_set(err, RIDGE_NOMEM, "out of memory"));
    RIDGE__TRY(part_load(&r, s, catalog));
    RIDGE__TRY(ridge__reader_figure(&r, &s->gpus, raw->gpus, RIDGE_UNIT_COUNT, "gpus"));
    RIDGE__TRY(fabrics_read(&r, s, raw));
    RIDGE__TRY(link_borrow(&r, &s->inside, catalog, "inside.link"));
    RIDGE__TRY(link_borrow(&r, &s->between, catalog, "between.link"));
    RIDGE__TRY(nics_read(&r, s, raw->nics));
    RIDGE__TRY(cpu_read(&r, s, raw->cpu));
    RIDGE__TRY(ridge__reader_figure(&r, &s->host_memory, raw->host_memory,
                                    RIDGE_UNIT_BYTES, "host_memory"));
    RIDGE__TRY(power_read(&r, s, raw->power));
    RIDGE__TRY(totals_read(&r, s, raw));
    if (!ridge__arena_ok(&catalog->arena))
        RIDGE__TRY(ridge__error_set(err, RIDGE_NOMEM, "out of memory"));
    *out = s;
out:
    ridge__yaml_free(data, &ridge__schema_system);
    return status;
}
