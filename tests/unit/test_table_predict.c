#include "model/model.h"
#include "table/table.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>
#include <zlib.h>

#include "test.h"

static char path[] = "/tmp/ridge-test-predict-XXXXXX";
static ridge_catalog *catalog;
static ridge_machine *example;

static int setup(void **state)
{
    (void)state;
    const ridge_device *device;
    ridge_error err = {0};
    int fd = mkstemp(path);
    if (fd < 0 || close(fd) || ridge_catalog_open(&catalog, NULL, NULL, &err) ||
        ridge_catalog_load(&device, catalog, "example", &err) ||
        ridge_machine_new(&example, catalog, device, &err)) {
        print_error("%s: %s\n", err.where, err.message);
        return -1;
    }
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    ridge_machine_free(example);
    ridge_catalog_free(catalog);
    return unlink(path);
}

static void write_input(const char *data, size_t size)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(data, 1, size, f), size);
    assert_int_equal(fclose(f), 0);
}

static int collect(void *ctx, const char *data, size_t size)
{
    ridge__str_add(ctx, data, size);
    return 0;
}

static ridge_predict_options options_of(const char *op)
{
    return (ridge_predict_options){
        .op = op, .catalog = catalog, .machine = example, .threads = 2};
}

static ridge_predict_summary summary;

/* The output for an input; the caller clears it.  Leaves `summary`. */
static ridge__str predict_bytes(const ridge_predict_options *options, const char *data,
                                size_t size)
{
    ridge__str out;
    ridge_error err = {0};
    ridge__str_init(&out, 0, NULL);
    write_input(data, size);
    ridge_status status =
        ridge_predict_run(path, options, (ridge_sink){collect, &out}, &summary, &err);
    if (status)
        print_error("%s:%d: %s\n", err.where, (int)err.line, err.message);
    assert_int_equal(status, RIDGE_OK);
    return out;
}

static ridge__str predict(const ridge_predict_options *options, const char *text)
{
    return predict_bytes(options, text, strlen(text));
}

#define HEADER ",floor_us,expected_us,low_us,high_us,bound"

/* The cells of a call on a machine, from the estimate itself. */
static const char *cells(char buf[160], const ridge_machine *machine, const char *op,
                         const char *const *words)
{
    ridge_call call;
    ridge_estimate e;
    assert_int_equal(ridge_call_init(&call, op, NULL), RIDGE_OK);
    for (; words[0]; words += 2)
        assert_int_equal(ridge_call_set(&call, words[0], words[1], NULL), RIDGE_OK);
    assert_int_equal(ridge_call_finish(&call, NULL), RIDGE_OK);
    assert_int_equal(ridge_estimate_call(&e, machine, &call, NULL), RIDGE_OK);
    const double times[] = {e.floor_s, e.expected_s, e.low_s, e.high_s};
    size_t n = 0;
    for (size_t i = 0; i < 4; i++) {
        buf[n++] = ',';
        n += ridge__number_format(buf + n, times[i] * 1e6, 6);
    }
    snprintf(buf + n, 160 - n, ",%s", ridge_bound_name(e.bound));
    return buf;
}

#define CELLS(machine, op, ...) \
    cells((char[160]){0}, machine, op, (const char *const[]){__VA_ARGS__, NULL})

/* ---- Rows -------------------------------------------------------------------------- */

static void test_row(void **state)
{
    (void)state;
    ridge_predict_options o = options_of("gemm");
    char expected[512];
    ridge__str out = predict(&o, "note,k,dtype,m,n\nas it is,1024,bf16,4096,2048\n");
    snprintf(
        expected, sizeof expected,
        "note,k,dtype,m,n" HEADER "\nas it is,1024,bf16,4096,2048%s\n",
        CELLS(example, "gemm", "m", "4096", "n", "2048", "k", "1024", "dtype", "bf16"));
    assert_string_equal(ridge__str_data(&out), expected);
    assert_int_equal(summary.rows, 1);
    assert_int_equal(summary.failed, 0);
    /* 2*4096*2048*1024 FLOP at the 100 TFLOP/s of `example`: 171.799 us. */
    assert_non_null(strstr(expected, ",171.799,"));
    ridge__str_clear(&out);
}

static void test_text_around_rows(void **state)
{
    (void)state;
    ridge_predict_options o = options_of("gemm");
    char expected[1024];
    const char *c =
        CELLS(example, "gemm", "m", "512", "n", "512", "k", "512", "dtype", "bf16");
    /* Byte order mark, both line ends, blanks, blank lines, quotes, no last line end. */
    ridge__str out = predict(&o, "\xef\xbb\xbfm,n,k,dtype,x\r\n"
                                 "512,512,512,bf16,1\r\n"
                                 "\n \t\r\n"
                                 "\"512\", 512 ,512,\"bf16\",\"a\nb,\"\"\"\n"
                                 "512,512,512,bf16,");
    snprintf(expected, sizeof expected,
             "\xef\xbb\xbfm,n,k,dtype,x" HEADER "\r\n"
             "512,512,512,bf16,1%s\r\n"
             "\n \t\r\n"
             "\"512\", 512 ,512,\"bf16\",\"a\nb,\"\"\"%s\n"
             "512,512,512,bf16,%s",
             c, c, c);
    assert_string_equal(ridge__str_data(&out), expected);
    assert_int_equal(summary.rows, 3);
    assert_int_equal(summary.failed, 0);
    ridge__str_clear(&out);
}

static void test_header_alone(void **state)
{
    (void)state;
    ridge_predict_options o = options_of("gemm");
    ridge__str out = predict(&o, "m,n,k,dtype");
    assert_string_equal(ridge__str_data(&out), "m,n,k,dtype" HEADER);
    assert_int_equal(summary.rows, 0);
    ridge__str_clear(&out);
}

static void test_bad_rows_keep_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *row, *says;
        const char *lacks; /* what is put in so that the new cells stand in their place */
    } bad[] = {
        {"1,2,3", "3 cells; the header has 4", ","},
        {"1", "1 cells; the header has 4", ",,,"},
        {"1,2,3,bf16,", "5 cells; the header has 4", ""},
        {"x,2,3,bf16", "m: \"x\" is not a whole number", ""},
        {"1,,3,bf16", "gemm lacks n", ""},
        {"1,2,3,bf17", "dtype: \"bf17\" is not a dtype", ""},
        {"0,2,3,bf16", "m: \"0\" is out of range", ""},
        {"-1,2,3,bf16", "m: \"-1\" is not a whole number", ""},
        {"1e999,2,3,bf16", "m: ", ""},
        {"5\" disk,2,3,bf16", "a quote is out of place", ""},
    };
    for (size_t i = 0; i < RIDGE__COUNT(bad); i++) {
        ridge_predict_options o = options_of("gemm");
        char input[256], expected[512];
        const char *good = "8,8,8,bf16";
        const char *c =
            CELLS(example, "gemm", "m", "8", "n", "8", "k", "8", "dtype", "bf16");
        snprintf(input, sizeof input, "m,n,k,dtype\n%s\n%s\n%s\n%s\n", good, bad[i].row,
                 bad[i].row, good);
        ridge__str out = predict(&o, input);
        snprintf(expected, sizeof expected,
                 "m,n,k,dtype" HEADER "\n%s%s\n%s%s,,,,,\n%s%s,,,,,\n%s%s\n", good, c,
                 bad[i].row, bad[i].lacks, bad[i].row, bad[i].lacks, good, c);
        assert_string_equal(ridge__str_data(&out), expected);
        assert_int_equal(summary.rows, 4);
        assert_int_equal(summary.failed, 2);
        assert_string_equal(summary.first.where, path);
        assert_int_equal(summary.first.line, 3);
        if (!strstr(summary.first.message, bad[i].says))
            print_error("\"%s\" lacks \"%s\"\n", summary.first.message, bad[i].says);
        assert_non_null(strstr(summary.first.message, bad[i].says));
        ridge__str_clear(&out);
    }
}

static void test_lines_count_inside_quotes(void **state)
{
    (void)state;
    ridge_predict_options o = options_of("gemm");
    /* The header is two lines, then a blank one and a row of two: the bad row is line 6. */
    ridge__str out = predict(&o, "m,n,k,dtype,\"a\nb\"\n"
                                 "\n"
                                 "1,1,1,bf16,\"x\ny\"\n"
                                 "bad\n");
    assert_int_equal(summary.failed, 1);
    assert_int_equal(summary.first.line, 6);
    ridge__str_clear(&out);
}

/* ---- What columns say -------------------------------------------------------------- */

static void test_backend_and_timing(void **state)
{
    (void)state;
    ridge_predict_options o = options_of("gemm");
    o.timing = RIDGE_TIMING_EAGER;
    ridge__str out = predict(&o, "m,n,k,dtype,backend,timing,kernel\n"
                                 "1,1,1,bf16,trtllm,cg,x\n"
                                 "1,1,1,bf16,my kernels,module,y\n"
                                 "1,1,1,bf16,vllm kernels/sarathi,graph,\n"
                                 "1,1,1,bf16,,,\n");
    assert_int_equal(summary.rows, 4);
    assert_int_equal(summary.failed, 0);
    assert_int_equal(summary.unknown_backend, 1); /* sarathi has kernels of vLLM */
    assert_int_equal(summary.unknown_timing, 1);
    ridge__str_clear(&out);
}

/* The cell of column `column` in line `line` of a text, both from 0. */
static double number_at(const char *text, int line, int column)
{
    double value = RIDGE_UNKNOWN;
    const char *end;
    while (line-- > 0)
        text = strchr(text, '\n') + 1;
    while (column-- > 0)
        text = strchr(text, ',') + 1;
    return ridge__number_parse(&value, text, &end) ? RIDGE_UNKNOWN : value;
}

/* 2048 of 10240 channels (2 x 64 x 1024 x 2048 x 2 B less 96 MB at 864 GB/s), and all keys. */
static void test_misnamed_rows(void **state)
{
    (void)state;
    ridge_predict_options o = options_of("linear_attention");
    ridge_predict_options sparse = options_of("sparse_attention");
    o.machine = sparse.machine = NULL;
    ridge__str out = predict(
        &o, "gpu,batch,seq_len,k_heads,k_dim,v_heads,v_dim,backend,version,op,channels\n"
            "l40s,64,1024,16,128,48,128,trtllm,1.3,gdn:causal_conv1d_fn,\n"
            "l40s,64,1024,16,128,48,128,sglang,0.5.10,gdn:causal_conv1d_fn,\n"
            "l40s,64,1024,16,128,48,128,sglang,0.5.14,gdn:causal_conv1d_fn,\n"
            "l40s,64,1024,16,128,48,128,trtllm,1.3,causal_conv1d,\n"
            "l40s,64,1024,16,128,48,128,trtllm,1.3,gdn:causal_conv1d_fn,10240\n");
    for (int line = 1; line <= 5; line++)
        assert_close(number_at(ridge__str_data(&out), line, 11), line < 3 ? 510 : 3000,
                     line < 3 ? 0.02 : 0.05);
    ridge__str_clear(&out);
    out = predict(&sparse, "gpu,backend,op,q_len,kv_past,dtype,kernel\n"
                           "l40s,trtllm,msa_generation_module,1,65535,bf16,default\n"
                           "l40s,trtllm,msa_generation_module,1,65535,bf16,mine\n");
    assert_true(number_at(ridge__str_data(&out), 1, 7) >
                25 * number_at(ridge__str_data(&out), 2, 7));
    ridge__str_clear(&out);
}

/* The kernel that a row names, where the library has several; else the usual one. */
static void test_kernel_column(void **state)
{
    (void)state;
    ridge_predict_options o = options_of("attention");
    o.machine = NULL;
    ridge__str out =
        predict(&o, "gpu,backend,q_len,heads_q,head_dim,causal,dtype,kernel\n"
                    "b200-hgx,sglang,4096,32,256,1,bf16,\n"
                    "b200-hgx,sglang,4096,32,256,1,bf16,trtllm_mha\n"
                    "b200-hgx,sglang,4096,32,256,1,bf16,mine\n"
                    "b200-hgx,sglang,4096,32,256,1,bf16,triton\n");
    const char *text = ridge__str_data(&out);
    enum {
        EXPECTED = 9
    };
    double usual = number_at(text, 1, EXPECTED);
    assert_int_equal(summary.failed, 0);
    assert_true(usual > 0);
    assert_close(number_at(text, 2, EXPECTED), usual, 1e-12);
    assert_close(number_at(text, 3, EXPECTED), usual, 1e-12);
    assert_true(number_at(text, 4, EXPECTED) > 2 * usual);
    ridge__str_clear(&out);
}

static void test_gpu_column(void **state)
{
    (void)state;
    ridge_predict_options o = options_of("gemm");
    const char *text = "m,n,k,dtype,gpu\n"
                       "4096,4096,4096,bf16,h100-sxm\n"
                       "4096,4096,4096,bf16,\n"
                       "4096,4096,4096,bf16,h101\n"
                       "4096,4096,4096,bf16,h100-sxm\n";
    ridge__str out = predict(&o, text);
    /* 2*4096^3 FLOP at 989.4 TFLOP/s, then at the 100 of the options' machine. */
    assert_close(number_at(out.data, 1, 5), 138.911, 1e-3);
    assert_close(number_at(out.data, 2, 5), 1374.39, 1e-5);
    assert_false(ridge_known(number_at(out.data, 3, 5)));
    assert_close(number_at(out.data, 4, 5), 138.911, 1e-3);
    assert_int_equal(summary.failed, 1);
    assert_int_equal(summary.first.line, 4);
    assert_non_null(strstr(summary.first.message, "h101"));
    ridge__str_clear(&out);
    /* What changes a machine changes those of the column. */
    o.set_key[0] = "peak";
    o.set_value[0] = "2x";
    o.set_count = 1;
    out = predict(&o, text);
    assert_close(number_at(out.data, 1, 5), 138.911 / 2, 1e-3);
    assert_close(number_at(out.data, 2, 5), 1374.39, 1e-5);
    ridge__str_clear(&out);
    o.machine = NULL;
    out = predict(&o, text);
    assert_int_equal(summary.failed, 2);
    assert_int_equal(summary.first.line, 3);
    assert_string_equal(summary.first.message, "gpu: the cell is empty");
    ridge__str_clear(&out);
}

static void test_family(void **state)
{
    (void)state;
    ridge_predict_options o = options_of("elementwise");
    char expected[1024];
    ridge__str out = predict(&o, "op,dtype,rows,cols,elements,bytes\n"
                                 "rmsnorm,bf16,128,4096,524288,2097152\n"
                                 "ln,bf16>fp8,128,4096,,\n"
                                 "gemm,bf16,128,4096,,\n"
                                 "no_such,bf16,128,4096,,\n"
                                 ",bf16,128,4096,,\n"); /* the op of that name */
    snprintf(
        expected, sizeof expected,
        "op,dtype,rows,cols,elements,bytes" HEADER "\n"
        "rmsnorm,bf16,128,4096,524288,2097152%s\n"
        "ln,bf16>fp8,128,4096,,%s\n"
        "gemm,bf16,128,4096,,,,,,,\n"
        "no_such,bf16,128,4096,,,,,,,\n"
        ",bf16,128,4096,,%s\n",
        CELLS(example, "rmsnorm", "rows", "128", "cols", "4096", "dtype", "bf16"),
        CELLS(example, "layernorm", "rows", "128", "cols", "4096", "dtype", "bf16",
              "dtype_out", "fp8"),
        CELLS(example, "elementwise", "rows", "128", "cols", "4096", "dtype", "bf16"));
    assert_string_equal(ridge__str_data(&out), expected);
    assert_int_equal(summary.failed, 2);
    assert_string_equal(summary.first.message, "op: \"gemm\" is not of elementwise");
    ridge__str_clear(&out);
}

static void test_op_column_of_one_op(void **state)
{
    (void)state;
    ridge_predict_options o = options_of("gemm");
    /* A layer's name passes through; the name of another op is a contradiction. */
    ridge__str out = predict(&o, "op,m,n,k,dtype\n"
                                 "qkv_proj,8,8,8,bf16\n"
                                 "gemm,8,8,8,bf16\n"
                                 "rmsnorm,8,8,8,bf16\n");
    assert_int_equal(summary.failed, 1);
    assert_int_equal(summary.first.line, 4);
    assert_string_equal(summary.first.message, "op: \"rmsnorm\" is not of gemm");
    ridge__str_clear(&out);
}

/* ---- What is no table -------------------------------------------------------------- */

static void test_header_errors(void **state)
{
    (void)state;
    static const struct {
        const char *op, *text;
        ridge_status status;
        const char *says;
    } bad[] = {
        {"gemm", "", RIDGE_SYNTAX, "no header"},
        {"gemm", "\nm,n,k,dtype\n", RIDGE_SYNTAX, "no header"},
        {"gemm", "1,2,3,bf16\n", RIDGE_SYNTAX,
         "no column for m, n, k, dtype; op gemm needs them"},
        {"gemm", "m,n,dtype\n", RIDGE_SYNTAX, "no column for k; op gemm needs it"},
        {"gemm", "m,n,k,dtype,m\n", RIDGE_SYNTAX, "\"m\" and \"m\" both give m"},
        {"gemm", "m,n,k,dtype,gpu,gpu\n", RIDGE_SYNTAX, "both give gpu"},
        {"rmsnorm", "rows,cols,hidden,dtype\n", RIDGE_SYNTAX,
         "\"cols\" and \"hidden\" both give cols"},
        {"gemm", "m,n,k,dtype,low_us\n", RIDGE_SYNTAX, "\"low_us\" is there already"},
        {"gemm", "m,n,k,\"dtype\n1,2,3,bf16\n", RIDGE_SYNTAX, "never closed"},
        {"gemm", "m,n,k,5\" x\n", RIDGE_SYNTAX, "a quote is out of place"},
        {"gem", "m\n", RIDGE_NOTFOUND, "did you mean gemm"},
    };
    for (size_t i = 0; i < RIDGE__COUNT(bad); i++) {
        ridge_predict_options o = options_of(bad[i].op);
        ridge__str out;
        ridge_error err = {0};
        ridge__str_init(&out, 0, NULL);
        write_input(bad[i].text, strlen(bad[i].text));
        ridge_status status =
            ridge_predict_run(path, &o, (ridge_sink){collect, &out}, NULL, &err);
        if (status != bad[i].status || !strstr(err.message, bad[i].says))
            print_error("%s: %d %s\n", bad[i].says, status, err.message);
        assert_int_equal(status, bad[i].status);
        assert_non_null(strstr(err.message, bad[i].says));
        assert_int_equal(err.line, status == RIDGE_NOTFOUND ? 0 : 1);
        assert_int_equal(out.size, 0);
        ridge__str_clear(&out);
    }
}

static void test_no_machine(void **state)
{
    (void)state;
    ridge_predict_options o = options_of("gemm");
    ridge_error err = {0};
    o.machine = NULL;
    write_input("m,n,k,dtype\n", 12);
    assert_int_equal(ridge_predict_run(path, &o, (ridge_sink){collect, NULL}, NULL, &err),
                     RIDGE_INVALID);
    assert_non_null(strstr(err.message, "no GPU is given"));
    assert_int_equal(err.line, 1);
}

/* Rows before the fault are written; the fault has the line. */
static void check_fault(const char *data, size_t size, ridge_status status, uint64_t line,
                        const char *says)
{
    for (unsigned threads = 1; threads <= 8; threads *= 8) {
        ridge_predict_options o = options_of("gemm");
        ridge__str out;
        ridge_error err = {0};
        o.threads = threads;
        ridge__str_init(&out, 0, NULL);
        write_input(data, size);
        assert_int_equal(
            ridge_predict_run(path, &o, (ridge_sink){collect, &out}, NULL, &err), status);
        assert_non_null(strstr(err.message, says));
        assert_string_equal(err.where, path);
        assert_int_equal(err.line, line);
        uint64_t lines = 0;
        for (size_t i = 0; i < out.size; i++)
            lines += out.data[i] == '\n';
        assert_int_equal(lines, line - 1);
        ridge__str_clear(&out);
    }
}

static const char row[] = "16,16,16,bf16\n";

static ridge__str many_rows(size_t count)
{
    ridge__str text;
    ridge__str_init(&text, 0, NULL);
    ridge__str_text(&text, "m,n,k,dtype\n");
    for (size_t i = 0; i < count; i++)
        ridge__str_text(&text, row);
    return text;
}

static void test_faults_after_many_rows(void **state)
{
    (void)state;
    enum {
        ROWS = 20000 /* 280 kB: some blocks */
    };
    ridge__str text = many_rows(ROWS);
    ridge__str_add(&text, "1,1\0,1,bf16\n", 12);
    check_fault(text.data, text.size, RIDGE_SYNTAX, ROWS + 2, "NUL byte");
    text.size -= 12;
    ridge__str_text(&text, "1,1,1,\"bf16\n1,1,1,bf16\n");
    check_fault(text.data, text.size, RIDGE_SYNTAX, ROWS + 2, "never closed");
    text.size -= 23;
    ridge__str_fill(&text, '1', RIDGE_LIMIT_ROW_BYTES);
    ridge__str_text(&text, "\n");
    check_fault(text.data, text.size, RIDGE_LIMIT, ROWS + 2, "longer than 524288 bytes");
    text.size -= 1;
    ridge__str_fill(&text, '1', 5 * RIDGE_LIMIT_ROW_BYTES);
    check_fault(text.data, text.size, RIDGE_LIMIT, ROWS + 2, "longer than 524288 bytes");
    ridge__str_clear(&text);
}

/* ---- Streams ----------------------------------------------------------------------- */

static ridge__str mixed_rows(void)
{
    ridge__str text;
    uint32_t x = 1;
    ridge__str_init(&text, 0, NULL);
    ridge__str_text(&text, "m,n,k,dtype,gpu,note\n");
    for (int i = 0; i < 20000; i++) {
        x = x * 1664525u + 1013904223u;
        unsigned shape = x >> 20;
        ridge__str_format(&text, "%u,%u,512,%s,%s,%s\n", shape, 4 * shape,
                          x & 1024 ? "bf16" : "fp16", x & 2048 ? "h100-sxm" : "example",
                          x & 4096 ? "\"two\nlines\"" : "plain");
        if (i % 1000 == 999)
            ridge__str_text(&text, i % 2000 == 999 ? "\n" : "bad row\n");
    }
    return text;
}

static void test_threads_do_not_show(void **state)
{
    (void)state;
    static const unsigned threads[] = {1, 2, 3, 8, 200};
    ridge__str text = mixed_rows(), first;
    ridge_predict_options o = options_of("gemm");
    for (size_t i = 0; i < RIDGE__COUNT(threads); i++) {
        o.threads = threads[i];
        ridge__str out = predict_bytes(&o, text.data, text.size);
        /* Shapes of 0 fail as well as the ten bad rows. */
        assert_int_equal(summary.rows, 20010);
        assert_true(summary.failed >= 10 && summary.failed < 40);
        if (i == 0) {
            first = out;
            continue;
        }
        assert_int_equal(out.size, first.size);
        assert_memory_equal(out.data, first.data, out.size);
        ridge__str_clear(&out);
    }
    ridge__str_clear(&first);
    ridge__str_clear(&text);
}

static void test_gzip(void **state)
{
    (void)state;
    ridge__str text = many_rows(20000);
    ridge_predict_options o = options_of("gemm");
    ridge__str plain = predict_bytes(&o, text.data, text.size);
    gzFile gz = gzopen(path, "wb");
    assert_int_equal(gzwrite(gz, text.data, (unsigned)text.size), (int)text.size);
    assert_int_equal(gzclose(gz), Z_OK);
    ridge__str out;
    ridge__str_init(&out, 0, NULL);
    ridge_error err = {0};
    const ridge_sink sink = {collect, &out};
    assert_int_equal(ridge_predict_run(path, &o, sink, &summary, &err), RIDGE_OK);
    assert_int_equal(out.size, plain.size);
    assert_memory_equal(out.data, plain.data, out.size);
    assert_int_equal(truncate(path, 300), 0);
    assert_int_equal(ridge_predict_run(path, &o, sink, &summary, &err), RIDGE_SYNTAX);
    assert_non_null(strstr(err.message, "truncated"));
    ridge__str_clear(&out);
    ridge__str_clear(&plain);
    ridge__str_clear(&text);
}

static int full_after(void *ctx, const char *data, size_t size)
{
    int *left = ctx;
    (void)data;
    (void)size;
    return (*left)-- > 0 ? 0 : -1;
}

static void test_sink_stops(void **state)
{
    (void)state;
    ridge__str text = many_rows(50000);
    write_input(text.data, text.size);
    for (int writes = 0; writes < 6; writes++)
        for (unsigned threads = 1; threads <= 8; threads *= 2) {
            ridge_predict_options o = options_of("gemm");
            ridge_error err = {0};
            int left = writes;
            o.threads = threads;
            assert_int_equal(
                ridge_predict_run(path, &o, (ridge_sink){full_after, &left}, NULL, &err),
                RIDGE_CANCELLED);
            assert_string_equal(err.message, "the output could not be written");
            assert_int_equal(left, -1); /* never asked again */
        }
    ridge__str_clear(&text);
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

static ridge_status run_with(int allocations, ridge__str *out)
{
    /* One thread: the counter is not shared. */
    ridge_predict_options o = options_of("gemm");
    ridge_allocator alloc = {failing_alloc, failing_free, &allocations};
    ridge__input *input = NULL;
    ridge_error err = {0};
    o.threads = 1;
    assert_int_equal(ridge__input_open(&input, path, NULL), RIDGE_OK);
    ridge_status status = ridge__predict_stream(
        input, &o, &alloc, (ridge_sink){collect, out}, &summary, &err);
    ridge__input_close(input);
    if (status && !strstr(err.message, "memory"))
        fail_msg("%s", err.message);
    return status;
}

static void test_memory_runs_out(void **state)
{
    (void)state;
    ridge__str text = mixed_rows();
    write_input(text.data, text.size);
    int n = 0;
    for (;; n++) {
        ridge__str out;
        ridge__str_init(&out, 0, NULL);
        ridge_status status = run_with(n, &out);
        ridge__str_clear(&out);
        if (!status)
            break;
        assert_int_equal(status, RIDGE_NOMEM);
    }
    assert_true(n > 8);
    ridge__str_clear(&text);
}

/* ---- How much memory ----------------------------------------------------------------- */

typedef struct meter {
    atomic_size_t used, most;
} meter;

static void *meter_alloc(void *ctx, size_t size)
{
    meter *m = ctx;
    size_t used = atomic_fetch_add(&m->used, size) + size;
    size_t most = atomic_load(&m->most);
    while (used > most && !atomic_compare_exchange_weak(&m->most, &most, used)) {
    }
    return malloc(size);
}

static void meter_free(void *ctx, void *ptr, size_t size)
{
    atomic_fetch_sub(&((meter *)ctx)->used, size);
    free(ptr);
}

/* Rows of the largest size, quoted, and as many threads as are ever used. */
static void test_memory_is_bounded(void **state)
{
    (void)state;
    enum {
        ROWS = 48,
        MOST_BYTES = 64 * 1000 * 1000
    };
    ridge__str text, out;
    ridge__str_init(&text, 0, NULL);
    ridge__str_text(&text, "m,n,k,dtype,note\n");
    for (size_t i = 0; i < ROWS; i++) {
        ridge__str_text(&text, "16,16,16,bf16,\"");
        ridge__str_fill(&text, 'x', RIDGE_LIMIT_ROW_BYTES - 17);
        ridge__str_text(&text, "\"\n");
    }
    write_input(text.data, text.size);
    meter m = {0};
    ridge_predict_options o = options_of("gemm");
    ridge_allocator alloc = {meter_alloc, meter_free, &m};
    ridge__input *input = NULL;
    o.threads = RIDGE_LIMIT_THREADS;
    ridge__str_init(&out, 0, NULL);
    assert_int_equal(ridge__input_open(&input, path, NULL), RIDGE_OK);
    assert_int_equal(ridge__predict_stream(input, &o, &alloc, (ridge_sink){collect, &out},
                                           &summary, NULL),
                     RIDGE_OK);
    ridge__input_close(input);
    assert_int_equal(summary.rows, ROWS);
    assert_int_equal(summary.failed, 0);
    assert_int_equal(atomic_load(&m.used), 0);
    assert_in_range(atomic_load(&m.most), ROWS, MOST_BYTES);
    ridge__str_clear(&out);
    ridge__str_clear(&text);
}

/* ---- Real tables ------------------------------------------------------------------- */

static int count_only(void *ctx, const char *data, size_t size)
{
    (void)data;
    *(uint64_t *)ctx += size;
    return 0;
}

static void test_measured_tables(void **state)
{
    (void)state;
    static const struct {
        const char *op, *file;
    } tables[] = {{"attention", "attention_decode"}, {"elementwise", "elementwise"}};
    const char *shared = getenv("RIDGE_SHARED");
    for (size_t i = 0; i < RIDGE__COUNT(tables); i++) {
        char file[512];
        ridge_error err = {0};
        uint64_t bytes = 0;
        ridge_predict_options o = options_of(tables[i].op);
        snprintf(file, sizeof file, "%s/measured/%s.csv.gz", shared ? shared : "",
                 tables[i].file);
        if (!shared || access(file, R_OK) != 0) {
            print_message("skipped: %s is not there\n", file);
            skip();
        }
        o.machine = NULL;
        o.threads = 0;
        assert_int_equal(
            ridge_predict_run(file, &o, (ridge_sink){count_only, &bytes}, &summary, &err),
            RIDGE_OK);
        assert_true(summary.rows > 1000);
        if (summary.failed)
            print_message("%s: %d of %d rows fail; line %d: %s\n", tables[i].file,
                          (int)summary.failed, (int)summary.rows, (int)summary.first.line,
                          summary.first.message);
        assert_true(summary.failed * 20 < summary.rows);
    }
}

/* A table may name any number of systems that nobody knows: memory must not grow. */
static void test_unknown_systems_share_a_machine(void **state)
{
    (void)state;
    const ridge_predict_options options = {.catalog = catalog};
    const ridge_machine *one = NULL, *other = NULL, *none = NULL, *known = NULL;
    ridge__machines machines;
    ridge_error err = {0};
    ridge__machines_init(&machines, &options, NULL);
    assert_int_equal(ridge__machines_find(&one, &machines, "h100-sxm", "rack 1", &err),
                     RIDGE_OK);
    assert_int_equal(ridge__machines_find(&other, &machines, "h100-sxm", "/tmp/x", &err),
                     RIDGE_OK);
    assert_int_equal(ridge__machines_find(&none, &machines, "h100-sxm", "", &err),
                     RIDGE_OK);
    assert_int_equal(
        ridge__machines_find(&known, &machines, "h100-sxm", "hgx-h100", &err), RIDGE_OK);
    assert_ptr_equal(one, other);
    assert_ptr_equal(one, none);
    assert_ptr_not_equal(one, known);
    assert_int_equal(ridge__machines_find(&one, &machines, "", "rack 1", &err),
                     RIDGE_NOTFOUND);
    ridge__machines_clear(&machines);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_row),
        cmocka_unit_test(test_text_around_rows),
        cmocka_unit_test(test_header_alone),
        cmocka_unit_test(test_bad_rows_keep_their_place),
        cmocka_unit_test(test_lines_count_inside_quotes),
        cmocka_unit_test(test_backend_and_timing),
        cmocka_unit_test(test_misnamed_rows),
        cmocka_unit_test(test_kernel_column),
        cmocka_unit_test(test_gpu_column),
        cmocka_unit_test(test_unknown_systems_share_a_machine),
        cmocka_unit_test(test_family),
        cmocka_unit_test(test_op_column_of_one_op),
        cmocka_unit_test(test_header_errors),
        cmocka_unit_test(test_no_machine),
        cmocka_unit_test(test_faults_after_many_rows),
        cmocka_unit_test(test_threads_do_not_show),
        cmocka_unit_test(test_gzip),
        cmocka_unit_test(test_sink_stops),
        cmocka_unit_test(test_memory_runs_out),
        cmocka_unit_test(test_memory_is_bounded),
        cmocka_unit_test(test_measured_tables),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
