#include "base/base.h"

#include <stdio.h>
#include <string.h>

/*
 * A unit is [prefix] base: "TB/s" is T and B/s.  Several spellings of a base are taken;
 * the first of each unit is the one that is printed.  Only prefixes that make sense are
 * taken: nobody means a thousandth of a byte by "5mB", or megaseconds by "2Ms".
 */
static const struct base {
    const char *text;
    ridge_unit unit;
    double factor; /* to SI, beside 10^power */
    int power;     /* to SI */
    int low, high; /* powers of ten of the prefixes that are taken, and printed */
    bool binary;   /* Ki Mi Gi Ti are taken */
} bases[] = {
    {"FLOP/cycle", RIDGE_UNIT_FLOP_PER_CYCLE, 1, 0, 0, 0, false},
    {"B/cycle", RIDGE_UNIT_BYTES_PER_CYCLE, 1, 0, 0, 0, false},
    {"FLOP/B", RIDGE_UNIT_FLOP_PER_BYTE, 1, 0, 0, 0, false},
    {"FLOP/byte", RIDGE_UNIT_FLOP_PER_BYTE, 1, 0, 0, 0, false},
    {"FLOP/s", RIDGE_UNIT_FLOP_PER_S, 1, 0, 0, 18, false},
    {"FLOPS", RIDGE_UNIT_FLOP_PER_S, 1, 0, 0, 18, false},
    {"OP/s", RIDGE_UNIT_FLOP_PER_S, 1, 0, 0, 18, false},
    {"OPS", RIDGE_UNIT_FLOP_PER_S, 1, 0, 0, 18, false},
    {"FLOP", RIDGE_UNIT_FLOP, 1, 0, 0, 18, false},
    {"OP", RIDGE_UNIT_FLOP, 1, 0, 0, 18, false},
    {"B/s", RIDGE_UNIT_BYTES_PER_S, 1, 0, 0, 18, true},
    {"Bps", RIDGE_UNIT_BYTES_PER_S, 1, 0, 0, 18, true},
    {"b/s", RIDGE_UNIT_BYTES_PER_S, 0.125, 0, 0, 18, true},
    {"bit/s", RIDGE_UNIT_BYTES_PER_S, 0.125, 0, 0, 18, true},
    {"bps", RIDGE_UNIT_BYTES_PER_S, 0.125, 0, 0, 18, true},
    {"B", RIDGE_UNIT_BYTES, 1, 0, 0, 18, true},
    {"b", RIDGE_UNIT_BYTES, 0.125, 0, 0, 18, true},
    {"Hz", RIDGE_UNIT_HZ, 1, 0, 0, 18, false},
    {"s", RIDGE_UNIT_S, 1, 0, -12, 0, false},
    {"W", RIDGE_UNIT_W, 1, 0, 0, 18, false},
    {"cycles", RIDGE_UNIT_CYCLES, 1, 0, 0, 0, false},
    {"cycle", RIDGE_UNIT_CYCLES, 1, 0, 0, 0, false},
    {"%", RIDGE_UNIT_NONE, 1, -2, 0, 0, false},
};

/* Decimal prefixes are powers, so that "2.5us" is rounded once, to what 2.5e-6 is. */
static const struct prefix {
    const char *text;
    int power;
    double binary; /* or a power of 1024; 0 otherwise */
} prefixes[] = {
    {"", 0, 0},
    {"k", 3, 0},
    {"K", 3, 0},
    {"M", 6, 0},
    {"G", 9, 0},
    {"T", 12, 0},
    {"P", 15, 0},
    {"E", 18, 0},
    {"m", -3, 0},
    {"u", -6, 0},
    {"\xc2\xb5", -6, 0}, /* the micro sign */
    {"\xce\xbc", -6, 0}, /* the Greek mu */
    {"n", -9, 0},
    {"p", -12, 0},
    {"Ki", 0, 1024.0},
    {"Mi", 0, 1048576.0},
    {"Gi", 0, 1073741824.0},
    {"Ti", 0, 1099511627776.0},
};

static const struct {
    const char *name, *example;
} units[] = {
    [RIDGE_UNIT_NONE] = {"a plain number", "0.9"},
    [RIDGE_UNIT_COUNT] = {"a count", "4096"},
    [RIDGE_UNIT_S] = {"seconds", "2ms"},
    [RIDGE_UNIT_BYTES] = {"bytes", "100MB"},
    [RIDGE_UNIT_FLOP] = {"FLOP", "10GFLOP"},
    [RIDGE_UNIT_BYTES_PER_S] = {"bytes per second", "3.35TB/s"},
    [RIDGE_UNIT_FLOP_PER_S] = {"FLOP per second", "989.4TFLOP/s"},
    [RIDGE_UNIT_HZ] = {"hertz", "1.83GHz"},
    [RIDGE_UNIT_W] = {"watts", "700W"},
    [RIDGE_UNIT_FLOP_PER_BYTE] = {"FLOP per byte", "100FLOP/B"},
    [RIDGE_UNIT_BYTES_PER_CYCLE] = {"bytes per cycle", "64B/cycle"},
    [RIDGE_UNIT_FLOP_PER_CYCLE] = {"FLOP per cycle", "4096FLOP/cycle"},
    [RIDGE_UNIT_CYCLES] = {"cycles", "24cycles"},
};

/* value * factor * 10^power is in SI. */
typedef struct scale {
    double factor;
    int power;
} scale;

/* Whether `prefix`, of `size` bytes, is one that the base takes. */
static bool prefix_find(const struct base *base, const char *prefix, size_t size,
                        scale *out)
{
    for (size_t i = 0; i < RIDGE__COUNT(prefixes); i++) {
        const struct prefix *p = &prefixes[i];
        if (strlen(p->text) != size || memcmp(p->text, prefix, size) != 0)
            continue;
        *out = (scale){base->factor * (p->binary > 0 ? p->binary : 1),
                       base->power + p->power};
        return p->binary > 0 ? base->binary
                             : p->power >= base->low && p->power <= base->high;
    }
    return false;
}

/* The base that `text` (to its end) names; NULL if none does. */
static const struct base *unit_find(const char *text, scale *out)
{
    size_t room = strlen(text);
    for (size_t i = 0; i < RIDGE__COUNT(bases); i++) {
        size_t n = strlen(bases[i].text);
        if (room >= n && strcmp(text + room - n, bases[i].text) == 0 &&
            prefix_find(&bases[i], text, room - n, out))
            return &bases[i];
    }
    return NULL;
}

static ridge_status unit_missing(ridge_error *err, const char *text, ridge_unit want)
{
    return ridge__error_set(err, RIDGE_BADUNIT, "\"%s\" has no unit; %s wanted, as in %s",
                            RIDGE__QUOTE(text), units[want].name, units[want].example);
}

static ridge_status unit_other(ridge_error *err, const char *text, ridge_unit found,
                               ridge_unit want)
{
    return ridge__error_set(err, RIDGE_BADUNIT, "\"%s\" is %s; %s wanted, as in %s",
                            RIDGE__QUOTE(text), units[found].name, units[want].name,
                            units[want].example);
}

static ridge_status too_large(ridge_error *err, const char *text)
{
    return ridge__error_set(err, RIDGE_LIMIT, "\"%s\" is too large", RIDGE__QUOTE(text));
}

static bool needs_no_unit(ridge_unit want)
{
    return want == RIDGE_UNIT_NONE || want == RIDGE_UNIT_COUNT;
}

/* The number at the start of text, and where the unit behind it starts. */
static ridge_status number_part(double *value, const char **end, const char *text,
                                ridge_unit want, ridge_error *err)
{
    ridge_status status = ridge__number_parse(value, text, end);
    if (status == RIDGE_LIMIT)
        return too_large(err, text);
    if (status)
        return ridge__error_set(
            err, status, "\"%s\" is not a number; %s wanted, as in %s",
            RIDGE__QUOTE(text), units[want].name, units[want].example);
    while (**end == ' ')
        (*end)++;
    return RIDGE_OK;
}

ridge_status ridge_quantity_parse(double *out, const char *text, ridge_unit want,
                                  unsigned flags, ridge_error *err)
{
    double value = 0;
    const char *end = text;
    scale to_si = {1, 0};
    ridge_status status = number_part(&value, &end, text, want, err);
    if (status)
        return status;
    if (*end == '\0') {
        if ((flags & RIDGE_QUANTITY_UNIT_REQUIRED) && !needs_no_unit(want))
            return unit_missing(err, text, want);
        *out = value;
        return RIDGE_OK;
    }
    const struct base *base = unit_find(end, &to_si);
    if (!base)
        return ridge__error_set(
            err, RIDGE_BADUNIT, "\"%s\" has an unknown unit; %s wanted, as in %s",
            RIDGE__QUOTE(text), units[want].name, units[want].example);
    if (base->unit != want)
        return unit_other(err, text, base->unit, want);
    /* Once more with the prefix in the exponent, so that there is one rounding. */
    status = ridge__number_parse_scaled(&value, text, &end, to_si.power);
    if (status || !isfinite(value * to_si.factor))
        return too_large(err, text);
    *out = value * to_si.factor;
    return RIDGE_OK;
}

bool ridge_quantity_ambiguous(const char *text, ridge_unit unit)
{
    double value;
    const char *end = text;
    scale to_si;
    if (unit != RIDGE_UNIT_BYTES || ridge__number_parse(&value, text, &end))
        return false;
    end += strspn(end, " ");
    const struct base *base = unit_find(end, &to_si);
    bool bits = base && strchr(base->text, 'b');
    return base && (bits || (end[0] == 'K' && end[1] != 'i'));
}

/* The base that is printed; NULL for plain numbers and counts. */
static const struct base *unit_base(ridge_unit unit)
{
    for (size_t i = 0; i < RIDGE__COUNT(bases); i++)
        if (bases[i].unit == unit && unit != RIDGE_UNIT_NONE)
            return &bases[i];
    return NULL;
}

static const char *prefix_text(int power)
{
    size_t i = 0;
    while (prefixes[i].power != power)
        i++;
    return prefixes[i].text;
}

size_t ridge_quantity_format(char *buf, size_t size, double value, ridge_unit unit)
{
    return ridge__quantity_format(buf, size, value, unit, 3);
}

size_t ridge__quantity_format(char *buf, size_t size, double value, ridge_unit unit,
                              int precision)
{
    char digits[32] = "?";
    int power = 0;
    const struct base *base = unit_base(unit);
    if (isfinite(value))
        ridge__number_format_scaled(digits, value, precision, base ? base->low : 0,
                                    base ? base->high : 0, &power);
    int n = base && isfinite(value)
                ? snprintf(buf, size, "%s %s%s", digits, prefix_text(power), base->text)
                : snprintf(buf, size, "%s", digits);
    return n < 0 ? 0 : (size_t)n;
}
