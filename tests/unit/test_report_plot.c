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
    assert_int_equal(
        ridge_chart_add_machine(b.chart, b.machine, NULL, 0, RIDGE_ROOFS_ALL, NULL),
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
    assert_int_equal(
        ridge_chart_add_machine(b.chart, b.machine, dtypes, 4, RIDGE_ROOFS_ALL, NULL),
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
    assert_ptr_equal(dram, ridge__chart_base(c, 0));
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
    assert_int_equal(
        ridge_chart_add_machine(b.chart, b.machine, &bf16, 1, RIDGE_ROOFS_ALL, NULL),
        RIDGE_OK);
    assert_close(b.chart->peak[0].rate, 500e12, 1e-12);
    assert_close(ridge__chart_base(b.chart, 0)->rate, 6.704e12, 1e-12);
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
    assert_int_equal(
        ridge_chart_add_machine(b.chart, b.machine, NULL, 0, RIDGE_ROOFS_ALL, &err),
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
                        "what,label,intensity,rate,low,high,of_roof,unit,is,machine\n"
                        "peak,fp32,100,100000000000000,,,,FLOP/s,stated,\n"
                        "bandwidth,,,1000000000000,,,,B/s,stated,\n"
                        "point,\"a, b\",10,8000000000000,5000000000000,10000000000000,"
                        "0.8,FLOP/s,expected,\n");
    ridge__str_reset(&out);
    style.format = RIDGE_JSON;
    assert_int_equal(ridge_chart_write(chart, RIDGE_TERMINAL, &style, sink, NULL),
                     RIDGE_OK);
    assert_string_equal(
        out.data,
        "{\"title\":\"t\",\"peaks\":[{\"label\":\"fp32\",\"flop_per_s\":100000000000000,"
        "\"ridge\":100,\"reachable\":false,\"machine\":null}],\"bandwidths\":[{\"label\":\"\","
        "\"bytes_per_s\":1000000000000,\"reachable\":false,\"machine\":null}],\"points\":[{\"label\":"
        "\"a, b\",\"intensity\":10,\"flop_per_s\":8000000000000,\"low_flop_per_s\":"
        "5000000000000,\"high_flop_per_s\":10000000000000,\"of_roof\":0.8,\"is\":"
        "\"expected\",\"machine\":null}]}\n");
    style.format = RIDGE_FORMAT_COUNT; /* none: not silently one of the others */
    assert_int_equal(ridge_chart_write(chart, RIDGE_TERMINAL, &style, sink, NULL),
                     RIDGE_INVALID);
    ridge__str_clear(&out);
    ridge_chart_free(chart);
}

/* The file's quirks are those of ridge_predict_run: a byte order mark, rows of several
 * lines, blank ones, and a cell that names a file, which no cell may. */
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
    const ridge_predict_options options = {.op = "gemm", .catalog = b.catalog};
    const ridge_machine *machines[] = {b.machine};
    const ridge_chart_input input = {file.path, machines, 1, &options};
    if (ridge_chart_add_table(b.chart, &input, &dtypes, &summary, &err))
        fail_msg("%s: %s", err.where, err.message);
    assert_int_equal(b.chart->point_count, 1);
    assert_int_equal(summary.rows, 2);
    assert_int_equal(summary.failed, 1);
    assert_int_equal(summary.first.line, 5);
    assert_string_equal(summary.first.where, file.path);
    assert_string_equal(summary.first.message,
                        "\"/no/such.yaml\" is a path; an id wanted: give a file with "
                        "--gpu, or its folder with --catalog");
    unlink(file.path);
    tear_down(&b);
}

/* ---- Several machines -------------------------------------------------------------- */

/* A second machine beside that of a bench. */
static ridge_machine *second(bench *b, const char *gpu)
{
    const ridge_device *device = NULL;
    ridge_machine *machine = NULL;
    assert_int_equal(ridge_catalog_load(&device, b->catalog, gpu, NULL), RIDGE_OK);
    assert_int_equal(ridge_machine_new(&machine, b->catalog, device, NULL), RIDGE_OK);
    return machine;
}

static void test_outer_roofs_alone(void **state)
{
    (void)state;
    static const ridge_dtype bf16 = RIDGE_BF16;
    bench b;
    set_up(&b, "h100-sxm");
    assert_int_equal(
        ridge_chart_add_machine(b.chart, b.machine, &bf16, 1, RIDGE_ROOFS_OUTER, NULL),
        RIDGE_OK);
    assert_int_equal(b.chart->peak_count, 1);
    assert_int_equal(b.chart->bandwidth_count, 1);
    assert_false(b.chart->peak[0].reachable);
    tear_down(&b);
}

/* A row that names its part belongs to it; one that does not, to each; a measured one must
 * say. */
static void test_rows_of_several_machines(void **state)
{
    (void)state;
    static const char text[] = "m,n,k,dtype,time_us,gpu\n"
                               "64,64,64,bf16,,\n"
                               "128,64,64,bf16,100,a100-sxm-80\n"
                               "256,64,64,bf16,100,h200-sxm\n"
                               "512,64,64,bf16,100,\n";
    bench b;
    scratch file;
    uint32_t dtypes = 0;
    ridge_predict_summary summary;
    ridge_error err = {0};
    set_up(&b, "h100-sxm");
    ridge_machine *other = second(&b, "a100-sxm-80");
    scratch_write(&file, text, strlen(text));
    const ridge_predict_options options = {.op = "gemm", .catalog = b.catalog};
    const ridge_machine *machines[] = {b.machine, other};
    const ridge_chart_input input = {file.path, machines, 2, &options};
    if (ridge_chart_add_table(b.chart, &input, &dtypes, &summary, &err))
        fail_msg("%s: %s", err.where, err.message);
    const ridge_chart *c = b.chart;
    assert_int_equal(c->machine_count, 2);
    assert_int_equal(c->point_count, 3);
    assert_string_equal(c->machine[c->point[0].machine], "h100-sxm");
    assert_string_equal(c->machine[c->point[1].machine], "a100-sxm-80");
    assert_string_equal(c->point[0].label, c->point[1].label);
    assert_string_equal(c->machine[c->point[2].machine], "a100-sxm-80");
    assert_true(c->point[2].measured);
    assert_int_equal(dtypes, 1u << RIDGE_BF16);
    assert_int_equal(summary.rows, 4);
    assert_int_equal(summary.failed, 1);
    assert_int_equal(summary.first.line, 5);
    assert_string_equal(summary.first.message,
                        "measured, but not said on which of the machines; a column gpu "
                        "would say it");
    unlink(file.path);
    ridge_machine_free(other);
    tear_down(&b);
}

/* ---- JSON -------------------------------------------------------------------------- */

typedef struct json_case {
    bench b;
    ridge_machine *other;
    uint32_t dtypes;
    ridge_predict_summary summary;
    ridge_error err;
    ridge_status status;
} json_case;

/* Read a text for `count` of the machines h100-sxm and a100-sxm-80. */
static void json_open(json_case *j, const char *text, size_t count)
{
    scratch file;
    *j = (json_case){.dtypes = 0};
    set_up(&j->b, "h100-sxm");
    j->other = second(&j->b, "a100-sxm-80");
    scratch_write(&file, text, strlen(text));
    const ridge_machine *machines[] = {j->b.machine, j->other};
    const ridge_chart_input input = {file.path, machines, count, NULL};
    j->status =
        ridge_chart_add_json(j->b.chart, &input, &j->dtypes, &j->summary, &j->err);
    if (j->err.where[0])
        assert_string_equal(j->err.where, file.path);
    if (j->summary.failed)
        assert_string_equal(j->summary.first.where, file.path);
    unlink(file.path);
}

static void json_close(json_case *j)
{
    ridge_machine_free(j->other);
    tear_down(&j->b);
}

static void test_estimates_are_points(void **state)
{
    (void)state;
    json_case j;
    json_open(&j,
              "[{\"op\":\"gemm\",\"gpu\":\"h100-sxm\",\"params\":{\"m\":64,"
              "\"dtype\":\"bf16\",\"causal\":true,\"kv\":[1,{}]},\"flop\":10e9,"
              "\"bytes\":1e9,\"floor_s\":1e-3,\"expected_s\":1.25e-3,\"low_s\":1.2e-3,"
              "\"high_s\":1.6e-3,\"terms\":[{\"time_s\":7}],\"time_s\":2e-3},\n"
              "{\"op\":\"copy\",\"gpu\":null,\"flop\":0,\"bytes\":1e9,"
              "\"floor_s\":1e-3,\"expected_s\":null},\n"
              "{\"op\":\"gemm\",\"gpu\":\"h200-sxm\",\"flop\":1,\"bytes\":1}]",
              1);
    assert_int_equal(j.status, RIDGE_OK);
    const ridge__point *p = j.b.chart->point;
    assert_int_equal(j.b.chart->point_count, 2);
    assert_string_equal(p[0].label, "gemm m=64 dtype=bf16 causal=1");
    assert_true(p[0].measured);
    /* As of the same estimate in test_points_of_an_estimate: 10 GFLOP in 2 ms. */
    assert_close(p[0].intensity, 10, 1e-12);
    assert_close(p[0].rate, 5e12, 1e-12);
    assert_close(p[0].low, 6.25e12, 1e-12);
    assert_close(p[0].share, 0.5, 1e-12);
    assert_int_equal(j.dtypes, 1u << RIDGE_BF16);
    /* No FLOP, and nothing expected: at its floor, 1 GB in 1 ms. */
    assert_true(p[1].intensity == 0 && p[1].on_roof);
    assert_close(p[1].rate, 1e12, 1e-12);
    assert_int_equal(j.summary.rows, 3);
    assert_int_equal(j.summary.failed, 0);
    json_close(&j);
}

static void test_drawn_points_come_back(void **state)
{
    (void)state;
    json_case j;
    json_open(&j,
              "{\"title\":\"t\",\"peaks\":[{\"label\":\"x\"}],\"points\":["
              "{\"label\":\"a\",\"intensity\":10,\"flop_per_s\":5e12,"
              "\"low_flop_per_s\":4e12,\"high_flop_per_s\":6e12,\"of_roof\":0.5,"
              "\"is\":\"measured\",\"machine\":\"a100-sxm-80\"},"
              "{\"label\":\"b\",\"intensity\":0,\"bytes_per_s\":1e12,\"is\":"
              "\"expected\",\"machine\":\"h100-sxm\"}],\"after\":{\"label\":1},\"z\":1}"
              "\n{\"op\":\"gemm\",\"gpu\":\"h100-sxm\",\"flop\":1e9,\"bytes\":1e6,"
              "\"floor_s\":1e-3,\"expected_s\":2e-3}",
              2);
    if (j.status)
        fail_msg("%s", j.err.message);
    const ridge_chart *c = j.b.chart;
    assert_int_equal(c->point_count, 3);
    assert_string_equal(c->machine[c->point[0].machine], "a100-sxm-80");
    assert_true(c->point[0].measured && !c->point[1].measured);
    assert_close(c->point[0].high, 6e12, 1e-12);
    assert_close(c->point[1].rate, 1e12, 1e-12);
    assert_string_equal(c->point[2].label, "gemm");
    json_close(&j);
}

/* A record that is wrong is counted with its line and its sentence. */
static void check_record(const char *record, size_t machines, const char *sentence)
{
    char text[1024];
    json_case j;
    snprintf(text, sizeof text, "[\n%s]", record);
    json_open(&j, text, machines);
    assert_int_equal(j.status, RIDGE_OK);
    assert_int_equal(j.b.chart->point_count, 0);
    assert_int_equal(j.summary.rows, 1);
    assert_int_equal(j.summary.failed, 1);
    assert_int_equal(j.summary.first.line, 2);
    assert_string_equal(j.summary.first.message, sentence);
    json_close(&j);
}

static void test_records_that_are_wrong(void **state)
{
    (void)state;
    check_record("{}", 1,
                 "neither an estimate (op, flop, bytes, expected_s) nor a point (label, "
                 "intensity, flop_per_s)");
    check_record("{\"op\":\"a\",\"op\":\"b\",\"flop\":1,\"bytes\":1}", 1,
                 "\"op\" is given twice");
    check_record("{\"op\":7,\"flop\":1,\"bytes\":1}", 1, "\"op\" is no text");
    check_record("{\"op\":\"a\",\"flop\":\"1\",\"bytes\":1}", 1,
                 "flop: a number or null wanted");
    check_record("{\"op\":\"a\",\"flop\":[1],\"bytes\":1}", 1,
                 "\"flop\" is neither a number nor a text");
    check_record("{\"op\":\"a\",\"flop\":1e999,\"bytes\":1}", 1,
                 "flop: the number 1e999 is too large");
    check_record(
        "{\"op\":\"a\",\"flop\":-1,\"bytes\":1}", 1,
        "an estimate needs its flop and bytes, in numbers that are not negative");
    check_record(
        "{\"op\":\"a\",\"flop\":1,\"bytes\":null}", 1,
        "an estimate needs its flop and bytes, in numbers that are not negative");
    check_record("{\"op\":\"a\",\"flop\":1,\"bytes\":1,\"time_s\":0}", 1,
                 "a figure of the chart is zero, negative or infinite");
    check_record("{\"op\":\"a\",\"flop\":1,\"bytes\":1,\"expected_s\":1}", 2,
                 "does not say of which of the machines it is; \"gpu\" would");
}

static void check_text(const char *text, ridge_status want, const char *sentence)
{
    json_case j;
    json_open(&j, text, 1);
    assert_string_equal(j.err.message, sentence);
    assert_int_equal(j.status, want);
    assert_true(j.err.where[0] != '\0');
    json_close(&j);
}

static void test_texts_that_are_wrong(void **state)
{
    (void)state;
    static const char no_record[] = "no record: estimates of ridge kernel --json or the "
                                    "points of ridge plot --json wanted";
    check_text("7", RIDGE_SYNTAX, no_record);
    check_text("[[{}]]", RIDGE_SYNTAX, no_record);
    check_text("{\"points\":[1]}", RIDGE_SYNTAX, no_record);
    check_text("{\"points\":[{\"points\":[]}]}", RIDGE_SYNTAX, "points inside of points");
    check_text("[{\"op\":", RIDGE_SYNTAX,
               "the JSON ends too early: the text is truncated");
    check_text("[{\"op\":\"a\",\"gpu\":\"h200-sxm\"}]", RIDGE_NODATA,
               "no record is of h100-sxm");
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
        cmocka_unit_test(test_outer_roofs_alone),
        cmocka_unit_test(test_rows_of_several_machines),
        cmocka_unit_test(test_estimates_are_points),
        cmocka_unit_test(test_drawn_points_come_back),
        cmocka_unit_test(test_records_that_are_wrong),
        cmocka_unit_test(test_texts_that_are_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
