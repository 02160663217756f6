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
 *         when: ["head_dim>128 window"]  # absent: any call
 *         constants: { launch_graph: "1.2 us", mma_share: "0.89", feed: "62 B/cycle" }
 *         low: "0.92"                   # measured / expected: 80 % between
 *         high: "1.12"
 *         bands: ["9 us 0.88 1.2", "80 us 0.94 1.1"]  # the same by expected time
 *         elsewhere: "0.2"              # on another part, on either side
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
    X(QUANT_ROW, "quant_row", S, 0, 1e-6,                                               \
      "its cost of a row beside its bytes; absent: none")                               \
    X(STEP_CYCLES, "step_cycles", CYCLES, 0, 1e5,                                       \
      "least time of a main-loop step; absent: none")                                   \
    X(AT_FLOP, "at_flop", NONE, 1, 1e6,                                                 \
      "FLOP of a unit and cycle that feed and epilogue hold at; absent: at any")        \
    X(AT_CLOCK, "at_clock", HZ, 1e8, 1e10,                                              \
      "the boost clock that fixed times hold at; absent: any")                          \
    X(AT_WATTS, "at_watts", NONE, 0.01, 100,                                            \
      "W per TFLOP/s and byte that power_derate holds at")                              \
    X(LIMIT_CLOCK, "limit_clock", HZ, 1e8, 1e10,                                        \
      "clock that 1 mW per FLOP a cycle and byte of an operand sustains")               \
    X(ODD_TILES, "odd_tiles", COUNT, 0, 1,                                              \
      "0: no tiles of 96 or 192 rows or columns; absent: 1")                            \
    X(LEAST_ROWS, "least_rows", COUNT, 16, 256,                                         \
      "rows of the smallest tile for products as tall; absent: 16")                     \
    X(LEAST_COLS, "least_cols", COUNT, 16, 128,                                         \
      "its columns, for products as wide; absent: 16")                                  \
    X(FLOP_PER_J, "flop_per_joule", FLOP, 1e9, 1e13,                                    \
      "FLOP that a joule pays for, in place of power_derate")                           \
    X(FILL, "fill", NONE, 0, 256, "elements that a tile loses at an edge; absent: 8")   \
    X(STRIDE_COST, "stride_cost", NONE, 0, 20,                                          \
      "what loads cost more whose rows lie far apart; absent: none")                    \
    X(STRIDE_REACH, "stride_reach", BYTES, 1e3, 1e7, "length of a row with half of it") \
    X(REREAD, "reread", NONE, 0, 1,                                                     \
      "operand bytes of later waves that L2 does not hold; absent: none")               \
    X(UNALIGNED, "unaligned", NONE, 1, 3,                                               \
      "cost of a FLOP where rows are no multiples of 16 B; absent: 1")                  \
    X(ODD_AREA, "odd_area", COUNT, 256, 65536,                                          \
      "outputs of the largest tile there; absent: most_area")                           \
    X(LEAST_AREA, "least_area", COUNT, 256, 65536,                                      \
      "outputs of the smallest tile; absent: any")                                      \
    X(MOST_AREA, "most_area", COUNT, 256, 65536,                                        \
      "outputs of the largest tile; absent: any")                                       \
    X(MOST_ROWS, "most_rows", COUNT, 16, 256, "rows of the tallest; absent: any")       \
    X(MOST_COLS, "most_cols", COUNT, 16, 256, "columns of the widest; absent: any")     \
    X(MAX_SPLIT, "max_split", COUNT, 1, 64, "largest split-K the library uses")

#define RIDGE_FIT_STREAM_MAP(X)                                                          \
    X(LAUNCH_GRAPH, "launch_graph", S, 0, 1e-3, "period of a small kernel in a graph")   \
    X(LAUNCH_STREAM, "launch_stream", S, 0, 1e-3, "period of back-to-back launches")     \
    X(LAUNCH_EAGER, "launch_eager", S, 0, 1e-2, "a framework call")                      \
    X(EAGER_OVER, "eager_over", S, 0, 1e-2,                                              \
      "its part before and after a kernel that outlasts it; absent: all of it")          \
    X(FIXED, "fixed", S, 0, 8e-3, "prologue and drain; of a module, its calls")          \
    X(DRAM_SHARE, "dram_share", NONE, 0.01, 1.2, "reachable share of DRAM bandwidth")    \
    X(GDDR_SHARE, "gddr_share", NONE, 0.01, 1, "the same of GDDR; absent: the same")     \
    X(TRAFFIC, "traffic", NONE, 0.5, 50, "bytes moved, in bytes counted; absent: 1")     \
    X(REREAD, "reread", NONE, 0, 10,                                                     \
      "what rows that do not stay on chip move beside, likewise")                        \
    X(ROW_HELD, "row_held", BYTES, 1, 1e9, "in and out of the longest row that does")    \
    X(L2_GAIN, "l2_gain", NONE, 0.1, 20, "rate from L2 over rate from DRAM")             \
    X(L2_HOLD, "l2_hold", NONE, 0, 10, "share of L2 that holds the data")                \
    X(THREADS, "threads", COUNT, 32, 1024, "most threads of a CTA")                      \
    X(CTA_ELEMENTS, "cta_elements", COUNT, 1, 1e6, "elements of a CTA; absent: a row")   \
    X(GRID_MAX, "grid_max", COUNT, 1, 1e9, "most CTAs, which then loop; absent: any")    \
    X(CTA_FIXED, "cta_fixed", S, 0, 1e-3, "one CTA, whatever it moves")                  \
    X(CTA_RATE, "cta_rate", BYTES_PER_CYCLE, 0.01, 1000, "bytes that one CTA moves")     \
    X(CTA_MISS, "cta_miss", NONE, 0, 20,                                                 \
      "what that takes longer from DRAM than from L2; absent: nothing")                  \
    X(CTA_ISSUE, "cta_issue", S, 0, 1e-4, "launching one CTA on one unit")               \
    X(ELEMENT_CYCLES, "element_cycles", CYCLES, 0, 1000,                                 \
      "instructions of one element on one unit")                                         \
    X(UNIT_FLOP, "unit_flop", FLOP, 0.1, 1e5,                                            \
      "FLOP of a scan that a unit does in a cycle; absent: no limit")                    \
    X(OVERLAP, "overlap", NONE, 1, 8,                                                    \
      "norm that joins them with the bytes; 1: a sum; absent: 3")                        \
    X(STEP_TIME, "step_time", S, 0, 1e-2, "64 tokens of a state, one after another")     \
    X(HEAD_BYTES, "head_bytes", BYTES, 0, 1e10, "weights of a head beside, of a module") \
    X(TOKEN_FLOP, "token_flop", FLOP, 0, 1e13,                                           \
      "products of a token beside, at the peak")                                         \
    X(HEAD_FLOP, "head_flop", FLOP, 0, 1e13, "the same of a token and head")             \
    X(TAKEN_FLOP, "taken_flop", FLOP, 0, 1e8,                                            \
      "the same of a token and a key that it takes, whatever the heads")                 \
    X(SCORED_FLOP, "scored_flop", FLOP, 0, 1e8,                                          \
      "the same of a token and a key that is scored for it")                             \
    X(BESIDE_NARROW, "beside_narrow", COUNT, 0, 1,                                       \
      "1: a module's weights and products beside are of gemm_dtype")                     \
    X(QUANT_FIXED, "quant_fixed", S, 0, 1e-3,                                            \
      "quantising for them where that is narrower than dtype")                           \
    X(SEQUENCE_FIXED, "sequence_fixed", S, 0, 1e-3, "each sequence of a module, beside") \
    X(KEY_TIME, "key_time", S, 0, 1e-5,                                                  \
      "each key of a sequence, one after another, all sequences at once")                \
    X(COMPUTE_SHARE, "compute_share", NONE, 2e-3, 1.2, "reachable share of the peak")    \
    X(AT_CLOCK, "at_clock", HZ, 1e8, 1e10,                                               \
      "clock at which launch_graph, launch_stream and fixed were fitted; absent: they "  \
      "hold anywhere")                                                                   \
    X(AT_HOST, "at_host", S, 1e-6, 1e-3,                                                 \
      "host_call where launch_eager and eager_over were fitted; absent: they hold "      \
      "anywhere")

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
      "1: a window or a group of one is decoded head by head, unsplit")                  \
    X(WALK_ALL, "walk_all", COUNT, 0, 1,                                                 \
      "1: keys outside the window are walked over as well")                              \
    X(OVERLAP, "overlap", NONE, 1, 8, "norm that joins loop and streams; 1: a sum")      \
    X(L2_FEED, "l2_feed", BYTES_PER_CYCLE, 0.1, 1000,                                    \
      "bytes an SM pulls from L2, in place of l2_gain")                                  \
    X(AT_LATENCY, "at_latency", S, 1e-8, 1e-5,                                           \
      "latency of DRAM where fixed times were fitted; absent: they hold anywhere")       \
    X(LONE, "lone", NONE, 0.5, 4,                                                        \
      "step of a CTA alone on its SM against one of several")                            \
    X(ABSORBED, "absorbed", COUNT, 0, 1, "1: a prompt is computed in the latent space")  \
    X(ROTATE_SHARE, "rotate_share", NONE, 0.01, 4,                                       \
      "DRAM rate of the pass that rotates and quantises; absent: none")                  \
    X(CONVERT_SHARE, "convert_share", NONE, 0.01, 2,                                     \
      "DRAM rate of the pass that widens an fp8 cache; absent: none")                    \
    X(SPLIT_EACH, "split_each", S, 0, 1e-4, "merging, for each part of the keys")        \
    X(SPLIT_ALWAYS, "split_always", COUNT, 1, 1024, "parts of the keys, however few")    \
    X(LONE_CYCLES, "lone_cycles", CYCLES, 0, 1e6,                                        \
      "step of a CTA alone on its SM, in place of lone: a chain, no rate")

/* A module is the sum of its kernels: its products and its attention are estimated as calls
 * of their own, with their own entries. */
#define RIDGE_FIT_MODULE_MAP(X)                                                         \
    X(FIXED, "fixed", S, 0, 1e-2, "small kernels: norms, rotation, append")             \
    X(HOST, "host", S, 0, 1e-2, "calls of the host, beside which kernels run")          \
    X(PRODUCTS, "products", NONE, 0.1, 5, "the products against the same called alone") \
    X(ATTENTION, "attention", NONE, 0.05, 20, "the kernel against scope=attn")          \
    X(HEAD_PASSES, "head_passes", NONE, 0, 100,                                         \
      "passes over queries and results, read and written at DRAM's rate")               \
    X(TOKEN_PASSES, "token_passes", NONE, 0, 100, "the same over the hidden states")

/* Times are beside the launch; shares are of the stated rate of one part's links. */
#define RIDGE_FIT_COLLECTIVE_MAP(X)                                                       \
    X(LAUNCH_GRAPH, "launch_graph", S, 0, 1e-3, "period of a small kernel in a graph")    \
    X(LAUNCH_STREAM, "launch_stream", S, 0, 1e-3, "period of back-to-back launches")      \
    X(LAUNCH_EAGER, "launch_eager", S, 0, 1e-2, "a framework call")                       \
    X(SKEW, "skew", S, 0, 1e-3, "wait for other ranks, in one rank's kernel time")        \
    X(FIXED, "fixed", S, 0, 1e-3, "start and end of the library's kernel")                \
    X(HOP_LL, "hop_ll", S, 0, 1e-4, "a step of LL: data and flag in 8 bytes")             \
    X(LL_SHARE, "ll_share", NONE, 1e-3, 2, "reachable by LL; absent: no limit")           \
    X(COPY_SHARE, "copy_share", NONE, 0.01, 20, "rate of copying the rank's own share")   \
    X(SPREAD, "spread", S, 0, 1e-2, "going from one channel to all of them")              \
    X(SPREAD_HOP, "spread_hop", S, 0, 1e-4, "the same, for each step")                    \
    X(SPREAD_BYTES, "spread_bytes", BYTES, 1, 1e9, "size at which half of them work")     \
    X(LL128_FIXED, "ll128_fixed", S, 0, 1e-3, "what LL128 adds to fixed")                 \
    X(HOP_LL128, "hop_ll128", S, 0, 1e-4, "a step of LL128: a flag in 128 bytes")         \
    X(LL128_SHARE, "ll128_share", NONE, 0.01, 2, "reachable by LL128")                    \
    X(SIMPLE_FIXED, "simple_fixed", S, 0, 1e-3, "what Simple adds to fixed")              \
    X(HOP_SIMPLE, "hop_simple", S, 0, 1e-4,                                               \
      "a step of Simple: a barrier for each piece")                                       \
    X(SIMPLE_SHARE, "simple_share", NONE, 0.01, 2, "reachable by Simple")                 \
    X(WARM_BYTES, "warm_bytes", BYTES, 0, 1e10, "bytes lost until all buffers are full")  \
    X(INTEGER, "integer", NONE, 0.5, 2, "cost of 8-bit integers against 16-bit floats")   \
    X(NVLS_FIXED, "nvls_fixed", S, 0, 1e-3, "in-switch reduction, fixed part")            \
    X(NVLS_SHARE, "nvls_share", NONE, 0.01, 2, "reachable by it")                         \
    X(NVLS_WARM, "nvls_warm", BYTES, 0, 1e10, "bytes lost until all buffers are full")    \
    X(NVLS_RANKS, "nvls_ranks", COUNT, 2, 1024, "fewest that NCCL takes it for")          \
    X(ONE_FIXED, "one_fixed", S, 0, 1e-3, "one-shot kernel, fixed part")                  \
    X(ONE_RANK, "one_rank", S, 0, 1e-4, "the same, for each rank")                        \
    X(ONE_SHARE, "one_share", NONE, 0.01, 2, "reachable by it")                           \
    X(TWO_FIXED, "two_fixed", S, 0, 1e-3, "two-shot kernel, fixed part")                  \
    X(TWO_RANK, "two_rank", S, 0, 1e-4, "the same, for each rank")                        \
    X(TWO_SHARE, "two_share", NONE, 0.01, 2, "reachable by it")                           \
    X(CUSTOM_MAX, "custom_max", BYTES, 0, 1e12, "largest message of those two")           \
    X(PAIR_SHARE, "pair_share", NONE, 0.01, 2, "reachable by Simple over a bridge")       \
    X(BUS_SHARE, "bus_share", NONE, 0.01, 2,                                              \
      "reachable of the bus beyond a bridged pair")                                       \
    X(NET_HOP_LL, "net_hop_ll", S, 0, 1e-3, "a step between nodes, LL and LL128")         \
    X(NET_HOP_SIMPLE, "net_hop_simple", S, 0, 1e-3, "a step between nodes, Simple")       \
    X(NET_SHARE, "net_share", NONE, 0.01, 1.2, "reachable share of a network adapter")    \
    X(GRAPH_RATE, "graph_rate", BYTES_PER_S, 1e8, 1e14,                                   \
      "all rings of NCCL's search; absent: by data/nccl")                                 \
    X(CHANNELS, "channels", COUNT, 1, 64, "channels of NCCL's search; absent: so")        \
    X(LL_RATE, "ll_rate", BYTES_PER_S, 1e8, 1e14, "NCCL's llMaxBw; absent: so")           \
    X(MOST_RANKS, "most_ranks", COUNT, 2, 1e6, "ranks that were timed; absent: 8")        \
    X(AT_CLOCK, "at_clock", HZ, 1e8, 1e10,                                                \
      "clock at which starts (launches, ..fixed, spread) were fitted; absent: they hold " \
      "anywhere")

#define RIDGE_FIT_EXPERTS_MAP(X)                                                         \
    X(LAUNCH_GRAPH, "launch_graph", S, 0, 1e-3, "period of a small kernel in a graph")   \
    X(LAUNCH_STREAM, "launch_stream", S, 0, 1e-3, "period of back-to-back launches")     \
    X(LAUNCH_EAGER, "launch_eager", S, 0, 1e-2, "a framework call")                      \
    X(FIXED, "fixed", S, 0, 1e-3, "start, barriers and end of the kernels")              \
    X(FIXED_LOG, "fixed_log", S, 0, 1e-3, "the same, for each doubling of the ranks")    \
    X(EXPERT_FIXED, "expert_fixed", S, 0, 1e-5, "the same, for each expert of a rank")   \
    X(LINK_SHARE, "link_share", NONE, 0.01, 20, "reachable share of the fabric")         \
    X(FAR_SHARE, "far_share", NONE, 0.01, 20, "the same, of more than four ranks")       \
    X(NET_SHARE, "net_share", NONE, 0.01, 20, "reachable share of the network")          \
    X(EACH_EXPERT, "each_expert", COUNT, 0, 1,                                           \
      "1: a token is sent once for each expert")                                         \
    X(SM_RATE, "sm_rate", BYTES_PER_S, 1e8, 1e14, "bytes an SM sends; absent: no limit") \
    X(LOCAL_COPIES, "local_copies", NONE, 0, 20,                                         \
      "reads and writes of a token, in copies")                                          \
    X(MESSAGE_BYTES, "message_bytes", BYTES, 0, 1e6, "fixed cost of a token, in bytes")  \
    X(TOKEN_TIME, "token_time", S, 0, 1e-3, "a token on one SM of those that send")      \
    X(PAIR_TIME, "pair_time", S, 0, 1e-6, "a token and expert, of the whole part")       \
    X(OVERLAP, "overlap", NONE, 0.3, 8, "norm that joins links and SMs; 1: a sum")       \
    X(OVERLAP_FIXED, "overlap_fixed", NONE, 0.3, 8, "norm that joins both with fixed")

#define RIDGE_FIT_GROUPED_MAP(X)                                                         \
    X(LAUNCH_GRAPH, "launch_graph", S, 0, 1e-3, "period of a small kernel in a graph")   \
    X(LAUNCH_STREAM, "launch_stream", S, 0, 1e-3, "period of back-to-back launches")     \
    X(LAUNCH_EAGER, "launch_eager", S, 0, 1e-2, "a framework call")                      \
    X(FIXED, "fixed", S, 0, 1e-3, "chain of small kernels: routing, sorting, adding up") \
    X(EXPERT_FIXED, "expert_fixed", S, 0, 1e-5, "the same, for each expert of the rank") \
    X(TOKEN_TIME, "token_time", S, 0, 1e-6, "the same, for each token of all ranks")     \
    X(MMA_SHARE, "mma_share", NONE, 0.01, 1, "share of peak of a full block")            \
    X(WARP_FLOP, "warp_flop", NONE, 10, 1e5,                                             \
      "FLOP of an SM and cycle that instructions of one warp reach; absent: no limit")   \
    X(DRAM_SHARE, "dram_share", NONE, 0.01, 1, "reachable share of DRAM bandwidth")      \
    X(FEED, "feed", BYTES_PER_CYCLE, 1, 1000, "operand bytes an SM pulls from L2")       \
    X(CTA_PULL, "cta_pull", BYTES_PER_CYCLE, 0.1, 1000,                                  \
      "bytes an SM pulls from DRAM; absent: no limit")                                   \
    X(STEP_CYCLES, "step_cycles", CYCLES, 0, 1e5,                                        \
      "least time of a step of 128 bytes along K; absent: none")                         \
    X(BLOCK_CYCLES, "block_cycles", CYCLES, 0, 1e6, "start and end of a block")          \
    X(OVERLAP, "overlap", NONE, 1, 8, "norm that joins blocks and bytes; 1: a sum")      \
    X(L2_GAIN, "l2_gain", NONE, 1, 20, "rate from L2 over rate from DRAM")               \
    X(L2_HOLD, "l2_hold", NONE, 0, 10, "share of L2 that holds weights between uses")    \
    X(REREAD, "reread", NONE, 0, 3,                                                      \
      "weights that L2 cannot hold, read again for each further block")                  \
    X(PASS_SHARE, "pass_share", NONE, 0.01, 20,                                          \
      "rate of the kernels between, in DRAM bandwidth")                                  \
    X(FOREIGN_ROWS, "foreign_rows", NONE, 0, 1,                                          \
      "share of other ranks' rows that they touch too")                                  \
    X(ROWS_BY, "rows_by", COUNT, 0, 6,                                                   \
      "rows that the kernel expects of an expert: 0 tries all blocks; 1 all tokens on "  \
      "the rank's experts, 2 those and a tenth, 3 the mean, 4 all tokens, 5 few or "     \
      "many, 6 many")                                                                    \
    X(BLOCK_MAX, "block_max", COUNT, 8, 256, "rows of the largest block")

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
enum {
#define X(name, ...) RIDGE_COLLECTIVE_##name,
    RIDGE_FIT_COLLECTIVE_MAP(X) RIDGE_COLLECTIVE_CONSTANTS
#undef X
};
enum {
#define X(name, ...) RIDGE_EXPERTS_##name,
    RIDGE_FIT_EXPERTS_MAP(X) RIDGE_EXPERTS_CONSTANTS
#undef X
};
enum {
#define X(name, ...) RIDGE_GROUPED_C_##name,
    RIDGE_FIT_GROUPED_MAP(X) RIDGE_GROUPED_CONSTANTS
#undef X
};

enum {
#define X(name, ...) RIDGE_MODULE_##name,
    RIDGE_FIT_MODULE_MAP(X) RIDGE_MODULE_CONSTANTS
#undef X
};

#define RIDGE_FIT_CONSTANTS 44

typedef enum ridge__fit_form {
    RIDGE_FIT_TILE,
    RIDGE_FIT_STREAM,
    RIDGE_FIT_PREFILL, /* both with the attention list */
    RIDGE_FIT_DECODE,
    RIDGE_FIT_COLLECTIVE,
    RIDGE_FIT_EXPERTS,
    RIDGE_FIT_GROUPED,
    RIDGE_FIT_MODULE, /* of latent attention */
    RIDGE_FIT_FORM_COUNT,
    RIDGE_FIT_BATCH = RIDGE_FIT_FORM_COUNT /* of like_for alone: tiles of a batch */
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

/*
 * What a call must be for an entry, where a library has a kernel of its own for it: one
 * alternative of the key `when`, as in "head_dim>128 window".
 */
typedef struct ridge__fit_when {
    double dim_min, dim_max;     /* head_dim, both included */
    double group_min, group_max; /* query heads of a KV head, both included */
    int8_t window, causal;       /* 1: with; 0: without; -1: either */
    int8_t phase;                /* ridge__fit_phase; -1: any */
    bool named;                  /* only where the call names the kernel */
    bool profiled;               /* only a profiler's time of one kernel */
    bool bridged;                /* only GPUs that are bridged two by two */
    bool mma_sync;               /* only parts whose warps multiply one by one */
} ridge__fit_when;

/* Of a scan or a module: a prompt, one token a sequence, a few proposed ones. */
typedef enum ridge__fit_phase {
    RIDGE_PHASE_CONTEXT,
    RIDGE_PHASE_GENERATION,
    RIDGE_PHASE_VERIFY
} ridge__fit_phase;

/* What `when` is held against. */
typedef struct ridge__fit_shape {
    double dim, group;
    bool window, causal;
    uint32_t kernel; /* as in ridge_call */
    bool profiled, bridged, mma_sync;
    int8_t phase; /* ridge__fit_phase */
} ridge__fit_shape;

/* The spread of calls that are expected to take so long. */
/* What low, high, errors and reach of a file may be; those that are made end there. */
#define RIDGE__SPREAD_LOW  0.01
#define RIDGE__SPREAD_HIGH 100.0
#define RIDGE__REACH_MAX_S 1e6

typedef struct ridge__fit_band {
    double at_s, low, high;
} ridge__fit_band;

enum {
    RIDGE_FIT_WHEN_MAX = 4,    /* alternatives of an entry */
    RIDGE_FIT_KERNELS_MAX = 4, /* names of its kernel */
    RIDGE_FIT_BANDS_MAX = 8
};

typedef struct ridge_fit {
    const char *key;      /* arch or part that the file is about */
    const char *like;     /* whose fits go after this file's; NULL: none */
    const char *also_for; /* other parts that it is the file of; NULL: none */
    uint32_t
        like_for; /* for which forms, a bit per ridge__fit_form, and RIDGE_FIT_BATCH */
    double like_spread; /* how far they lie off there: 0.2 for 20 % on either side */
    double host_call_s; /* a framework's call on the host of the rows; may be unknown */
    const char *op;     /* op, family or "bmm" (a batched gemm) */
    uint32_t dtypes;    /* bit per ridge_dtype; all ones: any */
    uint32_t kv_dtypes; /* attention; all ones: any */
    ridge_backend backend;
    ridge__fit_when when[RIDGE_FIT_WHEN_MAX]; /* one of them */
    uint8_t when_count;                       /* 0: any call */
    const char *kernels; /* names of its kernel, separated by blanks; NULL: unknown */
    uint32_t kernel[RIDGE_FIT_KERNELS_MAX]; /* hashes of them; 0: no more */
    ridge__fit_form form;
    double c[RIDGE_FIT_CONSTANTS]; /* by the form's list, SI; unknown where not given */
    double low, high;              /* 80 % of measured / expected between */
    /* The same by size, between them linear in the logarithm of the expected time. */
    ridge__fit_band band[RIDGE_FIT_BANDS_MAX];
    uint8_t band_count; /* 0: low and high at any size */
    bool unseen;        /* the spread is that of parts that were left out */
    const char *vendor; /* whose parts those were; NULL: anybody's */
    /* How far parts without rows in the fit lie off, beside that, as a share; unknown: as
     * parts of one architecture mostly do. */
    double elsewhere;
    double mape, median; /* of the fit on rows kept apart; unknown if not known */
    const char *from;    /* data: source, rows, date, method, in a sentence */
    const char *date;
    /* Ids of the parts whose rows were fitted, separated by blanks; NULL: not one part's.
     * Another part that uses the fit borrows it, which widens the interval. */
    const char *parts;
    double reach_s; /* largest floor among the fitted rows: beyond is extrapolation */
} ridge_fit;

/* Parses one alternative; false where a word is not one of those in docs/format/fit.md. */
bool ridge__fit_when_parse(ridge__fit_when *out, const char *text);
/* True if the entry is of the kernel that the call names. */
bool ridge__fit_named(const ridge_fit *fit, const ridge__fit_shape *shape);
/* True if the entry is for calls of that shape; `named`: of its kernel by name. */
bool ridge__fit_takes(const ridge_fit *fit, const ridge__fit_shape *shape, bool named);

/* "12 us 0.84 1.31"; false where it is not that, or does not hold 1. */
bool ridge__fit_band_parse(ridge__fit_band *out, const char *text);
/* True if sizes rise, and no longer call has an earlier low_s or high_s. */
bool ridge__fit_bands_grow(const ridge_fit *fit);
/* Widens bands until that holds; their sizes rise. */
void ridge__fit_bands_widen(ridge_fit *fit);
/* What holds 80 % of measured / expected at that expected time. */
void ridge__fit_spread(const ridge_fit *fit, double expected_s, double *low,
                       double *high);

struct ridge__str;
/* "12 us 0.84 1.31", "90 us 0.9 1.2", quoted and separated by commas. */
void ridge__fit_bands_write(struct ridge__str *out, const ridge_fit *fit);
void ridge__fit_when_write(struct ridge__str *out, const ridge__fit_when *when);
/* The fit as an entry of a fit file ("  - op: ..."), at the end of `out`. */
void ridge__fit_write(struct ridge__str *out, const ridge_fit *fit);

#endif
