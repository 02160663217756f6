#include "table/table.h"

#include "machine/machine.h"

#include <stdio.h>
#include <string.h>

const char ridge__prediction_header[] = ",floor_us,expected_us,low_us,high_us,bound";
const char ridge__basis_header[] = ",basis,warnings";

void ridge__table_place(ridge_error *err, const char *name, uint64_t line)
{
    if (err->where[0] && !(name && strcmp(err->where, name) == 0)) {
        const ridge_error inner = *err;
        snprintf(err->message, sizeof err->message, "%.150s: %.340s", inner.where,
                 inner.message);
    }
    err->where[0] = '\0';
    err->line = 0;
    ridge__error_at(err, name, line);
}

size_t ridge__table_mark(const char *data, size_t size)
{
    static const char mark[] = {'\xef', '\xbb', '\xbf'};
    return size >= sizeof mark && memcmp(data, mark, sizeof mark) == 0 ? sizeof mark : 0;
}

uint64_t ridge__table_lines(const char *data, size_t size)
{
    uint64_t lines = 0;
    const char *end = data + size;
    while (data < end && (data = memchr(data, '\n', (size_t)(end - data)))) {
        lines++;
        data++;
    }
    return lines;
}

bool ridge__table_blank(const char *row, size_t size)
{
    size = ridge__csv_row_trim(row, size);
    for (size_t i = 0; i < size; i++)
        if (row[i] != ' ' && row[i] != '\t')
            return false;
    return true;
}

ridge_status ridge__table_check(const char *row, size_t span, bool open, ridge_error *err)
{
    if (span > RIDGE_LIMIT_ROW_BYTES)
        return ridge__error_set(
            err, RIDGE_LIMIT, "the row is longer than %d bytes%s", RIDGE_LIMIT_ROW_BYTES,
            memchr(row, '"', span) ? "; is a quote never closed?" : "");
    if (memchr(row, '\0', span))
        return ridge__error_set(err, RIDGE_SYNTAX,
                                "a NUL byte; a table in CSV is text (or gzip of it)");
    if (open && memchr(row, '\n', ridge__csv_row_trim(row, span)))
        return ridge__error_set(err, RIDGE_SYNTAX,
                                "a quote that opens in this row is never closed");
    return RIDGE_OK;
}

static bool is_last(const ridge__last *last, const char *text, size_t size)
{
    return last->known && last->size == size && memcmp(last->text, text, size) == 0;
}

static void keep_last(ridge__last *last, const char *text, size_t size)
{
    last->known = size < sizeof last->text; /* a longer one is looked up each time */
    last->size = size;
    if (last->known)
        memcpy(last->text, text, size + 1);
}

/* The cell of a column that may not be there: "" then. */
static const char *cell(const ridge__predictor *p, size_t column, size_t *size)
{
    return ridge__csv_row_field(p->row, column, size);
}

static ridge_status find_binding(ridge__predictor *p, ridge_error *err)
{
    size_t size;
    const char *text = cell(p, p->columns->op, &size);
    if (is_last(&p->last_op, text, size))
        return RIDGE_OK;
    p->last_op.known = false;
    ridge_status status = ridge__columns_binding(&p->binding, p->columns, text, err);
    if (!status)
        keep_last(&p->last_op, text, size);
    return status;
}

static ridge_status find_machine(ridge__predictor *p, ridge_error *err)
{
    size_t size, system_size;
    const char *text = cell(p, p->columns->gpu, &size);
    const char *system = cell(p, p->columns->system, &system_size);
    if (is_last(&p->last_gpu, text, size) &&
        is_last(&p->last_system, system, system_size))
        return RIDGE_OK;
    p->last_gpu.known = p->last_system.known = false;
    ridge_status status = RIDGE_OK;
    const ridge_machine *base = p->options->machine;
    if (size == 0 && base && (system_size == 0 || !base->device))
        p->machine = base;
    else if (size > 0 || system_size > 0)
        status = ridge__machines_find(&p->machine, p->machines, text, system, err);
    else
        status = ridge__error_set(err, RIDGE_INVALID, "gpu: the cell is empty");
    if (!status) {
        keep_last(&p->last_gpu, cell(p, p->columns->gpu, &size), size);
        keep_last(&p->last_system, system, system_size);
    }
    return status;
}

/* Words that nobody knows count as the default: a table may come from anywhere. */
static void set_environment(ridge__predictor *p, ridge_call *call)
{
    size_t size;
    const char *text = cell(p, p->columns->backend, &size);
    ridge_backend backend;
    if (size > 0 && ridge__backend_parse(&backend, text, size))
        call->backend = (uint8_t)backend;
    else if (size > 0)
        p->unknown_backend++;
    ridge_timing timing;
    text = cell(p, p->columns->timing, &size);
    if (size > 0 && ridge__timing_parse(&timing, text, size))
        call->timing = (uint8_t)timing;
    else if (size > 0)
        p->unknown_timing++;
    text = cell(p, p->columns->kernel, &size);
    call->kernel = ridge__hash_name(text, size);
}

/*
 * Published rows that ran on something else than their columns make: a convolution on the
 * channels of the queries alone, sparse attention on all keys, as their times show
 * (docs/model/linear_attention.md, sparse_attention.md).
 */
typedef struct misnamed {
    const char *op, *version, *kernel; /* as the rows write them, from their start */
    const char *param;
    ridge_backend backend;
    bool queries; /* k_heads k_dim; else 0 */
} misnamed;

static const misnamed mended[] = {
    {"gdn:causal_conv1d_", "", "", "channels", RIDGE_BACKEND_TRTLLM, true},
    {"gdn:causal_conv1d_", "0.5.10", "", "channels", RIDGE_BACKEND_SGLANG, true},
    {"msa_generation_", "", "default", "topk", RIDGE_BACKEND_TRTLLM, false},
};

static bool starts(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

/* The argument of a parameter by its name; unknown where it is not given. */
static double argument(const ridge_call *call, const char *name)
{
    size_t i = ridge__op_param(call->op, name, strlen(name));
    return i < call->op->param_count ? call->arg[i] : RIDGE_UNKNOWN;
}

/* What a row did in place of what its columns make. */
static ridge_status mend(ridge_call *call, const ridge__predictor *p, ridge_error *err)
{
    const char *op = cell(p, p->columns->op, NULL);
    const char *version = cell(p, p->columns->version, NULL);
    const char *kernel = cell(p, p->columns->kernel, NULL);
    for (size_t i = 0; i < RIDGE__COUNT(mended); i++) {
        const misnamed *m = &mended[i];
        if (call->backend != m->backend || !starts(op, m->op) ||
            !starts(version, m->version) || !starts(kernel, m->kernel) ||
            ridge_known(argument(call, m->param)))
            continue;
        double value = 0;
        if (m->queries)
            value = argument(call, "k_heads") * argument(call, "k_dim");
        if (!ridge_known(value))
            continue;
        char text[33];
        text[ridge__number_format(text, value, 17)] = '\0';
        return ridge_call_set(call, m->param, text, err);
    }
    return RIDGE_OK;
}

static ridge_status make_call(ridge_call *call, const ridge__predictor *p,
                              ridge_error *err)
{
    const ridge__binding *b = p->binding;
    for (size_t i = 0; i < b->count; i++) {
        size_t size;
        const char *text = cell(p, b->cell[i].column, &size);
        if (size == 0) /* not given */
            continue;
        ridge_status status =
            ridge__call_set_index(call, b->cell[i].param, text, size, err);
        if (status)
            return status;
    }
    ridge_status status = mend(call, p, err);
    return status ? status : ridge_call_finish(call, err);
}

ridge_status ridge__predictor_call(ridge_call *out, ridge__predictor *p, const char *data,
                                   size_t size, ridge_error *err)
{
    p->missing = 0;
    ridge_status status = ridge__csv_row_parse(p->row, data, size, err);
    if (status)
        return status;
    size_t count = ridge__csv_row_count(p->row);
    if (count < p->columns->count)
        p->missing = p->columns->count - count;
    if (count != p->columns->count)
        return ridge__error_set(err, RIDGE_SYNTAX, "%zu cells; the header has %zu", count,
                                p->columns->count);
    status = find_binding(p, err);
    if (!status)
        status = find_machine(p, err);
    if (status)
        return status;
    ridge_call call = p->binding->call;
    set_environment(p, &call);
    status = make_call(&call, p, err);
    if (!status)
        *out = call;
    return status;
}

ridge_status ridge__predictor_row(ridge_estimate *out, ridge__predictor *p,
                                  const char *data, size_t size, ridge_error *err)
{
    ridge_call call;
    ridge_status status = ridge__predictor_call(&call, p, data, size, err);
    if (!status)
        status = ridge_estimate_call(out, p->machine, &call, err);
    if (!status && (out->warnings & RIDGE_WARNING_ASSUMED_SYSTEM))
        p->assumed_system++;
    return status;
}

/* Appends ',' and a time in microseconds with six digits; nothing more if unknown. */
static char *put_us(char *p, double seconds)
{
    enum {
        DIGITS = 6
    };
    *p++ = ',';
    return p + ridge__number_format(p, seconds * 1e6, DIGITS);
}

void ridge__prediction_cells(ridge__str *out, const ridge_estimate *estimate)
{
    char text[4 * 33 + 1 + 32], *p = text;
    if (!estimate) {
        ridge__str_add(out, ",,,,,", 5);
        return;
    }
    p = put_us(p, estimate->floor_s);
    p = put_us(p, estimate->expected_s);
    p = put_us(p, estimate->low_s);
    p = put_us(p, estimate->high_s);
    *p++ = ',';
    const char *bound = ridge_bound_name(estimate->bound);
    size_t size = bound ? strlen(bound) : 0;
    memcpy(p, bound ? bound : "", size);
    ridge__str_add(out, text, (size_t)(p - text) + size);
}

void ridge__basis_cells(ridge__str *out, const ridge_estimate *estimate)
{
    char basis[96] = "";
    const char *blank = "";
    if (estimate)
        ridge_estimate_basis(estimate, basis, sizeof basis);
    ridge__str_add(out, ",", 1);
    ridge__csv_cell(out, basis, strlen(basis));
    ridge__str_add(out, ",", 1);
    for (uint32_t bit = 1; estimate && bit; bit <<= 1)
        if (estimate->warnings & bit) {
            ridge__str_format(out, "%s%s", blank, ridge_warning_code(bit));
            blank = " ";
        }
}
