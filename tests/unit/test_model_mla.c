/* Latent attention on a made-up machine and fit, each number done by hand; and what must
 * hold for the fitted ones. */
#include "model_calls.h"

#include <string.h>

/* 128 SMs of 10 TFLOP/s, 1 TB/s, no cache; 0.512 of the peak. */
static ridge_machine plain_machine(void)
{
    return made_up_machine(128, 1280e12);
}

static ridge_fit plain_fit(ridge__fit_form form)
{
    ridge_fit fit = made_up_fit(form);
    fit.c[RIDGE_ATTENTION_LAUNCH_GRAPH] = 1e-6;
    fit.c[RIDGE_ATTENTION_TILE_Q] = 64;
    fit.c[RIDGE_ATTENTION_TILE_KV] = 128;
    fit.c[RIDGE_ATTENTION_MMA_SHARE] = 0.512;
    fit.c[RIDGE_ATTENTION_STEP_FIXED] = 0;
    fit.c[RIDGE_ATTENTION_STEP_RATE] = 147.456e9; /* 128 x 576 x 2 B in 1 us */
    return fit;
}

static ridge_estimate run_on(const ridge_machine *machine, const char *words,
                             const ridge_fit *fit)
{
    ridge_call call = model_call(words);
    ridge_estimate e = {.peak_flop_per_s = 1280e12};
    assert_int_equal(ridge_op_count(&e.work, &call, NULL), RIDGE_OK);
    assert_int_equal(ridge__mla_fit(&call), fit->form);
    ridge__form_input in = {machine, &call, fit, false, NULL};
    ridge__form_mla(&e, &in);
    return e;
}

static ridge_estimate run(const char *words, const ridge_fit *fit)
{
    const ridge_machine machine = plain_machine();
    return run_on(&machine, words, fit);
}

/* 128 sequences of 1280 keys, 64 heads: 128 CTAs, one an SM, of 10 tiles. */
static void test_decode_by_hand(void **state)
{
    (void)state;
    ridge_fit fit = plain_fit(RIDGE_FIT_DECODE);
    ridge_estimate e = run("mla b=128 q_len=1 kv_len=1280 heads=64 dtype=bf16", &fit);
    /* Products of a tile: 2 x 64 x 128 x 1088 / 5.12e12 = 3.4816 us; the pull takes 1 us. */
    double step = pow(1 + pow(3.4816, 4), 0.25) * 1e-6, loop = pow(2, 0.25) * 10 * step;
    /* Evenly shared it is as long as the longest: the 4-norm of two equals. */
    assert_close(term_s(&e, "tile loop"), loop, 1e-12);
    /* 128 x 1280 x 576 x 2 B, and 128 x 64 x 1088 x 2 B of queries and results. */
    double stream = (188743680.0 + 17825792.0) / 1e12;
    assert_close(term_s(&e, "latent stream"), stream, 1e-12);
    double append = 128 * 576 * (2 + 2) / 1e12;
    assert_close(e.body_s, append + pow(pow(loop, 2.5) + pow(stream, 2.5), 1 / 2.5),
                 1e-12);
    assert_close(e.launch_s, 1e-6, 0);
}

/* 1 sequence: its keys are split as long as that is worth the merging. */
static void test_decode_split(void **state)
{
    (void)state;
    ridge_fit fit = plain_fit(RIDGE_FIT_DECODE);
    ridge_estimate whole = run("mla q_len=1 kv_len=12800 heads=64 dtype=bf16", &fit);
    fit.c[RIDGE_ATTENTION_SPLIT_MAX] = 256;
    fit.c[RIDGE_ATTENTION_SPLIT_FIXED] = 2e-6;
    ridge_estimate split = run("mla q_len=1 kv_len=12800 heads=64 dtype=bf16", &fit);
    /* A part costs 8 B x 64 x 512 at 1 TB/s = 0.262 us, a tile 3.488 us: 100 tiles in
     * sqrt(348.8 / 0.262) = 36.5 parts.  All SMs together take 100/128 of a tile. */
    double each = 8.0 * 64 * 512 / 1e12, step = pow(1 + pow(3.4816, 4), 0.25) * 1e-6;
    double count = sqrt(100 * step / each), even = 100.0 / 128;
    assert_close(count, 36.48, 1e-3);
    assert_close(
        term_s(&split, "tile loop") / term_s(&whole, "tile loop"),
        pow((pow(even, 4) + pow(100 / count, 4)) / (pow(even, 4) + pow(100, 4)), 0.25),
        1e-9);
    assert_close(term_s(&split, "fixed"), 2e-6 + each * count, 1e-12);
    /* A part that costs 10 us more is cut off sooner, and one of 1 ms not at all. */
    fit.c[RIDGE_ATTENTION_SPLIT_EACH] = 10e-6;
    ridge_estimate fewer = run("mla q_len=1 kv_len=12800 heads=64 dtype=bf16", &fit);
    assert_close(term_s(&fewer, "fixed"), 2e-6 + sqrt(100 * step * (each + 10e-6)), 1e-9);
    fit.c[RIDGE_ATTENTION_SPLIT_FIXED] = 1e-3;
    ridge_estimate none = run("mla q_len=1 kv_len=12800 heads=64 dtype=bf16", &fit);
    assert_close(none.body_s, whole.body_s, 1e-12);
    /* Triton cuts them into eight whatever they are: one tile is one step still. */
    fit.c[RIDGE_ATTENTION_SPLIT_ALWAYS] = 8;
    ridge_estimate always = run("mla q_len=1 kv_len=64 heads=64 dtype=bf16", &fit);
    assert_close(term_s(&always, "fixed"), 1e-3 + 8 * (each + 10e-6), 1e-12);
    assert_close(term_s(&always, "tile loop"), pow(pow(1 / 128.0, 4) + 1, 0.25) * step,
                 1e-12);
}

/* A cache of 8 bits that a pass widens is read in 8, written and read in 16. */
static void test_decode_convert(void **state)
{
    (void)state;
    static const char words[] = "mla b=4 q_len=1 kv_len=1280 heads=64 dtype=bf16 "
                                "kv_dtype=fp8";
    ridge_fit fit = plain_fit(RIDGE_FIT_DECODE);
    ridge_estimate direct = run(words, &fit);
    assert_null(find_term(&direct, "passes before it"));
    fit.c[RIDGE_ATTENTION_CONVERT_SHARE] = 0.25;
    ridge_estimate e = run(words, &fit);
    double elements = 4 * 1280 * 576;
    assert_close(term_s(&e, "passes before it"), elements * 3 / 0.25e12, 1e-12);
    assert_close(term_s(&e, "latent stream") - term_s(&direct, "latent stream"),
                 elements / 1e12, 1e-9);
}

/* 512 queries of 16 heads: 8 rows of tiles, 131328 / 8192 + 8 x 64/128/2 tiles a head. */
static void test_prefill_by_hand(void **state)
{
    (void)state;
    ridge_fit fit = plain_fit(RIDGE_FIT_PREFILL);
    ridge_estimate e = run("mla q_len=512 heads=16 dtype=bf16", &fit);
    double step = 64 * 128 * (2 * 320 / 5.12e12);
    double even = 16 * (131328.0 / 8192 + 2) * step / 128, longest = 4 * step;
    assert_close(term_s(&e, "tile loop"), pow(pow(even, 4) + pow(longest, 4), 0.25),
                 1e-12);
    double stream = 2.0 * 512 * 16 * 640 / 1e12, append = 512 * 576 * 4 / 1e12;
    assert_close(e.body_s,
                 append +
                     pow(pow(term_s(&e, "tile loop"), 1.5) + pow(stream, 1.5), 1 / 1.5),
                 1e-12);
}

/* What the pass before a prompt moves, and a CTA that has its SM for itself. */
static void test_prefill_passes(void **state)
{
    (void)state;
    ridge_fit fit = plain_fit(RIDGE_FIT_PREFILL);
    fit.c[RIDGE_ATTENTION_ROTATE_SHARE] = 0.5;
    ridge_estimate e = run("mla q_len=512 heads=16 dtype=bf16", &fit);
    assert_close(term_s(&e, "passes before it"), 512 * 16 * 192 * 4 / 0.5e12, 1e-12);
    fit.c[RIDGE_ATTENTION_FP8_MATH] = 1;
    e = run("mla q_len=512 heads=16 dtype=bf16 kv_dtype=fp8", &fit);
    /* Queries, keys and values of all heads from 16 to 8 bits. */
    assert_close(term_s(&e, "passes before it"), 512 * 16 * 512 * 3 / 0.5e12, 1e-12);
    /* A part without fp8 products that borrows them does nothing in 8 bits. */
    ridge_machine older = plain_machine();
    for (int p = 0; p < RIDGE_PIPE_COUNT; p++)
        older.peak[RIDGE_FP8][p].value = RIDGE_UNKNOWN;
    e = run_on(&older, "mla q_len=512 heads=16 dtype=bf16 kv_dtype=fp8", &fit);
    assert_close(term_s(&e, "passes before it"), 512 * 16 * 192 * 4 / 0.5e12, 1e-12);
    /* 1 head of 512 queries: four steps of the last CTA, three times as long. */
    fit = plain_fit(RIDGE_FIT_PREFILL);
    double step = 64 * 128 * (2 * 320 / 5.12e12);
    double even = (131328.0 / 8192 + 2) * step / 128;
    fit.c[RIDGE_ATTENTION_LONE] = 3;
    fit.c[RIDGE_ATTENTION_MASKED_TILE] = 1.5; /* half a tile more in each of 8 rows */
    e = run("mla q_len=512 heads=1 dtype=bf16", &fit);
    assert_close(term_s(&e, "tile loop"),
                 pow(pow(even + 4 * step / 128, 4) + pow((12 + 0.5) * step, 4), 0.25),
                 1e-12);
}

/* A prompt in the latent space: 1088 elements a score, the heads packed into a tile. */
static void test_prefill_absorbed(void **state)
{
    (void)state;
    ridge_fit fit = plain_fit(RIDGE_FIT_PREFILL);
    fit.c[RIDGE_ATTENTION_ABSORBED] = fit.c[RIDGE_ATTENTION_PACK] = 1;
    ridge_estimate e = run("mla q_len=512 heads=16 dtype=bf16", &fit);
    /* 128 rows of tiles of 4 queries x 16 heads; half a tile is 2/128 of the keys. */
    double step = 64 * 128 * (2 * 1088 / 5.12e12), longest = 4 * step;
    double tiles = 131328.0 * 16 / 8192 + 128 * 4.0 / 128 / 2, even = tiles * step / 128;
    assert_close(term_s(&e, "tile loop"), pow(pow(even, 4) + pow(longest, 4), 0.25),
                 1e-12);
    assert_close(term_s(&e, "q, k, v, o streams"), 2.0 * 512 * (16 * 1088 + 576) / 1e12,
                 1e-12);
}

/* A CTA alone takes so many cycles for a step, whatever the peak: 10 steps of 2 us. */
static void test_decode_lone(void **state)
{
    (void)state;
    ridge_fit fit = plain_fit(RIDGE_FIT_DECODE);
    fit.c[RIDGE_ATTENTION_LONE_CYCLES] = 2000;
    ridge_estimate e = run("mla q_len=1 kv_len=1280 heads=64 dtype=bf16", &fit);
    double even = 10 * pow(1 + pow(3.4816, 4), 0.25) * 1e-6 / 128;
    assert_close(term_s(&e, "tile loop"), pow(pow(even, 4) + pow(20e-6, 4), 0.25), 1e-12);
}

/* Loads answer in 251 ns on L40S: constants of 390 ns take the root, pulls the ratio. */
static void test_decode_latency(void **state)
{
    (void)state;
    model_machine m = model_machine_of("l40s", NULL);
    ridge_fit fit = plain_fit(RIDGE_FIT_DECODE);
    fit.c[RIDGE_ATTENTION_FIXED] = 3e-6;
    fit.c[RIDGE_ATTENTION_MMA_SHARE] = 1.2; /* the pull is what a step takes */
    fit.c[RIDGE_ATTENTION_STEP_FIXED] = 100e-6;
    double latency = ridge__machine_dram_latency(m.machine);
    ridge_estimate here =
        run_on(m.machine, "mla q_len=1 kv_len=1280 heads=64 dtype=bf16", &fit);
    fit.c[RIDGE_ATTENTION_AT_LATENCY] = 390e-9;
    ridge_estimate there =
        run_on(m.machine, "mla q_len=1 kv_len=1280 heads=64 dtype=bf16", &fit);
    assert_close(latency, 251e-9, 0.01);
    assert_close(term_s(&there, "fixed") / term_s(&here, "fixed"), sqrt(latency / 390e-9),
                 1e-9);
    assert_close(term_s(&there, "tile loop") / term_s(&here, "tile loop"),
                 latency / 390e-9, 1e-3);
    model_machine_clear(&m);
}

/* What a library takes for one call. */
static ridge_estimate of_library(const model_machine *m, const char *words,
                                 ridge_backend backend)
{
    ridge_call call = model_call(words);
    ridge_estimate e;
    call.backend = (uint8_t)backend;
    assert_int_equal(ridge_estimate_call(&e, m->machine, &call, NULL), RIDGE_OK);
    return e;
}

static double given_or(double value, double absent)
{
    return ridge_known(value) ? value : absent;
}

/* A module is its products and its kernel as calls of their own, passes, and the host. */
static void test_module_by_hand(void **state)
{
    (void)state;
    static const struct {
        const char *words, *kernel, *product[5];
        double tokens, elements; /* queries and results of a token */
    } cases[] = {
        {"mla b=4 q_len=512 heads=16 dtype=bf16 scope=module",
         "mla b=4 q_len=512 heads=16 dtype=bf16",
         {"gemm m=2048 n=2112 k=7168 dtype=bf16", "gemm m=2048 n=3072 k=1536 dtype=bf16",
          "gemm m=2048 n=7168 k=2048 dtype=bf16", "gemm m=2048 n=4096 k=512 dtype=bf16",
          NULL},
         2048,
         16 * (192 + 128)},
        {"mla b=8 q_len=1 kv_len=4096 heads=16 dtype=bf16 scope=module gemm_dtype=fp8",
         "mla b=8 q_len=1 kv_len=4096 heads=16 dtype=bf16",
         {"gemm m=8 n=2112 k=7168 dtype=fp8", "gemm m=8 n=3072 k=1536 dtype=fp8",
          "gemm m=8 n=7168 k=2048 dtype=fp8", "gemm m=8 n=512 k=128 batch=16 dtype=bf16",
          "gemm m=8 n=128 k=512 batch=16 dtype=bf16"},
         8,
         16 * (576 + 512)},
    };
    model_machine m = model_machine_of("h100-sxm", NULL);
    for (size_t i = 0; i < RIDGE__COUNT(cases); i++) {
        ridge_estimate e = of_library(&m, cases[i].words, RIDGE_BACKEND_TRTLLM);
        const double *c = e.basis->c;
        double kernels = c[RIDGE_MODULE_FIXED], products = 0;
        double share = given_or(c[RIDGE_MODULE_PRODUCTS], 1);
        double host = given_or(c[RIDGE_MODULE_HOST], 0);
        for (size_t p = 0; p < RIDGE__COUNT(cases[i].product); p++)
            if (cases[i].product[p])
                products +=
                    of_library(&m, cases[i].product[p], RIDGE_BACKEND_TRTLLM).expected_s;
        kernels += share * products;
        kernels += c[RIDGE_MODULE_ATTENTION] *
                   of_library(&m, cases[i].kernel, RIDGE_BACKEND_TRTLLM).expected_s;
        kernels += 4 * cases[i].tokens *
                   (c[RIDGE_MODULE_HEAD_PASSES] * cases[i].elements +
                    c[RIDGE_MODULE_TOKEN_PASSES] * 7168) /
                   m.machine->dram.value;
        assert_close(e.body_s, pow(pow(kernels, 4) + pow(host, 4), 0.25), 1e-9);
        assert_close(term_s(&e, "projections"), share * products, 1e-9);
    }
    model_machine_clear(&m);
}

/* Of a warm part too, a term's bytes over its rate and share are its time. */
static void test_passes_from_l2(void **state)
{
    (void)state;
    const char *words = "mla b=8 q_len=1 kv_len=256 heads=16 dtype=bf16 scope=module "
                        "gemm_dtype=fp8";
    model_machine cold = model_machine_of("h100-sxm", NULL);
    model_machine warm =
        model_machine_of("h100-sxm", (const char *const[]){"warm=1", NULL});
    ridge_estimate a = of_library(&cold, words, RIDGE_BACKEND_TRTLLM);
    ridge_estimate b = of_library(&warm, words, RIDGE_BACKEND_TRTLLM);
    const ridge_term *dram = model_term(&a, "passes beside");
    const ridge_term *l2 = model_term(&b, "passes beside");
    assert_close(dram->ceiling, cold.machine->dram.value, 1e-12);
    assert_close(l2->ceiling, warm.machine->l2.value, 1e-12);
    assert_close(l2->demand, dram->demand, 1e-12);
    assert_close(l2->time_s, l2->demand / l2->ceiling, 1e-12);
    model_machine_clear(&cold);
    model_machine_clear(&warm);
}

/* An eager operator is the host's time until its kernels take longer; it has no
 * projections but those of the heads. */
static void test_eager_is_the_host(void **state)
{
    (void)state;
    model_machine m = model_machine_of("h100-sxm", NULL);
    ridge_estimate few =
        of_library(&m, "mla q_len=1 kv_len=512 heads=16 dtype=bf16 scope=attn_eager_op",
                   RIDGE_BACKEND_VLLM);
    ridge_estimate more = of_library(
        &m, "mla b=8 q_len=1 kv_len=512 heads=16 dtype=bf16 scope=attn_eager_op",
        RIDGE_BACKEND_VLLM);
    assert_string_equal(few.basis->op, "mla_eager");
    assert_close(few.expected_s, few.basis->c[RIDGE_MODULE_HOST], 0.02);
    assert_close(more.expected_s, few.expected_s, 0.02);
    assert_close(few.latency_s, few.basis->c[RIDGE_MODULE_HOST], 1e-12);
    assert_int_equal(few.bound, RIDGE_BY_LATENCY); /* the kernel's bytes take 16 us */
    ridge_estimate module =
        of_library(&m, "mla q_len=1 kv_len=512 heads=16 dtype=bf16 scope=module",
                   RIDGE_BACKEND_VLLM);
    assert_true(term_s(&module, "projections") > 2 * term_s(&few, "projections"));
    model_machine_clear(&m);
}

/* Entries of modules go by the dtype of the projections, whatever the queries have. */
static void test_module_by_gemm_dtype(void **state)
{
    (void)state;
    model_machine m = model_machine_of("l40s", NULL);
    ridge_estimate wide = of_library(
        &m, "mla q_len=1 kv_len=512 heads=2 dtype=bf16 scope=module", RIDGE_BACKEND_VLLM);
    ridge_estimate block =
        of_library(&m,
                   "mla q_len=1 kv_len=512 heads=2 dtype=bf16 scope=module "
                   "gemm_dtype=fp8_block",
                   RIDGE_BACKEND_VLLM);
    assert_ptr_not_equal(wide.basis, block.basis);
    /* vLLM launches a quantisation before each: 0.14 ms where 0.07 are enough. */
    assert_true(block.expected_s > 1.3 * wide.expected_s);
    model_machine_clear(&m);
}

static const char *const parts[] = {"a100-sxm-80", "h100-sxm", "b200-hgx",
                                    "gb200",       "l40s",     "a30"};

/* More keys, sequences or heads never take less time, and never less than the floor. */
static void test_monotone(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "mla b=%d q_len=1 kv_len=4096 heads=32 dtype=bf16",
        "mla b=%d q_len=1 kv_len=16384 heads=8 dtype=bf16 kv_dtype=fp8",
        "mla b=4 q_len=1 kv_len=4096 heads=%d dtype=bf16",
        "mla b=4 q_len=1 kv_len=%d heads=32 dtype=bf16 kv_dtype=fp8",
        "mla b=4 q_len=%d heads=16 dtype=bf16",
        "mla b=%d q_len=512 heads=16 dtype=bf16 scope=module",
        "mla b=%d q_len=1 kv_len=4096 heads=16 dtype=bf16 scope=module",
        "mla b=4 q_len=1 kv_len=%d heads=16 dtype=bf16 scope=attn_eager_op",
    };
    for (size_t p = 0; p < RIDGE__COUNT(parts); p++) {
        model_machine m = model_machine_of(parts[p], NULL);
        for (size_t i = 0; i < RIDGE__COUNT(lines); i++) {
            double before = 0;
            for (int size = 2; size <= 65536; size *= 4) {
                char words[160];
                snprintf(words, sizeof words, lines[i], size);
                ridge_estimate e = model_estimate(&m, words);
                if (!(e.expected_s >= before && e.expected_s >= e.floor_s))
                    fail_msg("%s on %s: %g after %g", words, parts[p], e.expected_s,
                             before);
                assert_true(e.low_s <= e.expected_s && e.expected_s <= e.high_s);
                before = e.expected_s;
            }
        }
        model_machine_clear(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_decode_by_hand),
        cmocka_unit_test(test_decode_split),
        cmocka_unit_test(test_decode_convert),
        cmocka_unit_test(test_prefill_by_hand),
        cmocka_unit_test(test_prefill_passes),
        cmocka_unit_test(test_prefill_absorbed),
        cmocka_unit_test(test_decode_lone),
        cmocka_unit_test(test_decode_latency),
        cmocka_unit_test(test_module_by_hand),
        cmocka_unit_test(test_passes_from_l2),
        cmocka_unit_test(test_module_by_gemm_dtype),
        cmocka_unit_test(test_eager_is_the_host),
        cmocka_unit_test(test_monotone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
