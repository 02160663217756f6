/*
 * Operations that move each operand once: elementwise, norms, softmax, reductions, copies,
 * and kernels whose counts the user gives.  docs/model/stream.md has the formulas, their
 * sources and a worked number.
 */
#include "base/base.h"
#include "model/model.h"

/* Exponentials and the like: results per cycle of an SM's special-function units (NVIDIA
 * CUDA programming guide, arithmetic instructions, compute capability 7.0 to 10.0). */
static const double SPECIAL_PER_CYCLE = 16;
/* Elements that a CTA of a kernel without rows handles: 256 threads of 8. */
static const double CTA_ELEMENTS = 2048;
/* Bytes per element at which cta_pull is stated: 16 bits in, 16 bits out. */
static const double PULL_WIDTH = 4;
/* Sharpness of the edge between held and missed in L2. */
static const double MISS_POWER = 3;

/* Two rates that mostly, not fully, overlap: the cube root of the sum of cubes. */
static double norm3(double a, double b)
{
    return cbrt(a * a * a + b * b * b);
}

/* Bytes per second that all SMs together reach, from DRAM and L2. */
static double reachable_rate(const ridge_estimate *e, const ridge__form_input *in)
{
    const ridge_machine *machine = in->machine;
    double share = ridge__form_constant(in, RIDGE_STREAM_DRAM_SHARE_C, 1);
    if (in->resident)
        return machine->l2.value * share;
    double gain = ridge__max(1, ridge__form_constant(in, RIDGE_STREAM_L2_GAIN_C, 1));
    double held =
        ridge__form_constant(in, RIDGE_STREAM_L2_HOLD_C, 0) * machine->l2_capacity.value;
    double miss = held > 0 ? ridge__cache_miss(e->work.bytes, held, MISS_POWER) : 1;
    return machine->dram.value * share / (miss + (1 - miss) / gain);
}

/* Rows and CTAs of the call; unknown where its shape does not say. */
static void find_ctas(double *rows, double *ctas, const ridge__form_input *in)
{
    *rows = *ctas = RIDGE_UNKNOWN;
    if (in->call->op->form != RIDGE_FORM_STREAM)
        return;
    *rows = in->call->arg[RIDGE_STREAM_ROWS];
    *ctas = ceil(in->call->arg[RIDGE_STREAM_ELEMENTS] / CTA_ELEMENTS);
    if (ridge__form_constant(in, RIDGE_STREAM_ROW_TIME_C, 0) > 0)
        *ctas = *rows;
}

/* Time to move the bytes: the whole part, or what few CTAs can pull. */
static double memory_time(ridge_estimate *e, const ridge__form_input *in)
{
    const ridge_machine *machine = in->machine;
    double bytes = e->work.bytes;
    if (bytes == 0)
        return 0;
    double rows, ctas;
    find_ctas(&rows, &ctas, in);
    double rate = reachable_rate(e, in);
    /* A CTA keeps a number of elements in flight: wider elements, more bytes. */
    double width = bytes / in->call->arg[RIDGE_STREAM_ELEMENTS] / PULL_WIDTH;
    double pull = ridge__form_constant(in, RIDGE_STREAM_CTA_PULL_C, 0) * width *
                  machine->dram.value / machine->units.value;
    if (pull > 0 && ridge_known(ctas))
        rate = ridge__min(rate, ctas * pull);
    double time = bytes / rate;
    double row_time = ridge__form_constant(in, RIDGE_STREAM_ROW_TIME_C, 0);
    ridge__estimate_term(e, in->resident ? "l2" : "dram", RIDGE_BY_MEMORY, bytes,
                         e->bandwidth_bytes_per_s, rate / e->bandwidth_bytes_per_s, time);
    if (row_time > 0 && ridge_known(rows)) {
        double scheduling = rows * row_time / machine->units.value;
        ridge__estimate_term(e, "row scheduling", RIDGE_BY_MEMORY, rows, RIDGE_UNKNOWN,
                             RIDGE_UNKNOWN, scheduling);
        time = norm3(time, scheduling);
    }
    return time;
}

/*
 * Little's law: what the blocks have in flight arrives once in each latency.  0 where that
 * fills the bandwidth, where nobody said how the kernel is launched, and where it cannot be
 * said for this part.
 */
static double flight_time(ridge_estimate *e, const ridge__form_input *in)
{
    const ridge_occupancy *o = &e->plan.occupancy;
    if (!o->asked || in->resident || e->work.bytes == 0)
        return 0;
    if (!ridge_known(o->attainable_bytes_per_s)) {
        e->warnings |= RIDGE_WARNING_UNKNOWN_OCCUPANCY;
        return 0;
    }
    if (o->attainable_bytes_per_s >= reachable_rate(e, in))
        return 0;
    if (in->machine->atom[RIDGE_ATOM_DRAM].borrowed)
        e->warnings |= RIDGE_WARNING_BORROWED;
    double time = ridge__max(e->work.bytes / o->attainable_bytes_per_s, o->latency_s);
    ridge__estimate_term(e, "bytes in flight", RIDGE_BY_LATENCY, e->work.bytes,
                         o->attainable_bytes_per_s, 1, time);
    return time;
}

/* Share of the units that have a block, where the grid is given. */
static double busy_share(const ridge__form_input *in)
{
    const ridge_call *call = in->call;
    double grid = call->op->form == RIDGE_FORM_CUSTOM ? call->arg[RIDGE_CUSTOM_GRID]
                                                      : RIDGE_UNKNOWN;
    return grid < in->machine->units.value ? grid / in->machine->units.value : 1;
}

/* Seconds that nothing overlaps with, where the user gave them. */
static double serial_time(const ridge__form_input *in)
{
    const ridge_call *call = in->call;
    double serial = call->op->form == RIDGE_FORM_CUSTOM ? call->arg[RIDGE_CUSTOM_SERIAL]
                                                        : RIDGE_UNKNOWN;
    return ridge_known(serial) ? serial : 0;
}

/* Time of the FLOP and of the exponentials, whichever is longer. */
static double compute_time(ridge_estimate *e, const ridge__form_input *in)
{
    const ridge_machine *machine = in->machine;
    double time = 0;
    if (e->work.flop > 0) {
        double share =
            ridge__form_constant(in, RIDGE_STREAM_COMPUTE_SHARE_C, 1) * busy_share(in);
        time = e->work.flop / (e->peak_flop_per_s * share);
        ridge__estimate_term(e, "peak", RIDGE_BY_COMPUTE, e->work.flop,
                             e->peak_flop_per_s, share, time);
    }
    if (e->work.special > 0) {
        double rate = SPECIAL_PER_CYCLE * machine->clock_vector_hz * machine->units.value;
        double special = e->work.special / rate;
        ridge__estimate_term(e, "special functions", RIDGE_BY_COMPUTE, e->work.special,
                             rate, 1, special);
        if (ridge_known(special))
            time = ridge__max(time, special);
    }
    return time;
}

/* Traffic at L2 that the user counted: a term of its own, where the rate is known. */
static double inner_time(ridge_estimate *e, const ridge__form_input *in)
{
    if (!(e->work.l2_bytes > 0) || !ridge_known(in->machine->l2.value))
        return 0;
    double time = e->work.l2_bytes / in->machine->l2.value;
    ridge__estimate_term(e, "l2", RIDGE_BY_MEMORY, e->work.l2_bytes,
                         in->machine->l2.value, 1, time);
    return time;
}

/* ---- Working ----------------------------------------------------------------------- */

/* The rate of the bytes, as reachable_rate() and memory_time() find it. */
static void show_memory(const ridge_estimate *e, const ridge__form_input *in)
{
    ridge__working *w = in->working;
    const ridge_machine *machine = in->machine;
    double share = ridge__form_constant(in, RIDGE_STREAM_DRAM_SHARE_C, 1);
    double held =
        ridge__form_constant(in, RIDGE_STREAM_L2_HOLD_C, 0) * machine->l2_capacity.value;
    double rows, ctas, rate = reachable_rate(e, in);
    ridge__working_add(w, "dram_share", NULL, share, RIDGE_UNIT_NONE);
    if (in->resident || !(held > 0)) {
        ridge__working_add(w, "rate", "{B}*{dram_share}", rate, RIDGE_UNIT_BYTES_PER_S);
    } else {
        ridge__working_add(
            w, "gain", "max(1, {l2_gain})",
            ridge__max(1, ridge__form_constant(in, RIDGE_STREAM_L2_GAIN_C, 1)),
            RIDGE_UNIT_NONE);
        ridge__working_add(w, "miss", "1/(1 + ({l2_hold}*{L2 size}/{D})^3)",
                           ridge__cache_miss(e->work.bytes, held, MISS_POWER),
                           RIDGE_UNIT_NONE);
        ridge__working_add(w, "rate", "{B}*{dram_share}/({miss} + (1 - {miss})/{gain})",
                           rate, RIDGE_UNIT_BYTES_PER_S);
    }
    find_ctas(&rows, &ctas, in);
    double pull = ridge__form_constant(in, RIDGE_STREAM_CTA_PULL_C, 0);
    if (ridge_known(ctas) && pull > 0) {
        double elements = in->call->arg[RIDGE_STREAM_ELEMENTS];
        double all = ctas * pull * (e->work.bytes / elements / PULL_WIDTH) *
                     machine->dram.value / machine->units.value;
        bool by_row = ridge__form_constant(in, RIDGE_STREAM_ROW_TIME_C, 0) > 0;
        ridge__working_add(w, "dram", NULL, machine->dram.value, RIDGE_UNIT_BYTES_PER_S);
        ridge__working_add(w, "elements", NULL, elements, RIDGE_UNIT_COUNT);
        ridge__working_add(w, "ctas",
                           by_row ? "one for each row" : "ceil({elements}/2048)", ctas,
                           RIDGE_UNIT_COUNT);
        ridge__working_add(w, "pull",
                           "{ctas}*{cta_pull}*({dram}/{units})*({D}/{elements}/4)", all,
                           RIDGE_UNIT_BYTES_PER_S);
        rate = ridge__working_add(w, "rate", "min({rate}, {pull})", ridge__min(rate, all),
                                  RIDGE_UNIT_BYTES_PER_S);
    }
    double time =
        ridge__working_add(w, "bytes", "{D}/{rate}", e->work.bytes / rate, RIDGE_UNIT_S);
    double row_time = ridge__form_constant(in, RIDGE_STREAM_ROW_TIME_C, 0);
    if (row_time > 0 && ridge_known(rows)) {
        double scheduling = rows * row_time / machine->units.value;
        ridge__working_add(w, "rows", NULL, rows, RIDGE_UNIT_COUNT);
        ridge__working_add(w, "scheduling", "{rows}*{row_time}/{units}", scheduling,
                           RIDGE_UNIT_S);
        ridge__working_add(w, "memory", "({bytes}^3 + {scheduling}^3)^(1/3)",
                           norm3(time, scheduling), RIDGE_UNIT_S);
    } else {
        ridge__working_add(w, "memory", NULL, time, RIDGE_UNIT_S);
    }
}

/* The bytes in flight, where they do not suffice. */
static void show_flight(const ridge_estimate *e, const ridge__form_input *in,
                        double memory, double flight)
{
    ridge__working *w = in->working;
    const ridge_occupancy *o = &e->plan.occupancy;
    double threads = o->active_blocks * in->call->arg[RIDGE_CUSTOM_BLOCK];
    ridge__working_add(w, "at once", "blocks on all units, no more than the grid",
                       o->active_blocks, RIDGE_UNIT_COUNT);
    ridge__working_add(w, "each", NULL, o->bytes_in_flight / threads, RIDGE_UNIT_BYTES);
    ridge__working_add(w, "in flight", "{at once}*{block}*{each}", o->bytes_in_flight,
                       RIDGE_UNIT_BYTES);
    ridge__working_add(w, "latency", NULL, o->latency_s, RIDGE_UNIT_S);
    ridge__working_add(w, "arriving", "{in flight}/{latency}", o->attainable_bytes_per_s,
                       RIDGE_UNIT_BYTES_PER_S);
    ridge__working_add(w, "flight", "max({D}/{arriving}, {latency})", flight,
                       RIDGE_UNIT_S);
    ridge__working_add(w, "memory", "max({memory}, {flight})", memory, RIDGE_UNIT_S);
}

/* The parts of the body; flight and inner are 0 where they limit nothing. */
typedef struct parts {
    double memory, compute, inner, flight;
} parts;

static void show_work(const ridge_estimate *e, const ridge__form_input *in, parts p)
{
    ridge__working *w = in->working;
    const ridge_machine *machine = in->machine;
    bool special = e->work.special > 0;
    ridge__working_add(w, "memory", NULL, 0, RIDGE_UNIT_S);
    if (e->work.bytes > 0)
        show_memory(e, in);
    if (p.inner > 0) {
        ridge__working_add(w, "L2 bytes", NULL, e->work.l2_bytes, RIDGE_UNIT_BYTES);
        ridge__working_add(w, "L2 rate", NULL, machine->l2.value, RIDGE_UNIT_BYTES_PER_S);
        ridge__working_add(w, "memory", "max({memory}, {L2 bytes}/{L2 rate})", p.memory,
                           RIDGE_UNIT_S);
    }
    if (p.flight > 0)
        show_flight(e, in, ridge__max(p.memory, p.flight), p.flight);
    ridge__working_add(w, "compute_share", NULL,
                       ridge__form_constant(in, RIDGE_STREAM_COMPUTE_SHARE_C, 1),
                       RIDGE_UNIT_NONE);
    if (busy_share(in) < 1)
        ridge__working_add(w, "compute_share", "{compute_share}*{grid}/{units}",
                           ridge__form_constant(in, RIDGE_STREAM_COMPUTE_SHARE_C, 1) *
                               busy_share(in),
                           RIDGE_UNIT_NONE);
    ridge__working_add(w, "X", NULL, e->work.special, RIDGE_UNIT_COUNT);
    ridge__working_add(w, "clock", NULL, machine->clock_vector_hz, RIDGE_UNIT_HZ);
    const char *formula = e->work.flop > 0 ? special ? "max({F}/({P}*{compute_share}), "
                                                       "{X}/(16*{clock}*{units}))"
                                                     : "{F}/({P}*{compute_share})"
                          : special        ? "{X}/(16*{clock}*{units})"
                                           : NULL;
    ridge__working_add(w, "compute", formula, p.compute, RIDGE_UNIT_S);
    ridge__working_add(w, "fixed", NULL,
                       ridge__form_constant(in, RIDGE_STREAM_FIXED_C, 0), RIDGE_UNIT_S);
    ridge__working_add(w, "body",
                       serial_time(in) > 0
                           ? "{fixed} + {serial} + ({memory}^3 + {compute}^3)^(1/3)"
                           : "{fixed} + ({memory}^3 + {compute}^3)^(1/3)",
                       e->body_s, RIDGE_UNIT_S);
}

void ridge__form_stream(ridge_estimate *e, const ridge__form_input *in)
{
    const double *c = in->fit->c;
    e->launch_s = ridge__form_launch(in->call, c[RIDGE_STREAM_LAUNCH_GRAPH_C],
                                     c[RIDGE_STREAM_LAUNCH_STREAM_C],
                                     c[RIDGE_STREAM_LAUNCH_EAGER_C]);
    double fixed = ridge__form_constant(in, RIDGE_STREAM_FIXED_C, 0);
    double serial = serial_time(in);
    e->latency_s = e->launch_s + fixed + serial;
    parts p = {.inner = inner_time(e, in)};
    p.memory = ridge__max(memory_time(e, in), p.inner);
    p.flight = flight_time(e, in);
    p.compute = compute_time(e, in);
    e->body_s = fixed + serial + norm3(ridge__max(p.memory, p.flight), p.compute);
    if (in->working)
        show_work(e, in, p);
    ridge__estimate_term(e, "launch", RIDGE_BY_LATENCY, RIDGE_UNKNOWN, RIDGE_UNKNOWN,
                         RIDGE_UNKNOWN, e->launch_s);
    ridge__estimate_term(e, "prologue and drain", RIDGE_BY_LATENCY, RIDGE_UNKNOWN,
                         RIDGE_UNKNOWN, RIDGE_UNKNOWN, fixed);
    if (serial > 0)
        ridge__estimate_term(e, "serial chain", RIDGE_BY_LATENCY, RIDGE_UNKNOWN,
                             RIDGE_UNKNOWN, RIDGE_UNKNOWN, serial);
}
