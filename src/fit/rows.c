#include "fit/fit.h"

#include "model/model.h"

#include <string.h>

enum {
    /* Rows of one fit: 200 MB of calls; a published table has a tenth of it. */
    ROWS_MAX = 500000,
    HASHED_ARGS = 20 /* all parameters; what a hash has seen stays */
};

typedef struct reading {
    ridge_fitting *fitting;
    ridge__columns columns;
    ridge__predictor predictor;
    ridge__time_column time;
    size_t qc;
    bool headed;
    size_t room;
} reading;

/* ---- One row ----------------------------------------------------------------------- */

static ridge_status read_header(reading *r, const char *data, size_t size,
                                ridge_error *err)
{
    const ridge_predict_options *options = &r->fitting->options;
    ridge_status status = ridge__csv_row_parse(r->predictor.row, data, size, err);
    if (!status)
        status = ridge__columns_read(&r->columns, r->predictor.row, options,
                                     &r->fitting->arena, err);
    if (status)
        return status;
    r->qc = RIDGE__NO_COLUMN;
    for (size_t i = 0; i < ridge__csv_row_count(r->predictor.row); i++)
        if (strcmp(ridge__csv_row_field(r->predictor.row, i, NULL), "qc") == 0)
            r->qc = i;
    if (r->fitting->pool && r->columns.gpu == RIDGE__NO_COLUMN)
        return ridge__error_set(err, RIDGE_SYNTAX,
                                "the header has no column \"gpu\"; constants of several "
                                "parts need one");
    r->headed = true;
    if (!ridge__time_column_find(&r->time, r->predictor.row))
        return ridge__error_set(err, RIDGE_SYNTAX,
                                "the header has no column of measured times; time_us, "
                                "time_ms, time_s, time_ns or time is wanted");
    return RIDGE_OK;
}

static void unused(reading *r, const char *why)
{
    if (r->fitting->unused++ == 0)
        r->fitting->unused_why = why;
}

static ridge_status keep(reading *r, const ridge__fit_entry *entry, ridge_error *err)
{
    enum {
        FIRST = 256
    };
    ridge_fitting *f = r->fitting;
    if (f->entry_count == ROWS_MAX)
        return ridge__error_set(err, RIDGE_LIMIT, "more than %d rows to fit", ROWS_MAX);
    if (f->entry_count == r->room) {
        size_t room = r->room ? 2 * r->room : FIRST;
        ridge__fit_entry *larger = ridge__arena_alloc(&f->arena, room * sizeof *larger);
        if (!larger)
            return ridge__error_set(err, RIDGE_NOMEM, "out of memory");
        if (f->entry_count > 0)
            memcpy(larger, f->entry, f->entry_count * sizeof *larger);
        f->entry = larger;
        r->room = room;
    }
    ridge__fit_entry *kept = &f->entry[f->entry_count++];
    *kept = *entry;
    /* Lists are text of the row, whose place the next row takes. */
    for (size_t i = 0; i < RIDGE_LIST_MAX; i++) {
        ridge_list *list = &kept->row.call.list[i];
        if (list->text)
            list->text = ridge__arena_copy(&f->arena, list->text, list->size);
    }
    return ridge__arena_ok(&f->arena)
               ? RIDGE_OK
               : ridge__error_set(err, RIDGE_NOMEM, "out of memory");
}

/* Of all parameters, whatever was measured. */
static uint64_t hash_of(const ridge_call *call)
{
    uint64_t h = RIDGE__HASH_START;
    for (size_t i = 0; i < HASHED_ARGS; i++) {
        uint64_t bits = 0;
        if (ridge_known(call->arg[i]))
            memcpy(&bits, &call->arg[i], sizeof bits);
        for (unsigned b = 0; b < sizeof bits; b++)
            h = ridge__hash_byte(h, (unsigned char)(bits >> (8 * b)));
    }
    return h;
}

/* The same with the lists, whose totals alone are parameters. */
static uint64_t shape_of(const ridge_call *call)
{
    uint64_t h = hash_of(call);
    for (size_t i = 0; i < RIDGE_LIST_MAX; i++)
        for (size_t b = 0; call->list[i].text && b < call->list[i].size; b++)
            h = ridge__hash_byte(h, (unsigned char)call->list[i].text[b]);
    return h;
}

/* Leaves a machine the constants of no part in particular. */
static void forget_own(ridge_machine *machine)
{
    machine->fits[RIDGE_LINK_PART].count = 0;
    machine->fits[RIDGE_LINK_ARCH].count = 0;
    machine->fits[RIDGE_LINK_LIKE].count = 0;
}

/* The call of a row, and what its estimate rests on: NULL, and why, if it is not used. */
static ridge_status read_entry(reading *r, ridge__fit_entry *entry, const char *data,
                               size_t size, ridge_error *err)
{
    ridge_estimate estimate;
    ridge__fit_row *row = &entry->row;
    ridge_status status =
        ridge__predictor_call(&row->call, &r->predictor, data, size, err);
    if (!status)
        status = ridge__time_column_read(&row->time_s, &r->time, r->predictor.row, err);
    if (status)
        return status;
    const char *qc = ridge__csv_row_field(r->predictor.row, r->qc, NULL);
    if (!ridge_known(row->time_s) || qc[0]) {
        unused(r, qc[0] ? "marked in the column qc" : "without a time");
        return RIDGE_OK;
    }
    /* The list owns them and hands them out to be read; no other thread is here. */
    row->machine = (ridge_machine *)r->predictor.machine;
    if (r->fitting->pool)
        forget_own(row->machine);
    status = ridge_estimate_call(&estimate, row->machine, &row->call, err);
    if (status)
        return status;
    if (!estimate.basis) {
        unused(r, "of a part whose units or clock are unknown");
        return RIDGE_OK;
    }
    row->user = row->machine->fits[RIDGE_LINK_USER].fit;
    row->user_count = row->machine->fits[RIDGE_LINK_USER].count;
    /* The share of the shapes that the row belongs to. */
    entry->fold = (unsigned)((hash_of(&row->call) >> 32) % RIDGE__FIT_FOLDS);
    row->hash = shape_of(&row->call);
    ridge_dtype dtype, kv_dtype;
    ridge__estimate_dtypes(&dtype, &kv_dtype, &estimate, row->machine, &row->call);
    row->dtype = 1u << dtype;
    row->kv_dtype = 1u << kv_dtype;
    entry->eager = strcmp(ridge__csv_row_field(r->predictor.row, r->columns.timing, NULL),
                          "eager") == 0;
    row->apart = entry->fold == 0;
    entry->start = estimate.basis;
    return RIDGE_OK;
}

static ridge_status take_row(void *ctx, const char *data, size_t size, ridge_error *err)
{
    reading *r = ctx;
    ridge_fitting *f = r->fitting;
    ridge__fit_entry entry = {.start = NULL};
    if (f->keep_text) {
        entry.text = ridge__arena_copy(&f->arena, data, size);
        entry.size = size;
        if (!entry.text)
            return ridge__error_set(err, RIDGE_NOMEM, "out of memory");
    }
    if (!r->headed) {
        f->header = entry.text;
        return read_header(r, data, size, err);
    }
    ridge_error why = {0};
    f->row_count++;
    ridge_status status = read_entry(r, &entry, data, size, &why);
    if (status && (!f->keep_text || status == RIDGE_NOMEM)) {
        ridge__table_place(&why, "", 0); /* the line is the reader's to add */
        if (err)
            *err = why;
        return status;
    }
    if (status)
        unused(r, ridge__arena_text(&f->arena, why.message));
    return entry.start || f->keep_text ? keep(r, &entry, err) : RIDGE_OK;
}

/* ---- Groups ------------------------------------------------------------------------ */

static bool same_group(const ridge__fit_group *g, const ridge__fit_entry *e)
{
    return g->start == e->start && g->made.backend == e->row.call.backend;
}

const char *ridge__fit_add_part(ridge__arena *arena, const char *list, const char *id)
{
    size_t size = strlen(id);
    if (list && ridge__words_hold(list, id))
        return list;
    size_t head = list ? strlen(list) + 1 : 0;
    char *longer = ridge__arena_alloc(arena, head + size + 1);
    if (longer)
        snprintf(longer, head + size + 1, "%s%s%s", list ? list : "", list ? " " : "",
                 id);
    return longer;
}

void ridge__fit_group_start(ridge__fit_group *g, const ridge_fit *start,
                            ridge_backend backend, const char *key)
{
    *g = (ridge__fit_group){.start = start, .made = *start};
    g->made.key = key;
    g->made.backend = backend;
    g->made.parts = NULL;
    g->made.reach_s = 0;
    const ridge__constant *schema = ridge__fit_schema(g->made.form, &g->constant_count);
    for (size_t i = 0; i < g->constant_count; i++)
        g->constant[i] = (ridge__fit_constant){.schema = &schema[i],
                                               .start = start->c[i],
                                               .value = start->c[i],
                                               .spread = RIDGE_UNKNOWN};
}

/* An entry that lists dtypes is made of what the rows are of: the others were not timed.  One
 * that lists none is of a kernel that goes by bytes, whatever they hold. */
static void narrow_dtypes(ridge__fit_group *g)
{
    uint32_t dtypes = 0, kv_dtypes = 0;
    for (size_t r = 0; r < g->row_count; r++) {
        dtypes |= g->row[r].dtype;
        kv_dtypes |= g->row[r].kv_dtype;
    }
    if (g->made.dtypes != UINT32_MAX)
        g->made.dtypes &= dtypes;
    if (g->made.kv_dtypes != UINT32_MAX)
        g->made.kv_dtypes &= kv_dtypes;
}

static ridge_status make_groups(ridge_fitting *f, ridge_error *err)
{
    const size_t count = f->entry_count;
    size_t *group_of = ridge__arena_alloc(&f->arena, (count + 1) * sizeof *group_of);
    f->group = ridge__arena_alloc(&f->arena, (count + 1) * sizeof *f->group);
    if (!group_of || !f->group)
        return ridge__error_set(err, RIDGE_NOMEM, "out of memory");
    for (size_t i = 0; i < count; i++) {
        const ridge__fit_entry *e = &f->entry[i];
        size_t g = 0;
        while (g < f->group_count && !same_group(&f->group[g], e))
            g++;
        if (g == f->group_count)
            ridge__fit_group_start(&f->group[f->group_count++], e->start,
                                   (ridge_backend)e->row.call.backend, f->key);
        f->group[g].row_count++;
        group_of[i] = g;
    }
    for (size_t g = 0; g < f->group_count; g++) {
        ridge__fit_group *group = &f->group[g];
        group->row = ridge__arena_alloc(&f->arena, group->row_count * sizeof *group->row);
        group->row_count = 0;
    }
    if (!ridge__arena_ok(&f->arena))
        return ridge__error_set(err, RIDGE_NOMEM, "out of memory");
    for (size_t i = 0; i < count; i++) {
        ridge__fit_group *g = &f->group[group_of[i]];
        const ridge__fit_row *row = &f->entry[i].row;
        g->row[g->row_count++] = *row;
        g->apart_count += row->apart;
        g->made.parts =
            ridge__fit_add_part(&f->arena, g->made.parts, ridge_machine_id(row->machine));
    }
    for (size_t g = 0; g < f->group_count; g++)
        narrow_dtypes(&f->group[g]);
    return ridge__arena_ok(&f->arena)
               ? RIDGE_OK
               : ridge__error_set(err, RIDGE_NOMEM, "out of memory");
}

/* The key of the file, where none is given: the part that all rows are of. */
static ridge_status find_key(ridge_fitting *f, ridge_error *err)
{
    for (size_t i = 0; !f->key && i < f->entry_count; i++) {
        const char *first = ridge_machine_id(f->entry[0].row.machine);
        const char *id = ridge_machine_id(f->entry[i].row.machine);
        if (strcmp(id, first) != 0)
            return ridge__error_set(err, RIDGE_INVALID,
                                    "the rows are of several parts (%s, %s); the key of "
                                    "their fit, as an architecture, is wanted",
                                    first, id);
    }
    if (!f->key && f->entry_count > 0)
        f->key = ridge__arena_text(&f->arena, ridge_machine_id(f->entry[0].row.machine));
    return RIDGE_OK;
}

ridge_status ridge__fitting_rows(ridge_fitting *f, const char *path, ridge_error *err)
{
    ridge_status status;
    ridge__input *input = NULL;
    ridge__row_reader rows;
    reading r = {.fitting = f};
    r.predictor.options = &f->options;
    r.predictor.columns = &r.columns;
    r.predictor.machines = &f->machines;
    ridge__row_reader_init(&rows, take_row, &r);
    RIDGE__TRY(ridge__csv_row_new(&r.predictor.row, NULL, err));
    RIDGE__TRY(ridge__input_open(&input, path, err));
    status = ridge__row_reader_input(&rows, input, err);
    if (!status)
        status = ridge__row_reader_end(&rows, err);
    if (status) {
        if (err)
            ridge__table_place(err, ridge__input_name(input), err->line);
        goto out;
    }
out:
    ridge__row_reader_clear(&rows);
    ridge__csv_row_free(r.predictor.row);
    ridge__input_close(input);
    return status;
}

ridge_status ridge__fitting_read(ridge_fitting *f, const char *path, ridge_error *err)
{
    ridge_status status = ridge__fitting_rows(f, path, err);
    if (!status)
        status = find_key(f, err);
    if (!status)
        status = make_groups(f, err);
    return status;
}
