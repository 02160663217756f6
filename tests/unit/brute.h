/*
 * Counting by doing: arithmetic that counts itself, and operands that remember which of
 * their elements were touched.  What an operation's row says is held to this.
 */
#ifndef RIDGE_BRUTE_H
#define RIDGE_BRUTE_H

#include "op/op_priv.h"

#include "test.h"

enum {
    TENSOR_MAX = 65536 /* elements of an operand of a small shape */
};

typedef struct tensor {
    char seen[TENSOR_MAX];
    double moved; /* different elements of every pass */
} tensor;

typedef struct tally {
    double flop, special;
    tensor of[RIDGE_OPERAND_MAX];
} tally;

/* One at a time: the tests are one program with one thread. */
static tally *brute_tally(void)
{
    static tally t;
    return &t;
}

/* Element `i` of operand `k` is read or written. */
static inline void touch(size_t k, size_t i)
{
    tensor *t = &brute_tally()->of[k];
    assert_true(i < TENSOR_MAX);
    t->moved += !t->seen[i];
    t->seen[i] = 1;
}
/* The operand has left the chip: touching it again moves it again. */
static inline void next_pass(size_t k)
{
    memset(brute_tally()->of[k].seen, 0, TENSOR_MAX);
}
static inline double counted(double value)
{
    brute_tally()->flop++;
    return value;
}
static inline double plus(double a, double b)
{
    return counted(a + b);
}
static inline double minus(double a, double b)
{
    return counted(a - b);
}
static inline double times(double a, double b)
{
    return counted(a * b);
}
static inline double larger(double a, double b)
{
    return counted(a > b ? a : b);
}
static inline double smaller(double a, double b)
{
    return counted(a < b ? a : b);
}
/* What the special-function unit makes: e^x and log x (scaled), 1/x, roots, tanh. */
static inline double special(double value)
{
    brute_tally()->special++;
    return value;
}
/* Some value that is neither 0 nor 1. */
static inline double some(size_t i)
{
    return 0.3 + 0.01 * (double)(i % 7);
}

#endif
