/*
 * The spread of a fit: what holds 80 % of measured over expected, over all its rows and by
 * size.  Of n errors in order, a further one, as like them as they are to each other, lies
 * between two that stand m places apart with the chance m / (n + 1).  So low and high are the
 * two closest errors that stand 0.8 (n + 1) apart, with no tail above 16 %: errors of times
 * are skewed, a kernel can be much slower than thought and hardly faster, and two equal tails
 * would make the interval wider than it need be.
 */
#include "fit/fit.h"

#include <stdlib.h>

enum {
    FEW = 80,       /* fewer rows have no tails: they are taken from the median */
    BAND_ROWS = 60, /* of a band, at least */
    BANDS = RIDGE_FIT_BANDS_MAX
};
static const double APART = 1.2; /* expected times of neighbouring bands, at least */
static const double HELD = 0.8, TAIL = 0.16;
/* By how much narrower the most uneven tails must be: less is chance. */
static const double EVEN = 0.05;

static double quantile(const double *sorted, size_t n, double q)
{
    double at = q * (double)(n - 1);
    size_t i = (size_t)at;
    double part = at - (double)i;
    return i + 1 < n ? sorted[i] + part * (sorted[i + 1] - sorted[i]) : sorted[i];
}

bool ridge__fit_judge(ridge__fit_errors *out, const ridge__fit_sample *sample, size_t n)
{
    const double cap = 0.5;
    double *error = malloc((n + 1) * sizeof *error), sum = 0, capped = 0;
    *out = (ridge__fit_errors){n, RIDGE_UNKNOWN, RIDGE_UNKNOWN, RIDGE_UNKNOWN,
                               RIDGE_UNKNOWN};
    if (!error)
        return false;
    for (size_t i = 0; i < n; i++) {
        error[i] = fabs(exp(sample[i].error) - 1);
        sum += error[i];
        capped += error[i] < cap ? error[i] : cap;
    }
    ridge__sort_numbers(error, n);
    if (n > 0)
        *out = (ridge__fit_errors){.rows = n,
                                   .mape = sum / (double)n,
                                   .capped = capped / (double)n,
                                   .median = quantile(error, n, 0.5),
                                   .p90 = quantile(error, n, 0.9)};
    free(error);
    return true;
}

bool ridge__fit_better(const ridge__fit_errors *after, const ridge__fit_errors *before)
{
    return after->capped < before->capped &&
           (after->mape < before->mape || after->median < before->median);
}

/*
 * Of few errors: 80 % of Laplace's lie within 2.3 times their median size, of Gauss's within
 * 1.9, and the median of n is itself known to 1 / sqrt(n).  One outlier in five changes
 * nothing much, where the 90th percentile of twenty rows is one.
 */
static void spread_few(ridge_fit *fit, const ridge__fit_sample *s, size_t n, double wider,
                       double *scratch)
{
    const double tails = 2.1;
    for (size_t i = 0; i < n; i++)
        scratch[i] = fabs(s[i].error);
    ridge__sort_numbers(scratch, n);
    double half = wider * tails * quantile(scratch, n, 0.5) * (1 + 1 / sqrt((double)n));
    fit->low = ridge__max(exp(-half), RIDGE__SPREAD_LOW);
    fit->high = ridge__min(exp(half), RIDGE__SPREAD_HIGH);
    fit->band_count = 0;
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
    size_t apart = (size_t)ceil(HELD * (double)(n + 1)), at = 0;
    apart = apart < n ? apart : n - 1;
    size_t last = n - 1 - apart, tail = (size_t)(TAIL * (double)n);
    double least = HUGE_VAL;
    for (size_t i = last > tail ? last - tail : 0; i <= last && i <= tail; i++) {
        double width = ridge__max(scratch[i + apart], 0) - ridge__min(scratch[i], 0);
        width *= 1 + EVEN * fabs(2 * (double)i - (double)last) / ((double)last + 1);
        at = width < least ? i : at;
        least = ridge__min(width, least);
    }
    double low = ridge__min(exp(-wider * scratch[at + apart]), 1);
    double high = ridge__max(exp(-wider * scratch[at]), 1);
    return (ridge__fit_band){.at_s = s[n / 2].expected_s,
                             .low = ridge__max(low, RIDGE__SPREAD_LOW),
                             .high = ridge__min(high, RIDGE__SPREAD_HIGH)};
}

/*
 * Where a band ends that begins at `first` and should at `last`: calls of equal expected time
 * (a framework's, all as long as its own part) stay in one, since they are in order of their
 * errors and a cut among them would make a band of the small ones.
 */
static size_t band_end(const ridge__fit_sample *s, size_t n, size_t first, size_t last)
{
    last = last < first ? first : last;
    while (last > 0 && last < n && s[last].expected_s == s[last - 1].expected_s)
        last++;
    return last;
}

bool ridge__fit_spread_make(ridge_fit *fit, ridge__fit_sample *s, size_t n, double wider)
{
    if (n == 0)
        return true;
    double *scratch = malloc(n * sizeof *scratch);
    if (!scratch)
        return false;
    if (n < FEW) {
        spread_few(fit, s, n, wider, scratch);
        free(scratch);
        return true;
    }
    qsort(s, n, sizeof *s, by_size);
    const ridge__fit_band all = band_of(s, n, wider, scratch);
    fit->low = all.low;
    fit->high = all.high;
    size_t bands = n / BAND_ROWS < BANDS ? n / BAND_ROWS : BANDS;
    fit->band_count = 0;
    size_t first = 0, last;
    for (size_t i = 0; bands > 1 && i < bands; i++, first = last) {
        last = band_end(s, n, first, (i + 1) * n / bands);
        if (last - first < BAND_ROWS / 2) { /* they go with the next */
            last = first;
            continue;
        }
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
