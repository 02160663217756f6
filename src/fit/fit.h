/*
 * fit - constants of the time models from measured times.
 *
 *   rows.c    a table -> calls, machines and times, in groups that share a fit
 *   spread.c  errors -> low, high and bands
 *   cross.c   each row predicted by constants fitted without its shape; cross_parts.c:
 *             without its part
 *   intervals.c  the spread of each entry on what its constants did not see
 *   pooled.c  the same of entries of "any": one architecture left out after another
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

enum {
    RIDGE__FIT_FOLDS = 5 /* shares of the shapes; one is kept apart */
};

typedef struct ridge__fit_row {
    ridge_call call;
    ridge_machine *machine; /* of the rows' list */
    const ridge_fit *user;  /* its user fit before, and how many */
    size_t user_count;
    double time_s;
    uint64_t hash;            /* of its shape: all parameters, and lists */
    uint32_t dtype, kv_dtype; /* bits of what its fit is looked up by */
    size_t shape;             /* its place among those of the group, once it is solved */
    bool apart;               /* kept apart to judge by, until the last round */
} ridge__fit_row;

/* One constant of a group. */
typedef struct ridge__fit_constant {
    const ridge__constant *schema;
    double start, value; /* SI; unknown: the form says what stands for it */
    bool free;           /* it was fitted */
    double spread; /* standard deviation of ln(value); unknown where it was not fitted */
    int bound;     /* it ended at its lower (-1) or upper (1) one; 0: between */
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
    size_t shape_count;              /* distinct ones */
    const char *refused;             /* why nothing was fitted; NULL: it was */
    char why[160];                   /* what `refused` may point to */
} ridge__fit_group;

/* A row of the table, used or not. */
typedef struct ridge__fit_entry {
    ridge__fit_row row;
    const ridge_fit *start; /* what its estimate rests on; NULL: the row is not used */
    unsigned fold;          /* of its shape */
    bool eager;             /* as ridge score leaves it out: on the floor of a CPU */
    /* Where rows are to be written again. */
    const char *text;
    size_t size;
    bool predicted;
    double floor_s, expected_s, low_s, high_s;
    ridge_bound bound;
    const ridge_fit *basis; /* while the estimate's constants live */
} ridge__fit_entry;

struct ridge_fitting {
    ridge__arena arena;
    ridge__machines machines; /* of a gpu column */
    ridge_predict_options options;
    bool pool;
    bool keep_text;     /* of the rows, and rows that are no calls */
    const char *header; /* the first line, where text is kept */
    ridge__fit_entry *entry;
    size_t entry_count;
    const char *key; /* of the file */
    const char *from, *date;
    ridge__fit_group *group;
    size_t group_count;
    size_t row_count, unused; /* rows without a time, or without a fit to start from */
    const char *unused_why;   /* of the first */
};

/* ---- rows.c ------------------------------------------------------------------------ */

/* Reads the table into entries. */
RIDGE_MUST_CHECK ridge_status ridge__fitting_rows(ridge_fitting *fitting,
                                                  const char *path, ridge_error *err);
/* Appends `id` to a list of words separated by blanks, once; NULL: an empty one. */
const char *ridge__fit_add_part(ridge__arena *arena, const char *list, const char *id);
/* An empty group of the rows whose estimate rests on `start`. */
void ridge__fit_group_start(ridge__fit_group *group, const ridge_fit *start,
                            ridge_backend backend, const char *key);
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

/*
 * The same for rows of which none is kept apart, with less effort and a prior so wide that
 * the rows alone decide: made.c receives the constants.  Not fitted: too few rows, or none
 * is determined; it has those of `start` then.  False without memory.  The user fit of the rows' machines stays at
 * group->made.
 */
RIDGE_MUST_CHECK bool ridge__fit_train(ridge__fit_group *group, bool *fitted);

/* How many constants of the group's fit its rows determine; the machines stay as they were. */
size_t ridge__fit_determined(ridge__fit_group *group);

/* ---- spread.c ---------------------------------------------------------------------- */

typedef struct ridge__fit_sample {
    double expected_s, error; /* ln(expected / measured) */
} ridge__fit_sample;

/* Mean, median and the rest of errors; their order is kept.  False without memory. */
RIDGE_MUST_CHECK bool ridge__fit_judge(ridge__fit_errors *out,
                                       const ridge__fit_sample *sample, size_t count);
/* True if new constants foresee rows kept apart better: the mean error falls, one of more than
 * half counting as half, and so does the plain mean or the median. */
bool ridge__fit_better(const ridge__fit_errors *after, const ridge__fit_errors *before);
/* low, high and bands of a fit from its errors, which are sorted: the logarithms of the
 * percentiles times `wider`.  False without memory. */
RIDGE_MUST_CHECK bool ridge__fit_spread_make(ridge_fit *fit, ridge__fit_sample *sample,
                                             size_t count, double wider);

#endif
