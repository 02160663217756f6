/*
 * Entries of "any", made again without one architecture after another: what each of those
 * would be given that nobody measured, and how far off it is there.
 */
#include "fit/cross.h"

#include <stdlib.h>
#include <string.h>

enum {
    SHARE =
        400, /* rows of one architecture that are fitted to: none decides by its rows */
    ROWS_MIN = 20, /* of an architecture that says how far off it lies */
    /* What the form's entries lie off on average counts as so many architectures more: of
     * one or two nobody can tell what the next one does. */
    PRIOR = 1
};
static const double HELD = 0.8;
/* Wider than that either way, an interval says that nothing is known. */
static const double FACTOR_MOST = 2.8;

static const char *arch_of(const ridge_machine *machine)
{
    return machine->device && machine->device->arch ? machine->device->arch : "";
}

size_t ridge__pools_arch(ridge__pools *p, const ridge_machine *machine)
{
    size_t i = 0;
    while (i < p->arch_count && strcmp(p->arch[i], arch_of(machine)) != 0)
        i++;
    if (i == p->arch_count && i < RIDGE__POOLS_ARCHS) {
        const ridge_device *device = machine->device;
        p->vendor[i] = device && device->vendor ? device->vendor : "";
        p->arch[p->arch_count++] = arch_of(machine);
    }
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
    for (size_t a = 0; a < RIDGE__POOLS_ARCHS; a++)
        p->pool[p->count].half[a] = RIDGE_UNKNOWN;
    p->pool[p->count++].first = first;
    return fill_tasks(p, c, fit, first) ? first : RIDGE__CROSS_NONE;
}

/* What 80 % of the errors of a task lie within, either way, in log; unknown: too few. */
static bool task_half(double *out, const ridge__cross *c, const ridge__cross_task *t)
{
    size_t n = 0;
    *out = RIDGE_UNKNOWN;
    if (t->kept || t->apply.count < ROWS_MIN)
        return true;
    double *size = malloc(t->apply.count * sizeof *size);
    for (size_t r = 0; size && r < t->apply.count; r++) {
        const ridge__fit_entry *e = &c->f->entry[t->apply.at[r]];
        if (ridge_known(t->expected_s[r]) && !e->eager)
            size[n++] = fabs(log(t->expected_s[r] / e->row.time_s));
    }
    if (n >= ROWS_MIN) {
        ridge__sort_numbers(size, n);
        *out = size[(size_t)(HELD * (double)(n - 1))];
    }
    free(size);
    return size != NULL;
}

/* Squares of halves, summed. */
typedef struct halves {
    double sum;
    size_t count;
} halves;

bool ridge__pools_judge(ridge__pools *p, const ridge__cross *c)
{
    for (size_t i = 0; i < p->count; i++)
        for (size_t a = 0; a < RIDGE__POOLS_ARCHS; a++)
            if (!task_half(&p->pool[i].half[a], c, &c->task[p->pool[i].first + a]))
                return false;
    return true;
}

/* Of pool i, without an architecture, of one vendor; NULL: of any. */
static halves halves_of(const ridge__pools *p, size_t i, size_t without,
                        const char *vendor)
{
    halves out = {0, 0};
    for (size_t a = 0; a < p->arch_count; a++) {
        double half = p->pool[i].half[a];
        if (a == without || !ridge_known(half) ||
            (vendor && strcmp(p->vendor[a], vendor) != 0))
            continue;
        out.sum += half * half;
        out.count++;
    }
    return out;
}

/* Whose parts most architectures are that the form's entries were left out on. */
static const char *vendor_of(const ridge__pools *p, ridge__fit_form form, size_t without)
{
    const char *most = NULL;
    size_t count = 0;
    for (size_t a = 0; a < p->arch_count; a++) {
        size_t n = 0;
        for (size_t i = 0; i < p->count; i++)
            if (p->pool[i].fit->form == form)
                n += halves_of(p, i, without, p->vendor[a]).count;
        if (n > count) {
            count = n;
            most = p->vendor[a];
        }
    }
    return most;
}

void ridge__pools_spread(ridge_fit *out, const ridge__pools *p, const ridge_fit *fit,
                         size_t without)
{
    const char *vendor = vendor_of(p, fit->form, without);
    halves own = {0, 0}, form = {0, 0};
    for (size_t i = 0; i < p->count; i++) {
        halves of = halves_of(p, i, without, vendor);
        if (p->pool[i].fit == fit)
            own = of;
        if (p->pool[i].fit->form == fit->form) {
            form.sum += of.sum;
            form.count += of.count;
        }
    }
    if (form.count == 0)
        return;
    double prior = PRIOR * form.sum / (double)form.count;
    double half = sqrt((own.sum + prior) / (double)(own.count + PRIOR));
    half = ridge__min(half, log(FACTOR_MOST));
    out->low = exp(-half);
    out->high = exp(half);
    out->band_count = 0;
    out->unseen = true;
    out->vendor = vendor;
}
