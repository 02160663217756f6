/* What the estimate and reports ask of the model of communication. */
#ifndef RIDGE_MODEL_COLLECTIVE_H
#define RIDGE_MODEL_COLLECTIVE_H

#include "model/model.h"

/* The links that a call's bytes take, of one part, one direction, as stated. */
typedef struct ridge__route {
    ridge_fact inside, network;
    const char *inside_name, *network_name; /* NULL: there is none */
    double rails; /* parts of a node whose adapters work at once */
} ridge__route;
/* call: settled. */
ridge__route ridge__comm_route(const ridge_machine *machine, const ridge_call *call);

/* What the machine decides of an open call; does nothing to other ops. */
void ridge__comm_settle(ridge_call *call, const ridge_machine *machine);

/* The larger of the times of wire_bytes and network_bytes at stated rates. */
double ridge__comm_floor(const ridge_work *work, const ridge_machine *machine,
                         const ridge_call *call);

/* Every way that the fit has constants for, and the one taken; chosen = count: none. */
typedef struct ridge__ways {
    size_t count, chosen;
    ridge__comm_algo algo[RIDGE_EXCHANGE_WAYS];
    ridge_exchange_way way[RIDGE_EXCHANGE_WAYS];
} ridge__ways;
void ridge__comm_ways(ridge__ways *out, const ridge_work *work,
                      const ridge__form_input *in);

/* What `when` of a fit is held against. */
ridge__fit_shape ridge__comm_shape(const ridge_call *call, const ridge_machine *machine);
void ridge__form_collective(ridge_estimate *e, const ridge__form_input *in);
void ridge__form_experts(ridge_estimate *e, const ridge__form_input *in);
/* "deepep_normal/dispatch": what a fit of this call is filed under. */
const char *ridge__experts_fit(const ridge_call *call);

#endif
