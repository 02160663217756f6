/*
 * base - what every module stands on: errors, memory, text, numbers, quantities, files,
 * threads.  Knows nothing of GPUs.
 *
 *   error.h      fill a ridge_error; RIDGE__TRY
 *   arena.h      memory that is freed together; sticky failure
 *   str.h        a growing string with a maximum; sticky failure
 *   number.h     text <-> double, independent of the host's locale
 *   file.h       read a whole file; write beside and rename
 *   sort.h       numbers in order, and their middle
 *   pool.h       run a function for i in [0, n) on several threads
 *   vocabulary.h the closed word lists: dtypes, pipes, backends, timings
 *   limits.h     every maximum, with its reason
 */
#ifndef RIDGE_BASE_H
#define RIDGE_BASE_H

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/limits.h"
#include "base/number.h"
#include "base/pool.h"
#include "base/sort.h"
#include "base/str.h"
#include "base/vocabulary.h"

#include <ridge.h>

/* The larger of two, unknown if either is: fmax(NAN, 2) is 2, which would hide it. */
static inline double ridge__max(double a, double b)
{
    if (!ridge_known(a) || !ridge_known(b))
        return RIDGE_UNKNOWN;
    return a > b ? a : b;
}
static inline double ridge__min(double a, double b)
{
    if (!ridge_known(a) || !ridge_known(b))
        return RIDGE_UNKNOWN;
    return a < b ? a : b;
}

#define RIDGE__COUNT(array) (sizeof(array) / sizeof((array)[0]))

#include "base/banned.h"

#endif
