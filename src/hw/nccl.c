#include "hw/nccl.h"

#include "hw/catalog.h"
#include "hw/reader.h"

#include <stdio.h>

/* ---- What stands in the file ------------------------------------------------------- */

typedef struct raw_values {
    char *name;
    char **values;
    unsigned values_count;
} raw_values;

typedef struct raw_table {
    char *source;
    raw_values *rows;
    unsigned rows_count;
} raw_table;

/* X(key, unit, columns, names of the rows, member of ridge__nccl) */
#define TABLES(X)                                                                        \
    X(base_latency, S, RIDGE__NCCL_PROTOCOLS, algorithms, base_latency_s)                \
    X(hop_latency, S, RIDGE__NCCL_PROTOCOLS, hops, hop_latency_s)                        \
    X(ll_max, BYTES_PER_S, RIDGE__NCCL_NODES, archs, ll_max_bytes_per_s)                 \
    X(ring_ll128_channel, BYTES_PER_S, RIDGE__NCCL_NODES, archs, ring_ll128_bytes_per_s) \
    X(tree_ll128_channel, BYTES_PER_S, RIDGE__NCCL_NODES, archs, tree_ll128_bytes_per_s) \
    X(tree_channel, BYTES_PER_S, RIDGE__NCCL_NODES, archs, tree_bytes_per_s)             \
    X(nvls_tree_channel, BYTES_PER_S, RIDGE__NCCL_NODES, archs, nvls_tree_bytes_per_s)   \
    X(nvls_efficiency, NONE, 1, archs, nvls_efficiency)                                  \
    X(tree_correction, NONE, RIDGE__NCCL_SIZES, protocols, tree_correction)              \
    X(nvlink_rate, BYTES_PER_S, 1, capabilities, nvlink_bytes_per_s)                     \
    X(network_overhead, S, 1, cpus, network_overhead_s)                                  \
    X(graph_channels, NONE, 1, archs, graph_channels)                                    \
    X(graph_share, NONE, 1, archs, graph_share)                                          \
    X(nvls_channels, NONE, 1, archs, nvls_channels)                                      \
    X(nvls_share, NONE, 1, archs, nvls_share)

typedef struct raw_nccl {
    char *id;
    raw_source *sources;
    raw_table *base_latency, *hop_latency, *ll_max, *ring_ll128_channel;
    raw_table *tree_ll128_channel, *tree_channel, *nvls_tree_channel, *nvls_efficiency;
    raw_table *tree_correction, *nvlink_rate, *network_overhead, *graph_channels;
    raw_table *graph_share, *nvls_channels, *nvls_share;
    unsigned sources_count;
} raw_nccl;

static const cyaml_schema_field_t values_fields[] = {
    RAW_NEEDED(raw_values, name), RAW_LIST(raw_values, values, ridge__schema_text),
    CYAML_FIELD_END};
static const cyaml_schema_value_t values_value = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct raw_values, values_fields)};
static const cyaml_schema_field_t table_fields[] = {
    RAW_NEEDED(raw_table, source), RAW_LIST(raw_table, rows, values_value),
    CYAML_FIELD_END};
static const cyaml_schema_field_t nccl_fields[] = {
    RAW_NEEDED(raw_nccl, id), RAW_LIST(raw_nccl, sources, ridge__schema_source),
#define X(key, unit, columns, rows, member) \
    CYAML_FIELD_MAPPING_PTR(#key, CYAML_FLAG_POINTER, struct raw_nccl, key, table_fields),
    TABLES(X)
#undef X
        CYAML_FIELD_END};
static const cyaml_schema_value_t nccl_value = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct raw_nccl, nccl_fields)};

/* ---- Names of the rows, in the order of the enums ---------------------------------- */

static const char *const archs[] = {"volta", "ampere", "hopper", "blackwell", NULL};
static const char *const algorithms[] = {
    "tree", "ring", "collnet_direct", "collnet_chain", "nvls", "nvls_tree", "pat", NULL};
static const char *const protocols[] = {"ll", "ll128", "simple", NULL};
static const char *const cpus[] = {"intel", "amd", NULL};
static const char *const capabilities[] = {"sm60", "sm70",  "sm80", "sm86",
                                           "sm90", "sm100", NULL};
#define HOPS(wire)                                                             \
    wire ".tree", wire ".ring", wire ".collnet_direct", wire ".collnet_chain", \
        wire ".nvls", wire ".nvls_tree", wire ".pat"
static const char *const hops[] = {HOPS("nvlink"), HOPS("pci"), HOPS("net"), NULL};

/* ---- Reading ----------------------------------------------------------------------- */

typedef struct table_spec {
    const char *key;
    const char *const *rows;
    ridge_unit unit;
    size_t columns;
} table_spec;

static ridge_status cell_read(const ridge__reader *r, double *out, const char *text,
                              ridge_unit unit, const char *path)
{
    ridge_error why = {0};
    double value = RIDGE_UNKNOWN;
    if (strcmp(text, "-") != 0 &&
        ridge_quantity_parse(
            &value, text, unit,
            unit == RIDGE_UNIT_NONE ? 0 : (unsigned)RIDGE_QUANTITY_UNIT_REQUIRED, &why))
        return ridge__reader_fail(r, why.status, path, "%s", why.message);
    *out = value;
    return RIDGE_OK;
}

/* All rows of `spec`, each once and in order, into out[row][column]. */
static ridge_status table_read(const ridge__reader *r, double *out, const raw_table *raw,
                               const table_spec *spec)
{
    char list[64], row[96], path[160];
    size_t count = 0;
    snprintf(list, sizeof list, "%s.rows", spec->key);
    while (spec->rows[count])
        count++;
    if (raw->rows_count != count)
        return ridge__reader_fail(r, RIDGE_INVALID, list, "%u rows; %zu are wanted",
                                  raw->rows_count, count);
    for (size_t i = 0; i < count; i++) {
        const raw_values *v = &raw->rows[i];
        snprintf(row, sizeof row, "%s[%zu]", list, i);
        if (strcmp(v->name, spec->rows[i]) != 0)
            return ridge__reader_fail(r, RIDGE_INVALID, row, "\"%s\" is here; %s is next",
                                      RIDGE__QUOTE(v->name), spec->rows[i]);
        if (v->values_count != spec->columns)
            return ridge__reader_fail(r, RIDGE_INVALID, row, "%u values; %zu are wanted",
                                      v->values_count, spec->columns);
        for (size_t k = 0; k < spec->columns; k++) {
            snprintf(path, sizeof path, "%s.values[%zu]", row, k);
            ridge_status status =
                cell_read(r, &out[i * spec->columns + k], v->values[k], spec->unit, path);
            if (status)
                return status;
        }
    }
    return RIDGE_OK;
}

ridge_status ridge__nccl_parse(const ridge__nccl **out, ridge__arena *arena,
                               const ridge__entry *file, ridge_error *err)
{
    ridge_status status = RIDGE_OK;
    ridge__reader r = {.where = file->where,
                       .text = file->text,
                       .size = file->size,
                       .arena = arena,
                       .err = err};
    void *data = NULL;
    ridge__nccl *n = ridge__arena_alloc(arena, sizeof *n);
    if (!n)
        return ridge__error_set(err, RIDGE_NOMEM, "out of memory");
    RIDGE__TRY(ridge__yaml_parse(&data, r.text, r.size, r.where, &nccl_value, err));
    const raw_nccl *raw = data;
    RIDGE__TRY(ridge__reader_sources(&r, raw->sources, raw->sources_count));
    const struct {
        table_spec spec;
        const raw_table *raw;
        double *out;
    } tables[] = {
#define X(key, unit, columns, rows, member) \
    {{#key, rows, RIDGE_UNIT_##unit, columns}, raw->key, (double *)n->member},
        TABLES(X)
#undef X
    };
    for (size_t i = 0; i < RIDGE__COUNT(tables); i++)
        RIDGE__TRY(table_read(&r, tables[i].out, tables[i].raw, &tables[i].spec));
    n->source = r.titles[0];
    *out = n;
out:
    ridge__yaml_free(data, &nccl_value);
    return status;
}
