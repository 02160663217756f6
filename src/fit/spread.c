/*
 * The spread of a fit: percentiles of measured over expected, over all its rows and by size.
 *
 * A percentile p of n errors is taken at the place p (n + 1), from one: of a further row, as
 * like the others as they are to each other, that share lies below it.  The usual place,
 * p (n - 1) + 1, holds the n rows themselves and too few of the next ones.
 */
#include "fit/fit.h"

#include <stdlib.h>

enum {
    BAND_ROWS = 80, /* of a band, at least */
    BANDS = 5
};
static const double APART = 1.25; /* expected times of neighbouring bands, at least */

static double quantile(const double *sorted, size_t n, double q)
{
    double at = q * (double)(n + 1) - 1;
    if (at <= 0)
        return sorted[0];
    size_t i = (size_t)at;
    return i + 1 < n ? sorted[i] + (at - (double)i) * (sorted[i + 1] - sorted[i])
                     : sorted[n - 1];
}

static int by_size(const void *a, const void *b)
{
    const ridge__fit_sample *x = a, *y = b;
    if (x->expected_s != y->expected_s)
        return x->expected_s < y->expected_s ? -1 : 1;
    return (x->error > y->error) - (x->error < y->error);
}

/* low and high of `n` samples; the middle of their expected times. */
static ridge__fit_band band_of(const ridge__fit_sample *s, size_t n, double wider,
                               double *scratch)
{
    for (size_t i = 0; i < n; i++)
        scratch[i] = s[i].error;
    ridge__sort_numbers(scratch, n);
    return (ridge__fit_band){
        .at_s = s[n / 2].expected_s,
        .low = ridge__min(exp(-wider * quantile(scratch, n, 0.9)), 1),
        .high = ridge__max(exp(-wider * quantile(scratch, n, 0.1)), 1)};
}

bool ridge__fit_spread_make(ridge_fit *fit, ridge__fit_sample *s, size_t n, double wider)
{
    if (n == 0)
        return true;
    double *scratch = malloc(n * sizeof *scratch);
    if (!scratch)
        return false;
    qsort(s, n, sizeof *s, by_size);
    const ridge__fit_band all = band_of(s, n, wider, scratch);
    fit->low = all.low;
    fit->high = all.high;
    size_t bands = n / BAND_ROWS < BANDS ? n / BAND_ROWS : BANDS;
    fit->band_count = 0;
    for (size_t i = 0; bands > 1 && i < bands; i++) {
        size_t first = i * n / bands, last = (i + 1) * n / bands;
        ridge__fit_band band = band_of(&s[first], last - first, wider, scratch);
        const ridge__fit_band *before =
            fit->band_count ? &fit->band[fit->band_count - 1] : NULL;
        if (!before || band.at_s >= APART * before->at_s)
            fit->band[fit->band_count++] = band;
    }
    if (fit->band_count == 1)
        fit->band_count = 0;
    ridge__fit_bands_widen(fit);
    free(scratch);
    return true;
}
