/*
 * attention.h - what the forms of attention share: attention.c (prefill and decode),
 * attention_tiles.c (tiles that a mask leaves), attention_backward.c.  The symbols are those
 * of docs/model/attention.md.
 */
#ifndef RIDGE_MODEL_ATTENTION_H
#define RIDGE_MODEL_ATTENTION_H

#include "model/model.h"

typedef struct ridge__attn_shape {
    double batch, q, kv, heads, kv_heads, group;
    double dim, dims;        /* of K; of K and V together */
    double window;           /* 0: none */
    const ridge_call *lists; /* lengths differ: q and kv are means; NULL: they do not */
    bool causal;
    double q_bytes, kv_bytes, cache_bytes; /* an element of Q, of K and V, as cached */
    double units, dram;                    /* SMs, bytes/s */
    double math_flop_per_s;                /* of all SMs, at the product's dtype */
} ridge__attn_shape;

/* Tiles of scores that the mask leaves, per head (or packed group of heads). */
typedef struct ridge__attn_tiles {
    double rows;   /* of tiles: CTAs per head */
    double total;  /* tiles with a kept score */
    double most;   /* in one row of tiles */
    double masked; /* partly masked ones among the total */
} ridge__attn_tiles;

ridge__attn_shape ridge__attn_read(const ridge_estimate *e, const ridge__form_input *in);

/* `group` query heads packed at each position; of lists the mean, and the longest row. */
ridge__attn_tiles ridge__attn_count_tiles(const ridge__attn_shape *s, double group,
                                          double tile_q, double tile_kv);
/* The extent halved until extent x head_dim fits what the kernel has room for. */
double ridge__attn_extent(double extent, double room, double dim);
/* Cost of a score against that at a head_dim of 128, beyond the FLOP. */
double ridge__attn_width(double dim, const ridge__form_input *in);
/* Cycles of a score on one SM beside the products, at this part's exponentials. */
double ridge__attn_softmax(const ridge__form_input *in);
/* Time of a byte against its time from DRAM, given what lies between two uses of it. */
double ridge__attn_cache(const ridge__form_input *in, double footprint);
/* What a chain of loads and instructions takes on this part against the fitted one. */
double ridge__attn_chain(const ridge__form_input *in);
/* A fixed time of the fit, as it is on this part. */
double ridge__attn_fixed(const ridge__form_input *in, int index);
/* Loop and streams, which overlap in part. */
double ridge__attn_overlap(double loop_s, double streams_s, double norm);
/* How sharply, of prompts. */
double ridge__attn_prefill_norm(const ridge__form_input *in);

/* Working: what of the constants is of this part. */
void ridge__attn_show_chain(const ridge__form_input *in);
/* Working: constants and symbols of the shape; the factor of a byte that may lie in L2. */
void ridge__attn_show_shape(const ridge__form_input *in, const ridge__attn_shape *s);
void ridge__attn_show_cache(const ridge__form_input *in, double bytes);

#endif
