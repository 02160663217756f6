#include "chart/chart.h"
#include "test.h"

#include <stdlib.h>

/* ---- Helpers ----------------------------------------------------------------------- */

static int collect(void *ctx, const char *data, size_t size)
{
    ridge__str_add(ctx, data, size);
    return 0;
}

static ridge_chart *new_chart(const char *title)
{
    ridge_chart *chart = NULL;
    assert_int_equal(ridge_chart_new(&chart, title), RIDGE_OK);
    return chart;
}

/* The teaching machine: 100 TFLOP/s, 1 TB/s, and a kernel at (10, 5 TFLOP/s). */
static ridge_chart *primer(void)
{
    ridge_chart *chart = new_chart("primer");
    assert_int_equal(ridge_chart_add_peak(chart, "fp32", 100e12, false), RIDGE_OK);
    assert_int_equal(ridge_chart_add_bandwidth(chart, "DRAM", 1e12, false), RIDGE_OK);
    assert_int_equal(
        ridge_chart_add_point(chart, "kernel", 10, 5e12, RIDGE_UNKNOWN, RIDGE_UNKNOWN),
        RIDGE_OK);
    return chart;
}

static void write_chart(const ridge_chart *chart, ridge_canvas canvas,
                        const ridge_style *style, ridge__str *out)
{
    ridge__str_init(out, 0, NULL);
    assert_int_equal(
        ridge__chart_draw(chart, canvas, style, (ridge_sink){collect, out}, NULL),
        RIDGE_OK);
}

static size_t count_of(const char *text, const char *word)
{
    size_t n = 0;
    for (; (text = strstr(text, word)) != NULL; text += strlen(word))
        n++;
    return n;
}

/* ---- Building ---------------------------------------------------------------------- */

static void test_rates_are_checked(void **state)
{
    (void)state;
    static const struct {
        double rate;
        ridge_status status;
    } cases[] = {{1e12, RIDGE_OK},          {0, RIDGE_INVALID},
                 {-1, RIDGE_INVALID},       {(double)INFINITY, RIDGE_INVALID},
                 {1e31, RIDGE_LIMIT},       {1e-31, RIDGE_LIMIT},
                 {RIDGE_UNKNOWN, RIDGE_OK}, {1e30, RIDGE_OK}};
    ridge_chart *chart = new_chart("");
    for (size_t i = 0; i < RIDGE__COUNT(cases); i++) {
        double rate = cases[i].rate;
        ridge_status status = cases[i].status;
        assert_int_equal(ridge_chart_add_peak(chart, "p", rate, false), status);
        assert_int_equal(ridge_chart_add_bandwidth(chart, "b", rate, false), status);
        assert_int_equal(
            ridge_chart_add_point(chart, "q", 1, rate, RIDGE_UNKNOWN, RIDGE_UNKNOWN),
            status);
    }
    /* Unknown roofs were left out: two known rates were accepted. */
    assert_int_equal(chart->peak_count, 2);
    assert_int_equal(chart->bandwidth_count, 2);
    assert_int_equal(ridge_chart_add_point(chart, "q", 0, 1e12, 1, 2), RIDGE_INVALID);
    assert_int_equal(ridge_chart_add_point(chart, "q", RIDGE_UNKNOWN, 1e12, 1, 2),
                     RIDGE_INVALID);
    assert_int_equal(ridge_chart_add_point(chart, "q", 1, 1e12, 2e12, 1e12),
                     RIDGE_INVALID);
    ridge_chart_free(chart);
}

static void test_equal_roofs_are_one_line(void **state)
{
    (void)state;
    ridge_chart *chart = new_chart("");
    assert_int_equal(ridge_chart_add_peak(chart, "bf16", 1e15, false), RIDGE_OK);
    assert_int_equal(ridge_chart_add_peak(chart, "fp16", 1e15, false), RIDGE_OK);
    assert_int_equal(ridge_chart_add_peak(chart, "fp16", 1e15, true), RIDGE_OK);
    assert_int_equal(chart->peak_count, 2);
    assert_string_equal(chart->peak[0].label, "bf16, fp16");
    ridge_chart_free(chart);
}

static void test_roofs_have_a_limit(void **state)
{
    (void)state;
    ridge_chart *chart = new_chart("");
    for (int i = 0; i < RIDGE_LIMIT_CHART_ROOFS; i++)
        assert_int_equal(ridge_chart_add_peak(chart, "p", 1e12 + i, false), RIDGE_OK);
    assert_int_equal(ridge_chart_add_peak(chart, "p", 9e12, false), RIDGE_LIMIT);
    for (int i = 0; i < RIDGE_LIMIT_CHART_POINTS; i++)
        assert_int_equal(
            ridge_chart_add_point(chart, "", 1 + i, 1e9, RIDGE_UNKNOWN, RIDGE_UNKNOWN),
            RIDGE_OK);
    assert_int_equal(
        ridge_chart_add_point(chart, "", 1, 1e9, RIDGE_UNKNOWN, RIDGE_UNKNOWN),
        RIDGE_LIMIT);
    ridge_chart_free(chart);
}

/* ---- Layout ------------------------------------------------------------------------ */

static void test_axes_hold_ridge_and_points(void **state)
{
    (void)state;
    ridge_chart *chart = primer();
    ridge__axis x, y;
    assert_true(ridge__chart_range(chart, &x, &y));
    /* Ridge 100e12 / 1e12 = 100: one decade about it is 1 to 3.  The point at 10 asks for
     * 1 - 0.4 = 0.6.  Three decades at least: 2.4 + 0.6, half on each side. */
    assert_close(x.low, 0.3, 1e-12);
    assert_close(x.high, 3.3, 1e-12);
    /* Above: the peak, 14 + 0.4.  Below: the slope at the left end, 12 + 0.3 - 0.1. */
    assert_close(y.high, 14.4, 1e-12);
    assert_close(y.low, 12.2, 1e-12);
    ridge_chart_free(chart);
}

static void test_lines_meet_at_the_ridge(void **state)
{
    (void)state;
    ridge_chart *chart = primer();
    ridge__axis x, y;
    ridge__line line[RIDGE__LINES];
    assert_true(ridge__chart_range(chart, &x, &y));
    assert_int_equal(ridge__chart_lines(chart, &x, &y, line), 2);
    assert_true(line[0].slope);
    assert_close(line[0].x1, 2, 1e-12);
    assert_close(line[0].y1, 14, 1e-12);
    assert_false(line[1].slope);
    assert_close(line[1].x0, 2, 1e-12);
    assert_close(line[1].y0, 14, 1e-12);
    assert_close(line[1].x1, x.high, 1e-12);
    ridge_chart_free(chart);
}

static void test_ridge_is_of_the_outer_level(void **state)
{
    (void)state;
    ridge_chart *chart = new_chart("");
    assert_int_equal(ridge_chart_add_bandwidth(chart, "DRAM", 3.03e12, true), RIDGE_OK);
    assert_int_equal(ridge_chart_add_bandwidth(chart, "DRAM", 3.352e12, false), RIDGE_OK);
    assert_int_equal(ridge_chart_add_bandwidth(chart, "L2", 5.6e12, false), RIDGE_OK);
    assert_int_equal(ridge_chart_add_peak(chart, "bf16", 989.4e12, false), RIDGE_OK);
    /* 989.4 / 3.352 = 295.17 FLOP/byte. */
    assert_close(ridge__chart_ridge(chart, &chart->peak[0]), 295.17, 1e-4);
    /* Three slopes and a ceiling, which begins where the fastest level meets it:
     * 989.4 / 5.6 = 176.68, log10 2.24719. */
    ridge__axis x, y;
    ridge__line line[RIDGE__LINES];
    assert_true(ridge__chart_range(chart, &x, &y));
    assert_int_equal(ridge__chart_lines(chart, &x, &y, line), 4);
    assert_close(line[3].x0, 2.24719, 1e-5);
    /* A twin belongs to its partner's group. */
    assert_int_equal(line[0].group, line[1].group);
    assert_int_equal(line[2].group, line[1].group + 1);
    ridge_chart_free(chart);
}

/* Two machines: 100 TFLOP/s over 1 TB/s, 300 over 2; each with its own ridge and roofs. */
static void test_machines_keep_apart(void **state)
{
    (void)state;
    ridge_chart *chart = new_chart("");
    assert_int_equal(ridge_chart_select(chart, "a"), RIDGE_OK);
    assert_int_equal(ridge_chart_add_roof(chart, "x", 100e12, 1e12, false), RIDGE_OK);
    assert_int_equal(ridge_chart_select(chart, "b"), RIDGE_OK);
    assert_int_equal(ridge_chart_add_roof(chart, "x", 300e12, 2e12, false), RIDGE_OK);
    /* The same rate as the other's: another line all the same, and no twin of it. */
    assert_int_equal(ridge_chart_add_peak(chart, "y", 100e12, false), RIDGE_OK);
    assert_int_equal(ridge_chart_add_peak(chart, "x", 90e12, true), RIDGE_OK);
    assert_int_equal(ridge_chart_select(chart, "a"), RIDGE_OK);
    assert_int_equal(ridge_chart_add_point(chart, "p", 1000, RIDGE_UNKNOWN, RIDGE_UNKNOWN,
                                           RIDGE_UNKNOWN),
                     RIDGE_OK);
    assert_int_equal(chart->machine_count, 2);
    assert_int_equal(chart->peak_count, 4);
    assert_close(ridge__chart_ridge(chart, &chart->peak[0]), 100, 1e-12);
    assert_close(ridge__chart_ridge(chart, &chart->peak[1]), 150, 1e-12);
    assert_ptr_equal(ridge__roof_partner(chart, &chart->peak[3], false), &chart->peak[1]);
    ridge__axis x, y;
    ridge__spot spot;
    assert_true(ridge__chart_range(chart, &x, &y));
    assert_true(ridge__chart_spot(chart, &x, &chart->point[0], &spot));
    assert_close(spot.y, 14, 1e-12); /* on a's peak, not on b's */
    /* Each slope ends at the peak of its own machine. */
    ridge__line line[RIDGE__LINES];
    assert_int_equal(ridge__chart_lines(chart, &x, &y, line), 6);
    assert_close(line[0].y1, 14, 1e-12);
    assert_close(line[1].y1, log10(300e12), 1e-12);
    char text[100];
    ridge__roof_title(text, sizeof text, chart, &chart->peak[1], false);
    assert_string_equal(text, "300 TFLOP/s x @ b");
    for (int i = 2; i < RIDGE_CHART_MACHINES; i++) {
        snprintf(text, sizeof text, "m%d", i);
        assert_int_equal(ridge_chart_select(chart, text), RIDGE_OK);
    }
    assert_int_equal(ridge_chart_select(chart, "one more"), RIDGE_LIMIT);
    assert_int_equal(ridge_chart_select(chart, "b"), RIDGE_OK);
    ridge_chart_free(chart);
}

static void test_missing_level_is_left_out(void **state)
{
    (void)state;
    ridge_chart *chart = primer();
    assert_int_equal(ridge_chart_add_bandwidth(chart, "L2", RIDGE_UNKNOWN, false),
                     RIDGE_OK);
    ridge__str svg, text;
    write_chart(chart, RIDGE_SVG, NULL, &svg);
    write_chart(chart, RIDGE_TERMINAL, NULL, &text);
    assert_null(strstr(svg.data, "L2"));
    assert_null(strstr(text.data, "L2"));
    assert_null(strstr(text.data, "?"));
    ridge__str_clear(&svg);
    ridge__str_clear(&text);
    ridge_chart_free(chart);
}

static void test_points_without_rate_lie_on_the_roof(void **state)
{
    (void)state;
    ridge_chart *chart = primer();
    ridge__axis x, y;
    ridge__spot spot;
    assert_int_equal(ridge_chart_add_point(chart, "low", 10, RIDGE_UNKNOWN, RIDGE_UNKNOWN,
                                           RIDGE_UNKNOWN),
                     RIDGE_OK);
    assert_int_equal(ridge_chart_add_point(chart, "high", 1000, RIDGE_UNKNOWN,
                                           RIDGE_UNKNOWN, RIDGE_UNKNOWN),
                     RIDGE_OK);
    assert_int_equal(
        ridge_chart_add_stream(chart, "copy", 0.5e12, RIDGE_UNKNOWN, RIDGE_UNKNOWN),
        RIDGE_OK);
    assert_true(ridge__chart_range(chart, &x, &y));
    assert_true(ridge__chart_spot(chart, &x, &chart->point[1], &spot));
    assert_close(spot.y, 13, 1e-12); /* 10 FLOP/byte x 1 TB/s */
    assert_false(ridge_known(spot.low));
    assert_true(ridge__chart_spot(chart, &x, &chart->point[2], &spot));
    assert_close(spot.y, 14, 1e-12); /* the peak */
    /* No FLOP: at the left end, a factor of 2 below the 1 TB/s slope. */
    assert_true(ridge__chart_spot(chart, &x, &chart->point[3], &spot));
    assert_close(spot.x, x.low, 1e-12);
    assert_close(spot.y, x.low + log10(0.5e12), 1e-12);
    ridge_chart_free(chart);
}

static void test_extreme_points_are_inside(void **state)
{
    (void)state;
    ridge_chart *chart = primer();
    ridge__axis x, y;
    assert_int_equal(
        ridge_chart_add_point(chart, "", 1e-3, 1e8, RIDGE_UNKNOWN, RIDGE_UNKNOWN),
        RIDGE_OK);
    assert_int_equal(ridge_chart_add_point(chart, "", 1e6, 9e13, 1e13, 2e15), RIDGE_OK);
    assert_true(ridge__chart_range(chart, &x, &y));
    assert_true(x.low < -3 && x.high > 6 && y.low < 8 && y.high > log10(2e15));
    ridge_chart_free(chart);
}

static void test_nothing_to_draw(void **state)
{
    (void)state;
    ridge_chart *chart = new_chart("empty");
    ridge_error err;
    ridge__str out;
    ridge__str_init(&out, 0, NULL);
    assert_int_equal(
        ridge__chart_draw(chart, RIDGE_SVG, NULL, (ridge_sink){collect, &out}, &err),
        RIDGE_NODATA);
    assert_string_equal(
        err.message,
        "the chart has nothing to draw; it needs a peak, a bandwidth or a point");
    ridge_chart_free(chart);
}

static void test_ticks(void **state)
{
    (void)state;
    static const struct {
        int decade;
        const char *text;
    } cases[] = {{-3, "0.001"}, {0, "1"},     {2, "100"},   {3, "1k"},
                 {13, "10T"},   {17, "100P"}, {20, "100E"}, {22, "1e+22"}};
    char buf[40];
    for (size_t i = 0; i < RIDGE__COUNT(cases); i++) {
        ridge__tick_text(buf, sizeof buf, cases[i].decade, 1);
        if (cases[i].decade < 21)
            assert_string_equal(buf, cases[i].text);
        else
            assert_true(strlen(buf) > 0);
    }
    ridge__tick_text(buf, sizeof buf, 14, 5);
    assert_string_equal(buf, "500T");
    int step;
    ridge__axis axis = {.low = -30, .high = 30};
    int first = ridge__axis_first(&axis, 12, &step);
    assert_true(60 / step < 12);
    assert_int_equal(first % 3, 0);
}

/* ---- Text -------------------------------------------------------------------------- */

static void test_labels_are_made_safe(void **state)
{
    (void)state;
    static const struct {
        const char *in, *out;
    } cases[] = {
        {"gemm", "gemm"},
        {"a\x01\n\t\x7f\x1b[31mb", "a[31mb"},
        {"\xff\xc3(", "\xef\xbf\xbd\xef\xbf\xbd("},               /* not UTF-8 */
        {"\xc0\xaf", "\xef\xbf\xbd\xef\xbf\xbd"},                 /* overlong */
        {"\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"}, /* surrogate */
        {"\xe2\x80\xae"
         "evil",
         "evil"}, /* right-to-left override */
        {"\xe4\xb8\xad", "\xe4\xb8\xad"},
        {"\xf0\x9f", "\xef\xbf\xbd\xef\xbf\xbd"}, /* cut short */
        {NULL, ""},
    };
    ridge__arena arena;
    ridge__arena_init(&arena, NULL);
    for (size_t i = 0; i < RIDGE__COUNT(cases); i++)
        assert_string_equal(ridge__label_copy(&arena, cases[i].in), cases[i].out);
    char longer[400];
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    assert_int_equal(strlen(ridge__label_copy(&arena, longer)), RIDGE_LIMIT_CHART_LABEL);
    ridge__arena_clear(&arena);
}

static void test_svg_escapes(void **state)
{
    (void)state;
    ridge_chart *chart = new_chart("a < b & \"c\" > 'd'");
    assert_int_equal(ridge_chart_add_peak(chart, "</text><script>", 1e12, false),
                     RIDGE_OK);
    ridge__str svg;
    write_chart(chart, RIDGE_SVG, NULL, &svg);
    assert_null(strstr(svg.data, "<script"));
    assert_non_null(strstr(svg.data, "&lt;/text&gt;&lt;script&gt;"));
    assert_non_null(strstr(svg.data, "a &lt; b &amp; &quot;c&quot; &gt; &#39;d&#39;"));
    ridge__str_clear(&svg);
    ridge_chart_free(chart);
}

static void test_widths(void **state)
{
    (void)state;
    assert_int_equal(ridge__text_columns("abc"), 3);
    assert_int_equal(ridge__text_columns("\xe4\xb8\xad\xe6\x96\x87"), 4);
    assert_int_equal(ridge__text_columns("e\xcc\x81"), 1); /* combining acute */
    /* Helvetica "ab" at 10 px: (556 + 556) / 1000 x 10 = 11.12, and 12 % for wider faces. */
    assert_close(ridge__text_width("ab", 10), 11.12 * 1.12, 1e-12);
}

/* ---- Pictures ---------------------------------------------------------------------- */

/* Many precisions, levels and points close together. */
static ridge_chart *crowd(void)
{
    static const double peaks[] = {9e15, 4.5e15, 4.4e15, 2.25e15, 1.1e15, 75e12, 37e12};
    ridge_chart *chart = new_chart("crowd");
    assert_int_equal(ridge_chart_add_bandwidth(chart, "DRAM", 8e12, false), RIDGE_OK);
    assert_int_equal(ridge_chart_add_bandwidth(chart, "DRAM", 7.2e12, true), RIDGE_OK);
    assert_int_equal(ridge_chart_add_bandwidth(chart, "LLC", 17e12, false), RIDGE_OK);
    assert_int_equal(ridge_chart_add_bandwidth(chart, "L2", 25e12, false), RIDGE_OK);
    for (size_t i = 0; i < RIDGE__COUNT(peaks); i++)
        assert_int_equal(ridge_chart_add_peak(chart, "some dtype", peaks[i], false),
                         RIDGE_OK);
    for (int i = 0; i < 16; i++)
        assert_int_equal(ridge_chart_add_point(chart, "a kernel with a long name",
                                               200 + 9 * i, 1.2e15 + 2e13 * i, 1.1e15,
                                               1.7e15),
                         RIDGE_OK);
    return chart;
}

typedef struct written {
    ridge__box box;
    bool turned;
} written;

/* The boxes of all <text> of the picture that follow `from`. */
static size_t read_texts(const char *svg, written *out, size_t room)
{
    size_t n = 0;
    for (const char *p = svg; (p = strstr(p, "<text ")) != NULL && n < room; p++) {
        const char *x = strstr(p, "x=\""), *y = strstr(p, " y=\"");
        const char *size = strstr(p, "font-size=\""), *end = strchr(p, '>');
        double at = strtod(x + 3, NULL), line = strtod(y + 4, NULL);
        char text[200] = {0};
        size_t length = strcspn(end + 1, "<");
        assert_true(length < sizeof text);
        memcpy(text, end + 1, length);
        double width = ridge__text_width(text, strtod(size + 11, NULL));
        const char *anchor = strstr(p, "text-anchor=\"");
        double left = !anchor || anchor > end ? at
                      : anchor[13] == 'm'     ? at - width / 2
                                              : at - width;
        const char *turn = strstr(p, "rotate(");
        out[n].turned = turn && turn < end;
        out[n++].box = (ridge__box){left, line - 10, left + width, line + 2};
    }
    return n;
}

static void test_svg_labels_do_not_overlap(void **state)
{
    (void)state;
    ridge_chart *chart = crowd();
    ridge__str svg;
    write_chart(chart, RIDGE_SVG, NULL, &svg);
    static written text[400];
    size_t count = read_texts(svg.data, text, RIDGE__COUNT(text));
    const char *h = strstr(svg.data, " height=\"");
    double height = strtod(h + 9, NULL);
    assert_true(count > 60);
    for (size_t i = 0; i < count; i++) {
        ridge__box a = text[i].box;
        if (text[i].turned)
            continue;
        assert_true(a.x0 >= 0 && a.x1 <= 960 && a.y0 >= 0 && a.y1 <= height);
        for (size_t j = 0; j < i; j++) {
            ridge__box b = text[j].box;
            bool apart = a.x0 >= b.x1 || b.x0 >= a.x1 || a.y0 >= b.y1 || b.y0 >= a.y1;
            assert_true(apart || text[j].turned);
        }
    }
    ridge__str_clear(&svg);
    ridge_chart_free(chart);
}

static void test_svg_structure(void **state)
{
    (void)state;
    ridge_chart *chart = primer();
    ridge__str svg;
    write_chart(chart, RIDGE_SVG, NULL, &svg);
    assert_non_null(strstr(svg.data, "role=\"img\""));
    assert_non_null(strstr(svg.data, "<title>primer</title>"));
    assert_non_null(strstr(svg.data, "<desc>"));
    assert_non_null(strstr(svg.data, "prefers-color-scheme: dark"));
    assert_int_equal(count_of(svg.data, ">100 TFLOP/s fp32</text>"), 1);
    assert_int_equal(count_of(svg.data, ">1 TB/s DRAM</text>"), 1);
    assert_int_equal(count_of(svg.data, ">ridge 100</text>"), 1);
    assert_int_equal(count_of(svg.data, ">arithmetic intensity (FLOP/byte)</text>"), 1);
    assert_int_equal(count_of(svg.data, ">performance (FLOP/s)</text>"), 1);
    assert_int_equal(count_of(svg.data, "nan"), 0);
    assert_int_equal(count_of(svg.data, "inf"), 0);
    ridge__str_clear(&svg);
    ridge_chart_free(chart);
}

static void test_many_points_are_a_cloud(void **state)
{
    (void)state;
    ridge_chart *chart = primer();
    for (int i = 0; i < 99; i++)
        assert_int_equal(ridge_chart_add_point(chart, "one of many", 1 + i, 1e12,
                                               RIDGE_UNKNOWN, RIDGE_UNKNOWN),
                         RIDGE_OK);
    ridge__str svg, text;
    write_chart(chart, RIDGE_SVG, NULL, &svg);
    write_chart(chart, RIDGE_TERMINAL, NULL, &text);
    assert_int_equal(count_of(svg.data, "<circle r=\"2.2\""), 100);
    assert_int_equal(count_of(svg.data, "one of many"), 0);
    assert_non_null(strstr(svg.data, " 100 points.</desc>"));
    assert_non_null(strstr(text.data, "  *  100 points\n"));
    ridge__str_clear(&svg);
    ridge__str_clear(&text);
    ridge_chart_free(chart);
}

static void test_same_bytes_each_time(void **state)
{
    (void)state;
    for (int canvas = RIDGE_SVG; canvas <= RIDGE_TERMINAL; canvas++) {
        ridge_chart *one = crowd(), *two = crowd();
        ridge__str a, b;
        write_chart(one, (ridge_canvas)canvas, NULL, &a);
        write_chart(two, (ridge_canvas)canvas, NULL, &b);
        assert_string_equal(a.data, b.data);
        ridge__str_clear(&a);
        ridge__str_clear(&b);
        ridge_chart_free(one);
        ridge_chart_free(two);
    }
}

static void test_terminal_fits_its_width(void **state)
{
    (void)state;
    static const unsigned widths[] = {0, 60, 80, 120, 100000};
    static const size_t columns[] = {80, 60, 80, 120, 400};
    for (size_t i = 0; i < RIDGE__COUNT(widths); i++)
        for (int ascii = 0; ascii < 2; ascii++) {
            ridge_chart *chart = primer();
            ridge__str out;
            write_chart(chart, RIDGE_TERMINAL,
                        &(ridge_style){.width = widths[i], .ascii = ascii}, &out);
            for (char *line = out.data, *end; (end = strchr(line, '\n'));
                 line = end + 1) {
                *end = '\0';
                assert_true(ridge__text_columns(line) <= columns[i]);
                for (const char *p = line; ascii && *p; p++)
                    assert_in_range(*p, ' ', '~');
            }
            ridge__str_clear(&out);
            ridge_chart_free(chart);
        }
}

static void test_terminal_says_every_figure(void **state)
{
    (void)state;
    ridge_chart *chart = crowd();
    ridge__str out;
    write_chart(chart, RIDGE_TERMINAL, NULL, &out);
    assert_non_null(strstr(out.data, "  9 PFLOP/s some dtype, ridge 1120\n"));
    assert_non_null(strstr(out.data, "  8 TB/s DRAM (7.2 TB/s reachable)\n"));
    assert_non_null(strstr(out.data, "arithmetic intensity (FLOP/byte)\n"));
    assert_non_null(strstr(out.data, "\n  p  a kernel with"));
    ridge__str_clear(&out);
    ridge_chart_free(chart);
}

/* ---- Memory ------------------------------------------------------------------------ */

typedef struct meter {
    size_t left, live; /* allocations until one fails; blocks not given back */
} meter;

static void *meter_alloc(void *ctx, size_t size)
{
    meter *m = ctx;
    if (m->left == 0)
        return NULL;
    m->left--;
    m->live++;
    return malloc(size);
}

static void meter_free(void *ctx, void *ptr, size_t size)
{
    (void)size;
    ((meter *)ctx)->live--;
    free(ptr);
}

/* *size receives how much was drawn. */
static ridge_status draw_all(const ridge_allocator *alloc, size_t *size)
{
    ridge_chart *chart = NULL;
    ridge__str sunk;
    ridge__str_init(&sunk, 0, NULL);
    ridge_status status = ridge__chart_new(&chart, "title", alloc);
    if (!status)
        status = ridge_chart_add_roof(chart, "fp32", 1e14, 1e12, false);
    for (int i = 0; i < 40 && !status; i++)
        status = ridge_chart_add_point(chart, "p", 1 + i, 1e12, 5e11, 2e12);
    for (int canvas = RIDGE_SVG; canvas <= RIDGE_TERMINAL && !status; canvas++)
        status = ridge__chart_draw(chart, (ridge_canvas)canvas, NULL,
                                   (ridge_sink){collect, &sunk}, NULL);
    ridge_chart_free(chart);
    *size = sunk.size;
    ridge__str_clear(&sunk);
    return status;
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    ridge_status status = RIDGE_NOMEM;
    size_t n = 0, size, whole;
    assert_int_equal(draw_all(NULL, &whole), RIDGE_OK);
    for (; status && n < 1000; n++) {
        meter m = {.left = n};
        ridge_allocator alloc = {meter_alloc, meter_free, &m};
        status = draw_all(&alloc, &size);
        assert_true(status == RIDGE_OK || status == RIDGE_NOMEM);
        assert_int_equal(m.live, 0);
    }
    assert_int_equal(status, RIDGE_OK);
    assert_int_equal(size, whole); /* a failure is never taken for a short chart */
    assert_true(n > 5);
}

static int refuse(void *ctx, const char *data, size_t size)
{
    (void)ctx;
    (void)data;
    (void)size;
    return 1;
}

static void test_a_sink_may_stop(void **state)
{
    (void)state;
    ridge_chart *chart = primer();
    assert_int_equal(
        ridge__chart_draw(chart, RIDGE_SVG, NULL, (ridge_sink){refuse, NULL}, NULL),
        RIDGE_CANCELLED);
    ridge_chart_free(chart);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rates_are_checked),
        cmocka_unit_test(test_equal_roofs_are_one_line),
        cmocka_unit_test(test_roofs_have_a_limit),
        cmocka_unit_test(test_axes_hold_ridge_and_points),
        cmocka_unit_test(test_lines_meet_at_the_ridge),
        cmocka_unit_test(test_ridge_is_of_the_outer_level),
        cmocka_unit_test(test_machines_keep_apart),
        cmocka_unit_test(test_missing_level_is_left_out),
        cmocka_unit_test(test_points_without_rate_lie_on_the_roof),
        cmocka_unit_test(test_extreme_points_are_inside),
        cmocka_unit_test(test_nothing_to_draw),
        cmocka_unit_test(test_ticks),
        cmocka_unit_test(test_labels_are_made_safe),
        cmocka_unit_test(test_svg_escapes),
        cmocka_unit_test(test_widths),
        cmocka_unit_test(test_svg_labels_do_not_overlap),
        cmocka_unit_test(test_svg_structure),
        cmocka_unit_test(test_many_points_are_a_cloud),
        cmocka_unit_test(test_same_bytes_each_time),
        cmocka_unit_test(test_terminal_fits_its_width),
        cmocka_unit_test(test_terminal_says_every_figure),
        cmocka_unit_test(test_every_allocation_may_fail),
        cmocka_unit_test(test_a_sink_may_stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
