/* Percentiles of errors: their place, bands by size, and what the next row meets. */
#include "fit/fit.h"

#include "random.h"
#include "test.h"

/* Nine errors of 1 to 9 %, one of them a factor of 90: the median is 5 %, and 80 % lie within
 * 2.1 x 0.05 x (1 + 1/3) = 0.14 either way. */
static void few_errors_go_by_their_median(void **state)
{
    (void)state;
    ridge_fit fit = {.band_count = 2};
    ridge__fit_sample s[9];
    for (int i = 0; i < 9; i++)
        s[i] = (ridge__fit_sample){1e-6 * (9 - i), i == 8 ? 4.5 : 0.01 * (i + 1)};
    assert_true(ridge__fit_spread_make(&fit, s, 9, 1));
    assert_close(fit.low, exp(-0.14), 1e-12);
    assert_close(fit.high, exp(0.14), 1e-12);
    assert_int_equal(fit.band_count, 0);
    assert_true(ridge__fit_spread_make(&fit, s, 9, 2));
    assert_close(fit.high, exp(0.28), 1e-12);
}

/* Rows in another unit than their header says: the spread is wide, and a file holds it. */
static void absurd_rows_have_a_spread_that_reads(void **state)
{
    (void)state;
    ridge_fit fit = {.low = RIDGE_UNKNOWN};
    ridge__fit_sample s[200];
    for (int i = 0; i < 200; i++)
        s[i] = (ridge__fit_sample){1e-6 * (1 + i), i % 2 ? 300 : -300};
    for (size_t n = 20; n <= 200; n += 180) {
        assert_true(ridge__fit_spread_make(&fit, s, n, 1));
        assert_close(fit.low, 0.01, 0);
        assert_close(fit.high, 100, 0);
    }
    assert_int_equal(fit.band_count, 3);
    for (size_t i = 0; i < fit.band_count; i++) {
        assert_close(fit.band[i].low, 0.01, 0);
        assert_close(fit.band[i].high, 100, 0);
    }
}

/* An interval holds the expectation, even where all rows are faster. */
static void intervals_hold_the_expectation(void **state)
{
    (void)state;
    ridge_fit fit = {.low = RIDGE_UNKNOWN};
    ridge__fit_sample s[100];
    for (int i = 0; i < 100; i++)
        s[i] = (ridge__fit_sample){1e-6, 0.5 + 0.001 * i};
    assert_true(ridge__fit_spread_make(&fit, s, 100, 1));
    assert_close(fit.high, 1, 0);
}

/* 180 calls of one expected time, with errors of -9 to 9 %, and 80 longer ones of 1 %: a
 * band of the equal calls alone holds all their errors, not the fifth with the least. */
static void equal_calls_stay_in_one_band(void **state)
{
    (void)state;
    ridge_fit fit = {.low = RIDGE_UNKNOWN};
    ridge__fit_sample s[260];
    for (int i = 0; i < 260; i++)
        s[i] = i < 180 ? (ridge__fit_sample){1e-6, 0.001 * (i - 90)}
                       : (ridge__fit_sample){1e-5 + 1e-7 * i, i % 2 ? 0.01 : -0.01};
    assert_true(ridge__fit_spread_make(&fit, s, 260, 1));
    assert_int_equal(fit.band_count, 2);
    assert_true(fit.band[0].low < 0.94 && fit.band[0].low > 0.91);
    assert_true(fit.band[0].high > 1.06 && fit.band[0].high < 1.1);
    assert_true(fit.band[1].low > 0.98);
}

/* Errors of 10 %, 20 % and a factor of 3: mean 0.767, with none above 0.5 counted 0.267. */
static void errors_are_judged(void **state)
{
    (void)state;
    ridge__fit_errors e;
    const ridge__fit_sample s[] = {{1, log(0.8)}, {1, log(3)}, {1, log(1.1)}};
    assert_true(ridge__fit_judge(&e, s, 3));
    assert_int_equal(e.rows, 3);
    assert_close(e.mape, 2.3 / 3, 1e-12);
    assert_close(e.capped, 0.8 / 3, 1e-12);
    assert_close(e.median, 0.2, 1e-12);
    assert_true(ridge__fit_judge(&e, s, 0));
    assert_false(ridge_known(e.median));
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
            double decade = 3 * random_uniform(&seed);
            s[i].expected_s = 1e-6 * pow(10, decade);
            s[i].error = 0.4 * pow(0.5, decade) * (2 * random_uniform(&seed) - 1);
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
    assert_int_equal(fit.band_count, RIDGE_FIT_BANDS_MAX);
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

/* Neither a few outliers nor the mean of capped errors alone makes constants better. */
static void better_is_told_by_two_figures(void **state)
{
    (void)state;
    const ridge__fit_errors was = {40, 2.724, 0.235, 4, 0.3101};
    static const struct {
        ridge__fit_errors is;
        bool better;
    } cases[] = {
        {{40, 3.285, 0.236, 4, 0.3100}, false}, /* the rest rises */
        {{40, 2.724, 0.235, 4, 0.3101}, false}, /* nothing changes */
        {{40, 2.5, 0.2, 4, 0.32}, false},
        {{40, 3.285, 0.20, 4, 0.25}, true}, /* one outlier lies further off */
        {{40, 1.5, 0.24, 4, 0.25}, true},
    };
    for (size_t i = 0; i < RIDGE__COUNT(cases); i++)
        assert_int_equal(ridge__fit_better(&cases[i].is, &was), cases[i].better);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(better_is_told_by_two_figures),
        cmocka_unit_test(few_errors_go_by_their_median),
        cmocka_unit_test(absurd_rows_have_a_spread_that_reads),
        cmocka_unit_test(intervals_hold_the_expectation),
        cmocka_unit_test(equal_calls_stay_in_one_band),
        cmocka_unit_test(errors_are_judged),
        cmocka_unit_test(the_closest_two_are_taken),
        cmocka_unit_test(bands_hold_at_each_size),
        cmocka_unit_test(one_size_has_no_bands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
