#include "machine/machine.h"

#include "base/base.h"

#include <stdlib.h>

#include "scratch.h"
#include "test.h"

typedef struct fixture {
    ridge_catalog *catalog;
    ridge_machine *machine;
} fixture;

static fixture make(const char *id)
{
    fixture f = {0};
    const ridge_device *device = NULL;
    assert_int_equal(ridge_catalog_open(&f.catalog, NULL, NULL, NULL), RIDGE_OK);
    if (id)
        assert_int_equal(ridge_catalog_load(&device, f.catalog, id, NULL), RIDGE_OK);
    assert_int_equal(ridge_machine_new(&f.machine, f.catalog, device, NULL), RIDGE_OK);
    return f;
}

static void drop(fixture f)
{
    ridge_machine_free(f.machine);
    ridge_catalog_free(f.catalog);
}

static void set(fixture f, const char *key, const char *value)
{
    ridge_error err;
    if (ridge_machine_set(f.machine, key, value, &err))
        fail_msg("%s: %s", err.where, err.message);
}

static double peak(fixture f, ridge_dtype dtype, ridge_pipe pipe, ridge_pipe *used)
{
    return ridge__machine_peak(f.machine, dtype, pipe, RIDGE_FP32, used).value;
}

static void a_part_is_copied(void **state)
{
    (void)state;
    ridge_pipe used = RIDGE_VECTOR;
    fixture f = make("h100-sxm");
    assert_string_equal(ridge_machine_id(f.machine), "h100-sxm");
    assert_close(peak(f, RIDGE_BF16, RIDGE_PIPE_ANY, &used), 989.4e12, 1e-12);
    assert_int_equal(used, RIDGE_MATRIX);
    assert_close(peak(f, RIDGE_FP64, RIDGE_PIPE_ANY, &used), 66.9e12, 1e-12);
    assert_close(f.machine->dram.value, 3.352e12, 1e-12);
    assert_close(f.machine->dram_capacity.value, 80e9, 0);
    assert_close(f.machine->l2_capacity.value, 52428800.0, 0);
    /* Nobody measured its L2: 64 B x 132 SM x 1.98 GHz = 16.72704 TB/s. */
    assert_close(f.machine->l2.value, 16.72704e12, 1e-9);
    assert_int_equal(f.machine->l2.origin, RIDGE_DERIVED);
    assert_close(f.machine->clock_matrix_hz, 1.83e9, 1e-12);
    assert_close(f.machine->clock_vector_hz, 1.98e9, 1e-12);
    assert_close(f.machine->units.value, 132, 0);
    drop(f);
    f = make("a100-sxm-80");
    assert_close(f.machine->l2.value, 5.4e12, 1e-12);
    assert_int_equal(f.machine->l2.origin, RIDGE_MEASURED);
    assert_close(f.machine->clock_matrix_hz, 1.41e9, 1e-12);
    drop(f);
}

static void pipes_and_accumulators(void **state)
{
    (void)state;
    ridge_pipe used = RIDGE_MATRIX;
    /* The matrix pipe is the faster for fp32 on this part. */
    fixture f = make("mi100");
    assert_close(peak(f, RIDGE_FP32, RIDGE_PIPE_ANY, &used), 46.1e12, 1e-12);
    assert_close(peak(f, RIDGE_FP32, RIDGE_VECTOR, &used), 23.1e12, 1e-12);
    assert_int_equal(used, RIDGE_VECTOR);
    drop(f);
    f = make("rtx4090");
    assert_close(
        ridge__machine_peak(f.machine, RIDGE_FP16, RIDGE_MATRIX, RIDGE_FP16, NULL).value,
        330.3e12, 1e-12);
    assert_close(peak(f, RIDGE_FP16, RIDGE_MATRIX, NULL), 165.2e12, 1e-12);
    /* Without a rate of its own the fp16 accumulator is no faster. */
    assert_close(
        ridge__machine_peak(f.machine, RIDGE_BF16, RIDGE_MATRIX, RIDGE_FP16, NULL).value,
        165.2e12, 1e-12);
    drop(f);
    f = make("v100-sxm2-16");
    assert_true(!ridge_known(peak(f, RIDGE_BF16, RIDGE_PIPE_ANY, NULL)));
    assert_true(f.machine->unsupported & 1u << RIDGE_BF16);
    drop(f);
}

/* bf16 adds run at the fp16 vector rate, else that of fp32. */
static void vector_work_falls_back(void **state)
{
    (void)state;
    fixture f = make("h100-sxm");
    assert_close(peak(f, RIDGE_BF16, RIDGE_VECTOR, NULL), 133.8e12, 1e-12);
    assert_close(peak(f, RIDGE_TF32, RIDGE_VECTOR, NULL), 66.9e12, 1e-12);
    drop(f);
    f = make("b200-hgx"); /* no fp16 vector rate is known */
    assert_close(peak(f, RIDGE_BF16, RIDGE_VECTOR, NULL), 74.5e12, 1e-12);
    drop(f);
    f = make("p4"); /* fp16 at 1/64: such kernels compute in fp32 */
    assert_close(peak(f, RIDGE_FP16, RIDGE_VECTOR, NULL), 5.44e12, 1e-12);
    assert_close(peak(f, RIDGE_FP16, RIDGE_PIPE_ANY, NULL), 5.44e12, 1e-12);
    drop(f);
    f = make("tpu-v5e"); /* no vector rate at all: the fastest there is */
    assert_close(peak(f, RIDGE_BF16, RIDGE_VECTOR, NULL), 393e12, 1e-12);
    assert_true(!ridge_known(peak(f, RIDGE_FP64, RIDGE_VECTOR, NULL)));
    drop(f);
}

static void assert_stand_in(const char *id, ridge_dtype dtype, ridge_pipe pipe,
                            ridge_dtype of_dtype, ridge_pipe of_pipe)
{
    fixture f = make(id);
    ridge__machine_stand_in(f.machine, &dtype, &pipe);
    assert_int_equal(dtype, of_dtype);
    assert_int_equal(pipe, of_pipe);
    drop(f);
}

/* A figure is named after what the source states, not after what it is used for. */
static void a_stand_in_has_its_own_name(void **state)
{
    (void)state;
    assert_stand_in("h100-sxm", RIDGE_BF16, RIDGE_VECTOR, RIDGE_FP16, RIDGE_VECTOR);
    assert_stand_in("b200-hgx", RIDGE_BF16, RIDGE_VECTOR, RIDGE_FP32, RIDGE_VECTOR);
    assert_stand_in("tpu-v5e", RIDGE_BF16, RIDGE_VECTOR, RIDGE_INT8, RIDGE_MATRIX);
    /* Its own rate, and none at all, keep the name. */
    assert_stand_in("h100-sxm", RIDGE_BF16, RIDGE_MATRIX, RIDGE_BF16, RIDGE_MATRIX);
    assert_stand_in("h100-sxm", RIDGE_FP32, RIDGE_VECTOR, RIDGE_FP32, RIDGE_VECTOR);
    assert_stand_in("tpu-v5e", RIDGE_FP64, RIDGE_VECTOR, RIDGE_FP64, RIDGE_VECTOR);
}

static void the_example_is_all_equal(void **state)
{
    (void)state;
    static const ridge_dtype dtypes[] = {RIDGE_FP64, RIDGE_FP32,  RIDGE_TF32,
                                         RIDGE_BF16, RIDGE_FP16,  RIDGE_FP8,
                                         RIDGE_FP6,  RIDGE_NVFP4, RIDGE_INT8};
    fixture f = make("example");
    for (size_t i = 0; i < RIDGE__COUNT(dtypes); i++)
        for (int p = 0; p <= RIDGE_PIPE_COUNT; p++)
            assert_close(peak(f, dtypes[i], (ridge_pipe)p, NULL), 100e12, 0);
    assert_close(f.machine->dram.value, 1e12, 0);
    assert_true(!ridge_known(f.machine->dram_capacity.value));
    assert_true(!ridge_known(f.machine->l2.value));
    drop(f);
}

static void overrides(void **state)
{
    (void)state;
    fixture f = make("h100-sxm");
    set(f, "peak", "bf16=800TFLOP/s");
    assert_close(peak(f, RIDGE_BF16, RIDGE_MATRIX, NULL), 800e12, 1e-12);
    assert_close(peak(f, RIDGE_BF16, RIDGE_VECTOR, NULL), 800e12, 1e-12);
    assert_close(peak(f, RIDGE_FP16, RIDGE_MATRIX, NULL), 989.4e12, 1e-12);
    assert_int_equal(f.machine->peak[RIDGE_BF16][RIDGE_MATRIX].origin, RIDGE_GIVEN);
    set(f, "peak", "fp16=2x");
    assert_close(peak(f, RIDGE_FP16, RIDGE_MATRIX, NULL), 1978.8e12, 1e-12);
    set(f, "peak", "mxfp4=1PFLOP/s"); /* at the rate of nvfp4 */
    assert_close(peak(f, RIDGE_NVFP4, RIDGE_MATRIX, NULL), 1e15, 1e-12);
    assert_true(!(f.machine->unsupported & 1u << RIDGE_NVFP4));
    set(f, "peak", "2x");
    assert_close(peak(f, RIDGE_BF16, RIDGE_MATRIX, NULL), 1600e12, 1e-12);
    set(f, "dram", "2x");
    assert_close(f.machine->dram.value, 6.704e12, 1e-12);
    set(f, "dram", "3TB/s");
    assert_close(f.machine->dram.value, 3e12, 1e-12);
    set(f, "warm", "1");
    assert_true(f.machine->warm);
    assert_int_equal(f.machine->override_count, 7);
    assert_string_equal(f.machine->override[5].key, "dram");
    assert_string_equal(f.machine->override[5].value, "3TB/s");
    drop(f);
}

/* The sparse figure of a data sheet given as a peak, dtype by dtype. */
static void a_given_sparse_peak(void **state)
{
    (void)state;
    static const struct {
        const char *value;
        ridge_dtype dtype;
        bool sparse;
    } cases[] = {
        {"bf16=1979TFLOP/s", RIDGE_BF16, true},
        {"bf16=1979TFLOP/s", RIDGE_FP16, false}, /* not given */
        {"1979TFLOP/s", RIDGE_FP8, false},       /* that is its dense one */
        {"1979TFLOP/s", RIDGE_FP16, true},
        {"fp8=3958TFLOP/s", RIDGE_FP8, true},
        {"int8=3958TFLOP/s", RIDGE_INT8, true},
        {"bf16=989.4TFLOP/s", RIDGE_BF16, false},
        {"2x", RIDGE_BF16, false}, /* what if: no slip */
    };
    for (size_t i = 0; i < RIDGE__COUNT(cases); i++) {
        fixture f = make("h100-sxm");
        set(f, "peak", cases[i].value);
        assert_int_equal(f.machine->sparse_peak >> cases[i].dtype & 1u, cases[i].sparse);
        set(f, "peak", "900TFLOP/s"); /* the last word counts */
        assert_int_equal(f.machine->sparse_peak, 0);
        drop(f);
    }
}

static void clocks_scale_peaks(void **state)
{
    (void)state;
    fixture f = make("h100-sxm");
    set(f, "clock", "1.6GHz");
    /* 989.4 x 1.6 / 1.83 and 66.9 x 1.6 / 1.98; L2: 64 B x 132 x 1.6 GHz */
    assert_close(peak(f, RIDGE_BF16, RIDGE_MATRIX, NULL), 989.4e12 * 1.6 / 1.83, 1e-12);
    assert_close(peak(f, RIDGE_FP32, RIDGE_VECTOR, NULL), 66.9e12 * 1.6 / 1.98, 1e-12);
    assert_close(f.machine->l2.value, 13.5168e12, 1e-9);
    assert_close(f.machine->clock_matrix_hz, 1.6e9, 1e-12);
    assert_true(!f.machine->clock_above_rating);
    set(f, "clock", "1.83GHz"); /* from the clock now, not from the first */
    assert_close(peak(f, RIDGE_BF16, RIDGE_MATRIX, NULL), 989.4e12, 1e-12);
    set(f, "clock", "2.5GHz");
    assert_true(f.machine->clock_above_rating);
    drop(f);
    f = make("tpu-v5e"); /* the clock of its peak is unknown: it stays */
    set(f, "clock", "1GHz");
    assert_close(peak(f, RIDGE_BF16, RIDGE_MATRIX, NULL), 197e12, 1e-12);
    drop(f);
}

static void a_given_machine_knows_what_is_said(void **state)
{
    (void)state;
    fixture f = make(NULL);
    assert_string_equal(ridge_machine_id(f.machine), "given");
    assert_true(!ridge_known(peak(f, RIDGE_BF16, RIDGE_PIPE_ANY, NULL)));
    set(f, "peak", "2x"); /* twice the unknown */
    assert_true(!ridge_known(peak(f, RIDGE_BF16, RIDGE_PIPE_ANY, NULL)));
    set(f, "peak", "bf16=100TFLOP/s");
    set(f, "dram", "1TB/s");
    assert_close(peak(f, RIDGE_BF16, RIDGE_PIPE_ANY, NULL), 100e12, 0);
    assert_true(!ridge_known(peak(f, RIDGE_FP16, RIDGE_PIPE_ANY, NULL)));
    assert_close(f.machine->dram.value, 1e12, 0);
    assert_true(!ridge_known(f.machine->l2.value));
    assert_true(!ridge_known(f.machine->units.value));
    set(f, "peak", "5TFLOP/s");
    assert_close(peak(f, RIDGE_FP16, RIDGE_PIPE_ANY, NULL), 5e12, 0);
    drop(f);
}

static void bad_values_say_why(void **state)
{
    (void)state;
    static const struct {
        const char *key, *value, *where, *message;
    } cases[] = {
        {"peak", "0x", "--peak", "\"0x\" is zero; something above zero is wanted"},
        {"peak", "bf16=0", "--peak", "\"0\" is zero; something above zero is wanted"},
        {"peak", "1e-300x", "--peak",
         "\"1e-300x\" is out of range; 1e-9x to 1e9x wanted"},
        {"peak", "bf16=1e308", "--peak",
         "\"1e308\" is out of range; 1 to 1e30 per second wanted"},
        {"dram", "1e308x", "--dram", "\"1e308x\" is out of range; 1e-9x to 1e9x wanted"},
        {"clock", "1e-300", "--clock",
         "\"1e-300\" is out of range; 1 to 1e30 per second wanted"},
        {"peak", "-2x", "--peak",
         "\"-2x\" is not a number; FLOP per second wanted, as in 989.4TFLOP/s"},
        {"peak", "x", "--peak",
         "\"x\" is not a number; FLOP per second wanted, as in 989.4TFLOP/s"},
        {"peak", "bf17=1TFLOP/s", "--peak",
         "\"bf17=1TFLOP/s\" does not start with a dtype; bf16=800TFLOP/s is a form"},
        {"dram", "3TB", "--dram",
         "\"3TB\" is bytes; bytes per second wanted, as in 3.35TB/s"},
        {"clock", "2x", "--clock", "\"2x\" is a factor; hertz wanted, as in 1.83GHz"},
        {"clock", "1.6s", "--clock", "\"1.6s\" is seconds; hertz wanted, as in 1.83GHz"},
        {"warm", "yes", "--warm", "\"yes\" is neither 0 nor 1"},
        {"fit", "/no/such", "/no/such", "cannot open: No such file or directory"},
        {"speed", "1", "",
         "\"speed\" cannot be set; one of peak, dram, clock, warm, fit, "
         "system, link"},
    };
    fixture f = make("h100-sxm");
    for (size_t i = 0; i < RIDGE__COUNT(cases); i++) {
        ridge_error err = {0};
        assert_true(ridge_machine_set(f.machine, cases[i].key, cases[i].value, &err) < 0);
        assert_string_equal(err.message, cases[i].message);
        assert_string_equal(err.where, cases[i].where);
    }
    assert_int_equal(f.machine->override_count, 0);
    assert_close(peak(f, RIDGE_BF16, RIDGE_MATRIX, NULL), 989.4e12, 1e-12);
    for (size_t i = 0; i < RIDGE__COUNT(f.machine->override); i++)
        set(f, "warm", "0");
    assert_int_equal(ridge_machine_set(f.machine, "warm", "1", NULL), RIDGE_LIMIT);
    assert_true(!f.machine->warm);
    drop(f);
}

/* The user's fit goes first, then the backend decides, then `best`, then any. */
static void fits_are_looked_up_in_order(void **state)
{
    (void)state;
    static const ridge_fit part[] = {
        {.op = "gemm",
         .dtypes = 1u << RIDGE_FP8,
         .kv_dtypes = UINT32_MAX,
         .backend = RIDGE_BACKEND_VLLM},
        {.op = "gemm",
         .dtypes = 1u << RIDGE_BF16,
         .kv_dtypes = UINT32_MAX,
         .backend = RIDGE_BACKEND_BEST},
    };
    static const ridge_fit arch[] = {
        {.op = "gemm",
         .dtypes = 1u << RIDGE_BF16,
         .kv_dtypes = UINT32_MAX,
         .backend = RIDGE_BACKEND_VLLM},
        {.op = "norm",
         .dtypes = UINT32_MAX,
         .kv_dtypes = UINT32_MAX,
         .form = RIDGE_FIT_STREAM},
        {.op = "rmsnorm",
         .dtypes = UINT32_MAX,
         .kv_dtypes = UINT32_MAX,
         .form = RIDGE_FIT_STREAM},
    };
    static const ridge_fit any[] = {
        {.op = "gemm",
         .dtypes = UINT32_MAX,
         .kv_dtypes = UINT32_MAX,
         .backend = RIDGE_BACKEND_VLLM},
    };
    static const ridge_fit like[] = {
        {.op = "gemm",
         .dtypes = UINT32_MAX,
         .kv_dtypes = UINT32_MAX,
         .backend = RIDGE_BACKEND_SGLANG},
    };
    const struct {
        const char *op, *family, *stand_in;
        ridge__fit_form form;
        ridge_dtype dtype;
        ridge_backend backend;
        const ridge_fit *fit;
        uint8_t link;
    } cases[] = {
        {"gemm", NULL, NULL, RIDGE_FIT_TILE, RIDGE_BF16, RIDGE_BACKEND_VLLM, &arch[0], 2},
        {"gemm", NULL, NULL, RIDGE_FIT_TILE, RIDGE_BF16, RIDGE_BACKEND_TORCH, &part[1],
         1},
        {"gemm", NULL, NULL, RIDGE_FIT_TILE, RIDGE_BF16, RIDGE_BACKEND_SGLANG, &like[0],
         3},
        {"gemm", NULL, NULL, RIDGE_FIT_TILE, RIDGE_FP8, RIDGE_BACKEND_TORCH, &part[0], 1},
        {"gemm", NULL, NULL, RIDGE_FIT_TILE, RIDGE_FP64, RIDGE_BACKEND_BEST, &like[0], 3},
        {"rmsnorm", "norm", NULL, RIDGE_FIT_STREAM, RIDGE_BF16, RIDGE_BACKEND_BEST,
         &arch[2], 2},
        {"layernorm", "norm", NULL, RIDGE_FIT_STREAM, RIDGE_BF16, RIDGE_BACKEND_BEST,
         &arch[1], 2},
        {"gemm", NULL, NULL, RIDGE_FIT_STREAM, RIDGE_BF16, RIDGE_BACKEND_BEST, NULL, 5},
        {"conv2d", "convolution", "gemm", RIDGE_FIT_TILE, RIDGE_BF16, RIDGE_BACKEND_BEST,
         &part[1], 1},
        {"rmsnorm", "norm", "other", RIDGE_FIT_STREAM, RIDGE_BF16, RIDGE_BACKEND_BEST,
         &arch[2], 2},
    };
    ridge_machine m = {0};
    m.fits[RIDGE_LINK_PART].fit = part;
    m.fits[RIDGE_LINK_PART].count = RIDGE__COUNT(part);
    m.fits[RIDGE_LINK_ARCH].fit = arch;
    m.fits[RIDGE_LINK_ARCH].count = RIDGE__COUNT(arch);
    m.fits[RIDGE_LINK_LIKE].fit = like;
    m.fits[RIDGE_LINK_LIKE].count = RIDGE__COUNT(like);
    m.like_for = 1u << RIDGE_FIT_TILE;
    m.fits[RIDGE_LINK_ANY].fit = any;
    m.fits[RIDGE_LINK_ANY].count = RIDGE__COUNT(any);
    for (size_t i = 0; i < RIDGE__COUNT(cases); i++) {
        uint8_t link = 9;
        const ridge__fit_key key = {.form = cases[i].form,
                                    .op = cases[i].op,
                                    .family = cases[i].family,
                                    .stand_in = cases[i].stand_in,
                                    .dtype = cases[i].dtype,
                                    .kv_dtype = RIDGE_BF16,
                                    .backend = cases[i].backend};
        assert_ptr_equal(ridge__machine_fit(&m, &key, &link), cases[i].fit);
        assert_int_equal(link, cases[i].link);
    }
}

/* The kernel that a library takes for a shape, unless the call names another. */
static void kernels_are_chosen(void **state)
{
    (void)state;
    const uint32_t fast = ridge__hash_name("fast", 4), slow = ridge__hash_name("slow", 4);
    const ridge_fit fits[] = {
        {.op = "attention",
         .dtypes = UINT32_MAX,
         .kv_dtypes = UINT32_MAX,
         .kernel = {slow},
         .when = {{192, 192, 0, HUGE_VAL, -1, -1, .phase = -1},
                  {0, HUGE_VAL, 0, HUGE_VAL, -1, -1, .phase = -1, .named = true}},
         .when_count = 2},
        {.op = "attention",
         .dtypes = UINT32_MAX,
         .kv_dtypes = UINT32_MAX,
         .kernel = {fast}},
    };
    const struct {
        double dim;
        uint32_t kernel;
        int fit;
    } cases[] = {{128, 0, 1},    {192, 0, 0},    {128, slow, 0},
                 {192, fast, 1}, {128, fast, 1}, {192, slow + 2, 0}};
    ridge_machine m = {0};
    m.fits[RIDGE_LINK_ARCH].fit = fits;
    m.fits[RIDGE_LINK_ARCH].count = RIDGE__COUNT(fits);
    for (size_t i = 0; i < RIDGE__COUNT(cases); i++) {
        uint8_t link = 9;
        const ridge__fit_key key = {
            .op = "attention", .shape = {.dim = cases[i].dim, .kernel = cases[i].kernel}};
        assert_ptr_equal(ridge__machine_fit(&m, &key, &link), &fits[cases[i].fit]);
    }
}

/* A cache of another dtype: the library's fit goes before another architecture's, but not
 * before one that has the dtype; and a relative stands for the forms it is named for. */
static void another_cache_is_a_relative(void **state)
{
    (void)state;
    static const ridge_fit arch[] = {
        {.op = "attention",
         .form = RIDGE_FIT_DECODE,
         .dtypes = UINT32_MAX,
         .kv_dtypes = 1u << RIDGE_BF16,
         .backend = RIDGE_BACKEND_VLLM},
    };
    static const ridge_fit like[] = {
        {.op = "attention",
         .form = RIDGE_FIT_DECODE,
         .dtypes = UINT32_MAX,
         .kv_dtypes = 1u << RIDGE_FP8,
         .backend = RIDGE_BACKEND_VLLM},
    };
    static const ridge_fit any[] = {
        {.op = "attention",
         .form = RIDGE_FIT_DECODE,
         .dtypes = UINT32_MAX,
         .kv_dtypes = UINT32_MAX},
    };
    ridge_machine m = {0};
    m.fits[RIDGE_LINK_ARCH].fit = arch;
    m.fits[RIDGE_LINK_LIKE].fit = like;
    m.fits[RIDGE_LINK_ANY].fit = any;
    m.fits[RIDGE_LINK_ARCH].count = m.fits[RIDGE_LINK_LIKE].count = 1;
    m.fits[RIDGE_LINK_ANY].count = 1;
    const struct {
        uint32_t like_for;
        ridge_dtype cache;
        ridge_backend backend;
        const ridge_fit *fit;
        uint8_t link;
        uint32_t libraries;
    } cases[] = {
        {UINT32_MAX, RIDGE_BF16, RIDGE_BACKEND_VLLM, arch, RIDGE_LINK_ARCH,
         1u << RIDGE_BACKEND_VLLM},
        {UINT32_MAX, RIDGE_FP8, RIDGE_BACKEND_VLLM, like, RIDGE_LINK_LIKE,
         1u << RIDGE_BACKEND_VLLM},
        {1u << RIDGE_FIT_PREFILL, RIDGE_FP8, RIDGE_BACKEND_VLLM, arch, RIDGE_LINK_LIKE,
         1u << RIDGE_BACKEND_VLLM},
        {0, RIDGE_FP8, RIDGE_BACKEND_SGLANG, any, RIDGE_LINK_ANY,
         1u << RIDGE_BACKEND_VLLM},
    };
    for (size_t i = 0; i < RIDGE__COUNT(cases); i++) {
        uint8_t link = 9;
        m.like_for = cases[i].like_for;
        const ridge__fit_key key = {.form = RIDGE_FIT_DECODE,
                                    .op = "attention",
                                    .dtype = RIDGE_BF16,
                                    .kv_dtype = cases[i].cache,
                                    .backend = cases[i].backend};
        assert_ptr_equal(ridge__machine_fit(&m, &key, &link), cases[i].fit);
        assert_int_equal(link, cases[i].link);
        assert_int_equal(ridge__machine_libraries(&m, &key), cases[i].libraries);
    }
}

static void relatives_stand_for_batches_where_asked(void **state)
{
    (void)state;
    const ridge_fit like[] = {
        {.op = "bmm", .dtypes = UINT32_MAX, .kv_dtypes = UINT32_MAX},
        {.op = "gemm", .dtypes = UINT32_MAX, .kv_dtypes = UINT32_MAX}};
    const ridge_fit any[] = {
        {.op = "bmm", .dtypes = UINT32_MAX, .kv_dtypes = UINT32_MAX}};
    ridge_machine m = {0};
    m.fits[RIDGE_LINK_LIKE].fit = like;
    m.fits[RIDGE_LINK_LIKE].count = 2;
    m.fits[RIDGE_LINK_ANY].fit = any;
    m.fits[RIDGE_LINK_ANY].count = 1;
    uint8_t link;
    const ridge__fit_key batch = {
        .form = RIDGE_FIT_TILE, .op = "bmm", .stand_in = "gemm"};
    const ridge__fit_key single = {.form = RIDGE_FIT_TILE, .op = "gemm"};
    m.like_for = 1u << RIDGE_FIT_TILE;
    assert_ptr_equal(ridge__machine_fit(&m, &batch, &link), any);
    assert_ptr_equal(ridge__machine_fit(&m, &single, &link), &like[1]);
    m.like_for = 1u << RIDGE_FIT_BATCH;
    assert_ptr_equal(ridge__machine_fit(&m, &batch, &link), like);
    assert_null(ridge__machine_fit(&m, &single, &link));
}

/* A kernel that carries over: the op itself from afar before its family from near by, and
 * of scans only the phase that an entry is for. */
static void ops_go_before_families(void **state)
{
    (void)state;
    const ridge_fit near[] = {
        {.op = "norm", .dtypes = UINT32_MAX, .kv_dtypes = UINT32_MAX}};
    const ridge_fit far[] = {
        {.op = "rmsnorm",
         .dtypes = UINT32_MAX,
         .kv_dtypes = UINT32_MAX,
         .when = {{0, HUGE_VAL, 0, HUGE_VAL, -1, -1, .phase = RIDGE_PHASE_GENERATION}},
         .when_count = 1},
        {.op = "rmsnorm", .dtypes = UINT32_MAX, .kv_dtypes = UINT32_MAX}};
    ridge_machine m = {0};
    uint8_t link = 9;
    m.fits[RIDGE_LINK_ARCH].fit = near;
    m.fits[RIDGE_LINK_ARCH].count = RIDGE__COUNT(near);
    m.fits[RIDGE_LINK_ANY].fit = far;
    m.fits[RIDGE_LINK_ANY].count = RIDGE__COUNT(far);
    ridge__fit_key key = {.op = "rmsnorm", .family = "norm"};
    assert_ptr_equal(ridge__machine_fit(&m, &key, &link), &near[0]);
    key.carries = true;
    assert_ptr_equal(ridge__machine_fit(&m, &key, &link), &far[1]);
    assert_int_equal(link, RIDGE_LINK_ANY);
    key.shape.phase = RIDGE_PHASE_GENERATION;
    assert_ptr_equal(ridge__machine_fit(&m, &key, &link), &far[0]);
}

static void a_fit_of_the_user_goes_first(void **state)
{
    (void)state;
    char text[4096];
    uint8_t link = 9;
    scratch file;
    fixture f = make("h100-sxm");
    doc_example(text, sizeof text, "docs/format/fit.md");
    scratch_write(&file, text, strlen(text));
    set(f, "fit", file.path);
    const ridge__fit_key key = {.form = RIDGE_FIT_TILE,
                                .op = "gemm",
                                .family = "gemm",
                                .dtype = RIDGE_BF16,
                                .kv_dtype = RIDGE_BF16,
                                .backend = RIDGE_BACKEND_CUBLAS};
    const ridge_fit *fit = ridge__machine_fit(f.machine, &key, &link);
    assert_non_null(fit);
    assert_int_equal(link, RIDGE_LINK_USER);
    assert_close(fit->c[RIDGE_TILE_MMA_SHARE], 0.78, 1e-12);
    unlink(file.path);
    drop(f);
}

/* The host of the rows: of the architecture's file, or of the user's. */
static void a_host_is_known(void **state)
{
    (void)state;
    static const char text[] =
        "key: v100-pcie-32\nhost_call: \"20 us\"\nfits:\n  - op: gemm\n    form: tile\n"
        "    constants: {}\n    low: \"0.9\"\n    high: \"1.1\"\n    from: x\n"
        "    date: \"2026\"\n";
    scratch file;
    fixture f = make("v100-pcie-32");
    assert_close(f.machine->host_call_s, 39.5e-6, 1e-9);
    scratch_write(&file, text, strlen(text));
    set(f, "fit", file.path);
    assert_close(f.machine->host_call_s, 20e-6, 1e-9);
    unlink(file.path);
    drop(f);
    f = make("mi100");
    assert_false(ridge_known(f.machine->host_call_s));
    drop(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_host_is_known),
        cmocka_unit_test(a_part_is_copied),
        cmocka_unit_test(pipes_and_accumulators),
        cmocka_unit_test(vector_work_falls_back),
        cmocka_unit_test(a_stand_in_has_its_own_name),
        cmocka_unit_test(the_example_is_all_equal),
        cmocka_unit_test(overrides),
        cmocka_unit_test(a_given_sparse_peak),
        cmocka_unit_test(clocks_scale_peaks),
        cmocka_unit_test(a_given_machine_knows_what_is_said),
        cmocka_unit_test(bad_values_say_why),
        cmocka_unit_test(fits_are_looked_up_in_order),
        cmocka_unit_test(kernels_are_chosen),
        cmocka_unit_test(another_cache_is_a_relative),
        cmocka_unit_test(relatives_stand_for_batches_where_asked),
        cmocka_unit_test(ops_go_before_families),
        cmocka_unit_test(a_fit_of_the_user_goes_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
