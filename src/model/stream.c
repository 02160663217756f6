/*
 * Operations that move each operand once: elementwise, norms, softmax, reductions, copies,
 * and kernels whose counts the user gives.  docs/model/stream.md has the formulas, their
 * sources and a worked number.
 */
#include "base/base.h"
#include "model/beside.h"
#include "model/model.h"

#include <string.h>

/* Exponentials and the like: results per cycle of an SM's special-function units (NVIDIA
 * CUDA programming guide, arithmetic instructions, compute capability 7.0 to 10.0). */
static const double SPECIAL_PER_CYCLE = 16;
/* Threads and CTAs that a unit holds where the part does not say (7.0, 8.0 and 9.0). */
static const double UNIT_THREADS = 2048, UNIT_CTAS = 32;
static const double WARP = 32;
/* The norm that joins bytes and instructions of one kernel. */
static const double OVERLAP = 3;
/* Sharpness of the edge between held and missed in L2. */
static const double MISS_POWER = 3;

/* Two rates that mostly, not fully, overlap: the cube root of the sum of cubes. */
static double norm3(double a, double b)
{
    return cbrt(a * a * a + b * b * b);
}

/* Share of the DRAM rate; GDDR has one of its own where the fit says so. */
static double dram_share(const ridge__form_input *in)
{
    double share = ridge__form_constant(in, RIDGE_STREAM_DRAM_SHARE_C, 1);
    double gddr = in->fit->c[RIDGE_STREAM_GDDR_SHARE_C];
    if (!ridge_known(gddr) || !in->machine->device)
        return share;
    const ridge__memory *dram = ridge__device_memory(in->machine->device, RIDGE_DRAM);
    return dram && dram->name && strstr(dram->name, "DDR") ? gddr : share;
}

/* Share of the bytes that the call before did not leave in L2. */
static double miss_share(const ridge_estimate *e, const ridge__form_input *in)
{
    double held = ridge__form_constant(in, RIDGE_STREAM_L2_HOLD_C, 0) *
                  in->machine->l2_capacity.value;
    if (in->resident)
        return 0;
    return held > 0 ? ridge__cache_miss(e->work.bytes, held, MISS_POWER) : 1;
}

/* Bytes per second that all SMs together reach, from DRAM and L2. */
static double reachable_rate(const ridge_estimate *e, const ridge__form_input *in)
{
    const ridge_machine *machine = in->machine;
    double share = dram_share(in);
    if (in->resident)
        return machine->l2.value * share;
    double gain = ridge__max(1, ridge__form_constant(in, RIDGE_STREAM_L2_GAIN_C, 1));
    double miss = miss_share(e, in);
    return machine->dram.value * share / (miss + (1 - miss) / gain);
}

/* Bytes that are moved, in bytes counted: rows too long for the chip are read again. */
static double traffic_share(const ridge_estimate *e, const ridge__form_input *in)
{
    double traffic = ridge__form_constant(in, RIDGE_STREAM_TRAFFIC_C, 1);
    double again = ridge__form_constant(in, RIDGE_STREAM_REREAD_C, 0);
    if (again == 0 || in->call->op->form != RIDGE_FORM_STREAM)
        return traffic;
    double row = e->work.bytes / in->call->arg[RIDGE_STREAM_ROWS];
    double ratio = in->fit->c[RIDGE_STREAM_ROW_HELD_C] / row;
    ratio *= ratio;
    ratio *= ratio;
    return traffic * (1 + again / (1 + ratio * ratio));
}

/* How the call is cut into CTAs, and what that takes whatever the memory does. */
typedef struct cut {
    bool known;
    double ctas, threads, at_once, waves; /* at_once: on all units */
    double cta_s, steps_s, issue_s; /* one CTA, its chain alone; launching all of them */
    double time_s;
} cut;

/* A limit of one unit, or what stands for it. */
static double unit_limit(const ridge_machine *machine, const char *name, double absent)
{
    double value = machine->device ? ridge__device_limit(machine->device, name).value
                                   : RIDGE_UNKNOWN;
    return ridge_known(value) ? value : absent;
}

/*
 * CTAs drift apart from wave to wave: a last wave that is not full lasts as one after the
 * first, as half of one after the second, and so on.
 */
static double count_waves(double ctas, double at_once)
{
    double waves = ctas / at_once;
    if (waves <= 1)
        return 1;
    return waves + (ceil(waves) - waves) / floor(waves);
}

/* 64 tokens of a state that follow each other, as a chunk of the kernels has them. */
static const double STEP_TOKENS = 64;

/* What one CTA handles of the call: a row, so many elements, a state. */
static double cta_elements(const ridge_estimate *e, const ridge__form_input *in)
{
    const double *arg = in->call->arg;
    if (in->call->op->form != RIDGE_FORM_STREAM)
        return e->work.states > 0 ? UNIT_THREADS : RIDGE_UNKNOWN;
    double elements = in->fit->c[RIDGE_STREAM_CTA_ELEMENTS_C];
    return ridge_known(elements) ? elements
                                 : arg[RIDGE_STREAM_ELEMENTS] / arg[RIDGE_STREAM_ROWS];
}

static double count_ctas(const ridge_estimate *e, const ridge__form_input *in)
{
    const double *arg = in->call->arg;
    if (in->call->op->form != RIDGE_FORM_STREAM)
        return e->work.states;
    double elements = in->fit->c[RIDGE_STREAM_CTA_ELEMENTS_C];
    double ctas = ridge_known(elements) ? ceil(arg[RIDGE_STREAM_ELEMENTS] / elements)
                                        : arg[RIDGE_STREAM_ROWS];
    return ridge__min(ctas, ridge__form_constant(in, RIDGE_STREAM_GRID_MAX_C, ctas));
}

static cut find_grid(const ridge_estimate *e, const ridge__form_input *in)
{
    const ridge_machine *machine = in->machine;
    cut g = {.known = false};
    double fixed = ridge__form_constant(in, RIDGE_STREAM_CTA_FIXED_C, 0);
    double rate = ridge__form_constant(in, RIDGE_STREAM_CTA_RATE_C, 0);
    double issue = ridge__form_constant(in, RIDGE_STREAM_CTA_ISSUE_C, 0);
    double step = ridge__form_constant(in, RIDGE_STREAM_STEP_TIME_C, 0);
    double each = cta_elements(e, in);
    if (!ridge_known(each) || fixed + rate + issue + step == 0)
        return g;
    g.known = true;
    g.ctas = count_ctas(e, in);
    g.threads = ridge__form_constant(in, RIDGE_STREAM_THREADS_C, UNIT_THREADS / 2);
    g.threads = ridge__min(g.threads, WARP * ceil(each / WARP));
    double held = floor(unit_limit(machine, "threads", UNIT_THREADS) / g.threads);
    held = ridge__min(held, unit_limit(machine, "blocks", UNIT_CTAS));
    g.at_once = ridge__max(held, 1) * machine->units.value;
    g.waves = count_waves(g.ctas, g.at_once);
    g.steps_s = step * ceil(e->work.chain / STEP_TOKENS);
    g.cta_s = fixed + g.steps_s;
    double slower =
        1 + ridge__form_constant(in, RIDGE_STREAM_CTA_MISS_C, 0) * miss_share(e, in);
    if (rate > 0)
        g.cta_s += (e->work.bytes - e->work.shared_bytes) / g.ctas /
                   (rate * machine->clock_vector_hz) * slower;
    g.issue_s = g.ctas * issue / machine->units.value;
    g.time_s = ridge__max(g.waves * g.cta_s, g.issue_s);
    return g;
}

/* Time to move the bytes: the whole part, or what one CTA after another takes. */
static double memory_time(ridge_estimate *e, const ridge__form_input *in,
                          const ridge__beside *beside)
{
    if (e->work.bytes == 0)
        return 0;
    double bytes = e->work.bytes * traffic_share(e, in);
    double rate = reachable_rate(e, in);
    double time = bytes / rate;
    ridge__estimate_term(e, in->resident ? "l2" : "dram", RIDGE_BY_MEMORY, bytes,
                         e->bandwidth_bytes_per_s, rate / e->bandwidth_bytes_per_s, time);
    if (beside->weights_s > 0)
        ridge__estimate_term(e, "weights beside", RIDGE_BY_MEMORY, beside->weight_bytes,
                             in->machine->dram.value, 1, beside->weights_s);
    time += beside->weights_s;
    cut g = find_grid(e, in);
    if (!g.known)
        return time;
    ridge__estimate_term(e, "ctas", RIDGE_BY_MEMORY, g.ctas, RIDGE_UNKNOWN, RIDGE_UNKNOWN,
                         g.time_s);
    return norm3(time, g.time_s);
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

/* Elements of the call; 0 where the form does not know them. */
static double count_elements(const ridge__form_input *in)
{
    return in->call->op->form == RIDGE_FORM_STREAM ? in->call->arg[RIDGE_STREAM_ELEMENTS]
                                                   : 0;
}

/* Cycles of all units in a second. */
static double unit_cycles(const ridge__form_input *in)
{
    return in->machine->clock_vector_hz * in->machine->units.value;
}

/* Time of the instructions around each element, where the fit knows of any. */
static double element_time(const ridge__form_input *in)
{
    double cycles = ridge__form_constant(in, RIDGE_STREAM_ELEMENT_CYCLES_C, 0);
    return cycles * count_elements(in) / unit_cycles(in);
}

/*
 * Scans are made of small products and of vector instructions: what a unit does of them in
 * a cycle grows little from one generation's tensor cores to the next.
 */
static double unit_time(const ridge_estimate *e, const ridge__form_input *in)
{
    double each = in->fit->c[RIDGE_STREAM_UNIT_FLOP_C];
    return ridge_known(each) && e->work.flop > 0 ? e->work.flop / (each * unit_cycles(in))
                                                 : 0;
}

/* What the part's own units do in a cycle, or what most do. */
static double special_rate(const ridge_machine *machine)
{
    return machine->special_per_cycle > 0 ? machine->special_per_cycle
                                          : SPECIAL_PER_CYCLE;
}

/* Time of the exponentials; 0 where there are none or their rate is unknown. */
static double special_time(const ridge_estimate *e, const ridge__form_input *in)
{
    const ridge_machine *machine = in->machine;
    double rate = special_rate(machine) * machine->clock_vector_hz * machine->units.value;
    double time = e->work.special / rate;
    return e->work.special > 0 && ridge_known(time) ? time : 0;
}

static double flop_share(const ridge__form_input *in)
{
    return ridge__form_constant(in, RIDGE_STREAM_COMPUTE_SHARE_C, 1) * busy_share(in);
}

/* Time of the FLOP or of the exponentials, whichever is longer. */
static double arithmetic_time(const ridge_estimate *e, const ridge__form_input *in)
{
    double time =
        e->work.flop > 0 ? e->work.flop / (e->peak_flop_per_s * flop_share(in)) : 0;
    return ridge__max(time, special_time(e, in));
}

/* Those, or the instructions around them. */
static double compute_time(ridge_estimate *e, const ridge__form_input *in,
                           const ridge__beside *beside)
{
    double elements = element_time(in), unit = unit_time(e, in);
    if (e->work.flop > 0)
        ridge__estimate_term(e, "peak", RIDGE_BY_COMPUTE, e->work.flop,
                             e->peak_flop_per_s, flop_share(in),
                             e->work.flop / (e->peak_flop_per_s * flop_share(in)));
    if (e->work.special > 0) {
        double time = special_time(e, in);
        ridge__estimate_term(e, "special functions", RIDGE_BY_COMPUTE, e->work.special,
                             e->work.special / time, 1, time);
    }
    if (elements > 0)
        ridge__estimate_term(e, "instructions", RIDGE_BY_COMPUTE, count_elements(in),
                             RIDGE_UNKNOWN, RIDGE_UNKNOWN, elements);
    if (unit > 0)
        ridge__estimate_term(e, "units", RIDGE_BY_COMPUTE, e->work.flop,
                             e->work.flop / unit, 1, unit);
    ridge__beside_terms(e, beside);
    return ridge__max(ridge__max(arithmetic_time(e, in), elements), unit) +
           beside->tokens_s + beside->pairs_s + beside->keys_s;
}

/* Bytes and instructions together: mostly side by side, in a row where kernels take turns. */
static double join(const ridge__form_input *in, double memory, double compute)
{
    double norm = ridge__form_constant(in, RIDGE_STREAM_OVERLAP_C, OVERLAP);
    if (norm == OVERLAP)
        return norm3(memory, compute);
    return norm == 1 ? memory + compute
                     : pow(pow(memory, norm) + pow(compute, norm), 1 / norm);
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

/* The CTAs, as find_grid() finds them. */
static void show_grid(const ridge_estimate *e, const ridge__form_input *in)
{
    ridge__working *w = in->working;
    const double *arg = in->call->arg;
    cut g = find_grid(e, in);
    bool flat = ridge_known(in->fit->c[RIDGE_STREAM_CTA_ELEMENTS_C]);
    bool most = ridge_known(in->fit->c[RIDGE_STREAM_GRID_MAX_C]);
    if (!g.known)
        return;
    bool whole = in->call->op->form != RIDGE_FORM_STREAM;
    if (!whole)
        ridge__working_add(w, "elements", NULL, arg[RIDGE_STREAM_ELEMENTS],
                           RIDGE_UNIT_COUNT);
    ridge__working_add(w, "ctas",
                       whole   ? "one for each state, channel or token"
                       : !flat ? "one for each row"
                       : most  ? "min(ceil({elements}/{cta_elements}), {grid_max})"
                               : "ceil({elements}/{cta_elements})",
                       g.ctas, RIDGE_UNIT_COUNT);
    ridge__working_add(w, "cta threads", "no more than a row has elements", g.threads,
                       RIDGE_UNIT_COUNT);
    ridge__working_add(w, "held", "CTAs that fit into a unit, by threads and by number",
                       g.at_once / in->machine->units.value, RIDGE_UNIT_COUNT);
    ridge__working_add(w, "at once", "{held}*{units}", g.at_once, RIDGE_UNIT_COUNT);
    ridge__working_add(w, "waves", "the last one, if not full, shorter after each",
                       g.waves, RIDGE_UNIT_COUNT);
    ridge__working_add(w, "clock", NULL, in->machine->clock_vector_hz, RIDGE_UNIT_HZ);
    bool fixed = ridge__form_constant(in, RIDGE_STREAM_CTA_FIXED_C, 0) > 0;
    bool rate = ridge__form_constant(in, RIDGE_STREAM_CTA_RATE_C, 0) > 0;
    bool slower = ridge__form_constant(in, RIDGE_STREAM_CTA_MISS_C, 0) > 0;
    bool step = ridge__form_constant(in, RIDGE_STREAM_STEP_TIME_C, 0) > 0;
    static const char *const cta[2][3] = {
        {NULL, "{own}/{ctas}/({cta_rate}*{clock})",
         "{own}/{ctas}/({cta_rate}*{clock})*(1 + {cta_miss}*{miss})"},
        {"{cta_fixed}", "{cta_fixed} + {own}/{ctas}/({cta_rate}*{clock})",
         "{cta_fixed} + {own}/{ctas}/({cta_rate}*{clock})*(1 + {cta_miss}*{miss})"}};
    if (rate)
        ridge__working_add(w, "own",
                           e->work.shared_bytes > 0 ? "of D, without the weights" : "{D}",
                           e->work.bytes - e->work.shared_bytes, RIDGE_UNIT_BYTES);
    if (slower)
        ridge__working_add(w, "miss", "share of the bytes that come from DRAM",
                           miss_share(e, in), RIDGE_UNIT_NONE);
    ridge__working_add(w, "cta", cta[fixed][rate ? 1 + slower : 0], g.cta_s - g.steps_s,
                       RIDGE_UNIT_S);
    if (step) {
        ridge__working_add(w, "steps", "64 tokens each",
                           ceil(e->work.chain / STEP_TOKENS), RIDGE_UNIT_COUNT);
        ridge__working_add(w, "cta", "{cta} + {steps}*{step_time}", g.cta_s,
                           RIDGE_UNIT_S);
    }
    bool issue = g.issue_s > 0;
    if (issue)
        ridge__working_add(w, "issue", "{ctas}*{cta_issue}/{units}", g.issue_s,
                           RIDGE_UNIT_S);
    ridge__working_add(w, "turns",
                       issue ? "max({waves}*{cta}, {issue})" : "{waves}*{cta}", g.time_s,
                       RIDGE_UNIT_S);
}

/* The rate of the bytes, as reachable_rate() and memory_time() find it. */
static void show_memory(const ridge_estimate *e, const ridge__form_input *in,
                        const ridge__beside *beside)
{
    ridge__working *w = in->working;
    const ridge_machine *machine = in->machine;
    double held =
        ridge__form_constant(in, RIDGE_STREAM_L2_HOLD_C, 0) * machine->l2_capacity.value;
    double rate = reachable_rate(e, in);
    double traffic = traffic_share(e, in);
    bool gddr = ridge_known(in->fit->c[RIDGE_STREAM_GDDR_SHARE_C]);
    ridge__working_add(w, "dram_share", gddr ? "of the memory that the part has" : NULL,
                       dram_share(in), RIDGE_UNIT_NONE);
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
    if (ridge__form_constant(in, RIDGE_STREAM_REREAD_C, 0) > 0) {
        bool plain = !ridge_known(in->fit->c[RIDGE_STREAM_TRAFFIC_C]);
        ridge__working_add(w, "rows", NULL, in->call->arg[RIDGE_STREAM_ROWS],
                           RIDGE_UNIT_COUNT);
        ridge__working_add(w, "moved",
                           plain ? "1 + {reread}/(1 + ({row_held}*{rows}/{D})^8)"
                                 : "{traffic}*(1 + {reread}/"
                                   "(1 + ({row_held}*{rows}/{D})^8))",
                           traffic, RIDGE_UNIT_NONE);
    } else if (traffic != 1) {
        ridge__working_add(w, "moved", NULL, traffic, RIDGE_UNIT_NONE);
    }
    double time =
        ridge__working_add(w, "bytes", traffic == 1 ? "{D}/{rate}" : "{D}*{moved}/{rate}",
                           e->work.bytes * traffic / rate, RIDGE_UNIT_S);
    if (beside->weights_s > 0) {
        if (beside->size != 1)
            ridge__working_add(w, "size", "of a weight, in those of 2 bytes",
                               beside->size, RIDGE_UNIT_NONE);
        ridge__working_add(w, "dram", NULL, machine->dram.value, RIDGE_UNIT_BYTES_PER_S);
        ridge__working_add(w, "weights",
                           beside->size != 1 ? "{heads}*{head_bytes}*{size}/{dram}"
                                             : "{heads}*{head_bytes}/{dram}",
                           beside->weights_s, RIDGE_UNIT_S);
        time = ridge__working_add(w, "bytes", "{bytes} + {weights}",
                                  time + beside->weights_s, RIDGE_UNIT_S);
    }
    cut g = find_grid(e, in);
    show_grid(e, in);
    ridge__working_add(w, "memory", g.known ? "({bytes}^3 + {turns}^3)^(1/3)" : NULL,
                       g.known ? norm3(time, g.time_s) : time, RIDGE_UNIT_S);
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
    ridge__beside beside;
} parts;

/*
 * Short kernels in a graph are chains of the part's own steps: the same cycles on each of
 * them that was timed, not the same seconds.  docs/model/stream.md has the times.
 */
static double tick(const ridge__form_input *in)
{
    double at = in->fit->c[RIDGE_STREAM_AT_CLOCK_C];
    double clock = in->machine->clock_vector_hz;
    return ridge_known(at) && ridge_known(clock) ? at / clock : 1;
}

/* A framework's call is the host's: what it takes here against where it was fitted. */
static double host_factor(const ridge__form_input *in)
{
    double at = in->fit->c[RIDGE_STREAM_AT_HOST_C], here = in->machine->host_call_s;
    return ridge_known(at) && ridge_known(here) ? here / at : 1;
}

static double fixed_time(const ridge__form_input *in)
{
    return ridge__form_constant(in, RIDGE_STREAM_FIXED_C, 0) * tick(in);
}

/* A framework prepares its next call while a kernel runs. */
static bool hides_launch(const ridge__form_input *in)
{
    return in->call->timing == RIDGE_TIMING_EAGER &&
           ridge_known(in->fit->c[RIDGE_STREAM_EAGER_OVER_C]);
}

static double launch_time(const ridge_estimate *e, const ridge__form_input *in)
{
    const double *c = in->fit->c;
    double ticks = tick(in), host = host_factor(in);
    double launch = ridge__form_launch(in->call, c[RIDGE_STREAM_LAUNCH_GRAPH_C] * ticks,
                                       c[RIDGE_STREAM_LAUNCH_STREAM_C] * ticks,
                                       c[RIDGE_STREAM_LAUNCH_EAGER_C] * host);
    bool hidden = hides_launch(in);
    if (!hidden && e->body_s >= e->floor_s)
        return launch;
    double all = hidden
                     ? ridge__max(launch, c[RIDGE_STREAM_EAGER_OVER_C] * host + e->body_s)
                     : launch + e->body_s;
    /* The kernel will be said to take no less than its floor, even where data in L2 make
     * it faster: that is not to make the whole longer than it is. */
    return ridge__max(all - ridge__max(e->body_s, e->floor_s), 0);
}

/* Latencies that nothing overlaps with. */
static void show_fixed(const ridge_estimate *e, const ridge__form_input *in,
                       const parts *p)
{
    ridge__working *w = in->working;
    double fixed = fixed_time(in);
    ridge__working_add(w, "fixed", tick(in) != 1 ? "{fixed}*{at_clock}/{clock}" : NULL,
                       fixed, RIDGE_UNIT_S);
    if (p->beside.fixed_s == 0)
        return;
    ridge__working_add(w, "sequences", NULL, e->work.sequences, RIDGE_UNIT_COUNT);
    double each = ridge__form_constant(in, RIDGE_STREAM_SEQUENCE_FIXED_C, 0);
    ridge__working_add(w, "sequence_fixed", NULL, each, RIDGE_UNIT_S);
    ridge__working_add(w, "quantising", "quant_fixed, if gemm_dtype is narrow",
                       p->beside.fixed_s - e->work.sequences * each, RIDGE_UNIT_S);
    ridge__working_add(w, "each", "{sequences}*{sequence_fixed} + {quantising}",
                       p->beside.fixed_s, RIDGE_UNIT_S);
    ridge__working_add(w, "fixed", "{fixed} + {each}", fixed + p->beside.fixed_s,
                       RIDGE_UNIT_S);
}

static void show_work(const ridge_estimate *e, const ridge__form_input *in,
                      const parts *p)
{
    ridge__working *w = in->working;
    const ridge_machine *machine = in->machine;
    bool special = e->work.special > 0;
    ridge__working_add(w, "memory", NULL, 0, RIDGE_UNIT_S);
    if (e->work.bytes > 0)
        show_memory(e, in, &p->beside);
    if (p->inner > 0) {
        ridge__working_add(w, "L2 bytes", NULL, e->work.l2_bytes, RIDGE_UNIT_BYTES);
        ridge__working_add(w, "L2 rate", NULL, machine->l2.value, RIDGE_UNIT_BYTES_PER_S);
        ridge__working_add(w, "memory", "max({memory}, {L2 bytes}/{L2 rate})", p->memory,
                           RIDGE_UNIT_S);
    }
    if (p->flight > 0)
        show_flight(e, in, ridge__max(p->memory, p->flight), p->flight);
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
    if (special)
        ridge__working_add(w, "exponentials", "per cycle and SM", special_rate(machine),
                           RIDGE_UNIT_COUNT);
    const char *formula = e->work.flop > 0 ? special
                                                 ? "max({F}/({P}*{compute_share}), "
                                                   "{X}/({exponentials}*{clock}*{units}))"
                                                 : "{F}/({P}*{compute_share})"
                          : special        ? "{X}/({exponentials}*{clock}*{units})"
                                           : NULL;
    double instructions = element_time(in);
    if (instructions > 0) {
        ridge__working_add(w, "arithmetic", formula, arithmetic_time(e, in),
                           RIDGE_UNIT_S);
        ridge__working_add(w, "elements", NULL, count_elements(in), RIDGE_UNIT_COUNT);
        ridge__working_add(w, "instructions",
                           "{elements}*{element_cycles}/({clock}*{units})", instructions,
                           RIDGE_UNIT_S);
        formula = "max({arithmetic}, {instructions})";
    }
    double unit = unit_time(e, in);
    if (unit > 0) {
        ridge__working_add(w, "arithmetic", formula, arithmetic_time(e, in),
                           RIDGE_UNIT_S);
        formula = "max({arithmetic}, {F}/({unit_flop}*{clock}*{units}))";
    }
    double beside = p->beside.tokens_s + p->beside.pairs_s + p->beside.keys_s;
    if (beside > 0) {
        ridge__working_add(w, "op", formula, p->compute - beside, RIDGE_UNIT_S);
        ridge__beside_show(e, in, &p->beside, p->compute - beside);
        formula = "{op}";
    }
    ridge__working_add(w, "compute", formula, p->compute, RIDGE_UNIT_S);
    show_fixed(e, in, p);
    bool norm = ridge_known(in->fit->c[RIDGE_STREAM_OVERLAP_C]);
    const char *bodies[2][2] = {
        {"{fixed} + ({memory}^3 + {compute}^3)^(1/3)",
         "{fixed} + {serial} + ({memory}^3 + {compute}^3)^(1/3)"},
        {"{fixed} + ({memory}^{overlap} + {compute}^{overlap})^(1/{overlap})",
         "{fixed} + {serial} + "
         "({memory}^{overlap} + {compute}^{overlap})^(1/{overlap})"}};
    if (host_factor(in) != 1 && in->call->timing == RIDGE_TIMING_EAGER)
        ridge__working_add(w, "host", "a call on the part's host against {at_host}",
                           host_factor(in), RIDGE_UNIT_NONE);
    if (hides_launch(in))
        ridge__working_add(w, "launch",
                           "launch_eager, or eager_over and the body, less the body",
                           e->launch_s, RIDGE_UNIT_S);
    else if (e->body_s < e->floor_s)
        ridge__working_add(w, "launch", "less what the floor adds to the body",
                           e->launch_s, RIDGE_UNIT_S);
    ridge__working_add(w, "body", bodies[norm][serial_time(in) > 0], e->body_s,
                       RIDGE_UNIT_S);
}

void ridge__form_stream(ridge_estimate *e, const ridge__form_input *in)
{
    double fixed = fixed_time(in);
    double serial = serial_time(in);
    parts p = {.inner = inner_time(e, in), .beside = ridge__beside_find(e, in)};
    p.memory = ridge__max(memory_time(e, in, &p.beside), p.inner);
    p.flight = flight_time(e, in);
    p.compute = compute_time(e, in, &p.beside);
    fixed += p.beside.fixed_s;
    e->body_s = fixed + serial + join(in, ridge__max(p.memory, p.flight), p.compute);
    e->launch_s = launch_time(e, in);
    e->latency_s = e->launch_s + fixed + serial;
    if (in->working)
        show_work(e, in, &p);
    ridge__estimate_term(e, "launch", RIDGE_BY_LATENCY, RIDGE_UNKNOWN, RIDGE_UNKNOWN,
                         RIDGE_UNKNOWN, e->launch_s);
    ridge__estimate_term(e, "prologue and drain", RIDGE_BY_LATENCY, RIDGE_UNKNOWN,
                         RIDGE_UNKNOWN, RIDGE_UNKNOWN, fixed);
    if (serial > 0)
        ridge__estimate_term(e, "serial chain", RIDGE_BY_LATENCY, RIDGE_UNKNOWN,
                             RIDGE_UNKNOWN, RIDGE_UNKNOWN, serial);
}

ridge__fit_shape ridge__stream_shape(const ridge_call *call, const ridge_machine *machine)
{
    (void)machine;
    return (ridge__fit_shape){.causal = true, .kernel = call->kernel};
}
