/* A step of the optimizer: every parameter and its state read and written once. */
#include "op/stream_priv.h"

enum {
    STATE = RIDGE_STREAM_PARAMS,
    MASTER,
    PARAMS
};

#define HEAD                                                                            \
    [RIDGE_STREAM_ROWS] = RIDGE__PARAM_COUNT("rows", NULL, RIDGE_UNKNOWN, 1,            \
                                             "of one weight; or elements"),             \
    [RIDGE_STREAM_COLS] =                                                               \
        RIDGE__PARAM_COUNT("cols", NULL, RIDGE_UNKNOWN, 1, "of one weight"),            \
    [RIDGE_STREAM_ELEMENTS] = RIDGE__PARAM_COUNT("elements", "n params", RIDGE_UNKNOWN, \
                                                 1, "parameters that are updated"),     \
    [RIDGE_STREAM_DTYPE] =                                                              \
        RIDGE__PARAM_DTYPE("dtype", NULL, true, RIDGE_UNKNOWN, "of the gradient"),      \
    [RIDGE_STREAM_DTYPE_OUT] = RIDGE__PARAM_DTYPE(                                      \
        "dtype_out", NULL, false, RIDGE_UNKNOWN, "of the weight; default: as dtype"),   \
    [RIDGE_STREAM_PIPE] = RIDGE__PARAM_WORD("pipe", RIDGE__PIPE_WORDS, RIDGE_VECTOR,    \
                                            "execution units; default: vector")

static const ridge__param params[] = {
    HEAD,
    [STATE] = RIDGE__PARAM_DTYPE("dtype_state", NULL, false, RIDGE_FP32,
                                 "of the moments and of the master copy"),
    [MASTER] = {.name = "master",
                .kind = RIDGE_PARAM_BOOL,
                .unit = RIDGE_UNIT_COUNT,
                .fallback = RIDGE_UNKNOWN,
                .max = 1,
                .help = "1: the weight has a copy in dtype_state beside it; default: "
                        "where dtype_out is narrower"},
};

static double width(const ridge_call *call, size_t param)
{
    return ridge__call_bytes(call, param);
}

static ridge_status finish(ridge_call *call, ridge_error *err)
{
    ridge__call_default(call, RIDGE_STREAM_DTYPE_OUT, call->arg[RIDGE_STREAM_DTYPE]);
    ridge_status status = ridge__stream_finish(call, err);
    bool narrower = width(call, RIDGE_STREAM_DTYPE_OUT) < width(call, STATE);
    ridge__call_default(call, MASTER, narrower);
    return status;
}

static double element_bytes(const ridge_call *call, size_t i)
{
    static const uint8_t param[] = {RIDGE_STREAM_DTYPE, RIDGE_STREAM_DTYPE_OUT, STATE,
                                    STATE, RIDGE_STREAM_DTYPE_OUT};
    return width(call, param[i]);
}

/*
 * The gradient is read; moments and master are read and written; the weight is written,
 * and read too where it has no master.
 */
static ridge_status count(ridge_work *work, const ridge_call *call, double moments)
{
    double elements = ridge__stream_elements(call), master = call->arg[MASTER];
    ridge__stream_work(work, call);
    ridge__work_operand(work, elements * element_bytes(call, 0));
    ridge__work_operand(work, elements * (1 - master) * element_bytes(call, 1));
    double state = elements * (moments + master) * element_bytes(call, 2);
    ridge__work_operand(work, state);
    ridge__work_operand(work, state);
    ridge__work_operand(work, elements * element_bytes(call, 4));
    /* What is written lies where it was read. */
    work->footprint_bytes -= state + work->operand_bytes[1];
    work->dtype = (uint8_t)ridge__dtype(ridge__call_dtype(call, STATE))->math;
    work->accumulator = (uint8_t)ridge__accumulator((ridge_dtype)work->dtype);
    return RIDGE_OK;
}

static ridge_status count_adamw(ridge_work *work, const ridge_call *call,
                                ridge_error *err)
{
    (void)err;
    return count(work, call, 2);
}

static ridge_status count_sgd(ridge_work *work, const ridge_call *call, ridge_error *err)
{
    (void)err;
    return count(work, call, 1);
}

static const char *const operands[] = {"gradient", "weight_in", "state_in", "state_out",
                                       "weight"};
static const char *const norm[] = {"x", "out"};
static const ridge__share norm_shares[] = {RIDGE__ALL_IN, RIDGE__ROW_WORD};
#define plain ridge__stream_params

#define ROW(key, kin)                                                            \
    .name = (key), .family = (kin), .form = RIDGE_FORM_STREAM, .params = params, \
    .param_count = PARAMS, .operands = operands,                                 \
    .operand_count = RIDGE__COUNT(operands), .element_bytes = element_bytes,     \
    .finish = finish, .results = 2, .stand_in = "elementwise",                   \
    .example = "elements=7e9 dtype=bf16"

static const ridge_op ops[] = {
    {ROW("adamw", "optimizer"), .aliases = "adam",
     .title = "fused AdamW: gradient, moments, master copy, weight", .count = count_adamw,
     .flop_formula = "14*{elements}",
     .bytes_formula = "{elements}*({sa} + (1 - {master})*{sb} + (2 + {master})*({sc} + "
                      "{sd}) + {se})",
     .growth = "1/2 of bf16 with an fp32 master (28 B a parameter), constant: never",
     .not_counted = "root and division (their own term); bias corrections, made once; "
                    "clipping (grad_norm)",
     .source = "moments (3 + 4), corrections (2), epsilon, quotient, decay and step (3): "
               "14 per parameter",
     .flop_per_element = 14, .special_per_element = 2},
    {ROW("sgd_momentum", "optimizer"), .aliases = "sgd",
     .title = "fused SGD: gradient, momentum, master copy, weight", .count = count_sgd,
     .flop_formula = "4*{elements}",
     .bytes_formula = "{elements}*({sa} + (1 - {master})*{sb} + (1 + {master})*({sc} + "
                      "{sd}) + {se})",
     .growth = "1/5 of bf16 with an fp32 master (20 B a parameter), constant: never",
     .not_counted = "", .source = "momentum (2), step (2): 4 per parameter",
     .flop_per_element = 4},
    {RIDGE__SHARE_ROW("grad_norm", "optimizer", plain, norm, norm_shares, 1),
     .aliases = "l2_norm", .title = "sum of squares, as clipping needs it",
     .finish = ridge__stream_finish, .flop_formula = "2*{elements} - {rows}",
     .bytes_formula = "{elements}*{sa} + {rows}*{sb}",
     .growth = "tends to 1 at 2 B, constant: never",
     .not_counted = "the root; partial sums of blocks",
     .source = "n products, n - 1 additions", .example = "elements=7e9 dtype=bf16",
     .flop_per_element = 2, .flop_per_row = -1, .stand_in = "elementwise"},
};

ridge__op_rows ridge__op_rows_optimizer(void)
{
    return (ridge__op_rows){ops, RIDGE__COUNT(ops)};
}
