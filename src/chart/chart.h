/*
 * chart - marks on log-log axes, drawn as SVG or in a terminal.  Knows numbers and
 * labels, no GPUs.
 *
 *   chart.c     collect roofs and points; hand out the finished drawing
 *   layout.c    ranges of the axes, where each roof begins and ends, the ridge points
 *   place.c     labels that do not overlap
 *   svg*.c      the picture: self-contained, light and dark
 *   scatter.c   a density of expected against measured times
 *   terminal.c  braille (or ASCII) cells
 *   text.c      labels made safe, and how wide they are
 */
#ifndef RIDGE_CHART_H
#define RIDGE_CHART_H

#include "base/base.h"

#include <ridge.h>

typedef struct ridge__roof {
    const char *label; /* clean UTF-8 */
    double rate;       /* FLOP/s of a peak, bytes/s of a bandwidth */
    bool reachable;
    uint8_t machine; /* whose it is: an index of ridge_chart.machine */
} ridge__roof;

typedef struct ridge__point {
    const char *label;
    double intensity;       /* FLOP/byte; 0: no FLOP, the rates are bytes/s */
    double rate, low, high; /* FLOP/s; unknown rate: on the roof */
    double share;           /* of its own roof; unknown: not said */
    bool measured;          /* drawn filled */
    bool on_roof;    /* the rate is that of its own roof: nothing better is known */
    uint8_t machine; /* set when it is added */
} ridge__point;

struct ridge_chart {
    ridge__arena arena; /* labels and points */
    const char *title;
    const char *machine[RIDGE_CHART_MACHINES]; /* names */
    size_t machine_count;
    uint8_t current; /* whose marks are being added */
    ridge__roof peak[RIDGE_LIMIT_CHART_ROOFS], bandwidth[RIDGE_LIMIT_CHART_ROOFS];
    size_t peak_count, bandwidth_count;
    ridge__point *point;
    size_t point_count, point_room;
    const char *bars; /* what the intervals are: a static text, or NULL */
};

/* ridge_chart_new with an allocator. */
RIDGE_MUST_CHECK ridge_status ridge__chart_new(ridge_chart **out, const char *title,
                                               const ridge_allocator *alloc);
/* A point in full; label is copied. */
RIDGE_MUST_CHECK ridge_status ridge__chart_add(ridge_chart *chart,
                                               const ridge__point *point);

/* Marks of different machines must be told apart. */
static inline bool ridge__is_shared(const ridge_chart *chart)
{
    return chart->machine_count > 1;
}

/* The picture; ridge_chart_write (report) adds the data formats. */
RIDGE_MUST_CHECK ridge_status ridge__chart_draw(const ridge_chart *chart,
                                                ridge_canvas canvas,
                                                const ridge_style *style, ridge_sink sink,
                                                ridge_error *err);

/* ---- layout.c ---------------------------------------------------------------------- */

/* A logarithmic axis: decade d (log10 of a value) lies at start + scale * (d - low). */
typedef struct ridge__axis {
    double low, high;    /* log10 of the ends */
    double start, scale; /* pixels or cells */
} ridge__axis;

static inline double ridge__axis_at(const ridge__axis *axis, double decade)
{
    return axis->start + axis->scale * (decade - axis->low);
}
/* Ends that hold all roofs, ridge points and marks; false if there is nothing to draw. */
bool ridge__chart_range(const ridge_chart *chart, ridge__axis *x, ridge__axis *y);
/* First labelled decade and the step between labels, for at most `most` of them. */
int ridge__axis_first(const ridge__axis *axis, int most, int *step);
/* "100", "1T", "2T": `times` 10 to the power of decade. */
void ridge__tick_text(char *buf, size_t size, int decade, int times);

/* A roof as a segment inside the axes; ends are log10. */
typedef struct ridge__line {
    const ridge__roof *roof;
    bool slope;
    unsigned group; /* n-th stated peak or bandwidth; a twin has that of its partner */
    double x0, y0, x1, y1;
} ridge__line;
#define RIDGE__LINES (2 * RIDGE_LIMIT_CHART_ROOFS)
size_t ridge__chart_lines(const ridge_chart *chart, const ridge__axis *x,
                          const ridge__axis *y, ridge__line line[RIDGE__LINES]);
/* The stated roof with the same label; NULL if it is stated itself or has none. */
const ridge__roof *ridge__roof_partner(const ridge_chart *chart, const ridge__roof *roof,
                                       bool slope);
/* "989 TFLOP/s bf16 matrix", "840 TFLOP/s reachable". */
void ridge__roof_text(char *buf, size_t size, const ridge_chart *chart,
                      const ridge__roof *roof, bool slope);
/* The same, " @ h100-sxm" after it where there are several machines. */
void ridge__roof_title(char *buf, size_t size, const ridge_chart *chart,
                       const ridge__roof *roof, bool slope);
/* " @ h100-sxm", or "" where there is one machine. */
void ridge__machine_suffix(char *buf, size_t size, const ridge_chart *chart,
                           unsigned machine);

/* The bandwidth that intensities of a machine count bytes of; NULL if there is none. */
const ridge__roof *ridge__chart_base(const ridge_chart *chart, unsigned machine);
/* FLOP/byte at which a peak meets the base bandwidth of its machine; unknown without. */
double ridge__chart_ridge(const ridge_chart *chart, const ridge__roof *peak);

/* Where a point is drawn, log10; false if it has no place. */
typedef struct ridge__spot {
    double x, y, low, high; /* low, high: unknown without an interval */
} ridge__spot;
bool ridge__chart_spot(const ridge_chart *chart, const ridge__axis *x,
                       const ridge__point *point, ridge__spot *spot);
/* "1370", "no FLOP"; "650 TFLOP/s", "2.9 TB/s", "on the roof". */
void ridge__point_intensity(char *buf, size_t size, const ridge__point *point);
void ridge__point_rate(char *buf, size_t size, const ridge__point *point);
/* "420 to 700 TFLOP/s"; "" without an interval. */
void ridge__point_interval(char *buf, size_t size, const ridge__point *point);

/* ---- place.c ----------------------------------------------------------------------- */

typedef struct ridge__box {
    double x0, y0, x1, y1; /* x0 <= x1, y0 <= y1 */
} ridge__box;
typedef struct ridge__stroke {
    double x0, y0, x1, y1;
} ridge__stroke;
#define RIDGE__STROKES (2 * RIDGE__LINES)

/* What labels must keep clear of.  Memory is the caller's arena. */
typedef struct ridge__field {
    ridge__box inside; /* labels stay in here */
    ridge__box *box;   /* hard: marks and labels */
    size_t box_count, box_room;
    ridge__stroke stroke[RIDGE__STROKES]; /* soft: lines */
    double weight[RIDGE__STROKES];        /* what crossing one costs */
    size_t stroke_count;
    ridge__arena *arena;
} ridge__field;

void ridge__field_add_box(ridge__field *field, ridge__box box);
void ridge__field_add_stroke(ridge__field *field, ridge__stroke stroke, double weight);
#define RIDGE__BLOCKED 1000.0
/* How badly a box lies: below RIDGE__BLOCKED it touches no mark and no label. */
double ridge__field_cost(const ridge__field *field, ridge__box box);

/* ---- svg.c, terminal.c ------------------------------------------------------------- */

void ridge__chart_svg(const ridge_chart *chart, ridge__axis x, ridge__axis y,
                      ridge__str *out);
void ridge__chart_terminal(const ridge_chart *chart, ridge__axis x, ridge__axis y,
                           const ridge_style *style, ridge__str *out);

/* ---- scatter.c --------------------------------------------------------------------- */

typedef struct ridge__pair {
    double measured, expected; /* in one unit, above zero */
} ridge__pair;
/*
 * Expected against measured, and their ratio against the measured, as a density: a table of
 * any size gives a picture of at most 200 kB.  NODATA without pairs.
 */
RIDGE_MUST_CHECK ridge_status ridge__scatter_svg(ridge__str *out, const char *title,
                                                 const char *unit,
                                                 const ridge__pair *pair, size_t count,
                                                 ridge_error *err);

/* ---- text.c ------------------------------------------------------------------------ */

/* The next code point, U+FFFD for bytes that are not UTF-8; 0 at the end. */
uint32_t ridge__utf8_next(const char **text);
/* Append one code point. */
void ridge__utf8_put(ridge__str *out, uint32_t code);
/*
 * A copy fit for a label: valid UTF-8, no control or direction characters, at most
 * RIDGE_LIMIT_CHART_LABEL characters ("..." at the cut).  NULL without memory.
 */
const char *ridge__label_copy(ridge__arena *arena, const char *text);
/* & < > " ' become entities. */
void ridge__xml_text(ridge__str *out, const char *text);
/* Pixels of a sans-serif at a font size, with room for a wider face than Helvetica. */
double ridge__text_width(const char *text, double size);
/* Columns of a terminal: 0, 1 or 2. */
unsigned ridge__code_columns(uint32_t code);
size_t ridge__text_columns(const char *text);

#endif
