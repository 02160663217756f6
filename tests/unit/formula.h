/*
 * Formulas as the library prints them, worked out: numbers, {names}, + - * / ^ ( ), ceil(),
 * min(), max().  A test includes this to hold a formula to the value that it explains.
 */
#ifndef RIDGE_FORMULA_H
#define RIDGE_FORMULA_H

#include "base/base.h"

#include "test.h"

/* What {name} stands for; unknown where nothing has that name. */
typedef double (*formula_value)(const void *context, const char *name, size_t size);

typedef struct formula {
    const char *text, *at;
    formula_value value;
    const void *context;
} formula;

static double formula_sum(formula *f);

static inline bool formula_starts(formula *f, const char *word)
{
    size_t size = strlen(word);
    if (strncmp(f->at, word, size) != 0)
        return false;
    f->at += size;
    return true;
}

static inline void formula_take(formula *f, char what)
{
    if (*f->at != what)
        fail_msg("%s: '%c' wanted at \"%s\"", f->text, what, f->at);
    f->at++;
}

static inline double formula_pair(formula *f, bool most)
{
    double first = formula_sum(f);
    formula_take(f, ',');
    double second = formula_sum(f);
    formula_take(f, ')');
    return (first > second) == most ? first : second;
}

static inline double formula_name(formula *f)
{
    size_t size = strcspn(f->at, "}");
    double value = f->value(f->context, f->at, size);
    if (!ridge_known(value))
        fail_msg("%s: {%.*s} is unknown", f->text, (int)size, f->at);
    f->at += size + 1;
    return value;
}

static inline double formula_atom(formula *f)
{
    double value = RIDGE_UNKNOWN;
    f->at += strspn(f->at, " ");
    if (formula_starts(f, "ceil(")) {
        value = ceil(formula_sum(f) * (1 - 1e-12)); /* a rounded quotient is whole */
        formula_take(f, ')');
    } else if (formula_starts(f, "max(")) {
        value = formula_pair(f, true);
    } else if (formula_starts(f, "min(")) {
        value = formula_pair(f, false);
    } else if (formula_starts(f, "(")) {
        value = formula_sum(f);
        formula_take(f, ')');
    } else if (formula_starts(f, "{")) {
        value = formula_name(f);
    } else if (ridge__number_parse(&value, f->at, &f->at)) {
        fail_msg("%s: no number at \"%s\"", f->text, f->at);
    }
    f->at += strspn(f->at, " ");
    return value;
}

static inline double formula_power(formula *f)
{
    double value = formula_atom(f);
    return formula_starts(f, "^") ? pow(value, formula_atom(f)) : value;
}

static inline double formula_product(formula *f)
{
    double value = formula_power(f);
    while (*f->at == '*' || *f->at == '/') {
        bool times = *f->at++ == '*';
        double by = formula_power(f);
        value = times ? value * by : value / by;
    }
    return value;
}

static inline double formula_sum(formula *f)
{
    double value = formula_product(f);
    while (*f->at == '+' || *f->at == '-') {
        double sign = *f->at++ == '+' ? 1 : -1;
        value += sign * formula_product(f);
    }
    return value;
}

/* The whole text; fails the test where it is no formula or a name is unknown. */
static inline double formula_evaluate(const char *text, formula_value value,
                                      const void *context)
{
    formula f = {text, text, value, context};
    double result = formula_sum(&f);
    if (*f.at)
        fail_msg("%s: \"%s\" is left over", text, f.at);
    return result;
}

#endif
