#include "answer/waterfall.h"

#include "base/base.h"

static void add(ridge__step *steps, size_t *count, const char *name, double time_s)
{
    if (ridge_known(time_s))
        steps[(*count)++] = (ridge__step){.name = name, .time_s = time_s};
}

size_t ridge__waterfall(ridge__step steps[RIDGE__STEP_MAX],
                        const ridge_estimate *estimate,
                        const ridge_measurement *measurement)
{
    const ridge_estimate *e = estimate;
    size_t count = 0;
    bool resident = measurement->verdict == RIDGE_VERDICT_L2_RESIDENT;
    double floor_s = resident ? e->l2_floor_s : e->floor_s;
    if (e->work.flop > 0 && ridge_known(e->compute_s)) {
        add(steps, &count, "peak", e->compute_s);
        add(steps, &count, "intensity", floor_s - e->compute_s);
    } else {
        add(steps, &count, "bandwidth", floor_s);
    }
    /* The expected time is of a cold run: it does not lead to one served by L2. */
    if (!resident && measurement->verdict != RIDGE_VERDICT_BELOW_FLOOR) {
        add(steps, &count, "launch", e->launch_s);
        add(steps, &count, "reachable", e->body_s - e->floor_s);
    }
    double explained = 0;
    for (size_t i = 0; i < count; i++)
        explained += steps[i].time_s;
    add(steps, &count, "unexplained", measurement->time_s - explained);
    for (size_t i = 0; i < count; i++)
        steps[i].share = steps[i].time_s / measurement->time_s;
    return count;
}
