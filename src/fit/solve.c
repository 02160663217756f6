/*
 * One group's constants, as logarithms of their ratio to the start:
 *
 *     minimise  sum |ln(expected / measured)| / b  +  sum x_i^2 / (2 tau^2)
 *
 * the first smoothed near zero (pseudo-Huber), so that outliers pull no harder than any
 * row: the density of a Laplace error of scale b with a normal prior of width tau around
 * the constants that were used before, which is what lets twenty rows help.  Subplex
 * [Rowan1990], as NLopt has it, since tile and split choices make steps.
 */
#include "fit/fit.h"

#include <nlopt.h>
#include <stdlib.h>
#include <string.h>

static const double ERROR_SCALE = 0.05; /* b: what good constants leave */
static const double PRIOR_WIDTH = 0.5;  /* tau: relatives differ by a factor of e^0.5 */
static const double SMOOTH = 0.02;      /* errors below this count by their square */
/* The same where rows alone shall decide: a start that saw the rows left out says little. */
static const double TRAIN_PRIOR_WIDTH = 2;
static const double RANGE = 3;   /* of x: a factor of 20 either way */
static const double STEP = 0.05; /* of x, for derivatives */
/* A constant is fitted if the rows narrow it to this share of the prior's width. */
static const double DETERMINED = 0.7;

enum {
    ROWS_MIN = 8,       /* fewer say nothing about two constants */
    SHAPES_MIN = 8,     /* likewise; a shape timed again says how well times repeat */
    APART_MIN = 3,      /* rows kept apart, at least */
    SEARCH_ROWS = 3000, /* a search looks at every n-th row beyond */
    EVALUATIONS = 250,  /* of the objective, for each free constant */
    TRAIN_ROWS = 500,   /* the same of a set of constants that only tests others */
    TRAIN_EVALUATIONS = 40,
    ROUNDS_ROWS = 400 /* up to so many, each row is kept apart once */
};

typedef struct search {
    ridge__fit_group *g;
    ridge_fit trial;                          /* what the machines use while it runs */
    size_t index[RIDGE_FIT_CONSTANTS], count; /* of the free constants */
    bool all;                                 /* also the rows kept apart */
    size_t stride;
    double prior_width;
    size_t evaluations; /* for each free constant */
} search;

static ridge_status no_memory(ridge_error *err)
{
    return ridge__error_set(err, RIDGE_NOMEM, "out of memory");
}

/* ---- Errors ------------------------------------------------------------------------ */

/* ln(expected / measured) of a row under the trial; unknown if it has no expected time. */
static double row_error(const ridge__fit_row *row)
{
    ridge_estimate e;
    if (ridge_estimate_call(&e, row->machine, &row->call, NULL))
        return RIDGE_UNKNOWN;
    return log(e.expected_s / row->time_s);
}

static double objective(unsigned n, const double *x, double *gradient, void *ctx)
{
    search *s = ctx;
    double sum = 0;
    (void)gradient; /* asked for by other algorithms */
    for (unsigned i = 0; i < n; i++) {
        size_t c = s->index[i];
        s->trial.c[c] = s->g->constant[c].start * exp(x[i]);
        sum += x[i] * x[i] / (2 * s->prior_width * s->prior_width);
    }
    size_t used = 0, rows = 0;
    double errors = 0;
    for (size_t r = 0; r < s->g->row_count; r++) {
        if (s->g->row[r].apart && !s->all)
            continue;
        rows++;
        if (r % s->stride)
            continue;
        double e = row_error(&s->g->row[r]);
        if (!ridge_known(e))
            continue;
        errors += sqrt(e * e + SMOOTH * SMOOTH) - SMOOTH;
        used++;
    }
    return sum + (used ? errors * ((double)rows / (double)used) / ERROR_SCALE : 0);
}

/* ---- Which constants ---------------------------------------------------------------- */

/*
 * Constants that have a logarithm, and are neither counts, which name kinds of kernel, nor
 * conditions that others hold at: figures of the parts that were measured.
 */
static bool candidate(const ridge__fit_constant *c)
{
    return c->start > 0 && c->schema->unit != RIDGE_UNIT_COUNT &&
           strncmp(c->schema->name, "at_", 3) != 0;
}

/* out += J^T J / b^2 of the free and other candidates, J = d ln(expected) / d x. */
static void information(search *s, const size_t *which, size_t n,
                        double out[RIDGE_FIT_CONSTANTS][RIDGE_FIT_CONSTANTS])
{
    double j[RIDGE_FIT_CONSTANTS];
    for (size_t r = 0; r < s->g->row_count; r += s->stride) {
        for (size_t i = 0; i < n; i++) {
            double value = s->trial.c[which[i]];
            s->trial.c[which[i]] = value * exp(STEP);
            double up = row_error(&s->g->row[r]);
            s->trial.c[which[i]] = value * exp(-STEP);
            double down = row_error(&s->g->row[r]);
            s->trial.c[which[i]] = value;
            j[i] = ridge_known(up) && ridge_known(down) ? (up - down) / (2 * STEP) : 0;
        }
        double weight = (double)s->stride / (ERROR_SCALE * ERROR_SCALE);
        for (size_t i = 0; i < n; i++)
            for (size_t k = 0; k < n; k++)
                out[i][k] += weight * j[i] * j[k];
    }
}

static bool listed(const char *only, const char *name)
{
    size_t size = strlen(name);
    for (const char *at = only; at && *at;
         at += strcspn(at, ",") + (at[strcspn(at, ",")] != 0))
        if (strcspn(at, ",") == size && memcmp(at, name, size) == 0)
            return true;
    return false;
}

/*
 * Takes constants one after another, the best determined first, given those taken before:
 * a Cholesky factorisation with pivots of the information with the prior.  What is left
 * when the next one is no longer determined stays as it is.
 */
static void choose(search *s, const char *only)
{
    double a[RIDGE_FIT_CONSTANTS][RIDGE_FIT_CONSTANTS] = {{0}};
    size_t which[RIDGE_FIT_CONSTANTS] = {0}, n = 0;
    bool taken[RIDGE_FIT_CONSTANTS] = {false};
    ridge__fit_group *g = s->g;
    for (size_t i = 0; i < g->constant_count; i++)
        if (candidate(&g->constant[i]) &&
            (!only || listed(only, g->constant[i].schema->name)))
            which[n++] = i;
    information(s, which, n, a);
    const double prior = 1 / (PRIOR_WIDTH * PRIOR_WIDTH);
    for (size_t i = 0; i < n; i++)
        a[i][i] += prior;
    for (s->count = 0; s->count < n; s->count++) {
        size_t best = n;
        for (size_t i = 0; i < n; i++)
            if (!taken[i] && (best == n || a[i][i] > a[best][best]))
                best = i;
        if (a[best][best] < prior / (DETERMINED * DETERMINED))
            break;
        taken[best] = true;
        s->index[s->count] = which[best];
        g->constant[which[best]].free = true;
        for (size_t i = 0; i < n; i++) /* what the others add, given this one */
            for (size_t k = 0; !taken[i] && k < n; k++)
                if (!taken[k])
                    a[i][k] -= a[i][best] * a[best][k] / a[best][best];
    }
}

static ridge_status check_only(const ridge__fit_group *g, const char *only,
                               ridge_error *err)
{
    for (size_t i = 0; only && i < g->constant_count; i++) {
        const ridge__fit_constant *c = &g->constant[i];
        if (listed(only, c->schema->name) && !c->free)
            return ridge__error_set(
                err, RIDGE_NODATA,
                "the rows do not determine %s (%s): changing it hardly changes their "
                "times, or another constant does the same; rows in which it matters are "
                "wanted",
                c->schema->name, c->schema->meaning);
    }
    return RIDGE_OK;
}

/* ---- The search --------------------------------------------------------------------- */

/* How far ln(value / start) may go. */
static void range_of(double *low, double *high, const ridge__fit_constant *c)
{
    *low =
        c->schema->min > 0 ? ridge__max(log(c->schema->min / c->start), -RANGE) : -RANGE;
    *high = ridge__min(log(c->schema->max / c->start), RANGE);
}

static void run(search *s)
{
    double x[RIDGE_FIT_CONSTANTS] = {0}, low[RIDGE_FIT_CONSTANTS],
           high[RIDGE_FIT_CONSTANTS], least;
    if (s->count == 0)
        return;
    nlopt_opt opt = nlopt_create(NLOPT_LN_SBPLX, (unsigned)s->count);
    if (!opt)
        return;
    for (size_t i = 0; i < s->count; i++) {
        const ridge__fit_constant *c = &s->g->constant[s->index[i]];
        double now = log(s->trial.c[s->index[i]] / c->start);
        range_of(&low[i], &high[i], c);
        x[i] = now < low[i] ? low[i] : now > high[i] ? high[i] : now;
    }
    nlopt_set_lower_bounds(opt, low);
    nlopt_set_upper_bounds(opt, high);
    nlopt_set_min_objective(opt, objective, s);
    nlopt_set_initial_step1(opt, 2 * STEP);
    nlopt_set_xtol_abs1(opt, 1e-3);
    nlopt_set_maxeval(opt, (int)(s->evaluations * s->count));
    nlopt_optimize(opt, x, &least); /* any end leaves the best x so far */
    nlopt_destroy(opt);
    for (size_t i = 0; i < s->count; i++)
        s->trial.c[s->index[i]] = s->g->constant[s->index[i]].start * exp(x[i]);
}

/* Standard deviations of the free constants: the inverse of the information. */
static void find_spreads(search *s)
{
    double a[RIDGE_FIT_CONSTANTS][RIDGE_FIT_CONSTANTS] = {{0}};
    size_t n = s->count;
    information(s, s->index, n, a);
    for (size_t i = 0; i < n; i++)
        a[i][i] += 1 / (PRIOR_WIDTH * PRIOR_WIDTH);
    /* Gauss-Jordan in place: the matrix is positive definite, no pivots are needed. */
    for (size_t p = 0; p < n; p++) {
        double pivot = a[p][p];
        a[p][p] = 1;
        for (size_t k = 0; k < n; k++)
            a[p][k] /= pivot;
        for (size_t i = 0; i < n; i++) {
            double factor = a[i][p];
            if (i == p)
                continue;
            a[i][p] = 0;
            for (size_t k = 0; k < n; k++)
                a[i][k] -= factor * a[p][k];
        }
    }
    for (size_t i = 0; i < n; i++)
        s->g->constant[s->index[i]].spread = sqrt(a[i][i]);
}

/*
 * Constants are taken given those before; one that the later ones can stand for, or that no
 * longer matters where the others went, is not determined.  Leaves the loosest of those as it
 * was; false: there is none.
 */
static bool drop_loose(search *s)
{
    size_t loosest = 0;
    find_spreads(s);
    for (size_t i = 1; i < s->count; i++)
        if (s->g->constant[s->index[i]].spread > s->g->constant[s->index[loosest]].spread)
            loosest = i;
    if (s->count == 0 ||
        s->g->constant[s->index[loosest]].spread <= DETERMINED * PRIOR_WIDTH)
        return false;
    ridge__fit_constant *c = &s->g->constant[s->index[loosest]];
    c->free = false;
    c->spread = RIDGE_UNKNOWN;
    s->trial.c[s->index[loosest]] = c->start;
    s->count--;
    memmove(&s->index[loosest], &s->index[loosest + 1],
            (s->count - loosest) * sizeof s->index[0]);
    return true;
}

static void find_bounds(search *s)
{
    const double close = 2e-3; /* of the search's own */
    for (size_t i = 0; i < s->count; i++) {
        ridge__fit_constant *c = &s->g->constant[s->index[i]];
        double low, high, x = log(s->trial.c[s->index[i]] / c->start);
        range_of(&low, &high, c);
        c->bound = (x > high - close) - (x < low + close);
    }
}

/* The machines take `fit` as the user's; NULL: what they had. */
static void use(const ridge__fit_group *g, const ridge_fit *fit)
{
    for (size_t r = 0; r < g->row_count; r++) {
        const ridge__fit_row *row = &g->row[r];
        row->machine->fits[RIDGE_LINK_USER].fit = fit ? fit : row->user;
        row->machine->fits[RIDGE_LINK_USER].count = fit ? 1 : row->user_count;
    }
}

typedef struct numbered {
    uint64_t hash;
    size_t row;
} numbered;

static int by_hash(const void *a, const void *b)
{
    const numbered *x = a, *y = b;
    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

/* Numbers the shapes in the order of their first rows.  False without memory. */
static bool number_shapes(ridge__fit_group *g)
{
    numbered *all = malloc((g->row_count + 1) * sizeof *all);
    if (!all)
        return false;
    for (size_t r = 0; r < g->row_count; r++)
        all[r] = (numbered){g->row[r].hash, r};
    qsort(all, g->row_count, sizeof *all, by_hash);
    for (size_t i = 0; i < g->row_count; i++) /* the first row of each */
        g->row[all[i].row].shape = i > 0 && all[i].hash == all[i - 1].hash
                                       ? g->row[all[i - 1].row].shape
                                       : all[i].row;
    g->shape_count = 0;
    for (size_t r = 0; r < g->row_count; r++) {
        ridge__fit_row *row = &g->row[r];
        row->shape = row->shape == r ? g->shape_count++ : g->row[row->shape].shape;
    }
    free(all);
    return true;
}

/* Every fifth shape in their order, where the hash kept too few apart or too many. */
static void keep_apart(ridge__fit_group *g)
{
    if (g->apart_count >= APART_MIN && g->apart_count <= g->row_count / 2)
        return;
    g->apart_count = 0;
    for (size_t r = 0; r < g->row_count; r++) {
        g->row[r].apart = g->row[r].shape % RIDGE__FIT_FOLDS == 2;
        g->apart_count += g->row[r].apart;
    }
}

static void find_reach(ridge__fit_group *g)
{
    ridge_estimate e;
    for (size_t r = 0; r < g->row_count; r++)
        if (!ridge_estimate_call(&e, g->row[r].machine, &g->row[r].call, NULL) &&
            e.floor_s > g->made.reach_s)
            g->made.reach_s = ridge__min(e.floor_s, RIDGE__REACH_MAX_S);
}

/* What is asked of each set of constants: errors of rows that it has not seen. */
typedef struct trialled {
    ridge__fit_sample *sample;
    size_t count;
} trialled;

/* Appends the errors under the trial: of the rows kept apart, or of all. */
static void collect(trialled *out, const ridge__fit_group *g, bool apart)
{
    for (size_t r = 0; r < g->row_count; r++) {
        ridge_estimate e;
        const ridge__fit_row *row = &g->row[r];
        if ((!apart || row->apart) &&
            !ridge_estimate_call(&e, row->machine, &row->call, NULL) &&
            ridge_known(e.expected_s))
            out->sample[out->count++] =
                (ridge__fit_sample){e.expected_s, log(e.expected_s / row->time_s)};
    }
}

/*
 * Errors before and after.  Of few rows each is kept apart once, with all of its shape, in
 * five rounds: a fifth of twenty would judge by chance.  Of many the fifth that its shape falls into is enough.
 */
static bool try_constants(search *s, trialled *before, trialled *after)
{
    ridge__fit_group *g = s->g;
    const ridge_fit start = g->made;
    const bool rounds = g->row_count <= ROUNDS_ROWS;
    before->count = after->count = 0;
    s->trial = start;
    collect(before, g, !rounds);
    if (!rounds) {
        run(s);
        collect(after, g, true);
    }
    for (size_t k = 0; rounds && k < RIDGE__FIT_FOLDS; k++) {
        for (size_t r = 0; r < g->row_count; r++)
            g->row[r].apart = g->row[r].shape % RIDGE__FIT_FOLDS == k;
        s->trial = start;
        run(s);
        collect(after, g, true);
    }
    if (rounds)
        g->apart_count = g->row_count;
    return ridge__fit_judge(&g->before, before->sample, before->count) &&
           ridge__fit_judge(&g->after, after->sample, after->count);
}

/*
 * The prior that foresees rows kept apart best, where each is: twenty rows of a part that is
 * like its relatives are better off near them.
 */
static bool find_prior(search *s, trialled *before, trialled *after)
{
    static const double widths[] = {0.15, 0.5};
    double least = HUGE_VAL, best = PRIOR_WIDTH;
    for (size_t i = 0; s->g->row_count <= ROUNDS_ROWS && i < RIDGE__COUNT(widths); i++) {
        s->prior_width = widths[i];
        if (!try_constants(s, before, after))
            return false;
        best = s->g->after.capped < least ? widths[i] : best;
        least = ridge__min(least, s->g->after.capped);
    }
    if (s->prior_width == best && after->count > 0)
        return true;
    s->prior_width = best;
    return try_constants(s, before, after);
}

/* With the machines set to the trial. */
static ridge_status solve(search *s, const char *only, trialled *before, trialled *after,
                          ridge_error *err)
{
    ridge__fit_group *g = s->g;
    choose(s, only);
    while (drop_loose(s))
        ;
    ridge_status status = check_only(g, only, err);
    if (status)
        return status;
    if (s->count == 0) {
        g->refused = "the rows determine none of the constants";
        collect(before, g, true);
        if (!ridge__fit_judge(&g->before, before->sample, before->count))
            return no_memory(err);
        return RIDGE_OK;
    }
    if (!find_prior(s, before, after))
        return no_memory(err);
    if (!ridge__fit_better(&g->after, &g->before)) {
        g->refused = "no better on the rows kept apart than the constants there are";
        return RIDGE_OK;
    }
    if (!ridge__fit_spread_make(&g->made, after->sample, after->count, 1))
        return no_memory(err);
    g->made.unseen = false; /* of these parts, whatever the entry's spread was of */
    g->made.vendor = NULL;
    s->all = true;
    do
        run(s);
    while (drop_loose(s));
    find_bounds(s);
    for (size_t i = 0; i < g->constant_count; i++)
        g->constant[i].value = g->made.c[i] = s->trial.c[i];
    g->made.mape = ridge__min(g->after.mape, RIDGE__SPREAD_HIGH);
    g->made.median = ridge__min(g->after.median, RIDGE__SPREAD_HIGH);
    find_reach(g);
    return RIDGE_OK;
}

ridge_status ridge__fit_solve(ridge__fit_group *g, const char *only, ridge_error *err)
{
    search s = {
        .g = g, .trial = g->made, .prior_width = PRIOR_WIDTH, .evaluations = EVALUATIONS};
    if (!number_shapes(g))
        return no_memory(err);
    if (g->refused)
        return RIDGE_OK;
    if (g->shape_count < SHAPES_MIN) {
        snprintf(
            g->why, sizeof g->why,
            "%zu row%s of %zu distinct shape%s; %d distinct shapes are needed at least",
            g->row_count, g->row_count == 1 ? "" : "s", g->shape_count,
            g->shape_count == 1 ? "" : "s", SHAPES_MIN);
        g->refused = g->why;
        return RIDGE_OK;
    }
    s.stride = 1 + (g->row_count - 1) / SEARCH_ROWS;
    trialled before = {malloc(g->row_count * sizeof(ridge__fit_sample)), 0};
    trialled after = {malloc(g->row_count * sizeof(ridge__fit_sample)), 0};
    ridge_status status = RIDGE_OK;
    if (!before.sample || !after.sample)
        RIDGE__TRY(no_memory(err));
    keep_apart(g);
    use(g, &s.trial);
    status = solve(&s, only, &before, &after, err);
    use(g, NULL);
out:
    free(before.sample);
    free(after.sample);
    return status;
}

/*
 * The spread of rows that the constants have seen, whose errors the fit has made small: k
 * constants of n rows leave (n - k) / (n + k) of the variance that a further row has.
 */
static bool spread_seen(search *s)
{
    trialled all = {malloc((s->g->row_count + 1) * sizeof(ridge__fit_sample)), 0};
    if (!all.sample)
        return false;
    collect(&all, s->g, false);
    double seen = (double)s->count, rows = (double)all.count;
    double wider = rows > 2 * seen ? sqrt((rows + seen) / (rows - seen)) : 2;
    bool done = ridge__fit_spread_make(&s->g->made, all.sample, all.count, wider);
    free(all.sample);
    return done;
}

bool ridge__fit_train(ridge__fit_group *g, bool *fitted)
{
    search s = {.g = g,
                .trial = g->made,
                .all = true,
                .stride = 1 + (g->row_count - 1) / TRAIN_ROWS,
                .prior_width = TRAIN_PRIOR_WIDTH,
                .evaluations = TRAIN_EVALUATIONS};
    bool enough = true;
    if (g->row_count >= ROWS_MIN) {
        use(g, &s.trial);
        choose(&s, NULL);
        run(&s);
        for (size_t i = 0; i < g->constant_count; i++)
            g->made.c[i] = s.trial.c[i];
        enough = spread_seen(&s);
    }
    use(g, &g->made);
    find_reach(g);
    *fitted = s.count > 0;
    return enough;
}

size_t ridge__fit_determined(ridge__fit_group *g)
{
    search s = {.g = g, .trial = g->made, .stride = 1 + (g->row_count - 1) / TRAIN_ROWS};
    use(g, &s.trial);
    choose(&s, NULL);
    use(g, NULL);
    return s.count;
}
