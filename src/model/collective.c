/*
 * Collectives and transfers: rings, trees, in-switch reduction, one-shot and two-shot
 * kernels, over one fabric or over nodes.  docs/model/collective.md has the formulas, their
 * sources and worked numbers.
 */
#include "model/collective.h"
#include "base/base.h"
#include "model/collective_ways.h"
#include "model/nccl.h"

/* Largest part of an all-to-all that NCCL sends by LL (NCCL_P2P_LL_THRESHOLD). */
static const double LL_PART = 16384;
/* Bytes of a sender that may wait in NCCL's buffers when its kernel ends: two channels of
 * NCCL_BUFFSIZE. */
static const double POSTED = 2 * 4194304.0;
/* Ranks on one fabric up to which anybody published times, and NCCL's choice is known. */
static const double MEASURED_RANKS = 8;
/* nccl-tests' rings and trees use these protocols; NCCL's names. */
const char *const ridge__exchange_protocols[] = {"LL", "LL128", "Simple"};
#define protocols ridge__exchange_protocols
enum {
    LL = RIDGE__NCCL_LL,
    LL128 = RIDGE__NCCL_LL128,
    SIMPLE = RIDGE__NCCL_SIMPLE,
    PROTOCOLS = RIDGE__NCCL_PROTOCOLS
};

/* ---- Links ------------------------------------------------------------------------- */

/* Parts that share adapters use whole ones, packed: one of a pair has their adapter alone. */
static double adapters_share(const ridge_machine *machine, double ranks)
{
    double each = machine->system ? machine->system->nics_per_gpu : RIDGE_UNKNOWN;
    return each < 1 ? ceil(ranks * each) / (ranks * each) : 1;
}

ridge__route ridge__comm_route(const ridge_machine *machine, const ridge_call *call)
{
    const ridge__fabric *in = &machine->inside, *out = &machine->between;
    double r;
    ridge__comm_nodes(call, &r);
    bool moe = call->op->comm >= RIDGE_COMM_MOE;
    ridge__route route = {in->bandwidth, out->bandwidth, in->name, out->name, 0};
    route.network.value *= adapters_share(machine, r);
    if (in->name && in->topology == RIDGE__PAIRS) { /* what is beyond the pair */
        route.network = in->beyond;
        route.network_name = "the host's bus";
        route.rails = 1;
    }
    if (in->name && in->topology == RIDGE__MESH && ridge_known(in->per_peer.value))
        route.inside.value =
            ridge__min(in->bandwidth.value, ridge__max(1, r - 1) * in->per_peer.value);
    if (!moe && call->arg[RIDGE_COMM_OVER] == RIDGE_OVER_PCIE) {
        route.inside = ridge__fact_unknown();
        route.inside_name = "PCIe";
        for (size_t i = 0; machine->device && i < machine->device->link_count; i++)
            if (strncmp(machine->device->link[i].name, "PCIe", 4) == 0) {
                route.inside = machine->device->link[i].stated;
                route.inside_name = machine->device->link[i].name;
            }
    }
    if (route.rails == 0)
        route.rails = r;
    return route;
}

ridge__fit_shape ridge__comm_shape(const ridge_call *call, const ridge_machine *machine)
{
    const ridge__fabric *in = &machine->inside;
    return (ridge__fit_shape){.profiled = call->timing == RIDGE_TIMING_KERNEL,
                              .bridged = in->name && in->topology == RIDGE__PAIRS};
}

void ridge__comm_settle(ridge_call *call, const ridge_machine *machine)
{
    const ridge__fabric *in = &machine->inside;
    double parts = in->name && in->topology == RIDGE__PAIRS ? 2 : in->parts;
    unsigned adds = !in->reduces ? 0 : machine->between.reduces ? 2 : 1;
    ridge__comm_place(call, in->name ? parts : RIDGE_UNKNOWN, adds);
}

double ridge__comm_floor(const ridge_work *work, const ridge_machine *machine,
                         const ridge_call *call)
{
    ridge__route route = ridge__comm_route(machine, call);
    double wire = work->wire_bytes, network = work->network_bytes;
    /* A profiler sees one side's kernel, and a sender's may end before the data arrive. */
    if (call->op->comm == RIDGE_COMM_SEND && call->timing == RIDGE_TIMING_KERNEL) {
        wire = ridge__max(0, wire - POSTED);
        network = ridge__max(0, network - POSTED);
    }
    double inside_s = wire > 0 ? wire / route.inside.value : 0;
    double network_s = network > 0 ? network / route.network.value : 0;
    return ridge__max(inside_s, network_s);
}

/* ---- What the ways share ----------------------------------------------------------- */

typedef ridge__exchange exchange;

bool ridge__exchange_starts(int index)
{
    static const int starts[] = {
        RIDGE_COLLECTIVE_FIXED,        RIDGE_COLLECTIVE_SPREAD,
        RIDGE_COLLECTIVE_SIMPLE_FIXED, RIDGE_COLLECTIVE_LL128_FIXED,
        RIDGE_COLLECTIVE_NVLS_FIXED,   RIDGE_COLLECTIVE_ONE_FIXED,
        RIDGE_COLLECTIVE_TWO_FIXED};
    for (size_t i = 0; i < RIDGE__COUNT(starts); i++)
        if (starts[i] == index)
            return true;
    return false;
}

double ridge__exchange_ticks(const ridge__form_input *in)
{
    double at = in->fit->c[RIDGE_COLLECTIVE_AT_CLOCK];
    double clock = in->machine->clock_vector_hz;
    return ridge_known(at) && ridge_known(clock) ? at / clock : 1;
}

double ridge__exchange_constant(const exchange *x, int index, double absent)
{
    double value = ridge__form_constant(x->in, index, absent);
    return ridge__exchange_starts(index) ? value * ridge__exchange_ticks(x->in) : value;
}
#define C(name, absent) ridge__exchange_constant(x, RIDGE_COLLECTIVE_##name, absent)

/*
 * Parts that share a host's buses: what a ring of all of them reached, and from two on as
 * much lost with each doubling of the ranks.  Where nobody measured the host it is taken to
 * be as eight RTX PRO 6000 were: 25 of 63 GB/s [aiconfigurator].
 */
static double crowding(const exchange *x)
{
    const double MEASURED_PARTS = 8, MEASURED_SHARE = 25.0 / 63;
    const ridge__fabric *in = &x->in->machine->inside;
    bool measured = ridge_known(in->achieved.value) && in->parts > 2;
    double parts = measured ? in->parts : MEASURED_PARTS;
    double share = measured ? in->achieved.value / x->stated : MEASURED_SHARE;
    if (!x->host || x->n <= 2)
        return 1;
    return pow(ridge__min(share / C(SIMPLE_SHARE, 1), 1),
               log2(ridge__min(x->n, parts) / 2) / log2(parts / 2));
}

static exchange exchange_of(const ridge__form_input *in, const ridge__route *route)
{
    const ridge_call *call = in->call;
    exchange made = {.in = in, .kind = call->op->comm, .rails = route->rails};
    exchange *x = &made;
    double dtype = call->arg[RIDGE_COMM_DTYPE], n = call->arg[RIDGE_COMM_RANKS];
    x->s = call->arg[RIDGE_COMM_BYTES];
    x->n = n;
    x->nodes = ridge__comm_nodes(call, &x->r);
    x->rate = x->stated = route->inside.value;
    x->network = route->network.value * C(NET_SHARE, 1);
    x->net_hop = in->machine->between.latency.value;
    x->pair = in->machine->inside.name && in->machine->inside.topology == RIDGE__PAIRS;
    if (x->pair)
        x->network = route->network.value * C(BUS_SHARE, 1);
    else if (ridge_known(in->machine->between.achieved.value))
        x->network =
            in->machine->between.achieved.value * adapters_share(in->machine, x->r);
    bool sums = x->kind == RIDGE_COMM_ALL_REDUCE ||
                x->kind == RIDGE_COMM_REDUCE_SCATTER || x->kind == RIDGE_COMM_REDUCE;
    x->integer =
        sums && ridge_known(dtype) &&
        ((ridge_dtype)dtype == RIDGE_INT8 || (ridge_dtype)dtype == RIDGE_INT8_TOKEN);
    x->host = in->machine->inside.name && in->machine->inside.topology == RIDGE__PCIE;
    x->reduces = in->machine->inside.reduces && call->arg[RIDGE_COMM_IN_SWITCH] >= 1;
    bool chain = x->kind == RIDGE_COMM_BROADCAST || x->kind == RIDGE_COMM_REDUCE;
    x->steps = x->kind == RIDGE_COMM_ALL_REDUCE ? 2 * (n - 1) : n - 1;
    x->moved = chain ? x->s : x->s * x->steps / n;
    double all = in->machine->inside.bandwidth.value; /* links, of a mesh too */
    double copies = ridge_known(all) ? ridge__max(x->stated, all) : x->stated;
    x->own = chain ? 0 : x->s / n / (copies * C(COPY_SHARE, INFINITY));
    x->rate *= crowding(x);
    return made;
}

void ridge__exchange_latency(const exchange *x, int protocol, double *fixed, double *hop,
                             double *net_hop)
{
    double base = C(FIXED, 0);
    double slow = C(NET_HOP_SIMPLE, 0), fast = C(NET_HOP_LL, 0);
    *net_hop = ridge_known(x->net_hop) ? x->net_hop : protocol == SIMPLE ? slow : fast;
    switch (protocol) {
    case LL: {
        double spread = x->s / (x->s + C(SPREAD_BYTES, 1));
        *fixed = base + C(SPREAD, 0) * spread;
        *hop = C(HOP_LL, 0) + C(SPREAD_HOP, 0) * spread;
        return;
    }
    case LL128:
        *fixed = base + C(LL128_FIXED, 0);
        *hop = C(HOP_LL128, 0);
        return;
    default:
        *fixed = base + C(SIMPLE_FIXED, 0);
        *hop = C(HOP_SIMPLE, 0);
    }
}

double ridge__exchange_warmed(double bytes, double warm)
{
    return warm > 0 ? bytes + warm * bytes / (bytes + warm) : bytes;
}

/* Time of `bytes` over the fabric by a protocol, and of the copy of the own share. */
static double protocol_transfer(const exchange *x, int protocol, double bytes)
{
    double cost = x->integer && protocol != LL ? C(INTEGER, 1) : 1;
    double share = x->pair ? C(PAIR_SHARE, C(SIMPLE_SHARE, 1)) : C(SIMPLE_SHARE, 1);
    if (bytes == 0)
        return x->own;
    if (protocol == LL)
        share = C(LL_SHARE, INFINITY);
    if (protocol == LL128)
        share = C(LL128_SHARE, 1);
    if (protocol == SIMPLE)
        bytes = ridge__exchange_warmed(bytes, C(WARM_BYTES, 0));
    return cost * bytes / (x->rate * share) + x->own;
}

/* ---- NCCL's choice ----------------------------------------------------------------- */

static ridge__nccl_call nccl_call(const exchange *x)
{
    const ridge__nccl *t = &ridge__nccl_table;
    ridge__nccl_arch arch = ridge__nccl_arch_of(x->in->machine);
    bool known = arch < RIDGE__NCCL_ARCHS;
    double graph = known && !x->host ? t->graph_share[arch] * x->stated : RIDGE_UNKNOWN;
    double channels = known && !x->host ? t->graph_channels[arch] : RIDGE_UNKNOWN;
    return (ridge__nccl_call){.arch = arch,
                              .bytes = x->s,
                              .ranks = x->n,
                              .steps = x->steps,
                              .moved = x->moved,
                              .stated = x->stated,
                              .graph = known ? C(GRAPH_RATE, graph) : RIDGE_UNKNOWN,
                              .channels = C(CHANNELS, channels),
                              .ll_max = C(LL_RATE, RIDGE_UNKNOWN),
                              .host = x->host,
                              .reduces = x->kind == RIDGE_COMM_ALL_REDUCE};
}

static bool nvls_possible(const exchange *x)
{
    return x->kind == RIDGE_COMM_ALL_REDUCE && x->reduces && !x->integer &&
           x->r >= C(NVLS_RANKS, INFINITY) && C(NVLS_SHARE, 0) > 0;
}

/* ---- The ways ---------------------------------------------------------------------- */

/* LL carries a flag with every 4 bytes, LL128 one with every 120. */
double ridge__exchange_coded(int protocol)
{
    static const double cost[] = {[LL] = 2, [LL128] = 128.0 / 120, [SIMPLE] = 1};
    return cost[protocol];
}

static double network_transfer(const exchange *x, int protocol, double bytes)
{
    return x->nodes > 1
               ? ridge__exchange_coded(protocol) * bytes / (x->rails * x->network)
               : 0;
}

/* Adapters work beside the fabric: the slower of the two shows. */
static void finish_way(ridge_exchange_way *way)
{
    way->body_s = way->hops_s + ridge__max(way->inside_s, way->network_s);
}

static ridge_exchange_way ring_way(const exchange *x, int protocol)
{
    ridge_exchange_way way = {.algorithm = "ring", .protocol = protocols[protocol]};
    double fixed, hop, net_hop;
    ridge__exchange_latency(x, protocol, &fixed, &hop, &net_hop);
    double rounds = x->kind == RIDGE_COMM_ALL_REDUCE ? 2 : 1;
    double between = rounds * (x->nodes - 1);
    way.hops_s = fixed + (x->steps - between) * hop + between * net_hop;
    way.inside_s = protocol_transfer(x, protocol, x->r > 1 ? x->moved : 0);
    way.network_s = network_transfer(x, protocol, x->moved);
    finish_way(&way);
    return way;
}

/* Up and down a chain of a node's ranks and a double binary tree of the nodes. */
static ridge_exchange_way tree_way(const exchange *x, int protocol)
{
    ridge_exchange_way way = {.algorithm = "tree", .protocol = protocols[protocol]};
    double fixed, hop, net_hop;
    ridge__exchange_latency(x, protocol, &fixed, &hop, &net_hop);
    if (x->nodes == 1) /* measured like the ring of the same protocol */
        return way.hops_s = fixed + x->steps * hop,
               way.inside_s = protocol_transfer(x, protocol, x->moved), finish_way(&way),
               way;
    double inner = 2 * (x->r - 1) / x->r, outer = 2 * (x->nodes - 1) / x->nodes;
    way.hops_s = fixed + 2 * ((x->r - 1) * hop + ceil(log2(x->nodes)) * net_hop);
    way.inside_s = protocol_transfer(x, protocol, x->s * inner);
    way.network_s = network_transfer(x, protocol, x->s * outer);
    finish_way(&way);
    return way;
}

/* A part sends all it has, and the sum of its own share. */
static ridge_exchange_way nvls_way(const exchange *x)
{
    ridge_exchange_way way = {.algorithm = "nvls", .protocol = "Simple"};
    way.hops_s = C(NVLS_FIXED, 0);
    way.inside_s = ridge__exchange_warmed(x->s * (x->r + 1) / x->r, C(NVLS_WARM, 0)) /
                   (x->rate * C(NVLS_SHARE, 1));
    if (x->nodes > 1) {
        double fixed, hop, net_hop;
        ridge__exchange_latency(x, SIMPLE, &fixed, &hop, &net_hop);
        way.hops_s += 2 * ceil(log2(x->nodes)) * net_hop;
        way.network_s = network_transfer(x, SIMPLE, x->s * 2 * (x->nodes - 1) / x->nodes);
    }
    finish_way(&way);
    return way;
}

/* Each rank reads all of the others' buffers: one step. */
static ridge_exchange_way one_shot_way(const exchange *x)
{
    ridge_exchange_way way = {.algorithm = "one_shot", .protocol = ""};
    way.hops_s = C(ONE_FIXED, 0) + C(ONE_RANK, 0) * x->n;
    way.inside_s = (x->n - 1) * x->s / (x->rate * C(ONE_SHARE, 1));
    finish_way(&way);
    return way;
}

/* Each rank sums its share of all, then reads the others' sums. */
static ridge_exchange_way two_shot_way(const exchange *x)
{
    ridge_exchange_way way = {.algorithm = "two_shot", .protocol = ""};
    way.hops_s = C(TWO_FIXED, 0) + C(TWO_RANK, 0) * x->n;
    way.inside_s = x->moved / (x->rate * C(TWO_SHARE, 1));
    finish_way(&way);
    return way;
}

/* Every rank to every other at once: all-to-all, gather, scatter. */
static ridge_exchange_way direct_way(const exchange *x)
{
    int protocol = x->s / x->n <= LL_PART ? LL : SIMPLE;
    ridge_exchange_way way = {.algorithm = "direct", .protocol = protocols[protocol]};
    double base = C(FIXED, 0) + C(HOP_LL, 0) * (x->n - 1), near = (x->r - 1) / x->n;
    bool root = x->kind != RIDGE_COMM_ALLTOALL;
    double far = (x->n - x->r) / x->n * x->s / (root ? x->rails : 1);
    if (root)
        near = (x->n - 1) / x->n;
    way.hops_s = base + (protocol == SIMPLE ? C(SIMPLE_FIXED, 0) : 0);
    if (protocol == LL) /* parts leave together: one of them shows */
        way.inside_s = x->r > 1 ? x->s / x->n / (x->rate * C(LL_SHARE, INFINITY)) : 0;
    else if (x->r > 1)
        way.inside_s = ridge__exchange_warmed(x->s * near, C(WARM_BYTES, 0)) /
                           (x->rate * C(SIMPLE_SHARE, 1)) +
                       x->own;
    if (x->nodes > 1) {
        double fixed, hop, net_hop;
        ridge__exchange_latency(x, protocol, &fixed, &hop, &net_hop);
        way.hops_s += net_hop;
        way.network_s = far / x->network;
    }
    finish_way(&way);
    return way;
}

double ridge__exchange_send_share(const exchange *x)
{
    if (x->in->call->arg[RIDGE_COMM_OVER] == RIDGE_OVER_PCIE)
        return ridge__machine_host_share(x->in->machine);
    double share = x->pair ? C(PAIR_SHARE, C(SIMPLE_SHARE, 1)) : C(SIMPLE_SHARE, 1);
    /* All of it arrives in time, but a profiler does not see that. */
    return x->in->call->timing == RIDGE_TIMING_KERNEL ? share : ridge__min(share, 1);
}

/*
 * One link: a start, then the bytes; in pieces through several links the longest of the
 * stages repeats, and the others fill: k t + w + (c - 1) max(t, w).
 */
static ridge_exchange_way send_way(const exchange *x, double bytes)
{
    const double *a = x->in->call->arg;
    bool far = x->nodes > 1;
    double chunks = a[RIDGE_COMM_CHUNKS], stages = a[RIDGE_COMM_STAGES];
    double step = a[RIDGE_COMM_STEP], fixed, hop, net_hop;
    ridge__exchange_latency(x, LL, &fixed, &hop, &net_hop);
    double share = ridge__exchange_send_share(x);
    double rate = far ? x->network : x->rate * share;
    double piece = bytes / rate / chunks;
    ridge_exchange_way way = {
        .algorithm = chunks > 1 || stages > 1 ? "pipeline" : "direct", .protocol = ""};
    double time = stages * piece + step + (chunks - 1) * ridge__max(piece, step);
    way.hops_s = stages * (fixed + (far ? net_hop : hop));
    if (far)
        way.network_s = time;
    else
        way.inside_s = time;
    finish_way(&way);
    return way;
}

/* ---- Which of them ----------------------------------------------------------------- */

/* Library kernels beside NCCL, where the fit has them. */
static bool has_custom(const exchange *x)
{
    const double CUSTOM_RANKS = 8; /* their buffers have no more places */
    return x->kind == RIDGE_COMM_ALL_REDUCE && x->nodes == 1 && C(TWO_SHARE, 0) > 0 &&
           x->n <= (x->host ? 2 : CUSTOM_RANKS);
}

static void add_way(ridge__ways *out, ridge_exchange_way way, ridge__comm_algo algo)
{
    if (out->count >= RIDGE_EXCHANGE_WAYS)
        return;
    out->algo[out->count] = algo;
    out->way[out->count++] = way;
}

static void list_ways(ridge__ways *out, const exchange *x, double bytes)
{
    switch (x->kind) {
    case RIDGE_COMM_SEND:
        add_way(out, send_way(x, bytes), RIDGE_ALGO_DIRECT);
        return;
    case RIDGE_COMM_ALLTOALL:
    case RIDGE_COMM_GATHER:
    case RIDGE_COMM_SCATTER:
        add_way(out, direct_way(x), RIDGE_ALGO_DIRECT);
        return;
    default:
        break;
    }
    for (int p = 0; p < PROTOCOLS; p++)
        if (p != LL128 || (!x->host && C(LL128_SHARE, 0) > 0))
            add_way(out, ring_way(x, p), RIDGE_ALGO_RING);
    /* Pairs are one node to NCCL: a chain of it crosses the bus as often as a ring. */
    for (int p = 0; p < PROTOCOLS && x->kind == RIDGE_COMM_ALL_REDUCE && !x->pair; p++)
        if (p != LL128 || (!x->host && C(LL128_SHARE, 0) > 0))
            add_way(out, tree_way(x, p), RIDGE_ALGO_TREE);
    if (nvls_possible(x))
        add_way(out, nvls_way(x), RIDGE_ALGO_NVLS);
    if (has_custom(x) && C(ONE_SHARE, 0) > 0)
        add_way(out, one_shot_way(x), RIDGE_ALGO_ONE_SHOT);
    if (has_custom(x))
        add_way(out, two_shot_way(x), RIDGE_ALGO_TWO_SHOT);
}

/* Index of the fastest way that `allowed` bits of ridge__comm_algo name; count: none. */
static size_t fastest(const ridge__ways *ways, unsigned allowed)
{
    size_t best = ways->count;
    for (size_t i = 0; i < ways->count; i++)
        if ((allowed >> ways->algo[i] & 1u) &&
            (best == ways->count || ways->way[i].body_s < ways->way[best].body_s))
            best = i;
    return best;
}

static size_t find_way(const ridge__ways *ways, const ridge__nccl_choice *c)
{
    ridge__comm_algo algo = c->tree ? RIDGE_ALGO_TREE : RIDGE_ALGO_RING;
    for (size_t i = 0; i < ways->count; i++)
        if (ways->algo[i] == algo &&
            strcmp(ways->way[i].protocol, protocols[c->protocol]) == 0)
            return i;
    return ways->count;
}

/* What NCCL would run, of one algorithm or of all its own. */
static size_t nccl_pick(const ridge__ways *ways, const exchange *x, ridge__comm_algo only)
{
    unsigned own = 1u << RIDGE_ALGO_RING | 1u << RIDGE_ALGO_TREE | 1u << RIDGE_ALGO_NVLS |
                   1u << RIDGE_ALGO_DIRECT;
    bool ringed = x->kind == RIDGE_COMM_ALL_REDUCE || x->kind == RIDGE_COMM_ALL_GATHER ||
                  x->kind == RIDGE_COMM_REDUCE_SCATTER;
    if (only == RIDGE_ALGO_NVLS)
        return fastest(ways, 1u << RIDGE_ALGO_NVLS);
    const ridge__nccl_call call = nccl_call(x);
    if (!ringed || x->nodes > 1 || !ridge_known(call.graph))
        return fastest(ways, only == RIDGE_ALGO_BEST ? own : 1u << only);
    ridge__nccl_choice choice =
        ridge__nccl_choose(&call, only != RIDGE_ALGO_TREE, only != RIDGE_ALGO_RING);
    if (only == RIDGE_ALGO_BEST && x->n > C(MOST_RANKS, MEASURED_RANKS))
        return fastest(ways, own);
    size_t at = find_way(ways, &choice), nvls = fastest(ways, 1u << RIDGE_ALGO_NVLS);
    if (only == RIDGE_ALGO_BEST && nvls < ways->count &&
        ridge__nccl_nvls_s(&call) < choice.cost_s)
        at = nvls;
    return at < ways->count ? at : fastest(ways, own);
}

static size_t pick(const ridge__ways *ways, const exchange *x)
{
    ridge__comm_algo only = (ridge__comm_algo)x->in->call->arg[RIDGE_COMM_ALGO];
    unsigned custom = 1u << RIDGE_ALGO_ONE_SHOT | 1u << RIDGE_ALGO_TWO_SHOT;
    if (only == RIDGE_ALGO_ONE_SHOT || only == RIDGE_ALGO_TWO_SHOT)
        return fastest(ways, 1u << only);
    size_t nccl = nccl_pick(ways, x, only);
    if (only != RIDGE_ALGO_BEST || !has_custom(x) || x->s > C(CUSTOM_MAX, INFINITY))
        return nccl;
    return fastest(ways, custom); /* a library's own, as far as they go */
}

void ridge__comm_ways(ridge__ways *out, const ridge_work *work,
                      const ridge__form_input *in)
{
    ridge__route route = ridge__comm_route(in->machine, in->call);
    exchange x = exchange_of(in, &route);
    out->count = 0;
    list_ways(out, &x, work->wire_bytes + work->network_bytes);
    out->chosen = pick(out, &x);
}

/* ---- The form ---------------------------------------------------------------------- */

static bool measured_kind(ridge__comm_kind kind)
{
    return kind != RIDGE_COMM_BROADCAST && kind != RIDGE_COMM_REDUCE &&
           kind != RIDGE_COMM_GATHER && kind != RIDGE_COMM_SCATTER;
}

static void show_work(const ridge_estimate *e, const ridge__form_input *in,
                      const ridge__route *route, const ridge__ways *ways, double skew)
{
    ridge__working *w = in->working;
    exchange x = exchange_of(in, route);
    x.bytes = e->work.wire_bytes + e->work.network_bytes;
    ridge__exchange_show(w, &x, ways);
    ridge__working_add(w, "skew", NULL, skew, RIDGE_UNIT_S);
    static const char *const bodies[2][2] = {
        {"{steps} + {inside}", "(({steps} + {inside})^4 + {skew}^4)^(1/4)"},
        {"{steps} + max({inside}, {network})",
         "(({steps} + max({inside}, {network}))^4 + {skew}^4)^(1/4)"}};
    ridge__working_add(w, "body", bodies[x.nodes > 1][skew > 0], e->body_s, RIDGE_UNIT_S);
}

void ridge__form_collective(ridge_estimate *e, const ridge__form_input *in)
{
    const double *c = in->fit->c;
    ridge__ways ways;
    e->launch_s = ridge__form_launch(
        in->call, c[RIDGE_COLLECTIVE_LAUNCH_GRAPH] * ridge__exchange_ticks(in),
        c[RIDGE_COLLECTIVE_LAUNCH_STREAM] * ridge__exchange_ticks(in),
        c[RIDGE_COLLECTIVE_LAUNCH_EAGER]);
    if (in->call->arg[RIDGE_COMM_RANKS] <= 1) { /* nobody to talk to: not even launched */
        e->launch_s = e->latency_s = e->body_s = 0;
        return;
    }
    ridge__comm_ways(&ways, &e->work, in);
    if (ways.chosen >= ways.count) {
        e->body_s = RIDGE_UNKNOWN;
        return;
    }
    const ridge_exchange_way *way = &ways.way[ways.chosen];
    ridge__route route = ridge__comm_route(in->machine, in->call);
    e->latency_s = e->launch_s + way->hops_s;
    e->body_s = way->body_s;
    double skew = ridge__form_constant(in, RIDGE_COLLECTIVE_SKEW, 0);
    bool profiled = in->call->timing == RIDGE_TIMING_KERNEL;
    if (profiled && skew > 0)
        e->body_s = ridge__norm4(e->body_s, skew);
    ridge__estimate_term(e, "launch", RIDGE_BY_LATENCY, RIDGE_UNKNOWN, RIDGE_UNKNOWN,
                         RIDGE_UNKNOWN, e->launch_s);
    ridge__estimate_term(e, "start and steps", RIDGE_BY_LATENCY, RIDGE_UNKNOWN,
                         RIDGE_UNKNOWN, RIDGE_UNKNOWN, way->hops_s);
    if (profiled && skew > 0)
        ridge__estimate_term(e, "other ranks", RIDGE_BY_LATENCY, RIDGE_UNKNOWN,
                             RIDGE_UNKNOWN, RIDGE_UNKNOWN, skew);
    if (way->inside_s > 0)
        ridge__estimate_term(
            e, "fabric", RIDGE_BY_COMMUNICATION, e->work.wire_bytes, route.inside.value,
            e->work.wire_bytes / way->inside_s / route.inside.value, way->inside_s);
    if (way->network_s > 0)
        ridge__estimate_term(e, "network", RIDGE_BY_COMMUNICATION, e->work.network_bytes,
                             route.network.value,
                             e->work.network_bytes / way->network_s / route.network.value,
                             way->network_s);
    if (in->working)
        show_work(e, in, &route, &ways, profiled ? skew : 0);
    if (!measured_kind(in->call->op->comm) ||
        ridge__comm_ranks(in->call) >
            ridge__form_constant(in, RIDGE_COLLECTIVE_MOST_RANKS, MEASURED_RANKS))
        e->warnings |= RIDGE_WARNING_EXTRAPOLATED;
}
