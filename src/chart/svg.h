/* The pieces that svg.c, svg_label.c and svg_table.c share. */
#ifndef RIDGE_CHART_SVG_H
#define RIDGE_CHART_SVG_H

#include "chart/chart.h"

/*
 * X(NAME, "class", property, light, dark).  Text colours have a contrast of at least 4.5
 * on the paper (WCAG 2.2, 1.4.3), lines of 3; the hues of peaks are also told apart by
 * the label at the end of each line.
 */
#define RIDGE__PAINT_MAP(X)                         \
    X(PAPER, "paper", fill, "#ffffff", "#0f141a")   \
    X(HALO, "halo", stroke, "#ffffff", "#0f141a")   \
    X(MINOR, "minor", stroke, "#f0f2f4", "#1a222b") \
    X(MAJOR, "major", stroke, "#d5dbe1", "#303b47") \
    X(FRAME, "frame", stroke, "#6b7682", "#8b98a5") \
    X(INK, "ink", fill, "#1b2229", "#e8edf2")       \
    X(DIM, "dim", fill, "#55606b", "#a3b0bd")       \
    X(SLOPE, "slope", stroke, "#1b2229", "#e8edf2") \
    X(INNER, "inner", stroke, "#55606b", "#a3b0bd") \
    X(MARK, "mark", fill, "#c23b00", "#ff8f52")     \
    X(EDGE, "edge", stroke, "#c23b00", "#ff8f52")   \
    X(LINE0, "line0", stroke, "#0060a8", "#58aef0") \
    X(LINE1, "line1", stroke, "#8a3a8f", "#d995dd") \
    X(LINE2, "line2", stroke, "#00705f", "#35c2a4") \
    X(LINE3, "line3", stroke, "#855700", "#e0b040") \
    X(LINE4, "line4", stroke, "#a8325c", "#f08aa8") \
    X(TEXT0, "text0", fill, "#0060a8", "#58aef0")   \
    X(TEXT1, "text1", fill, "#8a3a8f", "#d995dd")   \
    X(TEXT2, "text2", fill, "#00705f", "#35c2a4")   \
    X(TEXT3, "text3", fill, "#855700", "#e0b040")   \
    X(TEXT4, "text4", fill, "#a8325c", "#f08aa8")
typedef enum ridge__paint {
#define X(name, ...) RIDGE__##name,
    RIDGE__PAINT_MAP(X)
#undef X
    RIDGE__PAINTS
} ridge__paint;
/* What it costs a label to stand on a roof. */
#define RIDGE__LINE_COST 4.0

#define RIDGE__HUES 5 /* at least RIDGE_CHART_MACHINES */

typedef enum ridge__anchor {
    RIDGE__START,
    RIDGE__MIDDLE,
    RIDGE__END
} ridge__anchor;

typedef struct ridge__words {
    double x, y, size; /* baseline and font size, pixels */
    ridge__anchor anchor;
    ridge__paint paint;
    bool halo, bold;
    double turn; /* degrees */
} ridge__words;

/* Rows of the table below the chart, and points with a label; more points are a cloud of
 * dots that are counted, not named. */
#define RIDGE__ROWS 24

static inline bool ridge__is_cloud(const ridge_chart *chart)
{
    return chart->point_count > RIDGE__ROWS;
}

typedef struct ridge__svg {
    const ridge_chart *chart;
    ridge__str *out;
    ridge__axis x, y;
    ridge__box plot;
    double width, height;
    ridge__line line[RIDGE__LINES];
    size_t line_count;
    ridge__field field;
    ridge__arena scratch;
} ridge__svg;

/* The colour of a roof and of what is written at it: with one machine by the roof, with
 * several by the machine. */
ridge__paint ridge__svg_hue(const ridge_chart *chart, const ridge__line *line);
ridge__paint ridge__svg_text_hue(const ridge_chart *chart, const ridge__line *line);
/* Dashes of a machine's stated roofs where there are several; NULL: solid. */
const char *ridge__svg_dash(const ridge_chart *chart, unsigned machine);
/* The line colour of a point, its bar and the tie of its label. */
ridge__paint ridge__svg_edge(const ridge_chart *chart, const ridge__point *point);

/* A coordinate with one decimal, whatever the locale. */
void ridge__svg_number(ridge__svg *svg, double value);
/* ` name="12.3"` */
void ridge__svg_attr(ridge__svg *svg, const char *name, double value);
/* ` class="ink" fill="#1b2229"`: the class follows the colour scheme, the attribute is
 * for programs that know no style sheets.  b may be RIDGE__PAINTS: none. */
void ridge__svg_paint(ridge__svg *svg, ridge__paint a, ridge__paint b);
void ridge__svg_line(ridge__svg *svg, ridge__stroke s, ridge__paint paint, double width,
                     const char *dash);
void ridge__svg_words(ridge__svg *svg, const ridge__words *words, const char *text);
/* Marker of point i centred on a place; a stream has its own shape. */
void ridge__svg_marker(ridge__svg *svg, double x, double y, size_t i,
                       const ridge__point *point);

/* The root element and its title; then a <desc> may follow. */
void ridge__svg_begin(ridge__svg *svg, const char *title);
/* Colours, background and the title to be seen. */
void ridge__svg_paper(ridge__svg *svg, const char *title);
/* Rules, numbers and titles of the axes around svg->plot. */
void ridge__svg_axes(ridge__svg *svg, const char *across, const char *up);

/* svg_label.c: everything written beside marks; fills the field as it goes. */
void ridge__svg_ceiling_labels(ridge__svg *svg);
void ridge__svg_slope_labels(ridge__svg *svg);
void ridge__svg_ridge_labels(ridge__svg *svg);
void ridge__svg_point_labels(ridge__svg *svg);
/* Width of the right margin that the ceilings' labels need. */
double ridge__svg_margin(const ridge_chart *chart);

/* svg_legend.c: a line for each machine, where there are several. */
double ridge__svg_legend_height(const ridge_chart *chart);
void ridge__svg_legend(ridge__svg *svg, double top);

/* svg_table.c: the points as a table and the notes, from `top` down. */
double ridge__svg_table_height(const ridge_chart *chart);
void ridge__svg_table(ridge__svg *svg, double top);

#endif
