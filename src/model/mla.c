/*
 * Latent attention: a prompt whose heads have keys and values of their own, and a decode
 * that reads the latent cache once for all heads.  The constants are those of attention;
 * docs/model/mla.md has the formulas, their source and a worked number.
 */
#include "base/base.h"
#include "model/model.h"

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
    return (shape){
        .batch = a[RIDGE_MLA_BATCH],
        .queries = a[RIDGE_MLA_BATCH] * a[RIDGE_MLA_Q_LEN],
        .keys = a[RIDGE_MLA_BATCH] * a[RIDGE_MLA_KV_LEN],
        .q = a[RIDGE_MLA_Q_LEN],
        .kv = a[RIDGE_MLA_KV_LEN],
        .heads = a[RIDGE_MLA_HEADS],
        .pairs = symbol(in->call, "pairs"),
        .qk = symbol(in->call, "qk"),
        .v = symbol(in->call, "v"),
        .cached = a[RIDGE_MLA_LATENT] + a[RIDGE_MLA_ROPE],
        .cache_bytes = ridge__dtype(cache)->activation_bytes,
        .units = in->machine->units.value,
        .dram = in->resident ? in->machine->l2.value : in->machine->dram.value,
    };
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
    return miss + (1 - miss) / ridge__form_constant(in, RIDGE_ATTENTION_L2_GAIN, 1);
}

/* Times of a kernel's parts, as they are shown. */
typedef struct parts {
    double tiles, ctas, step, even, longest, loop;
    double bytes, cache, streams, append, split, merge, fixed;
} parts;

static double overlap(double a, double b, double power)
{
    return pow(pow(a, power) + pow(b, power), 1 / power);
}

/* CTAs evenly shared, with the longest one showing at the end. */
static void add_loop(parts *p, const ridge__form_input *in, double tiles, double steps)
{
    double cta_fixed = ridge__form_constant(in, RIDGE_ATTENTION_CTA_FIXED, 0);
    p->even =
        (tiles * p->step + p->ctas * p->split * cta_fixed) / in->machine->units.value;
    p->longest = steps / p->split * p->step + cta_fixed;
    p->loop = ridge__norm4(p->even + ridge__form_constant(in, RIDGE_ATTENTION_TAIL, 0) *
                                         p->longest,
                           p->longest);
}

/* The new tokens' part of the cache, written from 16 bits. */
static double append_time(const shape *s, const ridge__form_input *in)
{
    double rate = s->dram * ridge__form_constant(in, RIDGE_ATTENTION_KV_SHARE, 1);
    return s->queries * s->cached * (WIDE_BYTES + s->cache_bytes) / rate +
           s->batch * ridge__form_constant(in, RIDGE_ATTENTION_SEQUENCE_FIXED, 0);
}

static parts prefill(const ridge_estimate *e, const ridge__form_input *in, const shape *s)
{
    const double *c = in->fit->c;
    double tq = c[RIDGE_ATTENTION_TILE_Q], tk = c[RIDGE_ATTENTION_TILE_KV];
    double heads = s->batch * s->heads, rows = ceil(s->q / tq);
    parts p = {.split = 1};
    /* Whole tiles: half of one more for each row of tiles, where the mask cuts. */
    p.tiles =
        heads * ridge__max(s->pairs / s->batch / (tq * tk) + rows * tq / tk / 2, rows);
    p.ctas = heads * rows;
    p.step = tq * tk *
             (2 * (s->qk + s->v) * s->units /
                  (math_rate(e, in) * c[RIDGE_ATTENTION_MMA_SHARE]) +
              ridge__form_constant(in, RIDGE_ATTENTION_SOFTMAX, 0) /
                  in->machine->clock_matrix_hz);
    add_loop(&p, in, p.tiles, ceil(s->kv / tk));
    p.bytes = e->work.bytes;
    p.cache = cache_factor(in, p.bytes);
    p.streams = p.cache * p.bytes /
                (s->dram * ridge__form_constant(in, RIDGE_ATTENTION_Q_SHARE, 1));
    p.append = p.cache * append_time(s, in);
    p.fixed = ridge__form_constant(in, RIDGE_ATTENTION_FIXED, 0) +
              ridge__form_constant(in, RIDGE_ATTENTION_APPEND_FIXED, 0);
    return p;
}

static parts decode(const ridge_estimate *e, const ridge__form_input *in, const shape *s)
{
    const double *c = in->fit->c;
    double tq = c[RIDGE_ATTENTION_TILE_Q], tk = c[RIDGE_ATTENTION_TILE_KV];
    double steps = ceil(s->kv / tk), slots = s->units;
    parts p = {0};
    slots *= ridge__form_constant(in, RIDGE_ATTENTION_OCCUPANCY, 1);
    p.ctas = s->batch * ceil(s->heads * s->q / tq);
    p.tiles = p.ctas * steps;
    double product = 2 * tq * tk * (s->qk + s->v) * s->units /
                     (math_rate(e, in) * c[RIDGE_ATTENTION_MMA_SHARE]);
    double pull = c[RIDGE_ATTENTION_STEP_FIXED] +
                  tk * s->cached * s->cache_bytes / c[RIDGE_ATTENTION_STEP_RATE];
    p.step = ridge__norm4(pull, product);
    /* The keys are split until the SMs are full. */
    double most = ridge__min(
        steps / ridge__form_constant(in, RIDGE_ATTENTION_SPLIT_STEPS, SPLIT_STEPS),
        ridge__form_constant(in, RIDGE_ATTENTION_SPLIT_MAX, 1));
    p.split = ridge__max(1, ridge__min(slots / p.ctas, most));
    add_loop(&p, in, p.tiles, steps);
    double results = s->queries * s->heads * (s->qk + s->v) * WIDE_BYTES;
    p.bytes = s->keys * s->cached * s->cache_bytes;
    p.cache = cache_factor(in, p.bytes);
    p.streams = p.cache * (p.bytes + results) /
                (s->dram * ridge__form_constant(in, RIDGE_ATTENTION_KV_SHARE, 1));
    p.append = append_time(s, in);
    p.fixed = ridge__form_constant(in, RIDGE_ATTENTION_FIXED, 0);
    if (p.split > 1)
        p.merge = ridge__form_constant(in, RIDGE_ATTENTION_SPLIT_FIXED, 0) +
                  MERGE_BYTES * s->queries * s->heads * s->v * p.split / s->dram;
    return p;
}

static void show(const ridge_estimate *e, const ridge__form_input *in, const parts *p,
                 bool decoding)
{
    ridge__working *w = in->working;
    ridge__working_add(w, "cta_fixed", NULL,
                       ridge__form_constant(in, RIDGE_ATTENTION_CTA_FIXED, 0),
                       RIDGE_UNIT_S);
    ridge__working_add(w, "tail", NULL, ridge__form_constant(in, RIDGE_ATTENTION_TAIL, 0),
                       RIDGE_UNIT_NONE);
    ridge__working_add(w, "tiles", "tiles of scores that the mask leaves, in all",
                       p->tiles, RIDGE_UNIT_COUNT);
    ridge__working_add(w, "ctas", "blocks of queries, in all", p->ctas, RIDGE_UNIT_COUNT);
    ridge__working_add(w, "split", "parts of the keys, a real number", p->split,
                       RIDGE_UNIT_NONE);
    ridge__working_add(w, "step", "a tile on one SM: its products, and pulling its keys",
                       p->step, RIDGE_UNIT_S);
    ridge__working_add(w, "even", "({tiles}*{step} + {ctas}*{split}*{cta_fixed})/{units}",
                       p->even, RIDGE_UNIT_S);
    ridge__working_add(w, "longest", "the CTA with the most tiles", p->longest,
                       RIDGE_UNIT_S);
    ridge__working_add(w, "loop", "(({even} + {tail}*{longest})^4 + {longest}^4)^(1/4)",
                       p->loop, RIDGE_UNIT_S);
    ridge__working_add(w, "cache", "factor of a byte that may still lie in L2", p->cache,
                       RIDGE_UNIT_NONE);
    ridge__working_add(w, "streams", "queries, keys, values and results from DRAM",
                       p->streams, RIDGE_UNIT_S);
    ridge__working_add(w, "append", "the new tokens written to the cache", p->append,
                       RIDGE_UNIT_S);
    ridge__working_add(w, "start", "fixed cost of the kernels", p->fixed, RIDGE_UNIT_S);
    ridge__working_add(w, "merge", "of the parts of the keys", p->merge, RIDGE_UNIT_S);
    ridge__working_add(w, "body",
                       decoding ? "{start} + {append} + ({loop}^2.5 + "
                                  "{streams}^2.5)^(1/2.5) + {merge}"
                                : "{start} + {append} + ({loop}^1.5 + "
                                  "{streams}^1.5)^(1/1.5) + {merge}",
                       e->body_s, RIDGE_UNIT_S);
}

ridge__fit_form ridge__mla_fit(const ridge_call *call)
{
    if (symbol(call, "module") > 0)
        return RIDGE_FIT_STREAM;
    return ridge__mla_absorbed(call) ? RIDGE_FIT_DECODE : RIDGE_FIT_PREFILL;
}

void ridge__form_mla(ridge_estimate *e, const ridge__form_input *in)
{
    if (in->fit->form == RIDGE_FIT_STREAM) { /* a module has no model of its own yet */
        ridge__form_stream(e, in);
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
    e->body_s = p.fixed + p.append + p.merge +
                overlap(p.loop, p.streams, decoding ? DECODE_OVERLAP : PREFILL_OVERLAP);
    if (in->working)
        show(e, in, &p, decoding);
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
    ridge__estimate_term(e, "fixed", RIDGE_BY_LATENCY, RIDGE_UNKNOWN, RIDGE_UNKNOWN,
                         RIDGE_UNKNOWN, p.fixed + p.merge);
}
