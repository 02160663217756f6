#include "base/base.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The pieces of a decimal number, and where it ends. */
typedef struct decimal {
    uint64_t mantissa; /* the first 19 significant digits */
    int exponent;      /* value = mantissa * 10^exponent, if exact */
    bool exact;        /* no digit was dropped from mantissa */
    int written;       /* the exponent behind the e */
    const char *end;
} decimal;

static const char *scan_digits(decimal *d, const char *p, bool fraction)
{
    for (; is_digit(*p); p++) {
        if (d->mantissa < 1000000000000000000u) {
            d->mantissa = d->mantissa * 10 + (uint64_t)(*p - '0');
            d->exponent -= fraction;
        } else {
            d->exact = d->exact && *p == '0';
            d->exponent += !fraction;
        }
    }
    return p;
}

/* False if no number starts at text. */
static bool scan(decimal *d, const char *text)
{
    *d = (decimal){.exact = true};
    const char *p = scan_digits(d, text, false);
    size_t digits = (size_t)(p - text);
    if (*p == '.') {
        const char *point = p++;
        p = scan_digits(d, p, true);
        digits += (size_t)(p - point - 1);
    }
    if (digits == 0)
        return false;
    if (*p == 'e' || *p == 'E') {
        const char *q = p + 1;
        bool negative = *q == '-';
        if (*q == '-' || *q == '+')
            q++;
        /* "2e" is the number 2 before the letter e, not a broken exponent. */
        if (is_digit(*q)) {
            int e = 0;
            for (; is_digit(*q); q++)
                e = e < 100000 ? e * 10 + (*q - '0') : e;
            d->written = negative ? -e : e;
            p = q;
        }
    }
    d->exponent += d->written;
    d->end = p;
    return true;
}

enum {
    /* The longest exact midpoint between two doubles has 768 significant digits; of
     * those behind them it only matters whether one is not 0. */
    MIDPOINT_DIGITS = 770
};

/*
 * The few numbers beyond the exact fast path, by strtod.  It is given digits and an
 * exponent without a point, so that it does not matter which point the host's locale has.
 */
static double slow_parse(const char *text, const decimal *d, int power)
{
    char buf[MIDPOINT_DIGITS + 24];
    size_t n = 0;
    int exponent = d->written + power;
    bool point = false, rest = false;
    for (const char *p = text; p < d->end && *p != 'e' && *p != 'E'; p++) {
        if (*p == '.') {
            point = true;
        } else if (n == 0 && *p == '0') {
            exponent -= point;
        } else if (n < MIDPOINT_DIGITS) {
            buf[n++] = *p;
            exponent -= point;
        } else {
            rest = rest || *p != '0';
            exponent += !point;
        }
    }
    if (n == 0)
        return 0;
    if (rest) { /* one digit stands for all that follow */
        buf[n++] = '1';
        exponent--;
    }
    snprintf(buf + n, sizeof buf - n, "e%d", exponent);
    return strtod(buf, NULL);
}

static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

ridge_status ridge__number_parse_scaled(double *out, const char *text, const char **end,
                                        int power)
{
    decimal d;
    if (!scan(&d, text))
        return RIDGE_SYNTAX;
    int exponent = d.exponent + power;
    double value;
    /* Both operands are exact doubles, so the one rounding is the right one
     * [Clinger1990]. */
    if (d.exact && d.mantissa < (uint64_t)1 << 53 && exponent >= -22 && exponent <= 22)
        value = exponent < 0 ? (double)d.mantissa / powers[-exponent]
                             : (double)d.mantissa * powers[exponent];
    else
        value = slow_parse(text, &d, power);
    if (!isfinite(value))
        return RIDGE_LIMIT;
    *out = value;
    *end = d.end;
    return RIDGE_OK;
}

ridge_status ridge__number_parse(double *out, const char *text, const char **end)
{
    return ridge__number_parse_scaled(out, text, end, 0);
}

/* Digits of value into text (no point), the decimal exponent of the first one. */
static int significant_exact(char text[24], double value, int digits)
{
    /* %e's point follows the host's locale, so it is skipped by place. */
    char buf[40];
    snprintf(buf, sizeof buf, "%.*e", digits - 1, value);
    const char *e = strchr(buf, 'e');
    size_t n = 0;
    for (const char *p = buf; p < e; p++)
        if (is_digit(*p))
            text[n++] = *p;
    while (n > 1 && text[n - 1] == '0')
        n--;
    text[n] = '\0';
    return (int)strtol(e + 1, NULL, 10);
}

/* value * 10^power, off by at most one rounding; power within the table. */
static double scale(double value, int power)
{
    return power < 0 ? value / powers[-power] : value * powers[power];
}

enum {
    FAST_DIGITS = 9,
    FAST_POWER = 22 /* the last power of ten that is an exact double */
};

/*
 * The same by one scaling, some ten times as fast: false where it could round otherwise
 * than the exact way.  The scaled value is below 1e9 and off by at most 2^-53 of itself,
 * 1.2e-7; only a fraction nearer to one half than that may round to either side.
 */
static bool significant_fast(char text[24], double value, int digits, int *exponent)
{
    const double doubt = 1e-6, log10_2 = 0.30102999566398120;
    int binary;
    frexp(value, &binary);
    int e = (int)floor((binary - 1) * log10_2); /* the exponent, or one below it */
    if (digits > FAST_DIGITS || abs(digits - 1 - e) >= FAST_POWER)
        return false;
    double scaled = scale(value, digits - 1 - e);
    if (scaled >= powers[digits])
        scaled = scale(value, digits - 1 - ++e);
    double whole = floor(scaled), fraction = scaled - whole;
    if (fabs(fraction - 0.5) < doubt)
        return false;
    uint32_t number = (uint32_t)whole + (fraction > 0.5);
    if (number >= (uint32_t)powers[digits]) { /* 999999.7 */
        number /= 10;
        e++;
    }
    int n = digits;
    for (; n > 1 && number % 10 == 0; n--)
        number /= 10;
    text[n] = '\0';
    for (int i = n - 1; i >= 0; i--, number /= 10)
        text[i] = (char)('0' + number % 10);
    *exponent = e;
    return true;
}

static int significant(char text[24], double value, int digits)
{
    int exponent;
    if (significant_fast(text, value, digits, &exponent))
        return exponent;
    return significant_exact(text, value, digits);
}

static char *put_exponent(char *p, int exponent)
{
    int size = snprintf(p, 8, "e%s%02d", exponent < 0 ? "-" : "+", abs(exponent));
    return p + size;
}

/* Lay out the digits with point or exponent, as %g does. */
static size_t layout(char *buf, const char *text, int exponent, int digits, bool negative)
{
    char *p = buf;
    int n = (int)strlen(text);
    if (negative)
        *p++ = '-';
    if (exponent < -4 || exponent >= (digits > 15 ? digits : 15)) {
        *p++ = text[0];
        if (n > 1) {
            *p++ = '.';
            memcpy(p, text + 1, (size_t)n - 1);
            p += n - 1;
        }
        p = put_exponent(p, exponent);
    } else if (exponent < 0) {
        *p++ = '0';
        *p++ = '.';
        for (int i = -1; i > exponent; i--)
            *p++ = '0';
        memcpy(p, text, (size_t)n);
        p += n;
    } else {
        for (int i = 0; i < n || i <= exponent; i++) {
            if (i == exponent + 1)
                *p++ = '.';
            *p++ = i < n ? text[i] : '0';
        }
    }
    *p = '\0';
    return (size_t)(p - buf);
}

size_t ridge__number_format(char *buf, double value, int digits)
{
    char text[24] = "";
    buf[0] = '\0';
    if (!isfinite(value))
        return 0;
    if (value == 0) {
        memcpy(buf, "0", 2);
        return 1;
    }
    int exponent = significant(text, fabs(value), digits);
    return layout(buf, text, exponent, digits, value < 0);
}

size_t ridge__number_format_scaled(char *buf, double value, int digits, int low, int high,
                                   int *power)
{
    char text[24] = "";
    *power = 0;
    if (!isfinite(value) || value == 0)
        return ridge__number_format(buf, value, digits);
    /* Rounded first and scaled then: 999.6 is 1.00e3, and belongs to the next prefix. */
    int exponent = significant(text, fabs(value), digits);
    int three = exponent >= 0 ? exponent / 3 * 3 : -((2 - exponent) / 3 * 3);
    *power = three < low ? low : three > high ? high : three;
    return layout(buf, text, exponent - *power, digits, value < 0);
}

size_t ridge__number_shortest(char *buf, double value)
{
    if (!isfinite(value)) {
        buf[0] = '\0';
        return 0;
    }
    /* Up to 15 digits survive in every normal double, so fewer need not be tried. */
    for (int digits = fabs(value) < DBL_MIN ? 1 : 15; digits < 17; digits++) {
        size_t size = ridge__number_format(buf, value, digits);
        double again = 0;
        const char *end;
        if (!ridge__number_parse(&again, buf + (buf[0] == '-'), &end) &&
            again == fabs(value))
            return size;
    }
    return ridge__number_format(buf, value, 17);
}
