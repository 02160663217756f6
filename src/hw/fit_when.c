/* What a call must be for an entry of a fit file: the key `when`. */
#include "hw/fit.h"

#include "base/base.h"

#include <stdlib.h>

/* "=128", "<=128", ">64" ... narrow [*low, *high]; whole numbers alone. */
static bool narrow(double *low, double *high, const char *text, size_t size)
{
    char op = text[0];
    size_t at = size > 1 && text[1] == '=' && op != '=' ? 2 : 1;
    double bound = 0;
    if (size <= at || size - at > 9)
        return false;
    for (size_t i = at; i < size; i++) {
        if (text[i] < '0' || text[i] > '9')
            return false;
        bound = 10 * bound + (text[i] - '0');
    }
    bool strict = at == 1 && op != '=';
    if (op == '=' || op == '>')
        *low = ridge__max(*low, strict ? bound + 1 : bound);
    if (op == '=' || op == '<')
        *high = ridge__min(*high, strict ? bound - 1 : bound);
    return op == '=' || op == '<' || op == '>';
}

static const char *const phases[] = {[RIDGE_PHASE_CONTEXT] = "context",
                                     [RIDGE_PHASE_GENERATION] = "generation",
                                     [RIDGE_PHASE_VERIFY] = "verify"};

static bool word_parse(ridge__fit_when *w, const char *word, size_t size)
{
    static const char dim[] = "head_dim", group[] = "group";
    const struct {
        const char *name;
        int8_t *out, value;
    } words[] = {{"window", &w->window, 1},
                 {"whole", &w->window, 0},
                 {"causal", &w->causal, 1},
                 {"encoder", &w->causal, 0},
                 {phases[RIDGE_PHASE_CONTEXT], &w->phase, RIDGE_PHASE_CONTEXT},
                 {phases[RIDGE_PHASE_GENERATION], &w->phase, RIDGE_PHASE_GENERATION},
                 {phases[RIDGE_PHASE_VERIFY], &w->phase, RIDGE_PHASE_VERIFY}};
    const struct {
        const char *name;
        bool *out;
    } marks[] = {{"named", &w->named},
                 {"profiled", &w->profiled},
                 {"bridged", &w->bridged},
                 {"mma_sync", &w->mma_sync}};
    for (size_t i = 0; i < RIDGE__COUNT(marks); i++)
        if (ridge__text_is(marks[i].name, word, size))
            return *marks[i].out = true;
    for (size_t i = 0; i < RIDGE__COUNT(words); i++)
        if (ridge__text_is(words[i].name, word, size)) {
            *words[i].out = words[i].value;
            return true;
        }
    if (size > sizeof dim && strncmp(word, dim, sizeof dim - 1) == 0)
        return narrow(&w->dim_min, &w->dim_max, word + sizeof dim - 1,
                      size - (sizeof dim - 1));
    if (size > sizeof group && strncmp(word, group, sizeof group - 1) == 0)
        return narrow(&w->group_min, &w->group_max, word + sizeof group - 1,
                      size - (sizeof group - 1));
    return false;
}

bool ridge__fit_when_parse(ridge__fit_when *out, const char *text)
{
    ridge__fit_when w = {0,  HUGE_VAL, 0,     HUGE_VAL, -1,   -1,
                         -1, false,    false, false,    false};
    const char *at = text;
    size_t count = 0;
    for (; *at; count++) {
        size_t size = strcspn(at, " ");
        if (!word_parse(&w, at, size))
            return false;
        at += size + (at[size] == ' ');
    }
    *out = w;
    return count > 0;
}

static bool either(int8_t wanted, bool given)
{
    return wanted < 0 || (wanted > 0) == given;
}

bool ridge__fit_named(const ridge_fit *fit, const ridge__fit_shape *shape)
{
    for (size_t i = 0; shape->kernel && i < RIDGE_FIT_KERNELS_MAX; i++)
        if (fit->kernel[i] == shape->kernel)
            return true;
    return false;
}

bool ridge__fit_takes(const ridge_fit *fit, const ridge__fit_shape *shape, bool named)
{
    for (size_t i = 0; i < fit->when_count; i++) {
        const ridge__fit_when *w = &fit->when[i];
        if (shape->dim >= w->dim_min && shape->dim <= w->dim_max &&
            shape->group >= w->group_min && shape->group <= w->group_max &&
            either(w->window, shape->window) && either(w->causal, shape->causal) &&
            (w->phase < 0 || w->phase == shape->phase) && (named || !w->named) &&
            (shape->profiled || !w->profiled) && (shape->bridged || !w->bridged) &&
            (shape->mma_sync || !w->mma_sync))
            return true;
    }
    return fit->when_count == 0;
}

/* ---- Writing ----------------------------------------------------------------------- */

static const double WHOLE_MAX = 999999999;

static void put_range(ridge__str *out, const char *name, double low, double high)
{
    if (low == high) {
        ridge__str_format(out, " %s=%.0f", name, low);
        return;
    }
    if (low > WHOLE_MAX) /* no more digits than are read */
        ridge__str_format(out, " %s>%.0f", name, low - 1);
    else if (low > 0)
        ridge__str_format(out, " %s>=%.0f", name, low);
    if (high < 0) /* nothing is: "<0" */
        ridge__str_format(out, " %s<0", name);
    else if (high < HUGE_VAL)
        ridge__str_format(out, " %s<=%.0f", name, high);
}

void ridge__fit_when_write(ridge__str *out, const ridge__fit_when *w)
{
    ridge__str words;
    ridge__str_init(&words, 0, NULL);
    put_range(&words, "head_dim", w->dim_min, w->dim_max);
    put_range(&words, "group", w->group_min, w->group_max);
    if (w->window >= 0)
        ridge__str_text(&words, w->window ? " window" : " whole");
    if (w->causal >= 0)
        ridge__str_text(&words, w->causal ? " causal" : " encoder");
    if (w->named)
        ridge__str_text(&words, " named");
    if (w->phase >= 0)
        ridge__str_format(&words, " %s", phases[w->phase]);
    if (w->profiled)
        ridge__str_text(&words, " profiled");
    if (w->bridged)
        ridge__str_text(&words, " bridged");
    if (w->mma_sync)
        ridge__str_text(&words, " mma_sync");
    /* Without a word it would be no condition: this one always holds, too. */
    ridge__str_text(out, words.size > 0 ? words.data + 1 : "group>=0");
    ridge__str_clear(&words);
}
