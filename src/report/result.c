/* One estimate: the choice of form, and CSV. */
#include "format/csv.h"
#include "op/op.h"
#include "report/comm.h"
#include "report/page.h"

#include <stddef.h>

/* ---- CSV ------------------------------------------------------------------------- */

struct column {
    const char *name;
    size_t offset;
};

#define E(name, field)                        \
    {                                         \
        name, offsetof(ridge_estimate, field) \
    }
static const struct column estimate_columns[] = {
    E("flop", work.flop),
    E("bytes", work.bytes),
    E("intensity", intensity),
    E("ridge", ridge),
    E("floor_s", floor_s),
    E("upper_s", upper_s),
    E("expected_s", expected_s),
    E("low_s", low_s),
    E("high_s", high_s),
    E("compute_s", compute_s),
    E("memory_s", memory_s),
    E("communication_s", communication_s),
    E("launch_s", launch_s),
    E("peak_flop_per_s", peak_flop_per_s),
    E("ceiling_flop_per_s", ceiling_flop_per_s),
};
#define M(name)                                  \
    {                                            \
#name, offsetof(ridge_measurement, name) \
    }
static const struct column measured_columns[] = {
    M(time_s),  M(achieved_flop_per_s), M(achieved_bytes_per_s), M(of_roof),
    M(of_peak), M(of_expected),
};

static void put_names(ridge__str *out, const struct column *columns, size_t count)
{
    for (size_t i = 0; i < count; i++)
        ridge__str_format(out, ",%s", columns[i].name);
}

static void put_values(ridge__str *out, const struct column *columns, size_t count,
                       const void *record)
{
    for (size_t i = 0; i < count; i++) {
        char digits[32];
        double value;
        memcpy(&value, (const char *)record + columns[i].offset, sizeof value);
        ridge__number_shortest(digits, value); /* empty if unknown */
        ridge__str_format(out, ",%s", digits);
    }
}

/* True if the parameter has a column of its own among the results (custom flop=). */
static bool is_result(const char *name)
{
    for (size_t i = 0; i < RIDGE__COUNT(estimate_columns); i++)
        if (strcmp(estimate_columns[i].name, name) == 0)
            return true;
    return false;
}

/* Names (value false) or values of the parameters that the user gave. */
static void put_params(ridge__str *out, const ridge_call *call, bool values)
{
    for (size_t i = 0; i < call->op->param_count; i++) {
        char word[48], digits[32];
        if (!(call->given >> i & 1u) || is_result(call->op->params[i].name))
            continue;
        const char *text = ridge__call_word(word, sizeof word, call, i);
        const ridge_list *list = ridge__call_list(call, i);
        if (list && values) {
            ridge__str_add(out, ",", 1);
            ridge__csv_cell(out, list->text, list->size);
            continue;
        }
        ridge__number_shortest(digits, call->arg[i]);
        ridge__str_format(out, ",%s",
                          !values ? call->op->params[i].name
                          : text  ? text
                                  : digits);
    }
}

void ridge__result_csv(ridge__str *out, const ridge_result *result,
                       const ridge_style *style)
{
    (void)style; /* a row has no explanation */
    const ridge_estimate *e = result->estimate;
    const ridge_measurement *m = result->measurement;
    const ridge_exchange *x = result->exchange;
    char basis[96];
    ridge__str_text(out, "op,gpu");
    put_params(out, result->call, false);
    put_names(out, estimate_columns, RIDGE__COUNT(estimate_columns));
    ridge__str_text(out, ",bound,basis");
    if (x)
        ridge__comm_names(out);
    if (m) {
        put_names(out, measured_columns, RIDGE__COUNT(measured_columns));
        ridge__str_text(out, ",verdict");
    }
    const char *id = ridge_machine_id(result->machine);
    ridge__str_format(out, "\n%s,", result->call->op->name);
    ridge__csv_cell(out, id, strlen(id));
    put_params(out, result->call, true);
    put_values(out, estimate_columns, RIDGE__COUNT(estimate_columns), e);
    ridge_estimate_basis(e, basis, sizeof basis);
    ridge__str_format(out, ",%s,", ridge_bound_name(e->bound));
    ridge__csv_cell(out, basis, strlen(basis));
    if (x)
        ridge__comm_values(out, x);
    if (m) {
        put_values(out, measured_columns, RIDGE__COUNT(measured_columns), m);
        ridge__str_format(out, ",%s", ridge_verdict_name(m->verdict));
    }
    ridge__str_add(out, "\n", 1);
}

/* ---- Any form -------------------------------------------------------------------- */

uint32_t ridge__result_warnings(const ridge_result *result)
{
    return result->estimate->warnings |
           (result->measurement ? result->measurement->warnings : 0);
}

ridge_status ridge_result_write(const ridge_result *result, const ridge_style *style,
                                ridge_sink sink, ridge_error *err)
{
    static void (*const writers[RIDGE_FORMAT_COUNT])(ridge__str *, const ridge_result *,
                                                     const ridge_style *) = {
        [RIDGE_TEXT] = ridge__result_text,
        [RIDGE_JSON] = ridge__result_json,
        [RIDGE_CSV] = ridge__result_csv,
    };
    ridge__str out;
    if ((size_t)style->format >= RIDGE__COUNT(writers))
        return ridge__error_set(err, RIDGE_INVALID, "%d is no format",
                                (int)style->format);
    ridge__str_init(&out, 0, NULL);
    ridge_result full = *result;
    ridge_exchange exchange;
    if (!full.exchange && ridge_op_communicates(result->call->op) &&
        !ridge_exchange_find(&exchange, result->estimate, result->machine, result->call,
                             NULL))
        full.exchange = &exchange;
    writers[style->format](&out, &full, style);
    ridge_status status = ridge__str_send(&out, sink, err);
    ridge__str_clear(&out);
    return status;
}
