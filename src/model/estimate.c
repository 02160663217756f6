/*
 * Floor, upper bound, expected time and its interval: what holds for every form.
 * Definitions and worked numbers: docs/model/estimate.md.
 */
#include "base/base.h"
#include "model/collective.h"
#include "model/model.h"

/*
 * What adds to an entry's own spread where it was not made: 80 % of the offsets lie within
 * that share on either side.  Sources are independent, so the squares of the logarithms add.
 */
static const double SPREAD_ELSEWHERE = 0.12; /* a part of the same architecture */
static const double SPREAD_ANY = 0.4;        /* another architecture */
static const double SPREAD_VENDOR = 0.6;     /* another vendor's */
static const double SPREAD_STANDS_IN = 0.2;  /* another op's kernel */
static const double SPREAD_EXTRAPOLATED = 0.15;
/* A form that nobody timed. */
static const double SPREAD_UNTIMED = 0.25;
/* Work this much longer than the longest fitted row is beyond the fit's reach. */
static const double REACH_FACTOR = 3.0;
/* And from as many times that on the interval is as wide as it becomes. */
static const double REACH_FULL = 4.0;

double ridge_roofline(double peak_flop_per_s, double bandwidth_bytes_per_s,
                      double intensity)
{
    return ridge__min(peak_flop_per_s, bandwidth_bytes_per_s * intensity);
}

size_t ridge_estimate_basis(const ridge_estimate *estimate, char *buf, size_t size)
{
    const ridge_fit *fit = estimate->basis;
    int length;
    if (!fit) {
        length = snprintf(buf, size, "stated");
    } else {
        uint32_t dtypes = fit->dtypes;
        ridge_dtype dtype = (ridge_dtype)estimate->work.dtype;
        if (dtypes && !(dtypes & (dtypes - 1))) /* one dtype: name that one */
            for (dtype = RIDGE_FP64; dtypes >>= 1;)
                dtype = (ridge_dtype)(dtype + 1);
        else if (!(dtypes >> dtype & 1u) && dtypes >> RIDGE_BF16 & 1u)
            dtype = RIDGE_BF16; /* the floor has the dtype of a narrower operand */
        const char *name = ridge_dtype_name(dtype);
        length = snprintf(buf, size, "fit:%s/%s/%s/%s", fit->key, fit->op,
                          name ? name : "any", ridge_backend_name(fit->backend));
    }
    return length < 0 ? 0 : (size_t)length;
}

void ridge__estimate_term(ridge_estimate *e, const char *name, ridge_bound bound,
                          double demand, double ceiling, double share, double time_s)
{
    if (e->term_count >= RIDGE_TERM_MAX)
        return;
    e->term[e->term_count++] = (ridge_term){.name = name,
                                            .bound = bound,
                                            .demand = demand,
                                            .ceiling = ceiling,
                                            .share = share,
                                            .time_s = time_s};
}

double ridge__form_launch(const ridge_call *call, double graph_s, double stream_s,
                          double eager_s)
{
    switch (call->timing) {
    case RIDGE_TIMING_KERNEL:
        return 0;
    case RIDGE_TIMING_STREAM:
        return stream_s;
    case RIDGE_TIMING_EAGER:
        return eager_s;
    default:
        return graph_s;
    }
}

double ridge__cache_miss(double footprint_bytes, double capacity_bytes, double power)
{
    if (!ridge_known(capacity_bytes)) /* an unknown cache holds nothing */
        return 1;
    double ratio = capacity_bytes / footprint_bytes;
    if (power == 6) /* the products' edge: pow() would be a tenth of their estimate */
        return 1 / (1 + ratio * ratio * ratio * (ratio * ratio * ratio));
    return 1 / (1 + pow(ratio, power));
}

/* Time of a demand at a rate; no demand takes no time, even at an unknown rate. */
static double time_of(double demand, double rate)
{
    return demand == 0 ? 0 : demand / rate;
}

/*
 * The only peak that the part has, for a call without a dtype.  Fails with INVALID where
 * peaks differ; unknown where none is known.
 */
static ridge_status common_peak(ridge_fact *out, const ridge_machine *machine,
                                ridge_error *err)
{
    ridge_fact found = ridge__fact_unknown();
    for (int dtype = 0; dtype < RIDGE_DTYPE_COUNT; dtype++) {
        for (int pipe = 0; pipe < RIDGE_PIPE_COUNT; pipe++) {
            ridge_fact peak = machine->peak[dtype][pipe];
            if (!ridge_known(peak.value))
                continue;
            if (ridge_known(found.value) && found.value != peak.value)
                return ridge__error_set(err, RIDGE_INVALID,
                                        "dtype= is needed: the peaks of %s differ from "
                                        "one dtype to another",
                                        ridge_machine_id(machine));
            found = peak;
        }
    }
    *out = found;
    return RIDGE_OK;
}

static bool lists_peaks(const ridge_machine *machine)
{
    for (int dtype = 0; dtype < RIDGE_DTYPE_COUNT; dtype++)
        for (int pipe = 0; pipe < RIDGE_PIPE_COUNT; pipe++)
            if (ridge_known(machine->peak[dtype][pipe].value))
                return true;
    return false;
}

/* The peak of the call's dtype and pipe. */
static ridge_status find_peak(ridge_estimate *e, ridge_fact *peak,
                              const ridge_machine *machine, ridge_error *err)
{
    const ridge_work *work = &e->work;
    e->pipe = (ridge_pipe)work->pipe;
    if (work->dtype >= RIDGE_DTYPE_COUNT) {
        *peak = ridge__fact_unknown();
        return work->flop > 0 ? common_peak(peak, machine, err) : RIDGE_OK;
    }
    ridge_dtype math = ridge__dtype((ridge_dtype)work->dtype)->math;
    *peak = ridge__machine_peak(machine, math, (ridge_pipe)work->pipe,
                                (ridge_dtype)work->accumulator, &e->pipe);
    if (work->fast_dtype < RIDGE_DTYPE_COUNT) {
        ridge_pipe pipe = e->pipe;
        ridge_fact fast = ridge__machine_peak(machine, (ridge_dtype)work->fast_dtype,
                                              (ridge_pipe)work->pipe,
                                              (ridge_dtype)work->accumulator, &pipe);
        if (ridge_known(fast.value) && fast.value > peak->value) {
            *peak = fast;
            e->pipe = pipe;
            e->work.dtype = work->fast_dtype;
        }
    }
    bool refused = (machine->unsupported >> math) & 1u;
    if (work->flop > 0 &&
        (refused || (!ridge_known(peak->value) && lists_peaks(machine))))
        e->warnings |= RIDGE_WARNING_UNSUPPORTED_DTYPE;
    return RIDGE_OK;
}

static ridge_status no_data(const ridge_estimate *e, const ridge_machine *machine,
                            ridge_error *err)
{
    const char *dtype = ridge_dtype_name((ridge_dtype)e->work.dtype);
    return ridge__error_set(err, RIDGE_NODATA,
                            "neither the %s peak nor the DRAM bandwidth of %s is known; "
                            "give --peak %s=... or --dram ...",
                            dtype ? dtype : "FLOP", ridge_machine_id(machine),
                            dtype ? dtype : "bf16");
}

static bool weak(ridge_fact fact)
{
    return ridge_known(fact.value) && (fact.confidence == 'C' || fact.confidence == 'R');
}

/* True if `bytes` stay in the machine's L2; an unknown L2 holds nothing. */
static bool fits_l2(const ridge_machine *machine, double bytes)
{
    return ridge_known(machine->l2.value) && bytes <= machine->l2_capacity.value;
}

/* Warnings about the figures that the floor rests on. */
static void flag_facts(ridge_estimate *e, const ridge_machine *machine, ridge_fact peak,
                       ridge_fact bandwidth)
{
    const ridge_work *work = &e->work;
    bool wires = work->wire_bytes > 0;
    if ((work->flop > 0 && weak(peak)) || (work->bytes > 0 && weak(bandwidth)) ||
        (wires && weak(machine->link)) ||
        (work->network_bytes > 0 && weak(machine->between.bandwidth)))
        e->warnings |= RIDGE_WARNING_LOW_CONFIDENCE;
    if ((wires || work->network_bytes > 0) && machine->system_assumed)
        e->warnings |= RIDGE_WARNING_ASSUMED_SYSTEM;
    if (work->flop > 0 && machine->sparse_peak >> work->dtype & 1u)
        e->warnings |= RIDGE_WARNING_SPARSE_PEAK;
    if ((wires && machine->link_bidirectional) ||
        (work->network_bytes > 0 && machine->network_bidirectional))
        e->warnings |= RIDGE_WARNING_LINK_BIDIRECTIONAL;
}

/* The first where it is known. */
static double or_else(double value, double other)
{
    return ridge_known(value) ? value : other;
}

bool ridge__floor_kept(const ridge_estimate *e, const ridge_machine *machine,
                       const ridge_call *call)
{
    return call->op->kept_in_l2 && ridge_known(machine->l2_capacity.value) &&
           machine->l2.value > e->bandwidth_bytes_per_s;
}

/* Least time of the bytes: all of them from DRAM, or from L2 what that can hold. */
static double least_memory_time(const ridge_estimate *e, const ridge_machine *machine,
                                const ridge_call *call, double bytes)
{
    double cold = time_of(bytes, e->bandwidth_bytes_per_s);
    if (!ridge__floor_kept(e, machine, call))
        return cold;
    double rest = ridge__max(bytes - machine->l2_capacity.value, 0);
    return ridge__max(time_of(bytes, machine->l2.value),
                      time_of(rest, e->bandwidth_bytes_per_s));
}

/* Everything that follows from stated rates: floor, upper, intensity, ridge. */
static ridge_status fill_floor(ridge_estimate *e, const ridge_machine *machine,
                               const ridge_call *call, bool resident, ridge_error *err)
{
    const ridge_work *work = &e->work;
    ridge_fact peak;
    ridge_status status = find_peak(e, &peak, machine, err);
    if (status)
        return status;
    if (!ridge_known(peak.value) && !ridge_known(machine->dram.value))
        return no_data(e, machine, err);
    ridge_fact bandwidth = resident ? machine->l2 : machine->dram;

    e->peak_flop_per_s = peak.value;
    e->bandwidth_bytes_per_s = bandwidth.value;
    double flop = or_else(work->least_flop, work->flop);
    double bytes = or_else(work->least_bytes, work->bytes);
    e->compute_s = time_of(flop, peak.value);
    e->memory_s = least_memory_time(e, machine, call, bytes);
    e->communication_s = call->op->comm == RIDGE_COMM_NONE
                             ? time_of(work->wire_bytes, machine->link.value)
                             : ridge__comm_floor(work, machine, call);
    e->floor_s = ridge__max(ridge__max(e->compute_s, e->memory_s), e->communication_s);
    e->upper_s = e->compute_s + e->memory_s + e->communication_s;
    e->l2_floor_s = e->floor_s;
    if (fits_l2(machine, work->footprint_bytes))
        e->l2_floor_s =
            ridge__max(ridge__max(e->compute_s, time_of(bytes, machine->l2.value)),
                       e->communication_s);
    e->intensity = work->bytes > 0 ? work->flop / work->bytes : RIDGE_UNKNOWN;
    e->ridge = peak.value / bandwidth.value;
    e->ceiling_flop_per_s =
        work->bytes > 0 ? ridge_roofline(peak.value, bandwidth.value, e->intensity)
                        : peak.value;
    flag_facts(e, machine, peak, bandwidth);
    return RIDGE_OK;
}

/* ---- Expected time ----------------------------------------------------------------- */

enum {
    NO_DTYPE = -1 /* the dtype that bounds the FLOP is the only one */
};

/* A row per form of op.h: its function, its list of constants, its dtype arguments. */
static const struct form {
    void (*run)(ridge_estimate *e, const ridge__form_input *in);
    ridge__fit_form fit;
    ridge__fit_form (*choose_fit)(const ridge_call *call); /* NULL: always `fit` */
    int dtype, kv_dtype;
    const char *(*fit_op)(const ridge_call *call); /* what fits name it; NULL: the op */
    /* For `when`; NULL: none. */
    ridge__fit_shape (*shape)(const ridge_call *call, const ridge_machine *machine);
} forms[] = {
    [RIDGE_FORM_STREAM] = {ridge__form_stream, RIDGE_FIT_STREAM, NULL, RIDGE_STREAM_DTYPE,
                           RIDGE_STREAM_DTYPE, NULL, ridge__stream_shape},
    [RIDGE_FORM_TILE] = {ridge__form_tile, RIDGE_FIT_TILE, NULL, RIDGE_GEMM_DTYPE,
                         RIDGE_GEMM_DTYPE, ridge__tile_fit, NULL},
    [RIDGE_FORM_ATTENTION] = {ridge__form_attention, RIDGE_FIT_PREFILL,
                              ridge__attention_fit, RIDGE_ATTN_DTYPE, RIDGE_ATTN_KV_DTYPE,
                              NULL, ridge__attention_shape},
    [RIDGE_FORM_ATTENTION_BACKWARD] = {ridge__form_attention_backward, RIDGE_FIT_PREFILL,
                                       NULL, RIDGE_ATTN_DTYPE, RIDGE_ATTN_KV_DTYPE, NULL,
                                       ridge__attention_shape},
    [RIDGE_FORM_CUSTOM] = {ridge__form_stream, RIDGE_FIT_STREAM, NULL, NO_DTYPE, NO_DTYPE,
                           NULL, NULL},
    [RIDGE_FORM_WHOLE] = {ridge__form_stream, RIDGE_FIT_STREAM, NULL, NO_DTYPE, NO_DTYPE,
                          NULL, ridge__stream_shape},
    [RIDGE_FORM_MLA] = {ridge__form_mla, RIDGE_FIT_PREFILL, ridge__mla_fit,
                        RIDGE_MLA_DTYPE, RIDGE_MLA_KV_DTYPE, ridge__mla_fit_op,
                        ridge__mla_shape},
    [RIDGE_FORM_COLLECTIVE] = {ridge__form_collective, RIDGE_FIT_COLLECTIVE, NULL,
                               RIDGE_COMM_DTYPE, RIDGE_COMM_DTYPE, NULL,
                               ridge__comm_shape},
    [RIDGE_FORM_EXPERTS] = {ridge__form_experts, RIDGE_FIT_EXPERTS, NULL, RIDGE_EP_DTYPE,
                            RIDGE_EP_DTYPE, ridge__experts_fit, NULL},
    [RIDGE_FORM_GROUPED] = {ridge__form_grouped, RIDGE_FIT_GROUPED, NULL, RIDGE_MOE_DTYPE,
                            RIDGE_MOE_DTYPE, NULL, ridge__grouped_shape},
};
_Static_assert(RIDGE__COUNT(forms) == RIDGE_FORM_COUNT, "a row per form");

void ridge__estimate_working(ridge__working *out, const ridge_estimate *estimate,
                             const ridge_machine *machine, const ridge_call *call)
{
    ridge_estimate e = *estimate;
    bool resident = machine->warm && fits_l2(machine, e.work.footprint_bytes);
    ridge_call settled = *call;
    ridge__comm_settle(&settled, machine);
    ridge__form_input in = {machine, &settled, estimate->basis, resident, out};
    out->count = out->call_count = 0;
    if (!in.fit)
        return;
    if (call->backend == RIDGE_BACKEND_BEST) /* whichever was the fastest */
        settled.backend = (uint8_t)in.fit->backend;
    ridge__working_add(out, "F", NULL, e.work.flop, RIDGE_UNIT_FLOP);
    ridge__working_add(out, "D", NULL, e.work.bytes, RIDGE_UNIT_BYTES);
    ridge__working_add(out, "P", NULL, e.peak_flop_per_s, RIDGE_UNIT_FLOP_PER_S);
    ridge__working_add(out, "B", NULL, e.bandwidth_bytes_per_s, RIDGE_UNIT_BYTES_PER_S);
    ridge__working_add(out, "units", NULL, machine->units.value, RIDGE_UNIT_COUNT);
    ridge__working_add(out, "L2 size", NULL, machine->l2_capacity.value,
                       RIDGE_UNIT_BYTES);
    e.term_count = 0;
    forms[call->op->form].run(&e, &in);
}

/* A dtype argument of the call, or what bounds its FLOP where it has none. */
static ridge_dtype dtype_at(const ridge_call *call, const ridge_work *work, int index)
{
    double value = index == NO_DTYPE ? RIDGE_UNKNOWN : call->arg[index];
    return ridge_known(value) ? (ridge_dtype)value : (ridge_dtype)work->dtype;
}

/* What the fit of the call is asked for by. */
static ridge__fit_key fit_key(const ridge_estimate *e, const ridge_call *call,
                              const ridge_machine *machine)
{
    const struct form *form = &forms[call->op->form];
    ridge__fit_shape shape = {.dim = RIDGE_UNKNOWN, .group = RIDGE_UNKNOWN};
    if (form->shape)
        shape = form->shape(call, machine);
    shape.phase = (int8_t)e->work.phase;
    int own = (int)call->op->dtype_param;
    int dtype = own ? own : form->dtype, kv_dtype = own ? own : form->kv_dtype;
    const ridge__fit_form fit = form->choose_fit ? form->choose_fit(call) : form->fit;
    if (fit == RIDGE_FIT_MODULE) /* what its kernels are goes by the projections' dtype */
        dtype = RIDGE_MLA_GEMM_DTYPE;
    return (ridge__fit_key){fit,
                            form->fit_op ? form->fit_op(call) : call->op->name,
                            call->op->family,
                            call->op->stand_in,
                            dtype_at(call, &e->work, dtype),
                            dtype_at(call, &e->work, kv_dtype),
                            (ridge_backend)call->backend,
                            shape,
                            call->op->form == RIDGE_FORM_STREAM ||
                                call->op->form == RIDGE_FORM_WHOLE};
}

void ridge__estimate_dtypes(ridge_dtype *dtype, ridge_dtype *kv_dtype,
                            const ridge_estimate *e, const ridge_machine *machine,
                            const ridge_call *call)
{
    const ridge__fit_key key = fit_key(e, call, machine);
    *dtype = key.dtype;
    *kv_dtype = key.kv_dtype;
}

/* The square of a share's logarithm. */
static double square_log(double share)
{
    double h = log1p(share);
    return h * h;
}

/*
 * What lies beyond the fitted rows: a form knows edges, of ranks, of kinds that nobody
 * timed; work beyond their reach is less sure the longer it is, so that low_s does not fall
 * back where it begins.
 */
static double beyond_reach(ridge_estimate *e, const ridge_fit *fit)
{
    double beyond = e->floor_s / (REACH_FACTOR * fit->reach_s);
    if (e->warnings & RIDGE_WARNING_EXTRAPOLATED)
        return SPREAD_EXTRAPOLATED;
    if (!(beyond > 1))
        return 0;
    e->warnings |= RIDGE_WARNING_EXTRAPOLATED;
    return SPREAD_EXTRAPOLATED * ridge__min(log(beyond) / log(REACH_FULL), 1);
}

/* How far a part may lie off that the fit has no rows of, as a share; 0: it has. */
static double elsewhere(const ridge_estimate *e, const ridge_machine *machine,
                        const ridge_fit *fit)
{
    if (e->basis_link == RIDGE_LINK_LIKE)
        return machine->like_spread;
    bool shared =
        e->basis_link == RIDGE_LINK_ARCH || e->basis_link == RIDGE_LINK_PART ||
        (e->basis_link == RIDGE_LINK_USER && machine->user_kin == RIDGE__KIN_ARCH);
    if (shared && fit->parts && !ridge__words_hold(fit->parts, ridge_machine_id(machine)))
        return ridge_known(fit->elsewhere) ? fit->elsewhere : SPREAD_ELSEWHERE;
    return 0;
}

static bool another_vendor(const ridge_machine *machine, const ridge_fit *fit)
{
    return fit->vendor && machine->device && machine->device->vendor &&
           strcmp(fit->vendor, machine->device->vendor) != 0;
}

/* The square of what another architecture adds, whose parts the user's fit was made of. */
static double strange(const ridge_estimate *e, const ridge_machine *machine,
                      const ridge_fit *fit)
{
    if (e->basis_link != RIDGE_LINK_USER || machine->user_kin == RIDGE__KIN_ARCH ||
        !fit->parts || ridge__words_hold(fit->parts, ridge_machine_id(machine)))
        return 0;
    return square_log(SPREAD_ANY) +
           (machine->user_kin == RIDGE__KIN_VENDOR ? square_log(SPREAD_VENDOR) : 0);
}

/* The square of what adds to the fit's own spread, and the warnings that explain it. */
static double spread_beside(ridge_estimate *e, const ridge_machine *machine,
                            const ridge_call *call, const ridge_fit *fit)
{
    double sum = 0;
    bool stands_in = call->op->stand_in && strcmp(fit->op, call->op->stand_in) == 0;
    if (call->op->form == RIDGE_FORM_STREAM) /* kin stands in, too */
        stands_in = strcmp(fit->op, call->op->name) != 0;
    bool untimed = e->warnings & RIDGE_WARNING_UNMEASURED; /* its form says so */
    /* Constants that no rows stand behind were made for every part alike. */
    bool measured = ridge_known(fit->mape);
    bool pooled = e->basis_link == RIDGE_LINK_ANY && measured;
    if (pooled && !fit->unseen) /* else the spread is that of parts that were left out */
        sum += square_log(SPREAD_ANY);
    if (pooled && another_vendor(machine, fit))
        sum += square_log(SPREAD_VENDOR);
    if (stands_in && !(pooled && fit->unseen))
        sum += square_log(SPREAD_STANDS_IN);
    if (e->warnings & RIDGE_WARNING_BORROWED) /* a form took a latency elsewhere */
        sum += square_log(SPREAD_ELSEWHERE);
    sum += square_log(elsewhere(e, machine, fit)) + strange(e, machine, fit);
    if (sum > 0 || pooled || e->basis_link == RIDGE_LINK_LIKE)
        e->warnings |= RIDGE_WARNING_BORROWED;
    if (!measured)
        e->warnings |= RIDGE_WARNING_UNMEASURED;
    if (untimed)
        sum += square_log(SPREAD_UNTIMED);
    return sum + square_log(beyond_reach(e, fit));
}

static void fill_interval(ridge_estimate *e, const ridge_machine *machine,
                          const ridge_call *call, const ridge_fit *fit)
{
    double beside = spread_beside(e, machine, call, fit);
    double low, high;
    ridge__fit_spread(fit, e->expected_s, &low, &high);
    if (beside > 0) {
        low = exp(-sqrt(log(low) * log(low) + beside));
        high = exp(sqrt(log(high) * log(high) + beside));
    }
    /* No run beats the floor, and the interval holds the expectation. */
    double low_s = ridge__max(e->expected_s * low, e->floor_s);
    e->low_s = ridge__min(low_s, e->expected_s);
    e->high_s = ridge__max(e->expected_s * high, e->expected_s);
}

static void forget_expected(ridge_estimate *e, const ridge_machine *machine)
{
    e->launch_s = e->latency_s = e->body_s = RIDGE_UNKNOWN;
    e->expected_s = e->low_s = e->high_s = RIDGE_UNKNOWN;
    e->basis = NULL;
    e->basis_link = RIDGE_LINK_STATED;
    e->term_count = 0;
    e->plan = (ridge_plan){.occupancy = e->plan.occupancy};
    const ridge_work *work = &e->work;
    if (work->flop > 0)
        ridge__estimate_term(e, "peak", RIDGE_BY_COMPUTE, work->flop, e->peak_flop_per_s,
                             1, e->compute_s);
    if (work->bytes > 0)
        ridge__estimate_term(e, "dram", RIDGE_BY_MEMORY, work->bytes,
                             e->bandwidth_bytes_per_s, 1, e->memory_s);
    if (work->wire_bytes > 0)
        ridge__estimate_term(e, "link", RIDGE_BY_COMMUNICATION, work->wire_bytes,
                             machine->link.value, 1, e->communication_s);
}

/* The time by that fit, or of the fit; unknown where none is known. */
static void run_fit(ridge_estimate *e, const ridge_machine *machine,
                    const ridge_call *call, bool resident, const ridge_fit *fit)
{
    e->expected_s = RIDGE_UNKNOWN;
    e->basis = fit;
    if (!fit)
        return;
    ridge__form_input in = {machine, call, fit, resident, NULL};
    forms[call->op->form].run(e, &in);
    /* The kernel itself cannot be faster than what the floor says it must do. */
    e->body_s = ridge__max(e->body_s, e->floor_s);
    e->expected_s = e->launch_s + e->body_s;
}

/* The time by the library that the call names. */
static void run_library(ridge_estimate *e, const ridge_machine *machine,
                        const ridge_call *call, bool resident)
{
    const ridge__fit_key key = fit_key(e, call, machine);
    run_fit(e, machine, call, resident,
            ridge__machine_fit(machine, &key, &e->basis_link));
}

/* Where `best` has no fit of its own: the fastest of the libraries that have one. */
static void run_fastest(ridge_estimate *e, const ridge_machine *machine,
                        const ridge_call *call, bool resident, uint32_t libraries)
{
    const ridge_estimate before = *e;
    ridge_call named = *call;
    e->expected_s = RIDGE_UNKNOWN;
    for (uint8_t b = 0; libraries; b++, libraries >>= 1) {
        if (!(libraries & 1))
            continue;
        ridge_estimate one = before;
        named.backend = b;
        run_library(&one, machine, &named, resident);
        /* Of libraries as fast the last: NCCL, which the others call.  One whose constants
         * do not suffice is no answer. */
        if (ridge_known(one.expected_s) && !(one.expected_s > e->expected_s))
            *e = one;
    }
}

static void fill_expected(ridge_estimate *e, const ridge_machine *machine,
                          const ridge_call *call, bool resident)
{
    /* Without them, per-unit and per-cycle constants mean nothing. */
    if (ridge_known(machine->units.value) && ridge_known(machine->clock_matrix_hz)) {
        const ridge__fit_key key = fit_key(e, call, machine);
        const ridge_fit *fit = ridge__machine_fit(machine, &key, &e->basis_link);
        uint32_t libraries = 0;
        /* A `best` of the op itself is what it is; else look whether libraries are known. */
        if (call->backend == RIDGE_BACKEND_BEST &&
            !(fit && fit->backend == RIDGE_BACKEND_BEST &&
              e->basis_link <= RIDGE_LINK_LIKE && strcmp(fit->op, key.op) == 0))
            libraries = ridge__machine_libraries(machine, &key);
        if (libraries)
            run_fastest(e, machine, call, resident, libraries);
        else
            run_fit(e, machine, call, resident, fit);
    }
    if (!e->basis || !ridge_known(e->expected_s))
        forget_expected(e, machine);
    else
        fill_interval(e, machine, call, e->basis);
}

/* The largest of expected's terms (of the floor's where that is unknown); ties in order. */
static ridge_bound find_bound(const ridge_estimate *e)
{
    double by[RIDGE_BOUND_COUNT] = {0};
    for (int i = 0; i < e->term_count; i++) {
        const ridge_term *t = &e->term[i];
        /* A latency with a rate is one of its own: bytes in flight that do not suffice. */
        if ((t->bound != RIDGE_BY_LATENCY || ridge_known(t->ceiling)) &&
            t->time_s > by[t->bound])
            by[t->bound] = t->time_s;
    }
    if (e->latency_s > by[RIDGE_BY_LATENCY])
        by[RIDGE_BY_LATENCY] = e->latency_s;
    ridge_bound bound = RIDGE_BY_COMPUTE;
    for (int i = 1; i < RIDGE_BOUND_COUNT; i++)
        if (by[i] > by[bound])
            bound = (ridge_bound)i;
    return bound;
}

ridge_status ridge_estimate_call(ridge_estimate *out, const ridge_machine *machine,
                                 const ridge_call *given, ridge_error *err)
{
    ridge_estimate e = {.launch_s = RIDGE_UNKNOWN, .basis_link = RIDGE_LINK_STATED};
    const ridge_call *call = given;
    ridge_call settled; /* what the user left to the machine */
    if (given->op->comm != RIDGE_COMM_NONE) {
        settled = *given;
        ridge__comm_settle(&settled, machine);
        call = &settled;
    }
    ridge_status status = ridge_op_count(&e.work, call, err);
    if (status)
        return status;
    e.warnings = e.work.warnings;
    bool resident = machine->warm && fits_l2(machine, e.work.footprint_bytes);
    status = fill_floor(&e, machine, call, resident, err);
    if (status)
        return status;
    status = ridge__occupancy_find(&e.plan.occupancy, machine, call, err);
    if (status)
        return status;
    fill_expected(&e, machine, call, resident);
    e.bound = find_bound(&e);

    e.fits = -1;
    if (ridge_known(machine->dram_capacity.value))
        e.fits = e.work.footprint_bytes <= machine->dram_capacity.value;
    if (e.fits == 0)
        e.warnings |= RIDGE_WARNING_DOES_NOT_FIT;
    if (e.bound == RIDGE_BY_LATENCY)
        e.warnings |= RIDGE_WARNING_LATENCY_BOUND;
    if (machine->clock_above_rating)
        e.warnings |= RIDGE_WARNING_CLOCK_ABOVE_RATING;
    *out = e;
    return RIDGE_OK;
}
