/*
 * ridge/latency.h - serial chains: what one dependent step takes, and sums of such steps.
 * Included by <ridge.h>.
 *
 * A chain is an expression over atoms, `5*(shfl+add)`:
 *
 *     EXPR = term {+ term}
 *     term = [N*] (atom | "(" EXPR ")")
 *     atom = name [ "(" argument ")" ]
 *
 * It is read into a list of atoms with counts (ridge_latency_parse), and evaluated on a
 * machine (ridge_latency_eval).  Figures are those of the part's architecture; one that
 * nobody measured there is taken from the nearest architecture that has it, in cycles,
 * and says so.  docs/model/chain.md has the models and worked numbers.
 */
#ifndef RIDGE_LATENCY_H
#define RIDGE_LATENCY_H

#ifndef RIDGE_H
#error "include <ridge.h>"
#endif

/* What stands in an atom's parentheses.  NONE: it takes none. */
typedef enum ridge_atom_argument {
    RIDGE_ARGUMENT_NONE,
    RIDGE_ARGUMENT_WAYS,    /* threads of a warp that meet in one bank, 1 .. 32 */
    RIDGE_ARGUMENT_THREADS, /* of the block, 1 .. 1024 */
    RIDGE_ARGUMENT_OPS,     /* atomic operations on one address */
    RIDGE_ARGUMENT_BYTES    /* copied; with a unit, as in 64KiB */
} ridge_atom_argument;

/* X(NAME, "name", argument, "what it is") */
#define RIDGE_ATOM_MAP(X)                                                                \
    X(FMA, "fma", NONE, "dependent multiply-add, registers included")                    \
    X(ADD, "add", NONE, "dependent add")                                                 \
    X(MUFU, "mufu", NONE, "special function: ex2, rcp, sin")                             \
    X(SHFL, "shfl", NONE, "warp shuffle")                                                \
    X(REDUX, "redux", NONE, "reduction of a warp in one instruction, integers")          \
    X(SMEM, "smem", NONE, "shared memory load")                                          \
    X(SMEM_CONFLICT, "smem.conflict", WAYS, "shared memory load with bank conflicts")    \
    X(L1, "l1", NONE, "L1 hit")                                                          \
    X(L2_NEAR, "l2.near", NONE, "L2 hit, near partition")                                \
    X(L2_FAR, "l2.far", NONE, "L2 hit, far partition")                                   \
    X(DRAM, "dram", NONE, "load from DRAM")                                              \
    X(DSMEM, "dsmem", NONE, "shared memory of another SM in the cluster")                \
    X(SYNCWARP, "syncwarp", NONE, "__syncwarp")                                          \
    X(SYNCTHREADS, "syncthreads", THREADS, "__syncthreads")                              \
    X(CLUSTER_SYNC, "cluster.sync", NONE, "barrier of a cluster")                        \
    X(GRID_SYNC, "grid.sync", NONE, "barrier of a grid")                                 \
    X(ATOMIC_SMEM, "atomic.smem", NONE, "atomic add in shared memory")                   \
    X(ATOMIC_GLOBAL, "atomic.global", NONE, "atomic add that returns, L2 hit")           \
    X(ATOMIC_CONTENDED, "atomic.contended", OPS, "atomic adds to one address, all done") \
    X(FENCE_GPU, "fence.gpu", NONE, "__threadfence")                                     \
    X(FENCE_SYS, "fence.sys", NONE, "__threadfence_system")                              \
    X(LAUNCH_CPU, "launch.cpu", NONE, "kernel launch, what the CPU spends")              \
    X(LAUNCH_SYNC, "launch.sync", NONE, "empty kernel, launch to end of a wait")         \
    X(LAUNCH_GRAPH, "launch.graph", NONE, "kernel as the node of a CUDA graph")          \
    X(MEMCPY_H2D, "memcpy.h2d", BYTES, "copy to the GPU, with a wait")                   \
    X(MEMCPY_D2H, "memcpy.d2h", BYTES, "copy from the GPU, with a wait")                 \
    X(SYNC_STREAM, "sync.stream", NONE, "cudaStreamSynchronize after the kernel's end")  \
    X(SYNC_DEVICE, "sync.device", NONE, "cudaDeviceSynchronize after an empty kernel")   \
    X(NVLINK_LOAD, "nvlink.load", NONE, "load from another GPU over NVLink")             \
    X(PCIE_READ, "pcie.read", NONE, "read of mapped memory across PCIe")
typedef enum ridge_atom {
#define X(name, text, argument, title) RIDGE_ATOM_##name,
    RIDGE_ATOM_MAP(X)
#undef X
    RIDGE_ATOM_COUNT
} ridge_atom;
/* "shfl", and what it is; NULL out of range. */
RIDGE_API const char *ridge_atom_name(ridge_atom atom);
RIDGE_API const char *ridge_atom_title(ridge_atom atom);

/* What was measured: how long one takes, how often one can start, or a whole period. */
typedef enum ridge_latency_kind {
    RIDGE_KIND_LATENCY,
    RIDGE_KIND_THROUGHPUT,
    RIDGE_KIND_PERIOD,
    RIDGE_KIND_COUNT
} ridge_latency_kind;
RIDGE_API const char *ridge_latency_kind_name(ridge_latency_kind kind);

/* `count` times one atom.  argument: SI; RIDGE_UNKNOWN where the atom takes none. */
typedef struct ridge_latency_item {
    ridge_atom atom;
    double count, argument;
} ridge_latency_item;

#define RIDGE_LATENCY_ITEM_MAX 64
#define RIDGE_LATENCY_DEPTH    32   /* parentheses in parentheses */
#define RIDGE_LATENCY_TEXT_MAX 4096 /* bytes of an expression */

/* An expression as a sum: `5*(shfl+add)` is 5 shfl and 5 add.  A value: copy it freely. */
typedef struct ridge_latency_chain {
    size_t item_count; /* at least 1 once parsed */
    ridge_latency_item item[RIDGE_LATENCY_ITEM_MAX];
} ridge_latency_chain;

/*
 * Read an expression.  Fails with SYNTAX, with NOTFOUND (names the nearest atom),
 * INVALID (an argument is missing, not wanted or out of range), BADUNIT, LIMIT (items,
 * depth, length, a count above 1e15); the sentence begins with "column N:", 1-based.
 */
RIDGE_MUST_CHECK RIDGE_API ridge_status ridge_latency_parse(ridge_latency_chain *out,
                                                            const char *text,
                                                            ridge_error *err);

/*
 * Find the figures of all atoms for the machine's architecture, its own or the nearest
 * that has them.  Reads files of the machine's catalogue, so no other thread may use
 * either meanwhile; a second call does nothing.
 */
RIDGE_MUST_CHECK RIDGE_API ridge_status
ridge_machine_load_latencies(ridge_machine *machine, ridge_error *err);

/* One item of a chain, evaluated.  cycles and time_s are of all `count` together; at the
 * machine's vector (boost) clock they are the same time. */
typedef struct ridge_latency_term {
    ridge_latency_item item;
    double cycles, time_s;         /* unknown where it takes a clock and none is known */
    double cycles_min, cycles_max; /* range that was measured; the value where none */
    double min_s, max_s;
    bool in_seconds; /* stated as a time: a clock does not change it */
    ridge_latency_kind kind;
    char confidence;                 /* the weakest of its figures */
    const char *source;              /* borrowed from the catalogue */
    const char *borrowed;            /* architecture that it is taken from; NULL: own */
    bool absent;                     /* the architecture has no such thing */
    const char *gpu, *method, *note; /* where and how it was measured; NULL: not said */
} ridge_latency_term;

typedef struct ridge_latency {
    double cycles, time_s; /* sums; unknown if one term is */
    double clock_hz;       /* vector clock of the machine */
    bool mixed;            /* cycles and seconds were added, at that clock */
    uint32_t warnings;     /* RIDGE_WARNING_* bits: borrowed, low_confidence_source */
    size_t term_count;     /* the chain's items, in their order */
    ridge_latency_term term[RIDGE_LATENCY_ITEM_MAX];
} ridge_latency;

/*
 * Evaluate a chain.  Pure: no allocation, no global state, const inputs.  INVALID if
 * ridge_machine_load_latencies was not called; NODATA if no architecture has an atom.
 */
RIDGE_MUST_CHECK RIDGE_API ridge_status
ridge_latency_eval(ridge_latency *out, const ridge_machine *machine,
                   const ridge_latency_chain *chain, ridge_error *err);

/* An evaluated chain; `text` is the expression as the user wrote it. */
RIDGE_MUST_CHECK RIDGE_API ridge_status ridge_latency_write(
    const ridge_latency *latency, const ridge_machine *machine, const char *text,
    const ridge_style *style, ridge_sink sink, ridge_error *err);
/* The tables of all atoms on one machine: on chip, off chip, system. */
RIDGE_MUST_CHECK RIDGE_API ridge_status
ridge_latency_tables_write(const ridge_machine *machine, const ridge_style *style,
                           ridge_sink sink, ridge_error *err);

#endif
