/* Rows that are looked up, put in place or counted by an index of 4 bytes each. */
#include "op/stream_priv.h"

enum {
    VOCAB = RIDGE_STREAM_PARAMS,
    UNIQUE,
    ROW_PARAMS,
    BINS = RIDGE_STREAM_PARAMS
};
static const ridge__param rows[] = {
    RIDGE__STREAM_VECTOR,
    [VOCAB] =
        RIDGE__PARAM_COUNT("vocab", NULL, RIDGE_UNKNOWN, 1, "rows that the table has"),
    [UNIQUE] = RIDGE__PARAM_COUNT("unique", NULL, RIDGE_UNKNOWN, 1,
                                  "different rows that are asked for; default: all of "
                                  "them, at most vocab"),
};
static const ridge__param histogram[] = {
    RIDGE__STREAM_VECTOR,
    [BINS] = RIDGE__PARAM_SIZE("bins", NULL, "counters of 4 bytes"),
};

static ridge_status finish_rows(ridge_call *call, ridge_error *err)
{
    ridge_status status = ridge__stream_finish(call, err);
    if (status)
        return status;
    const double *a = call->arg;
    /* Comparisons with an unknown vocabulary are false. */
    double most = a[VOCAB] < a[RIDGE_STREAM_ROWS] ? a[VOCAB] : a[RIDGE_STREAM_ROWS];
    ridge__call_default(call, UNIQUE, most);
    if (a[UNIQUE] > most)
        return ridge__error_set(err, RIDGE_INVALID,
                                "unique=%llu is more than can be asked for; at most "
                                "%llu wanted, the smaller of rows and vocab",
                                (unsigned long long)a[UNIQUE], (unsigned long long)most);
    return RIDGE_OK;
}

/* Elements of the different rows. */
static double distinct(const ridge_call *call)
{
    return call->arg[UNIQUE] * call->arg[RIDGE_STREAM_COLS];
}

static double bytes_of(const ridge_call *call, size_t i)
{
    if (i == 1)
        return RIDGE__WORD_BYTES;
    return ridge__call_bytes(call, i == 0 ? RIDGE_STREAM_DTYPE : RIDGE_STREAM_DTYPE_OUT);
}

/* x, its indices, and what is written: `first`, rows and `written` elements. */
static void count_rows(ridge_work *work, const ridge_call *call, double first,
                       double written)
{
    ridge__stream_work(work, call);
    ridge__work_operand(work, first * bytes_of(call, 0));
    ridge__work_operand(work, call->arg[RIDGE_STREAM_ROWS] * bytes_of(call, 1));
    ridge__work_operand(work, written * bytes_of(call, 2));
}

static ridge_status count_gather(ridge_work *work, const ridge_call *call,
                                 ridge_error *err)
{
    (void)err;
    count_rows(work, call, distinct(call), ridge__stream_elements(call));
    return RIDGE_OK;
}

static ridge_status count_scatter(ridge_work *work, const ridge_call *call,
                                  ridge_error *err)
{
    (void)err;
    count_rows(work, call, ridge__stream_elements(call), distinct(call));
    return RIDGE_OK;
}

static ridge_status count_add(ridge_work *work, const ridge_call *call, ridge_error *err)
{
    (void)err;
    count_rows(work, call, ridge__stream_elements(call), distinct(call));
    double written = work->operand_bytes[2], kept = work->footprint_bytes;
    ridge__work_operand(work, written);
    work->footprint_bytes = kept;
    return RIDGE_OK;
}

static ridge_status count_histogram(ridge_work *work, const ridge_call *call,
                                    ridge_error *err)
{
    (void)err;
    ridge__stream_work(work, call);
    ridge__stream_operand(work, call, 0, ridge__stream_elements(call));
    ridge__work_operand(work, call->arg[BINS] * RIDGE__WORD_BYTES);
    return RIDGE_OK;
}

static const char *const gather_operands[] = {"table", "ids", "out"};
static const char *const scatter_operands[] = {"x", "ids", "table"};
static const char *const add_operands[] = {"x", "ids", "table_in", "table"};
static const char *const histogram_operands[] = {"x", "bins"};
static const ridge__share histogram_shares[] = {RIDGE__ALL_IN, {.of = RIDGE__OF_WORD}};

#define ROW(key, kin, names)                                                   \
    .name = (key), .family = (kin), .form = RIDGE_FORM_STREAM, .params = rows, \
    .param_count = ROW_PARAMS, .operands = (names),                            \
    .operand_count = RIDGE__COUNT(names), .element_bytes = bytes_of,           \
    .finish = finish_rows, .results = 1
#define DIFFERENT \
    "as many different rows as unique says, by default all: one that repeats moves once"
#define NO_FLOP "0, constant: never"
#define SAMPLE  "rows=8192 cols=4096 vocab=128256 dtype=bf16"

static const ridge_op ops[] = {
    {ROW("embedding", "elementwise", gather_operands), .assumes = DIFFERENT,
     .aliases = "gather_rows index_select", .needs = RIDGE_NEEDS_ALL,
     .title = "rows of a table, gathered", .count = count_gather, .flop_formula = "0",
     .bytes_formula = "{unique}*{cols}*{sa} + {rows}*{sb} + {elements}*{sc}",
     .growth = NO_FLOP, .not_counted = "ids of 8 bytes",
     .source = "each different row read once, each result written; ids of 4 bytes",
     .example = SAMPLE},
    {ROW("scatter_rows", "indexed", scatter_operands), .assumes = DIFFERENT,
     .aliases = "index_copy", .title = "rows put into a table at their places",
     .count = count_scatter, .flop_formula = "0",
     .bytes_formula = "{elements}*{sa} + {rows}*{sb} + {unique}*{cols}*{sc}",
     .growth = NO_FLOP, .not_counted = "ids of 8 bytes",
     .source = "each row read, each different place written once", .example = SAMPLE,
     .stand_in = "embedding"},
    {ROW("scatter_add_rows", "indexed", add_operands), .assumes = DIFFERENT,
     .aliases = "index_add embedding_backward",
     .title = "rows added to a table at their places: embedding, backward",
     .count = count_add, .flop_formula = "{elements}",
     .bytes_formula = "{elements}*{sa} + {rows}*{sb} + {unique}*{cols}*({sc} + {sd})",
     .growth = "1/6 at 2 B where no row repeats, 1/2 where all do: constant, never",
     .not_counted = "ids of 8 bytes, clearing the table, atomics on one place",
     .source = "one addition per element; each different place read and written once",
     .example = SAMPLE, .flop_per_element = 1, .stand_in = "embedding"},
    {RIDGE__SHARE_ROW_BARE("histogram", "indexed", histogram, histogram_operands,
                           histogram_shares, 1),
     .aliases = "bincount", .title = "how often each value occurs",
     .count = count_histogram, .finish = ridge__stream_finish,
     .flop_formula = "{elements}", .bytes_formula = "{elements}*{sa} + {bins}*{sb}",
     .growth = "tends to 1/4 at 4 B, constant: never",
     .not_counted = "copies of the counters, one a block; atomics on one counter",
     .source = "one addition per element", .example = "elements=1e8 bins=256 dtype=fp32",
     .flop_per_element = 1, .stand_in = "elementwise"},
};

ridge__op_rows ridge__op_rows_indexed(void)
{
    return (ridge__op_rows){ops, RIDGE__COUNT(ops)};
}
