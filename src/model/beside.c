/*
 * What a module of sparse attention has beside its kernel: projections and their weights,
 * the choice among keys, work of each sequence.  docs/model/sparse_attention.md has the
 * formulas, their source and a worked number.
 */
#include "model/beside.h"
#include "base/base.h"

/* Weights and products are stated for elements of so many bytes. */
static const double STATED_BYTES = 2;

/* The dtype of the products, where the fit says that the library heeds it; COUNT: no. */
static ridge_dtype products_dtype(const ridge_estimate *e, const ridge__form_input *in)
{
    bool narrow = ridge__form_constant(in, RIDGE_STREAM_BESIDE_NARROW_C, 0) > 0;
    return narrow ? (ridge_dtype)e->work.beside_dtype : RIDGE_DTYPE_COUNT;
}

/* Its peak, or that of the kernel where the part has none. */
static double products_peak(const ridge_estimate *e, const ridge__form_input *in,
                            ridge_dtype dtype)
{
    ridge_pipe used;
    if (dtype >= RIDGE_DTYPE_COUNT)
        return e->peak_flop_per_s;
    ridge_fact peak =
        ridge__machine_peak(in->machine, ridge__dtype(dtype)->math, RIDGE_PIPE_ANY,
                            (ridge_dtype)e->work.accumulator, &used);
    return ridge_known(peak.value) ? peak.value : e->peak_flop_per_s;
}

ridge__beside ridge__beside_find(const ridge_estimate *e, const ridge__form_input *in)
{
    const ridge_work *work = &e->work;
    ridge__beside b = {.size = 1};
    if (!(work->heads > 0))
        return b;
    ridge_dtype dtype = products_dtype(e, in);
    bool narrow =
        dtype < RIDGE_DTYPE_COUNT && ridge__dtype(dtype)->weight_bytes < STATED_BYTES;
    if (dtype < RIDGE_DTYPE_COUNT)
        b.size = ridge__dtype(dtype)->weight_bytes / STATED_BYTES;
    b.peak_flop_per_s = products_peak(e, in, dtype);
    b.weight_bytes =
        work->heads * b.size * ridge__form_constant(in, RIDGE_STREAM_HEAD_BYTES_C, 0);
    b.token_flop = work->tokens *
                   (ridge__form_constant(in, RIDGE_STREAM_TOKEN_FLOP_C, 0) +
                    work->heads * ridge__form_constant(in, RIDGE_STREAM_HEAD_FLOP_C, 0));
    b.pair_flop = work->taken * ridge__form_constant(in, RIDGE_STREAM_TAKEN_FLOP_C, 0) +
                  work->scored * ridge__form_constant(in, RIDGE_STREAM_SCORED_FLOP_C, 0);
    if (b.weight_bytes > 0)
        b.weights_s = b.weight_bytes / in->machine->dram.value;
    if (b.token_flop > 0)
        b.tokens_s = b.token_flop / b.peak_flop_per_s;
    if (b.pair_flop > 0)
        b.pairs_s = b.pair_flop / e->peak_flop_per_s;
    b.keys_s = work->keys * ridge__form_constant(in, RIDGE_STREAM_KEY_TIME_C, 0);
    b.fixed_s =
        work->sequences * ridge__form_constant(in, RIDGE_STREAM_SEQUENCE_FIXED_C, 0) +
        (narrow ? ridge__form_constant(in, RIDGE_STREAM_QUANT_FIXED_C, 0) : 0);
    return b;
}

void ridge__beside_terms(ridge_estimate *e, const ridge__beside *b)
{
    if (b->tokens_s > 0)
        ridge__estimate_term(e, "products beside", RIDGE_BY_COMPUTE, b->token_flop,
                             b->peak_flop_per_s, 1, b->tokens_s);
    if (b->pairs_s > 0)
        ridge__estimate_term(e, "keys beside", RIDGE_BY_COMPUTE, b->pair_flop,
                             e->peak_flop_per_s, 1, b->pairs_s);
    if (b->keys_s > 0)
        ridge__estimate_term(e, "keys in turn", RIDGE_BY_LATENCY, e->work.keys,
                             RIDGE_UNKNOWN, RIDGE_UNKNOWN, b->keys_s);
}

/* A constant that an entry may leave out. */
static void show_constant(const ridge__form_input *in, const char *name, int constant,
                          ridge_unit unit)
{
    ridge__working_add(in->working, name, NULL, ridge__form_constant(in, constant, 0),
                       unit);
}

/* Each part that is there, added to what `compute` names. */
void ridge__beside_show(const ridge_estimate *e, const ridge__form_input *in,
                        const ridge__beside *b, double compute)
{
    ridge__working *w = in->working;
    if (b->tokens_s > 0) {
        ridge__working_add(w, "tokens", NULL, e->work.tokens, RIDGE_UNIT_COUNT);
        show_constant(in, "token_flop", RIDGE_STREAM_TOKEN_FLOP_C, RIDGE_UNIT_FLOP);
        show_constant(in, "head_flop", RIDGE_STREAM_HEAD_FLOP_C, RIDGE_UNIT_FLOP);
        ridge__working_add(w, "beside FLOP",
                           "{tokens}*({token_flop} + {heads}*{head_flop})", b->token_flop,
                           RIDGE_UNIT_FLOP);
        ridge__working_add(w, "beside P", "of the products' dtype", b->peak_flop_per_s,
                           RIDGE_UNIT_FLOP_PER_S);
        compute = ridge__working_add(w, "op", "{op} + {beside FLOP}/{beside P}",
                                     compute + b->tokens_s, RIDGE_UNIT_S);
    }
    if (b->pairs_s > 0) {
        ridge__working_add(w, "taken", "pairs of a token and a key that it takes",
                           e->work.taken, RIDGE_UNIT_COUNT);
        ridge__working_add(w, "all scored", "the same of the indexer", e->work.scored,
                           RIDGE_UNIT_COUNT);
        show_constant(in, "taken_flop", RIDGE_STREAM_TAKEN_FLOP_C, RIDGE_UNIT_FLOP);
        show_constant(in, "scored_flop", RIDGE_STREAM_SCORED_FLOP_C, RIDGE_UNIT_FLOP);
        ridge__working_add(w, "pairs FLOP",
                           "{taken}*{taken_flop} + {all scored}*{scored_flop}",
                           b->pair_flop, RIDGE_UNIT_FLOP);
        compute = ridge__working_add(w, "op", "{op} + {pairs FLOP}/{P}",
                                     compute + b->pairs_s, RIDGE_UNIT_S);
    }
    if (b->keys_s > 0) {
        ridge__working_add(w, "keys", "of the longest sequence", e->work.keys,
                           RIDGE_UNIT_COUNT);
        ridge__working_add(w, "op", "{op} + {keys}*{key_time}", compute + b->keys_s,
                           RIDGE_UNIT_S);
    }
}
