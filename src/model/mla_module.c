/*
 * A module of latent attention: its projections and its kernel, each as if it were called
 * alone, the passes beside them, and the host that launches all of it.
 * docs/model/mla.md has the list of products and a worked number.
 */
#include "base/base.h"
#include "model/model.h"

#include <string.h>

/* Bytes of an element of what passes between kernels, read and written. */
static const double PASS_BYTES = 4;

enum {
    PRODUCTS = 5 /* of a module, at most */
};

/* A product of the module: `batch` times m x k by k x n. */
typedef struct product {
    const char *name; /* as it is shown */
    double m, n, k, batch;
    bool wide; /* not in the dtype of the projections: the heads' own, a batch */
} product;

typedef struct module {
    product product[PRODUCTS];
    double product_s[PRODUCTS];
    size_t count;
    double tokens, heads, qk, v, hidden;
    bool absorbed;
    double alone_s; /* the kernel, before its share */
    double products_s, attention_s, passes_s, host_s, fixed_s, kernels_s;
    ridge_bound products_bound;
} module;

static double symbol(const ridge_call *call, const char *name)
{
    return call->op->symbol(call, name, strlen(name));
}

static void add_product(module *m, product p)
{
    m->product[m->count++] = p;
}

/* The products of the scope: of an eager operator those beside its kernel alone. */
static void list_products(module *m, const ridge_call *call)
{
    const double *a = call->arg;
    double h = a[RIDGE_MLA_HEADS], rank = a[RIDGE_MLA_Q_LATENT];
    double latent = a[RIDGE_MLA_LATENT], rope = a[RIDGE_MLA_ROPE];
    double nope = a[RIDGE_MLA_NOPE], v = a[RIDGE_MLA_V_DIM];
    double keys = symbol(call, "keys"), t = m->tokens, hidden = m->hidden;
    bool whole = symbol(call, "module") > 0;
    if (whole) {
        double q = h * (nope + rope), side = latent + rope;
        add_product(m,
                    (product){"down", t, (rank > 0 ? rank : q) + side, hidden, 1, false});
        if (rank > 0)
            add_product(m, (product){"q up", t, q, rank, 1, false});
        add_product(m, (product){"out", t, hidden, h * v, 1, false});
    }
    if (ridge__mla_absorbed(call)) {
        add_product(m, (product){"q absorb", t, latent, nope, h, true});
        add_product(m, (product){"v up", t, v, latent, h, true});
    } else {
        add_product(m, (product){"kv up", keys, h * (nope + v), latent, 1, false});
    }
}

/* The library of the parts: that of the call, or of the fit where it asks for the best. */
static uint8_t library(const ridge__form_input *in)
{
    return in->call->backend == RIDGE_BACKEND_BEST ? (uint8_t)in->fit->backend
                                                   : in->call->backend;
}

/* A product as `ridge kernel gemm` has it. */
static ridge_call product_call(const ridge__form_input *in, const product *p,
                               ridge_dtype dtype)
{
    const uint32_t given = 1u << RIDGE_GEMM_M | 1u << RIDGE_GEMM_N | 1u << RIDGE_GEMM_K |
                           1u << RIDGE_GEMM_DTYPE;
    ridge_call c = {
        .op = ridge_op_find("gemm"), .backend = library(in), .timing = in->call->timing};
    for (size_t i = 0; i < RIDGE_ARG_MAX; i++)
        c.arg[i] = RIDGE_UNKNOWN;
    c.arg[RIDGE_GEMM_M] = p->m;
    c.arg[RIDGE_GEMM_N] = p->n;
    c.arg[RIDGE_GEMM_K] = p->k;
    c.arg[RIDGE_GEMM_BATCH] = p->batch;
    c.arg[RIDGE_GEMM_DTYPE] = (double)dtype;
    c.arg[RIDGE_GEMM_BETA] = c.arg[RIDGE_GEMM_EPILOGUE] = 0;
    c.arg[RIDGE_GEMM_PIPE] = in->call->arg[RIDGE_MLA_PIPE];
    c.given = p->batch > 1 ? given | 1u << RIDGE_GEMM_BATCH : given;
    return c;
}

/* Unknown where no constants are known. */
static ridge_status run_product(ridge_estimate *out, const ridge__form_input *in,
                                const product *p, ridge_dtype dtype)
{
    ridge_call c = product_call(in, p, dtype);
    ridge_status status = c.op->finish(&c, NULL);
    return status ? status : ridge_estimate_call(out, in->machine, &c, NULL);
}

/* The dtype that the part multiplies a projection in: a narrower one may be unknown to it. */
static ridge_dtype product_dtype(const ridge__form_input *in, const product *p)
{
    const double *a = in->call->arg;
    ridge_dtype own = (ridge_dtype)a[RIDGE_MLA_DTYPE];
    ridge_dtype wide = ridge__dtype(own)->output;
    ridge_pipe used;
    ridge_dtype asked = p->wide ? wide : (ridge_dtype)a[RIDGE_MLA_GEMM_DTYPE];
    ridge_dtype math = ridge__dtype(asked)->math;
    ridge_fact peak =
        ridge__machine_peak(in->machine, math, RIDGE_PIPE_ANY, RIDGE_FP32, &used);
    return ridge_known(peak.value) ? asked : wide;
}

static void run_products(module *m, const ridge__form_input *in)
{
    double longest = 0;
    for (size_t i = 0; i < m->count; i++) {
        ridge_estimate e;
        const product *p = &m->product[i];
        bool known = !run_product(&e, in, p, product_dtype(in, p));
        m->product_s[i] = known ? e.expected_s : RIDGE_UNKNOWN;
        m->products_s += m->product_s[i];
        if (known && m->product_s[i] > longest) {
            longest = m->product_s[i];
            m->products_bound = e.bound;
        }
    }
    m->products_s *= ridge__form_constant(in, RIDGE_MODULE_PRODUCTS, 1);
}

/* The kernel alone, as scope=attn has it. */
static ridge_call attention_call(const ridge__form_input *in)
{
    ridge_call c = *in->call;
    c.backend = library(in);
    c.arg[RIDGE_MLA_SCOPE] = 0;
    c.arg[RIDGE_MLA_ABSORBED] = ridge__mla_absorbed(in->call) ? 2 : 1;
    c.given = (c.given & ~(1u << RIDGE_MLA_SCOPE)) | 1u << RIDGE_MLA_ABSORBED;
    return c;
}

static double run_attention(const ridge__form_input *in)
{
    ridge_estimate e;
    ridge_call c = attention_call(in);
    return ridge_estimate_call(&e, in->machine, &c, NULL) ? RIDGE_UNKNOWN : e.expected_s;
}

/* All products above: of a module or of what is beside its kernel; absorbed or not. */
static const char *products_formula(const module *m)
{
    static const char *const formulas[2][PRODUCTS + 1] = {
        {[1] = "{products share}*{kv up}",
         [3] = "{products share}*({down} + {out} + {kv up})",
         [4] = "{products share}*({down} + {q up} + {out} + {kv up})"},
        {[2] = "{products share}*({q absorb} + {v up})",
         [4] = "{products share}*({down} + {out} + {q absorb} + {v up})",
         [5] = "{products share}*({down} + {q up} + {out} + {q absorb} + {v up})"}};
    return formulas[m->absorbed][m->count];
}

static void show(const ridge_estimate *e, const ridge__form_input *in, const module *m)
{
    ridge__working *w = in->working;
    for (size_t i = 0; i < m->count; i++) {
        const product *p = &m->product[i];
        ridge_call c = product_call(in, p, product_dtype(in, p));
        ridge__working_call(w, p->name, &c, m->product_s[i]);
    }
    ridge__working_add(w, "products share", NULL,
                       ridge__form_constant(in, RIDGE_MODULE_PRODUCTS, 1),
                       RIDGE_UNIT_NONE);
    ridge__working_add(w, "projections", products_formula(m), m->products_s,
                       RIDGE_UNIT_S);
    ridge_call c = attention_call(in);
    ridge__working_call(w, "alone", &c, m->alone_s);
    ridge__working_add(w, "kernel share", NULL,
                       ridge__form_constant(in, RIDGE_MODULE_ATTENTION, 1),
                       RIDGE_UNIT_NONE);
    ridge__working_add(w, "kernel", "{alone}*{kernel share}", m->attention_s,
                       RIDGE_UNIT_S);
    ridge__working_add(w, "head passes", NULL,
                       ridge__form_constant(in, RIDGE_MODULE_HEAD_PASSES, 0),
                       RIDGE_UNIT_NONE);
    ridge__working_add(w, "token passes", NULL,
                       ridge__form_constant(in, RIDGE_MODULE_TOKEN_PASSES, 0),
                       RIDGE_UNIT_NONE);
    ridge__working_add(w, "passes",
                       "4*{queries}*({head passes}*{heads}*({qk} + {v}) + "
                       "{token passes}*{hidden})/{B}",
                       m->passes_s, RIDGE_UNIT_S);
    ridge__working_add(w, "kernels", "{fixed} + {projections} + {kernel} + {passes}",
                       m->kernels_s, RIDGE_UNIT_S);
    ridge__working_add(w, "calls", "of the host, beside which kernels run", m->host_s,
                       RIDGE_UNIT_S);
    ridge__working_add(w, "body", "({kernels}^4 + {calls}^4)^(1/4)", e->body_s,
                       RIDGE_UNIT_S);
}

void ridge__form_mla_module(ridge_estimate *e, const ridge__form_input *in)
{
    const ridge_call *call = in->call;
    module m = {.tokens = symbol(call, "queries"),
                .heads = call->arg[RIDGE_MLA_HEADS],
                .qk = symbol(call, "qk"),
                .v = symbol(call, "v"),
                .hidden = call->arg[RIDGE_MLA_HIDDEN],
                .absorbed = ridge__mla_absorbed(call),
                .host_s = ridge__form_constant(in, RIDGE_MODULE_HOST, 0),
                .fixed_s = ridge__form_constant(in, RIDGE_MODULE_FIXED, 0)};
    list_products(&m, call);
    run_products(&m, in);
    m.alone_s = run_attention(in);
    m.attention_s = m.alone_s * ridge__form_constant(in, RIDGE_MODULE_ATTENTION, 1);
    m.passes_s =
        PASS_BYTES * m.tokens *
        (ridge__form_constant(in, RIDGE_MODULE_HEAD_PASSES, 0) * m.heads * (m.qk + m.v) +
         ridge__form_constant(in, RIDGE_MODULE_TOKEN_PASSES, 0) * m.hidden) /
        e->bandwidth_bytes_per_s;
    m.kernels_s = m.fixed_s + m.products_s + m.attention_s + m.passes_s;
    e->launch_s = 0;                                /* each kernel has its own */
    e->latency_s = ridge__max(m.fixed_s, m.host_s); /* side by side: no sum of them */
    e->body_s = ridge__norm4(m.kernels_s, m.host_s);
    if (in->working)
        show(e, in, &m);
    ridge__estimate_term(e, "projections", m.products_bound, RIDGE_UNKNOWN, RIDGE_UNKNOWN,
                         RIDGE_UNKNOWN, m.products_s);
    ridge__estimate_term(e, "attention kernel",
                         in->fit->form == RIDGE_FIT_MODULE && ridge__mla_absorbed(call)
                             ? RIDGE_BY_MEMORY
                             : RIDGE_BY_COMPUTE,
                         RIDGE_UNKNOWN, RIDGE_UNKNOWN, RIDGE_UNKNOWN, m.attention_s);
    if (m.passes_s > 0)
        ridge__estimate_term(e, "passes beside", RIDGE_BY_MEMORY,
                             m.passes_s * e->bandwidth_bytes_per_s,
                             e->bandwidth_bytes_per_s, 1, m.passes_s);
    ridge__estimate_term(e, "small kernels", RIDGE_BY_LATENCY, RIDGE_UNKNOWN,
                         RIDGE_UNKNOWN, RIDGE_UNKNOWN, m.fixed_s);
    if (m.host_s > 0)
        ridge__estimate_term(e, "host's calls", RIDGE_BY_LATENCY, RIDGE_UNKNOWN,
                             RIDGE_UNKNOWN, RIDGE_UNKNOWN, m.host_s);
}
