/*
 * What to do next.  For a possible time the three questions of a first analysis: where is
 * the work against the ridge, how far is the run from its roof and which way leads there,
 * and did the time really fall.  For an impossible one, what may have gone wrong.
 */
#include "answer/waterfall.h"
#include "machine/machine.h"
#include "op/op.h"
#include "report/page.h"

#include <stdio.h>

/* Within this of the expected time a run counts as tuned: the fits' own spread. */
static const double TUNED = 0.9;
/* A share of the time worth a remark. */
static const double NOTABLE = 0.25;
/* Shorter than this no power limit shows: clocks are lowered in milliseconds. */
static const double LONG_S = 1e-4;
/* Seconds for milliseconds, the least slip of units: this many times too long. */
static const double UNIT_FORGOTTEN = 1000;

RIDGE_PRINTF(2, 3) static void line(ridge__str *out, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    ridge__str_vformat(out, fmt, args);
    va_end(args);
    ridge__str_add(out, "\n", 1);
}

/* ---- A possible time ------------------------------------------------------------- */

static void where(ridge__str *out, const ridge_estimate *e)
{
    if (!ridge_known(e->intensity) || !ridge_known(e->ridge))
        return;
    if (e->intensity < e->ridge)
        line(out,
             "Where: left of the ridge (%s against %s). Bandwidth limits; a higher peak "
             "alone gains nothing.",
             RIDGE__Q(e->intensity, RIDGE_UNIT_FLOP_PER_BYTE),
             RIDGE__Q(e->ridge, RIDGE_UNIT_FLOP_PER_BYTE));
    else
        line(out,
             "Where: right of the ridge (%s against %s). The peak limits; moving fewer "
             "bytes alone no longer raises the roof.",
             RIDGE__Q(e->intensity, RIDGE_UNIT_FLOP_PER_BYTE),
             RIDGE__Q(e->ridge, RIDGE_UNIT_FLOP_PER_BYTE));
}

/* A long product far below its expected rate: power may hold the clock down. */
static void suspect_power(ridge__str *out, const ridge_result *result)
{
    const ridge_estimate *e = result->estimate;
    const ridge_measurement *m = result->measurement;
    const ridge_device *device = result->machine->device;
    bool nvidia = device && device->vendor && strcmp(device->vendor, "NVIDIA") == 0;
    if (!nvidia || !(m->of_expected < TUNED) || !ridge_known(m->implied_clock_hz) ||
        m->time_s < LONG_S)
        return;
    line(out,
         "Clock: a log of it (nvidia-smi --query-gpu=clocks.sm,power.draw --format=csv "
         "-lms 100) tells whether power%s%s%s holds it down; give it with --clock. "
         "The rate expected here would need %s.",
         ridge_known(device->tdp_w.value) ? " (limit " : "",
         ridge_known(device->tdp_w.value) ? RIDGE__Q(device->tdp_w.value, RIDGE_UNIT_W)
                                          : "",
         ridge_known(device->tdp_w.value) ? ")" : "",
         RIDGE__Q(m->implied_clock_hz * m->time_s / e->expected_s, RIDGE_UNIT_HZ));
}

static void how_far(ridge__str *out, const ridge_result *result)
{
    const ridge_estimate *e = result->estimate;
    const ridge_measurement *m = result->measurement;
    bool tuned = ridge_known(m->of_expected) && m->of_expected >= TUNED;
    if (m->time_s >= 1 && m->time_s > UNIT_FORGOTTEN * e->upper_s)
        line(out, "Unit: a time without one is in seconds; is %s what was measured?",
             RIDGE__S(m->time_s));
    if (ridge_known(m->of_expected) && m->of_expected < NOTABLE)
        line(out,
             "Distance: %s times what tuned libraries need. First rule out other causes: "
             "a timer that spans more than this work, a first call, another kernel on "
             "the part, a slow fallback.",
             RIDGE__N(1 / m->of_expected));
    const ridge_term *flight = ridge__flight_term(e);
    if (m->verdict == RIDGE_VERDICT_LATENCY && flight && flight->time_s > e->latency_s) {
        const ridge_occupancy *o = &e->plan.occupancy;
        line(
            out,
            "In flight: %s, where bandwidth x latency is %s. More blocks or warps at once "
            "(a larger grid, fewer registers, less shared memory), or more bytes for each "
            "thread: wide loads, several before the first use, asynchronous copies.",
            RIDGE__Q(o->bytes_in_flight, RIDGE_UNIT_BYTES),
            RIDGE__Q(o->needed_bytes_in_flight, RIDGE_UNIT_BYTES));
        return;
    }
    if (m->verdict == RIDGE_VERDICT_LATENCY && e->latency_s < NOTABLE * m->time_s)
        return;
    if (m->verdict == RIDGE_VERDICT_LATENCY) {
        line(out,
             "Distance: about %s of the time is launch and serial latency. Do more per "
             "launch (batch, fuse, a persistent kernel), or take launches off the host "
             "(a CUDA graph).",
             RIDGE__PERCENT(ridge__min(1, e->latency_s / m->time_s)));
        return;
    }
    if (tuned) {
        line(out,
             "Distance: tuned libraries need %s of this time, so the kernel itself has "
             "little left; what helps now is other work: fewer bytes, fewer FLOP, a "
             "narrower dtype.",
             RIDGE__PERCENT(m->of_expected));
        return;
    }
    line(out, "Distance: %s of %s.", RIDGE__PERCENT(m->of_roof),
         m->verdict == RIDGE_VERDICT_COMMUNICATION ? "the links' rate"
                                                   : "the roof at this intensity");
    if (m->verdict == RIDGE_VERDICT_COMPUTE) {
        line(out,
             "Up, at the same intensity: check that the kernel runs on the pipe of this "
             "peak (%s), then tile shape, the last partial wave, and operands in flight.",
             ridge_pipe_name(e->pipe) ? ridge_pipe_name(e->pipe) : "?");
        suspect_power(out, result);
        return;
    }
    if (m->verdict == RIDGE_VERDICT_COMMUNICATION) {
        line(out, "Sooner: larger messages in fewer calls, another algorithm (a switch "
                  "that adds, two-shot, a tree), more channels, ranks kept within the "
                  "fast fabric.");
        line(out, "Hidden: overlap it with work that does not wait for it; what is "
                  "overlapped shares SMs, memory and links.");
        return;
    }
    line(out, "Up, at the same intensity: contiguous and wide accesses, more bytes in "
              "flight (more warps or CTAs, asynchronous copies), no serial waits.");
    line(out, "Right, with fewer bytes: fuse with the kernel before or after, reuse "
              "through tiles, narrow the dtype.");
}

/* Change of the time when it went from `before` to `now`. */
static void did_it_fall(ridge__str *out, const ridge_estimate *e,
                        const ridge_measurement *m)
{
    if (!ridge_known(m->before_s)) {
        line(out,
             "Afterwards: compare times, not rates: after a change give its time with "
             "--before %s.",
             RIDGE__S(m->time_s));
        return;
    }
    double ratio = m->before_s / m->time_s;
    if (ratio > 1.02)
        line(out, "Afterwards: the time did fall, from %s to %s: %s times as fast.",
             RIDGE__S(m->before_s), RIDGE__S(m->time_s), RIDGE__N(ratio));
    else if (ratio < 0.98)
        line(out,
             "Afterwards: the time rose, from %s to %s; if a rate rose too, the change "
             "added work.",
             RIDGE__S(m->before_s), RIDGE__S(m->time_s));
    else
        line(out, "Afterwards: the time did not change (%s before).",
             RIDGE__S(m->before_s));
    double left = m->time_s - e->floor_s;
    if (left > NOTABLE * m->time_s)
        line(out, "Left: at most %s can still be won without changing the work.",
             RIDGE__S(left));
}

/* ---- An impossible time ---------------------------------------------------------- */

/* The pipe, precision or accumulator of the part that could do what was measured. */
static void suspect_pipe(ridge__str *out, const ridge_result *result)
{
    const ridge_estimate *e = result->estimate;
    double rate = result->measurement->achieved_flop_per_s;
    ridge__fastest fastest = ridge__fastest_peak(result->machine, result->call, e);
    if (!(fastest.peak_flop_per_s > e->peak_flop_per_s) ||
        !(fastest.peak_flop_per_s >= rate))
        return;
    line(out, "Explained by another pipe: %s %s%s has %s, of which this is %s.",
         ridge_dtype_name(fastest.dtype), ridge_pipe_name(fastest.pipe),
         fastest.fp16_sums ? " with fp16 sums" : "",
         RIDGE__Q(fastest.peak_flop_per_s, RIDGE_UNIT_FLOP_PER_S),
         RIDGE__PERCENT(rate / fastest.peak_flop_per_s));
}

/* How the work may have been counted too large. */
static void suspect_count(ridge__str *out, const ridge_result *result)
{
    const ridge_call *call = result->call;
    size_t causal = ridge__op_param(call->op, "causal", strlen("causal"));
    if (causal < call->op->param_count && call->arg[causal] == 0)
        line(out, "A mask: causal attention computes about half; was it counted whole? "
                  "Give causal=1.");
    line(out,
         "Another part, or several: the peak is that of one %s; work that is shared "
         "by n of them counts an n-th.",
         ridge_machine_id(result->machine));
}

static void suspect_peak(ridge__str *out, const ridge_result *result)
{
    const ridge_estimate *e = result->estimate;
    const ridge_measurement *m = result->measurement;
    const char *dtype = ridge_dtype_name((ridge_dtype)e->work.dtype);
    const char *pipe = ridge_pipe_name(e->pipe);
    if (!(m->achieved_flop_per_s > e->peak_flop_per_s))
        return;
    double ratio = m->achieved_flop_per_s / e->peak_flop_per_s;
    line(out, "Another precision or pipe: the time asks for %s, %s of the %s peak of %s.",
         RIDGE__Q(m->achieved_flop_per_s, RIDGE_UNIT_FLOP_PER_S), RIDGE__PERCENT(ratio),
         dtype ? dtype : (pipe ? pipe : "stated"),
         RIDGE__Q(e->peak_flop_per_s, RIDGE_UNIT_FLOP_PER_S));
    suspect_pipe(out, result);
    if (ratio <= 2 && e->pipe == RIDGE_MATRIX)
        line(out, "A sparse peak: 2:4 sparsity doubles the rate of the matrix pipe; the "
                  "floor counts dense work.");
    if (ridge_known(m->implied_clock_hz))
        line(out,
             "A clock above the rating: %s of the peak implies %s; the peak is "
             "quoted at %s.",
             RIDGE__PERCENT(ratio), RIDGE__Q(m->implied_clock_hz, RIDGE_UNIT_HZ),
             RIDGE__Q(m->implied_clock_hz / ratio, RIDGE_UNIT_HZ));
    suspect_count(out, result);
}

static void suspect_memory(ridge__str *out, const ridge_result *result)
{
    const ridge_estimate *e = result->estimate;
    const ridge_measurement *m = result->measurement;
    if (!(m->achieved_bytes_per_s > e->bandwidth_bytes_per_s))
        return;
    double l2 = result->machine->l2_capacity.value;
    line(out, "Data in cache: the bytes ask for %s, above the %s of DRAM.",
         RIDGE__Q(m->achieved_bytes_per_s, RIDGE_UNIT_BYTES_PER_S),
         RIDGE__Q(e->bandwidth_bytes_per_s, RIDGE_UNIT_BYTES_PER_S));
    if (ridge_known(l2))
        line(out, "The working set of %s %s an L2 of %s.",
             RIDGE__Q(e->work.footprint_bytes, RIDGE_UNIT_BYTES),
             e->work.footprint_bytes <= l2 ? "fits, yet not at this rate, in"
                                           : "is larger, though a part may stay, than",
             RIDGE__Q(l2, RIDGE_UNIT_BYTES));
}

/* Bytes over links are counted by conventions that differ by the number of ranks. */
static void suspect_links(ridge__str *out, const ridge_result *result)
{
    const ridge_exchange *x = result->exchange;
    if (!x || !(result->estimate->communication_s > result->measurement->time_s))
        return;
    line(
        out,
        "Another size: S is %s, the whole buffer as nccl-tests counts it; what a call of "
        "all_gather, reduce_scatter or alltoall counts is S/n (bytes_per_rank).",
        RIDGE__Q(x->bytes, RIDGE_UNIT_BYTES));
    if (result->estimate->work.wire_bytes > 0)
        line(out, "Other links than %s one way over %s: see --link, --system.",
             RIDGE__Q(x->inside_bytes_per_s, RIDGE_UNIT_BYTES_PER_S),
             x->inside ? x->inside : "an unknown link");
    if (result->estimate->work.network_bytes > 0)
        line(out,
             "Other adapters than %s for each part, or more ranks on one node than "
             "ranks_per_node=%s.",
             RIDGE__Q(x->network_bytes_per_s, RIDGE_UNIT_BYTES_PER_S),
             RIDGE__N(x->ranks_per_node));
}

static void suspects(ridge__str *out, const ridge_result *result)
{
    suspect_peak(out, result);
    suspect_memory(out, result);
    suspect_links(out, result);
    if (result->call->op->assumes)
        line(out, "Less than was counted; the floor assumes %s.",
             result->call->op->assumes);
    line(out, "A wrong count: was all of this work really run, in this shape and dtype? "
              "--verify prints the command that counts it on the device.");
    line(out, "A timer without a synchronisation: a launch returns before its kernel is "
              "done; see ridge help measure.");
}

/* A collective or transfer: how far, and what usually stands between. */
static void links(ridge__str *out, const ridge_result *result)
{
    const ridge_exchange *x = result->exchange;
    const ridge_measurement *m = result->measurement;
    if (m->of_expected > 1)
        line(out,
             "Distance: faster than libraries were seen to be with these links, at %s of "
             "the rate of the floor: nothing is left to tune, if every rank was timed to "
             "its end.",
             RIDGE__PERCENT(m->of_roof));
    else if (ridge_known(m->of_expected))
        line(out,
             "Distance: %s of what is reachable with these links; the rest is the "
             "library's choice, its settings, or waiting for other ranks.",
             RIDGE__PERCENT(m->of_expected));
    if (m->verdict == RIDGE_VERDICT_LATENCY)
        line(out, "Small: starting and steps outweigh the bytes. Send fewer, larger "
                  "messages, fuse with the kernel before or after, or use a one-shot "
                  "kernel in a graph.");
    else if (ridge_known(m->of_expected) && m->of_expected < TUNED)
        line(out,
             "Look: does the library take %s (NCCL_DEBUG=INFO says), are all %s in "
             "use, and do all ranks arrive at once?",
             x->algorithm ? x->algorithm : "the best algorithm",
             x->nodes > 1 ? "adapters" : "links");
}

void ridge__advice(ridge__str *out, const ridge_result *result)
{
    const ridge_estimate *e = result->estimate;
    const ridge_measurement *m = result->measurement;
    if (m->verdict == RIDGE_VERDICT_BELOW_FLOOR) {
        suspects(out, result);
        return;
    }
    if (m->verdict == RIDGE_VERDICT_L2_RESIDENT) {
        line(out, "The run repeats on data that stay in L2. For a cold time rotate over "
                  "buffers larger than L2; for a warm one ask with --warm.");
    } else if (result->exchange) {
        links(out, result);
    } else {
        where(out, e);
        how_far(out, result);
    }
    did_it_fall(out, e, m);
}
