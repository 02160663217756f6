#include "base/base.h"
#include "chart/chart.h"
#include "machine/machine.h"
#include "scratch.h"
#include "test.h"

/* ---- Helpers ----------------------------------------------------------------------- */

typedef struct bench {
    ridge_catalog *catalog;
    ridge_machine *machine;
    ridge_chart *chart;
} bench;

static void set_up(bench *b, const char *gpu)
{
    const ridge_device *device = NULL;
    assert_int_equal(ridge_catalog_open(&b->catalog, NULL, NULL, NULL), RIDGE_OK);
    assert_int_equal(ridge_catalog_load(&device, b->catalog, gpu, NULL), RIDGE_OK);
    assert_int_equal(ridge_machine_new(&b->machine, b->catalog, device, NULL), RIDGE_OK);
    assert_int_equal(ridge_chart_new(&b->chart, gpu), RIDGE_OK);
}

static void tear_down(bench *b)
{
    ridge_chart_free(b->chart);
    ridge_machine_free(b->machine);
    ridge_catalog_free(b->catalog);
}

static const ridge__roof *find(const ridge__roof *roofs, size_t count, const char *label,
                               bool reachable)
{
    for (size_t i = 0; i < count; i++)
        if (roofs[i].reachable == reachable && strcmp(roofs[i].label, label) == 0)
            return &roofs[i];
    return NULL;
}

/* ---- Tests ------------------------------------------------------------------------- */

static void test_teaching_machine_is_one_roof(void **state)
{
    (void)state;
    bench b;
    set_up(&b, "example");
    assert_int_equal(ridge_chart_add_machine(b.chart, b.machine, NULL, 0, NULL),
                     RIDGE_OK);
    /* Every peak is 100 TFLOP/s, so no dtype is named; nothing measured, so no twin. */
    assert_int_equal(b.chart->peak_count, 1);
    assert_string_equal(b.chart->peak[0].label, "every dtype");
    assert_close(b.chart->peak[0].rate, 100e12, 1e-12);
    assert_int_equal(b.chart->bandwidth_count, 1);
    assert_close(b.chart->bandwidth[0].rate, 1e12, 1e-12);
    assert_close(ridge__chart_ridge(b.chart, &b.chart->peak[0]), 100, 1e-12);
    tear_down(&b);
}

static void test_dtypes_share_the_levels(void **state)
{
    (void)state;
    static const ridge_dtype dtypes[] = {RIDGE_FP8, RIDGE_BF16, RIDGE_FP32, RIDGE_NVFP4};
    bench b;
    set_up(&b, "h100-sxm");
    assert_int_equal(ridge_chart_add_machine(b.chart, b.machine, dtypes, 4, NULL),
                     RIDGE_OK);
    const ridge_chart *c = b.chart;
    const ridge__roof *bf16 = find(c->peak, c->peak_count, "bf16 matrix", false);
    const ridge__roof *twin = find(c->peak, c->peak_count, "bf16 matrix", true);
    const ridge__roof *dram = find(c->bandwidth, c->bandwidth_count, "DRAM", false);
    const ridge__roof *reach = find(c->bandwidth, c->bandwidth_count, "DRAM", true);
    assert_non_null(bf16);
    assert_close(bf16->rate, 989.4e12, 1e-12);
    assert_non_null(twin);
    assert_true(twin->rate < bf16->rate && twin->rate > bf16->rate / 2);
    assert_non_null(dram);
    assert_close(dram->rate, 3.352e12, 1e-12);
    assert_ptr_equal(dram, ridge__chart_base(c));
    assert_non_null(reach);
    assert_true(reach->rate < dram->rate && reach->rate > dram->rate / 2);
    assert_non_null(find(c->peak, c->peak_count, "fp8 matrix", false));
    assert_non_null(find(c->peak, c->peak_count, "fp32 vector", false));
    /* No hardware for nvfp4, and nobody states an L2 bandwidth: left out. */
    assert_null(find(c->peak, c->peak_count, "nvfp4 matrix", false));
    assert_null(find(c->bandwidth, c->bandwidth_count, "L2", false));
    tear_down(&b);
}

static void test_overrides_move_the_roofs(void **state)
{
    (void)state;
    static const ridge_dtype bf16 = RIDGE_BF16;
    bench b;
    set_up(&b, "h100-sxm");
    assert_int_equal(ridge_machine_set(b.machine, "dram", "2x", NULL), RIDGE_OK);
    assert_int_equal(ridge_machine_set(b.machine, "peak", "bf16=500TFLOP/s", NULL),
                     RIDGE_OK);
    assert_int_equal(ridge_chart_add_machine(b.chart, b.machine, &bf16, 1, NULL),
                     RIDGE_OK);
    assert_close(b.chart->peak[0].rate, 500e12, 1e-12);
    assert_close(ridge__chart_base(b.chart)->rate, 6.704e12, 1e-12);
    tear_down(&b);
}

static void test_nothing_known(void **state)
{
    (void)state;
    bench b = {NULL, NULL, NULL};
    ridge_error err;
    assert_int_equal(ridge_catalog_open(&b.catalog, NULL, NULL, NULL), RIDGE_OK);
    assert_int_equal(ridge_machine_new(&b.machine, b.catalog, NULL, NULL), RIDGE_OK);
    assert_int_equal(ridge_chart_new(&b.chart, ""), RIDGE_OK);
    assert_int_equal(ridge_chart_add_machine(b.chart, b.machine, NULL, 0, &err),
                     RIDGE_NODATA);
    assert_string_equal(err.message, "neither a peak nor a bandwidth is known of given");
    tear_down(&b);
}

/* 10 GFLOP over 1 GB: intensity 10, floor 1 ms, expected 1.25 ms (1.2 to 1.6 ms). */
static ridge_estimate estimate(void)
{
    return (ridge_estimate){.work = {.flop = 10e9, .bytes = 1e9},
                            .floor_s = 1e-3,
                            .expected_s = 1.25e-3,
                            .low_s = 1.2e-3,
                            .high_s = 1.6e-3};
}

static void test_points_of_an_estimate(void **state)
{
    (void)state;
    ridge_chart *chart = NULL;
    ridge_estimate e = estimate();
    ridge_measurement m = {.time_s = 2e-3};
    assert_int_equal(ridge_chart_new(&chart, ""), RIDGE_OK);
    assert_int_equal(ridge_chart_add_estimate(chart, "measured", &e, &m, NULL), RIDGE_OK);
    assert_int_equal(ridge_chart_add_estimate(chart, "expected", &e, NULL, NULL),
                     RIDGE_OK);
    e.expected_s = e.low_s = e.high_s = RIDGE_UNKNOWN;
    assert_int_equal(ridge_chart_add_estimate(chart, "roof", &e, NULL, NULL), RIDGE_OK);
    const ridge__point *p = chart->point;
    /* Measured: 10 GFLOP / 2 ms = 5 TFLOP/s, half of what 1 ms would be. */
    assert_close(p[0].intensity, 10, 1e-12);
    assert_close(p[0].rate, 5e12, 1e-12);
    assert_close(p[0].share, 0.5, 1e-12);
    assert_true(p[0].measured);
    /* The bar: 10 GFLOP / 1.6 ms = 6.25, / 1.2 ms = 8.333 TFLOP/s. */
    assert_close(p[0].low, 6.25e12, 1e-12);
    assert_close(p[0].high, 10e12 / 1.2, 1e-12);
    /* Expected: 10 GFLOP / 1.25 ms = 8 TFLOP/s. */
    assert_close(p[1].rate, 8e12, 1e-12);
    assert_close(p[1].share, 0.8, 1e-12);
    assert_false(p[1].measured);
    /* Nothing better known: its own roof, 10 GFLOP / 1 ms, without a bar. */
    assert_close(p[2].rate, 10e12, 1e-12);
    assert_true(p[2].on_roof);
    assert_false(ridge_known(p[2].low));
    ridge_chart_free(chart);
}

static void test_work_without_flop_or_bytes(void **state)
{
    (void)state;
    ridge_chart *chart = NULL;
    ridge_error err;
    ridge_estimate e = estimate();
    assert_int_equal(ridge_chart_new(&chart, ""), RIDGE_OK);
    e.work.flop = 0;
    assert_int_equal(ridge_chart_add_estimate(chart, "copy", &e, NULL, NULL), RIDGE_OK);
    assert_true(chart->point[0].intensity == 0);
    assert_close(chart->point[0].rate, 0.8e12, 1e-12); /* 1 GB / 1.25 ms, bytes/s */
    e.work.bytes = 0;
    assert_int_equal(ridge_chart_add_estimate(chart, "none", &e, NULL, &err),
                     RIDGE_INVALID);
    assert_string_equal(
        err.message, "the call moves no bytes, so it has no place on a roofline chart");
    assert_int_equal(chart->point_count, 1);
    ridge_chart_free(chart);
}

static int collect(void *ctx, const char *data, size_t size)
{
    ridge__str_add(ctx, data, size);
    return 0;
}

static void test_figures(void **state)
{
    (void)state;
    ridge_chart *chart = NULL;
    ridge_estimate e = estimate();
    ridge_style style = {.format = RIDGE_CSV};
    ridge__str out;
    ridge__str_init(&out, 0, NULL);
    ridge_sink sink = {collect, &out};
    assert_int_equal(ridge_chart_new(&chart, "t"), RIDGE_OK);
    assert_int_equal(ridge_chart_add_roof(chart, "fp32", 100e12, 1e12, false), RIDGE_OK);
    e.high_s = 2e-3;
    e.low_s = 1e-3;
    assert_int_equal(ridge_chart_add_estimate(chart, "a, b", &e, NULL, NULL), RIDGE_OK);
    assert_int_equal(ridge_chart_write(chart, RIDGE_TERMINAL, &style, sink, NULL),
                     RIDGE_OK);
    assert_string_equal(out.data,
                        "what,label,intensity,rate,low,high,of_roof,unit,is\n"
                        "peak,fp32,100,100000000000000,,,,FLOP/s,stated\n"
                        "bandwidth,,,1000000000000,,,,B/s,stated\n"
                        "point,\"a, b\",10,8000000000000,5000000000000,10000000000000,"
                        "0.8,FLOP/s,expected\n");
    ridge__str_reset(&out);
    style.format = RIDGE_JSON;
    assert_int_equal(ridge_chart_write(chart, RIDGE_TERMINAL, &style, sink, NULL),
                     RIDGE_OK);
    assert_string_equal(
        out.data,
        "{\"title\":\"t\",\"peaks\":[{\"label\":\"fp32\",\"flop_per_s\":100000000000000,"
        "\"ridge\":100,\"reachable\":false}],\"bandwidths\":[{\"label\":\"\","
        "\"bytes_per_s\":1000000000000,\"reachable\":false}],\"points\":[{\"label\":"
        "\"a, b\",\"intensity\":10,\"flop_per_s\":8000000000000,\"low_flop_per_s\":"
        "5000000000000,\"high_flop_per_s\":10000000000000,\"of_roof\":0.8,\"is\":"
        "\"expected\"}]}\n");
    style.format = RIDGE_FORMAT_COUNT; /* none: not silently one of the others */
    assert_int_equal(ridge_chart_write(chart, RIDGE_TERMINAL, &style, sink, NULL),
                     RIDGE_INVALID);
    ridge__str_clear(&out);
    ridge_chart_free(chart);
}

/* The file's quirks are those of ridge_predict_run: a byte order mark, rows of several
 * lines, blank ones, and a machine file that is itself wrong on some line. */
static void test_tables_are_read_as_by_predict(void **state)
{
    (void)state;
    static const char text[] = "\xef\xbb\xbfm,n,k,dtype,gpu,note\n"
                               "64,64,64,bf16,,\"two\nlines\"\n"
                               "  \n"
                               "64,64,64,bf16,/no/such.yaml,x\n";
    bench b;
    scratch file;
    uint32_t dtypes = 0;
    ridge_predict_summary summary;
    ridge_error err = {0};
    set_up(&b, "h100-sxm");
    scratch_write(&file, text, strlen(text));
    const ridge_predict_options options = {
        .op = "gemm", .catalog = b.catalog, .machine = b.machine};
    if (ridge_chart_add_table(b.chart, file.path, &options, &dtypes, &summary, &err))
        fail_msg("%s: %s", err.where, err.message);
    assert_int_equal(b.chart->point_count, 1);
    assert_int_equal(summary.rows, 2);
    assert_int_equal(summary.failed, 1);
    assert_int_equal(summary.first.line, 5);
    assert_string_equal(summary.first.where, file.path);
    assert_string_equal(summary.first.message,
                        "/no/such.yaml: cannot open: No such file or directory");
    unlink(file.path);
    tear_down(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_teaching_machine_is_one_roof),
        cmocka_unit_test(test_dtypes_share_the_levels),
        cmocka_unit_test(test_overrides_move_the_roofs),
        cmocka_unit_test(test_nothing_known),
        cmocka_unit_test(test_points_of_an_estimate),
        cmocka_unit_test(test_work_without_flop_or_bytes),
        cmocka_unit_test(test_figures),
        cmocka_unit_test(test_tables_are_read_as_by_predict),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
