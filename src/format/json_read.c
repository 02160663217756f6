#include "format/json_read.h"

#include "format/csv.h" /* ridge__input */

#include <string.h>
#include <yajl/yajl_parse.h>

enum {
    FEED_BYTES = 64 << 10,
    NUMBER_CHARS = 400,
    /*
     * yajl does not look whether memory was to be had, so it gets all it can ask for
     * beforehand.  It holds a buffer for a token that is cut by the end of a piece and
     * one for a string with escapes; each doubles up to at most twice the longest token,
     * so that all its sizes together are below four times that.  The rest (two handles
     * and a byte for each open container) is small.  Untouched pages cost nothing.
     */
    LONGEST_BYTES = RIDGE_LIMIT_JSON_VALUE + FEED_BYTES,
    POOL_BYTES = 2 * 4 * LONGEST_BYTES + (64 << 10),
    ALIGN = 16
};

/* Before each block of the pool. */
typedef struct header {
    size_t size;
    char fill[ALIGN - sizeof(size_t)];
} header;

struct ridge__json_reader {
    ridge_allocator allocator;
    ridge__json_options options;
    yajl_handle yajl;
    char *pool;
    size_t pool_used;
    unsigned depth;
    ridge_status status; /* of the handler */
    ridge_error *err;    /* of the call that is running */
    /* The piece that is being read, and how much of it is counted as lines. */
    const char *piece;
    size_t piece_size, counted;
    uint64_t line, column; /* of the byte after the counted ones */
    uint64_t quiet;        /* bytes fed since the last event */
    bool quiet_end;        /* an event came from this piece */
    bool done;             /* the text is over: the place stands still */
    unsigned mark;         /* bytes of a byte order mark that were skipped */
    bool started;
};

/* ---- Memory for yajl --------------------------------------------------------------- */

static void *pool_alloc(void *ctx, size_t size)
{
    ridge__json_reader *r = ctx;
    size_t need = sizeof(header) + (size + ALIGN - 1) / ALIGN * ALIGN;
    if (need < size || need > POOL_BYTES - r->pool_used)
        return NULL;
    header *h = (header *)(void *)(r->pool + r->pool_used);
    h->size = size;
    r->pool_used += need;
    return h + 1;
}

static void *pool_realloc(void *ctx, void *old, size_t size)
{
    const header *h = old ? (const header *)old - 1 : NULL;
    if (h && size <= h->size)
        return old;
    void *block = pool_alloc(ctx, size);
    if (block && h)
        memcpy(block, old, h->size);
    return block;
}

static void pool_free(void *ctx, void *block)
{
    (void)ctx;
    (void)block; /* all at once, with the reader */
}

/* ---- Places ------------------------------------------------------------------------ */

/* Count lines up to byte `to` of the piece. */
static void count_to(ridge__json_reader *r, size_t to)
{
    const char *p = r->piece + r->counted, *end = r->piece + to;
    while (p < end) {
        const char *next = memchr(p, '\n', (size_t)(end - p));
        if (!next) {
            r->column += (uint64_t)(end - p);
            break;
        }
        r->line++;
        r->column = 1;
        p = next + 1;
    }
    if (to > r->counted)
        r->counted = to;
}

void ridge__json_place(const ridge__json_reader *reader, uint64_t *line, uint64_t *column)
{
    ridge__json_reader at = *reader; /* counted further in a copy: this is for errors */
    size_t to = at.done ? at.counted : yajl_get_bytes_consumed(at.yajl);
    if (to > at.counted && to <= at.piece_size)
        count_to(&at, to);
    *line = at.line;
    *column = at.column > 1 ? at.column - 1 : 1;
}

/* ---- Events ------------------------------------------------------------------------ */

/* Well-formed as Unicode defines it (table 3-7): nothing overlong, no surrogates. */
static bool is_utf8(const char *text, size_t size)
{
    const unsigned char *p = (const unsigned char *)text, *end = p + size;
    while (p < end) {
        if (*p < 0x80) {
            p++;
            continue;
        }
        size_t n = *p >= 0xf0 ? 4 : *p >= 0xe0 ? 3 : 2;
        if (*p < 0xc2 || *p > 0xf4 || (size_t)(end - p) < n)
            return false;
        unsigned low = *p == 0xe0 ? 0xa0 : *p == 0xf0 ? 0x90 : 0x80;
        unsigned high = *p == 0xed ? 0x9f : *p == 0xf4 ? 0x8f : 0xbf;
        for (size_t i = 1; i < n; i++, low = 0x80, high = 0xbf)
            if (p[i] < low || p[i] > high)
                return false;
        p += n;
    }
    return true;
}

static int stop(ridge__json_reader *r, ridge_status status)
{
    r->status = status;
    return 0;
}

/* 1 to go on, as yajl wants it. */
static int hand_over(ridge__json_reader *r, ridge__json_event event)
{
    r->quiet_end = true;
    event.reader = r;
    event.depth = r->depth;
    ridge_status status = r->options.handler(r->options.ctx, &event, r->err);
    return status ? stop(r, status) : 1;
}

static int on_null(void *ctx)
{
    return hand_over(ctx, (ridge__json_event){.kind = RIDGE__JSON_NULL});
}

static int on_bool(void *ctx, int truth)
{
    return hand_over(ctx,
                     (ridge__json_event){.kind = RIDGE__JSON_BOOL, .truth = truth != 0});
}

static int on_number(void *ctx, const char *text, size_t size)
{
    return hand_over(
        ctx, (ridge__json_event){.kind = RIDGE__JSON_NUMBER, .text = text, .size = size});
}

static int on_words(ridge__json_reader *r, ridge__json_kind kind, const void *text,
                    size_t size)
{
    if (!is_utf8(text, size))
        return stop(r, ridge__error_set(r->err, RIDGE_SYNTAX, "a string is not UTF-8"));
    return hand_over(r, (ridge__json_event){.kind = kind, .text = text, .size = size});
}

static int on_text(void *ctx, const unsigned char *text, size_t size)
{
    return on_words(ctx, RIDGE__JSON_TEXT, text, size);
}

static int on_key(void *ctx, const unsigned char *text, size_t size)
{
    return on_words(ctx, RIDGE__JSON_KEY, text, size);
}

static int on_open(ridge__json_reader *r, ridge__json_kind kind)
{
    if (r->depth == RIDGE_LIMIT_JSON_DEPTH)
        return stop(r, ridge__error_set(r->err, RIDGE_LIMIT,
                                        "more than %d arrays and objects inside one "
                                        "another",
                                        RIDGE_LIMIT_JSON_DEPTH));
    int more = hand_over(r, (ridge__json_event){.kind = kind});
    r->depth++;
    return more;
}

static int on_close(ridge__json_reader *r, ridge__json_kind kind)
{
    r->depth--;
    return hand_over(r, (ridge__json_event){.kind = kind});
}

static int on_open_object(void *ctx)
{
    return on_open(ctx, RIDGE__JSON_OPEN_OBJECT);
}
static int on_close_object(void *ctx)
{
    return on_close(ctx, RIDGE__JSON_CLOSE_OBJECT);
}
static int on_open_array(void *ctx)
{
    return on_open(ctx, RIDGE__JSON_OPEN_ARRAY);
}
static int on_close_array(void *ctx)
{
    return on_close(ctx, RIDGE__JSON_CLOSE_ARRAY);
}

/* ---- Reading ----------------------------------------------------------------------- */

ridge_status ridge__json_reader_new(ridge__json_reader **out,
                                    const ridge__json_options *options,
                                    const ridge_allocator *alloc, ridge_error *err)
{
    static const yajl_callbacks callbacks = {
        .yajl_null = on_null,
        .yajl_boolean = on_bool,
        .yajl_number = on_number,
        .yajl_string = on_text,
        .yajl_start_map = on_open_object,
        .yajl_map_key = on_key,
        .yajl_end_map = on_close_object,
        .yajl_start_array = on_open_array,
        .yajl_end_array = on_close_array,
    };
    ridge_allocator a = ridge__allocator(alloc);
    ridge__json_reader *r = a.alloc(a.ctx, sizeof *r);
    if (!r) {
        ridge__error_set(err, RIDGE_NOMEM, "out of memory");
        return RIDGE_NOMEM;
    }
    *r =
        (ridge__json_reader){.allocator = a, .options = *options, .line = 1, .column = 1};
    r->pool = a.alloc(a.ctx, POOL_BYTES);
    if (!r->pool) {
        ridge__json_reader_free(r);
        ridge__error_set(err, RIDGE_NOMEM, "out of memory");
        return RIDGE_NOMEM;
    }
    yajl_alloc_funcs funcs = {pool_alloc, pool_realloc, pool_free, r};
    r->yajl = yajl_alloc(&callbacks, &funcs, r); /* the pool is empty: it succeeds */
    if (options->many)
        yajl_config(r->yajl, yajl_allow_multiple_values, 1);
    *out = r;
    return RIDGE_OK;
}

void ridge__json_reader_free(ridge__json_reader *reader)
{
    if (!reader)
        return;
    ridge_allocator a = reader->allocator;
    if (reader->pool)
        a.free(a.ctx, reader->pool, POOL_BYTES);
    a.free(a.ctx, reader, sizeof *reader);
}

/* "invalid char in json text" of yajl's "lexical error: invalid char in json text.\n". */
static void yajl_reason(ridge__json_reader *r, char *buf, size_t size)
{
    unsigned char *said = yajl_get_error(r->yajl, 0, NULL, 0);
    const char *text = said ? (const char *)said : "";
    const char *colon = strstr(text, ": ");
    text = colon ? colon + 2 : text;
    snprintf(buf, size, "%.*s", (int)strcspn(text, ".\n"), text);
    if (said)
        yajl_free_error(r->yajl, said);
}

/* What Python and JavaScript programs write where a number is missing. */
static bool starts_no_number(const ridge__json_reader *r)
{
    size_t at = yajl_get_bytes_consumed(r->yajl);
    for (size_t back = 0; back < 2; back++)
        if (at >= back && at - back < r->piece_size &&
            strchr("NIi", r->piece[at - back]) && r->piece[at - back])
            return true;
    return false;
}

static ridge_status fail_at(ridge__json_reader *r, ridge_status status, ridge_error *err)
{
    uint64_t line, column;
    ridge__json_place(r, &line, &column);
    if (err && !err->line)
        err->line = line;
    return status;
}

static ridge_status explain(ridge__json_reader *r, yajl_status code, ridge_error *err)
{
    if (code == yajl_status_client_canceled)
        return fail_at(r, r->status, err);
    char reason[128];
    uint64_t line, column;
    ridge__json_place(r, &line, &column);
    yajl_reason(r, reason, sizeof reason);
    bool number = !r->done && starts_no_number(r);
    ridge__error_set(err, RIDGE_SYNTAX, "no JSON at byte %llu of the line: %s%s",
                     (unsigned long long)column, reason,
                     number ? "; NaN and Infinity are no JSON numbers, null is unknown"
                            : "");
    return fail_at(r, RIDGE_SYNTAX, err);
}

/* Some programs begin with a byte order mark, which is no part of the text. */
static size_t skip_mark(ridge__json_reader *r, const char *data, size_t size)
{
    static const char mark[] = "\xef\xbb\xbf";
    size_t n = 0;
    while (!r->started && n < size && r->mark < 3 && data[n] == mark[r->mark]) {
        r->mark++;
        n++;
    }
    r->started = r->started || n < size || r->mark == 3;
    return n;
}

static ridge_status feed_piece(ridge__json_reader *r, const char *data, size_t size,
                               ridge_error *err)
{
    r->piece = data;
    r->piece_size = size;
    r->counted = 0;
    r->quiet_end = false;
    r->err = err;
    yajl_status code = yajl_parse(r->yajl, (const unsigned char *)data, size);
    if (code != yajl_status_ok)
        return explain(r, code, err);
    count_to(r, size);
    r->quiet = r->quiet_end ? 0 : r->quiet + size;
    if (r->quiet > RIDGE_LIMIT_JSON_VALUE) {
        ridge__error_set(err, RIDGE_LIMIT, "a value is longer than %d KiB",
                         RIDGE_LIMIT_JSON_VALUE >> 10);
        return fail_at(r, RIDGE_LIMIT, err);
    }
    return RIDGE_OK;
}

ridge_status ridge__json_reader_feed(ridge__json_reader *reader, const char *data,
                                     size_t size, ridge_error *err)
{
    if (size == 0)
        return RIDGE_OK;
    size_t at = skip_mark(reader, data, size);
    while (at < size) {
        size_t n = size - at < FEED_BYTES ? size - at : FEED_BYTES;
        ridge_status status = feed_piece(reader, data + at, n, err);
        if (status)
            return status;
        at += n;
    }
    return RIDGE_OK;
}

ridge_status ridge__json_reader_end(ridge__json_reader *reader, ridge_error *err)
{
    reader->done = true;
    reader->err = err;
    yajl_status code = yajl_complete_parse(reader->yajl);
    if (code == yajl_status_client_canceled)
        return fail_at(reader, reader->status, err);
    if (code == yajl_status_ok)
        return RIDGE_OK;
    ridge__error_set(err, RIDGE_SYNTAX,
                     reader->started ? "the JSON ends too early: the text is truncated"
                                     : "the text is empty; a JSON value wanted");
    return fail_at(reader, RIDGE_SYNTAX, err);
}

ridge_status ridge__json_read(const char *path, const ridge__json_options *options,
                              ridge_error *err)
{
    ridge__json_reader *reader = NULL;
    ridge__input *input = NULL;
    ridge__str block;
    size_t got = 0;
    ridge_status status;
    ridge__str_init(&block, 0, NULL);
    ridge__str_fill(&block, 0, FEED_BYTES);
    RIDGE__TRY(ridge__str_check(&block, "", err));
    RIDGE__TRY(ridge__input_open(&input, path, err));
    RIDGE__TRY(ridge__json_reader_new(&reader, options, NULL, err));
    do {
        RIDGE__TRY(ridge__input_read(input, block.data, FEED_BYTES, &got, err));
        RIDGE__TRY(ridge__json_reader_feed(reader, block.data, got, err));
    } while (got > 0);
    status = ridge__json_reader_end(reader, err);
out:
    if (status && err && !err->where[0]) {
        uint64_t line = err->line;
        ridge__error_at(err, ridge__input_title(path), line);
    }
    ridge__json_reader_free(reader);
    ridge__input_close(input);
    ridge__str_clear(&block);
    return status;
}

ridge_status ridge__json_double(double *out, const ridge__json_event *event,
                                ridge_error *err)
{
    char text[NUMBER_CHARS + 1];
    const char *end;
    double value;
    if (event->kind == RIDGE__JSON_NULL) {
        *out = RIDGE_UNKNOWN;
        return RIDGE_OK;
    }
    if (event->kind != RIDGE__JSON_NUMBER)
        return ridge__error_set(err, RIDGE_SYNTAX, "a number or null wanted");
    if (event->size > NUMBER_CHARS)
        return ridge__error_set(err, RIDGE_LIMIT, "a number has more than %d characters",
                                (int)NUMBER_CHARS);
    memcpy(text, event->text, event->size);
    text[event->size] = '\0';
    bool negative = text[0] == '-';
    ridge_status status = ridge__number_parse(&value, text + negative, &end);
    if (status == RIDGE_LIMIT)
        return ridge__error_set(err, status, "the number %s is too large",
                                RIDGE__QUOTE(text));
    if (status)
        return ridge__error_set(err, status, "%s is no number", RIDGE__QUOTE(text));
    *out = negative ? -value : value;
    return RIDGE_OK;
}
