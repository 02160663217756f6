/* Latencies of an architecture from YAML, and the search for the nearest that has one. */
#include "hw/catalog.h"
#include "hw/reader.h"

/* cycles and time of one row may differ by this much of each other: figures are rounded. */
#define AGREE 0.03

static const struct {
    const char *name, *title;
    ridge_atom_argument argument;
} atoms[] = {
#define X(name, text, argument, title) {text, title, RIDGE_ARGUMENT_##argument},
    RIDGE_ATOM_MAP(X)
#undef X
};

static const char *const kinds[RIDGE_KIND_COUNT] = {"latency", "throughput", "period"};

const char *ridge_atom_name(ridge_atom atom)
{
    return (size_t)atom < RIDGE__COUNT(atoms) ? atoms[atom].name : NULL;
}

const char *ridge_atom_title(ridge_atom atom)
{
    return (size_t)atom < RIDGE__COUNT(atoms) ? atoms[atom].title : NULL;
}

const char *ridge_latency_kind_name(ridge_latency_kind kind)
{
    return (size_t)kind < RIDGE_KIND_COUNT ? kinds[kind] : NULL;
}

/* ---- What stands in the file ------------------------------------------------------- */

typedef struct raw_atom {
    char *atom, *kind, *cycles, *time, *rate, *per, *min, *max, *at, *clock;
    char *gpu, *method, *source, *confidence, *origin, *note;
} raw_atom;

typedef struct raw_latencies {
    char *arch, *why;
    char **near, **absent, **notes;
    unsigned near_count, absent_count, notes_count;
    raw_source *sources;
    raw_atom *atoms;
    unsigned sources_count, atoms_count;
} raw_latencies;

#define T(key)      RAW_TEXT(TYPE, key)
#define NEEDED(key) RAW_NEEDED(TYPE, key)

#define TYPE raw_atom
static const cyaml_schema_field_t atom_fields[] = {
    NEEDED(atom), T(kind),        T(cycles), T(time),        T(rate),
    T(per),       T(min),         T(max),    T(at),          T(clock),
    T(gpu),       T(method),      T(origin), NEEDED(source), NEEDED(confidence),
    T(note),      CYAML_FIELD_END};
static const cyaml_schema_value_t atom_value = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct TYPE, atom_fields)};
#undef TYPE

#define TYPE raw_latencies
static const cyaml_schema_field_t file_fields[] = {
    NEEDED(arch),
    RAW_LIST(TYPE, near, ridge__schema_text),
    T(why),
    RAW_LIST(TYPE, absent, ridge__schema_text),
    RAW_LIST(TYPE, notes, ridge__schema_text),
    RAW_LIST(TYPE, sources, ridge__schema_source),
    RAW_LIST(TYPE, atoms, atom_value),
    CYAML_FIELD_END};
static const cyaml_schema_value_t file_value = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct TYPE, file_fields)};
#undef TYPE

/* ---- Reading it -------------------------------------------------------------------- */

static ridge_status atom_read(const ridge__reader *r, ridge_atom *out, const char *word,
                              const char *path)
{
    for (size_t i = 0; i < RIDGE__COUNT(atoms); i++)
        if (strcmp(atoms[i].name, word) == 0) {
            *out = (ridge_atom)i;
            return RIDGE_OK;
        }
    return ridge__reader_fail(r, RIDGE_SYNTAX, path, "\"%s\" is no atom; as in shfl",
                              RIDGE__QUOTE(word));
}

static ridge_status kind_read(const ridge__reader *r, ridge_latency_kind *out,
                              const char *word, const char *row)
{
    char path[64];
    *out = RIDGE_KIND_LATENCY;
    if (!word)
        return RIDGE_OK;
    for (size_t i = 0; i < RIDGE_KIND_COUNT; i++)
        if (strcmp(kinds[i], word) == 0) {
            *out = (ridge_latency_kind)i;
            return RIDGE_OK;
        }
    ridge__place_text((ridge__place){row, "kind"}, path, sizeof path);
    return ridge__reader_fail(r, RIDGE_SYNTAX, path,
                              "\"%s\" is none of latency, throughput, period",
                              RIDGE__QUOTE(word));
}

/* The figure: cycles, else a time, else a rate.  A time beside cycles must agree. */
static ridge_status figure_read(const ridge__reader *r, ridge__latency *out,
                                const raw_atom *raw, const char *row)
{
    const struct {
        const char *key, *text;
        ridge_unit unit;
    } choice[] = {{"cycles", raw->cycles, RIDGE_UNIT_CYCLES},
                  {"time", raw->time, RIDGE_UNIT_S},
                  {"rate", raw->rate, RIDGE_UNIT_FLOP_PER_S}};
    size_t i = 0;
    while (i + 1 < RIDGE__COUNT(choice) && !choice[i].text)
        i++;
    if (!choice[i].text && !raw->per)
        return ridge__reader_fail(r, RIDGE_SYNTAX, row,
                                  "has none of cycles, time, rate, per");
    if (raw->rate && i < 2)
        return ridge__reader_fail(r, RIDGE_INVALID, row,
                                  "has a rate beside %s; one of them says it",
                                  choice[i].key);
    ridge__claim claim = {raw->source, "source", raw->confidence, raw->origin,
                          RIDGE_MEASURED};
    out->unit = choice[i].text ? choice[i].unit : RIDGE_UNIT_CYCLES;
    /* A row that has a slope alone still names its source. */
    const char *text = choice[i].text ? choice[i].text : raw->per;
    ridge_status status =
        ridge__reader_fact(r, &out->figure, text, out->unit, claim,
                           (ridge__place){row, choice[i].text ? choice[i].key : "per"});
    if (!choice[i].text)
        out->figure.value = RIDGE_UNKNOWN;
    return status;
}

static ridge_status time_check(const ridge__reader *r, const ridge__latency *row,
                               double time_s, const char *where)
{
    char path[64], cycles[32], time[32];
    double product = row->figure.value / row->clock_hz;
    if (row->unit != RIDGE_UNIT_CYCLES || !ridge_known(product) || !ridge_known(time_s) ||
        fabs(product - time_s) <= AGREE * time_s)
        return RIDGE_OK;
    ridge__place_text((ridge__place){where, "time"}, path, sizeof path);
    ridge_quantity_format(cycles, sizeof cycles, product, RIDGE_UNIT_S);
    ridge_quantity_format(time, sizeof time, time_s, RIDGE_UNIT_S);
    return ridge__reader_fail(r, RIDGE_INVALID, path,
                              "%s is more than 3 %% from cycles / clock, %s; mend one",
                              time, cycles);
}

static ridge_status range_check(const ridge__reader *r, const ridge__latency *row,
                                const char *where)
{
    double value = row->figure.value;
    if (row->min > value || row->max < value || row->min > row->max)
        return ridge__reader_fail(r, RIDGE_INVALID, where,
                                  "the figure is not between min and max");
    return RIDGE_OK;
}

/* What is stated of an atom, by its argument: NONE takes cycles or a time. */
static const struct {
    ridge_unit unit;
    const char *says;
    bool sloped; /* grows by per_cycles */
} stated[] = {
    [RIDGE_ARGUMENT_NONE] = {RIDGE_UNIT_NONE, "cycles or a time", false},
    [RIDGE_ARGUMENT_WAYS] = {RIDGE_UNIT_CYCLES, "cycles", true},
    [RIDGE_ARGUMENT_THREADS] = {RIDGE_UNIT_CYCLES, "cycles", true},
    [RIDGE_ARGUMENT_OPS] = {RIDGE_UNIT_FLOP_PER_S, "a rate", false},
    [RIDGE_ARGUMENT_BYTES] = {RIDGE_UNIT_S, "a time", false},
};

static bool unit_fits(ridge_unit unit, ridge_atom_argument takes)
{
    if (takes == RIDGE_ARGUMENT_NONE)
        return unit != RIDGE_UNIT_FLOP_PER_S;
    return unit == stated[takes].unit;
}

/* at= and per= belong to atoms with an argument; one of them to each that grows. */
static ridge_status argument_check(const ridge__reader *r, const ridge__latency *row,
                                   const char *where)
{
    ridge_atom_argument takes = atoms[row->atom].argument;
    const char *name = atoms[row->atom].name;
    bool sloped = stated[takes].sloped;
    if (ridge_known(row->at) && takes == RIDGE_ARGUMENT_NONE)
        return ridge__reader_fail(r, RIDGE_INVALID, where, "%s takes no argument: no at",
                                  name);
    if (ridge_known(row->per_cycles) && !sloped)
        return ridge__reader_fail(r, RIDGE_INVALID, where, "%s does not grow: no per",
                                  name);
    if (sloped && !ridge_known(row->at) && !ridge_known(row->per_cycles))
        return ridge__reader_fail(r, RIDGE_INVALID, where,
                                  "%s grows with its argument: per is missing, or at for "
                                  "a single reading",
                                  name);
    return RIDGE_OK;
}

static ridge_status model_check(const ridge__reader *r, const ridge__latency *row,
                                const char *where)
{
    ridge_atom_argument takes = atoms[row->atom].argument;
    ridge_status status = argument_check(r, row, where);
    if (status || ridge_known(row->at))
        return status; /* a reading: evidence for a model, none itself */
    if (!unit_fits(row->unit, takes))
        return ridge__reader_fail(r, RIDGE_INVALID, where, "%s is stated as %s",
                                  atoms[row->atom].name, stated[takes].says);
    if (row->unit == RIDGE_UNIT_FLOP_PER_S && !ridge_known(row->clock_hz))
        return ridge__reader_fail(r, RIDGE_INVALID, where,
                                  "a rate needs the clock it was measured at");
    return RIDGE_OK;
}

static ridge_status row_read(const ridge__reader *r, ridge__latency *out,
                             const raw_atom *raw, const char *row)
{
    ridge_status status = RIDGE_OK;
    char path[64];
    double time_s;
    ridge__place_text((ridge__place){row, "atom"}, path, sizeof path);
    RIDGE__TRY(atom_read(r, &out->atom, raw->atom, path));
    RIDGE__TRY(kind_read(r, &out->kind, raw->kind, row));
    RIDGE__TRY(figure_read(r, out, raw, row));
    RIDGE__TRY(ridge__reader_number(r, &out->per_cycles, raw->per, RIDGE_UNIT_CYCLES,
                                    (ridge__place){row, "per"}));
    RIDGE__TRY(ridge__reader_number(r, &out->min, raw->min, out->unit,
                                    (ridge__place){row, "min"}));
    RIDGE__TRY(ridge__reader_number(r, &out->max, raw->max, out->unit,
                                    (ridge__place){row, "max"}));
    RIDGE__TRY(ridge__reader_number(r, &out->at, raw->at, RIDGE_UNIT_COUNT,
                                    (ridge__place){row, "at"}));
    RIDGE__TRY(ridge__reader_number(r, &out->clock_hz, raw->clock, RIDGE_UNIT_HZ,
                                    (ridge__place){row, "clock"}));
    RIDGE__TRY(ridge__reader_number(r, &time_s, raw->time, RIDGE_UNIT_S,
                                    (ridge__place){row, "time"}));
    RIDGE__TRY(time_check(r, out, time_s, row));
    RIDGE__TRY(range_check(r, out, row));
    RIDGE__TRY(model_check(r, out, row));
    out->gpu = ridge__arena_text(r->arena, raw->gpu);
    out->method = ridge__arena_text(r->arena, raw->method);
    out->note = ridge__arena_text(r->arena, raw->note);
out:
    return status;
}

static ridge_status absent_read(const ridge__reader *r, ridge__latencies *list,
                                const raw_latencies *raw)
{
    char row[RIDGE__ROW_BYTES];
    for (size_t i = 0; i < raw->absent_count; i++) {
        ridge_atom atom = RIDGE_ATOM_COUNT;
        ridge__reader_row(row, "absent", i);
        ridge_status status = atom_read(r, &atom, raw->absent[i], row);
        if (status)
            return status;
        if (ridge__latencies_find(list, atom, 0))
            return ridge__reader_fail(r, RIDGE_INVALID, row, "%s has a row under atoms",
                                      raw->absent[i]);
        list->absent |= 1u << atom;
    }
    return RIDGE_OK;
}
_Static_assert(RIDGE_ATOM_COUNT <= 32, "a bit for each atom");

static ridge_status rows_read(const ridge__reader *r, ridge__latencies *list,
                              const raw_latencies *raw)
{
    char row[RIDGE__ROW_BYTES];
    ridge__latency *rows = ridge__arena_alloc(r->arena, raw->atoms_count * sizeof *rows);
    for (size_t i = 0; rows && i < raw->atoms_count; i++) {
        ridge__reader_row(row, "atoms", i);
        ridge_status status = row_read(r, &rows[i], &raw->atoms[i], row);
        if (status)
            return status;
    }
    list->row = rows;
    list->row_count = rows ? raw->atoms_count : 0;
    return RIDGE_OK;
}

ridge_status ridge__latencies_parse(const ridge__latencies **out, ridge__arena *arena,
                                    const char *text, size_t size, const char *where,
                                    const char *key, ridge_error *err)
{
    ridge_status status = RIDGE_OK;
    ridge__reader r = {
        .where = where, .text = text, .size = size, .arena = arena, .err = err};
    void *data = NULL;
    ridge__latencies *list = ridge__arena_alloc(arena, sizeof *list);
    if (!list)
        return ridge__error_set(err, RIDGE_NOMEM, "out of memory");
    RIDGE__TRY(ridge__yaml_parse(&data, text, size, where, &file_value, err));
    const raw_latencies *raw = data;
    if (key && strcmp(raw->arch, key) != 0)
        RIDGE__TRY(ridge__reader_fail(&r, RIDGE_INVALID, "arch",
                                      "\"%s\" does not match the file's name",
                                      RIDGE__QUOTE(raw->arch)));
    RIDGE__TRY(ridge__reader_sources(&r, raw->sources, raw->sources_count));
    RIDGE__TRY(rows_read(&r, list, raw));
    RIDGE__TRY(absent_read(&r, list, raw));
    list->arch = ridge__arena_text(arena, raw->arch);
    list->why = ridge__arena_text(arena, raw->why);
    list->near = ridge__reader_texts(&r, raw->near, raw->near_count);
    list->near_count = list->near ? raw->near_count : 0;
    list->notes = ridge__reader_texts(&r, raw->notes, raw->notes_count);
    list->note_count = list->notes ? raw->notes_count : 0;
    if (!ridge__arena_ok(arena))
        RIDGE__TRY(ridge__error_set(err, RIDGE_NOMEM, "out of memory"));
    *out = list;
out:
    ridge__yaml_free(data, &file_value);
    return status;
}

/* ---- Looking up -------------------------------------------------------------------- */

const ridge__latency *ridge__latencies_find(const ridge__latencies *list, ridge_atom atom,
                                            size_t rank)
{
    for (size_t i = 0; i < list->row_count; i++)
        if (list->row[i].atom == atom && !ridge_known(list->row[i].at) && rank-- == 0)
            return &list->row[i];
    return NULL;
}

/* Where nothing nearer is said. */
static const char ANY[] = "any";

/* The first of the file's neighbours that has the atom. */
static ridge_status near_find(ridge__atom *out, ridge_catalog *catalog,
                              const ridge__latencies *list, ridge_atom atom,
                              ridge_error *err)
{
    for (size_t i = 0; list && i < list->near_count && !out->row; i++) {
        const ridge__latencies *other = NULL;
        ridge_status status =
            ridge__catalog_latencies(&other, catalog, list->near[i], err);
        if (status)
            return status;
        out->row = other ? ridge__latencies_find(other, atom, 0) : NULL;
        if (out->row)
            out->arch = other->arch;
    }
    return RIDGE_OK;
}

ridge_status ridge__catalog_atom(ridge__atom *out, ridge_catalog *catalog,
                                 const char *arch, ridge_atom atom, ridge_error *err)
{
    ridge_status status = RIDGE_OK;
    ridge__atom found = {NULL, NULL, false, false};
    const ridge__latencies *own = NULL, *any = NULL;
    if (arch)
        RIDGE__TRY(ridge__catalog_latencies(&own, catalog, arch, err));
    if (own) {
        found.row = ridge__latencies_find(own, atom, 0);
        found.arch = own->arch;
        found.absent = (own->absent >> atom) & 1u;
    }
    if (!found.row) {
        found.borrowed = true;
        RIDGE__TRY(near_find(&found, catalog, own, atom, err));
    }
    if (!found.row) {
        RIDGE__TRY(ridge__catalog_latencies(&any, catalog, ANY, err));
        RIDGE__TRY(near_find(&found, catalog, any, atom, err));
    }
    *out = found;
out:
    return status;
}
