/* Gradients of what streams: activations, softmax, norms.  Each operand once. */
#include "op/stream_priv.h"

#define plain  ridge__stream_params
#define SAMPLE "rows=4096 cols=4096 dtype=bf16"

static const char *const of_input[] = {"dy", "x", "dx"};
static const char *const of_output[] = {"dy", "y", "dx"};
static const ridge__share one_shares[] = {RIDGE__ALL_IN, RIDGE__ALL_IN, RIDGE__ALL_OUT};

static const char *const gated[] = {"dy", "gate", "up", "dgate", "dup"};
static const ridge__share gated_shares[] = {RIDGE__ALL_IN, RIDGE__ALL_IN, RIDGE__ALL_IN,
                                            RIDGE__ALL_OUT, RIDGE__ALL_OUT};

/* The statistics of a row are what the forward pass kept: 4 bytes each. */
static const char *const rms[] = {"dy", "x", "weight", "rstd", "dx", "dweight"};
static const ridge__share rms_shares[] = {
    RIDGE__ALL_IN,   RIDGE__ALL_IN,  RIDGE__WEIGHT,
    RIDGE__ROW_WORD, RIDGE__ALL_OUT, {.cols = 1, .of = RIDGE__OF_OUT}};
static const char *const layer[] = {"dy",         "x",  "weight",
                                    "mean, rstd", "dx", "dweight, dbias"};
static const ridge__share layer_shares[] = {
    RIDGE__ALL_IN,  RIDGE__ALL_IN,
    RIDGE__WEIGHT,  {.rows = 2, .of = RIDGE__OF_WORD},
    RIDGE__ALL_OUT, {.cols = 2, .of = RIDGE__OF_OUT}};

enum {
    PASSES = RIDGE_STREAM_PARAMS
};
static const ridge__param with_passes[] = {
    RIDGE__STREAM_VECTOR,
    [PASSES] = RIDGE__PASSES("reads of the row: 1 on chip, 2 where it does not fit"),
};
static const ridge__share softmax_shares[] = {
    {.elements = 1, .of = RIDGE__OF_IN, .times = PASSES},
    {.elements = 1, .of = RIDGE__OF_IN, .times = PASSES},
    RIDGE__ALL_OUT};

#define TRANSCENDENTAL "what the special-function unit does (its own term)"
#define PARTIAL        "partial sums of dweight, one a block, and the kernel that adds them"

/* name, title, operands, FLOP, special, FLOP as text, intensity, source. */
#define ACTIVATION(key, text, names, flop, special, formula, grows, from)               \
    {                                                                                   \
        RIDGE__SHARE_ROW(key, "backward", plain, names, one_shares, 1),                 \
            .title = (text), .finish = ridge__stream_finish, .flop_formula = (formula), \
            .bytes_formula = "{elements}*({sa} + {sb} + {sc})", .growth = (grows),      \
            .not_counted = (special) ? TRANSCENDENTAL : "", .source = (from),           \
            .example = SAMPLE, .flop_per_element = (flop),                              \
            .special_per_element = (special), .stand_in = "elementwise"                 \
    }

static const ridge_op ops[] = {
    ACTIVATION("relu_backward", "dx = dy where x > 0", of_input, 1, 0, "{elements}",
               "1/6 at 2 B, constant: never", "one comparison per element"),
    ACTIVATION("gelu_backward", "gradient of gelu in its tanh form", of_input, 17, 1,
               "17*{elements}", "17/6 at 2 B, constant: never",
               "x^2, the cubic (4), its slope (3), 1 - t^2 (2), 0.5 (1 + t) (2), x s c "
               "0.5 (3), their sum, times dy: 17"),
    ACTIVATION("silu_backward", "gradient of x sigmoid(x)", of_input, 6, 2,
               "6*{elements}", "1 at 2 B, constant: never",
               "dy s (1 + x (1 - s)), and 1 + e of s: 6 per element"),
    ACTIVATION("tanh_backward", "dx = dy (1 - y^2)", of_output, 3, 0, "3*{elements}",
               "1/2 at 2 B, constant: never", "square, subtract, scale: 3 per element"),
    ACTIVATION("sigmoid_backward", "dx = dy y (1 - y)", of_output, 3, 0, "3*{elements}",
               "1/2 at 2 B, constant: never", "subtract and two products per element"),
    {RIDGE__SHARE_ROW("silu_mul_backward", "backward", plain, gated, gated_shares, 2),
     .title = "gradients of silu(gate) * up, s made again",
     .finish = ridge__stream_finish, .flop_formula = "9*{elements}",
     .bytes_formula = "{elements}*({sa} + {sb} + {sc} + {sd} + {se})",
     .growth = "9/10 at 2 B, constant: never", .not_counted = TRANSCENDENTAL,
     .source = "1 + e; gate s; times dy; s (1 + gate (1 - s)) (4); dy up times it (2): 9",
     .example = SAMPLE, .flop_per_element = 9, .special_per_element = 2,
     .stand_in = "silu_mul"},
    {RIDGE__SHARE_ROW("softmax_backward", "backward", with_passes, of_output,
                      softmax_shares, 1),
     .needs = RIDGE_NEEDS_ROW, .title = "dx = y (dy - sum(dy y)), along rows",
     .finish = ridge__row_finish, .flop_formula = "4*{elements}",
     .bytes_formula = "{elements}*({passes}*({sa} + {sb}) + {sc})",
     .growth = "2/3 at 2 B in one pass, constant: never", .not_counted = "",
     .source = "product, sum, subtract, product: 4 per element", .example = SAMPLE,
     .flop_per_element = 4, .stand_in = "softmax"},
    {RIDGE__SHARE_ROW("rmsnorm_backward", "backward", plain, rms, rms_shares, 2),
     .needs = RIDGE_NEEDS_ROW, .title = "gradients of rmsnorm: of x and of the weight",
     .finish = ridge__row_finish, .flop_formula = "9*{elements}",
     .bytes_formula = "{elements}*({sa} + {sb} + {se}) + {cols}*({sc} + {sf}) + "
                      "{rows}*{sd}",
     .growth = "3/2 at 2 B, constant: never", .not_counted = PARTIAL,
     .source = "h = x rstd; dweight += dy h (2); g = dy w; sum g h (2); (g - h c) rstd "
               "(3): 9 per element",
     .example = SAMPLE, .flop_per_element = 9, .stand_in = "rmsnorm"},
    {RIDGE__SHARE_ROW("layernorm_backward", "backward", plain, layer, layer_shares, 2),
     .needs = RIDGE_NEEDS_ROW, .title = "gradients of layernorm: of x, weight and bias",
     .finish = ridge__row_finish, .flop_formula = "13*{elements}",
     .bytes_formula = "{elements}*({sa} + {sb} + {se}) + {cols}*({sc} + 2*{sf}) + "
                      "2*{rows}*{sd}",
     .growth = "13/6 at 2 B, constant: never", .not_counted = PARTIAL,
     .source = "h = (x - mean) rstd (2); dweight (2), dbias; g = dy w; sum g, sum g h "
               "(3); (g - c - h d) rstd (4): 13 per element",
     .example = SAMPLE, .flop_per_element = 13, .stand_in = "layernorm"},
};

ridge__op_rows ridge__op_rows_backward(void)
{
    return (ridge__op_rows){ops, RIDGE__COUNT(ops)};
}
