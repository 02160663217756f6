/* Text to double and back: exact, rounded once, and free of the host's locale. */
#include "test.h"

#include "base/base.h"

#include <locale.h>

static double parsed(const char *text)
{
    double value = -1;
    const char *end = NULL;
    assert_int_equal(ridge__number_parse(&value, text, &end), RIDGE_OK);
    assert_non_null(end);
    return value;
}

static void number_parse_reads_what_is_written(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double value;
        const char *rest;
    } cases[] = {
        {"0", 0, ""},        {"12", 12, ""},
        {"3.35", 3.35, ""},  {".5", 0.5, ""},
        {"5.", 5, ""},       {"1e9", 1e9, ""},
        {"1E+9x", 1e9, "x"}, {"2e", 2, "e"},   /* a letter, not a broken exponent */
        {"2e-", 2, "e-"},    {"2EB", 2, "EB"}, /* exabytes */
        {"007.50", 7.5, ""}, {"1.2.3", 1.2, ".3"},
        {"0x10", 0, "x10"}, /* no hexadecimal */
        {"1,5", 1, ",5"},    {"0e999999999999", 0, ""},
        {"1e-400", 0, ""}, /* below the smallest double */
    };
    for (size_t i = 0; i < RIDGE__COUNT(cases); i++) {
        double value = -1;
        const char *end = NULL;
        assert_int_equal(ridge__number_parse(&value, cases[i].text, &end), RIDGE_OK);
        assert_true(value == cases[i].value);
        assert_string_equal(end, cases[i].rest);
    }
}

static void number_parse_refuses(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        ridge_status status;
    } cases[] = {
        {"", RIDGE_SYNTAX},
        {".", RIDGE_SYNTAX},
        {"e5", RIDGE_SYNTAX},
        {"-1", RIDGE_SYNTAX},
        {"+1", RIDGE_SYNTAX},
        {" 1", RIDGE_SYNTAX},
        {"nan", RIDGE_SYNTAX},
        {"inf", RIDGE_SYNTAX},
        {"1e400", RIDGE_LIMIT},
        {"2e308", RIDGE_LIMIT},
        {"1e99999999999999999999", RIDGE_LIMIT},
    };
    for (size_t i = 0; i < RIDGE__COUNT(cases); i++) {
        double value = -1;
        const char *end = NULL;
        assert_int_equal(ridge__number_parse(&value, cases[i].text, &end),
                         cases[i].status);
        assert_true(value == -1); /* written on success alone */
        assert_null(end);
    }
}

static void number_parse_rounds_correctly(void **state)
{
    (void)state;
    /* 2^53 + 1 lies halfway between two doubles: to even; a digit far behind: up. */
    assert_true(parsed("9007199254740993") == 9007199254740992.0);
    assert_true(parsed("9007199254740993.00000000000000000000000000000001") ==
                9007199254740994.0);
    assert_true(parsed("1.7976931348623157e308") == 0x1.fffffffffffffp1023);
    assert_true(parsed("4.9e-324") == 0x1p-1074);
    assert_true(parsed("989.4e12") == 989.4e12);
    /* 600 digits on either side of the point must not lose the exponent behind them. */
    char text[1300];
    memset(text, '0', sizeof text);
    text[0] = '1';
    memcpy(text + 601, "e-600", 6);
    assert_true(parsed(text) == 1.0);
    memset(text, '0', sizeof text);
    text[1] = '.';
    memcpy(text + 602, "25e601", 7); /* 0.[600 zeros]25e601 */
    assert_true(parsed(text) == 2.5);
    /* The midpoint again; a digit behind 900 zeros decides it. */
    memset(text, '0', sizeof text);
    memcpy(text, "9007199254740993.", 17);
    text[917] = '\0';
    assert_true(parsed(text) == 9007199254740992.0);
    text[916] = '1';
    assert_true(parsed(text) == 9007199254740994.0);
    /* Zeros behind the point and an exponent cancel. */
    assert_true(parsed("0.00001e5") == 1.0);
}

/* 2.5 * 1e-6 in doubles is 2.4999999999999998e-06: a prefix has to go into the digits. */
static void number_parse_scales_before_it_rounds(void **state)
{
    (void)state;
    double value = 0;
    const char *end;
    assert_true(2.5 * 1e-6 != 2.5e-6);
    assert_int_equal(ridge__number_parse_scaled(&value, "2.5us", &end, -6), RIDGE_OK);
    assert_true(value == 2.5e-6);
    assert_string_equal(end, "us");
    assert_int_equal(ridge__number_parse_scaled(&value, "9e300", &end, 18), RIDGE_LIMIT);
}

static void number_format_rounds_and_lays_out(void **state)
{
    (void)state;
    static const struct {
        double value;
        int digits;
        const char *text;
    } cases[] = {
        {0, 3, "0"},
        {-0.0, 3, "0"},
        {1, 3, "1"},
        {1.5, 3, "1.5"},
        {100, 3, "100"},
        {999.4, 3, "999"},
        {999.5, 3, "1000"}, /* a tie: 9.995e2 goes to the even 1.000e3 */
        {998.5, 3, "998"},  /* a tie: to the even 998 */
        {999.6, 3, "1000"},
        {-1.72e-5, 3, "-1.72e-05"},
        {0.0001389, 4, "0.0001389"},
        {137438953472.0, 15, "137438953472"},
        {9.894e14, 15, "989400000000000"},
        {1e15, 3, "1e+15"},
        {1e16, 17, "10000000000000000"},
        {1e17, 17, "1e+17"},
        {1.25e-300, 3, "1.25e-300"},
        {0.1, 17, "0.10000000000000001"},
        {INFINITY, 3, ""},
        {RIDGE_UNKNOWN, 3, ""},
    };
    for (size_t i = 0; i < RIDGE__COUNT(cases); i++) {
        char buf[32] = "untouched";
        size_t size = ridge__number_format(buf, cases[i].value, cases[i].digits);
        assert_string_equal(buf, cases[i].text);
        assert_int_equal(size, strlen(cases[i].text));
    }
}

static void number_format_scaled_chooses_the_power(void **state)
{
    (void)state;
    static const struct {
        double value;
        int low, high, power;
        const char *text;
    } cases[] = {
        {3.35e12, 0, 18, 12, "3.35"},  {999.4, 0, 18, 0, "999"},
        {999.5, 0, 18, 3, "1"},        {999500, 0, 18, 6, "1"},
        {1e21, 0, 18, 18, "1000"},     {0.25, 0, 18, 0, "0.25"},
        {0.25, -12, 0, -3, "250"},     {0.001, -12, 0, -3, "1"},
        {9.996e-4, -12, 0, -3, "1"},   {9.99e-4, -12, 0, -6, "999"},
        {1e-14, -12, 0, -12, "0.01"},  {86400, -12, 0, 0, "86400"},
        {-1.5e-6, -12, 0, -6, "-1.5"}, {0, -12, 18, 0, "0"},
    };
    for (size_t i = 0; i < RIDGE__COUNT(cases); i++) {
        char buf[32];
        int power = 99;
        ridge__number_format_scaled(buf, cases[i].value, 3, cases[i].low, cases[i].high,
                                    &power);
        assert_string_equal(buf, cases[i].text);
        assert_int_equal(power, cases[i].power);
    }
}

static void number_shortest_reads_back(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *text;
    } cases[] = {
        {0.1, "0.1"},
        {1.0 / 3, "0.3333333333333333"},
        {0.1 + 0.2, "0.30000000000000004"},
        {1.389e-4, "0.0001389"},
        {-2.5, "-2.5"},
        {0x1p-1074, "5e-324"},
        {137438953472.0, "137438953472"},
    };
    char buf[32];
    for (size_t i = 0; i < RIDGE__COUNT(cases); i++) {
        ridge__number_shortest(buf, cases[i].value);
        assert_string_equal(buf, cases[i].text);
    }
    assert_int_equal(ridge__number_shortest(buf, RIDGE_UNKNOWN), 0);
    assert_string_equal(buf, "");
}

/* Under a comma locale nothing may change, in the exact and in the slow paths. */
static void numbers_ignore_the_locale(void **state)
{
    (void)state;
    /* Made at configure time: see tests/CMakeLists.txt. */
    if (!setlocale(LC_ALL, "de_DE.UTF-8")) {
        print_message("no locale with a decimal comma could be made\n");
        skip();
    }
    char buf[32];
    bool exact = parsed("3.35") == 3.35;
    bool slow = parsed("3.35e-40") == 3.35e-40;
    ridge__number_format(buf, 3.35e-40, 17);
    setlocale(LC_ALL, "C");
    assert_true(exact);
    assert_true(slow);
    assert_null(strchr(buf, ','));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(number_parse_reads_what_is_written),
        cmocka_unit_test(number_parse_refuses),
        cmocka_unit_test(number_parse_rounds_correctly),
        cmocka_unit_test(number_parse_scales_before_it_rounds),
        cmocka_unit_test(number_format_rounds_and_lays_out),
        cmocka_unit_test(number_format_scaled_chooses_the_power),
        cmocka_unit_test(number_shortest_reads_back),
        cmocka_unit_test(numbers_ignore_the_locale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
