/*
 * CSV: rows of a stream (plain or gzip, by libcsv and zlib), and cells written with the
 * quoting that reads back.
 */
#ifndef RIDGE_FORMAT_CSV_H
#define RIDGE_FORMAT_CSV_H

#include "base/base.h"

/* A cell, quoted if it holds a comma, quote or line end. */
void ridge__csv_cell(ridge__str *out, const char *text, size_t size);

/* An input stream: plain or gzip, by content.  path NULL or "-": standard input. */
typedef struct ridge__input ridge__input;
RIDGE_MUST_CHECK ridge_status ridge__input_open(ridge__input **out, const char *path,
                                                ridge_error *err);
/* Up to `size` bytes; *got 0 at the end.  IO or SYNTAX (a truncated gzip) on failure. */
RIDGE_MUST_CHECK ridge_status ridge__input_read(ridge__input *in, char *buf, size_t size,
                                                size_t *got, ridge_error *err);
const char *ridge__input_name(const ridge__input *in);
void ridge__input_close(ridge__input *in);

/*
 * Split one row (no line end needed) into fields by libcsv.  Fields point into `scratch`
 * and are terminated.  SYNTAX for a broken quote, LIMIT for too many columns.
 */
typedef struct ridge__csv_row ridge__csv_row;
RIDGE_MUST_CHECK ridge_status ridge__csv_row_new(ridge__csv_row **out, ridge_error *err);
RIDGE_MUST_CHECK ridge_status ridge__csv_row_parse(ridge__csv_row *row, const char *data,
                                                   size_t size, ridge_error *err);
size_t ridge__csv_row_count(const ridge__csv_row *row);
/* Field i; "" past the end.  *size may be NULL. */
const char *ridge__csv_row_field(const ridge__csv_row *row, size_t i, size_t *size);
void ridge__csv_row_free(ridge__csv_row *row);

/* Length of the first row in data, its line end included; 0 if it does not end there.
 * A line end inside quotes does not count. */
size_t ridge__csv_row_span(const char *data, size_t size);

#endif
