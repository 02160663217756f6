/*
 * Products of groups of rows, each with its own matrix: the experts of a mixture.
 * docs/model/moe.md has the formulas, their sources and a worked number.
 */
#include "base/base.h"
#include "model/model.h"

/* Bytes of the wider operand, along K, that one step of the main loop takes. */
static const double STEP_BYTES = 128;
/* Calls that draw again use other experts: so many times as many, if there are. */
static const double DRAWS_HELD = 3;
/* Sharpness of the edge between held and missed in L2. */
static const double MISS_POWER = 3;
/* A row between the products is 16 bits an element. */
static const double BETWEEN_BYTES = 2;

enum {
    COLUMN_SIZES = 4, /* columns of a block: 32, 64, 128, 256 */
    COLUMNS_LEAST = 32
};

#define C(name, absent) ridge__form_constant(in, RIDGE_GROUPED_C_##name, absent)

/* ---- Rows -------------------------------------------------------------------------- */

/* What the rows of a rank are. */
typedef struct rows {
    double tokens, pairs; /* of all ranks: tokens, and rows that they ask for */
    double rows, used, blocks[RIDGE_BLOCK_SIZES];
    double experts, local; /* of all ranks, of the rank */
    bool drawn;            /* other experts from call to call */
} rows;

/* By which rows of an expert a kernel chooses its block: the constant rows_by. */
enum {
    BY_BEST,   /* none: every size is tried, the fastest taken */
    BY_WORLD,  /* all ranks' tokens on the experts of one */
    BY_MARLIN, /* the same; a block is left at nine tenths */
    BY_MEAN,   /* the mean over all experts */
    BY_TOKENS, /* as if every token came */
    BY_FEW,    /* the smallest of 16 up to as many tokens as experts, then the largest */
    BY_NONE    /* always the largest */
};

/* Rows that the kernel expects of an expert; unknown: it tries every size. */
static double expected_rows(int rows_by, const rows *r)
{
    switch (rows_by) {
    case BY_WORLD:
        return r->pairs / r->local;
    case BY_MARLIN:
        return r->pairs / r->local / 0.9;
    case BY_MEAN:
        return r->pairs / r->experts;
    case BY_TOKENS:
        return r->tokens;
    case BY_FEW:
        return r->tokens <= r->local ? 2 * RIDGE_BLOCK_LEAST : HUGE_VAL;
    case BY_NONE:
        return HUGE_VAL;
    default:
        return RIDGE_UNKNOWN;
    }
}

/* Sizes [*first, *last] that the kernel chooses from, as powers of two above the least. */
static void block_range(size_t *first, size_t *last, const ridge__form_input *in,
                        const rows *r)
{
    double most = C(BLOCK_MAX, RIDGE_BLOCK_LEAST << (RIDGE_BLOCK_SIZES - 1));
    double wanted = expected_rows((int)C(ROWS_BY, BY_BEST), r);
    *first = *last = 0;
    while (*last + 1 < RIDGE_BLOCK_SIZES && (RIDGE_BLOCK_LEAST << (*last + 1)) <= most)
        ++*last;
    if (!ridge_known(wanted))
        return;
    while (*first < *last && (RIDGE_BLOCK_LEAST << *first) < wanted)
        ++*first;
    *last = *first;
}

/* Groups of a call of grouped_gemm; every one is of this rank. */
static rows listed_rows(const ridge_call *call)
{
    rows r = {0};
    double value, times;
    ridge__cursor at = ridge__grouped_begin(call);
    if (!at.at) { /* no list: all alike */
        double groups = call->arg[RIDGE_GROUPED_GROUPS];
        double each = call->arg[RIDGE_GROUPED_M_TOTAL] / groups;
        r.rows = call->arg[RIDGE_GROUPED_M_TOTAL];
        r.used = groups * ridge__min(each, 1);
        for (size_t i = 0; i < RIDGE_BLOCK_SIZES; i++)
            r.blocks[i] = groups * ridge__blocks(each, RIDGE_BLOCK_LEAST << i);
    }
    while (at.at && ridge__list_next(&at, &value, &times)) {
        r.rows += value * times;
        r.used += value > 0 ? times : 0;
        for (size_t i = 0; i < RIDGE_BLOCK_SIZES; i++)
            r.blocks[i] += times * ridge__blocks(value, RIDGE_BLOCK_LEAST << i);
    }
    r.tokens = r.pairs = r.rows;
    r.experts = r.local = r.used;
    return r;
}

static rows drawn_rows(const ridge_call *call)
{
    const double *a = call->arg;
    ridge__routing routing = ridge__moe_routing(call);
    double shared = a[RIDGE_MOE_SHARED_EXPERTS];
    double own = a[RIDGE_MOE_TOKENS] / a[RIDGE_MOE_EP];
    rows r = {.tokens = a[RIDGE_MOE_TOKENS],
              .pairs = a[RIDGE_MOE_TOKENS] * a[RIDGE_MOE_TOPK],
              .rows = routing.rows + shared * own,
              .used = routing.used + shared,
              .experts = a[RIDGE_MOE_EXPERTS],
              .local = a[RIDGE_MOE_EXPERTS] / a[RIDGE_MOE_EP],
              .drawn = a[RIDGE_MOE_DISTRIBUTION] >= RIDGE_ROUTE_POWER_LAW};
    for (size_t i = 0; i < RIDGE_BLOCK_SIZES; i++)
        r.blocks[i] =
            routing.blocks[i] + shared * ridge__blocks(own, RIDGE_BLOCK_LEAST << i);
    return r;
}

/* ---- One product ------------------------------------------------------------------- */

/* What both products of a layer have in common. */
typedef struct layer {
    double in_bytes, weight_bytes; /* of an element */
    double draws, expert, row;     /* sets of experts that L2 is to hold; elements */
    double wanted;                 /* bytes that the products together want of L2 */
    double miss, gain;             /* share of them that it does not have; its rate */
    double rate;                   /* of weights and rows, bytes/s */
    double unit_flop_per_s;        /* that an SM reaches */
    double feed, pull;             /* bytes/s of an SM: from L2, and of all from DRAM */
    double step_s, block_s;
    double overlap;
} layer;

/* rows x k by k x n for each group, and the way that is taken through it. */
typedef struct product {
    double n, k;
    double block, columns, blocks, ctas;
    double product_s, feed_s, steps_s; /* of one block */
    double again, miss; /* bytes of weights that come more than once; share missed */
    double bytes, compute_s, memory_s, time_s;
} product;

/* Where the times overlap: the p-norm of both. */
static double norm(double a, double b, double p)
{
    double large = ridge__max(a, b), small = ridge__min(a, b);
    if (!(small > 0))
        return large;
    return large * pow(1 + pow(small / large, p), 1 / p);
}

/* Weights of an expert that L2 cannot hold come again for each further block of rows. */
static void find_again(product *p, const ridge__form_input *in, const layer *l,
                       const rows *r)
{
    double one = p->n * p->k * l->weight_bytes;
    double held = C(L2_HOLD, 0) * in->machine->l2_capacity.value;
    p->miss = held > 0 ? ridge__cache_miss(one, held, MISS_POWER) : 1;
    p->again = C(REREAD, 0) * ridge__max(p->blocks - r->used, 0) * one * p->miss;
}

/* The times of compute and memory with blocks of that size. */
static void take_block(product *p, const ridge__form_input *in, const layer *l)
{
    double units = in->machine->units.value;
    p->ctas = p->blocks * ceil(p->n / p->columns);
    p->product_s = 2 * p->block * p->columns * p->k / l->unit_flop_per_s;
    p->feed_s = p->k * (p->block * l->in_bytes + p->columns * l->weight_bytes) / l->feed;
    p->steps_s = p->k * ridge__max(l->in_bytes, l->weight_bytes) / STEP_BYTES * l->step_s;
    double one = ridge__max(ridge__max(p->product_s, p->feed_s), p->steps_s) + l->block_s;
    p->compute_s = ridge__max(p->ctas / units, 1) * one;
    p->memory_s =
        (p->bytes + p->again) / ridge__min(l->rate, ridge__min(p->ctas, units) * l->pull);
}

static product multiply(double n, double k, const ridge__form_input *in, const layer *l,
                        const rows *r)
{
    size_t first, last;
    product best = {.time_s = HUGE_VAL};
    product p = {.n = n, .k = k};
    p.bytes = r->used * n * k * l->weight_bytes + r->rows * k * l->in_bytes +
              BETWEEN_BYTES * r->rows * n;
    block_range(&first, &last, in, r);
    for (size_t i = first; i <= last; i++) {
        p.block = RIDGE_BLOCK_LEAST << i;
        /* Fewer rows than ranks: a mean below one block, of weights that count as one. */
        p.blocks = ridge__max(r->blocks[i], ridge__min(r->used, 1));
        find_again(&p, in, l, r);
        for (int c = 0; c < COLUMN_SIZES; c++) {
            p.columns = COLUMNS_LEAST << c;
            take_block(&p, in, l);
            if (ridge__max(p.compute_s, p.memory_s) >= best.time_s)
                continue; /* no norm is less: spare its power */
            p.time_s = norm(p.compute_s, p.memory_s, l->overlap);
            if (p.time_s < best.time_s)
                best = p;
        }
    }
    return best;
}

/* ---- The layer --------------------------------------------------------------------- */

static layer layer_of(const ridge_estimate *e, const ridge__form_input *in, const rows *r,
                      double hidden, double columns, double inner)
{
    const ridge_machine *machine = in->machine;
    const ridge_op *op = in->call->op;
    double clock = machine->clock_matrix_hz;
    layer l = {.in_bytes = op->element_bytes(in->call, 0),
               .weight_bytes = op->element_bytes(in->call, 1),
               .feed = C(FEED, HUGE_VAL) * clock,
               .pull = C(CTA_PULL, HUGE_VAL) * clock,
               .step_s = C(STEP_CYCLES, 0) / clock,
               .block_s = C(BLOCK_CYCLES, 0) / clock,
               .overlap = C(OVERLAP, 4)};
    double flop = e->peak_flop_per_s / machine->units.value;
    l.unit_flop_per_s =
        ridge__min(flop * C(MMA_SHARE, 1), C(WARP_FLOP, HUGE_VAL) * clock);
    l.draws = r->drawn ? ridge__min(DRAWS_HELD, r->local / r->used) : 1;
    l.expert = hidden * (columns + inner);
    l.row = hidden;
    l.wanted =
        l.draws * r->used * l.weight_bytes * l.expert + BETWEEN_BYTES * r->rows * hidden;
    double share = C(DRAM_SHARE, 1), held = C(L2_HOLD, 0) * machine->l2_capacity.value;
    l.miss = held > 0 ? ridge__cache_miss(l.wanted, held, MISS_POWER) : 1;
    l.gain = ridge__max(1, C(L2_GAIN, 1));
    l.rate = in->resident
                 ? machine->l2.value * share
                 : machine->dram.value * share / (l.miss + (1 - l.miss) / l.gain);
    return l;
}

/* Bytes of the kernels around the products: rows gathered, quantised, activated, added. */
static double pass_bytes(const ridge__form_input *in, const rows *r, const layer *l,
                         double hidden, double columns, double inner)
{
    double moved = r->rows + C(FOREIGN_ROWS, 0) * ridge__max(r->pairs - r->rows, 0);
    double row = l->in_bytes * (hidden + inner) + BETWEEN_BYTES * (columns + hidden);
    return 2 * BETWEEN_BYTES * r->tokens * hidden + moved * row;
}

/* ---- Working ----------------------------------------------------------------------- */

/* A constant in cycles, in seconds; where the fit leaves it out, only its value. */
static void show_cycles(ridge__working *w, const ridge__form_input *in, const char *name,
                        const char *formula, int constant, double value)
{
    bool rate = constant == RIDGE_GROUPED_C_FEED || constant == RIDGE_GROUPED_C_CTA_PULL;
    ridge__working_add(w, name, ridge_known(in->fit->c[constant]) ? formula : NULL, value,
                       rate ? RIDGE_UNIT_BYTES_PER_S : RIDGE_UNIT_S);
}

static void show_rows(const ridge__form_input *in, const rows *r, const layer *l)
{
    ridge__working *w = in->working;
    ridge__working_add(w, "R", "rows of the rank", r->rows, RIDGE_UNIT_COUNT);
    ridge__working_add(w, "U", "its experts that have one", r->used, RIDGE_UNIT_COUNT);
    ridge__working_add(w, "a", "bytes of an element of a row", l->in_bytes,
                       RIDGE_UNIT_NONE);
    ridge__working_add(w, "w", "of one of a weight", l->weight_bytes, RIDGE_UNIT_NONE);
    ridge__working_add(w, "clock", NULL, in->machine->clock_matrix_hz, RIDGE_UNIT_HZ);
    ridge__working_add(w, "draws", "sets of experts of calls after each other", l->draws,
                       RIDGE_UNIT_NONE);
    ridge__working_add(w, "expert", "elements of the weights of one", l->expert,
                       RIDGE_UNIT_COUNT);
    ridge__working_add(w, "row", "elements of one", l->row, RIDGE_UNIT_COUNT);
    ridge__working_add(w, "wanted", "{draws}*{U}*{w}*{expert} + 2*{R}*{row}", l->wanted,
                       RIDGE_UNIT_BYTES);
    ridge__working_add(w, "dram_share", NULL, C(DRAM_SHARE, 1), RIDGE_UNIT_NONE);
    ridge__working_add(w, "mma_share", NULL, C(MMA_SHARE, 1), RIDGE_UNIT_NONE);
    ridge__working_add(w, "l2_hold", NULL, C(L2_HOLD, 0), RIDGE_UNIT_NONE);
    ridge__working_add(w, "gain", NULL, l->gain, RIDGE_UNIT_NONE);
    ridge__working_add(w, "reread", NULL, C(REREAD, 0), RIDGE_UNIT_NONE);
    if (in->resident) {
        ridge__working_add(w, "rate", "{B}*{dram_share}", l->rate,
                           RIDGE_UNIT_BYTES_PER_S);
    } else {
        ridge__working_add(w, "miss", "1/(1 + ({l2_hold}*{L2 size}/{wanted})^3)", l->miss,
                           RIDGE_UNIT_NONE);
        ridge__working_add(w, "rate", "{B}*{dram_share}/({miss} + (1 - {miss})/{gain})",
                           l->rate, RIDGE_UNIT_BYTES_PER_S);
    }
    double warp = C(WARP_FLOP, RIDGE_UNKNOWN);
    bool slower = l->unit_flop_per_s >= warp * in->machine->clock_matrix_hz;
    ridge__working_add(w, "warp_flop", NULL, warp, RIDGE_UNIT_NONE);
    ridge__working_add(w, "unit",
                       slower ? "{warp_flop}*{clock}" : "{P}*{mma_share}/{units}",
                       l->unit_flop_per_s, RIDGE_UNIT_FLOP_PER_S);
    show_cycles(w, in, "feed rate", "{feed}*{clock}", RIDGE_GROUPED_C_FEED, l->feed);
    show_cycles(w, in, "pull rate", "{cta_pull}*{clock}", RIDGE_GROUPED_C_CTA_PULL,
                l->pull);
    show_cycles(w, in, "step", "{step_cycles}/{clock}", RIDGE_GROUPED_C_STEP_CYCLES,
                l->step_s);
    show_cycles(w, in, "around", "{block_cycles}/{clock}", RIDGE_GROUPED_C_BLOCK_CYCLES,
                l->block_s);
    ridge__working_add(w, "overlap", NULL, l->overlap, RIDGE_UNIT_NONE);
}

static void show_product(ridge__working *w, const product *p, const char *name)
{
    ridge__working_add(w, "N", "columns of the product", p->n, RIDGE_UNIT_COUNT);
    ridge__working_add(w, "K", "length of its sums", p->k, RIDGE_UNIT_COUNT);
    ridge__working_add(w, "block", "rows of one, as the kernel chooses", p->block,
                       RIDGE_UNIT_COUNT);
    ridge__working_add(w, "columns", "of one, the fastest", p->columns, RIDGE_UNIT_COUNT);
    ridge__working_add(w, "blocks", "of rows, over all experts", p->blocks,
                       RIDGE_UNIT_COUNT);
    ridge__working_add(w, "ctas", "{blocks}*ceil({N}/{columns})", p->ctas,
                       RIDGE_UNIT_COUNT);
    ridge__working_add(w, "product", "2*{block}*{columns}*{K}/{unit}", p->product_s,
                       RIDGE_UNIT_S);
    ridge__working_add(w, "feeding", "{K}*({block}*{a} + {columns}*{w})/{feed rate}",
                       p->feed_s, RIDGE_UNIT_S);
    ridge__working_add(w, "steps", "{K}*max({a}, {w})/128*{step}", p->steps_s,
                       RIDGE_UNIT_S);
    ridge__working_add(
        w, "compute",
        "max({ctas}/{units}, 1)*(max(max({product}, {feeding}), {steps}) + "
        "{around})",
        p->compute_s, RIDGE_UNIT_S);
    ridge__working_add(w, "missed", "1/(1 + ({l2_hold}*{L2 size}/({N}*{K}*{w}))^3)",
                       p->miss, RIDGE_UNIT_NONE);
    ridge__working_add(w, "again", "{reread}*max({blocks} - {U}, 0)*{N}*{K}*{w}*{missed}",
                       p->again, RIDGE_UNIT_BYTES);
    ridge__working_add(w, "moved", "{U}*{N}*{K}*{w} + {R}*({K}*{a} + 2*{N}) + {again}",
                       p->bytes + p->again, RIDGE_UNIT_BYTES);
    ridge__working_add(w, "memory",
                       "{moved}/min({rate}, min({ctas}, {units})*{pull rate})",
                       p->memory_s, RIDGE_UNIT_S);
    ridge__working_add(w, name,
                       "({compute}^{overlap} + {memory}^{overlap})^(1/{overlap})",
                       p->time_s, RIDGE_UNIT_S);
}

/* ---- The form ---------------------------------------------------------------------- */

/* What is multiplied: [rows, hidden] x [hidden, columns], and of a layer of experts then
 * [rows, inner] x [inner, hidden]. */
typedef struct sizes {
    double hidden, columns, inner; /* inner 0: one product alone */
} sizes;

static sizes sizes_of(const ridge_call *call)
{
    const double *a = call->arg;
    ridge__product one;
    if (call->op->product && call->op->product(&one, call, 0))
        return (sizes){one.k, one.n, 0};
    double inner = a[RIDGE_MOE_INTER] / a[RIDGE_MOE_TP];
    return (sizes){a[RIDGE_MOE_HIDDEN], inner * (1 + a[RIDGE_MOE_GATED]), inner};
}

/* The parts of the body. */
typedef struct parts {
    double chain_s, passes_s, pass_bytes;
    product up, down;
} parts;

static void add_terms(ridge_estimate *e, const ridge__form_input *in, const parts *p)
{
    double compute = p->up.compute_s + p->down.compute_s;
    double memory = p->up.memory_s + p->down.memory_s;
    double bytes = p->up.bytes + p->up.again + p->down.bytes + p->down.again;
    ridge__estimate_term(e, "launch", RIDGE_BY_LATENCY, RIDGE_UNKNOWN, RIDGE_UNKNOWN,
                         RIDGE_UNKNOWN, e->launch_s);
    ridge__estimate_term(e, "chain of kernels", RIDGE_BY_LATENCY, RIDGE_UNKNOWN,
                         RIDGE_UNKNOWN, RIDGE_UNKNOWN, p->chain_s);
    ridge__estimate_term(e, "blocks of rows", RIDGE_BY_COMPUTE, e->work.flop,
                         e->peak_flop_per_s,
                         e->work.flop / (e->peak_flop_per_s * compute), compute);
    ridge__estimate_term(e, "weights and rows", RIDGE_BY_MEMORY, bytes,
                         e->bandwidth_bytes_per_s,
                         bytes / (e->bandwidth_bytes_per_s * memory), memory);
    if (p->pass_bytes > 0)
        ridge__estimate_term(e, "passes between", RIDGE_BY_MEMORY, p->pass_bytes,
                             in->machine->dram.value, C(PASS_SHARE, 1), p->passes_s);
}

static void show_work(const ridge_estimate *e, const ridge__form_input *in, const rows *r,
                      const layer *l, const parts *p)
{
    ridge__working *w = in->working;
    bool layer_whole = p->down.n > 0;
    show_rows(in, r, l);
    show_product(w, &p->up, "up");
    if (layer_whole) {
        show_product(w, &p->down, "down");
        ridge__working_add(w, "between",
                           "tokens and rows through the kernels around the products",
                           p->pass_bytes, RIDGE_UNIT_BYTES);
        ridge__working_add(w, "pass_share", NULL, C(PASS_SHARE, 1), RIDGE_UNIT_NONE);
        ridge__working_add(w, "dram", NULL, in->machine->dram.value,
                           RIDGE_UNIT_BYTES_PER_S);
        ridge__working_add(w, "passes", "{between}/({dram}*{pass_share})", p->passes_s,
                           RIDGE_UNIT_S);
    }
    ridge__working_add(w, "fixed", NULL, layer_whole ? C(FIXED, 0) : 0, RIDGE_UNIT_S);
    ridge__working_add(w, "expert_fixed", NULL, C(EXPERT_FIXED, 0), RIDGE_UNIT_S);
    ridge__working_add(w, "experts", "of the rank", r->local, RIDGE_UNIT_COUNT);
    ridge__working_add(w, "token_time", NULL, layer_whole ? C(TOKEN_TIME, 0) : 0,
                       RIDGE_UNIT_S);
    ridge__working_add(w, "tokens", NULL, r->tokens, RIDGE_UNIT_COUNT);
    ridge__working_add(w, "chain",
                       "{fixed} + {expert_fixed}*{experts} + {token_time}*{tokens}",
                       p->chain_s, RIDGE_UNIT_S);
    ridge__working_add(
        w, "body", layer_whole ? "{chain} + {up} + {down} + {passes}" : "{chain} + {up}",
        e->body_s, RIDGE_UNIT_S);
}

void ridge__form_grouped(ridge_estimate *e, const ridge__form_input *in)
{
    const double *c = in->fit->c;
    sizes s = sizes_of(in->call);
    bool layer_whole = s.inner > 0;
    rows r = layer_whole ? drawn_rows(in->call) : listed_rows(in->call);
    layer l = layer_of(e, in, &r, s.hidden, s.columns, s.inner);
    parts p = {.chain_s = C(EXPERT_FIXED, 0) * r.local};
    p.up = multiply(s.columns, s.hidden, in, &l, &r);
    if (layer_whole) {
        p.chain_s += C(FIXED, 0) + C(TOKEN_TIME, 0) * r.tokens;
        p.down = multiply(s.hidden, s.inner, in, &l, &r);
        p.pass_bytes = pass_bytes(in, &r, &l, s.hidden, s.columns, s.inner);
        p.passes_s = p.pass_bytes / (in->machine->dram.value * C(PASS_SHARE, 1));
    }
    e->launch_s = ridge__form_launch(in->call, c[RIDGE_GROUPED_C_LAUNCH_GRAPH],
                                     c[RIDGE_GROUPED_C_LAUNCH_STREAM],
                                     c[RIDGE_GROUPED_C_LAUNCH_EAGER]);
    e->latency_s = e->launch_s + p.chain_s;
    e->body_s = p.chain_s + p.up.time_s + p.down.time_s + p.passes_s;
    if (in->working)
        show_work(e, in, &r, &l, &p);
    add_terms(e, in, &p);
}

ridge__fit_shape ridge__grouped_shape(const ridge_call *call,
                                      const ridge_machine *machine)
{
    (void)machine;
    return (ridge__fit_shape){.causal = true,
                              .kernel = call->kernel,
                              .profiled = call->timing == RIDGE_TIMING_KERNEL};
}
