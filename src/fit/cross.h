/* What all ways of leaving rows out share. */
#ifndef RIDGE_FIT_CROSS_H
#define RIDGE_FIT_CROSS_H

#include "fit/fit.h"

#define RIDGE__CROSS_NONE SIZE_MAX

enum {
    RIDGE__CROSS_ROWS = 20 /* rows that make an entry again, at least */
};

/* Entries of the table, by their index. */
typedef struct ridge__cross_list {
    size_t *at, count;
} ridge__cross_list;

/* One set of constants to be made. */
typedef struct ridge__cross_task {
    const ridge_fit *start;
    ridge_backend backend;
    size_t part;                    /* that is left out, of cross_parts.c */
    ridge__cross_list train, apply; /* rows to fit to, rows to predict */
    double *expected_s;             /* of those */
    ridge_fit made;
    bool kept; /* nothing was fitted */
} ridge__cross_task;

typedef struct ridge__cross {
    ridge_fitting *f;
    ridge_machine **machine; /* each that a row names, once */
    size_t machine_count;
    size_t *machine_of; /* by entry of the table */
    /* What a row's estimate rests on without the links before, by entry of the table. */
    const ridge_fit **basis[RIDGE_LINK_STATED];
    ridge__cross_task *task;
    size_t task_count, task_room;
    size_t taken_back; /* predictions of parts by constants that have seen them */
    bool failed;       /* a task was out of memory */
} ridge__cross;

/* ---- cross.c ----------------------------------------------------------------------- */

/* A task more; its place in c->task, or NONE without memory. */
size_t ridge__cross_add(ridge__cross *c, const ridge__cross_task *task);
/* Counts a row, or puts it there once ridge__cross_room() made room. */
void ridge__cross_push(ridge__cross_list *list, size_t row);
bool ridge__cross_room(ridge__cross *c, ridge__cross_list *list, size_t count);
/* Fits every task's constants and predicts its rows. */
RIDGE_MUST_CHECK ridge_status ridge__cross_tasks(ridge__cross *c, ridge_error *err);
/* Copies of all machines, to be freed, which a task may give constants to; or NULL. */
ridge_machine *ridge__cross_machines(const ridge__cross *c);
/* Fills `machine`; `basis`. */
RIDGE_MUST_CHECK ridge_status ridge__cross_find_machines(ridge__cross *c,
                                                         ridge_error *err);
RIDGE_MUST_CHECK ridge_status ridge__cross_bases(ridge__cross *c, ridge_error *err);
void ridge__cross_predict(ridge__fit_entry *entry, const ridge_machine *machine);

/* ---- pooled.c ---------------------------------------------------------------------- */

enum {
    RIDGE__POOLS_ARCHS = 24,
    RIDGE__POOLS_MAX = 512
};

/* Entries of "any", each with a task for each architecture: without its rows. */
typedef struct ridge__pools {
    const char *arch[RIDGE__POOLS_ARCHS], *vendor[RIDGE__POOLS_ARCHS];
    size_t arch_count;
    struct {
        const ridge_fit *fit;
        size_t first; /* task */
        /* What 80 % of an architecture's errors lie within, in log; unknown: too few. */
        double half[RIDGE__POOLS_ARCHS];
    } pool[RIDGE__POOLS_MAX];
    size_t count;
} ridge__pools;

size_t ridge__pools_arch(ridge__pools *pools, const ridge_machine *machine);
/* The first task of an entry, which are made if there are none; or NONE. */
size_t ridge__pools_find(ridge__pools *pools, ridge__cross *c, const ridge_fit *fit);
/* Fills `half`, once the tasks are done.  False without memory. */
RIDGE_MUST_CHECK bool ridge__pools_judge(ridge__pools *pools, const ridge__cross *c);
/*
 * The spread of an entry on architectures that were left out, but for `without`; what it
 * has stays where there are none.
 */
void ridge__pools_spread(ridge_fit *out, const ridge__pools *pools, const ridge_fit *fit,
                         size_t without);

/* ---- intervals.c ------------------------------------------------------------------- */

/* Writes the spread of the entries that rows rest on, a line each. */
RIDGE_MUST_CHECK ridge_status ridge__cross_intervals(ridge__cross *c, ridge_sink sink,
                                                     ridge_error *err);

/* ---- cross_parts.c ----------------------------------------------------------------- */

/* Predicts the rows of each part by constants without that part's rows. */
RIDGE_MUST_CHECK ridge_status ridge__cross_parts(ridge__cross *c, ridge_error *err);

#endif
