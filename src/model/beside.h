/*
 * beside.h - what a module has beside its kernel; private to the model.
 */
#ifndef RIDGE_MODEL_BESIDE_H
#define RIDGE_MODEL_BESIDE_H

#include "model/model.h"

typedef struct ridge__beside {
    double size;            /* of a weight, in those that constants are stated for */
    double peak_flop_per_s; /* of the products with weights */
    double weight_bytes, token_flop, pair_flop;
    double weights_s, tokens_s, pairs_s, keys_s;
    double fixed_s; /* sequences and quantisation: nothing overlaps with them */
} ridge__beside;

/* All 0 where the call is no module. */
ridge__beside ridge__beside_find(const ridge_estimate *e, const ridge__form_input *in);
void ridge__beside_terms(ridge_estimate *e, const ridge__beside *b);
/* Rows that add it to the row "op", which is `compute`. */
void ridge__beside_show(const ridge_estimate *e, const ridge__form_input *in,
                        const ridge__beside *b, double compute);

#endif
