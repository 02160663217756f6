/* Products, convolutions, stencils, transforms and sparse products, loop by loop. */
#ifndef RIDGE_BRUTE_LOOPS_H
#define RIDGE_BRUTE_LOOPS_H

#include "brute_stream.h"

/* One multiply-add, the first into zero. */
static inline void multiply_add(void)
{
    (void)plus(0, times(0.3, 0.7));
}

/* ---- Products ---------------------------------------------------------------------- */

static void run_gemm(const double *a)
{
    size_t m = (size_t)a[RIDGE_GEMM_M], n = (size_t)a[RIDGE_GEMM_N];
    size_t k = (size_t)a[RIDGE_GEMM_K], batch = (size_t)a[RIDGE_GEMM_BATCH];
    for (size_t b = 0; b < batch; b++)
        for (size_t i = 0; i < m; i++)
            for (size_t j = 0; j < n; j++) {
                for (size_t l = 0; l < k; l++) {
                    touch(0, (b * m + i) * k + l);
                    touch(1, (b * k + l) * n + j);
                    multiply_add();
                }
                for (size_t e = 0; e < (size_t)a[RIDGE_GEMM_EPILOGUE]; e++)
                    (void)plus(0, 1);
                touch(2, (b * m + i) * n + j);
                if (a[RIDGE_GEMM_BETA] != 0)
                    touch(3, (b * m + i) * n + j);
            }
}

static void run_gemm_backward(const double *a)
{
    size_t m = (size_t)a[RIDGE_GEMM_M], n = (size_t)a[RIDGE_GEMM_N];
    size_t k = (size_t)a[RIDGE_GEMM_K], batch = (size_t)a[RIDGE_GEMM_BATCH];
    bool accumulate = a[RIDGE_GEMM_DTYPE_ACC + 2] != 0;
    for (size_t b = 0; b < batch; b++)
        for (size_t i = 0; i < m; i++)
            for (size_t j = 0; j < n; j++)
                for (size_t l = 0; l < k; l++) {
                    size_t in = (b * m + i) * k + l, weight = (b * k + l) * n + j;
                    touch(2, (b * m + i) * n + j);
                    touch(1, weight), touch(3, in), multiply_add(); /* da += dc b */
                    touch(0, in), touch(4, weight), multiply_add(); /* db += a dc */
                    if (accumulate)
                        touch(5, weight);
                }
}

/* ---- Convolutions ------------------------------------------------------------------ */

enum { /* places of the parameters, as `ridge op conv2d` lists them */
    CONV_N,
    CONV_C,
    CONV_H,
    CONV_W,
    CONV_K,
    CONV_R,
    CONV_S,
    CONV_STRIDE,
    CONV_PADDING,
    CONV_DILATION,
    CONV_GROUPS
};
typedef struct conv {
    size_t n, c, h, w, k, r, s, stride, padding, dilation, groups, p, q;
} conv;

/* Positions of a window of `taps` that slides within the padded extent. */
static size_t slide(size_t size, size_t taps, const conv *v)
{
    size_t count = 0, reach = v->dilation * (taps - 1);
    for (size_t at = 0; at + reach < size + 2 * v->padding; at += v->stride)
        count++;
    return count;
}

static conv conv_of(const double *a)
{
    conv v = {(size_t)a[CONV_N],
              (size_t)a[CONV_C],
              (size_t)a[CONV_H],
              (size_t)a[CONV_W],
              (size_t)a[CONV_K],
              (size_t)a[CONV_R],
              (size_t)a[CONV_S],
              (size_t)a[CONV_STRIDE],
              (size_t)a[CONV_PADDING],
              (size_t)a[CONV_DILATION],
              (size_t)a[CONV_GROUPS],
              0,
              0};
    v.p = slide(v.h, v.r, &v);
    v.q = slide(v.w, v.s, &v);
    return v;
}

/* Place in x of a tap; false in the padding. */
static bool tap_at(size_t *out, const conv *v, size_t y, size_t x)
{
    if (y < v->padding || y >= v->h + v->padding || x < v->padding ||
        x >= v->w + v->padding)
        return false;
    *out = (y - v->padding) * v->w + x - v->padding;
    return true;
}

/* One tap of every channel of a group: products, and what is touched. */
typedef void (*tap_visit)(size_t x, bool inside, size_t w, size_t y);

static void every_tap(const double *a, tap_visit visit)
{
    conv v = conv_of(a);
    size_t each_c = v.c / v.groups, each_k = v.k / v.groups;
    for (size_t n = 0; n < v.n; n++)
        for (size_t k = 0; k < v.k; k++)
            for (size_t i = 0; i < v.p * v.q; i++)
                for (size_t c = 0; c < each_c; c++)
                    for (size_t t = 0; t < v.r * v.s; t++) {
                        size_t y = i / v.q * v.stride + t / v.s * v.dilation;
                        size_t x = i % v.q * v.stride + t % v.s * v.dilation, at = 0;
                        bool inside = tap_at(&at, &v, y, x);
                        size_t channel = k / each_k * each_c + c;
                        visit((n * v.c + channel) * v.h * v.w + at, inside,
                              (k * each_c + c) * v.r * v.s + t,
                              (n * v.k + k) * v.p * v.q + i);
                    }
}

/* By convention taps in the padding are multiplied too. */
static void visit_forward(size_t x, bool inside, size_t w, size_t y)
{
    if (inside)
        touch(0, x);
    touch(1, w), touch(2, y);
    multiply_add();
}

static void run_conv(const double *a)
{
    every_tap(a, visit_forward);
}

static void visit_backward(size_t x, bool inside, size_t w, size_t y)
{
    if (inside)
        touch(0, x);
    touch(1, w), touch(2, y), touch(4, w);
    multiply_add();
    multiply_add();
}

static void run_conv_backward(const double *a)
{
    conv v = conv_of(a);
    every_tap(a, visit_backward);
    for (size_t i = 0; i < v.n * v.c * v.h * v.w; i++)
        touch(3, i); /* where no tap looks the gradient is 0, and written */
}

/* Channels in whole vectors of `each`, as the units take them. */
static void run_conv_padded(const double *a)
{
    const size_t each = 8;
    conv v = conv_of(a);
    run_conv(a);
    brute_tally()->flop = 0;
    for (size_t g = 0; g < v.groups; g++)
        for (size_t k = 0; k < (v.k / v.groups + each - 1) / each * each; k++)
            for (size_t c = 0; c < (v.c / v.groups + each - 1) / each * each; c++)
                for (size_t i = 0; i < v.n * v.p * v.q * v.r * v.s; i++)
                    multiply_add();
}

/* B^T d of four, G g of three, A^T m of four: one line of the transforms. */
static void line_in(void)
{
    (void)minus(1, 2), (void)plus(1, 2), (void)minus(1, 2), (void)minus(1, 2);
}
static void line_filter(void)
{
    double even = times(0.5, plus(1, 2)), odd = times(0.5, 3);
    (void)plus(even, odd), (void)minus(even, odd);
}
static void line_out(void)
{
    (void)plus(plus(1, 2), 3), (void)minus(minus(1, 2), 3);
}

static void run_winograd_executed(const double *a)
{
    conv v = conv_of(a);
    size_t tiles = v.n * ((v.p + 1) / 2) * ((v.q + 1) / 2);
    run_conv(a);
    brute_tally()->flop = 0;
    for (size_t i = 0; i < tiles * v.c * 8; i++)
        line_in();
    for (size_t i = 0; i < v.k * (v.c / v.groups) * 7; i++)
        line_filter();
    for (size_t i = 0; i < tiles * v.k * 6; i++)
        line_out();
    for (size_t i = 0; i < tiles * v.k * (v.c / v.groups) * 16; i++)
        multiply_add();
}

/* ---- Stencils ---------------------------------------------------------------------- */

static size_t wrap_around(size_t at, size_t size)
{
    return at % size;
}

static void run_stencil(const double *a)
{
    size_t nx = COLS(a), ny = ROWS(a), nz = FURTHER(a, 0), radius = FURTHER(a, 1);
    bool box = a[RIDGE_STREAM_PARAMS + 2] != 0, ghost = a[RIDGE_STREAM_PARAMS + 3] != 0;
    size_t rx = nx > 1 ? radius : 0, ry = ny > 1 ? radius : 0, rz = nz > 1 ? radius : 0;
    size_t wide = ghost ? nx + 2 * rx : nx, high = ghost ? ny + 2 * ry : ny;
    for (size_t i = 0; i < nx * ny * nz; i++) {
        size_t x = i % nx, y = i / nx % ny, z = i / nx / ny, points = 0;
        for (size_t dz = 0; dz <= 2 * rz; dz++)
            for (size_t dy = 0; dy <= 2 * ry; dy++)
                for (size_t dx = 0; dx <= 2 * rx; dx++) {
                    size_t off = (dz != rz) + (size_t)(dy != ry) + (size_t)(dx != rx);
                    if (!box && off > 1)
                        continue; /* a star has the axes alone */
                    size_t px = x + dx, py = y + dy, pz = z + dz;
                    if (!ghost) {
                        px = wrap_around(px + nx * radius - rx, nx);
                        py = wrap_around(py + ny * radius - ry, ny);
                        pz = wrap_around(pz + nz * radius - rz, nz);
                    }
                    touch(0, (pz * high + py) * wide + px);
                    double product = times(0.3, 0.7);
                    if (points++)
                        (void)plus(product, 1);
                }
        touch(1, i);
    }
}

/* ---- Fourier transforms ------------------------------------------------------------ */

/* Operands: n numbers in, `out` of them out, both in every pass. */
static void touch_fft(const double *a)
{
    static const size_t C2C = 0, R2C = 1;
    size_t n = COLS(a), n2 = FURTHER(a, 0), kind = FURTHER(a, 1);
    size_t half = 2 * (n / 2 + 1);
    size_t in = kind == C2C ? 2 * n : kind == R2C ? n : half;
    size_t out = kind == C2C ? 2 * n : kind == R2C ? half : n;
    for (size_t i = 0; i < ROWS(a) * n2 * in; i++)
        touch(0, i);
    for (size_t i = 0; i < ROWS(a) * n2 * out; i++)
        touch(1, i);
    for (size_t p = 1; p < FURTHER(a, 2); p++)
        for (size_t half_way = 0; half_way < 2; half_way++) { /* written, then read */
            next_pass(2);
            for (size_t i = 0; i < ROWS(a) * n2 * (in < out ? in : out); i++)
                touch(2, i);
        }
}

/* A complex product (4 + 2), and a sum and a difference (2 + 2). */
static void butterfly(void)
{
    (void)minus(times(1, 2), times(3, 4)), (void)plus(times(1, 4), times(3, 2));
    (void)plus(1, 2), (void)plus(1, 2), (void)minus(1, 2), (void)minus(1, 2);
}

/*
 * Radix 2 over all dimensions, every twiddle factor multiplied: 10 FLOP for each of the
 * n/2 log2 n butterflies is what the convention counts.  A transform that leaves out the
 * products with 1 and -i does fewer: see run_fft_split.
 */
static void run_fft(const double *a)
{
    size_t n = COLS(a) * FURTHER(a, 0);
    touch_fft(a);
    for (size_t b = 0; b < ROWS(a); b++)
        for (size_t half = 1; half < n; half *= 2)
            for (size_t i = 0; i < n / 2; i++)
                butterfly();
    if (FURTHER(a, 1) != 0) /* real on one side: two of them in one complex transform */
        brute_tally()->flop /= 2;
}

/* Split-radix: halves of even places, quarters of the odd ones (Yavne 1968). */
static void split_radix(size_t n)
{
    if (n == 1)
        return;
    if (n == 2) {
        for (size_t i = 0; i < 4; i++)
            (void)plus(1, 2);
        return;
    }
    split_radix(n / 2), split_radix(n / 4), split_radix(n / 4);
    for (size_t k = 0; k < n / 4; k++) {
        for (size_t odd = 0; odd < 2; odd++) {
            if (8 * k == n) { /* by e^(-i pi/4): two sums, two products */
                (void)times(0.7, plus(1, 2)), (void)times(0.7, minus(1, 2));
            } else if (k) {
                (void)minus(times(1, 2), times(3, 4));
                (void)plus(times(1, 4), times(3, 2));
            }
        }
        for (size_t i = 0; i < 12; i++)
            (void)plus(1, 2);
    }
}

static void run_fft_split(const double *a)
{
    touch_fft(a);
    for (size_t b = 0; b < ROWS(a); b++)
        split_radix(COLS(a));
    if (FURTHER(a, 1) != 0) { /* half, less what the symmetry saves: n - 2 (Sorensen) */
        double each = brute_tally()->flop / (double)ROWS(a) / 2;
        brute_tally()->flop = (each - (double)COLS(a) + 2) * (double)ROWS(a);
    }
}

/* ---- Sparse ------------------------------------------------------------------------ */

/* Compressed rows: element i in row i mod rows, and columns that all occur. */
static void run_sparse(const double *a, size_t vectors)
{
    size_t rows = ROWS(a), cols = COLS(a), nnz = (size_t)a[RIDGE_STREAM_ELEMENTS];
    bool beta = a[RIDGE_STREAM_PARAMS + 1] != 0;
    for (size_t i = 0; i < nnz; i++) {
        size_t column = i * 5 % cols; /* 5 and cols have no common divisor */
        touch(0, i), touch(1, i);
        touch(2, i % rows), touch(2, i % rows + 1);
        for (size_t v = 0; v < vectors; v++) {
            touch(3, column * vectors + v);
            multiply_add();
        }
    }
    for (size_t i = 0; i < rows * vectors; i++) {
        touch(4, i);
        if (beta)
            touch(5, i);
    }
}

static void run_spmv(const double *a)
{
    run_sparse(a, 1);
}

static void run_spmm(const double *a)
{
    run_sparse(a, FURTHER(a, 2));
}

#endif
