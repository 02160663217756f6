#include "base/base.h"
#include "machine/machine.h"
#include "test.h"

/* The teaching GPU's task: 10 GFLOP and 1 GB at 100 TFLOP/s and 1 TB/s. */
static ridge_estimate primer(void)
{
    ridge_estimate e = {.work = {.flop = 1e10, .bytes = 1e9, .dtype = RIDGE_DTYPE_COUNT},
                        .compute_s = 1e-4,
                        .memory_s = 1e-3,
                        .floor_s = 1e-3,
                        .l2_floor_s = 1e-3,
                        .launch_s = RIDGE_UNKNOWN,
                        .body_s = RIDGE_UNKNOWN,
                        .expected_s = RIDGE_UNKNOWN,
                        .peak_flop_per_s = 1e14,
                        .ceiling_flop_per_s = 1e13,
                        .bandwidth_bytes_per_s = 1e12,
                        .bound = RIDGE_BY_MEMORY};
    return e;
}

static ridge_measurement place(const ridge_estimate *e, const double *times, size_t count)
{
    static const ridge_machine machine; /* read for its clocks alone */
    ridge_measurement m;
    ridge_error err;
    assert_int_equal(
        ridge_measurement_place(&m, e, &machine, times, count, RIDGE_UNKNOWN, &err),
        RIDGE_OK);
    return m;
}

/* In 2 ms: 10 GFLOP / 2 ms = 5 TFLOP/s, half of the 10 TFLOP/s roof, 5 % of the peak;
 * 1 GB / 2 ms = 0.5 TB/s, half of the bandwidth. */
static void two_milliseconds_are_half_the_roof(void **state)
{
    (void)state;
    ridge_estimate e = primer();
    ridge_measurement m = place(&e, (double[]){2e-3}, 1);
    assert_close(m.achieved_flop_per_s, 5e12, 1e-12);
    assert_close(m.achieved_bytes_per_s, 5e11, 1e-12);
    assert_close(m.of_roof, 0.5, 1e-12);
    assert_close(m.of_peak, 0.05, 1e-12);
    assert_close(m.of_bandwidth, 0.5, 1e-12);
    assert_false(ridge_known(m.of_expected));
    assert_int_equal(m.verdict, RIDGE_VERDICT_MEMORY);
}

/* Sorted 1, 2, 4, 8 ms: the median is (2 + 4) / 2 = 3 ms. */
static void several_times_give_median_and_range(void **state)
{
    (void)state;
    ridge_estimate e = primer();
    ridge_measurement m = place(&e, (double[]){8e-3, 1e-3, 4e-3, 2e-3}, 4);
    assert_close(m.time_s, 3e-3, 1e-12);
    assert_close(m.min_s, 1e-3, 0);
    assert_close(m.max_s, 8e-3, 0);
}

static void below_a_floor_depends_on_l2(void **state)
{
    (void)state;
    ridge_estimate e = primer();
    ridge_measurement m = place(&e, (double[]){0.9e-3}, 1);
    assert_int_equal(m.verdict, RIDGE_VERDICT_BELOW_FLOOR);
    assert_int_equal(m.warnings, RIDGE_WARNING_BELOW_FLOOR);
    e.l2_floor_s = 0.5e-3;
    m = place(&e, (double[]){0.9e-3}, 1);
    assert_int_equal(m.verdict, RIDGE_VERDICT_L2_RESIDENT);
    assert_int_equal(m.warnings, RIDGE_WARNING_L2_RESIDENT);
    m = place(&e, (double[]){0.4e-3}, 1);
    assert_int_equal(m.verdict, RIDGE_VERDICT_BELOW_FLOOR);
    e.floor_s = e.l2_floor_s = RIDGE_UNKNOWN;
    m = place(&e, (double[]){0.4e-3}, 1);
    assert_int_equal(m.verdict, RIDGE_VERDICT_MEMORY);
}

/* 4352 lanes x 2 FLOP at 1.545 GHz are 13.44768 TFLOP/s.  15.87684 TFLOP/s are 1.18064 of
 * that: a clock of 1.545 x 1.18064 = 1.82409 GHz, more than a boost explains; 5 % are. */
static void rate_above_the_peak_implies_a_clock(void **state)
{
    (void)state;
    ridge_machine machine;
    memset(&machine, 0, sizeof machine);
    machine.peak_clock_hz[RIDGE_FP32][RIDGE_VECTOR] = 1.545e9;
    ridge_estimate e = primer();
    e.work.dtype = RIDGE_FP32;
    e.pipe = RIDGE_VECTOR;
    e.peak_flop_per_s = 13.44768e12;
    e.floor_s = e.l2_floor_s = 1e10 / 13.44768e12;
    ridge_measurement m;
    double time_s = 1e10 / 15.87684e12;
    assert_int_equal(
        ridge_measurement_place(&m, &e, &machine, &time_s, 1, RIDGE_UNKNOWN, NULL),
        RIDGE_OK);
    assert_close(m.implied_clock_hz, 1.82409e9, 3e-6);
    assert_int_equal(m.verdict, RIDGE_VERDICT_BELOW_FLOOR);
    assert_int_equal(m.warnings, RIDGE_WARNING_BELOW_FLOOR);
    time_s = e.floor_s / 1.05;
    assert_int_equal(
        ridge_measurement_place(&m, &e, &machine, &time_s, 1, RIDGE_UNKNOWN, NULL),
        RIDGE_OK);
    assert_int_equal(m.warnings,
                     RIDGE_WARNING_BELOW_FLOOR | RIDGE_WARNING_CLOCK_ABOVE_RATING);
}

/* min(100 TFLOP/s, I x 1 TB/s). */
static void attainable_at_five_intensities(void **state)
{
    (void)state;
    static const double intensity[] = {1, 10, 100, 200, 1000};
    static const double tflop_per_s[] = {1, 10, 100, 100, 100};
    for (size_t i = 0; i < RIDGE__COUNT(intensity); i++)
        assert_close(ridge_roofline(1e14, 1e12, intensity[i]), tflop_per_s[i] * 1e12,
                     1e-12);
}

static void not_a_number_is_refused(void **state)
{
    (void)state;
    static const ridge_machine machine;
    static const double bad[] = {(double)NAN, (double)INFINITY, -1e-3};
    ridge_estimate e = primer();
    ridge_measurement m;
    for (size_t i = 0; i < RIDGE__COUNT(bad); i++)
        assert_int_equal(ridge_measurement_place(&m, &e, &machine, &bad[i], 1, 0, NULL),
                         RIDGE_INVALID);
}

static void bad_times_are_refused(void **state)
{
    (void)state;
    static const ridge_machine machine;
    ridge_estimate e = primer();
    ridge_measurement m;
    const double times[] = {1e-3, 0};
    assert_int_equal(ridge_measurement_place(&m, &e, &machine, times, 2, 0, NULL),
                     RIDGE_INVALID);
    assert_int_equal(ridge_measurement_place(&m, &e, &machine, times, 0, 0, NULL),
                     RIDGE_INVALID);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_milliseconds_are_half_the_roof),
        cmocka_unit_test(several_times_give_median_and_range),
        cmocka_unit_test(below_a_floor_depends_on_l2),
        cmocka_unit_test(rate_above_the_peak_implies_a_clock),
        cmocka_unit_test(attainable_at_five_intensities),
        cmocka_unit_test(not_a_number_is_refused),
        cmocka_unit_test(bad_times_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
