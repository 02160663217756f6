#include "chart/svg.h"

#include <string.h>

static const double row_height = 21, note_height = 19, font = 13;

/* What the reader must know to read the marks; NULL where it does not apply. */
typedef struct notes {
    const char *text[5];
    size_t count;
} notes;

static void add_note(notes *n, bool applies, const char *text)
{
    if (applies)
        n->text[n->count++] = text;
}

static notes find_notes(const ridge_chart *chart)
{
    bool twin = false, inner = false, stream = false, measured = false, open = false;
    for (size_t i = 0; i < chart->peak_count; i++)
        twin = twin || chart->peak[i].reachable;
    for (size_t i = 0; i < chart->bandwidth_count; i++) {
        const ridge__roof *roof = &chart->bandwidth[i];
        twin = twin || roof->reachable;
        inner = inner ||
                (!roof->reachable && roof != ridge__chart_base(chart, roof->machine));
    }
    for (size_t i = 0; i < chart->point_count; i++) {
        stream = stream || chart->point[i].intensity == 0;
        measured = measured || chart->point[i].measured;
        open = open || !chart->point[i].measured;
    }
    notes n = {.count = 0};
    add_note(&n, twin,
             ridge__is_shared(chart)
                 ? "Thick lines: stated rates. Dotted lines: reachable rates."
                 : "Solid lines: stated rates. Dashed lines: reachable rates.");
    add_note(&n, inner,
             "Intensity counts bytes of the outermost level; at inner levels more bytes "
             "move, so a kernel's intensity there is lower.");
    add_note(&n, stream && !ridge__is_cloud(chart),
             "Triangles at the left edge: work without FLOP, at its bandwidth.");
    add_note(&n, (measured || open) && !ridge__is_cloud(chart),
             !open ? "Filled marks: measured rates."
             : !measured
                 ? "Open marks: expected rates, or on the roof where none is known."
                 : "Filled marks: measured rates. Open marks: expected ones.");
    add_note(&n, ridge__is_cloud(chart),
             "Dots: more points than can be named beside them.");
    return n;
}

static size_t row_count(const ridge_chart *chart)
{
    return ridge__is_cloud(chart) ? 0 : chart->point_count;
}

double ridge__svg_table_height(const ridge_chart *chart)
{
    size_t rows = row_count(chart);
    notes n = find_notes(chart);
    return (rows ? (double)(rows + 1) * row_height + 10 : 0) +
           (double)n.count * note_height + 14;
}

/* Columns: marker, number, label, intensity, rate, interval, share; right ends but the
 * label's. */
enum {
    AT_MARKER = 40,
    AT_NUMBER = 72,
    AT_LABEL = 86,
    AT_INTENSITY = 600,
    AT_RATE = 705,
    AT_INTERVAL = 860,
    AT_SHARE = 936
};

static void put_cell(ridge__svg *svg, double x, double y, ridge__paint paint,
                     const char *text)
{
    if (text[0])
        ridge__svg_words(
            svg,
            &(ridge__words){.x = x,
                            .y = y,
                            .size = font,
                            .anchor = x == AT_LABEL ? RIDGE__START : RIDGE__END,
                            .paint = paint},
            text);
}

/* As much of a label as its column holds, and whose it is; the mark's tooltip has the
 * whole. */
static void put_label(ridge__svg *svg, double y, const ridge__point *point)
{
    const char *label = point->label;
    char text[RIDGE_LIMIT_CHART_LABEL * 4 + 4], suffix[RIDGE_LIMIT_CHART_LABEL * 4 + 8];
    char both[sizeof text + sizeof suffix];
    ridge__machine_suffix(suffix, sizeof suffix, svg->chart, point->machine);
    double room = AT_INTENSITY - AT_LABEL - 75 - ridge__text_width(suffix, font);
    const char *end = label;
    size_t keep = 0;
    while (ridge__utf8_next(&end)) {
        size_t size = (size_t)(end - label);
        memcpy(text, label, size);
        memcpy(text + size, "...", 4);
        if (ridge__text_width(text, font) <= room)
            keep = size;
    }
    bool whole = ridge__text_width(label, font) <= room;
    memcpy(text, label, keep);
    memcpy(text + keep, "...", 4);
    snprintf(both, sizeof both, "%s%s", whole ? label : text, suffix);
    put_cell(svg, AT_LABEL, y, RIDGE__INK, both);
}

static void put_row(ridge__svg *svg, double y, size_t i)
{
    const ridge__point *point = &svg->chart->point[i];
    char text[96];
    bool stream = point->intensity == 0;
    ridge__svg_marker(svg, AT_MARKER - (stream ? 4 : 0), y - 4.5, i, point);
    snprintf(text, sizeof text, "%zu", i + 1);
    put_cell(svg, AT_NUMBER, y, RIDGE__DIM, text);
    put_label(svg, y, point);
    ridge__point_intensity(text, sizeof text, point);
    put_cell(svg, AT_INTENSITY, y, RIDGE__INK, text);
    ridge__point_rate(text, sizeof text, point);
    put_cell(svg, AT_RATE, y, RIDGE__INK, text);
    ridge__point_interval(text, sizeof text, point);
    put_cell(svg, AT_INTERVAL, y, RIDGE__INK, text);
    if (ridge_known(point->share)) {
        ridge__number_format(text, point->share * 100, 2);
        size_t n = strlen(text);
        snprintf(text + n, sizeof text - n, " %%");
        put_cell(svg, AT_SHARE, y, RIDGE__INK, text);
    }
}

static void put_header(ridge__svg *svg, double y)
{
    const ridge_chart *chart = svg->chart;
    bool bars = false, shares = false;
    for (size_t i = 0; i < chart->point_count; i++) {
        bars = bars || ridge_known(chart->point[i].low);
        shares = shares || ridge_known(chart->point[i].share);
    }
    put_cell(svg, AT_LABEL, y, RIDGE__DIM, "point");
    put_cell(svg, AT_INTENSITY, y, RIDGE__DIM, "FLOP/byte");
    put_cell(svg, AT_RATE, y, RIDGE__DIM, "rate");
    put_cell(svg, AT_INTERVAL, y, RIDGE__DIM,
             !bars         ? ""
             : chart->bars ? chart->bars
                           : "interval");
    put_cell(svg, AT_SHARE, y, RIDGE__DIM, shares ? "of roof" : "");
    ridge__svg_line(svg, (ridge__stroke){24, y + 6, AT_SHARE, y + 6}, RIDGE__MAJOR, 1,
                    NULL);
}

void ridge__svg_table(ridge__svg *svg, double top)
{
    const ridge_chart *chart = svg->chart;
    double y = top + row_height - 6;
    if (row_count(chart)) {
        put_header(svg, y);
        for (size_t i = 0; i < chart->point_count; i++)
            put_row(svg, y += row_height, i);
        y += row_height + 4;
    }
    notes n = find_notes(chart);
    for (size_t i = 0; i < n.count; i++) {
        ridge__svg_words(
            svg, &(ridge__words){.x = 24, .y = y, .size = 12.5, .paint = RIDGE__DIM},
            n.text[i]);
        y += note_height;
    }
}
