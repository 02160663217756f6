/* Collectives and transfers in words: algbw first, what busbw is, which link binds. */
#include "report/comm.h"

#include "op/op.h"
#include "report/page.h"

#include <stdio.h>

/* ---- Rates ------------------------------------------------------------------------- */

/* What nccl-tests multiplies algbw with, as a formula. */
static const char *factor_formula(const ridge_op *op)
{
    switch (op->comm) {
    case RIDGE_COMM_ALL_REDUCE:
        return " = 2(n-1)/n";
    case RIDGE_COMM_ALL_GATHER:
    case RIDGE_COMM_REDUCE_SCATTER:
    case RIDGE_COMM_ALLTOALL:
    case RIDGE_COMM_GATHER:
    case RIDGE_COMM_SCATTER:
        return " = (n-1)/n";
    default:
        return "";
    }
}

static void put_rates(ridge__str *out, const ridge_result *result)
{
    const ridge_exchange *x = result->exchange;
    const ridge_op *op = result->call->op;
    const char *by = ridge_known(result->estimate->expected_s) ? "expected" : "floor";
    if (!ridge_known(x->algbw_bytes_per_s))
        return;
    ridge__row_format(out, "algbw", "%s: %s in %s (%s)",
                      RIDGE__Q(x->algbw_bytes_per_s, RIDGE_UNIT_BYTES_PER_S),
                      RIDGE__Q(x->payload_bytes, RIDGE_UNIT_BYTES), RIDGE__S(x->time_s),
                      by);
    ridge__row_format(out, "busbw", "%s, algbw x %s%s%s",
                      RIDGE__Q(x->busbw_bytes_per_s, RIDGE_UNIT_BYTES_PER_S),
                      RIDGE__N(x->bus_factor), factor_formula(op),
                      op->comm < RIDGE_COMM_SEND && x->ranks > 2
                          ? ": what a ring's links would carry"
                          : "");
    if (x->over_wire && x->nodes > 1)
        ridge__row_format(out, "",
                          "above what the adapters of a node carry: a tree sends each "
                          "byte once, and busbw counts it %s times",
                          RIDGE__N(x->bus_factor));
    else if (x->over_wire)
        ridge__row(out, "",
                   "above what the link carries: the switch adds, so this is an "
                   "equivalent, not the speed of a wire");
}

static void put_measured(ridge__str *out, const ridge_result *result)
{
    const ridge_exchange *x = result->exchange;
    const ridge_measurement *m = result->measurement;
    double algbw, busbw;
    ridge_exchange_rates(x, m->time_s, &algbw, &busbw);
    ridge__row_format(out, "measured", "%s: algbw %s, busbw %s", RIDGE__S(m->time_s),
                      RIDGE__Q(algbw, RIDGE_UNIT_BYTES_PER_S),
                      RIDGE__Q(busbw, RIDGE_UNIT_BYTES_PER_S));
    if (m->count > 1)
        ridge__row_format(out, "", "the median of %zu from %s to %s", m->count,
                          RIDGE__S(m->min_s), RIDGE__S(m->max_s));
    if (ridge_known(m->of_expected))
        ridge__row_format(out, "",
                          "%s of what is reachable here (%s), %s of the floor's "
                          "rate",
                          RIDGE__PERCENT(m->of_expected),
                          RIDGE__S(result->estimate->expected_s),
                          RIDGE__PERCENT(m->of_roof));
    if (ridge_known(m->before_s))
        ridge__row_format(out, "before", "%s", RIDGE__S(m->before_s));
}

/* ---- Times, bytes, links ----------------------------------------------------------- */

static void put_bytes(ridge__str *out, const ridge_result *result)
{
    const ridge_exchange *x = result->exchange;
    const ridge_work *w = &result->estimate->work;
    if (ridge_known(x->bytes_per_rank))
        ridge__row_format(out, "size", "S = %s in total, %s per rank%s",
                          RIDGE__Q(x->bytes, RIDGE_UNIT_BYTES),
                          RIDGE__Q(x->bytes_per_rank, RIDGE_UNIT_BYTES),
                          result->call->op->comm == RIDGE_COMM_SEND ? ""
                          : x->bytes == x->bytes_per_rank ? ": each holds all of it"
                                                          : " (S/n)");
    if (w->wire_bytes > 0)
        ridge__row_format(out, "inside", "%s out of one part, %s one way over %s",
                          RIDGE__Q(w->wire_bytes, RIDGE_UNIT_BYTES),
                          RIDGE__Q(x->inside_bytes_per_s, RIDGE_UNIT_BYTES_PER_S),
                          x->inside ? x->inside : "an unknown link");
    if (w->network_bytes > 0)
        ridge__row_format(out, "network", "%s out of one part, %s one way over %s",
                          RIDGE__Q(w->network_bytes, RIDGE_UNIT_BYTES),
                          RIDGE__Q(x->network_bytes_per_s, RIDGE_UNIT_BYTES_PER_S),
                          x->network ? x->network : "an unknown network");
    if (x->nodes > 1)
        ridge__row_format(out, "ranks", "%s on %s nodes of up to %s", RIDGE__N(x->ranks),
                          RIDGE__N(x->nodes), RIDGE__N(x->ranks_per_node));
    else
        ridge__row_format(out, "ranks", "%s on one fabric", RIDGE__N(x->ranks));
}

static void put_times(ridge__str *out, const ridge_result *result)
{
    const ridge_estimate *e = result->estimate;
    const ridge_exchange *x = result->exchange;
    ridge__row_format(out, "floor", "%s, the longer of links %s and memory %s",
                      RIDGE__S(e->floor_s), RIDGE__S(e->communication_s),
                      RIDGE__S(e->memory_s));
    if (!ridge_known(e->expected_s)) {
        ridge__row(out, "expected", "?, no fitted constants for this machine");
        return;
    }
    ridge__row_format(out, "expected",
                      "%s, launch %s + body %s; 80 %% of runs within %s to %s",
                      RIDGE__S(e->expected_s), RIDGE__S(e->launch_s), RIDGE__S(e->body_s),
                      RIDGE__S(e->low_s), RIDGE__S(e->high_s));
    if (x->algorithm)
        ridge__row_format(out, "algorithm", "%s%s%s", x->algorithm,
                          x->protocol[0] ? ", protocol " : "", x->protocol);
}

static void put_gate(ridge__str *out, const ridge_gate *g)
{
    ridge__row_format(out, "within", "%s: %s, as it takes %s", RIDGE__S(g->within_s),
                      g->met ? "met" : "not met", RIDGE__S(g->time_s));
    if (ridge_known(g->fits_bytes) && g->fits_bytes > 0)
        ridge__row_format(out, "", "bytes up to %s would fit",
                          RIDGE__Q(g->fits_bytes, RIDGE_UNIT_BYTES));
    else if (ridge_known(g->fits_bytes))
        ridge__row(out, "", "no size would fit: starting alone takes longer");
    if (g->count_name && g->fits_count < 1)
        ridge__row_format(out, "", "no %s would fit at this size", g->count_name);
    else if (g->count_name)
        ridge__row_format(out, "", "%s up to %s would fit", g->count_name,
                          RIDGE__N(g->fits_count));
}

void ridge__comm_ways_text(ridge__str *out, const ridge_exchange *x,
                           const ridge_style *style)
{
    if (x->way_count == 0)
        return;
    ridge__heading(out, style, "Ways to do it; the time is beside the launch");
    ridge__str_format(out, "  %-10s %-8s %10s %10s %10s %10s\n", "algorithm", "protocol",
                      "steps", "inside", "network", "time");
    for (size_t i = 0; i < x->way_count; i++) {
        const ridge_exchange_way *w = &x->way[i];
        ridge__str_format(out, "  %-10s %-8s %10s %10s %10s %10s%s\n", w->algorithm,
                          w->protocol, RIDGE__S(w->hops_s), RIDGE__S(w->inside_s),
                          RIDGE__S(w->network_s), RIDGE__S(w->body_s),
                          i == x->chosen ? "  taken" : "");
    }
    ridge__str_text(out, "  ");
    ridge__wrap(out, 2, 2,
                "How the one taken is made stands below; algo= and proto= take another, "
                "and show how it is made.");
}

void ridge__comm_text(ridge__str *out, const ridge_result *result)
{
    if (result->measurement)
        put_measured(out, result);
    put_rates(out, result);
    put_times(out, result);
    put_bytes(out, result);
    if (result->gate)
        put_gate(out, result->gate);
}

/* One fabric: its formula, bytes, and time at the stated rate. */
static void put_link(ridge__str *out, const char *label, const char *formula,
                     double bytes, double rate)
{
    if (!(bytes > 0))
        return;
    ridge__row_format(out, label, "= %s = %s", formula ? formula : "bytes",
                      RIDGE__Q(bytes, RIDGE_UNIT_BYTES));
    ridge__row_format(out, "", "/ %s = %s", RIDGE__EXACT(rate), RIDGE__S(bytes / rate));
}

void ridge__comm_floor_text(ridge__str *out, const ridge_result *result)
{
    const ridge_exchange *x = result->exchange;
    const ridge_estimate *e = result->estimate;
    const ridge_op *op = result->call->op;
    if (op->comm >= RIDGE_COMM_MOE)
        ridge__row(out, "where",
                   "u, v: ranks and nodes that a token reaches on average; "
                   "s: bytes of an element as sent; n ranks on N nodes");
    else
        ridge__row_format(out, "where",
                          "S = %s bytes, n = %s ranks, r = %s of a node, "
                          "N = %s nodes",
                          RIDGE__EXACT(x->bytes), RIDGE__N(x->ranks),
                          RIDGE__N(x->ranks_per_node), RIDGE__N(x->nodes));
    put_link(out, "inside", op->wire_formula, e->work.wire_bytes, x->inside_bytes_per_s);
    put_link(out, "network", op->network_formula, e->work.network_bytes,
             x->network_bytes_per_s);
    ridge__row_format(out, "memory", "= D / B = %s / %s = %s",
                      RIDGE__EXACT(e->work.bytes), RIDGE__EXACT(e->bandwidth_bytes_per_s),
                      RIDGE__S(e->memory_s));
    ridge__row_format(out, "floor", "= the longest of them = %s", RIDGE__S(e->floor_s));
    ridge__row_format(out, "upper", "= links + memory = %s", RIDGE__S(e->upper_s));
}

/* ---- JSON and CSV ------------------------------------------------------------------ */

static void put_text(ridge__json *j, const char *key, const char *text)
{
    if (text)
        ridge__json_text(j, key, text);
    else
        ridge__json_null(j, key);
}

void ridge__comm_json(ridge__json *j, const ridge_result *result)
{
    const ridge_exchange *x = result->exchange;
    put_text(j, "algorithm", x->algorithm);
    put_text(j, "protocol", x->protocol);
    ridge__json_number(j, "algbw_bytes_per_s", x->algbw_bytes_per_s);
    ridge__json_number(j, "busbw_bytes_per_s", x->busbw_bytes_per_s);
    ridge__json_number(j, "bytes_on_wire", x->bytes_on_wire);
    ridge__json_number(j, "bus_factor", x->bus_factor);
    ridge__json_number(j, "total_bytes", x->bytes);
    ridge__json_number(j, "bytes_per_rank", x->bytes_per_rank);
    ridge__json_number(j, "wire_bytes", result->estimate->work.wire_bytes);
    ridge__json_number(j, "network_bytes", result->estimate->work.network_bytes);
    ridge__json_number(j, "nodes", x->nodes);
    ridge__json_number(j, "ranks_per_node", x->ranks_per_node);
    if (result->measurement) {
        double algbw, busbw;
        ridge_exchange_rates(x, result->measurement->time_s, &algbw, &busbw);
        ridge__json_number(j, "measured_algbw_bytes_per_s", algbw);
        ridge__json_number(j, "measured_busbw_bytes_per_s", busbw);
    }
    const ridge_gate *g = result->gate;
    if (g) {
        ridge__json_number(j, "within_s", g->within_s);
        ridge__json_bool(j, "met", g->met);
        ridge__json_number(j, "fits_bytes", g->fits_bytes);
        if (g->count_name) {
            char key[32];
            snprintf(key, sizeof key, "fits_%s", g->count_name);
            ridge__json_number(j, key, g->fits_count);
        }
    }
}

void ridge__comm_names(ridge__str *out)
{
    ridge__str_text(out, ",algorithm,protocol,algbw_bytes_per_s,busbw_bytes_per_s,"
                         "bytes_on_wire,total_bytes");
}

void ridge__comm_values(ridge__str *out, const ridge_exchange *x)
{
    const double values[] = {x->algbw_bytes_per_s, x->busbw_bytes_per_s, x->bytes_on_wire,
                             x->bytes};
    ridge__str_format(out, ",%s,%s", x->algorithm ? x->algorithm : "",
                      x->protocol ? x->protocol : "");
    for (size_t i = 0; i < RIDGE__COUNT(values); i++) {
        char digits[32];
        ridge__number_shortest(digits, values[i]);
        ridge__str_format(out, ",%s", digits);
    }
}
