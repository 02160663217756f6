/*
 * Rows predicted by constants fitted without them: constants that made the times are found
 * from the other rows; a row's own time, and those of a part left out, change nothing.
 */
#include "fit/fit.h"

#include <stdlib.h>

#include "random.h"
#include "scratch.h"
#include "test.h"

enum {
    ROWS = 100, /* of a part */
    PARTS = 4
};

static const char *const ids[PARTS] = {"h100-sxm", "b200-hgx", "gb200", "a100-sxm-80"};
static ridge_catalog *catalog;
static ridge_machine *machine[PARTS];

static int setup(void **state)
{
    (void)state;
    if (ridge_catalog_open(&catalog, NULL, NULL, NULL))
        return 1;
    for (size_t i = 0; i < PARTS; i++) {
        const ridge_device *device;
        if (ridge_catalog_load(&device, catalog, ids[i], NULL) ||
            ridge_machine_new(&machine[i], catalog, device, NULL))
            return 1;
    }
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    for (size_t i = 0; i < PARTS; i++)
        ridge_machine_free(machine[i]);
    ridge_catalog_free(catalog);
    return 0;
}

/* The time of a product on a part whose library reaches 0.72 of the peak: the constants of
 * no part in particular, but for that. */
static double time_of(ridge_machine *m, const char *size[3])
{
    ridge_call call;
    ridge_estimate e;
    const ridge_machine before = *m;
    static const char *const names[] = {"m", "n", "k"};
    assert_int_equal(ridge_call_init(&call, "gemm", NULL), RIDGE_OK);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(ridge_call_set(&call, names[i], size[i], NULL), RIDGE_OK);
    assert_int_equal(ridge_call_set(&call, "dtype", "bf16", NULL), RIDGE_OK);
    assert_int_equal(ridge_call_finish(&call, NULL), RIDGE_OK);
    m->fits[RIDGE_LINK_PART].count = m->fits[RIDGE_LINK_ARCH].count = 0;
    assert_int_equal(ridge_estimate_call(&e, m, &call, NULL), RIDGE_OK);
    ridge_fit fit = *e.basis;
    fit.c[RIDGE_TILE_MMA_SHARE] = 0.72;
    m->fits[RIDGE_LINK_USER].fit = &fit;
    m->fits[RIDGE_LINK_USER].count = 1;
    assert_int_equal(ridge_estimate_call(&e, m, &call, NULL), RIDGE_OK);
    *m = before;
    return e.expected_s;
}

/* Products with 2 % of noise on the parts of the mask; the times of part `odd` are `factor`
 * times what they would be, or those of one row alone. */
static void times_write(scratch *file, unsigned mask, size_t odd, size_t row,
                        double factor)
{
    ridge__str text;
    ridge__str_init(&text, 0, NULL);
    ridge__str_text(&text, "gpu,m,n,k,dtype,qc,time_us\n");
    for (size_t p = 0; p < PARTS; p++) {
        uint64_t seed = 7 + p;
        for (size_t i = 0; mask >> p & 1u && i < ROWS; i++) {
            char m[24], n[24], k[24];
            snprintf(m, sizeof m, "%llu", 1ull << random_next(&seed) % 14);
            snprintf(n, sizeof n, "%llu", 1024ull * (1 + random_next(&seed) % 16));
            snprintf(k, sizeof k, "%llu", 512ull * (2 + random_next(&seed) % 24));
            double noise = 0.98 + 0.04 * (double)(random_next(&seed) % 1000) / 1000;
            double time = time_of(machine[p], (const char *[]){m, n, k}) * noise;
            if (p == odd && (row == SIZE_MAX || row == i))
                time *= factor;
            ridge__str_format(&text, "%s,%s,%s,%s,bf16,,%.6g\n", ids[p], m, n, k,
                              time * 1e6);
        }
    }
    scratch_write(file, ridge__str_data(&text), text.size);
    ridge__str_clear(&text);
}

static int collect(void *ctx, const char *data, size_t size)
{
    ridge__str_add(ctx, data, size);
    return 0;
}

typedef struct prediction {
    size_t part;
    double time, floor, expected, low, high;
} prediction;

/* The predictions of a table, which is removed. */
static size_t crossed(prediction *out, const scratch *file, ridge_cross how,
                      unsigned threads, ridge_cross_summary *summary)
{
    ridge__str text;
    ridge_error err = {0};
    ridge__str_init(&text, 0, NULL);
    const ridge_predict_options o = {
        .op = "gemm", .catalog = catalog, .threads = threads};
    ridge_status status =
        ridge_cross_run(file->path, &o, how, (ridge_sink){collect, &text}, summary, &err);
    unlink(file->path);
    assert_string_equal(err.message, "");
    assert_int_equal(status, RIDGE_OK);
    size_t count = 0;
    const char *line = strchr(ridge__str_data(&text), '\n') + 1;
    for (; *line; line = strchr(line, '\n') + 1) {
        prediction p = {.part = 0};
        double *const cells[] = {&p.time, &p.floor, &p.expected, &p.low, &p.high};
        const char *at = line;
        for (size_t i = 0; i < 6; i++)
            at = strchr(at, ',') + 1;
        for (size_t i = 0; i < RIDGE__COUNT(cells); i++) {
            char *end;
            *cells[i] = strtod(at, &end);
            at = end + 1;
        }
        while (strncmp(ids[p.part], line, strcspn(line, ",")) != 0)
            p.part++;
        out[count++] = p;
    }
    ridge__str_clear(&text);
    return count;
}

static double mean_error(const prediction *p, size_t count, size_t part)
{
    double sum = 0, rows = 0;
    for (size_t i = 0; i < count; i++)
        if (p[i].part == part) {
            sum += fabs(p[i].expected / p[i].time - 1);
            rows++;
        }
    return sum / rows;
}

static void shapes_left_out_are_found(void **state)
{
    (void)state;
    scratch file;
    prediction p[ROWS];
    ridge_cross_summary summary;
    times_write(&file, 1, 0, 0, 1);
    assert_int_equal(crossed(p, &file, RIDGE_CROSS_SHAPES, 1, &summary), ROWS);
    assert_int_equal(summary.rows, ROWS);
    assert_int_equal(summary.predicted, ROWS);
    assert_int_equal(summary.unused, 0);
    assert_int_equal(summary.kept, 0);
    assert_true(mean_error(p, ROWS, 0) < 0.025); /* noise alone is 0.01 */
    size_t inside = 0;
    for (size_t i = 0; i < ROWS; i++) {
        assert_true(p[i].low <= p[i].expected && p[i].expected <= p[i].high);
        assert_true(p[i].floor <= p[i].low);
        inside += p[i].low <= p[i].time && p[i].time <= p[i].high;
    }
    assert_true(inside > 0.7 * ROWS && inside < 0.9 * ROWS);
}

/* Leaving it out means that: four times its time changes nothing of its prediction, and
 * next to nothing of the interval, which rests on how well others were predicted, by
 * constants that it helped to make. */
static void a_rows_own_time_does_not_count(void **state)
{
    (void)state;
    scratch file;
    prediction p[ROWS], q[ROWS];
    bool others = false;
    times_write(&file, 1, 0, 0, 1);
    crossed(p, &file, RIDGE_CROSS_SHAPES, 1, NULL);
    times_write(&file, 1, 0, 40, 4);
    crossed(q, &file, RIDGE_CROSS_SHAPES, 1, NULL);
    assert_close(q[40].time, 4 * p[40].time, 1e-4);
    assert_true(q[40].expected == p[40].expected);
    assert_close(q[40].low, p[40].low, 0.01);
    assert_close(q[40].high, p[40].high, 0.01);
    for (size_t i = 0; i < ROWS; i++)
        others |= q[i].expected != p[i].expected;
    assert_true(others);
}

static void threads_do_not_count(void **state)
{
    (void)state;
    scratch file;
    prediction p[PARTS * ROWS], q[PARTS * ROWS];
    static const ridge_cross how[] = {RIDGE_CROSS_SHAPES, RIDGE_CROSS_PARTS};
    for (size_t h = 0; h < RIDGE__COUNT(how); h++) {
        times_write(&file, 6, 0, 0, 1);
        size_t count = crossed(p, &file, how[h], 1, NULL);
        times_write(&file, 6, 0, 0, 1);
        assert_int_equal(crossed(q, &file, how[h], 3, NULL), count);
        for (size_t i = 0; i < count; i++)
            assert_true(p[i].expected == q[i].expected && p[i].low == q[i].low);
    }
}

/* Siblings by their architecture, strangers by what is pooled. */
static void parts_left_out_are_found(void **state)
{
    (void)state;
    scratch file;
    prediction p[PARTS * ROWS], q[PARTS * ROWS];
    times_write(&file, 15, 0, 0, 1);
    assert_int_equal(crossed(p, &file, RIDGE_CROSS_PARTS, 1, NULL), PARTS * ROWS);
    /* GB200 falls back on the entry of Blackwell that is shipped: B200's rows made it, so
     * it stays, and it knows nothing of the times made up here. */
    for (size_t part = 0; part < PARTS; part++)
        assert_true(part == 2 || mean_error(p, PARTS * ROWS, part) < 0.06);

    /* A part that is half as fast as it should be: its own rows tell its prediction
     * nothing.  An estimate that had seen them would be near them. */
    times_write(&file, 15, 0, SIZE_MAX, 2);
    crossed(q, &file, RIDGE_CROSS_PARTS, 1, NULL);
    for (size_t i = 0; i < ROWS; i++)
        assert_true(q[i].expected == p[i].expected);
    /* A part of another architecture has siblings, and does not look at it either. */
    assert_true(mean_error(q, PARTS * ROWS, 1) < 0.06);

    /* A100 is told that an architecture was twice off: either way, whichever way it was. */
    for (size_t i = 3 * ROWS; i < PARTS * ROWS; i++) {
        assert_true(q[i].high / q[i].expected > 1.3);
        assert_true(p[i].high / p[i].expected < 1.1);
        if (q[i].low > 1.001 * q[i].floor)
            assert_close(q[i].expected / q[i].low, q[i].high / q[i].expected, 1e-3);
    }
}

/* Of a part alone only what its own rows were pooled into is known: that is no prediction. */
static void a_part_alone_is_not_foreseen(void **state)
{
    (void)state;
    scratch file;
    prediction p[ROWS];
    ridge_cross_summary summary;
    times_write(&file, 1, 0, 0, 1);
    assert_int_equal(crossed(p, &file, RIDGE_CROSS_PARTS, 1, &summary), ROWS);
    assert_int_equal(summary.kept, ROWS);
    assert_int_equal(summary.predicted, 0);
    times_write(&file, 15, 0, 0, 1);
    crossed((prediction[PARTS *ROWS]){{0}}, &file, RIDGE_CROSS_PARTS, 1, &summary);
    assert_int_equal(summary.kept, 0);
}

static void rows_that_cannot_be_used_stay(void **state)
{
    (void)state;
    static const char table[] = "gpu,m,n,k,dtype,qc,time_us\n"
                                "h100-sxm,64,64,64,bf16,sub_floor,3\n"
                                "h100-sxm,64,64,-1,bf16,,3\n"
                                "h100-sxm,64,64,64,bf16,,\n"
                                "h100-sxm,64,64,64,bf16,,3\n";
    scratch file;
    ridge__str text;
    ridge_cross_summary summary;
    const ridge_predict_options o = {.op = "gemm", .catalog = catalog};
    scratch_write(&file, table, sizeof table - 1);
    ridge__str_init(&text, 0, NULL);
    assert_int_equal(ridge_cross_run(file.path, &o, RIDGE_CROSS_SHAPES,
                                     (ridge_sink){collect, &text}, &summary, NULL),
                     RIDGE_OK);
    unlink(file.path);
    static const char head[] =
        "gpu,m,n,k,dtype,qc,time_us,floor_us,expected_us,low_us,high_us,bound\n"
        "h100-sxm,64,64,64,bf16,sub_floor,3,,,,,\n"
        "h100-sxm,64,64,-1,bf16,,3,,,,,\n"
        "h100-sxm,64,64,64,bf16,,,,,,,\n"
        "h100-sxm,64,64,64,bf16,,3,0.";
    assert_true(text.size > sizeof head);
    assert_memory_equal(text.data, head, sizeof head - 1);
    ridge__str_clear(&text);
    assert_int_equal(summary.rows, 4);
    assert_int_equal(summary.unused, 3);
    assert_int_equal(summary.predicted, 1);
    assert_int_equal(summary.kept, 1);
    assert_string_equal(summary.first, "marked in the column qc");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_left_out_are_found),
        cmocka_unit_test(a_rows_own_time_does_not_count),
        cmocka_unit_test(threads_do_not_count),
        cmocka_unit_test(parts_left_out_are_found),
        cmocka_unit_test(a_part_alone_is_not_foreseen),
        cmocka_unit_test(rows_that_cannot_be_used_stay),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
