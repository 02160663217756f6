/* The stream form on a made-up machine and fit, so that each number can be done by hand.
 * docs/model/stream.md prints the first example. */
#include "base/base.h"
#include "model/model.h"
#include "test.h"

/* 100 SMs at 1 GHz, 1 TB/s; 50 MB of L2 at 4 TB/s; 10 TFLOP/s. */
static ridge_machine plain_machine(void)
{
    ridge_machine m;
    memset(&m, 0, sizeof m);
    m.units.value = 100;
    m.dram.value = 1e12;
    m.l2.value = 4e12;
    m.l2_capacity.value = 50e6;
    m.clock_matrix_hz = m.clock_vector_hz = 1e9;
    return m;
}

static ridge_fit plain_fit(void)
{
    ridge_fit fit = {.form = RIDGE_FIT_STREAM};
    for (int i = 0; i < RIDGE_FIT_CONSTANTS; i++)
        fit.c[i] = RIDGE_UNKNOWN;
    fit.c[RIDGE_STREAM_LAUNCH_GRAPH_C] = 1e-6;
    fit.c[RIDGE_STREAM_LAUNCH_STREAM_C] = 2e-6;
    fit.c[RIDGE_STREAM_LAUNCH_EAGER_C] = 20e-6;
    fit.c[RIDGE_STREAM_FIXED_C] = 3e-6;
    fit.c[RIDGE_STREAM_DRAM_SHARE_C] = 0.8;
    return fit;
}

static ridge_call call_of(const char *op, const char *const words[][2], size_t count)
{
    ridge_call call;
    ridge_error err = {0};
    assert_int_equal(ridge_call_init(&call, op, &err), RIDGE_OK);
    for (size_t i = 0; i < count; i++)
        if (ridge_call_set(&call, words[i][0], words[i][1], &err))
            fail_msg("%s=%s: %s", words[i][0], words[i][1], err.message);
    assert_int_equal(ridge_call_finish(&call, &err), RIDGE_OK);
    return call;
}
#define CALL(op, ...)                                  \
    call_of(op, (const char *const[][2]){__VA_ARGS__}, \
            sizeof(const char *const[][2]){__VA_ARGS__} / sizeof(const char *[2]))

static ridge_estimate estimate(const ridge_machine *machine, const ridge_fit *fit,
                               const ridge_call *call, bool resident)
{
    ridge_estimate e = {.peak_flop_per_s = 1e13,
                        .bandwidth_bytes_per_s =
                            resident ? machine->l2.value : machine->dram.value};
    assert_int_equal(ridge_op_count(&e.work, call, NULL), RIDGE_OK);
    ridge__form_input in = {machine, call, fit, resident, NULL};
    ridge__form_stream(&e, &in);
    return e;
}

/* 1e8 elements read and written in 2 B: 400 MB at 0.8 TB/s are 500 us; 3 us fixed. */
static void copy_by_hand(void **state)
{
    (void)state;
    ridge_machine machine = plain_machine();
    ridge_fit fit = plain_fit();
    ridge_call call = CALL("copy", {"elements", "1e8"}, {"dtype", "bf16"});
    ridge_estimate e = estimate(&machine, &fit, &call, false);
    assert_close(e.launch_s, 1e-6, 0);
    assert_close(e.latency_s, 4e-6, 1e-12);
    assert_close(e.body_s, 503e-6, 1e-9);
    assert_string_equal(e.term[0].name, "dram");
    assert_close(e.term[0].share, 0.8, 1e-12);
}

static void launch_follows_the_timing(void **state)
{
    (void)state;
    ridge_machine machine = plain_machine();
    ridge_fit fit = plain_fit();
    ridge_call call = CALL("copy", {"elements", "1e8"}, {"dtype", "bf16"});
    static const double launch_s[] = {1e-6, 0, 2e-6, 20e-6};
    for (int timing = 0; timing < RIDGE_TIMING_COUNT; timing++) {
        call.timing = (uint8_t)timing;
        ridge_estimate e = estimate(&machine, &fit, &call, false);
        assert_close(e.launch_s, launch_s[timing], 0);
        assert_close(e.body_s, 503e-6, 1e-9);
    }
}

/* Warm, all from L2: 4 MB at 0.8 x 4 TB/s are 1.25 us. */
static void warm_data_come_from_l2(void **state)
{
    (void)state;
    ridge_machine machine = plain_machine();
    ridge_fit fit = plain_fit();
    ridge_call call = CALL("copy", {"elements", "1e6"}, {"dtype", "bf16"});
    ridge_estimate e = estimate(&machine, &fit, &call, true);
    assert_close(e.body_s, 4.25e-6, 1e-9);
    assert_string_equal(e.term[0].name, "l2");
}

/* 25 MB where half of 50 MB holds data: half of the bytes miss.  At twice the rate from
 * L2 that is 1 / (0.5 + 0.5 / 2) = 4/3 of the rate: 25 MB / (0.8 x 4/3 TB/s). */
static void half_held_is_between(void **state)
{
    (void)state;
    ridge_machine machine = plain_machine();
    ridge_fit fit = plain_fit();
    fit.c[RIDGE_STREAM_L2_HOLD_C] = 0.5;
    fit.c[RIDGE_STREAM_L2_GAIN_C] = 2;
    ridge_call call = CALL("copy", {"elements", "6250000"}, {"dtype", "bf16"});
    ridge_estimate e = estimate(&machine, &fit, &call, false);
    assert_close(e.body_s, 3e-6 + 25e6 / (0.8e12 * 4 / 3), 1e-9);
    machine.l2_capacity.value = RIDGE_UNKNOWN; /* an unknown cache holds nothing */
    e = estimate(&machine, &fit, &call, false);
    assert_close(e.body_s, 3e-6 + 25e6 / 0.8e12, 1e-9);
}

/* 2048 elements are one CTA.  It pulls 2 x 1 TB/s / 100 SMs = 20 GB/s at 4 B an element:
 * 8192 B take 409.6 ns; at fp32 it pulls twice as many bytes in the same time. */
static void one_cta_pulls_little(void **state)
{
    (void)state;
    ridge_machine machine = plain_machine();
    ridge_fit fit = plain_fit();
    fit.c[RIDGE_STREAM_CTA_PULL_C] = 2;
    ridge_call call = CALL("copy", {"elements", "2048"}, {"dtype", "bf16"});
    assert_close(estimate(&machine, &fit, &call, false).body_s, 3.4096e-6, 1e-9);
    call = CALL("copy", {"elements", "2048"}, {"dtype", "fp32"});
    assert_close(estimate(&machine, &fit, &call, false).body_s, 3.4096e-6, 1e-9);
}

/* 1e6 rows of 10: 1e6 x 0.1 us / 100 SMs are 1 ms to schedule, 40 MB are 50 us to move:
 * (1^3 + 0.05^3)^(1/3) = 1.0000416649 ms. */
static void many_short_rows_are_scheduled(void **state)
{
    (void)state;
    ridge_machine machine = plain_machine();
    ridge_fit fit = plain_fit();
    fit.c[RIDGE_STREAM_ROW_TIME_C] = 0.1e-6;
    ridge_call call =
        CALL("silu", {"rows", "1000000"}, {"cols", "10"}, {"dtype", "bf16"});
    ridge_estimate e = estimate(&machine, &fit, &call, false);
    assert_close(e.body_s, 3e-6 + 1.0000416649e-3, 1e-5);
    assert_string_equal(e.term[1].name, "row scheduling");
    assert_close(e.term[1].time_s, 1e-3, 1e-12);
}

/* 1e9 exponentials at 16 a cycle, 100 SMs, 1 GHz: 1.6e12 a second, 625 us.  The 4 GB
 * take 5 ms: (5^3 + 0.625^3)^(1/3) = 5.003253 ms. */
static void exponentials_have_their_unit(void **state)
{
    (void)state;
    ridge_machine machine = plain_machine();
    ridge_fit fit = plain_fit();
    ridge_call call = CALL("exp", {"elements", "1e9"}, {"dtype", "bf16"});
    ridge_estimate e = estimate(&machine, &fit, &call, false);
    assert_close(e.term[1].time_s, 625e-6, 1e-12);
    assert_close(e.body_s, 3e-6 + 5.003253e-3, 1e-6);
}

/* 7 TFLOP at 0.7 x 10 TFLOP/s take 1 s; no bytes. */
static void custom_flop_run_at_a_share(void **state)
{
    (void)state;
    ridge_machine machine = plain_machine();
    ridge_fit fit = plain_fit();
    fit.c[RIDGE_STREAM_COMPUTE_SHARE_C] = 0.7;
    ridge_call call = CALL("custom", {"flop", "7e12"}, {"bytes", "0"}, {"dtype", "fp32"});
    assert_close(estimate(&machine, &fit, &call, false).body_s, 1 + 3e-6, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copy_by_hand),
        cmocka_unit_test(launch_follows_the_timing),
        cmocka_unit_test(warm_data_come_from_l2),
        cmocka_unit_test(half_held_is_between),
        cmocka_unit_test(one_cta_pulls_little),
        cmocka_unit_test(many_short_rows_are_scheduled),
        cmocka_unit_test(exponentials_have_their_unit),
        cmocka_unit_test(custom_flop_run_at_a_share),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
