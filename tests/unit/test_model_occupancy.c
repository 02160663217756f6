/* Blocks on a unit and bytes in flight, each worked out by hand; docs/model/occupancy.md. */
#include "base/base.h"
#include "model/model.h"
#include "test.h"

typedef struct fixture {
    ridge_catalog *catalog;
    ridge_machine *machine;
    ridge_estimate e;
} fixture;

typedef struct word {
    const char *key, *value;
} word;

static ridge_status run(fixture *f, const char *gpu, const word *words, ridge_error *err)
{
    const ridge_device *device = NULL;
    ridge_call call;
    *f = (fixture){0};
    assert_int_equal(ridge_catalog_open(&f->catalog, NULL, NULL, NULL), RIDGE_OK);
    assert_int_equal(ridge_catalog_load(&device, f->catalog, gpu, NULL), RIDGE_OK);
    assert_int_equal(ridge_machine_new(&f->machine, f->catalog, device, NULL), RIDGE_OK);
    assert_int_equal(ridge_call_init(&call, "custom", NULL), RIDGE_OK);
    for (; words->key; words++)
        if (ridge_call_set(&call, words->key, words->value, err))
            fail_msg("%s=%s: %s", words->key, words->value, err->message);
    assert_int_equal(ridge_call_finish(&call, err), RIDGE_OK);
    return ridge_estimate_call(&f->e, f->machine, &call, err);
}

static void done(fixture *f)
{
    ridge_machine_free(f->machine);
    ridge_catalog_free(f->catalog);
}

static void blocks_by_hand(void **state)
{
    (void)state;
    static const struct {
        const char *gpu, *block, *regs, *smem;
        double blocks, occupancy;
        ridge_occupancy_limit by;
    } cases[] = {
        /* 64 warps / 8 = 8, but 2048 registers a warp: 4 x (16384 / 2048) / 8 = 4 */
        {"h100-sxm", "256", "64", NULL, 4, 0.5, RIDGE_OCCUPANCY_BY_REGISTERS},
        /* 65 x 32 = 2080, up to 2304: 7 warps a partition, 28 / 8 = 3 */
        {"h100-sxm", "256", "65", NULL, 3, 0.375, RIDGE_OCCUPANCY_BY_REGISTERS},
        /* 1024 a warp: 64 warps, as many as fit: the first of equals */
        {"h100-sxm", "256", "32", NULL, 8, 1, RIDGE_OCCUPANCY_BY_THREADS},
        /* 65 x 32 again, blocks of one warp: 28, where 65536 / 2304 were 28.4 */
        {"h100-sxm", "32", "65", NULL, 28, 28.0 / 64, RIDGE_OCCUPANCY_BY_REGISTERS},
        /* 168 x 32 = 5376: 3 a partition, 12 warps / 3 = 4 */
        {"h100-sxm", "96", "168", NULL, 4, 12.0 / 64, RIDGE_OCCUPANCY_BY_REGISTERS},
        {"h100-sxm", "32", NULL, NULL, 32, 0.5, RIDGE_OCCUPANCY_BY_BLOCKS},
        /* 33 threads are two warps */
        {"h100-sxm", "33", NULL, NULL, 32, 1, RIDGE_OCCUPANCY_BY_THREADS},
        {"h100-sxm", "1024", NULL, NULL, 2, 1, RIDGE_OCCUPANCY_BY_THREADS},
        /* 48 + 1 KiB of 228: 4 */
        {"h100-sxm", "128", NULL, "48KiB", 4, 0.25, RIDGE_OCCUPANCY_BY_SHARED},
        /* 82 + 1 of 164 KiB: 1, where 164 / 82 were 2; 80 + 1: 2 */
        {"a100-sxm-80", "128", NULL, "82KiB", 1, 4.0 / 64, RIDGE_OCCUPANCY_BY_SHARED},
        {"a100-sxm-80", "128", NULL, "80KiB", 2, 8.0 / 64, RIDGE_OCCUPANCY_BY_SHARED},
        /* Nothing is reserved before 8.0: 96 / 48 = 2 */
        {"v100-sxm2-16", "128", NULL, "48KiB", 2, 8.0 / 64, RIDGE_OCCUPANCY_BY_SHARED},
        /* 1536 threads: 48 warps, 16 blocks (8.6) */
        {"rtx3090", "256", NULL, NULL, 6, 1, RIDGE_OCCUPANCY_BY_THREADS},
        {"rtx3090", "64", NULL, NULL, 16, 32.0 / 48, RIDGE_OCCUPANCY_BY_BLOCKS},
        {"k40", "64", NULL, NULL, 16, 0.5, RIDGE_OCCUPANCY_BY_BLOCKS},
    };
    for (size_t i = 0; i < RIDGE__COUNT(cases); i++) {
        fixture f;
        ridge_error err = {0};
        word words[6] = {{"flop", "0"}, {"bytes", "1GB"}, {"block", cases[i].block}};
        size_t n = 3;
        if (cases[i].regs)
            words[n++] = (word){"regs", cases[i].regs};
        if (cases[i].smem)
            words[n++] = (word){"smem", cases[i].smem};
        words[n] = (word){NULL, NULL};
        if (run(&f, cases[i].gpu, words, &err))
            fail_msg("case %zu: %s", i, err.message);
        const ridge_occupancy *o = &f.e.plan.occupancy;
        if (o->blocks_per_unit != cases[i].blocks || o->limited_by != cases[i].by)
            fail_msg("case %zu: %g blocks by %s", i, o->blocks_per_unit,
                     ridge_occupancy_limit_name(o->limited_by));
        assert_close(o->occupancy, cases[i].occupancy, 1e-12);
        assert_true(!ridge_known(o->waves)); /* no grid */
        done(&f);
    }
}

/* 132 x 4 = 528 blocks at once. */
static void waves_are_fractional_and_whole(void **state)
{
    (void)state;
    static const struct {
        const char *grid;
        double waves, full, active;
    } cases[] = {{"528", 1, 1, 528},
                 {"529", 529.0 / 528, 2, 528},
                 {"100", 100.0 / 528, 1, 100},
                 {"5280", 10, 10, 528}};
    for (size_t i = 0; i < RIDGE__COUNT(cases); i++) {
        fixture f;
        const word words[] = {{"flop", "0"},  {"bytes", "1GB"},        {"block", "256"},
                              {"regs", "64"}, {"grid", cases[i].grid}, {NULL, NULL}};
        assert_int_equal(run(&f, "h100-sxm", words, NULL), RIDGE_OK);
        assert_close(f.e.plan.occupancy.waves, cases[i].waves, 1e-12);
        assert_close(f.e.plan.occupancy.full_waves, cases[i].full, 0);
        assert_close(f.e.plan.occupancy.active_blocks, cases[i].active, 0);
        done(&f);
    }
}

/*
 * 100 blocks x 256 threads x 16 B = 409.6 kB; 3.352 TB/s x 650 cycles / 1.98 GHz =
 * 1.1004 MB.  409.6e3 / 328.28e-9 = 1.2477 TB/s; 100 MB take 80.15 us.
 */
static void few_bytes_in_flight_bound_by_latency(void **state)
{
    (void)state;
    fixture f;
    const word words[] = {{"flop", "0"},  {"bytes", "100MB"}, {"block", "256"},
                          {"regs", "64"}, {"grid", "100"},    {NULL, NULL}};
    assert_int_equal(run(&f, "h100-sxm", words, NULL), RIDGE_OK);
    const ridge_occupancy *o = &f.e.plan.occupancy;
    assert_close(o->bytes_in_flight, 409600, 0);
    assert_close(o->latency_s, 650 / 1.98e9, 1e-12);
    assert_close(o->needed_bytes_in_flight, 1.1004e6, 1e-4);
    assert_close(o->attainable_bytes_per_s, 1.24771e12, 1e-5);
    assert_int_equal(f.e.bound, RIDGE_BY_LATENCY);
    assert_true(f.e.warnings & RIDGE_WARNING_LATENCY_BOUND);
    assert_string_equal(f.e.term[1].name, "bytes in flight");
    assert_close(f.e.term[1].time_s, 80.147e-6, 1e-4);
    assert_close(f.e.body_s, 1.5e-6 + 80.147e-6, 1e-4);
    done(&f);
}

/* 528 blocks x 256 x 16 = 2.16 MB fill it; so do 100 blocks with 64 B for each thread. */
static void enough_in_flight_changes_nothing(void **state)
{
    (void)state;
    const word full[] = {{"flop", "0"},  {"bytes", "100MB"}, {"block", "256"},
                         {"regs", "64"}, {"grid", "1000"},   {NULL, NULL}};
    const word wide[] = {{"flop", "0"},   {"bytes", "100MB"},  {"block", "256"},
                         {"grid", "100"}, {"inflight", "64B"}, {NULL, NULL}};
    const word bare[] = {{"flop", "0"}, {"bytes", "100MB"}, {NULL, NULL}};
    fixture f, g, h;
    assert_int_equal(run(&f, "h100-sxm", full, NULL), RIDGE_OK);
    assert_int_equal(run(&g, "h100-sxm", wide, NULL), RIDGE_OK);
    assert_int_equal(run(&h, "h100-sxm", bare, NULL), RIDGE_OK);
    assert_int_equal(f.e.bound, RIDGE_BY_MEMORY);
    assert_close(f.e.body_s, h.e.body_s, 0);
    assert_close(g.e.body_s, h.e.body_s, 0);
    assert_false(h.e.plan.occupancy.asked);
    done(&f);
    done(&g);
    done(&h);
}

/* Less than what is in flight still takes one latency: 1 block of 1 MB at once. */
static void one_latency_is_the_least(void **state)
{
    (void)state;
    const word words[] = {
        {"flop", "0"}, {"bytes", "1kB"}, {"block", "1024"}, {"grid", "1"}, {NULL, NULL}};
    fixture f;
    assert_int_equal(run(&f, "h100-sxm", words, NULL), RIDGE_OK);
    assert_close(f.e.term[1].time_s, 650 / 1.98e9, 1e-12);
    done(&f);
}

/* 33 of 132 SMs: a quarter of the peak. */
static void idle_units_compute_nothing(void **state)
{
    (void)state;
    const word some[] = {{"flop", "1TFLOP"}, {"bytes", "1kB"}, {"dtype", "fp32"},
                         {"block", "256"},   {"grid", "33"},   {NULL, NULL}};
    const word all[] = {{"flop", "1TFLOP"}, {"bytes", "1kB"}, {"dtype", "fp32"},
                        {"block", "256"},   {"grid", "132"},  {NULL, NULL}};
    fixture f, g;
    assert_int_equal(run(&f, "h100-sxm", some, NULL), RIDGE_OK);
    assert_int_equal(run(&g, "h100-sxm", all, NULL), RIDGE_OK);
    assert_close(f.e.body_s - 1.5e-6, 4 * (g.e.body_s - 1.5e-6), 1e-9);
    assert_close(f.e.floor_s, g.e.floor_s, 0); /* the floor knows no launch */
    done(&f);
    done(&g);
}

/* T = launch + serial work: 1.3 + 1.5 + 2 us and 1 kB. */
static void a_serial_chain_is_added(void **state)
{
    (void)state;
    const word words[] = {{"flop", "0"}, {"bytes", "0"}, {"serial", "2us"}, {NULL, NULL}};
    fixture f;
    assert_int_equal(run(&f, "h100-sxm", words, NULL), RIDGE_OK);
    assert_close(f.e.latency_s, 4.8e-6, 1e-9);
    assert_close(f.e.expected_s, 4.8e-6, 1e-9);
    assert_close(f.e.floor_s, 0, 0);
    assert_int_equal(f.e.bound, RIDGE_BY_LATENCY);
    done(&f);
}

/* A memory does not follow the clock of the units. */
static void a_clock_leaves_the_memory_alone(void **state)
{
    (void)state;
    const word words[] = {{"flop", "0"}, {"bytes", "1MB"}, {"block", "64"}, {NULL, NULL}};
    fixture f;
    assert_int_equal(run(&f, "h100-sxm", words, NULL), RIDGE_OK);
    double before = ridge__machine_dram_latency(f.machine);
    assert_int_equal(ridge_machine_set(f.machine, "clock", "1GHz", NULL), RIDGE_OK);
    assert_close(ridge__machine_dram_latency(f.machine), before, 0);
    done(&f);
}

static void what_is_not_known_is_not_guessed(void **state)
{
    (void)state;
    static const char *const parts[] = {"mi300x", "gaudi3", "tpu-v5e"};
    const word words[] = {{"flop", "0"},
                          {"bytes", "1GB"},
                          {"block", "256"},
                          {"grid", "1000"},
                          {NULL, NULL}};
    for (size_t i = 0; i < RIDGE__COUNT(parts); i++) {
        fixture f;
        assert_int_equal(run(&f, parts[i], words, NULL), RIDGE_OK);
        assert_true(f.e.plan.occupancy.asked);
        assert_true(!ridge_known(f.e.plan.occupancy.blocks_per_unit));
        assert_true(!ridge_known(f.e.plan.occupancy.bytes_in_flight));
        assert_null(ridge_occupancy_limit_name(f.e.plan.occupancy.limited_by));
        if (f.e.basis)
            assert_true(f.e.warnings & RIDGE_WARNING_UNKNOWN_OCCUPANCY);
        done(&f);
    }
}

static void a_borrowed_latency_is_told(void **state)
{
    (void)state;
    fixture f;
    const word words[] = {
        {"flop", "0"}, {"bytes", "1MB"}, {"block", "64"}, {"grid", "10"}, {NULL, NULL}};
    assert_int_equal(run(&f, "k40", words, NULL), RIDGE_OK);
    assert_close(f.e.plan.occupancy.latency_s, 429 / 875e6, 1e-9); /* Volta's cycles */
    assert_true(f.e.warnings & RIDGE_WARNING_BORROWED);
    done(&f);
}

static void a_block_that_cannot_run(void **state)
{
    (void)state;
    static const struct {
        const char *gpu;
        word words[5];
        const char *message;
    } cases[] = {
        {"k40",
         {{"flop", "0"}, {"bytes", "1"}, {"block", "2000"}},
         "block=2000 cannot run on k40: at most 1024 threads to a block"},
        {"h100-sxm",
         {{"flop", "0"}, {"bytes", "1"}, {"block", "64"}, {"regs", "256"}},
         "regs=256 cannot run on h100-sxm: at most 255 registers to a thread"},
        {"h100-sxm",
         {{"flop", "0"}, {"bytes", "1"}, {"block", "64"}, {"smem", "228KiB"}},
         "smem=233472 cannot run on h100-sxm: at most 232448 bytes of shared memory to a "
         "block"},
        {"h100-sxm",
         {{"flop", "0"}, {"bytes", "1"}, {"block", "1024"}, {"regs", "80"}},
         "regs=80 with block=1024 cannot run on h100-sxm: no unit has that many "
         "registers"},
    };
    for (size_t i = 0; i < RIDGE__COUNT(cases); i++) {
        fixture f;
        ridge_error err = {0};
        assert_int_equal(run(&f, cases[i].gpu, cases[i].words, &err), RIDGE_INVALID);
        assert_string_equal(err.message, cases[i].message);
        done(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_by_hand),
        cmocka_unit_test(waves_are_fractional_and_whole),
        cmocka_unit_test(few_bytes_in_flight_bound_by_latency),
        cmocka_unit_test(enough_in_flight_changes_nothing),
        cmocka_unit_test(one_latency_is_the_least),
        cmocka_unit_test(idle_units_compute_nothing),
        cmocka_unit_test(a_serial_chain_is_added),
        cmocka_unit_test(a_clock_leaves_the_memory_alone),
        cmocka_unit_test(what_is_not_known_is_not_guessed),
        cmocka_unit_test(a_borrowed_latency_is_told),
        cmocka_unit_test(a_block_that_cannot_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
