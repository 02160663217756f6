/* Several calls as one kernel, against bytes counted by hand. */
#include "model_calls.h"

#define N 67108864.0 /* 2^26 */

static ridge_fusion fuse(const model_machine *m, size_t count, const char *const *words)
{
    ridge_call calls[RIDGE_FUSE_MAX];
    ridge_fusion f;
    ridge_error err = {0};
    for (size_t i = 0; i < count; i++)
        calls[i] = model_call(words[i]);
    if (ridge_fusion_find(&f, m->machine, calls, count, &err))
        fail_msg("%s ...: %s", words[0], err.message);
    return f;
}
#define FUSE(m, ...)                                                  \
    fuse((m), sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *), \
         (const char *const[]){__VA_ARGS__})

/* The teaching part: 1 TB/s. */
static void elementwise_by_hand(void **state)
{
    (void)state;
    model_machine m = model_machine_of("example", NULL);
    /* 6N + 4N bytes become 6N: a and b in, one result out. */
    ridge_fusion f = FUSE(&m, "add n=67108864 dtype=fp16", "relu n=67108864 dtype=fp16");
    assert_true(f.possible);
    assert_close(f.bytes_before, 10 * N, 0);
    assert_close(f.bytes, 6 * N, 0);
    assert_close(f.floor_before_s, 10 * N / 1e12, 1e-15);
    assert_close(f.floor_s, 6 * N / 1e12, 1e-15);
    assert_close(f.flop, 2 * N, 0);
    assert_close(f.intensity_before, 0.2, 1e-15);
    assert_close(f.intensity, 1.0 / 3, 1e-15);
    assert_int_equal(f.bound, RIDGE_BY_MEMORY);
    assert_int_equal(f.link[0].scope, RIDGE_FUSE_ELEMENT);
    assert_int_equal(f.link[0].fits, 1);
    assert_false(ridge_known(f.expected_s)); /* no fit for that part */
    /* Three: 6N + 6N + 8N; of mul b is left, of the last two inputs and the result. */
    f = FUSE(&m, "add n=67108864 dtype=fp16", "mul n=67108864 dtype=fp16",
             "elementwise n=67108864 inputs=3 dtype=fp16");
    assert_close(f.bytes_before, 20 * N, 0);
    assert_close(f.bytes, 12 * N, 0);
    /* silu_mul writes what quantisation reads: 6N + 3N become 4N + N. */
    f = FUSE(&m, "silu_mul rows=8192 cols=8192 dtype=bf16",
             "quant_static_fp8 rows=8192 cols=8192 dtype=bf16");
    assert_close(f.bytes_before, 9 * N, 0);
    assert_close(f.bytes, 5 * N, 0);
    model_machine_clear(&m);
}

static void rows_and_their_passes(void **state)
{
    (void)state;
    model_machine m = model_machine_of("h100-sxm", NULL);
    /* Both reads of the online softmax come from chip: 4N + 6N become 2N + 2N. */
    ridge_fusion f = FUSE(&m, "mulu rows=8192 cols=8192 dtype=bf16",
                          "softmax rows=8192 cols=8192 passes=2 dtype=bf16");
    assert_close(f.bytes_before, 10 * N, 0);
    assert_close(f.bytes, 4 * N, 0);
    assert_int_equal(f.link[0].scope, RIDGE_FUSE_ROW);
    assert_close(f.link[0].on_chip_bytes, 8192 * 2, 0);
    assert_int_equal(f.link[0].fits, 1);
    /* The result that an op is named for is its last; the residual is written still. */
    f = FUSE(&m, "rmsnorm_residual rows=8192 cols=8192 dtype=bf16",
             "quant_token_fp8 rows=8192 cols=8192 dtype=bf16");
    assert_int_equal(f.link[0].from, 4);
    /* 8N and a weight, 2N + N and scales: less 2N and 2N. */
    assert_close(f.bytes, 7 * N + 8192 * 2 + 8192 * 4, 0);
    /* A block of 128 is all that a scale needs. */
    f = FUSE(&m, "relu rows=64 cols=1048576 dtype=bf16",
             "quant_block_fp8 rows=64 cols=1048576 dtype=bf16");
    assert_close(f.link[0].on_chip_bytes, 256, 0);
    assert_true(f.possible);
    model_machine_clear(&m);
}

static void products_pass_tiles(void **state)
{
    (void)state;
    model_machine m = model_machine_of("h100-sxm", NULL);
    ridge_fusion f = FUSE(&m, "gemm m=8192 n=4096 k=4096 dtype=bf16",
                          "gelu rows=8192 cols=4096 dtype=bf16");
    /* a, b and the result of gelu: the product itself is neither written nor read. */
    assert_close(f.bytes, 2.0 * (8192 * 4096 + 4096 * 4096 + 8192 * 4096), 0);
    assert_int_equal(f.link[0].from, 2);
    assert_int_equal(f.link[0].scope, RIDGE_FUSE_TILE);
    /* The matrix units' work hides that of the vector units. */
    assert_close(f.floor_s, f.part[0].compute_s, 0);
    /* Compute bound before and after: the epilogue hides, the launch goes. */
    assert_int_equal(f.bound, RIDGE_BY_COMPUTE);
    assert_true(f.expected_s < f.expected_before_s);
    assert_true(f.expected_s >= f.part[0].expected_s * 0.999);
    assert_true(f.warnings & RIDGE_WARNING_BORROWED);
    /* A row of 2048 sums in fp32: 16 of them are 128 KiB. */
    f = FUSE(&m, "gemm m=8192 n=2048 k=4096 dtype=bf16",
             "rmsnorm rows=8192 cols=2048 dtype=bf16");
    assert_int_equal(f.link[0].scope, RIDGE_FUSE_ROWS);
    assert_close(f.link[0].on_chip_bytes, 131072, 0);
    assert_true(f.possible);
    /* Heads of 128 lie in one tile, however long the row. */
    f = FUSE(&m, "gemm m=8192 n=16384 k=4096 dtype=bf16",
             "rmsnorm_qk rows=1048576 cols=128 dtype=bf16");
    assert_int_equal(f.link[0].scope, RIDGE_FUSE_TILE);
    assert_true(f.possible);
    model_machine_clear(&m);
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    model_machine m = model_machine_of("h100-sxm", NULL);
    /* The scores of attention: 16 rows of 65536 in fp32 are 4 MiB, a block has 227 KiB. */
    ridge_fusion f = FUSE(&m, "gemm m=65536 n=65536 k=128 dtype=bf16",
                          "softmax rows=65536 cols=65536 dtype=bf16",
                          "gemm m=65536 n=128 k=65536 dtype=bf16");
    assert_false(f.possible);
    assert_int_equal(f.refused, 0);
    assert_close(f.link[0].on_chip_bytes, 4194304, 0);
    assert_close(f.shared_bytes, 227 * 1024, 0);
    assert_false(ridge_known(f.floor_s) || ridge_known(f.bytes));
    assert_true(ridge_known(f.floor_before_s));
    /* Anything of x may be asked for by any row. */
    f = FUSE(&m, "relu n=1e6 dtype=fp32", "spmv rows=1e6 nnz=1e7 dtype=fp32");
    assert_false(f.possible);
    assert_int_equal(f.link[0].scope, RIDGE_FUSE_ALL);
    model_machine_clear(&m);
    /* A part whose shared memory nobody stated: it may fit. */
    static const char *const given[] = {"peak=1TFLOP/s", "dram=1TB/s", NULL};
    m = model_machine_of(NULL, given);
    f = FUSE(&m, "relu rows=64 cols=1048576 dtype=bf16",
             "rmsnorm rows=64 cols=1048576 dtype=bf16");
    assert_true(f.possible);
    assert_int_equal(f.link[0].fits, -1);
    model_machine_clear(&m);
}

/* One call stays what it was, and the one kernel is never above the sum of the floors. */
static void invariants(void **state)
{
    (void)state;
    static const char *const alone[] = {
        "gemm m=4096 n=4096 k=4096 dtype=bf16", "softmax rows=100 cols=1000 dtype=fp32",
        "custom flop=1e9 bytes=1e9 dtype=bf16", "adamw n=1e6 dtype=bf16"};
    static const char *const chain[] = {"add rows=%zu cols=512 dtype=bf16",
                                        "rmsnorm rows=%zu cols=512 dtype=bf16",
                                        "gemm m=%zu n=256 k=512 dtype=bf16",
                                        "silu rows=%zu cols=256 dtype=bf16",
                                        "softmax rows=%zu cols=256 dtype=bf16",
                                        "gemm m=%zu n=128 k=256 dtype=bf16",
                                        "quant_token_fp8 rows=%zu cols=128 dtype=bf16",
                                        "dequantise rows=%zu cols=128 dtype=fp8"};
    static const char *const parts[] = {"h100-sxm", "mi300x", "a100-pcie-80", "example"};
    enum {
        LENGTH = 8
    };
    for (size_t p = 0; p < 4; p++) {
        model_machine m = model_machine_of(parts[p], NULL);
        for (size_t i = 0; i < 4; i++) {
            ridge_fusion f = fuse(&m, 1, &alone[i]);
            ridge_estimate e = model_estimate(&m, alone[i]);
            assert_true(f.floor_s == e.floor_s && f.bytes == e.work.bytes);
            assert_true(f.floor_before_s == e.floor_s);
            if (ridge_known(e.expected_s))
                assert_true(f.expected_s == e.expected_s && f.high_s == e.high_s);
        }
        for (size_t rows = 1; rows < 1u << 20; rows = rows * 3 + 1)
            for (size_t first = 0; first < LENGTH; first++) {
                char text[LENGTH][64];
                const char *words[LENGTH];
                for (size_t i = 0; i < LENGTH; i++) {
                    snprintf(text[i], sizeof text[i], chain[i], rows);
                    words[i] = text[i];
                }
                for (size_t count = 1; first + count <= LENGTH; count++) {
                    ridge_fusion f = fuse(&m, count, &words[first]);
                    assert_true(f.possible);
                    assert_true(f.floor_s <= f.floor_before_s);
                    assert_true(f.bytes <= f.bytes_before);
                    if (!ridge_known(f.expected_s))
                        continue;
                    assert_true(f.expected_s <= f.expected_before_s);
                    assert_true(f.floor_s <= f.low_s && f.low_s <= f.expected_s);
                    assert_true(f.expected_s <= f.high_s);
                }
            }
        model_machine_clear(&m);
    }
}

static void order_and_sizes_matter(void **state)
{
    (void)state;
    static const struct {
        const char *words[2], *says;
    } bad[] = {
        {{"add n=10 dtype=bf16", "relu n=20 dtype=bf16"},
         "add writes out of 10 elements, relu reads x of 20; the result of each is an "
         "input of the next, so they must agree"},
        {{"relu n=10 dtype=bf16", "cast n=10 dtype=fp32>bf16"},
         "relu writes out in 2 B per element, cast reads x in 4 B; one dtype is wanted: "
         "see dtype_out and dtype"},
        {{"custom flop=1 bytes=20 dtype=bf16", "relu n=10 dtype=bf16"},
         "custom has no operands that are known, so that it is not known what passes from "
         "custom to relu"},
    };
    model_machine m = model_machine_of("h100-sxm", NULL);
    FUSE(&m, "cast n=10 dtype=fp32>bf16", "relu n=10 dtype=bf16"); /* the other way */
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ridge_error err = {0};
        ridge_fusion f;
        const ridge_call calls[] = {model_call(bad[i].words[0]),
                                    model_call(bad[i].words[1])};
        assert_int_equal(ridge_fusion_find(&f, m.machine, calls, 2, &err), RIDGE_INVALID);
        assert_string_equal(err.message, bad[i].says);
    }
    ridge_error err = {0};
    ridge_fusion f;
    assert_int_equal(ridge_fusion_find(&f, m.machine, NULL, 0, &err), RIDGE_LIMIT);
    assert_string_equal(err.message, "1 to 16 operations are wanted, not 0");
    assert_null(ridge_fuse_scope_name((ridge_fuse_scope)99));
    assert_string_equal(ridge_fuse_scope_name(RIDGE_FUSE_ROWS), "rows");
    model_machine_clear(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elementwise_by_hand),
        cmocka_unit_test(rows_and_their_passes),
        cmocka_unit_test(products_pass_tiles),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(invariants),
        cmocka_unit_test(order_and_sizes_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
