/*
 * Any bytes as JSON: read without a crash; brackets close as they open; and the way the
 * text is cut into pieces changes neither the events nor the verdict.
 */
#include "format/json_read.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
    if (!condition)
        abort();
}

typedef struct trail {
    uint64_t hash; /* of all events, FNV-1a */
    unsigned depth;
} trail;

static void mix(trail *t, const void *data, size_t size)
{
    const unsigned char *p = data;
    for (size_t i = 0; i < size; i++)
        t->hash = (t->hash ^ p[i]) * 1099511628211u;
}

static ridge_status take(void *ctx, const ridge__json_event *event, ridge_error *err)
{
    trail *t = ctx;
    double number;
    uint64_t line, column;
    if (event->kind == RIDGE__JSON_CLOSE_OBJECT ||
        event->kind == RIDGE__JSON_CLOSE_ARRAY) {
        require(t->depth > 0);
        t->depth--;
    }
    require(event->depth == t->depth && event->depth <= RIDGE_LIMIT_JSON_DEPTH);
    if (event->kind == RIDGE__JSON_OPEN_OBJECT || event->kind == RIDGE__JSON_OPEN_ARRAY)
        t->depth++;
    mix(t, &event->kind, sizeof event->kind);
    if (event->size > 0)
        mix(t, event->text, event->size);
    ridge_status status = ridge__json_double(&number, event, err);
    require(status || event->kind == RIDGE__JSON_NULL || !isinf(number));
    ridge__json_place(event->reader, &line, &column);
    require(line >= 1 && column >= 1);
    return RIDGE_OK;
}

static ridge_status read_in_steps(trail *t, const char *text, size_t size, size_t step,
                                  ridge_error *err)
{
    ridge__json_reader *reader = NULL;
    ridge__json_options options = {take, t, size % 2 == 0};
    *t = (trail){.hash = 14695981039346656037u};
    if (ridge__json_reader_new(&reader, &options, NULL, err))
        exit(0);
    ridge_status status = RIDGE_OK;
    for (size_t at = 0; at < size && !status; at += step)
        status = ridge__json_reader_feed(reader, text + at,
                                         size - at < step ? size - at : step, err);
    if (!status)
        status = ridge__json_reader_end(reader, err);
    ridge__json_reader_free(reader);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    trail whole, cut;
    ridge_error whole_err = {0}, cut_err = {0};
    const char *text = (const char *)data;
    ridge_status a = read_in_steps(&whole, text, size, size + 1, &whole_err);
    ridge_status b = read_in_steps(&cut, text, size, 1, &cut_err);
    require(a == b && whole.hash == cut.hash);
    require(!a || whole_err.line == cut_err.line);
    return 0;
}
