#include "chart/svg.h"

#include <string.h>

static const double font = 13, line_height = 16;

/* ---- Ceilings: in the right margin, with a leader ---------------------------------- */

double ridge__svg_margin(const ridge_chart *chart)
{
    double widest = 0;
    for (size_t i = 0; i < chart->peak_count; i++) {
        char text[400];
        ridge__roof_title(text, sizeof text, chart, &chart->peak[i], false);
        widest = fmax(widest, ridge__text_width(text, font));
    }
    return fmin(fmax(widest + 36, 40), 400);
}

typedef struct shelf {
    const ridge__line *line;
    double at, y; /* of the line, of the label */
} shelf;

/* Highest on the page first; a stated roof before a reachable one at the same height. */
static void sort_shelves(shelf *s, size_t count)
{
    for (size_t i = 1; i < count; i++)
        for (size_t j = i; j > 0 && s[j].at < s[j - 1].at; j--) {
            shelf t = s[j];
            s[j] = s[j - 1];
            s[j - 1] = t;
        }
}

/* Push labels apart, as little as their neighbours allow, and keep them on the page. */
static void spread_shelves(shelf *s, size_t count, double top, double bottom)
{
    for (int pass = 0; pass < 60; pass++)
        for (size_t i = 1; i < count; i++) {
            double lack = line_height - (s[i].y - s[i - 1].y);
            if (lack > 0) {
                s[i].y += lack / 2;
                s[i - 1].y -= lack / 2;
            }
        }
    for (size_t i = 0; i < count; i++)
        s[i].y = fmax(s[i].y, i ? s[i - 1].y + line_height : top);
    for (size_t i = count; i-- > 0;)
        s[i].y = fmin(s[i].y, i + 1 < count ? s[i + 1].y - line_height : bottom);
}

void ridge__svg_ceiling_labels(ridge__svg *svg)
{
    shelf shelves[RIDGE__LINES];
    size_t count = 0;
    for (size_t i = 0; i < svg->line_count; i++)
        if (!svg->line[i].slope) {
            double at = ridge__axis_at(&svg->y, svg->line[i].y0);
            shelves[count++] = (shelf){&svg->line[i], at, at};
        }
    sort_shelves(shelves, count);
    spread_shelves(shelves, count, svg->plot.y0, svg->plot.y1);
    for (size_t i = 0; i < count; i++) {
        const shelf *s = &shelves[i];
        char text[400];
        double x = svg->plot.x1;
        ridge__roof_title(text, sizeof text, svg->chart, s->line->roof, false);
        ridge__paint hue = ridge__svg_hue(svg->chart, s->line);
        ridge__svg_line(svg, (ridge__stroke){x, s->at, x + 14, s->y}, hue, 1, NULL);
        ridge__svg_words(
            svg,
            &(ridge__words){.x = x + 18,
                            .y = s->y + 4.5,
                            .size = font,
                            .paint = ridge__svg_text_hue(svg->chart, s->line)},
            text);
    }
}

/* ---- Slopes: along the line -------------------------------------------------------- */

/* A turned label as a chain of small boxes along its middle. */
typedef struct chain {
    double x, y, dx, dy, length; /* start of the middle line, direction */
} chain;

static ridge__box chain_box(const chain *c, double at)
{
    static const double half = 6;
    double x = c->x + c->dx * at, y = c->y + c->dy * at;
    return (ridge__box){x - half, y - half, x + half, y + half};
}

enum {
    CHAIN_STEP = 9, /* between the boxes of a chain */
    PLACE_STEP = 12 /* between the places that are tried along a line */
};

static double chain_cost(const ridge__svg *svg, const chain *c)
{
    double cost = 0;
    for (int i = 0; i * CHAIN_STEP <= c->length; i++)
        cost += ridge__field_cost(&svg->field, chain_box(c, i * CHAIN_STEP));
    return cost;
}

static void put_slope_label(ridge__svg *svg, const ridge__line *line)
{
    static const double away = 11; /* from the line to the middle of the text */
    double x0 = ridge__axis_at(&svg->x, line->x0), y0 = ridge__axis_at(&svg->y, line->y0);
    double x1 = ridge__axis_at(&svg->x, line->x1), y1 = ridge__axis_at(&svg->y, line->y1);
    double length = hypot(x1 - x0, y1 - y0);
    chain best = {.dx = (x1 - x0) / length, .dy = (y1 - y0) / length};
    char text[400];
    ridge__roof_title(text, sizeof text, svg->chart, line->roof, true);
    best.length = ridge__text_width(text, font);
    double least = INFINITY;
    double room = fmax(length - best.length, PLACE_STEP + 1);
    for (int place = 1; place * PLACE_STEP < room; place++)
        for (int side = -1; side <= 1; side += 2) {
            chain c = best;
            double along = place * PLACE_STEP;
            /* Stated figures above their line, reachable ones below, if both are free. */
            double off = line->roof->reachable ? -side * away : side * away;
            c.x = x0 + c.dx * along - c.dy * off;
            c.y = y0 + c.dy * along + c.dx * off;
            double cost = chain_cost(svg, &c) + along / 100 + (side > 0 ? 2 : 0);
            if (cost < least) {
                least = cost;
                best = c;
            }
        }
    /* Slopes of several machines lie close: what would stand on another line is left to
     * the legend. */
    if (least >= RIDGE__LINE_COST && ridge__is_shared(svg->chart))
        return;
    /* From the middle line down to the baseline, across the direction of the text. */
    static const double drop = 4.5;
    ridge__svg_words(svg,
                     &(ridge__words){.x = best.x - best.dy * drop,
                                     .y = best.y + best.dx * drop,
                                     .size = font,
                                     .paint = ridge__svg_text_hue(svg->chart, line),
                                     .halo = true,
                                     .turn = atan2(best.dy, best.dx) * 180 / acos(-1)},
                     text);
    for (int i = 0; i * CHAIN_STEP <= best.length; i++)
        ridge__field_add_box(&svg->field, chain_box(&best, i * CHAIN_STEP));
}

void ridge__svg_slope_labels(ridge__svg *svg)
{
    for (size_t i = 0; i < svg->line_count; i++)
        if (svg->line[i].slope)
            put_slope_label(svg, &svg->line[i]);
}

/* ---- Ridge points: at the foot of their dotted line -------------------------------- */

static void put_ridge_label(ridge__svg *svg, const ridge__line *line, double ridge)
{
    char number[32], suffix[RIDGE_LIMIT_CHART_LABEL * 4 + 8], text[sizeof suffix + 40];
    ridge__number_format(number, ridge, 3);
    ridge__machine_suffix(suffix, sizeof suffix, svg->chart, line->roof->machine);
    snprintf(text, sizeof text, "ridge %s%s", number, suffix);
    double width = ridge__text_width(text, font);
    double x = ridge__axis_at(&svg->x, log10(ridge)), foot = svg->plot.y1;
    ridge__box best = {0};
    double least = INFINITY;
    for (int row = 0; row < 8; row++)
        for (int left = 0; left < 2; left++) {
            double x0 = left ? x - 6 - width : x + 6;
            double y1 = foot - 6 - row * line_height;
            ridge__box box = {x0, y1 - line_height, x0 + width, y1};
            double cost = ridge__field_cost(&svg->field, box) + row + left / 2.0;
            if (cost < least) {
                least = cost;
                best = box;
            }
        }
    ridge__svg_words(svg,
                     &(ridge__words){.x = best.x0 < x ? best.x1 : best.x0,
                                     .y = best.y1 - 4,
                                     .size = font,
                                     .anchor = best.x0 < x ? RIDGE__END : RIDGE__START,
                                     .paint = ridge__svg_text_hue(svg->chart, line),
                                     .halo = true},
                     text);
    ridge__field_add_box(&svg->field, best);
}

void ridge__svg_ridge_labels(ridge__svg *svg)
{
    for (size_t i = 0; i < svg->line_count; i++) {
        const ridge__line *line = &svg->line[i];
        if (line->slope || line->roof->reachable)
            continue;
        double ridge = ridge__chart_ridge(svg->chart, line->roof);
        if (ridge_known(ridge))
            put_ridge_label(svg, line, ridge);
    }
}

/* ---- Points ------------------------------------------------------------------------ */

typedef struct seat {
    double x, y; /* baseline at the anchor */
    ridge__anchor anchor;
    ridge__box box;
    double cost;
} seat;

/* The best place for a text around a mark; near ones first. */
static seat find_seat(const ridge__svg *svg, double x, double y, double width)
{
    static const struct {
        double dx, dy;
        ridge__anchor anchor;
    } around[] = {
        {1, 0, RIDGE__START},  {-1, 0, RIDGE__END},   {0, -1, RIDGE__MIDDLE},
        {0, 1, RIDGE__MIDDLE}, {1, -1, RIDGE__START}, {1, 1, RIDGE__START},
        {-1, -1, RIDGE__END},  {-1, 1, RIDGE__END},
    };
    static const double reach[] = {11, 20, 32, 48};
    seat best = {.cost = INFINITY};
    for (size_t r = 0; r < RIDGE__COUNT(reach); r++)
        for (size_t i = 0; i < RIDGE__COUNT(around); i++) {
            double across = around[i].dx * reach[r] * (around[i].dy == 0 ? 1 : 0.75);
            double down = around[i].dy * (reach[r] + 4);
            seat s = {.x = x + across, .y = y + down + 4.5, .anchor = around[i].anchor};
            double x0 = s.x - (s.anchor == RIDGE__MIDDLE ? width / 2
                               : s.anchor == RIDGE__END  ? width
                                                         : 0);
            s.box = (ridge__box){x0, s.y - 12, x0 + width, s.y + 4};
            s.cost =
                ridge__field_cost(&svg->field, s.box) + (double)r * 3 + (double)i / 10;
            if (s.cost < best.cost)
                best = s;
        }
    return best;
}

/* A label that had to move away is tied to its mark. */
static void put_tie(ridge__svg *svg, double x, double y, const seat *s, ridge__paint edge)
{
    double to_x = fmin(fmax(x, s->box.x0), s->box.x1);
    double to_y = fmin(fmax(y, s->box.y0), s->box.y1);
    if (hypot(to_x - x, to_y - y) > 16)
        ridge__svg_line(svg, (ridge__stroke){x, y, to_x, to_y}, edge, 0.8, NULL);
}

/* How much is written beside the points, most first. */
typedef enum wording {
    WHOLE, /* "gemm m=4096 n=4096 k=4096" */
    FIRST, /* "1 gemm": the number in the table and the first word */
    NUMBER /* "1" */
} wording;

enum {
    POINT_TEXT = 2 * (RIDGE_LIMIT_CHART_LABEL * 4 + 24)
};

static void point_text(char buf[POINT_TEXT], const ridge__svg *svg, size_t i,
                       wording detail)
{
    const ridge__point *point = &svg->chart->point[i];
    char suffix[RIDGE_LIMIT_CHART_LABEL * 4 + 8];
    ridge__machine_suffix(suffix, sizeof suffix, svg->chart, point->machine);
    int word = detail == FIRST ? (int)strcspn(point->label, " ") : 0;
    if (detail == WHOLE)
        snprintf(buf, POINT_TEXT, "%s%s", point->label, suffix);
    else
        snprintf(buf, POINT_TEXT, "%zu%s%.*s%s", i + 1, word ? " " : "", word,
                 point->label, detail == FIRST ? suffix : "");
}

static void put_point_label(ridge__svg *svg, const seat *s, const char *text)
{
    ridge__svg_words(svg,
                     &(ridge__words){.x = s->x,
                                     .y = s->y,
                                     .size = font,
                                     .anchor = s->anchor,
                                     .paint = RIDGE__INK,
                                     .halo = true},
                     text);
}

/* Seat every label; drawn if `draw`.  False if one of them found no place. */
static bool seat_points(ridge__svg *svg, wording detail, bool draw)
{
    const ridge_chart *chart = svg->chart;
    bool all = true;
    for (size_t i = 0; i < chart->point_count; i++) {
        char text[POINT_TEXT];
        point_text(text, svg, i, detail);
        ridge__spot spot;
        if (!ridge__chart_spot(chart, &svg->x, &chart->point[i], &spot) || !text[0])
            continue;
        double x = ridge__axis_at(&svg->x, spot.x), y = ridge__axis_at(&svg->y, spot.y);
        seat s = find_seat(svg, x, y, ridge__text_width(text, font));
        if (s.cost >= RIDGE__BLOCKED) {
            all = false;
            continue;
        }
        if (draw) {
            put_tie(svg, x, y, &s, ridge__svg_edge(chart, &chart->point[i]));
            put_point_label(svg, &s, text);
        }
        ridge__field_add_box(&svg->field, s.box);
    }
    return all;
}

void ridge__svg_point_labels(ridge__svg *svg)
{
    /* All points in the same way, as much as finds a place without overlap. */
    size_t before = svg->field.box_count;
    /* Where lines and machines are many, the table has the rest of the words. */
    int detail = ridge__is_shared(svg->chart) ? FIRST : WHOLE;
    if (ridge__is_cloud(svg->chart))
        return;
    for (; detail < NUMBER; detail++) {
        bool all = seat_points(svg, (wording)detail, false);
        svg->field.box_count = before;
        if (all)
            break;
    }
    seat_points(svg, (wording)detail, true);
}
