/* Predictions against measurements: two panels of a density on logarithmic axes. */
#include "chart/svg.h"

#include <string.h>

enum {
    CELLS = 80, /* of a panel, in each direction */
    SHADES = 6  /* a cell's count by its logarithm */
};

static const double picture_width = 960, picture_height = 470;
static const double panel_size = 360, panel_top = 52, first_left = 86, second_left = 556;
/* The ratio's axis: what is farther off is drawn at its end. */
static const double ratio_decades = 0.6; /* a factor of 4 */

typedef struct panel {
    ridge__axis x, y;
    size_t count[CELLS][CELLS], most;
} panel;

static int cell_of(const ridge__axis *axis, double decade)
{
    int i = (int)floor((decade - axis->low) / (axis->high - axis->low) * CELLS);
    return i < 0 ? 0 : i >= CELLS ? CELLS - 1 : i;
}

static void add(panel *p, double x, double y)
{
    size_t *cell = &p->count[cell_of(&p->y, y)][cell_of(&p->x, x)];
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
    put_factor(svg, 1, ratio, NULL);
    put_factor(svg, 1.1, ratio, "5 3");
    put_factor(svg, 1 / 1.1, ratio, "5 3");
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
    ridge__str_text(out, "</svg>\n");
    ridge__arena_clear(&arena);
    return ridge__str_check(out, "the picture is ", err);
}
