/*
 * op - the operations: one file per family, one row per op.
 *
 * A row says what the op's parameters are, how many FLOP and bytes a call asks for, how
 * to say that as a formula, and which form of time model fits it.  Nothing here knows a
 * machine.  A new op is one row (and, if its counts are new, one count function).
 */
#ifndef RIDGE_OP_H
#define RIDGE_OP_H

#include <ridge.h>

typedef enum ridge__param_kind {
    RIDGE_PARAM_COUNT,    /* a whole number, min..max */
    RIDGE_PARAM_QUANTITY, /* a physical quantity in `unit` */
    RIDGE_PARAM_DTYPE,    /* a ridge_dtype; arg is its index */
    RIDGE_PARAM_BOOL,     /* 0 or 1 (also false/true, no/yes) */
    /* One of `words`; arg is its index.  A '#' in a word stands for a number, which goes
     * into the fraction: ridge__word_number(). */
    RIDGE_PARAM_WORD,
    RIDGE_PARAM_LIST /* a COUNT, or a list of them: "[128,4096x7]" */
} ridge__param_kind;

typedef struct ridge__param {
    const char *name;
    const char *aliases; /* separated by blanks; NULL: none */
    ridge__param_kind kind;
    ridge_unit unit; /* of a QUANTITY; COUNT otherwise */
    bool required;
    double fallback;   /* value when not given; RIDGE_UNKNOWN: none, or computed */
    double min, max;   /* of COUNT and QUANTITY; both inclusive */
    const char *words; /* of a WORD, separated by blanks */
    const char *help;  /* one line, with the default where it is computed */
} ridge__param;

/* Which time model fits the op. */
typedef enum ridge__form {
    RIDGE_FORM_STREAM,             /* moves bytes once; elementwise, norms, copies */
    RIDGE_FORM_TILE,               /* a matrix product cut in tiles */
    RIDGE_FORM_ATTENTION,          /* attention: prefill or decode */
    RIDGE_FORM_ATTENTION_BACKWARD, /* its gradients */
    RIDGE_FORM_CUSTOM,             /* counts given by the user */
    RIDGE_FORM_WHOLE,      /* counted here, by shares of the rates: no model of its own */
    RIDGE_FORM_MLA,        /* latent attention */
    RIDGE_FORM_COLLECTIVE, /* data from rank to rank */
    RIDGE_FORM_EXPERTS,    /* tokens to experts on other ranks, and back */
    RIDGE_FORM_GROUPED,    /* products of groups of rows: a mixture's experts */
    RIDGE_FORM_COUNT
} ridge__form;

/* What an op must have of its first input before it can write a part of its result. */
typedef enum ridge__needs {
    RIDGE_NEEDS_ELEMENT, /* the element itself, or what came before it: a sum, a scan */
    RIDGE_NEEDS_ROW,     /* the row, which it goes through twice */
    RIDGE_NEEDS_ALL      /* anything that any block may have written */
} ridge__needs;

/* A matrix product as the tile form cuts it: `batch` times m x k by k x n. */
typedef struct ridge__product {
    double m, n, k, batch;
    double element[3]; /* bytes per element of a, b, c */
    double bytes[3];   /* that a, b, c of one of the batch have, each element once */
} ridge__product;
/* What the exchange of an op is. */
typedef enum ridge__comm_kind {
    RIDGE_COMM_NONE, /* the op is no communication */
    RIDGE_COMM_ALL_REDUCE,
    RIDGE_COMM_ALL_GATHER,
    RIDGE_COMM_REDUCE_SCATTER,
    RIDGE_COMM_ALLTOALL,
    RIDGE_COMM_BROADCAST,
    RIDGE_COMM_REDUCE,
    RIDGE_COMM_GATHER,
    RIDGE_COMM_SCATTER,
    RIDGE_COMM_SEND, /* send_recv, weight_sync */
    RIDGE_COMM_MOE,  /* this and what follows: dispatch and combine of experts */
    RIDGE_COMM_MOE_LOW,
    RIDGE_COMM_MOE_TRTLLM
} ridge__comm_kind;

struct ridge_op {
    const char *name, *aliases; /* aliases separated by blanks; NULL: none */
    const char *family;         /* "gemm", "attention", "elementwise", "custom" */
    const char *title;          /* one line */
    ridge__form form;
    const ridge__param *params;
    size_t param_count;
    const char *const *operands; /* names of operand_bytes[]: "a", "b", "c" */
    size_t operand_count;
    /* Bytes per element of operand i of a finished call; NULL: the user gave bytes. */
    double (*element_bytes)(const ridge_call *call, size_t i);
    /* Fill `work` (zeroed before) from a finished call. */
    ridge_status (*count)(ridge_work *work, const ridge_call *call, ridge_error *err);
    /* Checks and computed defaults once all words are set; NULL: none. */
    ridge_status (*finish)(ridge_call *call, ridge_error *err);
    /*
     * What {names} of the formulas stand for that are no parameters; unknown for others;
     * NULL: the op has none.
     */
    double (*symbol)(const ridge_call *call, const char *name, size_t size);
    /*
     * Formulas with {names}: parameters by their name, symbols, and {flop} {bytes} {sa}
     * {sb} {sc} (bytes per element of operand 0, 1, 2).  Shown by `op NAME` as they are, and by
     * --explain with numbers put in.
     */
    const char *flop_formula, *bytes_formula;
    const char *executed_formula; /* FLOP under --count executed; NULL: as flop_formula */
    const char *growth;           /* "N/3, grows: can become compute bound" */
    const char *not_counted;      /* what the count leaves out; "" : nothing */
    /* What a run may have less of than the count, and so beat its floor; NULL: nothing. */
    const char *assumes;
    const char *source;  /* where the formula comes from */
    const char *example; /* key=value words of a valid call; run by a test */
    const char *symbols; /* what the symbols of the formulas are; NULL: none */
    /* Symbols that are worth printing beside the counts: how many experts are used. */
    const struct ridge__op_fact *facts;
    size_t fact_count;
    /* Elementwise-like rows: FLOP and exponentials per element, and how many operands, at
     * the end of the list, are written. */
    double flop_per_element, special_per_element;
    size_t results;      /* 0: one */
    size_t first_result; /* where they are not the last operands; 0: they are */
    ridge__needs needs;
    /* Sizes of the operands of such a row; NULL: every one has as many elements as the
     * result. */
    const struct ridge__share *shares;
    double flop_per_row, special_per_row;
    /* The op whose fitted constants stand in where no rows were measured for this one or
     * its family: the estimate says that they are borrowed.  NULL: none. */
    const char *stand_in;
    /* What the kernel before wrote or the one after reads may stay in L2: the floor asks DRAM
     * for no more than L2 cannot hold. */
    bool kept_in_l2;
    /* Products of a TILE row, one after the other: false past the last.  NULL: the call is
     * the product, by its places. */
    bool (*product)(ridge__product *out, const ridge_call *call, size_t i);
    size_t dtype_param; /* place of `dtype` where it is not its form's; 0: it is */
    /* Communication: what is exchanged, and formulas (for people) of wire_bytes and
     * network_bytes; NONE and NULL for others. */
    ridge__comm_kind comm;
    const char *wire_formula, *network_formula;
};

/* A symbol of an op that a result shows: {"experts_used", "expected to be used"}. */
struct ridge__op_fact {
    const char *name, *text;
};

double ridge__op_fact_value(const ridge_call *call, const struct ridge__op_fact *fact);

/* The list that a parameter was given as; NULL: it is a plain number, or open. */
const ridge_list *ridge__call_list(const ridge_call *call, size_t param);
/* The numbers of a list, run by run: 128 once, 4096 seven times. */
typedef struct ridge__cursor {
    const char *at, *end;
} ridge__cursor;
ridge__cursor ridge__list_begin(const ridge_list *list);
bool ridge__list_next(ridge__cursor *cursor, double *value, double *times);

/* The number in a word with '#', of the parameter's value: 1.2 of "power_law_1.2". */
double ridge__word_number(double value);

/* Index of a parameter by name or alias; op->param_count if there is none. */
size_t ridge__op_param(const ridge_op *op, const char *name, size_t size);
/* The FLOP formula of a call: as the mathematics counts, or as executed. */
const char *ridge__call_flop_formula(const ridge_call *call);
/* Operand `i` is written. */
bool ridge__op_writes(const ridge_op *op, size_t i);
/* Different elements of operand i that a finished call moves; unknown without a dtype. */
double ridge__call_elements(const ridge_call *call, const ridge_work *work, size_t i);
/* Elements of the row that a finished call goes through: of a product, those that it sums
 * over; of a block-wise op the block; unknown if it has none. */
double ridge__call_row(const ridge_call *call);
/* Bytes per element of operand i of a finished call; unknown if it has no dtype. */
double ridge__call_element_bytes(const ridge_call *call, size_t operand);
/*
 * Set by index from text of `size` bytes: the fast path of tables, where columns were
 * matched once.  No repeat check.
 */
RIDGE_MUST_CHECK ridge_status ridge__call_set_index(ridge_call *call, size_t param,
                                                    const char *text, size_t size,
                                                    ridge_error *err);
/*
 * The number that a formula's {name} stands for: a parameter, {flop}, {bytes}, {sa} ..
 * {sf} (bytes per element of operand 0 .. 5), or a symbol of the op.  Unknown if the op
 * has no such name.
 */
double ridge__op_formula_value(const ridge_call *call, const ridge_work *work,
                               const char *name, size_t size);
/* True if `name` is a family; then an `op` column refines it. */
bool ridge__op_is_family(const char *name);

/*
 * Shapes as the models read them, by fixed place instead of by name: the hot path must
 * not compare strings.  Each op's parameter order begins with its family's enum.
 */
enum { /* gemm */
    RIDGE_GEMM_M,
    RIDGE_GEMM_N,
    RIDGE_GEMM_K,
    RIDGE_GEMM_BATCH,
    RIDGE_GEMM_DTYPE,
    RIDGE_GEMM_DTYPE_OUT,
    RIDGE_GEMM_DTYPE_ACC,
    RIDGE_GEMM_BETA,
    RIDGE_GEMM_EPILOGUE, /* extra FLOP per output element */
    RIDGE_GEMM_PIPE,
    RIDGE_GEMM_DTYPE_B,
    RIDGE_GEMM_PARAMS
};
enum { /* attention */
    RIDGE_ATTN_BATCH,
    RIDGE_ATTN_Q_LEN,
    RIDGE_ATTN_KV_LEN,
    RIDGE_ATTN_HEADS_Q,
    RIDGE_ATTN_HEADS_KV,
    RIDGE_ATTN_HEAD_DIM,
    RIDGE_ATTN_HEAD_DIM_V,
    RIDGE_ATTN_CAUSAL,
    RIDGE_ATTN_WINDOW,
    RIDGE_ATTN_PREFIX,
    RIDGE_ATTN_PAIRS, /* WORD "exact half" */
    RIDGE_ATTN_DTYPE,
    RIDGE_ATTN_KV_DTYPE,
    RIDGE_ATTN_DTYPE_OUT,
    RIDGE_ATTN_PIPE,
    RIDGE_ATTN_PARAMS
};
enum { /* grouped_gemm */
    RIDGE_GROUPED_M,
    RIDGE_GROUPED_N,
    RIDGE_GROUPED_K,
    RIDGE_GROUPED_GROUPS,
    RIDGE_GROUPED_M_TOTAL,
    RIDGE_GROUPED_DTYPE,
    RIDGE_GROUPED_DTYPE_OUT,
    RIDGE_GROUPED_PIPE,
    RIDGE_GROUPED_PARAMS
};
enum {
    RIDGE_BLOCK_SIZES = 6, /* blocks of 8, 16, 32 .. 256 rows */
    RIDGE_BLOCK_LEAST = 8
};
enum { /* moe */
    RIDGE_MOE_TOKENS,
    RIDGE_MOE_HIDDEN,
    RIDGE_MOE_INTER,
    RIDGE_MOE_TOPK,
    RIDGE_MOE_EXPERTS,
    RIDGE_MOE_EP,
    RIDGE_MOE_TP,
    RIDGE_MOE_DISTRIBUTION, /* WORD: RIDGE_ROUTE_* */
    RIDGE_MOE_GATED,
    RIDGE_MOE_SHARED_EXPERTS,
    RIDGE_MOE_DTYPE,
    RIDGE_MOE_DTYPE_OUT,
    RIDGE_MOE_PIPE,
    RIDGE_MOE_PARAMS,
    /* Behind the parameters: what ridge__moe_routing() reads, drawn once by finishing. */
    RIDGE_MOE_ROWS = RIDGE_MOE_PARAMS,
    RIDGE_MOE_USED,
    RIDGE_MOE_BLOCKS,
    RIDGE_MOE_ARGS = RIDGE_MOE_BLOCKS + RIDGE_BLOCK_SIZES
};
enum { /* mla: the first three as attention */
    RIDGE_MLA_BATCH,
    RIDGE_MLA_Q_LEN,
    RIDGE_MLA_KV_LEN,
    RIDGE_MLA_HEADS,
    RIDGE_MLA_SCOPE, /* WORD "attn module ..." */
    RIDGE_MLA_CAUSAL,
    RIDGE_MLA_DTYPE,
    RIDGE_MLA_KV_DTYPE,
    RIDGE_MLA_GEMM_DTYPE,
    RIDGE_MLA_DTYPE_OUT,
    RIDGE_MLA_ABSORBED, /* WORD "auto no yes" */
    RIDGE_MLA_LATENT,
    RIDGE_MLA_ROPE,
    RIDGE_MLA_NOPE,
    RIDGE_MLA_V_DIM,
    RIDGE_MLA_HIDDEN,
    RIDGE_MLA_Q_LATENT,
    RIDGE_MLA_PIPE,
    RIDGE_MLA_PARAMS
};
enum { /* elementwise, norms, softmax, reductions, copies */
    RIDGE_STREAM_ROWS,
    RIDGE_STREAM_COLS,
    RIDGE_STREAM_ELEMENTS,
    RIDGE_STREAM_DTYPE,
    RIDGE_STREAM_DTYPE_OUT,
    RIDGE_STREAM_PIPE,
    RIDGE_STREAM_PARAMS /* further ones may follow per op */
};
enum { /* collectives and transfers; RIDGE_COMM_HEAD of them are common to all */
    RIDGE_COMM_BYTES, /* S: the whole buffer, as nccl-tests counts size */
    RIDGE_COMM_BYTES_PER_RANK,
    RIDGE_COMM_RANKS,
    RIDGE_COMM_RANKS_PER_NODE,
    RIDGE_COMM_DTYPE,
    RIDGE_COMM_OVER,      /* WORD "auto inside network pcie" */
    RIDGE_COMM_ALGO,      /* WORD, in the order of ridge__comm_algo; 0: the fastest */
    RIDGE_COMM_IN_SWITCH, /* WORD "none inside all": where a switch adds */
    RIDGE_COMM_HEAD,
    RIDGE_COMM_SENDERS = RIDGE_COMM_HEAD, /* weight_sync: masters */
    RIDGE_COMM_MESSAGES,                  /* weight_sync: replicas */
    RIDGE_COMM_CHUNKS,
    RIDGE_COMM_STAGES,
    RIDGE_COMM_STEP,    /* s of work on a chunk */
    RIDGE_COMM_EXPERTS, /* weight_sync alone */
    RIDGE_COMM_PARAMS
};
enum { /* values of RIDGE_COMM_OVER */
    RIDGE_OVER_AUTO,
    RIDGE_OVER_INSIDE,
    RIDGE_OVER_NETWORK,
    RIDGE_OVER_PCIE
};
#define RIDGE__COMM_ALGO_MAP(X) \
    X(BEST, "best")             \
    X(RING, "ring")             \
    X(TREE, "tree")             \
    X(ONE_SHOT, "one_shot")     \
    X(TWO_SHOT, "two_shot")     \
    X(NVLS, "nvls")             \
    X(DIRECT, "direct")
typedef enum ridge__comm_algo {
#define X(name, text) RIDGE_ALGO_##name,
    RIDGE__COMM_ALGO_MAP(X)
#undef X
    RIDGE_ALGO_COUNT
} ridge__comm_algo;
enum {              /* expert-parallel exchange */
    RIDGE_EP_PHASE, /* WORD, see RIDGE_EP_* below */
    RIDGE_EP_TOKENS,
    RIDGE_EP_HIDDEN,
    RIDGE_EP_TOPK,
    RIDGE_EP_EXPERTS,
    RIDGE_EP_RANKS,
    RIDGE_EP_RANKS_PER_NODE,
    RIDGE_EP_DTYPE,
    RIDGE_EP_DTYPE_WIRE,
    RIDGE_EP_SMS,
    RIDGE_EP_MAX_NODES, /* unknown: a token may go to all */
    RIDGE_EP_KERNEL,    /* of trtllm_alltoall: WORD, odd: one-sided */
    RIDGE_EP_PARAMS
};
enum { /* values of RIDGE_EP_PHASE, modulo RIDGE_EP_PHASES */
    RIDGE_EP_DISPATCH,
    RIDGE_EP_COMBINE,
    RIDGE_EP_PREPARE,
    RIDGE_EP_COMBINE_LOW,
    RIDGE_EP_PHASES
};
/*
 * Nodes that the ranks of a call span, and ranks in a full one.  Before
 * ridge__comm_place() ranks that no one placed are in one node.
 */
double ridge__comm_nodes(const ridge_call *call, double *per_node);
/*
 * What the user left open and a machine decides: how many ranks one fabric joins
 * (unknown: all), and where a switch adds (an index of RIDGE_COMM_IN_SWITCH).  Then the
 * call counts what it asks of that machine.  Does nothing to other ops.
 */
void ridge__comm_place(ridge_call *call, double parts, unsigned in_switch);
/* Rank count of any communication op; unknown for others. */
double ridge__comm_ranks(const ridge_call *call);
/* busbw / algbw as nccl-tests defines it: 2(n-1)/n, (n-1)/n or 1. */
double ridge__comm_bus_factor(const ridge_call *call);
/* Ranks that a token's topk of `experts` on average reach among `groups` equal groups. */
double ridge__comm_distinct(double experts, double topk, double groups);
/* The same of a call's experts, whose router may choose max_nodes nodes before them. */
double ridge__comm_reached(const ridge_call *call, double groups);
enum { /* custom */
    RIDGE_CUSTOM_FLOP,
    RIDGE_CUSTOM_BYTES,
    RIDGE_CUSTOM_INTENSITY,
    RIDGE_CUSTOM_L2_BYTES,
    RIDGE_CUSTOM_L1_BYTES,
    RIDGE_CUSTOM_DTYPE,
    RIDGE_CUSTOM_PIPE,
    RIDGE_CUSTOM_GRID,
    RIDGE_CUSTOM_BLOCK,
    RIDGE_CUSTOM_REGS,
    RIDGE_CUSTOM_SMEM,
    RIDGE_CUSTOM_INFLIGHT, /* bytes that a thread has in flight */
    RIDGE_CUSTOM_SERIAL,   /* s of a chain that nothing overlaps with */
    RIDGE_CUSTOM_PARAMS
};
/* Runs of rows of grouped_gemm where m is a list; empty where it is not. */
ridge__cursor ridge__grouped_begin(const ridge_call *call);

/* How tokens choose their experts: the words of `distribution`, in this order. */
enum {
    RIDGE_ROUTE_BALANCED,
    RIDGE_ROUTE_UNIFORM,
    RIDGE_ROUTE_RANDOM,
    RIDGE_ROUTE_POWER_LAW,
    RIDGE_ROUTE_POWER_LAW_EPLB
};
/*
 * What routing puts on the rank with the most rows: expected (for a power law the mean of
 * draws of a fixed seed), and the least that any routing of this kind can.
 */
typedef struct ridge__routing {
    double rows; /* (token, expert) pairs */
    double used; /* experts of the rank that have a row */
    /* Blocks of 8 << i rows that hold them: an expert's last one may be partly filled. */
    double blocks[RIDGE_BLOCK_SIZES];
    double least_rows, least_used;
} ridge__routing;
ridge__routing ridge__moe_routing(const ridge_call *call);
/* Blocks of `size` rows that n rows fill; between whole numbers a straight line. */
double ridge__blocks(double n, double size);

/* True if the call works in the latent space: q W_uk against the cache as it is. */
bool ridge__mla_absorbed(const ridge_call *call);

/*
 * Score pairs (query, key) that the mask keeps, per head: exact, closed form.  Causal is
 * aligned at the bottom right: query i sees keys j <= i + kv_len - q_len.  window 0:
 * none.
 */
double ridge__attention_pairs(double q_len, double kv_len, bool causal, double window,
                              double prefix);
/*
 * The sequences of a finished call of attention, in runs of equal lengths: one run of
 * `batch` where no length is a list.
 */
typedef struct ridge__sequences {
    ridge__cursor q_list, kv_list;
    double q, kv, q_left, kv_left;
} ridge__sequences;
ridge__sequences ridge__sequences_begin(const ridge_call *call);
bool ridge__sequences_next(ridge__sequences *s, double *q_len, double *kv_len,
                           double *times);
/* Keys that at least one query sees: those that must be read. */
double ridge__attention_keys(double q_len, double kv_len, bool causal, double window,
                             double prefix);

#endif
