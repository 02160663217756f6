/* --explain: each formula with its numbers, and where every figure comes from. */
#include "machine/machine.h"
#include "model/model.h"
#include "op/op.h"
#include "report/comm.h"
#include "report/page.h"

#include <stdio.h>

/* ---- Formulas -------------------------------------------------------------------- */

/* "2*{m}*{n}*{k}" with the numbers of the call. */
static void substitute(ridge__str *out, const char *formula, const ridge_result *result)
{
    const char *p = formula;
    while (*p) {
        const char *end = *p == '{' ? strchr(p, '}') : NULL;
        if (end) {
            double value = ridge__op_formula_value(result->call, &result->estimate->work,
                                                   p + 1, (size_t)(end - p - 1));
            ridge__str_text(out, RIDGE__EXACT(value));
            p = end + 1;
        } else {
            ridge__str_add(out, p++, 1);
        }
    }
}

/* The formula with names, the same with numbers, and its value. */
static void put_formula(ridge__str *out, const char *label, const char *formula,
                        double value, ridge_unit unit, const ridge_result *result)
{
    ridge__str names, text;
    if (!formula)
        return;
    ridge__str_init(&names, 0, NULL);
    ridge__str_init(&text, 0, NULL);
    for (const char *p = formula; *p; p++)
        if (*p != '{' && *p != '}')
            ridge__str_add(&names, p, 1);
    substitute(&text, formula, result);
    bool trivial = strcmp(ridge__str_data(&names), "flop") == 0 ||
                   strcmp(ridge__str_data(&names), "bytes") == 0;
    if (!trivial) { /* custom: the user gave the number itself */
        ridge__row_format(out, label, "= %s", ridge__str_data(&names));
        ridge__row_format(out, "", "= %s", ridge__str_data(&text));
    }
    ridge__row_format(out, trivial ? label : "", "= %s = %s", RIDGE__EXACT(value),
                      RIDGE__Q(value, unit));
    out->failed = out->failed || names.failed || text.failed;
    ridge__str_clear(&names);
    ridge__str_clear(&text);
}

static void put_source(ridge__str *out, const ridge_op *op)
{
    if (op->source && op->source[0])
        ridge__row_format(out, "counts", "%s", op->source);
    if (op->not_counted && op->not_counted[0])
        ridge__row_format(out, "not counted", "%s", op->not_counted);
}

static void put_floor(ridge__str *out, const ridge_result *result,
                      const ridge_style *style)
{
    const ridge_estimate *e = result->estimate;
    const ridge_op *op = result->call->op;
    ridge__heading(out, style, "How the floor is made");
    if (result->exchange) {
        ridge__comm_floor_text(out, result);
        put_formula(out, "D", op->bytes_formula, e->work.bytes, RIDGE_UNIT_BYTES, result);
        put_source(out, op);
        return;
    }
    put_formula(out, "F", ridge__call_flop_formula(result->call), e->work.flop,
                RIDGE_UNIT_FLOP, result);
    put_formula(out, "D", op->bytes_formula, e->work.bytes, RIDGE_UNIT_BYTES, result);
    const char *f = RIDGE__EXACT(e->work.flop), *d = RIDGE__EXACT(e->work.bytes);
    const char *p = RIDGE__EXACT(e->peak_flop_per_s);
    const char *b = RIDGE__EXACT(e->bandwidth_bytes_per_s);
    ridge__row_format(out, "intensity", "= F / D = %s / %s = %s", f, d,
                      RIDGE__Q(e->intensity, RIDGE_UNIT_FLOP_PER_BYTE));
    ridge__row_format(out, "ridge", "= P / B = %s / %s = %s", p, b,
                      RIDGE__Q(e->ridge, RIDGE_UNIT_FLOP_PER_BYTE));
    ridge__row_format(out, "roof", "= min(P, B I) = %s",
                      RIDGE__Q(e->ceiling_flop_per_s, RIDGE_UNIT_FLOP_PER_S));
    const bool fewer = ridge_known(e->work.least_bytes);
    const char *least = fewer ? " least" : "";
    f = RIDGE__EXACT(fewer ? e->work.least_flop : e->work.flop);
    d = RIDGE__EXACT(fewer ? e->work.least_bytes : e->work.bytes);
    if (fewer)
        ridge__row_format(out, "least",
                          "F least = %s, D least = %s: what no run can do "
                          "with less",
                          f, d);
    ridge__row_format(out, "compute", "= F%s / P = %s / %s = %s", least, f, p,
                      RIDGE__S(e->compute_s));
    if (ridge__floor_kept(e, result->machine, result->call))
        ridge__row_format(
            out, "memory",
            "= max(D%s / B L2, (D%s - L2 size) / B) = max(%s / %s, (%s - %s) "
            "/ %s) = %s, where L2 holds what is next to this call",
            least, least, d, RIDGE__EXACT(result->machine->l2.value), d,
            RIDGE__EXACT(result->machine->l2_capacity.value), b, RIDGE__S(e->memory_s));
    else
        ridge__row_format(out, "memory", "= D%s / B = %s / %s = %s", least, d, b,
                          RIDGE__S(e->memory_s));
    ridge__row_format(out, "floor", "= max(compute, memory) = %s", RIDGE__S(e->floor_s));
    ridge__row_format(out, "upper", "= compute + memory = %s", RIDGE__S(e->upper_s));
    put_source(out, op);
}

/* A time that another call has, by the command that gives it. */
static void put_call(ridge__str *out, const ridge_result *result,
                     const ridge__working_row *row)
{
    const ridge_call *call = row->call;
    ridge__str text;
    ridge__str_init(&text, 0, NULL);
    ridge__str_format(&text, "= ridge kernel %s ", call->op->name);
    ridge__call_words(&text, call);
    if (call->backend != RIDGE_BACKEND_BEST)
        ridge__str_format(&text, " --backend %s",
                          ridge_backend_name((ridge_backend)call->backend));
    if (call->timing != RIDGE_TIMING_GRAPH)
        ridge__str_format(&text, " --timing %s",
                          ridge_timing_name((ridge_timing)call->timing));
    ridge__str_format(&text, " --gpu %s%s", ridge_machine_id(result->machine),
                      result->machine->warm ? " --warm" : "");
    ridge__row(out, row->name, ridge__str_data(&text));
    ridge__row_format(out, "", "= %s expected", RIDGE__S(row->value));
    out->failed = out->failed || text.failed;
    ridge__str_clear(&text);
}

/* Row i: its formula with names, the same with numbers, and its value. */
static void put_row(ridge__str *out, const ridge_result *result,
                    const ridge__working *working, size_t i)
{
    const ridge__working_row *row = &working->row[i];
    if (row->call) {
        put_call(out, result, row);
        return;
    }
    /* A count or a ratio is used again below: all its digits. */
    bool plain = row->unit == RIDGE_UNIT_COUNT || row->unit == RIDGE_UNIT_NONE;
    const char *value =
        plain ? RIDGE__EXACT(row->value) : RIDGE__Q(row->value, row->unit);
    if (!strchr(row->formula, '{')) {
        ridge__row_format(out, row->name, "= %s, %s", value, row->formula);
        return;
    }
    ridge__str names, numbers;
    ridge__str_init(&names, 0, NULL);
    ridge__str_init(&numbers, 0, NULL);
    for (const char *p = row->formula; *p; p++) {
        if (*p != '{') {
            ridge__str_add(&names, p, 1);
            ridge__str_add(&numbers, p, 1);
            continue;
        }
        size_t size = strcspn(++p, "}");
        ridge__str_add(&names, p, size);
        double number =
            ridge__working_value(working, i, result->estimate, result->call, p, size);
        ridge__str_text(&numbers, RIDGE__EXACT(number));
        p += size;
    }
    ridge__row_format(out, row->name, "= %s", ridge__str_data(&names));
    ridge__row_format(out, "", "= %s", ridge__str_data(&numbers));
    ridge__row_format(out, "", "= %s", value);
    out->failed = out->failed || names.failed || numbers.failed;
    ridge__str_clear(&names);
    ridge__str_clear(&numbers);
}

static void put_expected(ridge__str *out, const ridge_result *result,
                         const ridge_style *style)
{
    const ridge_estimate *e = result->estimate;
    ridge__working working;
    if (!e->basis)
        return;
    ridge__heading(out, style, "How the expected time is made");
    ridge__estimate_working(&working, e, result->machine, result->call);
    double body_s = 0;
    for (size_t i = 0; i < working.count; i++) {
        if (working.row[i].formula || working.row[i].call)
            put_row(out, result, &working, i);
        body_s = working.row[i].value; /* the body is the last */
    }
    if (body_s < e->body_s)
        ridge__row_format(out, "", "raised to the floor, which no run beats: %s",
                          RIDGE__S(e->body_s));
    ridge__row_format(out, "expected", "= launch + body = %s + %s = %s",
                      RIDGE__S(e->launch_s), RIDGE__S(e->body_s),
                      RIDGE__S(e->expected_s));
}

/* ---- Figures --------------------------------------------------------------------- */

static const char *const origins[] = {
    [RIDGE_STATED] = "stated",     [RIDGE_DEVICE] = "read from the device",
    [RIDGE_MEASURED] = "measured", [RIDGE_DERIVED] = "derived",
    [RIDGE_GIVEN] = "given",
};

static void put_fact(ridge__str *out, const char *label, ridge_fact fact, ridge_unit unit,
                     const char *what)
{
    if (!ridge_known(fact.value))
        return;
    ridge__row_format(out, label, "%s%s%s", RIDGE__Q(fact.value, unit),
                      what[0] ? ", " : "", what);
    char grade[24] = "";
    if (fact.confidence != '?' && fact.confidence)
        snprintf(grade, sizeof grade, ", confidence %c", fact.confidence);
    const char *origin =
        (size_t)fact.origin < RIDGE__COUNT(origins) ? origins[fact.origin] : "?";
    bool given = fact.origin == RIDGE_GIVEN || !fact.source || !fact.source[0];
    ridge__row_format(out, "", "%s%s%s%s", origin, grade, given ? "" : ": ",
                      given ? "" : fact.source);
}

/* Some peak of this value: for work without a dtype all peaks are equal. */
static ridge_fact any_peak(const ridge_machine *m, double value)
{
    for (size_t i = 0; i < RIDGE_DTYPE_COUNT; i++)
        for (size_t p = 0; p < RIDGE_PIPE_COUNT; p++)
            if (m->peak[i][p].value == value)
                return m->peak[i][p];
    return ridge__fact_unknown();
}

static void put_peak(ridge__str *out, const ridge_estimate *e, const ridge_machine *m)
{
    char what[96];
    ridge_pipe used = e->pipe;
    if (e->work.dtype >= RIDGE_DTYPE_COUNT) {
        put_fact(out, "P", any_peak(m, e->peak_flop_per_s), RIDGE_UNIT_FLOP_PER_S,
                 "dense, the same for every dtype");
        return;
    }
    ridge_dtype math = ridge__dtype((ridge_dtype)e->work.dtype)->math;
    ridge_fact peak = ridge__machine_peak(m, math, (ridge_pipe)e->work.pipe,
                                          (ridge_dtype)e->work.accumulator, &used);
    bool piped = used < RIDGE_PIPE_COUNT;
    const char *name = ridge__peak_name((char[48]){0}, 48, e, m);
    ridge__machine_stand_in(m, &math, &used);
    double clock = piped ? m->peak_clock_hz[math][used] : RIDGE_UNKNOWN;
    snprintf(what, sizeof what, "%s, dense%s%s", name, ridge_known(clock) ? ", at " : "",
             ridge_known(clock) ? RIDGE__Q(clock, RIDGE_UNIT_HZ) : "");
    put_fact(out, "P", peak, RIDGE_UNIT_FLOP_PER_S, what);
}

/* Products whose clock the board's power limits, as src/model/tile.c finds it. */
static bool uses_board(const ridge_estimate *e, const ridge_machine *m)
{
    static const int limits[] = {RIDGE_TILE_AT_WATTS, RIDGE_TILE_LIMIT_CLOCK,
                                 RIDGE_TILE_FLOP_PER_J};
    if (!e->basis || e->basis->form != RIDGE_FIT_TILE || !m->device)
        return false;
    for (size_t i = 0; i < RIDGE__COUNT(limits); i++)
        if (ridge_known(e->basis->c[limits[i]]))
            return true;
    return false;
}

static void put_figures(ridge__str *out, const ridge_result *result,
                        const ridge_style *style)
{
    const ridge_estimate *e = result->estimate;
    const ridge_machine *m = result->machine;
    ridge__heading(out, style, "Figures used, and where they come from");
    if (e->work.flop > 0)
        put_peak(out, e, m);
    /* B is the bandwidth of the level that serves the call: L2 of a warm small one. */
    bool from_l2 = m->warm && e->bandwidth_bytes_per_s == m->l2.value;
    put_fact(out, from_l2 ? "DRAM" : "B", m->dram, RIDGE_UNIT_BYTES_PER_S,
             from_l2 ? "not used" : "DRAM");
    put_fact(out, from_l2 ? "B" : "L2", m->l2, RIDGE_UNIT_BYTES_PER_S,
             from_l2 ? "L2" : "");
    put_fact(out, "L2 size", m->l2_capacity, RIDGE_UNIT_BYTES, "");
    put_fact(out, "capacity", m->dram_capacity, RIDGE_UNIT_BYTES, "DRAM");
    if (e->plan.occupancy.asked && m->atom[RIDGE_ATOM_DRAM].row) {
        ridge_fact latency = m->atom[RIDGE_ATOM_DRAM].row->figure;
        latency.value = e->plan.occupancy.latency_s;
        put_fact(out, "latency", latency, RIDGE_UNIT_S, "DRAM");
    }
    if (e->work.wire_bytes > 0)
        put_fact(out, "inside", m->inside.bandwidth, RIDGE_UNIT_BYTES_PER_S,
                 "out of one part, one way");
    if (e->work.network_bytes > 0)
        put_fact(out, "network", m->between.bandwidth, RIDGE_UNIT_BYTES_PER_S,
                 "out of one part, one way");
    if (uses_board(e, m))
        put_fact(out, "board", m->device->tdp_w, RIDGE_UNIT_W, "that it may draw");
    if (e->basis) {
        put_fact(out, "units", m->units, RIDGE_UNIT_COUNT,
                 m->device && m->device->unit_name ? m->device->unit_name : "");
        ridge__row_format(out, "clock", "%s matrix, %s vector, for per-cycle constants",
                          RIDGE__Q(m->clock_matrix_hz, RIDGE_UNIT_HZ),
                          RIDGE__Q(m->clock_vector_hz, RIDGE_UNIT_HZ));
    }
}

/* The calls that the entry is for, where the library has several kernels. */
static void put_when(ridge__str *out, const ridge_fit *fit)
{
    ridge__str text;
    ridge__str_init(&text, 0, NULL);
    for (size_t i = 0; i < fit->when_count; i++) {
        ridge__str_text(&text, i ? "; or " : "");
        ridge__fit_when_write(&text, &fit->when[i]);
    }
    if (fit->when_count > 0)
        ridge__row(out, "taken where", ridge__str_data(&text));
    ridge__str_clear(&text);
}

/* How the interval is made: the bands, and what is between them. */
static void put_spread(ridge__str *out, const ridge_estimate *e)
{
    const ridge_fit *fit = e->basis;
    double low, high;
    ridge__fit_spread(fit, e->expected_s, &low, &high);
    ridge__row_format(out, "spread", "80 %% of measured / expected within %s to %s%s",
                      RIDGE__N(low), RIDGE__N(high),
                      fit->unseen ? ", on parts that were left out" : "");
    if (fit->band_count == 0)
        return;
    ridge__str bands;
    ridge__str_init(&bands, 0, NULL);
    for (size_t i = 0; i < fit->band_count; i++)
        ridge__str_format(&bands, "%s%s to %s at %s", i ? ", " : "",
                          RIDGE__N(fit->band[i].low), RIDGE__N(fit->band[i].high),
                          RIDGE__S(fit->band[i].at_s));
    ridge__row_format(out, "", "from bands by the logarithm of the expected time: %s",
                      ridge__str_data(&bands));
    ridge__str_clear(&bands);
}

static void put_fit(ridge__str *out, const ridge_estimate *e, const ridge_style *style)
{
    const ridge_fit *fit = e->basis;
    if (!fit)
        return;
    char basis[96];
    size_t count = 0;
    const ridge__constant *schema = ridge__fit_schema(fit->form, &count);
    ridge_estimate_basis(e, basis, sizeof basis);
    ridge__heading(out, style, "Constants of the time model");
    ridge__row_format(out, "basis", "%s%s%s", basis, fit->date ? ", " : "",
                      fit->date ? fit->date : "");
    if (fit->kernels)
        ridge__row(out, "kernel", fit->kernels);
    put_when(out, fit);
    if (fit->from)
        ridge__row(out, "from", fit->from);
    put_spread(out, e);
    for (size_t i = 0; i < count && i < RIDGE_FIT_CONSTANTS; i++) {
        if (!ridge_known(fit->c[i]))
            continue;
        ridge__str_format(out, "  %-16s %12s  ", schema[i].name,
                          RIDGE__Q(fit->c[i], schema[i].unit));
        ridge__wrap(out, 32, 32, schema[i].meaning);
    }
}

void ridge__explain(ridge__str *out, const ridge_result *result, const ridge_style *style)
{
    put_floor(out, result, style);
    put_expected(out, result, style);
    put_figures(out, result, style);
    put_fit(out, result->estimate, style);
}
