/*
 * Collectives and transfers: what must leave (or reach) one part.  S is the whole buffer as
 * nccl-tests counts its size, n the ranks, r those of a full node, N the nodes.
 * docs/model/collective.md derives each count.
 */
#include "op/op_priv.h"

enum {
    ROUNDED_MIN = 1 /* bytes by which S and n x bytes_per_rank may differ: rounding */
};

#define OVER_WORDS       "auto inside network pcie"
#define SWITCH_WORDS     "none inside all"
#define WORD(name, text) " " text
static const char algo_words[] = RIDGE__COMM_ALGO_MAP(WORD); /* with a blank before */
#undef WORD

#define BYTES_PARAM(key, other, text)                                                 \
    {                                                                                 \
        .name = (key), .aliases = (other), .kind = RIDGE_PARAM_QUANTITY,              \
        .unit = RIDGE_UNIT_BYTES, .fallback = RIDGE_UNKNOWN, .max = RIDGE__COUNT_MAX, \
        .help = (text)                                                                \
    }
#define HEAD(ranks_param)                                                               \
    [RIDGE_COMM_BYTES] =                                                                \
        BYTES_PARAM("bytes", "size", "S: the whole buffer, as nccl-tests counts size"), \
    [RIDGE_COMM_BYTES_PER_RANK] =                                                       \
        BYTES_PARAM("bytes_per_rank", NULL,                                             \
                    "in place of bytes: what the call's count says; S/n or S"),         \
    [RIDGE_COMM_RANKS] = ranks_param,                                                   \
    [RIDGE_COMM_RANKS_PER_NODE] =                                                       \
        RIDGE__PARAM_COUNT("ranks_per_node", NULL, RIDGE_UNKNOWN, 1,                    \
                           "ranks that one fabric joins; default: as many as the "      \
                           "system's does"),                                            \
    [RIDGE_COMM_DTYPE] = RIDGE__PARAM_DTYPE(                                            \
        "dtype", NULL, false, RIDGE_UNKNOWN,                                            \
        "of the elements; in-switch reduction adds floating point only"),               \
    [RIDGE_COMM_OVER] = RIDGE__PARAM_WORD(                                              \
        "over", OVER_WORDS, RIDGE_OVER_AUTO,                                            \
        "what carries it; default: the node's fabric, beyond it the network"),          \
    [RIDGE_COMM_ALGO] = RIDGE__PARAM_WORD("algo", algo_words + 1, RIDGE_ALGO_BEST,      \
                                          "how; default: the library's choice"),        \
    [RIDGE_COMM_IN_SWITCH] =                                                            \
        RIDGE__PARAM_WORD("in_switch", SWITCH_WORDS, RIDGE_UNKNOWN,                     \
                          "where a switch adds (NVLS, SHARP); default: as the system "  \
                          "does")
#define RANKS_NEEDED \
    RIDGE__PARAM_SIZE("ranks", "n", "parts that take part, on all nodes together")
#define RANKS_TWO                                      \
    RIDGE__PARAM_COUNT("ranks", "n", RIDGE_UNKNOWN, 1, \
                       "1: to itself; default: all that take part")
#define PIPELINE                                                                        \
    [RIDGE_COMM_CHUNKS] =                                                               \
        RIDGE__PARAM_COUNT("chunks", NULL, 1, 1, "pieces that follow one another"),     \
    [RIDGE_COMM_STAGES] = RIDGE__PARAM_COUNT(                                           \
        "stages", "hops", 1, 1, "links passed one after the other, each whole pieces"), \
    [RIDGE_COMM_STEP] = {.name = "step",                                                \
                         .kind = RIDGE_PARAM_QUANTITY,                                  \
                         .unit = RIDGE_UNIT_S,                                          \
                         .fallback = 0,                                                 \
                         .max = 1e6,                                                    \
                         .help = "work on a piece, beside the transfer of the next "    \
                                 "(double buffering)"}

static const ridge__param params[] = {HEAD(RANKS_NEEDED)};
static const ridge__param send_params[] = {
    HEAD(RANKS_TWO),
    [RIDGE_COMM_SENDERS] = RIDGE__PARAM_COUNT(
        "senders", NULL, 1, 1, "into one receiver: they share its ingress"),
    [RIDGE_COMM_MESSAGES] = RIDGE__PARAM_COUNT("messages", NULL, 1, 1,
                                               "of that size each, one after the other"),
    PIPELINE,
};
static const ridge__param sync_params[] = {
    HEAD(RANKS_TWO),
    [RIDGE_COMM_SENDERS] =
        RIDGE__PARAM_COUNT("masters", NULL, 1, 1,
                           "parts that send to the same replicas: they share ingress"),
    [RIDGE_COMM_MESSAGES] =
        RIDGE__PARAM_COUNT("replicas", NULL, 1, 1, "copies that each master sends"),
    PIPELINE,
    [RIDGE_COMM_EXPERTS] =
        RIDGE__PARAM_COUNT("experts", NULL, 1, 1, "on one part: their bytes add up"),
};
#undef HEAD

/* ---- Ranks and nodes --------------------------------------------------------------- */

double ridge__comm_ranks(const ridge_call *call)
{
    if (call->op->comm == RIDGE_COMM_NONE)
        return RIDGE_UNKNOWN;
    return call
        ->arg[call->op->comm >= RIDGE_COMM_MOE ? RIDGE_EP_RANKS : RIDGE_COMM_RANKS];
}

double ridge__comm_nodes(const ridge_call *call, double *per_node)
{
    bool experts = call->op->comm >= RIDGE_COMM_MOE;
    double n = ridge__comm_ranks(call);
    double r = call->arg[experts ? RIDGE_EP_RANKS_PER_NODE : RIDGE_COMM_RANKS_PER_NODE];
    bool apart = !experts && call->arg[RIDGE_COMM_OVER] == RIDGE_OVER_NETWORK;
    bool joined = !experts && (call->arg[RIDGE_COMM_OVER] == RIDGE_OVER_INSIDE ||
                               call->arg[RIDGE_COMM_OVER] == RIDGE_OVER_PCIE);
    if (!ridge_known(r) || joined || r > n)
        r = n;
    if (apart)
        r = 1;
    *per_node = r;
    return ceil(n / r);
}

void ridge__comm_place(ridge_call *call, double parts, unsigned in_switch)
{
    if (call->op->comm == RIDGE_COMM_NONE)
        return;
    bool experts = call->op->comm >= RIDGE_COMM_MOE;
    size_t at = experts ? RIDGE_EP_RANKS_PER_NODE : RIDGE_COMM_RANKS_PER_NODE;
    /* More ranks in a node than its fabric joins is what no machine has. */
    if (ridge_known(parts) && parts >= 1 &&
        (!ridge__call_given(call, at) || call->arg[at] > parts))
        call->arg[at] = ridge__min(parts, ridge__comm_ranks(call));
    if (!experts)
        ridge__call_default(call, RIDGE_COMM_IN_SWITCH, (double)in_switch);
}

double ridge__comm_bus_factor(const ridge_call *call)
{
    double n = ridge__comm_ranks(call);
    switch (call->op->comm) {
    case RIDGE_COMM_ALL_REDUCE:
        return 2 * (n - 1) / n;
    case RIDGE_COMM_ALL_GATHER:
    case RIDGE_COMM_REDUCE_SCATTER:
    case RIDGE_COMM_ALLTOALL:
    case RIDGE_COMM_GATHER:
    case RIDGE_COMM_SCATTER:
        return (n - 1) / n;
    default:
        return 1;
    }
}

/* S over what the count of the library's call says: n where that is a share. */
static double per_rank_divisor(const ridge_call *call)
{
    switch (call->op->comm) {
    case RIDGE_COMM_ALL_GATHER:
    case RIDGE_COMM_REDUCE_SCATTER:
    case RIDGE_COMM_ALLTOALL:
    case RIDGE_COMM_GATHER:
    case RIDGE_COMM_SCATTER:
        return call->arg[RIDGE_COMM_RANKS];
    default:
        return 1;
    }
}

static ridge_status finish(ridge_call *call, ridge_error *err)
{
    double *a = call->arg;
    bool whole = ridge__call_given(call, RIDGE_COMM_BYTES);
    bool share = ridge__call_given(call, RIDGE_COMM_BYTES_PER_RANK);
    double divisor = per_rank_divisor(call);
    if (call->op->comm == RIDGE_COMM_SEND) {
        bool sync = call->op->param_count > RIDGE_COMM_EXPERTS;
        double receivers = sync ? a[RIDGE_COMM_MESSAGES] : 1;
        ridge__call_default(call, RIDGE_COMM_RANKS, receivers + a[RIDGE_COMM_SENDERS]);
    }
    if (!whole && !share)
        return ridge__error_set(err, RIDGE_INVALID,
                                "%s lacks bytes (the whole buffer) or bytes_per_rank; as "
                                "in: %s %s",
                                call->op->name, call->op->name, call->op->example);
    if (whole && share &&
        fabs(a[RIDGE_COMM_BYTES] - divisor * a[RIDGE_COMM_BYTES_PER_RANK]) >
            ROUNDED_MIN * divisor)
        return ridge__error_set(err, RIDGE_INVALID,
                                "bytes=%.0f is not %.0f x bytes_per_rank=%.0f; give one "
                                "of the two",
                                a[RIDGE_COMM_BYTES], divisor,
                                a[RIDGE_COMM_BYTES_PER_RANK]);
    if (!whole)
        a[RIDGE_COMM_BYTES] = divisor * a[RIDGE_COMM_BYTES_PER_RANK];
    if (!share)
        a[RIDGE_COMM_BYTES_PER_RANK] = a[RIDGE_COMM_BYTES] / divisor;
    return RIDGE_OK;
}

/* ---- Counts ------------------------------------------------------------------------ */

/* In units of S, of the part that has most to do. */
typedef struct share {
    double wire, network; /* out of it, or into it where that is more */
    double in, out;       /* read from and written to its memory */
} share;

/*
 * An all-reduce: every part's data must reach the others, and every part needs the sum:
 * 2(r-1)/r without help, r + 1 of r shares where NVLink's switch adds and multicasts (each
 * sends all it has once, and the sum of its own share).  Switches of a network keep what
 * they add and send it down: each node sends all it has once.
 */
static double reduced(double parts, double in_switch)
{
    double ring = 2 * (parts - 1) / parts;
    return parts > 1 ? ridge__min(ring, in_switch) : ring;
}

/* Where a switch adds: 1 inside, 2 everywhere; nowhere in an algorithm without it. */
static double in_switch(const ridge_call *call)
{
    int algo = (int)call->arg[RIDGE_COMM_ALGO];
    bool free = algo == RIDGE_ALGO_BEST || algo == RIDGE_ALGO_NVLS;
    return free ? call->arg[RIDGE_COMM_IN_SWITCH] : 0; /* unknown: nowhere */
}

/* Nodes exchange by rails: each of the r parts of a node carries its share of what the
 * node must send. */
static share shares(const ridge_call *call)
{
    double r, N = ridge__comm_nodes(call, &r), n = ridge__comm_ranks(call);
    double adds = in_switch(call);
    double inner = (r - 1) / r, outer = (N - 1) / N / r;
    double others = (n - 1) / n, far = (n - ridge__min(r, n)) / n;
    switch (call->op->comm) {
    case RIDGE_COMM_ALL_REDUCE:
        return (share){reduced(r, adds >= 1 ? (r + 1) / r : 2),
                       reduced(N, adds >= 2 ? 1 : 2) / r, 1, 1};
    case RIDGE_COMM_ALL_GATHER:
        return (share){inner, outer, 1 / n, others};
    case RIDGE_COMM_REDUCE_SCATTER:
        return (share){inner, outer, 1, 1 / n};
    case RIDGE_COMM_ALLTOALL:
        return (share){(r - 1) / n, far, others, others};
    case RIDGE_COMM_BROADCAST: /* of a part that receives; of the root out is as much */
        return (share){N > 1 ? inner : 1, N > 1 ? 1 / r : 0, 0, 1};
    case RIDGE_COMM_REDUCE:
        return (share){N > 1 ? inner : 1, N > 1 ? 1 / r : 0, 1, 0};
    case RIDGE_COMM_GATHER: /* at the root, whose node receives by all its links */
        return (share){others - far / r, far / r, 0, others};
    case RIDGE_COMM_SCATTER:
        return (share){others - far / r, far / r, others, 0};
    default:
        return (share){0};
    }
}

/* Bytes that one link carries: out of a sender, or into a receiver of several. */
static share transfers(const ridge_call *call)
{
    const double *a = call->arg;
    double r, N = ridge__comm_nodes(call, &r);
    bool sync = call->op->param_count > RIDGE_COMM_EXPERTS;
    double messages = a[RIDGE_COMM_MESSAGES], senders = a[RIDGE_COMM_SENDERS];
    /* A receiver of one master takes one copy; a master sends one to each replica. */
    double copies =
        sync ? ridge__max(messages, senders) * a[RIDGE_COMM_EXPERTS] : messages * senders;
    return (share){N > 1 ? 0 : copies, N > 1 ? copies : 0, sync ? 1 : messages, 0};
}

static ridge_status count(ridge_work *work, const ridge_call *call, ridge_error *err)
{
    (void)err;
    double s = call->arg[RIDGE_COMM_BYTES];
    share c = {0};
    if (call->arg[RIDGE_COMM_RANKS] > 1)
        c = call->op->comm == RIDGE_COMM_SEND ? transfers(call) : shares(call);
    ridge__work_operand(work, s * c.in);
    ridge__work_operand(work, s * c.out);
    work->wire_bytes = s * c.wire;
    work->network_bytes = s * c.network;
    work->dtype = RIDGE_DTYPE_COUNT; /* no FLOP: the additions are not counted */
    work->accumulator = RIDGE_FP32;
    work->pipe = RIDGE_PIPE_ANY;
    return RIDGE_OK;
}

/* {moved}: 1, or 0 where a rank is alone; {sent}: messages, of weight_sync once. */
static double symbol(const ridge_call *call, const char *name, size_t size)
{
    bool sync = call->op->param_count > RIDGE_COMM_EXPERTS;
    if (ridge__text_is("moved", name, size))
        return call->arg[RIDGE_COMM_RANKS] > 1;
    if (ridge__text_is("sent", name, size))
        return sync ? 1 : call->arg[RIDGE_COMM_MESSAGES];
    return RIDGE_UNKNOWN;
}

/* ---- The rows ---------------------------------------------------------------------- */

static const char *const operands[] = {"read", "written"};

#define ROW_OF(key, what, params_)                                                   \
    .name = (key), .family = "collective", .form = RIDGE_FORM_COLLECTIVE,            \
    .params = (params_), .param_count = RIDGE__COUNT(params_), .operands = operands, \
    .operand_count = RIDGE__COUNT(operands), .count = count, .finish = finish,       \
    .symbol = symbol, .flop_formula = "0", .flop_per_element = RIDGE_UNKNOWN,        \
    .special_per_element = RIDGE_UNKNOWN, .comm = (what)
#define ROW(key, what)                                                                   \
    ROW_OF(key, what, params),                                                           \
        .growth = "no FLOP: the links bound it at every size",                           \
        .not_counted = "additions of a reduction, copies through buffers, latency",      \
        .source = "bytes that leave or reach one part in any algorithm; S and busbw as " \
                  "nccl-tests' PERFORMANCE.md defines them",                             \
        .example = "bytes=64MiB ranks=8 dtype=bf16"

static const ridge_op ops[] = {
    {
        ROW("all_reduce", RIDGE_COMM_ALL_REDUCE),
        .aliases = "allreduce",
        .title = "every rank gets the sum of all buffers of S",
        .bytes_formula = "2*{bytes}*{moved}",
        .wire_formula = "S min(2(r-1)/r, (r+1)/r where the switch adds)",
        .network_formula = "S/r min(2(N-1)/N, 1 where the network adds)",
    },
    {
        ROW("all_gather", RIDGE_COMM_ALL_GATHER),
        .aliases = "allgather",
        .title = "every rank gets the shares of S/n of all",
        .bytes_formula = "{bytes}*{moved}",
        .wire_formula = "S (r-1)/r",
        .network_formula = "S/r (N-1)/N",
    },
    {
        ROW("reduce_scatter", RIDGE_COMM_REDUCE_SCATTER),
        .aliases = "reducescatter",
        .title = "every rank gets its S/n of the sum of all buffers of S",
        .bytes_formula = "{bytes}*({ranks} + 1)/{ranks}*{moved}",
        .wire_formula = "S (r-1)/r",
        .network_formula = "S/r (N-1)/N",
    },
    {
        ROW("alltoall", RIDGE_COMM_ALLTOALL),
        .aliases = "all_to_all all2all",
        .title = "every rank sends S/n to each other rank",
        .bytes_formula = "2*{bytes}*({ranks} - 1)/{ranks}",
        .wire_formula = "S (r-1)/n",
        .network_formula = "S (n-r)/n",
    },
    {
        ROW("broadcast", RIDGE_COMM_BROADCAST),
        .aliases = "bcast",
        .title = "every rank gets the root's S",
        .bytes_formula = "{bytes}*{moved}",
        .wire_formula = "S; over several nodes S (r-1)/r",
        .network_formula = "S/r",
    },
    {
        ROW("reduce", RIDGE_COMM_REDUCE),
        .title = "the root gets the sum of all buffers of S",
        .bytes_formula = "{bytes}*{moved}",
        .wire_formula = "S; over several nodes S (r-1)/r",
        .network_formula = "S/r",
    },
    {
        ROW("gather", RIDGE_COMM_GATHER),
        .title = "the root gets the shares of S/n of all",
        .bytes_formula = "{bytes}*({ranks} - 1)/{ranks}",
        .wire_formula = "S ((n-1)/n - (n-r)/n/r), at the root",
        .network_formula = "S (n-r)/n/r, at the root's node",
    },
    {
        ROW("scatter", RIDGE_COMM_SCATTER),
        .title = "every rank gets its S/n of the root's buffer",
        .bytes_formula = "{bytes}*({ranks} - 1)/{ranks}",
        .wire_formula = "S ((n-1)/n - (n-r)/n/r), at the root",
        .network_formula = "S (n-r)/n/r, at the root's node",
    },
    {
        ROW_OF("send_recv", RIDGE_COMM_SEND, send_params),
        .aliases = "sendrecv p2p",
        .title = "messages of S from one part to another, in pieces or not",
        .bytes_formula = "{bytes}*{sent}*{moved}",
        .wire_formula = "S messages senders, into the receiver",
        .network_formula = "the same, where the two are of different nodes",
        .growth = "no FLOP: the link bounds it at every size",
        .not_counted = "the work on a piece (step), copies through buffers, latency",
        .source = "each byte crosses the receiver's link once",
        .example = "bytes=100MB",
    },
    {
        ROW_OF("weight_sync", RIDGE_COMM_SEND, sync_params),
        .title = "a master's expert weights of S to its replicas",
        .bytes_formula = "{bytes}*{sent}*{moved}",
        .wire_formula = "S experts max(replicas, masters): out of a master, or into a "
                        "replica of several masters",
        .network_formula = "the same, where they are of different nodes",
        .growth = "no FLOP: the link bounds it at every size",
        .not_counted = "the work on a piece (step), copies through buffers, latency",
        .source = "a copy for each replica leaves the master's link; no multicast",
        .example = "bytes=100MB replicas=3",
    },
};

ridge__op_rows ridge__op_rows_collective(void)
{
    return (ridge__op_rows){ops, RIDGE__COUNT(ops)};
}
