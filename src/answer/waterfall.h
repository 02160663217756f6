/* From the datasheet peak to a measured time, step by step. */
#ifndef RIDGE_ANSWER_WATERFALL_H
#define RIDGE_ANSWER_WATERFALL_H

#include <ridge.h>

typedef struct ridge__step {
    const char *name;
    double time_s; /* what this step adds; the steps add up to the measured time */
    double share;  /* of the measured time */
} ridge__step;

#define RIDGE__STEP_MAX 6

/*
 * peak: the FLOP at the datasheet peak; intensity: what waiting for bytes adds up to the
 * floor; launch; reachable: from the floor to the expected body; unexplained: the rest,
 * negative where the run was faster than expected.  Steps that are unknown are left out,
 * so that their time is unexplained.  Returns the number of steps.
 */
size_t ridge__waterfall(ridge__step steps[RIDGE__STEP_MAX],
                        const ridge_estimate *estimate,
                        const ridge_measurement *measurement);

#endif
