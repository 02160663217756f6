/* Charts of machines and estimates: what the chart itself does not know. */
#include "report/plot.h"
#include "base/base.h"
#include "chart/chart.h"
#include "format/csv.h"
#include "format/json.h"
#include "machine/machine.h"

#include <string.h>

/* ---- Roofs ------------------------------------------------------------------------- */

static ridge_status say(ridge_status status, ridge_error *err)
{
    switch (status) {
    case RIDGE_OK:
        return RIDGE_OK;
    case RIDGE_NOMEM:
        return ridge__error_set(err, status, "out of memory");
    case RIDGE_LIMIT:
        return ridge__error_set(err, status,
                                "a figure is outside 1e-30..1e30, or the chart is full");
    default:
        return ridge__error_set(err, status,
                                "a figure of the chart is zero, negative or infinite");
    }
}

/* A share that a fit of this very machine or architecture says can be reached; unknown
 * without one, for a general fit knows nothing of this roof. */
static double fitted_share(const ridge_machine *machine, ridge__fit_form form,
                           const char *op, ridge_dtype dtype, size_t constant)
{
    uint8_t link = RIDGE_LINK_STATED;
    const ridge__fit_key key = {.form = form,
                                .op = op,
                                .family = op,
                                .dtype = dtype,
                                .kv_dtype = dtype,
                                .backend = RIDGE_BACKEND_BEST};
    const ridge_fit *fit = ridge__machine_fit(machine, &key, &link);
    double share = fit && link < RIDGE_LINK_ANY ? fit->c[constant] : RIDGE_UNKNOWN;
    return share < 1 ? share : RIDGE_UNKNOWN;
}

/* Of the DRAM bandwidth by a kernel that streams; without a fit, what a benchmark found,
 * if the bandwidth is still the part's own. */
static double reachable_dram(const ridge_machine *machine, ridge_dtype dtype)
{
    double share = fitted_share(machine, RIDGE_FIT_STREAM, "elementwise", dtype,
                                RIDGE_STREAM_DRAM_SHARE_C);
    if (ridge_known(share))
        return machine->dram.value * share;
    const ridge__memory *memory =
        machine->device ? ridge__device_memory(machine->device, RIDGE_DRAM) : NULL;
    bool own = memory && memory->roof.value == machine->dram.value;
    return own && memory->measured.value < memory->roof.value ? memory->measured.value
                                                              : RIDGE_UNKNOWN;
}

/* Of a matrix peak by a large product. */
static double reachable_peak(const ridge_machine *machine, ridge_dtype dtype,
                             ridge_pipe pipe, double peak)
{
    return pipe == RIDGE_MATRIX ? peak * fitted_share(machine, RIDGE_FIT_TILE, "gemm",
                                                      dtype, RIDGE_TILE_MMA_SHARE)
                                : RIDGE_UNKNOWN;
}

static ridge_status add_levels(ridge_chart *chart, const ridge_machine *machine,
                               ridge_dtype dtype, ridge_roofs which)
{
    static const struct {
        ridge_level level;
        const char *label;
    } inner[] = {{RIDGE_LLC, "LLC"}, {RIDGE_L2, "L2"}, {RIDGE_L1, "L1"}};
    ridge_status status =
        ridge_chart_add_bandwidth(chart, "DRAM", machine->dram.value, false);
    if (status || which == RIDGE_ROOFS_OUTER)
        return status;
    status =
        ridge_chart_add_bandwidth(chart, "DRAM", reachable_dram(machine, dtype), true);
    for (size_t i = 0; i < RIDGE__COUNT(inner) && !status && machine->device; i++)
        status = ridge_chart_add_bandwidth(
            chart, inner[i].label,
            ridge_device_bandwidth(machine->device, inner[i].level).value, false);
    return status;
}

static double peak_of(const ridge_machine *machine, ridge_dtype dtype, ridge_pipe *pipe)
{
    return ridge__machine_peak(machine, dtype, RIDGE_PIPE_ANY, RIDGE_FP32, pipe).value;
}

/* The teaching machine and --peak RATE: one peak for all, which needs no names. */
static bool all_equal(const ridge_machine *machine)
{
    double first = RIDGE_UNKNOWN;
    size_t known = 0;
    for (int d = 0; d < RIDGE_DTYPE_COUNT; d++)
        for (int p = 0; p < RIDGE_PIPE_COUNT; p++) {
            double value = machine->peak[d][p].value;
            if (!ridge_known(value))
                continue;
            if (known++ && value != first)
                return false;
            first = value;
        }
    return known > RIDGE_PIPE_COUNT;
}

static ridge_status add_peak(ridge_chart *chart, const ridge_machine *machine,
                             ridge_dtype dtype, ridge_roofs which)
{
    ridge_pipe pipe = RIDGE_VECTOR;
    double peak = peak_of(machine, dtype, &pipe);
    if (!ridge_known(peak))
        return RIDGE_OK;
    char label[64];
    if (all_equal(machine))
        snprintf(label, sizeof label, "every dtype");
    else
        snprintf(label, sizeof label, "%s %s", ridge_dtype_name(dtype),
                 ridge_pipe_name(pipe));
    ridge_status status = ridge_chart_add_peak(chart, label, peak, false);
    if (!status && which == RIDGE_ROOFS_ALL)
        status = ridge_chart_add_peak(chart, label,
                                      reachable_peak(machine, dtype, pipe, peak), true);
    return status;
}

/* bf16 and fp32, or else the first dtype that has a peak. */
static size_t default_dtypes(const ridge_machine *machine, ridge_dtype out[2])
{
    static const ridge_dtype usual[] = {RIDGE_BF16, RIDGE_FP32};
    ridge_pipe pipe;
    size_t count = 0;
    for (size_t i = 0; i < RIDGE__COUNT(usual); i++)
        if (ridge_known(peak_of(machine, usual[i], &pipe)))
            out[count++] = usual[i];
    for (int d = 0; d < RIDGE_DTYPE_COUNT && count == 0; d++)
        if (ridge_known(peak_of(machine, (ridge_dtype)d, &pipe)))
            out[count++] = (ridge_dtype)d;
    return count;
}

ridge_status ridge_chart_add_machine(ridge_chart *chart, const ridge_machine *machine,
                                     const ridge_dtype *dtypes, size_t dtype_count,
                                     ridge_roofs which, ridge_error *err)
{
    ridge_dtype usual[2];
    size_t before = chart->peak_count + chart->bandwidth_count;
    if (dtype_count == 0) {
        dtype_count = default_dtypes(machine, usual);
        dtypes = usual;
    }
    ridge_status status =
        add_levels(chart, machine, dtype_count ? dtypes[0] : RIDGE_BF16, which);
    for (size_t i = 0; i < dtype_count && !status; i++)
        status = add_peak(chart, machine, dtypes[i], which);
    if (status)
        return say(status, err);
    if (chart->peak_count + chart->bandwidth_count == before)
        return ridge__error_set(err, RIDGE_NODATA,
                                "neither a peak nor a bandwidth is known of %s",
                                ridge_machine_id(machine));
    return RIDGE_OK;
}

/* ---- Machines by name -------------------------------------------------------------- */

const ridge_machine *ridge__chart_machine(const ridge_chart_input *input, const char *id)
{
    for (size_t i = 0; i < input->machine_count; i++)
        if (strcmp(ridge_machine_id(input->machines[i]), id) == 0)
            return input->machines[i];
    return NULL;
}

ridge_status ridge__chart_select(ridge_chart *chart, const ridge_machine *machine,
                                 ridge_error *err)
{
    ridge_status status = ridge_chart_select(chart, ridge_machine_id(machine));
    return status == RIDGE_LIMIT
               ? ridge__error_set(err, status, "a chart holds at most %d machines",
                                  RIDGE_CHART_MACHINES)
               : say(status, err);
}

ridge_status ridge__chart_no_record(const ridge_chart_input *input, const char *what,
                                    ridge_error *err)
{
    ridge__str names;
    ridge__str_init(&names, 0, NULL);
    for (size_t i = 0; i < input->machine_count; i++)
        ridge__str_format(&names, "%s%s", i ? " or " : "",
                          ridge_machine_id(input->machines[i]));
    ridge_status status = ridge__error_set(err, RIDGE_NODATA, "no %s is of %.300s", what,
                                           ridge__str_data(&names));
    ridge__str_clear(&names);
    return status;
}

/* ---- Points ------------------------------------------------------------------------ */

ridge_status ridge__chart_point(ridge_chart *chart, const ridge__point *point,
                                ridge_error *err)
{
    ridge_status status = ridge__chart_add(chart, point);
    if (status)
        return say(status, err);
    if (ridge_known(point->low))
        chart->bars = "expected, central 80 %";
    return RIDGE_OK;
}

ridge_status ridge_chart_add_estimate(ridge_chart *chart, const char *label,
                                      const ridge_estimate *e,
                                      const ridge_measurement *measurement,
                                      ridge_error *err)
{
    if (!(e->work.bytes > 0))
        return ridge__error_set(
            err, RIDGE_INVALID,
            "the call moves no bytes, so it has no place on a roofline chart");
    bool stream = !(e->work.flop > 0);
    double work = stream ? e->work.bytes : e->work.flop;
    double time = measurement ? measurement->time_s : e->expected_s;
    ridge__point point = {.label = label,
                          .intensity = stream ? 0 : e->work.flop / e->work.bytes,
                          .rate = work / time,
                          .low = work / e->high_s,
                          .high = work / e->low_s,
                          .share = e->floor_s / time,
                          .measured = measurement != NULL};
    if (!ridge_known(time)) {
        point.on_roof = true;
        point.rate = work / e->floor_s;
    }
    return ridge__chart_point(chart, &point, err);
}

/* ---- Writing ----------------------------------------------------------------------- */

/* NULL where nobody said. */
static const char *machine_name(const ridge_chart *chart, unsigned machine)
{
    return machine < chart->machine_count ? chart->machine[machine] : NULL;
}

static void put_roofs_json(ridge__json *j, const ridge_chart *chart, bool slope)
{
    const ridge__roof *roofs = slope ? chart->bandwidth : chart->peak;
    size_t count = slope ? chart->bandwidth_count : chart->peak_count;
    ridge__json_open(j, slope ? "bandwidths" : "peaks", '[');
    for (size_t i = 0; i < count; i++) {
        ridge__json_open(j, NULL, '{');
        ridge__json_text(j, "label", roofs[i].label);
        ridge__json_number(j, slope ? "bytes_per_s" : "flop_per_s", roofs[i].rate);
        if (!slope)
            ridge__json_number(j, "ridge", ridge__chart_ridge(chart, &roofs[i]));
        ridge__json_bool(j, "reachable", roofs[i].reachable);
        ridge__json_text(j, "machine", machine_name(chart, roofs[i].machine));
        ridge__json_close(j, '}');
    }
    ridge__json_close(j, ']');
}

/* Work without FLOP has bytes/s in place of FLOP/s. */
static void put_point_json(ridge__json *j, const ridge_chart *chart,
                           const ridge__point *p)
{
    bool stream = p->intensity == 0;
    ridge__json_open(j, NULL, '{');
    ridge__json_text(j, "label", p->label);
    ridge__json_number(j, "intensity", p->intensity);
    ridge__json_number(j, stream ? "bytes_per_s" : "flop_per_s", p->rate);
    ridge__json_number(j, stream ? "low_bytes_per_s" : "low_flop_per_s", p->low);
    ridge__json_number(j, stream ? "high_bytes_per_s" : "high_flop_per_s", p->high);
    ridge__json_number(j, "of_roof", p->share);
    ridge__json_text(j, "is",
                     p->measured  ? "measured"
                     : p->on_roof ? "roof"
                                  : "expected");
    ridge__json_text(j, "machine", machine_name(chart, p->machine));
    ridge__json_close(j, '}');
}

static void put_json(ridge__str *out, const ridge_chart *chart)
{
    ridge__json j;
    ridge__json_init(&j, out);
    ridge__json_open(&j, NULL, '{');
    ridge__json_text(&j, "title", chart->title);
    put_roofs_json(&j, chart, false);
    put_roofs_json(&j, chart, true);
    ridge__json_open(&j, "points", '[');
    for (size_t i = 0; i < chart->point_count; i++)
        put_point_json(&j, chart, &chart->point[i]);
    ridge__json_close(&j, ']');
    ridge__json_close(&j, '}');
    ridge__str_text(out, "\n");
}

typedef struct row {
    const char *what, *label;
    double number[5]; /* intensity, rate, low, high, of_roof */
    const char *unit, *is, *machine;
} row;

static void put_row(ridge__str *out, const row *r)
{
    ridge__str_format(out, "%s,", r->what);
    ridge__csv_cell(out, r->label, strlen(r->label));
    for (size_t i = 0; i < RIDGE__COUNT(r->number); i++) {
        char number[40];
        ridge__str_text(out, ",");
        ridge__str_add(out, number, ridge__number_shortest(number, r->number[i]));
    }
    ridge__str_format(out, ",%s,%s,", r->unit, r->is);
    if (r->machine)
        ridge__csv_cell(out, r->machine, strlen(r->machine));
    ridge__str_text(out, "\n");
}

static void put_csv(ridge__str *out, const ridge_chart *chart)
{
    const double none = RIDGE_UNKNOWN;
    ridge__str_text(out, "what,label,intensity,rate,low,high,of_roof,unit,is,machine\n");
    for (size_t i = 0; i < chart->peak_count; i++) {
        const ridge__roof *r = &chart->peak[i];
        put_row(out, &(row){"peak",
                            r->label,
                            {ridge__chart_ridge(chart, r), r->rate, none, none, none},
                            "FLOP/s",
                            r->reachable ? "reachable" : "stated",
                            machine_name(chart, r->machine)});
    }
    for (size_t i = 0; i < chart->bandwidth_count; i++) {
        const ridge__roof *r = &chart->bandwidth[i];
        put_row(out, &(row){"bandwidth",
                            r->label,
                            {none, r->rate, none, none, none},
                            "B/s",
                            r->reachable ? "reachable" : "stated",
                            machine_name(chart, r->machine)});
    }
    for (size_t i = 0; i < chart->point_count; i++) {
        const ridge__point *p = &chart->point[i];
        put_row(out, &(row){"point",
                            p->label,
                            {p->intensity, p->rate, p->low, p->high, p->share},
                            p->intensity == 0 ? "B/s" : "FLOP/s",
                            p->measured  ? "measured"
                            : p->on_roof ? "roof"
                                         : "expected",
                            machine_name(chart, p->machine)});
    }
}

ridge_status ridge_chart_write(const ridge_chart *chart, ridge_canvas canvas,
                               const ridge_style *style, ridge_sink sink,
                               ridge_error *err)
{
    if (canvas == RIDGE_SVG || !style || style->format == RIDGE_TEXT)
        return ridge__chart_draw(chart, canvas, style, sink, err);
    if (style->format != RIDGE_JSON && style->format != RIDGE_CSV)
        return ridge__error_set(err, RIDGE_INVALID,
                                "the figures of a chart are written as JSON or CSV");
    ridge__str out;
    ridge__str_init(&out, 0, &chart->arena.allocator);
    if (style->format == RIDGE_JSON)
        put_json(&out, chart);
    else
        put_csv(&out, chart);
    ridge_status status = ridge__str_send(&out, sink, err);
    ridge__str_clear(&out);
    return status;
}

static int gather(void *ctx, const char *data, size_t size)
{
    ridge__str_add(ctx, data, size);
    return 0;
}

ridge_status ridge_chart_write_picture(const ridge_chart *chart,
                                       const ridge_raster *raster, ridge_picture picture,
                                       double scale, ridge_sink sink, ridge_error *err)
{
    ridge__str svg;
    ridge__str_init(&svg, 0, &chart->arena.allocator);
    ridge_status status =
        ridge__chart_draw(chart, RIDGE_SVG, NULL, (ridge_sink){gather, &svg}, err);
    if (!status)
        status = ridge__str_check(&svg, "the picture is ", err);
    if (!status)
        status =
            ridge_raster_write(raster, picture, svg.data, svg.size, scale, sink, err);
    ridge__str_clear(&svg);
    return status;
}
