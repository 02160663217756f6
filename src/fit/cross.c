/*
 * Each row predicted by constants that were fitted without it, by shapes: rows that share
 * an entry and a backend are one group, whose constants are fitted on four of five shares
 * of the shapes and predict the fifth.  cross_parts.c leaves out whole parts.
 *
 * Both start from the constants there are, with a prior too wide to hold them there; what
 * is not fitted (counts, constants that the rows do not determine) stays as it was.
 */
#include "fit/cross.h"

#include <stdlib.h>
#include <string.h>

static ridge_status no_memory(ridge_error *err)
{
    return ridge__error_set(err, RIDGE_NOMEM, "out of memory");
}

/* ---- Tasks ------------------------------------------------------------------------- */

/* Room for one more of `count` things; NULL without memory. */
static void *grown(ridge__arena *arena, void *list, size_t size, size_t count,
                   size_t *room)
{
    enum {
        FIRST = 64
    };
    if (count < *room)
        return list;
    *room = *room ? 2 * *room : FIRST;
    void *larger = ridge__arena_alloc(arena, *room * size);
    if (larger && count > 0)
        memcpy(larger, list, count * size);
    return larger;
}

size_t ridge__cross_add(ridge__cross *c, const ridge__cross_task *task)
{
    ridge__cross_task *list =
        grown(&c->f->arena, c->task, sizeof *list, c->task_count, &c->task_room);
    if (!list)
        return RIDGE__CROSS_NONE;
    c->task = list;
    list[c->task_count] = *task;
    return c->task_count++;
}

void ridge__cross_push(ridge__cross_list *list, size_t row)
{
    if (list->at)
        list->at[list->count] = row;
    list->count++;
}

bool ridge__cross_room(ridge__cross *c, ridge__cross_list *list, size_t count)
{
    list->at = ridge__arena_alloc(&c->f->arena, (count + 1) * sizeof *list->at);
    list->count = 0;
    return list->at != NULL;
}

ridge_status ridge__cross_find_machines(ridge__cross *c, ridge_error *err)
{
    ridge_fitting *f = c->f;
    size_t room = 0;
    c->machine_of =
        ridge__arena_alloc(&f->arena, (f->entry_count + 1) * sizeof *c->machine_of);
    if (!c->machine_of)
        return no_memory(err);
    for (size_t i = 0; i < f->entry_count; i++) {
        ridge_machine *machine = f->entry[i].row.machine;
        size_t m = 0;
        if (!f->entry[i].start)
            continue;
        while (m < c->machine_count && c->machine[m] != machine)
            m++;
        if (m == c->machine_count) {
            c->machine = grown(&f->arena, c->machine, sizeof(ridge_machine *), m, &room);
            if (!c->machine)
                return no_memory(err);
            c->machine[c->machine_count++] = machine;
        }
        c->machine_of[i] = m;
    }
    return RIDGE_OK;
}

ridge_machine *ridge__cross_machines(const ridge__cross *c)
{
    ridge_machine *copy = malloc((c->machine_count + 1) * sizeof *copy);
    for (size_t m = 0; copy && m < c->machine_count; m++)
        copy[m] = *c->machine[m];
    return copy;
}

ridge_status ridge__cross_bases(ridge__cross *c, ridge_error *err)
{
    ridge_fitting *f = c->f;
    ridge_machine *machine = ridge__cross_machines(c);
    if (!machine)
        return no_memory(err);
    for (size_t link = 0; link < RIDGE_LINK_STATED; link++) {
        const ridge_fit **basis =
            ridge__arena_alloc(&f->arena, (f->entry_count + 1) * sizeof *basis);
        c->basis[link] = basis;
        for (size_t i = 0; basis && i < f->entry_count; i++) {
            ridge_estimate e;
            if (f->entry[i].start && !ridge_estimate_call(&e, &machine[c->machine_of[i]],
                                                          &f->entry[i].row.call, NULL))
                basis[i] = e.basis;
        }
        for (size_t m = 0; m < c->machine_count; m++)
            machine[m].fits[link].count = 0;
    }
    free(machine);
    return ridge__arena_ok(&f->arena) ? RIDGE_OK : no_memory(err);
}

void ridge__cross_predict(ridge__fit_entry *e, const ridge_machine *machine)
{
    ridge_estimate estimate;
    if (ridge_estimate_call(&estimate, machine, &e->row.call, NULL))
        return;
    e->predicted = true;
    e->floor_s = estimate.floor_s;
    e->expected_s = estimate.expected_s;
    e->low_s = estimate.low_s;
    e->high_s = estimate.high_s;
    e->bound = estimate.bound;
    e->basis = estimate.basis;
}

/*
 * On machines that know no other constants: whatever the row's backend, these answer.  A
 * module's are of its library, and its products and its kernel have their own as they are.
 */
static void run_task(void *ctx, unsigned worker, size_t i)
{
    ridge__cross *c = ctx;
    ridge__cross_task *t = &c->task[i];
    ridge__fit_group group;
    (void)worker;
    if (t->train.count + t->apply.count == 0) {
        t->kept = true;
        return;
    }
    ridge__fit_group_start(&group, t->start, t->backend, t->start->key);
    group.row = malloc((t->train.count + 1) * sizeof *group.row);
    ridge_machine *machine = ridge__cross_machines(c);
    if (!group.row || !machine) {
        c->failed = true;
        goto out;
    }
    for (size_t m = 0; m < c->machine_count && t->start->form != RIDGE_FIT_MODULE; m++)
        for (size_t link = 0; link < RIDGE__COUNT(machine[m].fits); link++)
            machine[m].fits[link].count = 0;
    group.row_count = t->train.count;
    for (size_t r = 0; r < t->train.count; r++) {
        group.row[r] = c->f->entry[t->train.at[r]].row;
        group.row[r].machine = &machine[c->machine_of[t->train.at[r]]];
        group.row[r].apart = false;
    }
    bool fitted = false;
    if (!ridge__fit_train(&group, &fitted))
        c->failed = true;
    t->kept = !fitted;
    t->made = group.made;
    if (t->kept)
        t->made.parts = t->start->parts;
    for (size_t r = 0; r < t->apply.count; r++) {
        ridge_machine *own = &machine[c->machine_of[t->apply.at[r]]];
        own->fits[RIDGE_LINK_USER].fit = &t->made;
        own->fits[RIDGE_LINK_USER].count = 1;
        ridge__fit_entry *e = &c->f->entry[t->apply.at[r]];
        ridge__cross_predict(e, own);
        t->expected_s[r] = e->predicted ? e->expected_s : RIDGE_UNKNOWN;
    }
out:
    free(group.row);
    free(machine);
}

ridge_status ridge__cross_tasks(ridge__cross *c, ridge_error *err)
{
    for (size_t i = 0; i < c->task_count; i++) {
        ridge__cross_task *t = &c->task[i];
        t->expected_s = ridge__arena_alloc(&c->f->arena,
                                           (t->apply.count + 1) * sizeof *t->expected_s);
        if (!t->expected_s)
            return no_memory(err);
    }
    ridge__pool_run(c->task_count, c->f->options.threads, run_task, c);
    return c->failed ? no_memory(err) : RIDGE_OK;
}

/* ---- By shapes --------------------------------------------------------------------- */

/* The first of the five tasks of a row's group. */
static size_t group_of(ridge__cross *c, const ridge__fit_entry *e)
{
    const ridge_backend backend = (ridge_backend)e->row.call.backend;
    const ridge__cross_task new = {.start = e->start, .backend = backend};
    size_t first = 0;
    while (first < c->task_count &&
           (c->task[first].start != e->start || c->task[first].backend != backend))
        first += RIDGE__FIT_FOLDS;
    for (size_t k = 0; first == c->task_count - k && k < RIDGE__FIT_FOLDS; k++)
        if (ridge__cross_add(c, &new) == RIDGE__CROSS_NONE)
            return RIDGE__CROSS_NONE;
    return first;
}

static ridge_status share_out(ridge__cross *c, ridge_error *err)
{
    ridge_fitting *f = c->f;
    for (size_t i = 0; i < f->entry_count; i++) {
        const ridge__fit_entry *e = &f->entry[i];
        if (!e->start)
            continue;
        size_t first = group_of(c, e);
        if (first == RIDGE__CROSS_NONE)
            return no_memory(err);
        for (size_t k = 0; k < RIDGE__FIT_FOLDS; k++) {
            ridge__cross_task *t = &c->task[first + k];
            ridge__cross_push(k == e->fold ? &t->apply : &t->train, i);
        }
    }
    return RIDGE_OK;
}

/*
 * Intervals of the rows of one share: percentiles of the errors of the other shares, each
 * row's by the constants that were fitted without it.
 */
static bool widen(ridge__cross *c, size_t first, size_t fold, ridge__fit_sample *sample)
{
    size_t n = 0;
    for (size_t k = 0; k < RIDGE__FIT_FOLDS; k++) {
        const ridge__cross_list *rows = &c->task[first + k].apply;
        for (size_t r = 0; k != fold && r < rows->count; r++) {
            const ridge__fit_entry *e = &c->f->entry[rows->at[r]];
            if (e->predicted && ridge_known(e->expected_s) && !e->eager)
                sample[n++] = (ridge__fit_sample){e->expected_s,
                                                  log(e->expected_s / e->row.time_s)};
        }
    }
    ridge_fit fit = c->task[first + fold].made;
    if (!ridge__fit_spread_make(&fit, sample, n, 1))
        return false;
    const ridge__cross_list *rows = &c->task[first + fold].apply;
    for (size_t r = 0; r < rows->count; r++) {
        ridge__fit_entry *e = &c->f->entry[rows->at[r]];
        double low, high;
        ridge__fit_spread(&fit, e->expected_s, &low, &high);
        e->low_s = ridge__min(ridge__max(e->expected_s * low, e->floor_s), e->expected_s);
        e->high_s = e->expected_s * high;
    }
    return true;
}

static ridge_status by_shapes(ridge__cross *c, ridge_error *err)
{
    ridge_status status = share_out(c, err); /* to count */
    for (size_t i = 0; !status && i < c->task_count; i++) {
        ridge__cross_task *t = &c->task[i];
        if (!ridge__cross_room(c, &t->train, t->train.count) ||
            !ridge__cross_room(c, &t->apply, t->apply.count))
            status = no_memory(err);
    }
    if (!status)
        status = share_out(c, err);
    if (!status)
        status = ridge__cross_tasks(c, err);
    if (status)
        return status;
    ridge__fit_sample *sample =
        ridge__arena_alloc(&c->f->arena, (c->f->entry_count + 1) * sizeof *sample);
    if (!sample)
        return no_memory(err);
    for (size_t i = 0; i < c->task_count; i++)
        if (!widen(c, i - i % RIDGE__FIT_FOLDS, i % RIDGE__FIT_FOLDS, sample))
            return no_memory(err);
    return RIDGE_OK;
}

/* ---- The rows ---------------------------------------------------------------------- */

static ridge_status write_rows(const ridge_fitting *f, ridge_sink sink, ridge_error *err)
{
    enum {
        PIECE = 1 << 16
    };
    ridge_status status = RIDGE_OK;
    ridge__str out;
    ridge__str_init(&out, 0, NULL);
    ridge__str_format(&out, "%s%s\n", f->header ? f->header : "",
                      ridge__prediction_header);
    for (size_t i = 0; !status && i < f->entry_count; i++) {
        const ridge__fit_entry *e = &f->entry[i];
        const ridge_estimate estimate = {.floor_s = e->floor_s,
                                         .expected_s = e->expected_s,
                                         .low_s = e->low_s,
                                         .high_s = e->high_s,
                                         .bound = e->bound};
        ridge__str_add(&out, e->text, e->size);
        ridge__prediction_cells(&out, e->predicted ? &estimate : NULL);
        ridge__str_text(&out, "\n");
        if (out.size > PIECE) {
            status = ridge__str_send(&out, sink, err);
            ridge__str_reset(&out);
        }
    }
    if (!status)
        status = ridge__str_send(&out, sink, err);
    ridge__str_clear(&out);
    return status;
}

/* Whether a row is predicted by constants that rows of its part were among. */
static bool has_seen(const ridge__fit_entry *e)
{
    return e->predicted && e->basis && e->basis->parts &&
           ridge__words_hold(e->basis->parts, ridge_machine_id(e->row.machine));
}

/* Takes back what only constants that have seen the part can predict: a score of it would
 * be one in sample. */
static void take_back_seen(ridge__cross *c)
{
    ridge_fitting *f = c->f;
    for (size_t i = 0; i < f->entry_count; i++)
        if (has_seen(&f->entry[i])) {
            f->entry[i].predicted = false;
            c->taken_back++;
        }
}

static void summarize(ridge_cross_summary *out, const ridge__cross *c)
{
    const ridge_fitting *f = c->f;
    *out = (ridge_cross_summary){
        .rows = f->row_count, .unused = f->unused, .kept = c->taken_back};
    for (size_t i = 0; i < f->entry_count; i++) {
        out->predicted += f->entry[i].predicted;
        out->kept += has_seen(&f->entry[i]);
    }
    snprintf(out->first, sizeof out->first, "%s", f->unused_why ? f->unused_why : "");
}

ridge_status ridge_cross_run(const char *path, const ridge_predict_options *options,
                             ridge_cross how, ridge_sink sink,
                             ridge_cross_summary *summary, ridge_error *err)
{
    ridge_status status = RIDGE_OK;
    if (!options->op)
        return ridge__error_set(err, RIDGE_INVALID,
                                "no op is given; an op or a family is wanted");
    ridge_fitting *f = calloc(1, sizeof *f);
    if (!f)
        return no_memory(err);
    ridge__cross c = {.f = f};
    f->options = *options;
    f->keep_text = true;
    ridge__arena_init(&f->arena, NULL);
    ridge__machines_init(&f->machines, &f->options, NULL);
    RIDGE__TRY(ridge__fitting_rows(f, path, err));
    if (!f->header)
        RIDGE__TRY(ridge__error_set(err, RIDGE_SYNTAX,
                                    "no header; a line with the names of the columns is "
                                    "wanted"));
    RIDGE__TRY(ridge__cross_find_machines(&c, err));
    if (how == RIDGE_CROSS_SPREAD)
        RIDGE__TRY(ridge__cross_intervals(&c, sink, err));
    if (how == RIDGE_CROSS_PARTS)
        RIDGE__TRY(ridge__cross_parts(&c, err));
    if (how == RIDGE_CROSS_PARTS)
        take_back_seen(&c);
    if (how == RIDGE_CROSS_SHAPES)
        RIDGE__TRY(by_shapes(&c, err));
    if (how != RIDGE_CROSS_SPREAD)
        RIDGE__TRY(write_rows(f, sink, err));
    if (summary)
        summarize(summary, &c);
    if (summary && how == RIDGE_CROSS_SPREAD)
        summary->kept = 0; /* no row was predicted */
out:
    ridge_fitting_free(f);
    return status;
}
