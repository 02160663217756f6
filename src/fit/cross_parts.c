/*
 * Whole parts left out: every entry that rows of a part helped to make (its `parts`) is made
 * again for that part from the rows of others that would use it: for an entry of the
 * architecture those of its other parts, for one of "any" those of other architectures.
 * Where those are too few the entry is gone, and the part looks further down the chain, as
 * one would that nobody measured.  An entry of "any" that no others' rows would use stays.
 *
 * How far off an entry of "any" is for a part that nobody measured is seen by leaving out
 * one architecture after another: pooled.c.
 */
#include "fit/cross.h"

#include <stdlib.h>
#include <string.h>

enum {
    LINKS = RIDGE_LINK_STATED /* of ridge_machine.fits */
};
#define STAYS (RIDGE__CROSS_NONE - 1) /* as it is, for want of rows */

/* A part that is left out, and the chain that is left for it. */
typedef struct part {
    const char *id;
    const ridge_machine *machine; /* the first of its */
    struct {
        ridge_fit *fit;        /* copies */
        const ridge_fit **was; /* what each is a copy of */
        size_t *task;          /* that makes it again, NONE or STAYS */
        size_t count;
    } link[LINKS];
} part;

typedef struct parts {
    ridge__cross *c;
    part *part;
    size_t count;
    size_t *of; /* by machine */
    ridge__pools pools;
} parts;

static ridge_status no_memory(ridge_error *err)
{
    return ridge__error_set(err, RIDGE_NOMEM, "out of memory");
}

static ridge_status find_parts(parts *p, ridge_error *err)
{
    ridge__cross *c = p->c;
    p->part = ridge__arena_alloc(&c->f->arena, (c->machine_count + 1) * sizeof *p->part);
    p->of = ridge__arena_alloc(&c->f->arena, (c->machine_count + 1) * sizeof *p->of);
    if (!p->part || !p->of)
        return no_memory(err);
    for (size_t m = 0; m < c->machine_count; m++) {
        size_t i = 0;
        const char *id = ridge_machine_id(c->machine[m]);
        while (i < p->count && strcmp(p->part[i].id, id) != 0)
            i++;
        p->of[m] = i;
        if (i == p->count)
            p->part[p->count++] = (part){.id = id, .machine = c->machine[m]};
    }
    return RIDGE_OK;
}

/* Rows of other parts that would use an entry of a link. */
static size_t others(const parts *p, size_t link, const ridge_fit *fit, size_t without,
                     ridge__cross_list *list)
{
    const ridge_fit *const *basis = p->c->basis[link];
    size_t count = 0;
    for (size_t i = 0; i < p->c->f->entry_count; i++)
        if (basis[i] == fit && p->of[p->c->machine_of[i]] != without) {
            count++;
            if (list)
                ridge__cross_push(list, i);
        }
    return count;
}

/* One of "any" that does not say whose rows made it was made by all. */
static bool helped(const part *own, size_t link, const ridge_fit *fit)
{
    if (!fit->parts)
        return link == RIDGE_LINK_ANY && ridge_known(fit->mape);
    return ridge__words_hold(fit->parts, own->id);
}

/*
 * An entry of an op that the table is not of, which a module's parts are estimated by: made
 * of several parts it stays, as it would be without one of them; of this part alone it goes.
 */
static bool of_others(const parts *p, size_t link, const ridge_fit *fit)
{
    for (size_t i = 0; i < p->c->f->entry_count; i++)
        if (p->c->basis[link][i] == fit)
            return false;
    return strchr(fit->parts, ' ') != NULL;
}

/* The chain of a part without what its rows helped to make, and others do not. */
static ridge_status make_chain(parts *p, size_t x, ridge_error *err)
{
    ridge__arena *arena = &p->c->f->arena;
    part *own = &p->part[x];
    for (size_t link = 0; link < LINKS; link++) {
        const ridge_fit *fit = own->machine->fits[link].fit;
        size_t count = own->machine->fits[link].count, n = 0;
        own->link[link].fit = ridge__arena_alloc(arena, (count + 1) * sizeof *fit);
        own->link[link].was =
            ridge__arena_alloc(arena, (count + 1) * sizeof *own->link[link].was);
        own->link[link].task =
            ridge__arena_alloc(arena, (count + 1) * sizeof *own->link[link].task);
        if (!ridge__arena_ok(arena))
            return no_memory(err);
        for (size_t i = 0; i < count; i++) {
            if (helped(own, link, &fit[i]) && link != RIDGE_LINK_ANY &&
                (link == RIDGE_LINK_PART ||
                 others(p, link, &fit[i], x, NULL) < RIDGE__CROSS_ROWS) &&
                !of_others(p, link, &fit[i]))
                continue;
            own->link[link].fit[n] = fit[i];
            own->link[link].was[n] = &fit[i];
            own->link[link].task[n++] = RIDGE__CROSS_NONE;
        }
        own->link[link].count = n;
    }
    return RIDGE_OK;
}

static void use_chain(ridge_machine *machine, const part *own)
{
    for (size_t link = 0; link < LINKS; link++) {
        machine->fits[link].fit = own->link[link].fit;
        machine->fits[link].count = own->link[link].count;
    }
}

/* The task that makes entry i of a link again without the part; NONE without memory. */
static size_t task_for(parts *p, size_t x, size_t link, size_t i)
{
    const ridge_fit *was = p->part[x].link[link].was[i];
    if (link == RIDGE_LINK_ANY) {
        size_t first = ridge__pools_find(&p->pools, p->c, was);
        if (first == RIDGE__CROSS_NONE)
            return first;
        first += ridge__pools_arch(&p->pools, p->part[x].machine);
        return p->c->task[first].train.count < RIDGE__CROSS_ROWS ? STAYS : first;
    }
    ridge__cross_task t = {.start = was, .backend = was->backend, .part = x};
    size_t at = ridge__cross_add(p->c, &t);
    ridge__cross_list *train = at == RIDGE__CROSS_NONE ? NULL : &p->c->task[at].train;
    if (train && ridge__cross_room(p->c, train, others(p, link, was, x, NULL)))
        others(p, link, was, x, train);
    return at;
}

/* A task for what a row of the part rests on now, if the part helped to make it. */
static ridge_status need(parts *p, size_t x, const ridge_fit *basis, ridge_error *err)
{
    part *own = &p->part[x];
    for (size_t link = 0; link < LINKS; link++)
        for (size_t i = 0; i < own->link[link].count; i++) {
            const ridge_fit *fit = &own->link[link].fit[i];
            size_t *task = &own->link[link].task[i];
            if (fit != basis || *task != RIDGE__CROSS_NONE || !helped(own, link, fit))
                continue;
            *task = task_for(p, x, link, i);
            if (*task == RIDGE__CROSS_NONE)
                return no_memory(err);
        }
    return RIDGE_OK;
}

static ridge_status find_needs(parts *p, ridge_error *err)
{
    ridge__cross *c = p->c;
    ridge_status status = RIDGE_OK;
    ridge_machine *machine = ridge__cross_machines(c);
    if (!machine)
        return no_memory(err);
    for (size_t m = 0; m < c->machine_count; m++)
        use_chain(&machine[m], &p->part[p->of[m]]);
    for (size_t i = 0; !status && i < c->f->entry_count; i++) {
        ridge_estimate e;
        size_t m = c->machine_of[i];
        if (c->f->entry[i].start &&
            !ridge_estimate_call(&e, &machine[m], &c->f->entry[i].row.call, NULL) &&
            e.basis)
            status = need(p, p->of[m], e.basis, err);
    }
    free(machine);
    return status;
}

/* "a b c" of the parts whose rows a task is fitted to. */
static const char *names_of(const parts *p, const ridge__cross_task *t)
{
    ridge__arena *arena = &p->c->f->arena;
    const char *names = NULL;
    for (size_t r = 0; r < t->train.count; r++)
        names = ridge__fit_add_part(arena, names,
                                    p->part[p->of[p->c->machine_of[t->train.at[r]]]].id);
    return names;
}

/* Puts what the tasks made where it belongs. */
static bool fill_chains(parts *p)
{
    if (!ridge__pools_judge(&p->pools, p->c))
        return false;
    for (size_t x = 0; x < p->count; x++)
        for (size_t link = 0; link < LINKS; link++)
            for (size_t i = 0; i < p->part[x].link[link].count; i++) {
                size_t at = p->part[x].link[link].task[i];
                const ridge_fit *was = p->part[x].link[link].was[i];
                ridge_fit *fit = &p->part[x].link[link].fit[i];
                if (at == RIDGE__CROSS_NONE)
                    continue;
                if (at != STAYS) {
                    *fit = p->c->task[at].made;
                    fit->key = was->key;
                    fit->parts = names_of(p, &p->c->task[at]);
                }
                if (link == RIDGE_LINK_ANY)
                    ridge__pools_spread(fit, &p->pools, was,
                                        ridge__pools_arch(&p->pools, p->part[x].machine));
            }
    return true;
}

static void predict_part(void *ctx, unsigned worker, size_t x)
{
    parts *p = ctx;
    ridge__cross *c = p->c;
    ridge_machine *machine = ridge__cross_machines(c);
    (void)worker;
    if (!machine) {
        c->failed = true;
        return;
    }
    for (size_t m = 0; m < c->machine_count; m++)
        use_chain(&machine[m], &p->part[x]);
    for (size_t i = 0; i < c->f->entry_count; i++)
        if (c->f->entry[i].start && p->of[c->machine_of[i]] == x)
            ridge__cross_predict(&c->f->entry[i], &machine[c->machine_of[i]]);
    free(machine);
}

ridge_status ridge__cross_parts(ridge__cross *c, ridge_error *err)
{
    parts p = {.c = c};
    ridge_status status = find_parts(&p, err);
    if (!status)
        status = ridge__cross_bases(c, err);
    for (size_t x = 0; !status && x < p.count; x++)
        status = make_chain(&p, x, err);
    if (!status)
        status = find_needs(&p, err);
    if (!status)
        status = ridge__cross_tasks(c, err);
    if (!status && !fill_chains(&p))
        status = no_memory(err);
    if (status)
        return status;
    ridge__pool_run(p.count, c->f->options.threads, predict_part, &p);
    return c->failed ? no_memory(err) : RIDGE_OK;
}
