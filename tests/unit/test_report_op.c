/* The list of operations and each in full: text that fits, JSON and CSV that are whole. */
#include "format/csv.h"
#include "op/op.h"
#include "test.h"

/* What was written, ended; or a sink that stops. */
typedef struct page {
    char text[1 << 18];
    size_t size;
    bool stop;
} page;
static page shared_page; /* large: not for the stack */

static int collect(void *ctx, const char *data, size_t size)
{
    page *p = ctx;
    if (p->stop)
        return 1;
    assert_true(p->size + size < sizeof p->text);
    memcpy(p->text + p->size, data, size);
    p->size += size;
    p->text[p->size] = '\0';
    return 0;
}

static const char *written(const char *op, ridge_format format, unsigned width)
{
    page *p = &shared_page;
    ridge_style style = {.format = format, .width = width};
    p->size = 0;
    p->stop = false;
    const ridge_op *row = op ? ridge_op_find(op) : NULL;
    assert_int_equal(ridge_op_write(row, &style, (ridge_sink){collect, p}, NULL),
                     RIDGE_OK);
    return p->text;
}

static void check_width(const char *text, size_t width)
{
    for (size_t n; *text; text += n + 1) {
        n = strcspn(text, "\n");
        if (n > width)
            fail_msg("%zu columns: %.*s", n, (int)n, text);
        if (n > 0)
            assert_int_not_equal(text[n - 1], ' ');
        assert_int_equal(text[n], '\n');
    }
}

static void test_text_fits(void **state)
{
    (void)state;
    const ridge_op *op;
    check_width(written(NULL, RIDGE_TEXT, 0), 80);
    for (size_t i = 0; (op = ridge_op_at(i)) != NULL; i++) {
        check_width(written(op->name, RIDGE_TEXT, 0), 80);
        check_width(written(op->name, RIDGE_TEXT, 100), 100);
    }
}

static void test_text_says(void **state)
{
    (void)state;
    const char *text = written(NULL, RIDGE_TEXT, 0);
    assert_non_null(strstr(text, "\n  add                    a + b\n"));
    text = written("gemm", RIDGE_TEXT, 0);
    assert_int_equal(strncmp(text, "gemm - matrix product, batched or not\n", 38), 0);
    assert_non_null(strstr(text, "(2 * m * n * k + epilogue * m * n) * batch\n"));
    assert_non_null(strstr(text, "sa: a, sb: b, sc: c (bytes per element of each)\n"));
    assert_non_null(strstr(text, "cube of side N: N/3 at 2 B, grows"));
    text = written("attention", RIDGE_TEXT, 0);
    assert_non_null(strstr(text, " \\\n             "));
}

static void test_json(void **state)
{
    (void)state;
    const char *text = written("softmax", RIDGE_JSON, 0);
    assert_int_equal(strncmp(text, "{\"op\":\"softmax\",\"aliases\":[],", 28), 0);
    assert_non_null(strstr(text, "\"name\":\"passes\",\"aliases\":[],\"kind\":\"count\","
                                 "\"required\":false,\"default\":\"1\""));
    assert_non_null(
        strstr(text, "\"bytes_formula\":\"{elements}*({passes}*{sa} + {sb})\""));
    text = written(NULL, RIDGE_JSON, 0);
    assert_int_equal(text[0], '[');
    assert_string_equal(text + strlen(text) - 3, "}]\n");
}

static void test_csv(void **state)
{
    (void)state;
    const char *text = written(NULL, RIDGE_CSV, 0);
    ridge__csv_row *row = NULL;
    size_t rows = 0;
    assert_int_equal(ridge__csv_row_new(&row, NULL, NULL), RIDGE_OK);
    for (size_t span, left = strlen(text); left; text += span, left -= span, rows++) {
        span = ridge__csv_row_span(text, left);
        assert_int_equal(ridge__csv_row_parse(row, text, span, NULL), RIDGE_OK);
        assert_int_equal(ridge__csv_row_count(row), 9);
        if (rows > 0)
            assert_string_equal(ridge__csv_row_field(row, 0, NULL),
                                ridge_op_at(rows - 1)->name);
    }
    assert_int_equal(rows, ridge_op_total() + 1);
    ridge__csv_row_free(row);
}

static void test_sink_stops(void **state)
{
    (void)state;
    ridge_style style = {0};
    shared_page.stop = true;
    assert_int_equal(
        ridge_op_write(NULL, &style, (ridge_sink){collect, &shared_page}, NULL),
        RIDGE_CANCELLED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text_fits),  cmocka_unit_test(test_text_says),
        cmocka_unit_test(test_json),       cmocka_unit_test(test_csv),
        cmocka_unit_test(test_sink_stops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
