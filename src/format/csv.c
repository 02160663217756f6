#include "format/csv.h"

#include "base/base.h"

#include <csv.h>
#include <string.h>

typedef struct field {
    uint32_t begin, size; /* in text */
} field;

struct ridge__csv_row {
    ridge_allocator allocator;
    struct csv_parser parser;
    char *text; /* every cell with its terminator */
    size_t text_size, text_room;
    field *fields;
    size_t count, room;
    size_t ends;         /* row ends that libcsv saw */
    ridge_status status; /* of the row being parsed */
};

void ridge__csv_cell(ridge__str *out, const char *text, size_t size)
{
    bool quote = false;
    for (size_t i = 0; i < size && !quote; i++)
        quote = text[i] && strchr(",\"\r\n", text[i]);
    /* Blanks at an edge would not read back without quotes. */
    if (size > 0 && (strchr(" \t", text[0]) || strchr(" \t", text[size - 1])))
        quote = true;
    if (!quote) {
        ridge__str_add(out, text, size);
        return;
    }
    ridge__str_add(out, "\"", 1);
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '"')
            ridge__str_add(out, "\"", 1);
        ridge__str_add(out, text + i, 1);
    }
    ridge__str_add(out, "\"", 1);
}

/* ---- One row ----------------------------------------------------------------------- */

static ridge_status parser_init(ridge__csv_row *row)
{
    unsigned char options = CSV_STRICT | CSV_STRICT_FINI;
    return csv_init(&row->parser, options) ? RIDGE_NOMEM : RIDGE_OK;
}

ridge_status ridge__csv_row_new(ridge__csv_row **out, const ridge_allocator *alloc,
                                ridge_error *err)
{
    ridge_allocator a = ridge__allocator(alloc);
    ridge__csv_row *row = a.alloc(a.ctx, sizeof *row);
    if (!row)
        return ridge__error_set(err, RIDGE_NOMEM, "out of memory");
    *row = (ridge__csv_row){.allocator = a};
    if (parser_init(row)) {
        a.free(a.ctx, row, sizeof *row);
        return ridge__error_set(err, RIDGE_NOMEM, "out of memory");
    }
    *out = row;
    return RIDGE_OK;
}

void ridge__csv_row_free(ridge__csv_row *row)
{
    if (!row)
        return;
    ridge_allocator a = row->allocator;
    csv_free(&row->parser);
    if (row->text)
        a.free(a.ctx, row->text, row->text_room);
    if (row->fields)
        a.free(a.ctx, row->fields, row->room * sizeof *row->fields);
    a.free(a.ctx, row, sizeof *row);
}

/* Memory for `need` bytes in place of the old; what was there is kept. */
static bool grow(const ridge_allocator *a, void **memory, size_t *room, size_t need)
{
    size_t more = *room ? *room : 512;
    while (more < need)
        more *= 2;
    void *larger = a->alloc(a->ctx, more);
    if (!larger)
        return false;
    if (*memory) {
        memcpy(larger, *memory, *room);
        a->free(a->ctx, *memory, *room);
    }
    *memory = larger;
    *room = more;
    return true;
}

static bool text_reserve(ridge__csv_row *row, size_t need)
{
    void *text = row->text;
    if (need > row->text_room && !grow(&row->allocator, &text, &row->text_room, need))
        return false;
    row->text = text;
    return true;
}

static ridge_status add_field(ridge__csv_row *row, size_t begin, size_t size)
{
    if (row->count == RIDGE_LIMIT_COLUMNS)
        return RIDGE_LIMIT;
    if (row->count == row->room) {
        void *fields = row->fields;
        size_t bytes = row->room * sizeof *row->fields;
        if (!grow(&row->allocator, &fields, &bytes, bytes + sizeof *row->fields))
            return RIDGE_NOMEM;
        row->fields = fields;
        row->room = bytes / sizeof *row->fields;
    }
    row->fields[row->count++] = (field){(uint32_t)begin, (uint32_t)size};
    return RIDGE_OK;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Commas alone cut a row without quotes: several times as fast as libcsv's callbacks. */
static ridge_status split_plain(ridge__csv_row *row, size_t size)
{
    char *text = row->text;
    size_t begin = 0;
    for (size_t i = 0; i <= size; i++) {
        if (i < size && text[i] != ',')
            continue;
        size_t first = begin, end = i;
        while (first < end && is_blank(text[first]))
            first++;
        while (end > first && is_blank(text[end - 1]))
            end--;
        text[end] = '\0';
        ridge_status status = add_field(row, first, end - first);
        if (status)
            return status;
        begin = i + 1;
    }
    return RIDGE_OK;
}

static void on_field(void *data, size_t size, void *ctx)
{
    ridge__csv_row *row = ctx;
    if (row->status)
        return;
    /* Quotes and doublings vanish, so the cells and terminators fit where the row was. */
    memcpy(row->text + row->text_size, data, size);
    row->text[row->text_size + size] = '\0';
    row->status = add_field(row, row->text_size, size);
    row->text_size += size + 1;
}

static void on_row(int terminator, void *ctx)
{
    ridge__csv_row *row = ctx;
    (void)terminator;
    row->ends++;
}

static ridge_status split_quoted(ridge__csv_row *row, const char *data, size_t size)
{
    size_t read = csv_parse(&row->parser, data, size, on_field, on_row, row);
    if (read == size && csv_fini(&row->parser, on_field, on_row, row) == 0)
        return row->status;
    bool memory = csv_error(&row->parser) == CSV_ENOMEM;
    /* A parser that failed keeps its state. */
    csv_free(&row->parser);
    return parser_init(row) || memory ? RIDGE_NOMEM : RIDGE_SYNTAX;
}

static ridge_status parse_failed(ridge_status status, ridge_error *err)
{
    switch (status) {
    case RIDGE_LIMIT:
        return ridge__error_set(err, status, "more than %d columns", RIDGE_LIMIT_COLUMNS);
    case RIDGE_NOMEM:
        return ridge__error_set(err, status, "out of memory");
    default:
        return ridge__error_set(err, status,
                                "a quote is out of place; a quoted cell begins and ends "
                                "with a quote, and doubles those inside");
    }
}

static ridge_status lone_return(ridge__csv_row *row, ridge_error *err)
{
    row->count = 0;
    return ridge__error_set(err, RIDGE_SYNTAX,
                            "a carriage return inside the row; lines end in a line feed, "
                            "with or without one before it");
}

ridge_status ridge__csv_row_parse(ridge__csv_row *row, const char *data, size_t size,
                                  ridge_error *err)
{
    size = ridge__csv_row_trim(data, size);
    row->count = row->text_size = row->ends = 0;
    row->status = RIDGE_OK;
    /* A cell more than bytes of row: "," is two empty cells. */
    if (!text_reserve(row, size + 2))
        return parse_failed(RIDGE_NOMEM, err);
    ridge_status status;
    if (size == 0 || !memchr(data, '"', size)) {
        if (size > 0 && memchr(data, '\r', size))
            return lone_return(row, err);
        if (size > 0)
            memcpy(row->text, data, size);
        status = split_plain(row, size);
    } else {
        status = split_quoted(row, data, size);
        if (!status && row->ends != 1)
            return lone_return(row, err);
    }
    if (status) {
        row->count = 0;
        return parse_failed(status, err);
    }
    return RIDGE_OK;
}

size_t ridge__csv_row_count(const ridge__csv_row *row)
{
    return row->count;
}

const char *ridge__csv_row_field(const ridge__csv_row *row, size_t i, size_t *size)
{
    if (size)
        *size = i < row->count ? row->fields[i].size : 0;
    return i < row->count ? row->text + row->fields[i].begin : "";
}

/* ---- Where a row ends -------------------------------------------------------------- */

/* The same for a row that has quotes before its first line end. */
static size_t quoted_span(const char *data, size_t size)
{
    enum {
        START, /* of a cell, where a quote opens */
        INSIDE,
        QUOTED
    } state = START;
    for (size_t i = 0; i < size; i++) {
        char c = data[i];
        if (state == QUOTED) {
            if (c != '"')
                continue;
            if (i + 1 < size && data[i + 1] == '"')
                i++;
            else
                state = INSIDE;
        } else if (c == '\n') {
            return i + 1;
        } else if (c == ',') {
            state = START;
        } else if (state == START && !is_blank(c)) {
            state = c == '"' ? QUOTED : INSIDE;
        }
    }
    return 0;
}

size_t ridge__csv_row_span(const char *data, size_t size)
{
    const char *end = size > 0 ? memchr(data, '\n', size) : NULL;
    if (!end)
        return 0;
    size_t line = (size_t)(end - data);
    return memchr(data, '"', line) ? quoted_span(data, size) : line + 1;
}

size_t ridge__csv_row_trim(const char *data, size_t size)
{
    if (size > 0 && data[size - 1] == '\n')
        size--;
    if (size > 0 && data[size - 1] == '\r')
        size--;
    return size;
}
