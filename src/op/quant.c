/*
 * Quantisation and back: each element once, and the scales that lie beside the narrow
 * elements.  `block` elements along a row, and block_rows rows, share a scale.
 */
#include "op/stream_priv.h"

enum {
    BLOCK = RIDGE_STREAM_PARAMS,
    BLOCK_ROWS,
    SCALE_BYTES,
    PARAMS
};
enum {
    X,
    SECOND, /* out, and of the way back the scales */
    THIRD
};

#define SHARED(block, bytes)                                                            \
    [BLOCK] = RIDGE__PARAM_COUNT("block", NULL, (block), 0,                             \
                                 "elements of a row with one scale; 0: the row"),       \
    [BLOCK_ROWS] = RIDGE__PARAM_COUNT("block_rows", NULL, 1, 1, "rows with one scale"), \
    [SCALE_BYTES] = RIDGE__PARAM_COUNT("scale_bytes", NULL, (bytes), 0, "of one scale")
#define SIZES                                                                          \
    [RIDGE_STREAM_ROWS] =                                                              \
        RIDGE__PARAM_COUNT("rows", NULL, RIDGE_UNKNOWN, 1, "tokens, or lines"),        \
    [RIDGE_STREAM_COLS] =                                                              \
        RIDGE__PARAM_COUNT("cols", "hidden", RIDGE_UNKNOWN, 1, "elements per row"),    \
    [RIDGE_STREAM_ELEMENTS] = RIDGE__PARAM_COUNT("elements", "n", RIDGE_UNKNOWN, 1,    \
                                                 "rows x cols: may stand for either"), \
    [RIDGE_STREAM_PIPE] = RIDGE__PARAM_WORD("pipe", RIDGE__PIPE_WORDS, RIDGE_VECTOR,   \
                                            "execution units; default: vector")
/* Quantisation to `out` where nothing else is said. */
#define QUANTISE(out, block, bytes)                                                     \
    {                                                                                   \
        SIZES,                                                                          \
            [RIDGE_STREAM_DTYPE] =                                                      \
                RIDGE__PARAM_DTYPE("dtype", NULL, true, RIDGE_UNKNOWN, "of the input"), \
            [RIDGE_STREAM_DTYPE_OUT] =                                                  \
                RIDGE__PARAM_DTYPE("dtype_out", NULL, false, (out), "of the result"),   \
            SHARED(block, bytes)                                                        \
    }
static const ridge__param token_fp8[] = QUANTISE(RIDGE_FP8_TOKEN, 0, 4);
static const ridge__param block_fp8[] = QUANTISE(RIDGE_FP8_BLOCK, 128, 4);
static const ridge__param mxfp8[] = QUANTISE(RIDGE_FP8, 32, 1);
static const ridge__param nvfp4[] = QUANTISE(RIDGE_NVFP4, 16, 1);
static const ridge__param mxfp4[] = QUANTISE(RIDGE_MXFP4, 32, 1);
static const ridge__param token_int8[] = QUANTISE(RIDGE_INT8_TOKEN, 0, 4);
static const ridge__param back[] = {
    SIZES,
    [RIDGE_STREAM_DTYPE] =
        RIDGE__PARAM_DTYPE("dtype", NULL, true, RIDGE_UNKNOWN, "of the narrow input"),
    [RIDGE_STREAM_DTYPE_OUT] = RIDGE__PARAM_DTYPE("dtype_out", NULL, false, RIDGE_UNKNOWN,
                                                  "of the result; default: bf16"),
    SHARED(RIDGE_UNKNOWN, RIDGE_UNKNOWN),
};

/*
 * What each format's scales are, for the way back: elements along a row, and bytes.  OCP
 * MX 1.0 (E8M0 per 32), NVIDIA nvfp4 (E4M3 per 16), DeepSeek-V3 fp8 (fp32 per 128),
 * group-wise int4 of AWQ and GPTQ (16 bits per 128); others one fp32 a row.
 */
static const struct scaling {
    ridge_dtype dtype;
    double block, scale_bytes;
} scalings[] = {
    {RIDGE_FP8_BLOCK, 128, 4}, {RIDGE_FP6, 32, 1},      {RIDGE_NVFP4, 16, 1},
    {RIDGE_MXFP4, 32, 1},      {RIDGE_INT4_WO, 128, 2}, {RIDGE_W4A16_MXFP4, 32, 1},
};

static ridge_status finish_back(ridge_call *call, ridge_error *err)
{
    struct scaling found = {RIDGE_DTYPE_COUNT, 0, RIDGE__WORD_BYTES};
    for (size_t i = 0; i < RIDGE__COUNT(scalings); i++)
        if (scalings[i].dtype == ridge__call_dtype(call, RIDGE_STREAM_DTYPE))
            found = scalings[i];
    ridge__call_default(call, BLOCK, found.block);
    ridge__call_default(call, SCALE_BYTES, found.scale_bytes);
    return ridge__row_finish(call, err);
}

static double scales(const ridge_call *call)
{
    const double *a = call->arg;
    double blocks = a[BLOCK] > 0 ? ceil(a[RIDGE_STREAM_COLS] / a[BLOCK]) : 1;
    return ceil(a[RIDGE_STREAM_ROWS] / a[BLOCK_ROWS]) * blocks;
}

static double symbol(const ridge_call *call, const char *name, size_t size)
{
    return ridge__text_is("scales", name, size) ? scales(call) : RIDGE_UNKNOWN;
}

/* Of the narrow dtype in a parameter, without scales. */
static double payload(const ridge_call *call, size_t param)
{
    return ridge__packed_bytes(
        ridge__dtype(ridge__call_dtype(call, param))->weight_bytes);
}

static double bytes_there(const ridge_call *call, size_t i)
{
    if (i == X)
        return ridge__call_bytes(call, RIDGE_STREAM_DTYPE);
    return i == SECOND ? payload(call, RIDGE_STREAM_DTYPE_OUT) : call->arg[SCALE_BYTES];
}

static double bytes_back(const ridge_call *call, size_t i)
{
    if (i == X)
        return payload(call, RIDGE_STREAM_DTYPE);
    return i == SECOND ? call->arg[SCALE_BYTES]
                       : ridge__call_bytes(call, RIDGE_STREAM_DTYPE_OUT);
}

static ridge_status count_there(ridge_work *work, const ridge_call *call,
                                ridge_error *err)
{
    (void)err;
    double elements = ridge__stream_elements(call);
    ridge__stream_work(work, call);
    work->special = scales(call);
    ridge__work_operand(work, elements * bytes_there(call, X));
    ridge__work_operand(work, elements * bytes_there(call, SECOND));
    ridge__work_operand(work, scales(call) * bytes_there(call, THIRD));
    return RIDGE_OK;
}

static ridge_status count_back(ridge_work *work, const ridge_call *call, ridge_error *err)
{
    (void)err;
    double elements = ridge__stream_elements(call);
    ridge__stream_work(work, call);
    ridge__work_operand(work, elements * bytes_back(call, X));
    ridge__work_operand(work, scales(call) * bytes_back(call, SECOND));
    ridge__work_operand(work, elements * bytes_back(call, THIRD));
    /* The products are of what comes out: fp32, or 16 bits. */
    ridge_dtype out = ridge__call_dtype(call, RIDGE_STREAM_DTYPE_OUT);
    work->dtype = (uint8_t)ridge__dtype(out)->math;
    work->accumulator = (uint8_t)ridge__accumulator((ridge_dtype)work->dtype);
    return RIDGE_OK;
}

static const char *const there_operands[] = {"x", "out", "scales"};
static const char *const back_operands[] = {"x", "scales", "out"};

#define ROW(key, text, list, grows)                                                      \
    {                                                                                    \
        .name = (key), .family = "quantise", .title = (text), .form = RIDGE_FORM_STREAM, \
        .params = (list), .param_count = PARAMS, .operands = there_operands,             \
        .operand_count = RIDGE__COUNT(there_operands), .element_bytes = bytes_there,     \
        .count = count_there, .symbol = symbol, .finish = ridge__row_finish,             \
        .flop_formula = "4*{elements}",                                                  \
        .bytes_formula = "{elements}*({sa} + {sb}) + {scales}*{sc}", .growth = (grows),  \
        .not_counted = "one division a scale (its own term), packing",                   \
        .source = "largest magnitude, scale, clamp (2): 4 per element",                  \
        .example = "rows=4096 cols=4096 dtype=bf16", .flop_per_element = 4,              \
        .results = 2, .needs = RIDGE_NEEDS_ROW, .stand_in = "elementwise"                \
    }

static const ridge_op ops[] = {
    ROW("quant_token_fp8", "to fp8 with one scale a row (token), found on the way",
        token_fp8, "4/3 from 2 B to 1 B, constant: never"),
    ROW("quant_block_fp8", "to fp8 with an fp32 scale per 128 elements", block_fp8,
        "1.32 from 2 B to 1 B, constant: never"),
    ROW("quant_mxfp8", "to mxfp8: a 1-byte scale per 32 elements", mxfp8,
        "1.32 from 2 B to 1 B, constant: never"),
    ROW("quant_nvfp4", "to nvfp4: a 1-byte scale per 16 elements", nvfp4,
        "1.56 from 2 B to 1/2 B, constant: never"),
    ROW("quant_mxfp4", "to mxfp4: a 1-byte scale per 32 elements", mxfp4,
        "1.58 from 2 B to 1/2 B, constant: never"),
    ROW("quant_token_int8", "to int8 with one scale a row (token)", token_int8,
        "4/3 from 2 B to 1 B, constant: never"),
    {.name = "dequantise",
     .aliases = "dequant dequantize",
     .family = "quantise",
     .title = "narrow elements times their scales; dtype=nvfp4>bf16",
     .form = RIDGE_FORM_STREAM,
     .params = back,
     .param_count = PARAMS,
     .operands = back_operands,
     .operand_count = RIDGE__COUNT(back_operands),
     .element_bytes = bytes_back,
     .count = count_back,
     .symbol = symbol,
     .finish = finish_back,
     .flop_formula = "{elements}",
     .bytes_formula = "{elements}*({sa} + {sc}) + {scales}*{sb}",
     .growth = "0.39 from nvfp4 to 2 B, constant: never",
     .not_counted = "unpacking",
     .source = "one product per element; scales: by the format of dtype",
     .example = "rows=4096 cols=4096 dtype=nvfp4",
     .flop_per_element = 1,
     .results = 1,
     .stand_in = "elementwise"},
};

ridge__op_rows ridge__op_rows_quant(void)
{
    return (ridge__op_rows){ops, RIDGE__COUNT(ops)};
}
