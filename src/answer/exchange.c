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
    double moved = call->op->comm == RIDGE_COMM_SEND ? x.bytes_on_wire : x.bytes;
    x.algbw_bytes_per_s = x.time_s > 0 ? moved / x.time_s : RIDGE_UNKNOWN;
    x.busbw_bytes_per_s = x.algbw_bytes_per_s * x.bus_factor;
    find_ways(&x, e, machine, &settled);
    double carries = x.nodes > 1 ? route.network.value * route.rails : route.inside.value;
    x.over_wire = x.busbw_bytes_per_s > carries * (1 + ROUNDING);
    *out = x;
    return RIDGE_OK;
}
