#include "base/base.h"

#include <stdio.h>
#include <string.h>

const char *ridge_version(void)
{
#define TEXT_(x) #x
#define TEXT(x)  TEXT_(x)
    return TEXT(RIDGE_VERSION_MAJOR) "." TEXT(RIDGE_VERSION_MINOR) "." TEXT(
        RIDGE_VERSION_PATCH);
#undef TEXT
#undef TEXT_
}

static const struct {
    ridge_status status;
    const char *name, *text;
} statuses[] = {
#define X(name, value, text) {RIDGE_##name, "RIDGE_" #name, text},
    RIDGE_STATUS_MAP(X)
#undef X
};

const char *ridge_status_name(ridge_status status)
{
    for (size_t i = 0; i < RIDGE__COUNT(statuses); i++)
        if (statuses[i].status == status)
            return statuses[i].name;
    return "RIDGE_?";
}

const char *ridge_status_text(ridge_status status)
{
    for (size_t i = 0; i < RIDGE__COUNT(statuses); i++)
        if (statuses[i].status == status)
            return statuses[i].text;
    return "unknown status";
}

ridge_status ridge__error_set(ridge_error *err, ridge_status status, const char *fmt, ...)
{
    if (!err)
        return status;
    err->status = status;
    err->line = 0;
    err->where[0] = '\0';
    va_list args;
    va_start(args, fmt);
    vsnprintf(err->message, sizeof err->message, fmt, args);
    va_end(args);
    return status;
}

void ridge__error_at(ridge_error *err, const char *where, uint64_t line)
{
    if (!err || err->where[0] || !where)
        return;
    char quoted[sizeof err->where];
    ridge__quote(quoted, sizeof quoted, where);
    memcpy(err->where, quoted, sizeof quoted);
    if (!err->line)
        err->line = line;
}

const char *ridge__quote(char *buf, size_t size, const char *text)
{
    size_t n = 0;
    if (!text)
        text = "";
    /* Four bytes are kept back for the ellipsis and the terminator. */
    while (*text && n + 4 < size) {
        unsigned char c = (unsigned char)*text++;
        buf[n++] = c < 0x20 || c == 0x7f ? '?' : (char)c;
    }
    if (*text) {
        /* Do not leave half a UTF-8 character before the ellipsis. */
        while (n > 0 && ((unsigned char)buf[n - 1] & 0xc0) == 0x80)
            n--;
        if (n > 0 && (unsigned char)buf[n - 1] >= 0xc0)
            n--;
        memcpy(buf + n, "...", 3);
        n += 3;
    }
    buf[n] = '\0';
    return buf;
}

size_t ridge__edit_distance(const char *a, const char *b, size_t cap)
{
    enum {
        MAX = 48
    };
    size_t row[MAX + 1];
    size_t la = strlen(a), lb = strlen(b);
    if (la > MAX || lb > MAX)
        return cap;
    for (size_t j = 0; j <= lb; j++)
        row[j] = j;
    for (size_t i = 1; i <= la; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= lb; j++) {
            size_t best = diagonal + (a[i - 1] != b[j - 1]);
            if (row[j] + 1 < best)
                best = row[j] + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            diagonal = row[j];
            row[j] = best;
        }
    }
    return row[lb] < cap ? row[lb] : cap;
}

const char *ridge_word_nearest(const char *word, const char *const *words, size_t count)
{
    /* A third of the letters may be wrong, but two always: a swap of neighbours is two. */
    size_t size = strlen(word);
    size_t best = size / 3 > 2 ? size / 3 + 1 : 3;
    if (best > size)
        best = size;
    const char *nearest = NULL;
    for (size_t i = 0; i < count; i++) {
        size_t distance = ridge__edit_distance(word, words[i], best);
        if (distance < best) {
            best = distance;
            nearest = words[i];
        }
    }
    return nearest;
}
