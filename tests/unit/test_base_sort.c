/* Numbers in order and their middle; words of a list. */
#include "base/base.h"

#include "test.h"

static void sorted_and_middle(void **state)
{
    (void)state;
    double v[] = {3, -1, 2, 1e300, 0};
    ridge__sort_numbers(v, 5);
    for (size_t i = 1; i < 5; i++)
        assert_true(v[i - 1] < v[i]);
    assert_true(ridge__sorted_middle(v, 5) == 2);
    assert_true(ridge__sorted_middle(v, 4) == 1); /* (0 + 2) / 2 */
    assert_true(ridge__sorted_middle(v, 1) == -1);
    assert_false(ridge_known(ridge__sorted_middle(v, 0)));
    /* One value is its own middle, however large. */
    double large[] = {1.7e308, 1.7e308, 1.7e308};
    assert_true(ridge__sorted_middle(large, 3) == 1.7e308);
    ridge__sort_numbers(NULL, 0);
}

static void words_of_a_list(void **state)
{
    (void)state;
    const char *list = "h100-sxm a100-sxm-80 l40s";
    assert_true(ridge__words_hold(list, "h100-sxm"));
    assert_true(ridge__words_hold(list, "a100-sxm-80"));
    assert_true(ridge__words_hold(list, "l40s"));
    assert_false(ridge__words_hold(list, "a100-sxm")); /* a part of a word is none */
    assert_false(ridge__words_hold(list, "40s"));
    assert_false(ridge__words_hold(list, ""));
    assert_false(ridge__words_hold("", "l40s"));
    assert_true(ridge__words_hold("l40 l40s", "l40s")); /* the first hit is not it */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sorted_and_middle),
        cmocka_unit_test(words_of_a_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
