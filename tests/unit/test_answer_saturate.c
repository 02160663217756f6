/* The size from which on a call can reach the peak: docs/model/saturate.md. */
#include "base/base.h"
#include "machine/machine.h"
#include "op/op.h"
#include "test.h"

#include <stdio.h>

/* h100-sxm at its device-read bandwidth; the link is NVLink, one way. */
static const double PEAK = 989.4e12, FP8_PEAK = 1978.9e12, DRAM = 3.352e12;

static ridge_machine hopper(double dram)
{
    ridge_machine m;
    memset(&m, 0, sizeof m);
    for (size_t i = 0; i < RIDGE_DTYPE_COUNT; i++) {
        for (size_t p = 0; p < RIDGE_PIPE_COUNT; p++)
            m.peak[i][p] = ridge__fact_unknown();
        m.peak_acc16[i] = ridge__fact_unknown();
    }
    m.peak[RIDGE_BF16][RIDGE_MATRIX].value = PEAK;
    m.peak[RIDGE_FP8][RIDGE_MATRIX].value = FP8_PEAK;
    m.peak[RIDGE_FP32][RIDGE_VECTOR].value = 66.9e12;
    m.dram.value = dram;
    m.link.value = 450e9;
    m.l2 = m.l2_capacity = m.dram_capacity = m.units = ridge__fact_unknown();
    m.clock_matrix_hz = m.clock_vector_hz = RIDGE_UNKNOWN;
    return m;
}

/* `words` of a call, not finished. */
static ridge_call read_call(const char *words)
{
    char op[32], key[32], value[32];
    ridge_call call;
    ridge_error err;
    int used = 0;
    assert_int_equal(sscanf(words, "%31s%n", op, &used), 1);
    assert_int_equal(ridge_call_init(&call, op, &err), RIDGE_OK);
    for (const char *p = words + used;
         sscanf(p, " %31[^=]=%31s%n", key, value, &used) == 2; p += used)
        if (ridge_call_set(&call, key, value, &err))
            fail_msg("%s=%s: %s", key, value, err.message);
    return call;
}

static ridge_status ask(ridge_saturation *out, const ridge_machine *machine,
                        const char *words, const char *key, double fraction,
                        ridge_error *err)
{
    ridge_call call = read_call(words);
    ridge_saturate q = {.key = {key}, .key_count = 1, .fraction = fraction};
    if (strcmp(key, "m,n,k") == 0)
        q = (ridge_saturate){
            .key = {"m", "n", "k"}, .key_count = 3, .fraction = fraction};
    return ridge_saturation_find(out, machine, &call, &q, err);
}

static ridge_saturation find(const ridge_machine *machine, const char *words,
                             const char *key, double fraction)
{
    ridge_saturation s;
    ridge_error err;
    if (ask(&s, machine, words, key, fraction, &err))
        fail_msg("%s solved for %s: %s", words, key, err.message);
    return s;
}

/*
 * r = P/B = 989.4/3.352 = 295.1671.
 * cube        N/3 = r                          N = 885.501
 * full        L/2 = r                          L = 590.334
 * causal      (L+1)/4 = r                      L = 1179.668
 * expert      m n k/(m k + k n + m n) = r      m = r/(1 - r/n - r/k)
 *             7168 x 4096: 332.860; 2048 x 7168: 362.303
 * fp8 > bf16  2 m n k/(m k + k n + 2 m n) = 2r' with 2r' = 1978.9/3.352 = 590.364:
 *             m = 590.364/(2 - 590.364/n - 2 x 590.364/k), n = 2048, k = 7168: 381.615;
 *             n = 7168, k = 4096: 362.325
 */
static const struct {
    const char *words, *key;
    double crossing, integer, integer_stated; /* at 3.352 and at 3.35 TB/s */
} known[] = {
    {"gemm dtype=bf16", "m,n,k", 885.5011933, 886, 887},
    {"attention heads_q=32 head_dim=128 dtype=bf16", "q_len", 590.3341289, 591, 591},
    {"attention heads_q=32 head_dim=128 causal=1 dtype=bf16", "q_len", 1179.6682577, 1180,
     1181},
    {"gemm n=7168 k=4096 dtype=bf16", "m", 332.8604150, 333, 334},
    {"gemm n=2048 k=7168 dtype=bf16", "m", 362.3028668, 363, 363},
    {"gemm n=7168 k=4096 dtype=fp8", "m", 362.3253407, 363, 363},
    {"gemm n=2048 k=7168 dtype=fp8", "m", 381.6150745, 382, 382},
};

static void thresholds_of_the_articles_corrected(void **state)
{
    (void)state;
    ridge_machine device = hopper(DRAM), stated = hopper(3.35e12);
    for (size_t i = 0; i < RIDGE__COUNT(known); i++) {
        ridge_saturation s = find(&device, known[i].words, known[i].key, 1);
        assert_close(s.crossing, known[i].crossing, 1e-9);
        assert_close(s.integer, known[i].integer, 0);
        assert_true(s.rising && !s.never && !s.already && !s.returns);
        assert_true(s.intensity >= s.target && s.next < s.target);
        assert_close(s.beside, known[i].integer - 1, 0);
        s = find(&stated, known[i].words, known[i].key, 1);
        assert_close(s.integer, known[i].integer_stated, 0);
    }
}

/* 0.9 r = 265.650: a cube of 796.951. */
static void a_fraction_of_the_peak(void **state)
{
    (void)state;
    ridge_machine m = hopper(DRAM);
    ridge_saturation s = find(&m, "gemm dtype=bf16", "m,n,k", 0.9);
    assert_close(s.crossing, 0.9 * 3 * PEAK / DRAM, 1e-12);
    assert_close(s.integer, 797, 0);
}

/* relu moves 8 bytes per FLOP of fp32: 0.125 at any size, 66.9/3.352 = 19.958 wanted. */
static void never_tells_the_limit(void **state)
{
    (void)state;
    ridge_machine m = hopper(DRAM);
    ridge_saturation s = find(&m, "relu rows=4096 dtype=fp32", "cols", 1);
    assert_true(s.never && !s.already);
    assert_false(ridge_known(s.crossing));
    assert_false(ridge_known(s.integer));
    assert_close(s.limit, 0.125, 1e-12);
    assert_close(s.intensity, 0.125, 1e-12);
    assert_close(s.target, 66.9 / 3.352, 1e-12);
    /* 32 query heads on 8: 4 FLOP/byte however long the cache is. */
    s = find(&m, "attention q_len=1 heads_q=32 heads_kv=8 head_dim=128 dtype=bf16",
             "kv_len", 1);
    assert_true(s.never);
    assert_close(s.limit, 4, 1e-9);
    /* m = 1: one FLOP per weight byte, b is all that grows. */
    s = find(&m, "gemm m=1 k=8192 dtype=bf16", "n", 1);
    assert_true(s.never);
    assert_close(s.limit, 8192.0 / 8193, 1e-9);
}

/* 1e12 FLOP stay right of the ridge up to 1e12/295.167 = 3387911865.8 bytes. */
static void falling_intensity_has_a_largest_size(void **state)
{
    (void)state;
    ridge_machine m = hopper(DRAM);
    ridge_saturation s = find(&m, "custom flop=1e12 dtype=bf16", "bytes", 1);
    assert_true(s.already && !s.rising && !s.never);
    assert_close(s.crossing, 1e12 / PEAK * DRAM, 1e-12);
    assert_close(s.integer, floor(1e12 / PEAK * DRAM), 0);
    assert_close(s.limit, 0, 0);
}

/* One row of 4096 x 4096: 0.9995 FLOP/byte, more than 0.9 of a ridge of 1. */
static void the_smallest_size_may_do(void **state)
{
    (void)state;
    ridge_machine m = hopper(PEAK); /* a ridge of 1 */
    ridge_saturation s = find(&m, "gemm n=4096 k=4096 dtype=bf16", "m", 0.9);
    assert_true(s.already && s.rising && !s.never);
    assert_false(ridge_known(s.crossing));
    assert_close(s.integer, 1, 0);
}

/*
 * heads_q counts in multiples of heads_kv = 8.  One query, L = 4096 keys, d = 128, 2 B:
 * h L/(h + 8 L) = 295.167, h = 8 L r/(L - r) = 2544.714; the next multiple is 2552.
 */
static void whole_sizes_are_those_that_the_op_accepts(void **state)
{
    (void)state;
    ridge_machine m = hopper(DRAM);
    ridge_saturation s =
        find(&m, "attention q_len=1 kv_len=4096 heads_kv=8 head_dim=128 dtype=bf16",
             "heads_q", 1);
    double r = PEAK / DRAM;
    assert_close(s.crossing, 8 * 4096 * r / (4096 - r), 1e-9);
    assert_close(s.integer, 2552, 0);
    assert_close(s.beside, 2544, 0);
}

/* With a warm L2 of 50 MiB at ten times the rate, small cubes need a tenth: 88.55; at a
 * footprint above 50 MiB the ridge of DRAM is passed long since. */
static void warm_takes_the_ridge_of_l2(void **state)
{
    (void)state;
    ridge_machine m = hopper(DRAM);
    m.warm = true;
    m.l2.value = 10 * DRAM;
    m.l2_capacity.value = 50.0 * 1024 * 1024;
    ridge_saturation s = find(&m, "gemm dtype=bf16", "m,n,k", 1);
    assert_close(s.crossing, 0.3 * PEAK / DRAM, 1e-12);
    assert_close(s.rate_bytes_per_s, 10 * DRAM, 0);
}

/* Ridges of 200 (L2) and 2000 (DRAM): a cube reaches them at 600 and at 6000, and at 2956
 * it has left an L2 of 50 MiB. */
static void a_second_crossing_is_told(void **state)
{
    (void)state;
    ridge_machine m = hopper(PEAK / 2000);
    m.warm = true;
    m.l2.value = PEAK / 200;
    m.l2_capacity.value = 50.0 * 1024 * 1024;
    ridge_saturation s = find(&m, "gemm dtype=bf16", "m,n,k", 1);
    assert_close(s.crossing, 600, 1e-12);
    assert_true(s.returns);
}

/*
 * Two GPUs that each multiply half of k and exchange partial sums: 2 m n k FLOP against
 * 2 m n bytes one way, k per GPU; 989.4e12/450e9 = 2198.667, so k = 2199, d = 4398.
 */
static void two_gpus_split_a_product(void **state)
{
    (void)state;
    ridge_machine machine = hopper(DRAM);
    ridge_call call = read_call("gemm m=4096 n=4096 dtype=bf16");
    ridge_saturate q = {.key = {"k"}, .key_count = 1, .fraction = 1, .link = true};
    ridge_saturation s;
    ridge_error err;
    assert_int_equal(ridge_saturate_wire(&q.wire, &call, "c", &err), RIDGE_OK);
    assert_int_equal(ridge_saturation_find(&s, &machine, &call, &q, &err), RIDGE_OK);
    assert_close(s.crossing, PEAK / 450e9, 1e-12);
    assert_close(2 * s.integer, 4398, 0);
    q.wire = 0;
    assert_int_equal(ridge_saturation_find(&s, &machine, &call, &q, &err), RIDGE_NODATA);
    assert_string_equal(err.message, "this gemm sends nothing over a link; --wire names "
                                     "operands that it is to send");
    assert_int_equal(ridge_saturate_wire(&q.wire, &call, "c,x", &err), RIDGE_NOTFOUND);
    assert_string_equal(err.message, "gemm has no operand \"x\"; it has a b c c_in");
    assert_int_equal(ridge_saturate_wire(&q.wire, &call, "", &err), RIDGE_INVALID);
}

static void what_cannot_be_solved_is_refused(void **state)
{
    static const struct {
        const char *words, *key;
        double fraction;
        ridge_status status;
        const char *says;
    } bad[] = {
        {"gemm n=1 k=1 dtype=bf16", "epilog", 1, RIDGE_NOTFOUND,
         "gemm has no parameter \"epilog\"; did you mean epilogue; `ridge op gemm` lists them"},
        {"gemm n=1 k=1 m=1", "dtype", 1, RIDGE_INVALID,
         "dtype is no number that can grow; a size is wanted"},
        {"gemm m=1 n=1 k=1 dtype=bf16", "m", 1, RIDGE_INVALID,
         "m is given too; leave m= out, or solve for another key"},
        {"gemm n=1 k=1 dtype=bf16", "m", 1.5, RIDGE_INVALID,
         "the fraction of the peak is to be above 0 and at most 1"},
        {"gemm n=1 dtype=bf16", "m", 1, RIDGE_INVALID,
         "gemm lacks k; as in: gemm m=4096 n=4096 k=4096 dtype=bf16"},
        {"gemm n=1 k=1 dtype=int8", "m", 1, RIDGE_NODATA,
         "the int8 peak of given is not known; give --peak int8=..."},
    };
    (void)state;
    ridge_machine m = hopper(DRAM);
    for (size_t i = 0; i < RIDGE__COUNT(bad); i++) {
        ridge_saturation s;
        ridge_error err;
        assert_int_equal(ask(&s, &m, bad[i].words, bad[i].key, bad[i].fraction, &err),
                         bad[i].status);
        assert_string_equal(err.message, bad[i].says);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(thresholds_of_the_articles_corrected),
        cmocka_unit_test(a_fraction_of_the_peak),
        cmocka_unit_test(never_tells_the_limit),
        cmocka_unit_test(falling_intensity_has_a_largest_size),
        cmocka_unit_test(the_smallest_size_may_do),
        cmocka_unit_test(whole_sizes_are_those_that_the_op_accepts),
        cmocka_unit_test(warm_takes_the_ridge_of_l2),
        cmocka_unit_test(a_second_crossing_is_told),
        cmocka_unit_test(two_gpus_split_a_product),
        cmocka_unit_test(what_cannot_be_solved_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
