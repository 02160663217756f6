/*
 * Multi-head latent attention: the cache holds one latent vector and one rotated key per
 * token, shared by all heads [DeepSeek-V2, arXiv 2405.04434, section 2.1; the dimensions
 * of DeepSeek-V3 are the defaults].
 */
#include "op/op_priv.h"

_Static_assert((int)RIDGE_MLA_BATCH == (int)RIDGE_ATTN_BATCH &&
                   (int)RIDGE_MLA_Q_LEN == (int)RIDGE_ATTN_Q_LEN &&
                   (int)RIDGE_MLA_KV_LEN == (int)RIDGE_ATTN_KV_LEN,
               "sequences are read by place");

static const ridge__param params[] = {
    [RIDGE_MLA_BATCH] = RIDGE__PARAM_COUNT("batch", "b", 1, 1,
                                           "sequences; follows from a list of lengths"),
    [RIDGE_MLA_Q_LEN] =
        RIDGE__PARAM_LIST("q_len", "s sq seq", true, 1,
                          "queries per sequence; 1 is decode; a list: of each"),
    [RIDGE_MLA_KV_LEN] =
        RIDGE__PARAM_LIST("kv_len", "sk skv", false, 1,
                          "keys per sequence; default: q_len; a list: of each"),
    [RIDGE_MLA_HEADS] =
        RIDGE__PARAM_SIZE("heads", "h hq heads_q", "query heads of this rank"),
    [RIDGE_MLA_SCOPE] =
        RIDGE__PARAM_WORD("scope", "attn module attn_eager_op module_wideep", 0,
                          "attn: the attention kernel; module: with its projections"),
    [RIDGE_MLA_CAUSAL] = {.name = "causal",
                          .kind = RIDGE_PARAM_BOOL,
                          .unit = RIDGE_UNIT_COUNT,
                          .fallback = 1,
                          .max = 1,
                          .help = "1: query i sees keys up to i+kv_len-q_len"},
    [RIDGE_MLA_DTYPE] = RIDGE__PARAM_DTYPE("dtype", NULL, true, RIDGE_UNKNOWN,
                                           "of queries and of the products"),
    [RIDGE_MLA_KV_DTYPE] =
        RIDGE__PARAM_DTYPE("kv_dtype", NULL, false, RIDGE_UNKNOWN,
                           "of the cache; default: dtype, of a narrower one bf16"),
    [RIDGE_MLA_GEMM_DTYPE] =
        RIDGE__PARAM_DTYPE("gemm_dtype", NULL, false, RIDGE_UNKNOWN,
                           "of the projections (scope=module); default: dtype"),
    [RIDGE_MLA_DTYPE_OUT] =
        RIDGE__PARAM_DTYPE("dtype_out", NULL, false, RIDGE_UNKNOWN,
                           "of the result; default: as dtype, below 16 bits bf16"),
    [RIDGE_MLA_ABSORBED] = RIDGE__PARAM_WORD(
        "absorbed", "auto no yes", 0,
        "yes: in the latent space; auto: up to 16 queries against a longer cache"),
    [RIDGE_MLA_LATENT] = RIDGE__PARAM_COUNT("latent", "kv_lora_rank", 512, 1,
                                            "elements of a token's latent vector"),
    [RIDGE_MLA_ROPE] = RIDGE__PARAM_COUNT("rope", "qk_rope_head_dim", 64, 0,
                                          "rotated elements of a key, one for all heads"),
    [RIDGE_MLA_NOPE] = RIDGE__PARAM_COUNT("nope", "qk_nope_head_dim", 128, 1,
                                          "other elements of a head's query and key"),
    [RIDGE_MLA_V_DIM] = RIDGE__PARAM_COUNT("v_dim", "v_head_dim head_dim_v", 128, 1,
                                           "elements of a head's value"),
    [RIDGE_MLA_HIDDEN] =
        RIDGE__PARAM_COUNT("hidden", "hidden_size", 7168, 1, "elements of a token"),
    [RIDGE_MLA_Q_LATENT] = RIDGE__PARAM_COUNT("q_latent", "q_lora_rank", 1536, 0,
                                              "rank of the queries; 0: not factored"),
    [RIDGE_MLA_PIPE] = RIDGE__PARAM_WORD("pipe", RIDGE__PIPE_WORDS, RIDGE_PIPE_ANY,
                                         "execution units; default: the part's fastest"),
};
enum {
    SCOPE_ATTN,
    SCOPE_MODULE,
    SCOPE_ATTN_EAGER, /* as published tables call the kernel inside an eager operator */
    SCOPE_MODULE_WIDE
};
enum {
    ABSORBED_AUTO,
    ABSORBED_NO,
    ABSORBED_YES
};

static const char *const operands[] = {"q", "kv", "o", "x", "weights", "y"};
enum {
    Q,
    KV,
    O,
    X,
    WEIGHTS,
    Y
};

static bool is_module(const ridge_call *call)
{
    int scope = (int)call->arg[RIDGE_MLA_SCOPE];
    return scope == SCOPE_MODULE || scope == SCOPE_MODULE_WIDE;
}

bool ridge__mla_absorbed(const ridge_call *call)
{
    static const double DECODE_Q_MAX = 16; /* speculative tokens included */
    const double *a = call->arg;
    if (a[RIDGE_MLA_ABSORBED] != ABSORBED_AUTO)
        return a[RIDGE_MLA_ABSORBED] == ABSORBED_YES;
    double q = a[RIDGE_MLA_Q_LEN];
    /* A module of one token a sequence is a step of generation, even the first. */
    bool first = q == 1 && a[RIDGE_MLA_SCOPE] != SCOPE_ATTN;
    return q <= DECODE_Q_MAX && (a[RIDGE_MLA_KV_LEN] > q || first);
}

static double element_bytes(const ridge_call *call, size_t i)
{
    static const uint8_t param[] = {RIDGE_MLA_DTYPE,      RIDGE_MLA_KV_DTYPE,
                                    RIDGE_MLA_DTYPE_OUT,  RIDGE_MLA_DTYPE,
                                    RIDGE_MLA_GEMM_DTYPE, RIDGE_MLA_DTYPE_OUT};
    ridge_dtype dtype = ridge__call_dtype(call, param[i]);
    if (i == WEIGHTS)
        return ridge__dtype(dtype)->weight_bytes;
    /* Hidden states, queries and results travel in 16 bits where dtype is narrower. */
    ridge_dtype wide = ridge__dtype(dtype)->output;
    return ridge__dtype(i == KV ? dtype : wide)->activation_bytes;
}

/* What the sequences ask for, and the extents of a head. */
typedef struct extent {
    double pairs, queries, keys; /* of all sequences, per head */
    double qk, v;                /* elements of a head's product with keys, with values */
    double cached;    /* elements of a key and value, all heads, as they move */
    double weights;   /* elements of the projections of this rank */
    double projected; /* multiply-adds of the projections */
} extent;

static double weights_of(const double *a, bool absorbed, const extent *x,
                         double *projected)
{
    double h = a[RIDGE_MLA_HEADS], hidden = a[RIDGE_MLA_HIDDEN];
    double rank = a[RIDGE_MLA_Q_LATENT], latent = a[RIDGE_MLA_LATENT];
    double q = h * (a[RIDGE_MLA_NOPE] + a[RIDGE_MLA_ROPE]);
    double queries = rank > 0 ? rank * (hidden + q) : hidden * q;
    double keys = hidden * (latent + a[RIDGE_MLA_ROPE]);
    double up = latent * h * (a[RIDGE_MLA_NOPE] + a[RIDGE_MLA_V_DIM]);
    double out = h * a[RIDGE_MLA_V_DIM] * hidden;
    /* Absorbed, the up projections act on queries and results; else on every key. */
    *projected =
        x->queries * (queries + keys + out) + (absorbed ? x->queries : x->keys) * up;
    return queries + keys + up + out;
}

static extent extent_of(const ridge_call *call)
{
    const double *a = call->arg;
    bool absorbed = ridge__mla_absorbed(call);
    double latent = a[RIDGE_MLA_LATENT], rope = a[RIDGE_MLA_ROPE], q, kv, times;
    extent x = {.qk = (absorbed ? latent : a[RIDGE_MLA_NOPE]) + rope,
                .v = absorbed ? latent : a[RIDGE_MLA_V_DIM],
                .cached = latent + rope};
    if (!absorbed && !is_module(call))
        x.cached = a[RIDGE_MLA_HEADS] * (x.qk + x.v);
    for (ridge__sequences s = ridge__sequences_begin(call);
         ridge__sequences_next(&s, &q, &kv, &times);) {
        x.pairs += times * ridge__attention_pairs(q, kv, a[RIDGE_MLA_CAUSAL] != 0, 0, 0);
        x.queries += times * q;
        x.keys += times * kv;
    }
    if (is_module(call))
        x.weights = weights_of(a, absorbed, &x, &x.projected);
    return x;
}

/* The narrower dtype of the cache, where no other is given: fp8 attention has a bf16 one. */
static ridge_status finish(ridge_call *call, ridge_error *err)
{
    ridge_status status = ridge__sequences_finish(call, err);
    if (status)
        return status;
    double dtype = call->arg[RIDGE_MLA_DTYPE];
    ridge__call_default(call, RIDGE_MLA_KV_DTYPE,
                        ridge__call_output(call, RIDGE_MLA_DTYPE));
    ridge__call_default(call, RIDGE_MLA_GEMM_DTYPE, dtype);
    ridge__call_default(call, RIDGE_MLA_DTYPE_OUT,
                        ridge__call_output(call, RIDGE_MLA_DTYPE));
    return RIDGE_OK;
}

/* The fastest dtype that a part of the work may be multiplied in: kernels convert. */
static ridge_dtype fastest(const ridge_call *call)
{
    ridge_dtype best = ridge__dtype(ridge__call_dtype(call, RIDGE_MLA_DTYPE))->math;
    ridge_dtype others[] = {
        ridge__dtype(ridge__call_dtype(call, RIDGE_MLA_KV_DTYPE))->math,
        ridge__dtype(ridge__call_dtype(call, RIDGE_MLA_GEMM_DTYPE))->math};
    size_t count = is_module(call) ? 2 : 1;
    for (size_t i = 0; i < count; i++)
        if (ridge__dtype(others[i])->activation_bytes <
            ridge__dtype(best)->activation_bytes)
            best = others[i];
    return best;
}

/*
 * F = 2 h pairs (qk + v), and twice the multiply-adds of the projections.  Absorbed, keys
 * and values are one latent vector that moves once; else each head has its own.
 */
static ridge_status count(ridge_work *work, const ridge_call *call, ridge_error *err)
{
    (void)err;
    const double *a = call->arg;
    double h = a[RIDGE_MLA_HEADS];
    extent x = extent_of(call);
    bool module = is_module(call);
    ridge_dtype dtype = ridge__call_dtype(call, RIDGE_MLA_DTYPE);
    work->flop = 2 * h * x.pairs * (x.qk + x.v) + 2 * x.projected;
    work->special = h * x.pairs;
    ridge__work_operand(work, module ? 0 : element_bytes(call, Q) * h * x.queries * x.qk);
    ridge__work_operand(work, element_bytes(call, KV) * x.keys * x.cached);
    ridge__work_operand(work, module ? 0 : element_bytes(call, O) * h * x.queries * x.v);
    work->phase = ridge__mla_absorbed(call);
    if (module) {
        double hidden = x.queries * a[RIDGE_MLA_HIDDEN];
        ridge__work_operand(work, element_bytes(call, X) * hidden);
        ridge__work_operand(work, element_bytes(call, WEIGHTS) * x.weights);
        ridge__work_operand(work, element_bytes(call, Y) * hidden);
    }
    work->dtype = (uint8_t)ridge__dtype(dtype)->math;
    work->fast_dtype = (uint8_t)fastest(call);
    work->accumulator = (uint8_t)ridge__accumulator((ridge_dtype)work->dtype);
    work->pipe = (uint8_t)a[RIDGE_MLA_PIPE];
    return RIDGE_OK;
}

static double symbol(const ridge_call *call, const char *name, size_t size)
{
    extent x = extent_of(call);
    const struct {
        const char *name;
        double value;
    } symbols[] = {
        {"pairs", x.pairs},
        {"queries", x.queries},
        {"keys", x.keys},
        {"qk", x.qk},
        {"v", x.v},
        {"cached", x.cached},
        {"projected", x.projected},
        {"weights", x.weights},
        {"attn", is_module(call) ? 0 : 1},
        {"module", is_module(call) ? 1 : 0},
    };
    for (size_t i = 0; i < RIDGE__COUNT(symbols); i++)
        if (ridge__text_is(symbols[i].name, name, size))
            return symbols[i].value;
    return RIDGE_UNKNOWN;
}

static const ridge_op ops[] = {{
    .name = "mla",
    .aliases = "mla_prefill mla_decode",
    .family = "mla",
    .title = "latent attention of DeepSeek-V2 and later, kernel or module",
    .form = RIDGE_FORM_MLA,
    .stand_in = "custom",
    .params = params,
    .param_count = RIDGE_MLA_PARAMS,
    .operands = operands,
    .operand_count = RIDGE__COUNT(operands),
    .element_bytes = element_bytes,
    .count = count,
    .finish = finish,
    .symbol = symbol,
    .flop_formula = "2*{heads}*{pairs}*({qk} + {v}) + 2*{projected}",
    .bytes_formula = "{attn}*{heads}*{queries}*({sa}*{qk} + {sc}*{v}) + "
                     "{sb}*{keys}*{cached} + {se}*{weights} + "
                     "{module}*{queries}*{hidden}*({sd} + {sf})",
    .growth =
        "absorbed decode: 2 h (latent + rope + latent)/(latent + rope) at 2 B, "
        "1.9 h less Q and O: 228 at h=128, constant in kv_len; prefill of length L, "
        "full: L/2, grows: can become compute bound",
    .not_counted =
        "softmax sums and scaling, exponentials (their own term), the append to "
        "the cache, norms and rotation",
    .source =
        "DeepSeek-V2 (arXiv 2405.04434), section 2.1 and appendix B; one product with "
        "keys, one with values, per pair; the latent once for both",
    .symbols = "pairs: (query, key) that the mask keeps, a head; qk, v: elements of a "
               "head's products; cached: elements of a token's keys and values; "
               "projected, weights: multiply-adds and elements of the projections, 0 of "
               "scope=attn; attn, module: 1 for that scope",
    .example = "batch=128 q_len=1 kv_len=4096 heads=16 dtype=bf16",
    .flop_per_element = RIDGE_UNKNOWN,
    .special_per_element = RIDGE_UNKNOWN,
}};

ridge__op_rows ridge__op_rows_mla(void)
{
    return (ridge__op_rows){ops, RIDGE__COUNT(ops)};
}
