/*
 * Properties: something that must hold for any input, tried on many random ones.
 *
 *     static bool sum_commutes(property_random *r)
 *     {
 *         double a = property_log(r, 1e-9, 1e9), b = property_log(r, 1e-9, 1e9);
 *         return a + b == b + a || property_fail(r, "%g %g", a, b);
 *     }
 *     int main(void) { return property_check("sum commutes", sum_commutes, 1000); }
 *
 * Case i starts from seed + i.  The seed is 1 unless RIDGE_SEED says otherwise, so that a
 * run can be repeated; a failing case prints the line that replays it alone.
 */
#ifndef RIDGE_PROPERTY_H
#define RIDGE_PROPERTY_H

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct property_random {
    uint64_t state;
    char what[512]; /* the failing input, for the message */
} property_random;

static inline uint64_t property_next(property_random *r) /* splitmix64 [Steele2014] */
{
    uint64_t z = (r->state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* In [0, bound). */
static inline size_t property_below(property_random *r, size_t bound)
{
    return (size_t)(property_next(r) % bound);
}

/* In [low, high), evenly. */
static inline double property_uniform(property_random *r, double low, double high)
{
    return low + (high - low) * ((double)(property_next(r) >> 11) * 0x1p-53);
}

/* In [low, high), evenly in the logarithm; low > 0. */
static inline double property_log(property_random *r, double low, double high)
{
    return exp(property_uniform(r, log(low), log(high)));
}

/* Notes the failing input; always false. */
__attribute__((format(printf, 2, 3))) static inline bool property_fail(property_random *r,
                                                                       const char *fmt,
                                                                       ...)
{
    va_list args;
    va_start(args, fmt);
    vsnprintf(r->what, sizeof r->what, fmt, args);
    va_end(args);
    return false;
}

/* 0 if the property held for all cases, else 1. */
static inline int property_check(const char *name, bool (*holds)(property_random *),
                                 unsigned cases)
{
    const char *given = getenv("RIDGE_SEED"), *count = getenv("RIDGE_CASES");
    uint64_t seed = given ? strtoull(given, NULL, 10) : 1;
    if (count)
        cases = (unsigned)strtoul(count, NULL, 10);
    for (unsigned i = 0; i < cases; i++) {
        property_random r = {.state = seed + i, .what = ""};
        if (holds(&r))
            continue;
        printf("%s: fails for %s\n  replay: RIDGE_SEED=%llu RIDGE_CASES=1\n", name,
               r.what, (unsigned long long)(seed + i));
        return 1;
    }
    printf("%s: %u cases\n", name, cases);
    return 0;
}

#endif
