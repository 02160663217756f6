/*
 * Attention without scores: a state of k x v elements per head that each token updates and
 * reads, and the short convolution before it.  Sources and worked numbers:
 * docs/model/linear_attention.md.
 */
#include "op/op_priv.h"

#include <string.h>

/* ---- Scans ------------------------------------------------------------------------- */

enum {
    BATCH,
    SEQ_LEN,
    K_HEADS,
    K_DIM,
    V_HEADS,
    V_DIM,
    N_GROUPS,
    CHUNK,
    PHASE,
    DTYPE,
    STATE_DTYPE,
    PIPE,
    PARAMS
};
enum {
    PHASE_CONTEXT,
    PHASE_GENERATION,
    PHASE_VERIFY
};
#define PHASE_WORDS "context generation verify"

static const ridge__param params[] = {
    [BATCH] = RIDGE__PARAM_COUNT("batch", "b", 1, 1, "sequences"),
    [SEQ_LEN] =
        RIDGE__PARAM_SIZE("seq_len", "s q_len tokens", "tokens per sequence, 1: decode"),
    [K_HEADS] = RIDGE__PARAM_SIZE("k_heads", "h heads", "heads of queries and keys"),
    [K_DIM] = RIDGE__PARAM_SIZE("k_dim", "d dk state",
                                "elements of a key; of a state-space scan its state"),
    [V_HEADS] = RIDGE__PARAM_COUNT("v_heads", "hv", RIDGE_UNKNOWN, 1,
                                   "heads of values and states; default: k_heads"),
    [V_DIM] = RIDGE__PARAM_COUNT("v_dim", "dv", RIDGE_UNKNOWN, 1,
                                 "elements of a value; default: k_dim"),
    [N_GROUPS] = RIDGE__PARAM_COUNT("n_groups", NULL, 1, 1,
                                    "of a state-space scan: heads that B and C have"),
    [CHUNK] = RIDGE__PARAM_COUNT("chunk", NULL, 64, 1,
                                 "tokens whose scores are formed (--count executed)"),
    [PHASE] = RIDGE__PARAM_WORD("phase", PHASE_WORDS, PHASE_CONTEXT,
                                "context starts from nothing, the others from a state"),
    [DTYPE] = RIDGE__PARAM_DTYPE("dtype", NULL, false, RIDGE_BF16,
                                 "of queries, keys, values and results"),
    [STATE_DTYPE] = RIDGE__PARAM_DTYPE("state_dtype", NULL, false, RIDGE_FP32,
                                       "of the states that are kept"),
    [PIPE] = RIDGE__PARAM_WORD("pipe", RIDGE__PIPE_WORDS, RIDGE_PIPE_ANY,
                               "execution units; default: the part's fastest"),
};

static const char *const operands[] = {"keys", "values", "states"};
enum {
    KEYS,
    VALUES,
    STATES
};

/*
 * What a token does to the state of a head, in FLOP per state element: 2 to add k v', 2 to
 * read it by q; 2 more to read it by k (delta rule), 1 to decay it.  In chunks of C the
 * decay is inside the scores, whose causal half costs C (a dk + b dv) and, where a
 * triangular system is solved, C^2/3 per token.
 */
typedef struct scan {
    const char *name;
    double state, chunked;   /* FLOP per state element: recurrence, chunks */
    double chunk_k, chunk_v; /* a, b */
    double square;           /* 1/3: C^2/3 */
    double key_parts;        /* vectors of k_dim per key head: q, k, a gate */
    bool grouped;            /* keys have n_groups heads */
} scan;

static const scan scans[] = {
    {"linear_attention", 4, 4, 1, 1, 0, 2, false},
    {"gated_delta_rule", 7, 6, 3, 2, 1.0 / 3, 2, false},
    {"kda", 7, 6, 3, 2, 1.0 / 3, 3, false},
    {"ssm_scan", 5, 4, 1, 1, 0, 2, true},
};

static const scan *scan_of(const ridge_call *call)
{
    size_t i = 0;
    while (i + 1 < RIDGE__COUNT(scans) &&
           !ridge__text_is(scans[i].name, call->op->name, strlen(call->op->name)))
        i++;
    return &scans[i];
}

static double key_heads(const ridge_call *call)
{
    return call->arg[scan_of(call)->grouped ? N_GROUPS : K_HEADS];
}

/* A prompt leaves a state behind; later tokens read one and leave one. */
static double passes(const ridge_call *call)
{
    return call->arg[PHASE] == PHASE_CONTEXT ? 1 : 2;
}

static double element_bytes(const ridge_call *call, size_t i)
{
    return ridge__call_bytes(call, i == STATES ? STATE_DTYPE : DTYPE);
}

static ridge_status finish(ridge_call *call, ridge_error *err)
{
    const double *a = call->arg;
    ridge__call_default(call, V_HEADS, a[K_HEADS]);
    ridge__call_default(call, V_DIM, a[K_DIM]);
    double heads = key_heads(call);
    if (fmod(a[V_HEADS], heads) != 0)
        return ridge__error_set(err, RIDGE_INVALID,
                                "v_heads=%llu is not a multiple of the %llu heads of the "
                                "keys; each of them serves as many value heads",
                                (unsigned long long)a[V_HEADS],
                                (unsigned long long)heads);
    return RIDGE_OK;
}

static ridge_status count(ridge_work *work, const ridge_call *call, ridge_error *err)
{
    (void)err;
    const double *a = call->arg;
    const scan *s = scan_of(call);
    double tokens = a[BATCH] * a[SEQ_LEN], heads = a[V_HEADS];
    double state = a[K_DIM] * a[V_DIM];
    double chunk = a[CHUNK];
    double each = call->executed
                      ? s->chunked * state + s->square * chunk * chunk +
                            chunk * (s->chunk_k * a[K_DIM] + s->chunk_v * a[V_DIM])
                      : s->state * state;
    ridge_dtype dtype = ridge__call_dtype(call, DTYPE);
    work->flop = tokens * heads * each;
    ridge__work_operand(work, element_bytes(call, KEYS) * tokens * s->key_parts *
                                  key_heads(call) * a[K_DIM]);
    ridge__work_operand(work,
                        element_bytes(call, VALUES) * tokens * 2 * heads * a[V_DIM]);
    double states = a[BATCH] * passes(call) * heads * state;
    ridge__work_operand(work, element_bytes(call, STATES) * states);
    work->states = a[BATCH] * heads;
    if (!ridge__call_given(call, STATE_DTYPE)) { /* kernels keep them narrower, too */
        double narrow =
            ridge__min(element_bytes(call, KEYS), element_bytes(call, STATES));
        work->least_flop = work->flop;
        work->least_bytes = work->bytes - (element_bytes(call, STATES) - narrow) * states;
    }
    work->chain = a[SEQ_LEN];
    work->phase = (uint8_t)a[PHASE];
    work->dtype = (uint8_t)ridge__dtype(dtype)->math;
    work->accumulator = (uint8_t)ridge__accumulator((ridge_dtype)work->dtype);
    work->pipe = (uint8_t)a[PIPE];
    return RIDGE_OK;
}

static double symbol(const ridge_call *call, const char *name, size_t size)
{
    if (ridge__text_is("key_heads", name, size))
        return key_heads(call);
    if (ridge__text_is("passes", name, size))
        return passes(call);
    return RIDGE_UNKNOWN;
}

/* ---- The convolution before them --------------------------------------------------- */

enum {
    CONV_BATCH,
    CONV_SEQ_LEN,
    CONV_CHANNELS,
    CONV_D_CONV,
    CONV_K_HEADS,
    CONV_K_DIM,
    CONV_V_HEADS,
    CONV_V_DIM,
    CONV_N_GROUPS,
    CONV_PHASE,
    CONV_DTYPE,
    CONV_PARAMS
};

static const ridge__param conv_params[] = {
    [CONV_BATCH] = RIDGE__PARAM_COUNT("batch", "b", 1, 1, "sequences"),
    [CONV_SEQ_LEN] =
        RIDGE__PARAM_SIZE("seq_len", "s q_len tokens", "tokens per sequence, 1: decode"),
    [CONV_CHANNELS] = RIDGE__PARAM_COUNT("channels", "c", RIDGE_UNKNOWN, 1,
                                         "each with its own filter; default: what heads "
                                         "and dims make"),
    [CONV_D_CONV] = RIDGE__PARAM_COUNT("d_conv", NULL, 4, 1, "taps of a filter"),
    [CONV_K_HEADS] = RIDGE__PARAM_COUNT("k_heads", "h heads", RIDGE_UNKNOWN, 1,
                                        "heads of queries and keys"),
    [CONV_K_DIM] = RIDGE__PARAM_COUNT("k_dim", "dk state", RIDGE_UNKNOWN, 1,
                                      "elements of a key, or of a state-space B and C"),
    [CONV_V_HEADS] =
        RIDGE__PARAM_COUNT("v_heads", "hv", RIDGE_UNKNOWN, 1, "heads of values"),
    [CONV_V_DIM] =
        RIDGE__PARAM_COUNT("v_dim", "dv", RIDGE_UNKNOWN, 1, "elements of a value"),
    [CONV_N_GROUPS] = RIDGE__PARAM_COUNT("n_groups", NULL, RIDGE_UNKNOWN, 1,
                                         "heads of B and C instead of k_heads"),
    [CONV_PHASE] = RIDGE__PARAM_WORD("phase", PHASE_WORDS, PHASE_CONTEXT,
                                     "context starts from nothing, the others from a "
                                     "state"),
    [CONV_DTYPE] =
        RIDGE__PARAM_DTYPE("dtype", NULL, false, RIDGE_BF16, "of input and result"),
};

static const char *const conv_operands[] = {"x", "y", "filters", "states"};

static double conv_element_bytes(const ridge_call *call, size_t i)
{
    (void)i;
    return ridge__call_bytes(call, CONV_DTYPE);
}

static ridge_status conv_finish(ridge_call *call, ridge_error *err)
{
    double *a = call->arg;
    double k_heads = ridge_known(a[CONV_N_GROUPS]) ? a[CONV_N_GROUPS] : a[CONV_K_HEADS];
    /* Queries, keys and values pass it together. */
    double channels = 2 * k_heads * a[CONV_K_DIM] + a[CONV_V_HEADS] * a[CONV_V_DIM];
    ridge__call_default(call, CONV_CHANNELS, channels);
    if (!ridge_known(a[CONV_CHANNELS]))
        return ridge__error_set(
            err, RIDGE_INVALID,
            "causal_conv1d lacks channels; or k_heads, k_dim, v_heads "
            "and v_dim, which make 2 k_heads k_dim + v_heads v_dim");
    return RIDGE_OK;
}

static double conv_passes(const ridge_call *call)
{
    return call->arg[CONV_PHASE] == PHASE_CONTEXT ? 1 : 2;
}

/* F = 2 taps per element; the taps - 1 last tokens of a sequence are its state. */
static ridge_status conv_count(ridge_work *work, const ridge_call *call, ridge_error *err)
{
    (void)err;
    const double *a = call->arg;
    double elements = a[CONV_BATCH] * a[CONV_SEQ_LEN] * a[CONV_CHANNELS];
    double s = conv_element_bytes(call, 0), taps = a[CONV_D_CONV];
    ridge_dtype dtype = ridge__call_dtype(call, CONV_DTYPE);
    work->flop = 2 * taps * elements;
    ridge__work_operand(work, s * elements);
    ridge__work_operand(work, s * elements);
    ridge__work_operand(work, s * taps * a[CONV_CHANNELS]);
    ridge__work_operand(work, s * conv_passes(call) * a[CONV_BATCH] * (taps - 1) *
                                  a[CONV_CHANNELS]);
    work->states = a[CONV_BATCH] * a[CONV_CHANNELS];
    work->phase = (uint8_t)a[CONV_PHASE];
    work->dtype = (uint8_t)ridge__dtype(dtype)->math;
    work->accumulator = (uint8_t)ridge__accumulator((ridge_dtype)work->dtype);
    work->pipe = RIDGE_VECTOR;
    return RIDGE_OK;
}

static double conv_symbol(const ridge_call *call, const char *name, size_t size)
{
    return ridge__text_is("passes", name, size) ? conv_passes(call) : RIDGE_UNKNOWN;
}

/* ---- Rows -------------------------------------------------------------------------- */

#define TOKENS "{batch}*{seq_len}*{v_heads}*"
#define STATE  "{k_dim}*{v_dim}"
#define BYTES(parts)                                         \
    "{batch}*({seq_len}*(" parts                             \
    "*{sa}*{key_heads}*{k_dim} + 2*{sb}*{v_heads}*{v_dim}) " \
    "+ {passes}*{sc}*{v_heads}*{k_dim}*{v_dim})"
#define SYMBOLS                                                                            \
    "keys: queries, keys and gates; values: with the results; key_heads: heads that keys " \
    "have; passes: 1 where states are only left behind, 2 where they are read too"
#define SCAN(key, other, what, model, executed_as, parts, missing, from, words)        \
    {                                                                                  \
        .name = (key), .aliases = (other), .family = "linear_attention",               \
        .title = (what), .form = RIDGE_FORM_WHOLE, .stand_in = "custom",               \
        .kept_in_l2 = true, .dtype_param = DTYPE, .params = params,                    \
        .param_count = PARAMS, .operands = operands,                                   \
        .operand_count = RIDGE__COUNT(operands), .element_bytes = element_bytes,       \
        .count = count, .finish = finish, .symbol = symbol, .flop_formula = (model),   \
        .executed_formula = (executed_as), .bytes_formula = BYTES(parts),              \
        .growth = "a prompt: about the FLOP of a state element times v_dim/4 at 2 B, " \
                  "constant in seq_len; decode: below 1, the states' bytes: never",    \
        .not_counted = (missing), .source = (from), .symbols = SYMBOLS,                \
        .example = (words), .flop_per_element = RIDGE_UNKNOWN,                         \
        .special_per_element = RIDGE_UNKNOWN                                           \
    }

static const ridge_op ops[] = {
    SCAN("linear_attention", NULL, "running sum of k v', read by q", TOKENS "4*" STATE,
         TOKENS "(4*" STATE " + {chunk}*({k_dim} + {v_dim}))", "2",
         "feature maps, norms, gates; --count executed adds the scores inside a chunk",
         "Katharopoulos et al. 2020 (arXiv 2006.16236), equations 16 to 20",
         "batch=4 seq_len=4096 k_heads=16 k_dim=128"),
    SCAN(
        "gated_delta_rule",
        "gdn gdn:chunk_gated_delta_rule gdn:chunk_gated_delta_rule_flashinfer "
        "gdn:chunk_gated_delta_rule_triton gdn:fused_recurrent_gated_delta_rule "
        "gdn:fused_recurrent_gated_delta_rule_packed_decode",
        "state that forgets and corrects itself (Gated DeltaNet)", TOKENS "7*" STATE,
        TOKENS "(6*" STATE " + {chunk}*{chunk}/3 + {chunk}*(3*{k_dim} + 2*{v_dim}))", "2",
        "the gates (two numbers a head and token), norms of q and k; --count executed is "
        "the form in chunks",
        "Yang et al. 2024, Gated Delta Networks (arXiv 2412.06464), equation 10; chunks: "
        "Yang et al. 2024 (arXiv 2406.06484), section 3.2",
        "batch=4 seq_len=4096 k_heads=16 k_dim=128 v_heads=32 v_dim=128"),
    SCAN(
        "kda",
        "kda:chunk_kda kda:chunk_kda_with_fused_gate kda:flashkda_fwd "
        "kda:fused_recurrent_kda kda:fused_recurrent_kda_packed_decode "
        "kda:fused_sigmoid_gating_delta_rule_update kda:fused_kda_decode "
        "kda:fused_kda_decode_mtp_dspark kda:kda_fused_decode",
        "the same with a gate for each element of a key (Kimi Delta Attention)",
        TOKENS "7*" STATE,
        TOKENS "(6*" STATE " + {chunk}*{chunk}/3 + {chunk}*(3*{k_dim} + 2*{v_dim}))", "3",
        "the factor of each write (a number a head and token), norms; --count executed is "
        "the form in chunks",
        "Kimi Linear (arXiv 2510.26692), section 3",
        "batch=4 seq_len=4096 k_heads=32 k_dim=128"),
    SCAN("ssm_scan", "mamba2 ssd selective_scan", "state-space scan (Mamba-2)",
         TOKENS "5*" STATE, TOKENS "(4*" STATE " + {chunk}*({k_dim} + {v_dim}))", "2",
         "step sizes and the skip (two numbers a head and token); scores of a chunk are "
         "counted for every head, though a group can share them",
         "Dao and Gu 2024 (arXiv 2405.21060), sections 3 and 6",
         "batch=4 seq_len=4096 k_heads=64 k_dim=128 v_dim=64 n_groups=8 chunk=256"),
    {
        .name = "causal_conv1d",
        .aliases = "gdn:causal_conv1d_fn gdn:causal_conv1d_update "
                   "kda:causal_conv1d_fn_qkv3 kda:causal_conv1d_update "
                   "mamba2:causal_conv1d_fn mamba2:causal_conv1d_update",
        .family = "linear_attention",
        .title = "short filter along the tokens, one for each channel",
        .form = RIDGE_FORM_WHOLE,
        .stand_in = "custom",
        .kept_in_l2 = true,
        .dtype_param = CONV_DTYPE,
        .params = conv_params,
        .param_count = CONV_PARAMS,
        .operands = conv_operands,
        .operand_count = RIDGE__COUNT(conv_operands),
        .element_bytes = conv_element_bytes,
        .count = conv_count,
        .finish = conv_finish,
        .symbol = conv_symbol,
        .flop_formula = "2*{d_conv}*{batch}*{seq_len}*{channels}",
        .bytes_formula = "{sa}*{channels}*(2*{batch}*{seq_len} + {d_conv} + "
                         "{passes}*{batch}*({d_conv} - 1))",
        .growth = "d_conv/2 at 2 B, constant: never compute bound",
        .not_counted = "the activation after it (an exponential an element), bias",
        .source = "Gu and Dao 2023 (arXiv 2312.00752), section 3.4: a filter of d_conv "
                  "taps a channel",
        .symbols =
            "passes: 1 where states are only left behind, 2 where they are read too",
        .example = "batch=4 seq_len=4096 k_heads=16 k_dim=128 v_heads=32 v_dim=128",
        .flop_per_element = RIDGE_UNKNOWN,
        .special_per_element = RIDGE_UNKNOWN,
    },
};

ridge__op_rows ridge__op_rows_linear(void)
{
    return (ridge__op_rows){ops, RIDGE__COUNT(ops)};
}
