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

/* Bytes of the first row, and whether it can be one. */
static ridge_status next_row(size_t *span, const char *data, size_t size,
                             ridge_error *err)
{
    *span = ridge__csv_row_span(data, size);
    bool open = *span == 0;
    if (open)
        *span = size;
    return ridge__table_check(data, *span, open, err);
}

/* Rows after the header, from line `line` on.  A bad one is counted; a full chart,
 * memory or what is no table ends it. */
static ridge_status add_rows(plotter *p, const char *data, size_t size, uint64_t line,
                             ridge_error *err)
{
    while (size > 0) {
        ridge_error row_err = {.status = RIDGE_OK};
        size_t span;
        ridge_status status = next_row(&span, data, size, &row_err);
        bool ends = status != RIDGE_OK;
        if (!status && !ridge__table_blank(data, span)) {
            p->summary.rows++;
            status = add_row(p, data, span, &row_err);
            ends = status == RIDGE_NOMEM || p->full;
        }
        if (status)
            ridge__table_place(&row_err, p->name, line);
        if (ends) {
            if (err)
                *err = row_err;
            return status;
        }
        if (status && p->summary.failed++ == 0)
            p->summary.first = row_err;
        line += ridge__table_lines(data, span);
        data += span;
        size -= span;
    }
    if (p->others > 0 && p->others == p->summary.rows)
        return ridge__chart_no_record(p->input, "row", err);
    return RIDGE_OK;
}

static ridge_status read_all(ridge__str *out, const char *path, ridge_error *err)
{
    ridge__input *input = NULL;
    char block[16384];
    size_t got = 0;
    ridge_status status = ridge__input_open(&input, path, err);
    if (status)
        return status;
    do {
        status = ridge__input_read(input, block, sizeof block, &got, err);
        if (!status)
            ridge__str_add(out, block, got);
    } while (!status && got > 0 && ridge__str_ok(out));
    ridge__input_close(input);
    if (!status && out->too_large)
        return ridge__error_set(err, RIDGE_LIMIT, "the file is larger than %d MiB",
                                RIDGE_LIMIT_TEXT_BYTES >> 20);
    return status ? status : ridge__str_check(out, "", err);
}

/* Columns of the first row; *span receives its length. */
static ridge_status read_header(plotter *p, size_t *span, const char *data, size_t size,
                                ridge__arena *arena, ridge_error *err)
{
    ridge__csv_row *header = NULL;
    ridge_status status = ridge__csv_row_new(&header, NULL, err);
    if (!status)
        status = next_row(span, data, size, err);
    if (!status)
        status = ridge__csv_row_parse(header, data, *span, err);
    if (!status)
        status = ridge__columns_read(&p->columns, header, &p->options, arena, err);
    if (!status)
        (void)ridge__time_column_find(&p->time, header);
    ridge__csv_row_free(header);
    if (status && err)
        ridge__table_place(err, p->name, 1);
    return status;
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
    ridge__arena arena;
    ridge__str text;
    ridge__machines_init(&machines, &p.options, NULL);
    ridge__arena_init(&arena, NULL);
    ridge__str_init(&text, 0, NULL);
    RIDGE__TRY(read_all(&text, input->path, err));
    const char *data = ridge__str_data(&text);
    size_t mark = ridge__table_mark(data, text.size), span;
    RIDGE__TRY(read_header(&p, &span, data + mark, text.size - mark, &arena, err));
    span += mark;
    RIDGE__TRY(ridge__csv_row_new(&p.predictor.row, NULL, err));
    p.predictor.options = &p.options;
    p.predictor.columns = &p.columns;
    p.predictor.machines = &machines;
    RIDGE__TRY(add_rows(&p, data + span, text.size - span,
                        1 + ridge__table_lines(data, span), err));
    *dtypes = p.dtypes;
    *summary = p.summary;
out:
    if (status)
        ridge__error_at(err, p.name, 0);
    ridge__csv_row_free(p.predictor.row);
    ridge__str_clear(&text);
    ridge__arena_clear(&arena);
    ridge__machines_clear(&machines);
    return status;
}
