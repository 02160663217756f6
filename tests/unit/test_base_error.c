/* Errors: sentence, place, quoting of hostile text; status names; nearest words. */
#include <errno.h>
#include <math.h>

#include "test.h"

#include "base/base.h"

static void error_keeps_the_first_place(void **state)
{
    (void)state;
    ridge_error err;
    assert_int_equal(ridge__error_set(&err, RIDGE_SYNTAX, "%d is odd", 3), RIDGE_SYNTAX);
    assert_int_equal(err.status, RIDGE_SYNTAX);
    assert_string_equal(err.message, "3 is odd");
    assert_string_equal(err.where, "");
    assert_int_equal(err.line, 0);
    ridge__error_at(&err, "a.yaml", 4);
    ridge__error_at(&err, "b.yaml", 5);
    assert_string_equal(err.where, "a.yaml");
    assert_int_equal(err.line, 4);
    /* A new sentence forgets the old place, and may be made of the old sentence. */
    ridge__error_set(&err, RIDGE_INVALID, "%s indeed", err.message);
    assert_string_equal(err.message, "3 is odd indeed");
    assert_string_equal(err.where, "");
    ridge__error_at(&err, NULL, 9);
    assert_int_equal(err.line, 0);
    assert_int_equal(ridge__error_set(NULL, RIDGE_IO, "nobody listens"), RIDGE_IO);
    ridge__error_at(NULL, "a", 1);
}

static void quote_defuses_what_a_terminal_obeys(void **state)
{
    (void)state;
    static const struct {
        size_t size;
        const char *text, *quoted;
    } cases[] = {
        {32, "plain", "plain"},
        {32, NULL, ""},
        {32, "\x1b[2Jx\n\x7f", "?[2Jx??"},
        {32,
         "\xc2\x9b"
         "2J",
         "??2J"}, /* a C1 control */
        {32, "\xc2\xb5s \xe2\x82\xac", "\xc2\xb5s \xe2\x82\xac"},
        {32, "\xff\xc0\xafz", "???z"}, /* never UTF-8 */
        {32, "\xe2\x82", "??"},        /* cut off by the end */
        {6, "12345", "12345"},         /* just fits */
        {6, "123456", "12..."},
        {7,
         "1\xe2\x82\xac"
         "4567",
         "1..."}, /* no half character before the dots */
        {8,
         "1\xe2\x82\xac"
         "4567",
         "1\xe2\x82\xac..."},
        {2, "abc", "a"},
    };
    for (size_t i = 0; i < RIDGE__COUNT(cases); i++) {
        char buf[32];
        assert_string_equal(ridge__quote(buf, cases[i].size, cases[i].text),
                            cases[i].quoted);
    }
    char lengthy[500];
    memset(lengthy, 'a', sizeof lengthy - 1);
    lengthy[sizeof lengthy - 1] = '\0';
    assert_true(strlen(RIDGE__QUOTE(lengthy)) < RIDGE_LIMIT_QUOTED + 8);
    ridge_error err;
    ridge__error_set(&err, RIDGE_IO, "x");
    ridge__error_at(&err, lengthy, 0);
    assert_true(strlen(err.where) < sizeof err.where);
    ridge__error_set(&err, RIDGE_IO, "%s%s", lengthy, lengthy);
    assert_int_equal(strlen(err.message), sizeof err.message - 1);
}

static void status_has_name_and_text(void **state)
{
    (void)state;
    assert_string_equal(ridge_status_name(RIDGE_OK), "RIDGE_OK");
    assert_string_equal(ridge_status_name(RIDGE_BADUNIT), "RIDGE_BADUNIT");
    assert_string_equal(ridge_status_text(RIDGE_SYNTAX), "malformed input");
    assert_string_equal(ridge_status_name((ridge_status)77), "RIDGE_?");
    assert_string_equal(ridge_status_text((ridge_status)77), "unknown status");
    assert_string_equal(ridge_version(), "0.1.0");
}

static void distance_counts_edits(void **state)
{
    (void)state;
    assert_int_equal(ridge__edit_distance("", "", 9), 0);
    assert_int_equal(ridge__edit_distance("gemm", "gemm", 9), 0);
    assert_int_equal(ridge__edit_distance("gem", "gemm", 9), 1);
    assert_int_equal(ridge__edit_distance("kitten", "sitting", 9), 3);
    assert_int_equal(ridge__edit_distance("kitten", "sitting", 2), 2); /* the cap */
    assert_int_equal(ridge__edit_distance("", "abc", 9), 3);
    char lengthy[100];
    memset(lengthy, 'a', sizeof lengthy - 1);
    lengthy[sizeof lengthy - 1] = '\0';
    assert_int_equal(ridge__edit_distance(lengthy, "a", 9), 9);
}

static void nearest_word_is_near(void **state)
{
    (void)state;
    static const char *const words[] = {"gemm", "attention", "rmsnorm", "layernorm"};
    size_t count = RIDGE__COUNT(words);
    assert_string_equal(ridge_word_nearest("gmem", words, count), "gemm");
    assert_string_equal(ridge_word_nearest("atention", words, count), "attention");
    assert_null(ridge_word_nearest("convolution", words, count));
    assert_null(ridge_word_nearest("", words, count));
    assert_null(ridge_word_nearest("gemm", words, 0));
}

/* fmax(NAN, 2) is 2: the reason for a helper of our own; and nobody uses -ffast-math. */
/* ceil() by another way: beside whole numbers, halves and where no halves are left. */
static void round_up_is_ceil(void **state)
{
    (void)state;
    static const double near[] = {0, 1, 2, 7, 96, 1048576, 4503599627370495.0};
    for (size_t i = 0; i < RIDGE__COUNT(near); i++) {
        double below = nextafter(near[i], 0), above = nextafter(near[i], INFINITY);
        assert_true(ridge__round_up(below) == ceil(below));
        assert_true(ridge__round_up(near[i]) == near[i]);
        assert_true(ridge__round_up(above) == ceil(above));
    }
    double x = 0.125;
    for (int i = 0; i < 130; i++, x *= 1.37) /* to 1e17 */
        assert_true(ridge__round_up(x) == ceil(x));
    assert_false(ridge_known(ridge__round_up(RIDGE_UNKNOWN)));
}

static void largest_keeps_unknown(void **state)
{
    (void)state;
    assert_false(ridge_known(ridge__max(RIDGE_UNKNOWN, 2)));
    assert_false(ridge_known(ridge__max(2, RIDGE_UNKNOWN)));
    assert_false(ridge_known(ridge__min(2, RIDGE_UNKNOWN)));
    assert_true(ridge__max(1, 2) == 2);
    assert_true(ridge__min(1, 2) == 1);
    assert_true(fmax(RIDGE_UNKNOWN, 2) == 2);
}

static void errno_is_told_in_words(void **state)
{
    (void)state;
    ridge_error err;
    assert_int_equal(ridge__error_errno(&err, "cannot open", ENOENT), RIDGE_IO);
    assert_string_equal(err.message, "cannot open: No such file or directory");
    ridge__error_errno(&err, "cannot open", 123456);
    assert_non_null(strstr(err.message, "123456"));
    assert_int_equal(ridge__error_errno(NULL, "cannot open", ENOENT), RIDGE_IO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(error_keeps_the_first_place),
        cmocka_unit_test(quote_defuses_what_a_terminal_obeys),
        cmocka_unit_test(status_has_name_and_text),
        cmocka_unit_test(distance_counts_edits),
        cmocka_unit_test(nearest_word_is_near),
        cmocka_unit_test(largest_keeps_unknown),
        cmocka_unit_test(round_up_is_ceil),
        cmocka_unit_test(errno_is_told_in_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
