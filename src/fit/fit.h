/*
 * fit - constants of the time models from measured times.
 *
 *   rows.c    a table -> calls, machines and times, in groups that share a fit
 *   solve.c   one group -> constants: robust, with the fit that was used before as prior
 *   fitting.c all of it, and the fits as a file
 *
 * A group is what one entry of a fit file can describe: the rows whose estimate rests on
 * one entry today, of one backend.  Its constants start from that entry.  What the rows do
 * not determine stays as it was, and is told.
 */
#ifndef RIDGE_FIT_MODULE_H
#define RIDGE_FIT_MODULE_H

#include "base/base.h"
#include "hw/hw.h"
#include "machine/machine.h"
#include "table/table.h"

#include <ridge.h>

typedef struct ridge__fit_row {
    ridge_call call;
    ridge_machine *machine; /* of the rows' list */
    const ridge_fit *user;  /* its user fit before, and how many */
    size_t user_count;
    double time_s;
    bool apart; /* kept apart to judge by, until the last round */
} ridge__fit_row;

/* One constant of a group. */
typedef struct ridge__fit_constant {
    const ridge__constant *schema;
    double start, value; /* SI; unknown: the form says what stands for it */
    bool free;           /* it was fitted */
    double spread; /* standard deviation of ln(value); unknown where it was not fitted */
} ridge__fit_constant;

/* Errors of one set of constants on one set of rows. */
typedef struct ridge__fit_errors {
    size_t rows;
    double mape, median, p90;
    double
        capped; /* mean of the error, or of 0.5 where it is more: outliers decide nothing */
} ridge__fit_errors;

typedef struct ridge__fit_group {
    const ridge_fit *start; /* borrowed from the catalogue */
    ridge_fit made;         /* a copy of start with the new figures */
    ridge__fit_row *row;
    size_t row_count, apart_count;
    ridge__fit_constant constant[RIDGE_FIT_CONSTANTS];
    size_t constant_count;
    ridge__fit_errors before, after; /* on the rows kept apart */
    const char *refused;             /* why nothing was fitted; NULL: it was */
} ridge__fit_group;

struct ridge_fitting {
    ridge__arena arena;
    ridge__machines machines; /* of a gpu column */
    ridge_predict_options options;
    bool pool;
    const char *key; /* of the file */
    const char *from, *date;
    ridge__fit_group *group;
    size_t group_count;
    size_t row_count, unused; /* rows without a time, or without a fit to start from */
    const char *unused_why;   /* of the first */
};

/* ---- rows.c ------------------------------------------------------------------------ */

/* Reads the table and makes the groups.  Every fifth shape, by its hash, is kept apart. */
RIDGE_MUST_CHECK ridge_status ridge__fitting_read(ridge_fitting *fitting,
                                                  const char *path, ridge_error *err);

/* ---- solve.c ----------------------------------------------------------------------- */

/*
 * Fits the constants of one group.  `only`: names separated by commas; NULL: whatever the
 * rows determine.  NODATA names a constant of `only` that they do not.  Uses the group's
 * machines, whose user fit it replaces while it runs.
 */
RIDGE_MUST_CHECK ridge_status ridge__fit_solve(ridge__fit_group *group, const char *only,
                                               ridge_error *err);

#endif
