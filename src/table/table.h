/*
 * table - CSV rows to calls and back: `predict`.
 *
 *   columns.c   the header: which column is which parameter of which op
 *   machines.c  the machine of a gpu or system cell, made when a row first names it
 *   row.c       one row: cells -> call -> estimate -> cells
 *   stream.c    blocks of rows on several threads, written in order
 *   time.c      the column of a measured time
 *   rows.c      rows one after another, for what reads without writing
 *   score.c     predictions against measured times
 *
 *   input --(one thread at a time)--> block --(all at once)--> text --(in turn)--> sink
 *
 * A thread takes the next block, predicts its rows and waits for its turn to write, so
 * that memory is one block a thread whatever the size of the file.  Where blocks are cut
 * and what is written depends on the input alone, never on the threads.
 */
#ifndef RIDGE_TABLE_H
#define RIDGE_TABLE_H

#include "base/base.h"
#include "format/csv.h"
#include "op/op.h"

#include <ridge.h>

/* ---- columns.c --------------------------------------------------------------------- */

#define RIDGE__NO_COLUMN SIZE_MAX

/* One op that rows may have: a call with the defaults, and the cells to set in it. */
typedef struct ridge__binding {
    ridge_call call;
    size_t count;
    struct {
        uint16_t column;
        uint8_t param;
    } cell[RIDGE_ARG_MAX];
} ridge__binding;

typedef struct ridge__columns {
    const char *what; /* the op or family asked for; borrowed from the options */
    size_t count;     /* cells of a row */
    bool family;      /* rows name their op */
    /* their columns, or NO_COLUMN */
    size_t gpu, system, op, backend, timing, kernel, version;
    ridge__binding *bindings; /* in the arena */
    size_t binding_count;
    const ridge__binding *base; /* for rows that name no op; NULL: each must */
} ridge__columns;

/*
 * options->op is known.  SYNTAX for a column that is missing, is there twice (by whatever
 * alias), or is one of those to be added; INVALID if nothing gives a machine.
 */
RIDGE_MUST_CHECK ridge_status ridge__columns_read(ridge__columns *out,
                                                  const ridge__csv_row *header,
                                                  const ridge_predict_options *options,
                                                  ridge__arena *arena, ridge_error *err);
/* The binding for a row whose op cell is `name` (may be empty). */
RIDGE_MUST_CHECK ridge_status ridge__columns_binding(const ridge__binding **out,
                                                     const ridge__columns *columns,
                                                     const char *name, ridge_error *err);

/* ---- machines.c -------------------------------------------------------------------- */

/* Machines by the names that cells give.  Any number of threads may ask. */
typedef struct ridge__machines {
    const ridge_predict_options *options;
    ridge__lock lock; /* of the list, and of the catalogue that loading changes */
    struct ridge__machine_entry *entries;
    ridge_allocator allocator;
} ridge__machines;

void ridge__machines_init(ridge__machines *machines, const ridge_predict_options *options,
                          const ridge_allocator *alloc);
/*
 * The machine of a gpu cell and a system cell, of which one may be empty.  A system that
 * nobody knows gives a known part its ordinary node.  NOTFOUND names the nearest ids.  A
 * failure is not kept: memory grows by parts only.
 */
RIDGE_MUST_CHECK ridge_status ridge__machines_find(const ridge_machine **out,
                                                   ridge__machines *machines,
                                                   const char *gpu, const char *system,
                                                   ridge_error *err);
void ridge__machines_clear(ridge__machines *machines);

/* ---- row.c ------------------------------------------------------------------------- */

/*
 * Puts an error at line `line` (0: none) of the table `name`; what was its place before,
 * a parameter or a machine file, becomes part of the sentence.
 */
void ridge__table_place(ridge_error *err, const char *name, uint64_t line);
/* Bytes of a UTF-8 byte order mark at the start; 0 if there is none. */
size_t ridge__table_mark(const char *data, size_t size);
/* Line ends in `size` bytes: a quoted cell may hold some. */
uint64_t ridge__table_lines(const char *data, size_t size);
/* A row of blanks alone (and its line end), which is no row. */
bool ridge__table_blank(const char *row, size_t size);
/*
 * What no row can have, such as a NUL byte, ends the table: LIMIT or SYNTAX.  An open row is
 * one that nothing ends but the end of the table.
 */
RIDGE_MUST_CHECK ridge_status ridge__table_check(const char *row, size_t span, bool open,
                                                 ridge_error *err);

/* A cell that rows repeat, and what it stood for. */
typedef struct ridge__last {
    char text[64];
    size_t size;
    bool known;
} ridge__last;

/* One thread's means to predict rows. */
typedef struct ridge__predictor {
    const ridge_predict_options *options;
    const ridge__columns *columns;
    ridge__machines *machines;
    ridge__csv_row *row; /* owned */
    ridge__last last_op, last_gpu, last_system;
    const ridge__binding *binding; /* of last_op */
    const ridge_machine *machine;  /* of last_gpu and last_system */
    uint64_t unknown_backend, unknown_timing, assumed_system;
    size_t missing; /* cells that the last row has fewer than the header */
} ridge__predictor;

/* One row (with or without its line end) to its finished call; the machine is
 * predictor->machine. */
RIDGE_MUST_CHECK ridge_status ridge__predictor_call(ridge_call *out,
                                                    ridge__predictor *predictor,
                                                    const char *data, size_t size,
                                                    ridge_error *err);
/* The same to its estimate. */
RIDGE_MUST_CHECK ridge_status ridge__predictor_row(ridge_estimate *out,
                                                   ridge__predictor *predictor,
                                                   const char *data, size_t size,
                                                   ridge_error *err);
/* The header of the added cells, and the cells of a row; estimate NULL: empty ones. */
extern const char ridge__prediction_header[], ridge__basis_header[];
void ridge__prediction_cells(ridge__str *out, const ridge_estimate *estimate);
void ridge__basis_cells(ridge__str *out, const ridge_estimate *estimate);

/* ---- time.c ------------------------------------------------------------------------ */

/* The column of a measured time. */
typedef struct ridge__time_column {
    size_t column; /* or NO_COLUMN */
    double unit_s; /* seconds of 1; 0: the cell says its unit */
    const char *name;
} ridge__time_column;
/* time_us, time_ms, time_s, time_ns or time; false if the header has none. */
bool ridge__time_column_find(ridge__time_column *out, const ridge__csv_row *header);
/* The time of a row in s; unknown where the cell is empty; INVALID unless above zero. */
RIDGE_MUST_CHECK ridge_status ridge__time_column_read(double *out,
                                                      const ridge__time_column *time,
                                                      const ridge__csv_row *row,
                                                      ridge_error *err);

/* ---- rows.c ------------------------------------------------------------------------ */

/* A row without its line end; the first is the header.  An error ends the reading. */
typedef ridge_status (*ridge__row_fn)(void *ctx, const char *data, size_t size,
                                      ridge_error *err);
typedef struct ridge__row_reader {
    ridge__row_fn row;
    void *ctx;
    ridge__str carry; /* a row that has not ended */
    uint64_t line;    /* of the row that `row` was last called with */
} ridge__row_reader;
void ridge__row_reader_init(ridge__row_reader *reader, ridge__row_fn row, void *ctx);
/* Text, cut anywhere; its errors carry the line. */
RIDGE_MUST_CHECK ridge_status ridge__row_reader_feed(ridge__row_reader *reader,
                                                     const char *data, size_t size,
                                                     ridge_error *err);
/* All of an input. */
RIDGE_MUST_CHECK ridge_status ridge__row_reader_input(ridge__row_reader *reader,
                                                      ridge__input *input,
                                                      ridge_error *err);
/* After the last byte: the row that nothing ended. */
RIDGE_MUST_CHECK ridge_status ridge__row_reader_end(ridge__row_reader *reader,
                                                    ridge_error *err);
void ridge__row_reader_clear(ridge__row_reader *reader);

/* ---- stream.c ---------------------------------------------------------------------- */

/* ridge_predict_run over an open input, with all memory from `alloc` (NULL: malloc). */
RIDGE_MUST_CHECK ridge_status ridge__predict_stream(ridge__input *input,
                                                    const ridge_predict_options *options,
                                                    const ridge_allocator *alloc,
                                                    ridge_sink sink,
                                                    ridge_predict_summary *summary,
                                                    ridge_error *err);

/* ---- score.c ----------------------------------------------------------------------- */

/* Rows with a truth and a prediction, in their order; and the column of the truth. */
size_t ridge__score_pairs(const ridge_score *score);
void ridge__score_pair(const ridge_score *score, size_t i, double *measured,
                       double *expected);
const char *ridge__score_truth(const ridge_score *score);

#endif
