/*
 * model - forms that turn work and a machine into a time with its terms.
 *
 *   estimate.c   floor, upper, bound, interval, warnings; picks the form
 *   tile.c       matrix products: tiles, split-K, waves, L2 feed, power
 *   attention.c  prefill and decode
 *   stream.c     bytes moved once: elementwise, norms, reductions, copies, custom
 *
 * A form fills launch_s, latency_s, body_s, plan and terms; estimate.c does the rest.
 */
#ifndef RIDGE_MODEL_H
#define RIDGE_MODEL_H

#include "machine/machine.h"
#include "op/op.h"

#include <ridge.h>

/* What every form gets.  All const but the estimate, whose floor part is filled. */
typedef struct ridge__form_input {
    const ridge_machine *machine;
    const ridge_call *call;
    const ridge_fit *fit; /* never NULL */
    bool resident;        /* warm and the working set fits in L2 */
} ridge__form_input;

/* The fit list that an attention call reads: RIDGE_FIT_DECODE or RIDGE_FIT_PREFILL. */
ridge__fit_form ridge__attention_fit(const ridge_call *call);

void ridge__form_tile(ridge_estimate *e, const ridge__form_input *in);
void ridge__form_attention(ridge_estimate *e, const ridge__form_input *in);
void ridge__form_stream(ridge_estimate *e, const ridge__form_input *in);

/* Appends a term; silently full beyond RIDGE_TERM_MAX. */
void ridge__estimate_term(ridge_estimate *e, const char *name, ridge_bound bound,
                          double demand, double ceiling, double share, double time_s);
/* Launch of a fit by the call's timing. */
double ridge__form_launch(const ridge_call *call, double graph_s, double stream_s,
                          double eager_s);
/* Share of accesses that miss a cache of `capacity` when `footprint` lies between uses. */
double ridge__cache_miss(double footprint_bytes, double capacity_bytes, double power);

#endif
