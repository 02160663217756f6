/* Scores: figures worked out by hand, rows cut anywhere, and each error. */
#include "table/table.h"

#include "test.h"

/*
 * Errors 0.10, 0.20, 0.50 and 0 (its expected is the truth): mean 0.2, median 0.15; the
 * 90th percentile is the value at place int(0.9 * 4) = 3, that is 0.5.  Two of four are
 * within 10 %.  Widths 2/11, 0.6/8, 1/15, 2/10: the median is the mean of the two in the
 * middle, 0.075 and 2/11.
 */
static const char table[] =
    "gpu,dtype,time_us,floor_us,expected_us,low_us,high_us,qc,timing\n"
    "a,bf16,10,5,11,10,12,,\n"      /* error 0.1, inside */
    "a,bf16,10,9,8,7.7,8.3,,\n"     /* error 0.2 */
    "b,bf16,10,11,15,14.5,15.5,,\n" /* error 0.5, floor above */
    "b,fp8,10,1,10,9,11,,\n"        /* error 0, inside */
    "b,fp8,10,1,,,,,\n"             /* no prediction */
    "b,fp8,,1,10,9,11,,\n"          /* no truth: not counted */
    "a,bf16,10,1,99,1,2,sub_floor,\n"
    "a,bf16,10,1,99,1,2,,eager\n";

static ridge_score *scored(const ridge_score_options *options, const char *text,
                           size_t step)
{
    ridge_score *score = NULL;
    ridge_error err = {0};
    size_t size = strlen(text);
    assert_int_equal(ridge_score_new(&score, options, &err), RIDGE_OK);
    ridge_sink sink = ridge_score_sink(score);
    for (size_t at = 0; at < size; at += step)
        assert_int_equal(
            sink.write(sink.ctx, text + at, at + step < size ? step : size - at), 0);
    assert_int_equal(ridge_score_finish(score, "t.csv", &err), RIDGE_OK);
    return score;
}

static void figures_by_hand(void **state)
{
    (void)state;
    const ridge_score_options options = {.by = "gpu,dtype"};
    for (size_t step = 1; step < sizeof table; step += 7) {
        ridge_score *score = scored(&options, table, step);
        const ridge_score_group *all = ridge_score_at(score, 0);
        assert_string_equal(all->name, "ALL");
        assert_int_equal(all->rows, 4);
        assert_int_equal(all->empty, 1);
        assert_close(all->mape, 0.2, 1e-12);
        assert_close(all->median, 0.15, 1e-12);
        assert_close(all->p90, 0.5, 1e-12);
        assert_close(all->bias, (log(1.1) + log(0.8) + log(1.5)) / 4, 1e-12);
        assert_close(all->coverage, 0.5, 1e-12);
        assert_close(all->width, (0.075 + 2.0 / 11) / 2, 1e-12);
        assert_close(all->above_floor, 0.25, 1e-12);
        assert_string_equal(ridge_score_at(score, 1)->name, "a bf16");
        assert_close(ridge_score_at(score, 1)->mape, 0.15, 1e-12);
        assert_string_equal(ridge_score_at(score, 3)->name, "b fp8");
        assert_int_equal(ridge_score_at(score, 3)->empty, 1);
        assert_null(ridge_score_at(score, 4));
        ridge_score_free(score);
    }
}

static void all_rows(void **state)
{
    (void)state;
    const ridge_score_options options = {.all = true};
    ridge_score *score = scored(&options, table, 1000);
    assert_int_equal(ridge_score_at(score, 0)->rows, 6);
    assert_null(ridge_score_at(score, 1));
    ridge_score_free(score);
}

static void small_groups_are_left_out(void **state)
{
    (void)state;
    const ridge_score_options options = {.by = "gpu,dtype", .min_rows = 2};
    ridge_score *score = scored(&options, table, 1000);
    assert_string_equal(ridge_score_at(score, 1)->name, "a bf16");
    assert_string_equal(ridge_score_at(score, 2)->name, "b fp8");
    assert_null(ridge_score_at(score, 3));
    ridge_score_free(score);
}

/* A group without any prediction has no figures, and they are not 0. */
static void empty_is_unknown(void **state)
{
    (void)state;
    const ridge_score_options options = {.truth = "t", .expected = "x_expected_ms"};
    ridge_score *score = scored(&options, "t,x_expected_ms,x_low_ms\n3,,\n", 1000);
    assert_int_equal(ridge_score_at(score, 0)->rows, 0);
    assert_false(ridge_known(ridge_score_at(score, 0)->mape));
    assert_false(ridge_known(ridge_score_at(score, 0)->p90));
    ridge_score_free(score);
}

/* Many groups, in the order of their cells, and enough rows that memory grows. */
static void many_groups(void **state)
{
    (void)state;
    const ridge_score_options options = {.by = "g"};
    ridge__str text;
    ridge__str_init(&text, 0, NULL);
    ridge__str_text(&text, "g,time_us,expected_us\n");
    for (int i = 0; i < 4000; i++)
        ridge__str_format(&text, "g%d,1,%d\n", i % 1500, 1 + i % 2);
    ridge_score *score = scored(&options, ridge__str_data(&text), 5000);
    assert_int_equal(ridge_score_at(score, 0)->rows, 4000);
    assert_close(ridge_score_at(score, 0)->mape, 0.5, 1e-12);
    assert_close(ridge_score_at(score, 0)->median, 0.5, 1e-12);
    for (size_t i = 2; i <= 1500; i++)
        assert_true(strcmp(ridge_score_at(score, i - 1)->name,
                           ridge_score_at(score, i)->name) < 0);
    ridge_score_free(score);
    ridge__str_clear(&text);
}

static void errors(void **state)
{
    (void)state;
    static const struct {
        const char *text, *by;
        ridge_status status;
        unsigned line;
        const char *says;
    } bad[] = {
        {"", NULL, RIDGE_SYNTAX, 0,
         "no header; a line with the names of the columns is wanted"},
        {"a,b\n1,2\n", NULL, RIDGE_SYNTAX, 1,
         "the header has no column \"time_us\"; the measured times are wanted; --truth "
         "names their column"},
        {"time_us\n1\n", NULL, RIDGE_SYNTAX, 1,
         "the header has no column \"expected_us\"; predicted times are wanted; `ridge "
         "predict` adds them"},
        {"time_us,expected_us\n1,1\n", "gpu", RIDGE_SYNTAX, 1,
         "the header has no column \"gpu\" to group by; one of its own is wanted"},
        {"time_us,expected_us\n,1\n0,1\n-3,1\nx,1\n", NULL, RIDGE_NODATA, 0,
         "no row has a measured time in \"time_us\""},
        {"time_us,expected_us\n1,1\n1,\"2\n3,4\n", NULL, RIDGE_SYNTAX, 3,
         "a quote that opens in this row is never closed"},
    };
    for (size_t i = 0; i < RIDGE__COUNT(bad); i++) {
        ridge_score *score = NULL;
        ridge_error err = {0};
        const ridge_score_options options = {.by = bad[i].by};
        assert_int_equal(ridge_score_new(&score, &options, &err), RIDGE_OK);
        ridge_sink sink = ridge_score_sink(score);
        (void)sink.write(sink.ctx, bad[i].text, strlen(bad[i].text));
        assert_int_equal(ridge_score_finish(score, "t.csv", &err), bad[i].status);
        assert_string_equal(err.message, bad[i].says);
        assert_string_equal(err.where, "t.csv");
        assert_int_equal(err.line, bad[i].line);
        ridge_score_free(score);
    }
    ridge_score *score = NULL;
    ridge_error err = {0};
    const char *lists[] = {",a", "a,,b", "a,"};
    for (size_t i = 0; i < RIDGE__COUNT(lists); i++) {
        const ridge_score_options options = {.by = lists[i]};
        assert_int_equal(ridge_score_new(&score, &options, &err), RIDGE_INVALID);
        assert_null(score);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_by_hand),
        cmocka_unit_test(all_rows),
        cmocka_unit_test(small_groups_are_left_out),
        cmocka_unit_test(empty_is_unknown),
        cmocka_unit_test(many_groups),
        cmocka_unit_test(errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
