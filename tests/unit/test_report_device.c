#include "report/part.h"
#include "test.h"

/* ---- A part made here, so that the figures do not move with the catalogue ---------- */

static ridge_fact fact(double value, ridge_origin origin, const char *source)
{
    return (ridge_fact){value, origin, 'A', source};
}

static const char *const notes[] = {"A note."};

typedef struct part {
    ridge_device device;
    ridge__compute compute[4];
    ridge__memory memory[2];
    ridge__link link[1];
    ridge__limit limit[2];
} part;

static ridge__compute peak(ridge_dtype dtype, ridge_pipe pipe, ridge_dtype accumulator,
                           double dense, double sparse)
{
    ridge_fact none = ridge__fact_unknown();
    return (ridge__compute){
        .dtype = dtype,
        .pipe = pipe,
        .accumulator = accumulator,
        .peak = {fact(dense, RIDGE_STATED, "sheet"),
                 ridge_known(sparse) ? fact(sparse, RIDGE_STATED, "sheet") : none, none},
        .rate_flop_per_cycle = RIDGE_UNKNOWN};
}

/* 100 TFLOP/s of bf16, 200 with a narrow accumulator; 1.001 TB/s as the device reads. */
static void make(part *p)
{
    ridge_fact none = ridge__fact_unknown();
    memset(p, 0, sizeof *p);
    p->compute[0] = peak(RIDGE_FP32, RIDGE_VECTOR, RIDGE_FP32, 10e12, RIDGE_UNKNOWN);
    p->compute[1] = peak(RIDGE_BF16, RIDGE_MATRIX, RIDGE_FP32, 100e12, 200e12);
    p->compute[2] = peak(RIDGE_FP16, RIDGE_MATRIX, RIDGE_FP32, 100e12, RIDGE_UNKNOWN);
    p->compute[3] = peak(RIDGE_FP16, RIDGE_MATRIX, RIDGE_FP16, 200e12, RIDGE_UNKNOWN);
    p->memory[0] = (ridge__memory){.level = RIDGE_DRAM,
                                   .name = "HBM",
                                   .capacity_bytes = fact(80e9, RIDGE_STATED, "sheet"),
                                   .stated = fact(1e12, RIDGE_STATED, "sheet"),
                                   .device = fact(1.001e12, RIDGE_DEVICE, "driver"),
                                   .measured = none,
                                   .roof = fact(1.001e12, RIDGE_DEVICE, "driver")};
    p->memory[1] =
        (ridge__memory){.level = RIDGE_L2,
                        .capacity_bytes = fact(50 * 1048576.0, RIDGE_STATED, "sheet"),
                        .stated = none,
                        .device = none,
                        .measured = none,
                        .roof = none};
    p->link[0] = (ridge__link){.name = "Link 1",
                               .count = 4,
                               .stated = fact(450e9, RIDGE_STATED, "link sheet"),
                               .measured = none};
    p->limit[0] = (ridge__limit){"threads", fact(2048, RIDGE_STATED, "sheet")};
    p->limit[1] =
        (ridge__limit){"shared_bytes", fact(228 * 1024.0, RIDGE_STATED, "sheet")};
    p->device = (ridge_device){.id = "part-a",
                               .name = "Part",
                               .variant = "A",
                               .vendor = "Maker",
                               .arch = "arch",
                               .year = RIDGE_UNKNOWN,
                               .units = fact(132, RIDGE_STATED, "sheet"),
                               .unit_name = "SM",
                               .clock_base = none,
                               .clock_boost = fact(2e9, RIDGE_STATED, "sheet"),
                               .clock_tensor = none,
                               .tdp_w = none,
                               .compute = p->compute,
                               .compute_count = 4,
                               .unsupported = 1u << RIDGE_NVFP4,
                               .memory = p->memory,
                               .memory_count = 2,
                               .link = p->link,
                               .link_count = 1,
                               .limit = p->limit,
                               .limit_count = 2,
                               .notes = notes,
                               .note_count = 1};
}

static int collect(void *ctx, const char *data, size_t size)
{
    ridge__str_add(ctx, data, size);
    return 0;
}

static void write_parts(const ridge_device *const *devices, size_t count,
                        ridge_format format, ridge__str *out)
{
    ridge_style style = {.format = format};
    ridge__str_init(out, 0, NULL);
    assert_int_equal(
        ridge_device_write(devices, count, &style, (ridge_sink){collect, out}, NULL),
        RIDGE_OK);
}

static void assert_has(const char *text, const char *want)
{
    if (!strstr(text, want))
        print_error("\"%s\" is not in:\n%s\n", want, text);
    assert_non_null(strstr(text, want));
}

/* ---- Tests ------------------------------------------------------------------------- */

static void test_page(void **state)
{
    (void)state;
    part p;
    ridge__str out;
    make(&p);
    const ridge_device *device = &p.device;
    write_parts(&device, 1, RIDGE_TEXT, &out);
    assert_has(out.data, "part-a: Maker Part A\n");
    assert_has(out.data, "132 SM A[1]");
    /* Ridge: 100e12 / 1.001e12 = 99.90 FLOP/byte.  Sparse is in its own column. */
    assert_has(out.data,
               "  bf16   matrix           100 TFLOP/s           ?     99.9  A[1]"
               "     200 TFLOP/s\n");
    /* The accumulator is said where two rows differ in nothing else. */
    assert_has(out.data, "  fp16   matrix  fp32     100 TFLOP/s");
    assert_has(out.data, "  fp16   matrix  fp16     200 TFLOP/s");
    assert_has(out.data, "no hardware nvfp4");
    /* Stated and device-read are two facts; the roof says which it took. */
    assert_has(out.data, "1 TB/s stated A[1]\n");
    assert_has(out.data, "1.001 TB/s device A[2], roof\n");
    assert_has(out.data, "50 MiB A[1]");
    assert_has(out.data, "bandwidth unknown\n");
    assert_has(out.data, "4 links, together 450 GB/s stated A[3]");
    assert_has(out.data, "one direction");
    assert_has(out.data, "228 KiB A[1]\n");
    assert_has(out.data, "  [1]  sheet\n  [2]  driver\n  [3]  link sheet\n");
    ridge__str_clear(&out);
}

static void test_comparison(void **state)
{
    (void)state;
    part a, b;
    ridge__str out;
    make(&a);
    make(&b);
    b.device.id = "part-b";
    b.compute[1].peak.dense.value = 250e12;
    b.device.unsupported = 0;
    b.compute[3].accumulator = RIDGE_FP32; /* no narrow accumulator, but nvfp4 */
    b.compute[3].dtype = RIDGE_NVFP4;
    const ridge_device *devices[] = {&a.device, &b.device, &b.device};
    write_parts(devices, 3, RIDGE_TEXT, &out);
    assert_has(out.data, "part-a             part-b             part-b\n");
    /* 250 / 100 = 2.5. */
    assert_has(out.data, "  bf16.matrix                    100 T       250 T   2.5x"
                         "       250 T   2.5x\n");
    assert_has(out.data, "  fp16.matrix.acc_fp16           200 T           ?"
                         "                  ?\n");
    /* Part a is stated to have no hardware for it. */
    assert_has(out.data, "  nvfp4.matrix                       -       200 T"
                         "              200 T\n");
    for (char *line = out.data, *end; (end = strchr(line, '\n')); line = end + 1)
        assert_true(end - line <= 80 && (end == line || end[-1] != ' '));
    ridge__str_clear(&out);
}

static void test_json(void **state)
{
    (void)state;
    part p;
    ridge__str out;
    make(&p);
    const ridge_device *devices[] = {&p.device, &p.device};
    write_parts(devices, 1, RIDGE_JSON, &out);
    assert_has(out.data, "\"id\":\"part-a\"");
    assert_has(out.data, "\"flop_per_s\":100000000000000,\"sparse_flop_per_s\":"
                         "200000000000000,\"clock_hz\":null");
    assert_has(out.data, "\"roof\":\"device\"");
    assert_has(out.data, "\"tdp_w\":{\"value\":null,\"origin\":null");
    assert_has(out.data, "\"unsupported\":[\"nvfp4\"]");
    assert_int_equal(out.data[0], '{');
    ridge__str_clear(&out);
    write_parts(devices, 2, RIDGE_JSON, &out);
    assert_int_equal(strncmp(out.data, "{\"gpus\":[{", 10), 0);
    ridge__str_clear(&out);
}

static void test_csv(void **state)
{
    (void)state;
    part p;
    ridge__str out;
    make(&p);
    const ridge_device *device = &p.device;
    write_parts(&device, 1, RIDGE_CSV, &out);
    assert_has(out.data, "gpu,what,value,unit,origin,confidence,source\n");
    assert_has(out.data,
               "part-a,peak.bf16.matrix,100000000000000,FLOP/s,stated,A,sheet\n");
    assert_has(out.data,
               "part-a,bandwidth.dram.device,1001000000000,B/s,device,A,driver\n");
    /* 10e12 / 1.001e12 = 9.990 FLOP/byte. */
    assert_has(out.data, "part-a,ridge.fp32.vector,9.99000999000999,FLOP/B,derived,A,");
    assert_has(out.data, "part-a,limit.shared_bytes,233472,B,stated,A,sheet\n");
    assert_null(strstr(out.data, "l2.roof")); /* unknown is left out, not 0 */
    ridge__str_clear(&out);
}

static void test_nothing_named(void **state)
{
    (void)state;
    ridge_style style = {.format = RIDGE_TEXT};
    ridge_error err;
    assert_int_equal(ridge_device_write(NULL, 0, &style, (ridge_sink){0}, &err),
                     RIDGE_INVALID);
    assert_string_equal(err.message, "no part was named");
}

static void test_figure_text(void **state)
{
    (void)state;
    static const struct {
        double value;
        ridge_unit unit;
        const char *text;
    } cases[] = {
        {3.352e12, RIDGE_UNIT_BYTES_PER_S, "3.352 TB/s"},
        {989.4e12, RIDGE_UNIT_FLOP_PER_S, "989.4 TFLOP/s"},
        {999.99e12, RIDGE_UNIT_FLOP_PER_S, "1 PFLOP/s"},
        {52428800, RIDGE_UNIT_BYTES, "50 MiB"},
        {80e9, RIDGE_UNIT_BYTES, "80 GB"},
        {126.5 * 1048576, RIDGE_UNIT_BYTES, "126.5 MiB"},
        {1.83e9, RIDGE_UNIT_HZ, "1.83 GHz"},
        {128, RIDGE_UNIT_BYTES_PER_CYCLE, "128 B/cycle"},
        {2048, RIDGE_UNIT_COUNT, "2048"},
        {700, RIDGE_UNIT_W, "700 W"},
    };
    for (size_t i = 0; i < RIDGE__COUNT(cases); i++)
        assert_string_equal(RIDGE__FIGURE(cases[i].value, cases[i].unit), cases[i].text);
    assert_string_equal(RIDGE__FIGURE(RIDGE_UNKNOWN, RIDGE_UNIT_HZ), "?");
}

static void write_list(const char *const *words, size_t count, ridge_format format,
                       ridge_status want, ridge__str *out, ridge_error *err)
{
    ridge_catalog *catalog = NULL;
    ridge_style style = {.format = format};
    ridge__str_init(out, 0, NULL);
    assert_int_equal(ridge_catalog_open(&catalog, NULL, NULL, NULL), RIDGE_OK);
    assert_int_equal(ridge_catalog_write(catalog, words, count, &style,
                                         (ridge_sink){collect, out}, err),
                     want);
    ridge_catalog_free(catalog);
}

static void test_list(void **state)
{
    (void)state;
    static const char *const words[] = {"NVIDIA", "hopper", "sxm5 80"};
    static const char *const nothing[] = {"no such part", "hopper"};
    ridge__str out;
    ridge_error err;
    write_list(words, 3, RIDGE_TEXT, RIDGE_OK, &out, &err);
    /* 989.4e12 / 3.352e12 = 295 FLOP/byte. */
    assert_has(out.data, "h100-sxm          H100 SXM5 80 GB          132     989    66.9"
                         "   3352   50   295\n");
    for (char *line = out.data, *end; (end = strchr(line, '\n')); line = end + 1)
        assert_true(end - line <= 80);
    ridge__str_clear(&out);
    write_list(words, 2, RIDGE_CSV, RIDGE_OK, &out, &err);
    assert_has(out.data, ",bf16_matrix_flop_per_s,");
    assert_has(out.data, "\nh100-sxm,H100,SXM5 80 GB,NVIDIA,hopper,");
    ridge__str_clear(&out);
    write_list(words, 3, RIDGE_JSON, RIDGE_OK, &out, &err);
    assert_int_equal(strncmp(out.data, "{\"gpus\":[{\"id\":", 15), 0);
    ridge__str_clear(&out);
    write_list(nothing, 2, RIDGE_TEXT, RIDGE_NOTFOUND, &out, &err);
    assert_string_equal(err.message,
                        "no part has \"no such part\" and the other words in "
                        "its id, name, vendor or architecture");
    assert_int_equal(out.size, 0);
}

static void test_every_part_fits_its_page(void **state)
{
    (void)state;
    ridge_catalog *catalog = NULL;
    assert_int_equal(ridge_catalog_open(&catalog, NULL, NULL, NULL), RIDGE_OK);
    size_t count = ridge_catalog_count(catalog);
    assert_true(count > 50);
    for (size_t i = 0; i < count; i++) {
        const ridge_device *device;
        ridge__str out;
        assert_int_equal(
            ridge_catalog_load(&device, catalog, ridge_catalog_id(catalog, i), NULL),
            RIDGE_OK);
        write_parts(&device, 1, RIDGE_TEXT, &out);
        for (char *line = out.data, *end; (end = strchr(line, '\n')); line = end + 1) {
            *end = '\0';
            if (end - line > 80 || (end > line && end[-1] == ' '))
                print_error("%s: \"%s\"\n", ridge_catalog_id(catalog, i), line);
            assert_true(end - line <= 80 && (end == line || end[-1] != ' '));
        }
        ridge__str_clear(&out);
    }
    ridge_catalog_free(catalog);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_page),
        cmocka_unit_test(test_comparison),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_csv),
        cmocka_unit_test(test_nothing_named),
        cmocka_unit_test(test_figure_text),
        cmocka_unit_test(test_list),
        cmocka_unit_test(test_every_part_fits_its_page),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
