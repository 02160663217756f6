/* Gradients of attention: a number by hand on a made-up machine, and what holds on the parts
 * of the catalogue.  docs/model/attention.md prints the example. */
#include "model_calls.h"

static ridge_catalog *catalog;

/* 128 SMs, 1280 TFLOP/s, DRAM of 1 TB/s, L2 of 10 TB/s that holds nothing. */
static ridge_machine plain_machine(void)
{
    ridge_machine m = made_up_machine(128, 1280e12);
    m.l2.value = 10e12;
    return m;
}

static ridge_fit plain_fit(void)
{
    ridge_fit fit = made_up_fit(RIDGE_FIT_PREFILL);
    fit.c[RIDGE_ATTENTION_LAUNCH_GRAPH] = 1e-6;
    fit.c[RIDGE_ATTENTION_TILE_Q] = 128;
    fit.c[RIDGE_ATTENTION_TILE_KV] = 128;
    fit.c[RIDGE_ATTENTION_MMA_SHARE] = 0.512;
    return fit;
}

/*
 * A score takes 10 x 128 FLOP: 0.25 ns on an SM, a tile of 128 x 128 4.096 us.  528 tiles a
 * head, 32 heads, 128 SMs: 540.672 us; the first CTA walks over 32 tiles, 131.072 us;
 * (540.672^4 + 131.072^4)^(1/4) = 541.1382 us.  Q and dO 67.108864 MB, K, V, dK and dV
 * 33.554432 MB: 100.663296 us at 1 TB/s.  dQ: 4 B x 32 x 528 x 128 x 128 = 1107.296256 MB at
 * 10 TB/s, 110.7296 us.  Passes: 131072 rows x 128 x 14 B = 234.881024 MB, and 1 us each.
 * Body: 2 + 234.881 + (541.1382^1.5 + 211.3929^1.5)^(2/3) = 236.881 + 625.9777 us.
 */
static void backward_by_hand(void **state)
{
    (void)state;
    ridge_machine machine = plain_machine();
    ridge_fit fit = plain_fit();
    ridge_call call =
        CALL("attention_backward", {"q_len", "4096"}, {"heads_q", "32"},
             {"heads_kv", "8"}, {"head_dim", "128"}, {"causal", "1"}, {"dtype", "bf16"});
    ridge_estimate e = {.peak_flop_per_s = 1280e12};
    ridge__form_input in = {&machine, &call, &fit, false, NULL};
    assert_int_equal(ridge_op_count(&e.work, &call, NULL), RIDGE_OK);
    ridge__form_attention_backward(&e, &in);
    assert_close(term_s(&e, "tile loop"), 541.1382e-6, 1e-6);
    assert_close(term_s(&e, "q, k, v, do, dk, dv streams"), 100.663296e-6, 1e-9);
    assert_close(term_s(&e, "dq sums in L2"), 110.7296256e-6, 1e-9);
    assert_close(term_s(&e, "passes before and after"), 234.881024e-6, 1e-9);
    assert_close(term_s(&e, "fixed"), 2e-6, 1e-9);
    assert_close(e.body_s, 862.8588e-6, 1e-6);
    assert_close(e.plan.ctas, 1024, 0);
    assert_true(e.warnings & RIDGE_WARNING_UNMEASURED);
    assert_true(e.warnings & RIDGE_WARNING_BORROWED);
}

/*
 * 0.1 cycles at 1 GHz beside 0.1 ns of products, so that the loop of test_model_attention.c,
 * 216.4553 us, takes twice as long; at 32 exponentials a cycle 1/16 of a cycle is halved:
 * 0.06875 cycles, 1.6875 times.  Not where the constants are of that architecture itself.
 */
static void softmax_follows_the_rate_of_exponentials(void **state)
{
    (void)state;
    ridge_machine machine = plain_machine();
    ridge_fit fit = plain_fit();
    fit.c[RIDGE_ATTENTION_SOFTMAX] = 0.1;
    ridge_call call =
        CALL("attention", {"q_len", "4096"}, {"heads_q", "32"}, {"heads_kv", "8"},
             {"head_dim", "128"}, {"causal", "1"}, {"dtype", "bf16"});
    ridge__form_input in = {&machine, &call, &fit, false, NULL};
    const struct {
        double rate, loop_s;
    } cases[] = {{RIDGE_UNKNOWN, 432.9105e-6}, {16, 432.9105e-6}, {32, 365.2683e-6}};
    for (size_t i = 0; i < RIDGE__COUNT(cases); i++) {
        ridge_estimate e = {.peak_flop_per_s = 1280e12};
        machine.special_per_cycle = cases[i].rate;
        assert_int_equal(ridge_op_count(&e.work, &call, NULL), RIDGE_OK);
        ridge__form_attention(&e, &in);
        assert_close(term_s(&e, "tile loop"), cases[i].loop_s, 1e-6);
    }
    const ridge_device *device = NULL;
    assert_int_equal(ridge_catalog_load(&device, catalog, "b300-hgx", NULL), RIDGE_OK);
    machine.device = device;
    fit.key = device->arch;
    ridge_estimate e = {.peak_flop_per_s = 1280e12};
    assert_int_equal(ridge_op_count(&e.work, &call, NULL), RIDGE_OK);
    ridge__form_attention(&e, &in);
    assert_close(term_s(&e, "tile loop"), 432.9105e-6, 1e-6);
}

/* A call of lengths, heads and a mask. */
static ridge_call sized(const char *op, double batch, double length, double heads,
                        double dim, bool causal, ridge_dtype dtype)
{
    ridge_call call;
    ridge_error err = {0};
    assert_int_equal(ridge_call_init(&call, op, &err), RIDGE_OK);
    const struct {
        int index;
        double value;
    } given[] = {{RIDGE_ATTN_BATCH, batch},   {RIDGE_ATTN_Q_LEN, length},
                 {RIDGE_ATTN_HEADS_Q, heads}, {RIDGE_ATTN_HEAD_DIM, dim},
                 {RIDGE_ATTN_CAUSAL, causal}, {RIDGE_ATTN_DTYPE, dtype}};
    for (size_t i = 0; i < RIDGE__COUNT(given); i++) {
        call.arg[given[i].index] = given[i].value;
        call.given |= 1u << given[i].index;
    }
    assert_int_equal(ridge_call_finish(&call, &err), RIDGE_OK);
    return call;
}

static ridge_estimate estimate(const ridge_machine *machine, ridge_call call, int backend,
                               ridge_timing timing)
{
    ridge_estimate e;
    ridge_error err = {0};
    call.backend = (uint8_t)backend;
    call.timing = (uint8_t)timing;
    if (ridge_estimate_call(&e, machine, &call, &err))
        fail_msg("%s", err.message);
    return e;
}

static const char *const PARTS[] = {"h100-sxm", "a100-sxm-80", "b200-hgx",     "l40s",
                                    "b300-hgx", "h20",         "v100-pcie-16", "mi300x"};

/* On each part, of each library, by each timing; the interval is the wider one. */
static void never_faster_than_the_forward_pass(void **state)
{
    (void)state;
    static const double lengths[] = {17, 64, 100, 128, 200, 513, 1024, 4097, 32768};
    static const double dims[] = {64, 80, 128, 256};
    for (size_t p = 0; p < RIDGE__COUNT(PARTS); p++) {
        const ridge_device *device = NULL;
        ridge_machine *m = NULL;
        assert_int_equal(ridge_catalog_load(&device, catalog, PARTS[p], NULL), RIDGE_OK);
        assert_int_equal(ridge_machine_new(&m, catalog, device, NULL), RIDGE_OK);
        for (size_t i = 0; i < RIDGE__COUNT(lengths) * RIDGE__COUNT(dims) * 4; i++) {
            double length = lengths[i / 4 % RIDGE__COUNT(lengths)];
            double dim = dims[i / 4 / RIDGE__COUNT(lengths)];
            double heads = i & 2 ? 1 : 16;
            for (int b = 0; b < RIDGE_BACKEND_COUNT; b++) {
                ridge_timing timing =
                    (i + (size_t)b) % 3 ? RIDGE_TIMING_GRAPH : RIDGE_TIMING_KERNEL;
                ridge_estimate forward = estimate(
                    m, sized("attention", 2, length, heads, dim, i & 1, RIDGE_FP16), b,
                    timing);
                ridge_estimate back = estimate(
                    m,
                    sized("attention_backward", 2, length, heads, dim, i & 1, RIDGE_FP16),
                    b, timing);
                if (!(back.expected_s > forward.expected_s))
                    fail_msg("%s length=%g heads=%g dim=%g causal=%d backend %d: %g, "
                             "forward %g",
                             PARTS[p], length, heads, dim, (int)(i & 1), b,
                             back.expected_s, forward.expected_s);
                if (back.expected_s > 3 * back.floor_s)
                    assert_true(back.high_s / back.low_s > 1.25 * 1.25);
            }
        }
        ridge_machine_free(m);
    }
}

static void more_work_never_takes_less_time(void **state)
{
    (void)state;
    for (size_t p = 0; p < RIDGE__COUNT(PARTS); p++) {
        const ridge_device *device = NULL;
        ridge_machine *m = NULL;
        assert_int_equal(ridge_catalog_load(&device, catalog, PARTS[p], NULL), RIDGE_OK);
        assert_int_equal(ridge_machine_new(&m, catalog, device, NULL), RIDGE_OK);
        for (int what = 0; what < 6; what++) {
            double before = 0;
            for (int step = 0; step < 32; step++) {
                double size = ceil(pow(1.3, step)); /* to 3404 */
                double batch = what % 3 == 0 ? size : 1;
                double length = what % 3 == 1 ? 4 * size : 512;
                double heads = what % 3 == 2 ? size : 8;
                ridge_estimate e = estimate(m,
                                            sized("attention_backward", batch, length,
                                                  heads, 128, what > 2, RIDGE_FP16),
                                            RIDGE_BACKEND_TRTLLM, RIDGE_TIMING_GRAPH);
                if (!(e.expected_s >= before))
                    fail_msg("%s: %g x %g x %g takes %g, less than %g", PARTS[p], batch,
                             length, heads, e.expected_s, before);
                before = e.expected_s;
            }
        }
        ridge_machine_free(m);
    }
}

static int open_catalog(void **state)
{
    (void)state;
    return ridge_catalog_open(&catalog, NULL, NULL, NULL) ? -1 : 0;
}

static int close_catalog(void **state)
{
    (void)state;
    ridge_catalog_free(catalog);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(backward_by_hand),
        cmocka_unit_test(softmax_follows_the_rate_of_exponentials),
        cmocka_unit_test(never_faster_than_the_forward_pass),
        cmocka_unit_test(more_work_never_takes_less_time),
    };
    return cmocka_run_group_tests(tests, open_catalog, close_catalog);
}
