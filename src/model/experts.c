/*
 * Tokens to experts on other ranks and back.  docs/model/collective.md has the formula, its
 * sources and a worked number.
 */
#include "base/base.h"
#include "model/collective.h"

/* DeepEP's low-latency dispatch gives each expert the warps of a third of an SM. */
static const double EXPERTS_PER_SM = 3;
/* Ranks of one tray of a rack: those beyond it are reached through more switches. */
static const double TRAY = 4;

const char *ridge__experts_fit(const ridge_call *call)
{
    static const char *const names[3][RIDGE_EP_PHASES][2] = {
        {{"deepep_normal/dispatch", "deepep_normal/dispatch_network"},
         {"deepep_normal/combine", "deepep_normal/combine_network"},
         {"deepep_normal/prepare", "deepep_normal/prepare"},
         {"deepep_normal/combine", "deepep_normal/combine_network"}},
        {{"deepep_low_latency/dispatch", "deepep_low_latency/dispatch_network"},
         {"deepep_low_latency/combine", "deepep_low_latency/combine_network"},
         {"deepep_low_latency/prepare", "deepep_low_latency/prepare"},
         {"deepep_low_latency/combine", "deepep_low_latency/combine_network"}},
        /* Within one fabric; the second is the one-sided kernel. */
        {{"trtllm_alltoall/dispatch", "trtllm_alltoall/dispatch_one_sided"},
         {"trtllm_alltoall/combine", "trtllm_alltoall/combine_one_sided"},
         {"trtllm_alltoall/prepare", "trtllm_alltoall/prepare"},
         {"trtllm_alltoall/combine_low", "trtllm_alltoall/combine_low"}},
    };
    size_t op = (size_t)(call->op->comm - RIDGE_COMM_MOE);
    size_t phase = (size_t)call->arg[RIDGE_EP_PHASE] % RIDGE_EP_PHASES;
    double r;
    bool second = call->op->comm == RIDGE_COMM_MOE_TRTLLM
                      ? fmod(call->arg[RIDGE_EP_KERNEL], 2) > 0
                      : ridge__comm_nodes(call, &r) > 1;
    return names[op][phase][second];
}

static double norm(double a, double b, double power)
{
    if (power == 1)
        return a + b;
    if (a <= 0 || b <= 0)
        return ridge__max(a, b);
    return pow(pow(a, power) + pow(b, power), 1 / power);
}

#define C(name, absent) ridge__form_constant(in, RIDGE_EXPERTS_##name, absent)

/* Bytes over the fabric: each token once for each rank, or once for each expert. */
static double link_time(const ridge_estimate *e, const ridge__form_input *in)
{
    const double *a = in->call->arg;
    ridge__route route = ridge__comm_route(in->machine, in->call);
    double n = a[RIDGE_EP_RANKS], bytes = e->work.wire_bytes;
    if (C(EACH_EXPERT, 0) > 0) {
        double u = ridge__comm_reached(in->call, n);
        bytes *= a[RIDGE_EP_TOPK] / u;
    }
    double share = C(LINK_SHARE, 1);
    if (n > TRAY)
        share = C(FAR_SHARE, share);
    double time = bytes > 0 ? bytes / (route.inside.value * share) : 0;
    if (e->work.network_bytes > 0)
        time += e->work.network_bytes / (route.network.value * C(NET_SHARE, 1));
    return time;
}

/* What the SMs that send need for the tokens. */
static double unit_time(const ridge_estimate *e, const ridge__form_input *in)
{
    const double *a = in->call->arg;
    double tokens = a[RIDGE_EP_TOKENS], n = a[RIDGE_EP_RANKS];
    double time = tokens * a[RIDGE_EP_TOPK] * C(PAIR_TIME, 0);
    double rate = C(SM_RATE, 0), units = in->machine->units.value;
    double reached = ridge__comm_reached(in->call, n);
    if (rate > 0) {
        const double ORDINARY_SMS = 20; /* DeepEP's default */
        double sms = ridge_known(a[RIDGE_EP_SMS]) ? a[RIDGE_EP_SMS] : ORDINARY_SMS;
        double sent = e->work.bytes / (1 + reached) / tokens; /* bytes of a token */
        time += tokens * (reached * (n - 1) / n + C(LOCAL_COPIES, 0)) *
                (sent + C(MESSAGE_BYTES, 0)) / (sms * rate);
    }
    if (C(TOKEN_TIME, 0) > 0) {
        double sms = ridge__min(ceil(a[RIDGE_EP_EXPERTS] / EXPERTS_PER_SM), units);
        time += ceil(tokens / sms) * C(TOKEN_TIME, 0);
    }
    return time;
}

void ridge__form_experts(ridge_estimate *e, const ridge__form_input *in)
{
    const double *c = in->fit->c, *a = in->call->arg;
    double n = a[RIDGE_EP_RANKS];
    e->launch_s =
        ridge__form_launch(in->call, c[RIDGE_EXPERTS_LAUNCH_GRAPH],
                           c[RIDGE_EXPERTS_LAUNCH_STREAM], c[RIDGE_EXPERTS_LAUNCH_EAGER]);
    if (n <= 1) {
        e->launch_s = e->latency_s = e->body_s = 0;
        return;
    }
    double fixed = C(FIXED, 0) + C(FIXED_LOG, 0) * log2(n) +
                   C(EXPERT_FIXED, 0) * a[RIDGE_EP_EXPERTS] / n;
    double links = link_time(e, in), units = unit_time(e, in);
    ridge__route route = ridge__comm_route(in->machine, in->call);
    e->latency_s = e->launch_s + fixed;
    e->body_s = norm(fixed, norm(links, units, C(OVERLAP, 1)), C(OVERLAP_FIXED, 1));
    if (in->working) {
        ridge__working *w = in->working;
        ridge__working_add(w, "start", "barriers, by ranks and experts", fixed,
                           RIDGE_UNIT_S);
        ridge__working_add(w, "links", "bytes at what they reach of the links", links,
                           RIDGE_UNIT_S);
        ridge__working_add(w, "sending", "tokens on the SMs that send", units,
                           RIDGE_UNIT_S);
        ridge__working_add(w, "p", NULL, C(OVERLAP, 1), RIDGE_UNIT_NONE);
        ridge__working_add(w, "q", NULL, C(OVERLAP_FIXED, 1), RIDGE_UNIT_NONE);
        ridge__working_add(w, "body",
                           "({start}^{q} + (({links}^{p} + {sending}^{p})^(1/{p}))^{q})"
                           "^(1/{q})",
                           e->body_s, RIDGE_UNIT_S);
    }
    ridge__estimate_term(e, "launch", RIDGE_BY_LATENCY, RIDGE_UNKNOWN, RIDGE_UNKNOWN,
                         RIDGE_UNKNOWN, e->launch_s);
    ridge__estimate_term(e, "start and barriers", RIDGE_BY_LATENCY, RIDGE_UNKNOWN,
                         RIDGE_UNKNOWN, RIDGE_UNKNOWN, fixed);
    if (links > 0)
        ridge__estimate_term(e, "links", RIDGE_BY_COMMUNICATION, e->work.wire_bytes,
                             route.inside.value, RIDGE_UNKNOWN, links);
    if (units > 0)
        ridge__estimate_term(e, "sending SMs", RIDGE_BY_COMMUNICATION, RIDGE_UNKNOWN,
                             RIDGE_UNKNOWN, RIDGE_UNKNOWN, units);
}
