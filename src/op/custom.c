/* A kernel whose counts the user knows. */
#include "op/op_priv.h"

enum {
    FLOP,
    BYTES,
    INTENSITY,
    L2_BYTES,
    L1_BYTES,
    DTYPE,
    PIPE,
    GRID,
    BLOCK,
    REGS,
    SMEM,
    PARAMS
};

/* Three figures that agree to this share are the same, rounded. */
#define AGREE 1e-3

#define GIVEN(key, other, in, text)                                                    \
    {                                                                                  \
        .name = (key), .aliases = (other), .kind = RIDGE_PARAM_QUANTITY, .unit = (in), \
        .fallback = RIDGE_UNKNOWN, .max = 1e300, .help = (text)                        \
    }

static const ridge__param params[] = {
    [FLOP] = GIVEN("flop", "flops", RIDGE_UNIT_FLOP,
                   "operations; two of flop, bytes, intensity suffice"),
    [BYTES] = GIVEN("bytes", NULL, RIDGE_UNIT_BYTES, "moved to and from DRAM"),
    [INTENSITY] = GIVEN("intensity", NULL, RIDGE_UNIT_FLOP_PER_BYTE, "flop / bytes"),
    [L2_BYTES] = GIVEN("l2_bytes", NULL, RIDGE_UNIT_BYTES, "moved through L2"),
    [L1_BYTES] =
        GIVEN("l1_bytes", NULL, RIDGE_UNIT_BYTES, "moved through L1 and shared memory"),
    [DTYPE] = RIDGE__PARAM_DTYPE("dtype", NULL, false, RIDGE_UNKNOWN,
                                 "whose peak bounds the FLOP; may be left out where all "
                                 "peaks are equal"),
    [PIPE] = RIDGE__PARAM_WORD("pipe", RIDGE__PIPE_WORDS, RIDGE_PIPE_ANY,
                               "execution units; default: the part's fastest"),
    [GRID] = RIDGE__PARAM_COUNT("grid", NULL, RIDGE_UNKNOWN, 1, "thread blocks"),
    [BLOCK] = RIDGE__PARAM_COUNT("block", NULL, RIDGE_UNKNOWN, 1, "threads per block"),
    [REGS] = RIDGE__PARAM_COUNT("regs", NULL, RIDGE_UNKNOWN, 1, "registers per thread"),
    [SMEM] = GIVEN("smem", NULL, RIDGE_UNIT_BYTES, "shared memory per block"),
};

static ridge_status contradiction(const double *a, ridge_error *err)
{
    char flop[32], bytes[32], intensity[32];
    ridge__number_format(flop, a[FLOP], 4);
    ridge__number_format(bytes, a[BYTES], 4);
    ridge__number_format(intensity, a[INTENSITY], 4);
    return ridge__error_set(err, RIDGE_INVALID,
                            "flop=%s is not intensity x bytes = %s x %s; two of the "
                            "three suffice",
                            flop, intensity, bytes);
}

/* What is missing beside what was given: nothing is taken for 0 unsaid. */
static ridge_status lacking(const ridge_call *call, ridge_error *err)
{
    const char *lacks = "flop and bytes; as in: custom flop=10GFLOP bytes=1GB dtype=bf16";
    if (ridge__call_given(call, FLOP))
        lacks = "bytes or intensity; bytes=0 says that it moves nothing";
    if (ridge__call_given(call, BYTES))
        lacks = "flop or intensity; flop=0 says that it only moves bytes";
    return ridge__error_set(err, RIDGE_INVALID, "custom lacks %s", lacks);
}

/* I = F / D: the third from any two, and agreement of all three. */
static ridge_status finish(ridge_call *call, ridge_error *err)
{
    double *a = call->arg;
    bool flop = ridge__call_given(call, FLOP), bytes = ridge__call_given(call, BYTES);
    bool intensity = ridge__call_given(call, INTENSITY);
    if (flop + bytes + intensity < 2)
        return lacking(call, err);
    if (flop && bytes && intensity &&
        fabs(a[FLOP] - a[INTENSITY] * a[BYTES]) > AGREE * a[FLOP])
        return contradiction(a, err);
    if (flop && !bytes && a[INTENSITY] == 0)
        return ridge__error_set(err, RIDGE_INVALID,
                                "an intensity of 0 says nothing of bytes; bytes wanted");
    if (!flop)
        a[FLOP] = a[INTENSITY] * a[BYTES];
    if (!bytes)
        a[BYTES] = a[FLOP] / a[INTENSITY];
    if (!intensity)
        a[INTENSITY] = a[BYTES] > 0 ? a[FLOP] / a[BYTES] : RIDGE_UNKNOWN;
    return RIDGE_OK;
}

static ridge_status count(ridge_work *work, const ridge_call *call, ridge_error *err)
{
    (void)err;
    const double *a = call->arg;
    bool typed = ridge_known(a[DTYPE]);
    work->flop = a[FLOP];
    work->l2_bytes = a[L2_BYTES];
    work->l1_bytes = a[L1_BYTES];
    ridge__work_operand(work, a[BYTES]);
    /* RIDGE_DTYPE_COUNT: none given; a machine whose peaks are all equal needs none. */
    work->dtype = RIDGE_DTYPE_COUNT;
    work->accumulator = RIDGE_FP32;
    if (typed) {
        work->dtype = (uint8_t)ridge__dtype(ridge__call_dtype(call, DTYPE))->math;
        work->accumulator = (uint8_t)ridge__accumulator((ridge_dtype)work->dtype);
    }
    work->pipe = (uint8_t)a[PIPE];
    return RIDGE_OK;
}

static const char *const operands[] = {"dram"};

static const ridge_op ops[] = {{
    .name = "custom",
    .family = "custom",
    .title = "any kernel: its FLOP and bytes, or one and the intensity",
    .form = RIDGE_FORM_CUSTOM,
    .params = params,
    .param_count = PARAMS,
    .operands = operands,
    .operand_count = RIDGE__COUNT(operands),
    .count = count,
    .finish = finish,
    .flop_formula = "{flop}",
    .bytes_formula = "{bytes}",
    .growth = "as given: constant",
    .not_counted = "whatever the given counts leave out",
    .source = "the user",
    .example = "flop=10GFLOP bytes=1GB dtype=bf16",
    .flop_per_element = RIDGE_UNKNOWN,
    .special_per_element = RIDGE_UNKNOWN,
}};

ridge__op_rows ridge__op_rows_custom(void)
{
    return (ridge__op_rows){ops, RIDGE__COUNT(ops)};
}
