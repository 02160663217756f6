/* Gradients of a matrix product C = A B: dA = dC B^T and dB = A^T dC, `batch` of them. */
#include "op/op_priv.h"

enum { /* the first places are those of a gemm */
    DTYPE_DB = RIDGE_GEMM_DTYPE_ACC + 1,
    ACCUMULATE,
    PIPE,
    PARAMS
};
#define M         RIDGE_GEMM_M
#define N         RIDGE_GEMM_N
#define K         RIDGE_GEMM_K
#define BATCH     RIDGE_GEMM_BATCH
#define DTYPE     RIDGE_GEMM_DTYPE
#define DTYPE_OUT RIDGE_GEMM_DTYPE_OUT
#define DTYPE_ACC RIDGE_GEMM_DTYPE_ACC

static const ridge__param params[] = {
    [M] = RIDGE__PARAM_SIZE("m", NULL, "rows of A and C (tokens of a layer)"),
    [N] = RIDGE__PARAM_SIZE("n", NULL, "columns of B and C (output features)"),
    [K] = RIDGE__PARAM_SIZE("k", NULL, "columns of A, rows of B (input features)"),
    [BATCH] = RIDGE__PARAM_COUNT("batch", "b", 1, 1, "independent products"),
    [DTYPE] = RIDGE__PARAM_DTYPE("dtype", NULL, true, RIDGE_UNKNOWN, "of A, B and dC"),
    [DTYPE_OUT] = RIDGE__PARAM_DTYPE("dtype_out", NULL, false, RIDGE_UNKNOWN,
                                     "of dA; default: as dtype, below 16 bits bf16"),
    [DTYPE_ACC] = RIDGE__PARAM_DTYPE("dtype_acc", NULL, false, RIDGE_UNKNOWN,
                                     "of the sums; default: fp32, of fp64 fp64"),
    [DTYPE_DB] =
        RIDGE__PARAM_DTYPE("dtype_db", NULL, false, RIDGE_UNKNOWN,
                           "of dB, the weight's gradient; default: as dtype_out"),
    [ACCUMULATE] = RIDGE__PARAM_BOOL(
        "accumulate", "1: the old dB is read and added, over micro-batches"),
    [PIPE] = RIDGE__PARAM_WORD("pipe", RIDGE__PIPE_WORDS, RIDGE_PIPE_ANY,
                               "execution units; default: the part's fastest"),
};

enum {
    A,
    B,
    DC,
    DA,
    DB,
    DB_IN
};
static const char *const operands[] = {"a", "b", "dc", "da", "db", "db_in"};

static double element_bytes(const ridge_call *call, size_t i)
{
    if (i < DA)
        return ridge__call_bytes(call, DTYPE);
    return ridge__call_bytes(call, i == DA ? (size_t)DTYPE_OUT : (size_t)DTYPE_DB);
}

static ridge_status finish(ridge_call *call, ridge_error *err)
{
    (void)err;
    ridge_dtype math = ridge__dtype(ridge__call_dtype(call, DTYPE))->math;
    ridge__call_default(call, DTYPE_OUT, ridge__call_output(call, DTYPE));
    ridge__call_default(call, DTYPE_DB, call->arg[DTYPE_OUT]);
    ridge__call_default(call, DTYPE_ACC, (double)ridge__accumulator(math));
    return RIDGE_OK;
}

/* F = 2 x 2 m n k batch; every operand once, dC too, though both products read it. */
static ridge_status count(ridge_work *work, const ridge_call *call, ridge_error *err)
{
    (void)err;
    const double *a = call->arg;
    double m = a[M], n = a[N], k = a[K], batch = a[BATCH];
    const double elements[] = {m * k, k * n, m * n, m * k, k * n};
    ridge_dtype dtype = ridge__call_dtype(call, DTYPE);
    work->flop = 4 * m * n * k * batch;
    for (size_t i = 0; i < RIDGE__COUNT(elements); i++)
        ridge__work_operand(work, elements[i] * batch * element_bytes(call, i));
    if (a[ACCUMULATE] != 0) {
        double kept = work->footprint_bytes;
        ridge__work_operand(work, work->operand_bytes[DB]);
        work->footprint_bytes = kept;
    }
    work->dtype = (uint8_t)ridge__dtype(dtype)->math;
    work->accumulator = (uint8_t)a[DTYPE_ACC];
    work->pipe = (uint8_t)a[PIPE];
    bool wide = ridge__call_bytes(call, DTYPE) > 2;
    if (!wide && (ridge__row_misaligned(k, dtype) || ridge__row_misaligned(n, dtype)))
        work->warnings |= RIDGE_WARNING_MISALIGNED;
    return RIDGE_OK;
}

static bool product(ridge__product *out, const ridge_call *call, size_t i)
{
    const double *a = call->arg;
    double m = a[M], n = a[N], k = a[K], old = 1 + a[ACCUMULATE];
    double in = element_bytes(call, A);
    if (i == 0) {
        double da = element_bytes(call, DA);
        *out = (ridge__product){.m = m, .n = k, .k = n, .element = {in, in, da}};
        out->bytes[2] = m * k * da;
    } else if (i == 1) {
        double db = element_bytes(call, DB);
        *out = (ridge__product){.m = k, .n = n, .k = m, .element = {in, in, db}};
        out->bytes[2] = k * n * db * old;
    } else {
        return false;
    }
    out->batch = a[BATCH];
    out->bytes[0] = out->m * out->k * in;
    out->bytes[1] = out->k * out->n * in;
    return true;
}

static const ridge_op ops[] = {{
    .name = "gemm_backward",
    .aliases = "linear_backward",
    .family = "backward",
    .title = "gradients of a matrix product: dA = dC B^T, dB = A^T dC",
    .form = RIDGE_FORM_TILE,
    .params = params,
    .param_count = PARAMS,
    .operands = operands,
    .operand_count = RIDGE__COUNT(operands),
    .element_bytes = element_bytes,
    .count = count,
    .finish = finish,
    .product = product,
    .results = 2,
    .first_result = DA,
    .flop_formula = "2*(2*{m}*{n}*{k})*{batch}",
    .bytes_formula =
        "({m}*{k}*({sa} + {sd}) + {k}*{n}*({sb} + {se}*(1 + {accumulate})) + "
        "{m}*{n}*{sc})*{batch}",
    .growth = "cube of side N: 2 N/5 at 2 B, grows: can become compute bound",
    .not_counted = "dC read by both products; the forward product where it is made again "
                   "(gemm)",
    .source =
        "two products of the forward one's size; one alone is a gemm with its sizes "
        "turned: m=m n=k k=n, and m=k n=n k=m",
    .example = "m=8192 n=4096 k=4096 dtype=bf16",
    .flop_per_element = RIDGE_UNKNOWN,
    .special_per_element = RIDGE_UNKNOWN,
    .stand_in = "gemm",
}};

ridge__op_rows ridge__op_rows_gemm_backward(void)
{
    return (ridge__op_rows){ops, RIDGE__COUNT(ops)};
}
