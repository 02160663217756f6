/*
 * Latent attention: a prompt whose heads have keys and values of their own, and a decode
 * that reads the latent cache once for all heads.  The constants are those of attention;
 * docs/model/mla.md has the formulas, their source and a worked number.
 */
#include "base/base.h"
#include "model/attention.h"

#include <string.h>

/* Bytes of an element beside the cache, and of a partial result written and read. */
static const double WIDE_BYTES = 2, MERGE_BYTES = 8;
/* Sharpness of the edge between held and missed in L2. */
static const double MISS_POWER = 4;
/* How sharply the loop and the streams overlap: 1 not at all. */
static const double PREFILL_OVERLAP = 1.5, DECODE_OVERLAP = 2.5;
/* Fewest KV tiles of a split where the fit says nothing. */
static const double SPLIT_STEPS = 2;

typedef struct shape {
    double batch, queries, keys; /* of all sequences */
    double q, kv;                /* of one, the mean */
    double heads, pairs;         /* pairs of all sequences, a head */
    double qk, v;                /* elements of a head's two products */
    double cached;               /* elements of a token in the cache */
    double latent;               /* elements of a token's keys and values, as read */
    double cache_bytes;          /* of one of them */
    double units, dram;
} shape;

static double symbol(const ridge_call *call, const char *name)
{
    return call->op->symbol(call, name, strlen(name));
}

static shape read_shape(const ridge__form_input *in)
{
    const double *a = in->call->arg;
    ridge_dtype cache = (ridge_dtype)a[RIDGE_MLA_KV_DTYPE];
    shape s = {
        .batch = a[RIDGE_MLA_BATCH],
        .queries = a[RIDGE_MLA_BATCH] * a[RIDGE_MLA_Q_LEN],
        .keys = a[RIDGE_MLA_BATCH] * a[RIDGE_MLA_KV_LEN],
        .q = a[RIDGE_MLA_Q_LEN],
        .kv = a[RIDGE_MLA_KV_LEN],
        .heads = a[RIDGE_MLA_HEADS],
        .pairs = symbol(in->call, "pairs"),
        .qk = symbol(in->call, "qk"),
        .v = symbol(in->call, "v"),
        .latent = symbol(in->call, "cached"),
        .cached = a[RIDGE_MLA_LATENT] + a[RIDGE_MLA_ROPE],
        .cache_bytes = ridge__dtype(cache)->activation_bytes,
        .units = in->machine->units.value,
        .dram = in->resident ? in->machine->l2.value : in->machine->dram.value,
    };
    /* A library may run a prompt in the latent space, though that is more work. */
    if (in->fit->form == RIDGE_FIT_PREFILL &&
        ridge__form_constant(in, RIDGE_ATTENTION_ABSORBED, 0) > 0) {
        s.qk = s.latent = s.cached;
        s.v = a[RIDGE_MLA_LATENT];
    }
    return s;
}

/* The peak that the kernel multiplies at: of the cache's dtype only where the fit says. */
static double math_rate(const ridge_estimate *e, const ridge__form_input *in)
{
    if (ridge__form_constant(in, RIDGE_ATTENTION_FP8_MATH, 0) > 0)
        return e->peak_flop_per_s;
    ridge_pipe used;
    ridge_dtype dtype = (ridge_dtype)in->call->arg[RIDGE_MLA_DTYPE];
    ridge_fact peak =
        ridge__machine_peak(in->machine, ridge__dtype(dtype)->math, RIDGE_PIPE_ANY,
                            (ridge_dtype)e->work.accumulator, &used);
    return ridge_known(peak.value) ? peak.value : e->peak_flop_per_s;
}

/* Time of a byte against its time from DRAM, given what lies between two uses of it. */
static double cache_factor(const ridge__form_input *in, double footprint)
{
    double held = ridge__form_constant(in, RIDGE_ATTENTION_L2_HOLD, 0) *
                  in->machine->l2_capacity.value;
    if (in->resident || !(held > 0))
        return 1;
    double miss = ridge__cache_miss(footprint, held, MISS_POWER);
    return miss + (1 - miss) / ridge__attention_l2_gain(in);
}

/* Times of a kernel's parts, and what they are made of, as they are shown. */
typedef struct parts {
    double grids, packed,
        rows; /* rows of tiles for each of `grids` heads or packed ones */
    double tiles, ctas, step, even, longest, loop;
    double steps, product_s, pull_s,
        each;       /* of a decode; each: another part of the keys */
    double element; /* bytes of one of the cache, as read */
    double bytes, between, cache, streams; /* between: two uses of a byte in L2 */
    double turned, passes, append, split, merge, fixed, overlap, body;
} parts;

static double overlap(double a, double b, double power)
{
    return pow(pow(a, power) + pow(b, power), 1 / power);
}

/* A step of a CTA alone against one of several: a chain of instructions, where the fit
 * has it in cycles, or a share. */
static double lone_factor(const parts *p, const ridge__form_input *in)
{
    double cycles = ridge__form_constant(in, RIDGE_ATTENTION_LONE_CYCLES, 0);
    if (cycles > 0)
        return cycles / in->machine->clock_matrix_hz / p->step;
    return ridge__form_constant(in, RIDGE_ATTENTION_LONE, 1);
}

/*
 * CTAs evenly shared, with the longest one, of so many steps, showing at the end.  What
 * has an SM or a pair of SMs to itself may take longer for a step, or less.
 */
static void add_loop(parts *p, const ridge__form_input *in, double steps, double masked)
{
    double cta_fixed = ridge__attn_fixed(in, RIDGE_ATTENTION_CTA_FIXED);
    double lone = lone_factor(p, in);
    p->even =
        (p->tiles * p->step + p->ctas * p->split * cta_fixed) / in->machine->units.value;
    p->longest = (steps * lone + masked) * p->step + cta_fixed;
    p->loop = ridge__norm4(p->even + ridge__form_constant(in, RIDGE_ATTENTION_TAIL, 0) *
                                         p->longest,
                           p->longest);
    p->body = p->fixed + p->passes + p->append + p->merge +
              overlap(p->loop, p->streams, p->overlap);
}

/* Bytes of the new tokens' part of the cache, read in 16 bits and written. */
static double append_bytes(const shape *s)
{
    return s->queries * s->cached * (WIDE_BYTES + s->cache_bytes);
}

static double append_time(const shape *s, const ridge__form_input *in)
{
    double rate = s->dram * ridge__form_constant(in, RIDGE_ATTENTION_KV_SHARE, 1);
    return append_bytes(s) / rate +
           s->batch * ridge__form_constant(in, RIDGE_ATTENTION_SEQUENCE_FIXED, 0);
}

/* True if the products are of an fp8 cache, in fp8: queries and keys are quantised.  A
 * part without fp8 products widens the cache, whatever the constants it borrowed say. */
static bool in_fp8(const shape *s, const ridge__form_input *in)
{
    ridge_pipe used;
    return s->cache_bytes < WIDE_BYTES &&
           ridge__form_constant(in, RIDGE_ATTENTION_FP8_MATH, 0) > 0 &&
           ridge_known(ridge__machine_peak(in->machine, RIDGE_FP8, RIDGE_PIPE_ANY,
                                           RIDGE_FP32, &used)
                           .value);
}

/* Bytes of the pass that rotates the queries, and quantises all where that is done. */
static double pass_bytes(const shape *s, const ridge__form_input *in)
{
    double heads = s->queries * s->heads;
    if (!in_fp8(s, in))
        return heads * s->qk * 2 * WIDE_BYTES;
    return heads * (2 * s->qk + s->v) * (WIDE_BYTES + s->cache_bytes);
}

/* Tiles that the mask leaves: whole ones, and half of one more for each row of tiles. */
static void count_tiles(parts *p, const ridge__form_input *in, const shape *s)
{
    const double *c = in->fit->c;
    double tq = c[RIDGE_ATTENTION_TILE_Q], tk = c[RIDGE_ATTENTION_TILE_KV];
    double masked = ridge__form_constant(in, RIDGE_ATTENTION_MASKED_TILE, 1) - 1;
    double each =
        s->pairs / s->batch * p->packed / (tq * tk) + p->rows * tq / p->packed / tk / 2;
    p->ctas = p->grids * p->rows;
    p->tiles = p->grids * ridge__max(each, p->rows) + masked * p->ctas;
}

static parts prefill(const ridge_estimate *e, const ridge__form_input *in, const shape *s)
{
    const double *c = in->fit->c;
    double tq = c[RIDGE_ATTENTION_TILE_Q], tk = c[RIDGE_ATTENTION_TILE_KV];
    bool pack = ridge__form_constant(in, RIDGE_ATTENTION_PACK, 0) > 0;
    parts p = {.grids = s->batch * (pack ? 1 : s->heads),
               .packed = pack ? s->heads : 1,
               .element = s->cache_bytes,
               .split = 1,
               .overlap =
                   ridge__form_constant(in, RIDGE_ATTENTION_OVERLAP, PREFILL_OVERLAP)};
    p.rows = ceil(s->q * p.packed / tq);
    count_tiles(&p, in, s);
    p.step = tq * tk *
             (2 * (s->qk + s->v) * s->units /
                  (math_rate(e, in) * c[RIDGE_ATTENTION_MMA_SHARE]) +
              ridge__attn_softmax(in) / in->machine->clock_matrix_hz);
    p.bytes = WIDE_BYTES * s->queries * s->heads * (s->qk + s->v) +
              s->cache_bytes * s->keys * s->latent;
    p.between = p.bytes + append_bytes(s);
    p.cache = cache_factor(in, p.between);
    p.streams = p.cache * p.bytes /
                (s->dram * ridge__form_constant(in, RIDGE_ATTENTION_Q_SHARE, 1));
    double share = ridge__form_constant(in, RIDGE_ATTENTION_ROTATE_SHARE, 0);
    if (share > 0) {
        p.turned = pass_bytes(s, in);
        p.passes = p.cache * p.turned / (s->dram * share);
    }
    p.append = p.cache * append_time(s, in);
    p.fixed = ridge__attn_fixed(in, RIDGE_ATTENTION_FIXED) +
              ridge__attn_fixed(in, RIDGE_ATTENTION_APPEND_FIXED);
    add_loop(&p, in, ceil(s->kv / tk),
             ridge__form_constant(in, RIDGE_ATTENTION_MASKED_TILE, 1) - 1);
    return p;
}

/*
 * Parts that the keys are cut into: until the SMs are full, each of a few tiles at least,
 * and no more than is worth `each` for another part: steps t / n + n each is least at
 * n = sqrt(steps t / each).  A real number, so that a longer sequence, a larger batch or
 * one more head never shortens a time.
 */
static double split_limit(const parts *p, const ridge__form_input *in)
{
    double slots =
        in->machine->units.value * ridge__form_constant(in, RIDGE_ATTENTION_OCCUPANCY, 1);
    double most = ridge__min(
        p->steps / ridge__form_constant(in, RIDGE_ATTENTION_SPLIT_STEPS, SPLIT_STEPS),
        ridge__form_constant(in, RIDGE_ATTENTION_SPLIT_MAX, 1));
    most = ridge__min(most, sqrt(p->steps * p->step / p->each));
    return ridge__max(1, ridge__min(slots / p->ctas, most));
}

static parts cut(parts p, const ridge__form_input *in, double split)
{
    p.split = split;
    p.merge = ridge__attn_fixed(in, RIDGE_ATTENTION_SPLIT_FIXED) + split * p.each;
    add_loop(&p, in, ridge__max(ridge__min(p.steps, 1), p.steps / split), 0);
    return p;
}

/* Streams of a decode: the cache, in 16 bits where a pass has widened it, Q and O. */
static void decode_streams(parts *p, const ridge__form_input *in, const shape *s)
{
    double kv_share = ridge__form_constant(in, RIDGE_ATTENTION_KV_SHARE, 1);
    double convert = ridge__form_constant(in, RIDGE_ATTENTION_CONVERT_SHARE, 0);
    double elements = s->keys * s->cached;
    bool widened = p->element > s->cache_bytes;
    p->bytes = elements * p->element;
    p->between = p->bytes + (widened ? elements * s->cache_bytes : 0);
    p->cache = cache_factor(in, p->between);
    p->streams =
        p->cache * p->bytes / (s->dram * kv_share) +
        s->queries * s->heads * (s->qk + s->v) * WIDE_BYTES /
            (s->dram * ridge__form_constant(in, RIDGE_ATTENTION_Q_SHARE, kv_share));
    if (widened) {
        p->turned = elements * (s->cache_bytes + p->element);
        p->passes = p->turned / (s->dram * convert);
    }
}

static parts decode(const ridge_estimate *e, const ridge__form_input *in, const shape *s)
{
    const double *c = in->fit->c;
    double tq = c[RIDGE_ATTENTION_TILE_Q], tk = c[RIDGE_ATTENTION_TILE_KV];
    parts p = {.split = 1,
               .overlap =
                   ridge__form_constant(in, RIDGE_ATTENTION_OVERLAP, DECODE_OVERLAP),
               .fixed = ridge__attn_fixed(in, RIDGE_ATTENTION_FIXED),
               .append = append_time(s, in),
               .ctas = s->batch * ceil(s->heads * s->q / tq),
               .steps = ceil(s->kv / tk),
               .element = s->cache_bytes};
    if (ridge__form_constant(in, RIDGE_ATTENTION_CONVERT_SHARE, 0) > 0)
        p.element = ridge__max(p.element, WIDE_BYTES);
    p.tiles = p.ctas * p.steps;
    p.product_s = 2 * tq * tk * (s->qk + s->v) * s->units /
                  (math_rate(e, in) * c[RIDGE_ATTENTION_MMA_SHARE]);
    /* So many bytes in flight arrive once in each latency. */
    double chain = ridge__attn_chain(in);
    p.pull_s = (c[RIDGE_ATTENTION_STEP_FIXED] +
                tk * s->cached * p.element / c[RIDGE_ATTENTION_STEP_RATE]) *
               (chain * chain);
    p.step = ridge__norm4(p.pull_s, p.product_s);
    decode_streams(&p, in, s);
    p.each = ridge__form_constant(in, RIDGE_ATTENTION_SPLIT_EACH, 0) +
             p.cache * MERGE_BYTES * s->queries * s->heads * s->v / s->dram;
    double always = ridge__form_constant(in, RIDGE_ATTENTION_SPLIT_ALWAYS, 0);
    if (always > 0)
        return cut(p, in, always);
    double split = split_limit(&p, in);
    add_loop(&p, in, p.steps, 0);
    parts apart = cut(p, in, split);
    return split > 1 && apart.body < p.body ? apart : p;
}

/* What the rows below use of the call, the part and the fit. */
static void show_inputs(const ridge_estimate *e, const ridge__form_input *in,
                        const shape *s, const parts *p)
{
    const struct {
        int index;
        const char *name;
        double absent;
        const char *formula; /* of a fixed time */
    } constants[] = {
        {RIDGE_ATTENTION_CTA_FIXED, "cta_fixed", 0, "{cta_fixed}*{chain}"},
        {RIDGE_ATTENTION_TAIL, "tail", 0, NULL},
        {RIDGE_ATTENTION_MASKED_TILE, "masked_tile", 1, NULL},
        {RIDGE_ATTENTION_L2_HOLD, "l2_hold", 0, NULL},
        {RIDGE_ATTENTION_KV_SHARE, "kv_share", 1, NULL},
        {RIDGE_ATTENTION_SEQUENCE_FIXED, "sequence_fixed", 0, NULL},
        {RIDGE_ATTENTION_FIXED, "fixed", 0, "{fixed}*{chain}"},
        {RIDGE_ATTENTION_APPEND_FIXED, "append_fixed", 0, "{append_fixed}*{chain}"},
        {RIDGE_ATTENTION_SPLIT_FIXED, "split_fixed", 0, "{split_fixed}*{chain}"},
        {RIDGE_ATTENTION_SPLIT_EACH, "split_each", 0, NULL},
    };
    ridge__working *w = in->working;
    double chain = ridge__attn_chain(in);
    ridge__attn_show_chain(in);
    for (size_t i = 0; i < RIDGE__COUNT(constants); i++) {
        double value = ridge__form_constant(in, constants[i].index, constants[i].absent);
        bool scaled = constants[i].formula && chain != 1 && value > 0;
        ridge__working_add(w, constants[i].name, scaled ? constants[i].formula : NULL,
                           scaled ? value * chain : value, RIDGE_UNIT_NONE);
    }
    bool decoding = in->fit->form == RIDGE_FIT_DECODE;
    double q_absent =
        decoding ? ridge__form_constant(in, RIDGE_ATTENTION_KV_SHARE, 1) : 1;
    ridge__working_add(w, "q_share", NULL,
                       ridge__form_constant(in, RIDGE_ATTENTION_Q_SHARE, q_absent),
                       RIDGE_UNIT_NONE);
    ridge__working_add(w, "overlap", NULL, p->overlap, RIDGE_UNIT_NONE);
    ridge__working_add(w, "clock", NULL, in->machine->clock_matrix_hz, RIDGE_UNIT_HZ);
    ridge__working_add(w, "cached", "keys and values of a token, in elements", s->latent,
                       RIDGE_UNIT_COUNT);
    ridge__working_add(w, "stored", NULL, s->cache_bytes, RIDGE_UNIT_BYTES);
    ridge__working_add(w, "qk", "elements of a query in a score", s->qk,
                       RIDGE_UNIT_COUNT);
    ridge__working_add(w, "v", "elements of a result", s->v, RIDGE_UNIT_COUNT);
    ridge__working_add(w, "token", "elements of one in the cache", s->cached,
                       RIDGE_UNIT_COUNT);
    ridge__working_add(w, "z", "bytes of one of them, as read", p->element,
                       RIDGE_UNIT_NONE);
    ridge__working_add(w, "Pm", "peak of the dtype that the kernel multiplies in",
                       math_rate(e, in), RIDGE_UNIT_FLOP_PER_S);
}

/* How much longer or shorter a byte takes that may still lie in L2, of those between two
 * uses of it. */
static void show_cache(const ridge__form_input *in, const parts *p, const char *between)
{
    ridge__working *w = in->working;
    double held = ridge__form_constant(in, RIDGE_ATTENTION_L2_HOLD, 0) *
                  in->machine->l2_capacity.value;
    if (in->resident || !(held > 0)) {
        ridge__working_add(w, "cache", "no help from L2", p->cache, RIDGE_UNIT_NONE);
        return;
    }
    ridge__working_add(w, "between", between, p->between, RIDGE_UNIT_BYTES);
    ridge__working_add(w, "miss", "1/(1 + ({l2_hold}*{L2 size}/{between})^4)",
                       ridge__cache_miss(p->between, held, MISS_POWER), RIDGE_UNIT_NONE);
    bool feed = ridge__form_constant(in, RIDGE_ATTENTION_L2_FEED, 0) > 0;
    ridge__working_add(w, "gain",
                       feed ? "max(1, {l2_feed}*{units}*{clock}/{B})"
                            : "rate from L2 over rate from DRAM",
                       ridge__attention_l2_gain(in), RIDGE_UNIT_NONE);
    ridge__working_add(w, "cache", "{miss} + (1 - {miss})/{gain}", p->cache,
                       RIDGE_UNIT_NONE);
}

/* Behind the step, which a chain of instructions is held against. */
static void show_even(const ridge__form_input *in, const parts *p)
{
    ridge__working *w = in->working;
    bool chain = ridge__form_constant(in, RIDGE_ATTENTION_LONE_CYCLES, 0) > 0;
    ridge__working_add(w, "lone", chain ? "{lone_cycles}/({clock}*{step})" : NULL,
                       lone_factor(p, in), RIDGE_UNIT_NONE);
    ridge__working_add(w, "even", "({tiles}*{step} + {ctas}*{split}*{cta_fixed})/{units}",
                       p->even, RIDGE_UNIT_S);
}

static void show_prefill(const ridge__form_input *in, const shape *s, const parts *p)
{
    ridge__working *w = in->working;
    ridge__working_add(w, "packed", "query heads that share a tile", p->packed,
                       RIDGE_UNIT_COUNT);
    ridge__working_add(w, "grids", "heads of all prompts, or packs of them", p->grids,
                       RIDGE_UNIT_COUNT);
    ridge__working_add(w, "rows", "ceil({q_len}*{packed}/{tile_q})", p->rows,
                       RIDGE_UNIT_COUNT);
    ridge__working_add(w, "ctas", "{grids}*{rows}", p->ctas, RIDGE_UNIT_COUNT);
    ridge__working_add(w, "pairs", "queries and keys that the mask leaves, a head",
                       s->pairs, RIDGE_UNIT_COUNT);
    ridge__working_add(w, "tiles",
                       "{grids}*max({pairs}/{batch}*{packed}/({tile_q}*{tile_kv}) + "
                       "{rows}*{tile_q}/({packed}*{tile_kv}*2), {rows}) + "
                       "({masked_tile} - 1)*{ctas}",
                       p->tiles, RIDGE_UNIT_COUNT);
    ridge__working_add(w, "step",
                       "{tile_q}*{tile_kv}*(2*({qk} + {v})*{units}/({Pm}*{mma_share}) + "
                       "{softmax}/{clock})",
                       p->step, RIDGE_UNIT_S);
    ridge__working_add(w, "split", NULL, p->split, RIDGE_UNIT_NONE);
    show_even(in, p);
    ridge__working_add(
        w, "longest",
        "(ceil({kv_len}/{tile_kv})*{lone} + {masked_tile} - 1)*{step} + {cta_fixed}",
        p->longest, RIDGE_UNIT_S);
    ridge__working_add(w, "loop", "(({even} + {tail}*{longest})^4 + {longest}^4)^(1/4)",
                       p->loop, RIDGE_UNIT_S);
    ridge__working_add(w, "bytes",
                       "2*{batch}*{q_len}*{heads}*({qk} + {v}) + "
                       "{z}*{batch}*{kv_len}*{cached}",
                       p->bytes, RIDGE_UNIT_BYTES);
    ridge__working_add(w, "new", "{batch}*{q_len}*{token}*(2 + {stored})",
                       append_bytes(s), RIDGE_UNIT_BYTES);
    show_cache(in, p, "{bytes} + {new}");
    ridge__working_add(w, "streams", "{cache}*{bytes}/({B}*{q_share})", p->streams,
                       RIDGE_UNIT_S);
    if (p->turned > 0) {
        ridge__working_add(w, "turned", "bytes of the pass that rotates and quantises",
                           p->turned, RIDGE_UNIT_BYTES);
        ridge__working_add(w, "passes", "{cache}*{turned}/({B}*{rotate_share})",
                           p->passes, RIDGE_UNIT_S);
    }
    ridge__working_add(w, "append",
                       "{cache}*({new}/({B}*{kv_share}) + {batch}*{sequence_fixed})",
                       p->append, RIDGE_UNIT_S);
    ridge__working_add(w, "start", "{fixed} + {append_fixed}", p->fixed, RIDGE_UNIT_S);
}

static void show_decode(const ridge__form_input *in, const parts *p)
{
    ridge__working *w = in->working;
    bool merged = p->merge > 0;
    ridge__working_add(w, "ctas", "{batch}*ceil({heads}*{q_len}/{tile_q})", p->ctas,
                       RIDGE_UNIT_COUNT);
    ridge__working_add(w, "steps", "ceil({kv_len}/{tile_kv})", p->steps,
                       RIDGE_UNIT_COUNT);
    ridge__working_add(w, "tiles", "{ctas}*{steps}", p->tiles, RIDGE_UNIT_COUNT);
    ridge__working_add(w, "product",
                       "2*{tile_q}*{tile_kv}*({qk} + {v})*{units}/({Pm}*{mma_share})",
                       p->product_s, RIDGE_UNIT_S);
    bool elsewhere = ridge__attn_chain(in) != 1;
    ridge__working_add(w, "pull",
                       elsewhere ? "({step_fixed} + {tile_kv}*{token}*{z}/{step_rate})*"
                                   "{chain}^2"
                                 : "{step_fixed} + {tile_kv}*{token}*{z}/{step_rate}",
                       p->pull_s, RIDGE_UNIT_S);
    ridge__working_add(w, "step", "({pull}^4 + {product}^4)^(1/4)", p->step,
                       RIDGE_UNIT_S);
    ridge__working_add(w, "bytes", "{batch}*{kv_len}*{token}*{z}", p->bytes,
                       RIDGE_UNIT_BYTES);
    show_cache(in, p,
               p->turned > 0 ? "{bytes} + {batch}*{kv_len}*{token}*{stored}" : "{bytes}");
    ridge__working_add(w, "streams",
                       "{cache}*{bytes}/({B}*{kv_share}) + "
                       "{batch}*{q_len}*{heads}*({qk} + {v})*2/({B}*{q_share})",
                       p->streams, RIDGE_UNIT_S);
    if (p->turned > 0)
        ridge__working_add(w, "passes",
                           "{batch}*{kv_len}*{token}*({stored} + {z})/"
                           "({B}*{convert_share})",
                           p->passes, RIDGE_UNIT_S);
    ridge__working_add(w, "append",
                       "{batch}*{q_len}*{token}*(2 + {stored})/({B}*{kv_share}) + "
                       "{batch}*{sequence_fixed}",
                       p->append, RIDGE_UNIT_S);
    ridge__working_add(w, "split", "parts of the keys, a real number", p->split,
                       RIDGE_UNIT_NONE);
    if (merged) {
        ridge__working_add(w, "each",
                           "{split_each} + {cache}*8*{batch}*{q_len}*{heads}*{v}/{B}",
                           p->each, RIDGE_UNIT_S);
        ridge__working_add(w, "merge", "{split_fixed} + {split}*{each}", p->merge,
                           RIDGE_UNIT_S);
    }
    show_even(in, p);
    ridge__working_add(w, "longest",
                       merged ? "max({steps}/{split}, 1)*{lone}*{step} + {cta_fixed}"
                              : "{steps}*{lone}*{step} + {cta_fixed}",
                       p->longest, RIDGE_UNIT_S);
    ridge__working_add(w, "loop", "(({even} + {tail}*{longest})^4 + {longest}^4)^(1/4)",
                       p->loop, RIDGE_UNIT_S);
    ridge__working_add(w, "start", "{fixed}", p->fixed, RIDGE_UNIT_S);
}

static void show(const ridge_estimate *e, const ridge__form_input *in, const shape *s,
                 const parts *p)
{
    static const char *const bodies[2][2] = {
        {"{start} + {append} + ({loop}^{overlap} + {streams}^{overlap})^(1/{overlap})",
         "{start} + {append} + ({loop}^{overlap} + {streams}^{overlap})^(1/{overlap}) + "
         "{merge}"},
        {"{start} + {passes} + {append} + ({loop}^{overlap} + "
         "{streams}^{overlap})^(1/{overlap})",
         "{start} + {passes} + {append} + ({loop}^{overlap} + "
         "{streams}^{overlap})^(1/{overlap}) + {merge}"}};
    show_inputs(e, in, s, p);
    if (in->fit->form == RIDGE_FIT_DECODE)
        show_decode(in, p);
    else
        show_prefill(in, s, p);
    ridge__working_add(in->working, "body", bodies[p->turned > 0][p->merge > 0],
                       e->body_s, RIDGE_UNIT_S);
}

ridge__fit_shape ridge__mla_shape(const ridge_call *call, const ridge_machine *machine)
{
    const double *a = call->arg;
    /* All heads of all queries share the one latent vector of a key. */
    return (ridge__fit_shape){.dim = a[RIDGE_MLA_LATENT] + a[RIDGE_MLA_ROPE],
                              .group = a[RIDGE_MLA_HEADS] * a[RIDGE_MLA_Q_LEN],
                              .causal = a[RIDGE_MLA_CAUSAL] != 0,
                              .kernel = call->kernel,
                              .mma_sync = ridge__machine_mma_sync(machine)};
}

ridge__fit_form ridge__mla_fit(const ridge_call *call)
{
    if (call->arg[RIDGE_MLA_SCOPE] > 0)
        return RIDGE_FIT_MODULE;
    return ridge__mla_absorbed(call) ? RIDGE_FIT_DECODE : RIDGE_FIT_PREFILL;
}

const char *ridge__mla_fit_op(const ridge_call *call)
{
    static const char *const names[] = {"mla", "mla", "mla_eager", "mla_wide"};
    return names[(size_t)call->arg[RIDGE_MLA_SCOPE]];
}

void ridge__form_mla(ridge_estimate *e, const ridge__form_input *in)
{
    if (in->fit->form == RIDGE_FIT_MODULE) {
        ridge__form_mla_module(e, in);
        return;
    }
    const double *c = in->fit->c;
    bool decoding = in->fit->form == RIDGE_FIT_DECODE;
    shape s = read_shape(in);
    parts p = decoding ? decode(e, in, &s) : prefill(e, in, &s);
    e->launch_s = ridge__form_launch(in->call, c[RIDGE_ATTENTION_LAUNCH_GRAPH],
                                     c[RIDGE_ATTENTION_LAUNCH_STREAM],
                                     c[RIDGE_ATTENTION_LAUNCH_EAGER]);
    e->latency_s = e->launch_s + p.fixed;
    e->body_s = p.body;
    if (in->working)
        show(e, in, &s, &p);
    ridge__estimate_term(e, "launch", RIDGE_BY_LATENCY, RIDGE_UNKNOWN, RIDGE_UNKNOWN,
                         RIDGE_UNKNOWN, e->launch_s);
    double rate = math_rate(e, in);
    ridge__estimate_term(
        e, "tile loop", decoding ? RIDGE_BY_MEMORY : RIDGE_BY_COMPUTE,
        decoding ? p.bytes : e->work.flop, decoding ? RIDGE_UNKNOWN : rate,
        decoding ? RIDGE_UNKNOWN : e->work.flop / (rate * p.loop), p.loop);
    ridge__estimate_term(e, decoding ? "latent stream" : "q, k, v, o streams",
                         RIDGE_BY_MEMORY, e->work.bytes, s.dram,
                         e->work.bytes / (s.dram * p.streams), p.streams);
    ridge__estimate_term(e, "append", RIDGE_BY_MEMORY, RIDGE_UNKNOWN, s.dram,
                         RIDGE_UNKNOWN, p.append);
    if (p.passes > 0)
        ridge__estimate_term(e, "passes before it", RIDGE_BY_MEMORY, RIDGE_UNKNOWN,
                             s.dram, RIDGE_UNKNOWN, p.passes);
    ridge__estimate_term(e, "fixed", RIDGE_BY_LATENCY, RIDGE_UNKNOWN, RIDGE_UNKNOWN,
                         RIDGE_UNKNOWN, p.fixed + p.merge);
}
