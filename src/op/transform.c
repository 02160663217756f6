/* Transforms of whole lines: Fourier transforms, prefix sums, and copies that are not
 * plain. */
#include "op/stream_priv.h"

#define VECTOR_TYPES RIDGE__STREAM_TYPES(RIDGE_VECTOR, "execution units; default: vector")

/* ---- Fourier transforms ------------------------------------------------------------ */

enum {
    FFT_N2 = RIDGE_STREAM_PARAMS,
    FFT_KIND,
    FFT_PASSES,
    FFT_PARAMS
};
enum {
    C2C,
    R2C,
    C2R
};
static const ridge__param fft[] = {
    [RIDGE_STREAM_ROWS] = RIDGE__PARAM_COUNT("batch", "b rows", 1, 1, "transforms"),
    [RIDGE_STREAM_COLS] = RIDGE__PARAM_SIZE("n", "cols", "points of a transform"),
    [RIDGE_STREAM_ELEMENTS] = RIDGE__PARAM_COUNT("elements", NULL, RIDGE_UNKNOWN, 1,
                                                 "all points: n x n2 x batch; follows"),
    VECTOR_TYPES,
    [FFT_N2] = RIDGE__PARAM_COUNT("n2", NULL, 1, 1, "points of the second dimension"),
    [FFT_KIND] = RIDGE__PARAM_WORD("kind", "c2c r2c c2r", C2C,
                                   "complex, or real on one side: half the work"),
    [FFT_PASSES] = {.name = "passes",
                    .kind = RIDGE_PARAM_COUNT,
                    .unit = RIDGE_UNIT_COUNT,
                    .fallback = 1,
                    .min = 1,
                    .max = 64,
                    .help = "kernels that read and write all: 2 where n is too long for "
                            "shared memory, or n2 > 1"},
};

static ridge_status finish_fft(ridge_call *call, ridge_error *err)
{
    const double *a = call->arg;
    return ridge__grid_finish(call,
                              a[RIDGE_STREAM_ROWS] * a[RIDGE_STREAM_COLS] * a[FFT_N2],
                              "n x n2 x batch", err);
}

/* Numbers (two to a complex one) of a transform before, after and between. */
static double side(const ridge_call *call, bool before)
{
    double n = call->arg[RIDGE_STREAM_COLS], n2 = call->arg[FFT_N2];
    int kind = (int)call->arg[FFT_KIND];
    bool real = before ? kind == R2C : kind == C2R;
    /* Of n real numbers the spectrum repeats itself: n/2 + 1 complex ones say it all. */
    double half = 2 * (floor(n / 2) + 1);
    return n2 * (real ? n : kind == C2C ? 2 * n : half);
}

/* Power of two: the one length whose least known count has a closed form. */
static bool power_of_two(double n)
{
    int exponent;
    return frexp(n, &exponent) == 0.5;
}

/*
 * 5 n log2 n, half of it for real data, is the convention that rates are printed in
 * (benchFFT, cuFFT).  Executed: split-radix, 4 n log2 n - 6 n + 8 for complex data
 * (Yavne 1968) and 2 n log2 n - 4 n + 6 for real (Sorensen 1987), a line at a time.
 */
static double fft_flop(const ridge_call *call)
{
    const double *a = call->arg;
    double n = a[RIDGE_STREAM_COLS] * a[FFT_N2], real = a[FFT_KIND] == C2C ? 1 : 2;
    return a[RIDGE_STREAM_ROWS] * 5 * n * log2(n) / real;
}

static double fft_executed(const ridge_call *call)
{
    const double *a = call->arg;
    double n = a[RIDGE_STREAM_COLS];
    if (a[FFT_N2] > 1 || !power_of_two(n) || n < 2)
        return fft_flop(call);
    double complex_flop = 4 * n * log2(n) - 6 * n + 8;
    double real_flop = 2 * n * log2(n) - 4 * n + 6;
    return a[RIDGE_STREAM_ROWS] * (a[FFT_KIND] == C2C ? complex_flop : real_flop);
}

static double fft_symbol(const ridge_call *call, const char *name, size_t size)
{
    const double *a = call->arg;
    if (ridge__text_is("log2", name, size))
        return log2(a[RIDGE_STREAM_COLS] * a[FFT_N2]);
    if (ridge__text_is("real", name, size))
        return a[FFT_KIND] == C2C ? 1 : 2;
    if (ridge__text_is("in", name, size))
        return side(call, true);
    if (ridge__text_is("out", name, size))
        return side(call, false);
    if (ridge__text_is("between", name, size))
        return 2 * (a[FFT_PASSES] - 1) * ridge__min(side(call, true), side(call, false));
    return ridge__text_is("split_radix", name, size)
               ? fft_executed(call) / a[RIDGE_STREAM_ROWS]
               : RIDGE_UNKNOWN;
}

static double fft_bytes(const ridge_call *call, size_t i)
{
    return ridge__call_bytes(call, i == 1 ? RIDGE_STREAM_DTYPE_OUT : RIDGE_STREAM_DTYPE);
}

static ridge_status count_fft(ridge_work *work, const ridge_call *call, ridge_error *err)
{
    (void)err;
    double batch = call->arg[RIDGE_STREAM_ROWS];
    ridge__stream_work(work, call);
    work->flop = call->executed ? fft_executed(call) : fft_flop(call);
    ridge__work_operand(work, batch * side(call, true) * fft_bytes(call, 0));
    ridge__work_operand(work, batch * side(call, false) * fft_bytes(call, 1));
    double kept = work->footprint_bytes;
    ridge__work_operand(work, batch * fft_symbol(call, "between", sizeof "between" - 1) *
                                  fft_bytes(call, 2));
    work->footprint_bytes = kept;
    /* 5 n log2(n) names a rate; the floor is that of what must be run. */
    work->least_flop = ridge__min(work->flop, fft_executed(call));
    work->least_bytes = work->bytes;
    return RIDGE_OK;
}

static const char *const fft_operands[] = {"x", "out", "between passes"};

/* ---- Prefix sums ------------------------------------------------------------------- */

enum {
    SCAN_PASSES = RIDGE_STREAM_PARAMS
};
static const ridge__param scan[] = {
    RIDGE__STREAM_HEAD(RIDGE_VECTOR, "execution units; default: vector"),
    [SCAN_PASSES] = RIDGE__PASSES("reads of x: 1 with decoupled look-back, 2 where sums "
                                  "of blocks come first"),
};
static const char *const one[] = {"x", "out"};
static const ridge__share scan_shares[] = {
    {.elements = 1, .of = RIDGE__OF_IN, .times = SCAN_PASSES}, RIDGE__ALL_OUT};

/* n - 1 additions a row; work-efficient parallel ones do twice as many (Blelloch 1990). */
static ridge_status count_scan(ridge_work *work, const ridge_call *call, ridge_error *err)
{
    ridge_status status = ridge__stream_count(work, call, err);
    if (call->executed)
        work->flop *= 2;
    return status;
}

/* ---- Copies ------------------------------------------------------------------------ */

enum {
    STRIDE = RIDGE_STREAM_PARAMS
};
static const ridge__param strided[] = {
    RIDGE__STREAM_HEAD(RIDGE_VECTOR, "execution units; default: vector"),
    [STRIDE] = RIDGE__PARAM_SIZE("stride", NULL, "elements from one read to the next"),
};
/* What a part fetches at least: a sector, 32 bytes on NVIDIA since Maxwell (CUDA Best
 * Practices Guide), a part of the line of 64 or 128 bytes elsewhere. */
static const double SECTOR_BYTES = 32;

static double fetched(const ridge_call *call)
{
    double s = ridge__call_bytes(call, RIDGE_STREAM_DTYPE);
    return ridge__min(call->arg[STRIDE] * s, ridge__max(s, SECTOR_BYTES));
}

static double strided_symbol(const ridge_call *call, const char *name, size_t size)
{
    return ridge__text_is("fetched", name, size) ? fetched(call) : RIDGE_UNKNOWN;
}

static ridge_status count_strided(ridge_work *work, const ridge_call *call,
                                  ridge_error *err)
{
    (void)err;
    double elements = ridge__stream_elements(call);
    ridge__stream_work(work, call);
    ridge__work_operand(work, elements * fetched(call));
    ridge__stream_operand(work, call, 1, elements);
    return RIDGE_OK;
}

static const char *const filled[] = {"out"};
static const ridge__share filled_shares[] = {RIDGE__ALL_OUT};

#define SAMPLE "rows=4096 cols=4096 dtype=bf16"

static const ridge_op ops[] = {
    {RIDGE__SHARE_ROW("fill", "elementwise", ridge__stream_params, filled, filled_shares,
                      1),
     .aliases = "memset zero", .title = "out = a constant: nothing is read",
     .finish = ridge__stream_finish, .flop_formula = "0",
     .bytes_formula = "{elements}*{sa}", .growth = "0, constant: never",
     .not_counted = "", .source = "definition", .example = SAMPLE},
    {.name = "copy_strided",
     .family = "elementwise",
     .title = "every stride-th element: whole sectors are read",
     .form = RIDGE_FORM_STREAM,
     .params = strided,
     .param_count = RIDGE__COUNT(strided),
     .operands = one,
     .operand_count = RIDGE__COUNT(one),
     .element_bytes = ridge__stream_bytes,
     .results = 1,
     .count = count_strided,
     .finish = ridge__stream_finish,
     .symbol = strided_symbol,
     .flop_formula = "0",
     .bytes_formula = "{elements}*({fetched} + {sb})",
     .growth = "0, constant: never",
     .not_counted = "lines of 64 or 128 bytes, where a part has no smaller sector",
     .source = "fetched: min(stride s, 32 B), a sector or all that lies between",
     .example = "elements=1e8 stride=16 dtype=fp32"},
    {.name = "fft",
     .family = "transform",
     .needs = RIDGE_NEEDS_ROW,
     .title = "Fourier transforms: complex or real, 1-D or 2-D, batched",
     .form = RIDGE_FORM_STREAM,
     .params = fft,
     .param_count = FFT_PARAMS,
     .operands = fft_operands,
     .operand_count = RIDGE__COUNT(fft_operands),
     .element_bytes = fft_bytes,
     .results = 1,
     .first_result = 1,
     .count = count_fft,
     .finish = finish_fft,
     .symbol = fft_symbol,
     .flop_formula = "{batch}*5*{n}*{n2}*{log2}/{real}",
     .executed_formula = "{batch}*{split_radix}",
     .bytes_formula = "{batch}*({in}*{sa} + {out}*{sb} + {between}*{sc})",
     .growth =
         "complex fp32 in one pass: 5/16 log2(n), grows with the logarithm: n = 2^20 "
         "has 6.25, and needs more passes, each of which divides it",
     .not_counted = "twiddle factors; with --count executed the trivial products that "
                    "5 n log2(n) includes",
     .source =
         "convention of benchFFT and cuFFT, 5 n log2(n), half of it for real data; "
         "executed: split-radix (Yavne 1968, Sorensen 1987). real: 1 for c2c, else "
         "2; in, out: numbers of a transform, two to a complex one; between: written "
         "and read by each further pass",
     .example = "n=4096 batch=10000 dtype=fp32",
     .stand_in = "elementwise"},
    {RIDGE__SHARE_ROW_BARE("scan", "transform", scan, one, scan_shares, 1),
     .aliases = "cumsum prefix_sum",
     .title = "prefix sums along rows; of elements alone, of all", .count = count_scan,
     .finish = ridge__stream_finish, .flop_formula = "{elements} - {rows}",
     .executed_formula = "2*({elements} - {rows})",
     .bytes_formula = "{elements}*({passes}*{sa} + {sb})",
     .growth = "tends to 1/4 at 2 B in one pass, constant: never",
     .not_counted = "sums of blocks and their flags",
     .source = "n - 1 additions a row; executed: twice, work-efficient (Blelloch 1990)",
     .example = "elements=1e8 dtype=fp32", .flop_per_element = 1, .flop_per_row = -1,
     .stand_in = "elementwise"},
};

ridge__op_rows ridge__op_rows_transform(void)
{
    return (ridge__op_rows){ops, RIDGE__COUNT(ops)};
}
