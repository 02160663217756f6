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

#define RIDGE__WHOLE_FROM \
    4503599627370496.0 /* 2^52: from there on no double has a half */

/*
 * ceil() of x >= 0 without a call or a branch, so that loops of it run in vector
 * registers: added to 2^52 a double loses its fraction, to the nearest.
 */
static inline double ridge__round_up(double x)
{
    double nearest = (x + RIDGE__WHOLE_FROM) - RIDGE__WHOLE_FROM;
    return nearest + (nearest < x ? 1.0 : 0.0);
}

/*
 * A function that runs down lists of doubles is compiled twice, for four in a register where
 * the processor has AVX2: the same operations, so the same results.  Sanitizers cannot run
 * before the choice is made, at the start of the program.
 */
#if defined __x86_64__ && defined __gnu_linux__ && !defined __clang__ && \
    !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
#define RIDGE__WIDE __attribute__((target_clones("avx2", "default"), flatten))
#else
#define RIDGE__WIDE
#endif

#define RIDGE__COUNT(array) (sizeof(array) / sizeof((array)[0]))

#include "base/banned.h"

#endif
