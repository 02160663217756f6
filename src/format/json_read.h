/*
 * A streaming JSON reader: text in pieces of any size, events out, in memory that does not
 * grow with the text.  By yajl; nothing here shows it.
 *
 * Strings arrive decoded and are checked to be UTF-8; numbers arrive as they are written,
 * for a nanosecond stamp of 19 digits does not survive a double.  Names that come twice in
 * one object are passed on as they come: a reader that cares keeps a bit for each of its
 * keys, which needs no memory that grows.  NaN and Infinity are no JSON.
 */
#ifndef RIDGE_FORMAT_JSON_READ_H
#define RIDGE_FORMAT_JSON_READ_H

#include "base/base.h"

typedef enum ridge__json_kind {
    RIDGE__JSON_NULL,
    RIDGE__JSON_BOOL,
    RIDGE__JSON_NUMBER,
    RIDGE__JSON_TEXT,
    RIDGE__JSON_KEY,
    RIDGE__JSON_OPEN_OBJECT,
    RIDGE__JSON_CLOSE_OBJECT,
    RIDGE__JSON_OPEN_ARRAY,
    RIDGE__JSON_CLOSE_ARRAY
} ridge__json_kind;

typedef struct ridge__json_reader ridge__json_reader;

typedef struct ridge__json_event {
    ridge__json_kind kind;
    unsigned depth;   /* containers around it; a bracket has that of its container */
    bool truth;       /* of a BOOL */
    const char *text; /* of a TEXT, KEY or NUMBER; not terminated; for this call alone */
    size_t size;
    ridge__json_reader *reader; /* for ridge__json_place */
} ridge__json_event;

/* Takes one event.  Anything but OK ends the reading, which fails with that status. */
typedef ridge_status (*ridge__json_handler)(void *ctx, const ridge__json_event *event,
                                            ridge_error *err);

typedef struct ridge__json_options {
    ridge__json_handler handler;
    void *ctx;
    bool many; /* several documents may follow one another */
} ridge__json_options;

/* alloc NULL: malloc and free.  What the reader will ever need is taken here. */
RIDGE_MUST_CHECK ridge_status ridge__json_reader_new(ridge__json_reader **out,
                                                     const ridge__json_options *options,
                                                     const ridge_allocator *alloc,
                                                     ridge_error *err);
/*
 * The next `size` bytes.  SYNTAX with a line for what is no JSON or no UTF-8; LIMIT for
 * more than RIDGE_LIMIT_JSON_DEPTH containers or a value longer than
 * RIDGE_LIMIT_JSON_VALUE bytes; else what the handler returned.  After a failure only
 * ridge__json_reader_free may follow.
 */
RIDGE_MUST_CHECK ridge_status ridge__json_reader_feed(ridge__json_reader *reader,
                                                      const char *data, size_t size,
                                                      ridge_error *err);
/* The text is over: SYNTAX if a document is not whole, or if there was none. */
RIDGE_MUST_CHECK ridge_status ridge__json_reader_end(ridge__json_reader *reader,
                                                     ridge_error *err);
void ridge__json_reader_free(ridge__json_reader *reader);

/* Where the token of the event that is being handled ends: line and byte in it, from 1. */
void ridge__json_place(const ridge__json_reader *reader, uint64_t *line,
                       uint64_t *column);

/* The whole of a file (plain or gzip; NULL or "-": standard input), 64 KiB at a time.
 * Errors carry its name. */
RIDGE_MUST_CHECK ridge_status ridge__json_read(const char *path,
                                               const ridge__json_options *options,
                                               ridge_error *err);

/* A NUMBER as a double, correctly rounded; null is unknown.  LIMIT where it is not finite
 * or has more than 400 characters; SYNTAX for any other event. */
RIDGE_MUST_CHECK ridge_status ridge__json_double(double *out,
                                                 const ridge__json_event *event,
                                                 ridge_error *err);
/* True for a KEY or TEXT that is the word. */
static inline bool ridge__json_is(const ridge__json_event *event, const char *word)
{
    return ridge__text_is(word, event->text, event->size);
}

#endif
