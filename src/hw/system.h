/*
 * system - a node or rack: a part, how many, how they reach each other, and what else the
 * box holds.
 */
#ifndef RIDGE_HW_SYSTEM_H
#define RIDGE_HW_SYSTEM_H

#include <ridge.h>

typedef enum ridge__topology {
    RIDGE__SWITCH,  /* every part reaches every other at its full rate */
    RIDGE__MESH,    /* a link per peer: one peer sees a share of the rate */
    RIDGE__PAIRS,   /* bridged two by two; beyond the pair over the host's bus */
    RIDGE__TORUS,   /* links to the neighbours of a grid */
    RIDGE__PCIE,    /* the host's bus */
    RIDGE__NETWORK, /* adapters and switches between nodes */
    RIDGE__TOPOLOGY_COUNT
} ridge__topology;

/* "switch", as files write it; NULL out of range. */
const char *ridge__topology_name(ridge__topology topology);

/* How parts reach each other, as one part sees it. */
typedef struct ridge__fabric {
    const char *name;         /* "NVSwitch 3", "IB NDR"; borrowed; NULL: there is none */
    ridge__topology topology; /* of no meaning where there is none */
    ridge_fact bandwidth;     /* bytes/s out of one part, one direction, stated */
    ridge_fact achieved;      /* the same as measured; unknown where nobody did */
    ridge_fact per_peer;      /* MESH, PAIRS: bytes/s to one peer; else unknown */
    ridge_fact beyond;        /* PAIRS: bytes/s to a part outside the pair */
    ridge_fact latency;       /* s, one hop / one small access */
    double parts;             /* how many parts it joins: 8, 72; unknown if unbounded */
    bool reduces;             /* the switch adds (NVLS, SHARP) */
    const char *link;         /* id of data/links that it is built of; NULL */
    const char *note;         /* NULL: none */
} ridge__fabric;

/* A fabric that is not there: no name, nothing known. */
ridge__fabric ridge__fabric_none(void);

/* What a datasheet gives for all parts of the inside fabric together. */
typedef struct ridge__total {
    const char *what; /* a dtype, "dram", "dram_capacity", "link_both", "fast_memory" */
    ridge_fact
        value; /* FLOP/s (dense), bytes/s or bytes; link_both: of both directions */
    const char *note; /* NULL: none */
} ridge__total;

struct ridge_system {
    const char *id, *name, *gpu; /* gpu: id of the part */
    const char *const *aliases;
    size_t alias_count;
    const ridge_device *device;
    bool ordinary;   /* meant where only its part is named */
    ridge_fact gpus; /* of one node */
    ridge__fabric inside, between;
    ridge_fact switches;               /* switch chips of the inside fabric */
    ridge_fact nics, nic_rate;         /* of one node; bytes/s of one, one direction */
    double nics_per_gpu;               /* 0.5: two parts share one */
    const char *nic_kind;              /* "ConnectX-7"; NULL */
    const char *cpu;                   /* "2x Xeon Platinum 8480C", of one node; NULL */
    ridge_fact cpu_sockets, cpu_cores; /* of one node */
    ridge_fact host_memory;            /* bytes, of one node */
    const char *pcie;                  /* "PCIe 5 x16"; NULL */
    ridge_fact power_w;                /* of one node, or of the domain */
    bool power_of_domain;
    const ridge__total *total;
    size_t total_count;
    const char *const *notes;
    size_t note_count;
};

/* Parts that the inside fabric joins: its own figure, else those of a node. */
double ridge__system_domain(const ridge_system *system);

/*
 * The system that is meant where only a part is named: the listed one that holds it and
 * says "ordinary".  *out is NULL where none does.
 */
RIDGE_MUST_CHECK ridge_status ridge__catalog_ordinary(const ridge_system **out,
                                                      ridge_catalog *catalog,
                                                      const char *gpu, ridge_error *err);

/* As ridge_catalog_load() and ridge_catalog_load_system(), but no path of a file:
 * NOTFOUND. */
RIDGE_MUST_CHECK ridge_status ridge__catalog_load_listed(const ridge_device **out,
                                                         ridge_catalog *catalog,
                                                         const char *name,
                                                         ridge_error *err);
RIDGE_MUST_CHECK ridge_status ridge__catalog_system_listed(const ridge_system **out,
                                                           ridge_catalog *catalog,
                                                           const char *name,
                                                           ridge_error *err);

/* The listed link of that id, or else of that name ("NVLink 4"); *out is NULL where none
 * is. */
RIDGE_MUST_CHECK ridge_status ridge__catalog_link(const ridge_link **out,
                                                  ridge_catalog *catalog, const char *id,
                                                  const char *name, ridge_error *err);

#endif
