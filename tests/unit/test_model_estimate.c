/* Floor, upper, bound, interval and warnings: what holds whatever the form. */
#include "model_calls.h"

#include "scratch.h"

static void floor_of_a_compute_bound_product(void **state)
{
    (void)state;
    /* 2 x 3072 x 2048 x 768 = 9.6637e9 FLOP at 312 TFLOP/s: 30.973 us; the bytes,
     * 2 (3072 x 768 + 768 x 2048 + 3072 x 2048) = 20.4 MB at 1555 GB/s, take 13.1 us. */
    model_machine m = model_machine_of("a100-sxm-40", NULL);
    ridge_estimate e = model_estimate(&m, "gemm m=3072 n=2048 k=768 dtype=fp16");
    assert_close(e.floor_s, 30.9733e-6, 1e-5);
    assert_close(e.compute_s, e.floor_s, 0);
    assert_close(e.memory_s, 20447232 / 1555e9, 1e-12);
    assert_close(e.upper_s, e.compute_s + e.memory_s, 1e-15);
    assert_close(e.intensity, 9663676416.0 / 20447232, 1e-15);
    assert_close(e.ridge, 312e12 / 1555e9, 1e-15);
    assert_close(e.ceiling_flop_per_s, 312e12, 0);
    model_machine_clear(&m);
}

static void floor_of_what_l2_holds(void **state)
{
    (void)state;
    /* L40S: 96 MB at 864 GB/s.  A convolution of 4096 channels moves 2 x 4096 x 2 B a token:
     * 1000 tokens (16.4 MB) may stay in L2, of 100,000 (1.638 GB) all but 96 MB may not:
     * 1.78 ms, of 1.90 ms cold. */
    model_machine m = model_machine_of("l40s", NULL);
    ridge_estimate e = model_estimate(&m, "causal_conv1d channels=4096 s=1000");
    assert_true(e.memory_s < 0.9 * e.work.bytes / m.machine->dram.value);
    assert_close(e.memory_s, e.work.bytes / m.machine->l2.value, 1e-12);
    e = model_estimate(&m, "causal_conv1d channels=4096 s=100000");
    assert_close(e.memory_s,
                 (e.work.bytes - m.machine->l2_capacity.value) / m.machine->dram.value,
                 1e-12);
    assert_close(e.memory_s, 1.78e-3, 0.01);
    e = model_estimate(&m, "gemm m=64 n=64 k=64 dtype=bf16");
    assert_close(e.memory_s, e.work.bytes / m.machine->dram.value, 1e-12);
    model_machine_clear(&m);
}

static void floor_of_memory_bound_products(void **state)
{
    (void)state;
    /* (m 4096 s + 4096 x 6144 s + m 6144 x 2) B at 3352 GB/s, s = 2 and 1. */
    static const struct {
        const char *words;
        double floor_us;
    } rows[] = {
        {"gemm m=1 n=6144 k=4096 dtype=bf16", 15.0305},
        {"gemm m=1 n=6144 k=4096 dtype=fp8", 7.51708},
        {"gemm m=16 n=6144 k=4096 dtype=bf16", 15.1222},
        {"gemm m=16 n=6144 k=4096 dtype=fp8", 7.59044},
        {"gemm m=64 n=6144 k=4096 dtype=bf16", 15.4156},
        {"gemm m=64 n=6144 k=4096 dtype=fp8", 7.82519},
        {"gemm m=128 n=6144 k=4096 dtype=bf16", 15.8069},
        {"gemm m=128 n=6144 k=4096 dtype=fp8", 8.1382},
        {"gemm m=256 n=6144 k=4096 dtype=bf16", 16.5894},
        {"gemm m=256 n=6144 k=4096 dtype=fp8", 8.76422},
    };
    static const char *const stated[] = {"dram=3.35TB/s", NULL};
    model_machine m = model_machine_of("h100-sxm", stated);
    for (size_t i = 0; i < RIDGE__COUNT(rows); i++) {
        ridge_estimate e = model_estimate(&m, rows[i].words);
        assert_close(e.floor_s, rows[i].floor_us * 1e-6, 1e-3);
        assert_close(e.floor_s, e.memory_s, 0);
    }
    model_machine_clear(&m);
}

static void floor_in_closed_form(void **state)
{
    (void)state;
    static const double sizes[] = {1, 17, 64, 200, 1000, 4096, 16384, 100000};
    model_machine m = model_machine_of("h100-sxm", NULL);
    for (size_t i = 0; i < 32; i++) {
        double rows = sizes[i % 8], cols = sizes[(i / 2) % 8], depth = sizes[(i + 3) % 8];
        char words[128];
        snprintf(words, sizeof words, "gemm m=%.0f n=%.0f k=%.0f dtype=bf16", rows, cols,
                 depth);
        double compute = 2 * rows * cols * depth / 989.4e12;
        double memory = 2 * (rows * depth + depth * cols + rows * cols) / 3352e9;
        ridge_estimate e = model_estimate(&m, words);
        assert_close(e.floor_s, compute > memory ? compute : memory, 1e-12);
        assert_close(e.upper_s, compute + memory, 1e-12);
        assert_true(e.floor_s <= e.low_s && e.low_s <= e.expected_s &&
                    e.expected_s <= e.high_s);
        assert_close(e.expected_s, e.launch_s + e.body_s, 1e-15);
    }
    model_machine_clear(&m);
}

static void clock_scales_the_peak(void **state)
{
    (void)state;
    /* 132 SM x 4 x 512 FMA x 2 x 1.83 GHz = 989.4e12; at 1.98 GHz x 1.98 / 1.83. */
    static const char *const faster[] = {"clock=1.98GHz", NULL};
    model_machine m = model_machine_of("h100-sxm", faster);
    ridge_estimate e = model_estimate(&m, "gemm m=4096 n=4096 k=4096 dtype=bf16");
    assert_close(e.peak_flop_per_s, 1070.5e12, 1e-4);
    assert_close(e.floor_s, 137438953472 / 1070.5e12, 1e-4);
    model_machine_clear(&m);
}

static void unknown_stays_unknown(void **state)
{
    (void)state;
    static const char *const peak[] = {"peak=bf16=100TFLOP/s", NULL};
    model_machine m = model_machine_of(NULL, peak);
    ridge_estimate e = model_estimate(&m, "gemm m=512 n=512 k=512 dtype=bf16");
    assert_close(e.compute_s, 268435456 / 100e12, 1e-12);
    assert_false(ridge_known(e.memory_s) || ridge_known(e.floor_s) ||
                 ridge_known(e.upper_s) || ridge_known(e.expected_s));
    assert_int_equal(e.fits, -1);
    model_machine_clear(&m);
    /* No FLOP need no peak: 1 MB at 1 TB/s. */
    static const char *const dram[] = {"dram=1TB/s", NULL};
    m = model_machine_of(NULL, dram);
    ridge_estimate copy = model_estimate(&m, "custom flop=0 bytes=1MB");
    assert_close(copy.compute_s, 0, 0);
    assert_close(copy.floor_s, 1e-6, 1e-12);
    model_machine_clear(&m);
}

static void given_machine_has_no_launch(void **state)
{
    (void)state;
    static const char *const both[] = {"peak=bf16=100TFLOP/s", "dram=1TB/s", NULL};
    model_machine m = model_machine_of(NULL, both);
    /* 8192 x 2 x 8192^2 x 8192: intensity 2731 > 100, so compute. */
    ridge_estimate e = model_estimate(&m, "gemm m=8192 n=8192 k=8192 dtype=bf16");
    assert_false(ridge_known(e.launch_s) || ridge_known(e.latency_s) ||
                 ridge_known(e.body_s) || ridge_known(e.expected_s) ||
                 ridge_known(e.low_s) || ridge_known(e.high_s));
    assert_int_equal(e.bound, RIDGE_BY_COMPUTE);
    assert_int_equal(e.term_count, 2);
    char basis[32];
    ridge_estimate_basis(&e, basis, sizeof basis);
    assert_string_equal(basis, "stated");
    assert_int_equal(model_estimate(&m, "gemm m=1 n=8192 k=8192 dtype=bf16").bound,
                     RIDGE_BY_MEMORY);
    model_machine_clear(&m);
}

static void custom_without_dtype(void **state)
{
    (void)state;
    /* The teaching GPU has one peak for all: 10 GFLOP / 100 TFLOP/s = 100 us. */
    model_machine m = model_machine_of("example", NULL);
    ridge_estimate e = model_estimate(&m, "custom flop=10GFLOP bytes=1GB");
    assert_close(e.compute_s, 100e-6, 1e-12);
    assert_close(e.memory_s, 1e-3, 1e-12);
    assert_int_equal(e.bound, RIDGE_BY_MEMORY);
    assert_false(ridge_known(e.expected_s));
    model_machine_clear(&m);

    m = model_machine_of("h100-sxm", NULL);
    ridge_call call = model_call("custom flop=10GFLOP bytes=1GB");
    ridge_estimate untouched = {.floor_s = 7};
    ridge_error err;
    assert_int_equal(ridge_estimate_call(&untouched, m.machine, &call, &err),
                     RIDGE_INVALID);
    assert_non_null(strstr(err.message, "dtype= is needed: the peaks of h100-sxm"));
    assert_close(untouched.floor_s, 7, 0);
    model_machine_clear(&m);
}

static void nothing_known_is_an_error(void **state)
{
    (void)state;
    model_machine m = model_machine_of(NULL, NULL);
    ridge_call call = model_call("gemm m=1 n=1 k=1 dtype=bf16");
    ridge_estimate e;
    ridge_error err;
    assert_int_equal(ridge_estimate_call(&e, m.machine, &call, &err), RIDGE_NODATA);
    assert_string_equal(err.message,
                        "neither the bf16 peak nor the DRAM bandwidth of given is known; "
                        "give --peak bf16=... or --dram ...");
    model_machine_clear(&m);
}

static void launch_follows_the_timing(void **state)
{
    (void)state;
    model_machine m = model_machine_of("h100-sxm", NULL);
    ridge_call call = model_call("gemm m=512 n=512 k=512 dtype=bf16");
    double launch[RIDGE_TIMING_COUNT], body[RIDGE_TIMING_COUNT];
    for (int t = 0; t < RIDGE_TIMING_COUNT; t++) {
        ridge_estimate e;
        call.timing = (uint8_t)t;
        assert_int_equal(ridge_estimate_call(&e, m.machine, &call, NULL), RIDGE_OK);
        launch[t] = e.launch_s;
        body[t] = e.body_s;
    }
    assert_close(launch[RIDGE_TIMING_KERNEL], 0, 0);
    assert_true(launch[RIDGE_TIMING_GRAPH] < launch[RIDGE_TIMING_STREAM]);
    assert_true(launch[RIDGE_TIMING_STREAM] < launch[RIDGE_TIMING_EAGER]);
    for (int t = 1; t < RIDGE_TIMING_COUNT; t++)
        assert_close(body[t], body[0], 0);
    model_machine_clear(&m);
}

static void warnings_say_what_is_odd(void **state)
{
    (void)state;
    static const struct {
        const char *gpu, *words;
        uint32_t bit;
        bool set;
    } rows[] = {
        {"h100-sxm", "gemm m=1 n=64 k=64 dtype=bf16", RIDGE_WARNING_LATENCY_BOUND, true},
        {"h100-sxm", "gemm m=4096 n=4096 k=4096 dtype=bf16", RIDGE_WARNING_LATENCY_BOUND,
         false},
        {"a100-sxm-80", "gemm m=64 n=64 k=64 dtype=fp8", RIDGE_WARNING_UNSUPPORTED_DTYPE,
         true},
        {"h100-sxm", "gemm m=64 n=64 k=64 dtype=fp8", RIDGE_WARNING_UNSUPPORTED_DTYPE,
         false},
        {"h100-sxm", "gemm m=400000 n=400000 k=64 dtype=bf16", RIDGE_WARNING_DOES_NOT_FIT,
         true},
        {"h100-sxm", "gemm m=64 n=64 k=64 dtype=bf16", RIDGE_WARNING_BORROWED, false},
        {"h200-sxm", "gemm m=64 n=64 k=64 dtype=bf16", RIDGE_WARNING_BORROWED, true},
        {"mi210", "gemm m=64 n=64 k=64 dtype=bf16", RIDGE_WARNING_BORROWED, true},
        {"h100-sxm", "gemm m=64 n=64 k=64 dtype=bf16", RIDGE_WARNING_UNMEASURED, false},
        {"h100-sxm", "custom flop=1e9 bytes=1e9 dtype=bf16", RIDGE_WARNING_UNMEASURED,
         true},
        {"h100-sxm", "custom flop=1e9 bytes=1e9 dtype=bf16", RIDGE_WARNING_BORROWED,
         false},
        {"h100-sxm", "gemm m=90000 n=90000 k=90000 dtype=bf16",
         RIDGE_WARNING_EXTRAPOLATED, true},
        {"a100-sxm-40", "gemm m=3072 n=2048 k=768 dtype=fp16", RIDGE_WARNING_SHORT_K,
         true},
        {"a100-sxm-40", "gemm m=3072 n=2048 k=8192 dtype=fp16", RIDGE_WARNING_SHORT_K,
         false},
    };
    for (size_t i = 0; i < RIDGE__COUNT(rows); i++) {
        model_machine m = model_machine_of(rows[i].gpu, NULL);
        ridge_estimate e = model_estimate(&m, rows[i].words);
        if (!!(e.warnings & rows[i].bit) != rows[i].set)
            fail_msg("%s %s: %s", rows[i].gpu, rows[i].words,
                     ridge_warning_code(rows[i].bit));
        model_machine_clear(&m);
    }
}

/* The logarithm of high over expected with that share beside it. */
static double beside(const ridge_estimate *e, double share)
{
    return hypot(log(e->high_s / e->expected_s), log(1 + share));
}

static void borrowed_intervals_are_wider(void **state)
{
    (void)state;
    /* The same constants on another Hopper part: 12 % more, as a square in log. */
    model_machine own = model_machine_of("h100-sxm", NULL);
    model_machine other = model_machine_of("h200-sxm", NULL);
    const char *words = "gemm m=8192 n=8192 k=8192 dtype=bf16";
    ridge_estimate a = model_estimate(&own, words), b = model_estimate(&other, words);
    assert_close(log(b.high_s / b.expected_s), beside(&a, 0.12), 1e-9);
    ridge_fit fit = *b.basis; /* an entry may know better */
    fit.elsewhere = 0.5;
    other.machine->fits[RIDGE_LINK_ARCH].fit = &fit;
    other.machine->fits[RIDGE_LINK_ARCH].count = 1;
    b = model_estimate(&other, words);
    assert_close(log(b.high_s / b.expected_s), beside(&a, 0.5), 1e-9);
    char basis[64];
    assert_int_equal(ridge_estimate_basis(&b, basis, sizeof basis),
                     strlen("fit:hopper/gemm/bf16/best"));
    assert_string_equal(basis, "fit:hopper/gemm/bf16/best");
    model_machine_clear(&own);
    model_machine_clear(&other);
}

/* A fit of the user's is its parts'; on any other it is borrowed, from near or far. */
static void a_fit_of_another_part_is_borrowed(void **state)
{
    (void)state;
    static const struct {
        const char *id;
        double share, vendor;
    } cases[] = {{"h100-sxm", 0, 0},
                 {"h200-sxm", 0.12, 0},
                 {"a100-sxm-80", 0.4, 0},
                 {"mi300x", 0.4, 0.6}};
    const char *words = "gemm m=8192 n=8192 k=8192 dtype=bf16";
    scratch file;
    ridge__str text;
    model_machine h100 = model_machine_of("h100-sxm", NULL);
    ridge_fit fit = *model_estimate(&h100, words).basis;
    fit.low = 0.9;
    fit.high = 1.25;
    fit.band_count = 0;
    fit.parts = "h100-pcie h100-sxm";
    ridge__str_init(&text, 0, NULL);
    ridge__str_text(&text, "key: mine\nfits:\n");
    ridge__fit_write(&text, &fit);
    scratch_write(&file, ridge__str_data(&text), text.size);
    ridge__str_clear(&text);
    model_machine_clear(&h100);
    char setting[sizeof file.path + 8];
    snprintf(setting, sizeof setting, "fit=%s", file.path);
    for (size_t i = 0; i < RIDGE__COUNT(cases); i++) {
        model_machine m = model_machine_of(cases[i].id, (const char *[]){setting, NULL});
        ridge_estimate e = model_estimate(&m, words);
        assert_int_equal(e.basis_link, RIDGE_LINK_USER);
        assert_int_equal((e.warnings & RIDGE_WARNING_BORROWED) != 0, i > 0);
        double square = pow(log(1.25), 2) + pow(log(1 + cases[i].share), 2) +
                        pow(log(1 + cases[i].vendor), 2);
        assert_close(log(e.high_s / e.expected_s), sqrt(square), 1e-9);
        model_machine_clear(&m);
    }
    unlink(file.path);
}

/* Bands by the expected time; and beyond the reach the interval widens without a step. */
static void intervals_go_by_size(void **state)
{
    (void)state;
    model_machine m = model_machine_of("h100-sxm", NULL);
    const char *words = "gemm m=8192 n=8192 k=8192 dtype=bf16";
    ridge_estimate was = model_estimate(&m, words);
    ridge_fit fit = *was.basis;
    fit.band_count = 2;
    fit.band[0] = (ridge__fit_band){was.expected_s / 10, 0.7, 1.5};
    fit.band[1] = (ridge__fit_band){was.expected_s * 10, 0.9, 1.1};
    m.machine->fits[RIDGE_LINK_USER].fit = &fit;
    m.machine->fits[RIDGE_LINK_USER].count = 1;
    ridge_estimate e = model_estimate(&m, words);
    assert_close(e.expected_s, was.expected_s, 0);
    assert_close(e.low_s, fmax(0.8 * e.expected_s, e.floor_s), 1e-9);
    assert_close(e.high_s, 1.3 * e.expected_s, 1e-9);
    fit.reach_s = e.floor_s / 3; /* at its edge */
    assert_close(model_estimate(&m, words).high_s, e.high_s, 1e-9);
    fit.reach_s = e.floor_s / 6; /* twice beyond: half of the way to 15 % */
    assert_close(log(model_estimate(&m, words).high_s / e.expected_s), beside(&e, 0.075),
                 1e-9);
    fit.reach_s = e.floor_s / 60;
    assert_close(log(model_estimate(&m, words).high_s / e.expected_s), beside(&e, 0.15),
                 1e-9);
    model_machine_clear(&m);
}

static void warm_data_are_served_by_l2(void **state)
{
    (void)state;
    static const char *const warm[] = {"warm=1", NULL};
    model_machine cold = model_machine_of("h100-sxm", NULL);
    model_machine hot = model_machine_of("h100-sxm", warm);
    const char *small = "gemm m=16 n=2048 k=2048 dtype=bf16"; /* 8.5 MB of 50 */
    const char *large = "gemm m=16 n=16384 k=16384 dtype=bf16";
    ridge_estimate c = model_estimate(&cold, small), h = model_estimate(&hot, small);
    assert_close(h.memory_s, c.work.bytes / hot.machine->l2.value, 1e-12);
    assert_close(c.l2_floor_s, h.floor_s, 1e-12);
    assert_true(h.floor_s < c.floor_s && h.expected_s < c.expected_s);
    assert_close(model_estimate(&hot, large).floor_s,
                 model_estimate(&cold, large).floor_s, 0);
    model_machine_clear(&cold);
    model_machine_clear(&hot);
}

static void terms_explain_the_time(void **state)
{
    (void)state;
    model_machine m = model_machine_of("h100-sxm", NULL);
    ridge_estimate e = model_estimate(&m, "gemm m=64 n=4096 k=16384 dtype=bf16");
    assert_true(e.term_count >= 6);
    for (int i = 0; i < e.term_count; i++) {
        const ridge_term *t = &e.term[i];
        if (ridge_known(t->demand))
            assert_close(t->demand / (t->ceiling * t->share), t->time_s, 1e-12);
    }
    model_machine_clear(&m);
}

static void roofline_keeps_unknown(void **state)
{
    (void)state;
    assert_close(ridge_roofline(100e12, 1e12, 50), 50e12, 0);
    assert_close(ridge_roofline(100e12, 1e12, 200), 100e12, 0);
    assert_false(ridge_known(ridge_roofline(RIDGE_UNKNOWN, 1e12, 50)));
    assert_false(ridge_known(ridge_roofline(100e12, RIDGE_UNKNOWN, 50)));
}

/* A fit without the constants of a product says nothing of its tiles either. */
static void a_plan_goes_with_its_expectation(void **state)
{
    (void)state;
    static const char text[] =
        "key: mine\nfits:\n  - {op: gemm, form: tile, low: \"0.9\", high: \"1.1\", "
        "constants: {launch_graph: \"1us\"}, from: x, date: x}\n";
    scratch file;
    char setting[64];
    scratch_write(&file, text, strlen(text));
    snprintf(setting, sizeof setting, "fit=%s", file.path);
    model_machine m = model_machine_of("h100-sxm", (const char *[]){setting, NULL});
    ridge_call call = model_call("gemm m=512 n=512 k=64 dtype=bf16");
    ridge_estimate e;
    assert_int_equal(ridge_estimate_call(&e, m.machine, &call, NULL), RIDGE_OK);
    assert_false(ridge_known(e.expected_s));
    assert_int_equal(e.plan.tile_m, 0);
    model_machine_clear(&m);
    unlink(file.path);
}

/* An op such as a collective: 1 GB over the wire, 2 GB through DRAM. */
static ridge_status count_wire(ridge_work *work, const ridge_call *call, ridge_error *err)
{
    (void)call;
    (void)err;
    work->wire_bytes = 1e9;
    work->bytes = work->footprint_bytes = 2e9;
    work->dtype = RIDGE_DTYPE_COUNT;
    return RIDGE_OK;
}

static void the_link_bounds_what_goes_over_it(void **state)
{
    (void)state;
    /* 1e9 B at 450e9 B/s: 2.2222 ms; 2e9 B at 1e12 B/s: 2 ms. */
    static const char *const rates[] = {"peak=1TFLOP/s", "dram=1TB/s", NULL};
    const ridge_op op = {
        .name = "wire", .family = "wire", .form = RIDGE_FORM_CUSTOM, .count = count_wire};
    const ridge_call call = {.op = &op};
    ridge_estimate e;
    model_machine m = model_machine_of(NULL, rates);
    assert_false(ridge_estimate_call(&e, m.machine, &call, NULL));
    assert_false(ridge_known(e.communication_s)); /* no link is known: nor is the floor */
    assert_false(ridge_known(e.floor_s));
    m.machine->link.value = 450e9;
    assert_false(ridge_estimate_call(&e, m.machine, &call, NULL));
    assert_close(e.communication_s, 1e9 / 450e9, 1e-15);
    assert_close(e.floor_s, e.communication_s, 0);
    assert_close(e.upper_s, 1e9 / 450e9 + 2e-3, 1e-15);
    assert_int_equal(e.bound, RIDGE_BY_COMMUNICATION);
    assert_string_equal(e.term[e.term_count - 1].name, "link");
    model_machine_clear(&m);
}

/* Attention has fits of libraries alone: each is estimated, and the fastest answers. */
static void the_best_is_the_fastest_library(void **state)
{
    (void)state;
    static const uint8_t libraries[] = {RIDGE_BACKEND_SGLANG, RIDGE_BACKEND_TRTLLM,
                                        RIDGE_BACKEND_VLLM};
    static const int lengths[] = {16, 512, 8192, 65536};
    model_machine m = model_machine_of("h100-sxm", NULL);
    for (size_t i = 0; i < RIDGE__COUNT(lengths); i++) {
        char words[128];
        double fastest = HUGE_VAL;
        const ridge_fit *fit = NULL;
        snprintf(words, sizeof words,
                 "attention batch=4 q_len=%d heads_q=32 heads_kv=8 head_dim=128 causal=1 "
                 "dtype=bf16",
                 lengths[i]);
        ridge_call call = model_call(words);
        for (size_t b = 0; b < RIDGE__COUNT(libraries); b++) {
            ridge_estimate e;
            call.backend = libraries[b];
            assert_int_equal(ridge_estimate_call(&e, m.machine, &call, NULL), RIDGE_OK);
            assert_int_equal(e.basis->backend, libraries[b]);
            if (e.expected_s < fastest) {
                fastest = e.expected_s;
                fit = e.basis;
            }
        }
        ridge_estimate best = model_estimate(&m, words);
        assert_ptr_equal(best.basis, fit);
        assert_close(best.expected_s, fastest, 0);
        assert_int_equal(best.basis_link, RIDGE_LINK_ARCH);
    }
    model_machine_clear(&m);
}

/* A part that no link before `any` knows: the fastest there too, not the first in the file. */
static void the_best_of_strangers_is_the_fastest(void **state)
{
    (void)state;
    static const uint8_t libraries[] = {RIDGE_BACKEND_SGLANG, RIDGE_BACKEND_TRTLLM,
                                        RIDGE_BACKEND_VLLM};
    const char *words = "moe tokens=64 hidden=4096 inter=14336 topk=2 experts=8 "
                        "distribution=balanced dtype=w4a16_mxfp4";
    model_machine m = model_machine_of("a30", NULL);
    ridge_estimate best = model_estimate(&m, words);
    ridge_call call = model_call(words);
    double fastest = HUGE_VAL;
    for (size_t b = 0; b < RIDGE__COUNT(libraries); b++) {
        ridge_estimate e;
        call.backend = libraries[b];
        assert_int_equal(ridge_estimate_call(&e, m.machine, &call, NULL), RIDGE_OK);
        assert_int_equal(e.basis_link, RIDGE_LINK_ANY);
        fastest = fmin(fastest, e.expected_s);
    }
    assert_close(best.expected_s, fastest, 0);
    model_machine_clear(&m);
}

/* GB300 is GB200's board and host with a newer die: its times at the same rates, with the
 * interval of a part that nobody timed. */
static void a_file_is_also_for_a_younger_sister(void **state)
{
    (void)state;
    model_machine own = model_machine_of("gb200", NULL);
    model_machine sister = model_machine_of("gb300", NULL);
    const char *words = "mla q_len=1 kv_len=4096 heads=16 scope=module dtype=bf16";
    ridge_call call = model_call(words);
    call.backend = RIDGE_BACKEND_VLLM;
    ridge_estimate a, b;
    assert_int_equal(ridge_estimate_call(&a, own.machine, &call, NULL), RIDGE_OK);
    assert_int_equal(ridge_estimate_call(&b, sister.machine, &call, NULL), RIDGE_OK);
    assert_string_equal(b.basis->key, "gb200");
    assert_close(b.expected_s, a.expected_s, 0.02);
    assert_close(log(b.high_s / b.expected_s), beside(&a, 0.12), 1e-2);
    assert_false(a.warnings & RIDGE_WARNING_BORROWED);
    assert_true(b.warnings & RIDGE_WARNING_BORROWED);
    model_machine_clear(&own);
    model_machine_clear(&sister);
}

/* CDNA 4 by AITER's kernels of CDNA 3: every rate of MI355X is above MI300X's. */
static void a_newer_architecture_is_not_slower(void **state)
{
    (void)state;
    model_machine old = model_machine_of("mi300x", NULL);
    model_machine new = model_machine_of("mi355x", NULL);
    static const int tokens[] = {64, 1024, 16384};
    for (size_t i = 0; i < RIDGE__COUNT(tokens); i++) {
        char words[128];
        snprintf(words, sizeof words,
                 "moe tokens=%d hidden=4096 inter=14336 topk=2 experts=8 "
                 "distribution=balanced dtype=fp8",
                 tokens[i]);
        ridge_call call = model_call(words);
        call.backend = RIDGE_BACKEND_VLLM;
        ridge_estimate a, b;
        assert_int_equal(ridge_estimate_call(&a, old.machine, &call, NULL), RIDGE_OK);
        assert_int_equal(ridge_estimate_call(&b, new.machine, &call, NULL), RIDGE_OK);
        assert_string_equal(b.basis->key, "cdna3");
        assert_true(b.expected_s <= a.expected_s);
    }
    model_machine_clear(&old);
    model_machine_clear(&new);
}

/* Rows that a double cannot count one by one are given out all the same. */
static void countless_tokens_are_routed(void **state)
{
    (void)state;
    model_machine m = model_machine_of("h100-sxm", NULL);
    static const char *const laws[] = {"power_law_1.2", "power_law_1.2_eplb"};
    for (size_t i = 0; i < RIDGE__COUNT(laws); i++) {
        char words[160];
        snprintf(words, sizeof words,
                 "moe tokens=9007199254740992 hidden=64 inter=64 topk=7 experts=255 "
                 "distribution=%s dtype=bf16",
                 laws[i]);
        assert_true(model_estimate(&m, words).expected_s > 0);
    }
    model_machine_clear(&m);
}

/* A library whose constants do not suffice is passed over, wherever it stands. */
static void a_library_without_a_time_is_no_answer(void **state)
{
    (void)state;
    static const char words[] =
        "attention batch=4 q_len=512 heads_q=32 heads_kv=8 head_dim=128 causal=1 dtype=bf16";
    model_machine m = model_machine_of("h100-sxm", NULL);
    ridge_fit fits[2];
    ridge_call call = model_call(words);
    call.backend = RIDGE_BACKEND_SGLANG;
    ridge_estimate e;
    assert_int_equal(ridge_estimate_call(&e, m.machine, &call, NULL), RIDGE_OK);
    fits[0] = fits[1] = *e.basis;
    fits[1].backend = RIDGE_BACKEND_VLLM;
    for (size_t i = 0; i < RIDGE_FIT_CONSTANTS; i++)
        fits[1].c[i] = RIDGE_UNKNOWN;
    m.machine->fits[RIDGE_LINK_USER].fit = fits;
    m.machine->fits[RIDGE_LINK_USER].count = 2;
    const ridge_estimate best = model_estimate(&m, words);
    assert_ptr_equal(best.basis, &fits[0]);
    assert_close(best.expected_s, e.expected_s, 0);
    model_machine_clear(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_link_bounds_what_goes_over_it),
        cmocka_unit_test(floor_of_a_compute_bound_product),
        cmocka_unit_test(floor_of_memory_bound_products),
        cmocka_unit_test(floor_of_what_l2_holds),
        cmocka_unit_test(floor_in_closed_form),
        cmocka_unit_test(clock_scales_the_peak),
        cmocka_unit_test(unknown_stays_unknown),
        cmocka_unit_test(given_machine_has_no_launch),
        cmocka_unit_test(custom_without_dtype),
        cmocka_unit_test(nothing_known_is_an_error),
        cmocka_unit_test(launch_follows_the_timing),
        cmocka_unit_test(warnings_say_what_is_odd),
        cmocka_unit_test(borrowed_intervals_are_wider),
        cmocka_unit_test(a_fit_of_another_part_is_borrowed),
        cmocka_unit_test(intervals_go_by_size),
        cmocka_unit_test(warm_data_are_served_by_l2),
        cmocka_unit_test(terms_explain_the_time),
        cmocka_unit_test(roofline_keeps_unknown),
        cmocka_unit_test(a_plan_goes_with_its_expectation),
        cmocka_unit_test(the_best_is_the_fastest_library),
        cmocka_unit_test(the_best_of_strangers_is_the_fastest),
        cmocka_unit_test(a_file_is_also_for_a_younger_sister),
        cmocka_unit_test(a_newer_architecture_is_not_slower),
        cmocka_unit_test(a_library_without_a_time_is_no_answer),
        cmocka_unit_test(countless_tokens_are_routed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
