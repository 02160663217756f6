/*
 * The spread of entries that there are, without touching their constants: of an
 * architecture's or a part's from the errors of its own parts' rows, widened for what the
 * constants have seen of them; of one of "any" from architectures that were left out.
 */
#include "fit/cross.h"

#include <stdlib.h>
#include <string.h>

/* One entry that rows rest on. */
typedef struct entry {
    const ridge_fit *fit;
    size_t link, place; /* in its file */
    size_t rows;
    ridge_fit made; /* with the new spread */
} entry;

typedef struct entries {
    entry *list;
    size_t count;
} entries;

enum {
    ENTRIES_MAX = 4096
};

static ridge_status no_memory(ridge_error *err)
{
    return ridge__error_set(err, RIDGE_NOMEM, "out of memory");
}

static bool own_row(const ridge__cross *c, size_t i, size_t link, const ridge_fit *fit)
{
    if (c->basis[link][i] != fit)
        return false;
    if (link ==
        RIDGE_LINK_ANY) /* one that no rows stand behind has no spread of theirs */
        return ridge_known(fit->mape);
    return fit->parts &&
           ridge__words_hold(fit->parts, ridge_machine_id(c->f->entry[i].row.machine));
}

/* Where a fit stands in the files of a machine; false: at another link. */
static bool place_of(const ridge_machine *m, size_t link, const ridge_fit *fit,
                     size_t *out)
{
    for (size_t i = 0; i < m->fits[link].count; i++)
        if (&m->fits[link].fit[i] == fit) {
            *out = i;
            return true;
        }
    return false;
}

/* Entries of the rows' own parts, and those of "any" that the rows would use. */
static ridge_status find_entries(entries *out, const ridge__cross *c, ridge_error *err)
{
    static const size_t links[] = {RIDGE_LINK_USER, RIDGE_LINK_ANY};
    out->list = ridge__arena_alloc(&c->f->arena, ENTRIES_MAX * sizeof *out->list);
    if (!out->list)
        return no_memory(err);
    for (size_t i = 0; i < c->f->entry_count; i++)
        for (size_t l = 0; c->f->entry[i].start && l < RIDGE__COUNT(links); l++) {
            const ridge_fit *fit = c->basis[links[l]][i];
            size_t k = 0, place = 0, link = RIDGE_LINK_PART;
            if (!fit || !own_row(c, i, links[l], fit))
                continue;
            while (link < RIDGE_LINK_STATED &&
                   !place_of(c->f->entry[i].row.machine, link, fit, &place))
                link++;
            if (link == RIDGE_LINK_STATED ||
                (link == RIDGE_LINK_ANY) != (links[l] == RIDGE_LINK_ANY))
                continue;
            while (k < out->count && out->list[k].fit != fit)
                k++;
            if (k == ENTRIES_MAX)
                return ridge__error_set(err, RIDGE_LIMIT, "more than %d entries",
                                        ENTRIES_MAX);
            if (k == out->count)
                out->list[out->count++] =
                    (entry){.fit = fit, .link = link, .place = place, .made = *fit};
            out->list[k].rows++;
        }
    return RIDGE_OK;
}

/* The spread of rows that the constants have seen, as solve.c widens it. */
static bool spread_own(const ridge__cross *c, entry *e, ridge__fit_sample *sample)
{
    ridge__fit_group group;
    size_t n = 0;
    ridge__fit_group_start(&group, e->fit, e->fit->backend, e->fit->key);
    group.row = malloc((c->f->entry_count + 1) * sizeof *group.row);
    for (size_t i = 0; group.row && i < c->f->entry_count; i++) {
        const ridge__fit_row *row = &c->f->entry[i].row;
        ridge_estimate estimate;
        if (!c->f->entry[i].start || c->f->entry[i].eager ||
            !own_row(c, i, RIDGE_LINK_USER, e->fit) ||
            ridge_estimate_call(&estimate, row->machine, &row->call, NULL) ||
            !ridge_known(estimate.expected_s))
            continue;
        group.row[n] = *row;
        sample[n++] = (ridge__fit_sample){estimate.expected_s,
                                          log(estimate.expected_s / row->time_s)};
    }
    bool done = group.row != NULL;
    group.row_count = e->rows = n;
    if (done && n >= RIDGE__CROSS_ROWS) {
        double seen = (double)ridge__fit_determined(&group), rows = (double)n;
        double wider = rows > 2 * seen ? sqrt((rows + seen) / (rows - seen)) : 1.5;
        done = ridge__fit_spread_make(&e->made, sample, n, wider);
    }
    free(group.row);
    return done;
}

static ridge_status write_entries(const entries *list, ridge_sink sink, ridge_error *err)
{
    ridge__str out;
    ridge__str_init(&out, 0, NULL);
    ridge__str_text(&out, "key;place;op;rows;low;high;left_out;vendor;bands\n");
    for (size_t i = 0; i < list->count; i++) {
        const entry *e = &list->list[i];
        char low[32], high[32];
        if (e->rows < RIDGE__CROSS_ROWS)
            continue;
        ridge__number_format(low, e->made.low, 4);
        ridge__number_format(high, e->made.high, 4);
        ridge__str_format(&out, "%s;%zu;%s;%zu;%s;%s;%s;%s;", e->fit->key, e->place,
                          e->fit->op, e->rows, low, high, e->made.unseen ? "parts" : "",
                          e->made.unseen && e->made.vendor ? e->made.vendor : "");
        ridge__fit_bands_write(&out, &e->made);
        ridge__str_text(&out, "\n");
    }
    ridge_status status = ridge__str_send(&out, sink, err);
    ridge__str_clear(&out);
    return status;
}

static ridge_status fill(ridge__cross *c, entries *list, ridge_error *err)
{
    ridge__pools pools = {.count = 0};
    ridge_status status = RIDGE_OK;
    ridge__fit_sample *sample = malloc((c->f->entry_count + 1) * sizeof *sample);
    if (!sample)
        return no_memory(err);
    for (size_t i = 0; i < list->count; i++)
        if (list->list[i].link == RIDGE_LINK_ANY &&
            ridge__pools_find(&pools, c, list->list[i].fit) == RIDGE__CROSS_NONE)
            status = no_memory(err);
    if (!status)
        status = ridge__cross_tasks(c, err);
    if (!status && !ridge__pools_judge(&pools, c))
        status = no_memory(err);
    for (size_t i = 0; !status && i < list->count; i++) {
        entry *e = &list->list[i];
        if (e->link == RIDGE_LINK_ANY)
            ridge__pools_spread(&e->made, &pools, e->fit, RIDGE__CROSS_NONE);
        else if (!spread_own(c, e, sample))
            status = no_memory(err);
    }
    free(sample);
    return status;
}

ridge_status ridge__cross_intervals(ridge__cross *c, ridge_sink sink, ridge_error *err)
{
    entries list = {.count = 0};
    ridge_status status = ridge__cross_bases(c, err);
    if (!status)
        status = find_entries(&list, c, err);
    if (!status)
        status = fill(c, &list, err);
    if (!status)
        status = write_entries(&list, sink, err);
    return status;
}
