#include "chart/chart.h"

#include <string.h>

/*
 * The plot is a grid of cells.  A cell shows a character if one was written over it, else
 * the braille dots (2 across, 4 down) that lines have set in it; in ASCII one character
 * per line kind takes the place of the dots.
 */
typedef struct cell {
    uint32_t code;  /* written character; 0: none, TAKEN: right half of a wide one */
    uint8_t dots;   /* braille pattern */
    char ascii;     /* what the dots are in ASCII; 0: none */
    uint8_t accent; /* colour: 0 plain, else an index of `accents` */
} cell;
enum {
    TAKEN = 1,
    ROWS = 22,
    TICK_COLUMNS = 7, /* "100T " and the axis */
    MIN_COLUMNS = 40,
    MAX_COLUMNS = 400
};
enum {
    PLAIN,
    BOLD,
    DIM,
    MACHINE /* and one more for each machine */
};
static const char *const accents[] = {"\x1b[0m",  "\x1b[1m",  "\x1b[2m",  "\x1b[94m",
                                      "\x1b[95m", "\x1b[96m", "\x1b[33m", "\x1b[91m"};
_Static_assert(RIDGE__COUNT(accents) == MACHINE + RIDGE_CHART_MACHINES,
               "each machine has a colour");

/* Dots of a machine's lines where there are several: bit i is step i of `period`. */
static const struct {
    unsigned period, down;
} pens[RIDGE_CHART_MACHINES] = {{1, 0x1}, {8, 0x1f}, {2, 0x1}, {10, 0x9f}, {12, 0x249}};

typedef struct screen {
    const ridge_chart *chart;
    ridge__axis x, y; /* in cells from the top left of the plot */
    size_t columns;
    cell *cells; /* ROWS x columns */
    bool ascii, color;
    ridge__str *out;
} screen;

static cell *cell_at(const screen *s, long column, long row)
{
    if (column < 0 || row < 0 || column >= (long)s->columns || row >= ROWS)
        return NULL;
    return &s->cells[(size_t)row * s->columns + (size_t)column];
}

/* ---- Lines ------------------------------------------------------------------------- */

static void set_dot(screen *s, long across, long down, char ascii, uint8_t accent)
{
    static const uint8_t bits[4][2] = {
        {0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    cell *c = across < 0 || down < 0 ? NULL : cell_at(s, across / 2, down / 4);
    if (!c)
        return;
    c->dots |= bits[down % 4][across % 2];
    if (!c->ascii || ascii != ':') /* a stated line hides its reachable twin */
        c->ascii = ascii;
    if (accent)
        c->accent = accent;
}

/* Of a stated roof of a machine, where there are several. */
static bool machine_pen(unsigned machine, long step)
{
    return pens[machine].down >> (unsigned)step % pens[machine].period & 1;
}

/* Stated and outermost: unbroken.  Inner levels: long dashes.  Reachable: dots. */
static bool pen_down(const ridge_chart *chart, const ridge__line *line, long step)
{
    if (line->roof->reachable)
        return step % (ridge__is_shared(chart) ? 5 : 3) == 0;
    if (ridge__is_shared(chart))
        return machine_pen(line->roof->machine, step);
    return !line->slope || line->group == 0 || step % 8 < 6;
}

static void draw_line(screen *s, const ridge__line *line)
{
    double x0 = 2 * ridge__axis_at(&s->x, line->x0),
           x1 = 2 * ridge__axis_at(&s->x, line->x1);
    double y0 = 4 * ridge__axis_at(&s->y, line->y0),
           y1 = 4 * ridge__axis_at(&s->y, line->y1);
    bool shared = ridge__is_shared(s->chart);
    uint8_t accent = shared ? (uint8_t)(MACHINE + line->roof->machine) : PLAIN;
    char ascii = line->roof->reachable ? ':'
                 : shared              ? (char)('1' + line->roof->machine)
                 : !line->slope        ? '-'
                 : line->group == 0    ? '/'
                                       : ',';
    long steps = lround(fmax(fabs(x1 - x0), fabs(y1 - y0)));
    for (long i = 0; i <= steps; i++)
        if (pen_down(s->chart, line, i) || s->ascii) {
            double t = steps ? (double)i / (double)steps : 0;
            set_dot(s, (long)floor(x0 + (x1 - x0) * t), (long)floor(y0 + (y1 - y0) * t),
                    ascii, accent);
        }
}

/* ---- Labels ------------------------------------------------------------------------ */

static bool is_free(const screen *s, long column, long row, size_t columns)
{
    for (size_t i = 0; i < columns; i++) {
        const cell *c = cell_at(s, column + (long)i, row);
        if (!c || c->code || c->dots)
            return false;
    }
    return true;
}

static void write_text(screen *s, long column, long row, const char *text, uint8_t accent)
{
    uint32_t code;
    while ((code = ridge__utf8_next(&text)) != 0) {
        unsigned width = ridge__code_columns(code);
        cell *c = cell_at(s, column, row);
        if (width == 0 || !c)
            continue;
        c->code = code;
        c->accent = accent;
        if (width == 2 && cell_at(s, column + 1, row))
            cell_at(s, column + 1, row)->code = TAKEN;
        column += width;
    }
}

/* Over or under the line, as far right as it fits; reachable ones under it first. */
static void label_ceiling(screen *s, const ridge__line *line, const char *text)
{
    long row = (long)floor(ridge__axis_at(&s->y, line->y0));
    long first = (long)ceil(ridge__axis_at(&s->x, line->x0));
    size_t columns = ridge__text_columns(text);
    int side = line->roof->reachable ? 1 : -1;
    for (long column = (long)s->columns - (long)columns; column >= first; column -= 2)
        for (int i = 0; i < 2; i++, side = -side)
            if (is_free(s, column, row + side, columns)) {
                write_text(s, column, row + side, text, DIM);
                return;
            }
}

/* Left or right of the line, as low as it fits. */
static void label_slope(screen *s, const ridge__line *line, const char *text)
{
    size_t columns = ridge__text_columns(text);
    double rate = line->y0 - line->x0;
    long top = (long)floor(ridge__axis_at(&s->y, line->y1));
    for (long row = ROWS - 2; row >= 0 && row >= top; row--) {
        double decade = s->y.low + ((double)row + 0.5 - s->y.start) / s->y.scale;
        long column = (long)floor(ridge__axis_at(&s->x, decade - rate));
        long left = column - 3 - (long)columns, right = column + 4;
        if (is_free(s, left - 1, row, columns + 2)) {
            write_text(s, left, row, text, DIM);
            return;
        }
        if (is_free(s, right - 1, row, columns + 2)) {
            write_text(s, right, row, text, DIM);
            return;
        }
    }
}

/* The corner of each stated roof and the outermost level. */
static void mark_ridge(screen *s, const ridge__line *line)
{
    double ridge = ridge__chart_ridge(s->chart, line->roof);
    if (line->slope || line->roof->reachable || !ridge_known(ridge))
        return;
    cell *c = cell_at(s, (long)floor(ridge__axis_at(&s->x, log10(ridge))),
                      (long)floor(ridge__axis_at(&s->y, line->y0)));
    if (c)
        c->code = s->ascii ? '+' : 0x25C7; /* white diamond */
}

static void label_roof(screen *s, const ridge__line *line)
{
    char text[400];
    if (ridge__is_shared(s->chart)) { /* the figures are listed below the plot */
        const char *label = line->slope ? "" : line->roof->label;
        snprintf(text, sizeof text, "%s%s%s", s->chart->machine[line->roof->machine],
                 label[0] ? " " : "", label);
    } else {
        ridge__roof_text(text, sizeof text, s->chart, line->roof, line->slope);
    }
    if (line->slope)
        label_slope(s, line, text);
    else
        label_ceiling(s, line, text);
}

/* ---- Points ------------------------------------------------------------------------ */

/* More points than there are letters are a cloud: counted, not named. */
enum {
    LETTERS = 52
};
static char letter(const screen *s, size_t i)
{
    if (s->chart->point_count > LETTERS)
        return '*';
    return (char)(i < 26 ? 'a' + (int)i : 'A' + (int)i - 26);
}

static void draw_point(screen *s, size_t i)
{
    ridge__spot spot;
    if (!ridge__chart_spot(s->chart, &s->x, &s->chart->point[i], &spot))
        return;
    long column = (long)floor(ridge__axis_at(&s->x, spot.x));
    long row = (long)floor(ridge__axis_at(&s->y, spot.y));
    column = column < 0 ? 0 : column < (long)s->columns ? column : (long)s->columns - 1;
    if (ridge_known(spot.low) && s->chart->point_count <= LETTERS) {
        long low = (long)floor(ridge__axis_at(&s->y, spot.low));
        for (long r = (long)floor(ridge__axis_at(&s->y, spot.high)); r <= low; r++) {
            cell *c = cell_at(s, column, r);
            if (c && !c->code)
                c->code = s->ascii ? '|' : 0x2502;
        }
    }
    /* A place that another letter has is left to it; the next one over is close
     * enough. */
    static const int aside[] = {0, 1, -1, 2, -2, 3, -3};
    size_t tries = s->chart->point_count > LETTERS ? 1 : RIDGE__COUNT(aside);
    for (size_t k = 0; k < tries; k++) {
        cell *c = cell_at(s, column + aside[k], row);
        if (c && (c->code == 0 || c->code == '|' || c->code == 0x2502 || c->code == '+' ||
                  c->code == 0x25C7)) {
            c->code = (uint32_t)letter(s, i);
            c->accent = BOLD;
            return;
        }
    }
}

/* ---- Writing ----------------------------------------------------------------------- */

static void put_cell(screen *s, const cell *c, uint8_t *accent)
{
    uint32_t code = c->code    ? c->code
                    : s->ascii ? (uint32_t)(c->ascii ? c->ascii : ' ')
                    : c->dots  ? 0x2800u + c->dots
                               : ' ';
    if (code == TAKEN)
        return;
    if (s->color && c->accent != *accent) {
        ridge__str_text(s->out, accents[PLAIN]);
        ridge__str_text(s->out, c->accent ? accents[c->accent] : "");
        *accent = c->accent;
    }
    ridge__utf8_put(s->out, s->ascii && code > '~' ? '?' : code);
}

/* The tick of a decade whose place is in this row; "" without one. */
static void row_tick(const screen *s, long row, char buf[16])
{
    int step;
    buf[0] = '\0';
    for (int d = ridge__axis_first(&s->y, 10, &step); d <= s->y.high; d += step)
        if ((long)floor(ridge__axis_at(&s->y, d)) == row)
            ridge__tick_text(buf, 16, d, 1);
}

static void put_rows(screen *s)
{
    for (long row = 0; row < ROWS; row++) {
        char tick[16];
        uint8_t accent = PLAIN;
        row_tick(s, row, tick);
        const char *axis = s->ascii ? (tick[0] ? "+" : "|") : tick[0] ? "┤" : "│";
        ridge__str_format(s->out, "%*s %s", TICK_COLUMNS - 2, tick, axis);
        size_t last = s->columns;
        for (; last > 0; last--) {
            const cell *c = cell_at(s, (long)last - 1, row);
            if (c->code || c->dots)
                break;
        }
        for (size_t i = 0; i < last; i++)
            put_cell(s, cell_at(s, (long)i, row), &accent);
        if (accent != PLAIN)
            ridge__str_text(s->out, accents[PLAIN]);
        ridge__str_text(s->out, "\n");
    }
}

static void put_bottom(screen *s)
{
    char labels[MAX_COLUMNS + 32];
    memset(labels, ' ', sizeof labels);
    size_t end = 0;
    int step, first = ridge__axis_first(&s->x, (int)s->columns / 7, &step), next = first;
    ridge__str_format(s->out, "%*s%s", TICK_COLUMNS - 1, "", s->ascii ? "+" : "└");
    for (size_t i = 0; i < s->columns; i++) {
        bool tick = next <= s->x.high && (size_t)ridge__axis_at(&s->x, next) == i;
        ridge__str_text(s->out, s->ascii ? (tick ? "+" : "-") : tick ? "┴" : "─");
        if (!tick)
            continue;
        char text[40];
        ridge__tick_text(text, sizeof text, next, 1);
        size_t size = strlen(text), at = TICK_COLUMNS + i - (size > 2 ? 1 : 0);
        memcpy(labels + at, text, size);
        end = at + size;
        next += step;
    }
    ridge__str_text(s->out, "\n");
    ridge__str_add(s->out, labels, end);
    ridge__str_format(s->out, "\n%*s\n", (int)(TICK_COLUMNS + s->columns),
                      "arithmetic intensity (FLOP/byte)");
}

/* A text, filled to a number of columns. */
static void put_padded(screen *s, const char *text, size_t columns)
{
    size_t used = ridge__text_columns(text);
    uint32_t code;
    while ((code = ridge__utf8_next(&text)) != 0)
        ridge__utf8_put(s->out, s->ascii && code > '~' ? '?' : code);
    ridge__str_fill(s->out, ' ', columns > used ? columns - used : 0);
}

/* Its reachable twin; NULL: none. */
static const ridge__roof *find_twin(const ridge_chart *chart, const ridge__roof *roof,
                                    bool slope)
{
    const ridge__roof *roofs = slope ? chart->bandwidth : chart->peak;
    size_t count = slope ? chart->bandwidth_count : chart->peak_count;
    for (size_t i = 0; i < count; i++)
        if (ridge__roof_partner(chart, &roofs[i], slope) == roof)
            return &roofs[i];
    return NULL;
}

/* "  989 TFLOP/s bf16 matrix (790 TFLOP/s reachable), ridge 295": every roof is listed,
 * for the plot has no room for all labels. */
static void put_roof(screen *s, const ridge__roof *roof, bool slope, unsigned machine)
{
    char text[400];
    if (roof->machine != machine || ridge__roof_partner(s->chart, roof, slope))
        return;
    ridge__roof_text(text, sizeof text, s->chart, roof, slope);
    ridge__str_text(s->out, "  ");
    put_padded(s, text, 0);
    const ridge__roof *twin = find_twin(s->chart, roof, slope);
    if (twin) {
        ridge__roof_text(text, sizeof text, s->chart, twin, slope);
        ridge__str_format(s->out, " (%s)", text);
    }
    double ridge =
        slope || roof->reachable ? RIDGE_UNKNOWN : ridge__chart_ridge(s->chart, roof);
    if (ridge_known(ridge)) {
        ridge__number_format(text, ridge, 3);
        ridge__str_format(s->out, ", ridge %s", text);
    }
    ridge__str_text(s->out, "\n");
}

/* The roofs of a machine; where there are several, after its name and a piece of its line. */
static void put_machine(screen *s, unsigned machine)
{
    const ridge_chart *chart = s->chart;
    if (ridge__is_shared(chart) && machine < chart->machine_count) {
        ridge__str_text(s->out, s->color ? accents[MACHINE + machine] : "");
        for (int i = 0; i < 6; i++) {
            uint32_t dots = (machine_pen(machine, 2L * i) ? 0x04u : 0) |
                            (machine_pen(machine, 2L * i + 1) ? 0x20u : 0);
            ridge__utf8_put(s->out, s->ascii ? '1' + machine : 0x2800u + dots);
        }
        ridge__str_text(s->out, s->color ? accents[PLAIN] : "");
        ridge__str_text(s->out, " ");
        put_padded(s, chart->machine[machine], 0);
        ridge__str_text(s->out, "\n");
    }
    for (size_t i = 0; i < chart->peak_count; i++)
        put_roof(s, &chart->peak[i], false, machine);
    for (size_t i = 0; i < chart->bandwidth_count; i++)
        put_roof(s, &chart->bandwidth[i], true, machine);
}

enum { /* columns of the table of points */
    INTENSITY = 11,
    RATE = 14,
    INTERVAL = 24
};

static void put_point(screen *s, size_t i, size_t label)
{
    const ridge__point *point = &s->chart->point[i];
    char number[40], rate[64], interval[96];
    char title[2 * (RIDGE_LIMIT_CHART_LABEL * 4 + 8)];
    ridge__point_intensity(number, sizeof number, point);
    ridge__point_rate(rate, sizeof rate, point);
    ridge__point_interval(interval, sizeof interval, point);
    size_t n = (size_t)snprintf(title, sizeof title, "%s", point->label);
    ridge__machine_suffix(title + n, sizeof title - n, s->chart, point->machine);
    ridge__str_format(s->out, "  %c  ", letter(s, i));
    put_padded(s, title, label);
    if (ridge__text_columns(title) > label)
        ridge__str_format(s->out, "\n%*s", (int)label + 5, "");
    ridge__str_format(s->out, "%*s%*s", INTENSITY, number, RATE, rate);
    if (interval[0])
        ridge__str_format(s->out, "%*s", INTERVAL, interval);
    ridge__str_text(s->out, "\n");
}

static void put_points(screen *s)
{
    const ridge_chart *chart = s->chart;
    size_t width = TICK_COLUMNS + s->columns, taken = 5 + INTENSITY + RATE;
    bool bars = false, stream = false;
    for (size_t i = 0; i < chart->point_count; i++) {
        bars = bars || ridge_known(chart->point[i].low);
        stream = stream || chart->point[i].intensity == 0;
    }
    if (chart->point_count > LETTERS)
        ridge__str_format(s->out, "  *  %zu points\n", chart->point_count);
    if (chart->point_count == 0 || chart->point_count > LETTERS)
        return;
    taken += bars ? INTERVAL : 0;
    size_t label = width > taken + 12 ? width - taken : 12;
    ridge__str_format(s->out, "%*s%*s%*s", (int)label + 5, "", INTENSITY, "FLOP/byte",
                      RATE, "rate");
    if (bars)
        ridge__str_format(s->out, "%*s", INTERVAL,
                          chart->bars ? chart->bars : "interval");
    ridge__str_text(s->out, "\n");
    for (size_t i = 0; i < chart->point_count; i++)
        put_point(s, i, label);
    if (stream)
        ridge__str_text(s->out,
                        "  no FLOP: at the left edge, at the height of its bandwidth\n");
}

static void put_notes(screen *s)
{
    bool twin = false;
    for (size_t i = 0; i < s->chart->peak_count; i++)
        twin = twin || s->chart->peak[i].reachable;
    size_t stated = 0;
    for (size_t i = 0; i < s->chart->bandwidth_count; i++) {
        twin = twin || s->chart->bandwidth[i].reachable;
        stated += !s->chart->bandwidth[i].reachable;
    }
    if (twin)
        ridge__str_text(s->out, "  dotted: reachable rates\n");
    if (stated > 1 && !ridge__is_shared(s->chart))
        ridge__str_text(s->out, "  dashed: inner levels; a kernel moves more bytes there,"
                                " at a lower intensity\n");
}

static void draw(screen *s)
{
    const ridge_chart *chart = s->chart;
    ridge__line line[RIDGE__LINES];
    size_t count = ridge__chart_lines(chart, &s->x, &s->y, line);
    for (size_t i = 0; i < count; i++)
        draw_line(s, &line[i]);
    for (size_t i = 0; i < count; i++)
        mark_ridge(s, &line[i]);
    for (size_t i = 0; i < chart->point_count; i++)
        draw_point(s, i);
    for (size_t i = 0; i < count; i++)
        label_roof(s, &line[i]);
    put_padded(s, chart->title[0] ? chart->title : "Roofline", 0);
    ridge__str_text(s->out, "\nFLOP/s\n");
    put_rows(s);
    put_bottom(s);
    for (unsigned m = 0; m < RIDGE_CHART_MACHINES; m++)
        put_machine(s, m);
    put_points(s);
    put_notes(s);
}

void ridge__chart_terminal(const ridge_chart *chart, ridge__axis x, ridge__axis y,
                           const ridge_style *style, ridge__str *out)
{
    ridge__arena scratch;
    ridge__arena_init(&scratch, &chart->arena.allocator);
    size_t width = style->width ? style->width : 80;
    width = width < MIN_COLUMNS ? MIN_COLUMNS : width > MAX_COLUMNS ? MAX_COLUMNS : width;
    screen s = {.chart = chart,
                .columns = width - TICK_COLUMNS,
                .ascii = style->ascii,
                .color = style->color,
                .out = out};
    x.start = 0;
    x.scale = (double)s.columns / (x.high - x.low);
    y.start = ROWS;
    y.scale = -ROWS / (y.high - y.low);
    s.x = x;
    s.y = y;
    s.cells = ridge__arena_alloc(&scratch, ROWS * s.columns * sizeof *s.cells);
    if (s.cells)
        draw(&s);
    else
        out->failed = true;
    ridge__arena_clear(&scratch);
}
