/* Each way in which a machine file can be wrong, with the exact line and sentence. */
#include "base/base.h"
#include "hw/hw.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scratch.h"
#include "test.h"

static ridge_catalog *catalog_of(void)
{
    ridge_catalog *catalog = NULL;
    assert_int_equal(ridge_catalog_open(&catalog, NULL, NULL, NULL), RIDGE_OK);
    return catalog;
}

static ridge_status load_text(const ridge_device **out, ridge_catalog *catalog,
                              const char *text, size_t size, ridge_error *err)
{
    scratch file;
    scratch_write(&file, text, size);
    ridge_status status = ridge_catalog_load(out, catalog, file.path, err);
    if (status)
        assert_string_equal(err->where, file.path);
    unlink(file.path);
    return status;
}

/* Lines 1 to 6; the case starts on line 7. */
#define HEAD  "id: x\nname: X\nvendor: V\narch: a\nsources:\n  - {key: s, title: \"T\"}\n"
#define S     ", source: s, confidence: A}\n"
#define UNITS "units: {name: SM, value: \"10\"" S
#define CALL(fields) \
    "compute:\n  - {dtype: bf16, pipe: matrix, " fields "source: s, confidence: A}\n"

static const struct {
    const char *text;
    unsigned line;
    const char *message;
} cases[] = {
    {HEAD "tdp: {value: \"700\"" S, 7,
     "tdp.value: \"700\" has no unit; watts wanted, as in 700W"},
    {HEAD "memory:\n  - {level: dram,\n     stated: \"3.35 TB\"" S, 9,
     "memory[0].stated: \"3.35 TB\" is bytes; bytes per second wanted, as in 3.35TB/s"},
    {HEAD "memory:\n  - {level: dram, stated: \"3 TX/s\"" S, 8,
     "memory[0].stated: \"3 TX/s\" has an unknown unit; bytes per second wanted, as in "
     "3.35TB/s"},
    {HEAD CALL("peak: \"-1 TFLOP/s\", "), 8,
     "compute[0].peak: \"-1 TFLOP/s\" is not a number; FLOP per second wanted, as in "
     "989.4TFLOP/s"},
    {HEAD CALL("peak: \"nan TFLOP/s\", "), 8,
     "compute[0].peak: \"nan TFLOP/s\" is not a number; FLOP per second wanted, as in "
     "989.4TFLOP/s"},
    {HEAD CALL("peak: \"0 TFLOP/s\", "), 8,
     "compute[0].peak: \"0 TFLOP/s\" is zero; leave out what is unknown or absent"},
    {HEAD CALL("peak: \"1e400 TFLOP/s\", "), 8,
     "compute[0].peak: \"1e400 TFLOP/s\" is too large"},
    {HEAD CALL(""), 8, "compute[0]: \"peak\" is missing"},
    {HEAD CALL("peak: \"1 TFLOP/s\", peak: \"2 TFLOP/s\", "), 8,
     "compute[0].peak: is given twice"},
    {HEAD CALL("peak: \"1 TFLOP/s\", speed: \"1\", "), 8,
     "compute[0]: unknown key \"speed\""},
    {HEAD "compute:\n  - {dtype: bf17, pipe: matrix, peak: \"1 TFLOP/s\"" S, 8,
     "compute[0].dtype: \"bf17\" is no dtype; as in bf16"},
    {HEAD "compute:\n  - {dtype: bf16, pipe: tensor, peak: \"1 TFLOP/s\"" S, 8,
     "compute[0].pipe: \"tensor\" is no pipe; vector or matrix"},
    {HEAD CALL(
         "peak: \"1 TFLOP/s\", ") "  - {dtype: bf16, pipe: matrix, peak: \"2 TFLOP/s\"" S,
     9, "compute[1]: bf16 on the matrix pipe is given twice"},
    {HEAD UNITS CALL(
         "peak: \"1.03 TFLOP/s\", clock: \"1 GHz\", rate: \"100 FLOP/cycle\", "),
     9,
     "compute[0].peak: 1.03 TFLOP/s is more than 2 % from units x rate x clock, 1 "
     "TFLOP/s; mend one, or say why in a note"},
    {HEAD CALL("peak: \"1 TFLOP/s\", ") "unsupported: [fp6, bf16]\n", 9,
     "unsupported[1]: bf16 has a row under compute"},
    {HEAD "tdp: {value: \"700 W\", source: t, confidence: A}\n", 7,
     "tdp.source: no source has the key \"t\""},
    {HEAD "tdp: {value: \"700 W\", confidence: A}\n", 7, "tdp: \"source\" is missing"},
    {HEAD "tdp: {value: \"700 W\", source: s, confidence: D}\n", 7,
     "tdp.confidence: \"D\" is none of A, B, C, R"},
    {HEAD "tdp: {value: \"700 W\", origin: guess" S, 7,
     "tdp.origin: \"guess\" is none of stated, device, measured, derived"},
    {HEAD "tdp: 700 W\n", 7, "tdp: a mapping is wanted, found a single value"},
    {HEAD "tdp:\n  value: [1]\n", 8, "tdp.value: a single value is wanted, found a list"},
    {HEAD "memory:\n  - {level: dram, device: \"1 TB/s\"" S, 8,
     "memory[0]: \"device_source\" is missing"},
    {HEAD "memory:\n  - {level: dram, stated: \"1 TB/s\", roof: device" S, 8,
     "memory[0].roof: there is no \"device\" figure"},
    {HEAD "memory:\n  - {level: l4, stated: \"1 TB/s\"" S, 8,
     "memory[0].level: \"l4\" is none of dram, llc, l2, l1"},
    {HEAD "memory:\n  - {level: l2, capacity: \"1 MB\"" S
          "  - {level: l2, capacity: \"1 MB\"" S,
     9, "memory[1]: l2 is given twice"},
    {HEAD "limits:\n  - {name: lanes, value: \"1\"" S, 8,
     "limits[0]: no limit is called \"lanes\""},
    {HEAD "tpd: 1\n", 7, "unknown key \"tpd\""},
    {HEAD "name: Y\n", 7, "name: is given twice"},
    {"id: x\nname: X\nvendor: V\narch: a\nsources: []\n", 5, "sources: is empty"},
    {"id: X\nname: X\nvendor: V\narch: a\nsources:\n  - {key: s, title: T}\n", 1,
     "id: \"X\" has other characters than a-z, 0-9, dot, - and _"},
    {"id: x\nname: X\nvendor: V\narch: a\nsources:\n  - {key: s, title: T}\n"
     "  - {key: s, title: U}\n",
     7, "sources[1]: the key \"s\" is used twice"},
    {"", 0, "is empty"},
    {"# nothing\n", 0, "is empty"},
    {"id: x\nname: \"X\n", 3, "is not YAML: found unexpected end of stream"},
    {"id: x\nname: X\n", 1, "\"vendor\" is missing"},
    {"[x]\n", 1, "a mapping is wanted, found a list"},
    {"id: x\nname: \x01\n", 2, "is not YAML: control characters are not allowed"},
    {"id: x\nname: \xff\n", 2, "is not YAML: invalid leading UTF-8 octet"},
    {"id: x\n---\nid: y\n", 2, "holds a second document; one is wanted"},
    {"id: x\nnotes: &a [x]\n", 2, "uses an anchor or a tag; write the value plainly"},
    {"id: x\nnotes: [*a]\n", 2, "uses an alias; write the value out"},
    {"id: !!str x\n", 1, "uses an anchor or a tag; write the value plainly"},
    {"id: x\nnotes: [[[[[[[[[[[[\n", 2, "nests too deeply; our files nest four deep"},
};

static void each_fault_has_its_sentence(void **state)
{
    (void)state;
    ridge_catalog *catalog = catalog_of();
    for (size_t i = 0; i < RIDGE__COUNT(cases); i++) {
        const ridge_device *d = NULL;
        ridge_error err = {0};
        assert_true(load_text(&d, catalog, cases[i].text, strlen(cases[i].text), &err) <
                    0);
        assert_string_equal(err.message, cases[i].message);
        assert_int_equal(err.line, cases[i].line);
        assert_null(d);
    }
    ridge_catalog_free(catalog);
}

/* A note lets a peak depart, and 2 % may go without one. */
static void peaks_may_depart_with_a_note(void **state)
{
    (void)state;
    static const char *const texts[] = {
        HEAD UNITS CALL("peak: \"1.02 TFLOP/s\", clock: \"1 GHz\", "
                        "rate: \"100 FLOP/cycle\", "),
        HEAD UNITS CALL("peak: \"2 TFLOP/s\", clock: \"1 GHz\", "
                        "rate: \"100 FLOP/cycle\", note: \"why\", "),
    };
    ridge_catalog *catalog = catalog_of();
    for (size_t i = 0; i < RIDGE__COUNT(texts); i++) {
        const ridge_device *d = NULL;
        assert_int_equal(load_text(&d, catalog, texts[i], strlen(texts[i]), NULL),
                         RIDGE_OK);
        assert_int_equal(d->compute_count, 1);
    }
    ridge_catalog_free(catalog);
}

static void odd_files_are_refused(void **state)
{
    (void)state;
    ridge_catalog *catalog = catalog_of();
    const ridge_device *d = NULL;
    ridge_error err = {0};
    assert_int_equal(ridge_catalog_load(&d, catalog, "/", &err), RIDGE_IO);
    assert_int_equal(ridge_catalog_load(&d, catalog, "no/such.yaml", &err), RIDGE_IO);
    assert_string_equal(err.where, "no/such.yaml");
    assert_string_equal(err.message, "cannot open: No such file or directory");
    size_t size = (size_t)RIDGE_LIMIT_FILE_BYTES + 1;
    char *huge = malloc(size);
    assert_non_null(huge);
    memset(huge, '#', size);
    assert_int_equal(load_text(&d, catalog, huge, size, &err), RIDGE_LIMIT);
    free(huge);
    assert_int_equal(load_text(&d, catalog, "id: x\0", 6, &err), RIDGE_SYNTAX);
    assert_null(d);
    ridge_catalog_free(catalog);
}

/* The example of the documentation, and what is derived from it. */
static void the_documented_example_loads(void **state)
{
    (void)state;
    char text[8192];
    const ridge_device *d = NULL;
    ridge_error err = {0};
    ridge_catalog *catalog = catalog_of();
    doc_example(text, sizeof text, "docs/format/gpu.md");
    if (load_text(&d, catalog, text, strlen(text), &err))
        fail_msg("%llu: %s", (unsigned long long)err.line, err.message);
    assert_string_equal(ridge_device_id(d), "my-gpu");
    assert_close(d->tdp_w.value, 200, 0);
    assert_close(d->clock_tensor.value, 1.8e9, 1e-12);
    assert_int_equal(d->clock_tensor.origin, RIDGE_DERIVED);
    assert_string_equal(d->tdp_w.source, "ACME My GPU datasheet (2026-01)");
    assert_int_equal(d->compute_count, 3);
    assert_close(ridge_device_peak(d, RIDGE_MATRIX, RIDGE_FP16, RIDGE_FP16).dense.value,
                 240e12, 1e-12);
    assert_true(!ridge_known(
        ridge_device_peak(d, RIDGE_MATRIX, RIDGE_FP16, RIDGE_FP32).dense.value));
    assert_int_equal(d->unsupported, 1u << RIDGE_FP6 | 1u << RIDGE_NVFP4);
    assert_close(ridge_device_bandwidth(d, RIDGE_DRAM).value, 301e9, 1e-12);
    assert_close(d->memory[0].measured.value, 280e9, 1e-12);
    assert_close(d->memory[0].bus_bits, 192, 0);
    assert_close(d->link[0].measured.value, 25.2e9, 1e-12);
    /* 60 SM x 128 KiB; 60 x 128 B/cycle x 2 GHz = 15.36 TB/s */
    assert_close(ridge_device_capacity(d, RIDGE_L1).value, 7864320.0, 0);
    assert_close(ridge_device_bandwidth(d, RIDGE_L1).value, 15.36e12, 1e-12);
    ridge_catalog_free(catalog);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_fault_has_its_sentence),
        cmocka_unit_test(peaks_may_depart_with_a_note),
        cmocka_unit_test(odd_files_are_refused),
        cmocka_unit_test(the_documented_example_loads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
