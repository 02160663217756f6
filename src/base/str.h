/*
 * A growing string.  Failure is sticky: after a failed growth every call is a no-op, and
 * the owner asks ridge__str_ok() once at the end.
 */
#ifndef RIDGE_STR_H
#define RIDGE_STR_H

#include <ridge.h>
#include <stdarg.h>
#include <string.h>

typedef struct ridge__str {
    char *data; /* terminated once anything was added; NULL before */
    size_t size, room, max;
    ridge_allocator allocator;
    bool failed;
    bool too_large; /* why: more than max, not memory */
} ridge__str;

/* max 0: RIDGE_LIMIT_TEXT_BYTES.  alloc NULL: malloc and free. */
void ridge__str_init(ridge__str *s, size_t max, const ridge_allocator *alloc);
void ridge__str_add(ridge__str *s, const char *data, size_t size);
void ridge__str_text(ridge__str *s, const char *text);
RIDGE_PRINTF(2, 3) void ridge__str_format(ridge__str *s, const char *fmt, ...);
void ridge__str_vformat(ridge__str *s, const char *fmt, va_list args);
/* `count` times the same byte. */
void ridge__str_fill(ridge__str *s, char byte, size_t count);
void ridge__str_reset(ridge__str *s); /* empty again, memory kept, failure kept */
void ridge__str_clear(ridge__str *s); /* memory freed, back to the initial state */
static inline bool ridge__str_ok(const ridge__str *s)
{
    return !s->failed;
}
static inline const char *ridge__str_data(const ridge__str *s)
{
    return s->data ? s->data : "";
}
/* OK, or why the text is not whole: LIMIT (more than max; `what` begins the sentence) or
 * NOMEM. */
ridge_status ridge__str_check(const ridge__str *s, const char *what, ridge_error *err);
/* Hand the text to a sink: as ridge__str_check(), or CANCELLED if the sink stops. */
ridge_status ridge__str_send(const ridge__str *s, ridge_sink sink, ridge_error *err);

/* True if the `size` bytes of `text` are the word. */
static inline bool ridge__text_is(const char *word, const char *text, size_t size)
{
    return strlen(word) == size && memcmp(word, text, size) == 0;
}
/* True if `word` is one of the words of `list`, separated by single blanks. */
bool ridge__words_hold(const char *list, const char *word);

#endif
