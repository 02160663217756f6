/* From the datasheet to a measured time, step by step: docs/model/waterfall.md. */
#ifndef RIDGE_ANSWER_WATERFALL_H
#define RIDGE_ANSWER_WATERFALL_H

#include <ridge.h>

/* In the order of the steps. */
typedef enum ridge__step_kind {
    RIDGE__STEP_START,      /* the work at the datasheet's rate of the part */
    RIDGE__STEP_PIPE,       /* precision and pipe: from the fastest to the one used */
    RIDGE__STEP_CLOCK,      /* --clock against the clock of the datasheet */
    RIDGE__STEP_POWER,      /* the clock that power leaves to long products */
    RIDGE__STEP_WAVES,      /* units idle in the last wave of tiles */
    RIDGE__STEP_PADDING,    /* rows, columns and k filled up to whole tiles */
    RIDGE__STEP_REACHABLE,  /* what tuned libraries lose to the rate so far */
    RIDGE__STEP_SERIAL,     /* the kernel's own fixed time: prologue, drain */
    RIDGE__STEP_LAUNCH,     /* starting it */
    RIDGE__STEP_UNEXPLAINED /* the rest: negative where it ran faster than expected */
} ridge__step_kind;

typedef struct ridge__step {
    ridge__step_kind kind;
    const char *name; /* "peak", "pipe", ..., as in JSON */
    double time_s;    /* what the step adds; the steps add up to the measured time */
    double share;     /* of the measured time */
    double rate;      /* work per second that is left after the step */
    double factor;    /* rate over the rate before; the start's: 1 */
} ridge__step;

#define RIDGE__STEP_MAX 10

typedef struct ridge__waterfall {
    ridge__step step[RIDGE__STEP_MAX];
    size_t count;
    double work;     /* what the rates count */
    ridge_unit unit; /* of the rates: FLOP/s or B/s */
    double waves, waves_taken;
} ridge__waterfall;

/*
 * By FLOP where compute is the larger term of the floor, else by bytes of the level or
 * link that is.  Product of the factors = measured rate / datasheet rate.  A step that is
 * unknown, or changes nothing, is left out, so that its time is unexplained.
 */
void ridge__waterfall_find(ridge__waterfall *out, const ridge_machine *machine,
                           const ridge_call *call, const ridge_estimate *estimate,
                           const ridge_measurement *measurement);

/*
 * The fastest dense peak that the part states for data of the call's dtype, with a
 * matrix pipe only where the operation is a product; never below the one in use.  fp32
 * data may be multiplied as tf32, fp16 sums may be kept in fp16.
 */
typedef struct ridge__fastest {
    double peak_flop_per_s;
    ridge_dtype dtype;
    ridge_pipe pipe;
    bool fp16_sums;
} ridge__fastest;
ridge__fastest ridge__fastest_peak(const ridge_machine *machine, const ridge_call *call,
                                   const ridge_estimate *estimate);
/* The peak in use as the datasheet has it, at its own clock; unknown where it was given
 * by hand. */
double ridge__rated_peak(const ridge_machine *machine, const ridge_estimate *estimate,
                         double *clock_hz);

#endif
