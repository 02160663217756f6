/* The grouped form on a made-up machine and fit, so that each number can be done by hand.
 * docs/model/moe.md prints the first example. */
#include "model_calls.h"

/* 100 SMs at 1 GHz, 1 TB/s; 50 MB of L2; 400 TFLOP/s. */
static ridge_machine plain_machine(void)
{
    ridge_machine m = made_up_machine(100, 0);
    m.l2.value = 4e12;
    m.l2_capacity.value = 50e6;
    return m;
}

static ridge_fit plain_fit(void)
{
    ridge_fit fit = made_up_fit(RIDGE_FIT_GROUPED);
    fit.c[RIDGE_GROUPED_C_LAUNCH_GRAPH] = 1e-6;
    fit.c[RIDGE_GROUPED_C_FIXED] = 20e-6;
    fit.c[RIDGE_GROUPED_C_MMA_SHARE] = 0.5;
    fit.c[RIDGE_GROUPED_C_DRAM_SHARE] = 0.8;
    fit.c[RIDGE_GROUPED_C_OVERLAP] = 1;
    fit.c[RIDGE_GROUPED_C_ROWS_BY] = 6; /* always the largest */
    fit.c[RIDGE_GROUPED_C_BLOCK_MAX] = 64;
    return fit;
}

static ridge_estimate estimate_call(const ridge_machine *machine, const ridge_fit *fit,
                                    const ridge_call *call)
{
    ridge_estimate e = {.peak_flop_per_s = 4e14, .bandwidth_bytes_per_s = 1e12};
    assert_int_equal(ridge_op_count(&e.work, call, NULL), RIDGE_OK);
    ridge__form_input in = {machine, call, fit, false, NULL};
    ridge__form_grouped(&e, &in);
    return e;
}

static ridge_estimate estimate(const ridge_machine *machine, const ridge_fit *fit,
                               const char *words)
{
    ridge_call call = model_call(words);
    return estimate_call(machine, fit, &call);
}

/* Groups of n = 4096 or 16384 and k = 1024; the call borrows the text of a list. */
static ridge_call groups_of(const char *m, const char *n)
{
    ridge_call call;
    assert_int_equal(ridge_call_init(&call, "grouped_gemm", NULL), RIDGE_OK);
    assert_int_equal(ridge_call_set(&call, "m", m, NULL), RIDGE_OK);
    assert_int_equal(ridge_call_set(&call, "n", n, NULL), RIDGE_OK);
    assert_int_equal(ridge_call_set(&call, "k", "1024", NULL), RIDGE_OK);
    assert_int_equal(ridge_call_set(&call, "dtype", "bf16", NULL), RIDGE_OK);
    assert_int_equal(ridge_call_finish(&call, NULL), RIDGE_OK);
    return call;
}

/* 16 experts of 1024 x 2048, each with 8192 x 2 / 16 = 1024 rows: 16 blocks of 64. */
static const char LAYER[] = "moe tokens=8192 hidden=1024 inter=2048 topk=2 experts=16 "
                            "dtype=bf16";

/*
 * Blocks: 256 of 64 rows.  An SM reaches 0.5 x 4 TFLOP/s.  Any number of columns does: 32
 * give the first product 128 x 256 ctas of 2 x 64 x 32 x 1024 / 2e12 = 2.097152 us, 687.19
 * us on 100 SMs; the second 32 x 256 of twice as long, 343.60 us.
 * Bytes: 16 x 4096 x 1024 x 2 of weights, 16384 x (1024 x 2 + 2 x 4096) of rows: 302 MB;
 * 16 x 1024 x 2048 x 2 + 16384 x (2048 x 2 + 2 x 1024) = 168 MB; at 0.8 TB/s 377.49 and
 * 209.72 us, added as overlap is 1.
 * Passes: 4 x 8192 x 1024 + 16384 x (2 x 3072 + 2 x 5120) = 302 MB at 1 TB/s: 301.99 us.
 */
static void layer_by_hand(void **state)
{
    (void)state;
    ridge_machine machine = plain_machine();
    ridge_fit fit = plain_fit();
    ridge_estimate e = estimate(&machine, &fit, LAYER);
    double compute = 128 * 256 / 100.0 * 2.097152e-6 + 32 * 256 / 100.0 * 4.194304e-6;
    double memory = (134217728 + 167772160 + 67108864 + 100663296) / 0.8e12;
    double passes = (33554432 + 268435456) / 1e12;
    assert_close(e.launch_s, 1e-6, 0);
    assert_close(e.latency_s, 21e-6, 1e-12);
    assert_close(e.body_s, 20e-6 + compute + memory + passes, 1e-9);
    assert_close(compute, 1030.79e-6, 1e-5);
    assert_close(memory, 587.2e-6, 1e-5);
}

/* One row of each of 16 experts fills a block of 64 like 64 of them do. */
static void blocks_are_filled_up(void **state)
{
    (void)state;
    ridge_machine machine = plain_machine();
    ridge_fit fit = plain_fit();
    ridge_estimate one = estimate(&machine, &fit,
                                  "moe tokens=8 hidden=1024 inter=2048 topk=2 experts=16 "
                                  "dtype=bf16");
    ridge_estimate full = estimate(&machine, &fit,
                                   "moe tokens=512 hidden=1024 inter=2048 topk=2 "
                                   "experts=16 dtype=bf16");
    ridge_estimate more = estimate(&machine, &fit,
                                   "moe tokens=520 hidden=1024 inter=2048 topk=2 "
                                   "experts=16 dtype=bf16");
    assert_string_equal(one.term[2].name, "blocks of rows");
    assert_close(one.term[2].time_s, full.term[2].time_s, 1e-12);
    assert_close(more.term[2].time_s, 2 * full.term[2].time_s, 1e-12);
    fit.c[RIDGE_GROUPED_C_ROWS_BY] = 3; /* the mean: 1 row, blocks of 8 */
    ridge_estimate small = estimate(&machine, &fit,
                                    "moe tokens=8 hidden=1024 inter=2048 topk=2 "
                                    "experts=16 dtype=bf16");
    assert_close(small.term[2].time_s, one.term[2].time_s / 8, 1e-12);
}

/*
 * Weights of 8.4 MB an expert that L2 cannot hold come again for each of 15 further blocks:
 * 16 x 15 x 1024 x 4096 x 2 and half of that, 3.02 GB at 0.8 TB/s.
 */
static void weights_come_again(void **state)
{
    (void)state;
    ridge_machine machine = plain_machine();
    ridge_fit fit = plain_fit();
    double before = estimate(&machine, &fit, LAYER).body_s;
    fit.c[RIDGE_GROUPED_C_REREAD] = 1;
    double again = 240 * 1024.0 * 4096 * 2 * 1.5;
    assert_close(estimate(&machine, &fit, LAYER).body_s - before, again / 0.8e12, 1e-9);
    fit.c[RIDGE_GROUPED_C_L2_HOLD] = 10; /* 500 MB hold an expert: they do not */
    assert_true(estimate(&machine, &fit, LAYER).body_s - before < 0.1e-6);
}

/* Instructions of one warp that reach half of the 2000 FLOP of an SM and cycle. */
static void warps_reach_so_much(void **state)
{
    (void)state;
    ridge_machine machine = plain_machine();
    ridge_fit fit = plain_fit();
    double before = estimate(&machine, &fit, LAYER).term[2].time_s;
    fit.c[RIDGE_GROUPED_C_WARP_FLOP] = 1000;
    assert_close(estimate(&machine, &fit, LAYER).term[2].time_s, 2 * before, 1e-12);
    fit.c[RIDGE_GROUPED_C_WARP_FLOP] = 3000;
    assert_close(estimate(&machine, &fit, LAYER).term[2].time_s, before, 1e-12);
}

/* A rank of four has a quarter of the rows, but kernels touch foreign ones as well. */
static void foreign_rows_are_passed_over(void **state)
{
    (void)state;
    ridge_machine machine = plain_machine();
    ridge_fit fit = plain_fit();
    const char words[] = "moe tokens=8192 hidden=1024 inter=2048 topk=2 experts=16 ep=4 "
                         "dtype=bf16";
    double before = estimate(&machine, &fit, words).body_s;
    fit.c[RIDGE_GROUPED_C_FOREIGN_ROWS] = 1;
    double rows = 12288.0 * (2 * 3072 + 2 * 5120) / 1e12;
    assert_close(estimate(&machine, &fit, words).body_s - before, rows, 1e-9);
}

/* Two shared experts see 2048 tokens of their own: as many experts more with 32 blocks. */
static void shared_experts_add_blocks(void **state)
{
    (void)state;
    ridge_machine machine = plain_machine();
    ridge_fit fit = plain_fit();
    const char words[] = "moe tokens=8192 hidden=1024 inter=2048 topk=2 experts=16 ep=4 "
                         "dtype=bf16";
    char with[128];
    snprintf(with, sizeof with, "%s shared_experts=2", words);
    double before = estimate(&machine, &fit, words).term[2].time_s;
    assert_close(estimate(&machine, &fit, with).term[2].time_s, before * (64 + 64) / 64,
                 1e-12);
}

/* Groups by themselves: the first product alone; unequal ones fill more blocks. */
static void groups_without_a_layer(void **state)
{
    (void)state;
    ridge_machine machine = plain_machine();
    ridge_fit fit = plain_fit();
    ridge_call call = groups_of("[1024x16]", "4096");
    ridge_estimate e = estimate_call(&machine, &fit, &call);
    double compute = 128 * 256 / 100.0 * 2.097152e-6;
    double memory = (134217728 + 167772160) / 0.8e12;
    assert_close(e.body_s, compute + memory, 1e-9);
    assert_close(e.latency_s, 1e-6, 0); /* no chain around it */
    ridge_estimate same = estimate(
        &machine, &fit, "grouped_gemm m=1024 groups=16 n=4096 k=1024 dtype=bf16");
    assert_close(same.body_s, e.body_s, 1e-12);
    /* 1, 1 and 130 rows are 1 + 1 + 3 blocks of 64, 44 each would be three. */
    call = groups_of("[1x2,130]", "16384");
    ridge_estimate uneven = estimate_call(&machine, &fit, &call);
    assert_close(uneven.term[2].time_s, 5 * 512 / 100.0 * 2.097152e-6, 1e-9);
}

/* 4,096 ranks of an expert each: most have no row, and one more makes none faster. */
static void more_rows_than_ranks_or_fewer(void **state)
{
    (void)state;
    model_machine m = model_machine_of("h100-sxm", NULL);
    double before_s = 0;
    for (int tokens = 1; tokens <= 4096; tokens *= 2) {
        char words[128];
        snprintf(words, sizeof words,
                 "moe tokens=%d hidden=4096 inter=2048 topk=8 experts=4096 ep=4096 "
                 "dtype=bf16",
                 tokens);
        ridge_estimate e = model_estimate(&m, words);
        assert_true(e.expected_s >= before_s);
        before_s = e.expected_s;
    }
    assert_true(before_s < 100e-6); /* an expert's 50 MB take 15 us */
    model_machine_clear(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layer_by_hand),
        cmocka_unit_test(blocks_are_filled_up),
        cmocka_unit_test(weights_come_again),
        cmocka_unit_test(warps_reach_so_much),
        cmocka_unit_test(foreign_rows_are_passed_over),
        cmocka_unit_test(shared_experts_add_blocks),
        cmocka_unit_test(groups_without_a_layer),
        cmocka_unit_test(more_rows_than_ranks_or_fewer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
