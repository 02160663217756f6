/*
 * ridge/chart.h - rooflines: roofs and points on logarithmic axes, as a picture, in a
 * terminal, or as figures.  Included by <ridge.h>.
 */
#ifndef RIDGE_CHART_API_H
#define RIDGE_CHART_API_H

#ifndef RIDGE_H
#error "include <ridge.h>"
#endif

typedef struct ridge_chart ridge_chart; /* knows numbers and labels, not GPUs */
typedef enum ridge_canvas {
    RIDGE_SVG,
    RIDGE_TERMINAL
} ridge_canvas;

RIDGE_MUST_CHECK RIDGE_API ridge_status ridge_chart_new(ridge_chart **out,
                                                        const char *title);
/*
 * What is added from here on belongs to this machine: its points lie under its roofs, and
 * with a second machine each has a line style and its name beside its marks.  Coming back
 * to a name is allowed.  LIMIT for more than RIDGE_CHART_MACHINES.  A chart of which
 * nobody says it has one machine without a name.
 */
#define RIDGE_CHART_MACHINES 5
RIDGE_MUST_CHECK RIDGE_API ridge_status ridge_chart_select(ridge_chart *chart,
                                                           const char *machine);
/*
 * The functions that take figures alone have no ridge_error: their status says it all.
 * Labels are copied.
 *
 * Every rate is a positive number or unknown.  What is unknown is left out, not guessed:
 * the call succeeds and adds nothing.  INVALID: zero, negative, infinite; LIMIT: outside
 * 1e-30..1e30, or more marks than a chart holds.
 *
 * A peak is a ceiling, a bandwidth a slope; each is labelled with its figure before
 * `label` ("989 TFLOP/s bf16 matrix").  reachable: drawn dashed; with the label of a
 * stated one it is that one's twin.  The first stated bandwidth of a machine is the
 * one that the intensity axis counts bytes of, and that its ridge points are marked on.
 */
RIDGE_MUST_CHECK RIDGE_API ridge_status ridge_chart_add_peak(ridge_chart *chart,
                                                             const char *label,
                                                             double flop_per_s,
                                                             bool reachable);
RIDGE_MUST_CHECK RIDGE_API ridge_status ridge_chart_add_bandwidth(ridge_chart *chart,
                                                                  const char *label,
                                                                  double bytes_per_s,
                                                                  bool reachable);
/* Both at once: slope bytes_per_s up to flop_per_s; `label` is the peak's. */
RIDGE_MUST_CHECK RIDGE_API ridge_status ridge_chart_add_roof(ridge_chart *chart,
                                                             const char *label,
                                                             double flop_per_s,
                                                             double bytes_per_s,
                                                             bool reachable);
/* flop_per_s unknown: the point is put on the roof.  low/high: an interval, or
 * unknown. */
RIDGE_MUST_CHECK RIDGE_API ridge_status
ridge_chart_add_point(ridge_chart *chart, const char *label, double flop_per_byte,
                      double flop_per_s, double low_flop_per_s, double high_flop_per_s);
/* Work without FLOP has no place on the intensity axis: it is drawn at the left edge, at
 * its bandwidth; unknown: at the stated one. */
RIDGE_MUST_CHECK RIDGE_API ridge_status ridge_chart_add_stream(ridge_chart *chart,
                                                               const char *label,
                                                               double bytes_per_s,
                                                               double low_bytes_per_s,
                                                               double high_bytes_per_s);
/*
 * A point or stream from an estimate: at the measured rate (filled) if measurement is not
 * NULL, else at the expected one (open), else on its roof; the bar is the expected 80 %.
 */
RIDGE_MUST_CHECK RIDGE_API ridge_status ridge_chart_add_estimate(
    ridge_chart *chart, const char *label, const ridge_estimate *estimate,
    const ridge_measurement *measurement, ridge_error *err);
/* Where the rows or records of a file belong. */
typedef struct ridge_chart_input {
    const char *path; /* NULL or "-": standard input */
    const ridge_machine *const *machines;
    size_t machine_count; /* at least 1 */
    /* How a CSV is read; its op and catalog are needed, its machine is not looked at.  For
     * JSON it may be NULL. */
    const ridge_predict_options *predict;
} ridge_chart_input;
/*
 * The rows of a CSV (plain or gzip) as points: the columns of ridge_predict_run, and
 * time_us, time_ms, time_s, time_ns or time (with a unit) for rows that were measured.  A
 * row whose `gpu` is none of the machines is left out; one without a gpu belongs to each
 * of them, and may not be measured if they are several.  *dtypes receives a bit for each
 * ridge_dtype of the points.  A row that cannot be drawn is counted in the summary.
 * Neither of the two may be NULL.
 */
RIDGE_MUST_CHECK RIDGE_API ridge_status
ridge_chart_add_table(ridge_chart *chart, const ridge_chart_input *input,
                      uint32_t *dtypes, ridge_predict_summary *summary, ridge_error *err);
/*
 * The same for JSON: what `ridge kernel --json` writes, an array of it, several documents
 * one after another, or the "points" of `ridge plot --json`.  A record counts as a row.
 */
RIDGE_MUST_CHECK RIDGE_API ridge_status
ridge_chart_add_json(ridge_chart *chart, const ridge_chart_input *input, uint32_t *dtypes,
                     ridge_predict_summary *summary, ridge_error *err);

/* What add_machine draws. */
typedef enum ridge_roofs {
    RIDGE_ROOFS_ALL,  /* peaks, DRAM, inner levels; stated, and reachable */
    RIDGE_ROOFS_OUTER /* the stated peaks and DRAM: for several machines */
} ridge_roofs;
/*
 * Roofs of a machine: the peaks of `dtypes` (dtype_count 0: bf16 and fp32, or whatever it
 * has), DRAM and cache levels, stated and, where a fit says so, reachable.  A dtype that
 * the machine has no peak for is left out; NODATA if nothing is known at all.
 */
RIDGE_MUST_CHECK RIDGE_API ridge_status ridge_chart_add_machine(
    ridge_chart *chart, const ridge_machine *machine, const ridge_dtype *dtypes,
    size_t dtype_count, ridge_roofs which, ridge_error *err);
/* NODATA if there is nothing to draw.  SVG ignores style; it may be NULL.  TERMINAL with
 * JSON or CSV writes the figures of the chart. */
RIDGE_MUST_CHECK RIDGE_API ridge_status ridge_chart_write(const ridge_chart *chart,
                                                          ridge_canvas canvas,
                                                          const ridge_style *style,
                                                          ridge_sink sink,
                                                          ridge_error *err);
RIDGE_API void ridge_chart_free(ridge_chart *chart);

#endif
