/*
 * model - forms that turn work and a machine into a time with its terms.
 *
 *   estimate.c   floor, upper, bound, interval, warnings; picks the form
 *   tile.c       matrix products: tiles, split-K, waves, L2 feed, power
 *   attention.c  prefill and decode; attention_tiles.c, attention_backward.c
 *   mla.c        the same over a latent cache; mla_module.c: with its projections
 *   grouped.c    products of groups of rows: a mixture's experts
 *   collective.c rings, trees and direct ways over links; nccl.c picks as NCCL does;
 *                collective_working.c shows them
 *   experts.c    exchange of tokens between the ranks of a mixture
 *   occupancy.c  blocks on a unit and bytes in flight
 *   chain.c      serial chains; chain_parse.c reads them
 *   beside.c     what a module of sparse attention has beside its kernel
 *   working.c    the formulas behind a time, for --explain
 *   stream.c     bytes moved once: elementwise, norms, reductions, copies, custom
 *
 * A form fills launch_s, latency_s, body_s, plan and terms; estimate.c does the rest.
 */
#ifndef RIDGE_MODEL_H
#define RIDGE_MODEL_H

#include "machine/machine.h"
#include "op/op.h"

#include <ridge.h>

/*
 * How a form came to its time, for people who follow it by hand: each row has a formula in
 * {names} of rows above it, constants of the fit, or symbols of the operation.  A formula
 * without names says in words what was counted; a row without one only gives a value.
 */
typedef struct ridge__working_row {
    const char *name, *formula;
    double value;
    ridge_unit unit;
    const ridge_call *call; /* the value is its expected time; NULL: no call's */
} ridge__working_row;
#define RIDGE__WORKING_CALLS 8  /* a module's products and its kernel */
#define RIDGE__WORKING_MAX   96 /* two products */
typedef struct ridge__working {
    ridge__working_row row[RIDGE__WORKING_MAX];
    size_t count;
    ridge_call call[RIDGE__WORKING_CALLS];
    size_t call_count;
} ridge__working;

/* Silently full beyond RIDGE__WORKING_MAX; returns the value. */
double ridge__working_add(ridge__working *out, const char *name, const char *formula,
                          double value, ridge_unit unit);
/* A time that another call has alone; that is kept with the row. */
void ridge__working_call(ridge__working *out, const char *name, const ridge_call *call,
                         double expected_s);
/* What a {name} in the formula of row `at` stands for; unknown where nothing has it. */
double ridge__working_value(const ridge__working *working, size_t at,
                            const ridge_estimate *estimate, const ridge_call *call,
                            const char *name, size_t size);
/* The floor takes what L2 can hold from there: an op whose data is next to other kernels'. */
bool ridge__floor_kept(const ridge_estimate *estimate, const ridge_machine *machine,
                       const ridge_call *call);
/* The working behind an estimate with a basis, made for this machine and call. */
void ridge__estimate_working(ridge__working *out, const ridge_estimate *estimate,
                             const ridge_machine *machine, const ridge_call *call);

/* The dtypes that the fit of a call is looked up by; the estimate is of it, on this machine. */
void ridge__estimate_dtypes(ridge_dtype *dtype, ridge_dtype *kv_dtype,
                            const ridge_estimate *estimate, const ridge_machine *machine,
                            const ridge_call *call);

/* What every form gets.  All const but the estimate, whose floor part is filled. */
typedef struct ridge__form_input {
    const ridge_machine *machine;
    const ridge_call *call;
    const ridge_fit *fit;    /* never NULL */
    bool resident;           /* warm and the working set fits in L2 */
    ridge__working *working; /* NULL: not asked for */
} ridge__form_input;

/* What fits name a product: a batch is another kernel, "bmm", where a fit has it. */
const char *ridge__tile_fit(const ridge_call *call);
/* The fit list that an attention call reads: RIDGE_FIT_DECODE or RIDGE_FIT_PREFILL. */
ridge__fit_form ridge__attention_fit(const ridge_call *call);
/* What an entry of a library's other kernels asks of the call. */
ridge__fit_shape ridge__attention_shape(const ridge_call *call,
                                        const ridge_machine *machine);

/* Rate of a byte that still lies in L2 over its rate from DRAM, by the attention list. */
double ridge__attention_l2_gain(const ridge__form_input *in);

void ridge__form_tile(ridge_estimate *e, const ridge__form_input *in);
void ridge__form_attention(ridge_estimate *e, const ridge__form_input *in);
void ridge__form_attention_backward(ridge_estimate *e, const ridge__form_input *in);
void ridge__form_stream(ridge_estimate *e, const ridge__form_input *in);
/* Entries of this form ask for the kernel alone. */
ridge__fit_shape ridge__stream_shape(const ridge_call *call,
                                     const ridge_machine *machine);
void ridge__form_grouped(ridge_estimate *e, const ridge__form_input *in);
/* What an entry of a library's other kernels asks of the call: its kernel's name. */
ridge__fit_shape ridge__grouped_shape(const ridge_call *call,
                                      const ridge_machine *machine);
void ridge__form_mla(ridge_estimate *e, const ridge__form_input *in);
/* A module of it, or what an eager operator runs beside its kernel. */
void ridge__form_mla_module(ridge_estimate *e, const ridge__form_input *in);
/* The list of mla: prefill or decode of the kernel, that of a module. */
ridge__fit_form ridge__mla_fit(const ridge_call *call);
/* What fits name it: modules and eager operators have hosts of their own. */
const char *ridge__mla_fit_op(const ridge_call *call);
/* What an entry of a library's other kernels asks of the call: heads times queries. */
ridge__fit_shape ridge__mla_shape(const ridge_call *call, const ridge_machine *machine);

/*
 * Occupancy of a call of `custom` that says block=.  INVALID: no unit can take the block.
 * What the part does not state makes the answer unknown.
 */
RIDGE_MUST_CHECK ridge_status ridge__occupancy_find(ridge_occupancy *out,
                                                    const ridge_machine *machine,
                                                    const ridge_call *call,
                                                    ridge_error *err);

/* Appends a term; silently full beyond RIDGE_TERM_MAX. */
void ridge__estimate_term(ridge_estimate *e, const char *name, ridge_bound bound,
                          double demand, double ceiling, double share, double time_s);
/* Launch of a fit by the call's timing. */
double ridge__form_launch(const ridge_call *call, double graph_s, double stream_s,
                          double eager_s);
/* A constant of the fit, or what stands for it where the fit leaves it out. */
static inline double ridge__form_constant(const ridge__form_input *in, int index,
                                          double absent)
{
    double value = in->fit->c[index];
    return ridge_known(value) ? value : absent;
}
/* Overlapping times: the larger, and a little more where they are alike (4-norm). */
static inline double ridge__norm4(double a, double b)
{
    return sqrt(sqrt(a * a * a * a + b * b * b * b));
}
/* Share of accesses that miss a cache of `capacity` when `footprint` lies between uses. */
double ridge__cache_miss(double footprint_bytes, double capacity_bytes, double power);

#endif
