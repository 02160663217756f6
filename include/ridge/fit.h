/*
 * ridge/fit.h - constants of the time models from a table of measured times.  Included by
 * <ridge.h>.
 */
#ifndef RIDGE_FITTING_H
#define RIDGE_FITTING_H

#ifndef RIDGE_H
#error "include <ridge.h>"
#endif

/* Fitted constants, in groups of rows that share an entry of a fit file. */
typedef struct ridge_fitting ridge_fitting;

typedef struct ridge_fitting_options {
    ridge_predict_options rows; /* op, catalogue, machine, defaults: as for predict */
    const char *key;       /* of the fit file; NULL: the part, where the rows have one */
    bool pool;             /* one set of constants for the parts of a gpu column, from
                                   those of no part in particular; key NULL is then "any" */
    const char *constants; /* names separated by commas: only these; NULL: all that the
                                   rows determine */
    const char *from;      /* a sentence on the data, for the file; NULL: the path */
    const char *date;      /* "2026-11-30", for the file */
} ridge_fitting_options;

/*
 * Fits the constants to the rows of a CSV (path as in ridge_predict_run) with a column
 * time_us, time_ms, time_s, time_ns or time.  One row in five, by a hash of its shape, is
 * kept apart to judge the constants by before the last round uses all of them.
 *
 * NODATA: no group could be fitted, or a constant of `constants` is not determined by the
 * rows; the sentence says why.  A bad row fails with its line.
 */
RIDGE_MUST_CHECK RIDGE_API ridge_status
ridge_fitting_run(ridge_fitting **out, const char *path,
                  const ridge_fitting_options *options, ridge_error *err);
/* TEXT: the fit file, its report as comments; JSON, CSV: errors and constants. */
RIDGE_MUST_CHECK RIDGE_API ridge_status ridge_fitting_write(const ridge_fitting *fitting,
                                                            const ridge_style *style,
                                                            ridge_sink sink,
                                                            ridge_error *err);
/* Groups that keep the constants they had: too few rows, or none better was found. */
RIDGE_API size_t ridge_fitting_refused(const ridge_fitting *fitting);
/*
 * What rows made nothing, and why, in one line: those that were not used at all (if any),
 * then each of those groups.  Returns the length as snprintf() does; 0 beyond the last.
 */
RIDGE_API size_t ridge_fitting_left_out(const ridge_fitting *fitting, size_t index,
                                        char *buf, size_t size);
RIDGE_API void ridge_fitting_free(ridge_fitting *fitting);

/* What a row's prediction may not have seen. */
typedef enum ridge_cross {
    RIDGE_CROSS_SHAPES, /* its shape, one of five shares of all by their hash */
    RIDGE_CROSS_PARTS,  /* any row of its part */
    /* Nothing of rows: the spread of the entries of the fit files that they rest on, from
     * errors on what those have not seen, a line each with `;` between its cells. */
    RIDGE_CROSS_SPREAD
} ridge_cross;

typedef struct ridge_cross_summary {
    uint64_t rows, predicted;
    uint64_t unused; /* without a time, marked in qc, or no call: their cells are empty */
    /* Only constants are known that have seen what is left out: too few other rows to fit.
     * Of SHAPES they predict; of PARTS the cells are empty. */
    uint64_t kept;
    char first[512]; /* why the first row was not used; "" : all were */
} ridge_cross_summary;

/*
 * The rows as ridge_predict_run writes them, each predicted by constants that were fitted
 * without it.  Of the options `rows` alone count; each machine needs the catalogue's fits.
 * The same rows give the same bytes for any number of threads.
 */
RIDGE_MUST_CHECK RIDGE_API ridge_status
ridge_cross_run(const char *path, const ridge_predict_options *options, ridge_cross cross,
                ridge_sink sink, ridge_cross_summary *summary, ridge_error *err);

#endif
