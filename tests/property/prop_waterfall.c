/*
 * The steps of a waterfall add up to the measured time, and their factors multiply to the
 * whole loss: for any operation on any part, at any time that is possible.
 */
#include "answer/waterfall.h"
#include "op/op.h"
#include "property.h"

#include <ridge.h>
#include <string.h>

static ridge_catalog *catalog;

/* The call of the operation's example. */
static bool example(ridge_call *call, const ridge_op *op, char text[512])
{
    snprintf(text, 512, "%s", op->example);
    if (ridge_call_init(call, op->name, NULL))
        return false;
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " ")) {
        char *equals = strchr(word, '=');
        if (!equals)
            return false;
        *equals = '\0';
        if (ridge_call_set(call, word, equals + 1, NULL))
            return false;
    }
    return !ridge_call_finish(call, NULL);
}

static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fabs(b);
}

static bool whole(property_random *r, const ridge__waterfall *w, double time_s,
                  const char *op, const char *part)
{
    double sum_s = 0, share = 0, factor = 1;
    for (size_t i = 0; i < w->count; i++) {
        sum_s += w->step[i].time_s;
        share += w->step[i].share;
        factor *= w->step[i].factor;
        if (!(w->step[i].rate > 0) || !(w->step[i].factor > 0))
            return property_fail(r, "%s on %s, %g s: step %s has no rate", op, part,
                                 time_s, w->step[i].name);
    }
    if (w->count == 0) /* no rate is known that it could begin with */
        return true;
    const ridge__step *last = &w->step[w->count - 1];
    return (near(sum_s, time_s) && near(share, 1) &&
            near(factor, last->rate / w->step[0].rate) &&
            last->kind == RIDGE__STEP_UNEXPLAINED) ||
           property_fail(r, "%s on %s: %g of %g s, shares %g", op, part, sum_s, time_s,
                         share);
}

static bool steps_add_up(property_random *r)
{
    const ridge_op *op = ridge_op_at(property_below(r, ridge_op_total()));
    const char *part =
        ridge_catalog_id(catalog, property_below(r, ridge_catalog_count(catalog)));
    const ridge_device *device = NULL;
    ridge_machine *machine = NULL;
    ridge_call call;
    ridge_estimate e;
    ridge_measurement m;
    ridge__waterfall w;
    char text[512];
    bool good = true;
    if (!example(&call, op, text) || ridge_catalog_load(&device, catalog, part, NULL) ||
        ridge_machine_new(&machine, catalog, device, NULL))
        return true;
    if (property_below(r, 4) == 0 && ridge_machine_set(machine, "clock", "1.1GHz", NULL))
        good = true; /* a part without a clock keeps its peaks */
    if (!ridge_estimate_call(&e, machine, &call, NULL)) {
        double time_s = (ridge_known(e.expected_s) ? e.expected_s : e.floor_s) *
                        property_log(r, 0.5, 20);
        if (time_s > 0 &&
            !ridge_measurement_place(&m, &e, machine, &time_s, 1, RIDGE_UNKNOWN, NULL)) {
            ridge__waterfall_find(&w, machine, &call, &e, &m);
            good = whole(r, &w, time_s, op->name, part);
        }
    }
    ridge_machine_free(machine);
    return good;
}

int main(void)
{
    if (ridge_catalog_open(&catalog, NULL, NULL, NULL))
        return 1;
    int result = property_check("the steps add up", steps_add_up, 2000);
    ridge_catalog_free(catalog);
    return result;
}
