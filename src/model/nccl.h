/*
 * nccl - which algorithm and protocol NCCL takes within a node.  It picks the cheapest by a
 * table of its own, not by the times of this machine: so do we, from data/nccl.
 */
#ifndef RIDGE_MODEL_NCCL_H
#define RIDGE_MODEL_NCCL_H

#include "machine/machine.h"
#include "op/op.h"

/* What it knows of the collective and of the node. */
typedef struct ridge__nccl_call {
    ridge__nccl_arch arch;
    double bytes, ranks;
    double steps, moved; /* of a ring; bytes that one link carries */
    double stated;       /* bytes/s out of one part */
    double graph;        /* of all rings of its search */
    double channels;
    double ll_max; /* unknown: that of its table */
    bool host;     /* over PCIe and host memory: no LL128 */
    bool reduces;  /* an all-reduce: trees too */
} ridge__nccl_call;

typedef struct ridge__nccl_choice {
    bool tree;
    ridge__nccl_protocol protocol;
    double cost_s; /* in its own eyes */
} ridge__nccl_choice;

/* Its row of a part; RIDGE__NCCL_ARCHS: none of NVIDIA's, or unknown. */
ridge__nccl_arch ridge__nccl_arch_of(const ridge_machine *machine);
/* The cheapest of rings, of trees, or of both. */
ridge__nccl_choice ridge__nccl_choose(const ridge__nccl_call *call, bool rings,
                                      bool trees);
/* What it takes in-switch reduction to cost. */
double ridge__nccl_nvls_s(const ridge__nccl_call *call);

#endif
