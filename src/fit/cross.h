/* What both ways of leaving rows out share. */
#ifndef RIDGE_FIT_CROSS_H
#define RIDGE_FIT_CROSS_H

#include "fit/fit.h"

#define RIDGE__CROSS_NONE SIZE_MAX

/* Entries of the table, by their index. */
typedef struct ridge__cross_list {
    size_t *at, count;
} ridge__cross_list;

/* One set of constants to be made. */
typedef struct ridge__cross_task {
    const ridge_fit *start;
    ridge_backend backend;
    size_t part, link;              /* of cross_parts.c: left out; where it stands */
    ridge__cross_list train, apply; /* rows to fit to, rows to predict */
    ridge_fit made;
    bool kept; /* nothing was fitted */
} ridge__cross_task;

typedef struct ridge__cross {
    ridge_fitting *f;
    ridge_machine **machine; /* each that a row names, once */
    size_t machine_count;
    size_t *machine_of; /* by entry of the table */
    ridge__cross_task *task;
    size_t task_count, task_room;
    bool failed; /* a task was out of memory */
} ridge__cross;

/* ---- cross.c ----------------------------------------------------------------------- */

/* A task more; its place in c->task, or NONE without memory. */
size_t ridge__cross_add(ridge__cross *c, const ridge__cross_task *task);
/* Counts a row, or puts it there once ridge__cross_lists() made room. */
void ridge__cross_push(ridge__cross_list *list, size_t row);
RIDGE_MUST_CHECK ridge_status ridge__cross_lists(ridge__cross *c, ridge_error *err);
/* Fits every task's constants and predicts its rows. */
RIDGE_MUST_CHECK ridge_status ridge__cross_tasks(ridge__cross *c, ridge_error *err);
/* Copies of all machines, to be freed, which a task may give constants to; or NULL. */
ridge_machine *ridge__cross_machines(const ridge__cross *c);
void ridge__cross_predict(ridge__fit_entry *entry, const ridge_machine *machine);

/* ---- cross_parts.c ----------------------------------------------------------------- */

/* Predicts the rows of each part by constants without that part's rows. */
RIDGE_MUST_CHECK ridge_status ridge__cross_parts(ridge__cross *c, ridge_error *err);

#endif
