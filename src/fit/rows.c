#include "fit/fit.h"

#include <string.h>

enum {
    /* Rows of one fit: 200 MB of calls; a published table has a tenth of it. */
    ROWS_MAX = 500000,
    APART = 5 /* one shape in so many is kept apart */
};

typedef struct reading {
    ridge_fitting *fitting;
    ridge__columns columns;
    ridge__predictor predictor;
    ridge__time_column time;
    size_t qc;
    bool headed;
    struct entry {
        ridge__fit_row row;
        const ridge_fit *start;
    } * entry;
    size_t count, room;
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

static ridge_status keep(reading *r, const struct entry *entry, ridge_error *err)
{
    enum {
        FIRST = 256
    };
    if (r->count == ROWS_MAX)
        return ridge__error_set(err, RIDGE_LIMIT, "more than %d rows to fit", ROWS_MAX);
    if (r->count == r->room) {
        size_t room = r->room ? 2 * r->room : FIRST;
        struct entry *larger =
            ridge__arena_alloc(&r->fitting->arena, room * sizeof *larger);
        if (!larger)
            return ridge__error_set(err, RIDGE_NOMEM, "out of memory");
        if (r->count > 0)
            memcpy(larger, r->entry, r->count * sizeof *larger);
        r->entry = larger;
        r->room = room;
    }
    r->entry[r->count++] = *entry;
    return RIDGE_OK;
}

/* True if rows of this shape are kept apart: all of them, whatever was measured. */
static bool kept_apart(const ridge_call *call)
{
    uint64_t h = RIDGE__HASH_START;
    for (size_t i = 0; i < RIDGE_ARG_MAX; i++) {
        uint64_t bits = 0;
        if (ridge_known(call->arg[i]))
            memcpy(&bits, &call->arg[i], sizeof bits);
        for (unsigned b = 0; b < sizeof bits; b++)
            h = ridge__hash_byte(h, (unsigned char)(bits >> (8 * b)));
    }
    return (h >> 32) % APART == 0;
}

/* Leaves a machine the constants of no part in particular. */
static void forget_own(ridge_machine *machine)
{
    machine->fits[RIDGE_LINK_PART].count = 0;
    machine->fits[RIDGE_LINK_ARCH].count = 0;
    machine->fits[RIDGE_LINK_LIKE].count = 0;
}

static ridge_status take_row(void *ctx, const char *data, size_t size, ridge_error *err)
{
    reading *r = ctx;
    struct entry entry = {.start = NULL};
    ridge_estimate estimate;
    if (!r->headed)
        return read_header(r, data, size, err);
    ridge_status status =
        ridge__predictor_call(&entry.row.call, &r->predictor, data, size, err);
    if (!status)
        status =
            ridge__time_column_read(&entry.row.time_s, &r->time, r->predictor.row, err);
    if (status)
        return status;
    r->fitting->row_count++;
    const char *qc = ridge__csv_row_field(r->predictor.row, r->qc, NULL);
    if (!ridge_known(entry.row.time_s) || qc[0]) {
        unused(r, qc[0] ? "marked in the column qc" : "without a time");
        return RIDGE_OK;
    }
    /* The list owns them and hands them out to be read; no other thread is here. */
    entry.row.machine = (ridge_machine *)r->predictor.machine;
    if (r->fitting->pool)
        forget_own(entry.row.machine);
    status = ridge_estimate_call(&estimate, entry.row.machine, &entry.row.call, err);
    if (status)
        return status;
    if (!estimate.basis) {
        unused(r, "of a part whose units or clock are unknown");
        return RIDGE_OK;
    }
    entry.row.user = entry.row.machine->fits[RIDGE_LINK_USER].fit;
    entry.row.user_count = entry.row.machine->fits[RIDGE_LINK_USER].count;
    entry.row.apart = kept_apart(&entry.row.call);
    entry.start = estimate.basis;
    return keep(r, &entry, err);
}

/* ---- Groups ------------------------------------------------------------------------ */

static bool same_group(const ridge__fit_group *g, const struct entry *e)
{
    return g->start == e->start && g->made.backend == e->row.call.backend;
}

/* Appends `id` to a list of words separated by blanks, once. */
static const char *add_part(ridge__arena *arena, const char *list, const char *id)
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

static void group_start(ridge__fit_group *g, const struct entry *e, const char *key)
{
    g->start = e->start;
    g->made = *e->start;
    g->made.key = key;
    g->made.backend = (ridge_backend)e->row.call.backend;
    g->made.parts = NULL;
    g->made.reach_s = 0;
    const ridge__constant *schema = ridge__fit_schema(g->made.form, &g->constant_count);
    for (size_t i = 0; i < g->constant_count; i++)
        g->constant[i] = (ridge__fit_constant){.schema = &schema[i],
                                               .start = g->start->c[i],
                                               .value = g->start->c[i],
                                               .spread = RIDGE_UNKNOWN};
}

static ridge_status make_groups(reading *r, ridge_error *err)
{
    ridge_fitting *f = r->fitting;
    size_t *group_of = ridge__arena_alloc(&f->arena, (r->count + 1) * sizeof *group_of);
    f->group = ridge__arena_alloc(&f->arena, (r->count + 1) * sizeof *f->group);
    if (!group_of || !f->group)
        return ridge__error_set(err, RIDGE_NOMEM, "out of memory");
    for (size_t i = 0; i < r->count; i++) {
        size_t g = 0;
        while (g < f->group_count && !same_group(&f->group[g], &r->entry[i]))
            g++;
        if (g == f->group_count)
            group_start(&f->group[f->group_count++], &r->entry[i], f->key);
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
    for (size_t i = 0; i < r->count; i++) {
        ridge__fit_group *g = &f->group[group_of[i]];
        g->row[g->row_count++] = r->entry[i].row;
        g->apart_count += r->entry[i].row.apart;
        g->made.parts =
            add_part(&f->arena, g->made.parts, ridge_machine_id(r->entry[i].row.machine));
    }
    return ridge__arena_ok(&f->arena)
               ? RIDGE_OK
               : ridge__error_set(err, RIDGE_NOMEM, "out of memory");
}

/* The key of the file, where none is given: the part that all rows are of. */
static ridge_status find_key(reading *r, ridge_error *err)
{
    ridge_fitting *f = r->fitting;
    for (size_t i = 0; !f->key && i < r->count; i++) {
        const char *id = ridge_machine_id(r->entry[i].row.machine);
        if (strcmp(id, ridge_machine_id(r->entry[0].row.machine)) != 0)
            return ridge__error_set(err, RIDGE_INVALID,
                                    "the rows are of several parts (%s, %s); the key of "
                                    "their fit, as an architecture, is wanted",
                                    ridge_machine_id(r->entry[0].row.machine), id);
    }
    if (!f->key && r->count > 0)
        f->key = ridge__arena_text(&f->arena, ridge_machine_id(r->entry[0].row.machine));
    return RIDGE_OK;
}

ridge_status ridge__fitting_read(ridge_fitting *f, const char *path, ridge_error *err)
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
    RIDGE__TRY(find_key(&r, err));
    RIDGE__TRY(make_groups(&r, err));
out:
    ridge__row_reader_clear(&rows);
    ridge__csv_row_free(r.predictor.row);
    ridge__input_close(input);
    return status;
}
