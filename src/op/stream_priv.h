/* What the files of ops that stream share: rows x cols elements, each moved once. */
#ifndef RIDGE_OP_STREAM_PRIV_H
#define RIDGE_OP_STREAM_PRIV_H

#include "op/op_priv.h"

/*
 * The parameters that every such op begins with; RIDGE_STREAM_PARAMS of them.  The time
 * model knows their places, not their names: an op may call its rows and columns otherwise.
 */
#define RIDGE__STREAM_HEAD(pipe_default, pipe_help)                                 \
    [RIDGE_STREAM_ROWS] = RIDGE__PARAM_COUNT("rows", NULL, RIDGE_UNKNOWN, 1,        \
                                             "rows; of one: give elements alone"),  \
    [RIDGE_STREAM_COLS] = RIDGE__PARAM_COUNT("cols", "hidden", RIDGE_UNKNOWN, 1,    \
                                             "elements per row of the result"),     \
    [RIDGE_STREAM_ELEMENTS] = RIDGE__PARAM_COUNT("elements", "n", RIDGE_UNKNOWN, 1, \
                                                 "rows x cols: either suffices"),   \
    RIDGE__STREAM_TYPES(pipe_default, pipe_help)
#define RIDGE__STREAM_TYPES(pipe_default, pipe_help)                              \
    [RIDGE_STREAM_DTYPE] = RIDGE__PARAM_DTYPE("dtype", NULL, true, RIDGE_UNKNOWN, \
                                              "of the input; in>out is taken: "   \
                                              "bf16>fp8"),                        \
    [RIDGE_STREAM_DTYPE_OUT] =                                                    \
        RIDGE__PARAM_DTYPE("dtype_out", NULL, false, RIDGE_UNKNOWN,               \
                           "of the result; default: as dtype, "                   \
                           "below 16 bits bf16"),                                 \
    [RIDGE_STREAM_PIPE] =                                                         \
        RIDGE__PARAM_WORD("pipe", RIDGE__PIPE_WORDS, (pipe_default), (pipe_help))
/* What most of them run on. */
#define RIDGE__STREAM_VECTOR \
    RIDGE__STREAM_HEAD(RIDGE_VECTOR, "execution units; default: vector")

extern const ridge__param ridge__stream_params[RIDGE_STREAM_PARAMS];

/* rows, cols and elements from those given; the default output dtype. */
ridge_status ridge__stream_finish(ridge_call *call, ridge_error *err);
/* As above, where a row means something: cols is needed. */
ridge_status ridge__row_finish(ridge_call *call, ridge_error *err);

/* `elements` follows from `what` and, where it was given, must agree; the default output
 * dtype. */
ridge_status ridge__grid_finish(ridge_call *call, double elements, const char *what,
                                ridge_error *err);

/* Elements of the result. */
static inline double ridge__stream_elements(const ridge_call *call)
{
    return call->arg[RIDGE_STREAM_ROWS] * call->arg[RIDGE_STREAM_COLS];
}
/* What is written is of dtype_out, what is read of dtype. */
double ridge__stream_bytes(const ridge_call *call, size_t operand);
/* Append operand `i` of `elements` elements. */
static inline void ridge__stream_operand(ridge_work *work, const ridge_call *call,
                                         size_t i, double elements)
{
    ridge__work_operand(work, elements * ridge__stream_bytes(call, i));
}
/* flop, special, dtype and pipe from the row's counts per element. */
void ridge__stream_work(ridge_work *work, const ridge_call *call);
/* All of it, where the operands' sizes follow from the row: `shares`, or all alike. */
ridge_status ridge__stream_count(ridge_work *work, const ridge_call *call,
                                 ridge_error *err);

/* What an element of an operand is. */
enum {
    RIDGE__OF_IN,  /* of dtype */
    RIDGE__OF_OUT, /* of dtype_out */
    RIDGE__OF_WORD /* 4 bytes whatever the dtype: an fp32 statistic, an int32 index */
};
/* An operand has elements x N + rows x R + cols x C elements, for a result of R x C = N. */
typedef struct ridge__share {
    double elements, rows, cols;
    uint8_t of;    /* RIDGE__OF_* */
    uint8_t times; /* place of the parameter that says how often it is moved; 0: once */
} ridge__share;
#define RIDGE__ALL_IN                     \
    {                                     \
        .elements = 1, .of = RIDGE__OF_IN \
    }
#define RIDGE__ALL_OUT                     \
    {                                      \
        .elements = 1, .of = RIDGE__OF_OUT \
    }
#define RIDGE__ROW_WORD                 \
    {                                   \
        .rows = 1, .of = RIDGE__OF_WORD \
    }
#define RIDGE__WEIGHT                 \
    {                                 \
        .cols = 1, .of = RIDGE__OF_IN \
    }
#define RIDGE__WORD_BYTES 4.0

/* Reads of a row that is longer than what stays on chip. */
#define RIDGE__PASSES(text)                                                    \
    {                                                                          \
        .name = "passes", .kind = RIDGE_PARAM_COUNT, .unit = RIDGE_UNIT_COUNT, \
        .fallback = 1, .min = 1, .max = 3, .help = (text)                      \
    }

/* The fields that all rows have in common. */
#define RIDGE__STREAM_ROW(key, params_, operands_) \
    RIDGE__STREAM_ROW_OF(key, params_, operands_, 1)
#define RIDGE__STREAM_ROW_OF(key, params_, operands_, results_)                         \
    .name = (key), .family = "elementwise", .form = RIDGE_FORM_STREAM,                  \
    .params = (params_), .param_count = RIDGE__COUNT(params_), .operands = (operands_), \
    .operand_count = RIDGE__COUNT(operands_), .element_bytes = ridge__stream_bytes,     \
    .results = (results_)
/* A row whose operands have sizes of their own: `sized` is an array of ridge__share. */
#define RIDGE__SHARE_ROW(key, kin, params_, operands_, sized, results_)   \
    RIDGE__SHARE_ROW_BARE(key, kin, params_, operands_, sized, results_), \
        .count = ridge__stream_count
/* The same, of a row that counts by itself. */
#define RIDGE__SHARE_ROW_BARE(key, kin, params_, operands_, sized, results_)        \
    .name = (key), .family = (kin), .form = RIDGE_FORM_STREAM, .params = (params_), \
    .param_count = RIDGE__COUNT(params_), .operands = (operands_),                  \
    .operand_count = RIDGE__COUNT(operands_), .element_bytes = ridge__stream_bytes, \
    .shares = (sized), .results = (results_)

#endif
