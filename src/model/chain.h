/* chain - atoms of a machine, one by one: what reports print beside a whole chain. */
#ifndef RIDGE_MODEL_CHAIN_H
#define RIDGE_MODEL_CHAIN_H

#include "machine/machine.h"

#include <ridge.h>

/* One item on a machine whose latencies are loaded; fields unknown where nobody has it. */
void ridge__chain_term(ridge_latency_term *out, const ridge_machine *machine,
                       const ridge_latency_item *item);

#endif
