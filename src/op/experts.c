/*
 * Expert-parallel exchange: tokens go to the ranks that hold their experts (dispatch) and
 * the experts' results come back (combine).  docs/model/collective.md has the derivation.
 */
#include "op/op_priv.h"

#define PHASES                                                          \
    "dispatch combine prepare combine_low_precision alltoall_dispatch " \
    "alltoall_combine alltoall_prepare alltoall_combine_low_precision"

enum {
    TOPK_MAX = 1024 /* no router chooses as many; the count loops over them */
};
/* fp8 elements with a 4-byte scale per 128: what DeepEP's dispatch may send for bf16. */
static const double FP8_SCALED = 1 + 4.0 / 128;

#define TOPK_PARAM                                                                       \
    {                                                                                    \
        .name = "topk", .aliases = "k", .kind = RIDGE_PARAM_COUNT,                       \
        .unit = RIDGE_UNIT_COUNT, .required = true, .fallback = RIDGE_UNKNOWN, .min = 1, \
        .max = TOPK_MAX, .help = "experts that a token goes to"                          \
    }
#define PHASE_PARAM                                                          \
    {                                                                        \
        .name = "phase", .kind = RIDGE_PARAM_WORD, .unit = RIDGE_UNIT_COUNT, \
        .required = true, .fallback = RIDGE_UNKNOWN, .words = PHASES,        \
        .help = "which way: to the experts, or back"                         \
    }
#define HEAD                                                                         \
    [RIDGE_EP_PHASE] = PHASE_PARAM,                                                  \
    [RIDGE_EP_TOKENS] = RIDGE__PARAM_SIZE("tokens", NULL, "on each rank"),           \
    [RIDGE_EP_HIDDEN] = RIDGE__PARAM_SIZE("hidden", NULL, "elements of a token"),    \
    [RIDGE_EP_TOPK] = TOPK_PARAM,                                                    \
    [RIDGE_EP_EXPERTS] = RIDGE__PARAM_SIZE("experts", "e", "on all ranks together"), \
    [RIDGE_EP_RANKS] = RIDGE__PARAM_SIZE("ranks", "ep", "that the experts lie on"),  \
    [RIDGE_EP_RANKS_PER_NODE] =                                                      \
        RIDGE__PARAM_COUNT("ranks_per_node", NULL, RIDGE_UNKNOWN, 1,                 \
                           "ranks that one fabric joins; default: as many as the "   \
                           "system's does"),                                         \
    [RIDGE_EP_DTYPE] =                                                               \
        RIDGE__PARAM_DTYPE("dtype", NULL, true, RIDGE_UNKNOWN, "of the tokens"),     \
    [RIDGE_EP_DTYPE_WIRE] = RIDGE__PARAM_DTYPE(                                      \
        "dtype_wire", NULL, false, RIDGE_UNKNOWN,                                    \
        "as sent; default: dtype, of results bf16, of DeepEP's dispatch fp8"),       \
    [RIDGE_EP_SMS] = RIDGE__PARAM_COUNT("sms", NULL, RIDGE_UNKNOWN, 1,               \
                                        "SMs that the kernel may use"),              \
    [RIDGE_EP_MAX_NODES] =                                                           \
        RIDGE__PARAM_COUNT("max_nodes", "topk_nodes", RIDGE_UNKNOWN, 1,              \
                           "nodes that a token may go to (4 in DeepSeek-V3); "       \
                           "default: all")

static const ridge__param params[] = {HEAD};
static const ridge__param trtllm_params[] = {
    HEAD, [RIDGE_EP_KERNEL] = RIDGE__PARAM_WORD(
              "kernel", "two_sided one_sided NVLinkTwoSided NVLinkOneSided", 0,
              "which of the library's kernels; default: two-sided")};
#undef HEAD

double ridge__comm_distinct(double experts, double topk, double groups)
{
    /* 1 - C(E - E/g, k) / C(E, k), k experts drawn without repetition. */
    double each = experts / groups, none = 1;
    for (int i = 0; i < (int)topk && none > 0; i++)
        none *= ridge__max(0, experts - each - i) / (experts - i);
    return groups * (1 - none);
}

double ridge__comm_reached(const ridge_call *call, double groups)
{
    const double *a = call->arg;
    double r, share = a[RIDGE_EP_MAX_NODES] / ridge__comm_nodes(call, &r);
    if (!(share < 1)) /* or unknown: none is out of reach */
        share = 1;
    return ridge__comm_distinct(a[RIDGE_EP_EXPERTS] * share, a[RIDGE_EP_TOPK],
                                groups * share);
}

static unsigned phase_of(const ridge_call *call)
{
    return (unsigned)call->arg[RIDGE_EP_PHASE] % RIDGE_EP_PHASES;
}

/* Bytes of an element as it is sent. */
static double sent_bytes(const ridge_call *call)
{
    unsigned phase = phase_of(call);
    if (phase == RIDGE_EP_PREPARE)
        return 0;
    if (ridge__call_given(call, RIDGE_EP_DTYPE_WIRE))
        return ridge__call_bytes(call, RIDGE_EP_DTYPE_WIRE);
    if (phase == RIDGE_EP_COMBINE)
        return ridge__dtype(RIDGE_BF16)->activation_bytes;
    double bytes = ridge__call_bytes(call, RIDGE_EP_DTYPE);
    /* DeepEP, that is: TensorRT-LLM's kernel (which has variants) sends what it is given. */
    bool quantised =
        phase == RIDGE_EP_DISPATCH && call->op->comm != RIDGE_COMM_MOE_TRTLLM;
    return quantised ? ridge__min(bytes, FP8_SCALED) : bytes;
}

static ridge_status finish(ridge_call *call, ridge_error *err)
{
    const double *a = call->arg;
    if (a[RIDGE_EP_TOPK] > a[RIDGE_EP_EXPERTS])
        return ridge__error_set(err, RIDGE_INVALID,
                                "topk=%.0f is more than experts=%.0f; a token goes to "
                                "different ones",
                                a[RIDGE_EP_TOPK], a[RIDGE_EP_EXPERTS]);
    if (a[RIDGE_EP_RANKS] > a[RIDGE_EP_EXPERTS])
        return ridge__error_set(err, RIDGE_INVALID,
                                "ranks=%.0f is more than experts=%.0f; each rank holds "
                                "at least one",
                                a[RIDGE_EP_RANKS], a[RIDGE_EP_EXPERTS]);
    return RIDGE_OK;
}

/*
 * A token reaches u = n (1 - C(E - E/n, k)/C(E, k)) distinct ranks (of the nodes that
 * its router chose, where it chooses nodes first), u (n-1)/n of them
 * not its own, and over the network each other node once.  Within a node it goes on over
 * the fabric.  Results come back by the same ways, summed where they meet.
 */
static ridge_status count(ridge_work *work, const ridge_call *call, ridge_error *err)
{
    (void)err;
    const double *a = call->arg;
    double n = a[RIDGE_EP_RANKS], r, N = ridge__comm_nodes(call, &r);
    double s = sent_bytes(call), token = a[RIDGE_EP_TOKENS] * a[RIDGE_EP_HIDDEN] * s;
    double u = ridge__comm_reached(call, n), v = ridge__comm_reached(call, N);
    double ranks = u * (n - 1) / n, nodes = v * (N - 1) / N;
    bool back =
        phase_of(call) == RIDGE_EP_COMBINE || phase_of(call) == RIDGE_EP_COMBINE_LOW;
    work->wire_bytes = token * ridge__max(0, ranks - nodes);
    work->network_bytes = token * nodes;
    ridge__work_operand(work, n > 1 ? token * (back ? u : 1) : 0);
    ridge__work_operand(work, n > 1 ? token * (back ? 1 : u) : 0);
    work->dtype = RIDGE_DTYPE_COUNT;
    work->accumulator = RIDGE_FP32;
    work->pipe = RIDGE_PIPE_ANY;
    return RIDGE_OK;
}

static double symbol(const ridge_call *call, const char *name, size_t size)
{
    const double *a = call->arg;
    if (ridge__text_is("u", name, size))
        return ridge__comm_distinct(a[RIDGE_EP_EXPERTS], a[RIDGE_EP_TOPK],
                                    a[RIDGE_EP_RANKS]);
    if (ridge__text_is("s", name, size))
        return a[RIDGE_EP_RANKS] > 1 ? sent_bytes(call) : 0;
    return RIDGE_UNKNOWN;
}

static const char *const operands[] = {"read", "written"};

#define ROW(key, params_, kind)                                                       \
    .name = (key), .family = "moe_comm", .form = RIDGE_FORM_EXPERTS,                  \
    .params = (params_), .param_count = RIDGE__COUNT(params_), .operands = operands,  \
    .operand_count = RIDGE__COUNT(operands), .count = count, .finish = finish,        \
    .symbol = symbol, .flop_formula = "0",                                            \
    .bytes_formula = "{tokens}*{hidden}*{s}*(1 + {u})",                               \
    .wire_formula = "tokens hidden s (u (n-1)/n - v (N-1)/N)",                        \
    .network_formula = "tokens hidden s v (N-1)/N",                                   \
    .growth = "no FLOP: the links bound it at every size",                            \
    .not_counted = "routing tables, scales, copies through buffers, latency",         \
    .assumes =                                                                        \
        "that the router spreads tokens evenly: one that keeps them near sends less", \
    .source = "expected distinct ranks u and nodes v of topk different experts of "   \
              "uniform routing",                                                      \
    .special_per_element = RIDGE_UNKNOWN, .flop_per_element = RIDGE_UNKNOWN,          \
    .comm = (kind)

static const ridge_op ops[] = {
    {
        ROW("deepep_normal", params, RIDGE_COMM_MOE),
        .title = "tokens to experts and back, DeepEP for throughput",
        .example = "phase=dispatch tokens=4096 hidden=7168 topk=8 experts=256 ranks=8 "
                   "dtype=bf16",
    },
    {
        ROW("deepep_low_latency", params, RIDGE_COMM_MOE_LOW),
        .title = "tokens to experts and back, DeepEP for decode",
        .example = "phase=combine tokens=128 hidden=7168 topk=8 experts=256 ranks=8 "
                   "dtype=bf16",
    },
    {
        ROW("trtllm_alltoall", trtllm_params, RIDGE_COMM_MOE_TRTLLM),
        .title = "tokens to experts and back, TensorRT-LLM in NVLink",
        .example = "phase=dispatch tokens=256 hidden=7168 topk=8 experts=256 ranks=8 "
                   "dtype=fp8",
    },
};

ridge__op_rows ridge__op_rows_experts(void)
{
    return (ridge__op_rows){ops, RIDGE__COUNT(ops)};
}
