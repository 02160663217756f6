/* The rows of a CSV as points of a chart. */
#include "machine/machine.h"
#include "report/plot.h"
#include "table/table.h"

#include <string.h>

typedef struct plotter {
    ridge_chart *chart;
    const char *name; /* of the table */
    const ridge_chart_input *input;
    ridge_predict_options options; /* the machine: that of the row being read */
    ridge__columns columns;
    ridge__predictor predictor;
    ridge__time_column time;
    uint32_t dtypes; /* of the points */
    uint64_t others; /* rows of other parts */
    bool full;       /* the chart takes no more */
    bool headed;     /* the columns are known */
    ridge__row_reader rows;
    ridge__arena arena; /* of the columns */
    ridge_predict_summary summary;
} plotter;

/* "gemm m=64 n=8192": the op and what the row gives. */
static void row_label(char *buf, size_t room, const plotter *p)
{
    const ridge__binding *b = p->predictor.binding;
    const ridge_op *op = b->call.op;
    size_t size = (size_t)snprintf(buf, room, "%s", op->name);
    for (size_t i = 0; i < b->count && size < room; i++) {
        size_t n;
        const char *text = ridge__csv_row_field(p->predictor.row, b->cell[i].column, &n);
        if (n > 0)
            size += (size_t)snprintf(buf + size, room - size, " %s=%s",
                                     op->params[b->cell[i].param].name, text);
    }
}

/* The estimate of the row just read as a point of a machine. */
static ridge_status add_point(plotter *p, const ridge_estimate *estimate,
                              const ridge_machine *machine, double time_s,
                              ridge_error *err)
{
    const ridge_measurement measurement = {.count = 1, .time_s = time_s};
    char label[512];
    if (p->chart->point_count == RIDGE_LIMIT_CHART_POINTS) {
        p->full = true;
        return ridge__error_set(err, RIDGE_LIMIT,
                                "one point more than the %d that a chart holds",
                                RIDGE_LIMIT_CHART_POINTS);
    }
    row_label(label, sizeof label, p);
    if (estimate->work.flop > 0 && estimate->work.dtype < RIDGE_DTYPE_COUNT)
        p->dtypes |= 1u << estimate->work.dtype;
    ridge_status status = ridge__chart_select(p->chart, machine, err);
    return status
               ? status
               : ridge_chart_add_estimate(p->chart, label, estimate,
                                          ridge_known(time_s) ? &measurement : NULL, err);
}

/* A row that names its part is a point of that one, or of none that is drawn. */
static ridge_status add_named(plotter *p, const ridge_estimate *estimate, double time_s,
                              ridge_error *err)
{
    const ridge_machine *machine =
        ridge__chart_machine(p->input, ridge_machine_id(p->predictor.machine));
    if (machine)
        return add_point(p, estimate, machine, time_s, err);
    p->others++;
    return RIDGE_OK;
}

static ridge_status add_row(plotter *p, const char *data, size_t size, ridge_error *err)
{
    ridge_estimate estimate;
    double time_s;
    size_t named = 0;
    ridge_status status = RIDGE_OK;
    for (size_t i = 0; i < p->input->machine_count && !status && !named; i++) {
        p->options.machine = p->input->machines[i];
        p->predictor.last_gpu.known = false; /* an empty cell is the next machine now */
        status = ridge__predictor_row(&estimate, &p->predictor, data, size, err);
        if (!status)
            status = ridge__time_column_read(&time_s, &p->time, p->predictor.row, err);
        if (status)
            return status;
        (void)ridge__csv_row_field(p->predictor.row, p->columns.gpu, &named);
        if (named)
            status = add_named(p, &estimate, time_s, err);
        else if (ridge_known(time_s) && p->input->machine_count > 1)
            status = ridge__error_set(err, RIDGE_INVALID,
                                      "measured, but not said on which of the machines; "
                                      "a column gpu would say it");
        else
            status = add_point(p, &estimate, p->options.machine, time_s, err);
    }
    return status;
}

static ridge_status read_header(plotter *p, const char *data, size_t size,
                                ridge_error *err)
{
    p->headed = true;
    ridge_status status = ridge__csv_row_parse(p->predictor.row, data, size, err);
    if (!status)
        status = ridge__columns_read(&p->columns, p->predictor.row, &p->options,
                                     &p->arena, err);
    if (!status)
        (void)ridge__time_column_find(&p->time, p->predictor.row);
    else if (err)
        ridge__table_place(err, p->name, 1);
    return status;
}

/* The header, then rows: a bad one is counted; a full chart, or memory, ends it. */
static ridge_status take_row(void *ctx, const char *data, size_t size, ridge_error *err)
{
    plotter *p = ctx;
    ridge_error why = {.status = RIDGE_OK};
    if (!p->headed)
        return read_header(p, data, size, err);
    p->summary.rows++;
    ridge_status status = add_row(p, data, size, &why);
    if (!status)
        return RIDGE_OK;
    ridge__table_place(&why, p->name, p->rows.line);
    if (status == RIDGE_NOMEM || p->full) {
        if (err)
            *err = why;
        return status;
    }
    if (p->summary.failed++ == 0)
        p->summary.first = why;
    return RIDGE_OK;
}

ridge_status ridge_chart_add_table(ridge_chart *chart, const ridge_chart_input *input,
                                   uint32_t *dtypes, ridge_predict_summary *summary,
                                   ridge_error *err)
{
    ridge_status status;
    plotter p = {.chart = chart,
                 .name = ridge__input_title(input->path),
                 .input = input,
                 .options = *input->predict};
    p.options.machine = input->machines[0];
    ridge__machines machines;
    ridge__input *file = NULL;
    ridge__machines_init(&machines, &p.options, NULL);
    ridge__arena_init(&p.arena, NULL);
    ridge__row_reader_init(&p.rows, take_row, &p);
    p.predictor.options = &p.options;
    p.predictor.columns = &p.columns;
    p.predictor.machines = &machines;
    RIDGE__TRY(ridge__csv_row_new(&p.predictor.row, NULL, err));
    RIDGE__TRY(ridge__input_open(&file, input->path, err));
    RIDGE__TRY(ridge__row_reader_input(&p.rows, file, err));
    RIDGE__TRY(ridge__row_reader_end(&p.rows, err));
    if (!p.headed)
        RIDGE__TRY(read_header(&p, "", 0, err));
    if (p.others > 0 && p.others == p.summary.rows)
        RIDGE__TRY(ridge__chart_no_record(input, "row", err));
    *dtypes = p.dtypes;
    *summary = p.summary;
out:
    if (status)
        ridge__error_at(err, p.name, 0);
    ridge__csv_row_free(p.predictor.row);
    ridge__row_reader_clear(&p.rows);
    ridge__input_close(file);
    ridge__arena_clear(&p.arena);
    ridge__machines_clear(&machines);
    return status;
}
