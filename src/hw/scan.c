#include "hw/catalog.h"

/* The value of a top-level key: what follows "key:" at the start of a line; or NULL. */
static const char *value_find(const char *text, const char *key)
{
    size_t n = strlen(key);
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, key, n) == 0 && line[n] == ':')
            return line + n + 1;
    }
    return NULL;
}

/* One name at *p, quoted or plain, ended by a comma, a bracket or the line's end. */
static const char *name_next(const char **p, size_t *size)
{
    const char *s = *p + strspn(*p, " ,\n");
    char quote = *s == '"' || *s == '\'' ? *s : '\0';
    const char *end;
    if (quote) {
        end = strchr(++s, quote);
        if (!end)
            return NULL;
        *p = end + 1;
    } else {
        end = s + strcspn(s, ",]\n#");
        *p = end;
        while (end > s && (end[-1] == ' ' || end[-1] == '\r'))
            end--;
    }
    *size = (size_t)(end - s);
    return s;
}

bool ridge__scan(const char *text, const char *key,
                 bool (*each)(void *ctx, const char *name, size_t size), void *ctx)
{
    if (strncmp(text, "\xef\xbb\xbf", 3) == 0) /* UTF-8 byte order mark */
        text += 3;
    const char *p = value_find(text, key);
    if (!p)
        return false;
    p += strspn(p, " ");
    bool list = *p == '[';
    p += list;
    do {
        size_t size = 0;
        const char *name = name_next(&p, &size);
        if (!name || !size)
            return false;
        if (each(ctx, name, size))
            return true;
        p += strspn(p, " ");
    } while (list && *p == ',');
    return false;
}
