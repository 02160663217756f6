/* How the way taken of a collective comes to its time, row by row: what --explain shows. */
#include "base/base.h"
#include "model/collective_ways.h"
#include "model/nccl.h"

typedef ridge__exchange exchange;
enum {
    LL = RIDGE__NCCL_LL,
    LL128 = RIDGE__NCCL_LL128,
    SIMPLE = RIDGE__NCCL_SIMPLE,
    PROTOCOLS = RIDGE__NCCL_PROTOCOLS
};
#define C(name, absent) ridge__exchange_constant(x, RIDGE_COLLECTIVE_##name, absent)

static int protocol_of(const ridge_exchange_way *way)
{
    for (int p = 0; p < PROTOCOLS; p++)
        if (strcmp(way->protocol, ridge__exchange_protocols[p]) == 0)
            return p;
    return LL; /* a transfer has no name for it */
}

/* The constants that rows use, beside those that the fit always has, and S, n, L. */
static void show_exchange(ridge__working *w, const exchange *x)
{
    const struct {
        int index;
        const char *name, *clocked; /* at the part's clock, where that counts */
        double absent;
    } constants[] = {
        {RIDGE_COLLECTIVE_FIXED, "fixed", "{fixed}*{ticks}", 0},
        {RIDGE_COLLECTIVE_HOP_LL, "hop_ll", NULL, 0},
        {RIDGE_COLLECTIVE_SPREAD, "spread", "{spread}*{ticks}", 0},
        {RIDGE_COLLECTIVE_SPREAD_HOP, "spread_hop", NULL, 0},
        {RIDGE_COLLECTIVE_SPREAD_BYTES, "spread_bytes", NULL, 1},
        {RIDGE_COLLECTIVE_LL128_FIXED, "ll128_fixed", "{ll128_fixed}*{ticks}", 0},
        {RIDGE_COLLECTIVE_HOP_LL128, "hop_ll128", NULL, 0},
        {RIDGE_COLLECTIVE_LL128_SHARE, "ll128_share", NULL, 1},
        {RIDGE_COLLECTIVE_SIMPLE_FIXED, "simple_fixed", "{simple_fixed}*{ticks}", 0},
        {RIDGE_COLLECTIVE_HOP_SIMPLE, "hop_simple", NULL, 0},
        {RIDGE_COLLECTIVE_SIMPLE_SHARE, "simple_share", NULL, 1},
        {RIDGE_COLLECTIVE_NVLS_FIXED, "nvls_fixed", "{nvls_fixed}*{ticks}", 0},
        {RIDGE_COLLECTIVE_NVLS_SHARE, "nvls_share", NULL, 1},
        {RIDGE_COLLECTIVE_ONE_FIXED, "one_fixed", "{one_fixed}*{ticks}", 0},
        {RIDGE_COLLECTIVE_ONE_RANK, "one_rank", NULL, 0},
        {RIDGE_COLLECTIVE_ONE_SHARE, "one_share", NULL, 1},
        {RIDGE_COLLECTIVE_TWO_FIXED, "two_fixed", "{two_fixed}*{ticks}", 0},
        {RIDGE_COLLECTIVE_TWO_RANK, "two_rank", NULL, 0},
        {RIDGE_COLLECTIVE_TWO_SHARE, "two_share", NULL, 1},
    };
    double ticks = ridge__exchange_ticks(x->in);
    if (ticks != 1) {
        ridge__working_add(w, "clock", "of the part", x->in->machine->clock_vector_hz,
                           RIDGE_UNIT_HZ);
        ridge__working_add(w, "ticks", "{at_clock}/{clock}", ticks, RIDGE_UNIT_NONE);
    }
    for (size_t i = 0; i < RIDGE__COUNT(constants); i++) {
        double value =
            ridge__exchange_constant(x, constants[i].index, constants[i].absent);
        ridge__working_add(w, constants[i].name,
                           ticks != 1 && value > 0 ? constants[i].clocked : NULL, value,
                           RIDGE_UNIT_NONE);
    }
    ridge__working_add(w, "S", "the whole buffer", x->s, RIDGE_UNIT_BYTES);
    ridge__working_add(w, "n", "ranks", x->n, RIDGE_UNIT_COUNT);
    ridge__working_add(w, "L",
                       x->rate < x->stated ? "what the host leaves of a part's rate"
                                           : "out of one part, as stated",
                       x->rate, RIDGE_UNIT_BYTES_PER_S);
    if (x->nodes > 1) {
        ridge__working_add(w, "r", "ranks of a node", x->r, RIDGE_UNIT_COUNT);
        ridge__working_add(w, "N", "nodes", x->nodes, RIDGE_UNIT_COUNT);
        ridge__working_add(w, "adapter", "what a part's adapter reaches", x->network,
                           RIDGE_UNIT_BYTES_PER_S);
    }
}

/* The start and a step of a protocol, where steps are of two kinds. */
static void show_start(ridge__working *w, const exchange *x, int protocol)
{
    static const char *const starts[] = {
        [LL] = "{fixed} + {S}/({S} + {spread_bytes})*{spread}",
        [LL128] = "{fixed} + {ll128_fixed}",
        [SIMPLE] = "{fixed} + {simple_fixed}",
    };
    static const char *const hops[] = {
        [LL] = "{hop_ll} + {S}/({S} + {spread_bytes})*{spread_hop}",
        [LL128] = "{hop_ll128}",
        [SIMPLE] = "{hop_simple}",
    };
    double fixed, hop, net_hop;
    ridge__exchange_latency(x, protocol, &fixed, &hop, &net_hop);
    ridge__working_add(w, "start", starts[protocol], fixed, RIDGE_UNIT_S);
    ridge__working_add(w, "hop", hops[protocol], hop, RIDGE_UNIT_S);
}

static void show_net_hop(ridge__working *w, const exchange *x, int protocol)
{
    double fixed, hop, net_hop;
    ridge__exchange_latency(x, protocol, &fixed, &hop, &net_hop);
    if (x->nodes > 1)
        ridge__working_add(w, "net_hop", "a step between nodes", net_hop, RIDGE_UNIT_S);
}

/* The bytes that a node sends, by all its adapters. */
static void show_network(ridge__working *w, const exchange *x,
                         const ridge_exchange_way *way, int protocol, double sent)
{
    if (x->nodes <= 1)
        return;
    ridge__working_add(w, "rails", "adapters of a node", x->rails, RIDGE_UNIT_COUNT);
    ridge__working_add(w, "coded", "with the protocol's flags",
                       ridge__exchange_coded(protocol), RIDGE_UNIT_NONE);
    ridge__working_add(w, "sent", "bytes that cross the network", sent, RIDGE_UNIT_BYTES);
    ridge__working_add(w, "network", "{coded}*{sent}/({rails}*{adapter})", way->network_s,
                       RIDGE_UNIT_S);
}

/* Ring or tree by a protocol: the bytes of a node's fabric. */
static void show_fabric(ridge__working *w, const exchange *x,
                        const ridge_exchange_way *way, int protocol)
{
    static const char *const inside[] = {
        [LL] = "{filled}/({L}*{ll_share}) + {own}",
        [LL128] = "{cost}*{filled}/({L}*{ll128_share}) + {own}",
        [SIMPLE] = "{cost}*{filled}/({L}*{simple_share}) + {own}",
    };
    bool tree = strcmp(way->algorithm, "tree") == 0 && x->nodes > 1;
    double bytes = tree ? x->s * 2 * (x->r - 1) / x->r : x->moved;
    double warm = protocol == SIMPLE ? C(WARM_BYTES, 0) : 0;
    bool limited = protocol != LL || ridge_known(C(LL_SHARE, RIDGE_UNKNOWN));
    if (tree)
        ridge__working_add(w, "w", "2*{S}*({r} - 1)/{r}", bytes, RIDGE_UNIT_BYTES);
    else
        ridge__working_add(w, "w", "bytes that one of its links carries", bytes,
                           RIDGE_UNIT_BYTES);
    ridge__working_add(w, "warm_bytes", NULL, warm, RIDGE_UNIT_BYTES);
    ridge__working_add(w, "filled",
                       warm > 0 ? "{w} + {warm_bytes}*{w}/({w} + {warm_bytes})" : "{w}",
                       ridge__exchange_warmed(bytes, warm), RIDGE_UNIT_BYTES);
    ridge__working_add(w, "own", "copying the rank's own share", x->own, RIDGE_UNIT_S);
    ridge__working_add(w, "cost", NULL, x->integer && protocol != LL ? C(INTEGER, 1) : 1,
                       RIDGE_UNIT_NONE);
    if (x->pair && protocol == SIMPLE)
        ridge__working_add(w, "simple_share", "over a bridge",
                           C(PAIR_SHARE, C(SIMPLE_SHARE, 1)), RIDGE_UNIT_NONE);
    bool crossed = x->r > 1 && limited;
    ridge__working_add(w, "inside", crossed ? inside[protocol] : "{own}", way->inside_s,
                       RIDGE_UNIT_S);
}

static void show_protocol(ridge__working *w, const exchange *x,
                          const ridge_exchange_way *way)
{
    static const char *const hops[] = {
        [LL] = "{fixed} + {hops}*{hop_ll} + "
               "{S}/({S} + {spread_bytes})*({spread} + {hops}*{spread_hop})",
        [LL128] = "{fixed} + {ll128_fixed} + {hops}*{hop_ll128}",
        [SIMPLE] = "{fixed} + {simple_fixed} + {hops}*{hop_simple}",
    };
    int protocol = protocol_of(way);
    bool tree = strcmp(way->algorithm, "tree") == 0;
    double rounds = x->kind == RIDGE_COMM_ALL_REDUCE ? 2 : 1;
    show_fabric(w, x, way, protocol);
    if (x->nodes <= 1) {
        ridge__working_add(w, "hops", "steps of a ring", x->steps, RIDGE_UNIT_COUNT);
        ridge__working_add(w, "steps", hops[protocol], way->hops_s, RIDGE_UNIT_S);
        return;
    }
    show_start(w, x, protocol);
    show_net_hop(w, x, protocol);
    if (tree) {
        ridge__working_add(w, "levels", "of a tree of the nodes", ceil(log2(x->nodes)),
                           RIDGE_UNIT_COUNT);
        ridge__working_add(w, "steps",
                           "{start} + 2*(({r} - 1)*{hop} + {levels}*{net_hop})",
                           way->hops_s, RIDGE_UNIT_S);
    } else {
        ridge__working_add(w, "hops", "steps of a ring", x->steps, RIDGE_UNIT_COUNT);
        ridge__working_add(w, "between", "of them from node to node",
                           rounds * (x->nodes - 1), RIDGE_UNIT_COUNT);
        ridge__working_add(w, "steps",
                           "{start} + ({hops} - {between})*{hop} + {between}*{net_hop}",
                           way->hops_s, RIDGE_UNIT_S);
    }
    show_network(w, x, way, protocol,
                 tree ? x->s * 2 * (x->nodes - 1) / x->nodes : x->moved);
}

static void show_shots(ridge__working *w, const exchange *x,
                       const ridge_exchange_way *way, ridge__comm_algo algo)
{
    bool one = algo == RIDGE_ALGO_ONE_SHOT;
    ridge__working_add(w, "w", "bytes that a part takes in",
                       one ? (x->n - 1) * x->s : x->moved, RIDGE_UNIT_BYTES);
    ridge__working_add(
        w, "steps", one ? "{one_fixed} + {one_rank}*{n}" : "{two_fixed} + {two_rank}*{n}",
        way->hops_s, RIDGE_UNIT_S);
    ridge__working_add(w, "inside",
                       one ? "{w}/({L}*{one_share})" : "{w}/({L}*{two_share})",
                       way->inside_s, RIDGE_UNIT_S);
}

static void show_nvls(ridge__working *w, const exchange *x, const ridge_exchange_way *way)
{
    bool warm = C(NVLS_WARM, 0) > 0;
    const char *ranks = x->nodes > 1 ? "{S}*({r} + 1)/{r}" : "{S}*({n} + 1)/{n}";
    ridge__working_add(w, "within", ranks, x->s * (x->r + 1) / x->r, RIDGE_UNIT_BYTES);
    ridge__working_add(w, "inside",
                       warm
                           ? "({within} + {nvls_warm}*{within}/({within} + {nvls_warm}))/"
                             "({L}*{nvls_share})"
                           : "{within}/({L}*{nvls_share})",
                       way->inside_s, RIDGE_UNIT_S);
    if (x->nodes <= 1) {
        ridge__working_add(w, "steps", "{nvls_fixed}", way->hops_s, RIDGE_UNIT_S);
        return;
    }
    show_net_hop(w, x, SIMPLE);
    ridge__working_add(w, "levels", "of a tree of the nodes", ceil(log2(x->nodes)),
                       RIDGE_UNIT_COUNT);
    ridge__working_add(w, "steps", "{nvls_fixed} + 2*{levels}*{net_hop}", way->hops_s,
                       RIDGE_UNIT_S);
    show_network(w, x, way, SIMPLE, x->s * 2 * (x->nodes - 1) / x->nodes);
}

/* Every rank to every other at once. */
static void show_direct(ridge__working *w, const exchange *x,
                        const ridge_exchange_way *way)
{
    int protocol = protocol_of(way);
    bool root = x->kind != RIDGE_COMM_ALLTOALL, far = x->nodes > 1;
    double near = (root ? x->n - 1 : x->r - 1) / x->n, warm = C(WARM_BYTES, 0);
    ridge__working_add(w, "part", "{S}/{n}", x->s / x->n, RIDGE_UNIT_BYTES);
    show_net_hop(w, x, protocol);
    static const char *const steps[2][2] = {
        {"{fixed} + {hop_ll}*({n} - 1)", "{fixed} + {hop_ll}*({n} - 1) + {simple_fixed}"},
        {"{fixed} + {hop_ll}*({n} - 1) + {net_hop}",
         "{fixed} + {hop_ll}*({n} - 1) + {simple_fixed} + {net_hop}"}};
    ridge__working_add(w, "steps", steps[far][protocol == SIMPLE], way->hops_s,
                       RIDGE_UNIT_S);
    if (x->r <= 1) {
        ridge__working_add(w, "inside", NULL, way->inside_s, RIDGE_UNIT_S);
    } else if (protocol == LL) {
        bool limited = ridge_known(C(LL_SHARE, RIDGE_UNKNOWN));
        ridge__working_add(w, "inside", limited ? "{part}/({L}*{ll_share})" : NULL,
                           way->inside_s, RIDGE_UNIT_S);
    } else {
        ridge__working_add(w, "w", "bytes within a node", x->s * near, RIDGE_UNIT_BYTES);
        ridge__working_add(
            w, "filled", warm > 0 ? "{w} + {warm_bytes}*{w}/({w} + {warm_bytes})" : "{w}",
            ridge__exchange_warmed(x->s * near, warm), RIDGE_UNIT_BYTES);
        ridge__working_add(w, "own", "copying the rank's own share", x->own,
                           RIDGE_UNIT_S);
        ridge__working_add(w, "inside", "{filled}/({L}*{simple_share}) + {own}",
                           way->inside_s, RIDGE_UNIT_S);
    }
    if (!far)
        return;
    ridge__working_add(w, "far", "bytes to other nodes, of an adapter",
                       (x->n - x->r) / x->n * x->s / (root ? x->rails : 1),
                       RIDGE_UNIT_BYTES);
    ridge__working_add(w, "network", "{far}/{adapter}", way->network_s, RIDGE_UNIT_S);
}

/* One link after another, in pieces. */
static void show_send(ridge__working *w, const exchange *x, const ridge_exchange_way *way)
{
    const double *a = x->in->call->arg;
    bool far = x->nodes > 1;
    double share = ridge__exchange_send_share(x);
    double rate = far ? x->network : x->rate * share;
    show_start(w, x, LL);
    show_net_hop(w, x, LL);
    ridge__working_add(w, "stages", "links, one after another", a[RIDGE_COMM_STAGES],
                       RIDGE_UNIT_COUNT);
    ridge__working_add(
        w, "steps", far ? "{stages}*({start} + {net_hop})" : "{stages}*({start} + {hop})",
        way->hops_s, RIDGE_UNIT_S);
    ridge__working_add(w, "bytes", "that arrive at one part", x->bytes, RIDGE_UNIT_BYTES);
    if (!far)
        ridge__working_add(w, "share", "of the link, that one transfer reaches", share,
                           RIDGE_UNIT_NONE);
    ridge__working_add(w, "rate", far ? "{adapter}" : "{L}*{share}", rate,
                       RIDGE_UNIT_BYTES_PER_S);
    ridge__working_add(w, "chunks", "pieces", a[RIDGE_COMM_CHUNKS], RIDGE_UNIT_COUNT);
    ridge__working_add(w, "work", "beside each piece", a[RIDGE_COMM_STEP], RIDGE_UNIT_S);
    ridge__working_add(w, "piece", "{bytes}/{rate}/{chunks}",
                       x->bytes / rate / a[RIDGE_COMM_CHUNKS], RIDGE_UNIT_S);
    ridge__working_add(w, far ? "network" : "inside",
                       "{stages}*{piece} + {work} + ({chunks} - 1)*max({piece}, {work})",
                       far ? way->network_s : way->inside_s, RIDGE_UNIT_S);
    if (far)
        ridge__working_add(w, "inside", NULL, way->inside_s, RIDGE_UNIT_S);
}

void ridge__exchange_show(ridge__working *w, const ridge__exchange *x,
                          const ridge__ways *ways)
{
    const ridge_exchange_way *way = &ways->way[ways->chosen];
    show_exchange(w, x);
    switch (ways->algo[ways->chosen]) {
    case RIDGE_ALGO_NVLS:
        show_nvls(w, x, way);
        return;
    case RIDGE_ALGO_ONE_SHOT:
    case RIDGE_ALGO_TWO_SHOT:
        show_shots(w, x, way, ways->algo[ways->chosen]);
        return;
    case RIDGE_ALGO_DIRECT:
        (x->kind == RIDGE_COMM_SEND ? show_send : show_direct)(w, x, way);
        return;
    default:
        show_protocol(w, x, way);
    }
}
