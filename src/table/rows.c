/* The rows of a text that comes in pieces. */
#include "table/table.h"

void ridge__row_reader_init(ridge__row_reader *r, ridge__row_fn row, void *ctx)
{
    *r = (ridge__row_reader){.row = row, .ctx = ctx};
    ridge__str_init(&r->carry, 0, NULL);
}

/* One row, its line end included or not; blank ones are none. */
static ridge_status take_row(ridge__row_reader *r, const char *data, size_t span,
                             bool open, ridge_error *err)
{
    size_t size = ridge__csv_row_trim(data, span);
    size_t skip = r->line == 0 ? ridge__table_mark(data, size) : 0;
    r->line++;
    ridge_status status = ridge__table_check(data, span, open, err);
    if (!status && (r->line == 1 || !ridge__table_blank(data, size)))
        status = r->row(r->ctx, data + skip, size - skip, err);
    if (status)
        ridge__error_at(err, "", r->line);
    r->line += ridge__table_lines(data, size);
    return status;
}

ridge_status ridge__row_reader_feed(ridge__row_reader *r, const char *data, size_t size,
                                    ridge_error *err)
{
    ridge__str *carry = &r->carry;
    ridge__str_add(carry, data, size);
    ridge_status status = ridge__str_check(carry, "a row", err);
    if (status)
        return status;
    size_t at = 0, span;
    while ((span = ridge__csv_row_span(carry->data + at, carry->size - at)) > 0) {
        status = take_row(r, carry->data + at, span, false, err);
        if (status)
            return status;
        at += span;
    }
    if (carry->size - at > RIDGE_LIMIT_ROW_BYTES) /* fails: no row is that long */
        return take_row(r, carry->data + at, carry->size - at, true, err);
    memmove(carry->data, carry->data + at, carry->size - at);
    carry->size -= at;
    return RIDGE_OK;
}

ridge_status ridge__row_reader_input(ridge__row_reader *r, ridge__input *input,
                                     ridge_error *err)
{
    char block[16384];
    size_t got = 0;
    ridge_status status;
    do {
        status = ridge__input_read(input, block, sizeof block, &got, err);
        if (!status && got > 0)
            status = ridge__row_reader_feed(r, block, got, err);
    } while (!status && got > 0);
    return status;
}

ridge_status ridge__row_reader_end(ridge__row_reader *r, ridge_error *err)
{
    size_t size = r->carry.size;
    r->carry.size = 0;
    return size > 0 ? take_row(r, r->carry.data, size, true, err) : RIDGE_OK;
}

void ridge__row_reader_clear(ridge__row_reader *r)
{
    ridge__str_clear(&r->carry);
}
