/*
 * nccl - the constants by which NCCL chooses an algorithm and a protocol: what it takes
 * the latencies and rates of each to be.  A ranking device of its authors, not a
 * measurement.
 */
#ifndef RIDGE_HW_NCCL_H
#define RIDGE_HW_NCCL_H

#include "base/base.h"

#include <ridge.h>

typedef enum ridge__nccl_arch {
    RIDGE__NCCL_VOLTA, /* and all before */
    RIDGE__NCCL_AMPERE,
    RIDGE__NCCL_HOPPER,
    RIDGE__NCCL_BLACKWELL, /* and all after */
    RIDGE__NCCL_ARCHS
} ridge__nccl_arch;

typedef enum ridge__nccl_algorithm {
    RIDGE__NCCL_TREE,
    RIDGE__NCCL_RING,
    RIDGE__NCCL_COLLNET_DIRECT,
    RIDGE__NCCL_COLLNET_CHAIN,
    RIDGE__NCCL_NVLS,
    RIDGE__NCCL_NVLS_TREE,
    RIDGE__NCCL_PAT,
    RIDGE__NCCL_ALGORITHMS
} ridge__nccl_algorithm;

typedef enum ridge__nccl_protocol {
    RIDGE__NCCL_LL,
    RIDGE__NCCL_LL128,
    RIDGE__NCCL_SIMPLE,
    RIDGE__NCCL_PROTOCOLS
} ridge__nccl_protocol;

typedef enum ridge__nccl_wire {
    RIDGE__NCCL_NVLINK,
    RIDGE__NCCL_PCI,
    RIDGE__NCCL_NET,
    RIDGE__NCCL_WIRES
} ridge__nccl_wire;

enum {
    RIDGE__NCCL_NODES = 3, /* one, two, more */
    RIDGE__NCCL_SIZES = 24 /* floor(log2(bytes / 64)): 0 .. 23 and above */
};

/* Seconds, bytes/s, shares.  Unknown: NCCL has no such combination. */
typedef struct ridge__nccl {
    const char *source; /* "NCCL 2.30.7, src/graph/tuning.cc, ..." */
    double base_latency_s[RIDGE__NCCL_ALGORITHMS][RIDGE__NCCL_PROTOCOLS];
    double hop_latency_s[RIDGE__NCCL_WIRES][RIDGE__NCCL_ALGORITHMS]
                        [RIDGE__NCCL_PROTOCOLS];
    /* One node: by architecture.  Several: row VOLTA for Intel and other CPUs, AMPERE for
     * AMD or mixed ones. */
    double ll_max_bytes_per_s[RIDGE__NCCL_ARCHS][RIDGE__NCCL_NODES];
    /* Of one channel. */
    double ring_ll128_bytes_per_s[RIDGE__NCCL_ARCHS][RIDGE__NCCL_NODES];
    double tree_ll128_bytes_per_s[RIDGE__NCCL_ARCHS][RIDGE__NCCL_NODES];
    double tree_bytes_per_s[RIDGE__NCCL_ARCHS][RIDGE__NCCL_NODES];
    double nvls_tree_bytes_per_s[RIDGE__NCCL_ARCHS][RIDGE__NCCL_NODES];
    double nvls_efficiency[RIDGE__NCCL_ARCHS];
    double tree_correction[RIDGE__NCCL_PROTOCOLS][RIDGE__NCCL_SIZES];
    /* Of one NVLink, one way: sm60, sm70, sm80, sm86, sm90, sm100. */
    double nvlink_bytes_per_s[6];
    double network_overhead_s[2]; /* Intel and others, AMD; three times in Simple */
    /* What its search settles on in a node of NVLink, by architecture: rings, and the share
     * of the stated rate out of a part that they carry together. */
    double graph_channels[RIDGE__NCCL_ARCHS], graph_share[RIDGE__NCCL_ARCHS];
    double nvls_channels[RIDGE__NCCL_ARCHS], nvls_share[RIDGE__NCCL_ARCHS]; /* likewise */
} ridge__nccl;

/* data/nccl, parsed when the library is built. */
extern const ridge__nccl ridge__nccl_table;

struct ridge__entry;
RIDGE_MUST_CHECK ridge_status ridge__nccl_parse(const ridge__nccl **out,
                                                ridge__arena *arena,
                                                const struct ridge__entry *file,
                                                ridge_error *err);

#endif
