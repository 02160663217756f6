/* Operations along a row: norms, softmax, sums, dot products. */
#include "op/stream_priv.h"

#define plain ridge__stream_params

static const char *const norm[] = {"x", "weight", "out"};
static const char *const layernorm[] = {"x", "weight", "bias", "out"};
static const char *const residual[] = {"x", "residual", "weight", "out_residual", "out"};
static const char *const one[] = {"x", "out"};
static const char *const two[] = {"a", "b", "out"};

static ridge_status count_rmsnorm(ridge_work *work, const ridge_call *call,
                                  ridge_error *err)
{
    (void)err;
    double elements = ridge__stream_elements(call);
    ridge__stream_work(work, call);
    ridge__stream_operand(work, call, 0, elements);
    ridge__stream_operand(work, call, 1, call->arg[RIDGE_STREAM_COLS]);
    ridge__stream_operand(work, call, 2, elements);
    return RIDGE_OK;
}

/* Two weights, of queries and of keys: cols is the head dimension. */
static ridge_status count_rmsnorm_qk(ridge_work *work, const ridge_call *call,
                                     ridge_error *err)
{
    (void)err;
    double elements = ridge__stream_elements(call);
    ridge__stream_work(work, call);
    ridge__stream_operand(work, call, 0, elements);
    ridge__stream_operand(work, call, 1, 2 * call->arg[RIDGE_STREAM_COLS]);
    ridge__stream_operand(work, call, 2, elements);
    return RIDGE_OK;
}

static ridge_status count_rmsnorm_residual(ridge_work *work, const ridge_call *call,
                                           ridge_error *err)
{
    (void)err;
    double elements = ridge__stream_elements(call);
    ridge__stream_work(work, call);
    ridge__stream_operand(work, call, 0, elements);
    ridge__stream_operand(work, call, 1, elements);
    ridge__stream_operand(work, call, 2, call->arg[RIDGE_STREAM_COLS]);
    ridge__stream_operand(work, call, 3, elements);
    ridge__stream_operand(work, call, 4, elements);
    return RIDGE_OK;
}

static ridge_status count_layernorm(ridge_work *work, const ridge_call *call,
                                    ridge_error *err)
{
    (void)err;
    double elements = ridge__stream_elements(call), cols = call->arg[RIDGE_STREAM_COLS];
    ridge__stream_work(work, call);
    ridge__stream_operand(work, call, 0, elements);
    ridge__stream_operand(work, call, 1, cols);
    ridge__stream_operand(work, call, 2, cols);
    ridge__stream_operand(work, call, 3, elements);
    return RIDGE_OK;
}

/* One pass keeps the row on chip; two and three read it again. */
enum {
    SOFTMAX_PASSES = RIDGE_STREAM_PARAMS
};
static const ridge__param softmax[] = {
    RIDGE__STREAM_VECTOR,
    [SOFTMAX_PASSES] = {.name = "passes",
                        .kind = RIDGE_PARAM_COUNT,
                        .unit = RIDGE_UNIT_COUNT,
                        .fallback = 1,
                        .min = 1,
                        .max = 3,
                        .help = "reads of the row: 1 on chip, 2 online, 3 plain"},
};

static ridge_status count_softmax(ridge_work *work, const ridge_call *call,
                                  ridge_error *err)
{
    (void)err;
    double elements = ridge__stream_elements(call);
    ridge__stream_work(work, call);
    ridge__stream_operand(work, call, 0, call->arg[SOFTMAX_PASSES] * elements);
    ridge__stream_operand(work, call, 1, elements);
    /* Reading a row again needs no further memory. */
    work->footprint_bytes =
        elements * (ridge__stream_bytes(call, 0) + ridge__stream_bytes(call, 1));
    return RIDGE_OK;
}

static ridge_status count_sum(ridge_work *work, const ridge_call *call, ridge_error *err)
{
    (void)err;
    ridge__stream_work(work, call);
    ridge__stream_operand(work, call, 0, ridge__stream_elements(call));
    ridge__stream_operand(work, call, 1, call->arg[RIDGE_STREAM_ROWS]);
    return RIDGE_OK;
}

static ridge_status count_dot(ridge_work *work, const ridge_call *call, ridge_error *err)
{
    (void)err;
    double elements = ridge__stream_elements(call), rows = call->arg[RIDGE_STREAM_ROWS];
    ridge__stream_work(work, call);
    work->flop -= rows; /* the first product of a row is not added to anything */
    ridge__stream_operand(work, call, 0, elements);
    ridge__stream_operand(work, call, 1, elements);
    ridge__stream_operand(work, call, 2, rows);
    return RIDGE_OK;
}

#define SAMPLE  "rows=4096 cols=4096 dtype=bf16"
#define PER_ROW "the root and division of each row"

static const ridge_op ops[] = {
    {RIDGE__STREAM_ROW("rmsnorm", plain, norm),
     .title = "x / rms(x) * weight, along rows", .count = count_rmsnorm,
     .finish = ridge__row_finish, .flop_formula = "4*{elements}",
     .bytes_formula = "{elements}*({sa} + {sc}) + {cols}*{sb}",
     .growth = "1 at 2 B, constant: never", .not_counted = PER_ROW,
     .source = "square and sum (2), scale, weight: 4 per element", .example = SAMPLE,
     .flop_per_element = 4},
    {RIDGE__STREAM_ROW_OF("rmsnorm_residual", plain, residual, 2),
     .title = "residual += x, then rmsnorm of it: two results",
     .count = count_rmsnorm_residual, .finish = ridge__row_finish,
     .flop_formula = "5*{elements}",
     .bytes_formula = "{elements}*({sa} + {sb} + {sd} + {se}) + {cols}*{sc}",
     .growth = "5/8 at 2 B, constant: never", .not_counted = PER_ROW,
     .source = "the addition, and 4 of rmsnorm, per element", .example = SAMPLE,
     .flop_per_element = 5},
    {RIDGE__STREAM_ROW("rmsnorm_qk", plain, norm),
     .title = "rmsnorm of every query and key head; cols is head_dim",
     .count = count_rmsnorm_qk, .finish = ridge__row_finish,
     .flop_formula = "4*{elements}",
     .bytes_formula = "{elements}*({sa} + {sc}) + 2*{cols}*{sb}",
     .growth = "1 at 2 B, constant: never", .not_counted = PER_ROW,
     .source = "as rmsnorm, with two weights",
     .example = "rows=163840 cols=128 dtype=bf16", .flop_per_element = 4},
    {RIDGE__STREAM_ROW("layernorm", plain, layernorm), .aliases = "ln",
     .title = "(x - mean) / deviation * weight + bias, along rows",
     .count = count_layernorm, .finish = ridge__row_finish,
     .flop_formula = "7*{elements}",
     .bytes_formula = "{elements}*({sa} + {sd}) + {cols}*({sb} + {sc})",
     .growth = "7/4 at 2 B, constant: never", .not_counted = PER_ROW,
     .source = "sum; subtract; square and sum (2); scale; weight; bias: 7 per element",
     .example = SAMPLE, .flop_per_element = 7},
    {RIDGE__STREAM_ROW("softmax", softmax, one),
     .title = "exp(x - max) / sum, along rows", .count = count_softmax,
     .finish = ridge__row_finish, .flop_formula = "4*{elements}",
     .bytes_formula = "{elements}*({passes}*{sa} + {sb})",
     .growth = "1 at 2 B in one pass, constant: never",
     .not_counted = "exponentials (their own term)",
     .source = "maximum, subtract, sum, scale: 4 per element", .example = SAMPLE,
     .flop_per_element = 4, .special_per_element = 1},
    {RIDGE__STREAM_ROW("sum", plain, one), .aliases = "reduction",
     .title = "sum along rows; of elements alone, to one number", .count = count_sum,
     .finish = ridge__stream_finish, .flop_formula = "{elements}",
     .bytes_formula = "{elements}*{sa} + {rows}*{sb}",
     .growth = "1/2 at 2 B, constant: never", .not_counted = "partial sums of blocks",
     .source = "one addition per element, the first to zero",
     .example = "elements=1e8 dtype=bf16", .flop_per_element = 1},
    {RIDGE__STREAM_ROW("dot", plain, two),
     .title = "dot product along rows; of elements alone, one number", .count = count_dot,
     .finish = ridge__stream_finish, .flop_formula = "2*{elements} - {rows}",
     .bytes_formula = "{elements}*({sa} + {sb}) + {rows}*{sc}",
     .growth = "tends to 1/2 at 2 B, constant: never",
     .not_counted = "partial sums of blocks", .source = "n products, n - 1 additions",
     .example = "elements=1e8 dtype=bf16", .flop_per_element = 2},
};

ridge__op_rows ridge__op_rows_norm(void)
{
    return (ridge__op_rows){ops, RIDGE__COUNT(ops)};
}
