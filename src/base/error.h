/*
 * Filling a ridge_error.  The first function that knows what is wrong writes the
 * sentence; callers add the place, not an opinion.
 */
#ifndef RIDGE_ERROR_H
#define RIDGE_ERROR_H

#include <ridge.h>
#include <stdarg.h>

/* Set status and sentence, clear the place; returns status.  err may be NULL. */
RIDGE_PRINTF(3, 4)
ridge_status ridge__error_set(ridge_error *err, ridge_status status, const char *fmt,
                              ...);

/* The same for a failed system call: IO, "what: reason", with the reason of errno
 * `code`. */
ridge_status ridge__error_errno(ridge_error *err, const char *what, int code);

/* Add the place if none is set yet: file, option or object, and a line (0: none). */
void ridge__error_at(ridge_error *err, const char *where, uint64_t line);

/* Text of user input for a message: control bytes and overlong tails are replaced.
 * Returns buf. */
const char *ridge__quote(char *buf, size_t size, const char *text);
#define RIDGE__QUOTE(text) \
    ridge__quote((char[RIDGE_LIMIT_QUOTED + 8]){0}, RIDGE_LIMIT_QUOTED + 8, text)

/*
 * Evaluate once; on failure keep the status in the local `status` and go to `out`,
 * where the function releases what it owns.
 */
#define RIDGE__TRY(expr) \
    do {                 \
        status = (expr); \
        if (status)      \
            goto out;    \
    } while (0)

/* Edit distance (Levenshtein, capped at `cap`), for "did you mean". */
size_t ridge__edit_distance(const char *a, const char *b, size_t cap);

#endif
