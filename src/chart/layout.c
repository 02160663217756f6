#include "chart/chart.h"

#include <string.h>

/* ---- Roofs ------------------------------------------------------------------------- */

const ridge__roof *ridge__chart_base(const ridge_chart *chart, unsigned machine)
{
    const ridge__roof *first = NULL;
    for (size_t i = 0; i < chart->bandwidth_count; i++) {
        const ridge__roof *roof = &chart->bandwidth[i];
        if (roof->machine == machine && !roof->reachable)
            return roof;
        if (roof->machine == machine && !first)
            first = roof;
    }
    return first;
}

double ridge__chart_ridge(const ridge_chart *chart, const ridge__roof *peak)
{
    const ridge__roof *base = ridge__chart_base(chart, peak->machine);
    return base ? peak->rate / base->rate : RIDGE_UNKNOWN;
}

const ridge__roof *ridge__roof_partner(const ridge_chart *chart, const ridge__roof *roof,
                                       bool slope)
{
    const ridge__roof *roofs = slope ? chart->bandwidth : chart->peak;
    size_t count = slope ? chart->bandwidth_count : chart->peak_count;
    for (size_t i = 0; i < count && roof->reachable; i++)
        if (!roofs[i].reachable && roofs[i].machine == roof->machine &&
            strcmp(roofs[i].label, roof->label) == 0)
            return &roofs[i];
    return NULL;
}

void ridge__roof_text(char *buf, size_t size, const ridge_chart *chart,
                      const ridge__roof *roof, bool slope)
{
    char figure[40];
    ridge_quantity_format(figure, sizeof figure, roof->rate,
                          slope ? RIDGE_UNIT_BYTES_PER_S : RIDGE_UNIT_FLOP_PER_S);
    bool twin = ridge__roof_partner(chart, roof, slope) != NULL;
    const char *label = twin ? "" : roof->label;
    snprintf(buf, size, "%s%s%s%s", figure, label[0] ? " " : "", label,
             roof->reachable ? " reachable" : "");
}

void ridge__machine_suffix(char *buf, size_t size, const ridge_chart *chart,
                           unsigned machine)
{
    bool shared = ridge__is_shared(chart);
    snprintf(buf, size, "%s%s", shared ? " @ " : "",
             shared ? chart->machine[machine] : "");
}

void ridge__roof_title(char *buf, size_t size, const ridge_chart *chart,
                       const ridge__roof *roof, bool slope)
{
    ridge__roof_text(buf, size, chart, roof, slope);
    size_t n = strlen(buf);
    ridge__machine_suffix(buf + n, size - n, chart, roof->machine);
}

/* The fastest that a machine has of a kind; falls back on stated where none is reachable;
 * unknown: none. */
static double fastest(const ridge__roof *roofs, size_t count, const ridge__roof *like)
{
    double best[2] = {RIDGE_UNKNOWN, RIDGE_UNKNOWN};
    for (size_t i = 0; i < count; i++) {
        double *b = &best[roofs[i].reachable];
        if (roofs[i].machine == like->machine &&
            !(ridge_known(*b) && *b >= roofs[i].rate))
            *b = roofs[i].rate;
    }
    return like->reachable && ridge_known(best[true]) ? best[true] : best[false];
}

/* Number of a roof among the stated ones; a twin has its partner's. */
static unsigned group_of(const ridge_chart *chart, const ridge__roof *roof, bool slope)
{
    const ridge__roof *roofs = slope ? chart->bandwidth : chart->peak;
    const ridge__roof *partner = ridge__roof_partner(chart, roof, slope);
    const ridge__roof *target = partner ? partner : roof;
    unsigned group = 0;
    for (const ridge__roof *r = roofs; r < target; r++)
        group += r->machine == roof->machine &&
                 (!r->reachable || !ridge__roof_partner(chart, r, slope));
    return group;
}

size_t ridge__chart_lines(const ridge_chart *chart, const ridge__axis *x,
                          const ridge__axis *y, ridge__line line[RIDGE__LINES])
{
    size_t n = 0;
    for (size_t i = 0; i < chart->bandwidth_count; i++) {
        const ridge__roof *roof = &chart->bandwidth[i];
        double rate = log10(roof->rate);
        double peak = fastest(chart->peak, chart->peak_count, roof);
        double top = ridge_known(peak) ? fmin(log10(peak), y->high) : y->high;
        double x0 = fmax(x->low, y->low - rate), x1 = fmin(x->high, top - rate);
        if (x0 < x1)
            line[n++] = (ridge__line){
                roof, true, group_of(chart, roof, true), x0, x0 + rate, x1, x1 + rate};
    }
    for (size_t i = 0; i < chart->peak_count; i++) {
        const ridge__roof *roof = &chart->peak[i];
        double rate = log10(roof->rate);
        double slope = fastest(chart->bandwidth, chart->bandwidth_count, roof);
        double x0 = ridge_known(slope) ? fmax(x->low, rate - log10(slope)) : x->low;
        if (x0 < x->high && rate >= y->low && rate <= y->high)
            line[n++] = (ridge__line){
                roof, false, group_of(chart, roof, false), x0, rate, x->high, rate};
    }
    return n;
}

/* ---- Axes -------------------------------------------------------------------------- */

/* Room beside the outermost mark, in decades: a factor of 2.5. */
static const double margin = 0.4;

static void reach(ridge__axis *axis, double low, double high)
{
    axis->low = fmin(axis->low, low);
    axis->high = fmax(axis->high, high);
}

/* An axis of at least `least` decades, widened on both sides. */
static void widen(ridge__axis *axis, double least)
{
    double lack = least - (axis->high - axis->low);
    if (lack > 0) {
        axis->low -= lack / 2;
        axis->high += lack / 2;
    }
}

static void range_x(const ridge_chart *chart, ridge__axis *x)
{
    *x = (ridge__axis){.low = INFINITY, .high = -INFINITY};
    for (size_t i = 0; i < chart->peak_count; i++) {
        double ridge = ridge__chart_ridge(chart, &chart->peak[i]);
        if (ridge_known(ridge))
            reach(x, log10(ridge) - 1, log10(ridge) + 1);
    }
    for (size_t i = 0; i < chart->point_count; i++)
        if (chart->point[i].intensity > 0) {
            double at = log10(chart->point[i].intensity);
            reach(x, at - margin, at + margin);
        }
    if (x->low > x->high)
        reach(x, -1, 3);
    widen(x, 3);
}

static void range_y(const ridge_chart *chart, const ridge__axis *x, ridge__axis *y)
{
    *y = (ridge__axis){.low = INFINITY, .high = -INFINITY};
    for (size_t i = 0; i < chart->peak_count; i++) {
        double at = log10(chart->peak[i].rate);
        reach(y, at - margin, at + margin);
    }
    /* The left end of the outer level's slope, so that it starts at the axis. */
    for (unsigned m = 0; m < RIDGE_CHART_MACHINES; m++) {
        const ridge__roof *base = ridge__chart_base(chart, m);
        double start = base ? x->low + log10(base->rate) : 0;
        if (base)
            reach(y, start - margin / 4, start + 1);
    }
    for (size_t i = 0; i < chart->point_count; i++) {
        ridge__spot spot;
        if (!ridge__chart_spot(chart, x, &chart->point[i], &spot))
            continue;
        double low = ridge_known(spot.low) ? fmin(spot.y, spot.low) : spot.y;
        double high = ridge_known(spot.high) ? fmax(spot.y, spot.high) : spot.y;
        reach(y, low - margin, high + margin);
    }
    widen(y, 2);
}

bool ridge__chart_range(const ridge_chart *chart, ridge__axis *x, ridge__axis *y)
{
    ridge__axis ax, ay;
    range_x(chart, &ax);
    range_y(chart, &ax, &ay);
    if (!(ay.low < ay.high))
        return false;
    *x = ax;
    *y = ay;
    return true;
}

int ridge__axis_first(const ridge__axis *axis, int most, int *step)
{
    int first = (int)ceil(axis->low - 1e-9), last = (int)floor(axis->high + 1e-9);
    *step = 1;
    while ((last - first) / *step + 1 > most)
        *step += *step < 3 ? 1 : 3; /* 1, 2, 3, 6, 9: thousands stay on a label */
    if (*step >= 3)
        while (first % 3 != 0)
            first++;
    return first;
}

void ridge__tick_text(char *buf, size_t size, int decade, int times)
{
    static const char *const prefix[] = {"", "k", "M", "G", "T", "P", "E"};
    char number[32];
    bool prefixed = decade >= 3 && decade < 21;
    ridge__number_format(number, times * pow(10, prefixed ? decade % 3 : decade), 3);
    snprintf(buf, size, "%s%s", number, prefixed ? prefix[decade / 3] : "");
}

/* ---- Points ------------------------------------------------------------------------ */

/* On the first stated roof of its machine, at its intensity. */
static double on_roof(const ridge_chart *chart, const ridge__point *point)
{
    const ridge__roof *base = ridge__chart_base(chart, point->machine);
    double slope = base ? base->rate * point->intensity : INFINITY, peak = INFINITY;
    for (size_t i = chart->peak_count; i-- > 0;)
        if (!chart->peak[i].reachable && chart->peak[i].machine == point->machine)
            peak = chart->peak[i].rate;
    double rate = fmin(slope, peak);
    return isinf(rate) ? RIDGE_UNKNOWN : rate;
}

bool ridge__chart_spot(const ridge_chart *chart, const ridge__axis *x,
                       const ridge__point *point, ridge__spot *spot)
{
    bool stream = point->intensity == 0;
    double at = stream ? x->low : log10(point->intensity);
    double lift = stream ? at : 0; /* bytes/s to FLOP/s at the left edge */
    const ridge__roof *base = ridge__chart_base(chart, point->machine);
    double rate = point->rate;
    if (!ridge_known(rate))
        rate = !stream ? on_roof(chart, point) : base ? base->rate : RIDGE_UNKNOWN;
    *spot = (ridge__spot){at, log10(rate) + lift, log10(point->low) + lift,
                          log10(point->high) + lift};
    if (!ridge_known(spot->low) || !ridge_known(spot->high))
        spot->low = spot->high = RIDGE_UNKNOWN;
    return ridge_known(spot->y);
}

void ridge__point_intensity(char *buf, size_t size, const ridge__point *point)
{
    char number[32];
    ridge__number_format(number, point->intensity, 3);
    snprintf(buf, size, "%s", point->intensity == 0 ? "no FLOP" : number);
}

static ridge_unit unit_of(const ridge__point *point)
{
    return point->intensity == 0 ? RIDGE_UNIT_BYTES_PER_S : RIDGE_UNIT_FLOP_PER_S;
}

void ridge__point_rate(char *buf, size_t size, const ridge__point *point)
{
    if (ridge_known(point->rate) && !point->on_roof)
        ridge_quantity_format(buf, size, point->rate, unit_of(point));
    else
        snprintf(buf, size, "on the roof");
}

void ridge__point_interval(char *buf, size_t size, const ridge__point *point)
{
    static const struct {
        char prefix;
        double factor;
    } scale[] = {{'k', 1e3},  {'M', 1e6},  {'G', 1e9},
                 {'T', 1e12}, {'P', 1e15}, {'E', 1e18}};
    char low[40], high[40];
    buf[0] = '\0';
    if (!ridge_known(point->low) || !ridge_known(point->high))
        return;
    /* Both in the unit of the upper end, which is then said once. */
    ridge_quantity_format(high, sizeof high, point->high, unit_of(point));
    const char *blank = strchr(high, ' ');
    double factor = 1;
    for (size_t i = 0; i < RIDGE__COUNT(scale) && blank; i++)
        if (blank[1] == scale[i].prefix)
            factor = scale[i].factor;
    ridge__number_format(low, point->low / factor, 3);
    snprintf(buf, size, "%s to %s", low, high);
}
