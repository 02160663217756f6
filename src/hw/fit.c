#include "hw/fit.h"

#include "hw/catalog.h"
#include "hw/reader.h"

#include <stdio.h>

/* ---- Forms and their constants ----------------------------------------------------- */

#define X(id, text, u, lo, hi, what) {text, RIDGE_UNIT_##u, lo, hi, what},
static const ridge__constant tile_constants[] = {RIDGE_FIT_TILE_MAP(X)};
static const ridge__constant stream_constants[] = {RIDGE_FIT_STREAM_MAP(X)};
static const ridge__constant attention_constants[] = {RIDGE_FIT_ATTENTION_MAP(X)};
static const ridge__constant collective_constants[] = {RIDGE_FIT_COLLECTIVE_MAP(X)};
static const ridge__constant experts_constants[] = {RIDGE_FIT_EXPERTS_MAP(X)};
static const ridge__constant grouped_constants[] = {RIDGE_FIT_GROUPED_MAP(X)};
static const ridge__constant module_constants[] = {RIDGE_FIT_MODULE_MAP(X)};
#undef X

_Static_assert(RIDGE__COUNT(tile_constants) <= RIDGE_FIT_CONSTANTS, "too many");
_Static_assert(RIDGE__COUNT(stream_constants) <= RIDGE_FIT_CONSTANTS, "too many");
_Static_assert(RIDGE__COUNT(attention_constants) <= RIDGE_FIT_CONSTANTS, "too many");
_Static_assert(RIDGE__COUNT(collective_constants) <= RIDGE_FIT_CONSTANTS, "too many");
_Static_assert(RIDGE__COUNT(experts_constants) <= RIDGE_FIT_CONSTANTS, "too many");
_Static_assert(RIDGE__COUNT(grouped_constants) <= RIDGE_FIT_CONSTANTS, "too many");
_Static_assert(RIDGE__COUNT(module_constants) <= RIDGE_FIT_CONSTANTS, "too many");

static const struct {
    const char *name;
    const ridge__constant *constants;
    size_t count;
} forms[] = {
    [RIDGE_FIT_TILE] = {"tile", tile_constants, RIDGE__COUNT(tile_constants)},
    [RIDGE_FIT_STREAM] = {"stream", stream_constants, RIDGE__COUNT(stream_constants)},
    [RIDGE_FIT_PREFILL] = {"prefill", attention_constants,
                           RIDGE__COUNT(attention_constants)},
    [RIDGE_FIT_DECODE] = {"decode", attention_constants,
                          RIDGE__COUNT(attention_constants)},
    [RIDGE_FIT_COLLECTIVE] = {"collective", collective_constants,
                              RIDGE__COUNT(collective_constants)},
    [RIDGE_FIT_EXPERTS] = {"experts", experts_constants, RIDGE__COUNT(experts_constants)},
    [RIDGE_FIT_GROUPED] = {"grouped", grouped_constants, RIDGE__COUNT(grouped_constants)},
    [RIDGE_FIT_MODULE] = {"module", module_constants, RIDGE__COUNT(module_constants)},
};

const ridge__constant *ridge__fit_schema(ridge__fit_form form, size_t *count)
{
    *count = forms[form].count;
    return forms[form].constants;
}

const char *ridge__fit_form_name(ridge__fit_form form)
{
    return (size_t)form < RIDGE__COUNT(forms) ? forms[form].name : NULL;
}

/* ---- What stands in a file --------------------------------------------------------- */

enum {
    /* Distinct names of constants; below the sum of the lists. */
    NAMES_MAX = RIDGE__COUNT(tile_constants) + RIDGE__COUNT(stream_constants) +
                RIDGE__COUNT(attention_constants) + RIDGE__COUNT(collective_constants) +
                RIDGE__COUNT(experts_constants) + RIDGE__COUNT(grouped_constants) +
                RIDGE__COUNT(module_constants)
};

typedef struct raw_constants {
    char *value[NAMES_MAX]; /* by tables.name */
} raw_constants;

typedef struct raw_fit {
    char *op, *form, *backend, *rest, *low, *high, *mape, *median, *reach, *from, *date;
    char *left_out, *vendor, *elsewhere;
    char **dtypes, **kv_dtypes, **parts, **when, **kernels, **bands;
    raw_constants *constants;
    unsigned dtypes_count, kv_dtypes_count, parts_count, when_count, kernels_count,
        bands_count;
} raw_fit;

typedef struct raw_file {
    char *key, *like, *like_spread, *host_call;
    char **like_for, **also_for;
    raw_fit *fits;
    unsigned like_for_count, also_for_count, fits_count;
} raw_file;

static const cyaml_schema_field_t fit_fields[] = {
    RAW_NEEDED(raw_fit, op),
    RAW_NEEDED(raw_fit, form),
    RAW_LIST(raw_fit, dtypes, ridge__schema_text),
    RAW_LIST(raw_fit, kv_dtypes, ridge__schema_text),
    RAW_TEXT(raw_fit, backend),
    RAW_TEXT(raw_fit, rest),
    RAW_LIST(raw_fit, kernels, ridge__schema_text),
    RAW_LIST(raw_fit, when, ridge__schema_text),
    RAW_NEEDED(raw_fit, low),
    RAW_NEEDED(raw_fit, high),
    RAW_LIST(raw_fit, bands, ridge__schema_text),
    RAW_TEXT(raw_fit, left_out),
    RAW_TEXT(raw_fit, vendor),
    RAW_TEXT(raw_fit, elsewhere),
    RAW_TEXT(raw_fit, mape),
    RAW_TEXT(raw_fit, median),
    RAW_TEXT(raw_fit, reach),
    RAW_LIST(raw_fit, parts, ridge__schema_text),
    RAW_NEEDED(raw_fit, from),
    RAW_NEEDED(raw_fit, date),
};

/*
 * libcyaml's tables for a fit file.  A constant may have the same name in several lists,
 * which the preprocessor cannot merge, so the tables are filled for each file that is
 * read.
 */
typedef struct tables {
    const char *name[NAMES_MAX];
    size_t count;
    cyaml_schema_field_t constants[NAMES_MAX + 1];
    cyaml_schema_field_t fit[RIDGE__COUNT(fit_fields) + 2];
    cyaml_schema_value_t fit_value;
    cyaml_schema_field_t file[8];
    cyaml_schema_value_t file_value;
} tables;

/* The place of a name, or count. */
static size_t tables_find(const tables *t, const char *name)
{
    size_t i = 0;
    while (i < t->count && strcmp(t->name[i], name) != 0)
        i++;
    return i;
}

static void tables_fill(tables *t)
{
    memset(t, 0, sizeof *t); /* zeroed fields end libcyaml's arrays */
    for (size_t f = 0; f < RIDGE__COUNT(forms); f++)
        for (size_t k = 0; k < forms[f].count; k++) {
            size_t i = tables_find(t, forms[f].constants[k].name);
            if (i < t->count)
                continue;
            t->name[t->count++] = forms[f].constants[k].name;
            t->constants[i] = (cyaml_schema_field_t)CYAML_FIELD_STRING_PTR(
                t->name[i], CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL,
                struct raw_constants, value[0], 0, CYAML_UNLIMITED);
            t->constants[i].data_offset = (uint32_t)(i * sizeof(char *));
        }
    memcpy(t->fit, fit_fields, sizeof fit_fields);
    t->fit[RIDGE__COUNT(fit_fields)] = (cyaml_schema_field_t)CYAML_FIELD_MAPPING_PTR(
        "constants", CYAML_FLAG_POINTER, struct raw_fit, constants, t->constants);
    t->fit_value = (cyaml_schema_value_t){
        CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct raw_fit, t->fit)};
    t->file[0] = (cyaml_schema_field_t)RAW_NEEDED(raw_file, key);
    t->file[1] = (cyaml_schema_field_t)RAW_TEXT(raw_file, like);
    t->file[2] = (cyaml_schema_field_t)RAW_LIST(raw_file, like_for, ridge__schema_text);
    t->file[3] = (cyaml_schema_field_t)RAW_TEXT(raw_file, like_spread);
    t->file[4] = (cyaml_schema_field_t)RAW_LIST(raw_file, also_for, ridge__schema_text);
    t->file[5] = (cyaml_schema_field_t)RAW_TEXT(raw_file, host_call);
    t->file[6] = (cyaml_schema_field_t)CYAML_FIELD_SEQUENCE(
        "fits", CYAML_FLAG_POINTER, struct raw_file, fits, &t->fit_value, 1,
        CYAML_UNLIMITED);
    t->file_value = (cyaml_schema_value_t){
        CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct raw_file, t->file)};
}

/* ---- Reading it -------------------------------------------------------------------- */

/* Fails at row.key, or at the row itself where key is "". */
static ridge_status fail_word(const ridge__reader *r, const char *row, const char *key,
                              const char *word, const char *wanted)
{
    char path[96];
    ridge__place_text((ridge__place){row, key}, path, sizeof path);
    return ridge__reader_fail(r, RIDGE_SYNTAX, path, "\"%s\" is no %s",
                              RIDGE__QUOTE(word), wanted);
}

static ridge_status dtypes_read(const ridge__reader *r, uint32_t *out, char *const *list,
                                size_t count, const char *row, const char *key)
{
    uint32_t bits = count ? 0 : UINT32_MAX;
    for (size_t i = 0; i < count; i++) {
        char item[32];
        ridge_dtype dtype = RIDGE_FP32;
        snprintf(item, sizeof item, "%s[%zu]", key, i);
        if (!ridge__dtype_parse(&dtype, list[i], strlen(list[i])))
            return fail_word(r, row, item, list[i], "dtype; as in bf16");
        bits |= 1u << dtype;
    }
    *out = bits;
    return RIDGE_OK;
}

/* A number of a fit: a unit where it has one; zero allowed; within bounds. */
static ridge_status number_read(const ridge__reader *r, double *out, const char *text,
                                const ridge__constant *c, const char *path)
{
    ridge_error why = {0};
    double value = RIDGE_UNKNOWN;
    ridge_status status =
        ridge_quantity_parse(&value, text, c->unit, RIDGE_QUANTITY_UNIT_REQUIRED, &why);
    if (status)
        return ridge__reader_fail(r, status, path, "%s", why.message);
    if (value < c->min || value > c->max) {
        char low[32], high[32];
        ridge_quantity_format(low, sizeof low, c->min, c->unit);
        ridge_quantity_format(high, sizeof high, c->max, c->unit);
        return ridge__reader_fail(r, RIDGE_INVALID, path,
                                  "\"%s\" is outside of %s .. %s for %s",
                                  RIDGE__QUOTE(text), low, high, c->name);
    }
    *out = value;
    return RIDGE_OK;
}

/* Each constant that is given must belong to the form. */
static ridge_status constants_read(const ridge__reader *r, const tables *t,
                                   ridge_fit *fit, const raw_constants *raw,
                                   const char *row)
{
    size_t count = 0;
    const ridge__constant *schema = ridge__fit_schema(fit->form, &count);
    for (size_t i = 0; i < t->count; i++) {
        char path[96];
        size_t k = 0;
        if (!raw->value[i])
            continue;
        snprintf(path, sizeof path, "%s.constants.%s", row, t->name[i]);
        while (k < count && strcmp(schema[k].name, t->name[i]) != 0)
            k++;
        if (k == count)
            return ridge__reader_fail(r, RIDGE_SYNTAX, path,
                                      "the %s form has no such constant",
                                      ridge__fit_form_name(fit->form));
        ridge_status status = number_read(r, &fit->c[k], raw->value[i], &schema[k], path);
        if (status)
            return status;
    }
    return RIDGE_OK;
}

static ridge_status bands_read(const ridge__reader *r, ridge_fit *fit, const raw_fit *raw,
                               const char *row)
{
    char path[96];
    snprintf(path, sizeof path, "%s.bands", row);
    if (raw->bands_count > RIDGE_FIT_BANDS_MAX)
        return ridge__reader_fail(r, RIDGE_LIMIT, path, "more than %d bands",
                                  RIDGE_FIT_BANDS_MAX);
    for (size_t i = 0; i < raw->bands_count; i++) {
        char item[32];
        snprintf(item, sizeof item, "bands[%zu]", i);
        if (!ridge__fit_band_parse(&fit->band[i], raw->bands[i]))
            return fail_word(r, row, item, raw->bands[i],
                             "band: an expected time, and what lies below and above 1 "
                             "there; as in \"12 us 0.84 1.31\"");
    }
    fit->band_count = (uint8_t)raw->bands_count;
    if (!ridge__fit_bands_grow(fit))
        return ridge__reader_fail(r, RIDGE_INVALID, path,
                                  "times do not rise, or low or high falls faster than "
                                  "the expected time to the power -0.8");
    fit->unseen = raw->left_out && strcmp(raw->left_out, "parts") == 0;
    if (raw->left_out && !fit->unseen)
        return fail_word(r, row, "left_out", raw->left_out,
                         "kind of what was left out; parts, or no such line");
    return RIDGE_OK;
}

static ridge_status spread_read(const ridge__reader *r, ridge_fit *fit,
                                const raw_fit *raw, const char *row)
{
    static const ridge__constant share = {"a share", RIDGE_UNIT_NONE, RIDGE__SPREAD_LOW,
                                          RIDGE__SPREAD_HIGH, ""};
    static const ridge__constant error = {"an error", RIDGE_UNIT_NONE, 0,
                                          RIDGE__SPREAD_HIGH, ""};
    static const ridge__constant reach = {"a time", RIDGE_UNIT_S, 0, RIDGE__REACH_MAX_S,
                                          ""};
    static const ridge__constant beside = {"a spread", RIDGE_UNIT_NONE, 0, 10, ""};
    const struct {
        const char *key, *text;
        const ridge__constant *bounds;
        double *out;
    } numbers[] = {
        {"low", raw->low, &share, &fit->low},
        {"high", raw->high, &share, &fit->high},
        {"mape", raw->mape, &error, &fit->mape},
        {"median", raw->median, &error, &fit->median},
        {"reach", raw->reach, &reach, &fit->reach_s},
        {"elsewhere", raw->elsewhere, &beside, &fit->elsewhere},
    };
    char path[64];
    for (size_t i = 0; i < RIDGE__COUNT(numbers); i++) {
        ridge_status status = RIDGE_OK;
        *numbers[i].out = RIDGE_UNKNOWN;
        ridge__place_text((ridge__place){row, numbers[i].key}, path, sizeof path);
        if (numbers[i].text)
            status =
                number_read(r, numbers[i].out, numbers[i].text, numbers[i].bounds, path);
        if (status)
            return status;
    }
    ridge__place_text((ridge__place){row, "low"}, path, sizeof path);
    if (fit->low > fit->high)
        return ridge__reader_fail(r, RIDGE_INVALID, path, "low is above high");
    return bands_read(r, fit, raw, row);
}

/* "a b c", or NULL for an empty list. */
static const char *words_join(ridge__arena *arena, char *const *list, size_t count)
{
    size_t size = 0, n = 0;
    for (size_t i = 0; i < count; i++)
        size += strlen(list[i]) + 1;
    char *text = count ? ridge__arena_alloc(arena, size) : NULL;
    for (size_t i = 0; text && i < count; i++)
        n += (size_t)snprintf(text + n, size - n, "%s%s", i ? " " : "", list[i]);
    return text;
}

static ridge_status when_read(const ridge__reader *r, ridge_fit *fit, const raw_fit *raw,
                              const char *row)
{
    char path[96];
    snprintf(path, sizeof path, "%s.when", row);
    if (raw->when_count > RIDGE_FIT_WHEN_MAX)
        return ridge__reader_fail(r, RIDGE_LIMIT, path, "more than %d alternatives",
                                  RIDGE_FIT_WHEN_MAX);
    for (size_t i = 0; i < raw->when_count; i++) {
        char item[32];
        snprintf(item, sizeof item, "when[%zu]", i);
        if (!ridge__fit_when_parse(&fit->when[i], raw->when[i]))
            return fail_word(r, row, item, raw->when[i],
                             "condition; as in \"head_dim>128 window\"");
    }
    fit->when_count = (uint8_t)raw->when_count;
    snprintf(path, sizeof path, "%s.kernels", row);
    if (raw->kernels_count > RIDGE_FIT_KERNELS_MAX)
        return ridge__reader_fail(r, RIDGE_LIMIT, path, "more than %d names",
                                  RIDGE_FIT_KERNELS_MAX);
    for (size_t i = 0; i < raw->kernels_count; i++)
        fit->kernel[i] = ridge__hash_name(raw->kernels[i], strlen(raw->kernels[i]));
    fit->kernels = words_join(r->arena, raw->kernels, raw->kernels_count);
    return RIDGE_OK;
}

static ridge_status fit_read(const ridge__reader *r, const tables *t, ridge_fit *fit,
                             const raw_fit *raw, const char *row)
{
    ridge_status status = RIDGE_OK;
    size_t form = 0;
    while (form < RIDGE__COUNT(forms) && strcmp(forms[form].name, raw->form) != 0)
        form++;
    if (form == RIDGE__COUNT(forms))
        return fail_word(r, row, "form", raw->form,
                         "form; tile, stream, prefill, decode, collective, experts, "
                         "grouped or module");
    fit->form = (ridge__fit_form)form;
    for (size_t i = 0; i < RIDGE_FIT_CONSTANTS; i++)
        fit->c[i] = RIDGE_UNKNOWN;
    fit->backend = RIDGE_BACKEND_BEST;
    if (raw->backend &&
        !ridge__backend_parse(&fit->backend, raw->backend, strlen(raw->backend)))
        return fail_word(r, row, "backend", raw->backend,
                         "backend; as in cublas or best");
    RIDGE__TRY(
        dtypes_read(r, &fit->dtypes, raw->dtypes, raw->dtypes_count, row, "dtypes"));
    RIDGE__TRY(dtypes_read(r, &fit->kv_dtypes, raw->kv_dtypes, raw->kv_dtypes_count, row,
                           "kv_dtypes"));
    RIDGE__TRY(when_read(r, fit, raw, row));
    RIDGE__TRY(constants_read(r, t, fit, raw->constants, row));
    RIDGE__TRY(spread_read(r, fit, raw, row));
    fit->parts = words_join(r->arena, raw->parts, raw->parts_count);
    fit->vendor = ridge__arena_text(r->arena, raw->vendor);
    fit->op = ridge__arena_text(r->arena, raw->op);
    fit->from = ridge__arena_text(r->arena, raw->from);
    fit->date = ridge__arena_text(r->arena, raw->date);
out:
    return status;
}

/* What the entry leaves out is that of an earlier one: `rest` names its backend. */
static ridge_status rest_read(const ridge__reader *r, ridge_fit *fits, size_t at,
                              const char *rest, const char *row)
{
    size_t from = 0;
    ridge_backend backend;
    if (!rest)
        return RIDGE_OK;
    if (!ridge__backend_parse(&backend, rest, strlen(rest)))
        return fail_word(r, row, "rest", rest, "backend; as in nccl");
    while (from < at && (fits[from].form != fits[at].form ||
                         fits[from].backend != backend || fits[from].when_count > 0))
        from++;
    if (from == at)
        return fail_word(r, row, "rest", rest,
                         "backend of an earlier entry of this form without when");
    for (size_t i = 0; i < RIDGE_FIT_CONSTANTS; i++)
        if (!ridge_known(fits[at].c[i]))
            fits[at].c[i] = fits[from].c[i];
    return RIDGE_OK;
}

/* What holds for all entries of the file; of its relative all forms where it names none. */
static ridge_status file_read(const ridge__reader *r, ridge_fit *out, const raw_file *raw)
{
    static const ridge__constant spread = {"a spread", RIDGE_UNIT_NONE, 0, 10, ""},
                                 host = {"a call", RIDGE_UNIT_S, 1e-6, 1e-3, ""};
    out->like_spread = 0;
    if (raw->like_spread) {
        ridge_status status =
            number_read(r, &out->like_spread, raw->like_spread, &spread, "like_spread");
        if (status)
            return status;
    }
    out->host_call_s = RIDGE_UNKNOWN;
    if (raw->host_call) {
        ridge_status status =
            number_read(r, &out->host_call_s, raw->host_call, &host, "host_call");
        if (status)
            return status;
    }
    uint32_t bits = raw->like_for_count ? 0 : UINT32_MAX;
    for (size_t i = 0; i < raw->like_for_count; i++) {
        size_t form = 0;
        while (form < RIDGE__COUNT(forms) &&
               strcmp(forms[form].name, raw->like_for[i]) != 0)
            form++;
        if (form == RIDGE__COUNT(forms) && strcmp(raw->like_for[i], "batch") != 0)
            return fail_word(r, "like_for", "", raw->like_for[i], "form; as in prefill");
        bits |= 1u << form;
    }
    out->like_for = bits;
    return RIDGE_OK;
}

ridge_status ridge__fits_parse(const ridge_fit **out, size_t *count, ridge__arena *arena,
                               const char *key, const ridge__entry *file,
                               ridge_error *err)
{
    ridge_status status = RIDGE_OK;
    char row[24];
    ridge__reader r = {.where = file->where,
                       .text = file->text,
                       .size = file->size,
                       .arena = arena,
                       .err = err};
    void *data = NULL;
    tables t;
    tables_fill(&t);
    RIDGE__TRY(ridge__yaml_parse(&data, file->text, file->size, file->where,
                                 &t.file_value, err));
    const raw_file *raw = data;
    if (key && strcmp(raw->key, key) != 0)
        RIDGE__TRY(ridge__reader_fail(&r, RIDGE_INVALID, "key",
                                      "\"%s\" does not match the file's name",
                                      RIDGE__QUOTE(raw->key)));
    const char *kept = ridge__arena_text(arena, raw->key);
    const char *like = ridge__arena_text(arena, raw->like);
    if (like && strcmp(like, kept) == 0)
        RIDGE__TRY(ridge__reader_fail(&r, RIDGE_INVALID, "like", "\"%s\" is like itself",
                                      RIDGE__QUOTE(like)));
    const char *also_for = words_join(arena, raw->also_for, raw->also_for_count);
    ridge_fit relative = {0};
    RIDGE__TRY(file_read(&r, &relative, raw));
    ridge_fit *fits = ridge__arena_alloc(arena, raw->fits_count * sizeof *fits);
    for (size_t i = 0; fits && i < raw->fits_count; i++) {
        snprintf(row, sizeof row, "fits[%zu]", i);
        RIDGE__TRY(fit_read(&r, &t, &fits[i], &raw->fits[i], row));
        RIDGE__TRY(rest_read(&r, fits, i, raw->fits[i].rest, row));
        fits[i].key = kept;
        fits[i].like = like;
        fits[i].also_for = also_for;
        fits[i].like_for = relative.like_for;
        fits[i].like_spread = relative.like_spread;
        fits[i].host_call_s = relative.host_call_s;
    }
    if (!ridge__arena_ok(arena))
        RIDGE__TRY(ridge__error_set(err, RIDGE_NOMEM, "out of memory"));
    *out = fits;
    *count = raw->fits_count;
out:
    ridge__yaml_free(data, &t.file_value);
    return status;
}
