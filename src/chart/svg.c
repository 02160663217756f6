#include "chart/svg.h"

#include <string.h>

static const double chart_width = 960, plot_height = 440;
static const double margin_left = 86, margin_top = 58, margin_bottom = 62;

/* ---- Style ------------------------------------------------------------------------- */

ridge__paint ridge__svg_hue(const ridge_chart *chart, const ridge__line *line)
{
    if (ridge__is_shared(chart))
        return (ridge__paint)(RIDGE__LINE0 + line->roof->machine);
    if (line->slope)
        return line->group == 0 ? RIDGE__SLOPE : RIDGE__INNER;
    return (ridge__paint)(RIDGE__LINE0 + line->group % RIDGE__HUES);
}

ridge__paint ridge__svg_text_hue(const ridge_chart *chart, const ridge__line *line)
{
    if (ridge__is_shared(chart))
        return (ridge__paint)(RIDGE__TEXT0 + line->roof->machine);
    if (line->slope)
        return line->group == 0 ? RIDGE__INK : RIDGE__DIM;
    return (ridge__paint)(RIDGE__TEXT0 + line->group % RIDGE__HUES);
}

const char *ridge__svg_dash(const ridge_chart *chart, unsigned machine)
{
    /* Told apart without colour; none is the dots of a ridge or of a reachable rate. */
    static const char *const dashes[RIDGE_CHART_MACHINES] = {NULL, "12 5", "5 3",
                                                             "14 4 3 4", "7 3 2 3 2 3"};
    return ridge__is_shared(chart) ? dashes[machine] : NULL;
}

/* ---- Elements ---------------------------------------------------------------------- */

static const struct {
    const char *name, *property, *light, *dark;
} paints[] = {
#define X(id, name, property, light, dark) {name, #property, light, dark},
    RIDGE__PAINT_MAP(X)
#undef X
};

void ridge__svg_number(ridge__svg *svg, double value)
{
    long tenths = lround(value * 10);
    ridge__str_format(svg->out, "%s%ld", tenths < 0 ? "-" : "", labs(tenths) / 10);
    if (tenths % 10)
        ridge__str_format(svg->out, ".%ld", labs(tenths) % 10);
}

void ridge__svg_attr(ridge__svg *svg, const char *name, double value)
{
    ridge__str_format(svg->out, " %s=\"", name);
    ridge__svg_number(svg, value);
    ridge__str_text(svg->out, "\"");
}

void ridge__svg_paint(ridge__svg *svg, ridge__paint a, ridge__paint b)
{
    bool two = b < RIDGE__PAINTS;
    ridge__str_format(svg->out, " class=\"%s%s%s\"", paints[a].name, two ? " " : "",
                      two ? paints[b].name : "");
    ridge__str_format(svg->out, " %s=\"%s\"", paints[a].property, paints[a].light);
    if (two)
        ridge__str_format(svg->out, " %s=\"%s\"", paints[b].property, paints[b].light);
}

void ridge__svg_line(ridge__svg *svg, ridge__stroke s, ridge__paint paint, double width,
                     const char *dash)
{
    ridge__str_text(svg->out, "<line");
    ridge__svg_attr(svg, "x1", s.x0);
    ridge__svg_attr(svg, "y1", s.y0);
    ridge__svg_attr(svg, "x2", s.x1);
    ridge__svg_attr(svg, "y2", s.y1);
    ridge__svg_paint(svg, paint, RIDGE__PAINTS);
    ridge__svg_attr(svg, "stroke-width", width);
    if (dash)
        ridge__str_format(svg->out, " stroke-dasharray=\"%s\"", dash);
    ridge__str_text(svg->out, "/>\n");
}

void ridge__svg_words(ridge__svg *svg, const ridge__words *w, const char *text)
{
    static const char *const anchors[] = {"start", "middle", "end"};
    ridge__str_text(svg->out, "<text");
    ridge__svg_attr(svg, "x", w->x);
    ridge__svg_attr(svg, "y", w->y);
    ridge__svg_attr(svg, "font-size", w->size);
    if (w->anchor != RIDGE__START)
        ridge__str_format(svg->out, " text-anchor=\"%s\"", anchors[w->anchor]);
    if (w->bold)
        ridge__str_text(svg->out, " font-weight=\"600\"");
    ridge__svg_paint(svg, w->paint, w->halo ? RIDGE__HALO : RIDGE__PAINTS);
    if (w->halo)
        ridge__str_text(svg->out, " stroke-width=\"4\" stroke-linejoin=\"round\""
                                  " paint-order=\"stroke\"");
    if (w->turn != 0) {
        ridge__str_text(svg->out, " transform=\"rotate(");
        ridge__svg_number(svg, w->turn);
        ridge__str_text(svg->out, " ");
        ridge__svg_number(svg, w->x);
        ridge__str_text(svg->out, " ");
        ridge__svg_number(svg, w->y);
        ridge__str_text(svg->out, ")\"");
    }
    ridge__str_text(svg->out, ">");
    ridge__xml_text(svg->out, text);
    ridge__str_text(svg->out, "</text>\n");
}

/* A call has one shape on all machines. */
static size_t shape_of(const ridge_chart *chart, size_t i)
{
    size_t first = 0, shape = 0;
    if (!ridge__is_shared(chart))
        return i;
    while (strcmp(chart->point[first].label, chart->point[i].label) != 0) {
        size_t before = 0;
        while (strcmp(chart->point[before].label, chart->point[first].label) != 0)
            before++;
        shape += before == first;
        first++;
    }
    return shape;
}

ridge__paint ridge__svg_edge(const ridge_chart *chart, const ridge__point *point)
{
    return ridge__is_shared(chart) ? (ridge__paint)(RIDGE__LINE0 + point->machine)
                                   : RIDGE__EDGE;
}

/* What fills a point that was measured. */
static ridge__paint fill_of(const ridge_chart *chart, const ridge__point *point)
{
    return ridge__is_shared(chart) ? (ridge__paint)(RIDGE__TEXT0 + point->machine)
                                   : RIDGE__MARK;
}

void ridge__svg_marker(ridge__svg *svg, double x, double y, size_t i,
                       const ridge__point *point)
{
    static const char *const shapes[] = {
        "M5 0A5 5 0 1 1-5 0A5 5 0 1 1 5 0Z",    /* circle */
        "M-4.5-4.5H4.5V4.5H-4.5Z",              /* square */
        "M0-6.5L6.5 0L0 6.5L-6.5 0Z",           /* diamond */
        "M0-6L6 5H-6Z",                         /* triangle up */
        "M0 6L6-5H-6Z",                         /* triangle down */
        "M-2-6H2V-2H6V2H2V6H-2V2H-6V-2H-2Z",    /* plus */
        "M-5.8 0L-2.9-5H2.9L5.8 0L2.9 5H-2.9Z", /* hexagon */
    };
    static const char *const left = "M-1 0L9-6V6Z"; /* a stream: from the left edge */
    ridge__str_text(svg->out, "<path transform=\"translate(");
    ridge__svg_number(svg, x);
    ridge__str_text(svg->out, " ");
    ridge__svg_number(svg, y);
    ridge__str_format(svg->out, ")\" d=\"%s\"",
                      point->intensity == 0
                          ? left
                          : shapes[shape_of(svg->chart, i) % RIDGE__COUNT(shapes)]);
    if (point->measured)
        ridge__svg_paint(svg, fill_of(svg->chart, point), RIDGE__HALO);
    else
        ridge__svg_paint(svg, RIDGE__PAPER, ridge__svg_edge(svg->chart, point));
    ridge__str_format(svg->out, " stroke-width=\"%s\"/>\n",
                      point->measured ? "1" : "1.8");
}

/* ---- Document ---------------------------------------------------------------------- */

static void put_style(ridge__svg *svg)
{
    ridge__str_text(svg->out, "<style>\n");
    for (int dark = 0; dark < 2; dark++) {
        if (dark)
            ridge__str_text(svg->out, "@media (prefers-color-scheme: dark) {\n");
        for (size_t i = 0; i < RIDGE__COUNT(paints); i++)
            ridge__str_format(svg->out, ".ridge-chart .%s{%s:%s}\n", paints[i].name,
                              paints[i].property,
                              dark ? paints[i].dark : paints[i].light);
    }
    ridge__str_text(svg->out, "}\n</style>\n");
}

/* The chart in words, for those who do not see it. */
static void put_description(ridge__svg *svg)
{
    const ridge_chart *chart = svg->chart;
    char text[400], rate[64];
    ridge__str_text(svg->out, "<desc>Roofline chart with logarithmic axes.");
    for (size_t i = 0; i < chart->bandwidth_count + chart->peak_count; i++) {
        bool slope = i < chart->bandwidth_count;
        const ridge__roof *roof =
            slope ? &chart->bandwidth[i] : &chart->peak[i - chart->bandwidth_count];
        ridge__roof_title(text, sizeof text, chart, roof, slope);
        ridge__str_text(svg->out, slope ? " Slope: " : " Ceiling: ");
        ridge__xml_text(svg->out, text);
        double ridge =
            slope || roof->reachable ? RIDGE_UNKNOWN : ridge__chart_ridge(chart, roof);
        if (ridge_known(ridge)) {
            ridge__number_format(rate, ridge, 3);
            ridge__str_format(svg->out, ", ridge at %s FLOP/byte", rate);
        }
        ridge__str_text(svg->out, ".");
    }
    for (size_t i = 0; i < chart->point_count && !ridge__is_cloud(chart); i++) {
        ridge__str_text(svg->out, " Point: ");
        ridge__xml_text(svg->out, chart->point[i].label);
        ridge__machine_suffix(text, sizeof text, chart, chart->point[i].machine);
        ridge__xml_text(svg->out, text);
        ridge__point_intensity(text, sizeof text, &chart->point[i]);
        ridge__point_rate(rate, sizeof rate, &chart->point[i]);
        ridge__str_format(svg->out, ", %s%s, %s.", text,
                          chart->point[i].intensity == 0 ? "" : " FLOP/byte", rate);
    }
    if (ridge__is_cloud(chart))
        ridge__str_format(svg->out, " %zu points.", chart->point_count);
    ridge__str_text(svg->out, "</desc>\n");
}

void ridge__svg_begin(ridge__svg *svg, const char *title)
{
    ridge__str_text(svg->out, "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\""
                              " class=\"ridge-chart\"");
    ridge__svg_attr(svg, "width", svg->width);
    ridge__svg_attr(svg, "height", svg->height);
    ridge__str_text(svg->out, " viewBox=\"0 0 ");
    ridge__svg_number(svg, svg->width);
    ridge__str_text(svg->out, " ");
    ridge__svg_number(svg, svg->height);
    ridge__str_text(svg->out, "\" font-family=\"Helvetica, Arial, 'Liberation Sans', "
                              "'DejaVu Sans', sans-serif\" fill=\"none\">\n<title>");
    ridge__xml_text(svg->out, title);
    ridge__str_text(svg->out, "</title>\n");
}

void ridge__svg_paper(ridge__svg *svg, const char *title)
{
    put_style(svg);
    ridge__str_text(svg->out, "<rect width=\"100%\" height=\"100%\"");
    ridge__svg_paint(svg, RIDGE__PAPER, RIDGE__PAINTS);
    ridge__str_text(svg->out, "/>\n");
    ridge__svg_words(
        svg,
        &(ridge__words){
            .x = margin_left, .y = 32, .size = 19, .paint = RIDGE__INK, .bold = true},
        title);
}

/* ---- Axes -------------------------------------------------------------------------- */

static void put_rule(ridge__svg *svg, bool vertical, double decade, ridge__paint paint)
{
    const ridge__axis *axis = vertical ? &svg->x : &svg->y;
    double at = ridge__axis_at(axis, decade);
    ridge__box p = svg->plot;
    ridge__svg_line(svg,
                    vertical ? (ridge__stroke){at, p.y0, at, p.y1}
                             : (ridge__stroke){p.x0, at, p.x1, at},
                    paint, 1, NULL);
}

/* Fine lines at 2 to 9 where decades are wide enough to tell them apart. */
static void put_minor(ridge__svg *svg, bool vertical)
{
    const ridge__axis *axis = vertical ? &svg->x : &svg->y;
    if (fabs(axis->scale) < 45)
        return;
    for (int d = (int)floor(axis->low); d <= (int)ceil(axis->high); d++)
        for (int i = 2; i < 10; i++) {
            double at = d + log10(i);
            if (at > axis->low && at < axis->high)
                put_rule(svg, vertical, at, RIDGE__MINOR);
        }
}

/* The number at `times` a decade. */
static void put_tick(ridge__svg *svg, bool vertical, int decade, int times)
{
    const ridge__axis *axis = vertical ? &svg->x : &svg->y;
    double value = decade + log10(times), at = ridge__axis_at(axis, value);
    char text[40];
    if (value < axis->low || value > axis->high)
        return;
    ridge__tick_text(text, sizeof text, decade, times);
    ridge__svg_words(svg,
                     &(ridge__words){.x = vertical ? at : svg->plot.x0 - 8,
                                     .y = vertical ? svg->plot.y1 + 19 : at + 4.5,
                                     .size = 13,
                                     .anchor = vertical ? RIDGE__MIDDLE : RIDGE__END,
                                     .paint = RIDGE__DIM},
                     text);
}

static void put_major(ridge__svg *svg, bool vertical)
{
    static const double wide = 200; /* a decade that has room for 2 and 5 */
    const ridge__axis *axis = vertical ? &svg->x : &svg->y;
    int step;
    for (int d = ridge__axis_first(axis, vertical ? 14 : 16, &step); d <= axis->high;
         d += step) {
        put_rule(svg, vertical, d, RIDGE__MAJOR);
        put_tick(svg, vertical, d, 1);
    }
    for (int d = (int)floor(axis->low); d <= axis->high && fabs(axis->scale) > wide;
         d++) {
        put_tick(svg, vertical, d, 2);
        put_tick(svg, vertical, d, 5);
    }
}

void ridge__svg_axes(ridge__svg *svg, const char *across, const char *up)
{
    ridge__box p = svg->plot;
    put_minor(svg, true);
    put_minor(svg, false);
    put_major(svg, true);
    put_major(svg, false);
    ridge__svg_line(svg, (ridge__stroke){p.x0, p.y0, p.x0, p.y1}, RIDGE__FRAME, 1.2,
                    NULL);
    ridge__svg_line(svg, (ridge__stroke){p.x0, p.y1, p.x1, p.y1}, RIDGE__FRAME, 1.2,
                    NULL);
    ridge__words title = {.x = (p.x0 + p.x1) / 2,
                          .y = p.y1 + 44,
                          .size = 14,
                          .anchor = RIDGE__MIDDLE,
                          .paint = RIDGE__INK};
    ridge__svg_words(svg, &title, across);
    title.x = p.x0 - 60;
    title.y = (p.y0 + p.y1) / 2;
    title.turn = -90;
    ridge__svg_words(svg, &title, up);
}

/* ---- Marks ------------------------------------------------------------------------- */

static ridge__stroke line_stroke(const ridge__svg *svg, const ridge__line *line)
{
    return (ridge__stroke){
        ridge__axis_at(&svg->x, line->x0), ridge__axis_at(&svg->y, line->y0),
        ridge__axis_at(&svg->x, line->x1), ridge__axis_at(&svg->y, line->y1)};
}

static void put_roofs(ridge__svg *svg)
{
    /* Reachable ones first, so that a stated one that meets them stays whole. */
    for (int stated = 0; stated < 2; stated++)
        for (size_t i = 0; i < svg->line_count; i++) {
            const ridge__line *line = &svg->line[i];
            if (line->roof->reachable == stated)
                continue;
            bool shared = ridge__is_shared(svg->chart);
            bool fine = !stated || (shared && line->slope && line->group > 0);
            const char *dash = stated   ? ridge__svg_dash(svg->chart, line->roof->machine)
                               : shared ? "1.5 3.5"
                                        : "7 4";
            ridge__svg_line(svg, line_stroke(svg, line), ridge__svg_hue(svg->chart, line),
                            fine ? 1.6 : 2.2, dash);
            ridge__field_add_stroke(&svg->field, line_stroke(svg, line),
                                    RIDGE__LINE_COST);
        }
}

static void put_bar(ridge__svg *svg, double x, double low, double high, ridge__paint edge)
{
    static const double cap = 4;
    ridge__svg_line(svg, (ridge__stroke){x, low, x, high}, edge, 1.5, NULL);
    ridge__svg_line(svg, (ridge__stroke){x - cap, low, x + cap, low}, edge, 1.5, NULL);
    ridge__svg_line(svg, (ridge__stroke){x - cap, high, x + cap, high}, edge, 1.5, NULL);
    ridge__field_add_box(&svg->field, (ridge__box){x - cap, high - 1, x + cap, low + 1});
}

static void put_cloud(ridge__svg *svg)
{
    bool shared = ridge__is_shared(svg->chart);
    ridge__str_text(svg->out, "<g fill-opacity=\"0.5\"");
    if (!shared)
        ridge__svg_paint(svg, RIDGE__MARK, RIDGE__PAINTS);
    ridge__str_text(svg->out, ">\n");
    for (size_t i = 0; i < svg->chart->point_count; i++) {
        const ridge__point *point = &svg->chart->point[i];
        ridge__spot spot;
        if (!ridge__chart_spot(svg->chart, &svg->x, point, &spot))
            continue;
        ridge__str_text(svg->out, "<circle r=\"2.2\"");
        if (shared)
            ridge__svg_paint(svg, fill_of(svg->chart, point), RIDGE__PAINTS);
        ridge__svg_attr(svg, "cx", ridge__axis_at(&svg->x, spot.x));
        ridge__svg_attr(svg, "cy", ridge__axis_at(&svg->y, spot.y));
        ridge__str_text(svg->out, "/>\n");
    }
    ridge__str_text(svg->out, "</g>\n");
}

static void put_points(ridge__svg *svg)
{
    if (ridge__is_cloud(svg->chart)) {
        put_cloud(svg);
        return;
    }
    for (size_t i = 0; i < svg->chart->point_count; i++) {
        const ridge__point *point = &svg->chart->point[i];
        ridge__spot spot;
        if (!ridge__chart_spot(svg->chart, &svg->x, point, &spot))
            continue;
        double x = ridge__axis_at(&svg->x, spot.x), y = ridge__axis_at(&svg->y, spot.y);
        ridge__str_text(svg->out, "<g><title>");
        char suffix[RIDGE_LIMIT_CHART_LABEL * 4 + 8];
        ridge__xml_text(svg->out, point->label);
        ridge__machine_suffix(suffix, sizeof suffix, svg->chart, point->machine);
        ridge__xml_text(svg->out, suffix);
        ridge__str_text(svg->out, "</title>\n");
        if (ridge_known(spot.low))
            put_bar(svg, x, ridge__axis_at(&svg->y, spot.low),
                    ridge__axis_at(&svg->y, spot.high),
                    ridge__svg_edge(svg->chart, point));
        ridge__svg_marker(svg, x, y, i, point);
        ridge__str_text(svg->out, "</g>\n");
        ridge__field_add_box(&svg->field, (ridge__box){x - 7, y - 7, x + 7, y + 7});
    }
}

/* The open circle on a roof's corner and the dotted line down to the axis. */
static void put_ridges(ridge__svg *svg)
{
    for (size_t i = 0; i < svg->line_count; i++) {
        const ridge__line *line = &svg->line[i];
        double ridge = line->slope || line->roof->reachable
                           ? RIDGE_UNKNOWN
                           : ridge__chart_ridge(svg->chart, line->roof);
        if (!ridge_known(ridge))
            continue;
        ridge__paint hue = ridge__svg_hue(svg->chart, line);
        double x = ridge__axis_at(&svg->x, log10(ridge));
        double y = ridge__axis_at(&svg->y, line->y0);
        ridge__stroke drop = {x, y + 4, x, svg->plot.y1};
        ridge__svg_line(svg, drop, hue, 1.2, "1.5 4");
        ridge__field_add_stroke(&svg->field, drop, 0.5);
        ridge__str_text(svg->out, "<circle r=\"4\"");
        ridge__svg_attr(svg, "cx", x);
        ridge__svg_attr(svg, "cy", y);
        ridge__svg_paint(svg, RIDGE__PAPER, hue);
        ridge__str_text(svg->out, " stroke-width=\"1.8\"/>\n");
        ridge__field_add_box(&svg->field, (ridge__box){x - 4, y - 4, x + 4, y + 4});
    }
}

void ridge__chart_svg(const ridge_chart *chart, ridge__axis x, ridge__axis y,
                      ridge__str *out)
{
    ridge__svg svg = {.chart = chart, .out = out, .width = chart_width};
    ridge__arena_init(&svg.scratch, &chart->arena.allocator);
    double top = margin_top + ridge__svg_legend_height(chart);
    svg.plot = (ridge__box){margin_left, top, chart_width - ridge__svg_margin(chart),
                            top + plot_height};
    svg.height = svg.plot.y1 + margin_bottom + ridge__svg_table_height(chart);
    x.start = svg.plot.x0;
    x.scale = (svg.plot.x1 - svg.plot.x0) / (x.high - x.low);
    y.start = svg.plot.y1;
    y.scale = -plot_height / (y.high - y.low);
    svg.x = x;
    svg.y = y;
    svg.field.arena = &svg.scratch;
    svg.field.inside = svg.plot;
    svg.line_count = ridge__chart_lines(chart, &x, &y, svg.line);
    const char *title = chart->title[0] ? chart->title : "Roofline";
    ridge__svg_begin(&svg, title);
    put_description(&svg);
    ridge__svg_paper(&svg, title);
    ridge__svg_legend(&svg, margin_top);
    ridge__svg_axes(&svg, "arithmetic intensity (FLOP/byte)", "performance (FLOP/s)");
    put_roofs(&svg);
    put_ridges(&svg);
    put_points(&svg);
    ridge__svg_ceiling_labels(&svg);
    ridge__svg_slope_labels(&svg);
    ridge__svg_ridge_labels(&svg);
    ridge__svg_point_labels(&svg);
    ridge__svg_table(&svg, svg.plot.y1 + margin_bottom);
    ridge__str_text(out, "</svg>\n");
    if (!ridge__arena_ok(&svg.scratch))
        out->failed = true;
    ridge__arena_clear(&svg.scratch);
}
