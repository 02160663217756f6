/* The steps from the datasheet to a measured time, as a table with bars. */
#include "answer/waterfall.h"

#include "machine/machine.h"
#include "op/op.h"
#include "report/page.h"

#include <stdio.h>

enum {
    BAR = 10 /* columns that stand for the measured time */
};

static int column(double share)
{
    double at = round(share * BAR);
    return at >= BAR ? BAR : at > 0 ? (int)at : 0; /* an unknown share has no columns */
}

/* From where the time stood to where the step takes it. */
static void put_bar(char bar[BAR + 1], double from, double to)
{
    int a = column(from < to ? from : to), b = column(from < to ? to : from);
    if (a == b && from != to) /* too short for a column, but there */
        a < BAR ? b++ : a--;
    for (int i = 0; i < BAR; i++)
        bar[i] = i < a || i >= b ? '.' : from < to ? '#' : '-';
    bar[BAR] = '\0';
}

static void say_start(char *buf, size_t size, const ridge__step *step)
{
    snprintf(buf, size, "%s",
             strcmp(step->name, "peak") == 0      ? "the datasheet's peak"
             : strcmp(step->name, "l2") == 0      ? "the bytes at L2's rate"
             : strcmp(step->name, "link") == 0    ? "the link, one way"
             : strcmp(step->name, "network") == 0 ? "the network, one way"
                                                  : "the stated bandwidth");
}

static void say_pipe(char *buf, size_t size, const ridge_result *result)
{
    const ridge_estimate *e = result->estimate;
    ridge__fastest fastest = ridge__fastest_peak(result->machine, result->call, e);
    if (fastest.fp16_sums)
        snprintf(buf, size, "fp16 sums are faster");
    else
        snprintf(buf, size, "%s %s is faster", ridge_dtype_name(fastest.dtype),
                 ridge_pipe_name(fastest.pipe));
}

static void say_clock(char *buf, size_t size, const ridge_result *result)
{
    double rated_hz;
    ridge__rated_peak(result->machine, result->estimate, &rated_hz);
    for (size_t i = 0; i < result->machine->override_count; i++)
        if (strcmp(result->machine->override[i].key, "clock") == 0)
            snprintf(buf, size, "%s, not %s", result->machine->override[i].value,
                     RIDGE__Q(rated_hz, RIDGE_UNIT_HZ));
}

static void say_step(char *buf, size_t size, const ridge_result *result,
                     const ridge__waterfall *w, const ridge__step *step)
{
    const ridge_plan *plan = &result->estimate->plan;
    buf[0] = '\0';
    switch (step->kind) {
    case RIDGE__STEP_START:
        say_start(buf, size, step);
        return;
    case RIDGE__STEP_PIPE:
        say_pipe(buf, size, result);
        return;
    case RIDGE__STEP_CLOCK:
        say_clock(buf, size, result);
        return;
    case RIDGE__STEP_POWER:
        snprintf(buf, size, "power lowers the clock");
        return;
    case RIDGE__STEP_WAVES:
        snprintf(buf, size, "%s waves take %s",
                 ridge__plain_text((char[48]){0}, w->waves, 3),
                 ridge__plain_text((char[48]){0}, w->waves_taken, 3));
        return;
    case RIDGE__STEP_PADDING:
        snprintf(buf, size, "whole tiles of %ux%u", (unsigned)plan->tile_m,
                 (unsigned)plan->tile_n);
        return;
    case RIDGE__STEP_REACHABLE:
        snprintf(buf, size, "what libraries reach");
        return;
    case RIDGE__STEP_SERIAL:
        snprintf(buf, size, "%s",
                 ridge__serial_given(result->call)         ? "prologue, chain, drain"
                 : ridge_op_communicates(result->call->op) ? "start and steps"
                                                           : "prologue and drain");
        return;
    case RIDGE__STEP_LAUNCH:
        snprintf(buf, size, "starting the kernel");
        return;
    case RIDGE__STEP_UNEXPLAINED:
        snprintf(buf, size, "%s",
                 step->time_s < 0 ? "faster than expected" : "this kernel or timer");
        return;
    }
}

void ridge__waterfall_text(ridge__str *out, const ridge_result *result,
                           const ridge_style *style)
{
    ridge__waterfall w;
    double from = 0;
    ridge__waterfall_find(&w, result->machine, result->call, result->estimate,
                          result->measurement);
    if (w.count == 0)
        return;
    ridge__heading(out, style, "From the datasheet to the measured time");
    ridge__str_format(out, "  %-11s %8s %9s %12s\n", "", "adds", "share", "leaves");
    for (size_t i = 0; i < w.count; i++) {
        const ridge__step *step = &w.step[i];
        char bar[BAR + 1], says[64];
        put_bar(bar, from, from + step->share);
        say_step(says, sizeof says, result, &w, step);
        from += step->share;
        ridge__str_format(out, "  %-11s %8s %9s %12s %s %s\n", step->name,
                          RIDGE__S(step->time_s), RIDGE__PERCENT(step->share),
                          RIDGE__Q(step->rate, w.unit), bar, says);
    }
}
