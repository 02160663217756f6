/* What the files of op share: the tables of each family, and helpers of their counts. */
#ifndef RIDGE_OP_PRIV_H
#define RIDGE_OP_PRIV_H

#include "base/base.h"
#include "op/op.h"

/* Counts are exact in a double up to here. */
#define RIDGE__COUNT_MAX 9007199254740992.0 /* 2^53 */

/* The rows of one family. */
typedef struct ridge__op_rows {
    const ridge_op *ops;
    size_t count;
} ridge__op_rows;

ridge__op_rows ridge__op_rows_gemm(void);
ridge__op_rows ridge__op_rows_attention(void);
ridge__op_rows ridge__op_rows_elementwise(void);
ridge__op_rows ridge__op_rows_norm(void);
ridge__op_rows ridge__op_rows_indexed(void);
ridge__op_rows ridge__op_rows_quant(void);
ridge__op_rows ridge__op_rows_sampling(void);
ridge__op_rows ridge__op_rows_transform(void);
ridge__op_rows ridge__op_rows_convolution(void);
ridge__op_rows ridge__op_rows_stencil(void);
ridge__op_rows ridge__op_rows_sparse(void);
ridge__op_rows ridge__op_rows_gemm_backward(void);
ridge__op_rows ridge__op_rows_backward(void);
ridge__op_rows ridge__op_rows_optimizer(void);
ridge__op_rows ridge__op_rows_custom(void);
ridge__op_rows ridge__op_rows_collective(void);
ridge__op_rows ridge__op_rows_experts(void);
ridge__op_rows ridge__op_rows_grouped(void);
ridge__op_rows ridge__op_rows_moe(void);
ridge__op_rows ridge__op_rows_mla(void);
ridge__op_rows ridge__op_rows_linear(void);
ridge__op_rows ridge__op_rows_sparse_attention(void);

/* Draws the routing of a finished call of moe and keeps it behind the parameters. */
void ridge__moe_route(ridge_call *call);

/* Parameter rows that differ between ops in name, range and help only. */
#define RIDGE__PARAM_SIZE(key, other, text)                                              \
    {                                                                                    \
        .name = (key), .aliases = (other), .kind = RIDGE_PARAM_COUNT,                    \
        .unit = RIDGE_UNIT_COUNT, .required = true, .fallback = RIDGE_UNKNOWN, .min = 1, \
        .max = RIDGE__COUNT_MAX, .help = (text)                                          \
    }
#define RIDGE__PARAM_COUNT(key, other, value, low, text)              \
    {                                                                 \
        .name = (key), .aliases = (other), .kind = RIDGE_PARAM_COUNT, \
        .unit = RIDGE_UNIT_COUNT, .fallback = (value), .min = (low),  \
        .max = RIDGE__COUNT_MAX, .help = (text)                       \
    }
#define RIDGE__PARAM_DTYPE(key, other, must, value, text)                  \
    {                                                                      \
        .name = (key), .aliases = (other), .kind = RIDGE_PARAM_DTYPE,      \
        .unit = RIDGE_UNIT_COUNT, .required = (must), .fallback = (value), \
        .help = (text)                                                     \
    }
#define RIDGE__PARAM_BOOL(key, text)                                       \
    {                                                                      \
        .name = (key), .kind = RIDGE_PARAM_BOOL, .unit = RIDGE_UNIT_COUNT, \
        .fallback = 0, .max = 1, .help = (text)                            \
    }
#define RIDGE__PARAM_WORD(key, list, value, text)                          \
    {                                                                      \
        .name = (key), .kind = RIDGE_PARAM_WORD, .unit = RIDGE_UNIT_COUNT, \
        .fallback = (value), .words = (list), .help = (text)               \
    }
#define RIDGE__PARAM_LIST(key, other, must, low, text)                           \
    {                                                                            \
        .name = (key), .aliases = (other), .kind = RIDGE_PARAM_LIST,             \
        .unit = RIDGE_UNIT_COUNT, .required = (must), .fallback = RIDGE_UNKNOWN, \
        .min = (low), .max = RIDGE__COUNT_MAX, .help = (text)                    \
    }
/* Words of `pipe`, in the order of ridge_pipe. */
#define RIDGE__PIPE_WORDS "vector matrix"

/* True if `word` (of `size` bytes) is one of `list`, separated by blanks; its index. */
bool ridge__word_find(const char *list, const char *word, size_t size, size_t *index);

/* Checks "[...]" of `size` bytes; *out is the sum. */
RIDGE_MUST_CHECK ridge_status ridge__list_check(double *out, const ridge__param *p,
                                                const char *text, size_t size,
                                                ridge_error *err);
/* Keep a checked list; false if the call has RIDGE_LIST_MAX of other parameters. */
RIDGE_MUST_CHECK bool ridge__list_keep(ridge_call *call, size_t param, const char *text,
                                       size_t size);
void ridge__list_drop(ridge_call *call, size_t param);
/* The sum of a checked list, and how many numbers it has. */
double ridge__list_sum(const ridge_list *list, double *count);

static inline bool ridge__call_given(const ridge_call *call, size_t param)
{
    return call->given >> param & 1;
}
static inline ridge_dtype ridge__call_dtype(const ridge_call *call, size_t param)
{
    return (ridge_dtype)call->arg[param];
}
/* Bytes per element as an activation of the dtype in a parameter. */
static inline double ridge__call_bytes(const ridge_call *call, size_t param)
{
    return ridge__dtype(ridge__call_dtype(call, param))->activation_bytes;
}
/* Set a parameter that the user left open. */
static inline void ridge__call_default(ridge_call *call, size_t param, double value)
{
    if (!ridge__call_given(call, param))
        call->arg[param] = value;
}
/* The default output dtype of the dtype in a parameter. */
static inline double ridge__call_output(const ridge_call *call, size_t param)
{
    return (double)ridge__dtype(ridge__call_dtype(call, param))->output;
}
/* Products accumulate in fp32 (int8 in int32, at the same rate), of fp64 in fp64. */
static inline ridge_dtype ridge__accumulator(ridge_dtype math)
{
    return math == RIDGE_FP64 ? RIDGE_FP64 : RIDGE_FP32;
}
/*
 * What lists of lengths (the first three parameters: batch, q_len, kv_len) say: the batch
 * follows from them, a length becomes the mean, and keys are as many as queries unless
 * given.
 */
ridge_status ridge__sequences_finish(ridge_call *call, ridge_error *err);
/* Score pairs per head of a finished call of attention, by its mask and convention. */
double ridge__attention_kept(const ridge_call *call);
/* Append an operand's bytes; bytes and footprint grow with it. */
void ridge__work_operand(ridge_work *work, double bytes);
/* Bytes of an element without its share of a scale: what is left of 0.5625 or 0.78125 are
 * quarters of a byte. */
static inline double ridge__packed_bytes(double with_scale)
{
    return floor(4 * with_scale) / 4;
}
/*
 * Rows of `count` elements of this dtype do not start at multiples of 16 bytes, which is
 * what the matrix units' loads need.
 */
bool ridge__row_misaligned(double count, ridge_dtype dtype);

#endif
