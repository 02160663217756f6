/* Operations on elements and rows, done one element at a time. */
#ifndef RIDGE_BRUTE_STREAM_H
#define RIDGE_BRUTE_STREAM_H

#include "brute.h"

#define ROWS(a)       ((size_t)(a)[RIDGE_STREAM_ROWS])
#define COLS(a)       ((size_t)(a)[RIDGE_STREAM_COLS])
#define EACH_ROW(a)   for (size_t r = 0; r < ROWS(a); r++)
#define EACH_COL(a)   for (size_t c = 0; c < COLS(a); c++)
#define AT(a)         (r * COLS(a) + c)
#define FURTHER(a, i) ((size_t)(a)[RIDGE_STREAM_PARAMS + (i)])

/* ---- Elementwise: `inputs` operands read, the next written ------------------------- */

static double sigmoid(double x)
{
    return special(1 / plus(1, special(exp(-x))));
}

static double f_add(double x, double y, double z)
{
    (void)z;
    return plus(x, y);
}
static double f_mul(double x, double y, double z)
{
    (void)z;
    return times(x, y);
}
static double f_div(double x, double y, double z)
{
    (void)z;
    return times(x, special(1 / y));
}
static double f_pow(double x, double y, double z)
{
    (void)z;
    return special(exp2(times(y, special(log2(x)))));
}
static double f_addu(double x, double y, double z)
{
    (void)y, (void)z;
    return plus(x, 3);
}
static double f_mulu(double x, double y, double z)
{
    (void)y, (void)z;
    return times(x, 3);
}
static double f_powu(double x, double y, double z)
{
    (void)y;
    return f_pow(x, 3, z);
}
static double f_relu(double x, double y, double z)
{
    (void)y, (void)z;
    return larger(x, 0);
}
static double f_gelu(double x, double y, double z)
{
    (void)y, (void)z;
    double inner = times(times(x, plus(1, times(0.044715, times(x, x)))), 0.798);
    return times(times(0.5, x), plus(1, special(tanh(inner))));
}
static double f_special(double x, double y, double z)
{
    (void)y, (void)z;
    return special(x);
}
static double f_sigmoid(double x, double y, double z)
{
    (void)y, (void)z;
    return sigmoid(x);
}
static double f_silu(double x, double y, double z)
{
    (void)y, (void)z;
    return times(x, sigmoid(x));
}
static double f_silu_mul(double x, double y, double z)
{
    (void)z;
    return times(times(x, sigmoid(x)), y);
}
static double f_fma(double x, double y, double z)
{
    return plus(times(x, y), z);
}
static double f_axpy(double x, double y, double z)
{
    (void)z;
    return plus(times(3, x), y);
}
static double f_same(double x, double y, double z)
{
    (void)y, (void)z;
    return x;
}
static double f_quant(double x, double y, double z)
{
    (void)y, (void)z;
    return smaller(larger(times(x, 3), -448), 448);
}
static double f_dropout(double x, double y, double z)
{
    (void)y, (void)z;
    return larger(0.5, 0.1) > 0.1 ? times(x, 1.1) : 0;
}
static double f_relu_backward(double dy, double x, double z)
{
    (void)z;
    return larger(x, 0) > 0 ? dy : 0;
}
static double f_gelu_backward(double dy, double x, double z)
{
    (void)z;
    double x2 = times(x, x);
    double t = special(tanh(times(times(plus(times(x2, 0.044715), 1), x), 0.798)));
    double slope = times(plus(times(x2, 0.134145), 1), 0.798);
    double rest = minus(1, times(t, t));
    double left = times(0.5, plus(1, t));
    return times(dy, plus(left, times(times(times(x, rest), slope), 0.5)));
}
static double f_silu_backward(double dy, double x, double z)
{
    (void)z;
    double s = sigmoid(x);
    return times(times(dy, s), plus(1, times(x, minus(1, s))));
}
static double f_tanh_backward(double dy, double y, double z)
{
    (void)z;
    return times(dy, minus(1, times(y, y)));
}
static double f_sigmoid_backward(double dy, double y, double z)
{
    (void)z;
    return times(dy, times(y, minus(1, y)));
}

typedef double (*scalar)(double x, double y, double z);

/* Some numbers through f, operands in their order. */
static void apply(const double *a, scalar f, size_t inputs, size_t outputs)
{
    EACH_ROW(a) EACH_COL(a)
    {
        double in[3] = {0, 0, 0};
        for (size_t k = 0; k < inputs; k++) {
            touch(k, AT(a));
            in[k] = some(AT(a) + k);
        }
        (void)f(in[0], in[1], in[2]);
        for (size_t k = 0; k < outputs; k++)
            touch(inputs + k, AT(a));
    }
}

static void run_transpose(const double *a)
{
    EACH_ROW(a) EACH_COL(a)
    {
        touch(0, AT(a));
        touch(1, c * ROWS(a) + r);
    }
}

static void run_rope(const double *a)
{
    EACH_ROW(a) for (size_t c = 0; c < COLS(a); c += 2)
    {
        size_t i = AT(a);
        touch(0, i), touch(0, i + 1);
        (void)minus(times(some(i), 0.8), times(some(i + 1), 0.6));
        (void)plus(times(some(i), 0.6), times(some(i + 1), 0.8));
        touch(1, i), touch(1, i + 1);
    }
}

static void run_generic(const double *a)
{
    size_t inputs = FURTHER(a, 0), ops = FURTHER(a, 1);
    EACH_ROW(a) EACH_COL(a)
    {
        for (size_t k = 0; k < inputs; k++)
            touch(0, AT(a) * inputs + k); /* the inputs are counted as one operand */
        for (size_t k = 0; k < ops; k++)
            (void)plus(1, 2);
        touch(1, AT(a));
    }
}

static void run_fill(const double *a)
{
    EACH_ROW(a) EACH_COL(a) touch(0, AT(a));
}

/* Bytes of the sectors that are fetched, four bytes an element. */
static void run_strided(const double *a)
{
    EACH_ROW(a) EACH_COL(a)
    {
        size_t byte = AT(a) * FURTHER(a, 0) * 4, last = byte + 4;
        if (FURTHER(a, 0) * 4 < 32)
            last = byte + FURTHER(a, 0) * 4; /* the gap is in the sector too */
        for (size_t b = byte / 32 * 32; b < last; b += 32)
            for (size_t k = b; k < b + 32; k++)
                if (FURTHER(a, 0) * 4 >= 32 || k < last)
                    touch(0, k);
        touch(1, AT(a));
    }
}

static void run_mhc_pre(const double *a)
{
    size_t n = FURTHER(a, 0), hidden = COLS(a) / n;
    EACH_ROW(a)
    {
        for (size_t k = 0; k < n * n + 2 * n; k++)
            EACH_COL(a)
            {
                touch(0, AT(a));
                (void)plus(0, times(some(c), some(k)));
            }
        for (size_t h = 0; h < hidden; h++) {
            for (size_t i = 0; i < n; i++)
                (void)plus(0, times(some(i), some(h)));
            touch(1, r * hidden + h);
        }
    }
}

static void run_mhc_post(const double *a)
{
    size_t n = FURTHER(a, 0), hidden = COLS(a) / n;
    EACH_ROW(a) EACH_COL(a)
    {
        size_t h = c % hidden;
        for (size_t i = 0; i < n; i++) {
            touch(0, r * COLS(a) + i * hidden + h);
            (void)plus(0, times(some(i), some(h)));
        }
        touch(1, r * hidden + h);
        (void)plus(0, times(some(c), some(h)));
        touch(2, AT(a));
    }
}

/* ---- Rows -------------------------------------------------------------------------- */

/* Two for the square's sum, scale and weight; the root of a row is not counted. */
static void norm_row(const double *a)
{
    EACH_COL(a)(void) plus(0, times(some(c), some(c)));
    EACH_COL(a)(void) times(times(some(c), 0.7), some(c));
}

static void run_rmsnorm(const double *a)
{
    EACH_ROW(a)
    {
        norm_row(a);
        EACH_COL(a) touch(0, AT(a)), touch(1, c), touch(2, AT(a));
    }
}

static void run_rmsnorm_qk(const double *a)
{
    EACH_ROW(a)
    {
        norm_row(a);
        /* Rows of queries and of keys have weights of their own. */
        EACH_COL(a) touch(0, AT(a)), touch(1, r % 2 * COLS(a) + c), touch(2, AT(a));
    }
}

static void run_rmsnorm_residual(const double *a)
{
    EACH_ROW(a)
    {
        EACH_COL(a)
        {
            touch(0, AT(a)), touch(1, AT(a)), touch(2, c);
            (void)plus(some(c), some(r));
            touch(3, AT(a)), touch(4, AT(a));
        }
        norm_row(a);
    }
}

static void run_layernorm(const double *a)
{
    EACH_ROW(a)
    {
        EACH_COL(a)(void) plus(0, some(c));
        EACH_COL(a)
        {
            double d = minus(some(c), 0.3);
            (void)plus(0, times(d, d));
            (void)plus(times(times(d, 0.7), some(c)), 0.1);
            touch(0, AT(a)), touch(1, c), touch(2, c), touch(3, AT(a));
        }
    }
}

/* Reads of operand k in `passes` passes. */
static void read_rows(const double *a, size_t k, size_t passes)
{
    for (size_t p = 0; p < passes; p++) {
        next_pass(k);
        EACH_ROW(a) EACH_COL(a) touch(k, AT(a));
    }
}

static void run_softmax(const double *a)
{
    read_rows(a, 0, FURTHER(a, 0));
    EACH_ROW(a) EACH_COL(a)
    {
        (void)larger(0, some(c));
        (void)plus(0, special(exp(minus(some(c), 0.36))));
        (void)times(some(c), 0.7);
        touch(1, AT(a));
    }
}

static void run_sum(const double *a)
{
    EACH_ROW(a)
    {
        EACH_COL(a) touch(0, AT(a)), (void)plus(0, some(c));
        touch(1, r);
    }
}

static void run_dot(const double *a)
{
    EACH_ROW(a)
    {
        double sum = 0;
        EACH_COL(a)
        {
            touch(0, AT(a)), touch(1, AT(a));
            double product = times(some(c), some(r));
            sum = c ? plus(sum, product) : product;
        }
        touch(2, r);
    }
}

static void run_grad_norm(const double *a)
{
    EACH_ROW(a)
    {
        double sum = 0;
        EACH_COL(a)
        {
            touch(0, AT(a));
            double square = times(some(c), some(c));
            sum = c ? plus(sum, square) : square;
        }
        touch(1, r);
    }
}

static void run_scan(const double *a)
{
    read_rows(a, 0, FURTHER(a, 0));
    EACH_ROW(a)
    {
        double sum = 0;
        EACH_COL(a)
        {
            sum = c ? plus(sum, some(c)) : some(c);
            touch(1, AT(a));
        }
    }
}

/* Up-sweep and down-sweep over a power of two: work-efficient, n - 1 additions each. */
static void run_scan_parallel(const double *a)
{
    size_t n = COLS(a);
    read_rows(a, 0, FURTHER(a, 0));
    EACH_ROW(a)
    {
        for (size_t d = 1; d < n; d *= 2)
            for (size_t k = 0; k < n; k += 2 * d)
                (void)plus(some(k), some(d));
        for (size_t d = n / 2; d > 0; d /= 2)
            for (size_t k = 0; k < n; k += 2 * d)
                (void)plus(some(k), some(d));
        EACH_COL(a) touch(1, AT(a));
    }
}

/* ---- Indices ----------------------------------------------------------------------- */

/* A row's place: each of `unique` places at least once, in no order. */
static size_t place(size_t row, size_t unique)
{
    return row * 7 % unique;
}

static void run_embedding(const double *a)
{
    EACH_ROW(a)
    {
        touch(1, r);
        EACH_COL(a) touch(0, place(r, FURTHER(a, 1)) * COLS(a) + c), touch(2, AT(a));
    }
}

static void run_scatter(const double *a)
{
    EACH_ROW(a)
    {
        touch(1, r);
        EACH_COL(a) touch(0, AT(a)), touch(2, place(r, FURTHER(a, 1)) * COLS(a) + c);
    }
}

static void run_scatter_add(const double *a)
{
    run_scatter(a);
    EACH_ROW(a) EACH_COL(a)
    {
        (void)plus(some(c), some(r));
        touch(3, place(r, FURTHER(a, 1)) * COLS(a) + c);
    }
}

static void run_histogram(const double *a)
{
    EACH_ROW(a) EACH_COL(a)
    {
        touch(0, AT(a));
        touch(1, place(AT(a), FURTHER(a, 0)));
        (void)plus(1, 1);
    }
}

/* ---- Quantisation ------------------------------------------------------------------ */

/* Which scale element (r, c) has. */
static size_t scale_of(const double *a, size_t r, size_t c)
{
    size_t block = FURTHER(a, 0) ? FURTHER(a, 0) : COLS(a);
    size_t across = (COLS(a) + block - 1) / block;
    return r / FURTHER(a, 1) * across + c / block;
}

static void run_quant(const double *a)
{
    EACH_ROW(a) EACH_COL(a)
    {
        size_t scale = scale_of(a, r, c);
        bool first = !brute_tally()->of[2].seen[scale];
        touch(2, scale);
        if (first)
            (void)special(1 / 3.0);
        (void)larger(0, some(c));
        touch(0, AT(a)), touch(1, AT(a));
        (void)f_quant(some(c), 0, 0);
    }
}

static void run_dequant(const double *a)
{
    EACH_ROW(a) EACH_COL(a)
    {
        touch(0, AT(a)), touch(1, scale_of(a, r, c)), touch(2, AT(a));
        (void)times(some(c), some(r));
    }
}

/* ---- Logits ------------------------------------------------------------------------ */

static void run_top_k(const double *a)
{
    EACH_ROW(a)
    {
        EACH_COL(a) touch(0, AT(a)), (void)larger(some(c), 0.3);
        for (size_t k = 0; k < FURTHER(a, 0); k++)
            touch(1, r * FURTHER(a, 0) + k), touch(2, r * FURTHER(a, 0) + k);
    }
}

static void run_argmax(const double *a)
{
    EACH_ROW(a)
    {
        double most = 0;
        EACH_COL(a)
        {
            touch(0, AT(a));
            most = c ? larger(most, some(c)) : some(c);
        }
        touch(1, r);
    }
}

static void run_sampling(const double *a)
{
    read_rows(a, 0, FURTHER(a, 0));
    EACH_ROW(a)
    {
        EACH_COL(a)
        {
            double x = times(some(c), 0.7);
            (void)larger(0, x);
            double e = special(exp(minus(x, 0.3)));
            (void)plus(0, e);
            (void)larger(e, 0.01);
            (void)plus(0, e);
        }
        touch(1, r);
    }
}

/* log(sum(exp(x - most))) + most - x[label] */
static void loss_row(const double *a, size_t r)
{
    EACH_COL(a)
    {
        (void)larger(0, some(c));
        (void)plus(0, special(exp(minus(some(c), 0.36))));
    }
    (void)minus(plus(special(log(3)), 0.36), some(r));
}

static void run_loss(const double *a)
{
    read_rows(a, 0, FURTHER(a, 0));
    EACH_ROW(a)
    {
        loss_row(a, r);
        touch(1, r), touch(2, r);
    }
}

static void run_loss_backward(const double *a)
{
    EACH_ROW(a)
    {
        for (size_t k = 0; k < 3; k++)
            touch(1, 3 * r + k);
        EACH_COL(a)
        {
            double p = special(exp(minus(some(c), 0.9)));
            (void)times(c == 1 ? minus(p, 1) : p, 0.1);
            touch(0, AT(a)), touch(2, AT(a));
        }
    }
}

static void run_loss_fused(const double *a)
{
    read_rows(a, 0, FURTHER(a, 0));
    EACH_ROW(a)
    {
        loss_row(a, r);
        double inverse = special(1 / 3.0);
        EACH_COL(a)
        {
            double p = times(some(c), inverse);
            (void)times(c == 1 ? minus(p, 1) : p, 0.1);
            touch(2, AT(a));
        }
        touch(1, r), touch(3, r);
    }
}

/* ---- Gradients along rows ---------------------------------------------------------- */

static void run_silu_mul_backward(const double *a)
{
    EACH_ROW(a) EACH_COL(a)
    {
        double dy = 0.3, gate = some(c), up = some(r), s = sigmoid(gate);
        (void)times(dy, times(gate, s));
        double slope = times(s, plus(1, times(gate, minus(1, s))));
        (void)times(times(dy, up), slope);
        for (size_t k = 0; k < 5; k++)
            touch(k, AT(a));
    }
}

static void run_softmax_backward(const double *a)
{
    read_rows(a, 0, FURTHER(a, 0));
    read_rows(a, 1, FURTHER(a, 0));
    EACH_ROW(a) EACH_COL(a)
    {
        (void)plus(0, times(some(c), some(r)));
        (void)times(some(c), minus(some(r), 0.3));
        touch(2, AT(a));
    }
}

static void run_rmsnorm_backward(const double *a)
{
    EACH_ROW(a)
    {
        touch(3, r);
        EACH_COL(a)
        {
            double dy = some(r), h = times(some(c), 0.7);
            (void)plus(0, times(dy, h));
            double g = times(dy, some(c));
            (void)plus(0, times(g, h));
            (void)times(minus(g, times(h, 0.1)), 0.7);
            touch(0, AT(a)), touch(1, AT(a)), touch(2, c), touch(4, AT(a)), touch(5, c);
        }
    }
}

static void run_layernorm_backward(const double *a)
{
    EACH_ROW(a)
    {
        touch(3, 2 * r), touch(3, 2 * r + 1);
        EACH_COL(a)
        {
            double dy = some(r), h = times(minus(some(c), 0.3), 0.7);
            (void)plus(0, times(dy, h));
            (void)plus(0, dy);
            double g = times(dy, some(c));
            (void)plus(0, g);
            (void)plus(0, times(g, h));
            (void)times(minus(minus(g, 0.2), times(h, 0.1)), 0.7);
            touch(0, AT(a)), touch(1, AT(a)), touch(2, c), touch(4, AT(a));
            touch(5, 2 * c), touch(5, 2 * c + 1);
        }
    }
}

/* ---- Optimizers -------------------------------------------------------------------- */

/* `moments` states and, where it is kept, the master copy: read and written. */
static void touch_state(const double *a, size_t i, size_t moments)
{
    size_t master = FURTHER(a, 1), count = moments + master;
    touch(0, i);
    if (!master)
        touch(1, i);
    for (size_t k = 0; k < count; k++)
        touch(2, i * count + k), touch(3, i * count + k);
    touch(4, i);
}

static void run_adamw(const double *a)
{
    EACH_ROW(a) EACH_COL(a)
    {
        double g = some(c), p = some(r);
        double m = plus(times(0.9, 0.1), times(0.1, g));
        double v = plus(times(0.99, 0.2), times(times(0.01, g), g));
        double root = special(sqrt(times(v, 1.1)));
        double step = times(times(m, 1.2), special(1 / plus(root, 1e-8)));
        (void)minus(times(p, 0.999), times(1e-3, step));
        touch_state(a, AT(a), 2);
    }
}

static void run_sgd(const double *a)
{
    EACH_ROW(a) EACH_COL(a)
    {
        double m = plus(times(0.9, 0.1), some(c));
        (void)minus(some(r), times(1e-3, m));
        touch_state(a, AT(a), 1);
    }
}

#endif
