/*
 * Attention: prefill (a loop over tiles of scores) and decode (a stream over the KV cache,
 * split among the SMs).  docs/model/attention.md has the formulas, their sources and a
 * worked number; the names below are the symbols there.
 */
#include "model/attention.h"
#include "base/base.h"

#include <string.h>

typedef ridge__attn_shape shape;
typedef ridge__attn_tiles tiles;

/* A query this short against a longer cache is decoded (speculative tokens included). */
static const double DECODE_Q_MAX = 16;
/* Bytes of an element of O and of a Q that is not multiplied in fp8: 16 bits. */
static const double WIDE_BYTES = 2, FP8_BYTES = 1;
/* Fewest KV tiles of a split where the fit says nothing. */
static const double SPLIT_STEPS = 4;
/* Partial O of a split: written and read in fp32. */
static const double MERGE_BYTES = 8;
/* Sharpness of the edge between held and missed in L2. */
static const double MISS_POWER = 4;
/* Exponentials per cycle of an SM that constants were fitted at (NVIDIA CUDA programming
 * guide, arithmetic instructions, compute capability 7.0 to 10.0). */
static const double FITTED_SPECIAL = 16;
/* How sharply tile loop and streams overlap where the fit says nothing: 1 not at all. */
static const double PREFILL_OVERLAP = 1.5, DECODE_OVERLAP = 2.5;

/* How a kernel is cut. */
typedef struct cut {
    double tile_q, tile_kv;
    double ctas;     /* before the keys are split */
    double steps;    /* KV tiles of the longest CTA */
    double step_s;   /* one of them */
    double work_s;   /* all steps of all CTAs, on one SM */
    double masked_s; /* what partly masked tiles add to the longest CTA */
    double split;    /* CTAs that share the keys of one */
    double loop_s;   /* the CTAs on all SMs */
} cut;

ridge__fit_form ridge__attention_fit(const ridge_call *call)
{
    double q = call->arg[RIDGE_ATTN_Q_LEN], kv = call->arg[RIDGE_ATTN_KV_LEN];
    /* A prompt among decoded sequences makes the kernel that of prompts. */
    const ridge_list *lengths = ridge__call_list(call, RIDGE_ATTN_Q_LEN);
    double each, times;
    if (lengths)
        for (ridge__cursor at = ridge__list_begin(lengths);
             ridge__list_next(&at, &each, &times);)
            q = ridge__max(q, each);
    /* These give a prompt of one token to their prefill kernel, the others decode it. */
    bool context =
        call->backend == RIDGE_BACKEND_TRTLLM || call->backend == RIDGE_BACKEND_SGLANG;
    bool decode = q <= DECODE_Q_MAX && (kv > q || (q == 1 && !context));
    return decode ? RIDGE_FIT_DECODE : RIDGE_FIT_PREFILL;
}

ridge__fit_shape ridge__attention_shape(const ridge_call *call,
                                        const ridge_machine *machine)
{
    const double *arg = call->arg;
    return (ridge__fit_shape){.dim = arg[RIDGE_ATTN_HEAD_DIM],
                              .group = arg[RIDGE_ATTN_HEADS_Q] / arg[RIDGE_ATTN_HEADS_KV],
                              .window = arg[RIDGE_ATTN_WINDOW] > 0,
                              .causal = arg[RIDGE_ATTN_CAUSAL] != 0,
                              .kernel = call->kernel,
                              .mma_sync = ridge__machine_mma_sync(machine)};
}

static double element_bytes(double dtype)
{
    return ridge__dtype((ridge_dtype)dtype)->activation_bytes;
}

/* The peak of the call's own dtype, where the floor has that of a narrower cache. */
static double wide_peak(const ridge_estimate *e, const ridge__form_input *in)
{
    const ridge_dtype dtype = (ridge_dtype)in->call->arg[RIDGE_ATTN_DTYPE];
    ridge_pipe used;
    if (e->work.fast_dtype >= RIDGE_DTYPE_COUNT)
        return e->peak_flop_per_s;
    double peak = ridge__machine_peak(in->machine, ridge__dtype(dtype)->math,
                                      (ridge_pipe)e->work.pipe,
                                      (ridge_dtype)e->work.accumulator, &used)
                      .value;
    return ridge_known(peak) ? peak : e->peak_flop_per_s;
}

shape ridge__attn_read(const ridge_estimate *e, const ridge__form_input *in)
{
    const double *arg = in->call->arg;
    shape s = {
        .batch = arg[RIDGE_ATTN_BATCH],
        .q = arg[RIDGE_ATTN_Q_LEN],
        .kv = arg[RIDGE_ATTN_KV_LEN],
        .heads = arg[RIDGE_ATTN_HEADS_Q],
        .kv_heads = arg[RIDGE_ATTN_HEADS_KV],
        .dim = arg[RIDGE_ATTN_HEAD_DIM],
        .dims = arg[RIDGE_ATTN_HEAD_DIM] + arg[RIDGE_ATTN_HEAD_DIM_V],
        .window = ridge_known(arg[RIDGE_ATTN_WINDOW]) &&
                          !(ridge__form_constant(in, RIDGE_ATTENTION_WALK_ALL, 0) > 0)
                      ? arg[RIDGE_ATTN_WINDOW]
                      : 0,
        .lists = ridge__call_list(in->call, RIDGE_ATTN_Q_LEN) ||
                         ridge__call_list(in->call, RIDGE_ATTN_KV_LEN)
                     ? in->call
                     : NULL,
        .causal = arg[RIDGE_ATTN_CAUSAL] != 0,
        .q_bytes = WIDE_BYTES,
        .cache_bytes = element_bytes(arg[RIDGE_ATTN_KV_DTYPE]),
        .units = in->machine->units.value,
        .dram = in->resident ? in->machine->l2.value : in->machine->dram.value,
        .math_flop_per_s = wide_peak(e, in),
    };
    s.group = s.heads / s.kv_heads;
    s.kv_bytes = s.cache_bytes;
    if (element_bytes(arg[RIDGE_ATTN_DTYPE]) > WIDE_BYTES)
        s.q_bytes = element_bytes(arg[RIDGE_ATTN_DTYPE]);
    if (s.cache_bytes == FP8_BYTES &&
        ridge__form_constant(in, RIDGE_ATTENTION_FP8_MATH, 0) > 0) {
        ridge_pipe used;
        ridge_fact peak = ridge__machine_peak(in->machine, RIDGE_FP8, RIDGE_PIPE_ANY,
                                              RIDGE_FP32, &used);
        if (ridge_known(peak.value)) {
            s.math_flop_per_s = peak.value;
            s.q_bytes = FP8_BYTES;
        }
    }
    return s;
}

double ridge__attention_l2_gain(const ridge__form_input *in)
{
    double feed = ridge__form_constant(in, RIDGE_ATTENTION_L2_FEED, 0);
    const ridge_machine *m = in->machine;
    if (feed > 0)
        return ridge__max(1, feed * m->units.value * m->clock_matrix_hz / m->dram.value);
    return ridge__form_constant(in, RIDGE_ATTENTION_L2_GAIN, 1);
}

/* Time of a byte against its time from DRAM, given what lies between two uses of it. */
double ridge__attn_cache(const ridge__form_input *in, double footprint)
{
    double held = ridge__form_constant(in, RIDGE_ATTENTION_L2_HOLD, 0) *
                  in->machine->l2_capacity.value;
    if (in->resident || !(held > 0))
        return 1;
    double miss = ridge__cache_miss(footprint, held, MISS_POWER);
    return miss + (1 - miss) / ridge__attention_l2_gain(in);
}

/*
 * Fixed times are chains of dependent loads and of instructions.  Where the part's memory
 * answers later than that of the fitted one they grow, by the root of the ratio: half of
 * them (in log) follows it.  docs/model/attention.md has the times that say so.
 */
double ridge__attn_chain(const ridge__form_input *in)
{
    double at = ridge__form_constant(in, RIDGE_ATTENTION_AT_LATENCY, 0);
    double latency = at > 0 ? ridge__machine_dram_latency(in->machine) : RIDGE_UNKNOWN;
    return ridge_known(latency) ? sqrt(latency / at) : 1;
}

double ridge__attn_fixed(const ridge__form_input *in, int index)
{
    return ridge__form_constant(in, index, 0) * ridge__attn_chain(in);
}

/* True if the fit is of a part whose exponentials run at the rate of this one's. */
static bool fitted_here(const ridge__form_input *in)
{
    const ridge_device *d = in->machine->device;
    const char *key = in->fit->key;
    return !(in->machine->special_per_cycle > 0) ||
           (d && key && (strcmp(key, d->id) == 0 || strcmp(key, d->arch) == 0));
}

/* What is seen of an exponential beside the products is one of it at most: that part
 * follows the rate of the special-function units. */
double ridge__attn_softmax(const ridge__form_input *in)
{
    double cycles = ridge__form_constant(in, RIDGE_ATTENTION_SOFTMAX, 0);
    if (fitted_here(in))
        return cycles;
    return cycles - ridge__min(cycles, 1 / FITTED_SPECIAL) *
                        (1 - FITTED_SPECIAL / in->machine->special_per_cycle);
}

double ridge__attn_prefill_norm(const ridge__form_input *in)
{
    return ridge__form_constant(in, RIDGE_ATTENTION_OVERLAP, PREFILL_OVERLAP);
}

/*
 * How many ways the keys can be split before the SMs are full, or a part would have too
 * few tiles.  A real number, as parts of unequal length average out: then a longer
 * sequence or a larger batch never shortens anything.
 */
static double split_limit(const cut *k, const ridge__form_input *in)
{
    double slots =
        in->machine->units.value * ridge__form_constant(in, RIDGE_ATTENTION_OCCUPANCY, 1);
    double most = ridge__min(slots / k->ctas,
                             ridge__form_constant(in, RIDGE_ATTENTION_SPLIT_MAX, 1));
    double fewest = ridge__form_constant(in, RIDGE_ATTENTION_SPLIT_STEPS, SPLIT_STEPS);
    double each = ridge__min(k->steps, ridge__max(k->steps / most, fewest));
    return ridge__max(1, k->steps / each);
}

/* Time of the CTAs: evenly shared, with the longest one showing at the end. */
static cut cut_split(cut k, const ridge__form_input *in, double split)
{
    double cta_fixed = ridge__attn_fixed(in, RIDGE_ATTENTION_CTA_FIXED);
    double shared = (k.work_s + k.ctas * split * cta_fixed) / in->machine->units.value;
    double longest = k.steps / split * k.step_s + k.masked_s + cta_fixed;
    k.split = split;
    k.loop_s = ridge__norm4(
        shared + ridge__form_constant(in, RIDGE_ATTENTION_TAIL, 0) * longest, longest);
    return k;
}

/* Loop and streams overlap in part. */
double ridge__attn_overlap(double loop_s, double streams_s, double norm)
{
    double longer = ridge__max(loop_s, streams_s);
    return longer * pow(1 + pow(ridge__min(loop_s, streams_s) / longer, norm), 1 / norm);
}

/* A count of the plan; none where the fit lacks what it follows from. */
static uint32_t plan_count(double value)
{
    return value > 0 && value <= UINT32_MAX ? (uint32_t)value : 0;
}

static ridge_plan plan_of(const cut *k, const shape *s)
{
    return (ridge_plan){.tile_m = plan_count(k->tile_q),
                        .tile_n = plan_count(k->tile_kv),
                        .split = plan_count(ceil(k->split)),
                        .ctas = k->ctas * ceil(k->split),
                        .waves = k->ctas * k->split / s->units,
                        .ceiling_flop_per_s = RIDGE_UNKNOWN};
}

/* ---- Working ----------------------------------------------------------------------- */

/* What of the constants is of this part: its exponentials, its latency. */
void ridge__attn_show_chain(const ridge__form_input *in)
{
    double chain = ridge__attn_chain(in), softmax = ridge__attn_softmax(in);
    bool faster = softmax != ridge__form_constant(in, RIDGE_ATTENTION_SOFTMAX, 0);
    if (faster)
        ridge__working_add(in->working, "exponentials", "per cycle and SM, this part's",
                           in->machine->special_per_cycle, RIDGE_UNIT_COUNT);
    ridge__working_add(in->working, "softmax",
                       faster ? "{softmax} - min({softmax}, 1/16)*"
                                "(1 - 16/{exponentials})"
                              : NULL,
                       softmax, RIDGE_UNIT_NONE);
    if (chain != 1) {
        ridge__working_add(in->working, "latency", "of a load from DRAM, this part's",
                           ridge__machine_dram_latency(in->machine), RIDGE_UNIT_S);
        ridge__working_add(in->working, "chain", "({latency}/{at_latency})^(1/2)", chain,
                           RIDGE_UNIT_NONE);
    }
}

/* Constants that a fit may leave out, with what stands for them; fixed times as they are
 * on this part. */
static void show_defaults(const ridge__form_input *in)
{
    const struct {
        int index;
        const char *name;
        double value;
        const char *formula; /* of a fixed time */
    } defaults[] = {
        {RIDGE_ATTENTION_CTA_FIXED, "cta_fixed", 0, "{cta_fixed}*{chain}"},
        {RIDGE_ATTENTION_TAIL, "tail", 0, NULL},
        {RIDGE_ATTENTION_FIXED, "fixed", 0, "{fixed}*{chain}"},
        {RIDGE_ATTENTION_Q_SHARE, "q_share", 1, NULL},
        {RIDGE_ATTENTION_KV_SHARE, "kv_share", 1, NULL},
        {RIDGE_ATTENTION_L2_HOLD, "l2_hold", 0, NULL},
        {RIDGE_ATTENTION_APPEND_FIXED, "append_fixed", 0, "{append_fixed}*{chain}"},
        {RIDGE_ATTENTION_SPLIT_FIXED, "split_fixed", 0, "{split_fixed}*{chain}"},
        {RIDGE_ATTENTION_SEQUENCE_FIXED, "sequence_fixed", 0, "{sequence_fixed}*{chain}"},
        {RIDGE_ATTENTION_MASKED_TILE, "masked_tile", 1, NULL},
        {RIDGE_ATTENTION_OVERLAP, "overlap",
         in->fit->form == RIDGE_FIT_DECODE ? DECODE_OVERLAP : PREFILL_OVERLAP, NULL},
    };
    double chain = ridge__attn_chain(in);
    ridge__attn_show_chain(in);
    for (size_t i = 0; i < RIDGE__COUNT(defaults); i++) {
        double value = ridge__form_constant(in, defaults[i].index, defaults[i].value);
        bool scaled = defaults[i].formula && chain != 1 && value > 0;
        ridge__working_add(in->working, defaults[i].name,
                           scaled ? defaults[i].formula : NULL,
                           scaled ? value * chain : value, RIDGE_UNIT_NONE);
    }
}

void ridge__attn_show_shape(const ridge__form_input *in, const shape *s)
{
    ridge__working *w = in->working;
    show_defaults(in);
    ridge__working_add(w, "z", NULL, s->cache_bytes, RIDGE_UNIT_BYTES);
    ridge__working_add(w, "zq", NULL, s->q_bytes, RIDGE_UNIT_BYTES);
    ridge__working_add(w, "dims", "{head_dim} + {head_dim_v}", s->dims, RIDGE_UNIT_COUNT);
    ridge__working_add(w, "Pm", "peak of the dtype that the kernel multiplies in",
                       s->math_flop_per_s, RIDGE_UNIT_FLOP_PER_S);
}

/* The factor of a byte that may still lie in L2. */
void ridge__attn_show_cache(const ridge__form_input *in, double bytes)
{
    double held = ridge__form_constant(in, RIDGE_ATTENTION_L2_HOLD, 0) *
                  in->machine->l2_capacity.value;
    if (in->resident || !(held > 0)) {
        ridge__working_add(in->working, "cache", "no help from L2", 1, RIDGE_UNIT_NONE);
        return;
    }
    ridge__working_add(in->working, "miss", "1/(1 + ({l2_hold}*{L2 size}/{bytes})^4)",
                       ridge__cache_miss(bytes, held, MISS_POWER), RIDGE_UNIT_NONE);
    double feed = ridge__form_constant(in, RIDGE_ATTENTION_L2_FEED, 0);
    ridge__working_add(in->working, "f", NULL, in->machine->clock_matrix_hz,
                       RIDGE_UNIT_HZ);
    ridge__working_add(in->working, "L2 gain",
                       feed > 0 ? "max(1, {l2_feed}*{units}*{f}/{B})"
                                : "rate from L2 over rate from DRAM, as fitted",
                       ridge__attention_l2_gain(in), RIDGE_UNIT_NONE);
    ridge__working_add(in->working, "cache", "{miss} + (1 - {miss})/{L2 gain}",
                       ridge__attn_cache(in, bytes), RIDGE_UNIT_NONE);
}

/* From the time of a step to that of the CTAs. */
static void show_loop(const ridge__form_input *in, const shape *s, const cut *k)
{
    ridge__working *w = in->working;
    double cta_fixed = ridge__attn_fixed(in, RIDGE_ATTENTION_CTA_FIXED);
    ridge__working_add(w, "split", "parts of the keys, a real number", k->split,
                       RIDGE_UNIT_NONE);
    ridge__working_add(w, "even", "({work} + {ctas}*{split}*{cta_fixed})/{units}",
                       (k->work_s + k->ctas * k->split * cta_fixed) / s->units,
                       RIDGE_UNIT_S);
    ridge__working_add(w, "longest", "{steps}/{split}*{step} + {edge} + {cta_fixed}",
                       k->steps / k->split * k->step_s + k->masked_s + cta_fixed,
                       RIDGE_UNIT_S);
    ridge__working_add(w, "loop", "(({even} + {tail}*{longest})^4 + {longest}^4)^(1/4)",
                       k->loop_s, RIDGE_UNIT_S);
}

/* ---- Prefill ----------------------------------------------------------------------- */

/* The extent halved until extent x head_dim fits what the kernel has room for. */
double ridge__attn_extent(double extent, double room, double dim)
{
    while (extent > 16 && extent * dim > room)
        extent /= 2;
    return extent;
}

/* Kernels are written for powers of two; others run padded, or in a fallback. */
static bool is_odd(double dim)
{
    int exponent;
    return frexp(dim, &exponent) != 0.5;
}

/* Cost of a score against that at a head_dim of 128, beyond the FLOP. */
double ridge__attn_width(double dim, const ridge__form_input *in)
{
    double factor = 1;
    if (dim < 128)
        factor = ridge__form_constant(in, RIDGE_ATTENTION_NARROW, 1);
    else if (dim > 128)
        factor = ridge__form_constant(in, RIDGE_ATTENTION_WIDE, 1);
    return is_odd(dim) ? factor * ridge__form_constant(in, RIDGE_ATTENTION_ODD_DIM, 1)
                       : factor;
}

static void show_tiles(const ridge__form_input *in, const shape *s, const cut *k,
                       const tiles *t, double heads, double width)
{
    ridge__working *w = in->working;
    double clock = in->machine->clock_matrix_hz;
    ridge__attn_show_shape(in, s);
    ridge__working_add(w, "clock", NULL, clock, RIDGE_UNIT_HZ);
    ridge__working_add(w, "heads", "heads or packed groups of them, in all sequences",
                       heads, RIDGE_UNIT_COUNT);
    ridge__working_add(w, "tq", "query rows of a tile", k->tile_q, RIDGE_UNIT_COUNT);
    ridge__working_add(w, "tk", "keys of a tile", k->tile_kv, RIDGE_UNIT_COUNT);
    ridge__working_add(w, "rows", "rows of tiles, a head", t->rows, RIDGE_UNIT_COUNT);
    ridge__working_add(w, "tiles", "tiles that the mask leaves, a head", t->total,
                       RIDGE_UNIT_COUNT);
    ridge__working_add(w, "masked", "partly masked ones among them", t->masked,
                       RIDGE_UNIT_COUNT);
    ridge__working_add(w, "steps", "tiles of the longest row", t->most, RIDGE_UNIT_COUNT);
    ridge__working_add(w, "width", "factor of head_dim: narrow, wide, odd_dim", width,
                       RIDGE_UNIT_NONE);
    ridge__working_add(w, "step",
                       "{tq}*{tk}*{width}*(2*{dims}*{units}/({Pm}*{mma_share}) + "
                       "{softmax}/{clock})",
                       k->step_s, RIDGE_UNIT_S);
    ridge__working_add(w, "ctas", "{heads}*{rows}", k->ctas, RIDGE_UNIT_COUNT);
    ridge__working_add(w, "work",
                       "{heads}*({tiles} + ({masked_tile} - 1)*{masked})*{step}",
                       k->work_s, RIDGE_UNIT_S);
    ridge__working_add(w, "edge", "({masked_tile} - 1)*{step}", k->masked_s,
                       RIDGE_UNIT_S);
}

static cut cut_prefill(const shape *s, const ridge__form_input *in)
{
    const double *c = in->fit->c;
    double none = HUGE_VAL;
    cut k = {
        .tile_q = ridge__attn_extent(
            c[RIDGE_ATTENTION_TILE_Q],
            ridge__form_constant(in, RIDGE_ATTENTION_Q_ELEMENTS, none), s->dim),
        .tile_kv = ridge__attn_extent(
            c[RIDGE_ATTENTION_TILE_KV],
            ridge__form_constant(in, RIDGE_ATTENTION_KV_ELEMENTS, none), s->dim),
    };
    double group = ridge__form_constant(in, RIDGE_ATTENTION_PACK, 0) > 0 ? s->group : 1;
    tiles t = ridge__attn_count_tiles(s, group, k.tile_q, k.tile_kv);
    double width = ridge__attn_width(s->dim, in);
    double mma =
        2 * s->dims * s->units / (s->math_flop_per_s * c[RIDGE_ATTENTION_MMA_SHARE]);
    double score = width * (mma + ridge__attn_softmax(in) / in->machine->clock_matrix_hz);
    double step = k.tile_q * k.tile_kv * score;
    double heads = s->batch * s->heads / group;
    double masked = ridge__form_constant(in, RIDGE_ATTENTION_MASKED_TILE, 1) - 1;
    k.ctas = heads * t.rows;
    k.steps = t.most;
    k.step_s = step;
    k.work_s = heads * (t.total + masked * t.masked) * step;
    k.masked_s = masked * step;
    if (in->working)
        show_tiles(in, s, &k, &t, heads, width);
    return k;
}

static void show_prefill(const ridge_estimate *e, const ridge__form_input *in,
                         const shape *s, const cut *k, double bytes, double streams,
                         double append)
{
    ridge__working *w = in->working;
    show_loop(in, s, k);
    ridge__working_add(w, "Q", "{batch}*{q_len}*{heads_q}*{dims}/2",
                       s->batch * s->q * s->heads * s->dims / 2, RIDGE_UNIT_COUNT);
    ridge__working_add(w, "K", "{batch}*{kv_len}*{heads_kv}*{dims}",
                       s->batch * s->kv * s->kv_heads * s->dims, RIDGE_UNIT_COUNT);
    ridge__working_add(w, "new", "{batch}*{q_len}*{heads_kv}*{dims}",
                       s->batch * s->q * s->kv_heads * s->dims, RIDGE_UNIT_COUNT);
    ridge__working_add(w, "bytes", "{Q}*({zq} + 2) + {K}*{z} + {new}*(2 + {z})", bytes,
                       RIDGE_UNIT_BYTES);
    ridge__attn_show_cache(in, bytes);
    ridge__working_add(w, "streams",
                       "{cache}*({Q}*({zq} + 2)/({B}*{q_share}) + "
                       "{K}*{z}/({B}*{kv_share}))",
                       streams, RIDGE_UNIT_S);
    ridge__working_add(
        w, "append",
        s->causal ? "{append_fixed} + {cache}*{new}*(2 + {z})/({B}*{kv_share})"
                  : "no cache is written",
        s->causal ? append + ridge__attn_fixed(in, RIDGE_ATTENTION_APPEND_FIXED) : 0,
        RIDGE_UNIT_S);
    ridge__working_add(w, "body",
                       k->split > 1 ? "{fixed} + {append} + ({loop}^{overlap} + "
                                      "{streams}^{overlap})^(1/{overlap}) + {split_fixed}"
                                    : "{fixed} + {append} + ({loop}^{overlap} + "
                                      "{streams}^{overlap})^(1/{overlap})",
                       e->body_s, RIDGE_UNIT_S);
}

static void form_prefill(ridge_estimate *e, const ridge__form_input *in, const shape *s)
{
    double q_elements = s->batch * s->q * s->heads * s->dims; /* Q and O together */
    double kv_elements = s->batch * s->kv * s->kv_heads * s->dims;
    double new_elements = s->batch * s->q * s->kv_heads * s->dims;
    double q_rate = s->dram * ridge__form_constant(in, RIDGE_ATTENTION_Q_SHARE, 1);
    double kv_rate = s->dram * ridge__form_constant(in, RIDGE_ATTENTION_KV_SHARE, 1);
    double moved = q_elements / 2 * (s->q_bytes + WIDE_BYTES) +
                   kv_elements * s->kv_bytes + new_elements * (WIDE_BYTES + s->kv_bytes);
    double factor = ridge__attn_cache(in, moved);
    double streams = factor * (q_elements / 2 * (s->q_bytes + WIDE_BYTES) / q_rate +
                               kv_elements * s->kv_bytes / kv_rate);
    /* The encoder's attention keeps no cache. */
    double append = 0, append_fixed = 0;
    if (s->causal) {
        append = factor * new_elements * (WIDE_BYTES + s->cache_bytes) / kv_rate;
        append_fixed = ridge__attn_fixed(in, RIDGE_ATTENTION_APPEND_FIXED);
    }
    /* The keys are split where that is faster. */
    double norm = ridge__attn_prefill_norm(in);
    cut whole = cut_prefill(s, in);
    cut k = cut_split(whole, in, 1);
    double fixed = ridge__attn_fixed(in, RIDGE_ATTENTION_FIXED) + append_fixed;
    double both = ridge__attn_overlap(k.loop_s, streams, norm);
    double limit = split_limit(&whole, in);
    if (limit > 1) {
        cut parts = cut_split(whole, in, limit);
        double merge = ridge__attn_fixed(in, RIDGE_ATTENTION_SPLIT_FIXED);
        double faster = ridge__attn_overlap(parts.loop_s, streams, norm);
        if (faster + merge < both) {
            k = parts;
            both = faster;
            fixed += merge;
        }
    }
    e->body_s = fixed + append + both;
    e->latency_s = e->launch_s + fixed;
    if (in->working)
        show_prefill(e, in, s, &k, moved, streams, append);

    ridge__estimate_term(e, "tile loop", RIDGE_BY_COMPUTE, e->work.flop,
                         s->math_flop_per_s,
                         e->work.flop / (s->math_flop_per_s * k.loop_s), k.loop_s);
    ridge__estimate_term(e, "q, k, v, o streams", RIDGE_BY_MEMORY, e->work.bytes, s->dram,
                         e->work.bytes / (s->dram * streams), streams);
    ridge__estimate_term(e, "kv append", RIDGE_BY_MEMORY,
                         new_elements * (WIDE_BYTES + s->cache_bytes), s->dram,
                         RIDGE_UNKNOWN, append);
    ridge__estimate_term(e, "fixed", RIDGE_BY_LATENCY, RIDGE_UNKNOWN, RIDGE_UNKNOWN,
                         RIDGE_UNKNOWN, fixed);
    e->plan = plan_of(&k, s);
    e->plan.ceiling_flop_per_s = e->work.flop / k.loop_s;
}

/* ---- Decode ------------------------------------------------------------------------ */

/* True where the kernel neither groups query heads nor splits the keys. */
static bool plain_decode(const shape *s, const ridge__form_input *in)
{
    return ridge__form_constant(in, RIDGE_ATTENTION_PLAIN_WINDOW, 0) > 0 &&
           (s->window > 0 || s->group == 1);
}

/* Keys that the sequences read: their mean, and KV tiles of the mean and the longest. */
typedef struct cached {
    double keys, steps, most;
} cached;

static double seen_keys(const shape *s, double kv)
{
    return s->window > 0 ? ridge__min(kv, s->window) : kv;
}

static cached read_keys(const shape *s, double tile_kv)
{
    cached mean = {.keys = seen_keys(s, s->kv)};
    mean.steps = mean.most = ceil(mean.keys / tile_kv);
    if (!s->lists)
        return mean;
    double q, kv, times;
    mean = (cached){0, 0, 0};
    for (ridge__sequences at = ridge__sequences_begin(s->lists);
         ridge__sequences_next(&at, &q, &kv, &times);) {
        double keys = seen_keys(s, kv), steps = ceil(keys / tile_kv);
        mean.keys += times / s->batch * keys;
        mean.steps += times / s->batch * steps;
        mean.most = ridge__max(mean.most, steps);
    }
    return mean;
}

static cut cut_decode(const shape *s, const ridge__form_input *in, const cached *keys)
{
    const double *c = in->fit->c;
    cut k = {.tile_q = c[RIDGE_ATTENTION_TILE_Q], .tile_kv = c[RIDGE_ATTENTION_TILE_KV]};
    bool single =
        plain_decode(s, in) ||
        s->group > ridge__form_constant(in, RIDGE_ATTENTION_GROUP_MAX, HUGE_VAL);
    double rows = single ? s->q : s->group * s->q;
    double heads = single ? s->heads : s->kv_heads;
    k.ctas = s->batch * heads * ceil(rows / k.tile_q);
    k.steps = keys->most;
    k.step_s = c[RIDGE_ATTENTION_STEP_FIXED] +
               k.tile_kv * s->dims * s->cache_bytes / c[RIDGE_ATTENTION_STEP_RATE];
    if (is_odd(s->dim))
        k.step_s *= ridge__form_constant(in, RIDGE_ATTENTION_ODD_DIM, 1);
    k.work_s = k.ctas * keys->steps * k.step_s;
    return k;
}

static void show_decode(const ridge_estimate *e, const ridge__form_input *in,
                        const shape *s, const cut *k, const cached *seen, double stream)
{
    double keys = seen->keys;
    ridge__working *w = in->working;
    double cache = s->batch * s->kv_heads * keys * s->dims * s->cache_bytes;
    double rate = s->dram * ridge__form_constant(in, RIDGE_ATTENTION_KV_SHARE, 1);
    double q_elements = s->batch * s->q * s->heads * s->dims;
    double odd =
        is_odd(s->dim) ? ridge__form_constant(in, RIDGE_ATTENTION_ODD_DIM, 1) : 1;
    ridge__attn_show_shape(in, s);
    ridge__working_add(w, "edge", NULL, 0, RIDGE_UNIT_S);
    ridge__working_add(w, "keys", "keys that a query reads: kv_len or the window", keys,
                       RIDGE_UNIT_COUNT);
    ridge__working_add(w, "ctas", "sequences x heads that a CTA serves alone x q tiles",
                       k->ctas, RIDGE_UNIT_COUNT);
    ridge__working_add(w, "steps",
                       s->lists ? "KV tiles of the longest sequence"
                                : "ceil({keys}/{tile_kv})",
                       k->steps, RIDGE_UNIT_COUNT);
    ridge__working_add(w, "mean steps",
                       s->lists ? "KV tiles of a sequence, the mean" : "{steps}",
                       seen->steps, RIDGE_UNIT_COUNT);
    ridge__working_add(w, "odd", NULL, odd, RIDGE_UNIT_NONE);
    ridge__working_add(w, "step",
                       "({step_fixed} + {tile_kv}*{dims}*{z}/{step_rate})*{odd}",
                       k->step_s, RIDGE_UNIT_S);
    ridge__working_add(w, "work", "{ctas}*{mean steps}*{step}", k->work_s, RIDGE_UNIT_S);
    show_loop(in, s, k);
    ridge__working_add(w, "bytes", "{batch}*{heads_kv}*{keys}*{dims}*{z}", cache,
                       RIDGE_UNIT_BYTES);
    ridge__attn_show_cache(in, cache);
    ridge__working_add(w, "stream",
                       "{cache}*({bytes} + 2*{batch}*{q_len}*{heads_q}*{dims})/"
                       "({B}*{kv_share})",
                       stream, RIDGE_UNIT_S);
    ridge__working_add(
        w, "append",
        "{batch}*{q_len}*{heads_kv}*{dims}*(2 + {z})/({B}*{kv_share}) + "
        "{batch}*{sequence_fixed}",
        s->batch * s->q * s->kv_heads * s->dims * (WIDE_BYTES + s->cache_bytes) / rate +
            s->batch * ridge__attn_fixed(in, RIDGE_ATTENTION_SEQUENCE_FIXED),
        RIDGE_UNIT_S);
    bool split = k->split > 1;
    ridge__working_add(w, "merge",
                       split ? "{split_fixed} + 8*{batch}*{q_len}*{heads_q}*{dims}/2*"
                               "{split}/{B}"
                             : NULL,
                       split ? ridge__attn_fixed(in, RIDGE_ATTENTION_SPLIT_FIXED) +
                                   MERGE_BYTES * q_elements / 2 * k->split / s->dram
                             : 0,
                       RIDGE_UNIT_S);
    ridge__working_add(w, "body",
                       "{fixed} + {append} + ({loop}^{overlap} + "
                       "{stream}^{overlap})^(1/{overlap}) + {merge}",
                       e->body_s, RIDGE_UNIT_S);
}

static void form_decode(ridge_estimate *e, const ridge__form_input *in, const shape *s)
{
    const cached seen = read_keys(s, in->fit->c[RIDGE_ATTENTION_TILE_KV]);
    double keys = seen.keys;
    double cache = s->batch * s->kv_heads * keys * s->dims * s->cache_bytes;
    double q_elements = s->batch * s->q * s->heads * s->dims; /* Q and O together */
    double new_elements = s->batch * s->q * s->kv_heads * s->dims;
    double rate = s->dram * ridge__form_constant(in, RIDGE_ATTENTION_KV_SHARE, 1);
    double moved = cache + q_elements * WIDE_BYTES;
    double stream = ridge__attn_cache(in, cache) * moved / rate;
    double append = new_elements * (WIDE_BYTES + s->cache_bytes) / rate +
                    s->batch * ridge__attn_fixed(in, RIDGE_ATTENTION_SEQUENCE_FIXED);

    /* The keys are split where that is faster. */
    double norm = ridge__form_constant(in, RIDGE_ATTENTION_OVERLAP, DECODE_OVERLAP);
    cut whole = cut_decode(s, in, &seen);
    cut k = cut_split(whole, in, 1);
    double fixed = ridge__attn_fixed(in, RIDGE_ATTENTION_FIXED), merge = 0;
    double both = ridge__attn_overlap(k.loop_s, stream, norm);
    double limit = plain_decode(s, in) ? 1 : split_limit(&whole, in);
    if (limit > 1) {
        cut parts = cut_split(whole, in, limit);
        double merge_fixed = ridge__attn_fixed(in, RIDGE_ATTENTION_SPLIT_FIXED);
        double merge_parts = MERGE_BYTES * q_elements / 2 * limit / s->dram;
        double faster = ridge__attn_overlap(parts.loop_s, stream, norm);
        if (faster + merge_fixed + merge_parts < both) {
            k = parts;
            both = faster;
            fixed += merge_fixed;
            merge = merge_parts;
        }
    }
    e->body_s = fixed + append + both + merge;
    e->latency_s = e->launch_s + fixed + ridge__attn_fixed(in, RIDGE_ATTENTION_CTA_FIXED);
    if (in->working)
        show_decode(e, in, s, &k, &seen, stream);

    ridge__estimate_term(e, "kv stream", RIDGE_BY_MEMORY, moved, s->dram,
                         moved / (s->dram * stream), stream);
    ridge__estimate_term(e, "kv steps of an SM", RIDGE_BY_MEMORY, cache,
                         s->units * in->fit->c[RIDGE_ATTENTION_STEP_RATE], RIDGE_UNKNOWN,
                         k.loop_s);
    ridge__estimate_term(e, "split merge", RIDGE_BY_MEMORY, RIDGE_UNKNOWN, s->dram,
                         RIDGE_UNKNOWN, merge);
    ridge__estimate_term(e, "kv append", RIDGE_BY_MEMORY, RIDGE_UNKNOWN, s->dram,
                         RIDGE_UNKNOWN, append);
    ridge__estimate_term(e, "fixed", RIDGE_BY_LATENCY, RIDGE_UNKNOWN, RIDGE_UNKNOWN,
                         RIDGE_UNKNOWN, fixed);
    e->plan = plan_of(&k, s);
}

void ridge__form_attention(ridge_estimate *e, const ridge__form_input *in)
{
    const double *c = in->fit->c;
    e->launch_s = ridge__form_launch(in->call, c[RIDGE_ATTENTION_LAUNCH_GRAPH],
                                     c[RIDGE_ATTENTION_LAUNCH_STREAM],
                                     c[RIDGE_ATTENTION_LAUNCH_EAGER]);
    ridge__estimate_term(e, "launch", RIDGE_BY_LATENCY, RIDGE_UNKNOWN, RIDGE_UNKNOWN,
                         RIDGE_UNKNOWN, e->launch_s);
    shape s = ridge__attn_read(e, in);
    if (in->fit->form == RIDGE_FIT_DECODE)
        form_decode(e, in, &s);
    else
        form_prefill(e, in, &s);
}
