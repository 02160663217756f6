/* The attention forms on a made-up machine and fit, so that each number can be done by
 * hand.  docs/model/attention.md prints the first two examples. */
#include "model_calls.h"

#include <stdlib.h>

/* 128 SMs, 1280 TFLOP/s: 10 TFLOP/s an SM.  1 TB/s.  No cache. */
static ridge_machine plain_machine(void)
{
    ridge_machine m = made_up_machine(128, 1280e12);
    for (int p = 0; p < RIDGE_PIPE_COUNT; p++)
        m.peak[RIDGE_FP8][p].value = 2560e12;
    return m;
}

/* Tiles of 128 x 128; 0.512 of the peak: 512 FLOP of a score take 0.1 ns on an SM. */
static ridge_fit plain_fit(ridge__fit_form form)
{
    ridge_fit fit = made_up_fit(form);
    fit.c[RIDGE_ATTENTION_LAUNCH_GRAPH] = 1e-6;
    fit.c[RIDGE_ATTENTION_LAUNCH_STREAM] = 2e-6;
    fit.c[RIDGE_ATTENTION_LAUNCH_EAGER] = 20e-6;
    fit.c[RIDGE_ATTENTION_TILE_Q] = 128;
    fit.c[RIDGE_ATTENTION_TILE_KV] = 128;
    fit.c[RIDGE_ATTENTION_MMA_SHARE] = 0.512;
    fit.c[RIDGE_ATTENTION_STEP_FIXED] = 0;
    fit.c[RIDGE_ATTENTION_STEP_RATE] = 1e11;
    return fit;
}

static ridge_estimate estimate(const ridge_machine *machine, const ridge_fit *fit,
                               const ridge_call *call)
{
    ridge_estimate e = {.peak_flop_per_s = 1280e12};
    assert_int_equal(ridge_op_count(&e.work, call, NULL), RIDGE_OK);
    ridge__form_input in = {machine, call, fit, false, NULL};
    ridge__form_attention(&e, &in);
    return e;
}

/*
 * 32 rows of tiles with 1, 2, ..., 32 tiles: 528 a head, 32 heads.  A tile takes 128 x 128
 * x 0.1 ns = 1.6384 us: all of them 16896 x 1.6384 us / 128 SMs = 216.2688 us, the longest
 * CTA 32 x 1.6384 = 52.4288 us; (216.2688^4 + 52.4288^4)^(1/4) = 216.4553 us.
 * Q and O 67.108864 MB and K and V 16.777216 MB: 83.88608 us at 1 TB/s.  The append reads
 * and writes 33.554432 MB: 33.554432 us.
 * Body: 33.554 + (216.4553^1.5 + 83.88608^1.5)^(2/3) = 33.5544 + 250.0017 us.
 */
static void prefill_by_hand(void **state)
{
    (void)state;
    ridge_machine machine = plain_machine();
    ridge_fit fit = plain_fit(RIDGE_FIT_PREFILL);
    ridge_call call =
        CALL("attention", {"q_len", "4096"}, {"heads_q", "32"}, {"heads_kv", "8"},
             {"head_dim", "128"}, {"causal", "1"}, {"dtype", "bf16"});
    ridge_estimate e = estimate(&machine, &fit, &call);
    assert_close(term_s(&e, "tile loop"), 216.4553e-6, 1e-6);
    assert_close(term_s(&e, "q, k, v, o streams"), 83.88608e-6, 1e-9);
    assert_close(term_s(&e, "kv append"), 33.554432e-6, 1e-9);
    assert_close(e.body_s, 283.5562e-6, 1e-6);
    assert_close(e.launch_s, 1e-6, 0);
    assert_close(e.plan.ctas, 1024, 0);
    assert_close(e.plan.waves, 8, 0);
}

/* Without overlap the times of loop and streams add up: 33.5544 + 216.4553 + 83.8861. */
static void loop_and_streams_overlap_as_fitted(void **state)
{
    (void)state;
    ridge_machine machine = plain_machine();
    ridge_fit fit = plain_fit(RIDGE_FIT_PREFILL);
    ridge_call call =
        CALL("attention", {"q_len", "4096"}, {"heads_q", "32"}, {"heads_kv", "8"},
             {"head_dim", "128"}, {"causal", "1"}, {"dtype", "bf16"});
    fit.c[RIDGE_ATTENTION_OVERLAP] = 1;
    assert_close(estimate(&machine, &fit, &call).body_s, 333.8958e-6, 1e-6);
    fit.c[RIDGE_ATTENTION_OVERLAP] = 1.5; /* what stands for an unknown one */
    assert_close(estimate(&machine, &fit, &call).body_s, 283.5562e-6, 1e-6);
}

/*
 * 39.0625 B a cycle on 128 SMs at 1 GHz are 5 TB/s, which gains 5 over 1 TB/s; 83.88608 MB in an L2 that holds
 * as much: half misses, a byte takes 0.5 + 0.5 / 5 = 0.6 of its time.  The footprint counts
 * the append too: 117.440512 MB, and so many bytes of L2.
 */
static void cached_bytes_take_the_rate_of_l2(void **state)
{
    (void)state;
    ridge_machine machine = plain_machine();
    machine.l2_capacity.value = 117440512;
    ridge_fit fit = plain_fit(RIDGE_FIT_PREFILL);
    ridge_call call =
        CALL("attention", {"q_len", "4096"}, {"heads_q", "32"}, {"heads_kv", "8"},
             {"head_dim", "128"}, {"causal", "1"}, {"dtype", "bf16"});
    fit.c[RIDGE_ATTENTION_L2_HOLD] = 1;
    fit.c[RIDGE_ATTENTION_L2_FEED] = 39.0625;
    ridge_estimate e = estimate(&machine, &fit, &call);
    assert_close(term_s(&e, "q, k, v, o streams"), 0.6 * 83.88608e-6, 1e-9);
    fit.c[RIDGE_ATTENTION_L2_FEED] = 3.9; /* never slower than DRAM */
    e = estimate(&machine, &fit, &call);
    assert_close(term_s(&e, "q, k, v, o streams"), 83.88608e-6, 1e-9);
}

/* The floor is that of fp8, which the kernel may narrow Q to; the time here is bf16's. */
static void a_narrow_cache_lowers_the_floor_alone(void **state)
{
    (void)state;
    ridge_machine machine = plain_machine();
    ridge_fit fit = plain_fit(RIDGE_FIT_PREFILL);
    ridge_call wide =
        CALL("attention", {"q_len", "4096"}, {"heads_q", "32"}, {"heads_kv", "8"},
             {"head_dim", "128"}, {"causal", "1"}, {"dtype", "bf16"});
    ridge_call narrow = CALL("attention", {"q_len", "4096"}, {"heads_q", "32"},
                             {"heads_kv", "8"}, {"head_dim", "128"}, {"causal", "1"},
                             {"dtype", "bf16"}, {"kv_dtype", "fp8"});
    ridge_estimate plain = estimate(&machine, &fit, &wide);
    ridge_estimate e = {.peak_flop_per_s = 2560e12}; /* as the floor takes it */
    const ridge__form_input in = {&machine, &narrow, &fit, false, NULL};
    assert_int_equal(ridge_op_count(&e.work, &narrow, NULL), RIDGE_OK);
    assert_int_equal(e.work.fast_dtype, RIDGE_FP8);
    ridge__form_attention(&e, &in);
    assert_close(term_s(&e, "tile loop"), term_s(&plain, "tile loop"), 1e-12);
}

/* DRAM that answers after four times as long: what is fixed takes twice its time. */
static void fixed_times_follow_the_latency_of_dram(void **state)
{
    (void)state;
    const ridge__latency row = {.unit = RIDGE_UNIT_S, .figure = {.value = 400e-9}};
    ridge_machine machine = plain_machine();
    machine.atom[RIDGE_ATOM_DRAM].row = &row;
    ridge_fit fit = plain_fit(RIDGE_FIT_DECODE);
    ridge_call call =
        CALL("attention", {"q_len", "1"}, {"kv_len", "4096"}, {"heads_q", "32"},
             {"heads_kv", "8"}, {"head_dim", "128"}, {"batch", "16"}, {"dtype", "bf16"});
    double plain = estimate(&machine, &fit, &call).body_s;
    fit.c[RIDGE_ATTENTION_FIXED] = 5e-6;
    assert_close(estimate(&machine, &fit, &call).body_s, plain + 5e-6, 1e-12);
    fit.c[RIDGE_ATTENTION_AT_LATENCY] = 100e-9;
    assert_close(estimate(&machine, &fit, &call).body_s, plain + 10e-6, 1e-12);
    machine.atom[RIDGE_ATOM_DRAM].row = NULL; /* unknown: as fitted */
    assert_close(estimate(&machine, &fit, &call).body_s, plain + 5e-6, 1e-12);
}

/* A kernel that masks what is outside the window, but walks over it, takes all its time. */
static void a_window_may_save_nothing(void **state)
{
    (void)state;
    ridge_machine machine = plain_machine();
    ridge_fit fit = plain_fit(RIDGE_FIT_PREFILL);
    ridge_call call =
        CALL("attention", {"q_len", "4096"}, {"heads_q", "32"}, {"heads_kv", "8"},
             {"head_dim", "128"}, {"window", "128"}, {"dtype", "bf16"});
    assert_true(estimate(&machine, &fit, &call).body_s < 200e-6);
    fit.c[RIDGE_ATTENTION_WALK_ALL] = 1;
    assert_close(estimate(&machine, &fit, &call).body_s, 283.5562e-6, 1e-6);
}

/*
 * 16 sequences x 8 KV heads are 128 CTAs, one an SM; 4096 keys are 32 steps of 128 keys x
 * 256 x 2 B = 65536 B, 0.65536 us each at 100 GB/s: 20.97152 us, which is both the evenly
 * shared and the longest time: 2^(1/4) x 20.97152 = 24.93948 us.
 * The cache is 16 x 8 x 4096 x 256 x 2 B = 268.435456 MB, Q and O 0.262144 MB:
 * 268.6976 us at 1 TB/s; the append 0.131072 us.
 * Body: 0.131072 + (24.93948^2.5 + 268.6976^2.5)^(1/2.5) = 0.131072 + 268.9795 us.
 */
static void decode_by_hand(void **state)
{
    (void)state;
    ridge_machine machine = plain_machine();
    ridge_fit fit = plain_fit(RIDGE_FIT_DECODE);
    ridge_call call = CALL("attention", {"batch", "16"}, {"q_len", "1"},
                           {"kv_len", "4096"}, {"heads_q", "32"}, {"heads_kv", "8"},
                           {"head_dim", "128"}, {"causal", "1"}, {"dtype", "bf16"});
    ridge_estimate e = estimate(&machine, &fit, &call);
    assert_close(term_s(&e, "kv steps of an SM"), 24.93948e-6, 1e-6);
    assert_close(term_s(&e, "kv stream"), 268.6976e-6, 1e-9);
    assert_close(e.body_s, 269.1105e-6, 1e-6);
    assert_int_equal(e.plan.split, 1);
}

/* One sequence: 8 CTAs leave room for 128 / 8 = 16 parts of the 32 steps, 2 steps each; the merge writes and reads 8 B x 32 heads x 128 x 16 = 524288 B. */
static void few_sequences_are_split(void **state)
{
    (void)state;
    ridge_machine machine = plain_machine();
    ridge_fit fit = plain_fit(RIDGE_FIT_DECODE);
    fit.c[RIDGE_ATTENTION_SPLIT_MAX] = 64;
    fit.c[RIDGE_ATTENTION_SPLIT_STEPS] = 1;
    ridge_call call =
        CALL("attention", {"q_len", "1"}, {"kv_len", "4096"}, {"heads_q", "32"},
             {"heads_kv", "8"}, {"head_dim", "128"}, {"causal", "1"}, {"dtype", "bf16"});
    ridge_estimate e = estimate(&machine, &fit, &call);
    assert_int_equal(e.plan.split, 16);
    assert_close(e.plan.ctas, 128, 0);
    assert_close(term_s(&e, "split merge"), 0.524288e-6, 1e-9);
    fit.c[RIDGE_ATTENTION_SPLIT_STEPS] = 4; /* at least 4 steps each: 8 ways */
    assert_int_equal(estimate(&machine, &fit, &call).plan.split, 8);
    fit.c[RIDGE_ATTENTION_SPLIT_FIXED] = 1e-3; /* a merge that is not worth it */
    assert_int_equal(estimate(&machine, &fit, &call).plan.split, 1);
}

/* More sequences or more keys never take less time, whatever the split. */
static void more_work_never_takes_less_time(void **state)
{
    (void)state;
    ridge_machine machine = plain_machine();
    ridge_fit fit = plain_fit(RIDGE_FIT_DECODE);
    fit.c[RIDGE_ATTENTION_SPLIT_MAX] = 64;
    fit.c[RIDGE_ATTENTION_SPLIT_STEPS] = 3;
    fit.c[RIDGE_ATTENTION_SPLIT_FIXED] = 2e-6;
    fit.c[RIDGE_ATTENTION_CTA_FIXED] = 1e-6;
    ridge_call call = CALL("attention", {"batch", "1"}, {"q_len", "1"}, {"kv_len", "1"},
                           {"heads_q", "32"}, {"heads_kv", "8"}, {"head_dim", "128"},
                           {"causal", "1"}, {"dtype", "bf16"});
    double body_s[40];
    for (int b = 0; b < 40; b++) {
        double before_s = 0;
        for (int kv = 0; kv < 200; kv++) {
            call.arg[RIDGE_ATTN_BATCH] = b + 1;
            call.arg[RIDGE_ATTN_KV_LEN] = 1 + 57 * kv;
            double now_s = estimate(&machine, &fit, &call).body_s;
            assert_true(now_s >= before_s * (1 - 1e-12));
            before_s = now_s;
            if (kv % 5 == 0) {
                if (b > 0)
                    assert_true(now_s >= body_s[kv / 5] * (1 - 1e-12));
                body_s[kv / 5] = now_s;
            }
        }
    }
}

/* An fp8 cache is half the bytes; a window of 1024 keys a quarter of 4096. */
static void cache_bytes_follow_dtype_and_window(void **state)
{
    (void)state;
    ridge_machine machine = plain_machine();
    ridge_fit fit = plain_fit(RIDGE_FIT_DECODE);
    ridge_call call =
        CALL("attention", {"batch", "16"}, {"q_len", "1"}, {"kv_len", "4096"},
             {"heads_q", "32"}, {"heads_kv", "8"}, {"head_dim", "128"}, {"causal", "1"},
             {"dtype", "bf16"}, {"kv_dtype", "fp8"});
    ridge_estimate e = estimate(&machine, &fit, &call);
    assert_close(model_term(&e, "kv stream")->demand, 134217728 + 262144, 1e-12);
    call = CALL("attention", {"batch", "16"}, {"q_len", "1"}, {"kv_len", "4096"},
                {"heads_q", "32"}, {"heads_kv", "8"}, {"head_dim", "128"},
                {"causal", "1"}, {"dtype", "bf16"}, {"window", "1024"});
    e = estimate(&machine, &fit, &call);
    assert_close(model_term(&e, "kv stream")->demand, 268435456 / 4.0 + 262144, 1e-12);
}

/* A group of 4 query heads beyond group_max = 2 is decoded head by head: 4 x the CTAs. */
static void large_groups_are_decoded_by_head(void **state)
{
    (void)state;
    ridge_machine machine = plain_machine();
    ridge_fit fit = plain_fit(RIDGE_FIT_DECODE);
    ridge_call call = CALL("attention", {"batch", "16"}, {"q_len", "1"},
                           {"kv_len", "4096"}, {"heads_q", "32"}, {"heads_kv", "8"},
                           {"head_dim", "128"}, {"causal", "1"}, {"dtype", "bf16"});
    assert_close(estimate(&machine, &fit, &call).plan.ctas, 128, 0);
    fit.c[RIDGE_ATTENTION_GROUP_MAX] = 2;
    assert_close(estimate(&machine, &fit, &call).plan.ctas, 512, 0);
}

/* With fp8_math an fp8 cache is multiplied at the fp8 peak, here twice that of bf16. */
static void fp8_math_doubles_the_rate(void **state)
{
    (void)state;
    ridge_machine machine = plain_machine();
    ridge_fit fit = plain_fit(RIDGE_FIT_PREFILL);
    ridge_call call =
        CALL("attention", {"q_len", "4096"}, {"heads_q", "32"}, {"head_dim", "128"},
             {"causal", "1"}, {"dtype", "bf16"}, {"kv_dtype", "fp8"});
    ridge_estimate e = estimate(&machine, &fit, &call);
    fit.c[RIDGE_ATTENTION_FP8_MATH] = 1;
    ridge_estimate f = estimate(&machine, &fit, &call);
    assert_close(term_s(&f, "tile loop"), term_s(&e, "tile loop") / 2, 1e-12);
}

/* Tiles with a kept score, counted one by one; head 0 of a group of `group`. */
static double tiles_one_by_one(long q, long kv, long window, long group, long tile)
{
    double total = 0;
    long used = q < kv ? q : kv, before = kv > q ? kv - q : 0;
    for (long first = 0; first < used * group; first += tile) {
        long last = first + tile < used * group ? first + tile : used * group;
        long high = before + (last - 1) / group;
        long low = window ? before + first / group - window + 1 : 0;
        low = low < 0 ? 0 : low;
        total += (double)(high / tile - low / tile + 1);
    }
    return total;
}

/* A batch so large that the tail of a loop vanishes leaves the tiles alone in its time. */
static void tiles_match_a_count_one_by_one(void **state)
{
    (void)state;
    static const char *const lengths[] = {"17", "128", "129", "1000", "1537"};
    static const char *const windows[] = {"0", "1", "100", "128", "700"};
    ridge_machine machine = plain_machine();
    for (size_t i = 0; i < 5 * 5 * 5 * 2; i++) {
        const char *q = lengths[i % 5], *kv = lengths[i / 5 % 5];
        const char *window = windows[i / 25 % 5];
        bool pack = i >= 125;
        ridge_fit fit = plain_fit(RIDGE_FIT_PREFILL);
        fit.c[RIDGE_ATTENTION_PACK] = pack;
        ridge_call call =
            CALL("attention", {"batch", "1000000"}, {"q_len", q}, {"kv_len", kv},
                 {"heads_q", "3"}, {"heads_kv", "1"}, {"head_dim", "128"},
                 {"causal", "1"}, {"window", window}, {"dtype", "bf16"});
        ridge_estimate e = estimate(&machine, &fit, &call);
        long group = pack ? 3 : 1;
        double count = tiles_one_by_one(strtol(q, NULL, 10), strtol(kv, NULL, 10),
                                        strtol(window, NULL, 10), group, 128);
        double loop = 1e6 * 3 / (double)group * count * 1.6384e-6 / 128;
        assert_close(term_s(&e, "tile loop"), loop, 1e-9);
    }
}

static void longest_sequence_is_estimated(void **state)
{
    (void)state;
    ridge_machine machine = plain_machine();
    ridge_fit fit = plain_fit(RIDGE_FIT_PREFILL);
    ridge_call call = CALL("attention", {"q_len", "1000000000"}, {"heads_q", "1"},
                           {"head_dim", "128"}, {"causal", "1"}, {"dtype", "bf16"});
    ridge_estimate e = estimate(&machine, &fit, &call);
    /* 7812500 rows of tiles: n (n + 1) / 2 tiles of 1.6384 us on 128 SMs; and the longest
     * row of them, 7812500 x 1.6384 us, is nothing beside it. */
    assert_close(term_s(&e, "tile loop"), 7812500.0 * 7812501 / 2 * 1.6384e-6 / 128,
                 1e-9);
}

/* head_dim 64 is narrow, 96 narrow and no power of two, 192 wide and none, 256 wide. */
static void head_dims_have_factors(void **state)
{
    (void)state;
    static const struct {
        const char *dim;
        double factor;
    } cases[] = {{"64", 2}, {"96", 2 * 5}, {"128", 1}, {"192", 3 * 5}, {"256", 3}};
    ridge_machine machine = plain_machine();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ridge_call call =
            CALL("attention", {"q_len", "4096"}, {"heads_q", "32"},
                 {"head_dim", cases[i].dim}, {"causal", "1"}, {"dtype", "bf16"});
        ridge_fit fit = plain_fit(RIDGE_FIT_PREFILL);
        ridge_estimate plain = estimate(&machine, &fit, &call);
        fit.c[RIDGE_ATTENTION_NARROW] = 2;
        fit.c[RIDGE_ATTENTION_WIDE] = 3;
        fit.c[RIDGE_ATTENTION_ODD_DIM] = 5;
        ridge_estimate e = estimate(&machine, &fit, &call);
        assert_close(term_s(&e, "tile loop"),
                     cases[i].factor * term_s(&plain, "tile loop"), 1e-12);
    }
}

static void lengths_say_prefill_or_decode(void **state)
{
    (void)state;
    static const struct {
        const char *q, *kv;
        ridge__fit_form form;
    } cases[] = {
        {"1", "1", RIDGE_FIT_DECODE},    {"1", "4096", RIDGE_FIT_DECODE},
        {"8", "4096", RIDGE_FIT_DECODE}, {"8", "8", RIDGE_FIT_PREFILL},
        {"16", "17", RIDGE_FIT_DECODE},  {"17", "4096", RIDGE_FIT_PREFILL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ridge_call call =
            CALL("attention", {"q_len", cases[i].q}, {"kv_len", cases[i].kv},
                 {"heads_q", "8"}, {"head_dim", "128"}, {"dtype", "bf16"});
        assert_int_equal(ridge__attention_fit(&call), cases[i].form);
        call.backend = RIDGE_BACKEND_TRTLLM; /* prefills a prompt of one token */
        assert_int_equal(ridge__attention_fit(&call),
                         i == 0 ? RIDGE_FIT_PREFILL : cases[i].form);
    }
}

/* A fit without a tile says nothing: the body is unknown, not zero. */
static void missing_tile_is_unknown(void **state)
{
    (void)state;
    ridge_machine machine = plain_machine();
    ridge_fit fit = plain_fit(RIDGE_FIT_PREFILL);
    fit.c[RIDGE_ATTENTION_TILE_KV] = RIDGE_UNKNOWN;
    ridge_call call = CALL("attention", {"q_len", "4096"}, {"heads_q", "32"},
                           {"head_dim", "128"}, {"causal", "1"}, {"dtype", "bf16"});
    assert_false(ridge_known(estimate(&machine, &fit, &call).body_s));
    assert_int_equal(estimate(&machine, &fit, &call).plan.tile_n, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prefill_by_hand),
        cmocka_unit_test(loop_and_streams_overlap_as_fitted),
        cmocka_unit_test(a_window_may_save_nothing),
        cmocka_unit_test(cached_bytes_take_the_rate_of_l2),
        cmocka_unit_test(fixed_times_follow_the_latency_of_dram),
        cmocka_unit_test(a_narrow_cache_lowers_the_floor_alone),
        cmocka_unit_test(decode_by_hand),
        cmocka_unit_test(few_sequences_are_split),
        cmocka_unit_test(more_work_never_takes_less_time),
        cmocka_unit_test(cache_bytes_follow_dtype_and_window),
        cmocka_unit_test(large_groups_are_decoded_by_head),
        cmocka_unit_test(fp8_math_doubles_the_rate),
        cmocka_unit_test(tiles_match_a_count_one_by_one),
        cmocka_unit_test(longest_sequence_is_estimated),
        cmocka_unit_test(head_dims_have_factors),
        cmocka_unit_test(lengths_say_prefill_or_decode),
        cmocka_unit_test(missing_tile_is_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
