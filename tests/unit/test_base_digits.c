/*
 * The fast way to print a number gives the digits of the exact one: read back, they are
 * the double nearest to what "%.*e" prints (at most 9 digits, so no two texts share one).
 */
#include "base/base.h"

#include "random.h"
#include "test.h"

static void check(double value, int digits)
{
    char exact[40], text[32];
    double expected, actual;
    const char *end;
    snprintf(exact, sizeof exact, "%.*e", digits - 1, value);
    assert_int_equal(ridge__number_parse(&expected, exact, &end), RIDGE_OK);
    size_t size = ridge__number_format(text, value, digits);
    assert_int_equal(strlen(text), size);
    assert_int_equal(ridge__number_parse(&actual, text, &end), RIDGE_OK);
    assert_ptr_equal(end, text + size);
    if (actual == expected)
        return;
    print_error("%.17g with %d digits: %s, expected %s\n", value, digits, text, exact);
    fail();
}

static void test_random(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int i = 0; i < 100000; i++) {
        double mantissa = (double)(random_next(&seed) >> 11) + 1;
        int power = (int)(random_next(&seed) % 120) - 90 - 30; /* 2^-120 .. 2^53 */
        check(ldexp(mantissa, power), 1 + (int)(random_next(&seed) % 9));
    }
}

/* Halfway cases and their neighbours, where one rounding too many would show. */
static void test_ties(void **state)
{
    (void)state;
    uint64_t seed = 2;
    for (int i = 0; i < 20000; i++) {
        int digits = 1 + (int)(random_next(&seed) % 9);
        double whole =
            floor(pow(10, digits - 1) * (1 + (double)(random_next(&seed) % 9)));
        double value = (whole + (double)(random_next(&seed) % 1000) + 0.5) *
                       pow(10, (double)(random_next(&seed) % 13) - 6);
        for (int step = 0; step < 3; step++) {
            check(value, digits);
            value = nextafter(value, step < 2 ? 0 : 1e300);
        }
    }
}

static void test_edges(void **state)
{
    (void)state;
    static const double values[] = {
        1,      9.5,      0.5,          1.5,    2.5,      999999.5,     999999.4999,
        1e15,   1e-5,     9.9999999e22, 1e22,   1e23,     1e300,        5e-324,
        1e-300, 123456.5, 0.1,          1234.5, 99999950, 4294967295.0, 65504,
        1e-16,  3.35e12,  1.7e308,      0.3};
    for (size_t i = 0; i < RIDGE__COUNT(values); i++)
        for (int digits = 1; digits <= 9; digits++)
            if (values[i] < 1e300 || digits > 2) /* 2e308 is not finite */
                check(values[i], digits);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_ties),
        cmocka_unit_test(test_edges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
