/* How a form came to its time: rows of formulas, and the values of the names in them. */
#include "base/base.h"
#include "model/model.h"

#include <string.h>

double ridge__working_add(ridge__working *out, const char *name, const char *formula,
                          double value, ridge_unit unit)
{
    if (out->count < RIDGE__WORKING_MAX)
        out->row[out->count++] = (ridge__working_row){name, formula, value, unit, NULL};
    return value;
}

void ridge__working_call(ridge__working *out, const char *name, const ridge_call *call,
                         double expected_s)
{
    if (out->count >= RIDGE__WORKING_MAX || out->call_count >= RIDGE__WORKING_CALLS)
        return;
    ridge_call *kept = &out->call[out->call_count++];
    *kept = *call;
    out->row[out->count++] =
        (ridge__working_row){name, NULL, expected_s, RIDGE_UNIT_S, kept};
}

double ridge__working_value(const ridge__working *working, size_t at,
                            const ridge_estimate *estimate, const ridge_call *call,
                            const char *name, size_t size)
{
    for (size_t i = at; i-- > 0;)
        if (ridge__text_is(working->row[i].name, name, size))
            return working->row[i].value;
    const ridge_fit *fit = estimate->basis;
    size_t count = 0;
    const ridge__constant *schema = ridge__fit_schema(fit->form, &count);
    for (size_t i = 0; i < count; i++)
        if (ridge__text_is(schema[i].name, name, size))
            return fit->c[i];
    return ridge__op_formula_value(call, &estimate->work, name, size);
}
