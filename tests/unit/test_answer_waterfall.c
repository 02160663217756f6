/* From the datasheet to a measured time: docs/model/waterfall.md. */
#include "answer/waterfall.h"
#include "base/base.h"
#include "machine/machine.h"
#include "op/op.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct placed {
    ridge_catalog *catalog;
    ridge_machine *machine;
    ridge_call call;
    ridge_estimate estimate;
    ridge_measurement measurement;
    ridge__waterfall fall;
} placed;

static void must(ridge_status status, const ridge_error *err)
{
    if (status)
        fail_msg("%s: %s", err->where, err->message);
}

/* "gemm m=1 ..." on a part ("" the given machine of `setting`); setting: "clock=1GHz". */
static void place(placed *p, const char *gpu, const char *setting, const char *words,
                  double time_s)
{
    const ridge_device *device = NULL;
    char op[32], key[32], value[32];
    ridge_error err;
    int used = 0;
    must(ridge_catalog_open(&p->catalog, NULL, NULL, &err), &err);
    must(ridge_catalog_load(&device, p->catalog, gpu, &err), &err);
    must(ridge_machine_new(&p->machine, p->catalog, device, &err), &err);
    if (setting && sscanf(setting, "%31[^=]=%31s", key, value) == 2)
        must(ridge_machine_set(p->machine, key, value, &err), &err);
    assert_int_equal(sscanf(words, "%31s%n", op, &used), 1);
    must(ridge_call_init(&p->call, op, &err), &err);
    for (const char *at = words + used;
         sscanf(at, " %31[^=]=%31s%n", key, value, &used) == 2; at += used) {
        if (strcmp(key, "tile") == 0) {
            char *cross;
            p->call.tile_m = (uint16_t)strtoul(value, &cross, 10);
            assert_int_equal(*cross, 'x');
            p->call.tile_n = (uint16_t)strtoul(cross + 1, NULL, 10);
        } else
            must(ridge_call_set(&p->call, key, value, &err), &err);
    }
    must(ridge_call_finish(&p->call, &err), &err);
    must(ridge_estimate_call(&p->estimate, p->machine, &p->call, &err), &err);
    must(ridge_measurement_place(&p->measurement, &p->estimate, p->machine, &time_s, 1,
                                 RIDGE_UNKNOWN, &err),
         &err);
    ridge__waterfall_find(&p->fall, p->machine, &p->call, &p->estimate, &p->measurement);
}

static void leave(placed *p)
{
    ridge_machine_free(p->machine);
    ridge_catalog_free(p->catalog);
}

static const ridge__step *step_of(const placed *p, ridge__step_kind kind)
{
    for (size_t i = 0; i < p->fall.count; i++)
        if (p->fall.step[i].kind == kind)
            return &p->fall.step[i];
    return NULL;
}

/* Times and shares add up to the measured time, factors multiply to the whole loss. */
static void check_whole(const placed *p)
{
    double time_s = 0, share = 0, factor = 1;
    const ridge__waterfall *w = &p->fall;
    for (size_t i = 0; i < w->count; i++) {
        time_s += w->step[i].time_s;
        share += w->step[i].share;
        factor *= w->step[i].factor;
    }
    assert_close(time_s, p->measurement.time_s, 1e-12);
    assert_close(share, 1, 1e-12);
    const ridge__step *last = &w->step[w->count - 1];
    assert_int_equal(last->kind, RIDGE__STEP_UNEXPLAINED);
    assert_close(last->rate, w->work / p->measurement.time_s, 1e-12);
    assert_close(factor, last->rate / w->step[0].rate, 1e-12);
}

/*
 * 14 x 32 = 448 tiles on 108 units: 4.148 waves take 5, 82.96 %; 3456 rows fill 3584,
 * 96.43 %: 312 TFLOP/s become 258.8 and 249.6, of which 158 are 63 %.
 */
static void tile_and_waves_of_an_a100(void **state)
{
    (void)state;
    placed p = {0};
    double flop = 2.0 * 3456 * 4096 * 8192;
    place(&p, "a100-pcie-40", NULL,
          "gemm m=3456 n=4096 k=8192 dtype=fp16 dtype_out=fp32 tile=256x128",
          flop / 158e12);
    check_whole(&p);
    assert_close(p.fall.step[0].rate, 312e12, 1e-12);
    assert_close(step_of(&p, RIDGE__STEP_WAVES)->factor, 448.0 / 108 / 5, 1e-12);
    assert_close(step_of(&p, RIDGE__STEP_PADDING)->factor, 3456.0 / 3584, 1e-12);
    /* The board's 250 W come before: what they leave is the whole of these figures. */
    const ridge__step *power = step_of(&p, RIDGE__STEP_POWER);
    double whole = step_of(&p, RIDGE__STEP_PADDING)->rate / power->factor;
    assert_true(power->factor > 0.6 && power->factor < 0.9);
    assert_close(whole, 249.59e12, 1e-4);
    assert_close(158e12 / whole, 0.633, 1e-3);
    assert_null(step_of(&p, RIDGE__STEP_PIPE));
    assert_null(step_of(&p, RIDGE__STEP_CLOCK));
    leave(&p);
}

/* fp64 on the vector pipe of an A100: 9.7 of the matrix pipe's 19.5 TFLOP/s. */
static void the_slower_pipe_is_a_step(void **state)
{
    (void)state;
    placed p = {0};
    place(&p, "a100-sxm-40", NULL, "gemm m=4096 n=4096 k=4096 dtype=fp64 pipe=vector",
          20e-3);
    check_whole(&p);
    assert_close(p.fall.step[0].rate, 19.5e12, 1e-12);
    assert_close(step_of(&p, RIDGE__STEP_PIPE)->factor, 9.7 / 19.5, 1e-12);
    leave(&p);
    /* fp32 data could be multiplied as tf32: 62.5 on an A10, where SIMT has 31.2. */
    p = (placed){0};
    place(&p, "a10", NULL, "gemm m=3456 n=4096 k=4096 dtype=fp32", 9.30172e-3);
    check_whole(&p);
    assert_close(step_of(&p, RIDGE__STEP_PIPE)->factor, 31.2 / 62.5, 1e-12);
    leave(&p);
    /* The sum of elements is no product: its only pipe is the start. */
    p = (placed){0};
    place(&p, "example", NULL, "custom flop=10GFLOP bytes=1MB", 1e-3);
    check_whole(&p);
    assert_null(step_of(&p, RIDGE__STEP_PIPE));
    leave(&p);
}

/* 1.2 of 1.83 GHz: 65.6 % of the datasheet's 989.4 TFLOP/s. */
static void a_lower_clock_is_a_step(void **state)
{
    (void)state;
    placed p = {0};
    place(&p, "h100-sxm", "clock=1.2GHz", "gemm m=8192 n=8192 k=8192 dtype=bf16", 2e-3);
    check_whole(&p);
    assert_close(p.fall.step[0].rate, 989.4e12, 1e-12);
    assert_close(step_of(&p, RIDGE__STEP_CLOCK)->factor, 1.2 / 1.83, 1e-9);
    leave(&p);
    /* A peak that was given by hand has no datasheet before it. */
    p = (placed){0};
    place(&p, "h100-sxm", "peak=800TFLOP/s", "gemm m=8192 n=8192 k=8192 dtype=bf16",
          2e-3);
    check_whole(&p);
    assert_close(p.fall.step[0].rate, 800e12, 1e-12);
    assert_null(step_of(&p, RIDGE__STEP_CLOCK));
    leave(&p);
}

/* One token through 6144 x 4096: 50.4 MB at 3.352 TB/s are 15.02 us; no FLOP in it. */
static void a_memory_bound_kernel_starts_at_the_bandwidth(void **state)
{
    (void)state;
    placed p = {0};
    place(&p, "h100-sxm", NULL, "gemm m=1 n=6144 k=4096 dtype=bf16", 20e-6);
    check_whole(&p);
    assert_string_equal(p.fall.step[0].name, "bandwidth");
    assert_int_equal(p.fall.unit, RIDGE_UNIT_BYTES_PER_S);
    assert_close(p.fall.step[0].time_s, 50352128 / 3.352e12, 1e-12);
    assert_close(step_of(&p, RIDGE__STEP_LAUNCH)->time_s, p.estimate.launch_s, 1e-9);
    leave(&p);
}

/* The teaching GPU has no expected time: 1 of 2 ms is unexplained. */
static void what_is_unknown_is_unexplained(void **state)
{
    (void)state;
    placed p = {0};
    place(&p, "example", NULL, "custom flop=10GFLOP bytes=1GB", 2e-3);
    check_whole(&p);
    assert_int_equal(p.fall.count, 2);
    assert_close(p.fall.step[1].share, 0.5, 1e-12);
    leave(&p);
}

/* 16 MiB from the L2 of a 5090: the start is L2's rate, nothing of a cold run follows. */
static void a_run_from_l2_starts_at_l2(void **state)
{
    (void)state;
    placed p = {0};
    place(&p, "rtx5090", NULL, "custom flop=0 bytes=16MiB dtype=fp32", 8.182e-6);
    assert_int_equal(p.measurement.verdict, RIDGE_VERDICT_L2_RESIDENT);
    check_whole(&p);
    assert_string_equal(p.fall.step[0].name, "l2");
    assert_int_equal(p.fall.count, 2);
    leave(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tile_and_waves_of_an_a100),
        cmocka_unit_test(the_slower_pipe_is_a_step),
        cmocka_unit_test(a_lower_clock_is_a_step),
        cmocka_unit_test(a_memory_bound_kernel_starts_at_the_bandwidth),
        cmocka_unit_test(what_is_unknown_is_unexplained),
        cmocka_unit_test(a_run_from_l2_starts_at_l2),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
