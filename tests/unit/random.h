/* Numbers that look random and are the same on every run. */
#ifndef RIDGE_TEST_RANDOM_H
#define RIDGE_TEST_RANDOM_H

#include <stdint.h>

static inline uint64_t random_next(uint64_t *state) /* splitmix64 [Steele2014] */
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* At least 0 and below 1. */
static inline double random_uniform(uint64_t *state)
{
    return (double)(random_next(state) >> 11) * 0x1p-53;
}

#endif
