/*
 * Entries of "any", made again without one architecture after another: what each of those
 * would be given that nobody measured, and how far off it is there.
 */
#include "fit/cross.h"

#include <stdlib.h>
#include <string.h>

enum {
    SHARE = 400 /* errors of one architecture that count: none decides by its rows */
};

/*
 * How much further a new architecture lies off than a few that were left out: the 80 %
 * interval of one more draw of n, in those of many, t(n - 1, 0.9) / 1.28 x sqrt(1 + 1/n).
 * [Student1908]; from two archs on.
 */
static double few(size_t n)
{
    static const double t[] = {0, 0, 3.078, 1.886, 1.638, 1.533, 1.476, 1.440, 1.415};
    const double normal = 1.2816, most = 2;
    size_t i = n < RIDGE__COUNT(t) ? n : RIDGE__COUNT(t) - 1;
    double factor = t[i] / normal * sqrt(1 + 1 / (double)i);
    return n < 2 || factor > most ? most : factor;
}

/* Wider than that either way, an interval says that nothing is known. */
static const double FACTOR_MOST = 4;

static void limit(ridge_fit *fit)
{
    fit->low = ridge__max(fit->low, 1 / FACTOR_MOST);
    fit->high = ridge__min(fit->high, FACTOR_MOST);
    for (size_t i = 0; i < fit->band_count; i++) {
        fit->band[i].low = ridge__max(fit->band[i].low, 1 / FACTOR_MOST);
        fit->band[i].high = ridge__min(fit->band[i].high, FACTOR_MOST);
    }
}

static const char *arch_of(const ridge_machine *machine)
{
    return machine->device && machine->device->arch ? machine->device->arch : "";
}

size_t ridge__pools_arch(ridge__pools *p, const ridge_machine *machine)
{
    size_t i = 0;
    while (i < p->arch_count && strcmp(p->arch[i], arch_of(machine)) != 0)
        i++;
    if (i == p->arch_count && i < RIDGE__POOLS_ARCHS)
        p->arch[p->arch_count++] = arch_of(machine);
    return i < RIDGE__POOLS_ARCHS ? i : RIDGE__POOLS_ARCHS - 1;
}

/* Whether rows of the part are among those that such an entry is made of. */
static bool makes(const ridge_fit *fit, const ridge_machine *machine)
{
    return !fit->parts || ridge__words_hold(fit->parts, ridge_machine_id(machine));
}

/* Puts each row that would use the entry into the lists of its tasks. */
static bool fill_tasks(ridge__pools *p, ridge__cross *c, const ridge_fit *fit,
                       size_t first)
{
    const ridge_fit *const *basis = c->basis[RIDGE_LINK_ANY];
    size_t own[RIDGE__POOLS_ARCHS] = {0}, seen[RIDGE__POOLS_ARCHS] = {0}, all = 0;
    for (size_t i = 0; i < c->f->entry_count; i++)
        if (basis[i] == fit) {
            own[ridge__pools_arch(p, c->machine[c->machine_of[i]])]++;
            all++;
        }
    size_t archs = 0;
    for (size_t a = 0; a < RIDGE__POOLS_ARCHS; a++) {
        ridge__cross_task *t = &c->task[first + a];
        archs += own[a] > 0;
        if (!ridge__cross_room(c, &t->apply, own[a]) ||
            !ridge__cross_room(c, &t->train, own[a] ? all - own[a] : 0))
            return false;
    }
    for (size_t i = 0; i < c->f->entry_count; i++) {
        if (basis[i] != fit)
            continue;
        size_t at = ridge__pools_arch(p, c->machine[c->machine_of[i]]);
        /* Where two stay, neither decides by its rows; of one all count. */
        bool picked = makes(fit, c->machine[c->machine_of[i]]) &&
                      (archs < 3 || seen[at]++ % (1 + (own[at] - 1) / SHARE) == 0);
        for (size_t a = 0; a < RIDGE__POOLS_ARCHS; a++) {
            ridge__cross_task *t = &c->task[first + a];
            if (own[a] && (a == at || picked))
                ridge__cross_push(a == at ? &t->apply : &t->train, i);
        }
    }
    return true;
}

size_t ridge__pools_find(ridge__pools *p, ridge__cross *c, const ridge_fit *fit)
{
    for (size_t i = 0; i < p->count; i++)
        if (p->pool[i].fit == fit)
            return p->pool[i].first;
    if (p->count == RIDGE__POOLS_MAX)
        return RIDGE__CROSS_NONE;
    const ridge__cross_task new = {.start = fit, .backend = fit->backend};
    size_t first = c->task_count;
    for (size_t a = 0; a < RIDGE__POOLS_ARCHS; a++)
        if (ridge__cross_add(c, &new) == RIDGE__CROSS_NONE)
            return RIDGE__CROSS_NONE;
    p->pool[p->count].fit = fit;
    p->pool[p->count++].first = first;
    return fill_tasks(p, c, fit, first) ? first : RIDGE__CROSS_NONE;
}

bool ridge__pools_spread(ridge_fit *out, const ridge__pools *p, const ridge__cross *c,
                         const ridge_fit *fit, size_t without)
{
    size_t first = RIDGE__CROSS_NONE, n = 0, archs = 0;
    for (size_t i = 0; i < p->count; i++)
        if (p->pool[i].fit == fit)
            first = p->pool[i].first;
    ridge__fit_sample *sample =
        malloc((size_t)RIDGE__POOLS_ARCHS * SHARE * sizeof *sample);
    if (!sample)
        return false;
    for (size_t a = 0; first != RIDGE__CROSS_NONE && a < RIDGE__POOLS_ARCHS; a++) {
        const ridge__cross_task *t = &c->task[first + a];
        if (a == without || t->kept || t->apply.count == 0)
            continue;
        size_t stride = 1 + (t->apply.count - 1) / SHARE;
        archs++;
        for (size_t r = 0; r < t->apply.count; r += stride) {
            double expected = t->expected_s[r];
            if (ridge_known(expected) && !c->f->entry[t->apply.at[r]].eager)
                sample[n++] = (ridge__fit_sample){
                    expected, log(expected / c->f->entry[t->apply.at[r]].row.time_s)};
        }
    }
    out->unseen = n >= RIDGE__CROSS_ROWS;
    bool done = !out->unseen || ridge__fit_spread_make(out, sample, n, few(archs));
    if (out->unseen)
        limit(out);
    free(sample);
    return done;
}
