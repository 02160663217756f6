/*
 * A streaming JSON writer: escapes strings, keeps commas and nesting right, writes the
 * shortest digits that read back, and null for unknown.
 */
#ifndef RIDGE_FORMAT_JSON_H
#define RIDGE_FORMAT_JSON_H

#include "base/base.h"

typedef struct ridge__json {
    ridge__str *out;
    unsigned depth;
    bool comma[16]; /* per depth: an element was written */
} ridge__json;

void ridge__json_init(ridge__json *j, ridge__str *out);
/* key NULL inside an array or at the top. */
void ridge__json_open(ridge__json *j, const char *key, char bracket); /* '{' or '[' */
void ridge__json_close(ridge__json *j, char bracket);                 /* '}' or ']' */
void ridge__json_number(ridge__json *j, const char *key, double value);
void ridge__json_text(ridge__json *j, const char *key, const char *text); /* NULL: null */
void ridge__json_bool(ridge__json *j, const char *key, bool value);
void ridge__json_null(ridge__json *j, const char *key);

#endif
