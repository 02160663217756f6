/* What elementwise.c and norm.c share: ops that move rows x cols elements once. */
#ifndef RIDGE_OP_STREAM_PRIV_H
#define RIDGE_OP_STREAM_PRIV_H

#include "op/op_priv.h"

/* The parameters that every such op begins with; RIDGE_STREAM_PARAMS of them. */
#define RIDGE__STREAM_HEAD(pipe_default, pipe_help)                                 \
    [RIDGE_STREAM_ROWS] = RIDGE__PARAM_COUNT("rows", NULL, RIDGE_UNKNOWN, 1,        \
                                             "rows; of one: give elements alone"),  \
    [RIDGE_STREAM_COLS] = RIDGE__PARAM_COUNT("cols", "hidden", RIDGE_UNKNOWN, 1,    \
                                             "elements per row of the result"),     \
    [RIDGE_STREAM_ELEMENTS] = RIDGE__PARAM_COUNT("elements", "n", RIDGE_UNKNOWN, 1, \
                                                 "rows x cols: either suffices"),   \
    [RIDGE_STREAM_DTYPE] = RIDGE__PARAM_DTYPE("dtype", NULL, true, RIDGE_UNKNOWN,   \
                                              "of the input; in>out is taken: "     \
                                              "bf16>fp8"),                          \
    [RIDGE_STREAM_DTYPE_OUT] =                                                      \
        RIDGE__PARAM_DTYPE("dtype_out", NULL, false, RIDGE_UNKNOWN,                 \
                           "of the result; default: as dtype, "                     \
                           "below 16 bits bf16"),                                   \
    [RIDGE_STREAM_PIPE] =                                                           \
        RIDGE__PARAM_WORD("pipe", RIDGE__PIPE_WORDS, (pipe_default), (pipe_help))
/* What most of them run on. */
#define RIDGE__STREAM_VECTOR \
    RIDGE__STREAM_HEAD(RIDGE_VECTOR, "execution units; default: vector")

extern const ridge__param ridge__stream_params[RIDGE_STREAM_PARAMS];

/* rows, cols and elements from those given; the default output dtype. */
ridge_status ridge__stream_finish(ridge_call *call, ridge_error *err);
/* As above, where a row means something: cols is needed. */
ridge_status ridge__row_finish(ridge_call *call, ridge_error *err);

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
/* All of it, where every operand has as many elements as the result. */
ridge_status ridge__stream_count(ridge_work *work, const ridge_call *call,
                                 ridge_error *err);

/* The fields that all rows have in common. */
#define RIDGE__STREAM_ROW(key, params_, operands_) \
    RIDGE__STREAM_ROW_OF(key, params_, operands_, 1)
#define RIDGE__STREAM_ROW_OF(key, params_, operands_, results_)                         \
    .name = (key), .family = "elementwise", .form = RIDGE_FORM_STREAM,                  \
    .params = (params_), .param_count = RIDGE__COUNT(params_), .operands = (operands_), \
    .operand_count = RIDGE__COUNT(operands_), .element_bytes = ridge__stream_bytes,     \
    .results = (results_)

#endif
