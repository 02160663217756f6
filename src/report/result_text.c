/* One estimate for a person: the answer first, then what it rests on. */
#include "answer/waterfall.h"
#include "machine/machine.h"
#include "op/op.h"
#include "report/comm.h"
#include "report/page.h"

#include <stdio.h>

/* ---- The headline ---------------------------------------------------------------- */

/* The largest memory term, where the floor's bound is another: it is no DRAM then. */
static const char *inner_level(const ridge_estimate *e)
{
    const ridge_term *most = NULL, *flight = ridge__flight_term(e);
    if (e->bound == RIDGE_BY_LATENCY && flight && flight->time_s > e->latency_s)
        return flight->name;
    if (e->bound != RIDGE_BY_MEMORY || !(e->compute_s > e->memory_s))
        return NULL;
    for (int i = 0; i < e->term_count; i++)
        if (e->term[i].bound == RIDGE_BY_MEMORY &&
            (!most || e->term[i].time_s > most->time_s))
            most = &e->term[i];
    return most ? most->name : NULL;
}

/* The part of the floor that is known is a bound too. */
static void headline_half_known(char *buf, size_t size, const ridge_estimate *e)
{
    const char *dtype = ridge_dtype_name((ridge_dtype)e->work.dtype);
    if (ridge_known(e->memory_s))
        snprintf(buf, size, "no floor, as no %s%speak is known; the bytes alone take %s",
                 dtype ? dtype : "", dtype ? " " : "", RIDGE__S(e->memory_s));
    else
        snprintf(buf, size, "no floor, as no bandwidth is known; the FLOP alone take %s",
                 RIDGE__S(e->compute_s));
}

static void headline_estimate(char *buf, size_t size, const ridge_result *result)
{
    const ridge_estimate *e = result->estimate;
    const char *level = inner_level(e);
    char bound[64];
    snprintf(bound, sizeof bound, "%s bound%s%s%s", ridge_bound_name(e->bound),
             level ? " (" : "", level ? level : "", level ? ")" : "");
    if (result->exchange && !ridge_known(e->communication_s))
        snprintf(buf, size,
                 "no floor, as no link is known; give --system, or --link for the rate");
    else if (result->exchange && result->exchange->ranks <= 1)
        snprintf(buf, size, "one rank alone: nothing to move, and nothing to wait for");
    else if (e->work.flop == 0 && e->work.bytes == 0 &&
             !ridge__serial_given(result->call))
        snprintf(buf, size, "no work: there is nothing to wait for");
    else if (ridge_known(e->expected_s))
        snprintf(buf, size, "%s: expect %s (%s to %s), and never less than %s", bound,
                 RIDGE__S(e->expected_s), RIDGE__S(e->low_s), RIDGE__S(e->high_s),
                 RIDGE__S(e->floor_s));
    else if (ridge_known(e->floor_s))
        snprintf(buf, size, "%s: never less than %s", bound, RIDGE__S(e->floor_s));
    else
        headline_half_known(buf, size, e);
}

static void headline_waiting(char *buf, size_t size, const ridge_estimate *e,
                             const char *time)
{
    const ridge_term *flight = ridge__flight_term(e);
    if (flight && flight->time_s > e->latency_s)
        snprintf(buf, size,
                 "latency bound: of %s, waiting for the bytes in flight is about %s",
                 time, RIDGE__S(flight->time_s));
    else
        snprintf(buf, size,
                 "latency bound: of %s, launch and serial latency are about %s", time,
                 RIDGE__S(e->latency_s));
}

/* Of a transfer: against what libraries reach, and against the links' stated rate. */
static void headline_links(char *buf, size_t size, const ridge_estimate *e,
                           const ridge_measurement *m, const char *time)
{
    if (!ridge_known(m->of_expected))
        snprintf(buf, size, "communication bound: %s, the floor is %s of it", time,
                 RIDGE__PERCENT(m->of_roof));
    else
        snprintf(buf, size, "communication bound: %s, where %s (%s to %s) is expected",
                 time, RIDGE__S(e->expected_s), RIDGE__S(e->low_s), RIDGE__S(e->high_s));
}

static void headline_measured(char *buf, size_t size, const ridge_result *result)
{
    const ridge_estimate *e = result->estimate;
    const ridge_measurement *m = result->measurement;
    const char *time = RIDGE__S(m->time_s);
    switch (m->verdict) {
    case RIDGE_VERDICT_COMPUTE:
        snprintf(buf, size, "compute bound: %s is %s of the roof (peak %s)", time,
                 RIDGE__PERCENT(m->of_roof),
                 RIDGE__Q(e->peak_flop_per_s, RIDGE_UNIT_FLOP_PER_S));
        return;
    case RIDGE_VERDICT_MEMORY:
        snprintf(buf, size, "memory bound: in %s it reaches %s of the bandwidth (%s)",
                 time, RIDGE__PERCENT(m->of_bandwidth),
                 RIDGE__Q(e->bandwidth_bytes_per_s, RIDGE_UNIT_BYTES_PER_S));
        return;
    case RIDGE_VERDICT_LATENCY:
        headline_waiting(buf, size, e, time);
        return;
    case RIDGE_VERDICT_L2_RESIDENT:
        snprintf(buf, size,
                 "served by L2: %s is below the cold floor of %s and above the L2 floor "
                 "of %s",
                 time, RIDGE__S(e->floor_s), RIDGE__S(e->l2_floor_s));
        return;
    case RIDGE_VERDICT_BELOW_FLOOR:
        snprintf(buf, size, "impossible: %s is below the floor of %s", time,
                 RIDGE__S(e->floor_s));
        return;
    default:
        headline_links(buf, size, e, m, time);
        return;
    }
}

/* A node is where the part is; all else that was set changes what the catalogue says. */
static void put_changes(ridge__str *title, const ridge_machine *machine)
{
    const char *joint = ", changed by ";
    for (size_t i = 0; i < machine->override_count; i++)
        if (strcmp(machine->override[i].key, "system") == 0)
            ridge__str_format(title, " in %s", machine->override[i].value);
    for (size_t i = 0; i < machine->override_count; i++) {
        if (strcmp(machine->override[i].key, "system") == 0)
            continue;
        ridge__str_format(title, "%s%s=%s", joint, machine->override[i].key,
                          machine->override[i].value);
        joint = " ";
    }
}

static void put_head(ridge__str *out, const ridge_result *result,
                     const ridge_style *style)
{
    ridge__str title;
    char text[256];
    ridge__str_init(&title, 0, NULL);
    ridge__str_format(&title, "%s ", result->call->op->name);
    ridge__call_words(&title, result->call);
    ridge__str_format(&title, " on %s", ridge_machine_id(result->machine));
    put_changes(&title, result->machine);
    ridge__wrap(out, 0, 0, ridge__str_data(&title));
    out->failed = out->failed || title.failed;
    ridge__str_clear(&title);

    if (result->measurement)
        headline_measured(text, sizeof text, result);
    else
        headline_estimate(text, sizeof text, result);
    bool bad =
        result->measurement && result->measurement->verdict == RIDGE_VERDICT_BELOW_FLOOR;
    ridge__color(out, style, bad ? "1;31" : "1");
    ridge__wrap(out, 0, 0, text);
    ridge__color(out, style, "0");
}

/* ---- Times ----------------------------------------------------------------------- */

static void put_measured(ridge__str *out, const ridge_result *result)
{
    const ridge_estimate *e = result->estimate;
    const ridge_measurement *m = result->measurement;
    if (m->count > 1)
        ridge__row_format(out, "measured", "%s, the median of %zu from %s to %s",
                          RIDGE__S(m->time_s), m->count, RIDGE__S(m->min_s),
                          RIDGE__S(m->max_s));
    else
        ridge__row_format(out, "measured", "%s", RIDGE__S(m->time_s));
    if (e->work.flop > 0 && ridge_known(e->peak_flop_per_s)) {
        ridge__row_format(out, "achieved",
                          "%s: %s of the roof at this intensity (%s), %s of the peak "
                          "(%s)",
                          RIDGE__Q(m->achieved_flop_per_s, RIDGE_UNIT_FLOP_PER_S),
                          RIDGE__PERCENT(m->of_roof),
                          RIDGE__Q(e->ceiling_flop_per_s, RIDGE_UNIT_FLOP_PER_S),
                          RIDGE__PERCENT(m->of_peak),
                          RIDGE__Q(e->peak_flop_per_s, RIDGE_UNIT_FLOP_PER_S));
    }
    if (result->call->tile_m && e->plan.ceiling_flop_per_s > 0)
        ridge__row_format(
            out, "",
            "%s of what whole waves and padding of this tile "
            "leave (%s)",
            RIDGE__PERCENT(m->achieved_flop_per_s / e->plan.ceiling_flop_per_s),
            RIDGE__Q(e->plan.ceiling_flop_per_s, RIDGE_UNIT_FLOP_PER_S));
    if (e->work.bytes > 0)
        ridge__row_format(out, "", "%s: %s of the bandwidth (%s)",
                          RIDGE__Q(m->achieved_bytes_per_s, RIDGE_UNIT_BYTES_PER_S),
                          RIDGE__PERCENT(m->of_bandwidth),
                          RIDGE__Q(e->bandwidth_bytes_per_s, RIDGE_UNIT_BYTES_PER_S));
    /* The expected time is of a cold run: no measure for one that L2 served. */
    if (ridge_known(m->of_expected) && m->verdict < RIDGE_VERDICT_L2_RESIDENT)
        ridge__row_format(out, "", "a tuned library would need %s of this time",
                          RIDGE__PERCENT(m->of_expected));
    if (ridge_known(m->before_s))
        ridge__row_format(out, "before", "%s", RIDGE__S(m->before_s));
}

static const char *why_not_expected(const ridge_result *result)
{
    const ridge_machine *m = result->machine;
    if (!ridge_known(result->estimate->floor_s))
        return "?, as the floor is not known";
    if (result->call->op->form == RIDGE_FORM_CUSTOM)
        return "?, a kernel given by its counts has a floor only";
    if (!m->device)
        return "?, --peak and --dram alone give the floor; name a part";
    if (!ridge_known(m->units.value) || !ridge_known(m->clock_matrix_hz))
        return "?, it needs units and clocks, which the part does not state";
    return "?, no fitted constants for this operation on this machine";
}

static void put_times(ridge__str *out, const ridge_result *result)
{
    const ridge_estimate *e = result->estimate;
    if (e->communication_s > 0)
        ridge__row_format(out, "floor",
                          "%s, the longest of compute %s, memory %s and links %s",
                          RIDGE__S(e->floor_s), RIDGE__S(e->compute_s),
                          RIDGE__S(e->memory_s), RIDGE__S(e->communication_s));
    else
        ridge__row_format(out, "floor", "%s, the longer of compute %s and memory %s",
                          RIDGE__S(e->floor_s), RIDGE__S(e->compute_s),
                          RIDGE__S(e->memory_s));
    if (ridge_known(e->expected_s))
        ridge__row_format(out, "expected",
                          "%s, launch %s + body %s; 80 %% of runs within %s to %s",
                          RIDGE__S(e->expected_s), RIDGE__S(e->launch_s),
                          RIDGE__S(e->body_s), RIDGE__S(e->low_s), RIDGE__S(e->high_s));
    else
        ridge__row(out, "expected", why_not_expected(result));
    ridge__row_format(out, "upper", "%s, their sum at full rates: nothing overlaps",
                      RIDGE__S(e->upper_s));
}

/* ---- The work and the roof ------------------------------------------------------- */

static void put_work(ridge__str *out, const ridge_result *result)
{
    const ridge_estimate *e = result->estimate;
    const ridge_op *op = result->call->op;
    ridge__str text;
    ridge__str_init(&text, 0, NULL);
    ridge__str_format(&text, "%s; %s moved", RIDGE__Q(e->work.flop, RIDGE_UNIT_FLOP),
                      RIDGE__Q(e->work.bytes, RIDGE_UNIT_BYTES));
    const char *joint = ": ";
    for (size_t i = 0; e->work.operand_count > 1 && i < e->work.operand_count; i++) {
        if (e->work.operand_bytes[i] == 0 && e->work.bytes > 0)
            continue; /* an operand that this call does without */
        ridge__str_format(&text, "%s%s %s", joint,
                          i < op->operand_count ? op->operands[i] : "?",
                          RIDGE__Q(e->work.operand_bytes[i], RIDGE_UNIT_BYTES));
        joint = ", ";
    }
    ridge__row(out, "work", ridge__str_data(&text));
    ridge__str_reset(&text);
    for (size_t i = 0; i < op->fact_count; i++)
        ridge__str_format(&text, "%s%s %s", i ? ", " : "",
                          RIDGE__N(ridge__op_fact_value(result->call, &op->facts[i])),
                          op->facts[i].text);
    if (text.size)
        ridge__row(out, "", ridge__str_data(&text));
    out->failed = out->failed || text.failed;
    ridge__str_clear(&text);
}

/* The roofline alone; where what kernels reach decides otherwise, it holds for the floor. */
static const char *side_of_ridge(const ridge_estimate *e)
{
    bool left = e->intensity < e->ridge;
    if (left && ridge_known(e->expected_s) && e->bound == RIDGE_BY_COMPUTE)
        return ": left of it, bandwidth sets the floor; at the rates that kernels reach "
               "compute takes longer";
    if (!left && ridge_known(e->expected_s) && e->bound == RIDGE_BY_MEMORY)
        return ": right of it, the peak sets the floor; at the rates that kernels reach "
               "memory takes longer";
    return left ? ": left of it, bandwidth limits" : ": right of it, the peak limits";
}

static void put_roof(ridge__str *out, const ridge_result *result)
{
    const ridge_estimate *e = result->estimate;
    if (e->work.flop == 0) { /* no intensity, no peak: the bytes are all there is */
        ridge__row_format(out, "bandwidth", "%s",
                          RIDGE__Q(e->bandwidth_bytes_per_s, RIDGE_UNIT_BYTES_PER_S));
        return;
    }
    const char *side = "";
    if (ridge_known(e->intensity) && ridge_known(e->ridge))
        side = side_of_ridge(e);
    if (ridge_known(e->intensity))
        ridge__row_format(out, "intensity", "%s; the ridge is at %s%s",
                          RIDGE__Q(e->intensity, RIDGE_UNIT_FLOP_PER_BYTE),
                          RIDGE__Q(e->ridge, RIDGE_UNIT_FLOP_PER_BYTE), side);
    const char *name = ridge__peak_name((char[48]){0}, 48, e, result->machine);
    ridge__row_format(out, "roof", "%s here; peak %s%s%s%s, bandwidth %s",
                      RIDGE__Q(e->ceiling_flop_per_s, RIDGE_UNIT_FLOP_PER_S),
                      RIDGE__Q(e->peak_flop_per_s, RIDGE_UNIT_FLOP_PER_S),
                      *name ? " (" : "", name, *name ? ")" : "",
                      RIDGE__Q(e->bandwidth_bytes_per_s, RIDGE_UNIT_BYTES_PER_S));
}

/* ", of which this is 76 %", where there is a measured time. */
static const char *of_which(char *buf, const ridge_result *result, double peak)
{
    buf[0] = '\0';
    if (result->measurement && result->measurement->verdict == RIDGE_VERDICT_COMPUTE)
        snprintf(buf, 48, ", of which this is %s",
                 RIDGE__PERCENT(result->measurement->achieved_flop_per_s / peak));
    return buf;
}
#define OF_WHICH(result, peak) of_which((char[48]){0}, result, peak)

/* The clock that the peak stands for: a datasheet assumes the boost clock. */
static void put_clock(ridge__str *out, const ridge_result *result)
{
    const ridge_machine *machine = result->machine;
    const ridge_estimate *e = result->estimate;
    double clock_hz, rated = ridge__rated_peak(machine, e, &clock_hz);
    if (e->work.flop == 0 || !ridge_known(rated) || !ridge_known(clock_hz))
        return;
    double base_hz = machine->device->clock_base.value;
    double base = rated * base_hz / clock_hz;
    double now_hz = clock_hz * e->peak_flop_per_s / rated;
    if (fabs(now_hz - clock_hz) > 1e-6 * clock_hz)
        ridge__row_format(out, "clock", "%s; the datasheet's %s has %s%s",
                          RIDGE__Q(now_hz, RIDGE_UNIT_HZ),
                          RIDGE__Q(rated, RIDGE_UNIT_FLOP_PER_S),
                          RIDGE__Q(clock_hz, RIDGE_UNIT_HZ), OF_WHICH(result, rated));
    else if (ridge_known(base) && !(e->memory_s > e->compute_s))
        ridge__row_format(out, "clock",
                          "the peak is quoted at %s, the boost clock; at "
                          "the base clock of %s it is %s%s",
                          RIDGE__Q(clock_hz, RIDGE_UNIT_HZ),
                          RIDGE__Q(base_hz, RIDGE_UNIT_HZ),
                          RIDGE__Q(base, RIDGE_UNIT_FLOP_PER_S), OF_WHICH(result, base));
    else
        ridge__row_format(out, "clock", "the peak is quoted at %s",
                          RIDGE__Q(clock_hz, RIDGE_UNIT_HZ));
}

/* The second roof: what is reachable of the stated bandwidth. */
static void put_reachable(ridge__str *out, const ridge_estimate *e)
{
    for (size_t i = 0; e->basis && i < e->term_count; i++) {
        const ridge_term *t = &e->term[i];
        if (strcmp(t->name, "dram") == 0 && t->share < 1)
            ridge__row_format(out, "reachable",
                              "%s of the bandwidth: %s, the fit's share",
                              RIDGE__PERCENT(t->share),
                              RIDGE__Q(t->share * t->ceiling, RIDGE_UNIT_BYTES_PER_S));
    }
}

static void put_rest(ridge__str *out, const ridge_result *result)
{
    const ridge_estimate *e = result->estimate;
    static const char *const fits[] = {"the capacity is unknown", "does not fit", "fits"};
    const ridge_plan *plan = &e->plan;
    bool waves = ridge_known(plan->ceiling_flop_per_s);
    char basis[96];
    ridge__row_format(out, "memory", "%s%s must exist at once: %s",
                      RIDGE__Q(e->work.footprint_bytes, RIDGE_UNIT_BYTES),
                      RIDGE__BINARY(e->work.footprint_bytes), fits[e->fits + 1]);
    if (plan->tile_m)
        ridge__row_format(
            out, "plan", "tile %ux%u, split-K %u: %s CTAs, %s waves%s%s",
            (unsigned)plan->tile_m, (unsigned)plan->tile_n, (unsigned)plan->split,
            RIDGE__N(plan->ctas), ridge__plain_text((char[48]){0}, plan->waves, 3),
            waves ? "; whole waves allow " : "",
            waves ? RIDGE__Q(plan->ceiling_flop_per_s, RIDGE_UNIT_FLOP_PER_S) : "");
    ridge__occupancy_text(out, result);
    ridge_estimate_basis(e, basis, sizeof basis);
    if (e->basis)
        ridge__row_format(out, "basis", "%s, made %s", basis,
                          e->basis->date ? e->basis->date : "?");
}

/* ---- Terms, levers, steps -------------------------------------------------------- */

/* Demand and rate of a term; what is no FLOP and no byte is a plain count. */
static void put_term(ridge__str *out, const ridge_term *t)
{
    ridge_unit demand = RIDGE_UNIT_BYTES, rate = RIDGE_UNIT_BYTES_PER_S;
    if (t->bound == RIDGE_BY_COMPUTE) {
        demand = RIDGE_UNIT_FLOP;
        rate = RIDGE_UNIT_FLOP_PER_S;
    }
    bool counted = ridge_known(t->demand) && ridge_known(t->ceiling);
    bool special = strcmp(t->name, "special functions") == 0;
    ridge__str_format(out, "  %-20s %12s %14s %10s %12s\n", t->name,
                      !counted  ? ""
                      : special ? RIDGE__EXACT(t->demand)
                                : RIDGE__Q(t->demand, demand),
                      !counted  ? ""
                      : special ? RIDGE__EXACT(t->ceiling)
                                : RIDGE__Q(t->ceiling, rate),
                      ridge_known(t->share) ? RIDGE__PERCENT(t->share) : "",
                      RIDGE__S(t->time_s));
}

/* Rates that no datasheet states, and terms that the counts are without. */
static void put_term_notes(ridge__str *out, const ridge_estimate *e)
{
    static const char *const fitted[] = {"l2 feed", "epilogue", "kv steps of an SM"};
    const char *of_fit[RIDGE__COUNT(fitted)];
    size_t count = 0;
    bool beside = false;
    for (size_t i = 0; i < e->term_count; i++) {
        const char *name = e->term[i].name;
        size_t size = strlen(name);
        beside = beside || (size > 7 && strcmp(name + size - 7, " beside") == 0);
        for (size_t k = 0; k < RIDGE__COUNT(fitted); k++)
            if (count < RIDGE__COUNT(fitted) && strcmp(name, fitted[k]) == 0)
                of_fit[count++] = fitted[k];
    }
    if (count > 0) {
        ridge__str_format(out, "  rate of %s", of_fit[0]);
        for (size_t i = 1; i < count; i++)
            ridge__str_format(out, " and %s", of_fit[i]);
        ridge__str_text(out, count > 1 ? ": constants of the fit, stated nowhere\n"
                                       : ": a constant of the fit, stated nowhere\n");
    }
    if (beside)
        ridge__str_text(out, "  what is beside is in the expected time alone, "
                             "not in floor, work or intensity\n");
}

static void put_terms(ridge__str *out, const ridge_estimate *e, const ridge_style *style)
{
    if (!e->basis || e->term_count == 0)
        return;
    ridge__heading(out, style, "What the expected time is made of");
    ridge__str_format(out, "  %-20s %12s %14s %10s %12s\n", "", "demand", "stated rate",
                      "reachable", "time");
    for (size_t i = 0; i < e->term_count; i++)
        put_term(out, &e->term[i]);
    put_term_notes(out, e);
}

static void put_lever(ridge__str *out, const char *label, double base_s, double ratio)
{
    if (!ridge_known(ratio) || !ridge_known(base_s))
        return;
    if (ratio > 0.995)
        ridge__row_format(out, label, "%s, unchanged", RIDGE__S(base_s));
    else
        ridge__row_format(out, label, "%s, %s shorter", RIDGE__S(base_s * ratio),
                          RIDGE__PERCENT(1 - ratio));
}

static void put_levers(ridge__str *out, const ridge_result *result,
                       const ridge_style *style)
{
    const ridge_sensitivity *s = result->sensitivity;
    const ridge_estimate *e = result->estimate;
    if (!s || (!ridge_known(s->peak_2x) && !ridge_known(s->dram_2x)))
        return;
    double base_s = s->of_floor ? e->floor_s : e->expected_s;
    ridge__heading(out, style,
                   s->of_floor ? "What more of a resource would make of the floor"
                               : "What more of a resource would make of the expected "
                                 "time");
    put_lever(out, "peak 2x", base_s, s->peak_2x);
    put_lever(out, "dram 2x", base_s, s->dram_2x);
    put_lever(out, "clock 2x", base_s, s->clock_2x);
    put_lever(out, "link 2x", base_s, s->link_2x);
    put_lever(out, "network 2x", base_s, s->network_2x);
    if (e->work.flop > 0 && ridge_known(s->feed_bytes_per_s) && s->feed_bytes_per_s > 0)
        ridge__row_format(out, "to feed", "the peak at this intensity takes %s",
                          RIDGE__Q(s->feed_bytes_per_s, RIDGE_UNIT_BYTES_PER_S));
}

static void put_advice(ridge__str *out, const ridge_result *result,
                       const ridge_style *style)
{
    bool impossible = result->measurement->verdict == RIDGE_VERDICT_BELOW_FLOOR;
    ridge__str text;
    ridge__str_init(&text, 0, NULL);
    ridge__advice(&text, result);
    ridge__heading(out, style, impossible ? "Suspects" : "What to do");
    for (char *line = text.data; line && *line;) {
        char *end = strchr(line, '\n');
        *end = '\0'; /* every line ends in one */
        ridge__str_text(out, "  - ");
        ridge__wrap(out, 4, 4, line);
        line = end + 1;
    }
    out->failed = out->failed || text.failed;
    ridge__str_clear(&text);
}

void ridge__result_text(ridge__str *out, const ridge_result *result,
                        const ridge_style *style)
{
    const ridge_estimate *e = result->estimate;
    put_head(out, result, style);
    ridge__str_add(out, "\n", 1);
    if (result->exchange) {
        ridge__comm_text(out, result);
    } else {
        if (result->measurement)
            put_measured(out, result);
        put_times(out, result);
        put_work(out, result);
        put_roof(out, result);
        put_clock(out, result);
        put_reachable(out, e);
    }
    put_rest(out, result);
    bool impossible =
        result->measurement && result->measurement->verdict == RIDGE_VERDICT_BELOW_FLOOR;
    if (result->measurement && !impossible)
        ridge__waterfall_text(out, result, style);
    if (result->measurement)
        put_advice(out, result, style);
    if (result->exchange && style->explain)
        ridge__comm_ways_text(out, result->exchange, style);
    put_terms(out, e, style);
    if (!impossible)
        put_levers(out, result, style);
    ridge__warnings_text(out, ridge__result_warnings(result), style);
    if (style->explain)
        ridge__explain(out, result, style);
    if (style->verify) {
        ridge__heading(out, style, "To check the estimate");
        ridge__verify(out, result);
    }
}
