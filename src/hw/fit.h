/*
 * fit.h - constants of the time models, as data.
 *
 * Each form has a fixed list of constants: a name, a unit, physical bounds, a meaning.  A
 * fit file gives values by name; loading checks unit and bounds and stores them by place.
 *
 * In full in docs/format/fit.md:
 *
 *     key: hopper
 *     fits:
 *       - op: gemm
 *         form: tile
 *         dtypes: [bf16, fp16]          # absent: any; kv_dtypes likewise
 *         backend: best
 *         constants: { launch_graph: "1.2 us", mma_share: "0.89", feed: "62 B/cycle" }
 *         low: "0.92"                   # measured / expected, 10th percentile
 *         high: "1.12"
 *         mape: "6.1 %"
 *         median: "4.5 %"
 *         reach: "12 ms"
 *         parts: [h100-sxm]
 *         from: "what rows, how"
 *         date: "2026-11-30"
 */
#ifndef RIDGE_FIT_H
#define RIDGE_FIT_H

#include <ridge.h>

/* X(NAME, "name", unit, min, max, "meaning").  The model author owns these lists. */
#define RIDGE_FIT_TILE_MAP(X)                                                           \
    X(LAUNCH_GRAPH, "launch_graph", S, 0, 1e-3, "period of a small kernel in a graph")  \
    X(LAUNCH_STREAM, "launch_stream", S, 0, 1e-3, "period of back-to-back launches")    \
    X(LAUNCH_EAGER, "launch_eager", S, 0, 1e-2, "a framework call")                     \
    X(LAUNCH_EAGER_BATCHED, "launch_eager_batched", S, 0, 1e-2,                         \
      "the same, of a batched product; absent: the same")                               \
    X(FIXED, "fixed", S, 0, 1e-3, "prologue and drain of one kernel")                   \
    X(FIXED_BATCHED, "fixed_batched", S, 0, 1e-3, "the same, of a batched product")     \
    X(MMA_SHARE, "mma_share", NONE, 0.01, 1.2, "share of peak of a 256x128 tile")       \
    X(DRAM_SHARE, "dram_share", NONE, 0.01, 1.2, "reachable share of DRAM bandwidth")   \
    X(FEED, "feed", BYTES_PER_CYCLE, 1, 1000, "operand bytes an SM pulls from L2")      \
    X(SPLIT_FIXED, "split_fixed", S, 0, 1e-3, "fixed cost of a split-K reduction")      \
    X(WAVE_SMOOTHING, "wave_smoothing", NONE, 0, 1, "0: whole waves; 1: persistent")    \
    X(L2_HOLD, "l2_hold", NONE, 0, 10, "share of L2 that holds operands between uses")  \
    X(EPILOGUE, "epilogue", BYTES_PER_CYCLE, 0.1, 1000, "output bytes an SM stores")    \
    X(STORE_WEIGHT, "store_weight", NONE, 0, 5, "cost of an output byte against input") \
    X(POWER_DERATE, "power_derate", NONE, 0, 0.9, "clock lost in a long product")       \
    X(QUANT_FIXED, "quant_fixed", S, 0, 1e-3, "activation quantisation kernel, fixed")  \
    X(QUANT_RATE, "quant_rate", BYTES_PER_S, 1e9, 1e15, "its bandwidth")                \
    X(QUANT_RATE_BATCHED, "quant_rate_batched", BYTES_PER_S, 1e9, 1e15,                 \
      "the same, of a batched product; absent: not quantised there")                    \
    X(MAX_SPLIT, "max_split", COUNT, 1, 64, "largest split-K the library uses")

#define RIDGE_FIT_STREAM_MAP(X)                                                         \
    X(LAUNCH_GRAPH, "launch_graph", S, 0, 1e-3, "period of a small kernel in a graph")  \
    X(LAUNCH_STREAM, "launch_stream", S, 0, 1e-3, "period of back-to-back launches")    \
    X(LAUNCH_EAGER, "launch_eager", S, 0, 1e-2, "a framework call")                     \
    X(FIXED, "fixed", S, 0, 1e-3, "prologue and drain of one kernel")                   \
    X(DRAM_SHARE, "dram_share", NONE, 0.01, 1.2, "reachable share of DRAM bandwidth")   \
    X(L2_GAIN, "l2_gain", NONE, 0.1, 20, "rate from L2 over rate from DRAM")            \
    X(L2_HOLD, "l2_hold", NONE, 0, 10, "share of L2 that holds the data")               \
    X(CTA_PULL, "cta_pull", NONE, 0, 200, "bandwidth of one CTA, in DRAM rate / SM")    \
    X(ROW_TIME, "row_time", S, 0, 1e-4, "one row's CTA on one SM, scheduling included") \
    X(COMPUTE_SHARE, "compute_share", NONE, 0.01, 1.2, "reachable share of the peak")

#define RIDGE_FIT_ATTENTION_MAP(X)                                                       \
    X(LAUNCH_GRAPH, "launch_graph", S, 0, 1e-3, "period of a small kernel in a graph")   \
    X(LAUNCH_STREAM, "launch_stream", S, 0, 1e-3, "period of back-to-back launches")     \
    X(LAUNCH_EAGER, "launch_eager", S, 0, 1e-2, "a framework call")                      \
    X(FIXED, "fixed", S, 0, 1e-3, "prologue and drain of the kernel")                    \
    X(APPEND_FIXED, "append_fixed", S, 0, 1e-3, "kernel that appends to the KV cache")   \
    X(SEQUENCE_FIXED, "sequence_fixed", S, 0, 1e-5, "append and page table, a sequence") \
    X(MMA_SHARE, "mma_share", NONE, 0.01, 1.2, "share of peak of the tile loop")         \
    X(FP8_MATH, "fp8_math", COUNT, 0, 1, "1: an fp8 KV cache is multiplied in fp8")      \
    X(SOFTMAX, "softmax", CYCLES, 0, 10,                                                 \
      "cycles per score on one SM beside the product")                                   \
    X(NARROW, "narrow", NONE, 0.2, 5, "cost of a score at head_dim < 128 against 128")   \
    X(WIDE, "wide", NONE, 0.2, 5, "the same at head_dim > 128")                          \
    X(ODD_DIM, "odd_dim", NONE, 0.2, 10, "the same where head_dim is no power of two")   \
    X(Q_SHARE, "q_share", NONE, 0.01, 2, "share of DRAM rate of the Q and O streams")    \
    X(KV_SHARE, "kv_share", NONE, 0.01, 2, "share of DRAM rate of the KV stream")        \
    X(CTA_FIXED, "cta_fixed", S, 0, 1e-3, "prologue and epilogue of one CTA")            \
    X(MASKED_TILE, "masked_tile", NONE, 0, 5, "cost of a partly masked tile")            \
    X(TAIL, "tail", NONE, 0, 2, "share of the longest CTA that shows at the end")        \
    X(L2_GAIN, "l2_gain", NONE, 0.1, 20, "rate from L2 over rate from DRAM")             \
    X(L2_HOLD, "l2_hold", NONE, 0, 10, "share of L2 that holds the data")                \
    X(TILE_Q, "tile_q", COUNT, 1, 512, "query rows of a tile")                           \
    X(TILE_KV, "tile_kv", COUNT, 1, 512, "keys of a tile")                               \
    X(Q_ELEMENTS, "q_elements", COUNT, 256, 1e6, "most query rows x head_dim, a tile")   \
    X(KV_ELEMENTS, "kv_elements", COUNT, 256, 1e6, "most keys x head_dim of a tile")     \
    X(PACK, "pack", COUNT, 0, 1, "1: query heads of a KV group share a tile")            \
    X(OCCUPANCY, "occupancy", COUNT, 1, 16, "CTAs that an SM holds at once")             \
    X(SPLIT_FIXED, "split_fixed", S, 0, 1e-3, "merging kernel of split-KV")              \
    X(SPLIT_MAX, "split_max", COUNT, 1, 1024, "largest split of the keys")               \
    X(SPLIT_STEPS, "split_steps", COUNT, 1, 64, "fewest KV tiles of a split")            \
    X(STEP_FIXED, "step_fixed", S, 0, 1e-4, "one KV tile on one SM, fixed part")         \
    X(STEP_RATE, "step_rate", BYTES_PER_S, 1e8, 1e14, "KV bytes one SM streams")         \
    X(GROUP_MAX, "group_max", COUNT, 0, 1e6,                                             \
      "a larger group of query heads is decoded head by head")                           \
    X(PLAIN_WINDOW, "plain_window", COUNT, 0, 1,                                         \
      "1: a window or a group of one is decoded head by head, unsplit")

enum {
#define X(name, ...) RIDGE_TILE_##name,
    RIDGE_FIT_TILE_MAP(X) RIDGE_TILE_CONSTANTS
#undef X
};
enum {
#define X(name, ...) RIDGE_STREAM_##name##_C,
    RIDGE_FIT_STREAM_MAP(X) RIDGE_STREAM_CONSTANTS
#undef X
};
enum {
#define X(name, ...) RIDGE_ATTENTION_##name,
    RIDGE_FIT_ATTENTION_MAP(X) RIDGE_ATTENTION_CONSTANTS
#undef X
};

#define RIDGE_FIT_CONSTANTS 32

typedef enum ridge__fit_form {
    RIDGE_FIT_TILE,
    RIDGE_FIT_STREAM,
    RIDGE_FIT_PREFILL, /* both with the attention list */
    RIDGE_FIT_DECODE,
    RIDGE_FIT_FORM_COUNT
} ridge__fit_form;

typedef struct ridge__constant {
    const char *name;
    ridge_unit unit;
    double min, max;
    const char *meaning;
} ridge__constant;

/* The list of a form; *count receives its length. */
const ridge__constant *ridge__fit_schema(ridge__fit_form form, size_t *count);
const char *ridge__fit_form_name(ridge__fit_form form); /* "tile", "stream", ... */

typedef struct ridge_fit {
    const char *key;    /* arch or part that the file is about */
    const char *op;     /* op or family: "gemm", "attention", "rmsnorm", "elementwise" */
    uint32_t dtypes;    /* bit per ridge_dtype; all ones: any */
    uint32_t kv_dtypes; /* attention; all ones: any */
    ridge_backend backend;
    ridge__fit_form form;
    double c[RIDGE_FIT_CONSTANTS]; /* by the form's list, SI; unknown where not given */
    double low, high;              /* 10th and 90th percentile of measured / expected */
    double mape, median; /* of the fit on rows kept apart; unknown if not known */
    const char *from;    /* data: source, rows, date, method, in a sentence */
    const char *date;
    /* Ids of the parts whose rows were fitted, separated by blanks; NULL: not one part's.
     * Another part that uses the fit borrows it, which widens the interval. */
    const char *parts;
    double reach_s; /* largest floor among the fitted rows: beyond is extrapolation */
} ridge_fit;

struct ridge__str;
/* The fit as an entry of a fit file ("  - op: ..."), at the end of `out`. */
void ridge__fit_write(struct ridge__str *out, const ridge_fit *fit);

#endif
