/*
 * Which experts get how many rows: what a mixture's time depends on most.  Formulas,
 * sources and worked numbers: docs/model/moe.md.
 */
#include "op/op_priv.h"

#include <string.h>

enum {
    EXPERTS_MAX = 1024, /* drawn one by one; a larger mixture is taken as uniform */
    RANKS_MAX = EXPERTS_MAX,
    DRAWS = 8 /* of a power law: the means move by 2 % with 8 more */
};

/* The bounds that the law is drawn between, as aiconfigurator draws it (helper.py):
 * from 1 to this share of the tokens, or where there are fewer rows than experts. */
static const double DRAW_TOKENS = 0.8, FEW_LOW = 0.01, FEW_HIGH = 2;

/* What the rows of a call depend on. */
typedef struct mixture {
    double tokens, topk, experts, ranks;
    double local; /* experts of a rank */
    double alpha; /* exponent of the power law */
} mixture;

/* ---- Rows of experts --------------------------------------------------------------- */

double ridge__blocks(double n, double size)
{
    double whole = floor(n);
    double low = ceil(whole / size);
    return low + (n - whole) * (ceil((whole + 1) / size) - low);
}

/*
 * Adds a rank whose experts have n[0..count) rows, with a weight.  The rank with the most
 * rows has one at least: a share of a row is a mean of draws.
 */
static void add_rank(ridge__routing *out, const double *n, size_t count, double weight)
{
    ridge__routing r = {0};
    for (size_t e = 0; e < count; e++) {
        r.rows += n[e];
        r.used += ridge__min(n[e], 1);
        for (size_t i = 0; i < RIDGE_BLOCK_SIZES; i++)
            r.blocks[i] += ridge__blocks(n[e], RIDGE_BLOCK_LEAST << i);
    }
    out->rows += weight * ridge__max(r.rows, 1);
    out->used += weight * ridge__max(r.used, 1);
    for (size_t i = 0; i < RIDGE_BLOCK_SIZES; i++)
        out->blocks[i] += weight * ridge__max(r.blocks[i], 1);
}

/* Every used expert has as many rows as any other. */
static void fill_blocks(ridge__routing *out)
{
    for (size_t i = 0; i < RIDGE_BLOCK_SIZES; i++)
        out->blocks[i] =
            out->used * ridge__blocks(out->rows / out->used, RIDGE_BLOCK_LEAST << i);
}

/*
 * Every expert has as many rows as any other.  With fewer rows than experts they fall on
 * experts as far apart as they can be, and the first rank is the heaviest.
 */
static void route_balanced(ridge__routing *out, const mixture *x)
{
    double stride = ceil(x->experts / x->topk), rows = x->tokens * x->topk, hit = 0;
    if (x->tokens >= stride || x->experts > EXPERTS_MAX) {
        out->rows = rows / x->ranks;
        out->used = x->local;
        fill_blocks(out);
        return;
    }
    for (uint32_t i = 0; i < (uint32_t)x->tokens; i++)
        for (uint32_t j = 0; j < (uint32_t)x->topk; j++)
            hit +=
                fmod(floor(i * stride / x->tokens + j * stride), x->experts) < x->local;
    out->rows = ridge__max(hit, rows / x->ranks);
    out->used = ridge__min(out->rows, x->local);
    fill_blocks(out);
}

/* Each token draws k of E experts: E (1 - (1 - k/E)^T) of them are drawn at all. */
static double uniform_used(const mixture *x)
{
    double share = x->topk / x->experts;
    double unused = share < 1 ? exp(x->tokens * log1p(-share)) : 0;
    return x->local * (1 - unused);
}

/*
 * Blocks of an expert whose rows are a sum of chances of mean `mean`: the sum over j of the
 * chance that it has more than j full blocks.  Poisson's law where rows are few, the normal
 * one where they are more, and half a block beyond the mean where that spreads over blocks.
 */
static double chance_blocks(double mean, double deviation, double size)
{
    enum {
        FEW = 30,
        FAR = 8 /* deviations */
    };
    double sum = 0;
    if (mean < FEW) {
        double p = exp(-mean);
        for (int n = 1; n < FEW + FAR * FAR; n++)
            sum += ceil(n / size) * (p *= mean / n);
        return sum;
    }
    if (mean > FEW * size)
        return mean / size + 0.5 - 0.5 / size;
    for (int j = 0;; j++) {
        double beyond = (j * size + 0.5 - mean) / deviation;
        if (beyond > FAR)
            return sum;
        sum += 0.5 * erfc(beyond / sqrt(2));
    }
}

static void route_uniform(ridge__routing *out, const mixture *x)
{
    out->rows = x->tokens * x->topk / x->ranks;
    out->used = uniform_used(x);
    double mean = out->rows / x->local;
    double deviation = sqrt(mean * (1 - x->topk / x->experts));
    for (size_t i = 0; i < RIDGE_BLOCK_SIZES; i++)
        out->blocks[i] = ridge__max(
            x->local * chance_blocks(mean, deviation, RIDGE_BLOCK_LEAST << i), out->used);
}

/* ---- Power laws -------------------------------------------------------------------- */

/* splitmix64 [Steele, Lea, Flood 2014]: the same numbers on every machine. */
static double draw(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (double)((z ^ z >> 31) >> 11) / 9007199254740992.0;
}

/* The inverse of the law's distribution between two bounds. */
typedef struct power_law {
    double b, low, ratio; /* 1 - exponent; the lower bound; the upper over it */
    double from, span;    /* low^b; high^b - low^b */
} power_law;

static power_law law_between(double alpha, double low, double high)
{
    double b = 1 - alpha, from = pow(low, b);
    return (power_law){b, low, high / low, from, pow(high, b) - from};
}

static double law(const power_law *p, double u)
{
    if (fabs(p->b) < 1e-9)
        return p->low * pow(p->ratio, u);
    return pow(p->span * u + p->from, 1 / p->b);
}

/*
 * Raise the lowest of n[0..count) to one level, so that `more` is added.  What a level adds
 * is convex in it: from one that is too high Newton's steps come down to it, and end where
 * the same experts lie below.
 */
static void fill(double *n, size_t count, double more)
{
    double level = n[0];
    for (size_t e = 1; e < count; e++)
        level = n[e] < level ? n[e] : level;
    level += more; /* the lowest alone could take it all */
    for (size_t before, below = count + 1; below > 0;) {
        double sum = 0;
        before = below;
        below = 0;
        for (size_t e = 0; e < count; e++) {
            sum += n[e] < level ? n[e] : 0;
            below += n[e] < level;
        }
        if (below >= before || below == 0)
            break;
        level = (sum + more) / (double)below;
    }
    for (size_t e = 0; e < count; e++)
        n[e] = n[e] < level ? level : n[e];
}

/* Rows of every expert: shares of a power law, none above the number of tokens. */
static void draw_rows(double *n, const mixture *x, const power_law *shares,
                      uint64_t *state)
{
    size_t count = (size_t)x->experts;
    double rows = x->tokens * x->topk, sum = 0, got = 0;
    for (size_t e = 0; e < count; e++)
        sum += n[e] = law(shares, draw(state));
    for (size_t e = 0; e < count; e++) {
        n[e] = ridge__min(floor(n[e] / sum * rows + 0.5), x->tokens);
        got += n[e];
    }
    /* Once around is enough: who was rounded up has one to give.  Rows beyond what a
     * double counts stay as they are. */
    for (size_t e = 0; got > rows && e < count; e++)
        if (n[e] >= 1) { /* what rounding gave too much */
            n[e]--;
            got--;
        }
    if (got < rows)
        fill(n, count, rows - got);
}

/* The rank with the most rows of ranks of consecutive experts. */
static void add_heaviest(ridge__routing *out, const double *n, const mixture *x)
{
    size_t local = (size_t)x->local, best = 0;
    double most = -1;
    for (size_t r = 0; (r + 1) * local <= (size_t)x->experts; r++) {
        double rows = 0;
        for (size_t e = 0; e < local; e++)
            rows += n[r * local + e];
        if (rows > most) {
            most = rows;
            best = r;
        }
    }
    add_rank(out, n + best * local, local, 1.0 / DRAWS);
}

static void sort_down(double *n, size_t count)
{
    for (size_t gap = count / 2; gap > 0; gap /= 2) /* Shell's sort: no callbacks */
        for (size_t i = gap; i < count; i++) {
            double value = n[i];
            size_t j = i;
            for (; j >= gap && n[j - gap] < value; j -= gap)
                n[j] = n[j - gap];
            n[j] = value;
        }
}

/* A rank while experts are placed on it. */
typedef struct seat {
    double rows;
    size_t rank, room; /* experts that it may still take */
} seat;

/* Of equals the first rank. */
static bool lighter(const seat *a, const seat *b)
{
    return a->rows < b->rows || (a->rows == b->rows && a->rank < b->rank);
}

/* The first of a heap has changed: restore that none is lighter than it. */
static void sink(seat *heap, size_t count)
{
    for (size_t i = 0, child; (child = 2 * i + 1) < count; i = child) {
        if (child + 1 < count && lighter(&heap[child + 1], &heap[child]))
            child++;
        if (!lighter(&heap[child], &heap[i]))
            return;
        const seat moved = heap[i];
        heap[i] = heap[child];
        heap[child] = moved;
    }
}

/*
 * A load balancer places experts, the heaviest first, on the rank with the fewest rows
 * that has room (EPLB).  The heaviest rank of that.
 */
static void add_placed(ridge__routing *out, double *n, const mixture *x)
{
    seat heap[RANKS_MAX], most = {.rows = -1};
    double experts[EXPERTS_MAX];
    size_t rank_of[EXPERTS_MAX], left = (size_t)x->ranks, placed = 0, count = 0;
    sort_down(n, (size_t)x->experts);
    for (size_t r = 0; r < left; r++)
        heap[r] = (seat){0, r, (size_t)x->local};
    for (; placed < (size_t)x->experts && left > 0; placed++) {
        rank_of[placed] = heap[0].rank;
        heap[0].rows += n[placed];
        if (--heap[0].room == 0) {
            if (heap[0].rows > most.rows ||
                (heap[0].rows == most.rows && heap[0].rank < most.rank))
                most = heap[0];
            heap[0] = heap[--left];
        }
        sink(heap, left);
    }
    for (size_t e = 0; e < placed; e++)
        if (rank_of[e] == most.rank)
            experts[count++] = n[e];
    add_rank(out, experts, count, 1.0 / DRAWS);
}

static void route_power_law(ridge__routing *out, const mixture *x, bool placed)
{
    double n[EXPERTS_MAX] = {0};
    uint64_t state = 1;
    bool many = x->tokens * x->topk > x->experts;
    double high = many ? ridge__max(2, DRAW_TOKENS * x->tokens) : FEW_HIGH;
    const power_law shares = law_between(x->alpha, many ? 1 : FEW_LOW, high);
    for (int i = 0; i < DRAWS; i++) {
        draw_rows(n, x, &shares, &state);
        if (placed)
            add_placed(out, n, x);
        else
            add_heaviest(out, n, x);
    }
}

/* ---- All of them ------------------------------------------------------------------- */

static mixture mixture_of(const ridge_call *call)
{
    const double *a = call->arg;
    return (mixture){.tokens = a[RIDGE_MOE_TOKENS],
                     .topk = a[RIDGE_MOE_TOPK],
                     .experts = a[RIDGE_MOE_EXPERTS],
                     .ranks = a[RIDGE_MOE_EP],
                     .local = a[RIDGE_MOE_EXPERTS] / a[RIDGE_MOE_EP],
                     .alpha = ridge__word_number(a[RIDGE_MOE_DISTRIBUTION])};
}

void ridge__moe_route(ridge_call *call)
{
    int kind = (int)call->arg[RIDGE_MOE_DISTRIBUTION];
    mixture x = mixture_of(call);
    ridge__routing r = {0};
    if (kind == RIDGE_ROUTE_BALANCED)
        route_balanced(&r, &x);
    else if (kind < RIDGE_ROUTE_POWER_LAW || x.experts > EXPERTS_MAX ||
             x.local != floor(x.local))
        route_uniform(&r, &x);
    else
        route_power_law(&r, &x, kind == RIDGE_ROUTE_POWER_LAW_EPLB);
    call->arg[RIDGE_MOE_ROWS] = r.rows;
    call->arg[RIDGE_MOE_USED] = r.used;
    for (size_t i = 0; i < RIDGE_BLOCK_SIZES; i++)
        call->arg[RIDGE_MOE_BLOCKS + i] = r.blocks[i];
}

ridge__routing ridge__moe_routing(const ridge_call *call)
{
    mixture x = mixture_of(call);
    ridge__routing out = {.rows = call->arg[RIDGE_MOE_ROWS],
                          .used = call->arg[RIDGE_MOE_USED]};
    for (size_t i = 0; i < RIDGE_BLOCK_SIZES; i++)
        out.blocks[i] = call->arg[RIDGE_MOE_BLOCKS + i];
    out.least_rows = x.tokens * x.topk / x.ranks;
    /* Even on average is all that libraries mean by balance: tokens may still draw. */
    out.least_used = (int)call->arg[RIDGE_MOE_DISTRIBUTION] == RIDGE_ROUTE_BALANCED
                         ? uniform_used(&x)
                         : ridge__min(x.local, ridge__max(1, x.topk / x.ranks));
    out.used = ridge__max(out.used, out.least_used);
    out.rows = ridge__max(out.rows, out.least_rows);
    return out;
}
