/*
 * The size that is told reaches the target and its neighbour does not, by the counts of
 * finished calls alone: for any number of any operation, at any ridge.
 */
#include "op/op.h"
#include "property.h"

#include <ridge.h>
#include <string.h>

enum {
    WORDS_MAX = RIDGE_ARG_MAX
};

/* The example of an operation, cut into words; word `skip` is the solved key's. */
typedef struct question {
    const ridge_op *op;
    char text[512];
    char *key[WORDS_MAX], *value[WORDS_MAX];
    size_t count, skip;
    double peak, dram;
} question;

static void cut(question *q)
{
    snprintf(q->text, sizeof q->text, "%s", q->op->example);
    q->count = 0;
    for (char *word = strtok(q->text, " "); word && q->count < WORDS_MAX;
         word = strtok(NULL, " ")) {
        char *equals = strchr(word, '=');
        if (!equals)
            continue;
        *equals = '\0';
        q->key[q->count] = word;
        q->value[q->count++] = equals + 1;
    }
}

/* The call without the key, or (at > 0) finished with it; false where it is refused. */
static bool make(ridge_call *call, const question *q, double at)
{
    if (ridge_call_init(call, q->op->name, NULL))
        return false;
    for (size_t i = 0; i < q->count; i++) {
        char number[32];
        snprintf(number, sizeof number, "%.17g", at);
        const char *value = i == q->skip ? number : q->value[i];
        if (i == q->skip && at == 0)
            continue;
        if (ridge_call_set(call, q->key[i], value, NULL))
            return false;
    }
    return at == 0 || !ridge_call_finish(call, NULL);
}

/* FLOP/byte at a whole size; unknown where the operation refuses it. */
static double intensity(const question *q, double at)
{
    ridge_call call;
    ridge_work work;
    if (!make(&call, q, at) || ridge_op_count(&work, &call, NULL))
        return RIDGE_UNKNOWN;
    return work.flop == 0 ? 0 : work.flop / work.bytes;
}

static bool is_number(const question *q)
{
    size_t at = ridge__op_param(q->op, q->key[q->skip], strlen(q->key[q->skip]));
    if (at == q->op->param_count)
        return false;
    ridge__param_kind kind = q->op->params[at].kind;
    return kind == RIDGE_PARAM_COUNT || kind == RIDGE_PARAM_LIST;
}

static bool answer_holds(property_random *r, const question *q, const ridge_saturation *s)
{
    double target = q->peak / q->dram;
    if (s->never) {
        for (int i = 0; i < 20; i++) {
            double at = floor(property_log(r, 1, 1e6));
            if (intensity(q, at) >= target)
                return property_fail(r, "%s %s=%.0f reaches %g, \"never\"", q->op->name,
                                     q->key[q->skip], at, target);
        }
        return true;
    }
    double here = intensity(q, s->integer);
    if (!(here >= target))
        return property_fail(r, "%s %s=%.0f has %.17g, not %.17g", q->op->name,
                             q->key[q->skip], s->integer, here, target);
    if (!ridge_known(s->beside))
        return true;
    double beside = intensity(q, s->beside);
    if (beside >= target) /* a size that is refused is no size */
        return property_fail(r, "%s %s=%.0f does already: %.17g of %.17g", q->op->name,
                             q->key[q->skip], s->beside, beside, target);
    double before = s->integer + (s->rising ? -1 : 1);
    if (before >= 1 && intensity(q, before) >= target)
        return property_fail(r, "%s %s=%.0f would do too", q->op->name, q->key[q->skip],
                             before);
    double low = s->rising ? s->beside : s->integer;
    double high = s->rising ? s->integer : s->beside;
    return (low <= s->crossing && s->crossing <= high) ||
           property_fail(r, "%s %s: %g is not between %.0f and %.0f", q->op->name,
                         q->key[q->skip], s->crossing, low, high);
}

static ridge_catalog *catalog;

static bool saturation_is_exact(property_random *r)
{
    question q = {.op = ridge_op_at(property_below(r, ridge_op_total()))};
    cut(&q);
    q.skip = property_below(r, q.count ? q.count : 1);
    q.peak = property_log(r, 1e12, 1e15);
    q.dram = q.peak / property_log(r, 0.05, 2000);
    ridge_machine *machine = NULL;
    ridge_call call;
    ridge_saturation s;
    char peak[32], dram[32];
    bool good = true;
    if (q.count == 0 || !is_number(&q) || !make(&call, &q, 0))
        return true;
    snprintf(peak, sizeof peak, "%.17g", q.peak);
    snprintf(dram, sizeof dram, "%.17g", q.dram);
    const ridge_saturate asked = {.key = {q.key[q.skip]}, .key_count = 1, .fraction = 1};
    if (!ridge_machine_new(&machine, catalog, NULL, NULL) &&
        !ridge_machine_set(machine, "peak", peak, NULL) &&
        !ridge_machine_set(machine, "dram", dram, NULL) &&
        !ridge_saturation_find(&s, machine, &call, &asked, NULL))
        good = answer_holds(r, &q, &s);
    ridge_machine_free(machine);
    return good;
}

int main(void)
{
    if (ridge_catalog_open(&catalog, NULL, NULL, NULL))
        return 1;
    int result = property_check("a saturation is exact", saturation_is_exact, 400);
    ridge_catalog_free(catalog);
    return result;
}
