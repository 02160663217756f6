#include "answer/waterfall.h"

#include "base/base.h"
#include "machine/machine.h"
#include "model/model.h"

#include <string.h>

/* ---- Peaks ------------------------------------------------------------------------- */

static bool typed(const ridge_estimate *e)
{
    return e->work.dtype < RIDGE_DTYPE_COUNT && e->pipe < RIDGE_PIPE_COUNT;
}

static ridge_dtype math_of(const ridge_estimate *e)
{
    return ridge__dtype((ridge_dtype)e->work.dtype)->math;
}

/* True if an option replaced the figure, so that no datasheet stands behind it. */
static bool overridden(const ridge_machine *machine, const char *key)
{
    for (size_t i = 0; i < machine->override_count; i++)
        if (strcmp(machine->override[i].key, key) == 0)
            return true;
    return false;
}

double ridge__rated_peak(const ridge_machine *machine, const ridge_estimate *estimate,
                         double *clock_hz)
{
    *clock_hz = RIDGE_UNKNOWN;
    if (!machine->device || !typed(estimate) || overridden(machine, "peak"))
        return RIDGE_UNKNOWN;
    ridge_dtype dtype = math_of(estimate);
    ridge_pipe pipe = estimate->pipe;
    ridge__machine_stand_in(machine, &dtype, &pipe);
    ridge_dtype accumulator =
        estimate->work.accumulator == RIDGE_FP16 ? RIDGE_FP16 : RIDGE_FP32;
    ridge_peak peak = ridge_device_peak(machine->device, pipe, dtype, accumulator);
    if (!ridge_known(peak.dense.value)) /* no figure of its own for fp16 sums */
        peak = ridge_device_peak(machine->device, pipe, dtype, RIDGE_FP32);
    *clock_hz = peak.clock.value;
    return peak.dense.value;
}

static void consider(ridge__fastest *best, const ridge_device *device, ridge_pipe pipe,
                     ridge_dtype dtype, ridge_dtype accumulator)
{
    double peak = ridge_device_peak(device, pipe, dtype, accumulator).dense.value;
    if (peak > best->peak_flop_per_s)
        *best = (ridge__fastest){peak, dtype, pipe, accumulator == RIDGE_FP16};
}

/* Products may use any pipe; sums of elements cannot use the matrix one. */
static bool is_product(const ridge_op *op)
{
    size_t pipe = ridge__op_param(op, "pipe", strlen("pipe"));
    return strcmp(op->family, "custom") != 0 && pipe < op->param_count &&
           op->params[pipe].fallback == RIDGE_PIPE_ANY;
}

ridge__fastest ridge__fastest_peak(const ridge_machine *machine, const ridge_call *call,
                                   const ridge_estimate *estimate)
{
    double clock_hz;
    ridge__fastest best = {ridge__rated_peak(machine, estimate, &clock_hz),
                           RIDGE_DTYPE_COUNT, estimate->pipe, false};
    if (!ridge_known(best.peak_flop_per_s))
        return best;
    best.dtype = math_of(estimate);
    if (!is_product(call->op))
        return best;
    ridge_dtype dtype = best.dtype;
    for (int p = 0; p < RIDGE_PIPE_COUNT; p++)
        consider(&best, machine->device, (ridge_pipe)p, dtype, RIDGE_FP32);
    if (dtype == RIDGE_FP16)
        consider(&best, machine->device, RIDGE_MATRIX, dtype, RIDGE_FP16);
    if (dtype == RIDGE_FP32)
        consider(&best, machine->device, RIDGE_MATRIX, RIDGE_TF32, RIDGE_FP32);
    return best;
}

/* ---- Steps ------------------------------------------------------------------------- */

/* The next step leads to `until_s` since the start. */
static void lead_to(ridge__waterfall *w, ridge__step_kind kind, double until_s)
{
    static const char *const names[] = {
        [RIDGE__STEP_START] = "peak",          [RIDGE__STEP_PIPE] = "pipe",
        [RIDGE__STEP_CLOCK] = "clock",         [RIDGE__STEP_POWER] = "power",
        [RIDGE__STEP_WAVES] = "waves",         [RIDGE__STEP_PADDING] = "padding",
        [RIDGE__STEP_REACHABLE] = "reachable", [RIDGE__STEP_SERIAL] = "serial",
        [RIDGE__STEP_LAUNCH] = "launch",       [RIDGE__STEP_UNEXPLAINED] = "unexplained",
    };
    const double nothing = 1e-9; /* of the time so far: rounding */
    double before = w->count ? w->work / w->step[w->count - 1].rate : 0;
    double added = until_s - before;
    bool always = kind == RIDGE__STEP_START || kind == RIDGE__STEP_UNEXPLAINED;
    if (!ridge_known(until_s) || w->count >= RIDGE__STEP_MAX ||
        (!always && fabs(added) <= nothing * before))
        return;
    ridge__step step = {.kind = kind,
                        .name = names[kind],
                        .time_s = added,
                        .rate = w->work / until_s,
                        .factor = w->count ? before / until_s : 1};
    w->step[w->count++] = step;
}

static double reached(const ridge__waterfall *w)
{
    return w->work / w->step[w->count - 1].rate;
}

/* The named value of the form's working; unknown if it has none. */
static double worked(const ridge__working *working, const char *name)
{
    for (size_t i = 0; i < working->count; i++)
        if (strcmp(working->row[i].name, name) == 0)
            return working->row[i].value;
    return RIDGE_UNKNOWN;
}

/* What a product's tiles, and the power that it draws, leave of the peak. */
static void lead_through_tiles(ridge__waterfall *w, const ridge_machine *machine,
                               const ridge_call *call, const ridge_estimate *e)
{
    ridge__working working;
    if (!e->basis || !e->plan.tile_m || !ridge_known(e->plan.ceiling_flop_per_s))
        return;
    ridge__estimate_working(&working, e, machine, call);
    double derate = worked(&working, "derate");
    w->waves = worked(&working, "w");
    w->waves_taken = worked(&working, "waves");
    lead_to(w, RIDGE__STEP_POWER, reached(w) / (1 - derate));
    lead_to(w, RIDGE__STEP_WAVES, reached(w) * w->waves_taken / w->waves);
    /* The plan's ceiling has whole waves and padding; what is not waves is padding. */
    double whole = w->waves / ceil(w->waves);
    double padding = e->plan.ceiling_flop_per_s / e->peak_flop_per_s / whole;
    lead_to(w, RIDGE__STEP_PADDING, reached(w) / padding);
}

static void lead_through_compute(ridge__waterfall *w, const ridge_machine *machine,
                                 const ridge_call *call, const ridge_estimate *e)
{
    double clock_hz, rated = ridge__rated_peak(machine, e, &clock_hz);
    ridge__fastest fastest = ridge__fastest_peak(machine, call, e);
    w->work = e->work.flop;
    w->unit = RIDGE_UNIT_FLOP_PER_S;
    if (!ridge_known(rated)) {
        lead_to(w, RIDGE__STEP_START, w->work / e->peak_flop_per_s);
    } else {
        lead_to(w, RIDGE__STEP_START, w->work / fastest.peak_flop_per_s);
        lead_to(w, RIDGE__STEP_PIPE, w->work / rated);
        lead_to(w, RIDGE__STEP_CLOCK, w->work / e->peak_flop_per_s);
    }
    lead_through_tiles(w, machine, call, e);
}

/* The floor may count less work than is expected (the best routing of a mixture): the
 * steps are of the work that is expected. */
static double computing_time(const ridge_estimate *e)
{
    return e->work.flop == 0 ? 0 : e->work.flop / e->peak_flop_per_s;
}

static double moving_time(const ridge_estimate *e)
{
    return e->work.bytes == 0 ? 0 : e->work.bytes / e->bandwidth_bytes_per_s;
}

/* Which bytes the floor waits for, and their time. */
static void lead_through_bytes(ridge__waterfall *w, const ridge_machine *machine,
                               const ridge_estimate *e, bool resident)
{
    double memory_s = moving_time(e);
    bool link = e->communication_s > memory_s;
    /* Of the two fabrics the slower counts: the link where its time is the floor's. */
    double link_s = e->work.wire_bytes / machine->link.value;
    bool network = link && e->work.network_bytes > 0 && link_s < e->communication_s;
    w->work = network ? e->work.network_bytes : link ? e->work.wire_bytes : e->work.bytes;
    w->unit = RIDGE_UNIT_BYTES_PER_S;
    lead_to(w, RIDGE__STEP_START,
            resident ? e->l2_floor_s
            : link   ? e->communication_s
                     : memory_s);
    if (w->count)
        w->step[0].name = resident  ? "l2"
                          : network ? "network"
                          : link    ? "link"
                                    : "bandwidth";
}

void ridge__waterfall_find(ridge__waterfall *out, const ridge_machine *machine,
                           const ridge_call *call, const ridge_estimate *estimate,
                           const ridge_measurement *measurement)
{
    const ridge_estimate *e = estimate;
    ridge__waterfall w = {.waves = RIDGE_UNKNOWN, .waves_taken = RIDGE_UNKNOWN};
    bool resident = measurement->verdict == RIDGE_VERDICT_L2_RESIDENT;
    double compute_s = computing_time(e);
    if (!(e->floor_s > 0)) { /* nothing is done: no step leads anywhere */
        *out = w;
        return;
    }
    bool compute = compute_s > 0 && !(moving_time(e) > compute_s) &&
                   !(e->communication_s > compute_s);
    if (compute && !resident)
        lead_through_compute(&w, machine, call, e);
    else
        lead_through_bytes(&w, machine, e, resident);
    /* The expected time is of a cold run: it does not lead to one served by L2. */
    if (w.count && measurement->verdict < RIDGE_VERDICT_L2_RESIDENT &&
        ridge_known(e->expected_s)) {
        double serial_s = e->latency_s - e->launch_s;
        double rest_s = e->body_s - reached(&w);
        serial_s = rest_s > 0 ? ridge__min(serial_s, rest_s) : 0;
        lead_to(&w, RIDGE__STEP_REACHABLE, e->body_s - serial_s);
        lead_to(&w, RIDGE__STEP_SERIAL, e->body_s);
        lead_to(&w, RIDGE__STEP_LAUNCH, e->expected_s);
    }
    if (w.count)
        lead_to(&w, RIDGE__STEP_UNEXPLAINED, measurement->time_s);
    for (size_t i = 0; i < w.count; i++)
        w.step[i].share = w.step[i].time_s / measurement->time_s;
    *out = w;
}
