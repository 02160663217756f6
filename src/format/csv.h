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
/* The name of what a path opens: itself, or "standard input" for NULL and "-". */
const char *ridge__input_title(const char *path);
void ridge__input_close(ridge__input *in);

/*
 * One row split into cells, its memory kept for the next.  Blanks around an unquoted cell
 * do not count.  Cells are terminated and live until the next parse.
 */
typedef struct ridge__csv_row ridge__csv_row;
/* alloc NULL: malloc and free. */
RIDGE_MUST_CHECK ridge_status ridge__csv_row_new(ridge__csv_row **out,
                                                 const ridge_allocator *alloc,
                                                 ridge_error *err);
/*
 * `size` bytes of one row, with or without its line end.  SYNTAX for a quote that is not
 * closed, or that is neither around the whole cell nor doubled inside one; LIMIT for too
 * many columns.  A row without quotes is split here, any other by libcsv.
 */
RIDGE_MUST_CHECK ridge_status ridge__csv_row_parse(ridge__csv_row *row, const char *data,
                                                   size_t size, ridge_error *err);
size_t ridge__csv_row_count(const ridge__csv_row *row);
/* Cell i; "" past the end.  *size may be NULL. */
const char *ridge__csv_row_field(const ridge__csv_row *row, size_t i, size_t *size);
void ridge__csv_row_free(ridge__csv_row *row);

/*
 * Length of the first row in data, its line end included; 0 if it does not end there.
 * A line end inside quotes does not count; a quote opens only at the start of a cell.
 */
size_t ridge__csv_row_span(const char *data, size_t size);
/* Length of `size` bytes of a row without their line end ("\n" or "\r\n"). */
size_t ridge__csv_row_trim(const char *data, size_t size);

#endif
