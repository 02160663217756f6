/* A fit as an entry of a fit file, which fit.c reads back. */
#include "hw/fit.h"

#include "base/base.h"

enum {
    DIGITS = 4,      /* more than any measurement is good for */
    COUNT_DIGITS = 9 /* a count is whole */
};

/* In double quotes; what is no plain text becomes "?": a path may be no UTF-8. */
static void put_text(ridge__str *out, const char *text)
{
    char clean[640];
    ridge__str_text(out, "\"");
    for (const char *p = ridge__quote(clean, sizeof clean, text); *p; p++) {
        if (*p == '"' || *p == '\\')
            ridge__str_text(out, "\\");
        ridge__str_add(out, p, 1);
    }
    ridge__str_text(out, "\"");
}

static void put_quantity(ridge__str *out, const char *indent, const char *key,
                         double value, ridge_unit unit)
{
    char text[48];
    if (!ridge_known(value))
        return;
    ridge__quantity_format(text, sizeof text, value, unit,
                           unit == RIDGE_UNIT_COUNT ? COUNT_DIGITS : DIGITS);
    ridge__str_format(out, "%s%s: \"%s\"\n", indent, key, text);
}

static void put_dtypes(ridge__str *out, const char *key, uint32_t bits)
{
    const char *comma = "";
    if (bits == UINT32_MAX)
        return;
    ridge__str_format(out, "    %s: [", key);
    for (int d = 0; d < RIDGE_DTYPE_COUNT; d++)
        if (bits >> d & 1u) {
            ridge__str_format(out, "%s%s", comma, ridge_dtype_name((ridge_dtype)d));
            comma = ", ";
        }
    ridge__str_text(out, "]\n");
}

static void put_words(ridge__str *out, const char *key, const char *words)
{
    if (!words)
        return;
    ridge__str_format(out, "    %s: [", key);
    for (const char *p = words; *p; p++)
        ridge__str_text(out, *p == ' ' ? ", " : (char[]){*p, '\0'});
    ridge__str_text(out, "]\n");
}

static void put_when(ridge__str *out, const ridge_fit *fit)
{
    for (size_t i = 0; i < fit->when_count; i++) {
        ridge__str_text(out, i ? ", \"" : "    when: [\"");
        ridge__fit_when_write(out, &fit->when[i]);
        ridge__str_text(out, "\"");
    }
    if (fit->when_count > 0)
        ridge__str_text(out, "]\n");
}

void ridge__fit_write(ridge__str *out, const ridge_fit *fit)
{
    size_t count;
    const ridge__constant *schema = ridge__fit_schema(fit->form, &count);
    ridge__str_format(out, "  - op: %s\n    form: %s\n", fit->op,
                      ridge__fit_form_name(fit->form));
    put_dtypes(out, "dtypes", fit->dtypes);
    put_dtypes(out, "kv_dtypes", fit->kv_dtypes);
    ridge__str_format(out, "    backend: %s\n", ridge_backend_name(fit->backend));
    put_words(out, "kernels", fit->kernels);
    put_when(out, fit);
    ridge__str_text(out, "    constants:\n");
    for (size_t i = 0; i < count; i++)
        put_quantity(out, "      ", schema[i].name, fit->c[i], schema[i].unit);
    put_quantity(out, "    ", "low", fit->low, RIDGE_UNIT_NONE);
    put_quantity(out, "    ", "high", fit->high, RIDGE_UNIT_NONE);
    if (fit->band_count > 0) {
        ridge__str_text(out, "    bands: [");
        ridge__fit_bands_write(out, fit);
        ridge__str_text(out, "]\n");
    }
    if (fit->unseen)
        ridge__str_text(out, "    left_out: parts\n");
    if (fit->unseen && fit->vendor)
        ridge__str_format(out, "    vendor: %s\n", fit->vendor);
    put_quantity(out, "    ", "elsewhere", fit->elsewhere, RIDGE_UNIT_NONE);
    put_quantity(out, "    ", "mape", fit->mape, RIDGE_UNIT_NONE);
    put_quantity(out, "    ", "median", fit->median, RIDGE_UNIT_NONE);
    put_quantity(out, "    ", "reach", fit->reach_s, RIDGE_UNIT_S);
    put_words(out, "parts", fit->parts);
    ridge__str_text(out, "    from: ");
    put_text(out, fit->from);
    ridge__str_text(out, "\n    date: ");
    put_text(out, fit->date);
    ridge__str_text(out, "\n");
}
