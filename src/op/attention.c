/* Scaled dot-product attention: O = softmax(Q K^T) V, prefill or decode by its
 * lengths. */
#include "op/op_priv.h"

static const ridge__param params[] = {
    [RIDGE_ATTN_BATCH] = RIDGE__PARAM_COUNT("batch", "b", 1, 1,
                                            "sequences; follows from a list of lengths"),
    [RIDGE_ATTN_Q_LEN] =
        RIDGE__PARAM_LIST("q_len", "s sq seq", true, 1,
                          "queries per sequence; 1 is decode; a list: of each"),
    [RIDGE_ATTN_KV_LEN] =
        RIDGE__PARAM_LIST("kv_len", "sk skv", false, 1,
                          "keys per sequence; default: q_len; a list: of each"),
    [RIDGE_ATTN_HEADS_Q] = RIDGE__PARAM_SIZE("heads_q", "h hq heads", "query heads"),
    [RIDGE_ATTN_HEADS_KV] = RIDGE__PARAM_COUNT("heads_kv", "hk hkv h_kv", RIDGE_UNKNOWN,
                                               1, "key/value heads; default: heads_q"),
    [RIDGE_ATTN_HEAD_DIM] = RIDGE__PARAM_SIZE("head_dim", "d", "of queries and keys"),
    [RIDGE_ATTN_HEAD_DIM_V] = RIDGE__PARAM_COUNT("head_dim_v", "dv", RIDGE_UNKNOWN, 1,
                                                 "of values; default: head_dim"),
    [RIDGE_ATTN_CAUSAL] =
        RIDGE__PARAM_BOOL("causal", "1: query i sees keys up to i+kv_len-q_len"),
    [RIDGE_ATTN_WINDOW] = RIDGE__PARAM_COUNT(
        "window", NULL, 0, 0, "keys seen, itself included; 0: all; implies causal"),
    [RIDGE_ATTN_PREFIX] =
        RIDGE__PARAM_COUNT("prefix", NULL, 0, 0, "first keys that every query sees"),
    [RIDGE_ATTN_PAIRS] = RIDGE__PARAM_WORD("pairs", "exact half", 0,
                                           "exact, or the half-square count of papers"),
    [RIDGE_ATTN_DTYPE] = RIDGE__PARAM_DTYPE("dtype", NULL, true, RIDGE_UNKNOWN,
                                            "of queries and of the products"),
    [RIDGE_ATTN_KV_DTYPE] = RIDGE__PARAM_DTYPE("kv_dtype", NULL, false, RIDGE_UNKNOWN,
                                               "of keys and values; default: dtype"),
    [RIDGE_ATTN_DTYPE_OUT] =
        RIDGE__PARAM_DTYPE("dtype_out", NULL, false, RIDGE_UNKNOWN,
                           "of the result; default: as dtype, below 16 bits bf16"),
    [RIDGE_ATTN_PIPE] = RIDGE__PARAM_WORD("pipe", RIDGE__PIPE_WORDS, RIDGE_PIPE_ANY,
                                          "execution units; default: the part's fastest"),
};
enum {
    PAIRS_EXACT,
    PAIRS_HALF
};

static const char *const operands[] = {"q", "k", "v", "o"};
enum {
    Q,
    K,
    V,
    O
};

/* Sum of the whole numbers in (low, high]; high >= low. */
static double sum_range(double low, double high)
{
    return (high - low) * (low + high + 1) / 2;
}

/*
 * Query i has its last key at c = i + 1 + kv - q keys from the start, c in (kv-q, kv].
 * Of those it sees the last w, and the first p besides: clamp(c, p, p + w) keys.  The sum
 * over c falls into a constant, a linear and a constant stretch.
 */
double ridge__attention_pairs(double q_len, double kv_len, bool causal, double window,
                              double prefix)
{
    if (!causal)
        return q_len * kv_len;
    double p = ridge__min(prefix, kv_len);
    double most = window > 0 ? ridge__min(p + window, kv_len) : kv_len;
    double first = kv_len - q_len; /* c of the query before the first */
    double low = ridge__max(first, ridge__min(p, kv_len));
    double high = ridge__max(low, most);
    return (low - first) * p + sum_range(low, high) + (kv_len - high) * most;
}

/* The window part of the union is contiguous and ends at kv; the prefix starts at 0. */
double ridge__attention_keys(double q_len, double kv_len, bool causal, double window,
                             double prefix)
{
    if (!causal || window == 0)
        return kv_len;
    double seen = ridge__min(kv_len, q_len + window - 1);
    return ridge__min(kv_len, seen + prefix);
}

/*
 * The half-square count: a full rectangle before the diagonal square, half of the square
 * [xformers, issue 1402].  It forgets the diagonal itself.
 */
static double half_pairs(double q_len, double kv_len)
{
    if (kv_len < q_len)
        return kv_len * kv_len / 2;
    return q_len * (kv_len - q_len) + q_len * q_len / 2;
}

/* ---- Sequences --------------------------------------------------------------------- */

static ridge__cursor list_of(const ridge_call *call, size_t param)
{
    const ridge_list *list = ridge__call_list(call, param);
    return list ? ridge__list_begin(list) : (ridge__cursor){NULL, NULL};
}

ridge__sequences ridge__sequences_begin(const ridge_call *call)
{
    bool square = !ridge__call_given(call, RIDGE_ATTN_KV_LEN);
    ridge__sequences s = {
        .q_list = list_of(call, RIDGE_ATTN_Q_LEN),
        .kv_list = list_of(call, square ? RIDGE_ATTN_Q_LEN : RIDGE_ATTN_KV_LEN),
        .q = call->arg[RIDGE_ATTN_Q_LEN],
        .kv = call->arg[RIDGE_ATTN_KV_LEN]};
    /* A plain length is that of all sequences. */
    s.q_left = s.q_list.at ? 0 : call->arg[RIDGE_ATTN_BATCH];
    s.kv_left = s.kv_list.at ? 0 : call->arg[RIDGE_ATTN_BATCH];
    return s;
}

bool ridge__sequences_next(ridge__sequences *s, double *q_len, double *kv_len,
                           double *times)
{
    if (s->q_left == 0 && !ridge__list_next(&s->q_list, &s->q, &s->q_left))
        return false;
    if (s->kv_left == 0 && !ridge__list_next(&s->kv_list, &s->kv, &s->kv_left))
        return false;
    *q_len = s->q;
    *kv_len = s->kv;
    *times = ridge__min(s->q_left, s->kv_left);
    s->q_left -= *times;
    s->kv_left -= *times;
    return true;
}

/* What all sequences ask for. */
typedef struct total {
    double pairs, keys, queries; /* per head */
} total;

static total add_up(const ridge_call *call)
{
    const double *a = call->arg;
    bool causal = a[RIDGE_ATTN_CAUSAL] != 0, half = a[RIDGE_ATTN_PAIRS] == PAIRS_HALF;
    double window = a[RIDGE_ATTN_WINDOW], prefix = a[RIDGE_ATTN_PREFIX];
    double q, kv, times;
    total t = {0, 0, 0};
    for (ridge__sequences s = ridge__sequences_begin(call);
         ridge__sequences_next(&s, &q, &kv, &times);) {
        t.pairs += times * (half ? half_pairs(q, kv)
                                 : ridge__attention_pairs(q, kv, causal, window, prefix));
        t.keys += times * ridge__attention_keys(q, kv, causal, window, prefix);
        t.queries += times * q;
    }
    return t;
}

double ridge__attention_kept(const ridge_call *call)
{
    return add_up(call).pairs / call->arg[RIDGE_ATTN_BATCH];
}

static ridge_status different_counts(const char *one, double count, const char *other,
                                     double others, ridge_error *err)
{
    return ridge__error_set(err, RIDGE_INVALID,
                            "%s stands for %llu sequences, %s for %llu; a length for "
                            "each sequence wanted",
                            one, (unsigned long long)count, other,
                            (unsigned long long)others);
}

/* The batch follows from lists of lengths; a length that is a list becomes its mean. */
ridge_status ridge__sequences_finish(ridge_call *call, ridge_error *err)
{
    static const uint8_t params_of[] = {RIDGE_ATTN_Q_LEN, RIDGE_ATTN_KV_LEN};
    double *a = call->arg, batch = RIDGE_UNKNOWN;
    const char *first = "batch";
    if (ridge__call_given(call, RIDGE_ATTN_BATCH))
        batch = a[RIDGE_ATTN_BATCH];
    for (size_t i = 0; i < RIDGE__COUNT(params_of); i++) {
        const ridge_list *list = ridge__call_list(call, params_of[i]);
        const char *name = call->op->params[params_of[i]].name;
        double count;
        if (!list)
            continue;
        double sum = ridge__list_sum(list, &count);
        if (ridge_known(batch) && batch != count)
            return different_counts(first, batch, name, count, err);
        first = name;
        batch = count;
        a[params_of[i]] = sum / count;
    }
    if (ridge_known(batch))
        a[RIDGE_ATTN_BATCH] = batch;
    ridge__call_default(call, RIDGE_ATTN_KV_LEN, a[RIDGE_ATTN_Q_LEN]);
    return RIDGE_OK;
}

static double element_bytes(const ridge_call *call, size_t i)
{
    static const uint8_t param[] = {RIDGE_ATTN_DTYPE, RIDGE_ATTN_KV_DTYPE,
                                    RIDGE_ATTN_KV_DTYPE, RIDGE_ATTN_DTYPE_OUT};
    return ridge__call_bytes(call, param[i]);
}

static ridge_status check_mask(ridge_call *call, ridge_error *err)
{
    const double *a = call->arg;
    if (a[RIDGE_ATTN_WINDOW] > 0) {
        ridge__call_default(call, RIDGE_ATTN_CAUSAL, 1);
        if (a[RIDGE_ATTN_CAUSAL] == 0)
            return ridge__error_set(err, RIDGE_INVALID,
                                    "a window looks back from each query: causal=0 "
                                    "contradicts window; leave one of them out");
    }
    if (a[RIDGE_ATTN_PAIRS] == PAIRS_HALF &&
        (a[RIDGE_ATTN_CAUSAL] == 0 || a[RIDGE_ATTN_WINDOW] > 0 ||
         a[RIDGE_ATTN_PREFIX] > 0))
        return ridge__error_set(
            err, RIDGE_INVALID,
            "pairs=half counts a plain causal mask; causal=1, no window, no prefix wanted");
    return RIDGE_OK;
}

static ridge_status finish(ridge_call *call, ridge_error *err)
{
    double *a = call->arg;
    ridge_status status = ridge__sequences_finish(call, err);
    if (status)
        return status;
    ridge__call_default(call, RIDGE_ATTN_HEADS_KV, a[RIDGE_ATTN_HEADS_Q]);
    ridge__call_default(call, RIDGE_ATTN_HEAD_DIM_V, a[RIDGE_ATTN_HEAD_DIM]);
    ridge__call_default(call, RIDGE_ATTN_KV_DTYPE, a[RIDGE_ATTN_DTYPE]);
    ridge__call_default(call, RIDGE_ATTN_DTYPE_OUT,
                        ridge__call_output(call, RIDGE_ATTN_DTYPE));
    if (fmod(a[RIDGE_ATTN_HEADS_Q], a[RIDGE_ATTN_HEADS_KV]) != 0)
        return ridge__error_set(err, RIDGE_INVALID,
                                "heads_q=%llu is not a multiple of heads_kv=%llu; each "
                                "key/value head serves the same number of query heads",
                                (unsigned long long)a[RIDGE_ATTN_HEADS_Q],
                                (unsigned long long)a[RIDGE_ATTN_HEADS_KV]);
    return check_mask(call, err);
}

/*
 * F = 2 b h pairs (d + d_v): one product with the keys, one with the values.  Q and O
 * move once per query head, K and V once per key/value head, only keys that are seen.
 */
static ridge_status count(ridge_work *work, const ridge_call *call, ridge_error *err)
{
    (void)err;
    const double *a = call->arg;
    double d = a[RIDGE_ATTN_HEAD_DIM], dv = a[RIDGE_ATTN_HEAD_DIM_V];
    double hq = a[RIDGE_ATTN_HEADS_Q], hkv = a[RIDGE_ATTN_HEADS_KV];
    total all = add_up(call);
    ridge_dtype dtype = ridge__call_dtype(call, RIDGE_ATTN_DTYPE);
    work->flop = 2 * hq * all.pairs * (d + dv);
    work->special = hq * all.pairs;
    ridge__work_operand(work, element_bytes(call, Q) * hq * all.queries * d);
    ridge__work_operand(work, element_bytes(call, K) * hkv * all.keys * d);
    ridge__work_operand(work, element_bytes(call, V) * hkv * all.keys * dv);
    ridge__work_operand(work, element_bytes(call, O) * hq * all.queries * dv);
    work->dtype = (uint8_t)ridge__dtype(dtype)->math;
    /* Kernels may narrow Q to the cache's dtype and multiply in that. */
    ridge_dtype cache = ridge__dtype(ridge__call_dtype(call, RIDGE_ATTN_KV_DTYPE))->math;
    if (ridge__dtype(cache)->activation_bytes <
        ridge__dtype((ridge_dtype)work->dtype)->activation_bytes)
        work->fast_dtype = (uint8_t)cache;
    work->accumulator = (uint8_t)ridge__accumulator((ridge_dtype)work->dtype);
    work->pipe = (uint8_t)a[RIDGE_ATTN_PIPE];
    if (ridge__row_misaligned(d, dtype) || ridge__row_misaligned(dv, dtype))
        work->warnings |= RIDGE_WARNING_MISALIGNED;
    return RIDGE_OK;
}

/* ---- The backward pass ------------------------------------------------------------- */

static const char *const backward_operands[] = {"q", "kv", "o", "dq", "dkv", "do"};

static double backward_element_bytes(const ridge_call *call, size_t i)
{
    static const uint8_t param[] = {RIDGE_ATTN_DTYPE,     RIDGE_ATTN_KV_DTYPE,
                                    RIDGE_ATTN_DTYPE_OUT, RIDGE_ATTN_DTYPE_OUT,
                                    RIDGE_ATTN_DTYPE_OUT, RIDGE_ATTN_DTYPE_OUT};
    return ridge__call_bytes(call, param[i]);
}

/*
 * dV = P' dO, dP = dO V', dQ = dS K, dK = dS' Q: two products over d, two over d_v, twice
 * the forward pass.  Kernels that keep no scores compute Q K' again: one more over d, 2.5
 * times the forward pass where d = d_v [Dao, FlashAttention-2, section 3.1.2].
 */
static ridge_status count_backward(ridge_work *work, const ridge_call *call,
                                   ridge_error *err)
{
    (void)err;
    const double *a = call->arg;
    double d = a[RIDGE_ATTN_HEAD_DIM], dv = a[RIDGE_ATTN_HEAD_DIM_V];
    double hq = a[RIDGE_ATTN_HEADS_Q], hkv = a[RIDGE_ATTN_HEADS_KV];
    total all = add_up(call);
    double q = hq * all.queries, kv = hkv * all.keys * (d + dv), s[6];
    for (size_t i = 0; i < RIDGE__COUNT(s); i++)
        s[i] = backward_element_bytes(call, i);
    work->flop = 2 * hq * all.pairs * ((call->executed ? 3 : 2) * d + 2 * dv);
    work->special = hq * all.pairs;
    ridge__work_operand(work, s[0] * q * d);
    ridge__work_operand(work, s[1] * kv);
    ridge__work_operand(work, s[2] * q * dv);
    ridge__work_operand(work, s[3] * q * d);
    ridge__work_operand(work, s[4] * kv);
    ridge__work_operand(work, s[5] * q * dv);
    ridge_dtype dtype = ridge__call_dtype(call, RIDGE_ATTN_DTYPE);
    work->dtype = (uint8_t)ridge__dtype(dtype)->math;
    work->accumulator = (uint8_t)ridge__accumulator((ridge_dtype)work->dtype);
    work->pipe = (uint8_t)a[RIDGE_ATTN_PIPE];
    return RIDGE_OK;
}

/* {kept} and {keys}: what the mask leaves, of a sequence; of lists the mean. */
static double symbol(const ridge_call *call, const char *name, size_t size)
{
    if (ridge__text_is("keys", name, size))
        return add_up(call).keys / call->arg[RIDGE_ATTN_BATCH];
    return ridge__text_is("kept", name, size) ? ridge__attention_kept(call)
                                              : RIDGE_UNKNOWN;
}

static const ridge_op ops[] = {
    {
        .name = "attention",
        .aliases =
            "attn attention_prefill attention_decode flash_attention flash_attn sdpa fmha"
            " paged_attention mha gqa mqa",
        .family = "attention",
        .title = "softmax(Q K^T) V, prefill or decode, grouped heads, masks",
        .form = RIDGE_FORM_ATTENTION,
        .params = params,
        .param_count = RIDGE_ATTN_PARAMS,
        .operands = operands,
        .operand_count = RIDGE__COUNT(operands),
        .element_bytes = element_bytes,
        .count = count,
        .finish = finish,
        .symbol = symbol,
        .flop_formula = "2*{batch}*{heads_q}*{kept}*({head_dim} + {head_dim_v})",
        .bytes_formula =
            "{batch}*({heads_q}*{q_len}*({sa}*{head_dim} + {sd}*{head_dim_v}) + "
            "{heads_kv}*{keys}*({sb}*{head_dim} + {sc}*{head_dim_v}))",
        .growth =
            "prefill of length L, full: L/2 at 2 B, grows: can become compute bound; "
            "decode: heads_q/heads_kv at 2 B, constant in kv_len",
        .not_counted =
            "scaling, mask and softmax sums (about 5 FLOP per pair), exponentials "
            "(their own term), the append to the KV cache",
        .source =
            "one product with the keys, one with the values, per pair the mask keeps",
        .symbols =
            "keys: those that some query sees; kept: pairs (query, key) that the mask "
            "keeps; of a list the means",
        .example = "batch=4 q_len=4096 heads_q=32 heads_kv=8 head_dim=128 causal=1 "
                   "dtype=bf16",
        .flop_per_element = RIDGE_UNKNOWN,
        .special_per_element = RIDGE_UNKNOWN,
    },
    {
        .name = "attention_backward",
        .aliases = "attn_bwd attention_bwd",
        .family = "attention_backward",
        .title = "gradients of attention: dQ, dK, dV from dO",
        .form = RIDGE_FORM_ATTENTION_BACKWARD,
        .stand_in = "attention",
        .params = params,
        .param_count = RIDGE_ATTN_PARAMS,
        .operands = backward_operands,
        .operand_count = RIDGE__COUNT(backward_operands),
        .element_bytes = backward_element_bytes,
        .count = count_backward,
        .finish = finish,
        .symbol = symbol,
        .flop_formula = "2*{batch}*{heads_q}*{kept}*(2*{head_dim} + 2*{head_dim_v})",
        .executed_formula = "2*{batch}*{heads_q}*{kept}*(3*{head_dim} + 2*{head_dim_v})",
        .bytes_formula = "{batch}*({heads_q}*{q_len}*(({sa} + {sd})*{head_dim} + "
                         "({sc} + {sf})*{head_dim_v}) + "
                         "{heads_kv}*{keys}*({sb} + {se})*({head_dim} + {head_dim_v}))",
        .growth = "as the forward pass: L/2 at 2 B, grows: can become compute bound",
        .not_counted =
            "row sums of the softmax (4 B a query), scaling, mask; --count executed "
            "adds the scores that are computed again",
        .source =
            "four products where forward has two: 2x; with the scores computed again 2.5x "
            "(FlashAttention-2, section 3.1)",
        .symbols =
            "keys: those that some query sees; kept: pairs (query, key) that the mask "
            "keeps; of a list the means",
        .example = "batch=4 q_len=8192 heads_q=16 head_dim=128 causal=1 dtype=bf16",
        .flop_per_element = RIDGE_UNKNOWN,
        .special_per_element = RIDGE_UNKNOWN,
    }};

ridge__op_rows ridge__op_rows_attention(void)
{
    return (ridge__op_rows){ops, RIDGE__COUNT(ops)};
}
