/* A kernel whose counts the user knows. */
#include "op/op_priv.h"

/* Three figures that agree to this share are the same, rounded. */
#define AGREE 1e-3

#define GIVEN(key, other, in, text)                                                    \
    {                                                                                  \
        .name = (key), .aliases = (other), .kind = RIDGE_PARAM_QUANTITY, .unit = (in), \
        .fallback = RIDGE_UNKNOWN, .max = 1e300, .help = (text)                        \
    }

static const ridge__param params[] = {
    [RIDGE_CUSTOM_FLOP] = GIVEN("flop", "flops", RIDGE_UNIT_FLOP,
                                "operations; two of flop, bytes, intensity suffice"),
    [RIDGE_CUSTOM_BYTES] =
        GIVEN("bytes", NULL, RIDGE_UNIT_BYTES, "moved to and from DRAM"),
    [RIDGE_CUSTOM_INTENSITY] =
        GIVEN("intensity", NULL, RIDGE_UNIT_FLOP_PER_BYTE, "flop / bytes"),
    [RIDGE_CUSTOM_L2_BYTES] =
        GIVEN("l2_bytes", NULL, RIDGE_UNIT_BYTES, "moved through L2"),
    [RIDGE_CUSTOM_L1_BYTES] =
        GIVEN("l1_bytes", NULL, RIDGE_UNIT_BYTES, "moved through L1 and shared memory"),
    [RIDGE_CUSTOM_DTYPE] =
        RIDGE__PARAM_DTYPE("dtype", NULL, false, RIDGE_UNKNOWN,
                           "whose peak bounds the FLOP; may be left out where all "
                           "peaks are equal"),
    [RIDGE_CUSTOM_PIPE] =
        RIDGE__PARAM_WORD("pipe", RIDGE__PIPE_WORDS, RIDGE_PIPE_ANY,
                          "execution units; default: the part's fastest"),
    [RIDGE_CUSTOM_GRID] =
        RIDGE__PARAM_COUNT("grid", NULL, RIDGE_UNKNOWN, 1, "thread blocks"),
    [RIDGE_CUSTOM_BLOCK] =
        RIDGE__PARAM_COUNT("block", NULL, RIDGE_UNKNOWN, 1, "threads per block"),
    [RIDGE_CUSTOM_REGS] =
        RIDGE__PARAM_COUNT("regs", NULL, RIDGE_UNKNOWN, 1, "registers per thread"),
    [RIDGE_CUSTOM_SMEM] =
        GIVEN("smem", NULL, RIDGE_UNIT_BYTES, "shared memory per block"),
    [RIDGE_CUSTOM_INFLIGHT] =
        {.name = "inflight",
         .kind = RIDGE_PARAM_QUANTITY,
         .unit = RIDGE_UNIT_BYTES,
         .fallback = RIDGE_UNKNOWN,
         .min = 1,
         .max = 1e6,
         .help = "bytes that a thread has in flight; default: 16, one wide load"},
    [RIDGE_CUSTOM_SERIAL] =
        GIVEN("serial", NULL, RIDGE_UNIT_S,
              "a chain that nothing overlaps with, as ridge latency adds it up"),
};

static ridge_status contradiction(const double *a, ridge_error *err)
{
    char flop[32], bytes[32], intensity[32];
    ridge__number_format(flop, a[RIDGE_CUSTOM_FLOP], 4);
    ridge__number_format(bytes, a[RIDGE_CUSTOM_BYTES], 4);
    ridge__number_format(intensity, a[RIDGE_CUSTOM_INTENSITY], 4);
    return ridge__error_set(err, RIDGE_INVALID,
                            "flop=%s is not intensity x bytes = %s x %s; two of the "
                            "three suffice",
                            flop, intensity, bytes);
}

/* What is missing beside what was given: nothing is taken for 0 unsaid. */
static ridge_status lacking(const ridge_call *call, ridge_error *err)
{
    const char *lacks = "flop and bytes; as in: custom flop=10GFLOP bytes=1GB dtype=bf16";
    if (ridge__call_given(call, RIDGE_CUSTOM_FLOP))
        lacks = "bytes or intensity; bytes=0 says that it moves nothing";
    if (ridge__call_given(call, RIDGE_CUSTOM_BYTES))
        lacks = "flop or intensity; flop=0 says that it only moves bytes";
    return ridge__error_set(err, RIDGE_INVALID, "custom lacks %s", lacks);
}

/* I = F / D: the third from any two, and agreement of all three. */
static ridge_status finish(ridge_call *call, ridge_error *err)
{
    double *a = call->arg;
    bool flop = ridge__call_given(call, RIDGE_CUSTOM_FLOP),
         bytes = ridge__call_given(call, RIDGE_CUSTOM_BYTES);
    bool intensity = ridge__call_given(call, RIDGE_CUSTOM_INTENSITY);
    if (flop + bytes + intensity < 2)
        return lacking(call, err);
    if (flop && bytes && intensity &&
        fabs(a[RIDGE_CUSTOM_FLOP] - a[RIDGE_CUSTOM_INTENSITY] * a[RIDGE_CUSTOM_BYTES]) >
            AGREE * a[RIDGE_CUSTOM_FLOP])
        return contradiction(a, err);
    if (flop && !bytes && a[RIDGE_CUSTOM_INTENSITY] == 0)
        return ridge__error_set(err, RIDGE_INVALID,
                                "an intensity of 0 says nothing of bytes; bytes wanted");
    if (!flop)
        a[RIDGE_CUSTOM_FLOP] = a[RIDGE_CUSTOM_INTENSITY] * a[RIDGE_CUSTOM_BYTES];
    if (!bytes)
        a[RIDGE_CUSTOM_BYTES] = a[RIDGE_CUSTOM_FLOP] / a[RIDGE_CUSTOM_INTENSITY];
    if (!intensity)
        a[RIDGE_CUSTOM_INTENSITY] = a[RIDGE_CUSTOM_BYTES] > 0
                                        ? a[RIDGE_CUSTOM_FLOP] / a[RIDGE_CUSTOM_BYTES]
                                        : RIDGE_UNKNOWN;
    return RIDGE_OK;
}

static ridge_status count(ridge_work *work, const ridge_call *call, ridge_error *err)
{
    (void)err;
    const double *a = call->arg;
    bool typed = ridge_known(a[RIDGE_CUSTOM_DTYPE]);
    work->flop = a[RIDGE_CUSTOM_FLOP];
    work->l2_bytes = a[RIDGE_CUSTOM_L2_BYTES];
    work->l1_bytes = a[RIDGE_CUSTOM_L1_BYTES];
    ridge__work_operand(work, a[RIDGE_CUSTOM_BYTES]);
    /* RIDGE_DTYPE_COUNT: none given; a machine whose peaks are all equal needs none. */
    work->dtype = RIDGE_DTYPE_COUNT;
    work->accumulator = RIDGE_FP32;
    if (typed) {
        work->dtype =
            (uint8_t)ridge__dtype(ridge__call_dtype(call, RIDGE_CUSTOM_DTYPE))->math;
        work->accumulator = (uint8_t)ridge__accumulator((ridge_dtype)work->dtype);
    }
    work->pipe = (uint8_t)a[RIDGE_CUSTOM_PIPE];
    return RIDGE_OK;
}

static const char *const operands[] = {"dram"};

static const ridge_op ops[] = {{
    .name = "custom",
    .family = "custom",
    .title = "any kernel: its FLOP and bytes, or one and the intensity",
    .form = RIDGE_FORM_CUSTOM,
    .params = params,
    .param_count = RIDGE_CUSTOM_PARAMS,
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
