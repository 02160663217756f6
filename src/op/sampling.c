/* What follows the logits: the next token, or the loss.  A row is a token's vocabulary. */
#include "op/stream_priv.h"

enum {
    PASSES = RIDGE_STREAM_PARAMS,
    TOP_K = RIDGE_STREAM_PARAMS
};

#define SIZES                                                                          \
    [RIDGE_STREAM_ROWS] = RIDGE__PARAM_COUNT("rows", "tokens batch", RIDGE_UNKNOWN, 1, \
                                             "tokens, each with a row of its own"),    \
    [RIDGE_STREAM_COLS] = RIDGE__PARAM_COUNT("cols", "vocab", RIDGE_UNKNOWN, 1,        \
                                             "elements per row: the vocabulary"),      \
    [RIDGE_STREAM_ELEMENTS] = RIDGE__PARAM_COUNT("elements", "n", RIDGE_UNKNOWN, 1,    \
                                                 "rows x cols: may stand for either"), \
    RIDGE__STREAM_TYPES(RIDGE_VECTOR, "execution units; default: vector")
static const ridge__param once[] = {SIZES};
static const ridge__param again[] = {
    SIZES, [PASSES] = RIDGE__PASSES("reads of the row: 1 on chip or online, 2, 3 plain")};
static const ridge__param top_k[] = {
    SIZES, [TOP_K] = RIDGE__PARAM_COUNT("k", NULL, RIDGE_UNKNOWN, 1,
                                        "elements of each row that are kept")};

/* Labels, token ids and losses are 4 bytes each. */
static const char *const chosen[] = {"logits", "token"};
static const ridge__share argmax_shares[] = {RIDGE__ALL_IN, RIDGE__ROW_WORD};
static const ridge__share sampling_shares[] = {
    {.elements = 1, .of = RIDGE__OF_IN, .times = PASSES}, RIDGE__ROW_WORD};
static const char *const loss[] = {"logits", "label", "loss"};
static const ridge__share loss_shares[] = {
    {.elements = 1, .of = RIDGE__OF_IN, .times = PASSES},
    RIDGE__ROW_WORD,
    RIDGE__ROW_WORD};
static const char *const gradient[] = {"logits", "label, lse, dloss", "dlogits"};
static const ridge__share gradient_shares[] = {
    RIDGE__ALL_IN, {.rows = 3, .of = RIDGE__OF_WORD}, RIDGE__ALL_OUT};
static const char *const fused[] = {"logits", "label", "dlogits", "loss"};
static const ridge__share fused_shares[] = {
    {.elements = 1, .of = RIDGE__OF_IN, .times = PASSES},
    RIDGE__ROW_WORD,
    RIDGE__ALL_OUT,
    RIDGE__ROW_WORD};

static ridge_status finish_top_k(ridge_call *call, ridge_error *err)
{
    ridge_status status = RIDGE_OK;
    if (!ridge__call_given(call, TOP_K))
        return ridge__error_set(err, RIDGE_INVALID, "top_k lacks k; as in: top_k %s",
                                call->op->example);
    status = ridge__row_finish(call, err);
    if (!status && call->arg[TOP_K] > call->arg[RIDGE_STREAM_COLS])
        return ridge__error_set(err, RIDGE_INVALID,
                                "k=%llu is more than a row of cols=%llu has; fewer "
                                "wanted",
                                (unsigned long long)call->arg[TOP_K],
                                (unsigned long long)call->arg[RIDGE_STREAM_COLS]);
    return status;
}

static const char *const kept[] = {"x", "values", "indices"};
static const ridge__share kept_shares[] = {
    RIDGE__ALL_IN,
    {.rows = 1, .of = RIDGE__OF_OUT, .times = TOP_K},
    {.rows = 1, .of = RIDGE__OF_WORD, .times = TOP_K}};

static ridge_status count_top_k(ridge_work *work, const ridge_call *call,
                                ridge_error *err)
{
    ridge_status status = ridge__stream_count(work, call, err);
    work->footprint_bytes = work->bytes; /* k results a row, not one k times */
    return status;
}

#define SAMPLE  "rows=128 cols=128256 dtype=bf16"
#define TRAIN   "rows=8192 cols=128256 dtype=bf16"
#define SPECIAL "exponentials and logarithms (their own term)"
#define FAMILY  "sampling"

static const ridge_op ops[] = {
    {RIDGE__SHARE_ROW_BARE("top_k", FAMILY, top_k, kept, kept_shares, 2),
     .aliases = "topk", .title = "the k largest of each row, with their places",
     .count = count_top_k, .finish = finish_top_k, .flop_formula = "{elements}",
     .bytes_formula = "{elements}*{sa} + {rows}*{k}*({sb} + {sc})",
     .growth = "tends to 1/2 at 2 B, constant: never",
     .not_counted = "what the selection does beyond one comparison per element",
     .source = "one comparison per element with the k-th largest so far",
     .example = "rows=128 cols=128256 k=50 dtype=bf16", .flop_per_element = 1,
     .stand_in = "softmax"},
    {RIDGE__SHARE_ROW("argmax", FAMILY, once, chosen, argmax_shares, 1),
     .aliases = "greedy", .title = "place of the largest of each row: greedy decoding",
     .finish = ridge__row_finish, .flop_formula = "{elements} - {rows}",
     .bytes_formula = "{elements}*{sa} + {rows}*{sb}",
     .growth = "tends to 1/2 at 2 B, constant: never", .not_counted = "",
     .source = "n - 1 comparisons a row", .example = SAMPLE, .flop_per_element = 1,
     .flop_per_row = -1, .stand_in = "softmax"},
    {RIDGE__SHARE_ROW("sampling", FAMILY, again, chosen, sampling_shares, 1),
     .needs = RIDGE_NEEDS_ROW,
     .title = "softmax of the logits with top-p or top-k, and one draw a row",
     .finish = ridge__row_finish, .flop_formula = "6*{elements}",
     .bytes_formula = "{elements}*{passes}*{sa} + {rows}*{sb}",
     .growth = "tends to 3 at 2 B in one pass, constant: never",
     .not_counted = "sorting; " SPECIAL ", random numbers",
     .source =
         "temperature, maximum, subtract, sum, threshold, running sum: 6 per element",
     .example = SAMPLE, .flop_per_element = 6, .special_per_element = 1,
     .stand_in = "softmax"},
    {RIDGE__SHARE_ROW("cross_entropy", FAMILY, again, loss, loss_shares, 1),
     .aliases = "ce cross_entropy_loss",
     .title = "loss of each row: log(sum(exp(x))) - x[label]",
     .finish = ridge__row_finish, .flop_formula = "3*{elements} + 2*{rows}",
     .bytes_formula = "{elements}*{passes}*{sa} + {rows}*({sb} + {sc})",
     .growth = "tends to 3/2 at 2 B in one pass, constant: never", .not_counted = SPECIAL,
     .source = "maximum, subtract, sum per element; two additions a row",
     .example = TRAIN, .flop_per_element = 3, .flop_per_row = 2, .special_per_element = 1,
     .special_per_row = 1, .stand_in = "softmax"},
    {RIDGE__SHARE_ROW("cross_entropy_backward", FAMILY, once, gradient, gradient_shares,
                      1),
     .title = "(softmax - one at the label) dloss, softmax made again",
     .finish = ridge__row_finish, .flop_formula = "2*{elements} + {rows}",
     .bytes_formula = "{elements}*({sa} + {sc}) + 3*{rows}*{sb}",
     .growth = "tends to 1/2 at 2 B, constant: never", .not_counted = SPECIAL,
     .source = "subtract and scale per element; one subtraction a row", .example = TRAIN,
     .flop_per_element = 2, .flop_per_row = 1, .special_per_element = 1,
     .stand_in = "softmax"},
    {RIDGE__SHARE_ROW("cross_entropy_fused", FAMILY, again, fused, fused_shares, 2),
     .needs = RIDGE_NEEDS_ROW,
     .title = "loss and gradient in one kernel: the row is read once",
     .finish = ridge__row_finish, .flop_formula = "5*{elements} + 3*{rows}",
     .bytes_formula = "{elements}*({passes}*{sa} + {sc}) + {rows}*({sb} + {sd})",
     .growth = "tends to 5/4 at 2 B in one pass, constant: never",
     .not_counted = SPECIAL ", the exponentials made again where a row does not stay "
                            "on chip",
     .source = "cross_entropy and cross_entropy_backward", .example = TRAIN,
     .flop_per_element = 5, .flop_per_row = 3, .special_per_element = 1,
     .special_per_row = 2, .stand_in = "softmax"},
};

ridge__op_rows ridge__op_rows_sampling(void)
{
    return (ridge__op_rows){ops, RIDGE__COUNT(ops)};
}
