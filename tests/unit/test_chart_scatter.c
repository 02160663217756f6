/* A density of expected against measured: where cells fall, and what cannot be drawn. */
#include "chart/chart.h"

#include "test.h"

static void draw(ridge__str *out, const ridge__pair *pairs, size_t count)
{
    ridge_error err = {0};
    ridge__str_init(out, 0, NULL);
    assert_int_equal(ridge__scatter_svg(out, "a < b", "us", pairs, count, &err),
                     RIDGE_OK);
}

static size_t occurrences(const char *text, const char *what)
{
    size_t n = 0;
    for (; (text = strstr(text, what)); text++)
        n++;
    return n;
}

/*
 * One pair, 10 against 20: both axes span half a decade around 1 .. 1.301, so that the
 * panels' cell of x = 1 is floor((1 - 0.9005) / 0.801 * 80) = 9 at 86 + 9 x 4.5 = 126.5; the
 * ratio 0.301 of -0.6 .. 0.6 lies in row 60: its top is 412 - 61 x 4.5 = 137.5.
 */
static void one_pair(void **state)
{
    (void)state;
    ridge__str out;
    const ridge__pair pair = {10, 20};
    draw(&out, &pair, 1);
    const char *svg = ridge__str_data(&out);
    assert_non_null(strstr(svg, "<title>a &lt; b</title>"));
    assert_non_null(strstr(svg, "<desc>1 rows:"));
    assert_non_null(strstr(svg, "measured (us)"));
    assert_int_equal(occurrences(svg, "h4.5v4.5h-4.5z"), 2);
    assert_non_null(strstr(svg, " 137.5h4.5"));
    assert_non_null(strstr(svg, "10 % more or less"));
    assert_non_null(strstr(svg, ">a row<"));
    assert_null(strstr(svg, "beyond"));
    ridge__str_clear(&out);
}

/* Cells of one shade that touch are one run; a ratio beyond a factor of 4 is a triangle at
 * the end in place of a cell, and the legend counts such rows. */
static void runs_and_ends(void **state)
{
    (void)state;
    ridge__str out;
    ridge__pair pairs[1000];
    for (int i = 0; i < 1000; i++)
        pairs[i] = (ridge__pair){pow(10, i / 999.0), 100 * pow(10, i / 999.0)};
    draw(&out, pairs, 1000);
    const char *svg = ridge__str_data(&out);
    /* The ratio 100 at the top of the second panel, which is at 52: a triangle of 8 x 7 one
     * below it, in columns of 4.5 from 556 on, and one in the legend. */
    assert_null(strstr(svg, "M556 52h"));
    assert_non_null(strstr(svg, "M554.3 60h8l-4 -7z"));
    assert_null(strstr(svg, "l-4 7z"));
    assert_non_null(strstr(svg, "beyond the axis: 1000 rows"));
    assert_true(out.size < 20000);
    ridge__str_clear(&out);
}

static void extremes(void **state)
{
    (void)state;
    ridge__str out;
    const ridge__pair pairs[] = {{1e-300, 1e300}, {1e300, 1e-300}, {1, 1}};
    draw(&out, pairs, 3);
    assert_null(strstr(ridge__str_data(&out), "nan"));
    assert_null(strstr(ridge__str_data(&out), "inf"));
    ridge__str_clear(&out);
}

static void nothing(void **state)
{
    (void)state;
    ridge__str out;
    ridge_error err = {0};
    ridge__str_init(&out, 0, NULL);
    assert_int_equal(ridge__scatter_svg(&out, "t", "us", NULL, 0, &err), RIDGE_NODATA);
    assert_string_equal(err.message, "no row has both a measured and an expected time");
    assert_int_equal(out.size, 0);
    ridge__str_clear(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_pair),
        cmocka_unit_test(runs_and_ends),
        cmocka_unit_test(extremes),
        cmocka_unit_test(nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
