/*
 * machine - a value: a part plus overrides (peak, dram, clock, warm) and the facts that a
 * model needs, flattened so that an estimate only reads.  What-if is another machine.
 */
#ifndef RIDGE_MACHINE_H
#define RIDGE_MACHINE_H

#include "base/base.h"
#include "hw/hw.h"

#include <ridge.h>

typedef struct ridge__override {
    char key[16], value[64]; /* as the user wrote it, for reports */
} ridge__override;

/* How near a part is to those whose rows a fit was made of. */
typedef enum ridge__kin {
    RIDGE__KIN_ARCH,  /* of the same architecture */
    RIDGE__KIN_NONE,  /* of another one */
    RIDGE__KIN_VENDOR /* another vendor's, or of parts that nobody knows */
} ridge__kin;

struct ridge_machine {
    ridge_catalog *catalog;     /* borrowed; used only while setting */
    const ridge_device *device; /* borrowed; NULL: given */
    const ridge_system *system; /* borrowed; NULL: a part alone */
    /* How parts of a node reach each other, and nodes; no name: unknown. */
    ridge__fabric inside, between;
    double parts_per_node; /* unknown without a system */
    bool system_assumed;   /* the ordinary node of the part: warning assumed_system */
    /* The rate inside, or between nodes, looks like the sum of both directions. */
    bool link_bidirectional, network_bidirectional;
    /* Dense peaks, FLOP/s, after overrides; the accumulator is fp32 / fp16. */
    ridge_fact peak[RIDGE_DTYPE_COUNT][RIDGE_PIPE_COUNT];
    ridge_fact peak_acc16[RIDGE_DTYPE_COUNT];
    double peak_clock_hz[RIDGE_DTYPE_COUNT][RIDGE_PIPE_COUNT]; /* clock of that peak */
    ridge_fact dram, l2;                                       /* bytes/s */
    ridge_fact dram_capacity, l2_capacity;                     /* bytes */
    ridge_fact link;  /* inside.bandwidth: what leaves the part one way */
    ridge_fact units; /* SMs */
    double clock_matrix_hz, clock_vector_hz; /* under load, for per-cycle constants */
    double board_w;                          /* what the board may draw */
    double special_per_cycle; /* exponentials of an SM; unknown: as most, 16 */
    /* By ridge_atom; until ridge_machine_load_latencies that of DRAM alone. */
    ridge__atom atom[RIDGE_ATOM_COUNT];
    bool atoms_loaded;
    const ridge__latencies *latencies; /* of its architecture, once loaded; NULL: none */
    bool warm;
    bool clock_above_rating;
    uint32_t sparse_peak; /* dtypes whose given peak is the one with 2:4 sparsity */
    uint32_t unsupported;
    ridge__override override[8];
    size_t override_count;
    /* By RIDGE_LINK_*, in the order they are looked up. */
    struct {
        const ridge_fit *fit;
        size_t count;
    } fits[RIDGE_LINK_STATED];
    ridge__kin user_kin; /* of the parts whose rows the user's fits were made of */
    uint32_t like_for;   /* forms that the relative's fits are taken for */
    double like_spread;  /* how far they lie off, as a share */
    /* What a framework's shortest batched product takes on the host that the part's rows
     * are from; unknown without such rows. */
    double host_call_s;
    double host_share; /* of its PCIe link, that a copy reaches; unknown: not looked up */
};

/* True if a part's matrix units take operands from the registers of one warp (mma.sync): its
 * libraries have other kernels than those written for wgmma and tcgen05. */
bool ridge__machine_mma_sync(const ridge_machine *machine);
/*
 * The dense peak for a dtype: `pipe` ANY takes the fastest.  *used receives the pipe.
 * A dtype of vector work without a stated vector rate (bf16 adds) takes that of fp16 or
 * fp32, which such kernels compute in.
 */
ridge_fact ridge__machine_peak(const ridge_machine *machine, ridge_dtype dtype,
                               ridge_pipe pipe, ridge_dtype accumulator,
                               ridge_pipe *used);

/*
 * Whose rate that is: *dtype and *pipe as the call has them become those of the peak that
 * stands for theirs; they stay where the part states it, and where nothing is known.
 */
void ridge__machine_stand_in(const ridge_machine *machine, ridge_dtype *dtype,
                             ridge_pipe *pipe);

/* The key "system": the fabrics of a system for a part of the same architecture. */
RIDGE_MUST_CHECK ridge_status ridge__machine_set_system(ridge_machine *machine,
                                                        const char *name,
                                                        ridge_error *err);
/* Whether a rate looks like the sum of both directions of the machine's links. */
bool ridge__machine_both_ways(const ridge_machine *machine, double bytes_per_s);

/*
 * Seconds of a load from DRAM: as measured on the architecture, whatever --clock says, since
 * a memory does not follow the units' clock; borrowed cycles at the part's boost clock.
 * Unknown where nobody measured one, or no clock is known.
 */
double ridge__machine_dram_latency(const ridge_machine *machine);

/* Share of the stated rate of the part's PCIe link that a copy reaches: the part's own where
 * it was measured, else that of the generation (data/links), else as most. */
double ridge__machine_host_share(const ridge_machine *machine);
/* Looks it up. */
void ridge__machine_find_host(ridge_machine *machine);

/* What a fit is asked for by. */
typedef struct ridge__fit_key {
    ridge__fit_form form;
    const char *op, *family, *stand_in; /* in that order; NULL: none */
    ridge_dtype dtype, kv_dtype;
    ridge_backend backend;
    ridge__fit_shape shape; /* of attention */
    bool carries;           /* the op's kernels carry over from any part */
} ridge__fit_key;

/* The first fit of the chain for the key, and where it stood; NULL if there is none. */
const ridge_fit *ridge__machine_fit(const ridge_machine *machine,
                                    const ridge__fit_key *key, uint8_t *link);
/*
 * The libraries among which `best` is to be looked for, a bit per ridge_backend: those with
 * a fit in the first link that has one, `any` the last; 0 where a fit of the best itself goes before them.
 */
uint32_t ridge__machine_libraries(const ridge_machine *machine,
                                  const ridge__fit_key *key);

#endif
