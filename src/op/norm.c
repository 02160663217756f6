/* Operations along a row: norms, softmax, sums, dot products. */
#include "op/stream_priv.h"

#define plain ridge__stream_params

static const char *const norm[] = {"x", "weight", "out"};
static const char *const layernorm[] = {"x", "weight", "bias", "out"};
static const char *const residual[] = {"x", "residual", "weight", "out_residual", "out"};
static const char *const one[] = {"x", "out"};
static const char *const two[] = {"a", "b", "out"};

static const ridge__share norm_shares[] = {RIDGE__ALL_IN, RIDGE__WEIGHT, RIDGE__ALL_OUT};
/* Two weights, of queries and of keys: cols is the head dimension. */
static const ridge__share qk_shares[] = {
    RIDGE__ALL_IN, {.cols = 2, .of = RIDGE__OF_IN}, RIDGE__ALL_OUT};
static const ridge__share residual_shares[] = {
    RIDGE__ALL_IN, RIDGE__ALL_IN, RIDGE__WEIGHT, RIDGE__ALL_OUT, RIDGE__ALL_OUT};
static const ridge__share layernorm_shares[] = {RIDGE__ALL_IN, RIDGE__WEIGHT,
                                                RIDGE__WEIGHT, RIDGE__ALL_OUT};
static const ridge__share sum_shares[] = {RIDGE__ALL_IN,
                                          {.rows = 1, .of = RIDGE__OF_OUT}};
static const ridge__share dot_shares[] = {
    RIDGE__ALL_IN, RIDGE__ALL_IN, {.rows = 1, .of = RIDGE__OF_OUT}};

/* One pass keeps the row on chip; two and three read it again. */
enum {
    SOFTMAX_PASSES = RIDGE_STREAM_PARAMS
};
static const ridge__param softmax[] = {
    RIDGE__STREAM_VECTOR,
    [SOFTMAX_PASSES] = RIDGE__PASSES("reads of the row: 1 on chip, 2 online, 3 plain"),
};
static const ridge__share softmax_shares[] = {
    {.elements = 1, .of = RIDGE__OF_IN, .times = SOFTMAX_PASSES}, RIDGE__ALL_OUT};

#define SAMPLE  "rows=4096 cols=4096 dtype=bf16"
#define PER_ROW "the root and division of each row"

static const ridge_op ops[] = {
    {RIDGE__SHARE_ROW("rmsnorm", "elementwise", plain, norm, norm_shares, 1),
     .aliases = "rms_norm", .needs = RIDGE_NEEDS_ROW,
     .title = "x / rms(x) * weight, along rows", .finish = ridge__row_finish,
     .flop_formula = "4*{elements}",
     .bytes_formula = "{elements}*({sa} + {sc}) + {cols}*{sb}",
     .growth = "1 at 2 B, constant: never", .not_counted = PER_ROW,
     .source = "square and sum (2), scale, weight: 4 per element", .example = SAMPLE,
     .flop_per_element = 4},
    {RIDGE__SHARE_ROW("rmsnorm_residual", "elementwise", plain, residual, residual_shares,
                      2),
     .needs = RIDGE_NEEDS_ROW, .title = "residual += x, then rmsnorm of it: two results",
     .finish = ridge__row_finish, .flop_formula = "5*{elements}",
     .bytes_formula = "{elements}*({sa} + {sb} + {sd} + {se}) + {cols}*{sc}",
     .growth = "5/8 at 2 B, constant: never", .not_counted = PER_ROW,
     .source = "the addition, and 4 of rmsnorm, per element", .example = SAMPLE,
     .flop_per_element = 5},
    {RIDGE__SHARE_ROW("rmsnorm_qk", "elementwise", plain, norm, qk_shares, 1),
     .needs = RIDGE_NEEDS_ROW,
     .title = "rmsnorm of every query and key head; cols is head_dim",
     .finish = ridge__row_finish, .flop_formula = "4*{elements}",
     .bytes_formula = "{elements}*({sa} + {sc}) + 2*{cols}*{sb}",
     .growth = "1 at 2 B, constant: never", .not_counted = PER_ROW,
     .source = "as rmsnorm, with two weights",
     .example = "rows=163840 cols=128 dtype=bf16", .flop_per_element = 4},
    {RIDGE__SHARE_ROW("layernorm", "elementwise", plain, layernorm, layernorm_shares, 1),
     .aliases = "ln layer_norm", .needs = RIDGE_NEEDS_ROW,
     .title = "(x - mean) / deviation * weight + bias, along rows",
     .finish = ridge__row_finish, .flop_formula = "7*{elements}",
     .bytes_formula = "{elements}*({sa} + {sd}) + {cols}*({sb} + {sc})",
     .growth = "7/4 at 2 B, constant: never", .not_counted = PER_ROW,
     .source = "sum; subtract; square and sum (2); scale; weight; bias: 7 per element",
     .example = SAMPLE, .flop_per_element = 7},
    {RIDGE__SHARE_ROW("softmax", "elementwise", softmax, one, softmax_shares, 1),
     .needs = RIDGE_NEEDS_ROW, .title = "exp(x - max) / sum, along rows",
     .finish = ridge__row_finish, .flop_formula = "4*{elements}",
     .bytes_formula = "{elements}*({passes}*{sa} + {sb})",
     .growth = "1 at 2 B in one pass, constant: never",
     .not_counted = "exponentials (their own term)",
     .source = "maximum, subtract, sum, scale: 4 per element", .example = SAMPLE,
     .flop_per_element = 4, .special_per_element = 1},
    {RIDGE__SHARE_ROW("sum", "elementwise", plain, one, sum_shares, 1),
     .aliases = "reduction reduce_sum",
     .title = "sum along rows; of elements alone, to one number",
     .finish = ridge__stream_finish, .flop_formula = "{elements}",
     .bytes_formula = "{elements}*{sa} + {rows}*{sb}",
     .growth = "1/2 at 2 B, constant: never", .not_counted = "partial sums of blocks",
     .source = "one addition per element, the first to zero",
     .example = "elements=1e8 dtype=bf16", .flop_per_element = 1},
    {RIDGE__SHARE_ROW("dot", "elementwise", plain, two, dot_shares, 1),
     .title = "dot product along rows; of elements alone, one number",
     .finish = ridge__stream_finish, .flop_formula = "2*{elements} - {rows}",
     .bytes_formula = "{elements}*({sa} + {sb}) + {rows}*{sc}",
     .growth = "tends to 1/2 at 2 B, constant: never",
     .not_counted = "partial sums of blocks", .source = "n products, n - 1 additions",
     .example = "elements=1e8 dtype=bf16", .flop_per_element = 2,
     /* The first product of a row is not added to anything. */
     .flop_per_row = -1},
};

ridge__op_rows ridge__op_rows_norm(void)
{
    return (ridge__op_rows){ops, RIDGE__COUNT(ops)};
}
