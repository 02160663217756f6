#include "base/base.h"

#include <stdio.h>
#include <string.h>

void ridge__str_init(ridge__str *s, size_t max, const ridge_allocator *alloc)
{
    /* The cap keeps sums of two sizes from wrapping. */
    if (max == 0)
        max = RIDGE_LIMIT_TEXT_BYTES;
    *s = (ridge__str){.max = max < SIZE_MAX / 4 ? max : SIZE_MAX / 4,
                      .allocator = ridge__allocator(alloc)};
}

/* Room for `more` bytes and the terminator; false and failed if there is none. */
static bool grow(ridge__str *s, size_t more)
{
    if (s->failed)
        return false;
    if (more > s->max || s->size > s->max - more) {
        s->failed = s->too_large = true;
        return false;
    }
    size_t need = s->size + more + 1;
    if (need <= s->room)
        return true;
    size_t room = s->room ? s->room : 256;
    while (room < need)
        room *= 2;
    char *data = s->allocator.alloc(s->allocator.ctx, room);
    if (!data) {
        s->failed = true;
        return false;
    }
    if (s->data) {
        memcpy(data, s->data, s->size);
        s->allocator.free(s->allocator.ctx, s->data, s->room);
    }
    s->data = data;
    s->room = room;
    return true;
}

void ridge__str_add(ridge__str *s, const char *data, size_t size)
{
    if (!grow(s, size))
        return;
    if (size)
        memcpy(s->data + s->size, data, size);
    s->size += size;
    s->data[s->size] = '\0';
}

void ridge__str_text(ridge__str *s, const char *text)
{
    ridge__str_add(s, text, strlen(text));
}

void ridge__str_vformat(ridge__str *s, const char *fmt, va_list args)
{
    va_list again;
    va_copy(again, args);
    int need = vsnprintf(NULL, 0, fmt, args);
    if (need < 0)
        s->failed = true;
    else if (grow(s, (size_t)need)) {
        vsnprintf(s->data + s->size, (size_t)need + 1, fmt, again);
        s->size += (size_t)need;
    }
    va_end(again);
}

void ridge__str_format(ridge__str *s, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    ridge__str_vformat(s, fmt, args);
    va_end(args);
}

void ridge__str_fill(ridge__str *s, char byte, size_t count)
{
    if (!grow(s, count))
        return;
    memset(s->data + s->size, byte, count);
    s->size += count;
    s->data[s->size] = '\0';
}

void ridge__str_reset(ridge__str *s)
{
    s->size = 0;
    if (s->data)
        s->data[0] = '\0';
}

void ridge__str_clear(ridge__str *s)
{
    if (s->data)
        s->allocator.free(s->allocator.ctx, s->data, s->room);
    ridge__str_init(s, s->max, &s->allocator);
}

ridge_status ridge__str_check(const ridge__str *s, const char *what, ridge_error *err)
{
    if (s->too_large)
        return ridge__error_set(err, RIDGE_LIMIT, "%slarger than %zu bytes", what,
                                s->max);
    return s->failed ? ridge__error_set(err, RIDGE_NOMEM, "out of memory") : RIDGE_OK;
}

ridge_status ridge__str_send(const ridge__str *s, ridge_sink sink, ridge_error *err)
{
    ridge_status status = ridge__str_check(s, "the text is ", err);
    if (status)
        return status;
    if (s->size && sink.write(sink.ctx, s->data, s->size))
        return ridge__error_set(err, RIDGE_CANCELLED, "the output could not be written");
    return RIDGE_OK;
}

bool ridge__words_hold(const char *list, const char *word)
{
    for (const char *at = list;; at++) {
        const char *left = word;
        for (; *left && *at == *left; at++)
            left++;
        if (left != word && !*left && (*at == ' ' || !*at))
            return true;
        while (*at && *at != ' ')
            at++;
        if (!*at)
            return false;
    }
}
