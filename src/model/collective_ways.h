/* What the ways of a collective and their working share; private to the model. */
#ifndef RIDGE_MODEL_COLLECTIVE_WAYS_H
#define RIDGE_MODEL_COLLECTIVE_WAYS_H

#include "model/collective.h"

/* A call on a machine with a fit, as the ways see it. */
typedef struct ridge__exchange {
    const ridge__form_input *in;
    ridge__comm_kind kind;
    double s, n, r, nodes; /* S, ranks, ranks per node, nodes */
    double bytes;          /* of a transfer, over fabric or network */
    double steps, moved;   /* of a ring; bytes a link carries */
    double own;            /* s of copying the rank's own share, which no link carries */
    double stated;         /* bytes/s out of one part */
    double rate, network, rails; /* what is left of it; adapters that a node uses */
    double net_hop;              /* s; unknown: the fit's */
    bool integer;                /* sums of 8-bit integers */
    bool host, pair, reduces;
} ridge__exchange;

/* NCCL's names, by ridge__nccl_protocol. */
extern const char *const ridge__exchange_protocols[];

/* A constant of the fit at the part's clock, where that counts. */
double ridge__exchange_constant(const ridge__exchange *x, int index, double absent);
/* True of starts, which like launches are the part's own work: cycles, not seconds. */
bool ridge__exchange_starts(int index);
/* What those are multiplied by. */
double ridge__exchange_ticks(const ridge__form_input *in);
/* Fixed part, time of a step inside a node and between nodes, by protocol. */
void ridge__exchange_latency(const ridge__exchange *x, int protocol, double *fixed,
                             double *hop, double *net_hop);
/* Bytes, and those that could have gone until all buffers were full. */
double ridge__exchange_warmed(double bytes, double warm);
/* What a protocol's flags make of a byte over the network: LL 2, LL128 16/15. */
double ridge__exchange_coded(int protocol);
/* Share of the fabric that one transfer reaches. */
double ridge__exchange_send_share(const ridge__exchange *x);

/* Rows of how the way taken comes to its steps, bytes and network. */
void ridge__exchange_show(ridge__working *w, const ridge__exchange *x,
                          const ridge__ways *ways);

#endif
