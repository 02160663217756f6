/*
 * Any bytes as a table: rows are cut and split without a crash; every byte belongs to one
 * row; cells lie in their row; and cells that are written again read back the same.
 */
#include "format/csv.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
    if (!condition)
        abort();
}

/* Cells of `row` written by csv_cell give the same cells. */
static void check_again(const ridge__csv_row *row)
{
    ridge__str text;
    ridge__csv_row *again = NULL;
    ridge__str_init(&text, 0, NULL);
    require(!ridge__csv_row_new(&again, NULL, NULL));
    size_t count = ridge__csv_row_count(row), size, size_again;
    for (size_t i = 0; i < count; i++) {
        const char *cell = ridge__csv_row_field(row, i, &size);
        if (i > 0)
            ridge__str_text(&text, ",");
        ridge__csv_cell(&text, cell, size);
    }
    /* A line end, lest a cell that ends in one loses it. */
    ridge__str_text(&text, "\n");
    require(!ridge__csv_row_parse(again, text.data, text.size, NULL));
    require(ridge__csv_row_count(again) == count);
    for (size_t i = 0; i < count; i++) {
        const char *cell = ridge__csv_row_field(row, i, &size);
        const char *cell_again = ridge__csv_row_field(again, i, &size_again);
        require(size == size_again && memcmp(cell, cell_again, size) == 0);
    }
    ridge__csv_row_free(again);
    ridge__str_clear(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    ridge__csv_row *row = NULL;
    if (ridge__csv_row_new(&row, NULL, NULL))
        return 0;
    for (size_t at = 0; at < size;) {
        size_t span = ridge__csv_row_span(text + at, size - at);
        require(span <= size - at);
        require(span == 0 || text[at + span - 1] == '\n');
        if (span == 0)
            span = size - at;
        ridge_error err;
        ridge_status status = ridge__csv_row_parse(row, text + at, span, &err);
        require(!status || status == RIDGE_SYNTAX || status == RIDGE_LIMIT);
        size_t total = 0, cell;
        for (size_t i = 0; i < ridge__csv_row_count(row); i++) {
            require(ridge__csv_row_field(row, i, &cell)[cell] == '\0');
            total += cell;
        }
        require(total <= span);
        if (!status)
            check_again(row);
        at += span;
    }
    ridge__csv_row_free(row);
    return 0;
}
