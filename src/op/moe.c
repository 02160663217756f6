/* A layer of a mixture of experts, on the rank that has the most rows. */
#include "op/op_priv.h"

static const ridge__param params[] = {
    [RIDGE_MOE_TOKENS] =
        RIDGE__PARAM_SIZE("tokens", "num_tokens", "of all ranks together"),
    [RIDGE_MOE_HIDDEN] =
        RIDGE__PARAM_SIZE("hidden", "hidden_size", "elements of a token"),
    [RIDGE_MOE_INTER] =
        RIDGE__PARAM_SIZE("inter", "inter_size moe_inter intermediate intermediate_size",
                          "of an expert, before it is cut by tp"),
    [RIDGE_MOE_TOPK] = RIDGE__PARAM_SIZE("topk", "top_k k", "experts that a token takes"),
    [RIDGE_MOE_EXPERTS] =
        RIDGE__PARAM_SIZE("experts", "num_experts e", "routed, of all ranks together"),
    [RIDGE_MOE_EP] = RIDGE__PARAM_COUNT("ep", NULL, 1, 1, "ranks that share the experts"),
    [RIDGE_MOE_TP] = RIDGE__PARAM_COUNT("tp", NULL, 1, 1, "ranks that share an expert"),
    [RIDGE_MOE_DISTRIBUTION] = RIDGE__PARAM_WORD(
        "distribution", "balanced uniform random power_law_# power_law_#_eplb", 0,
        "of tokens among experts; # is an exponent, as in power_law_1.2"),
    [RIDGE_MOE_GATED] = {.name = "gated",
                         .kind = RIDGE_PARAM_BOOL,
                         .unit = RIDGE_UNIT_COUNT,
                         .fallback = 1,
                         .max = 1,
                         .help = "1: gate and up product (SwiGLU); 0: up alone"},
    [RIDGE_MOE_SHARED_EXPERTS] =
        RIDGE__PARAM_COUNT("shared_experts", "shared", 0, 0, "that every token takes"),
    [RIDGE_MOE_DTYPE] = RIDGE__PARAM_DTYPE("dtype", NULL, true, RIDGE_UNKNOWN,
                                           "of weights and of the products' input"),
    [RIDGE_MOE_DTYPE_OUT] =
        RIDGE__PARAM_DTYPE("dtype_out", NULL, false, RIDGE_UNKNOWN,
                           "of the result; default: as dtype, below 16 bits bf16"),
    [RIDGE_MOE_PIPE] = RIDGE__PARAM_WORD("pipe", RIDGE__PIPE_WORDS, RIDGE_PIPE_ANY,
                                         "execution units; default: the part's fastest"),
};

static const char *const operands[] = {"x", "weights", "y"};
enum {
    X,
    WEIGHTS,
    Y
};

static double element_bytes(const ridge_call *call, size_t i)
{
    if (i == X)
        return ridge__call_bytes(call, RIDGE_MOE_DTYPE);
    if (i == WEIGHTS)
        return ridge__dtype(ridge__call_dtype(call, RIDGE_MOE_DTYPE))->weight_bytes;
    return ridge__call_bytes(call, RIDGE_MOE_DTYPE_OUT);
}

static ridge_status finish(ridge_call *call, ridge_error *err)
{
    const double *a = call->arg;
    ridge__call_default(call, RIDGE_MOE_DTYPE_OUT,
                        ridge__call_output(call, RIDGE_MOE_DTYPE));
    if (a[RIDGE_MOE_TOPK] > a[RIDGE_MOE_EXPERTS])
        return ridge__error_set(err, RIDGE_INVALID,
                                "topk=%llu is more than experts=%llu; a token takes "
                                "different ones",
                                (unsigned long long)a[RIDGE_MOE_TOPK],
                                (unsigned long long)a[RIDGE_MOE_EXPERTS]);
    if (a[RIDGE_MOE_EP] > a[RIDGE_MOE_EXPERTS])
        return ridge__error_set(err, RIDGE_INVALID,
                                "ep=%llu is more than experts=%llu; each rank has one at "
                                "least",
                                (unsigned long long)a[RIDGE_MOE_EP],
                                (unsigned long long)a[RIDGE_MOE_EXPERTS]);
    ridge__moe_route(call);
    return RIDGE_OK;
}

_Static_assert(RIDGE_MOE_ARGS <= RIDGE_ARG_MAX, "the routing stands behind parameters");

/* Tokens that have a row on the rank: no more than all, no more than the rows. */
static double distinct(const ridge_call *call, double rows)
{
    return ridge__min(rows, call->arg[RIDGE_MOE_TOKENS]);
}

/*
 * Each row passes the experts' two or three products, H x I/tp: F = 2 R H I/tp (2 + gated).
 * The weights of an expert come once however many rows it has; a token comes and goes
 * once.  Shared experts see the rank's own tokens.
 */
static ridge_status count(ridge_work *work, const ridge_call *call, ridge_error *err)
{
    (void)err;
    const double *a = call->arg;
    ridge__routing r = ridge__moe_routing(call);
    double hidden = a[RIDGE_MOE_HIDDEN], shared = a[RIDGE_MOE_SHARED_EXPERTS];
    double expert =
        hidden * (a[RIDGE_MOE_INTER] / a[RIDGE_MOE_TP]) * (2 + a[RIDGE_MOE_GATED]);
    double own = a[RIDGE_MOE_TOKENS] / a[RIDGE_MOE_EP];
    double tokens = distinct(call, r.rows), moved = element_bytes(call, X);
    double local = a[RIDGE_MOE_EXPERTS] / a[RIDGE_MOE_EP];
    double weight = element_bytes(call, WEIGHTS) * expert;
    moved += element_bytes(call, Y);
    work->flop = 2 * (r.rows + shared * own) * expert;
    ridge__work_operand(work, element_bytes(call, X) * tokens * hidden);
    ridge__work_operand(work, weight * (r.used + shared));
    ridge__work_operand(work, element_bytes(call, Y) * tokens * hidden);
    /* All experts of the rank must be in its memory. */
    work->footprint_bytes += weight * (local - r.used);
    work->least_flop = 2 * (r.least_rows + shared * own) * expert;
    work->least_bytes =
        weight * (r.least_used + shared) +
        moved * hidden * r.least_rows / ridge__min(a[RIDGE_MOE_TOPK], local);
    ridge_dtype dtype = ridge__call_dtype(call, RIDGE_MOE_DTYPE);
    work->dtype = (uint8_t)ridge__dtype(dtype)->math;
    work->accumulator = (uint8_t)ridge__accumulator((ridge_dtype)work->dtype);
    work->pipe = (uint8_t)a[RIDGE_MOE_PIPE];
    /* Of one rank alone: what ranks send each other is often as long, and is not here. */
    if (a[RIDGE_MOE_EP] > 1 || a[RIDGE_MOE_TP] > 1)
        work->warnings |= RIDGE_WARNING_NOT_COUNTED;
    return RIDGE_OK;
}

static double symbol(const ridge_call *call, const char *name, size_t size)
{
    const double *a = call->arg;
    ridge__routing r = ridge__moe_routing(call);
    if (ridge__text_is("rows", name, size))
        return r.rows;
    if (ridge__text_is("experts_used", name, size))
        return r.used;
    if (ridge__text_is("experts_least", name, size))
        return r.least_used;
    if (ridge__text_is("row_tokens", name, size))
        return distinct(call, r.rows);
    if (ridge__text_is("tokens_per_expert", name, size))
        return a[RIDGE_MOE_TOKENS] * a[RIDGE_MOE_TOPK] / a[RIDGE_MOE_EXPERTS];
    return RIDGE_UNKNOWN;
}

static const struct ridge__op_fact facts[] = {
    {"experts_used", "experts used on the heaviest rank (expected)"},
    {"experts_least", "at least"},
    {"rows", "rows on it"},
    {"tokens_per_expert", "tokens per expert on average"},
};

static const ridge_op ops[] = {{
    .name = "moe",
    .aliases = "fused_moe",
    .family = "moe",
    .title = "experts of a mixture, on the rank with the most rows",
    .form = RIDGE_FORM_GROUPED,
    .dtype_param = RIDGE_MOE_DTYPE,
    .params = params,
    .param_count = RIDGE_MOE_PARAMS,
    .operands = operands,
    .operand_count = RIDGE__COUNT(operands),
    .element_bytes = element_bytes,
    .count = count,
    .finish = finish,
    .symbol = symbol,
    .flop_formula = "2*({rows} + {shared_experts}*{tokens}/{ep})*{hidden}*{inter}/{tp}*"
                    "(2 + {gated})",
    .bytes_formula = "({experts_used} + {shared_experts})*{sb}*{hidden}*{inter}/{tp}*"
                     "(2 + {gated}) + {row_tokens}*{hidden}*({sa} + {sc})",
    .growth =
        "about tokens*topk/experts at 2 B, tokens per expert: grows with tokens "
        "alone; compute bound from ridge*bytes/2 tokens per expert on (about 330 of "
        "bf16 on h100-sxm)",
    .not_counted =
        "router, sorting and gathering rows, quantising them, the rows between "
        "the products, the exchange between ranks",
    .source =
        "two products per row, three where gated; weights of the experts used once; "
        "used: E(1 - (1 - k/E)^tokens) where routing is uniform",
    .symbols =
        "rows: (token, expert) pairs on the heaviest rank; experts_used: its experts "
        "that have one; row_tokens: tokens that have one",
    .facts = facts,
    .fact_count = RIDGE__COUNT(facts),
    .example = "tokens=1024 hidden=7168 inter=2048 topk=8 experts=256 ep=8 "
               "distribution=uniform dtype=fp8_block",
    .flop_per_element = RIDGE_UNKNOWN,
    .special_per_element = RIDGE_UNKNOWN,
}};

ridge__op_rows ridge__op_rows_moe(void)
{
    return (ridge__op_rows){ops, RIDGE__COUNT(ops)};
}
