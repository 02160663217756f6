/* Draw one of the golden charts on standard output: draw NAME svg|terminal|ascii. */
#include <ridge.h>
#include <stdio.h>
#include <string.h>

static int print(void *ctx, const char *data, size_t size)
{
    return fwrite(data, 1, size, ctx) != size;
}

/* The primer: 10 GFLOP over 1 GB in 2 ms on 100 TFLOP/s and 1 TB/s. */
static ridge_status draw_primer(ridge_chart *c)
{
    ridge_status status = ridge_chart_add_roof(c, "every dtype", 100e12, 1e12, false);
    if (!status)
        status = ridge_chart_add_point(c, "custom flop=10GFLOP bytes=1GB", 10, 5e12,
                                       RIDGE_UNKNOWN, RIDGE_UNKNOWN);
    return status;
}

typedef struct mark {
    char kind; /* M machine, P peak, B bandwidth, Q point, S stream */
    const char *label;
    double a, b, c, d; /* P, B: rate, reachable; Q: intensity, rate, low, high */
} mark;
#define UNKNOWN -1 /* a NaN does not fit in a static table of all compilers */

static double value(double x)
{
    return x < 0 ? RIDGE_UNKNOWN : x;
}

static ridge_status add(ridge_chart *c, const mark *m)
{
    switch (m->kind) {
    case 'P':
        return ridge_chart_add_peak(c, m->label, m->a, m->b > 0);
    case 'B':
        return ridge_chart_add_bandwidth(c, m->label, m->a, m->b > 0);
    case 'M':
        return ridge_chart_select(c, m->label);
    case 'S':
        return ridge_chart_add_stream(c, m->label, value(m->a), value(m->b), value(m->c));
    default:
        return ridge_chart_add_point(c, m->label, m->a, value(m->b), value(m->c),
                                     value(m->d));
    }
}

/* Several precisions and levels, stated and reachable, and every kind of point. */
static const mark levels[] = {
    {'B', "DRAM", 3.352e12, 0, 0, 0},
    {'B', "DRAM", 3.03e12, 1, 0, 0},
    {'B', "L2", 5.6e12, 0, 0, 0},
    {'P', "fp8 matrix", 1978.9e12, 0, 0, 0},
    {'P', "fp8 matrix", 1500e12, 1, 0, 0},
    {'P', "bf16 matrix", 989.4e12, 0, 0, 0},
    {'P', "bf16 matrix", 790e12, 1, 0, 0},
    {'P', "fp32 vector", 66.9e12, 0, 0, 0},
    {'Q', "gemm m=4096 n=4096 k=4096", 1365.3, 799e12, 700e12, 860e12},
    {'Q', "gemm m=64 n=8192 k=8192", 63, 160e12, 150e12, 190e12},
    {'Q', "attention decode <kv & q>", 7.9, UNKNOWN, 16e12, 24e12},
    {'Q', "rmsnorm rows=4096 cols=8192", 1, 2.6e12, 2.2e12, 2.9e12},
    {'Q', "fp32 stencil", 9, 20e12, UNKNOWN, UNKNOWN},
    {'S', "copy elements=1G", 2.9e12, 2.7e12, 3.0e12, 0},
};

static const mark extreme[] = {
    {'B', "DRAM", 3.352e12, 0, 0, 0},
    {'P', "bf16 matrix", 989.4e12, 0, 0, 0},
    {'Q', "a thousandth", 1e-3, 2e9, UNKNOWN, UNKNOWN},
    {'Q', "a million", 1e6, 900e12, UNKNOWN, UNKNOWN},
};

/* Near-equal roofs and kernels: labels fall back on numbers. */
static const mark crowd[] = {
    {'B', "DRAM", 8e12, 0, 0, 0},         {'B', "DRAM", 7.2e12, 1, 0, 0},
    {'B', "LLC", 17e12, 0, 0, 0},         {'B', "L2", 25e12, 0, 0, 0},
    {'P', "nvfp4", 9e15, 0, 0, 0},        {'P', "fp8", 4.5e15, 0, 0, 0},
    {'P', "int8", 4.4e15, 0, 0, 0},       {'P', "bf16", 2.25e15, 0, 0, 0},
    {'P', "fp16", 2.25e15, 0, 0, 0},      {'P', "tf32", 1.1e15, 0, 0, 0},
    {'P', "fp32", 75e12, 0, 0, 0},        {'P', "fp64", 37e12, 0, 0, 0},
    {'Q', "m=1024", 200, 1.2e15, -1, -1}, {'Q', "m=1152", 212, 1.25e15, -1, -1},
    {'Q', "m=1280", 224, 1.3e15, -1, -1}, {'Q', "m=1408", 236, 1.35e15, -1, -1},
    {'Q', "m=1536", 248, 1.4e15, -1, -1}, {'Q', "m=1664", 260, 1.45e15, -1, -1},
    {'Q', "m=1792", 272, 1.5e15, -1, -1}, {'Q', "m=1920", 284, 1.55e15, -1, -1},
    {'Q', "m=2048", 296, 1.6e15, -1, -1}, {'Q', "m=2176", 308, 1.65e15, -1, -1},
};

/* Three machines with the same calls, measured on one. */
static const mark machines[] = {
    {'M', "h100-sxm", 0, 0, 0, 0},
    {'B', "DRAM", 3.352e12, 0, 0, 0},
    {'P', "bf16 matrix", 989.4e12, 0, 0, 0},
    {'Q', "gemm m=4096 n=4096 k=4096", 1365.3, 799e12, 700e12, 860e12},
    {'Q', "rmsnorm rows=4096 cols=8192", 1, 2.6e12, 2.2e12, 2.9e12},
    {'S', "copy elements=1G", 2.9e12, 2.7e12, 3.0e12, 0},
    {'M', "a100-sxm-80", 0, 0, 0, 0},
    {'B', "DRAM", 2.039e12, 0, 0, 0},
    {'P', "bf16 matrix", 312e12, 0, 0, 0},
    {'Q', "gemm m=4096 n=4096 k=4096", 1365.3, UNKNOWN, 220e12, 290e12},
    {'Q', "rmsnorm rows=4096 cols=8192", 1, UNKNOWN, 1.4e12, 1.8e12},
    {'M', "<mi300x>", 0, 0, 0, 0},
    {'B', "DRAM", 5.3e12, 0, 0, 0},
    {'B', "L2", 17e12, 0, 0, 0},
    {'P', "bf16 matrix", 1307e12, 0, 0, 0},
    {'P', "bf16 matrix", 700e12, 1, 0, 0},
    {'Q', "gemm m=4096 n=4096 k=4096", 1365.3, 480e12, 341e12, 637e12},
};

static ridge_status draw(ridge_chart *c, const char *name)
{
    static const struct {
        const char *name;
        const mark *marks;
        size_t count;
    } charts[] = {
        {"levels", levels, sizeof levels / sizeof *levels},
        {"extreme", extreme, sizeof extreme / sizeof *extreme},
        {"crowd", crowd, sizeof crowd / sizeof *crowd},
        {"machines", machines, sizeof machines / sizeof *machines},
    };
    if (strcmp(name, "primer") == 0)
        return draw_primer(c);
    for (size_t i = 0; i < sizeof charts / sizeof *charts; i++)
        if (strcmp(name, charts[i].name) == 0) {
            ridge_status status = RIDGE_OK;
            for (size_t k = 0; k < charts[i].count && !status; k++)
                status = add(c, &charts[i].marks[k]);
            return status;
        }
    return RIDGE_NOTFOUND;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    ridge_chart *chart = NULL;
    ridge_style style = {.width = 80, .ascii = strcmp(argv[2], "ascii") == 0};
    ridge_canvas canvas = strcmp(argv[2], "svg") == 0 ? RIDGE_SVG : RIDGE_TERMINAL;
    ridge_status status = ridge_chart_new(&chart, argv[1]);
    if (!status)
        status = draw(chart, argv[1]);
    if (!status)
        status =
            ridge_chart_write(chart, canvas, &style, (ridge_sink){print, stdout}, NULL);
    ridge_chart_free(chart);
    return status ? 1 : 0;
}
