#include "model/nccl.h"

#include "base/base.h"

#include <stdlib.h>

/* Shares of tuning.cc that no table of it holds. */
static const double LL_RING = 0.5;        /* of the rings' rate, LL */
static const double LL128_RING = 0.92;    /* the same, LL128 */
static const double LL_TREE = 1 / 3.8;    /* of the rings' rate, trees */
static const double LL128_TREE = 7.0 / 9; /* within a node */
static const double SIMPLE_TREE = 0.92;
static const double TREE = 0.85 / 2; /* of a tree's rate: pattern, and half each way */

ridge__nccl_arch ridge__nccl_arch_of(const ridge_machine *machine)
{
    const ridge_device *d = machine->device;
    if (!d || !d->capability || !d->vendor || strcmp(d->vendor, "NVIDIA") != 0)
        return RIDGE__NCCL_ARCHS;
    long major = strtol(d->capability, NULL, 10);
    return major < 8    ? RIDGE__NCCL_VOLTA
           : major == 8 ? RIDGE__NCCL_AMPERE
           : major == 9 ? RIDGE__NCCL_HOPPER
                        : RIDGE__NCCL_BLACKWELL;
}

/* bytes/s of a protocol; 0: it is off. */
static double ring_rate(const ridge__nccl_call *c, ridge__nccl_protocol protocol)
{
    const ridge__nccl *t = &ridge__nccl_table;
    double most = ridge_known(c->ll_max) ? c->ll_max : t->ll_max_bytes_per_s[c->arch][0];
    switch (protocol) {
    case RIDGE__NCCL_LL:
        return ridge__min(most, LL_RING * c->graph);
    case RIDGE__NCCL_LL128:
        return c->host ? 0
                       : ridge__min(LL128_RING * c->graph,
                                    c->channels * t->ring_ll128_bytes_per_s[c->arch][0]);
    default:
        return c->graph;
    }
}

static double tree_rate(const ridge__nccl_call *c, ridge__nccl_protocol protocol)
{
    const ridge__nccl *t = &ridge__nccl_table;
    double most = ridge_known(c->ll_max) ? c->ll_max : t->ll_max_bytes_per_s[c->arch][0];
    switch (protocol) {
    case RIDGE__NCCL_LL:
        return ridge__min(most, LL_TREE * c->graph);
    case RIDGE__NCCL_LL128:
        return c->host ? 0
                       : ridge__min(LL128_TREE * c->graph,
                                    c->channels * t->tree_ll128_bytes_per_s[c->arch][0]);
    default:
        return ridge__min(SIMPLE_TREE * c->graph,
                          c->channels * t->tree_bytes_per_s[c->arch][0]);
    }
}

static double ring_cost(const ridge__nccl_call *c, ridge__nccl_protocol protocol)
{
    const ridge__nccl *t = &ridge__nccl_table;
    ridge__nccl_wire wire = c->host ? RIDGE__NCCL_PCI : RIDGE__NCCL_NVLINK;
    return t->base_latency_s[RIDGE__NCCL_RING][protocol] +
           c->steps * t->hop_latency_s[wire][RIDGE__NCCL_RING][protocol] +
           c->moved / ring_rate(c, protocol);
}

static double tree_cost(const ridge__nccl_call *c, ridge__nccl_protocol protocol)
{
    enum {
        UNIT = 64 /* bytes; its corrections are by log2 of the size in them */
    };
    const ridge__nccl *t = &ridge__nccl_table;
    ridge__nccl_wire wire = c->host ? RIDGE__NCCL_PCI : RIDGE__NCCL_NVLINK;
    double size = floor(log2(ridge__max(c->bytes / UNIT, 1)));
    double factor =
        t->tree_correction[protocol][(int)ridge__min(size, RIDGE__NCCL_SIZES - 1)];
    return t->base_latency_s[RIDGE__NCCL_TREE][protocol] +
           2 * (c->ranks - 1) * t->hop_latency_s[wire][RIDGE__NCCL_TREE][protocol] +
           c->bytes / (TREE * factor * tree_rate(c, protocol));
}

ridge__nccl_choice ridge__nccl_choose(const ridge__nccl_call *c, bool rings, bool trees)
{
    ridge__nccl_choice best = {false, RIDGE__NCCL_SIMPLE, INFINITY};
    for (int p = 0; p < RIDGE__NCCL_PROTOCOLS; p++) {
        ridge__nccl_protocol protocol = (ridge__nccl_protocol)p;
        double ring =
            rings && ring_rate(c, protocol) > 0 ? ring_cost(c, protocol) : INFINITY;
        double tree = trees && c->reduces && tree_rate(c, protocol) > 0
                          ? tree_cost(c, protocol)
                          : INFINITY;
        if (ring < best.cost_s)
            best = (ridge__nccl_choice){false, protocol, ring};
        if (tree < best.cost_s)
            best = (ridge__nccl_choice){true, protocol, tree};
    }
    return best;
}

/* Channels of a rate each, one of them for control; two bytes of sum for each on the wire. */
double ridge__nccl_nvls_s(const ridge__nccl_call *c)
{
    const ridge__nccl *t = &ridge__nccl_table;
    double channels = t->nvls_channels[c->arch];
    double rate = t->nvls_share[c->arch] * c->stated * t->nvls_efficiency[c->arch] *
                  (channels - 1) / channels;
    double fixed =
        t->hop_latency_s[RIDGE__NCCL_NVLINK][RIDGE__NCCL_NVLS][RIDGE__NCCL_SIMPLE];
    return fixed + c->bytes / (rate * c->ranks / (c->ranks - 1));
}
