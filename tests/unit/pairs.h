/* A call from words in pairs. */
#ifndef RIDGE_TEST_PAIRS_H
#define RIDGE_TEST_PAIRS_H

#include <ridge.h>

#include "test.h"

/* The op and its words as pairs, finished: CALL("add", {"n", "1e8"}, {"dtype", "bf16"}). */
static inline ridge_call call_of(const char *op, const char *const words[][2],
                                 size_t count)
{
    ridge_call call;
    ridge_error err = {0};
    assert_int_equal(ridge_call_init(&call, op, &err), RIDGE_OK);
    for (size_t i = 0; i < count; i++)
        if (ridge_call_set(&call, words[i][0], words[i][1], &err))
            fail_msg("%s=%s: %s", words[i][0], words[i][1], err.message);
    if (ridge_call_finish(&call, &err))
        fail_msg("%s: %s", op, err.message);
    return call;
}
#define CALL(op, ...)                                  \
    call_of(op, (const char *const[][2]){__VA_ARGS__}, \
            sizeof(const char *const[][2]){__VA_ARGS__} / sizeof(const char *[2]))

#endif
