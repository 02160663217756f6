#include "format/json_read.h"

#include <stdlib.h>
#include <unistd.h>
#include <zlib.h>

#include "test.h"

/* ---- Events as text: "{k:3[t\"x\"]}" with the depth before brackets ---------------- */

static ridge_status note(void *ctx, const ridge__json_event *event, ridge_error *err)
{
    static const char brackets[] = "{}[]";
    ridge__str *out = ctx;
    (void)err;
    switch (event->kind) {
    case RIDGE__JSON_NULL:
        ridge__str_text(out, " null");
        break;
    case RIDGE__JSON_BOOL:
        ridge__str_text(out, event->truth ? " true" : " false");
        break;
    case RIDGE__JSON_NUMBER:
        ridge__str_format(out, " %.*s", (int)event->size, event->text);
        break;
    case RIDGE__JSON_TEXT:
        ridge__str_format(out, " '%.*s'", (int)event->size, event->text);
        break;
    case RIDGE__JSON_KEY:
        ridge__str_format(out, " %.*s:", (int)event->size, event->text);
        break;
    default:
        ridge__str_format(out, " %u%c", event->depth,
                          brackets[event->kind - RIDGE__JSON_OPEN_OBJECT]);
    }
    return RIDGE_OK;
}

/* Read `text` in pieces of `step` bytes. */
static ridge_status read_text(ridge__str *out, const char *text, size_t size, size_t step,
                              bool many, ridge_error *err)
{
    ridge__json_reader *reader = NULL;
    ridge__json_options options = {note, out, many};
    ridge__str_init(out, 0, NULL);
    *err = (ridge_error){0};
    assert_int_equal(ridge__json_reader_new(&reader, &options, NULL, err), RIDGE_OK);
    ridge_status status = RIDGE_OK;
    for (size_t at = 0; at < size && !status; at += step) {
        size_t n = size - at < step ? size - at : step;
        status = ridge__json_reader_feed(reader, text + at, n, err);
    }
    if (!status)
        status = ridge__json_reader_end(reader, err);
    ridge__json_reader_free(reader);
    return status;
}

static void check_events(const char *text, const char *expected)
{
    static const size_t steps[] = {1, 2, 7, 1000};
    for (size_t i = 0; i < RIDGE__COUNT(steps); i++) {
        ridge__str out;
        ridge_error err;
        ridge_status status = read_text(&out, text, strlen(text), steps[i], false, &err);
        assert_string_equal(err.message, "");
        assert_int_equal(status, RIDGE_OK);
        assert_string_equal(ridge__str_data(&out), expected);
        ridge__str_clear(&out);
    }
}

static void test_events(void **state)
{
    (void)state;
    check_events("{\"a\": [1, -2.5e3, true, false, null], \"b\": {}}",
                 " 0{ a: 1[ 1 -2.5e3 true false null 1] b: 1{ 1} 0}");
    check_events("[]", " 0[ 0]");
    check_events(" \"x\" ", " 'x'");
    check_events("12", " 12");
    check_events("\xef\xbb\xbf{}", " 0{ 0}");
    check_events("[\"a\\n\\u00b5\\ud83d\\ude00\\\"\"]",
                 " 0[ 'a\n\xc2\xb5\xf0\x9f\x98\x80\"' 0]");
}

/* Both come: whoever reads decides. */
static void test_a_key_twice(void **state)
{
    (void)state;
    check_events("{\"a\":1,\"a\":2}", " 0{ a: 1 a: 2 0}");
}

/* As they are written: no digit is lost on the way. */
static void test_big_numbers(void **state)
{
    (void)state;
    check_events("[1700000000123456789, 1e999, 0.10000000000000000000000001]",
                 " 0[ 1700000000123456789 1e999 0.10000000000000000000000001 0]");
}

static void test_several_documents(void **state)
{
    (void)state;
    ridge__str out;
    ridge_error err;
    const char *text = "{\"a\":1}\n[2]\n3";
    assert_int_equal(read_text(&out, text, strlen(text), 3, true, &err), RIDGE_OK);
    assert_string_equal(ridge__str_data(&out), " 0{ a: 1 0} 0[ 2 0] 3");
    ridge__str_clear(&out);
}

/* ---- What is refused --------------------------------------------------------------- */

static void check_refused(const char *text, size_t size, ridge_status want, uint64_t line,
                          const char *sentence)
{
    static const size_t steps[] = {1, 5, 100000};
    for (size_t i = 0; i < RIDGE__COUNT(steps); i++) {
        ridge__str out;
        ridge_error err;
        ridge_status status = read_text(&out, text, size, steps[i], false, &err);
        assert_string_equal(err.message, sentence);
        assert_int_equal(status, want);
        assert_int_equal(err.line, line);
        ridge__str_clear(&out);
    }
}
#define CHECK_REFUSED(text, want, line, sentence) \
    check_refused(text, sizeof(text) - 1, want, line, sentence)

static void test_refused(void **state)
{
    (void)state;
    static const char truncated[] = "the JSON ends too early: the text is truncated";
    CHECK_REFUSED("", RIDGE_SYNTAX, 1, "the text is empty; a JSON value wanted");
    CHECK_REFUSED("{\"a\": [1,\n", RIDGE_SYNTAX, 2, truncated);
    CHECK_REFUSED("\"abc", RIDGE_SYNTAX, 1, truncated);
    CHECK_REFUSED("[1]\n[2]", RIDGE_SYNTAX, 2,
                  "no JSON at byte 1 of the line: trailing garbage");
    CHECK_REFUSED("{\"a\":\n  1 \"b\"}", RIDGE_SYNTAX, 2,
                  "no JSON at byte 6 of the line: after key and value, inside map, I "
                  "expect ',' or '}'");
    CHECK_REFUSED("[1,\n  NaN]", RIDGE_SYNTAX, 2,
                  "no JSON at byte 3 of the line: invalid char in json text; NaN and "
                  "Infinity are no JSON numbers, null is unknown");
    CHECK_REFUSED("[-Infinity]", RIDGE_SYNTAX, 1,
                  "no JSON at byte 2 of the line: malformed number, a digit is required "
                  "after the minus sign; NaN and Infinity are no JSON numbers, null is "
                  "unknown");
    CHECK_REFUSED("[\"\xff\"]", RIDGE_SYNTAX, 1,
                  "no JSON at byte 3 of the line: invalid bytes in UTF8 string");
    /* Overlong, and a surrogate: yajl lets them pass. */
    CHECK_REFUSED("[\"\xc0\xaf\"]", RIDGE_SYNTAX, 1, "a string is not UTF-8");
    CHECK_REFUSED("{\"\xed\xa0\x80\":1}", RIDGE_SYNTAX, 1, "a string is not UTF-8");
}

static void test_depth(void **state)
{
    (void)state;
    char deep[2 * RIDGE_LIMIT_JSON_DEPTH + 4];
    memset(deep, '[', RIDGE_LIMIT_JSON_DEPTH);
    memset(deep + RIDGE_LIMIT_JSON_DEPTH, ']', RIDGE_LIMIT_JSON_DEPTH);
    ridge__str out;
    ridge_error err;
    assert_int_equal(
        read_text(&out, deep, (size_t)2 * RIDGE_LIMIT_JSON_DEPTH, 9, false, &err),
        RIDGE_OK);
    ridge__str_clear(&out);
    memset(deep, '[', sizeof deep);
    check_refused(deep, sizeof deep, RIDGE_LIMIT, 1,
                  "more than 64 arrays and objects inside one another");
}

static void test_long_value(void **state)
{
    (void)state;
    size_t size = RIDGE_LIMIT_JSON_VALUE + (200 << 10);
    char *text = malloc(size);
    assert_non_null(text);
    ridge__str out;
    ridge_error err;
    memset(text, 'x', size);
    text[0] = '"';
    assert_int_equal(read_text(&out, text, size, 4096, false, &err), RIDGE_LIMIT);
    assert_string_equal(err.message, "a value is longer than 960 KiB");
    ridge__str_clear(&out);
    /* The longest that is taken, in the worst way: cut everywhere, and with escapes. */
    size = RIDGE_LIMIT_JSON_VALUE;
    for (size_t i = 1; i + 1 < size; i += 2)
        memcpy(text + i, "\\n", 2);
    text[size - 1] = '"';
    text[size - 2] = text[size - 3] = 'x';
    assert_int_equal(read_text(&out, text, size, 4096, false, &err), RIDGE_OK);
    ridge__str_clear(&out);
    free(text);
}

static ridge_status refuse_third(void *ctx, const ridge__json_event *event,
                                 ridge_error *err)
{
    int *count = ctx;
    (void)event;
    return ++*count == 3 ? ridge__error_set(err, RIDGE_NODATA, "not this one") : RIDGE_OK;
}

static void test_handler_stops(void **state)
{
    (void)state;
    int count = 0;
    ridge__json_options options = {refuse_third, &count, false};
    ridge__json_reader *reader = NULL;
    ridge_error err = {0};
    static const char text[] = "[\n1,\n2,3,4]";
    assert_int_equal(ridge__json_reader_new(&reader, &options, NULL, &err), RIDGE_OK);
    assert_int_equal(ridge__json_reader_feed(reader, text, sizeof text - 1, &err),
                     RIDGE_NODATA);
    assert_string_equal(err.message, "not this one");
    assert_int_equal(err.line, 3);
    assert_int_equal(count, 3);
    ridge__json_reader_free(reader);
}

/* ---- Numbers ----------------------------------------------------------------------- */

static ridge_status read_number(void *ctx, const ridge__json_event *event,
                                ridge_error *err)
{
    return ridge__json_double(ctx, event, err);
}

static ridge_status number(double *out, const char *text, ridge_error *err)
{
    ridge__json_options options = {read_number, out, false};
    ridge__json_reader *reader = NULL;
    *err = (ridge_error){0};
    assert_int_equal(ridge__json_reader_new(&reader, &options, NULL, err), RIDGE_OK);
    ridge_status status = ridge__json_reader_feed(reader, text, strlen(text), err);
    if (!status)
        status = ridge__json_reader_end(reader, err);
    ridge__json_reader_free(reader);
    return status;
}

static void test_numbers(void **state)
{
    (void)state;
    ridge_error err;
    double x;
    assert_int_equal(number(&x, "-2.5e-3", &err), RIDGE_OK);
    assert_true(x == -2.5e-3);
    assert_int_equal(number(&x, "0.1", &err), RIDGE_OK);
    assert_true(x == 0.1);
    assert_int_equal(number(&x, "null", &err), RIDGE_OK);
    assert_false(ridge_known(x));
    assert_int_equal(number(&x, "1e999", &err), RIDGE_LIMIT);
    assert_string_equal(err.message, "the number 1e999 is too large");
    assert_int_equal(number(&x, "\"1\"", &err), RIDGE_SYNTAX);
    assert_string_equal(err.message, "a number or null wanted");
    char digits[500];
    memset(digits, '1', sizeof digits);
    digits[sizeof digits - 1] = '\0';
    assert_int_equal(number(&x, digits, &err), RIDGE_LIMIT);
    assert_string_equal(err.message, "a number has more than 400 characters");
}

/* ---- Memory and files -------------------------------------------------------------- */

static void *fail_after(void *ctx, size_t size)
{
    int *left = ctx;
    return (*left)-- > 0 ? malloc(size) : NULL;
}
static void give_back(void *ctx, void *ptr, size_t size)
{
    (void)ctx;
    (void)size;
    free(ptr);
}

static void test_memory(void **state)
{
    (void)state;
    int left = 0, fails = 0;
    ridge_status status;
    do {
        left = fails++;
        ridge_allocator alloc = {fail_after, give_back, &left};
        ridge__str out;
        ridge__str_init(&out, 0, NULL);
        ridge__json_options options = {note, &out, false};
        ridge__json_reader *reader = NULL;
        ridge_error err = {0};
        status = ridge__json_reader_new(&reader, &options, &alloc, &err);
        if (!status) {
            assert_int_equal(ridge__json_reader_feed(reader, "[\"a\\n\"", 6, &err),
                             RIDGE_OK);
            assert_int_equal(ridge__json_reader_feed(reader, "]", 1, &err), RIDGE_OK);
            assert_int_equal(ridge__json_reader_end(reader, &err), RIDGE_OK);
            assert_string_equal(ridge__str_data(&out), " 0[ 'a\n' 0]");
        } else {
            assert_int_equal(status, RIDGE_NOMEM);
            assert_null(reader);
        }
        ridge__json_reader_free(reader);
        ridge__str_clear(&out);
    } while (status);
    assert_int_equal(fails, 3); /* the reader and its pool, and never again */
}

static void test_files(void **state)
{
    (void)state;
    char path[] = "/tmp/ridge-json-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    gzFile gz = gzdopen(fd, "wb");
    assert_non_null(gz);
    /* Larger than a piece, so that it is read in several. */
    gzprintf(gz, "[");
    for (int i = 0; i < 50000; i++)
        gzprintf(gz, "%s\n\"value number %d\"", i ? "," : "", i);
    gzprintf(gz, "\n]\nx");
    gzclose(gz);
    ridge__str out;
    ridge__str_init(&out, 0, NULL);
    ridge__json_options options = {note, &out, false};
    ridge_error err = {0};
    assert_int_equal(ridge__json_read(path, &options, &err), RIDGE_SYNTAX);
    assert_string_equal(err.where, path);
    assert_int_equal(err.line, 50003);
    assert_non_null(strstr(ridge__str_data(&out), "'value number 49999' 0]"));
    unlink(path);
    assert_int_equal(ridge__json_read(path, &options, &err), RIDGE_IO);
    assert_string_equal(err.where, path);
    ridge__str_clear(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_events),      cmocka_unit_test(test_a_key_twice),
        cmocka_unit_test(test_big_numbers), cmocka_unit_test(test_several_documents),
        cmocka_unit_test(test_refused),     cmocka_unit_test(test_depth),
        cmocka_unit_test(test_long_value),  cmocka_unit_test(test_handler_stops),
        cmocka_unit_test(test_numbers),     cmocka_unit_test(test_memory),
        cmocka_unit_test(test_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
