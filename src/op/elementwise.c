/* Elementwise operations, copies and casts: every element read once, written once. */
#include "op/stream_priv.h"

#include <string.h>

const ridge__param ridge__stream_params[RIDGE_STREAM_PARAMS] = {RIDGE__STREAM_VECTOR};
#define plain ridge__stream_params

/* ---- Shapes and counts of every op that streams ---------------------------------- */

static ridge_status shape_contradiction(const double *a, ridge_error *err)
{
    return ridge__error_set(err, RIDGE_INVALID,
                            "rows x cols is %llu x %llu, elements is %llu; either the "
                            "one or the other suffices",
                            (unsigned long long)a[RIDGE_STREAM_ROWS],
                            (unsigned long long)a[RIDGE_STREAM_COLS],
                            (unsigned long long)a[RIDGE_STREAM_ELEMENTS]);
}

/* The whole number of lines of `each` elements that `elements` make. */
static ridge_status divide(double *out, double elements, double each, ridge_error *err)
{
    if (fmod(elements, each) != 0)
        return ridge__error_set(err, RIDGE_INVALID,
                                "elements=%llu is not a multiple of %llu; whole rows and "
                                "columns wanted",
                                (unsigned long long)elements, (unsigned long long)each);
    *out = elements / each;
    return RIDGE_OK;
}

static ridge_status finish_shape(ridge_call *call, ridge_error *err)
{
    double *a = call->arg;
    bool rows = ridge__call_given(call, RIDGE_STREAM_ROWS);
    bool cols = ridge__call_given(call, RIDGE_STREAM_COLS);
    bool elements = ridge__call_given(call, RIDGE_STREAM_ELEMENTS);
    if (!elements && !(rows && cols))
        return ridge__error_set(err, RIDGE_INVALID,
                                "%s lacks its size; rows and cols, or elements wanted, "
                                "as in: %s %s",
                                call->op->name, call->op->name, call->op->example);
    if (rows && cols) {
        double product = a[RIDGE_STREAM_ROWS] * a[RIDGE_STREAM_COLS];
        if (elements && product != a[RIDGE_STREAM_ELEMENTS])
            return shape_contradiction(a, err);
        a[RIDGE_STREAM_ELEMENTS] = product;
        return RIDGE_OK;
    }
    if (rows)
        return divide(&a[RIDGE_STREAM_COLS], a[RIDGE_STREAM_ELEMENTS],
                      a[RIDGE_STREAM_ROWS], err);
    if (!cols)
        a[RIDGE_STREAM_COLS] = a[RIDGE_STREAM_ELEMENTS];
    return divide(&a[RIDGE_STREAM_ROWS], a[RIDGE_STREAM_ELEMENTS], a[RIDGE_STREAM_COLS],
                  err);
}

ridge_status ridge__stream_finish(ridge_call *call, ridge_error *err)
{
    ridge_status status = finish_shape(call, err);
    if (status)
        return status;
    /* A row that has an output of its own, as quantisation has, keeps it. */
    if (!ridge_known(call->arg[RIDGE_STREAM_DTYPE_OUT]))
        call->arg[RIDGE_STREAM_DTYPE_OUT] = ridge__call_output(call, RIDGE_STREAM_DTYPE);
    return RIDGE_OK;
}

ridge_status ridge__row_finish(ridge_call *call, ridge_error *err)
{
    if (!ridge__call_given(call, RIDGE_STREAM_COLS) &&
        !ridge__call_given(call, RIDGE_STREAM_ROWS))
        return ridge__error_set(err, RIDGE_INVALID,
                                "%s works along rows and lacks cols; as in: %s %s",
                                call->op->name, call->op->name, call->op->example);
    return ridge__stream_finish(call, err);
}

ridge_status ridge__grid_finish(ridge_call *call, double elements, const char *what,
                                ridge_error *err)
{
    if (ridge__call_given(call, RIDGE_STREAM_ELEMENTS) &&
        call->arg[RIDGE_STREAM_ELEMENTS] != elements)
        return ridge__error_set(err, RIDGE_INVALID,
                                "elements=%.0f is not %s, %.0f; it may be left out",
                                call->arg[RIDGE_STREAM_ELEMENTS], what, elements);
    call->arg[RIDGE_STREAM_ELEMENTS] = elements;
    ridge__call_default(call, RIDGE_STREAM_DTYPE_OUT,
                        ridge__call_output(call, RIDGE_STREAM_DTYPE));
    return RIDGE_OK;
}

double ridge__stream_bytes(const ridge_call *call, size_t operand)
{
    const ridge_op *op = call->op;
    bool result = operand >= op->operand_count - op->results;
    uint8_t of = result ? RIDGE__OF_OUT : RIDGE__OF_IN;
    if (op->shares)
        of = op->shares[operand].of;
    if (of == RIDGE__OF_WORD)
        return RIDGE__WORD_BYTES;
    return ridge__call_bytes(call, of == RIDGE__OF_OUT ? RIDGE_STREAM_DTYPE_OUT
                                                       : RIDGE_STREAM_DTYPE);
}

void ridge__stream_work(ridge_work *work, const ridge_call *call)
{
    const ridge_op *op = call->op;
    double elements = ridge__stream_elements(call), rows = call->arg[RIDGE_STREAM_ROWS];
    ridge_dtype dtype = ridge__call_dtype(call, RIDGE_STREAM_DTYPE);
    work->flop = elements * op->flop_per_element + rows * op->flop_per_row;
    work->special = elements * op->special_per_element + rows * op->special_per_row;
    work->dtype = (uint8_t)ridge__dtype(dtype)->math;
    work->accumulator = (uint8_t)ridge__accumulator((ridge_dtype)work->dtype);
    work->pipe = (uint8_t)call->arg[RIDGE_STREAM_PIPE];
}

static void share_operand(ridge_work *work, const ridge_call *call, size_t i)
{
    const ridge__share *share = &call->op->shares[i];
    double bytes = (share->elements * ridge__stream_elements(call) +
                    share->rows * call->arg[RIDGE_STREAM_ROWS] +
                    share->cols * call->arg[RIDGE_STREAM_COLS]) *
                   ridge__stream_bytes(call, i);
    double times = share->times ? call->arg[share->times] : 1;
    ridge__work_operand(work, bytes * times);
    work->footprint_bytes -= bytes * (times - 1); /* moved again, kept once */
}

ridge_status ridge__stream_count(ridge_work *work, const ridge_call *call,
                                 ridge_error *err)
{
    (void)err;
    ridge__stream_work(work, call);
    for (size_t i = 0; i < call->op->operand_count; i++) {
        if (!call->op->shares) {
            ridge__stream_operand(work, call, i, ridge__stream_elements(call));
            continue;
        }
        share_operand(work, call, i);
        if (call->op->shares[i].elements == 0 && call->op->shares[i].rows == 0)
            work->shared_bytes += work->operand_bytes[i];
    }
    return RIDGE_OK;
}

#define SAMPLE "rows=4096 cols=4096 dtype=bf16"

/* ---- Those with further parameters ------------------------------------------------- */

enum {
    GENERIC_INPUTS = RIDGE_STREAM_PARAMS,
    GENERIC_OPS
};
static const ridge__param generic[] = {
    RIDGE__STREAM_VECTOR,
    [GENERIC_INPUTS] = RIDGE__PARAM_COUNT("inputs", NULL, 1, 0, "tensors that are read"),
    [GENERIC_OPS] = {.name = "ops_per_element",
                     .kind = RIDGE_PARAM_QUANTITY,
                     .unit = RIDGE_UNIT_NONE,
                     .fallback = 1,
                     .max = 1e15,
                     .help = "FLOP per element of the result"},
};

static ridge_status count_generic(ridge_work *work, const ridge_call *call,
                                  ridge_error *err)
{
    (void)err;
    double elements = ridge__stream_elements(call);
    ridge__stream_work(work, call);
    work->flop = elements * call->arg[GENERIC_OPS];
    ridge__stream_operand(work, call, 0, elements * call->arg[GENERIC_INPUTS]);
    ridge__stream_operand(work, call, 1, elements);
    return RIDGE_OK;
}

/*
 * Manifold-constrained hyper-connections keep `streams` residual rows per token, side by
 * side in cols.  pre mixes them into one layer input; post spreads the layer's result
 * over them and mixes them among each other.
 */
enum {
    MHC_STREAMS = RIDGE_STREAM_PARAMS
};
static const ridge__param mhc[] = {
    /* Mixing with a token's coefficients is a small matrix product. */
    RIDGE__STREAM_HEAD(RIDGE_PIPE_ANY, "execution units; default: the part's fastest"),
    [MHC_STREAMS] = RIDGE__PARAM_COUNT("streams", "hc", 4, 1,
                                       "residual streams; cols is streams x hidden"),
};

static ridge_status finish_mhc(ridge_call *call, ridge_error *err)
{
    ridge_status status = ridge__row_finish(call, err);
    double cols = call->arg[RIDGE_STREAM_COLS], streams = call->arg[MHC_STREAMS];
    if (!status && fmod(cols, streams) != 0)
        return ridge__error_set(err, RIDGE_INVALID,
                                "cols=%llu is not a multiple of streams=%llu; cols is "
                                "streams x hidden",
                                (unsigned long long)cols, (unsigned long long)streams);
    return status;
}

/* 2 FLOP per element and coefficient: n*n + 2n coefficients, then the sum over
 * streams. */
static ridge_status count_mhc_pre(ridge_work *work, const ridge_call *call,
                                  ridge_error *err)
{
    (void)err;
    double elements = ridge__stream_elements(call), n = call->arg[MHC_STREAMS];
    ridge__stream_work(work, call);
    work->flop = elements * (2 * (n * n + 2 * n) + 2);
    ridge__stream_operand(work, call, 0, elements);
    ridge__stream_operand(work, call, 1, elements / n);
    return RIDGE_OK;
}

/* n products to mix the streams, and one for the layer's result, per element. */
static ridge_status count_mhc_post(ridge_work *work, const ridge_call *call,
                                   ridge_error *err)
{
    (void)err;
    double elements = ridge__stream_elements(call), n = call->arg[MHC_STREAMS];
    ridge__stream_work(work, call);
    work->flop = elements * 2 * (n + 1);
    ridge__stream_operand(work, call, 0, elements);
    ridge__stream_operand(work, call, 1, elements / n);
    ridge__stream_operand(work, call, 2, elements);
    return RIDGE_OK;
}

/* What it is for, where no output is named. */
static ridge_status finish_static(ridge_call *call, ridge_error *err)
{
    ridge__call_default(call, RIDGE_STREAM_DTYPE_OUT, RIDGE_FP8);
    return ridge__stream_finish(call, err);
}

/* A mask is kept for the way back, or made again from the seed. */
enum {
    MASK = RIDGE_STREAM_PARAMS
};
static const ridge__param dropout[] = {
    RIDGE__STREAM_VECTOR,
    [MASK] = RIDGE__PARAM_WORD("mask", "byte bit seed", 0,
                               "what is kept of it per element; seed: nothing"),
};

static double mask_bytes(const ridge_call *call)
{
    static const double bytes[] = {1, 1.0 / 8, 0};
    return bytes[(size_t)call->arg[MASK]];
}

/* x, out and mask forward; dy, mask and dx backward: the mask's place is told by results. */
static double dropout_bytes(const ridge_call *call, size_t i)
{
    bool forward = call->op->results > 1;
    if (i == (forward ? 2u : 1u))
        return mask_bytes(call);
    return ridge__call_bytes(call, i ? RIDGE_STREAM_DTYPE_OUT : RIDGE_STREAM_DTYPE);
}

static ridge_status count_dropout(ridge_work *work, const ridge_call *call,
                                  ridge_error *err)
{
    (void)err;
    ridge__stream_work(work, call);
    for (size_t i = 0; i < call->op->operand_count; i++)
        ridge__work_operand(work, ridge__stream_elements(call) * dropout_bytes(call, i));
    return RIDGE_OK;
}

#define DROPOUT(key, text, names, results_, flop, formula, grows, from)                \
    {                                                                                  \
        .name = (key), .family = "elementwise", .title = (text),                       \
        .form = RIDGE_FORM_STREAM, .params = dropout,                                  \
        .param_count = RIDGE__COUNT(dropout), .operands = (names),                     \
        .operand_count = RIDGE__COUNT(names), .element_bytes = dropout_bytes,          \
        .results = (results_), .count = count_dropout, .finish = ridge__stream_finish, \
        .flop_formula = (formula), .bytes_formula = "{elements}*({sa} + {sb} + {sc})", \
        .growth = (grows), .not_counted = "random numbers: integer operations",        \
        .source = (from), .example = SAMPLE, .flop_per_element = (flop)                \
    }
static const char *const dropped[] = {"x", "out", "mask"};
static const char *const dropped_back[] = {"dy", "mask", "dx"};

/* ---- The rows ---------------------------------------------------------------------- */

static const char *const one[] = {"x", "out"};
static const char *const two[] = {"a", "b", "out"};
static const char *const three[] = {"a", "b", "c", "out"};
static const char *const mhc_post[] = {"residual", "x", "out"};

#define NO_FLOP        "0, constant: never"
#define TRANSCENDENTAL "what the special-function unit does (its own term)"

/* name, title, FLOP and special per element, formula of FLOP, growth, not counted. */
#define UNARY(key, text, flop, special, formula, grows, omits)                 \
    {                                                                          \
        RIDGE__STREAM_ROW(key, plain, one),                                    \
            .title = (text), .count = ridge__stream_count,                     \
            .finish = ridge__stream_finish, .flop_formula = (formula),         \
            .bytes_formula = "{elements}*({sa} + {sb})", .growth = (grows),    \
            .not_counted = (omits), .source = "definition", .example = SAMPLE, \
            .flop_per_element = (flop), .special_per_element = (special)       \
    }
#define BINARY_ALSO(key, other, text, flop, special, formula, grows, omits)        \
    {                                                                              \
        RIDGE__STREAM_ROW(key, plain, two),                                        \
            .aliases = (other), .title = (text), .count = ridge__stream_count,     \
            .finish = ridge__stream_finish, .flop_formula = (formula),             \
            .bytes_formula = "{elements}*({sa} + {sb} + {sc})", .growth = (grows), \
            .not_counted = (omits), .source = "definition", .example = SAMPLE,     \
            .flop_per_element = (flop), .special_per_element = (special)           \
    }

#define BINARY(key, text, flop, special, formula, grows, omits) \
    BINARY_ALSO(key, NULL, text, flop, special, formula, grows, omits)

static const ridge_op ops[] = {
    BINARY("add", "a + b", 1, 0, "{elements}", "1/6 at 2 B, constant: never", ""),
    BINARY("mul", "a * b", 1, 0, "{elements}", "1/6 at 2 B, constant: never", ""),
    BINARY("div", "a / b", 1, 1, "{elements}", "1/6 at 2 B, constant: never",
           TRANSCENDENTAL),
    BINARY("pow", "a to the power b", 1, 2, "{elements}", "1/6 at 2 B, constant: never",
           TRANSCENDENTAL),
    UNARY("addu", "x + scalar", 1, 0, "{elements}", "1/4 at 2 B, constant: never", ""),
    UNARY("mulu", "x * scalar", 1, 0, "{elements}", "1/4 at 2 B, constant: never", ""),
    UNARY("divu", "x / scalar", 1, 0, "{elements}", "1/4 at 2 B, constant: never", ""),
    UNARY("powu", "x to a scalar power", 1, 2, "{elements}",
          "1/4 at 2 B, constant: never", TRANSCENDENTAL),
    UNARY("relu", "max(x, 0)", 1, 0, "{elements}", "1/4 at 2 B, constant: never", ""),
    UNARY("gelu", "0.5 x (1 + tanh(c (x + 0.044715 x^3)))", 8, 1, "8*{elements}",
          "2 at 2 B, constant: never", TRANSCENDENTAL),
    UNARY("tanh", "hyperbolic tangent", 0, 1, "0", NO_FLOP, TRANSCENDENTAL),
    UNARY("exp", "exponential", 0, 1, "0", NO_FLOP, TRANSCENDENTAL),
    UNARY("sigmoid", "1 / (1 + exp(-x))", 1, 2, "{elements}",
          "1/4 at 2 B, constant: never", TRANSCENDENTAL),
    UNARY("silu", "x sigmoid(x)", 2, 2, "2*{elements}", "1/2 at 2 B, constant: never",
          TRANSCENDENTAL),
    BINARY_ALSO("silu_mul", "swiglu", "silu(gate) * up: the middle of a gated MLP", 3, 2,
                "3*{elements}", "1/2 at 2 B, constant: never", TRANSCENDENTAL),
    {RIDGE__STREAM_ROW("fma", plain, three), .title = "a * b + c",
     .count = ridge__stream_count, .finish = ridge__stream_finish,
     .flop_formula = "2*{elements}",
     .bytes_formula = "{elements}*({sa} + {sb} + {sc} + {sd})",
     .growth = "1/4 at 2 B, constant: never", .not_counted = "", .source = "definition",
     .example = SAMPLE, .flop_per_element = 2},
    BINARY_ALSO("axpy", "triad stream_triad", "scalar * a + b", 2, 0, "2*{elements}",
                "1/3 at 2 B, constant: never", ""),
    UNARY("copy", "out = x", 0, 0, "0", NO_FLOP, ""),
    UNARY("transpose", "out = x transposed", 0, 0, "0", NO_FLOP,
          "bank conflicts and partial lines of a poor kernel"),
    UNARY("cast", "x in another dtype: dtype=fp32>bf16", 0, 0, "0", NO_FLOP,
          "conversions: no FLOP"),
    {RIDGE__STREAM_ROW("quant_static_fp8", plain, one),
     .title = "x / scale, clamped, to 8 bits: fp8, or dtype=bf16>int8",
     .count = ridge__stream_count, .finish = finish_static,
     .flop_formula = "3*{elements}", .bytes_formula = "{elements}*({sa} + {sb})",
     .growth = "1 from 2 B to 1 B, constant: never", .not_counted = "the one scale",
     .source = "scale, clamp (2): 3 per element", .example = SAMPLE,
     .flop_per_element = 3},
    UNARY("rope", "rotary embedding: pairs turned by an angle", 3, 0, "3*{elements}",
          "3/4 at 2 B, constant: never", "the table of angles, shared by all heads"),
    DROPOUT("dropout", "x / (1 - p) where a random number is above p, else 0", dropped, 2,
            2, "2*{elements}", "2/5 at 2 B with a byte of mask, constant: never",
            "comparison and scale: 2 per element"),
    DROPOUT("dropout_backward", "dx = dy / (1 - p) where the mask is set", dropped_back,
            1, 1, "{elements}", "1/5 at 2 B with a byte of mask, constant: never",
            "one product per element"),
    {RIDGE__STREAM_ROW("mhc_pre", mhc, one), .needs = RIDGE_NEEDS_ROW,
     .title = "hyper-connections: residual streams to one layer input",
     .count = count_mhc_pre, .finish = finish_mhc,
     .flop_formula = "{elements}*(2*({streams}*{streams} + 2*{streams}) + 2)",
     .bytes_formula = "{elements}*{sa} + {elements}/{streams}*{sb}",
     .growth = "20 at 2 B with 4 streams, constant: never",
     .not_counted = "the mixing weights, normalising their few coefficients",
     .source = "mHC (DeepSeek-AI 2025): n^2 + 2n coefficients per token",
     .example = "rows=4096 cols=28672 dtype=bf16"},
    {RIDGE__STREAM_ROW("mhc_post", mhc, mhc_post),
     .title = "hyper-connections: layer result back to the residual streams",
     .count = count_mhc_post, .finish = finish_mhc,
     .flop_formula = "{elements}*2*({streams} + 1)",
     .bytes_formula = "{elements}*({sa} + {sc}) + {elements}/{streams}*{sb}",
     .growth = "20/9 at 2 B with 4 streams, constant: never",
     .not_counted = "the few coefficients per token", .source = "mHC (DeepSeek-AI 2025)",
     .example = "rows=4096 cols=16384 dtype=bf16"},
    {RIDGE__STREAM_ROW("elementwise", generic, one),
     .title = "any elementwise kernel: inputs, ops_per_element", .count = count_generic,
     .finish = ridge__stream_finish, .flop_formula = "{ops_per_element}*{elements}",
     .bytes_formula = "{elements}*({inputs}*{sa} + {sb})",
     .growth = "ops_per_element / (2 (inputs + 1)) at 2 B, constant: rarely",
     .not_counted = "", .source = "definition",
     .example = "elements=1e8 inputs=3 ops_per_element=5 dtype=fp32"},
};

ridge__op_rows ridge__op_rows_elementwise(void)
{
    return (ridge__op_rows){ops, RIDGE__COUNT(ops)};
}
