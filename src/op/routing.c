/*
 * Which experts get how many rows: what a mixture's time depends on most.  Formulas,
 * sources and worked numbers: docs/model/moe.md.
 */
#include "op/op_priv.h"

#include <string.h>

enum {
    EXPERTS_MAX = 1024, /* drawn one by one; a larger mixture is taken as uniform */
    RANKS_MAX = EXPERTS_MAX,
    DRAWS = 8,       /* of a power law: the means move by 2 % with 8 more */
    LEVEL_STEPS = 24 /* of the search for a water level */
};
/* Rows of a block, as ridge__routing.tiles[] counts them. */
static const double TILE[RIDGE_ROUTE_TILES] = {8, 16, 32, 64, 128, 256};

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

/* Blocks that n rows fill; less than a row is that share of a block. */
static double blocks(double n, double tile)
{
    return n < 1 ? n : ceil(n / tile);
}

/* Adds a rank whose experts have n[0..count) rows, with a weight. */
static void add_rank(ridge__routing *out, const double *n, size_t count, double weight)
{
    for (size_t e = 0; e < count; e++) {
        out->rows += weight * n[e];
        out->used += weight * ridge__min(n[e], 1);
        for (size_t t = 0; t < RIDGE_ROUTE_TILES; t++)
            out->tiles[t] += weight * blocks(n[e], TILE[t]);
    }
}

/* All experts of the rank alike, `used` of them with a row. */
static void add_alike(ridge__routing *out, double rows, double used)
{
    out->rows = rows;
    out->used = used;
    for (size_t t = 0; t < RIDGE_ROUTE_TILES; t++)
        out->tiles[t] = used * ridge__max(1, ceil(rows / used / TILE[t]));
}

/*
 * Every expert has as many rows as any other.  With fewer rows than experts they fall on
 * experts as far apart as they can be, and the first rank is the heaviest.
 */
static void route_balanced(ridge__routing *out, const mixture *x)
{
    double stride = ceil(x->experts / x->topk), rows = x->tokens * x->topk, hit = 0;
    if (x->tokens >= stride || x->experts > EXPERTS_MAX) {
        add_alike(out, rows / x->ranks, x->local);
        return;
    }
    for (uint32_t i = 0; i < (uint32_t)x->tokens; i++)
        for (uint32_t j = 0; j < (uint32_t)x->topk; j++)
            hit +=
                fmod(floor(i * stride / x->tokens + j * stride), x->experts) < x->local;
    hit = ridge__max(hit, rows / x->ranks);
    add_alike(out, hit, ridge__min(hit, x->local));
}

/* Each token draws k of E experts: E (1 - (1 - k/E)^T) of them are drawn at all. */
static double uniform_used(const mixture *x)
{
    double share = x->topk / x->experts;
    double unused = share < 1 ? exp(x->tokens * log1p(-share)) : 0;
    return x->local * (1 - unused);
}

static void route_uniform(ridge__routing *out, const mixture *x)
{
    double used = uniform_used(x), rows = x->tokens * x->topk / x->ranks;
    add_alike(out, rows, used);
    /* Rows of an expert scatter, so that half a block of each is empty on average. */
    for (size_t t = 0; t < RIDGE_ROUTE_TILES; t++)
        out->tiles[t] = ridge__max(used, rows / TILE[t] + used / 2);
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

/* Raise the lowest of n[0..count) to one level, so that `more` is added, up to `most`. */
static void fill(double *n, size_t count, double more, double most)
{
    double low = n[0], high = most;
    for (size_t e = 0; e < count; e++)
        low = n[e] < low ? n[e] : low;
    high = ridge__min(high, low + more); /* the lowest alone could take it all */
    for (int step = 0; step < LEVEL_STEPS; step++) {
        double level = (low + high) / 2, added = 0;
        for (size_t e = 0; e < count; e++)
            added += n[e] < level ? level - n[e] : 0;
        *(added < more ? &low : &high) = level;
    }
    for (size_t e = 0; e < count; e++)
        if (n[e] < low)
            n[e] = low;
}

/* Rows of every expert: shares of a power law, none above the number of tokens. */
static void draw_rows(double *n, const mixture *x, uint64_t *state)
{
    size_t count = (size_t)x->experts;
    double rows = x->tokens * x->topk, sum = 0, got = 0;
    bool many = rows > x->experts;
    double low = many ? 1 : FEW_LOW;
    double high = many ? ridge__max(2, DRAW_TOKENS * x->tokens) : FEW_HIGH;
    const power_law shares = law_between(x->alpha, low, high);
    for (size_t e = 0; e < count; e++)
        sum += n[e] = law(&shares, draw(state));
    for (size_t e = 0; e < count; e++) {
        n[e] = ridge__min(floor(n[e] / sum * rows + 0.5), x->tokens);
        got += n[e];
    }
    for (size_t e = 0; got > rows; e = e + 1 < count ? e + 1 : 0)
        if (n[e] >= 1) { /* what rounding gave too much */
            n[e]--;
            got--;
        }
    if (got < rows)
        fill(n, count, rows - got, x->tokens);
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

/*
 * A load balancer places experts, the heaviest first, on the rank with the fewest rows
 * that has room (EPLB).  The heaviest rank of that.
 */
static void add_placed(ridge__routing *out, double *n, const mixture *x)
{
    double load[RANKS_MAX] = {0}, experts[EXPERTS_MAX] = {0};
    uint16_t taken[RANKS_MAX] = {0}, rank_of[EXPERTS_MAX] = {0};
    size_t ranks = (size_t)x->ranks, local = (size_t)x->local, best = 0, count = 0;
    sort_down(n, (size_t)x->experts);
    for (size_t e = 0; e < (size_t)x->experts; e++) {
        size_t to = ranks;
        for (size_t r = 0; r < ranks; r++)
            if (taken[r] < local && (to == ranks || load[r] < load[to]))
                to = r;
        rank_of[e] = (uint16_t)(to < ranks ? to : 0);
        if (to < ranks) {
            load[to] += n[e];
            taken[to]++;
        }
    }
    for (size_t r = 1; r < ranks; r++)
        best = load[r] > load[best] ? r : best;
    for (size_t e = 0; e < (size_t)x->experts; e++)
        if (rank_of[e] == best && count < local)
            experts[count++] = n[e];
    add_rank(out, experts, count, 1.0 / DRAWS);
}

static void route_power_law(ridge__routing *out, const mixture *x, bool placed)
{
    double n[EXPERTS_MAX] = {0};
    uint64_t state = 1;
    for (int i = 0; i < DRAWS; i++) {
        draw_rows(n, x, &state);
        if (placed)
            add_placed(out, n, x);
        else
            add_heaviest(out, n, x);
    }
}

/* ---- All of them ------------------------------------------------------------------- */

ridge__routing ridge__moe_routing(const ridge_call *call)
{
    const double *a = call->arg;
    int kind = (int)a[RIDGE_MOE_DISTRIBUTION];
    mixture x = {.tokens = a[RIDGE_MOE_TOKENS],
                 .topk = a[RIDGE_MOE_TOPK],
                 .experts = a[RIDGE_MOE_EXPERTS],
                 .ranks = a[RIDGE_MOE_EP],
                 .alpha = ridge__word_number(a[RIDGE_MOE_DISTRIBUTION])};
    ridge__routing out = {0};
    double pairs = x.tokens * x.topk;
    x.local = x.experts / x.ranks;
    out.least_rows = pairs / x.ranks;
    out.least_used = ridge__min(x.local, ridge__max(1, x.topk / x.ranks));
    if (kind == RIDGE_ROUTE_BALANCED) {
        /* Even on average is all that libraries mean by it: tokens may still draw. */
        out.least_used = uniform_used(&x);
        route_balanced(&out, &x);
    } else if (kind < RIDGE_ROUTE_POWER_LAW || x.experts > EXPERTS_MAX ||
               x.local != floor(x.local)) {
        route_uniform(&out, &x);
    } else {
        route_power_law(&out, &x, kind == RIDGE_ROUTE_POWER_LAW_EPLB);
    }
    out.used = ridge__max(out.used, out.least_used);
    out.rows = ridge__max(out.rows, out.least_rows);
    return out;
}
