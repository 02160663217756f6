/* An estimate of a collective or transfer in the terms of nccl-tests. */
#include "base/base.h"
#include "model/collective.h"

/* Shares agree to this; more on the wire than the wire carries is a sum made elsewhere. */
static const double ROUNDING = 1e-9;

bool ridge_op_communicates(const ridge_op *op)
{
    return op->comm != RIDGE_COMM_NONE;
}

/* The ways of the fit that the estimate rests on. */
static void find_ways(ridge_exchange *x, const ridge_estimate *e,
                      const ridge_machine *machine, const ridge_call *call)
{
    if (!e->basis || call->op->comm >= RIDGE_COMM_MOE || !(x->ranks > 1))
        return;
    ridge__form_input in = {machine, call, e->basis, false, NULL};
    ridge__ways ways;
    ridge__comm_ways(&ways, &e->work, &in);
    x->way_count = ways.count;
    x->chosen = ways.chosen;
    memcpy(x->way, ways.way, ways.count * sizeof *ways.way);
    if (ways.chosen < ways.count) {
        x->algorithm = ways.way[ways.chosen].algorithm;
        x->protocol = ways.way[ways.chosen].protocol;
    }
}

ridge_status ridge_exchange_find(ridge_exchange *out, const ridge_estimate *estimate,
                                 const ridge_machine *machine, const ridge_call *call,
                                 ridge_error *err)
{
    const ridge_estimate *e = estimate;
    if (call->op->comm == RIDGE_COMM_NONE)
        return ridge__error_set(err, RIDGE_INVALID,
                                "%s is no communication; all_reduce, send_recv, ... are",
                                call->op->name);
    ridge_call settled = *call;
    ridge__comm_settle(&settled, machine);
    ridge__route route = ridge__comm_route(machine, &settled);
    bool moe = call->op->comm >= RIDGE_COMM_MOE;
    ridge_exchange x = {
        .ranks = ridge__comm_ranks(&settled),
        .bytes = moe ? e->work.wire_bytes + e->work.network_bytes
                     : settled.arg[RIDGE_COMM_BYTES],
        .bytes_per_rank = moe ? RIDGE_UNKNOWN : settled.arg[RIDGE_COMM_BYTES_PER_RANK],
        .bytes_on_wire = e->work.wire_bytes + e->work.network_bytes,
        .inside_bytes_per_s = route.inside.value,
        .network_bytes_per_s = route.network.value,
        .bus_factor = ridge__comm_bus_factor(&settled),
        .inside = route.inside_name,
        .network = route.network_name,
        .assumed = machine->system_assumed,
    };
    x.nodes = ridge__comm_nodes(&settled, &x.ranks_per_node);
    x.time_s = ridge_known(e->expected_s) ? e->expected_s : e->floor_s;
    x.payload_bytes = call->op->comm == RIDGE_COMM_SEND ? x.bytes_on_wire : x.bytes;
    x.algbw_bytes_per_s = x.busbw_bytes_per_s = RIDGE_UNKNOWN;
    if (x.time_s > 0)
        ridge_exchange_rates(&x, x.time_s, &x.algbw_bytes_per_s, &x.busbw_bytes_per_s);
    find_ways(&x, e, machine, &settled);
    double carries = route.inside.value;
    if (x.nodes > 1)
        carries = route.network.value * route.rails;
    x.over_wire = x.busbw_bytes_per_s > carries * (1 + ROUNDING);
    *out = x;
    return RIDGE_OK;
}

void ridge_exchange_rates(const ridge_exchange *exchange, double time_s,
                          double *algbw_bytes_per_s, double *busbw_bytes_per_s)
{
    double rate = exchange->payload_bytes / time_s;
    *algbw_bytes_per_s = rate;
    *busbw_bytes_per_s = rate * exchange->bus_factor;
}

/* ---- A time to keep ---------------------------------------------------------------- */

/* What counts against the gate; unknown where nothing is known. */
static double gate_time(const ridge_machine *machine, const ridge_call *call)
{
    ridge_estimate e;
    if (ridge_estimate_call(&e, machine, call, NULL))
        return RIDGE_UNKNOWN;
    return ridge_known(e.expected_s) ? e.expected_s : e.floor_s;
}

/*
 * The largest value of an argument that keeps the time: times grow with it.  Whole numbers
 * where `step` is 1; else to a part in 2^40.
 */
static double largest_within(const ridge_machine *machine, const ridge_call *call,
                             size_t param, double step, double within_s)
{
    enum {
        HALVINGS = 60
    };
    ridge_call probe = *call;
    double low = 0, high = step;
    probe.arg[param] = high;
    while (gate_time(machine, &probe) <= within_s && high < 1e15) {
        low = high;
        high *= 2;
        probe.arg[param] = high;
    }
    for (int i = 0; i < HALVINGS && high - low > step; i++) {
        double middle = low + (high - low) / 2;
        if (step == 1)
            middle = floor(middle);
        probe.arg[param] = middle;
        if (gate_time(machine, &probe) <= within_s)
            low = middle;
        else
            high = middle;
    }
    return low;
}

ridge_status ridge_gate_find(ridge_gate *out, const ridge_machine *machine,
                             const ridge_call *call, double within_s, ridge_error *err)
{
    bool send = call->op->comm == RIDGE_COMM_SEND;
    ridge_gate gate = {.within_s = within_s,
                       .time_s = gate_time(machine, call),
                       .fits_bytes = RIDGE_UNKNOWN,
                       .fits_count = RIDGE_UNKNOWN};
    if (call->op->comm == RIDGE_COMM_NONE)
        return ridge__error_set(err, RIDGE_INVALID, "%s is no communication",
                                call->op->name);
    if (!ridge_known(gate.time_s))
        return ridge__error_set(err, RIDGE_NODATA,
                                "neither an expected time nor a floor is known to hold "
                                "against it");
    gate.met = gate.time_s <= within_s;
    if (call->op->comm < RIDGE_COMM_MOE)
        gate.fits_bytes = largest_within(machine, call, RIDGE_COMM_BYTES, 1, within_s);
    if (send) {
        gate.count_name = call->op->params[RIDGE_COMM_MESSAGES].name;
        gate.fits_count = largest_within(machine, call, RIDGE_COMM_MESSAGES, 1, within_s);
    }
    *out = gate;
    return RIDGE_OK;
}
