#include "format/json.h"
#include "test.h"

static void nests_and_puts_commas(void **state)
{
    (void)state;
    ridge__str out;
    ridge__json j;
    ridge__str_init(&out, 0, NULL);
    ridge__json_init(&j, &out);
    ridge__json_open(&j, NULL, '{');
    ridge__json_number(&j, "n", 0.1);
    ridge__json_open(&j, "list", '[');
    ridge__json_number(&j, NULL, 1e300);
    ridge__json_bool(&j, NULL, true);
    ridge__json_open(&j, NULL, '{');
    ridge__json_close(&j, '}');
    ridge__json_close(&j, ']');
    ridge__json_null(&j, "z");
    ridge__json_close(&j, '}');
    assert_string_equal(ridge__str_data(&out),
                        "{\"n\":0.1,\"list\":[1e+300,true,{}],\"z\":null}");
    ridge__str_clear(&out);
}

static void unknown_is_null_and_text_is_escaped(void **state)
{
    (void)state;
    ridge__str out;
    ridge__json j;
    ridge__str_init(&out, 0, NULL);
    ridge__json_init(&j, &out);
    ridge__json_open(&j, NULL, '[');
    ridge__json_number(&j, NULL, RIDGE_UNKNOWN);
    ridge__json_text(&j, NULL, NULL);
    ridge__json_text(&j, NULL, "a\"b\\c\n\x01\xc2\xb5");
    ridge__json_close(&j, ']');
    assert_string_equal(ridge__str_data(&out),
                        "[null,null,\"a\\\"b\\\\c\\u000a\\u0001\xc2\xb5\"]");
    ridge__str_clear(&out);
}

static void too_deep_fails_the_text(void **state)
{
    (void)state;
    ridge__str out;
    ridge__json j;
    ridge__str_init(&out, 0, NULL);
    ridge__json_init(&j, &out);
    for (int i = 0; i < 20; i++)
        ridge__json_open(&j, NULL, '[');
    assert_false(ridge__str_ok(&out));
    ridge__str_clear(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nests_and_puts_commas),
        cmocka_unit_test(unknown_is_null_and_text_is_escaped),
        cmocka_unit_test(too_deep_fails_the_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
