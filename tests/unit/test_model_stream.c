/* The stream form on a made-up machine and fit, so that each number can be done by hand.
 * docs/model/stream.md prints the first example. */
#include "model_calls.h"

/* 100 SMs at 1 GHz, 1 TB/s; 50 MB of L2 at 4 TB/s; 10 TFLOP/s. */
static ridge_machine plain_machine(void)
{
    ridge_machine m = made_up_machine(100, 0);
    m.l2.value = 4e12;
    m.l2_capacity.value = 50e6;
    return m;
}

static ridge_fit plain_fit(void)
{
    ridge_fit fit = made_up_fit(RIDGE_FIT_STREAM);
    fit.c[RIDGE_STREAM_LAUNCH_GRAPH_C] = 1e-6;
    fit.c[RIDGE_STREAM_LAUNCH_STREAM_C] = 2e-6;
    fit.c[RIDGE_STREAM_LAUNCH_EAGER_C] = 20e-6;
    fit.c[RIDGE_STREAM_FIXED_C] = 3e-6;
    fit.c[RIDGE_STREAM_DRAM_SHARE_C] = 0.8;
    return fit;
}

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

/* 2048 elements a CTA of 256 threads: 2048 / 256 = 8 CTAs on each of 100 SMs.  One takes
 * 0.5 us and 8192 B / (8.192 B/cycle x 1 GHz) = 1 us, whatever the other SMs do.  The bytes
 * take 8192 B / 0.8 TB/s = 10.24 ns beside it. */
static void one_cta_is_slow(void **state)
{
    (void)state;
    ridge_machine machine = plain_machine();
    ridge_fit fit = plain_fit();
    fit.c[RIDGE_STREAM_CTA_ELEMENTS_C] = 2048;
    fit.c[RIDGE_STREAM_THREADS_C] = 256;
    fit.c[RIDGE_STREAM_CTA_FIXED_C] = 0.5e-6;
    fit.c[RIDGE_STREAM_CTA_RATE_C] = 8.192;
    ridge_call call = CALL("copy", {"elements", "2048"}, {"dtype", "bf16"});
    ridge_estimate e = estimate(&machine, &fit, &call, false);
    assert_string_equal(e.term[1].name, "ctas");
    assert_close(e.term[1].demand, 1, 0);
    assert_close(e.term[1].time_s, 1.5e-6, 1e-9);
    assert_close(e.body_s,
                 3e-6 + cbrt(1.5 * 1.5 * 1.5 + 1.024e-2 * 1.024e-2 * 1.024e-2) * 1e-6,
                 1e-9);
    call = CALL("copy", {"elements", "1638400"}, {"dtype", "bf16"}); /* all 800 at once */
    assert_close(estimate(&machine, &fit, &call, false).term[1].time_s, 1.5e-6, 1e-9);
    call = CALL("copy", {"elements", "1640448"}, {"dtype", "bf16"}); /* one more */
    assert_close(estimate(&machine, &fit, &call, false).term[1].time_s, 3e-6, 1e-9);
    fit.c[RIDGE_STREAM_GRID_MAX_C] = 800; /* then each moves 8202.24 B */
    assert_close(estimate(&machine, &fit, &call, false).term[1].time_s, 1.50125e-6, 1e-9);
    /* From DRAM alone a CTA takes 0.6 times longer over its bytes. */
    fit.c[RIDGE_STREAM_GRID_MAX_C] = RIDGE_UNKNOWN;
    fit.c[RIDGE_STREAM_CTA_MISS_C] = 0.6;
    call = CALL("copy", {"elements", "2048"}, {"dtype", "bf16"});
    assert_close(estimate(&machine, &fit, &call, false).term[1].time_s, 2.1e-6, 1e-9);
}

/* Rows of 1024 threads: 2 on each of 100 SMs.  500 rows are 2.5 waves: half a wave more
 * after two lasts as a quarter, (3 - 2.5) / 2: 2.75 times 1 us.  200 rows are one wave. */
static void waves_of_rows(void **state)
{
    (void)state;
    ridge_machine machine = plain_machine();
    ridge_fit fit = plain_fit();
    fit.c[RIDGE_STREAM_THREADS_C] = 1024;
    fit.c[RIDGE_STREAM_CTA_FIXED_C] = 1e-6;
    static const struct {
        const char *rows;
        double time_s;
    } cases[] = {{"1", 1e-6},   {"200", 1e-6},    {"201", 2e-6},
                 {"400", 2e-6}, {"500", 2.75e-6}, {"600", 3e-6}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ridge_call call =
            CALL("silu", {"rows", cases[i].rows}, {"cols", "4096"}, {"dtype", "bf16"});
        assert_close(estimate(&machine, &fit, &call, false).term[1].time_s,
                     cases[i].time_s, 1e-9);
    }
}

/* 1e6 rows of 10: 1e6 x 0.1 us / 100 SMs are 1 ms to launch, 40 MB are 50 us to move:
 * (1^3 + 0.05^3)^(1/3) = 1.0000416649 ms. */
static void many_short_rows_are_launched(void **state)
{
    (void)state;
    ridge_machine machine = plain_machine();
    ridge_fit fit = plain_fit();
    fit.c[RIDGE_STREAM_CTA_ISSUE_C] = 0.1e-6;
    ridge_call call =
        CALL("silu", {"rows", "1000000"}, {"cols", "10"}, {"dtype", "bf16"});
    ridge_estimate e = estimate(&machine, &fit, &call, false);
    assert_close(e.body_s, 3e-6 + 1.0000416649e-3, 1e-5);
    assert_string_equal(e.term[1].name, "ctas");
    assert_close(e.term[1].time_s, 1e-3, 1e-12);
}

/* 1000 rows of 1000 in bf16: 4000 B in and out of each, 4 MB.  A row twice as long as what
 * stays on chip: 1 + 0.5 / (1 + 0.5^8) = 1.49805 times the bytes; half as long, 1.00195. */
static void long_rows_are_read_again(void **state)
{
    (void)state;
    ridge_machine machine = plain_machine();
    ridge_fit fit = plain_fit();
    fit.c[RIDGE_STREAM_REREAD_C] = 0.5;
    fit.c[RIDGE_STREAM_ROW_HELD_C] = 2000;
    ridge_call call = CALL("silu", {"rows", "1000"}, {"cols", "1000"}, {"dtype", "bf16"});
    assert_close(estimate(&machine, &fit, &call, false).term[0].demand, 4e6 * 1.498054,
                 1e-6);
    fit.c[RIDGE_STREAM_ROW_HELD_C] = 8000;
    assert_close(estimate(&machine, &fit, &call, false).term[0].demand, 4e6 * 1.001946,
                 1e-6);
}

/* Kernels one after another: 1e8 elements of 400 MB are moved 5 times at 0.8 TB/s, 2.5 ms,
 * and cost 2 cycles each on 100 SMs at 1 GHz, 2 ms: 4.5 ms, in a row. */
static void kernels_in_a_row_add_up(void **state)
{
    (void)state;
    ridge_machine machine = plain_machine();
    ridge_fit fit = plain_fit();
    fit.c[RIDGE_STREAM_TRAFFIC_C] = 5;
    fit.c[RIDGE_STREAM_ELEMENT_CYCLES_C] = 2;
    fit.c[RIDGE_STREAM_OVERLAP_C] = 1;
    ridge_call call = CALL("copy", {"elements", "1e8"}, {"dtype", "bf16"});
    assert_close(estimate(&machine, &fit, &call, false).body_s, 3e-6 + 4.5e-3, 1e-9);
    fit.c[RIDGE_STREAM_OVERLAP_C] = RIDGE_UNKNOWN; /* (2.5^3 + 2^3)^(1/3) = 2.869397 */
    assert_close(estimate(&machine, &fit, &call, false).body_s, 3e-6 + 2.869397e-3, 1e-6);
}

/* A call of 20 us, 8 us of them before and after the kernel: a kernel of 5 us hides in it,
 * one of 503 us adds to the 8.  Data in L2 may beat a floor of 6 us, which then is what the
 * kernel is said to take. */
static void long_kernels_hide_the_call(void **state)
{
    (void)state;
    ridge_machine machine = plain_machine();
    ridge_fit fit = plain_fit();
    fit.c[RIDGE_STREAM_EAGER_OVER_C] = 8e-6;
    ridge_call call = CALL("copy", {"elements", "4e5"}, {"dtype", "bf16"});
    call.timing = RIDGE_TIMING_EAGER;
    assert_close(estimate(&machine, &fit, &call, false).launch_s, 15e-6, 1e-9);
    call = CALL("copy", {"elements", "1e8"}, {"dtype", "bf16"});
    call.timing = RIDGE_TIMING_EAGER;
    assert_close(estimate(&machine, &fit, &call, false).launch_s, 8e-6, 1e-9);
}

/* Fitted at 2 GHz, on a part of 1 GHz: 2 us of a graph's launch, 4 of a stream's, 6 fixed. */
static void fixed_times_follow_the_clock(void **state)
{
    (void)state;
    ridge_machine machine = plain_machine();
    ridge_fit fit = plain_fit();
    fit.c[RIDGE_STREAM_AT_CLOCK_C] = 2e9;
    ridge_call call = CALL("copy", {"elements", "1e8"}, {"dtype", "bf16"});
    ridge_estimate e = estimate(&machine, &fit, &call, false);
    assert_close(e.launch_s, 2e-6, 1e-12);
    assert_close(e.body_s, 506e-6, 1e-9);
    call.timing = RIDGE_TIMING_STREAM;
    assert_close(estimate(&machine, &fit, &call, false).launch_s, 4e-6, 1e-12);
    call.timing = RIDGE_TIMING_EAGER; /* the host's */
    assert_close(estimate(&machine, &fit, &call, false).launch_s, 20e-6, 1e-12);
}

/* A host that takes 45 us for what took 30 us where the constants are from: 1.5 times the
 * 20 and 8 us, beside 5 us of body in the first call, 503 in the second. */
static void calls_follow_the_host(void **state)
{
    (void)state;
    ridge_machine machine = plain_machine();
    ridge_fit fit = plain_fit();
    fit.c[RIDGE_STREAM_EAGER_OVER_C] = 8e-6;
    fit.c[RIDGE_STREAM_AT_HOST_C] = 30e-6;
    machine.host_call_s = 45e-6;
    ridge_call call = CALL("copy", {"elements", "4e5"}, {"dtype", "bf16"});
    call.timing = RIDGE_TIMING_EAGER;
    assert_close(estimate(&machine, &fit, &call, false).launch_s, 25e-6, 1e-9);
    call = CALL("copy", {"elements", "1e8"}, {"dtype", "bf16"});
    call.timing = RIDGE_TIMING_EAGER;
    assert_close(estimate(&machine, &fit, &call, false).launch_s, 12e-6, 1e-9);
    machine.host_call_s = RIDGE_UNKNOWN;
    assert_close(estimate(&machine, &fit, &call, false).launch_s, 8e-6, 1e-9);
    call.timing = RIDGE_TIMING_GRAPH;
    machine.host_call_s = 45e-6;
    assert_close(estimate(&machine, &fit, &call, false).launch_s, 1e-6, 1e-12);
}

/* A row of 4096 in and out at 8.192 B/cycle takes 2 us; the weights, which L2 holds for
 * all of them, do not make one row slower than many. */
static void one_row_does_not_carry_the_weights(void **state)
{
    (void)state;
    ridge_machine machine = plain_machine();
    ridge_fit fit = plain_fit();
    fit.c[RIDGE_STREAM_CTA_RATE_C] = 8.192;
    ridge_call call = CALL("rmsnorm", {"rows", "1"}, {"cols", "4096"}, {"dtype", "bf16"});
    ridge_estimate one = estimate(&machine, &fit, &call, false);
    assert_close(one.work.shared_bytes, 8192, 0);
    assert_close(one.term[1].time_s, 2e-6, 1e-12);
    call = CALL("rmsnorm", {"rows", "64"}, {"cols", "4096"}, {"dtype", "bf16"});
    ridge_estimate many = estimate(&machine, &fit, &call, false);
    assert_close(many.term[1].time_s, 2e-6, 1e-12);
    assert_true(one.body_s < many.body_s);
}

/* 3 states of 200 tokens on one SM that holds two CTAs of 1024 threads: 4 steps of 2 us and
 * 1 us are 9 us a CTA, and 1.5 waves count as 2. */
static void states_pass_from_chunk_to_chunk(void **state)
{
    (void)state;
    ridge_machine machine = plain_machine();
    ridge_fit fit = plain_fit();
    machine.units.value = 1;
    fit.c[RIDGE_STREAM_THREADS_C] = 1024;
    fit.c[RIDGE_STREAM_CTA_FIXED_C] = 1e-6;
    fit.c[RIDGE_STREAM_STEP_TIME_C] = 2e-6;
    ridge_call call = CALL("gated_delta_rule", {"batch", "3"}, {"seq_len", "200"},
                           {"k_heads", "1"}, {"k_dim", "8"});
    assert_close(estimate(&machine, &fit, &call, false).term[1].time_s, 18e-6, 1e-9);
}

/* 4 tokens of 2 heads: 4 x (5e9 + 2 x 1e9) FLOP at 10 TFLOP/s are 2.8 ms; the weights of
 * the heads, 2 x 1 GB at 1 TB/s, 2 ms. */
static void modules_have_products_beside(void **state)
{
    (void)state;
    ridge_machine machine = plain_machine();
    ridge_fit fit = plain_fit();
    fit.c[RIDGE_STREAM_HEAD_BYTES_C] = 1e9;
    fit.c[RIDGE_STREAM_TOKEN_FLOP_C] = 5e9;
    fit.c[RIDGE_STREAM_HEAD_FLOP_C] = 1e9;
    ridge_call call = CALL("hca", {"batch", "4"}, {"q_len", "1"}, {"kv_past", "127"},
                           {"heads", "2"}, {"dtype", "bf16"});
    ridge_estimate e = estimate(&machine, &fit, &call, false);
    assert_close(term_s(&e, "products beside"), 2.8e-3, 1e-9);
    assert_close(term_s(&e, "weights beside"), 2e-3, 1e-9);
}

/*
 * Two sequences, 4096 keys each, 2048 of them taken: 4096 pairs of 1 MFLOP and 8192 scored
 * of 0.1 MFLOP at 10 TFLOP/s are 409.6 + 81.92 us; 4096 keys in turn of 1 ns, 4.096 us.
 * Beside them 2 x 3 us for the sequences, and 5 us to quantise for products in fp8.
 */
static void sparse_attention_has_keys_beside(void **state)
{
    (void)state;
    ridge_machine machine = plain_machine();
    ridge_fit fit = plain_fit();
    fit.c[RIDGE_STREAM_TAKEN_FLOP_C] = 1e6;
    fit.c[RIDGE_STREAM_SCORED_FLOP_C] = 1e5;
    fit.c[RIDGE_STREAM_KEY_TIME_C] = 1e-9;
    fit.c[RIDGE_STREAM_SEQUENCE_FIXED_C] = 3e-6;
    fit.c[RIDGE_STREAM_QUANT_FIXED_C] = 5e-6;
    ridge_call call = CALL("dsa", {"batch", "2"}, {"q_len", "1"}, {"kv_past", "4095"},
                           {"heads", "2"}, {"dtype", "bf16"}, {"gemm_dtype", "fp8"});
    ridge_estimate e = estimate(&machine, &fit, &call, false);
    assert_close(term_s(&e, "keys beside"), 491.52e-6, 1e-12);
    assert_close(term_s(&e, "keys in turn"), 4.096e-6, 1e-12);
    assert_close(e.latency_s, 1e-6 + 3e-6 + 6e-6, 1e-12); /* this library does not */
    fit.c[RIDGE_STREAM_BESIDE_NARROW_C] = 1;
    e = estimate(&machine, &fit, &call, false);
    assert_close(e.latency_s, 1e-6 + 3e-6 + 6e-6 + 5e-6, 1e-12);
}

/* Weights of 2 heads, 1 GB each in bf16, are half of that in fp8: 1 ms; products run at the
 * peak of fp8: 2 tokens of 1 GFLOP at 20 TFLOP/s, 0.1 ms.  Keys stay with the kernel: 4096
 * pairs of 1 MFLOP at 10 TFLOP/s, 0.4096 ms. */
static void modules_heed_the_dtype_of_their_products(void **state)
{
    (void)state;
    ridge_machine machine = plain_machine();
    machine.peak[RIDGE_FP8][RIDGE_MATRIX].value = 2e13;
    machine.peak[RIDGE_FP8][RIDGE_VECTOR].value = RIDGE_UNKNOWN;
    ridge_fit fit = plain_fit();
    fit.c[RIDGE_STREAM_HEAD_BYTES_C] = 1e9;
    fit.c[RIDGE_STREAM_TOKEN_FLOP_C] = 1e9;
    fit.c[RIDGE_STREAM_TAKEN_FLOP_C] = 1e6;
    fit.c[RIDGE_STREAM_BESIDE_NARROW_C] = 1;
    ridge_call call = CALL("dsa", {"batch", "2"}, {"q_len", "1"}, {"kv_past", "4095"},
                           {"heads", "2"}, {"dtype", "bf16"}, {"gemm_dtype", "fp8"});
    ridge_estimate e = estimate(&machine, &fit, &call, false);
    assert_close(term_s(&e, "weights beside"), 1e-3, 1e-12);
    assert_close(term_s(&e, "products beside"), 1e-4, 1e-12);
    assert_close(term_s(&e, "keys beside"), 4.096e-4, 1e-12);
}

/* 4 x 4096 tokens, 32 heads, 128 x 128: 60.13 GFLOP; 100 units at 1 GHz that do 200 of them
 * in a cycle take 3.006 ms. */
static void scans_run_at_the_pace_of_units(void **state)
{
    (void)state;
    ridge_machine machine = plain_machine();
    ridge_fit fit = plain_fit();
    fit.c[RIDGE_STREAM_UNIT_FLOP_C] = 200;
    ridge_call call =
        CALL("gated_delta_rule", {"batch", "4"}, {"seq_len", "4096"}, {"k_heads", "16"},
             {"k_dim", "128"}, {"v_heads", "32"}, {"v_dim", "128"});
    ridge_estimate e = estimate(&machine, &fit, &call, false);
    assert_close(term_s(&e, "units"), 3.0064771e-3, 1e-7);
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
    machine.special_per_cycle = 32; /* as on B300 */
    assert_close(estimate(&machine, &fit, &call, false).term[1].time_s, 312.5e-6, 1e-12);
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
        cmocka_unit_test(one_cta_is_slow),
        cmocka_unit_test(waves_of_rows),
        cmocka_unit_test(many_short_rows_are_launched),
        cmocka_unit_test(long_rows_are_read_again),
        cmocka_unit_test(kernels_in_a_row_add_up),
        cmocka_unit_test(long_kernels_hide_the_call),
        cmocka_unit_test(fixed_times_follow_the_clock),
        cmocka_unit_test(calls_follow_the_host),
        cmocka_unit_test(one_row_does_not_carry_the_weights),
        cmocka_unit_test(states_pass_from_chunk_to_chunk),
        cmocka_unit_test(modules_have_products_beside),
        cmocka_unit_test(sparse_attention_has_keys_beside),
        cmocka_unit_test(modules_heed_the_dtype_of_their_products),
        cmocka_unit_test(scans_run_at_the_pace_of_units),
        cmocka_unit_test(exponentials_have_their_unit),
        cmocka_unit_test(custom_flop_run_at_a_share),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
