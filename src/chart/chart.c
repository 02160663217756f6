#include "chart/chart.h"

#include <string.h>

/* Rates and intensities outside of this are a mistake, and keep log10 tame. */
static const double smallest = 1e-30, largest = 1e30;

ridge_status ridge__chart_new(ridge_chart **out, const char *title,
                              const ridge_allocator *alloc)
{
    ridge_allocator a = ridge__allocator(alloc);
    ridge_chart *chart = a.alloc(a.ctx, sizeof *chart);
    if (!chart)
        return RIDGE_NOMEM;
    memset(chart, 0, sizeof *chart);
    ridge__arena_init(&chart->arena, &a);
    chart->title = ridge__label_copy(&chart->arena, title);
    if (!chart->title) {
        ridge_chart_free(chart);
        return RIDGE_NOMEM;
    }
    *out = chart;
    return RIDGE_OK;
}

ridge_status ridge_chart_new(ridge_chart **out, const char *title)
{
    return ridge__chart_new(out, title, NULL);
}

void ridge_chart_free(ridge_chart *chart)
{
    if (!chart)
        return;
    ridge_allocator a = chart->arena.allocator;
    ridge__arena_clear(&chart->arena);
    a.free(a.ctx, chart, sizeof *chart);
}

ridge_status ridge_chart_select(ridge_chart *chart, const char *machine)
{
    const char *name = ridge__label_copy(&chart->arena, machine);
    if (!name)
        return RIDGE_NOMEM;
    size_t i = 0;
    while (i < chart->machine_count && strcmp(chart->machine[i], name) != 0)
        i++;
    if (i == RIDGE_CHART_MACHINES)
        return RIDGE_LIMIT;
    if (i == chart->machine_count)
        chart->machine[chart->machine_count++] = name;
    chart->current = (uint8_t)i;
    return RIDGE_OK;
}

/* A rate or intensity that may be unknown. */
static ridge_status check(double value)
{
    if (!ridge_known(value))
        return RIDGE_OK;
    if (value <= 0 || isinf(value))
        return RIDGE_INVALID;
    return value < smallest || value > largest ? RIDGE_LIMIT : RIDGE_OK;
}

/* Two roofs of a machine, of one kind and at the same rate, are one line with both names. */
static ridge_status merge(ridge_chart *chart, ridge__roof *roof, const char *label)
{
    if (strcmp(roof->label, label) == 0)
        return RIDGE_OK;
    char both[8 * RIDGE_LIMIT_CHART_LABEL + 3];
    snprintf(both, sizeof both, "%s, %s", roof->label, label);
    const char *copy = ridge__label_copy(&chart->arena, both);
    if (!copy)
        return RIDGE_NOMEM;
    roof->label = copy;
    return RIDGE_OK;
}

static ridge_status add_roof(ridge_chart *chart, ridge__roof *roofs, size_t *count,
                             const char *text, double rate, bool reachable)
{
    ridge_status status = check(rate);
    if (status || !ridge_known(rate))
        return status;
    const char *label = ridge__label_copy(&chart->arena, text);
    if (!label)
        return RIDGE_NOMEM;
    for (size_t i = 0; i < *count; i++)
        if (roofs[i].rate == rate && roofs[i].reachable == reachable &&
            roofs[i].machine == chart->current)
            return merge(chart, &roofs[i], label);
    if (*count == RIDGE_LIMIT_CHART_ROOFS)
        return RIDGE_LIMIT;
    roofs[(*count)++] = (ridge__roof){label, rate, reachable, chart->current};
    return RIDGE_OK;
}

ridge_status ridge_chart_add_peak(ridge_chart *chart, const char *label,
                                  double flop_per_s, bool reachable)
{
    return add_roof(chart, chart->peak, &chart->peak_count, label, flop_per_s, reachable);
}

ridge_status ridge_chart_add_bandwidth(ridge_chart *chart, const char *label,
                                       double bytes_per_s, bool reachable)
{
    return add_roof(chart, chart->bandwidth, &chart->bandwidth_count, label, bytes_per_s,
                    reachable);
}

ridge_status ridge_chart_add_roof(ridge_chart *chart, const char *label,
                                  double flop_per_s, double bytes_per_s, bool reachable)
{
    ridge_status status = check(bytes_per_s);
    if (!status)
        status = ridge_chart_add_peak(chart, label, flop_per_s, reachable);
    if (!status)
        status = ridge_chart_add_bandwidth(chart, "", bytes_per_s, reachable);
    return status;
}

/* Room for one more point; the old array stays in the arena until the chart goes. */
static bool grow(ridge_chart *chart)
{
    if (chart->point_count < chart->point_room)
        return true;
    size_t room = chart->point_room ? chart->point_room * 2 : 16;
    ridge__point *point = ridge__arena_alloc(&chart->arena, room * sizeof *point);
    if (!point)
        return false;
    if (chart->point_count)
        memcpy(point, chart->point, chart->point_count * sizeof *point);
    chart->point = point;
    chart->point_room = room;
    return true;
}

ridge_status ridge__chart_add(ridge_chart *chart, const ridge__point *point)
{
    const double values[] = {point->rate, point->low, point->high};
    ridge_status status = RIDGE_OK;
    if (!ridge_known(point->intensity))
        return RIDGE_INVALID;
    if (point->intensity != 0)
        status = check(point->intensity);
    for (size_t i = 0; i < RIDGE__COUNT(values) && !status; i++)
        status = check(values[i]);
    if (!status && point->low > point->high)
        status = RIDGE_INVALID;
    if (status)
        return status;
    if (chart->point_count == RIDGE_LIMIT_CHART_POINTS)
        return RIDGE_LIMIT;
    const char *label = ridge__label_copy(&chart->arena, point->label);
    if (!label || !grow(chart))
        return RIDGE_NOMEM;
    chart->point[chart->point_count] = *point;
    chart->point[chart->point_count].machine = chart->current;
    chart->point[chart->point_count++].label = label;
    return RIDGE_OK;
}

ridge_status ridge_chart_add_point(ridge_chart *chart, const char *label,
                                   double flop_per_byte, double flop_per_s,
                                   double low_flop_per_s, double high_flop_per_s)
{
    if (flop_per_byte == 0)
        return RIDGE_INVALID; /* its rate would be 0: ridge_chart_add_stream */
    return ridge__chart_add(chart, &(ridge__point){.label = label,
                                                   .intensity = flop_per_byte,
                                                   .rate = flop_per_s,
                                                   .low = low_flop_per_s,
                                                   .high = high_flop_per_s,
                                                   .share = RIDGE_UNKNOWN,
                                                   .measured = ridge_known(flop_per_s)});
}

ridge_status ridge_chart_add_stream(ridge_chart *chart, const char *label,
                                    double bytes_per_s, double low_bytes_per_s,
                                    double high_bytes_per_s)
{
    return ridge__chart_add(chart, &(ridge__point){.label = label,
                                                   .intensity = 0,
                                                   .rate = bytes_per_s,
                                                   .low = low_bytes_per_s,
                                                   .high = high_bytes_per_s,
                                                   .share = RIDGE_UNKNOWN,
                                                   .measured = ridge_known(bytes_per_s)});
}

ridge_status ridge__chart_draw(const ridge_chart *chart, ridge_canvas canvas,
                               const ridge_style *style, ridge_sink sink,
                               ridge_error *err)
{
    static const ridge_style plain = {.format = RIDGE_TEXT};
    ridge__axis x, y;
    if (!ridge__chart_range(chart, &x, &y))
        return ridge__error_set(
            err, RIDGE_NODATA,
            "the chart has nothing to draw; it needs a peak, a bandwidth or a point");
    ridge__str out;
    ridge__str_init(&out, 0, &chart->arena.allocator);
    if (canvas == RIDGE_SVG)
        ridge__chart_svg(chart, x, y, &out);
    else
        ridge__chart_terminal(chart, x, y, style ? style : &plain, &out);
    ridge_status status = ridge__str_send(&out, sink, err);
    ridge__str_clear(&out);
    return status;
}
