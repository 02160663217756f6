/*
 * Every operation against itself done by hand: loops over a small shape that count each
 * operation and each element that they touch.  A row of the table of operations without a
 * case here fails, but for the families that have tests of their own kind.
 */
#include "brute_loops.h"

/* ---- Cases ------------------------------------------------------------------------- */

typedef struct brute {
    const char *words;              /* the op and its parameters */
    double size[RIDGE_OPERAND_MAX]; /* bytes of an element of each operand */
    void (*run)(const double *arg); /* loops; NULL: `f` over all elements */
    scalar f;
    uint8_t inputs, outputs;
    bool executed; /* --count executed */
} brute;

#define BF      "dtype=bf16"
#define SHAPE_A " rows=3 cols=8 " BF
#define SHAPE_B " elements=35 dtype=fp32"
/* A function of one, two or three numbers, in two shapes and dtypes. */
#define OF_1(op, fun)                              \
    {op SHAPE_A, {2, 2}, NULL, fun, 1, 1, false},  \
    {                                              \
        op SHAPE_B, {4, 4}, NULL, fun, 1, 1, false \
    }
#define OF_2(op, fun)                                 \
    {op SHAPE_A, {2, 2, 2}, NULL, fun, 2, 1, false},  \
    {                                                 \
        op SHAPE_B, {4, 4, 4}, NULL, fun, 2, 1, false \
    }
#define OF_3(op, fun)                                    \
    {                                                    \
        op SHAPE_A, {2, 2, 2, 2}, NULL, fun, 3, 1, false \
    }
#define LOOPS(words_, run_, ...)                                \
    {                                                           \
        .words = (words_), .size = {__VA_ARGS__}, .run = (run_) \
    }
#define EXECUTED(words_, run_, ...)                                               \
    {                                                                             \
        .words = (words_), .size = {__VA_ARGS__}, .run = (run_), .executed = true \
    }

static const brute cases[] = {
    OF_2("add", f_add),
    OF_2("mul", f_mul),
    OF_2("div", f_div),
    OF_2("pow", f_pow),
    OF_1("addu", f_addu),
    OF_1("mulu", f_mulu),
    OF_1("divu", f_mulu),
    OF_1("powu", f_powu),
    OF_1("relu", f_relu),
    OF_1("gelu", f_gelu),
    OF_1("tanh", f_special),
    OF_1("exp", f_special),
    OF_1("sigmoid", f_sigmoid),
    OF_1("silu", f_silu),
    OF_2("silu_mul", f_silu_mul),
    OF_3("fma", f_fma),
    OF_2("axpy", f_axpy),
    OF_1("copy", f_same),
    {"cast rows=3 cols=8 dtype=fp32>bf16", {4, 2}, NULL, f_same, 1, 1, false},
    {"quant_static_fp8 rows=3 cols=8 dtype=bf16", {2, 1}, NULL, f_quant, 1, 1, false},
    {"dropout" SHAPE_A, {2, 2, 1}, NULL, f_dropout, 1, 2, false},
    {"dropout mask=bit" SHAPE_A, {2, 2, 1.0 / 8}, NULL, f_dropout, 1, 2, false},
    {"dropout_backward" SHAPE_A, {2, 1, 2}, NULL, f_mulu, 2, 1, false},
    {"dropout_backward mask=seed" SHAPE_A, {2, 0, 2}, NULL, f_mulu, 2, 1, false},
    OF_2("relu_backward", f_relu_backward),
    OF_2("gelu_backward", f_gelu_backward),
    OF_2("silu_backward", f_silu_backward),
    OF_2("tanh_backward", f_tanh_backward),
    OF_2("sigmoid_backward", f_sigmoid_backward),

    LOOPS("transpose rows=3 cols=7 " BF, run_transpose, 2, 2),
    LOOPS("rope" SHAPE_A, run_rope, 2, 2),
    LOOPS("elementwise elements=9 inputs=3 ops_per_element=5 dtype=fp32>bf16",
          run_generic, 4, 2),
    LOOPS("fill" SHAPE_A, run_fill, 2),
    LOOPS("copy_strided elements=16 stride=3 dtype=fp32", run_strided, 1, 4),
    LOOPS("copy_strided elements=16 stride=8 dtype=fp32", run_strided, 1, 4),
    LOOPS("copy_strided elements=16 stride=11 dtype=fp32", run_strided, 1, 4),
    LOOPS("mhc_pre rows=3 cols=12 dtype=bf16>fp32", run_mhc_pre, 2, 4),
    LOOPS("mhc_pre rows=2 cols=10 streams=2 " BF, run_mhc_pre, 2, 2),
    LOOPS("mhc_post rows=3 cols=12 dtype=bf16>fp32", run_mhc_post, 2, 2, 4),

    LOOPS("rmsnorm rows=3 cols=7 " BF, run_rmsnorm, 2, 2, 2),
    LOOPS("rmsnorm rows=2 cols=5 dtype=bf16>fp8", run_rmsnorm, 2, 2, 1),
    LOOPS("rmsnorm_qk rows=4 cols=7 " BF, run_rmsnorm_qk, 2, 2, 2),
    LOOPS("rmsnorm_residual rows=3 cols=7 dtype=fp32>bf16", run_rmsnorm_residual, 4, 4, 4,
          2, 2),
    LOOPS("layernorm rows=3 cols=7 " BF, run_layernorm, 2, 2, 2, 2),
    LOOPS("softmax rows=3 cols=7 " BF, run_softmax, 2, 2),
    LOOPS("softmax rows=3 cols=7 passes=3 dtype=fp32", run_softmax, 4, 4),
    LOOPS("sum rows=3 cols=7 " BF, run_sum, 2, 2),
    LOOPS("sum elements=20 dtype=fp32", run_sum, 4, 4),
    LOOPS("dot rows=3 cols=7 " BF, run_dot, 2, 2, 2),
    LOOPS("dot elements=20 dtype=fp32", run_dot, 4, 4, 4),

    LOOPS("embedding rows=9 cols=5 unique=4 vocab=6 " BF, run_embedding, 2, 4, 2),
    LOOPS("embedding rows=9 cols=5 vocab=6 dtype=fp32", run_embedding, 4, 4, 4),
    LOOPS("embedding rows=9 cols=5 dtype=fp32", run_embedding, 4, 4, 4),
    LOOPS("scatter_rows rows=9 cols=5 unique=4 " BF, run_scatter, 2, 4, 2),
    LOOPS("scatter_add_rows rows=9 cols=5 unique=4 dtype=bf16>fp32", run_scatter_add, 2,
          4, 4, 4),
    LOOPS("histogram elements=50 bins=9 dtype=int8", run_histogram, 1, 4),

    LOOPS("quant_token_fp8 rows=3 cols=7 " BF, run_quant, 2, 1, 4),
    LOOPS("quant_block_fp8 rows=5 cols=300 " BF, run_quant, 2, 1, 4),
    LOOPS("quant_block_fp8 rows=5 cols=30 block=8 block_rows=2 dtype=fp32", run_quant, 4,
          1, 4),
    LOOPS("quant_mxfp8 rows=3 cols=70 " BF, run_quant, 2, 1, 1),
    LOOPS("quant_nvfp4 rows=3 cols=40 " BF, run_quant, 2, 0.5, 1),
    LOOPS("quant_mxfp4 rows=3 cols=70 dtype=fp32", run_quant, 4, 0.5, 1),
    LOOPS("quant_token_int8 rows=3 cols=7 " BF, run_quant, 2, 1, 4),
    LOOPS("dequantise rows=3 cols=40 dtype=nvfp4", run_dequant, 0.5, 1, 2),
    LOOPS("dequantise rows=3 cols=300 dtype=int4_wo", run_dequant, 0.5, 2, 2),
    LOOPS("dequantise rows=3 cols=300 dtype=fp8_block>fp32", run_dequant, 1, 4, 4),
    LOOPS("dequantise rows=3 cols=40 dtype=fp8", run_dequant, 1, 4, 2),

    LOOPS("top_k rows=3 cols=20 k=4 " BF, run_top_k, 2, 2, 4),
    LOOPS("argmax rows=3 cols=20 " BF, run_argmax, 2, 4),
    LOOPS("sampling rows=3 cols=20 dtype=fp32", run_sampling, 4, 4),
    LOOPS("sampling rows=3 cols=20 passes=2 " BF, run_sampling, 2, 4),
    LOOPS("cross_entropy rows=3 cols=20 " BF, run_loss, 2, 4, 4),
    LOOPS("cross_entropy rows=3 cols=20 passes=2 " BF, run_loss, 2, 4, 4),
    LOOPS("cross_entropy_backward rows=3 cols=20 " BF, run_loss_backward, 2, 4, 2),
    LOOPS("cross_entropy_fused rows=3 cols=20 " BF, run_loss_fused, 2, 4, 2, 4),
    LOOPS("cross_entropy_fused rows=3 cols=20 passes=2 " BF, run_loss_fused, 2, 4, 2, 4),

    LOOPS("silu_mul_backward rows=3 cols=7 " BF, run_silu_mul_backward, 2, 2, 2, 2, 2),
    LOOPS("softmax_backward rows=3 cols=7 " BF, run_softmax_backward, 2, 2, 2),
    LOOPS("softmax_backward rows=3 cols=7 passes=2 " BF, run_softmax_backward, 2, 2, 2),
    LOOPS("rmsnorm_backward rows=3 cols=7 dtype=bf16>fp32", run_rmsnorm_backward, 2, 2, 2,
          4, 4, 4),
    LOOPS("layernorm_backward rows=3 cols=7 " BF, run_layernorm_backward, 2, 2, 2, 4, 2,
          2),
    LOOPS("adamw elements=20 " BF, run_adamw, 2, 2, 4, 4, 2),
    LOOPS("adamw elements=20 dtype=fp32", run_adamw, 4, 4, 4, 4, 4),
    LOOPS("adamw elements=20 dtype_state=bf16 " BF, run_adamw, 2, 2, 2, 2, 2),
    LOOPS("sgd_momentum rows=4 cols=5 dtype=fp32>bf16", run_sgd, 4, 2, 4, 4, 2),
    LOOPS("grad_norm elements=20 " BF, run_grad_norm, 2, 4),
    LOOPS("scan rows=3 cols=7 " BF, run_scan, 2, 2),
    LOOPS("scan elements=20 passes=2 dtype=fp32", run_scan, 4, 4),
    EXECUTED("scan rows=3 cols=16 dtype=fp32", run_scan_parallel, 4, 4),

    LOOPS("gemm m=3 n=5 k=7 batch=2 " BF, run_gemm, 2, 2, 2, 2),
    LOOPS("gemm m=3 n=5 k=8 beta=1 epilogue=2 dtype=fp8 dtype_b=int4_wo", run_gemm, 1,
          0.5, 2, 2),
    LOOPS("gemm_backward m=3 n=5 k=7 batch=2 " BF, run_gemm_backward, 2, 2, 2, 2, 2, 2),
    LOOPS("gemm_backward m=3 n=5 k=7 accumulate=1 dtype_db=fp32 " BF, run_gemm_backward,
          2, 2, 2, 2, 4, 4),

#define CONV "conv2d n=2 c=4 h=7 w=6 k=6 r=3 "
    LOOPS(CONV BF, run_conv, 2, 2, 2),
    LOOPS(CONV "padding=1 groups=2 " BF, run_conv, 2, 2, 2),
    LOOPS(CONV "s=2 stride=2 padding=1 dtype=bf16>fp32", run_conv, 2, 2, 4),
    LOOPS(CONV "dilation=2 " BF, run_conv, 2, 2, 2),
    LOOPS("conv2d c=2 h=13 k=3 r=2 stride=4 " BF, run_conv, 2, 2, 2), /* gaps */
    LOOPS("conv2d c=2 h=10 k=3 r=1 stride=4 padding=2 " BF, run_conv, 2, 2, 2),
    LOOPS("conv2d c=2 h=19 k=3 r=3 stride=4 dilation=2 " BF, run_conv, 2, 2, 2),
    LOOPS("conv2d c=2 h=23 k=2 r=4 stride=6 dilation=4 padding=3 " BF, run_conv, 2, 2, 2),
    LOOPS("conv2d c=2 h=3 k=2 r=3 padding=5 stride=2 " BF, run_conv, 2, 2, 2),
    LOOPS("conv2d c=4 h=6 k=4 r=3 groups=4 dtype=fp32", run_conv, 4, 4, 4),
    EXECUTED("conv2d c=3 h=7 k=9 r=3 padding=1 " BF, run_conv_padded, 2, 2, 2),
    EXECUTED("conv2d c=4 h=6 k=4 r=3 groups=4 " BF, run_conv_padded, 2, 2, 2),
    LOOPS("conv2d_winograd n=2 c=4 h=7 k=6 r=3 padding=1 " BF, run_conv, 2, 2, 2),
    EXECUTED("conv2d_winograd n=2 c=4 h=7 k=6 r=3 padding=1 " BF, run_winograd_executed,
             2, 2, 2),
    EXECUTED("conv2d_winograd c=4 h=8 k=6 r=3 groups=2 " BF, run_winograd_executed, 2, 2,
             2),
    LOOPS("conv2d_backward n=2 c=4 h=7 k=6 r=3 padding=1 " BF, run_conv_backward, 2, 2, 2,
          2, 2),
    LOOPS("conv2d_backward c=4 h=9 w=8 k=6 r=2 stride=3 groups=2 dtype=bf16>fp32",
          run_conv_backward, 2, 2, 2, 4, 4),

    LOOPS("stencil nx=9 ny=8 nz=7 dtype=fp64", run_stencil, 8, 8),
    LOOPS("stencil nx=9 ny=8 nz=7 radius=2 boundary=ghost dtype=fp32", run_stencil, 4, 4),
    LOOPS("stencil nx=9 ny=8 shape=box radius=2 boundary=ghost dtype=fp32", run_stencil,
          4, 4),
    LOOPS("stencil nx=9 shape=box radius=3 dtype=fp32", run_stencil, 4, 4),
    LOOPS("stencil nx=20 nz=5 boundary=ghost dtype=fp32", run_stencil, 4, 4),

    LOOPS("fft n=16 batch=3 dtype=fp32", run_fft, 4, 4, 4),
    LOOPS("fft n=8 n2=16 batch=2 passes=2 dtype=fp64", run_fft, 8, 8, 8),
    LOOPS("fft n=16 batch=3 kind=r2c passes=3 dtype=fp32", run_fft, 4, 4, 4),
    LOOPS("fft n=32 kind=c2r dtype=fp16", run_fft, 2, 2, 2),
    EXECUTED("fft n=64 batch=3 dtype=fp32", run_fft_split, 4, 4, 4),
    EXECUTED("fft n=2 dtype=fp32", run_fft_split, 4, 4, 4),
    EXECUTED("fft n=64 batch=3 kind=r2c dtype=fp32", run_fft_split, 4, 4, 4),

    LOOPS("spmv rows=11 cols=12 nnz=50 dtype=fp64", run_spmv, 8, 4, 4, 8, 8, 8),
    LOOPS("spmv rows=11 cols=12 nnz=12 beta=1 index_bytes=8 dtype=fp32", run_spmv, 4, 8,
          8, 4, 4, 4),
    LOOPS("spmm rows=11 cols=12 nnz=50 n=3 dtype=fp32", run_spmm, 4, 4, 4, 4, 4, 4),
};

/* Families whose counts are held to loops elsewhere: test_op.c, test_op_*.c. */
static const char *const elsewhere[] = {
    "attention",
    "mla",
    "moe",
    "collective",
    "linear_attention",
    "custom",
    "moe_comm",
    "attention_backward",
    "grouped_gemm",
    "sparse_attention",
};

/* ---- Checking ---------------------------------------------------------------------- */

/* A finished call from "op key=value ...". */
static ridge_call make(const char *words)
{
    char text[256], *next = text;
    ridge_call call;
    ridge_error err = {0};
    snprintf(text, sizeof text, "%s", words);
    for (bool first = true; next; first = false) {
        char *word = next;
        next = strchr(word, ' ');
        if (next)
            *next++ = '\0';
        char *value = strchr(word, '=');
        if (value)
            *value++ = '\0';
        if (first ? ridge_call_init(&call, word, &err)
                  : ridge_call_set(&call, word, value, &err))
            fail_msg("%s: %s: %s", words, err.where, err.message);
    }
    if (ridge_call_finish(&call, &err))
        fail_msg("%s: %s", words, err.message);
    return call;
}

static void same(const char *words, const char *what, double says, double counted_)
{
    if (fabs(says - counted_) > 1e-12 * fabs(counted_))
        fail_msg("%s: %s is %.12g, loops find %.12g", words, what, says, counted_);
}

static void check(const brute *b)
{
    ridge_call call = make(b->words);
    ridge_work work;
    call.executed = b->executed;
    assert_int_equal(ridge_op_count(&work, &call, NULL), RIDGE_OK);
    tally *t = brute_tally();
    memset(t, 0, sizeof *t);
    if (b->run)
        b->run(call.arg);
    else
        apply(call.arg, b->f, b->inputs, b->outputs);
    same(b->words, "FLOP", work.flop, t->flop);
    same(b->words, "special", work.special, t->special);
    for (size_t i = 0; i < RIDGE_OPERAND_MAX; i++) {
        char what[32];
        snprintf(what, sizeof what, "bytes of operand %zu", i);
        double says = i < work.operand_count ? work.operand_bytes[i] : 0;
        same(b->words, what, says, t->of[i].moved * b->size[i]);
    }
}

static void counts_are_those_of_loops(void **state)
{
    (void)state;
    for (size_t i = 0; i < RIDGE__COUNT(cases); i++)
        check(&cases[i]);
}

static bool has_case(const char *name)
{
    size_t size = strlen(name);
    for (size_t i = 0; i < RIDGE__COUNT(cases); i++)
        if (strncmp(cases[i].words, name, size) == 0 && cases[i].words[size] == ' ')
            return true;
    return false;
}

static void every_row_has_a_case(void **state)
{
    (void)state;
    const ridge_op *op;
    for (size_t i = 0; (op = ridge_op_at(i)) != NULL; i++) {
        bool other = false;
        for (size_t k = 0; k < RIDGE__COUNT(elsewhere); k++)
            other = other || strcmp(op->family, elsewhere[k]) == 0;
        if (!other && !has_case(op->name))
            fail_msg("%s (family %s) is not held to loops", op->name, op->family);
    }
}

/* A transform that skips the trivial products does less than the convention says. */
static void convention_exceeds_split_radix(void **state)
{
    (void)state;
    ridge_call call = make("fft n=1024 dtype=fp32");
    ridge_work model, executed;
    assert_int_equal(ridge_op_count(&model, &call, NULL), RIDGE_OK);
    call.executed = true;
    assert_int_equal(ridge_op_count(&executed, &call, NULL), RIDGE_OK);
    assert_close(model.flop, 51200, 0);    /* 5 x 1024 x 10 */
    assert_close(executed.flop, 34824, 0); /* 4 x 1024 x 10 - 6 x 1024 + 8 */
}

/* What an op really executes it can do: its floor asks for no more. */
static void no_floor_is_above_what_is_executed(void **state)
{
    (void)state;
    size_t seen = 0;
    for (size_t i = 0; i < RIDGE__COUNT(cases); i++) {
        if (!cases[i].executed)
            continue;
        ridge_call call = make(cases[i].words);
        ridge_work model, executed;
        assert_int_equal(ridge_op_count(&model, &call, NULL), RIDGE_OK);
        call.executed = true;
        assert_int_equal(ridge_op_count(&executed, &call, NULL), RIDGE_OK);
        double least = ridge_known(model.least_flop) ? model.least_flop : model.flop;
        if (least > executed.flop)
            fail_msg("%s: the floor takes %.12g FLOP, %.12g are executed", cases[i].words,
                     least, executed.flop);
        seen++;
    }
    assert_true(seen > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_those_of_loops),
        cmocka_unit_test(every_row_has_a_case),
        cmocka_unit_test(convention_exceeds_split_radix),
        cmocka_unit_test(no_floor_is_above_what_is_executed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
