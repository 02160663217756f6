/* Predictions against measurements: two panels of a density on logarithmic axes. */
#include "chart/svg.h"

#include <string.h>

enum {
    CELLS = 80, /* of a panel, in each direction */
    SHADES = 6  /* a cell's count by its logarithm */
};

static const double picture_width = 960, picture_height = 506;
static const double panel_size = 360, panel_top = 52, first_left = 86, second_left = 556;
static const double legend_at = 486, legend_size = 12;
/* The ratio's axis: what is farther off is a triangle at its end. */
static const double ratio_decades = 0.6; /* a factor of 4 */

static const char *const ten_percent = "5 3"; /* dashes */

typedef struct panel {
    ridge__axis x, y;
    size_t count[CELLS][CELLS], most;
    size_t over[CELLS], under[CELLS], beyond; /* of the y axis, by column; all of them */
} panel;

static int cell_of(const ridge__axis *axis, double decade)
{
    int i = (int)floor((decade - axis->low) / (axis->high - axis->low) * CELLS);
    return i < 0 ? 0 : i >= CELLS ? CELLS - 1 : i;
}

static void add(panel *p, double x, double y)
{
    int column = cell_of(&p->x, x);
    if (y > p->y.high || y < p->y.low) {
        (y > p->y.high ? p->over : p->under)[column]++;
        p->beyond++;
        return;
    }
    size_t *cell = &p->count[cell_of(&p->y, y)][column];
    if (++*cell > p->most)
        p->most = *cell;
}

static ridge__axis axis_from(double low, double high, double start, double length)
{
    if (high - low < 0.5) { /* all alike: room around them */
        low -= 0.25;
        high += 0.25;
    }
    return (ridge__axis){low, high, start, length / (high - low)};
}

/* Which of SHADES a count is drawn in. */
static int shade_of(const panel *p, size_t count)
{
    double share = log1p((double)count) / log1p((double)p->most);
    int shade = (int)(share * SHADES);
    return shade >= SHADES ? SHADES - 1 : shade;
}

/* A path for each shade: cells joined along their row. */
static void put_cells(ridge__svg *svg, const panel *p)
{
    const double step = panel_size / CELLS;
    for (int shade = 0; shade < SHADES; shade++) {
        ridge__str_text(svg->out, "<path");
        ridge__svg_paint(svg, RIDGE__MARK, RIDGE__PAINTS);
        ridge__str_format(svg->out, " fill-opacity=\"0.%d\" d=\"", 25 + 14 * shade);
        for (int row = 0; row < CELLS; row++)
            for (int col = 0, run; col < CELLS; col += run) {
                for (run = 0; col + run < CELLS && p->count[row][col + run] > 0 &&
                              shade_of(p, p->count[row][col + run]) == shade;)
                    run++;
                if (run == 0) {
                    run = 1;
                    continue;
                }
                ridge__str_text(svg->out, "M");
                ridge__svg_number(svg, svg->plot.x0 + col * step);
                ridge__str_text(svg->out, " ");
                ridge__svg_number(svg, svg->plot.y1 - (row + 1) * step);
                ridge__str_text(svg->out, "h");
                ridge__svg_number(svg, run * step);
                ridge__str_format(svg->out, "v");
                ridge__svg_number(svg, step);
                ridge__str_text(svg->out, "h");
                ridge__svg_number(svg, -run * step);
                ridge__str_text(svg->out, "z");
            }
        ridge__str_text(svg->out, "\"/>\n");
    }
}

/* The half of a triangle's width, and its height. */
static const double wing = 4, tip = 7;

/* Its flat side at y, the tip up or down from there. */
static void put_triangle(ridge__svg *svg, double x, double y, bool up)
{
    ridge__str_text(svg->out, "M");
    ridge__svg_number(svg, x - wing);
    ridge__str_text(svg->out, " ");
    ridge__svg_number(svg, y);
    ridge__str_text(svg->out, "h");
    ridge__svg_number(svg, 2 * wing);
    ridge__str_text(svg->out, "l");
    ridge__svg_number(svg, -wing);
    ridge__str_text(svg->out, " ");
    ridge__svg_number(svg, up ? -tip : tip);
    ridge__str_text(svg->out, "z");
}

static void open_triangles(ridge__svg *svg)
{
    ridge__str_text(svg->out, "<path");
    ridge__svg_paint(svg, RIDGE__MARK, RIDGE__PAINTS);
    ridge__str_text(svg->out, " d=\"");
}

/* One in each column that has rows beyond an end of the axis, inside the frame. */
static void put_beyond(ridge__svg *svg, const panel *p)
{
    const double step = panel_size / CELLS;
    if (p->beyond == 0)
        return;
    open_triangles(svg);
    for (int col = 0; col < CELLS; col++) {
        double x = svg->plot.x0 + (col + 0.5) * step;
        if (p->over[col] > 0)
            put_triangle(svg, x, svg->plot.y0 + tip + 1, true);
        if (p->under[col] > 0)
            put_triangle(svg, x, svg->plot.y1 - tip - 1, false);
    }
    ridge__str_text(svg->out, "\"/>\n");
}

/* Where expected = factor x measured, inside the panel. */
static void put_factor(ridge__svg *svg, double factor, bool ratio, const char *dash)
{
    double lift = log10(factor);
    double low = svg->x.low, high = svg->x.high;
    if (!ratio) { /* y = x + lift must stay between the ends of y */
        low = low + lift < svg->y.low ? svg->y.low - lift : low;
        high = high + lift > svg->y.high ? svg->y.high - lift : high;
    }
    ridge__stroke s = {ridge__axis_at(&svg->x, low),
                       ridge__axis_at(&svg->y, ratio ? lift : low + lift),
                       ridge__axis_at(&svg->x, high),
                       ridge__axis_at(&svg->y, ratio ? lift : high + lift)};
    ridge__svg_line(svg, s, RIDGE__INNER, dash ? 1 : 1.4, dash);
}

static void put_panel(ridge__svg *svg, const panel *p, double left, bool ratio,
                      const char *across, const char *up)
{
    svg->plot = (ridge__box){left, panel_top, left + panel_size, panel_top + panel_size};
    svg->x = p->x;
    svg->y = p->y;
    ridge__svg_axes(svg, across, up);
    put_cells(svg, p);
    put_beyond(svg, p);
    put_factor(svg, 1, ratio, NULL);
    put_factor(svg, 1.1, ratio, ten_percent);
    put_factor(svg, 1 / 1.1, ratio, ten_percent);
}

/* Words of the legend from x on; where they end, with a gap. */
static double put_words(ridge__svg *svg, double x, const char *text)
{
    const double gap = 22;
    const ridge__words words = {
        .x = x, .y = legend_at, .size = legend_size, .paint = RIDGE__DIM};
    ridge__svg_words(svg, &words, text);
    return x + ridge__text_width(text, legend_size) + gap;
}

/* A line of the legend, and what it is. */
static double put_sample(ridge__svg *svg, double x, const char *dash, const char *text)
{
    const double length = 28, middle = legend_at - 4;
    const ridge__stroke s = {x, middle, x + length, middle};
    ridge__svg_line(svg, s, RIDGE__INNER, dash ? 1 : 1.4, dash);
    return put_words(svg, x + length + 6, text);
}

/* What lines, shades and triangles of both panels are. */
static void put_legend(ridge__svg *svg, const panel *p)
{
    const double box = 12;
    char text[80];
    double x = put_sample(svg, first_left, NULL, "as measured");
    x = put_sample(svg, x, ten_percent, "10 % more or less");
    for (int shade = shade_of(p, 1); shade < SHADES; shade++) {
        ridge__str_text(svg->out, "<rect");
        ridge__svg_attr(svg, "x", x);
        ridge__svg_attr(svg, "y", legend_at - box + 2);
        ridge__svg_attr(svg, "width", box);
        ridge__svg_attr(svg, "height", box);
        ridge__svg_paint(svg, RIDGE__MARK, RIDGE__PAINTS);
        ridge__str_format(svg->out, " fill-opacity=\"0.%d\"/>\n", 25 + 14 * shade);
        x += box;
    }
    if (p->most > 1)
        snprintf(text, sizeof text, "1 to %zu rows in a cell", p->most);
    else
        snprintf(text, sizeof text, "a row");
    x = put_words(svg, x + 6, text);
    if (p->beyond == 0)
        return;
    open_triangles(svg);
    put_triangle(svg, x + wing, legend_at, true);
    ridge__str_text(svg->out, "\"/>\n");
    snprintf(text, sizeof text, "beyond the axis: %zu row%s", p->beyond,
             p->beyond > 1 ? "s" : "");
    put_words(svg, x + 2 * wing + 6, text);
}

static void range(const ridge__pair *pair, size_t count, double *low, double *high)
{
    *low = *high = log10(pair[0].measured);
    for (size_t i = 0; i < count; i++) {
        const double decades[] = {log10(pair[i].measured), log10(pair[i].expected)};
        for (size_t k = 0; k < RIDGE__COUNT(decades); k++) {
            *low = decades[k] < *low ? decades[k] : *low;
            *high = decades[k] > *high ? decades[k] : *high;
        }
    }
}

ridge_status ridge__scatter_svg(ridge__str *out, const char *title, const char *unit,
                                const ridge__pair *pair, size_t count, ridge_error *err)
{
    if (count == 0)
        return ridge__error_set(err, RIDGE_NODATA,
                                "no row has both a measured and an expected time");
    ridge__arena arena;
    ridge__arena_init(&arena, NULL);
    panel *p = ridge__arena_alloc(&arena, 2 * sizeof *p);
    if (!p)
        return ridge__error_set(err, RIDGE_NOMEM, "out of memory");
    double low, high, bottom = panel_top + panel_size;
    range(pair, count, &low, &high);
    for (int i = 0; i < 2; i++)
        p[i].x = axis_from(low, high, i ? second_left : first_left, panel_size);
    p[0].y = axis_from(low, high, bottom, -panel_size);
    p[1].y = axis_from(-ratio_decades, ratio_decades, bottom, -panel_size);
    for (size_t i = 0; i < count; i++) {
        double x = log10(pair[i].measured), y = log10(pair[i].expected);
        add(&p[0], x, y);
        add(&p[1], x, y - x);
    }
    /* A shade is the same count in both. */
    p[0].most = p[1].most = p[0].most > p[1].most ? p[0].most : p[1].most;
    char across[80];
    snprintf(across, sizeof across, "measured (%s)", unit);
    ridge__svg svg = {.out = out, .width = picture_width, .height = picture_height};
    ridge__svg_begin(&svg, title);
    ridge__str_format(out,
                      "<desc>%zu rows: expected against measured times, and their ratio; "
                      "dashes at 10 %% either way.</desc>\n",
                      count);
    ridge__svg_paper(&svg, title);
    put_panel(&svg, &p[0], first_left, false, across, "expected");
    put_panel(&svg, &p[1], second_left, true, across, "expected / measured");
    put_legend(&svg, &p[1]);
    ridge__str_text(out, "</svg>\n");
    ridge__arena_clear(&arena);
    return ridge__str_check(out, "the picture is ", err);
}
