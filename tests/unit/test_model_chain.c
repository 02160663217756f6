/* Serial chains: the grammar with its errors, and each model worked out by hand. */
#include "base/base.h"
#include "model/model.h"
#include "test.h"

static ridge_latency_chain parsed(const char *text)
{
    ridge_latency_chain chain;
    ridge_error err = {0};
    if (ridge_latency_parse(&chain, text, &err))
        fail_msg("%s: %s", text, err.message);
    return chain;
}

typedef struct fixture {
    ridge_catalog *catalog;
    ridge_machine *machine;
} fixture;

static fixture fixture_open(const char *gpu)
{
    fixture f = {0};
    const ridge_device *device = NULL;
    assert_int_equal(ridge_catalog_open(&f.catalog, NULL, NULL, NULL), RIDGE_OK);
    if (gpu)
        assert_int_equal(ridge_catalog_load(&device, f.catalog, gpu, NULL), RIDGE_OK);
    assert_int_equal(ridge_machine_new(&f.machine, f.catalog, device, NULL), RIDGE_OK);
    assert_int_equal(ridge_machine_load_latencies(f.machine, NULL), RIDGE_OK);
    return f;
}

static void fixture_close(fixture *f)
{
    ridge_machine_free(f->machine);
    ridge_catalog_free(f->catalog);
}

static ridge_latency evaluated(const fixture *f, const char *text)
{
    ridge_latency latency;
    ridge_error err = {0};
    ridge_latency_chain chain = parsed(text);
    if (ridge_latency_eval(&latency, f->machine, &chain, &err))
        fail_msg("%s: %s", text, err.message);
    return latency;
}

/* ---- Grammar ----------------------------------------------------------------------- */

static void brackets_multiply_out(void **state)
{
    (void)state;
    ridge_latency_chain c = parsed(" 2 * ( shfl + 3*(add+l1) ) + 0.5*dram ");
    static const struct {
        ridge_atom atom;
        double count;
    } want[] = {{RIDGE_ATOM_SHFL, 2},
                {RIDGE_ATOM_ADD, 6},
                {RIDGE_ATOM_L1, 6},
                {RIDGE_ATOM_DRAM, 0.5}};
    assert_int_equal(c.item_count, RIDGE__COUNT(want));
    for (size_t i = 0; i < RIDGE__COUNT(want); i++) {
        assert_int_equal(c.item[i].atom, want[i].atom);
        assert_close(c.item[i].count, want[i].count, 0);
        assert_true(!ridge_known(c.item[i].argument));
    }
}

static void arguments_have_units(void **state)
{
    (void)state;
    ridge_latency_chain c = parsed("memcpy.h2d(64KiB)+syncthreads( 256 )+memcpy.d2h(0)");
    assert_close(c.item[0].argument, 65536, 0);
    assert_close(c.item[1].argument, 256, 0);
    assert_close(c.item[2].argument, 0, 0);
}

static void each_slip_has_its_column(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        ridge_status status;
        const char *message;
    } cases[] = {
        {"", RIDGE_SYNTAX, "column 1: an atom, N* or \"(\" is wanted; found the end"},
        {"shfl+", RIDGE_SYNTAX,
         "column 6: an atom, N* or \"(\" is wanted; found the end"},
        {"shfl add", RIDGE_SYNTAX, "column 6: \"+\" or the end is wanted; found \"add\""},
        {"shfl)", RIDGE_SYNTAX, "column 5: \"+\" or the end is wanted; found \")\""},
        {"5*(shfl", RIDGE_SYNTAX,
         "column 8: \"+\" or \")\" is wanted; found the end, and the \"(\" of column 3 is "
         "open"},
        {"5 shfl", RIDGE_SYNTAX,
         "column 3: \"*\" is wanted after a count, as in 5*shfl; found \"shfl\""},
        {"shfl*5", RIDGE_SYNTAX, "column 5: \"+\" or the end is wanted; found \"*\""},
        {"-shfl", RIDGE_SYNTAX, "column 1: an atom, N* or \"(\" is wanted; found \"-\""},
        {"2*3*shfl", RIDGE_SYNTAX,
         "column 3: an atom, N* or \"(\" is wanted; found \"3\""},
        {"shlf", RIDGE_NOTFOUND, "column 1: no atom \"shlf\"; did you mean shfl"},
        {"add + xyzzy", RIDGE_NOTFOUND,
         "column 7: no atom \"xyzzy\"; ridge latency without an expression lists them"},
        {"shfl(2)", RIDGE_INVALID,
         "column 5: shfl takes no argument; leave the brackets out"},
        {"syncthreads", RIDGE_INVALID,
         "column 1: syncthreads needs its threads, as in syncthreads(256)"},
        {"syncthreads()", RIDGE_SYNTAX,
         "column 13: syncthreads() lacks its threads, as in syncthreads(256)"},
        {"syncthreads(256", RIDGE_SYNTAX,
         "column 16: \")\" is missing after syncthreads("},
        {"syncthreads(2000)", RIDGE_INVALID,
         "column 13: syncthreads takes threads 1 to 1024"},
        {"syncthreads(1.5)", RIDGE_INVALID,
         "column 13: syncthreads takes threads 1 to 1024, a whole number"},
        {"smem.conflict(33)", RIDGE_INVALID,
         "column 15: smem.conflict takes ways 1 to 32"},
        {"memcpy.h2d(2ms)", RIDGE_BADUNIT,
         "column 12: \"2ms\" is seconds; bytes wanted, as in 100MB"},
        {"1e9*1e9*shfl", RIDGE_SYNTAX,
         "column 5: an atom, N* or \"(\" is wanted; found \"1e9\""},
        {"1e9*(1e9*shfl)", RIDGE_LIMIT,
         "column 6: repeats more than 1e15 times; fewer wanted"},
        {"1e999*shfl", RIDGE_SYNTAX,
         "column 1: \"1e999\" is no count; a number such as 5 wanted"},
    };
    for (size_t i = 0; i < RIDGE__COUNT(cases); i++) {
        ridge_latency_chain chain = {.item_count = 77};
        ridge_error err = {0};
        assert_int_equal(ridge_latency_parse(&chain, cases[i].text, &err),
                         cases[i].status);
        assert_string_equal(err.message, cases[i].message);
        assert_int_equal(chain.item_count, 77);
    }
}

static void limits_hold(void **state)
{
    (void)state;
    ridge_latency_chain chain;
    ridge_error err = {0};
    char text[RIDGE_LATENCY_TEXT_MAX + 2];
    memset(text, '(', 33);
    memcpy(text + 33, "l1", 3);
    assert_int_equal(ridge_latency_parse(&chain, text, &err), RIDGE_LIMIT);
    assert_string_equal(err.message,
                        "column 33: nests more than 32 deep; fewer brackets wanted");
    memset(text, '(', 32);
    memcpy(text + 32, "l1", 2);
    memset(text + 34, ')', 32);
    text[66] = '\0';
    assert_int_equal(ridge_latency_parse(&chain, text, &err), RIDGE_OK);
    for (size_t i = 0; i < 65; i++)
        memcpy(text + 3 * i, "l1+", 4);
    text[3 * 65 - 1] = '\0';
    assert_int_equal(ridge_latency_parse(&chain, text, &err), RIDGE_LIMIT);
    assert_string_equal(
        err.message,
        "column 193: more than 64 atoms; one for several, as in 5*shfl, wanted");
    text[3 * 64 - 1] = '\0';
    assert_int_equal(ridge_latency_parse(&chain, text, &err), RIDGE_OK);
    assert_int_equal(chain.item_count, 64);
    memset(text, ' ', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    assert_int_equal(ridge_latency_parse(&chain, text, &err), RIDGE_LIMIT);
    assert_string_equal(err.message,
                        "column 4097: an expression has at most 4096 characters");
}

/* ---- Values: docs/model/chain.md prints these -------------------------------------- */

/* 5 x (24 + 4.2) = 141 cycles; / 1.98 GHz = 71.2 ns.  Asked for: 140 to 150, 70 to 85. */
static void a_warp_reduce_on_h100(void **state)
{
    (void)state;
    fixture f = fixture_open("h100-sxm");
    ridge_latency l = evaluated(&f, "5*(shfl+add)");
    assert_close(l.cycles, 141, 1e-12);
    assert_close(l.time_s, 141 / 1.98e9, 1e-12);
    assert_true(l.cycles >= 140 && l.cycles <= 150);
    assert_true(l.time_s >= 70e-9 && l.time_s <= 85e-9);
    assert_int_equal(l.term_count, 2);
    assert_null(l.term[0].borrowed);
    assert_string_equal(l.term[1].borrowed, "blackwell-ultra");
    assert_true(l.warnings & RIDGE_WARNING_BORROWED);
    assert_close(l.term[0].cycles_min, 115, 1e-12);
    assert_close(l.term[0].cycles_max, 125, 1e-12);
    assert_false(l.mixed);
    fixture_close(&f);
}

static void a_barrier_grows_with_the_block(void **state)
{
    (void)state;
    fixture f = fixture_open("b300-hgx");
    assert_close(evaluated(&f, "syncthreads(1)").cycles, 24, 0);
    assert_close(evaluated(&f, "syncthreads(32)").cycles, 24, 0);
    assert_close(evaluated(&f, "syncthreads(33)").cycles, 26, 0);
    assert_close(evaluated(&f, "syncthreads(256)").cycles, 38, 0);
    assert_close(evaluated(&f, "syncthreads(1024)").cycles, 86, 0);
    fixture_close(&f);
    f = fixture_open("mi300x"); /* 64 threads a warp: 22 + 2 x 4 */
    assert_close(evaluated(&f, "syncthreads(256)").cycles, 30, 0);
    fixture_close(&f);
}

/* Ada's own load of 28 and 2 more for each way; Hopper's load of 29 with Ada's slope. */
static void conflicts_add_to_the_load(void **state)
{
    (void)state;
    fixture f = fixture_open("l40s");
    assert_close(evaluated(&f, "smem.conflict(1)").cycles, 28, 0);
    ridge_latency l = evaluated(&f, "smem.conflict(32)");
    assert_close(l.cycles, 28 + 2 * 31, 0);
    assert_null(l.term[0].borrowed);
    fixture_close(&f);
    f = fixture_open("h100-sxm");
    l = evaluated(&f, "smem.conflict(32)");
    assert_close(l.cycles, 29 + 2 * 31, 0);
    assert_string_equal(l.term[0].borrowed, "ada");
    assert_int_equal(l.term[0].confidence, 'R'); /* the weaker of C and R */
    fixture_close(&f);
}

/* 300 cycles at 2.032 GHz and a million more at 38 G/s: 0.1476 + 26.316 us.  Not a
 * million latencies, which were 148 ms. */
static void contention_is_a_throughput(void **state)
{
    (void)state;
    fixture f = fixture_open("b300-hgx");
    double clock = f.machine->clock_vector_hz;
    ridge_latency l = evaluated(&f, "atomic.contended(1000001)");
    assert_close(l.time_s, 300 / clock + 1e6 / 38e9 * 2.032e9 / clock, 1e-9);
    assert_close(l.time_s, 26.46e-6, 0.005);
    assert_int_equal(l.term[0].kind, RIDGE_KIND_THROUGHPUT);
    /* 49 G/s is the fastest: 20.4 us; 27 the slowest: 37 us. */
    assert_close(l.term[0].min_s, 20.5e-6, 0.01);
    assert_close(l.term[0].max_s, 37.2e-6, 0.01);
    assert_close(evaluated(&f, "atomic.contended(1)").cycles,
                 evaluated(&f, "atomic.global").cycles, 0);
    fixture_close(&f);
}

/* 6.5 us and 1 GB at the 55.4 GB/s that PCIe 5 reached elsewhere; on B300 at the 57.7 GB/s
 * that were measured. */
static void copies_are_fixed_and_bytes(void **state)
{
    (void)state;
    fixture f = fixture_open("h100-sxm");
    assert_close(evaluated(&f, "memcpy.h2d(1GB)").time_s, 6.5e-6 + 1e9 / 55.4e9, 1e-12);
    assert_close(evaluated(&f, "memcpy.d2h(0)").time_s, 9e-6, 1e-12);
    fixture_close(&f);
    f = fixture_open("b300-hgx");
    assert_close(evaluated(&f, "memcpy.h2d(1GB)").time_s, 6.5e-6 + 1e9 / 57.7e9, 1e-12);
    fixture_close(&f);
}

/* Launches are three things: the call, a node of a graph, and waiting for the end. */
static void launches_stay_apart(void **state)
{
    (void)state;
    fixture f = fixture_open("h200-sxm");
    assert_close(evaluated(&f, "launch.cpu").time_s, 2.5e-6, 1e-12);
    assert_close(evaluated(&f, "launch.graph").time_s, 1.3e-6, 1e-12);
    assert_close(evaluated(&f, "launch.sync").time_s, 7.1e-6, 1e-12);
    fixture_close(&f);
    f = fixture_open("b300-hgx");
    assert_close(evaluated(&f, "launch.cpu+sync.device").time_s,
                 evaluated(&f, "launch.sync").time_s, 1e-12);
    fixture_close(&f);
}

/* A clock changes what is stated in cycles and nothing else. */
static void a_clock_scales_cycles_alone(void **state)
{
    (void)state;
    fixture f = fixture_open("h100-sxm");
    assert_int_equal(ridge_machine_set(f.machine, "clock", "1GHz", NULL), RIDGE_OK);
    ridge_latency l = evaluated(&f, "100*l1+launch.graph");
    assert_true(l.mixed);
    assert_close(l.term[0].time_s, 3.2e-6, 1e-12);
    assert_close(l.term[1].time_s, 1.3e-6, 1e-12);
    assert_close(l.cycles, 3200 + 1300, 1e-12);
    assert_close(l.time_s, 4.5e-6, 1e-12);
    fixture_close(&f);
}

/* A part without a clock: cycles are known, seconds are not; and the other way round. */
static void no_clock_no_seconds(void **state)
{
    (void)state;
    fixture f = fixture_open("example");
    ridge_latency l = evaluated(&f, "shfl");
    assert_close(l.cycles, 24, 0);
    assert_true(!ridge_known(l.time_s));
    l = evaluated(&f, "launch.cpu");
    assert_close(l.time_s, 2.5e-6, 1e-12);
    assert_true(!ridge_known(l.cycles));
    fixture_close(&f);
}

static void latencies_are_loaded_first(void **state)
{
    (void)state;
    fixture f = fixture_open(NULL);
    ridge_machine *fresh = NULL;
    ridge_latency l;
    ridge_error err = {0};
    ridge_latency_chain chain = parsed("shfl");
    assert_int_equal(ridge_machine_new(&fresh, f.catalog, NULL, NULL), RIDGE_OK);
    assert_int_equal(ridge_latency_eval(&l, fresh, &chain, &err), RIDGE_INVALID);
    assert_string_equal(err.message, "the machine's latencies are not loaded; "
                                     "ridge_machine_load_latencies does that");
    ridge_machine_free(fresh);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(brackets_multiply_out),
        cmocka_unit_test(arguments_have_units),
        cmocka_unit_test(each_slip_has_its_column),
        cmocka_unit_test(limits_hold),
        cmocka_unit_test(a_warp_reduce_on_h100),
        cmocka_unit_test(a_barrier_grows_with_the_block),
        cmocka_unit_test(conflicts_add_to_the_load),
        cmocka_unit_test(contention_is_a_throughput),
        cmocka_unit_test(copies_are_fixed_and_bytes),
        cmocka_unit_test(launches_stay_apart),
        cmocka_unit_test(a_clock_scales_cycles_alone),
        cmocka_unit_test(no_clock_no_seconds),
        cmocka_unit_test(latencies_are_loaded_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
