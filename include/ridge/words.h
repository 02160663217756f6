/*
 * ridge/words.h - what users, files and results call things: one map for each kind, from
 * which the enums and the names are made.  Included by <ridge.h>.
 */
#ifndef RIDGE_WORDS_H
#define RIDGE_WORDS_H

#ifndef RIDGE_H
#error "include <ridge.h>"
#endif

/* ---- Data types, pipes, levels ----------------------------------------------------- */

/*
 * X(NAME, "name", bytes of an activation element, of a weight element, output dtype,
 *   dtype whose peak the multiplication runs at).  Below 16 bits the output is bf16.
 * nvfp4 carries a 1-byte scale per 16 elements, mxfp4 and mxfp6 one per 32; the scales
 * of fp8_block (4 bytes per 128x128 block) are below 0.1 % and left out.
 */
#define RIDGE_DTYPE_MAP(X)                                  \
    X(FP64, "fp64", 8.0, 8.0, FP64, FP64)                   \
    X(FP32, "fp32", 4.0, 4.0, FP32, FP32)                   \
    X(TF32, "tf32", 4.0, 4.0, FP32, TF32)                   \
    X(BF16, "bf16", 2.0, 2.0, BF16, BF16)                   \
    X(FP16, "fp16", 2.0, 2.0, FP16, FP16)                   \
    X(FP8, "fp8", 1.0, 1.0, BF16, FP8)                      \
    X(FP8_BLOCK, "fp8_block", 1.0, 1.0, BF16, FP8)          \
    X(FP8_TOKEN, "fp8_token", 1.0, 1.0, BF16, FP8)          \
    X(FP6, "fp6", 0.78125, 0.78125, BF16, FP6)              \
    X(NVFP4, "nvfp4", 0.5625, 0.5625, BF16, NVFP4)          \
    X(MXFP4, "mxfp4", 0.53125, 0.53125, BF16, NVFP4)        \
    X(INT8, "int8", 1.0, 1.0, BF16, INT8)                   \
    X(INT8_TOKEN, "int8_token", 1.0, 1.0, BF16, INT8)       \
    X(SQ, "sq", 1.0, 1.0, BF16, INT8)                       \
    X(INT8_WO, "int8_wo", 2.0, 1.0, BF16, BF16)             \
    X(INT4_WO, "int4_wo", 2.0, 0.5, BF16, BF16)             \
    X(W4A16_MXFP4, "w4a16_mxfp4", 2.0, 0.53125, BF16, BF16) \
    X(W4A8_MXFP4, "w4a8_mxfp4_mxfp8", 1.03125, 0.53125, BF16, FP8)

typedef enum ridge_dtype {
#define X(name, text, a, w, out, math) RIDGE_##name,
    RIDGE_DTYPE_MAP(X)
#undef X
    RIDGE_DTYPE_COUNT
} ridge_dtype;

typedef enum ridge_pipe {
    RIDGE_VECTOR,
    RIDGE_MATRIX,
    RIDGE_PIPE_COUNT,
    RIDGE_PIPE_ANY = RIDGE_PIPE_COUNT /* the fastest that the part has */
} ridge_pipe;

typedef enum ridge_level {
    RIDGE_DRAM,
    RIDGE_LLC, /* a last-level cache beyond L2 (Infinity Cache) */
    RIDGE_L2,
    RIDGE_L1, /* L1 and shared memory, all units together */
    RIDGE_LEVEL_COUNT
} ridge_level;

/* Names as users write them: "bf16", "matrix", "dram"; NULL out of range. */
RIDGE_API const char *ridge_dtype_name(ridge_dtype dtype);
RIDGE_API const char *ridge_pipe_name(ridge_pipe pipe);
RIDGE_API const char *ridge_level_name(ridge_level level);

/* ---- Backends and timings ---------------------------------------------------------- */

#define RIDGE_BACKEND_MAP(X) \
    X(BEST, "best")          \
    X(TRTLLM, "trtllm")      \
    X(SGLANG, "sglang")      \
    X(VLLM, "vllm")          \
    X(CUBLAS, "cublas")      \
    X(TORCH, "torch")        \
    X(AITER, "aiter")        \
    X(NCCL, "nccl")
typedef enum ridge_backend {
#define X(name, text) RIDGE_BACKEND_##name,
    RIDGE_BACKEND_MAP(X)
#undef X
    RIDGE_BACKEND_COUNT
} ridge_backend;

#define RIDGE_TIMING_MAP(X)                                                      \
    X(GRAPH, "graph")   /* what one launch in a CUDA graph costs: the default */ \
    X(KERNEL, "kernel") /* the kernel alone, as a profiler shows it */           \
    X(STREAM, "stream") /* back-to-back launches on a stream */                  \
    X(EAGER, "eager")   /* a framework call */
typedef enum ridge_timing {
#define X(name, text) RIDGE_TIMING_##name,
    RIDGE_TIMING_MAP(X)
#undef X
    RIDGE_TIMING_COUNT
} ridge_timing;
RIDGE_API const char *ridge_backend_name(ridge_backend backend);
RIDGE_API const char *ridge_timing_name(ridge_timing timing);
/*
 * The backend or timing that a word means: its name, or what published tables call it
 * ("cg", "kineto1us").  False, and *out as it was, for a word that nobody knows.
 */
RIDGE_API bool ridge_backend_parse(ridge_backend *out, const char *word);
RIDGE_API bool ridge_timing_parse(ridge_timing *out, const char *word);

/* ---- Bounds and warnings ----------------------------------------------------------- */

typedef enum ridge_bound {
    RIDGE_BY_COMPUTE,
    RIDGE_BY_MEMORY,
    RIDGE_BY_COMMUNICATION,
    RIDGE_BY_LATENCY,
    RIDGE_BOUND_COUNT
} ridge_bound;
RIDGE_API const char *ridge_bound_name(ridge_bound bound);

/*
 * What a warning says of the figure it stands beside.  --strict stops at a GUESS; a WRONG
 * one is exit status 1.
 */
typedef enum ridge_severity {
    RIDGE_NOTE,
    RIDGE_GUESS, /* a fact that is borrowed, weak or assumed */
    RIDGE_WRONG  /* what was asked about cannot be */
} ridge_severity;

/* X(NAME, bit, code, severity, sentence): warnings travel as bits; text is for printing. */
#define RIDGE_WARNING_MAP(X)                                                             \
    X(BELOW_FLOOR, 0, "below_floor", WRONG,                                              \
      "the time is shorter than the work can take at stated rates: something else "      \
      "was measured than was counted")                                                   \
    X(L2_RESIDENT, 1, "l2_resident", NOTE,                                               \
      "the time is below the floor of a cold run and possible if the data were "         \
      "already in L2; with --warm the roof is that of L2")                               \
    X(LATENCY_BOUND, 2, "latency_bound", NOTE,                                           \
      "launch, a serial chain, or too few bytes in flight outweigh compute and "         \
      "memory: fuse, batch, use a graph, or launch more at once before tuning")          \
    X(SPARSE_PEAK, 3, "sparse_peak", NOTE,                                               \
      "a peak with 2:4 sparsity was asked for: dense data cannot reach it")              \
    X(CLOCK_ABOVE_RATING, 4, "clock_above_rating", NOTE,                                 \
      "the clock is above the one that the part is rated at: power may not allow "       \
      "it")                                                                              \
    X(UNSUPPORTED_DTYPE, 5, "unsupported_dtype", NOTE,                                   \
      "the part has no units for this dtype, or no peak is stated for it: its "          \
      "compute time is unknown or that of a conversion")                                 \
    X(EXTRAPOLATED, 6, "extrapolated", NOTE,                                             \
      "the shape lies outside those that the constants were fitted on: the "             \
      "interval is wider")                                                               \
    X(BORROWED, 7, "borrowed", GUESS,                                                    \
      "constants or figures come from another part or operation: the interval is "       \
      "wider")                                                                           \
    X(MISALIGNED, 8, "misaligned", NOTE,                                                 \
      "a row is no multiple of 16 bytes: wide loads and the matrix pipe need "           \
      "alignment; padding may be faster")                                                \
    X(DOES_NOT_FIT, 9, "does_not_fit", NOTE,                                             \
      "the operands need more memory than the part has: as it stands this cannot "       \
      "run")                                                                             \
    X(UNIT_AMBIGUOUS, 10, "unit_ambiguous", GUESS,                                       \
      "a unit can be read in two ways; the SI one was taken")                            \
    X(NOT_COUNTED, 11, "not_counted", NOTE, "part of the work is left out of the count") \
    X(LOW_CONFIDENCE, 12, "low_confidence_source", GUESS,                                \
      "a hardware figure rests on a weak source; --explain names it")                    \
    X(SHORT_K, 13, "short_k", NOTE,                                                      \
      "k is short: filling and draining the pipeline of each tile costs a visible "      \
      "share")                                                                           \
    X(POWER_LIMITED, 14, "power_limited", NOTE,                                          \
      "a long matrix product draws the part's full power: the clock drops below "        \
      "the one that the peak is quoted at")                                              \
    X(BEST_BACKEND_ASSUMED, 15, "unknown_backend", GUESS,                                \
      "the backend is unknown: the best library is assumed")                             \
    X(TIMING_ASSUMED, 16, "unknown_timing", GUESS,                                       \
      "the way of timing is unknown: a launch in a CUDA graph is assumed")               \
    X(UNMEASURED, 17, "unmeasured", GUESS,                                               \
      "no measured times stand behind the expected time: typical shares of the "         \
      "stated rates, and an interval that is a judgement")                               \
    X(ASSUMED_SYSTEM, 18, "assumed_system", GUESS,                                       \
      "no known system is named: the node that the part is ordinarily in is assumed")    \
    X(LINK_BIDIRECTIONAL, 19, "link_bidirectional", NOTE,                                \
      "a link's rate looks like the sum of both directions: one direction has half "     \
      "of it")                                                                           \
    X(UNKNOWN_OCCUPANCY, 20, "unknown_occupancy", NOTE,                                  \
      "the limits of a unit, or the rules by which it takes blocks, are not known for "  \
      "this part: bytes in flight are not judged")
enum {
#define X(name, bit, code, severity, text) RIDGE_WARNING_##name = 1u << (bit),
    RIDGE_WARNING_MAP(X)
#undef X
};
/* "below_floor" of a single bit, and what it means; NULL if no such warning. */
RIDGE_API const char *ridge_warning_code(uint32_t bit);
RIDGE_API const char *ridge_warning_text(uint32_t bit);
/* The bits of all warnings of that severity. */
RIDGE_API uint32_t ridge_warning_mask(ridge_severity severity);

#endif
