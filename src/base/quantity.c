#include "base/base.h"

#include <stdio.h>
#include <string.h>

/*
 * A unit is [prefix] base: "TB/s" is T and B/s.  Several spellings of a base are taken;
 * the first of each unit is the one that is printed.
 */
static const struct base {
    const char *text;
    ridge_unit unit;
    double factor; /* to SI */
    bool binary;   /* Ki Mi Gi Ti are allowed */
    bool scaled;   /* any prefix is allowed */
} bases[] = {
    {"FLOP/cycle", RIDGE_UNIT_FLOP_PER_CYCLE, 1, false, false},
    {"B/cycle", RIDGE_UNIT_BYTES_PER_CYCLE, 1, false, false},
    {"FLOP/B", RIDGE_UNIT_FLOP_PER_BYTE, 1, false, false},
    {"FLOP/byte", RIDGE_UNIT_FLOP_PER_BYTE, 1, false, false},
    {"FLOP/s", RIDGE_UNIT_FLOP_PER_S, 1, false, true},
    {"FLOPS", RIDGE_UNIT_FLOP_PER_S, 1, false, true},
    {"OP/s", RIDGE_UNIT_FLOP_PER_S, 1, false, true},
    {"OPS", RIDGE_UNIT_FLOP_PER_S, 1, false, true},
    {"FLOP", RIDGE_UNIT_FLOP, 1, false, true},
    {"OP", RIDGE_UNIT_FLOP, 1, false, true},
    {"B/s", RIDGE_UNIT_BYTES_PER_S, 1, true, true},
    {"b/s", RIDGE_UNIT_BYTES_PER_S, 0.125, true, true},
    {"bit/s", RIDGE_UNIT_BYTES_PER_S, 0.125, true, true},
    {"bps", RIDGE_UNIT_BYTES_PER_S, 0.125, true, true},
    {"B", RIDGE_UNIT_BYTES, 1, true, true},
    {"b", RIDGE_UNIT_BYTES, 0.125, true, true},
    {"Hz", RIDGE_UNIT_HZ, 1, false, true},
    {"s", RIDGE_UNIT_S, 1, false, true},
    {"W", RIDGE_UNIT_W, 1, false, true},
    {"cycles", RIDGE_UNIT_CYCLES, 1, false, false},
    {"cycle", RIDGE_UNIT_CYCLES, 1, false, false},
    {"%", RIDGE_UNIT_NONE, 0.01, false, false},
};

static const struct prefix {
    const char *text;
    double factor;
    bool binary;
} prefixes[] = {
    {"", 1, false},
    {"Ki", 1024.0, true},
    {"Mi", 1048576.0, true},
    {"Gi", 1073741824, true},
    {"Ti", 1099511627776.0, true},
    {"k", 1e3, false},
    {"K", 1e3, false},
    {"M", 1e6, false},
    {"G", 1e9, false},
    {"T", 1e12, false},
    {"P", 1e15, false},
    {"E", 1e18, false},
    {"m", 1e-3, false},
    {"u", 1e-6, false},
    {"\xc2\xb5", 1e-6, false},
    {"n", 1e-9, false},
    {"p", 1e-12, false},
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

/* The base and factor that `text` (to its end) names; NULL if none does. */
static const struct base *unit_find(const char *text, double *factor)
{
    for (size_t i = 0; i < RIDGE__COUNT(bases); i++) {
        size_t room = strlen(text), n = strlen(bases[i].text);
        if (room < n || strcmp(text + room - n, bases[i].text) != 0)
            continue;
        for (size_t j = 0; j < RIDGE__COUNT(prefixes); j++) {
            const struct prefix *p = &prefixes[j];
            if (strlen(p->text) != room - n || memcmp(p->text, text, room - n) != 0 ||
                (p->factor != 1 && !bases[i].scaled) || (p->binary && !bases[i].binary))
                continue;
            *factor = p->factor * bases[i].factor;
            return &bases[i];
        }
    }
    return NULL;
}

static ridge_status unit_bad(ridge_error *err, const char *text, ridge_unit found,
                             ridge_unit want)
{
    if (found == want)
        return ridge__error_set(
            err, RIDGE_BADUNIT, "\"%s\" has no unit; %s wanted, as in %s",
            RIDGE__QUOTE(text), units[want].name, units[want].example);
    return ridge__error_set(err, RIDGE_BADUNIT, "\"%s\" is %s; %s wanted, as in %s",
                            RIDGE__QUOTE(text), units[found].name, units[want].name,
                            units[want].example);
}

static bool needs_no_unit(ridge_unit want)
{
    return want == RIDGE_UNIT_NONE || want == RIDGE_UNIT_COUNT;
}

ridge_status ridge_quantity_parse(double *out, const char *text, ridge_unit want,
                                  unsigned flags, ridge_error *err)
{
    double value = 0, factor = 1;
    const char *end = text;
    ridge_status status = ridge__number_parse(&value, text, &end);
    if (status == RIDGE_LIMIT)
        return ridge__error_set(err, status, "\"%s\" is too large", RIDGE__QUOTE(text));
    if (status)
        return ridge__error_set(
            err, status, "\"%s\" is not a number; %s wanted, as in %s",
            RIDGE__QUOTE(text), units[want].name, units[want].example);
    while (*end == ' ')
        end++;
    if (*end == '\0') {
        if ((flags & RIDGE_QUANTITY_UNIT_REQUIRED) && !needs_no_unit(want))
            return unit_bad(err, text, want, want);
        *out = value;
        return RIDGE_OK;
    }
    const struct base *base = unit_find(end, &factor);
    if (!base)
        return ridge__error_set(
            err, RIDGE_BADUNIT, "\"%s\" has an unknown unit; %s wanted, as in %s",
            RIDGE__QUOTE(text), units[want].name, units[want].example);
    if (base->unit != want)
        return unit_bad(err, text, base->unit, want);
    if (!isfinite(value * factor))
        return ridge__error_set(err, RIDGE_LIMIT, "\"%s\" is too large",
                                RIDGE__QUOTE(text));
    *out = value * factor;
    return RIDGE_OK;
}

static const char *unit_text(ridge_unit unit)
{
    for (size_t i = 0; i < RIDGE__COUNT(bases); i++)
        if (bases[i].unit == unit && unit != RIDGE_UNIT_NONE)
            return bases[i].text;
    return "";
}

static bool unit_scaled(ridge_unit unit)
{
    for (size_t i = 0; i < RIDGE__COUNT(bases); i++)
        if (bases[i].unit == unit)
            return bases[i].scaled;
    return false;
}

size_t ridge_quantity_format(char *buf, size_t size, double value, ridge_unit unit)
{
    static const struct {
        double factor;
        const char *text;
    } scale[] = {{1e18, "E"}, {1e15, "P"}, {1e12, "T"}, {1e9, "G"},
                 {1e6, "M"},  {1e3, "k"},  {1, ""},     {1e-3, "m"},
                 {1e-6, "u"}, {1e-9, "n"}, {1e-12, "p"}};
    char digits[32];
    int n;
    if (!ridge_known(value)) {
        n = snprintf(buf, size, "?");
        return n < 0 ? 0 : (size_t)n;
    }
    size_t i = 6;
    if (unit_scaled(unit) && value != 0) {
        /* 999.6 rounds to 1000 with three digits, so it takes the next prefix. */
        for (i = 0; i + 1 < RIDGE__COUNT(scale); i++)
            if (fabs(value) >= 0.9995 * scale[i].factor)
                break;
        if ((unit == RIDGE_UNIT_BYTES || unit == RIDGE_UNIT_FLOP) && i > 6)
            i = 6;
    }
    ridge__number_format(digits, value / scale[i].factor, 3);
    const char *text = unit_text(unit);
    n = snprintf(buf, size, "%s%s%s%s", digits, text[0] ? " " : "", scale[i].text, text);
    return n < 0 ? 0 : (size_t)n;
}
