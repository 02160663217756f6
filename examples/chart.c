/* A roofline chart of one's own numbers: no catalogue, no GPU. */
#include <ridge.h>
#include <stdio.h>

static int print(void *ctx, const char *data, size_t size)
{
    return fwrite(data, 1, size, ctx) != size;
}

int main(void)
{
    ridge_chart *chart = NULL;
    ridge_error err = {.message = "out of memory"};
    ridge_style style = {.width = 80};
    ridge_sink out = {print, stdout};
    double unknown = RIDGE_UNKNOWN;

    /* A machine of 100 TFLOP/s and 1 TB/s, and 10 GFLOP over 1 GB that took 2 ms:
     * intensity 10 FLOP/byte, 5 TFLOP/s of the 10 that its roof allows. */
    int failed =
        ridge_chart_new(&chart, "My kernel on my machine") ||
        ridge_chart_add_roof(chart, "fp32", 100e12, 1e12, false) ||
        ridge_chart_add_point(chart, "my kernel", 10, 10e9 / 2e-3, unknown, unknown) ||
        ridge_chart_write(chart, RIDGE_TERMINAL, &style, out, &err);
    if (failed)
        fprintf(stderr, "chart: %s\n", err.message);
    ridge_chart_free(chart);
    return failed;
}
