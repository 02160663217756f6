/* How far measured times lie from expected ones, by the size of the call: `bands`. */
#include "hw/fit.h"

#include "base/base.h"

#include <stdlib.h>

/*
 * How fast low or high may fall with the expected time, as the ratio of their logarithms:
 * slower than the time grows, so that low_s and high_s grow with the call.  estimate.c adds
 * squares to theirs, which makes them fall slower, and at most 0.11 beyond the reach.
 */
static const double STEEPEST = 0.8;
/* And what is made, before it is rounded. */
static const double STEEPEST_MADE = 0.75;

enum { /* of a file */
    TIME_DIGITS = 3,
    SHARE_DIGITS = 4
};

/* ---- Reading ----------------------------------------------------------------------- */

static bool word_read(double *out, const char *text, size_t size, ridge_unit unit)
{
    char word[48];
    if (size == 0 || size >= sizeof word)
        return false;
    memcpy(word, text, size);
    word[size] = '\0';
    return ridge_quantity_parse(out, word, unit,
                                unit == RIDGE_UNIT_NONE ? 0
                                                        : RIDGE_QUANTITY_UNIT_REQUIRED,
                                NULL) == RIDGE_OK;
}

/* "12 us 0.84 1.31" */
bool ridge__fit_band_parse(ridge__fit_band *out, const char *text)
{
    const char *high = strrchr(text, ' ');
    const char *low = high;
    while (low && low > text && low[-1] != ' ')
        low--;
    if (!low || low <= text + 1)
        return false;
    return word_read(&out->at_s, text, (size_t)(low - 1 - text), RIDGE_UNIT_S) &&
           word_read(&out->low, low, (size_t)(high - low), RIDGE_UNIT_NONE) &&
           word_read(&out->high, high + 1, strlen(high + 1), RIDGE_UNIT_NONE) &&
           out->at_s > 0 && out->low >= RIDGE__SPREAD_LOW && out->low <= 1 &&
           out->high >= 1 && out->high <= RIDGE__SPREAD_HIGH;
}

/* True if a falls to b no faster than times may. */
static bool gentle(double a, double b, double ratio)
{
    return a - b <= STEEPEST * b * log(ratio);
}

bool ridge__fit_bands_grow(const ridge_fit *fit)
{
    for (size_t i = 0; i + 1 < fit->band_count; i++) {
        const ridge__fit_band *a = &fit->band[i], *b = &fit->band[i + 1];
        double ratio = b->at_s / a->at_s;
        if (!(ratio > 1) || !gentle(a->low, b->low, ratio) ||
            !gentle(a->high, b->high, ratio))
            return false;
    }
    return true;
}

/* To so many digits after the first, up or down, as a file has it. */
static double rounded(double x, int digits, bool up)
{
    double unit = pow(10, floor(log10(x)) - digits);
    double count = x / unit, near = nearbyint(count);
    if (fabs(count - near) < 1e-9 * count) /* it is such a number */
        return near * unit;
    return (up ? ceil(count) : floor(count)) * unit;
}

/*
 * As it will be read again: wider by what the digits leave out.  Of bands closer than that,
 * whose rounding alone could make them too steep, the first stays.
 */
static const double APART = 1.05;

static void bands_round(ridge_fit *fit)
{
    size_t count = 0;
    for (size_t i = 0; i < fit->band_count; i++) {
        ridge__fit_band b = fit->band[i];
        b.at_s = rounded(b.at_s, TIME_DIGITS - 1, true);
        if (count > 0 && !(b.at_s >= APART * fit->band[count - 1].at_s))
            continue;
        b.low = ridge__max(rounded(b.low, SHARE_DIGITS - 1, false), RIDGE__SPREAD_LOW);
        b.high = ridge__min(rounded(b.high, SHARE_DIGITS - 1, true), RIDGE__SPREAD_HIGH);
        fit->band[count++] = b;
    }
    fit->band_count = (uint8_t)count;
}

void ridge__fit_bands_widen(ridge_fit *fit)
{
    bands_round(fit);
    for (size_t i = fit->band_count; i-- > 1;) {
        ridge__fit_band *a = &fit->band[i - 1], *b = &fit->band[i];
        double most = b->low * (1 + STEEPEST_MADE * log(b->at_s / a->at_s));
        a->low = ridge__min(a->low, most);
    }
    for (size_t i = 1; i < fit->band_count; i++) {
        ridge__fit_band *a = &fit->band[i - 1], *b = &fit->band[i];
        double least = a->high / (1 + STEEPEST_MADE * log(b->at_s / a->at_s));
        b->high = ridge__max(b->high, least);
    }
    bands_round(fit);
}

/* ---- Use --------------------------------------------------------------------------- */

void ridge__fit_spread(const ridge_fit *fit, double expected_s, double *low, double *high)
{
    size_t i = 0;
    while (i < fit->band_count && fit->band[i].at_s < expected_s)
        i++;
    if (fit->band_count == 0) {
        *low = fit->low;
        *high = fit->high;
        return;
    }
    const ridge__fit_band *a = &fit->band[i > 0 ? i - 1 : 0];
    const ridge__fit_band *b = &fit->band[i < fit->band_count ? i : i - 1];
    double part = a == b ? 0 : log(expected_s / a->at_s) / log(b->at_s / a->at_s);
    *low = a->low + part * (b->low - a->low);
    *high = a->high + part * (b->high - a->high);
}

void ridge__fit_bands_write(ridge__str *out, const ridge_fit *fit)
{
    for (size_t i = 0; i < fit->band_count; i++) {
        char at[48], low[32], high[32];
        const ridge__fit_band *b = &fit->band[i];
        ridge__quantity_format(at, sizeof at, b->at_s, RIDGE_UNIT_S, TIME_DIGITS);
        ridge__number_format(low, b->low, SHARE_DIGITS);
        ridge__number_format(high, b->high, SHARE_DIGITS);
        ridge__str_format(out, "%s\"%s %s %s\"", i ? ", " : "", at, low, high);
    }
}
