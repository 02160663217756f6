/* How far measured times lie from expected ones, by the size of the call: `bands`. */
#include "hw/fit.h"

#include "base/base.h"

#include <stdlib.h>

/*
 * How fast low or high may fall with the expected time, as the ratio of their logarithms.
 * The widest interval of all raises them to the power 3.75 (2.5 x 1.5 of estimate.c); with a
 * quarter low_s and high_s still grow with the call.
 */
static const double STEEPEST = 0.25;
/* And what is made: the file rounds, to three digits of a time. */
static const double STEEPEST_MADE = 0.22;

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
    return a - b <= STEEPEST * b * log(ratio) * (1 + 1e-3); /* of rounding */
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

void ridge__fit_bands_widen(ridge_fit *fit)
{
    for (size_t i = fit->band_count; i-- > 1;) {
        ridge__fit_band *a = &fit->band[i - 1], *b = &fit->band[i];
        double most = b->low * (1 + STEEPEST_MADE * log(b->at_s / a->at_s));
        a->low = a->low < most ? a->low : most;
    }
    for (size_t i = 1; i < fit->band_count; i++) {
        ridge__fit_band *a = &fit->band[i - 1], *b = &fit->band[i];
        double least = a->high / (1 + STEEPEST_MADE * log(b->at_s / a->at_s));
        b->high = b->high > least ? b->high : least;
    }
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
    enum {
        DIGITS = 3
    };
    for (size_t i = 0; i < fit->band_count; i++) {
        char at[48], low[32], high[32];
        const ridge__fit_band *b = &fit->band[i];
        ridge__quantity_format(at, sizeof at, b->at_s, RIDGE_UNIT_S, DIGITS);
        ridge__number_format(low, b->low, DIGITS + 1);
        ridge__number_format(high, b->high, DIGITS + 1);
        ridge__str_format(out, "%s\"%s %s %s\"", i ? ", " : "", at, low, high);
    }
}
