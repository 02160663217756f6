#include "format/csv.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <zlib.h>

#include "test.h"

/* ---- Rows -------------------------------------------------------------------------- */

/* The cells of a row, joined by '|'. */
static void check_cells(const char *text, const char *expected)
{
    ridge__csv_row *row = NULL;
    char joined[256] = "";
    ridge_error err = {0};
    assert_int_equal(ridge__csv_row_new(&row, NULL, &err), RIDGE_OK);
    /* Twice: a row leaves nothing behind for the next. */
    for (int again = 0; again < 2; again++) {
        assert_int_equal(ridge__csv_row_parse(row, text, strlen(text), &err), RIDGE_OK);
        size_t used = 0;
        for (size_t i = 0; i < ridge__csv_row_count(row); i++) {
            size_t size;
            const char *cell = ridge__csv_row_field(row, i, &size);
            assert_int_equal(strlen(cell), size);
            used += (size_t)snprintf(joined + used, sizeof joined - used, "%s%s",
                                     i ? "|" : "", cell);
        }
        assert_string_equal(joined, expected);
    }
    ridge__csv_row_free(row);
}

static void test_cells(void **state)
{
    (void)state;
    check_cells("a,b,c", "a|b|c");
    check_cells("a,b,c\n", "a|b|c");
    check_cells("a,b,c\r\n", "a|b|c");
    check_cells(",", "|");
    check_cells("a,,", "a||");
    check_cells(" a ,\tb c\t,", "a|b c|");
    check_cells("", "");
    check_cells("\"a,b\",c", "a,b|c");
    check_cells("\"a \"\"b\"\"\",c\n", "a \"b\"|c");
    check_cells("\"two\nlines\",1\r\n", "two\nlines|1");
    check_cells(" \"a\" ,\"\"", "a|");
    check_cells("x,\"\"\r\n", "x|");
}

static void test_cells_and_quoted_cells_agree(void **state)
{
    (void)state;
    /* The two ways to split see the same cells where a quoted one is added at the end. */
    static const char *const rows[] = {"1,2,3", " 1 , ,3 ", ",,", "\t,a b,c\t", "x"};
    for (size_t i = 0; i < RIDGE__COUNT(rows); i++) {
        ridge__csv_row *plain = NULL, *quoted = NULL;
        char text[64];
        assert_int_equal(ridge__csv_row_new(&plain, NULL, NULL), RIDGE_OK);
        assert_int_equal(ridge__csv_row_new(&quoted, NULL, NULL), RIDGE_OK);
        int size = snprintf(text, sizeof text, "%s,\"q\"", rows[i]);
        assert_int_equal(ridge__csv_row_parse(plain, rows[i], strlen(rows[i]), NULL), 0);
        assert_int_equal(ridge__csv_row_parse(quoted, text, (size_t)size, NULL), 0);
        size_t count = ridge__csv_row_count(plain);
        assert_int_equal(ridge__csv_row_count(quoted), count + 1);
        for (size_t c = 0; c < count; c++)
            assert_string_equal(ridge__csv_row_field(plain, c, NULL),
                                ridge__csv_row_field(quoted, c, NULL));
        ridge__csv_row_free(plain);
        ridge__csv_row_free(quoted);
    }
}

static void test_past_the_end(void **state)
{
    (void)state;
    ridge__csv_row *row = NULL;
    size_t size = 9;
    assert_int_equal(ridge__csv_row_new(&row, NULL, NULL), RIDGE_OK);
    assert_int_equal(ridge__csv_row_parse(row, "a", 1, NULL), RIDGE_OK);
    assert_string_equal(ridge__csv_row_field(row, 1, &size), "");
    assert_int_equal(size, 0);
    ridge__csv_row_free(row);
    ridge__csv_row_free(NULL);
}

static void test_broken_quotes(void **state)
{
    (void)state;
    static const char *const rows[] = {"\"a,b",        "a,\"b\"c,d", "5\" disk,1",
                                       "\"a\"\r\"b\"", "\"a\"\"",    "a\rb,\"c\"",
                                       "a\rb"};
    ridge__csv_row *row = NULL;
    assert_int_equal(ridge__csv_row_new(&row, NULL, NULL), RIDGE_OK);
    for (size_t i = 0; i < RIDGE__COUNT(rows); i++) {
        ridge_error err = {0};
        const char *wanted =
            strchr(rows[i], '\r') ? "carriage return inside" : "quote is out of place";
        assert_int_equal(ridge__csv_row_parse(row, rows[i], strlen(rows[i]), &err),
                         RIDGE_SYNTAX);
        assert_int_equal(err.status, RIDGE_SYNTAX);
        assert_non_null(strstr(err.message, wanted));
        /* The next row is not touched by it. */
        assert_int_equal(ridge__csv_row_parse(row, "\"x\",y", 5, &err), RIDGE_OK);
        assert_int_equal(ridge__csv_row_count(row), 2);
        assert_string_equal(ridge__csv_row_field(row, 0, NULL), "x");
    }
    ridge__csv_row_free(row);
}

static void test_too_many_columns(void **state)
{
    (void)state;
    enum {
        MOST = RIDGE_LIMIT_COLUMNS
    };
    static char text[MOST + 4];
    ridge__csv_row *row = NULL;
    ridge_error err = {0};
    memset(text, ',', sizeof text);
    assert_int_equal(ridge__csv_row_new(&row, NULL, NULL), RIDGE_OK);
    assert_int_equal(ridge__csv_row_parse(row, text, MOST - 1, &err), RIDGE_OK);
    assert_int_equal(ridge__csv_row_count(row), MOST);
    assert_int_equal(ridge__csv_row_parse(row, text, MOST, &err), RIDGE_LIMIT);
    memcpy(text, "\"q\"", 3);
    assert_int_equal(ridge__csv_row_parse(row, text, MOST + 3, &err), RIDGE_LIMIT);
    assert_string_equal(err.message, "more than 16384 columns");
    ridge__csv_row_free(row);
}

/* ---- Where rows end ---------------------------------------------------------------- */

static void check_span(const char *text, size_t expected)
{
    assert_int_equal(ridge__csv_row_span(text, strlen(text)), expected);
}

static void test_span(void **state)
{
    (void)state;
    check_span("", 0);
    check_span("abc", 0);
    check_span("\n", 1);
    check_span("ab\ncd\n", 3);
    check_span("ab\r\ncd", 4);
    check_span("\"a\nb\"\nc\n", 6);
    check_span("x, \"a\n\"\"\n\",1\nc\n", 13);
    check_span("\"a\n\"\"", 0); /* the closing quote may be the first of two */
    check_span("\"never closed\n\n", 0);
    check_span("5\" disk\nnext\n", 8); /* a quote inside a cell opens nothing */
    check_span("\"a\"b\"\nc\n", 6);
}

static void test_trim(void **state)
{
    (void)state;
    assert_int_equal(ridge__csv_row_trim("ab\r\n", 4), 2);
    assert_int_equal(ridge__csv_row_trim("ab\n", 3), 2);
    assert_int_equal(ridge__csv_row_trim("ab\r", 3), 2);
    assert_int_equal(ridge__csv_row_trim("ab", 2), 2);
    assert_int_equal(ridge__csv_row_trim("", 0), 0);
}

static void test_written_cells_read_back(void **state)
{
    (void)state;
    static const char *const cells[] = {"plain", "a,b",        "say \"hi\"", " blank",
                                        "",      "two\nlines", "end ",       "\""};
    ridge__str out;
    ridge__csv_row *row = NULL;
    ridge__str_init(&out, 0, NULL);
    assert_int_equal(ridge__csv_row_new(&row, NULL, NULL), RIDGE_OK);
    for (size_t i = 0; i < RIDGE__COUNT(cells); i++) {
        if (i)
            ridge__str_text(&out, ",");
        ridge__csv_cell(&out, cells[i], strlen(cells[i]));
    }
    assert_memory_equal(out.data, "plain,\"a,b\",\"say \"\"hi\"\"\",", 25);
    assert_int_equal(ridge__csv_row_parse(row, out.data, out.size, NULL), RIDGE_OK);
    assert_int_equal(ridge__csv_row_count(row), RIDGE__COUNT(cells));
    for (size_t i = 0; i < RIDGE__COUNT(cells); i++)
        assert_string_equal(ridge__csv_row_field(row, i, NULL), cells[i]);
    ridge__csv_row_free(row);
    ridge__str_clear(&out);
}

/* ---- Allocation failure ------------------------------------------------------------ */

static void *failing_alloc(void *ctx, size_t size)
{
    int *left = ctx;
    return (*left)-- > 0 ? malloc(size) : NULL;
}

static void failing_free(void *ctx, void *ptr, size_t size)
{
    (void)ctx;
    (void)size;
    free(ptr);
}

static ridge_status parse_with(int allocations)
{
    ridge_allocator alloc = {failing_alloc, failing_free, &allocations};
    ridge__csv_row *row = NULL;
    char text[2000];
    memset(text, ',', sizeof text);
    ridge_status status = ridge__csv_row_new(&row, &alloc, NULL);
    if (!status)
        status = ridge__csv_row_parse(row, text, sizeof text, NULL);
    assert_true(status || ridge__csv_row_count(row) == sizeof text + 1);
    ridge__csv_row_free(row);
    return status;
}

static void test_memory_runs_out(void **state)
{
    (void)state;
    int n = 0;
    while (parse_with(n) == RIDGE_NOMEM)
        n++;
    assert_int_equal(parse_with(n), RIDGE_OK);
    assert_true(n > 3);
}

/* ---- Input ------------------------------------------------------------------------- */

static char path[] = "/tmp/ridge-test-csv-XXXXXX";

static int make_path(void **state)
{
    (void)state;
    int fd = mkstemp(path);
    return fd < 0 ? -1 : close(fd);
}

static int remove_path(void **state)
{
    (void)state;
    return unlink(path);
}

static void write_bytes(const void *data, size_t size)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(data, 1, size, f), size);
    assert_int_equal(fclose(f), 0);
}

/* Reads all in pieces of 7 bytes. */
static ridge_status read_all(char *buf, size_t size, size_t *total, ridge_error *err)
{
    ridge__input *in = NULL;
    size_t got = 1;
    *total = 0;
    ridge_status status = ridge__input_open(&in, path, err);
    while (!status && got > 0) {
        assert_true(*total + 7 <= size);
        status = ridge__input_read(in, buf + *total, 7, &got, err);
        *total += status ? 0 : got;
    }
    if (in)
        assert_string_equal(ridge__input_name(in), path);
    ridge__input_close(in);
    return status;
}

/* zlib wants it writable. */
static char sample[] = "m,n,k\n1,2,3\n4,5,6\n7,8,9\n10,11,12\n13,14,15\n";

/* The sample, gzipped into packed; returns the size. */
static size_t pack(unsigned char *packed, size_t room)
{
    z_stream z = {0};
    assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY),
                     Z_OK);
    z.next_in = (unsigned char *)sample;
    z.avail_in = (unsigned)strlen(sample);
    z.next_out = packed;
    z.avail_out = (unsigned)room;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    size_t size = room - z.avail_out;
    deflateEnd(&z);
    return size;
}

static void test_read_plain_and_gzip(void **state)
{
    (void)state;
    unsigned char packed[256];
    char buf[256];
    size_t total, size = pack(packed, sizeof packed);
    write_bytes(sample, sizeof sample - 1);
    assert_int_equal(read_all(buf, sizeof buf, &total, NULL), RIDGE_OK);
    assert_int_equal(total, sizeof sample - 1);
    assert_memory_equal(buf, sample, total);
    write_bytes(packed, size);
    assert_int_equal(read_all(buf, sizeof buf, &total, NULL), RIDGE_OK);
    assert_int_equal(total, sizeof sample - 1);
    assert_memory_equal(buf, sample, total);
    write_bytes("", 0);
    assert_int_equal(read_all(buf, sizeof buf, &total, NULL), RIDGE_OK);
    assert_int_equal(total, 0);
}

static void test_broken_gzip(void **state)
{
    (void)state;
    unsigned char packed[256];
    char buf[256];
    ridge_error err;
    size_t total, size = pack(packed, sizeof packed);
    /* Every cut after the two magic bytes is noticed. */
    for (size_t cut = 2; cut < size; cut++) {
        write_bytes(packed, cut);
        err = (ridge_error){0};
        assert_int_equal(read_all(buf, sizeof buf, &total, &err), RIDGE_SYNTAX);
        assert_string_equal(err.where, path);
        assert_non_null(strstr(err.message, "truncated"));
    }
    packed[size - 6] ^= 0xff; /* the checksum */
    write_bytes(packed, size);
    assert_int_equal(read_all(buf, sizeof buf, &total, &err), RIDGE_SYNTAX);
    assert_non_null(strstr(err.message, "damaged"));
}

static void test_open_fails(void **state)
{
    (void)state;
    ridge__input *in = NULL;
    ridge_error err = {0};
    char buf[8];
    size_t got;
    assert_int_equal(ridge__input_open(&in, "/nonexistent/x.csv", &err), RIDGE_IO);
    assert_null(in);
    assert_string_equal(err.where, "/nonexistent/x.csv");
    assert_string_equal(err.message, "cannot open: No such file or directory");
    /* A directory opens; reading it does not work. */
    assert_int_equal(ridge__input_open(&in, "/tmp", &err), RIDGE_OK);
    assert_int_equal(ridge__input_read(in, buf, sizeof buf, &got, &err), RIDGE_IO);
    assert_string_equal(err.message, "cannot read: Is a directory");
    ridge__input_close(in);
    ridge__input_close(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cells),
        cmocka_unit_test(test_cells_and_quoted_cells_agree),
        cmocka_unit_test(test_past_the_end),
        cmocka_unit_test(test_broken_quotes),
        cmocka_unit_test(test_too_many_columns),
        cmocka_unit_test(test_span),
        cmocka_unit_test(test_trim),
        cmocka_unit_test(test_written_cells_read_back),
        cmocka_unit_test(test_memory_runs_out),
        cmocka_unit_test(test_read_plain_and_gzip),
        cmocka_unit_test(test_broken_gzip),
        cmocka_unit_test(test_open_fails),
    };
    return cmocka_run_group_tests(tests, make_path, remove_path);
}
