/*
 * Whole parts left out: every entry that rows of a part helped to make (its `parts`) is made
 * again for that part from the rows of the others that would use it: for an entry of the
 * architecture those of its other parts, for one of "any" all others.  Where those are too
 * few the entry is gone, and the part looks further down the chain, as one would that
 * nobody measured.  An entry of "any" that no others' rows would use stays.
 */
#include "fit/cross.h"

#include <stdlib.h>
#include <string.h>

enum {
    LINKS = RIDGE_LINK_STATED, /* of ridge_machine.fits */
    OTHERS_MIN = 20            /* rows of other parts that make an entry again */
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
    /* What a row's estimate would rest on without the links before, by entry. */
    const ridge_fit **basis[LINKS];
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

/* Fills `basis`: the constants of the part alone are never those of another. */
static ridge_status find_bases(parts *p, ridge_error *err)
{
    ridge__cross *c = p->c;
    ridge_fitting *f = c->f;
    ridge_machine *machine = ridge__cross_machines(c);
    if (!machine)
        return no_memory(err);
    for (size_t link = 0; link < LINKS; link++) {
        p->basis[link] =
            ridge__arena_alloc(&f->arena, (f->entry_count + 1) * sizeof *p->basis[link]);
        for (size_t i = 0; p->basis[link] && i < f->entry_count; i++) {
            ridge_estimate e;
            if (f->entry[i].start && !ridge_estimate_call(&e, &machine[c->machine_of[i]],
                                                          &f->entry[i].row.call, NULL))
                p->basis[link][i] = e.basis;
        }
        for (size_t m = 0; m < c->machine_count; m++)
            machine[m].fits[link].count = 0;
    }
    free(machine);
    return ridge__arena_ok(&f->arena) ? RIDGE_OK : no_memory(err);
}

/* Rows of other parts that would use an entry of a link. */
static size_t others(const parts *p, size_t link, const ridge_fit *fit, size_t without,
                     ridge__cross_list *list)
{
    const ridge_fit *const *basis = p->basis[link];
    size_t count = 0;
    for (size_t i = 0; basis && i < p->c->f->entry_count; i++)
        if (basis[i] == fit && p->of[p->c->machine_of[i]] != without) {
            count++;
            if (list)
                ridge__cross_push(list, i);
        }
    return count;
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
            bool helped = fit[i].parts && ridge__words_hold(fit[i].parts, own->id);
            /* Below "any" is nothing: one that cannot be made again stays, and is told. */
            if (helped && link != RIDGE_LINK_ANY &&
                (link == RIDGE_LINK_PART ||
                 others(p, link, &fit[i], x, NULL) < OTHERS_MIN))
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

/* A task for what a row of the part rests on now, if the part helped to make it. */
static ridge_status need(parts *p, size_t x, const ridge_fit *basis, ridge_error *err)
{
    part *own = &p->part[x];
    for (size_t link = 0; link < LINKS; link++)
        for (size_t i = 0; i < own->link[link].count; i++) {
            ridge_fit *fit = &own->link[link].fit[i];
            if (fit != basis || own->link[link].task[i] != RIDGE__CROSS_NONE ||
                !fit->parts || !ridge__words_hold(fit->parts, own->id))
                continue;
            ridge__cross_task t = {.start = own->link[link].was[i],
                                   .backend = fit->backend,
                                   .part = x,
                                   .link = link};
            t.train.count = others(p, link, t.start, x, NULL);
            own->link[link].task[i] =
                t.train.count < OTHERS_MIN ? STAYS : ridge__cross_add(p->c, &t);
            if (own->link[link].task[i] == RIDGE__CROSS_NONE)
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
static void fill_chains(parts *p)
{
    for (size_t x = 0; x < p->count; x++)
        for (size_t link = 0; link < LINKS; link++)
            for (size_t i = 0; i < p->part[x].link[link].count; i++) {
                size_t at = p->part[x].link[link].task[i];
                if (at >= STAYS)
                    continue;
                ridge_fit *fit = &p->part[x].link[link].fit[i];
                *fit = p->c->task[at].made;
                fit->key = p->part[x].link[link].was[i]->key;
                fit->parts = names_of(p, &p->c->task[at]);
            }
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
        status = find_bases(&p, err);
    for (size_t x = 0; !status && x < p.count; x++)
        status = make_chain(&p, x, err);
    if (!status)
        status = find_needs(&p, err);
    if (!status)
        status = ridge__cross_lists(c, err);
    for (size_t i = 0; !status && i < c->task_count; i++) {
        ridge__cross_task *t = &c->task[i];
        others(&p, t->link, t->start, t->part, &t->train);
    }
    if (!status)
        status = ridge__cross_tasks(c, err);
    if (status)
        return status;
    fill_chains(&p);
    ridge__pool_run(p.count, c->f->options.threads, predict_part, &p);
    return c->failed ? no_memory(err) : RIDGE_OK;
}
