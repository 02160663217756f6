/* What every unit test includes: cmocka after the headers it needs, and assert_close. */
#ifndef RIDGE_TEST_H
#define RIDGE_TEST_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Fails unless |actual - expected| <= rel * |expected|; unknown is close to nothing. */
#define assert_close(actual, expected, rel) \
    test_close((actual), (expected), (rel), #actual, __FILE__, __LINE__)

static inline void test_close(double actual, double expected, double rel,
                              const char *what, const char *file, int line)
{
    if (fabs(actual - expected) <= rel * fabs(expected))
        return;
    print_error("%s is %.17g, expected %.17g within %g\n", what, actual, expected, rel);
    _fail(file, line);
}

#endif
