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
    /* Beside, because an argument may be the message that is being replaced. */
    char message[sizeof err->message];
    va_list args;
    va_start(args, fmt);
    vsnprintf(message, sizeof message, fmt, args);
    va_end(args);
    *err = (ridge_error){.status = status};
    memcpy(err->message, message, sizeof message);
    return status;
}

ridge_status ridge__error_errno(ridge_error *err, const char *what, int code)
{
    char reason[128] = "unknown error"; /* strerror() is not safe in threads */
    if (strerror_r(code, reason, sizeof reason))
        snprintf(reason, sizeof reason, "error %d", code);
    return ridge__error_set(err, RIDGE_IO, "%s: %s", what, reason);
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

/* Bytes of the printable UTF-8 character at p; 0 for a control or a broken one. */
static size_t printable(const unsigned char *p)
{
    if (p[0] < 0x80)
        return p[0] >= 0x20 && p[0] != 0x7f;
    size_t n = p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2;
    /* 80..c1 start no character, f5.. none of Unicode; c2 80..9f are terminal
     * controls. */
    if (p[0] < 0xc2 || p[0] > 0xf4 || (p[0] == 0xc2 && p[1] < 0xa0))
        return 0;
    for (size_t i = 1; i < n; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    return n;
}

const char *ridge__quote(char *buf, size_t size, const char *text)
{
    static const char ellipsis[] = "...";
    const unsigned char *p = (const unsigned char *)(text ? text : "");
    size_t n = 0, fits = 0; /* fits: how much can stand before the ellipsis */
    while (*p) {
        size_t step = printable(p);
        if (n + (step ? step : 1) >= size)
            break;
        if (step)
            memcpy(buf + n, p, step);
        else
            buf[n] = '?';
        n += step ? step : 1;
        p += step ? step : 1;
        if (n + sizeof ellipsis <= size)
            fits = n;
    }
    if (*p && size >= sizeof ellipsis) {
        memcpy(buf + fits, ellipsis, sizeof ellipsis - 1);
        n = fits + sizeof ellipsis - 1;
    }
    if (size)
        buf[n] = '\0';
    return buf;
}

const char *ridge_text_clean(char *buf, size_t size, const char *text)
{
    return ridge__quote(buf, size, text);
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
    /* A third of the letters may be wrong, but two always: a swap of neighbours is
     * two. */
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
