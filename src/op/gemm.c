/* Matrix products: C = A B (+ C), A m x k, B k x n, `batch` of them. */
#include "op/op_priv.h"

static const ridge__param params[] = {
    [RIDGE_GEMM_M] = RIDGE__PARAM_SIZE("m", NULL, "rows of A and C (tokens of a layer)"),
    [RIDGE_GEMM_N] = RIDGE__PARAM_SIZE("n", NULL, "columns of B and C (output features)"),
    [RIDGE_GEMM_K] = RIDGE__PARAM_SIZE("k", NULL, "columns of A, rows of B: summed over"),
    [RIDGE_GEMM_BATCH] = RIDGE__PARAM_COUNT("batch", "b", 1, 1, "independent products"),
    [RIDGE_GEMM_DTYPE] = RIDGE__PARAM_DTYPE("dtype", NULL, true, RIDGE_UNKNOWN,
                                            "of A, and of B; in>out is taken: fp8>bf16"),
    [RIDGE_GEMM_DTYPE_OUT] =
        RIDGE__PARAM_DTYPE("dtype_out", NULL, false, RIDGE_UNKNOWN,
                           "of C; default: as dtype, below 16 bits bf16"),
    [RIDGE_GEMM_DTYPE_ACC] =
        RIDGE__PARAM_DTYPE("dtype_acc", NULL, false, RIDGE_UNKNOWN,
                           "of the sums; default: fp32, of fp64 fp64"),
    [RIDGE_GEMM_BETA] = RIDGE__PARAM_BOOL("beta", "1: the old C is read and added"),
    [RIDGE_GEMM_EPILOGUE] =
        RIDGE__PARAM_COUNT("epilogue", NULL, 0, 0, "further FLOP per element of C"),
    [RIDGE_GEMM_PIPE] = RIDGE__PARAM_WORD("pipe", RIDGE__PIPE_WORDS, RIDGE_PIPE_ANY,
                                          "execution units; default: the part's fastest"),
    [RIDGE_GEMM_DTYPE_B] = RIDGE__PARAM_DTYPE("dtype_b", NULL, false, RIDGE_UNKNOWN,
                                              "of B where it differs; default: dtype"),
};

static const char *const operands[] = {"a", "b", "c", "c_in"};
enum {
    A,
    B,
    C,
    C_IN
};

static double element_bytes(const ridge_call *call, size_t i)
{
    if (i == A)
        return ridge__call_bytes(call, RIDGE_GEMM_DTYPE);
    if (i == B)
        return ridge__dtype(ridge__call_dtype(call, RIDGE_GEMM_DTYPE_B))->weight_bytes;
    return ridge__call_bytes(call, RIDGE_GEMM_DTYPE_OUT);
}

/* The units multiply in the wider of the two: the narrower operand is converted. */
static ridge_dtype math_dtype(const ridge_call *call)
{
    ridge_dtype a = ridge__dtype(ridge__call_dtype(call, RIDGE_GEMM_DTYPE))->math;
    ridge_dtype b = ridge__dtype(ridge__call_dtype(call, RIDGE_GEMM_DTYPE_B))->math;
    double wide_a = ridge__dtype(a)->activation_bytes;
    double wide_b = ridge__dtype(b)->activation_bytes;
    return wide_b > wide_a ? b : a;
}

static ridge_status finish(ridge_call *call, ridge_error *err)
{
    (void)err;
    ridge__call_default(call, RIDGE_GEMM_DTYPE_B, call->arg[RIDGE_GEMM_DTYPE]);
    ridge__call_default(call, RIDGE_GEMM_DTYPE_OUT,
                        ridge__call_output(call, RIDGE_GEMM_DTYPE));
    ridge__call_default(call, RIDGE_GEMM_DTYPE_ACC,
                        (double)ridge__accumulator(math_dtype(call)));
    return RIDGE_OK;
}

static bool misaligned(const ridge_call *call, ridge_dtype math)
{
    if (math == RIDGE_FP64 || math == RIDGE_FP32)
        return false; /* no 16-byte rule: these come in pairs or alone */
    double k = call->arg[RIDGE_GEMM_K], n = call->arg[RIDGE_GEMM_N];
    return ridge__row_misaligned(k, ridge__call_dtype(call, RIDGE_GEMM_DTYPE)) ||
           ridge__row_misaligned(n, ridge__call_dtype(call, RIDGE_GEMM_DTYPE_OUT));
}

/*
 * F = 2 m n k batch + epilogue m n batch.  D = (s_a m k + s_b k n + s_c m n) batch, and
 * s_c m n once more where C is read.
 */
static ridge_status count(ridge_work *work, const ridge_call *call, ridge_error *err)
{
    (void)err;
    const double *a = call->arg;
    double m = a[RIDGE_GEMM_M], n = a[RIDGE_GEMM_N], k = a[RIDGE_GEMM_K];
    double batch = a[RIDGE_GEMM_BATCH];
    ridge_dtype math = math_dtype(call);
    work->flop = (2 * m * n * k + a[RIDGE_GEMM_EPILOGUE] * m * n) * batch;
    ridge__work_operand(work, element_bytes(call, A) * m * k * batch);
    ridge__work_operand(work, element_bytes(call, B) * k * n * batch);
    ridge__work_operand(work, element_bytes(call, C) * m * n * batch);
    if (a[RIDGE_GEMM_BETA] != 0) {
        /* The same memory as C: traffic, but no further footprint. */
        double c_bytes = work->operand_bytes[C];
        ridge__work_operand(work, c_bytes);
        work->footprint_bytes -= c_bytes;
    }
    work->dtype = (uint8_t)math;
    work->accumulator = (uint8_t)a[RIDGE_GEMM_DTYPE_ACC];
    work->pipe = (uint8_t)a[RIDGE_GEMM_PIPE];
    if (misaligned(call, math))
        work->warnings |= RIDGE_WARNING_MISALIGNED;
    return RIDGE_OK;
}

static const ridge_op ops[] = {{
    .name = "gemm",
    .aliases = "matmul mm bmm linear",
    .family = "gemm",
    .title = "matrix product, batched or not",
    .form = RIDGE_FORM_TILE,
    .params = params,
    .param_count = RIDGE_GEMM_PARAMS,
    .operands = operands,
    .operand_count = RIDGE__COUNT(operands),
    .element_bytes = element_bytes,
    .count = count,
    .finish = finish,
    .results = 1,
    .first_result = C,
    .flop_formula = "(2*{m}*{n}*{k} + {epilogue}*{m}*{n})*{batch}",
    .bytes_formula = "({sa}*{m}*{k} + {sb}*{k}*{n} + {sc}*{m}*{n}*(1 + {beta}))*{batch}",
    .growth = "cube of side N: N/3 at 2 B, grows: can become compute bound; m << n, k: "
              "m at 2 B, grows with m only",
    .not_counted = "scales of fp8 blocks, split-K partial sums, quantising the input",
    .source = "one multiply and one add per (m, n, k); each operand moved once",
    .example = "m=4096 n=4096 k=4096 dtype=bf16",
    .flop_per_element = RIDGE_UNKNOWN,
    .special_per_element = RIDGE_UNKNOWN,
}};

ridge__op_rows ridge__op_rows_gemm(void)
{
    return (ridge__op_rows){ops, RIDGE__COUNT(ops)};
}
