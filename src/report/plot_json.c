/* The records of a JSON file as points of a chart: estimates, or points drawn before. */
#include "base/base.h"
#include "format/csv.h"
#include "format/json_read.h"
#include "machine/machine.h"
#include "report/plot.h"

#include <stddef.h>
#include <string.h>

/* ---- A record ---------------------------------------------------------------------- */

enum {
    LABEL = 512, /* more than a chart's label holds */
    NAME = 128
};

/* What is taken from an object; all else in it is passed over. */
typedef struct record {
    char op[NAME], gpu[NAME], machine[NAME], label[LABEL], is[NAME];
    char params[LABEL]; /* " m=4096 dtype=bf16" */
    double flop, bytes, floor_s, expected_s, low_s, high_s, time_s;
    double intensity, flop_per_s, low_flop_per_s, high_flop_per_s;
    double bytes_per_s, low_bytes_per_s, high_bytes_per_s, of_roof;
    uint32_t seen; /* bit i: fields[i] was there */
    uint32_t dtypes;
    uint64_t line;
    ridge_error wrong; /* the first thing that is */
} record;

typedef struct field {
    const char *name;
    size_t at, size; /* size 0: a number */
} field;

#define TEXT(name)                                                 \
    {                                                              \
#name, offsetof(record, name), sizeof(((record *)0)->name) \
    }
#define NUMBER(name)                     \
    {                                    \
#name, offsetof(record, name), 0 \
    }
static const field fields[] = {
    TEXT(op),
    TEXT(gpu),
    TEXT(machine),
    TEXT(label),
    TEXT(is),
    NUMBER(flop),
    NUMBER(bytes),
    NUMBER(floor_s),
    NUMBER(expected_s),
    NUMBER(low_s),
    NUMBER(high_s),
    NUMBER(time_s),
    NUMBER(intensity),
    NUMBER(flop_per_s),
    NUMBER(low_flop_per_s),
    NUMBER(high_flop_per_s),
    NUMBER(bytes_per_s),
    NUMBER(low_bytes_per_s),
    NUMBER(high_bytes_per_s),
    NUMBER(of_roof),
    {"params", 0, 0},
    {"points", 0, 0},
};
enum {
    FIELDS = sizeof fields / sizeof *fields,
    PARAMS = FIELDS - 2,
    POINTS = FIELDS - 1,
    OTHER = FIELDS /* a key that is passed over */
};

static void record_open(record *r, uint64_t line)
{
    *r = (record){.line = line};
    for (size_t i = 0; i < PARAMS; i++)
        if (fields[i].size == 0)
            *(double *)(void *)((char *)r + fields[i].at) = RIDGE_UNKNOWN;
}

static void record_wrong(record *r, const char *what, const char *name)
{
    if (!r->wrong.status)
        ridge__error_set(&r->wrong, RIDGE_SYNTAX, "\"%.60s\" %s", name, what);
}

static void set_text(record *r, const field *f, const ridge__json_event *event)
{
    char *to = (char *)r + f->at;
    if (event->kind == RIDGE__JSON_NULL)
        return;
    if (event->kind != RIDGE__JSON_TEXT) {
        record_wrong(r, "is no text", f->name);
        return;
    }
    size_t n = event->size < f->size - 1 ? event->size : f->size - 1;
    memcpy(to, event->text, n);
    to[n] = '\0';
}

static void set_number(record *r, const field *f, const ridge__json_event *event)
{
    ridge_error err;
    double *to = (double *)(void *)((char *)r + f->at);
    if (ridge__json_double(to, event, &err) && !r->wrong.status)
        ridge__error_set(&r->wrong, err.status, "%s: %.300s", f->name, err.message);
}

/* A parameter of the call, for the label; its dtype decides which roofs are drawn. */
static void add_param(record *r, const char *key, const ridge__json_event *event)
{
    ridge_dtype dtype;
    size_t used = strlen(r->params);
    int size = (int)(event->size < NAME ? event->size : NAME);
    if (event->kind == RIDGE__JSON_TEXT && strcmp(key, "dtype") == 0 &&
        ridge__dtype_parse(&dtype, event->text, event->size))
        r->dtypes |= 1u << dtype;
    if (event->kind == RIDGE__JSON_BOOL)
        snprintf(r->params + used, sizeof r->params - used, " %s=%d", key, event->truth);
    else if (event->kind == RIDGE__JSON_TEXT || event->kind == RIDGE__JSON_NUMBER)
        snprintf(r->params + used, sizeof r->params - used, " %s=%.*s", key, size,
                 event->text);
}

/* ---- A record as a point ----------------------------------------------------------- */

typedef struct reader {
    ridge_chart *chart;
    const ridge_chart_input *input;
    record record;
    bool open;       /* inside a record */
    bool list;       /* ... whose points are being read */
    bool params;     /* ... or its params */
    bool skip;       /* inside of something that is passed over */
    unsigned depth;  /* of the record's brackets */
    unsigned beyond; /* depth of the brackets that are passed over */
    size_t field;    /* that the last key named */
    char key[NAME];  /* the last one of params */
    uint32_t dtypes;
    uint64_t others;
    ridge_predict_summary summary;
} reader;

/* Figures of a point that was drawn before. */
static ridge_status add_drawn(reader *in, const record *r, ridge_error *err)
{
    bool stream = r->intensity == 0;
    const ridge__point point = {.label = r->label,
                                .intensity = r->intensity,
                                .rate = stream ? r->bytes_per_s : r->flop_per_s,
                                .low = stream ? r->low_bytes_per_s : r->low_flop_per_s,
                                .high = stream ? r->high_bytes_per_s : r->high_flop_per_s,
                                .share = r->of_roof,
                                .measured = strcmp(r->is, "measured") == 0,
                                .on_roof = strcmp(r->is, "roof") == 0};
    return ridge__chart_point(in->chart, &point, err);
}

/* Counts and times of an estimate, with a measured time or without. */
static ridge_status add_estimated(reader *in, const record *r, ridge_error *err)
{
    char label[NAME + LABEL];
    const ridge_measurement measurement = {.count = 1, .time_s = r->time_s};
    const ridge_estimate estimate = {.work = {.flop = r->flop, .bytes = r->bytes},
                                     .floor_s = r->floor_s,
                                     .expected_s = r->expected_s,
                                     .low_s = r->low_s,
                                     .high_s = r->high_s};
    if (!(r->flop >= 0) || !(r->bytes > 0))
        return ridge__error_set(err, RIDGE_INVALID,
                                "an estimate needs its flop and bytes, in numbers that "
                                "are not negative");
    snprintf(label, sizeof label, "%s%s", r->op, r->params);
    return ridge_chart_add_estimate(in->chart, label, &estimate,
                                    ridge_known(r->time_s) ? &measurement : NULL, err);
}

static ridge_status add_record(reader *in, ridge_error *err)
{
    const record *r = &in->record;
    const char *id = r->gpu[0] ? r->gpu : r->machine;
    const ridge_machine *machine = in->input->machines[0];
    bool drawn = r->label[0] && ridge_known(r->intensity) && !r->op[0];
    if (r->wrong.status)
        return ridge__error_set(err, r->wrong.status, "%.300s", r->wrong.message);
    if (!drawn && !r->op[0])
        return ridge__error_set(err, RIDGE_SYNTAX,
                                "neither an estimate (op, flop, bytes, expected_s) nor a "
                                "point (label, intensity, flop_per_s)");
    if (id[0])
        machine = ridge__chart_machine(in->input, id);
    else if (in->input->machine_count > 1)
        return ridge__error_set(err, RIDGE_INVALID,
                                "does not say of which of the machines it is; \"gpu\" "
                                "would");
    if (!machine) {
        in->others++;
        return RIDGE_OK;
    }
    ridge_status status = ridge__chart_select(in->chart, machine, err);
    if (!status)
        status = drawn ? add_drawn(in, r, err) : add_estimated(in, r, err);
    if (!status)
        in->dtypes |= r->dtypes;
    return status;
}

/* The record is whole.  A bad one is counted; memory or a full chart end the reading. */
static ridge_status close_record(reader *in, ridge_error *err)
{
    const char *name = ridge__input_title(in->input->path);
    ridge_error why = {.status = RIDGE_OK};
    bool full = in->chart->point_count == RIDGE_LIMIT_CHART_POINTS;
    in->open = false;
    in->summary.rows++;
    ridge_status status = add_record(in, &why);
    if (!status)
        return RIDGE_OK;
    ridge__error_at(&why, name, in->record.line);
    if (status == RIDGE_NOMEM || full) {
        if (err)
            *err = why;
        return status;
    }
    if (in->summary.failed++ == 0)
        in->summary.first = why;
    return RIDGE_OK;
}

/* ---- Events ------------------------------------------------------------------------ */

static bool opens(const ridge__json_event *event)
{
    return event->kind == RIDGE__JSON_OPEN_OBJECT ||
           event->kind == RIDGE__JSON_OPEN_ARRAY;
}
static bool closes(const ridge__json_event *event)
{
    return event->kind == RIDGE__JSON_CLOSE_OBJECT ||
           event->kind == RIDGE__JSON_CLOSE_ARRAY;
}

static void pass_over(reader *in, const ridge__json_event *event)
{
    in->skip = true;
    in->beyond = event->depth;
}

static void on_key(reader *in, const ridge__json_event *event)
{
    record *r = &in->record;
    in->field = OTHER;
    for (size_t i = 0; i < FIELDS; i++)
        if (ridge__json_is(event, fields[i].name))
            in->field = i;
    if (in->field == OTHER)
        return;
    if (r->seen & 1u << in->field)
        record_wrong(r, "is given twice", fields[in->field].name);
    r->seen |= 1u << in->field;
}

/* Something opens inside a record. */
static ridge_status on_inner(reader *in, const ridge__json_event *event, ridge_error *err)
{
    bool object = event->kind == RIDGE__JSON_OPEN_OBJECT;
    if (in->field == PARAMS && object) {
        in->params = true;
    } else if (in->field == POINTS && !object) {
        if (in->list || in->depth > 1)
            return ridge__error_set(err, RIDGE_SYNTAX, "points inside of points");
        in->list = true;
        in->open = false;
    } else {
        if (in->field < PARAMS)
            record_wrong(&in->record, "is neither a number nor a text",
                         fields[in->field].name);
        pass_over(in, event);
    }
    return RIDGE_OK;
}

static ridge_status on_field(reader *in, const ridge__json_event *event, ridge_error *err)
{
    if (event->kind == RIDGE__JSON_KEY)
        on_key(in, event);
    else if (opens(event))
        return on_inner(in, event, err);
    else if (closes(event))
        return close_record(in, err);
    else if (in->field < PARAMS && fields[in->field].size)
        set_text(&in->record, &fields[in->field], event);
    else if (in->field < PARAMS)
        set_number(&in->record, &fields[in->field], event);
    return RIDGE_OK;
}

static void on_param(reader *in, const ridge__json_event *event)
{
    if (event->kind == RIDGE__JSON_KEY)
        snprintf(in->key, sizeof in->key, "%.*s",
                 (int)(event->size < NAME ? event->size : NAME - 1), event->text);
    else if (opens(event))
        pass_over(in, event);
    else if (closes(event))
        in->params = false;
    else
        add_param(&in->record, in->key, event);
}

/* Between records: in an array, in a list of points, after such a list, or at the top. */
static ridge_status on_outer(reader *in, const ridge__json_event *event, ridge_error *err)
{
    uint64_t line, column;
    if (event->kind == RIDGE__JSON_CLOSE_ARRAY)
        return RIDGE_OK;
    if (in->list && closes(event)) { /* the object around the points */
        in->list = false;
        return RIDGE_OK;
    }
    if (in->list && event->depth <= in->depth + 1) { /* a key beside them */
        if (opens(event))
            pass_over(in, event);
        return RIDGE_OK;
    }
    if (event->kind == RIDGE__JSON_OPEN_ARRAY && event->depth == 0)
        return RIDGE_OK;
    if (event->kind != RIDGE__JSON_OPEN_OBJECT)
        return ridge__error_set(err, RIDGE_SYNTAX,
                                "no record: estimates of ridge kernel --json or the "
                                "points of ridge plot --json wanted");
    ridge__json_place(event->reader, &line, &column);
    record_open(&in->record, line);
    in->open = true;
    in->field = OTHER;
    if (!in->list)
        in->depth = event->depth;
    return RIDGE_OK;
}

static ridge_status on_event(void *ctx, const ridge__json_event *event, ridge_error *err)
{
    reader *in = ctx;
    if (in->skip) {
        in->skip = !(closes(event) && event->depth == in->beyond);
        return RIDGE_OK;
    }
    if (!in->open)
        return on_outer(in, event, err);
    if (in->params) {
        on_param(in, event);
        return RIDGE_OK;
    }
    return on_field(in, event, err);
}

/* All was read: what it came to. */
static ridge_status finish(const reader *in, uint32_t *dtypes,
                           ridge_predict_summary *summary, ridge_error *err)
{
    if (in->others > 0 && in->others == in->summary.rows) {
        ridge_status status = ridge__chart_no_record(in->input, "record", err);
        ridge__error_at(err, ridge__input_title(in->input->path), 0);
        return status;
    }
    *dtypes = in->dtypes;
    *summary = in->summary;
    return RIDGE_OK;
}

ridge_status ridge_chart_add_json(ridge_chart *chart, const ridge_chart_input *input,
                                  uint32_t *dtypes, ridge_predict_summary *summary,
                                  ridge_error *err)
{
    reader in = {.chart = chart, .input = input};
    const ridge__json_options options = {on_event, &in, true};
    ridge_status status = ridge__json_read(input->path, &options, err);
    return status ? status : finish(&in, dtypes, summary, err);
}

ridge_status ridge__chart_json_text(ridge_chart *chart, const ridge_chart_input *input,
                                    const char *text, size_t size,
                                    ridge_predict_summary *summary, ridge_error *err)
{
    reader in = {.chart = chart, .input = input};
    const ridge__json_options options = {on_event, &in, true};
    ridge__json_reader *json = NULL;
    uint32_t dtypes;
    ridge_status status = ridge__json_reader_new(&json, &options, NULL, err);
    if (!status)
        status = ridge__json_reader_feed(json, text, size, err);
    if (!status)
        status = ridge__json_reader_end(json, err);
    ridge__json_reader_free(json);
    return status ? status : finish(&in, &dtypes, summary, err);
}
