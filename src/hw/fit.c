#include "hw/fit.h"

#include "hw/catalog.h"
#include "hw/reader.h"

#include <stdio.h>

/* ---- Forms and their constants -------------------------------------------------------- */

#define X(id, text, u, lo, hi, what) {text, RIDGE_UNIT_##u, lo, hi, what},
static const ridge__constant tile_constants[] = {RIDGE_FIT_TILE_MAP(X)};
static const ridge__constant stream_constants[] = {RIDGE_FIT_STREAM_MAP(X)};
static const ridge__constant attention_constants[] = {RIDGE_FIT_ATTENTION_MAP(X)};
#undef X

_Static_assert(RIDGE__COUNT(tile_constants) <= RIDGE_FIT_CONSTANTS, "too many");
_Static_assert(RIDGE__COUNT(stream_constants) <= RIDGE_FIT_CONSTANTS, "too many");
_Static_assert(RIDGE__COUNT(attention_constants) <= RIDGE_FIT_CONSTANTS, "too many");

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

/* ---- What stands in a file ------------------------------------------------------------ */

typedef struct raw_constant {
    char *name, *value;
} raw_constant;

typedef struct raw_interval {
    char *low, *high;
} raw_interval;

typedef struct raw_error {
    char *mape, *median;
} raw_error;

typedef struct raw_fit {
    char *op, *form, *backend, *from, *date;
    char **dtypes, **kv_dtypes;
    raw_constant *constants;
    raw_interval *interval;
    raw_error *error;
    unsigned dtypes_count, kv_dtypes_count, constants_count;
} raw_fit;

typedef struct raw_file {
    char *key;
    raw_fit *fits;
    unsigned fits_count;
} raw_file;

static const cyaml_schema_field_t constant_fields[] = {
    RAW_NEEDED(raw_constant, name), RAW_NEEDED(raw_constant, value), CYAML_FIELD_END};
static const cyaml_schema_value_t constant_value = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct raw_constant, constant_fields)};
static const cyaml_schema_field_t interval_fields[] = {
    RAW_NEEDED(raw_interval, low), RAW_NEEDED(raw_interval, high), CYAML_FIELD_END};
static const cyaml_schema_field_t error_fields[] = {
    RAW_TEXT(raw_error, mape), RAW_TEXT(raw_error, median), CYAML_FIELD_END};
static const cyaml_schema_field_t fit_fields[] = {
    RAW_NEEDED(raw_fit, op),
    RAW_NEEDED(raw_fit, form),
    RAW_TEXT(raw_fit, backend),
    RAW_LIST(raw_fit, dtypes, ridge__schema_text),
    RAW_LIST(raw_fit, kv_dtypes, ridge__schema_text),
    RAW_LIST(raw_fit, constants, constant_value),
    CYAML_FIELD_MAPPING_PTR("interval", CYAML_FLAG_POINTER, struct raw_fit, interval,
                            interval_fields),
    CYAML_FIELD_MAPPING_PTR("error", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL,
                            struct raw_fit, error, error_fields),
    RAW_NEEDED(raw_fit, from),
    RAW_NEEDED(raw_fit, date),
    CYAML_FIELD_END};
static const cyaml_schema_value_t fit_value = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct raw_fit, fit_fields)};
static const cyaml_schema_field_t file_fields[] = {
    RAW_NEEDED(raw_file, key),
    CYAML_FIELD_SEQUENCE("fits", CYAML_FLAG_POINTER, struct raw_file, fits, &fit_value, 1,
                         CYAML_UNLIMITED),
    CYAML_FIELD_END};
static const cyaml_schema_value_t file_value = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct raw_file, file_fields)};

/* ---- Reading it ----------------------------------------------------------------------- */

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

static ridge_status constant_read(const ridge__reader *r, ridge_fit *fit,
                                  const raw_constant *raw, const char *row, size_t index)
{
    char path[64];
    size_t count = 0, k = 0;
    const ridge__constant *schema = ridge__fit_schema(fit->form, &count);
    snprintf(path, sizeof path, "%s.constants[%zu]", row, index);
    while (k < count && strcmp(schema[k].name, raw->name) != 0)
        k++;
    if (k == count)
        return ridge__reader_fail(
            r, RIDGE_SYNTAX, path, "the %s form has no constant \"%s\"",
            ridge__fit_form_name(fit->form), RIDGE__QUOTE(raw->name));
    if (ridge_known(fit->c[k]))
        return ridge__reader_fail(r, RIDGE_SYNTAX, path, "\"%s\" is given twice",
                                  raw->name);
    snprintf(path, sizeof path, "%s.constants[%zu].value", row, index);
    return number_read(r, &fit->c[k], raw->value, &schema[k], path);
}

static ridge_status spread_read(const ridge__reader *r, ridge_fit *fit,
                                const raw_fit *raw, const char *row)
{
    static const ridge__constant share = {"interval", RIDGE_UNIT_NONE, 0.01, 100, ""};
    static const ridge__constant error = {"error", RIDGE_UNIT_NONE, 0, 100, ""};
    const struct {
        const char *key, *text;
        const ridge__constant *bounds;
        double *out;
    } numbers[] = {
        {"interval.low", raw->interval->low, &share, &fit->low},
        {"interval.high", raw->interval->high, &share, &fit->high},
        {"error.mape", raw->error ? raw->error->mape : NULL, &error, &fit->mape},
        {"error.median", raw->error ? raw->error->median : NULL, &error, &fit->median},
    };
    char path[64];
    for (size_t i = 0; i < RIDGE__COUNT(numbers); i++) {
        *numbers[i].out = RIDGE_UNKNOWN;
        ridge__place_text((ridge__place){row, numbers[i].key}, path, sizeof path);
        ridge_status status = RIDGE_OK;
        if (numbers[i].text)
            status =
                number_read(r, numbers[i].out, numbers[i].text, numbers[i].bounds, path);
        if (status)
            return status;
    }
    ridge__place_text((ridge__place){row, "interval"}, path, sizeof path);
    if (fit->low > fit->high)
        return ridge__reader_fail(r, RIDGE_INVALID, path, "low is above high");
    return RIDGE_OK;
}

static ridge_status fit_read(const ridge__reader *r, ridge_fit *fit, const raw_fit *raw,
                             const char *key, const char *row)
{
    ridge_status status = RIDGE_OK;
    size_t form = 0;
    while (form < RIDGE__COUNT(forms) && strcmp(forms[form].name, raw->form) != 0)
        form++;
    if (form == RIDGE__COUNT(forms))
        return fail_word(r, row, "form", raw->form,
                         "form; tile, stream, prefill or decode");
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
    for (size_t i = 0; i < raw->constants_count; i++)
        RIDGE__TRY(constant_read(r, fit, &raw->constants[i], row, i));
    RIDGE__TRY(spread_read(r, fit, raw, row));
    fit->key = key;
    fit->op = ridge__arena_text(r->arena, raw->op);
    fit->from = ridge__arena_text(r->arena, raw->from);
    fit->date = ridge__arena_text(r->arena, raw->date);
out:
    return status;
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
    RIDGE__TRY(
        ridge__yaml_parse(&data, file->text, file->size, file->where, &file_value, err));
    const raw_file *raw = data;
    if (key && strcmp(raw->key, key) != 0)
        RIDGE__TRY(ridge__reader_fail(&r, RIDGE_INVALID, "key",
                                      "\"%s\" does not match the file's name",
                                      RIDGE__QUOTE(raw->key)));
    const char *kept = ridge__arena_text(arena, raw->key);
    ridge_fit *fits = ridge__arena_alloc(arena, raw->fits_count * sizeof *fits);
    for (size_t i = 0; fits && i < raw->fits_count; i++) {
        snprintf(row, sizeof row, "fits[%zu]", i);
        RIDGE__TRY(fit_read(&r, &fits[i], &raw->fits[i], kept, row));
    }
    if (!ridge__arena_ok(arena))
        RIDGE__TRY(ridge__error_set(err, RIDGE_NOMEM, "out of memory"));
    *out = fits;
    *count = raw->fits_count;
out:
    ridge__yaml_free(data, &file_value);
    return status;
}
