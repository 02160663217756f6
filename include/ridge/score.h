/*
 * ridge/score.h - predictions held against measurements: how far off, how often inside the
 * interval, and whether a floor was ever above the truth.  Included by <ridge.h>.
 */
#ifndef RIDGE_SCORE_H
#define RIDGE_SCORE_H

#ifndef RIDGE_H
#error "include <ridge.h>"
#endif

/* A table being scored: rows go in, figures per group come out. */
typedef struct ridge_score ridge_score;

typedef struct ridge_score_options {
    const char *by;  /* columns that make the groups, as "gpu,dtype"; NULL or "": none */
    bool by_present; /* of those, the ones that the table has; else one that it lacks
                             is an error */
    const char *truth;    /* column of the measured time; NULL: "time_us" */
    const char *expected; /* column of the prediction, NULL: "expected_us"; floor, low and
                             high are found by the same name with that word in its place */
    uint64_t min_rows;    /* smaller groups are left out (never "all") */
    bool all;             /* also rows with a `qc` mark or timed eagerly */
} ridge_score_options;

/* Of the rows of one group that have a truth.  Shares are of 1; unknown without rows. */
typedef struct ridge_score_group {
    const char *name;    /* cells joined by blanks; "ALL" for all rows; borrowed */
    uint64_t rows;       /* with a prediction */
    uint64_t empty;      /* without: their cell is empty */
    double mape;         /* mean of |expected / truth - 1| */
    double median, p90;  /* of the same */
    double bias;         /* mean of ln(expected / truth) */
    double within_tenth; /* share of rows whose error is at most 10 % */
    double coverage;     /* share with low <= truth <= high */
    double width;        /* median of (high - low) / expected */
    double above_floor;  /* share whose floor is above the truth (by more than 0.01 %) */
} ridge_score_group;

/* The words of options are copied. */
RIDGE_MUST_CHECK RIDGE_API ridge_status
ridge_score_new(ridge_score **out, const ridge_score_options *options, ridge_error *err);
/*
 * Where the text of a table goes, header first; rows may be cut anywhere.  That of
 * ridge_predict_run() can be this one.  It stops at an error, which finish then tells.
 */
RIDGE_API ridge_sink ridge_score_sink(ridge_score *score);
/* Reads a whole file into it (plain or gzip; path NULL or "-": standard input). */
RIDGE_MUST_CHECK RIDGE_API ridge_status ridge_score_read(ridge_score *score,
                                                         const char *path,
                                                         ridge_error *err);
/*
 * After the last byte: figures are made.  SYNTAX for a header without the columns needed or
 * a row that is none; NODATA if no row has a truth.  `name` is the place for errors.
 */
RIDGE_MUST_CHECK RIDGE_API ridge_status ridge_score_finish(ridge_score *score,
                                                           const char *name,
                                                           ridge_error *err);
/* Groups after finish: "ALL" first, then by name.  NULL past the end. */
RIDGE_API const ridge_score_group *ridge_score_at(const ridge_score *score, size_t index);
RIDGE_MUST_CHECK RIDGE_API ridge_status ridge_score_write(const ridge_score *score,
                                                          const ridge_style *style,
                                                          ridge_sink sink,
                                                          ridge_error *err);
/*
 * A picture of expected against measured times of all rows, and of their ratio: SVG, or by
 * the plug-in (raster not NULL) a picture with `scale` as in ridge_raster_write().  title
 * may be NULL.  NODATA if no row has both times.
 */
RIDGE_MUST_CHECK RIDGE_API ridge_status
ridge_score_draw(const ridge_score *score, const char *title, const ridge_raster *raster,
                 ridge_picture picture, double scale, ridge_sink sink, ridge_error *err);
/*
 * Rows that count nowhere because their measured time is no number above zero (an empty cell
 * is no fault), and the first such cell (up to 31 bytes of it, borrowed).
 */
RIDGE_API uint64_t ridge_score_unread(const ridge_score *score, const char **first);
RIDGE_API void ridge_score_free(ridge_score *score);

#endif
