/* Numbers and quantities: there and back, and scaled exactly. */
#include "base/base.h"

#include "property.h"

/* parse(format(x)) = x to three digits: half a unit of the third is 0.5 % of 1.00. */
static bool format_reads_back(property_random *r)
{
    double value = property_log(r, 1e-13, 1e21), again = RIDGE_UNKNOWN;
    ridge_unit unit = (ridge_unit)property_below(r, RIDGE_UNIT_CYCLES + 1);
    char text[64], twice[64];
    ridge_error err;
    ridge_quantity_format(text, sizeof text, value, unit);
    if (ridge_quantity_parse(&again, text, unit, 0, &err))
        return property_fail(r, "%.17g (unit %d): %s", value, (int)unit, err.message);
    if (!(fabs(again - value) <= 0.005000001 * value))
        return property_fail(r, "%.17g as \"%s\"", value, text);
    /* What was printed is a fixed point. */
    ridge_quantity_format(twice, sizeof twice, again, unit);
    return strcmp(text, twice) == 0 ||
           property_fail(r, "%.17g: \"%s\", then \"%s\"", value, text, twice);
}

static double parsed(property_random *r, double number, const char *suffix)
{
    char text[96];
    double value = RIDGE_UNKNOWN;
    size_t n = ridge__number_format(text, number, 12);
    snprintf(text + n, sizeof text - n, "%s", suffix);
    if (ridge_quantity_parse(&value, text, RIDGE_UNIT_BYTES, 0, NULL))
        property_fail(r, "\"%s\"", text);
    return value;
}

/* A power of two moves the exponent alone: 1024 KiB are a MiB, 8 bits a byte, exactly. */
static bool powers_of_two_are_exact(property_random *r)
{
    double x = property_log(r, 1e-3, 1e9);
    return (1024 * parsed(r, x, "KiB") == parsed(r, x, "MiB") &&
            1024 * parsed(r, x, "B") == parsed(r, x, "KiB") &&
            8 * parsed(r, x, "Gb") == parsed(r, x, "GB")) ||
           property_fail(r, "%.17g", x);
}

static bool shortest_reads_back(property_random *r)
{
    union {
        uint64_t bits;
        double value;
    } u = {.bits = property_next(r) & INT64_MAX};
    char text[32];
    double again = RIDGE_UNKNOWN;
    const char *end;
    if (!isfinite(u.value))
        return true;
    ridge__number_shortest(text, u.value);
    return (ridge__number_parse(&again, text, &end) == RIDGE_OK && again == u.value &&
            *end == '\0') ||
           property_fail(r, "%.17g as %s", u.value, text);
}

/* Against the C library, which this program runs in the C locale. */
static bool parse_agrees_with_strtod(property_random *r)
{
    char text[128];
    size_t n = 0, digits = 1 + property_below(r, 40), point = property_below(r, 41);
    for (size_t i = 0; i < digits; i++) {
        if (i == point)
            text[n++] = '.';
        text[n++] = (char)('0' + property_below(r, 10));
    }
    snprintf(text + n, sizeof text - n, "e%d", (int)property_below(r, 700) - 350);
    double value = RIDGE_UNKNOWN, expected = strtod(text, NULL);
    const char *end;
    ridge_status status = ridge__number_parse(&value, text, &end);
    return (isinf(expected) ? status == RIDGE_LIMIT : value == expected) ||
           property_fail(r, "%s: %.17g, strtod says %.17g", text, value, expected);
}

int main(void)
{
    return property_check("parse(format(x)) is x to three digits", format_reads_back,
                          50000) |
           property_check("powers of two are exact", powers_of_two_are_exact, 20000) |
           property_check("the shortest text reads back", shortest_reads_back, 50000) |
           property_check("parse agrees with strtod", parse_agrees_with_strtod, 50000);
}
