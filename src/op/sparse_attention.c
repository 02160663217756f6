/*
 * Attention to selected keys: an indexer scores them all with few bits, the best ones are
 * attended to.  Sources and worked numbers: docs/model/sparse_attention.md.
 */
#include "op/op_priv.h"

#include <string.h>

enum {
    BATCH,
    Q_LEN,
    KV_PAST,
    HEADS,
    TOPK,
    COMPRESS_RATIO,
    WINDOW,
    QK_DIM,
    V_DIM,
    KV_DIM,
    INDEX_HEADS,
    INDEX_DIM,
    DTYPE,
    KV_DTYPE,
    INDEX_DTYPE,
    DTYPE_OUT,
    GEMM_DTYPE,
    PIPE,
    PARAMS
};

#define OPEN(key, other, low, text) \
    RIDGE__PARAM_COUNT(key, other, RIDGE_UNKNOWN, low, text)
static const ridge__param params[] = {
    [BATCH] = RIDGE__PARAM_COUNT("batch", "b", 1, 1, "sequences"),
    [Q_LEN] = RIDGE__PARAM_SIZE("q_len", "s sq seq", "new queries per sequence"),
    [KV_PAST] =
        RIDGE__PARAM_COUNT("kv_past", "past", 0, 0, "keys before the first query"),
    [HEADS] = RIDGE__PARAM_COUNT("heads", "h heads_q", 64, 1, "query heads of this rank"),
    [TOPK] = OPEN("topk", "top_k", 0, "keys a query takes; 0: all; default: the op's"),
    [COMPRESS_RATIO] =
        OPEN("compress_ratio", NULL, 1, "tokens that share a key; default: the op's"),
    [WINDOW] = OPEN("window", NULL, 0, "last keys, uncompressed, that it takes besides"),
    [QK_DIM] = OPEN("qk_dim", "d", 1, "elements of a query; default: the op's"),
    [V_DIM] = OPEN("v_dim", "dv", 1, "elements of a result; default: the op's"),
    [KV_DIM] = OPEN("kv_dim", NULL, 1, "elements of a cached token; default: the op's"),
    [INDEX_HEADS] = OPEN("index_heads", NULL, 1, "heads of the indexer"),
    [INDEX_DIM] = OPEN("index_dim", NULL, 1, "elements of an indexer's key"),
    [DTYPE] = RIDGE__PARAM_DTYPE("dtype", NULL, true, RIDGE_UNKNOWN,
                                 "of queries and of the products"),
    [KV_DTYPE] = RIDGE__PARAM_DTYPE("kv_dtype", NULL, false, RIDGE_UNKNOWN,
                                    "of the cache; default: dtype"),
    [INDEX_DTYPE] =
        RIDGE__PARAM_DTYPE("index_dtype", NULL, false, RIDGE_FP8, "of the indexer"),
    [DTYPE_OUT] = RIDGE__PARAM_DTYPE("dtype_out", NULL, false, RIDGE_UNKNOWN,
                                     "of the result; default: as dtype, below 16 bits "
                                     "bf16"),
    [GEMM_DTYPE] =
        RIDGE__PARAM_DTYPE("gemm_dtype", NULL, false, RIDGE_UNKNOWN,
                           "of the projections that a module has beside; default: dtype"),
    [PIPE] = RIDGE__PARAM_WORD("pipe", RIDGE__PIPE_WORDS, RIDGE_PIPE_ANY,
                               "execution units; default: the part's fastest"),
};

static const char *const operands[] = {"q", "kv", "o", "index", "logits"};
enum {
    Q,
    KV,
    O,
    INDEX,
    LOGITS
};

/* What an op does, and the extents of the model that has it. */
typedef struct variant {
    const char *name;
    bool attends, indexes;
    int logits;                        /* 1: written or read */
    double open[INDEX_DIM + 1 - TOPK]; /* TOPK .. INDEX_DIM */
} variant;

static const variant variants[] = {
    {"sparse_attention", true, false, 0, {2048, 1, 0, 576, 512, 576, 64, 128}},
    {"dsa", true, true, 0, {2048, 1, 0, 576, 512, 576, 64, 128}},
    {"csa", true, true, 0, {512, 4, 128, 512, 512, 512, 64, 128}},
    {"hca", true, false, 0, {0, 128, 128, 512, 512, 512, 64, 128}},
    {"hca_kernel", true, false, 0, {0, 128, 128, 512, 512, 512, 64, 128}},
    {"msa", true, false, 0, {2048, 1, 0, 128, 128, 256, 1, 128}},
    {"index_logits", false, true, 1, {2048, 1, 0, 576, 512, 576, 64, 128}},
    {"index_topk", false, false, 1, {2048, 1, 0, 576, 512, 576, 64, 128}},
};

static const variant *variant_of(const ridge_call *call)
{
    size_t i = 0;
    while (i + 1 < RIDGE__COUNT(variants) &&
           !ridge__text_is(variants[i].name, call->op->name, strlen(call->op->name)))
        i++;
    return &variants[i];
}

static double element_bytes(const ridge_call *call, size_t i)
{
    static const uint8_t param[] = {DTYPE, KV_DTYPE, DTYPE_OUT, INDEX_DTYPE};
    return i == LOGITS ? 4 : ridge__call_bytes(call, param[i]); /* scores are fp32 */
}

static ridge_status finish(ridge_call *call, ridge_error *err)
{
    (void)err;
    const variant *v = variant_of(call);
    for (size_t p = TOPK; p <= INDEX_DIM; p++)
        ridge__call_default(call, p, v->open[p - TOPK]);
    ridge__call_default(call, KV_DTYPE, call->arg[DTYPE]);
    ridge__call_default(call, DTYPE_OUT, ridge__call_output(call, DTYPE));
    ridge__call_default(call, GEMM_DTYPE, call->arg[DTYPE]);
    return RIDGE_OK;
}

/* Sum of floor(p / r) for the n tokens after `past`: no difference of large sums. */
static double sum_groups(double past, double n, double r)
{
    double rest = fmod(past, r) + n, a = floor(rest / r);
    return n * floor(past / r) + r * a * (a - 1) / 2 + a * (rest - a * r + 1);
}

/* Sum of min(most, floor(p / r)) for them: it is `most` but of the first. */
static double sum_capped(double past, double n, double r, double most)
{
    double below = ridge__min(ridge__max(most * r - 1 - past, 0), n);
    return sum_groups(past, below, r) + most * (n - below);
}

/* Of one sequence. */
typedef struct extent {
    double scored;   /* pairs (query, compressed key) */
    double selected; /* pairs that are attended to */
    double keys;     /* compressed keys there are */
    double read;     /* cached tokens that are read: no more than there are */
    double least;    /* the last query's own */
} extent;

static extent extent_of(const ridge_call *call)
{
    const double *a = call->arg;
    double past = a[KV_PAST], last = past + a[Q_LEN], r = a[COMPRESS_RATIO];
    double most = a[TOPK] > 0 ? a[TOPK] : last;
    extent x = {.keys = floor(last / r)};
    x.scored = sum_groups(past, a[Q_LEN], r);
    x.selected = sum_capped(past, a[Q_LEN], r, most);
    x.least = ridge__min(most, x.keys);
    x.read = ridge__min(x.keys, x.selected);
    if (a[WINDOW] > 0) {
        x.selected += sum_capped(past, a[Q_LEN], 1, a[WINDOW]);
        x.least += ridge__min(last, a[WINDOW]);
        x.read += ridge__min(last, a[WINDOW] + a[Q_LEN] - 1);
    }
    return x;
}

/* The fastest dtype that a part of the work may be multiplied in. */
static ridge_dtype fastest(const ridge_call *call)
{
    ridge_dtype best = ridge__dtype(ridge__call_dtype(call, DTYPE))->math;
    ridge_dtype cache = ridge__dtype(ridge__call_dtype(call, KV_DTYPE))->math;
    ridge_dtype index = ridge__dtype(ridge__call_dtype(call, INDEX_DTYPE))->math;
    if (ridge__dtype(cache)->activation_bytes < ridge__dtype(best)->activation_bytes)
        best = cache;
    if (variant_of(call)->indexes &&
        ridge__dtype(index)->activation_bytes < ridge__dtype(best)->activation_bytes)
        best = index;
    return best;
}

static ridge_status count(ridge_work *work, const ridge_call *call, ridge_error *err)
{
    (void)err;
    const double *a = call->arg;
    const variant *v = variant_of(call);
    extent x = extent_of(call);
    double b = a[BATCH], attends = v->attends ? b : 0, indexes = v->indexes ? b : 0;
    double score = a[INDEX_HEADS] * a[INDEX_DIM];
    double cached = element_bytes(call, KV) * attends * a[KV_DIM];
    work->flop = 2 * (attends * a[HEADS] * x.selected * (a[QK_DIM] + a[V_DIM]) +
                      indexes * x.scored * score);
    work->special = attends * a[HEADS] * x.selected;
    ridge__work_operand(work, element_bytes(call, Q) * attends * a[HEADS] * a[Q_LEN] *
                                  a[QK_DIM]);
    ridge__work_operand(work, cached * x.read);
    ridge__work_operand(work, element_bytes(call, O) * attends * a[HEADS] * a[Q_LEN] *
                                  a[V_DIM]);
    ridge__work_operand(work, element_bytes(call, INDEX) * indexes *
                                  (x.keys * a[INDEX_DIM] + a[Q_LEN] * score));
    ridge__work_operand(work, element_bytes(call, LOGITS) * v->logits * b * x.scored);
    work->states = work->tokens = b * a[Q_LEN];
    work->heads = a[HEADS];
    work->sequences = b;
    work->keys = a[KV_PAST] + a[Q_LEN];
    work->scored = b * x.scored;
    work->taken = attends * x.selected;
    work->beside_dtype = (uint8_t)ridge__call_dtype(call, GEMM_DTYPE);
    work->phase = a[Q_LEN] == 1; /* generation */
    /* Queries may all select the same keys. */
    work->least_flop = work->flop;
    work->least_bytes = work->bytes - cached * (x.read - ridge__min(x.read, x.least));
    ridge_dtype dtype = ridge__call_dtype(call, DTYPE);
    work->dtype = (uint8_t)ridge__dtype(dtype)->math;
    work->fast_dtype = (uint8_t)fastest(call);
    work->accumulator = (uint8_t)ridge__accumulator((ridge_dtype)work->dtype);
    work->pipe = (uint8_t)a[PIPE];
    return RIDGE_OK;
}

static double symbol(const ridge_call *call, const char *name, size_t size)
{
    extent x = extent_of(call);
    const variant *v = variant_of(call);
    const struct {
        const char *name;
        double value;
    } symbols[] = {
        {"scored", x.scored},
        {"selected", x.selected},
        {"index_keys", x.keys},
        {"read", x.read},
        {"least", ridge__min(x.read, x.least)},
        {"attends", v->attends},
        {"indexes", v->indexes},
        {"logits", v->logits},
    };
    for (size_t i = 0; i < RIDGE__COUNT(symbols); i++)
        if (ridge__text_is(symbols[i].name, name, size))
            return symbols[i].value;
    return RIDGE_UNKNOWN;
}

static const struct ridge__op_fact facts[] = {
    {"read", "cached tokens a sequence are read, if no two queries take the same"},
    {"least", "at least"},
};

#define GROWTH                                                                            \
    "decode: heads*(qk_dim + v_dim)/kv_dim at 2 B, constant; a prompt: grows until topk " \
    "keys are there, constant after"
#define MISSING                                                                             \
    "softmax sums, the choice of the best keys, the append to the cache; projections of a " \
    "module and their weights (gemm has them): floor and counts are of the attention and "  \
    "its indexer alone, the expected time of a module holds all of these"
#define SPARSE(key, other, what, from, words)                                       \
    {                                                                               \
        .name = (key), .aliases = (other), .family = "sparse_attention",            \
        .title = (what), .form = RIDGE_FORM_WHOLE, .stand_in = "custom",            \
        .dtype_param = DTYPE, .params = params, .param_count = PARAMS,              \
        .operands = operands, .operand_count = RIDGE__COUNT(operands),              \
        .element_bytes = element_bytes, .count = count, .finish = finish,           \
        .symbol = symbol,                                                           \
        .flop_formula =                                                             \
            "2*{batch}*({attends}*{heads}*{selected}*({qk_dim} + {v_dim}) + "       \
            "{indexes}*{scored}*{index_heads}*{index_dim})",                        \
        .bytes_formula =                                                            \
            "{batch}*({attends}*({heads}*{q_len}*({sa}*{qk_dim} + {sc}*{v_dim}) + " \
            "{sb}*{read}*{kv_dim}) + {indexes}*{sd}*({index_keys} + "               \
            "{q_len}*{index_heads})*{index_dim} + {logits}*{se}*{scored})",         \
        .growth = GROWTH, .not_counted = MISSING, .source = (from),                 \
        .symbols =                                                                  \
            "scored: pairs (query, key) that the indexer sees, a sequence; "        \
            "selected: those attended to; index_keys: keys of the indexer; read: "  \
            "cached tokens read; attends, indexes, logits: 1 where the op does",    \
        .facts = facts, .fact_count = RIDGE__COUNT(facts), .example = (words),      \
        .flop_per_element = RIDGE_UNKNOWN, .special_per_element = RIDGE_UNKNOWN     \
    }
#define V32 "DeepSeek-V3.2 (2025), section 2.1; dimensions of its config.json"
#define V4  "DeepSeek-V4 config.json (2026): compress_ratios, sliding_window, index_topk"

static const ridge_op ops[] = {
    SPARSE("sparse_attention", "glm5_dsa_attn_module",
           "attention to the topk latents that an indexer chose", V32,
           "batch=8 q_len=1 kv_past=65535 heads=128 dtype=bf16"),
    SPARSE("dsa", "dsa_context_module dsa_generation_module",
           "indexer and attention of DeepSeek-V3.2", V32,
           "batch=8 q_len=1 kv_past=65535 heads=128 dtype=bf16 kv_dtype=fp8"),
    SPARSE("csa", "dsv4_csa_context_module dsv4_csa_generation_module",
           "the same over keys that four tokens share (DeepSeek-V4)", V4,
           "batch=8 q_len=1 kv_past=65535 heads=64 dtype=bf16 kv_dtype=fp8"),
    SPARSE("hca", "dsv4_hca_context_module dsv4_hca_generation_module",
           "attention to all keys that 128 tokens share (DeepSeek-V4)", V4,
           "batch=8 q_len=1 kv_past=65535 heads=64 dtype=bf16 kv_dtype=fp8"),
    SPARSE("hca_kernel", "dsv4_hca_attn_module",
           "the same without what a module has around it: its kernel alone", V4,
           "batch=8 q_len=1 kv_past=65535 heads=64 dtype=bf16 kv_dtype=fp8"),
    SPARSE("msa", "msa_context_module msa_generation_module",
           "attention to chosen blocks of keys (MiniMax-M3), one key/value head",
           "kernels named in published timings; dimensions are a guess: give yours",
           "batch=8 q_len=1 kv_past=65535 heads=64 dtype=bf16"),
    SPARSE("index_logits", "glm5_mqa_logits_module dsv4_paged_mqa_logits_module",
           "scores of an indexer, written out", V32,
           "batch=8 q_len=1 kv_past=65535 dtype=fp8"),
    SPARSE("index_topk", "glm5_topk_module dsv4_csa_topk_calib",
           "the best keys of scores that are read", V32,
           "batch=8 q_len=1 kv_past=65535 dtype=fp8"),
};

ridge__op_rows ridge__op_rows_sparse_attention(void)
{
    return (ridge__op_rows){ops, RIDGE__COUNT(ops)};
}
