#include "base/base.h"

#include <errno.h>
#include <locale.h>
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
            d->exponent += negative ? -e : e;
            p = q;
        }
    }
    d->end = p;
    return true;
}

/* strtod in the C locale, for the few numbers beyond the exact fast path. */
static double slow_parse(const char *text, const char *end)
{
    char buf[512];
    size_t n = (size_t)(end - text);
    if (n >= sizeof buf)
        n = sizeof buf -
            1; /* digits beyond 500 cannot change a double's value by an ulp */
    memcpy(buf, text, n);
    buf[n] = '\0';
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!c)
        return RIDGE_UNKNOWN;
    locale_t before = uselocale(c);
    double value = strtod(buf, NULL);
    uselocale(before);
    freelocale(c);
    return value;
}

static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

ridge_status ridge__number_parse(double *out, const char *text, const char **end)
{
    decimal d;
    if (!scan(&d, text))
        return RIDGE_SYNTAX;
    double value;
    /* Both operands are exact doubles, so the one rounding is the right one [Clinger1990]. */
    if (d.exact && d.mantissa < (uint64_t)1 << 53 && d.exponent >= -22 &&
        d.exponent <= 22)
        value = d.exponent < 0 ? (double)d.mantissa / powers[-d.exponent]
                               : (double)d.mantissa * powers[d.exponent];
    else
        value = slow_parse(text, d.end);
    if (!isfinite(value))
        return RIDGE_LIMIT;
    *out = value;
    *end = d.end;
    return RIDGE_OK;
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
    if (exponent < -5 || exponent >= (digits > 15 ? digits : 15)) {
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
    char text[24];
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

size_t ridge__number_shortest(char *buf, double value)
{
    if (!isfinite(value)) {
        buf[0] = '\0';
        return 0;
    }
    for (int digits = 15; digits < 17; digits++) {
        size_t size = ridge__number_format(buf, value, digits);
        double again = 0;
        const char *end;
        if (!ridge__number_parse(&again, buf + (buf[0] == '-'), &end) &&
            again == fabs(value))
            return size;
    }
    return ridge__number_format(buf, value, 17);
}
