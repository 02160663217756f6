/* Percentiles of errors: their place, bands by size, and what the next row meets. */
#include "fit/fit.h"

#include "test.h"

/* Nine errors of -0.4 to 0.4: eight of ten places lie between the first and the last. */
static void percentiles_have_their_place(void **state)
{
    (void)state;
    ridge_fit fit = {.low = RIDGE_UNKNOWN};
    ridge__fit_sample s[9];
    for (int i = 0; i < 9; i++)
        s[i] = (ridge__fit_sample){1e-6 * (9 - i), 0.1 * (i - 4)};
    assert_true(ridge__fit_spread_make(&fit, s, 9, 1));
    assert_close(fit.low, exp(-0.4), 1e-12);
    assert_close(fit.high, exp(0.4), 1e-12);
    assert_int_equal(fit.band_count, 0);
    assert_true(ridge__fit_spread_make(&fit, s, 9, 2));
    assert_close(fit.high, exp(0.8), 1e-12);
    for (int i = 0; i < 9; i++) /* all too slow: an interval holds the expectation */
        s[i].error = 0.5;
    assert_true(ridge__fit_spread_make(&fit, s, 9, 1));
    assert_close(fit.high, 1, 0);
}

/* Ninety-nine errors, of which the slow ones lie far apart: of those that hold 80 of 100
 * places the two closest are the first and the 81st. */
static void the_closest_two_are_taken(void **state)
{
    (void)state;
    ridge_fit fit = {.low = RIDGE_UNKNOWN};
    ridge__fit_sample s[99];
    for (int i = 0; i < 99; i++)
        s[i] = (ridge__fit_sample){1e-6, i < 84 ? 0.001 * (i - 50) : 0.1 * (i - 80)};
    assert_true(ridge__fit_spread_make(&fit, s, 99, 1));
    assert_close(fit.high, exp(0.047), 1e-12); /* the fourth error: 3 below, 80 apart */
    assert_close(fit.low, exp(-0.033), 1e-12);
}

static uint64_t next(uint64_t *state) /* splitmix64 [Steele2014] */
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static double uniform(uint64_t *state)
{
    return (double)(next(state) >> 11) * 0x1p-53;
}

/* Errors that halve with each decade: bands follow, and hold 80 % of further rows at each
 * size, which one pair for all does not. */
static void bands_hold_at_each_size(void **state)
{
    (void)state;
    enum {
        ROWS = 2000
    };
    static ridge__fit_sample s[ROWS];
    ridge_fit fit = {.low = RIDGE_UNKNOWN};
    uint64_t seed = 3;
    for (int pass = 0; pass < 2; pass++) {
        unsigned inside[3] = {0}, plain[3] = {0}, rows[3] = {0};
        for (size_t i = 0; i < ROWS; i++) {
            double decade = 3 * uniform(&seed);
            s[i].expected_s = 1e-6 * pow(10, decade);
            s[i].error = 0.4 * pow(0.5, decade) * (2 * uniform(&seed) - 1);
            double low, high, ratio = exp(-s[i].error);
            if (pass == 0)
                continue;
            ridge__fit_spread(&fit, s[i].expected_s, &low, &high);
            rows[(int)decade]++;
            inside[(int)decade] += low <= ratio && ratio <= high;
            plain[(int)decade] += fit.low <= ratio && ratio <= fit.high;
        }
        if (pass == 0)
            assert_true(ridge__fit_spread_make(&fit, s, ROWS, 1));
        for (int d = 0; pass == 1 && d < 3; d++)
            assert_true(inside[d] > 0.74 * rows[d] && inside[d] < 0.88 * rows[d]);
        assert_true(pass == 0 || plain[0] < 0.65 * rows[0]);
        assert_true(pass == 0 || plain[2] > 0.95 * rows[2]);
    }
    assert_int_equal(fit.band_count, 5);
    assert_true(ridge__fit_bands_grow(&fit));
}

/* Rows of one size have no bands, whatever their number. */
static void one_size_has_no_bands(void **state)
{
    (void)state;
    ridge_fit fit = {.low = RIDGE_UNKNOWN};
    ridge__fit_sample s[500];
    for (int i = 0; i < 500; i++)
        s[i] = (ridge__fit_sample){1e-6, 0.001 * (i - 250)};
    assert_true(ridge__fit_spread_make(&fit, s, 500, 1));
    assert_int_equal(fit.band_count, 0);
    assert_true(ridge__fit_spread_make(&fit, s, 0, 1)); /* nothing changes nothing */
    assert_close(fit.low, exp(-0.2), 0.01);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(percentiles_have_their_place),
        cmocka_unit_test(the_closest_two_are_taken),
        cmocka_unit_test(bands_hold_at_each_size),
        cmocka_unit_test(one_size_has_no_bands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
