/*
 * ridge/comm.h - communication: what an estimate of a collective or transfer says in the
 * terms of nccl-tests.  Included by <ridge.h>.
 */
#ifndef RIDGE_COMM_H
#define RIDGE_COMM_H

#ifndef RIDGE_H
#error "include <ridge.h>"
#endif

/* One way to do it: an algorithm and a protocol, and what it would take. */
typedef struct ridge_exchange_way {
    const char *algorithm; /* "ring", "tree", "one_shot", "two_shot", "nvls", "direct" */
    const char *protocol;  /* "LL", "LL128", "Simple"; "" where it has none */
    double hops_s;         /* fixed part and steps */
    double inside_s, network_s; /* bytes over the fabric, and over the network */
    double body_s;              /* without the launch */
} ridge_exchange_way;
#define RIDGE_EXCHANGE_WAYS 12

/* An estimate in nccl-tests' terms: S is `bytes`, algbw = S / time, busbw = algbw x
 * bus_factor.  Strings are static. */
typedef struct ridge_exchange {
    double bytes, bytes_per_rank; /* S, and what the call's count says */
    double ranks, nodes, ranks_per_node;
    double payload_bytes;      /* what algbw counts: S; of transfers all they carry */
    double bytes_on_wire;      /* out of one part, over all fabrics */
    double inside_bytes_per_s; /* stated, of one part, as far as these ranks can use it */
    double network_bytes_per_s; /* stated, of one part */
    double bus_factor;          /* 2(n-1)/n, (n-1)/n or 1 */
    double time_s;              /* expected, or the floor where that is unknown */
    double algbw_bytes_per_s, busbw_bytes_per_s;
    const char *algorithm, *protocol; /* of the expected time; NULL: it is unknown */
    const char *inside, *network;     /* names of the fabrics; NULL: none */
    /* busbw is above what the links carry: a sum made by a switch or tree */
    bool over_wire;
    bool assumed; /* the system is the part's ordinary one */
    size_t way_count, chosen;
    ridge_exchange_way way[RIDGE_EXCHANGE_WAYS];
} ridge_exchange;

/*
 * How the estimate of this machine and call comes about.  INVALID if the op is no
 * communication.
 */
RIDGE_MUST_CHECK RIDGE_API ridge_status ridge_exchange_find(
    ridge_exchange *out, const ridge_estimate *estimate, const ridge_machine *machine,
    const ridge_call *call, ridge_error *err);
/* S / time and busbw of a measured time. */
RIDGE_API void ridge_exchange_rates(const ridge_exchange *exchange, double time_s,
                                    double *algbw_bytes_per_s, double *busbw_bytes_per_s);

/* Does it fit in a time, and if not, what would: by the expected time, else the floor. */
typedef struct ridge_gate {
    double within_s, time_s;
    bool met;
    double fits_bytes; /* the largest S in that time; 0: none, as the start is longer */
    const char *count_name; /* "replicas", "messages"; NULL: the op has none */
    double fits_count;      /* the largest number of them */
} ridge_gate;
RIDGE_MUST_CHECK RIDGE_API ridge_status ridge_gate_find(ridge_gate *out,
                                                        const ridge_machine *machine,
                                                        const ridge_call *call,
                                                        double within_s,
                                                        ridge_error *err);

/* True for ops whose work crosses links: they need a machine with a system. */
RIDGE_API bool ridge_op_communicates(const ridge_op *op);

#endif
