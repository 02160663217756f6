/*
 * 2-D convolution: x of n x c x h x w with k filters of c/groups x r x s gives y of
 * n x k x p x q.  Cut as a matrix product (implicit GEMM), m = n p q, n = k, k = c r s.
 */
#include "op/op_priv.h"

enum {
    N,
    C,
    H,
    W,
    K,
    R,
    S,
    STRIDE,
    PADDING,
    DILATION,
    GROUPS,
    DTYPE,
    DTYPE_OUT,
    PIPE,
    PARAMS
};

/* Taps of a filter along one axis: every one is looked at when bytes are counted. */
#define TAPS_MAX 4096.0

#define TAPS(key, must, text)                                                     \
    {                                                                             \
        .name = (key), .kind = RIDGE_PARAM_COUNT, .unit = RIDGE_UNIT_COUNT,       \
        .required = (must), .fallback = RIDGE_UNKNOWN, .min = 1, .max = TAPS_MAX, \
        .help = (text)                                                            \
    }

static const ridge__param params[] = {
    [N] = RIDGE__PARAM_COUNT("n", "batch", 1, 1, "images"),
    [C] = RIDGE__PARAM_SIZE("c", "channels", "channels of x"),
    [H] = RIDGE__PARAM_SIZE("h", "height", "rows of an image"),
    [W] = RIDGE__PARAM_COUNT("w", "width", RIDGE_UNKNOWN, 1, "its columns; default: h"),
    [K] = RIDGE__PARAM_SIZE("k", "filters", "filters: channels of y"),
    [R] = TAPS("r", true, "rows of a filter"),
    [S] = TAPS("s", false, "its columns; default: r"),
    [STRIDE] = RIDGE__PARAM_COUNT("stride", NULL, 1, 1, "of the output, both ways"),
    [PADDING] = RIDGE__PARAM_COUNT("padding", "pad", 0, 0, "zeros on each side"),
    [DILATION] = RIDGE__PARAM_COUNT("dilation", NULL, 1, 1, "from one tap to the next"),
    [GROUPS] = RIDGE__PARAM_COUNT("groups", NULL, 1, 1,
                                  "of channels that see each other alone; c: depthwise"),
    [DTYPE] = RIDGE__PARAM_DTYPE("dtype", NULL, true, RIDGE_UNKNOWN,
                                 "of x and filters; in>out is taken"),
    [DTYPE_OUT] = RIDGE__PARAM_DTYPE("dtype_out", NULL, false, RIDGE_UNKNOWN,
                                     "of the result; default: as dtype, below 16 bits "
                                     "bf16"),
    [PIPE] = RIDGE__PARAM_WORD("pipe", RIDGE__PIPE_WORDS, RIDGE_PIPE_ANY,
                               "execution units; default: the part's fastest"),
};

/* ---- Shapes ------------------------------------------------------------------------ */

/* Output positions along an axis of `size` points under `taps`; below 1: none fits. */
static double positions(const double *a, double size, double taps)
{
    return floor((size + 2 * a[PADDING] - a[DILATION] * (taps - 1) - 1) / a[STRIDE]) + 1;
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b > 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Multiples of stride from `first`, `count` of them, that lie in [0, size). */
static void clip(double *low, double *high, double first, double count, double stride,
                 double size)
{
    *low = ridge__max(0, ceil(-first / stride));
    *high = ridge__min(count - 1, floor((size - 1 - first) / stride));
}

/*
 * Points of an axis that some tap reads: tap t at output p reads p stride + t dilation -
 * padding.  Taps whose places agree modulo the stride read overlapping runs, in order, of
 * which each goes on where the one before ended.
 */
static double touched(const double *a, double size, double taps)
{
    double stride = a[STRIDE], count = positions(a, size, taps), sum = 0;
    uint64_t whole = (uint64_t)stride, all = (uint64_t)taps;
    uint64_t period = whole / common_divisor(whole, (uint64_t)a[DILATION]);
    for (uint64_t t0 = 0; t0 < all && t0 < period; t0++) {
        double next = -INFINITY; /* first place behind the runs so far */
        for (uint64_t t = t0; t < all; t += period) {
            double first = (double)t * a[DILATION] - a[PADDING], low, high;
            clip(&low, &high, first, count, stride, size);
            /* Steps from the run of t0, of which this one is a shift by whole strides. */
            double shift = (double)(t - t0) * a[DILATION] / stride;
            double from = ridge__max(low + shift, next);
            if (high + shift >= from) {
                sum += high + shift - from + 1;
                next = high + shift + 1;
            }
        }
    }
    return sum;
}

typedef struct shape {
    double n, c, k, p, q; /* c and k of one group */
    double taps, groups;
    double x, w, y; /* elements: of x those that are read */
} shape;

static shape shape_of(const ridge_call *call)
{
    const double *a = call->arg;
    shape z = {.n = a[N],
               .c = a[C] / a[GROUPS],
               .k = a[K] / a[GROUPS],
               .p = positions(a, a[H], a[R]),
               .q = positions(a, a[W], a[S]),
               .taps = a[R] * a[S],
               .groups = a[GROUPS]};
    z.x = a[N] * a[C] * touched(a, a[H], a[R]) * touched(a, a[W], a[S]);
    z.w = a[K] * z.c * z.taps;
    z.y = a[N] * a[K] * z.p * z.q;
    return z;
}

/* What the matrix units are fed: whole 16 bytes of channels (cuDNN pads to them). */
static double padded(const ridge_call *call, double channels)
{
    double each = 16 / ridge__packed_bytes(ridge__call_bytes(call, DTYPE));
    if (ridge__call_bytes(call, DTYPE) > 2)
        return channels;
    return ceil(channels / each) * each;
}

static double symbol(const ridge_call *call, const char *name, size_t size)
{
    shape z = shape_of(call);
    const struct {
        const char *name;
        double value;
    } symbols[] = {
        {"p", z.p},
        {"q", z.q},
        {"rows_read", touched(call->arg, call->arg[H], call->arg[R])},
        {"cols_read", touched(call->arg, call->arg[W], call->arg[S])},
        {"c_padded", padded(call, z.c)},
        {"k_padded", padded(call, z.k)},
        {"tiles", z.n * ceil(z.p / 2) * ceil(z.q / 2)},
    };
    for (size_t i = 0; i < RIDGE__COUNT(symbols); i++)
        if (ridge__text_is(symbols[i].name, name, size))
            return symbols[i].value;
    return RIDGE_UNKNOWN;
}

static ridge_status check_axis(const double *a, const char *axis, double size,
                               double taps, ridge_error *err)
{
    if (positions(a, size, taps) >= 1)
        return RIDGE_OK;
    return ridge__error_set(err, RIDGE_INVALID,
                            "a filter of %llu taps at dilation %llu does not fit into "
                            "%s=%llu with padding %llu",
                            (unsigned long long)taps, (unsigned long long)a[DILATION],
                            axis, (unsigned long long)size,
                            (unsigned long long)a[PADDING]);
}

static ridge_status finish(ridge_call *call, ridge_error *err)
{
    const double *a = call->arg;
    ridge__call_default(call, W, a[H]);
    ridge__call_default(call, S, a[R]);
    ridge__call_default(call, DTYPE_OUT, ridge__call_output(call, DTYPE));
    if (fmod(a[C], a[GROUPS]) != 0 || fmod(a[K], a[GROUPS]) != 0)
        return ridge__error_set(err, RIDGE_INVALID,
                                "c=%llu and k=%llu are not both multiples of "
                                "groups=%llu; a divisor of both wanted",
                                (unsigned long long)a[C], (unsigned long long)a[K],
                                (unsigned long long)a[GROUPS]);
    ridge_status status = check_axis(a, "h", a[H], a[R], err);
    return status ? status : check_axis(a, "w", a[W], a[S], err);
}

/* F(2x2, 3x3) is for that filter at stride 1. */
static ridge_status finish_winograd(ridge_call *call, ridge_error *err)
{
    ridge_status status = finish(call, err);
    const double *a = call->arg;
    if (!status && (a[R] != 3 || a[S] != 3 || a[STRIDE] != 1 || a[DILATION] != 1))
        return ridge__error_set(err, RIDGE_INVALID,
                                "Winograd F(2x2, 3x3) takes r=3, s=3, stride=1 and "
                                "dilation=1; conv2d takes any");
    return status;
}

/* ---- Counts ------------------------------------------------------------------------ */

static double bytes_x(const ridge_call *call, size_t i)
{
    return ridge__call_bytes(call, i == 2 ? DTYPE_OUT : DTYPE);
}

/* x, w, dy are read, dx, dw written. */
static double bytes_back(const ridge_call *call, size_t i)
{
    return ridge__call_bytes(call, i > 2 ? DTYPE_OUT : DTYPE);
}

static void fill(ridge_work *work, const ridge_call *call, const shape *z)
{
    ridge_dtype dtype = ridge__call_dtype(call, DTYPE);
    work->dtype = (uint8_t)ridge__dtype(dtype)->math;
    work->accumulator = (uint8_t)ridge__accumulator((ridge_dtype)work->dtype);
    work->pipe = (uint8_t)call->arg[PIPE];
    bool wide = ridge__call_bytes(call, DTYPE) > 2;
    if (!wide &&
        (ridge__row_misaligned(z->c, dtype) || ridge__row_misaligned(z->k, dtype)))
        work->warnings |= RIDGE_WARNING_MISALIGNED;
}

/* 2 n k p q c r s / groups; executed: with channels padded to what the units take. */
static double product_flop(const ridge_call *call, const shape *z)
{
    double c = call->executed ? padded(call, z->c) : z->c;
    double k = call->executed ? padded(call, z->k) : z->k;
    return 2 * z->n * z->p * z->q * z->taps * c * k * z->groups;
}

static void forward_operands(ridge_work *work, const ridge_call *call, const shape *z)
{
    ridge__work_operand(work, z->x * bytes_x(call, 0));
    ridge__work_operand(work, z->w * bytes_x(call, 1));
    ridge__work_operand(work, z->y * bytes_x(call, 2));
}

static ridge_status count_forward(ridge_work *work, const ridge_call *call,
                                  ridge_error *err)
{
    (void)err;
    shape z = shape_of(call);
    fill(work, call, &z);
    work->flop = product_flop(call, &z);
    forward_operands(work, call, &z);
    return RIDGE_OK;
}

/*
 * Executed by F(2x2, 3x3): 16 products for 4 results instead of 36, and transforms of 32,
 * 35 and 24 FLOP per 4 x 4 patch of x, per filter and per 2 x 2 of y (Lavin and Gray
 * 2015).
 */
static ridge_status count_winograd(ridge_work *work, const ridge_call *call,
                                   ridge_error *err)
{
    (void)err;
    shape z = shape_of(call);
    double tiles = z.n * ceil(z.p / 2) * ceil(z.q / 2), c = z.c * z.groups;
    double k = z.k * z.groups;
    fill(work, call, &z);
    double direct = 2 * z.n * z.p * z.q * z.taps * z.c * k;
    double executed = tiles * (32 * z.c * k + 32 * c + 24 * k) + 35 * z.c * k;
    work->flop = call->executed ? executed : direct;
    forward_operands(work, call, &z);
    /* The direct count names the result; the floor is that of what must be run. */
    work->least_flop = ridge__min(work->flop, executed);
    work->least_bytes = work->bytes;
    return RIDGE_OK;
}

/* Two products of the forward pass's size: dx from dy and w, dw from dy and x. */
static ridge_status count_backward(ridge_work *work, const ridge_call *call,
                                   ridge_error *err)
{
    (void)err;
    shape z = shape_of(call);
    const double elements[] = {
        z.x, z.w, z.y, call->arg[N] * call->arg[C] * call->arg[H] * call->arg[W], z.w};
    fill(work, call, &z);
    work->flop = 2 * product_flop(call, &z);
    for (size_t i = 0; i < RIDGE__COUNT(elements); i++)
        ridge__work_operand(work, elements[i] * bytes_back(call, i));
    return RIDGE_OK;
}

/* ---- Products ---------------------------------------------------------------------- */

static void share_bytes(ridge__product *p, double a, double b, double c)
{
    p->bytes[0] = a / p->batch;
    p->bytes[1] = b / p->batch;
    p->bytes[2] = c / p->batch;
}

static bool forward_product(ridge__product *out, const ridge_call *call, size_t i)
{
    if (i > 0)
        return false;
    shape z = shape_of(call);
    double in = bytes_x(call, 0), result = bytes_x(call, 2);
    *out = (ridge__product){.m = z.n * z.p * z.q,
                            .n = z.k,
                            .k = z.c * z.taps,
                            .batch = z.groups,
                            .element = {in, in, result}};
    share_bytes(out, z.x * in, z.w * in, z.y * result);
    return true;
}

/* One product for each of the 16 places of a transformed patch. */
static bool winograd_product(ridge__product *out, const ridge_call *call, size_t i)
{
    if (i > 0)
        return false;
    shape z = shape_of(call);
    double in = bytes_x(call, 0), result = bytes_x(call, 2);
    *out = (ridge__product){.m = z.n * ceil(z.p / 2) * ceil(z.q / 2),
                            .n = z.k,
                            .k = z.c,
                            .batch = 16 * z.groups,
                            .element = {in, in, result}};
    share_bytes(out, z.x * in, z.w * in, z.y * result);
    return true;
}

static bool backward_product(ridge__product *out, const ridge_call *call, size_t i)
{
    if (i > 1)
        return false;
    shape z = shape_of(call);
    double in = bytes_back(call, 0), result = bytes_back(call, 3);
    double pixels = z.n * z.p * z.q;
    /* dx: at a stride each of its points is reached by a part of the taps alone. */
    double phases = call->arg[STRIDE] * call->arg[STRIDE];
    *out =
        i ? (ridge__product){.m = z.k, .n = z.c * z.taps, .k = pixels}
          : (ridge__product){.m = pixels * phases, .n = z.c, .k = z.k * z.taps / phases};
    out->batch = z.groups;
    out->element[0] = out->element[1] = in;
    out->element[2] = result;
    if (i)
        share_bytes(out, z.y * in, z.x * in, z.w * result);
    else
        share_bytes(out, z.y * in, z.w * in, z.x * result);
    return true;
}

/* ---- The rows ---------------------------------------------------------------------- */

static const char *const forward[] = {"x", "w", "y"};
static const char *const backward[] = {"x", "w", "dy", "dx", "dw"};

#define SHAPE_TEXT                                                              \
    "p = (h + 2 padding - dilation (r - 1) - 1) / stride + 1, rounded down, q " \
    "likewise; rows_read, cols_read: those that some tap reads"
#define ROW(key, names)                                                                \
    .name = (key), .family = "convolution", .form = RIDGE_FORM_TILE, .params = params, \
    .param_count = PARAMS, .operands = (names), .operand_count = RIDGE__COUNT(names),  \
    .symbol = symbol, .dtype_param = DTYPE, .stand_in = "gemm",                        \
    .flop_per_element = RIDGE_UNKNOWN, .special_per_element = RIDGE_UNKNOWN
#define FORWARD_BYTES                                                         \
    "{n}*{c}*{rows_read}*{cols_read}*{sa} + {k}*{c}/{groups}*{r}*{s}*{sb} + " \
    "{n}*{k}*{p}*{q}*{sc}"
#define DIRECT "2*{n}*{k}*{p}*{q}*{c}/{groups}*{r}*{s}"
#define SAMPLE "n=32 c=256 h=56 k=256 r=3 padding=1 dtype=bf16"

static const ridge_op ops[] = {
    {ROW("conv2d", forward), .aliases = "conv convolution conv2d_fprop",
     .title = "2-D convolution: stride, padding, dilation, groups",
     .element_bytes = bytes_x, .results = 1, .count = count_forward, .finish = finish,
     .product = forward_product, .flop_formula = DIRECT,
     .executed_formula = "2*{n}*{p}*{q}*{r}*{s}*{c_padded}*{k_padded}*{groups}",
     .bytes_formula = FORWARD_BYTES,
     .growth = "large images at 2 B, stride 1: k c r s / (c + k), grows with the "
               "channels: can become compute bound; depthwise: r s / 2, constant: never",
     .not_counted = "copies of patches, where they go through memory",
     .assumes = "the direct sum with the taps in the padding; Winograd (see "
                "conv2d_winograd) and FFT multiply less",
     .source = "2 N K P Q C R S, as an implicit GEMM: m = n p q, n = k, k = c r s. "
               "executed: channels of a group padded to 16 bytes (cuDNN). " SHAPE_TEXT,
     .example = SAMPLE},
    {ROW("conv2d_winograd", forward),
     .title = "the same for 3 x 3 filters by Winograd F(2x2, 3x3)",
     .element_bytes = bytes_x, .results = 1, .count = count_winograd,
     .finish = finish_winograd, .product = winograd_product, .flop_formula = DIRECT,
     .executed_formula = "{tiles}*(32*{c}/{groups}*{k} + 32*{c} + 24*{k}) + "
                         "35*{c}/{groups}*{k}",
     .bytes_formula = FORWARD_BYTES, .growth = "as conv2d; executed, 4/9 of it",
     .not_counted = "transformed patches where they go through memory",
     .source =
         "the model count is conv2d's; executed: 16 products for 4 results, and "
         "transforms of 32, 35, 24 FLOP (Lavin and Gray 2015). tiles: n times 2 x 2 "
         "blocks of y. " SHAPE_TEXT,
     .example = SAMPLE},
    {ROW("conv2d_backward", backward),
     .title = "gradients of conv2d: of x (dgrad) and of the filters (wgrad)",
     .element_bytes = bytes_back, .results = 2, .count = count_backward, .finish = finish,
     .product = backward_product, .flop_formula = "2*(" DIRECT ")",
     .executed_formula = "2*(2*{n}*{p}*{q}*{r}*{s}*{c_padded}*{k_padded}*{groups})",
     .bytes_formula = "{n}*{c}*{rows_read}*{cols_read}*{sa} + {n}*{k}*{p}*{q}*{sc} + "
                      "{k}*{c}/{groups}*{r}*{s}*({sb} + {se}) + {n}*{c}*{h}*{w}*{sd}",
     .growth = "large images at 2 B, stride 1: 2 k c r s / (2 c + k), grows with the "
               "channels: can become compute bound",
     .not_counted = "dy read by both products; products with zeros that a stride leaves",
     .assumes =
         "direct sums with the taps in the padding; Winograd and FFT multiply less",
     .source = "two products of the forward pass's size. " SHAPE_TEXT, .example = SAMPLE},
};

ridge__op_rows ridge__op_rows_convolution(void)
{
    return (ridge__op_rows){ops, RIDGE__COUNT(ops)};
}
