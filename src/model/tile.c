/*
 * A matrix product cut in tiles: docs/model/gemm.md has the formulas, their sources and a
 * worked number; the names below are the symbols there.
 *
 * Every candidate (tile, split) has a time that never falls when m, n, k or batch grow,
 * and the set of candidates never grows with them, so the smallest time does not fall
 * either.  Keep both properties when changing this file: a property test watches them.
 */
#include "base/base.h"
#include "model/model.h"
#include "model/tiles.h"

#include <string.h>

static const double SPLITS[] = {1, 2, 3, 4, 6, 8, 12, 16, 32};

/* A product this long has heated the part: half of power_derate shows. */
static const double POWER_RAMP_S = 0.3e-3;
/* Partial sums of a split are written and read in fp32, through L2 at this rate. */
static const double REDUCE_BYTES = 8, REDUCE_BYTES_PER_CYCLE = 30;
/* Sharpness of the edge between held and missed in L2. */
static const double MISS_POWER = 6;
/* Fewer steps of k than this do not pay for filling and draining the pipeline. */
static const double SHORT_STEPS = 32, STEP_BYTES = 128;
/* The activation that is quantised comes in 16 bits. */
static const double UNQUANTISED_BYTES = 2;
/* What a thread loads at once: rows that are no multiples of it are loaded in pieces. */
static const double ROW_BYTES = 16;
/* A derate from which the clock is worth a remark. */
static const double POWER_REMARK = 0.05;
/* Watts per FLOP of a cycle and byte of an operand that limit_clock holds at. */
static const double LIMIT_WATTS = 1e-3;

/* What the candidates of one call share: seconds per unit on one SM. */
typedef struct cost {
    double m, n, k, batch;
    bool batched;      /* the library's kernel for batches */
    double element[3]; /* bytes of an element of a, b, c */
    double operand[3]; /* bytes of a, b, c of one product, each element once */
    double flop, bytes;
    double units, clock;
    double flop_s;    /* per FLOP, at the reachable rate */
    double fill;      /* elements that a tile loses at an edge; unknown: 8 */
    double far;       /* what a load costs whose rows lie far apart; 1: nothing */
    double unaligned; /* cost of a FLOP of rows that are no multiples of 16 B */
    bool rows_odd;    /* they are none */
    double scale;     /* of feed and epilogue, for this part */
    bool scaled;      /* the fit asks for it */
    double tick;      /* fixed times of this part over those of the fit */
    double derate;    /* clock lost by a product without end */
    bool limited;     /* which follows the board's watts */
    double feed_s;    /* per operand byte pulled from L2 */
    double store_s;   /* per output byte */
    double loop_s;    /* per element of k at least, whatever the tile */
    double least_m;   /* rows of the smallest tile */
    double least_n;   /* and its columns */
    bool odd_tiles;   /* the library has tiles that are no powers of two */
    bool bounded;     /* the library's tiles lie within the four that follow */
    double least_area, most_area, most_m, most_n;
    double step;          /* k is padded to multiples of this */
    double smoothing;     /* 0: whole waves; 1: persistent */
    double dram_bytes;    /* weighted bytes that miss L2 */
    double dram_s;        /* their time */
    double again_bytes;   /* those that later waves read once more */
    double split_fixed_s; /* one reduction */
    double split_each_s;  /* per split */
} cost;

/* A candidate and its time. */
typedef struct choice {
    double tile_m, tile_n, split;
    double blocks;            /* CTAs, splits included */
    double mma_s, feed_s;     /* whole grid, waves counted */
    double loop_s;            /* likewise */
    double store_s, reduce_s; /* likewise */
    double time_s;
} choice;

/*
 * Rounds of CTAs over the SMs: at least one, whole or (persistent kernels) fractional.
 * A wave that is full but for rounding of the quotient is full.
 */
static inline double wave_count(double waves, double smoothing)
{
    const double rounding = 1 - 1e-12;
    waves = waves > 1 ? waves : 1;
    return smoothing * waves + (1 - smoothing) * ridge__round_up(waves * rounding);
}

/* k that one split multiplies. */
static double split_depth(const cost *c, double split)
{
    return ridge__round_up(c->k / (split * c->step)) * c->step;
}

/* 2 m n of a tile, weighted by what its shape loses; `usual` is that for a fill of 8. */
static double weigh(const cost *c, double usual, double tile_m, double tile_n)
{
    if (!ridge_known(c->fill))
        return usual;
    return 2 * tile_m * tile_n * (1 + c->fill / tile_m + c->fill / tile_n) /
           (1 + c->fill * 3.0 / 256);
}

static double reduce_time(const cost *c, double split)
{
    return split > 1 ? c->split_fixed_s + split * c->split_each_s : 0;
}

/* The candidate (tile_m x tile_n, split) in full. */
static choice choice_of(const cost *c, double tile_m, double tile_n, double split)
{
    double depth = split_depth(c, split);
    double blocks = ridge__round_up(c->m / tile_m) * ridge__round_up(c->n / tile_n) *
                    c->batch * split;
    double waves = wave_count(blocks / c->units, c->smoothing);
    choice t = {tile_m, tile_n, split, blocks, 0, 0, 0, 0, 0, 0};
    double weight = weigh(c, TILE_FLOP(tile_m, tile_n), tile_m, tile_n);
    t.mma_s = waves * weight * depth * c->flop_s;
    t.feed_s =
        waves * (tile_m * c->element[0] + tile_n * c->element[1]) * depth * c->feed_s;
    t.loop_s = waves * depth * c->loop_s;
    t.store_s = waves * tile_m * tile_n * c->element[2] * c->store_s;
    t.reduce_s = reduce_time(c, split);
    double grid_s = ridge__max(ridge__max(t.mma_s, t.feed_s), t.loop_s) + t.store_s;
    t.time_s = ridge__norm4(grid_s, c->dram_s) + t.reduce_s;
    return t;
}

/* Whole tiles along an extent of x elements, for each tile extent. */
static void count_blocks(double blocks[EXTENTS], double x)
{
    /* A count is at most 2^53; the rows of a convolution are a product of several. */
    if (!(x < RIDGE__WHOLE_FROM)) {
        static const double extent[EXTENTS] = {16, 32, 64, 96, 128, 192, 256};
        for (int i = 0; i < EXTENTS; i++)
            blocks[i] = x / extent[i];
        return;
    }
    uint64_t v = (uint64_t)x;
    blocks[X16] = (double)((v + 15) / 16);
    blocks[X32] = (double)((v + 31) / 32);
    blocks[X64] = (double)((v + 63) / 64);
    blocks[X96] = (double)((v + 95) / 96);
    blocks[X128] = (double)((v + 127) / 128);
    blocks[X192] = (double)((v + 191) / 192);
    blocks[X256] = (double)((v + 255) / 256);
}

/*
 * What each tile costs, in lists that run by tile.  They are filled and read for every
 * tile without a branch, which costs less than telling beforehand which tiles are worth
 * it; a tile that the library has not takes for ever.
 */
typedef struct candidates {
    double waves[TILE_COUNT], step_s[TILE_COUNT], store_s[TILE_COUNT];
    double time_s[TILE_COUNT];
    int count;
} candidates;

/* The place of the shortest time, the first of several; and the time. */
static inline int find_shortest(double *shortest_s, const double *time_s, int count)
{
    double least[TILE_COUNT / 2];
    int half = count / 2, i;
    for (i = 0; i < half; i++)
        least[i] = time_s[i] < time_s[i + half] ? time_s[i] : time_s[i + half];
    double low = INFINITY, high = INFINITY;
    for (i = 0; i + 1 < half; i += 2) {
        low = least[i] < low ? least[i] : low;
        high = least[i + 1] < high ? least[i + 1] : high;
    }
    *shortest_s = low < high ? low : high;
    for (i = 0; i < count - 1 && time_s[i] != *shortest_s;)
        i++;
    return i;
}

/* Marks the tiles that the library has not: a step of theirs takes for ever. */
static inline void strike_out(candidates *list, const cost *c)
{
    const double odd = c->odd_tiles ? 1 : 0;
    for (int i = 0; i < list->count; i++) {
        double area = TILE_M[i] * TILE_N[i];
        bool has = (TILE_M[i] >= c->least_m) & (TILE_N[i] >= c->least_n) &
                   (TILE_ODD[i] <= odd) & (area >= c->least_area) &
                   (area <= c->most_area) & (TILE_M[i] <= c->most_m) &
                   (TILE_N[i] <= c->most_n);
        list->step_s[i] = has ? list->step_s[i] : INFINITY;
    }
    for (int i = REAL_COUNT; i < list->count; i++)
        list->step_s[i] = INFINITY;
}

/* Fills the lists for grids that are not split. */
static inline void fill_candidates(candidates *list, const cost *c)
{
    double rows[EXTENTS], cols[EXTENTS];
    double batch_waves = c->batch / c->units, store_s = c->element[2] * c->store_s;
    double feed_m_s = c->element[0] * c->feed_s, feed_n_s = c->element[1] * c->feed_s;
    double flop_s = c->flop_s, loop_s = c->loop_s;
    count_blocks(rows, c->m);
    count_blocks(cols, c->n);
    list->count = c->bounded ? TILE_COUNT : COMMON_COUNT;
    for (int i = 0; i < list->count; i++)
        list->waves[i] = rows[TILE_EXTENT_M[i]] * cols[TILE_EXTENT_N[i]] * batch_waves;
    bool usual = !ridge_known(c->fill);
    for (int i = 0; !usual && i < list->count; i++)
        list->step_s[i] = weigh(c, 0, TILE_M[i], TILE_N[i]);
    const double *weight = usual ? TILE_USUAL_FLOP : list->step_s;
    for (int i = 0; i < list->count; i++) {
        double mma_s = weight[i] * flop_s;
        double feed_s = TILE_M[i] * feed_m_s + TILE_N[i] * feed_n_s;
        double step_s = mma_s > feed_s ? mma_s : feed_s;
        list->step_s[i] = step_s > loop_s ? step_s : loop_s;
        list->store_s[i] = TILE_M[i] * TILE_N[i] * store_s;
    }
    strike_out(list, c);
}

/* The place of the shortest grid at this split, and its time. */
static inline int shortest_grid(double *grid_s, candidates *list, const cost *c,
                                double split)
{
    double depth = split_depth(c, split), smoothing = c->smoothing;
    for (int i = 0; i < list->count; i++)
        list->time_s[i] = wave_count(list->waves[i] * split, smoothing) *
                          (list->step_s[i] * depth + list->store_s[i]);
    return find_shortest(grid_s, list->time_s, list->count);
}

/*
 * Leaves the tiles whose unsplit grid leaves SMs idle: a split may shorten them.  Returns
 * the time that no split of them undercuts, with every SM busy all the time.
 */
static inline double keep_idle(candidates *list, const cost *c)
{
    double busy_s;
    for (int i = 0; i < list->count; i++) {
        double step_s = list->waves[i] < 1 ? list->step_s[i] : INFINITY;
        list->step_s[i] = step_s;
        list->time_s[i] = list->waves[i] * step_s;
    }
    find_shortest(&busy_s, list->time_s, list->count);
    return busy_s * c->k;
}

/*
 * The fastest candidate.  Within one split the DRAM and reduction terms are common, so the
 * shortest grid wins and one root is taken per split; the search ends at the split whose
 * reduction alone, beside an ideal grid, exceeds the best: reductions only grow.
 */
RIDGE__WIDE static choice choose(const cost *c, double max_split)
{
    candidates list;
    double grid_s, best_split = 1;
    fill_candidates(&list, c);
    int best = shortest_grid(&grid_s, &list, c, 1);
    double best_s = ridge__norm4(grid_s, c->dram_s);
    double ideal_s = max_split > 1 ? keep_idle(&list, c) : INFINITY;
    double least_s = ridge__norm4(ideal_s, c->dram_s);
    for (size_t j = 1; j < RIDGE__COUNT(SPLITS) && SPLITS[j] <= max_split; j++) {
        double split = SPLITS[j], reduce_s = reduce_time(c, split);
        if (!(least_s + reduce_s < best_s))
            break;
        int i = shortest_grid(&grid_s, &list, c, split);
        double time_s = ridge__norm4(grid_s, c->dram_s) + reduce_s;
        if (time_s < best_s) {
            best_s = time_s;
            best_split = split;
            best = i;
        }
    }
    return choice_of(c, TILE_M[best], TILE_N[best], best_split);
}

/* Multiple that k is padded to: the depth of one step of the main loop, in elements. */
static double step_of(ridge_pipe pipe, double element_bytes)
{
    if (pipe == RIDGE_VECTOR)
        return 8; /* register-blocked FMA kernels */
    return element_bytes < 2 ? 128 : element_bytes < 4 ? 64 : 32;
}

/* Operands that L2 has lost when a later wave asks for them; the first marches in step. */
static double read_again(const cost *c, double share)
{
    double later = ridge__max(1 - c->units * WAVE_OUTPUTS / (c->m * c->n), 0);
    double fed = c->m * c->n * c->k * (c->element[0] + c->element[1]);
    return share * later * fed * (c->rows_odd ? SPLIT_SECTORS : 1) / sqrt(c->most_area);
}

/*
 * DRAM bytes, an output byte weighted by store_weight.  Weights are cold by definition;
 * a and c (the whole of a batched product) may still lie in L2 from the kernel before,
 * as far as the call's own operands leave room.  A batch moves no less than its first
 * product alone, cold.  A fit that saw no batched products takes them as single ones.
 */
static void fill_dram(cost *c, const ridge__form_input *in)
{
    c->dram_bytes = c->dram_s = c->again_bytes = 0;
    if (in->resident)
        return;
    const double *constant = in->fit->c;
    double a = c->operand[0], b = c->operand[1];
    double out = c->operand[2] * constant[RIDGE_TILE_STORE_WEIGHT];
    double held = constant[RIDGE_TILE_L2_HOLD] * in->machine->l2_capacity.value;
    double miss = ridge__cache_miss(c->bytes, held, MISS_POWER);
    if (c->batched && ridge_known(constant[RIDGE_TILE_FIXED_BATCHED])) {
        double one = c->bytes / c->batch;
        double first = b + ridge__cache_miss(one, held, MISS_POWER) * (a + out);
        c->dram_bytes = ridge__max(first, c->batch * miss * (a + b + out));
    } else {
        c->dram_bytes = c->batch * (b + miss * (a + out));
        if (ridge_known(constant[RIDGE_TILE_REREAD])) {
            c->again_bytes = miss * read_again(c, constant[RIDGE_TILE_REREAD]);
            c->dram_bytes += c->again_bytes;
        }
    }
    c->dram_s = c->far * c->dram_bytes /
                (in->machine->dram.value * constant[RIDGE_TILE_DRAM_SHARE]);
}

/* The call as one product: its shape is in the places of a gemm. */
static ridge__product whole(const ridge_call *call)
{
    const double *arg = call->arg;
    ridge__product p = {.m = arg[RIDGE_GEMM_M],
                        .n = arg[RIDGE_GEMM_N],
                        .k = arg[RIDGE_GEMM_K],
                        .batch = arg[RIDGE_GEMM_BATCH]};
    for (size_t i = 0; i < RIDGE__COUNT(p.element); i++)
        p.element[i] = ridge__call_element_bytes(call, i);
    p.bytes[0] = p.m * p.k * p.element[0];
    p.bytes[1] = p.k * p.n * p.element[1];
    p.bytes[2] = p.m * p.n * p.element[2];
    return p;
}

/* A constant that a fit may leave out. */
static double or_else(double value, double otherwise)
{
    return ridge_known(value) ? value : otherwise;
}

/*
 * The share of the clock that a product without end loses to the board's limit.  Power
 * goes as clock x volt^2.  From one architecture to another the clock that a matrix pipe
 * sustains goes as the fourth root of the watts that it has for a FLOP of a cycle, and not
 * with the boost clock; on one chip with fewer volts to lose, as the root.
 */
static double board_derate(const ridge__form_input *in, double peak, double clock,
                           double element)
{
    const double *constant = in->fit->c;
    double derate = constant[RIDGE_TILE_POWER_DERATE],
           pays = constant[RIDGE_TILE_FLOP_PER_J];
    if (ridge_known(pays))
        return ridge__max(
            1 - pays * in->machine->board_w / (peak * constant[RIDGE_TILE_MMA_SHARE]), 0);
    double limit_hz = constant[RIDGE_TILE_LIMIT_CLOCK];
    if (ridge_known(limit_hz)) {
        double watts = in->machine->board_w * clock / (peak * element * LIMIT_WATTS);
        return ridge__max(1 - limit_hz * sqrt(sqrt(watts)) / clock, 0);
    }
    double at = constant[RIDGE_TILE_AT_WATTS] * 1e-12, board = in->machine->board_w;
    return ridge__max(1 - (1 - derate) * sqrt(board / (peak * element * at)), 0);
}

/* What the lengths of the rows cost. */
static void fill_rows(cost *c, const double *constant)
{
    double row = c->k * c->element[0], ends = row / ROW_BYTES;
    double out = c->n * c->element[2] / ROW_BYTES;
    double apart = or_else(constant[RIDGE_TILE_STRIDE_REACH], 0) / row;
    c->fill = constant[RIDGE_TILE_FILL];
    c->far = 1 + or_else(constant[RIDGE_TILE_STRIDE_COST], 0) / (1 + apart * apart);
    c->rows_odd = ends != ridge__round_up(ends) || out != ridge__round_up(out);
    c->unaligned = c->rows_odd ? or_else(constant[RIDGE_TILE_UNALIGNED], 1) : 1;
}

static void fill_cost(cost *c, ridge_estimate *e, const ridge__form_input *in,
                      const ridge__product *p)
{
    const double *constant = in->fit->c;
    const ridge_machine *machine = in->machine;
    double clock =
        e->pipe == RIDGE_VECTOR ? machine->clock_vector_hz : machine->clock_matrix_hz;
    c->m = p->m;
    c->n = p->n;
    c->k = p->k;
    c->batch = p->batch;
    c->batched = in->call->op->product ? p->batch > 1 : is_batched(in->call);
    c->flop = e->work.flop;
    c->bytes = e->work.bytes;
    c->units = machine->units.value;
    c->clock = clock;
    c->smoothing = constant[RIDGE_TILE_WAVE_SMOOTHING];
    memcpy(c->element, p->element, sizeof c->element);
    memcpy(c->operand, p->bytes, sizeof c->operand);
    if (in->call->op->product) {
        c->flop = 2 * p->m * p->n * p->k * p->batch;
        c->bytes = p->batch * (p->bytes[0] + p->bytes[1] + p->bytes[2]);
    }
    double rate = e->peak_flop_per_s * constant[RIDGE_TILE_MMA_SHARE];
    double length = c->flop / (rate * POWER_RAMP_S);
    c->limited =
        ridge_known(machine->board_w) && (ridge_known(constant[RIDGE_TILE_AT_WATTS]) ||
                                          ridge_known(constant[RIDGE_TILE_LIMIT_CLOCK]) ||
                                          ridge_known(constant[RIDGE_TILE_FLOP_PER_J]));
    c->derate = c->limited ? board_derate(in, e->peak_flop_per_s, clock, c->element[0])
                           : or_else(constant[RIDGE_TILE_POWER_DERATE], 0);
    fill_rows(c, constant);
    double derate = c->derate * length / (1 + length);
    if (derate > POWER_REMARK)
        e->warnings |= RIDGE_WARNING_POWER_LIMITED;
    c->flop_s = c->units * c->unaligned / (rate * (1 - derate));
    /* A unit's ports to L2 grow with its pipe from part to part: constants that were
     * pooled over parts say at how many FLOP a cycle they hold. */
    c->scaled = ridge_known(constant[RIDGE_TILE_AT_FLOP]);
    c->scale =
        c->scaled ? e->peak_flop_per_s / (c->units * clock * constant[RIDGE_TILE_AT_FLOP])
                  : 1;
    c->feed_s = c->far / (constant[RIDGE_TILE_FEED] * c->scale * clock);
    c->store_s = 1 / (constant[RIDGE_TILE_EPILOGUE] * c->scale * clock);
    c->step = step_of(e->pipe, c->element[0]);
    c->loop_s = or_else(constant[RIDGE_TILE_STEP_CYCLES], 0) / (clock * c->step);
    c->least_m = ridge__min(or_else(constant[RIDGE_TILE_LEAST_ROWS], 0), c->m);
    c->least_n = ridge__min(or_else(constant[RIDGE_TILE_LEAST_COLS], 0), c->n);
    c->bounded = ridge_known(constant[RIDGE_TILE_LEAST_AREA]);
    c->least_area = or_else(constant[RIDGE_TILE_LEAST_AREA], 0);
    c->most_area = or_else(constant[RIDGE_TILE_MOST_AREA], INFINITY);
    if (c->rows_odd)
        c->most_area = or_else(constant[RIDGE_TILE_ODD_AREA], c->most_area);
    c->most_m = or_else(constant[RIDGE_TILE_MOST_ROWS], INFINITY);
    c->most_n = or_else(constant[RIDGE_TILE_MOST_COLS], INFINITY);
    c->odd_tiles = or_else(constant[RIDGE_TILE_ODD_TILES], 1) > 0;
    double boost = or_else(machine->clock_vector_hz, clock);
    c->tick = or_else(constant[RIDGE_TILE_AT_CLOCK], boost) / boost;
    c->split_fixed_s = constant[RIDGE_TILE_SPLIT_FIXED];
    c->split_each_s = REDUCE_BYTES * c->batch * c->m * c->n /
                      (REDUCE_BYTES_PER_CYCLE * clock * c->units);
    fill_dram(c, in);
}

/* The term of that name which an earlier product left; NULL if there is none. */
static ridge_term *find_term(ridge_estimate *e, const char *name)
{
    if (!e->plan.tile_m) /* this is the first: its plan is not filled yet */
        return NULL;
    for (int i = 0; i < e->term_count; i++)
        if (strcmp(e->term[i].name, name) == 0)
            return &e->term[i];
    return NULL;
}

/* A term whose share follows from its time. */
static void add_rate(ridge_estimate *e, const char *name, ridge_bound bound,
                     double demand, double ceiling, double time_s)
{
    if (!(time_s > 0))
        return;
    ridge_term *t = find_term(e, name);
    if (!t) {
        ridge__estimate_term(e, name, bound, demand, ceiling, demand / (ceiling * time_s),
                             time_s);
        return;
    }
    t->demand += demand;
    t->time_s += time_s;
    t->share = t->demand / (t->ceiling * t->time_s);
}

/* A pure latency; that of a further product is added. */
static void add_latency(ridge_estimate *e, const char *name, double time_s)
{
    ridge_term *t = find_term(e, name);
    if (t)
        t->time_s += time_s;
    else
        ridge__estimate_term(e, name, RIDGE_BY_LATENCY, RIDGE_UNKNOWN, RIDGE_UNKNOWN,
                             RIDGE_UNKNOWN, time_s);
}

static void add_terms(ridge_estimate *e, const cost *c, const choice *t, double fixed_s)
{
    double fed = t->blocks * (t->tile_m * c->element[0] + t->tile_n * c->element[1]) *
                 split_depth(c, t->split);
    double stored = c->batch * c->m * c->n * c->element[2];
    add_rate(e, "matrix pipe", RIDGE_BY_COMPUTE, c->flop, e->peak_flop_per_s, t->mma_s);
    add_rate(e, "l2 feed", RIDGE_BY_MEMORY, fed, c->units / c->feed_s, t->feed_s);
    if (t->loop_s > ridge__max(t->mma_s, t->feed_s))
        add_latency(e, "main-loop steps", t->loop_s);
    add_rate(e, "epilogue", RIDGE_BY_MEMORY, stored, c->units / c->store_s, t->store_s);
    if (c->dram_s > 0)
        add_rate(e, "dram", RIDGE_BY_MEMORY, c->dram_bytes, e->bandwidth_bytes_per_s,
                 c->dram_s);
    if (t->split > 1)
        add_latency(e, "split-K reduction", t->reduce_s);
    add_latency(e, "prologue and drain", fixed_s);
}

static void fill_plan(ridge_estimate *e, const cost *c, const choice *t)
{
    ridge_plan *plan = &e->plan;
    plan->tile_m = (uint32_t)t->tile_m;
    plan->tile_n = (uint32_t)t->tile_n;
    plan->split = (uint32_t)t->split;
    plan->ctas = t->blocks;
    plan->waves = t->blocks / c->units;
    double tile_flop = 2 * t->tile_m * t->tile_n * split_depth(c, t->split);
    plan->ceiling_flop_per_s = c->flop * e->peak_flop_per_s /
                               (ridge__round_up(plan->waves) * tile_flop * c->units);
}

/* The kernel that quantises the activation first, where the fit says that there is one. */
static double quantise_time(ridge_estimate *e, const cost *c, const double *constant)
{
    double rate =
        constant[c->batched ? RIDGE_TILE_QUANT_RATE_BATCHED : RIDGE_TILE_QUANT_RATE];
    if (!ridge_known(rate))
        return 0;
    double bytes = c->batch * c->m * c->k * (UNQUANTISED_BYTES + c->element[0]);
    double rows_s = c->batched ? 0 : c->m * or_else(constant[RIDGE_TILE_QUANT_ROW], 0);
    double time_s = bytes / rate + rows_s;
    add_rate(e, "quantise", RIDGE_BY_MEMORY, bytes, rate, time_s);
    return time_s;
}

/* ---- Working ----------------------------------------------------------------------- */

/* What a product takes beside its grid, and what it is called. */
typedef struct parts {
    const char *name;
    double fixed_s, quantise_s;
} parts;

/* Bytes that DRAM serves, and their time. */
static void show_dram(const ridge__form_input *in, const cost *c)
{
    ridge__working *w = in->working;
    const double *constant = in->fit->c;
    bool plain = !in->call->op->product;
    const char *once = "each element once";
    double held = constant[RIDGE_TILE_L2_HOLD] * in->machine->l2_capacity.value;
    const char *miss = "1/(1 + ({l2_hold}*{L2 size}/{D})^6)";
    const char *miss_one = "1/(1 + ({l2_hold}*{L2 size}*{batch}/{D})^6)";
    const char *unheld = "L2 is unknown and holds nothing";
    bool known = ridge_known(held);
    ridge__working_add(w, "A", plain ? "{m}*{k}*{sa}" : once, c->operand[0],
                       RIDGE_UNIT_BYTES);
    ridge__working_add(w, "W", plain ? "{k}*{n}*{sb}" : once, c->operand[1],
                       RIDGE_UNIT_BYTES);
    ridge__working_add(w, "C", plain ? "{m}*{n}*{sc}" : once, c->operand[2],
                       RIDGE_UNIT_BYTES);
    ridge__working_add(w, "miss", known ? miss : unheld,
                       ridge__cache_miss(c->bytes, held, MISS_POWER), RIDGE_UNIT_NONE);
    const char *moved = "{batch}*({W} + {miss}*({A} + {store_weight}*{C}))";
    if (c->batched && ridge_known(constant[RIDGE_TILE_FIXED_BATCHED])) {
        double one = ridge__cache_miss(c->bytes / c->batch, held, MISS_POWER);
        ridge__working_add(w, "miss1", known ? miss_one : unheld, one, RIDGE_UNIT_NONE);
        moved = "max({W} + {miss1}*({A} + {store_weight}*{C}), "
                "{batch}*{miss}*({A} + {W} + {store_weight}*{C}))";
    }
    if (c->again_bytes > 0) {
        const char *again = "{reread}*{miss}*max(1 - {units}*32768/({m}*{n}), 0)*{m}*{n}*"
                            "{k}*({sa} + {sb})*{sectors}/{largest}^(1/2)";
        ridge__working_add(w, "sectors", "of a step of k",
                           c->rows_odd ? SPLIT_SECTORS : 1, RIDGE_UNIT_NONE);
        ridge__working_add(w, "largest", "its tile", c->most_area, RIDGE_UNIT_COUNT);
        ridge__working_add(w, "again", again, c->again_bytes, RIDGE_UNIT_BYTES);
        moved = "{batch}*({W} + {miss}*({A} + {store_weight}*{C})) + {again}";
    }
    ridge__working_add(w, "moved", moved, c->dram_bytes, RIDGE_UNIT_BYTES);
    const char *rate = "{moved}/({B}*{dram_share})";
    if (c->far != 1)
        rate = "{far}*{moved}/({B}*{dram_share})";
    ridge__working_add(w, "dram", rate, c->dram_s, RIDGE_UNIT_S);
}

/* By: rows are odd; feed is scaled to the part, rows lie far apart. */
static const char *const PIPE_FORMULA[2] = {
    "{waves}*2*{tile_m}*{tile_n}*{depth}*{small}*{units}/"
    "({P}*{mma_share}*(1 - {derate}))",
    "{waves}*2*{tile_m}*{tile_n}*{depth}*{small}*{units}*{unaligned}/"
    "({P}*{mma_share}*(1 - {derate}))"};
static const char *const FEED_FORMULA[2][2] = {
    {"{waves}*({tile_m}*{sa} + {tile_n}*{sb})*{depth}/({feed}*{clock})",
     "{far}*{waves}*({tile_m}*{sa} + {tile_n}*{sb})*{depth}/({feed}*{clock})"},
    {"{waves}*({tile_m}*{sa} + {tile_n}*{sb})*{depth}/({feed}*{scale}*{clock})",
     "{far}*{waves}*({tile_m}*{sa} + {tile_n}*{sb})*{depth}/({feed}*{scale}*{clock})"}};

/* The grid of the tile that was taken. */
static void show_grid(ridge__working *w, const cost *c, const choice *t, double y)
{
    ridge__working_add(w, "tile_m", NULL, t->tile_m, RIDGE_UNIT_COUNT);
    ridge__working_add(w, "tile_n", NULL, t->tile_n, RIDGE_UNIT_COUNT);
    ridge__working_add(w, "split", NULL, t->split, RIDGE_UNIT_COUNT);
    ridge__working_add(w, "step", NULL, c->step, RIDGE_UNIT_COUNT);
    ridge__working_add(w, "y", "{F}/({P}*{mma_share}*0.3e-3)", y, RIDGE_UNIT_NONE);
    const char *lost = c->limited      ? "{limit}*{y}/(1 + {y})"
                       : c->derate > 0 ? "{power_derate}*{y}/(1 + {y})"
                                       : NULL; /* no board power is known */
    ridge__working_add(w, "derate", lost, c->derate * y / (1 + y), RIDGE_UNIT_NONE);
    ridge__working_add(w, "ctas", "ceil({m}/{tile_m})*ceil({n}/{tile_n})*{batch}*{split}",
                       t->blocks, RIDGE_UNIT_COUNT);
    double quotient = t->blocks / c->units;
    ridge__working_add(w, "w", "{ctas}/{units}", quotient, RIDGE_UNIT_NONE);
    ridge__working_add(w, "waves",
                       c->smoothing > 0 ? "{wave_smoothing}*max(1, {w}) + "
                                          "(1 - {wave_smoothing})*ceil({w})"
                                        : "ceil({w})",
                       wave_count(quotient, c->smoothing), RIDGE_UNIT_NONE);
    ridge__working_add(w, "depth", "ceil({k}/({split}*{step}))*{step}",
                       split_depth(c, t->split), RIDGE_UNIT_COUNT);
    double usual = TILE_FLOP(t->tile_m, t->tile_n);
    ridge__working_add(
        w, "small",
        ridge_known(c->fill)
            ? "(1 + {fill}/{tile_m} + {fill}/{tile_n})/(1 + {fill}/256 + {fill}/128)"
            : "(1 + 8/{tile_m} + 8/{tile_n})/(1 + 8/256 + 8/128)",
        weigh(c, usual, t->tile_m, t->tile_n) / (2 * t->tile_m * t->tile_n),
        RIDGE_UNIT_NONE);
    ridge__working_add(w, "pipe", PIPE_FORMULA[c->unaligned != 1], t->mma_s,
                       RIDGE_UNIT_S);
    if (c->far != 1)
        ridge__working_add(w, "far",
                           "1 + {stride_cost}/(1 + ({stride_reach}/({k}*{sa}))^2)",
                           c->far, RIDGE_UNIT_NONE);
    if (c->scaled)
        ridge__working_add(w, "scale", "{P}/({units}*{clock}*{at_flop})", c->scale,
                           RIDGE_UNIT_NONE);
    ridge__working_add(w, "l2 feed", FEED_FORMULA[c->scaled][c->far != 1], t->feed_s,
                       RIDGE_UNIT_S);
    if (c->loop_s > 0)
        ridge__working_add(w, "steps", "{waves}*{depth}/{step}*{step_cycles}/{clock}",
                           t->loop_s, RIDGE_UNIT_S);
    ridge__working_add(w, "store",
                       c->scaled
                           ? "{waves}*{tile_m}*{tile_n}*{sc}/({epilogue}*{scale}*{clock})"
                           : "{waves}*{tile_m}*{tile_n}*{sc}/({epilogue}*{clock})",
                       t->store_s, RIDGE_UNIT_S);
    ridge__working_add(w, "grid",
                       c->loop_s > 0 ? "max(max({pipe}, {l2 feed}), {steps}) + {store}"
                                     : "max({pipe}, {l2 feed}) + {store}",
                       ridge__max(ridge__max(t->mma_s, t->feed_s), t->loop_s) +
                           t->store_s,
                       RIDGE_UNIT_S);
    if (t->split > 1)
        ridge__working_add(w, "reduction",
                           "{split_fixed} + "
                           "8*{split}*{batch}*{m}*{n}/(30*{clock}*{units})",
                           t->reduce_s, RIDGE_UNIT_S);
    else
        ridge__working_add(w, "reduction", NULL, 0, RIDGE_UNIT_S);
}

/* Names that are the product's, not the call's. */
static void show_product(ridge__working *w, const cost *c)
{
    static const char *const names[] = {"sa", "sb", "sc"};
    ridge__working_add(w, "m", "rows of the product", c->m, RIDGE_UNIT_COUNT);
    ridge__working_add(w, "n", "its columns", c->n, RIDGE_UNIT_COUNT);
    ridge__working_add(w, "k", "summed over", c->k, RIDGE_UNIT_COUNT);
    ridge__working_add(w, "batch", NULL, c->batch, RIDGE_UNIT_COUNT);
    for (size_t i = 0; i < RIDGE__COUNT(names); i++)
        ridge__working_add(w, names[i], NULL, c->element[i], RIDGE_UNIT_NONE);
    ridge__working_add(w, "F", "2*{m}*{n}*{k}*{batch}", c->flop, RIDGE_UNIT_FLOP);
    ridge__working_add(w, "D", NULL, c->bytes, RIDGE_UNIT_BYTES);
}

static void show_work(const ridge_estimate *e, const ridge__form_input *in, const cost *c,
                      const choice *t, const parts *part)
{
    ridge__working *w = in->working;
    const double *constant = in->fit->c;
    double quantise_s = part->quantise_s;
    if (in->call->op->product)
        show_product(w, c);
    double y =
        c->flop / (e->peak_flop_per_s * constant[RIDGE_TILE_MMA_SHARE] * POWER_RAMP_S);
    ridge__working_add(w, "clock", NULL, c->clock, RIDGE_UNIT_HZ);
    if (c->limited) {
        ridge__working_add(w, "board", "watts of the board", in->machine->board_w,
                           RIDGE_UNIT_W);
        const char *root = "max(1 - (1 - {power_derate})*({board}/({P}*{sa}*{at_watts}"
                           "*1e-12))^(1/2), 0)";
        if (ridge_known(constant[RIDGE_TILE_LIMIT_CLOCK]))
            root = "max(1 - {limit_clock}*({board}*{clock}/({P}*{sa}*1e-3))^(1/4)"
                   "/{clock}, 0)";
        if (ridge_known(constant[RIDGE_TILE_FLOP_PER_J]))
            root = "max(1 - {flop_per_joule}*{board}/({P}*{mma_share}), 0)";
        ridge__working_add(w, "limit", root, c->derate, RIDGE_UNIT_NONE);
    }
    show_grid(w, c, t, y);
    ridge__working_add(w, "dram", NULL, 0, RIDGE_UNIT_S);
    if (!in->resident)
        show_dram(in, c);
    const char *bytes = "{m}*{k}*(2 + {sa})/{quant_rate}";
    if (ridge_known(constant[RIDGE_TILE_QUANT_ROW]))
        bytes = "{m}*{k}*(2 + {sa})/{quant_rate} + {m}*{quant_row}";
    if (c->batched)
        bytes = "{batch}*{m}*{k}*(2 + {sa})/{quant_rate_batched}";
    ridge__working_add(w, "quantise", quantise_s > 0 ? bytes : NULL, quantise_s,
                       RIDGE_UNIT_S);
    bool own = c->batched && ridge_known(constant[RIDGE_TILE_FIXED_BATCHED]);
    bool pass = !c->batched && ridge_known(constant[RIDGE_TILE_QUANT_FIXED]);
    bool clocked = ridge_known(constant[RIDGE_TILE_AT_CLOCK]);
    static const char *const fixed[][2] = {
        {"{fixed}", "{fixed}*{at_clock}/{boost}"},
        {"{fixed} + {quant_fixed}", "({fixed} + {quant_fixed})*{at_clock}/{boost}"},
        {"{fixed_batched}", "{fixed_batched}*{at_clock}/{boost}"}};
    if (clocked)
        ridge__working_add(w, "boost", "clock of a part that does little",
                           in->machine->clock_vector_hz, RIDGE_UNIT_HZ);
    ridge__working_add(w, "prologue", fixed[own ? 2 : pass][clocked], part->fixed_s,
                       RIDGE_UNIT_S);
    ridge__working_add(w, part->name,
                       "{prologue} + ({grid}^4 + {dram}^4)^(1/4) + {reduction} + "
                       "{quantise}",
                       part->fixed_s + t->time_s + quantise_s, RIDGE_UNIT_S);
}

/* One product, launched on its own: its terms, and its time on top of the body. */
static void run_product(ridge_estimate *e, const ridge__form_input *in,
                        const ridge__product *p, const char *name)
{
    const double *constant = in->fit->c;
    const ridge_call *call = in->call;
    cost c;
    fill_cost(&c, e, in, p);
    choice t;
    if (call->tile_m && call->tile_n) {
        c.smoothing = 0;
        t = choice_of(&c, call->tile_m, call->tile_n, 1);
    } else {
        t = choose(&c, or_else(constant[RIDGE_TILE_MAX_SPLIT], 1));
    }
    double fixed_s = constant[RIDGE_TILE_FIXED];
    double eager_s = constant[RIDGE_TILE_LAUNCH_EAGER];
    if (c.batched) {
        fixed_s = or_else(constant[RIDGE_TILE_FIXED_BATCHED], fixed_s);
        eager_s = or_else(constant[RIDGE_TILE_LAUNCH_EAGER_BATCHED], eager_s);
    } else {
        fixed_s += or_else(constant[RIDGE_TILE_QUANT_FIXED], 0);
    }

    fixed_s *= c.tick;
    double launch_s =
        ridge__form_launch(call, constant[RIDGE_TILE_LAUNCH_GRAPH] * c.tick,
                           constant[RIDGE_TILE_LAUNCH_STREAM] * c.tick, eager_s);
    e->launch_s += launch_s;
    e->latency_s += launch_s + fixed_s;
    const parts part = {name, fixed_s, quantise_time(e, &c, constant)};
    e->body_s += fixed_s + t.time_s + part.quantise_s;
    add_terms(e, &c, &t, fixed_s);
    if (!e->plan.tile_m) /* the first product's stands for all */
        fill_plan(e, &c, &t);
    if (in->working)
        show_work(e, in, &c, &t, &part);
    bool short_k = c.k * c.element[0] < SHORT_STEPS * STEP_BYTES;
    if (short_k && t.mma_s >= c.dram_s && t.mma_s >= launch_s + fixed_s)
        e->warnings |= RIDGE_WARNING_SHORT_K;
}

const char *ridge__tile_fit(const ridge_call *call)
{
    bool batched = !call->op->product && is_batched(call);
    return batched ? "bmm" : call->op->name;
}

void ridge__form_tile(ridge_estimate *e, const ridge__form_input *in)
{
    static const char *const names[] = {"first", "second"};
    static const char *const sums[] = {"0", "{first}", "{first} + {second}"};
    const ridge_op *op = in->call->op;
    ridge__product p;
    size_t count = 0;
    e->launch_s = e->latency_s = e->body_s = 0;
    if (!op->product) {
        p = whole(in->call);
        run_product(e, in, &p, "body");
    } else {
        while (count < RIDGE__COUNT(names) && op->product(&p, in->call, count))
            run_product(e, in, &p, names[count++]);
        if (in->working)
            ridge__working_add(in->working, "body", sums[count], e->body_s, RIDGE_UNIT_S);
    }
    ridge__estimate_term(e, "launch", RIDGE_BY_LATENCY, RIDGE_UNKNOWN, RIDGE_UNKNOWN,
                         RIDGE_UNKNOWN, e->launch_s);
}
