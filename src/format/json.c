#include "format/json.h"

#include <string.h>

void ridge__json_init(ridge__json *j, ridge__str *out)
{
    *j = (ridge__json){.out = out};
}

static void string(ridge__json *j, const char *text)
{
    static const char hex[] = "0123456789abcdef";
    ridge__str_add(j->out, "\"", 1);
    for (const char *p = text; *p; p++) {
        unsigned char c = (unsigned char)*p;
        if (c == '"' || c == '\\') {
            ridge__str_add(j->out, (char[]){'\\', *p}, 2);
        } else if (c < 0x20) {
            ridge__str_text(j->out, "\\u00");
            ridge__str_add(j->out, (char[]){hex[c >> 4], hex[c & 15]}, 2);
        } else {
            ridge__str_add(j->out, p, 1);
        }
    }
    ridge__str_add(j->out, "\"", 1);
}

/* The comma before an element, and its key. */
static void element(ridge__json *j, const char *key)
{
    if (j->comma[j->depth])
        ridge__str_add(j->out, ",", 1);
    j->comma[j->depth] = true;
    if (key) {
        string(j, key);
        ridge__str_add(j->out, ":", 1);
    }
}

void ridge__json_open(ridge__json *j, const char *key, char bracket)
{
    element(j, key);
    ridge__str_add(j->out, &bracket, 1);
    if (j->depth + 1 < RIDGE__COUNT(j->comma))
        j->comma[++j->depth] = false;
    else
        j->out->failed = true; /* a document of ours is never that deep */
}

void ridge__json_close(ridge__json *j, char bracket)
{
    ridge__str_add(j->out, &bracket, 1);
    if (j->depth > 0)
        j->depth--;
}

void ridge__json_number(ridge__json *j, const char *key, double value)
{
    char digits[32];
    element(j, key);
    if (ridge__number_shortest(digits, value))
        ridge__str_text(j->out, digits);
    else
        ridge__str_text(j->out, "null");
}

void ridge__json_text(ridge__json *j, const char *key, const char *text)
{
    element(j, key);
    if (text)
        string(j, text);
    else
        ridge__str_text(j->out, "null");
}

void ridge__json_bool(ridge__json *j, const char *key, bool value)
{
    element(j, key);
    ridge__str_text(j->out, value ? "true" : "false");
}

void ridge__json_null(ridge__json *j, const char *key)
{
    element(j, key);
    ridge__str_text(j->out, "null");
}
