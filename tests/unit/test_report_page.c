#include "report/page.h"
#include "test.h"

static void exact_numbers_can_be_redone_by_hand(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *text;
    } cases[] = {
        {0, "0"},
        {4096, "4096"},
        {0.858, "0.858"},
        {989.4e12, "989.4e12"},
        {1e9, "1e9"},
        {137438953472.0, "137438953472"}, /* a count keeps every digit */
        {1.0 / 3 * 1e-5, "3.333333e-6"},
        {2.5e-6, "2.5e-6"},
        {RIDGE_UNKNOWN, "?"},
    };
    for (size_t i = 0; i < RIDGE__COUNT(cases); i++)
        assert_string_equal(RIDGE__EXACT(cases[i].value), cases[i].text);
}

static void shares_do_not_claim_more_than_they_are(void **state)
{
    (void)state;
    assert_string_equal(RIDGE__PERCENT(0.5), "50 %");
    assert_string_equal(RIDGE__PERCENT(0.99964), "100 %");
    assert_string_equal(RIDGE__PERCENT(0.9994), "99.9 %");
    assert_string_equal(RIDGE__PERCENT(0.0044512), "0.445 %");
    assert_string_equal(RIDGE__PERCENT(1.685), "168.5 %");
    assert_string_equal(RIDGE__PERCENT(-0.389), "-38.9 %");
    assert_string_equal(RIDGE__PERCENT(RIDGE_UNKNOWN), "? %");
}

/* Every line of at most 80 columns, the continuation under the text. */
static void rows_wrap_under_themselves(void **state)
{
    (void)state;
    ridge__str out;
    ridge__str_init(&out, 0, NULL);
    ridge__row(&out, "floor",
               "aaaaaaaaa bbbbbbbbb ccccccccc ddddddddd eeeeeeeee fffffffff ggggg hhh");
    assert_string_equal(ridge__str_data(&out),
                        "  floor       aaaaaaaaa bbbbbbbbb ccccccccc ddddddddd eeeeeeeee "
                        "fffffffff ggggg\n              hhh\n");
    ridge__str_reset(&out);
    /* A label that reaches the text's column, or passes it, keeps a blank behind it. */
    ridge__row(&out, "twelve_chars", "text");
    ridge__row(&out, "thirteen_char", "text");
    assert_string_equal(ridge__str_data(&out),
                        "  twelve_chars text\n  thirteen_char text\n");
    ridge__str_reset(&out);
    /* A character of two bytes takes one column; a word too long stands alone. */
    ridge__wrap(&out, 0, 0, "\xc2\xb5s");
    assert_string_equal(ridge__str_data(&out), "\xc2\xb5s\n");
    ridge__str_clear(&out);
}

static void a_call_reads_as_it_was_typed(void **state)
{
    (void)state;
    ridge_call call;
    ridge__str out;
    ridge__str_init(&out, 0, NULL);
    assert_false(ridge_call_init(&call, "gemm", NULL));
    assert_false(ridge_call_set(&call, "m", "4096", NULL));
    assert_false(ridge_call_set(&call, "n", "1", NULL));
    assert_false(ridge_call_set(&call, "k", "64", NULL));
    assert_false(ridge_call_set(&call, "dtype", "bf16", NULL));
    assert_false(ridge_call_set(&call, "pipe", "vector", NULL));
    assert_false(ridge_call_finish(&call, NULL));
    ridge__call_words(&out, &call);
    assert_string_equal(ridge__str_data(&out), "m=4096 n=1 k=64 dtype=bf16 pipe=vector");
    ridge__str_reset(&out);
    assert_false(ridge_call_init(&call, "custom", NULL));
    assert_false(ridge_call_set(&call, "flop", "10GFLOP", NULL));
    assert_false(ridge_call_set(&call, "bytes", "0", NULL));
    assert_false(ridge_call_finish(&call, NULL));
    ridge__call_words(&out, &call);
    assert_string_equal(ridge__str_data(&out), "flop=10GFLOP bytes=0");
    ridge__str_clear(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_numbers_can_be_redone_by_hand),
        cmocka_unit_test(shares_do_not_claim_more_than_they_are),
        cmocka_unit_test(rows_wrap_under_themselves),
        cmocka_unit_test(a_call_reads_as_it_was_typed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
