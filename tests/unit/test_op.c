/* Every op: its example counts what its formulas say; worked numbers; brute force. */
#include "formula.h"
#include "op/op_priv.h"

/* A call from "op key=value ..."; asserts that it is valid. */
static ridge_call make(const char *line)
{
    static char words[512]; /* a list is borrowed from here until the next call is made */
    char *next = words;
    ridge_call call;
    ridge_error err = {0};
    snprintf(words, sizeof words, "%s", line);
    for (bool first = true; next; first = false) {
        char *word = next;
        next = strchr(word, ' ');
        if (next)
            *next++ = '\0';
        char *value = strchr(word, '=');
        ridge_status status;
        if (first) {
            status = ridge_call_init(&call, word, &err);
        } else {
            assert_non_null(value);
            *value++ = '\0';
            status = ridge_call_set(&call, word, value, &err);
        }
        if (status)
            fail_msg("%s: %s: %s", line, err.where, err.message);
    }
    if (ridge_call_finish(&call, &err))
        fail_msg("%s: %s", line, err.message);
    return call;
}

static ridge_work count(const char *line)
{
    ridge_call call = make(line);
    ridge_work work;
    assert_int_equal(ridge_op_count(&work, &call, NULL), RIDGE_OK);
    return work;
}

/* ---- Formulas ---------------------------------------------------------------------- */

/* A finished call and its counts: what the names of its formulas stand for. */
typedef struct counted {
    const ridge_call *call;
    const ridge_work *work;
} counted;

static double value_of(const void *context, const char *name, size_t size)
{
    const counted *c = context;
    return ridge__op_formula_value(c->call, c->work, name, size);
}

static double evaluate(const char *text, const ridge_call *call, const ridge_work *work)
{
    const counted c = {call, work};
    return formula_evaluate(text, value_of, &c);
}

/* The example with every count times `factor` that may grow so, and another dtype. */
static ridge_call further(const ridge_op *op, double factor, double dtype)
{
    char line[512];
    snprintf(line, sizeof line, "%s %s", op->name, op->example);
    ridge_call call = make(line);
    for (size_t p = 0; p < op->param_count; p++) {
        bool typed = strcmp(op->params[p].name, "dtype") == 0;
        bool counts = op->params[p].kind == RIDGE_PARAM_COUNT;
        if (!(call.given >> p & 1) || !(typed || counts))
            continue;
        ridge_call next = call;
        next.arg[p] = typed ? dtype : next.arg[p] * factor;
        if (ridge_call_finish(&next, NULL) == RIDGE_OK)
            call = next;
    }
    return call;
}

static void check_call(const ridge_call *call)
{
    ridge_work work;
    assert_int_equal(ridge_op_count(&work, call, NULL), RIDGE_OK);
    assert_close(evaluate(ridge__call_flop_formula(call), call, &work), work.flop, 1e-15);
    assert_close(evaluate(call->op->bytes_formula, call, &work), work.bytes, 1e-15);
    double parts = 0;
    for (size_t i = 0; i < work.operand_count; i++)
        parts += work.operand_bytes[i];
    assert_close(parts, work.bytes, 1e-15);
    assert_true(work.operand_count <= call->op->operand_count);
    /* Experts that no token chose must still be in memory. */
    if (strcmp(call->op->name, "moe") != 0)
        assert_true(work.footprint_bytes <= work.bytes);
}

static void check_formulas(const char *line)
{
    ridge_call call = make(line);
    check_call(&call);
}

/* Every row: its example and two more shapes, as modelled and as executed. */
static void test_formulas_of_examples(void **state)
{
    (void)state;
    static const struct {
        double factor;
        ridge_dtype dtype;
    } shapes[] = {{2, RIDGE_FP32}, {3, RIDGE_BF16}, {4, RIDGE_FP8}, {5, RIDGE_FP16}};
    const ridge_op *op;
    for (size_t i = 0; (op = ridge_op_at(i)) != NULL; i++) {
        char line[512];
        snprintf(line, sizeof line, "%s %s", op->name, op->example);
        check_formulas(line);
        for (size_t k = 0; k < RIDGE__COUNT(shapes); k++) {
            ridge_call call = further(op, shapes[k].factor, shapes[k].dtype);
            check_call(&call);
            call.executed = true;
            check_call(&call);
        }
    }
}

/* Terms that the examples leave at 0 or 1. */
static void test_formulas_of_odd_calls(void **state)
{
    (void)state;
    check_formulas(
        "gemm m=3 n=5 k=7 batch=2 beta=1 epilogue=4 dtype=fp8 dtype_b=int4_wo");
    check_formulas("gemm m=3 n=5 k=7 dtype=nvfp4 dtype_out=fp32");
    check_formulas("attention b=2 s=5 kv_len=9 h=6 heads_kv=3 d=8 dv=4 causal=1 window=3 "
                   "prefix=2 dtype=bf16 kv_dtype=fp8 dtype_out=fp32");
    check_formulas("attention b=2 s=4 kv_len=9 h=6 d=8 causal=1 pairs=half dtype=fp16");
    check_formulas("attention_backward b=2 s=5 kv_len=9 h=6 heads_kv=3 d=8 dv=4 causal=1 "
                   "dtype=bf16 kv_dtype=fp8 dtype_out=fp32");
    check_formulas("attention q_len=[5,1x2] kv_len=[9,7x2] h=6 heads_kv=3 d=8 causal=1 "
                   "dtype=bf16");
    check_formulas("grouped_gemm m=[5,0,2x3] n=8 k=16 dtype=fp8");
    check_formulas("grouped_gemm m_total=10 groups=16 n=8 k=16 dtype=int4_wo");
    check_formulas(
        "moe tokens=100 hidden=32 inter=48 topk=3 experts=16 ep=4 tp=2 gated=0 "
        "shared_experts=2 distribution=power_law_1.2 dtype=nvfp4");
    check_formulas("mla b=2 s=5 kv_len=9 h=6 dtype=bf16 kv_dtype=fp8 scope=module "
                   "gemm_dtype=nvfp4");
    check_formulas("mla b=2 s=50 kv_len=90 h=6 dtype=bf16 scope=module q_latent=0");
    check_formulas("mla q_len=1 kv_len=[4096x2,3] h=16 dtype=fp8");
    check_formulas("kda b=2 s=5 h=3 d=8 dv=4 chunk=2 phase=verify state_dtype=bf16");
    check_formulas("ssm_scan b=2 s=5 h=6 d=8 dv=4 n_groups=3 phase=generation");
    check_formulas("causal_conv1d b=2 s=5 channels=7 d_conv=3 phase=generation");
    check_formulas("csa b=2 s=5 kv_past=30 h=6 topk=3 window=4 dtype=bf16 kv_dtype=fp8");
    check_formulas("softmax rows=3 cols=7 passes=3 dtype=fp8");
    check_formulas("mhc_pre rows=3 cols=10 streams=2 dtype=bf16>fp32");
    check_formulas("mhc_post rows=3 cols=10 streams=2 dtype=bf16>fp32");
    check_formulas("elementwise n=10 inputs=4 ops_per_element=2.5 dtype=bf16>fp8");
    check_formulas("dot rows=3 cols=7 dtype=fp8");
    check_formulas("layernorm rows=3 cols=7 dtype=fp8");
    check_formulas("rmsnorm_residual rows=3 cols=7 dtype=bf16>fp8");
}

/* Every op is complete: a new row that forgets a text fails here. */
static void test_rows_complete(void **state)
{
    (void)state;
    const ridge_op *op;
    for (size_t i = 0; (op = ridge_op_at(i)) != NULL; i++) {
        assert_non_null(op->title);
        assert_non_null(op->growth);
        assert_non_null(op->not_counted);
        assert_non_null(op->source);
        assert_non_null(op->count);
        assert_true(op->operand_count <= RIDGE_OPERAND_MAX);
        assert_true(op->param_count <= RIDGE_ARG_MAX);
        assert_ptr_equal(ridge_op_find(op->name), op);
        for (size_t p = 0; p < op->param_count; p++) {
            assert_non_null(op->params[p].name);
            assert_non_null(op->params[p].help);
            size_t size = strlen(op->params[p].name);
            assert_int_equal(ridge__op_param(op, op->params[p].name, size), p);
        }
    }
    assert_null(ridge_op_at(ridge_op_total()));
}

/* ---- Counts against loops ---------------------------------------------------------- */

static void test_gemm_counts_loops(void **state)
{
    (void)state;
    double flop = 0, seen = 0;
    char a[2][3][7] = {{{0}}}, b[2][7][5] = {{{0}}};
    for (int batch = 0; batch < 2; batch++)
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 5; j++) {
                for (int k = 0; k < 7; k++) {
                    flop += 2;
                    seen += !a[batch][i][k] + !b[batch][k][j];
                    a[batch][i][k] = b[batch][k][j] = 1;
                }
                seen++; /* C */
            }
    ridge_work work = count("gemm m=3 n=5 k=7 batch=2 dtype=bf16");
    assert_close(work.flop, flop, 0);
    assert_close(work.bytes, 2 * seen, 0);
}

/* Pairs and keys of a mask, one by one. */
static void loop_mask(int q, int kv, int causal, int w, int p, double *pairs,
                      double *keys)
{
    bool seen[16] = {false};
    *pairs = *keys = 0;
    for (int i = 0; i < q; i++)
        for (int j = 0; j < kv; j++) {
            int last = i + kv - q;
            bool sees = !causal || j < p || (j <= last && (w == 0 || j > last - w));
            *pairs += sees;
            *keys += sees && !seen[j];
            seen[j] = seen[j] || sees;
        }
}

static void test_attention_mask_counts_loops(void **state)
{
    (void)state;
    double pairs, keys;
    for (int q = 1; q <= 9; q++)
        for (int kv = 1; kv <= 9; kv++)
            for (int w = 0; w <= 10; w++)
                for (int p = 0; p <= 10; p++)
                    for (int causal = 0; causal <= 1; causal++) {
                        loop_mask(q, kv, causal, w, p, &pairs, &keys);
                        assert_close(ridge__attention_pairs(q, kv, causal, w, p), pairs,
                                     0);
                        assert_close(ridge__attention_keys(q, kv, causal, w, p), keys, 0);
                    }
}

static void test_attention_counts_loops(void **state)
{
    (void)state;
    double flop = 0, special = 0;
    for (int head = 0; head < 2 * 6; head++)
        for (int i = 0; i < 4; i++)
            for (int j = 0; j <= i + 6; j++) {
                special++;
                for (int d = 0; d < 8; d++)
                    flop += 2; /* q k */
                for (int d = 0; d < 5; d++)
                    flop += 2; /* p v */
            }
    ridge_work work = count("attention b=2 h=6 heads_kv=3 q_len=4 kv_len=10 d=8 dv=5 "
                            "causal=1 dtype=fp16 kv_dtype=fp8");
    assert_close(work.flop, flop, 0);
    assert_close(work.special, special, 0);
    /* q: 2 x 6 x 4 x 8 x 2 B; k: 2 x 3 x 10 x 8 x 1 B; v: 2 x 3 x 10 x 5; o: as q, 5. */
    assert_close(work.operand_bytes[0], 768, 0);
    assert_close(work.operand_bytes[1], 480, 0);
    assert_close(work.operand_bytes[2], 300, 0);
    assert_close(work.operand_bytes[3], 480, 0);
}

/* ---- Worked numbers ---------------------------------------------------------------- */

static double intensity(const char *line)
{
    ridge_work work = count(line);
    return work.flop / work.bytes;
}

/* Published cases; the name is where each is listed. */
static void test_published_gemm(void **state)
{
    (void)state;
    /* O01: 2 x 3456 x 4096 x 8192 FLOP at 312 TFLOP/s is 743.36 us. */
    assert_close(count("gemm m=3456 n=4096 k=8192 dtype=fp16 dtype_out=fp32").flop /
                     312e12,
                 743.36e-6, 1e-5);
    /* O02: 4 B x 4096 x 3456 twice, and 4 B x 4096^2. */
    ridge_work work = count("gemm m=3456 n=4096 k=4096 dtype=fp32");
    assert_close(work.flop, 115964116992.0, 0);
    assert_close(work.bytes, 180355072.0, 0);
    /* O05: 30.9733 us at 312 TFLOP/s. */
    assert_close(count("gemm m=3072 n=2048 k=768 dtype=fp16").flop / 312e12, 30.9733e-6,
                 1e-5);
    /* O07: H100 at 3.35 TB/s, by memory; fp8 writes bf16. */
    assert_close(count("gemm m=1 n=6144 k=4096 dtype=bf16").bytes / 3.35e12, 15.0305e-6,
                 1e-2);
    assert_close(count("gemm m=256 n=6144 k=4096 dtype=bf16").bytes / 3.35e12, 16.5894e-6,
                 1e-2);
    assert_close(count("gemm m=1 n=6144 k=4096 dtype=fp8").bytes / 3.35e12, 7.51708e-6,
                 1e-2);
    assert_close(count("gemm m=256 n=6144 k=4096 dtype=fp8").bytes / 3.35e12, 8.76422e-6,
                 1e-2);
    /* O08: 128 x 7168 + 7168 x 4096 + 2 x 128 x 4096 = 31,326,208 B; in the time of
     * 2 x 128 x 4096 x 7168 FLOP at 533 TFLOP/s that is 2221.45 GB/s. */
    work = count("gemm m=128 n=4096 k=7168 dtype=fp8>bf16");
    assert_close(work.bytes, 31326208.0, 0);
    assert_close(work.bytes / (work.flop / 533e12), 2221.45e9, 2e-3);
    /* O20: an MLP 784-512-512-10 of one sample. */
    assert_close(count("gemm m=1 n=512 k=784 dtype=fp32").flop +
                     count("gemm m=1 n=512 k=512 dtype=fp32").flop +
                     count("gemm m=1 n=10 k=512 dtype=fp32").flop,
                 1337344, 0);
    /* The primer: M=128, K=N=4096, fp16: 2 x 128 x 4096^2 / (2 x (2 x 128 x 4096 +
     * 4096^2)) = 128 / (1 + 1/16) = 120.47. */
    assert_close(intensity("gemm m=128 n=4096 k=4096 dtype=fp16"), 120.5, 1e-3);
    /* A cube of side N: 2 N^3 / 6 N^2 = N/3. */
    assert_close(intensity("gemm m=4096 n=4096 k=4096 dtype=bf16"), 4096.0 / 3, 1e-15);
}

static void test_published_attention(void **state)
{
    (void)state;
    /* O11: 4 x 64 x 16 x 1024^2 x 64. */
    assert_close(count("attention b=64 h=16 s=1024 d=64 dtype=bf16").flop, 274877906944.0,
                 0);
    /* O13: 1418.72 TFLOP/s over 0.775 ms, causal counted as half. */
    assert_close(count("attention b=4 h=16 s=8192 d=128 dtype=bf16").flop / 1.433e-3,
                 1534.56e12, 1e-3);
    assert_close(
        count("attention b=4 h=16 s=8192 d=128 causal=1 pairs=half dtype=bf16").flop /
            0.775e-3,
        1418.72e12, 1e-3);
    /* O14: 4 x 2 x 32 x 2048^2 x 64 at H20's 148 TFLOP/s. */
    assert_close(count("attention b=2 h=32 s=2048 d=64 dtype=bf16").flop / 148e12,
                 464.321e-6, 5e-3);
    /* O17: pairs 7+8+9+10 = 34 and half-square 4 x 6 + 8 = 32, 2 x (8 + 16) each. */
    assert_close(
        count("attention q_len=4 kv_len=10 h=1 d=8 dv=16 causal=1 dtype=bf16").flop, 1632,
        0);
    assert_close(count("attention q_len=4 kv_len=10 h=1 d=8 dv=16 causal=1 pairs=half "
                       "dtype=bf16")
                     .flop,
                 1536, 0);
    /* O19. */
    assert_close(count("attention b=1 h=12 s=64 d=64 dtype=bf16").flop, 12582912, 0);
    /* Decode: 4 b h L d over 2 b h_kv L d s: 2 h / (h_kv s) = 8, less Q and O. */
    assert_close(
        intensity("attention b=8 h=64 heads_kv=8 q_len=1 kv_len=1e6 d=128 dtype=bf16"), 8,
        1e-4);
    /* Prefill, full, length L: 4 L^2 d / (4 L d s) = L/2. */
    assert_close(intensity("attention h=16 s=2048 d=128 dtype=bf16"), 1024, 1e-15);
}

static void test_published_elementwise(void **state)
{
    (void)state;
    /* O22: the three tensors of an add, 4096 x 1024 bf16, at 8 TB/s. */
    assert_close(count("add rows=4096 cols=1024 dtype=bf16").bytes / 8e12, 3.14573e-6,
                 1e-5);
    assert_close(intensity("add n=1000 dtype=fp32"), 1.0 / 12, 1e-15);
    assert_close(count("add n=1000 dtype=bf16").bytes, 6000, 0);
    assert_close(count("relu n=1000 dtype=bf16").bytes, 4000, 0);
    /* 2N - 1 over 2 x 2 N + 2 bytes tends to 1/2. */
    ridge_work work = count("dot n=1000000 dtype=bf16");
    assert_close(work.flop, 1999999, 0);
    assert_close(work.bytes, 4000002, 0);
    assert_close(intensity("dot n=1000000 dtype=bf16"), 0.5, 1e-5);
    assert_close(count("softmax rows=10 cols=100 dtype=bf16").bytes, 4000, 0);
    assert_close(count("softmax rows=10 cols=100 passes=2 dtype=bf16").bytes, 6000, 0);
    assert_close(count("softmax rows=10 cols=100 passes=3 dtype=bf16").bytes, 8000, 0);
    assert_close(count("softmax rows=10 cols=100 dtype=bf16").flop, 4000, 0);
    assert_close(count("softmax rows=10 cols=100 dtype=bf16").special, 1000, 0);
    /* rmsnorm of 2 rows of 3: 2 x 6 x 2 B, and the weight. */
    assert_close(count("rmsnorm rows=2 cols=3 dtype=bf16").bytes, 30, 0);
    /* 2 B in, 1 B out. */
    assert_close(count("quant_static_fp8 rows=10 cols=100 dtype=bf16>fp8").bytes, 3000,
                 0);
}

/* ---- What a count says besides ----------------------------------------------------- */

static void test_dtypes(void **state)
{
    (void)state;
    assert_int_equal(count("gemm m=1 n=1 k=1 dtype=fp8_block").dtype, RIDGE_FP8);
    assert_int_equal(count("gemm m=1 n=1 k=1 dtype=int4_wo").dtype, RIDGE_BF16);
    /* The narrower operand is converted to the wider. */
    assert_int_equal(count("gemm m=1 n=1 k=1 dtype=bf16 dtype_b=fp8").dtype, RIDGE_BF16);
    assert_int_equal(count("gemm m=1 n=1 k=1 dtype=fp8 dtype_b=bf16").dtype, RIDGE_BF16);
    assert_int_equal(count("gemm m=1 n=1 k=1 dtype=fp64").accumulator, RIDGE_FP64);
    assert_int_equal(count("gemm m=1 n=1 k=1 dtype=fp16 dtype_acc=fp16").accumulator,
                     RIDGE_FP16);
    assert_int_equal(count("gemm m=1 n=1 k=1 dtype=fp32").pipe, RIDGE_PIPE_ANY);
    assert_int_equal(count("gemm m=1 n=1 k=1 dtype=fp32 pipe=vector").pipe, RIDGE_VECTOR);
    assert_int_equal(count("add n=1 dtype=fp32").pipe, RIDGE_VECTOR);
    assert_int_equal(count("custom flop=1 bytes=1").dtype, RIDGE_DTYPE_COUNT);
    /* int4 weights: half a byte; a bf16 activation of 2 B. */
    ridge_work work = count("gemm m=1 n=100 k=100 dtype=int4_wo");
    assert_close(work.operand_bytes[0], 200, 0);
    assert_close(work.operand_bytes[1], 5000, 0);
    assert_close(work.operand_bytes[2], 200, 0);
}

static void test_misaligned(void **state)
{
    (void)state;
    /* 16 bytes are 8 elements of bf16, 16 of fp8, 32 of nvfp4. */
    assert_int_equal(count("gemm m=7 n=8 k=8 dtype=bf16").warnings, 0);
    assert_int_equal(count("gemm m=8 n=8 k=12 dtype=bf16").warnings,
                     RIDGE_WARNING_MISALIGNED);
    assert_int_equal(count("gemm m=8 n=12 k=8 dtype=bf16").warnings,
                     RIDGE_WARNING_MISALIGNED);
    assert_int_equal(count("gemm m=8 n=8 k=24 dtype=fp8").warnings,
                     RIDGE_WARNING_MISALIGNED);
    assert_int_equal(count("gemm m=8 n=8 k=32 dtype=nvfp4").warnings, 0);
    assert_int_equal(count("gemm m=8 n=8 k=16 dtype=nvfp4").warnings,
                     RIDGE_WARNING_MISALIGNED);
    assert_int_equal(count("gemm m=8 n=7 k=7 dtype=fp32").warnings, 0);
    assert_int_equal(count("attention s=8 h=1 d=100 dtype=bf16").warnings,
                     RIDGE_WARNING_MISALIGNED);
}

static void test_beta_needs_no_memory(void **state)
{
    (void)state;
    ridge_work work = count("gemm m=8 n=8 k=8 beta=1 dtype=bf16");
    assert_close(work.bytes, 4 * 128, 0);
    assert_close(work.footprint_bytes, 3 * 128, 0);
}

static void test_custom(void **state)
{
    (void)state;
    ridge_work work = count("custom flop=10GFLOP intensity=5 dtype=fp8_block");
    assert_close(work.bytes, 2e9, 1e-15);
    assert_int_equal(work.dtype, RIDGE_FP8);
    assert_false(ridge_known(work.l2_bytes));
    assert_close(count("custom bytes=1GB intensity=5 dtype=bf16").flop, 5e9, 1e-15);
    work = count("custom flops=0 bytes=1MiB l2_bytes=4MB l1_bytes=8MB dtype=bf16");
    assert_close(work.flop, 0, 0);
    assert_close(work.bytes, 1048576, 0);
    assert_close(work.l2_bytes, 4e6, 1e-15);
    assert_close(work.l1_bytes, 8e6, 1e-15);
    assert_close(count("custom flop=1 bytes=0 dtype=bf16").bytes, 0, 0);
}

/* Where an op has no products beside, nothing is said of their dtype. */
static void test_beside_dtype(void **state)
{
    (void)state;
    assert_int_equal(count("dsa q_len=1 kv_past=99 heads=8 dtype=bf16 b=1").beside_dtype,
                     RIDGE_BF16);
    assert_int_equal(count("dsa q_len=1 kv_past=99 heads=8 dtype=bf16 gemm_dtype=fp8 b=1")
                         .beside_dtype,
                     RIDGE_FP8);
    assert_int_equal(
        count("gdn b=1 seq_len=64 k_heads=4 k_dim=64 dtype=bf16").beside_dtype,
        RIDGE_DTYPE_COUNT);
    assert_int_equal(count("gemm m=1 n=1 k=1 dtype=bf16").beside_dtype,
                     RIDGE_DTYPE_COUNT);
}

static void test_families(void **state)
{
    (void)state;
    assert_true(ridge__op_is_family("elementwise"));
    assert_false(ridge__op_is_family("gemm"));
    assert_false(ridge__op_is_family("add"));
    assert_string_equal(ridge_op_name(ridge_op_find("ln")), "layernorm");
    assert_string_equal(ridge_op_find("reduction")->name, "sum");
    assert_string_equal(ridge_op_title(ridge_op_find("add")), "a + b");
    assert_null(ridge_op_find("l"));
    assert_null(ridge_op_find(""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_formulas_of_examples),
        cmocka_unit_test(test_formulas_of_odd_calls),
        cmocka_unit_test(test_rows_complete),
        cmocka_unit_test(test_gemm_counts_loops),
        cmocka_unit_test(test_attention_mask_counts_loops),
        cmocka_unit_test(test_attention_counts_loops),
        cmocka_unit_test(test_published_gemm),
        cmocka_unit_test(test_published_attention),
        cmocka_unit_test(test_published_elementwise),
        cmocka_unit_test(test_dtypes),
        cmocka_unit_test(test_misaligned),
        cmocka_unit_test(test_beta_needs_no_memory),
        cmocka_unit_test(test_custom),
        cmocka_unit_test(test_beside_dtype),
        cmocka_unit_test(test_families),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
