/*
 * Gradients of attention: dQ, dK and dV from dO, by constants of the forward pass.  Formulas,
 * their source and a worked number: docs/model/attention.md.
 */
#include "base/base.h"
#include "model/attention.h"

/* P again, and dS = P (dP - D): twice the elementwise work of a score. */
static const double ELEMENTWISE = 2;
/* dQ is added up in fp32; so is the sum D of a row. */
static const double SUM_BYTES = 4;
static const double WIDE_BYTES = 2;
/* The pass before (D = rowsum(dO O), dQ cleared) and that after (dQ narrowed). */
static const double PASSES = 2;

/* A CTA keeps tile_q keys with their dK and dV, and walks over queries, tile_kv at a time. */
typedef struct walk {
    double kept, walked; /* keys and queries of a tile */
    double heads, ctas, steps;
    ridge__attn_tiles tiles;
    double products; /* FLOP of a score */
    double step_s, work_s, edge_s, even_s, longest_s, loop_s;
} walk;

/* Bytes, and the time that they take. */
typedef struct traffic {
    double q_bytes, kv_bytes, sum_bytes, pass_bytes;
    double cache, stream_s, sum_s, pass_s, pass_fixed_s;
} traffic;

/* CTAs of a head, and the tiles that the longest of them walks over. */
static void count_columns(walk *k, const ridge__attn_shape *s)
{
    double q = s->q, kv = s->kv, times, each = 0;
    if (s->lists) {
        q = 0;
        for (ridge__sequences at = ridge__sequences_begin(s->lists);
             ridge__sequences_next(&at, &each, &kv, &times);) {
            q = ridge__max(q, each);
            k->ctas += times / s->batch * ceil(kv / k->kept);
        }
    } else {
        k->ctas = ceil(kv / k->kept);
    }
    k->ctas *= k->heads;
    k->steps = ceil(q / k->walked);
    if (s->window > 0) {
        double reach = s->window + k->kept - 1;
        k->steps = ridge__min(k->steps, floor((reach + k->walked - 2) / k->walked) + 1);
    }
}

static walk walk_tiles(const ridge__attn_shape *s, const ridge__form_input *in)
{
    const double *c = in->fit->c;
    const double none = HUGE_VAL;
    walk k = {
        .kept = ridge__attn_extent(
            c[RIDGE_ATTENTION_TILE_Q],
            ridge__form_constant(in, RIDGE_ATTENTION_Q_ELEMENTS, none), s->dim),
        .walked = ridge__attn_extent(
            c[RIDGE_ATTENTION_TILE_KV],
            ridge__form_constant(in, RIDGE_ATTENTION_KV_ELEMENTS, none), s->dim),
        .heads = s->batch * s->heads,
        .products = 2 * (2 * s->dims + s->dim),
    };
    count_columns(&k, s);
    k.tiles = ridge__attn_count_tiles(s, 1, k.walked, k.kept);
    double mma =
        k.products * s->units / (s->math_flop_per_s * c[RIDGE_ATTENTION_MMA_SHARE]);
    double softmax = ELEMENTWISE * ridge__attn_softmax(in) / in->machine->clock_matrix_hz;
    double masked = ridge__form_constant(in, RIDGE_ATTENTION_MASKED_TILE, 1) - 1;
    double cta_fixed = ridge__attn_fixed(in, RIDGE_ATTENTION_CTA_FIXED);
    k.step_s = k.kept * k.walked * ridge__attn_width(s->dim, in) * (mma + softmax);
    k.work_s = k.heads * (k.tiles.total + masked * k.tiles.masked) * k.step_s;
    k.edge_s = masked * k.step_s;
    k.even_s = (k.work_s + k.ctas * cta_fixed) / s->units;
    k.longest_s = k.steps * k.step_s + k.edge_s + cta_fixed;
    k.loop_s = ridge__norm4(k.even_s + ridge__form_constant(in, RIDGE_ATTENTION_TAIL, 0) *
                                           k.longest_s,
                            k.longest_s);
    return k;
}

static traffic count_traffic(const ridge__attn_shape *s, const walk *k,
                             const ridge__form_input *in)
{
    double q = s->batch * s->q * s->heads;
    double kv = s->batch * s->kv * s->kv_heads * s->dims;
    double out = ridge__max(WIDE_BYTES, s->q_bytes), v = s->dims - s->dim;
    double q_rate = s->dram * ridge__form_constant(in, RIDGE_ATTENTION_Q_SHARE, 1);
    double kv_rate = s->dram * ridge__form_constant(in, RIDGE_ATTENTION_KV_SHARE, 1);
    double l2 = ridge_known(in->machine->l2.value) ? in->machine->l2.value : s->dram;
    traffic t = {
        .q_bytes = q * (s->dim * s->q_bytes + v * out),
        .kv_bytes = kv * (s->kv_bytes + out),
        .sum_bytes = k->heads * k->tiles.total * k->walked * s->dim * SUM_BYTES,
        .pass_bytes = q * (v * 2 * out + s->dim * SUM_BYTES + s->dim * (SUM_BYTES + out)),
    };
    t.cache = ridge__attn_cache(in, t.q_bytes + t.kv_bytes + t.pass_bytes);
    t.stream_s = t.cache * (t.q_bytes / q_rate + t.kv_bytes / kv_rate);
    t.sum_s = t.sum_bytes / l2;
    t.pass_s = t.cache * t.pass_bytes / ridge__min(q_rate, kv_rate);
    /* Each pass is a small kernel of its own, as the append to a cache is. */
    t.pass_fixed_s = ridge__max(ridge__attn_fixed(in, RIDGE_ATTENTION_APPEND_FIXED),
                                in->fit->c[RIDGE_ATTENTION_LAUNCH_GRAPH]);
    return t;
}

static void show_walk(const ridge__attn_shape *s, const walk *k,
                      const ridge__form_input *in)
{
    ridge__working *w = in->working;
    const ridge_unit count = RIDGE_UNIT_COUNT, s_ = RIDGE_UNIT_S;
    ridge__attn_show_shape(in, s);
    ridge__working_add(w, "clock", NULL, in->machine->clock_matrix_hz, RIDGE_UNIT_HZ);
    ridge__working_add(w, "heads", "{batch}*{heads_q}", k->heads, count);
    ridge__working_add(w, "tk", "keys that a CTA keeps: tile_q", k->kept, count);
    ridge__working_add(w, "tq", "queries of a step: tile_kv", k->walked, count);
    ridge__working_add(w, "ctas", "heads x tiles of keys, in all sequences", k->ctas,
                       count);
    ridge__working_add(w, "tiles", "tiles that the mask leaves, a head", k->tiles.total,
                       count);
    ridge__working_add(w, "masked", "partly masked ones among them", k->tiles.masked,
                       count);
    ridge__working_add(w, "steps", "tiles of queries of the longest CTA", k->steps,
                       count);
    ridge__working_add(w, "width", "factor of head_dim: narrow, wide, odd_dim",
                       ridge__attn_width(s->dim, in), RIDGE_UNIT_NONE);
    ridge__working_add(w, "products", "2*(3*{head_dim} + 2*{head_dim_v})", k->products,
                       RIDGE_UNIT_FLOP);
    ridge__working_add(w, "step",
                       "{tq}*{tk}*{width}*({products}*{units}/({Pm}*{mma_share}) + "
                       "2*{softmax}/{clock})",
                       k->step_s, s_);
    ridge__working_add(w, "work",
                       "{heads}*({tiles} + ({masked_tile} - 1)*{masked})*{step}",
                       k->work_s, s_);
    ridge__working_add(w, "edge", "({masked_tile} - 1)*{step}", k->edge_s, s_);
    ridge__working_add(w, "even", "({work} + {ctas}*{cta_fixed})/{units}", k->even_s, s_);
    ridge__working_add(w, "longest", "{steps}*{step} + {edge} + {cta_fixed}",
                       k->longest_s, s_);
    ridge__working_add(w, "loop", "(({even} + {tail}*{longest})^4 + {longest}^4)^(1/4)",
                       k->loop_s, s_);
}

static void show_traffic(const ridge_estimate *e, const ridge__attn_shape *s,
                         const traffic *t, const ridge__form_input *in)
{
    ridge__working *w = in->working;
    const ridge_unit bytes = RIDGE_UNIT_BYTES, s_ = RIDGE_UNIT_S;
    ridge__working_add(w, "out", "bytes of an element of dO, dQ, dK, dV",
                       ridge__max(WIDE_BYTES, s->q_bytes), bytes);
    ridge__working_add(w, "Q",
                       "{batch}*{q_len}*{heads_q}*({head_dim}*{zq} + {head_dim_v}*{out})",
                       t->q_bytes, bytes);
    ridge__working_add(w, "K", "{batch}*{kv_len}*{heads_kv}*{dims}*({z} + {out})",
                       t->kv_bytes, bytes);
    ridge__working_add(w, "passed",
                       "{batch}*{q_len}*{heads_q}*({head_dim_v}*2*{out} + "
                       "{head_dim}*(8 + {out}))",
                       t->pass_bytes, bytes);
    ridge__working_add(w, "bytes", "{Q} + {K} + {passed}",
                       t->q_bytes + t->kv_bytes + t->pass_bytes, bytes);
    ridge__attn_show_cache(in, t->q_bytes + t->kv_bytes + t->pass_bytes);
    ridge__working_add(w, "streams",
                       "{cache}*({Q}/({B}*{q_share}) + {K}/({B}*{kv_share}))",
                       t->stream_s, s_);
    ridge__working_add(w, "dq", "4*{heads}*{tiles}*{tq}*{head_dim}", t->sum_bytes, bytes);
    ridge__working_add(w, "sums", "{dq} at the rate of L2", t->sum_s, s_);
    ridge__working_add(w, "pass", "a small kernel: append_fixed, at least launch_graph",
                       t->pass_fixed_s, s_);
    ridge__working_add(w, "passes",
                       "2*{pass} + {cache}*{passed}/({B}*min({q_share}, {kv_share}))",
                       PASSES * t->pass_fixed_s + t->pass_s, s_);
    ridge__working_add(w, "body",
                       "{fixed} + {passes} + ({loop}^{overlap} + "
                       "({streams} + {sums})^{overlap})^(1/{overlap})",
                       e->body_s, s_);
}

void ridge__form_attention_backward(ridge_estimate *e, const ridge__form_input *in)
{
    const double *c = in->fit->c;
    const ridge__attn_shape s = ridge__attn_read(e, in);
    const walk k = walk_tiles(&s, in);
    const traffic t = count_traffic(&s, &k, in);
    double fixed = ridge__attn_fixed(in, RIDGE_ATTENTION_FIXED) + PASSES * t.pass_fixed_s;
    e->launch_s = ridge__form_launch(in->call, c[RIDGE_ATTENTION_LAUNCH_GRAPH],
                                     c[RIDGE_ATTENTION_LAUNCH_STREAM],
                                     c[RIDGE_ATTENTION_LAUNCH_EAGER]);
    e->body_s =
        fixed + t.pass_s +
        ridge__attn_overlap(k.loop_s, t.stream_s + t.sum_s, ridge__attn_prefill_norm(in));
    e->latency_s = e->launch_s + fixed;
    /* No times of gradients were published for any of these constants. */
    e->warnings |= RIDGE_WARNING_BORROWED | RIDGE_WARNING_UNMEASURED;
    if (in->working) {
        show_walk(&s, &k, in);
        show_traffic(e, &s, &t, in);
    }

    ridge__estimate_term(e, "launch", RIDGE_BY_LATENCY, RIDGE_UNKNOWN, RIDGE_UNKNOWN,
                         RIDGE_UNKNOWN, e->launch_s);
    ridge__estimate_term(e, "tile loop", RIDGE_BY_COMPUTE, e->work.flop,
                         s.math_flop_per_s, e->work.flop / (s.math_flop_per_s * k.loop_s),
                         k.loop_s);
    ridge__estimate_term(e, "q, k, v, do, dk, dv streams", RIDGE_BY_MEMORY,
                         t.q_bytes + t.kv_bytes, s.dram,
                         (t.q_bytes + t.kv_bytes) / (s.dram * t.stream_s), t.stream_s);
    ridge__estimate_term(e, "dq sums in L2", RIDGE_BY_MEMORY, t.sum_bytes,
                         in->machine->l2.value, RIDGE_UNKNOWN, t.sum_s);
    ridge__estimate_term(e, "passes before and after", RIDGE_BY_MEMORY, t.pass_bytes,
                         s.dram, RIDGE_UNKNOWN, t.pass_s);
    ridge__estimate_term(e, "fixed", RIDGE_BY_LATENCY, RIDGE_UNKNOWN, RIDGE_UNKNOWN,
                         RIDGE_UNKNOWN, fixed);
    e->plan = (ridge_plan){.tile_m = (uint32_t)k.walked,
                           .tile_n = (uint32_t)k.kept,
                           .split = 1,
                           .ctas = k.ctas,
                           .waves = k.ctas / s.units,
                           .ceiling_flop_per_s = e->work.flop / k.loop_s};
}
