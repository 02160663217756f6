/* Products of a sparse matrix in compressed rows (CSR) with vectors. */
#include "op/stream_priv.h"

enum {
    INDEX_BYTES = RIDGE_STREAM_PARAMS,
    BETA,
    VECTORS,
    SPMM_PARAMS
};
#define SHARED                                                                           \
    [RIDGE_STREAM_ROWS] = RIDGE__PARAM_SIZE("rows", "m", "rows of the matrix"),          \
    [RIDGE_STREAM_COLS] = RIDGE__PARAM_COUNT("cols", "k", RIDGE_UNKNOWN, 1,              \
                                             "its columns; default: as rows"),           \
    [RIDGE_STREAM_ELEMENTS] = RIDGE__PARAM_SIZE("nnz", NULL, "elements that are not 0"), \
    RIDGE__STREAM_TYPES(RIDGE_VECTOR, "execution units; default: vector"),               \
    [INDEX_BYTES] = RIDGE__PARAM_COUNT("index_bytes", NULL, 4, 1,                        \
                                       "of a column index and of a row pointer"),        \
    [BETA] = RIDGE__PARAM_BOOL("beta", "1: the old result is read and added")
static const ridge__param spmv[] = {SHARED};
static const ridge__param spmm[] = {
    SHARED, [VECTORS] = RIDGE__PARAM_SIZE("n", "vectors", "columns of the dense matrix")};

enum {
    VALUES,
    COLUMNS,
    POINTERS,
    DENSE,
    RESULT,
    OLD
};

static double vectors(const ridge_call *call)
{
    return call->op->param_count > VECTORS ? call->arg[VECTORS] : 1;
}

/* Lines of the dense operand that some element asks for: no more than there are elements. */
static double touched(const ridge_call *call)
{
    return ridge__min(call->arg[RIDGE_STREAM_COLS], call->arg[RIDGE_STREAM_ELEMENTS]);
}

static ridge_status finish(ridge_call *call, ridge_error *err)
{
    const double *a = call->arg;
    ridge__call_default(call, RIDGE_STREAM_COLS, a[RIDGE_STREAM_ROWS]);
    ridge__call_default(call, RIDGE_STREAM_DTYPE_OUT,
                        ridge__call_output(call, RIDGE_STREAM_DTYPE));
    double most = a[RIDGE_STREAM_ROWS] * a[RIDGE_STREAM_COLS];
    if (a[RIDGE_STREAM_ELEMENTS] > most)
        return ridge__error_set(err, RIDGE_INVALID,
                                "nnz=%llu is more than the matrix of %llu x %llu has; "
                                "fewer wanted",
                                (unsigned long long)a[RIDGE_STREAM_ELEMENTS],
                                (unsigned long long)a[RIDGE_STREAM_ROWS],
                                (unsigned long long)a[RIDGE_STREAM_COLS]);
    return RIDGE_OK;
}

static double element_bytes(const ridge_call *call, size_t i)
{
    if (i == COLUMNS || i == POINTERS)
        return call->arg[INDEX_BYTES];
    return ridge__call_bytes(call, i == RESULT || i == OLD ? RIDGE_STREAM_DTYPE_OUT
                                                           : RIDGE_STREAM_DTYPE);
}

static ridge_status count(ridge_work *work, const ridge_call *call, ridge_error *err)
{
    (void)err;
    const double *a = call->arg;
    double nnz = a[RIDGE_STREAM_ELEMENTS], rows = a[RIDGE_STREAM_ROWS];
    const double elements[] = {nnz, nnz, rows + 1, touched(call) * vectors(call),
                               rows * vectors(call)};
    ridge__stream_work(work, call);
    work->flop = 2 * nnz * vectors(call);
    for (size_t i = 0; i < RIDGE__COUNT(elements); i++)
        ridge__work_operand(work, elements[i] * element_bytes(call, i));
    if (a[BETA] != 0) {
        double kept = work->footprint_bytes;
        ridge__work_operand(work, work->operand_bytes[RESULT]);
        work->footprint_bytes = kept;
    }
    return RIDGE_OK;
}

static double symbol(const ridge_call *call, const char *name, size_t size)
{
    return ridge__text_is("touched", name, size) ? touched(call) : RIDGE_UNKNOWN;
}

static const char *const operands[] = {"values", "columns", "pointers", "x", "y", "y_in"};

#define ROW(key, list)                                                              \
    .name = (key), .family = "sparse", .form = RIDGE_FORM_STREAM, .params = (list), \
    .param_count = RIDGE__COUNT(list), .operands = operands,                        \
    .operand_count = RIDGE__COUNT(operands), .element_bytes = element_bytes,        \
    .finish = finish, .count = count, .symbol = symbol, .results = 1,               \
    .first_result = RESULT, .needs = RIDGE_NEEDS_ALL, .stand_in = "elementwise"
#define SOURCE "a product and an addition per element; touched: min(cols, nnz)"
#define MATRIX "{nnz}*({sa} + {sb}) + ({rows} + 1)*{sc}"

#define COLUMNS_USED \
    "that every column has an element, where there are as many: others are not read"
static const ridge_op ops[] = {
    {ROW("spmv", spmv), .title = "sparse matrix (CSR) times a vector",
     .flop_formula = "2*{nnz}",
     .bytes_formula = MATRIX " + {touched}*{sd} + {rows}*(1 + {beta})*{se}",
     .growth = "tends to 1/4 of fp32, 1/6 of fp64, constant: never",
     .not_counted = "x read again where it leaves the cache, partial sectors of x",
     .assumes = COLUMNS_USED, .source = SOURCE,
     .example = "rows=1e6 nnz=27e6 dtype=fp64"},
    {ROW("spmm", spmm), .title = "sparse matrix (CSR) times a dense matrix of n columns",
     .flop_formula = "2*{nnz}*{n}",
     .bytes_formula = MATRIX " + {n}*({touched}*{sd} + {rows}*(1 + {beta})*{se})",
     .growth =
         "n/4 of fp32 while the matrix outweighs the vectors, then nnz per row / 4: "
         "grows with n, bounded by nnz/rows",
     .not_counted = "dense rows read again where they leave the cache",
     .assumes = COLUMNS_USED, .source = SOURCE,
     .example = "rows=1e6 nnz=27e6 n=64 dtype=fp32"},
};

ridge__op_rows ridge__op_rows_sparse(void)
{
    return (ridge__op_rows){ops, RIDGE__COUNT(ops)};
}
