/*
 * What holds for every estimate of a product: more work or a slower part never shortens a
 * time, no time is below the floor, the interval holds the expectation, and scaling the
 * machine's rates by a power of two scales the floor exactly.  The first holds for streams,
 * scans and sparse attention, too.
 */
#include "model/model.h"

#include "property.h"

static ridge_catalog *catalog;

static const char *const PARTS[] = {"h100-sxm",     "a100-sxm-80", "b200-hgx", "l40s",
                                    "gb200",        "h20",         "rtx4090",  "mi300x",
                                    "v100-pcie-16", "t4",          "b300-hgx"};
static const ridge_dtype DTYPES[] = {RIDGE_BF16, RIDGE_FP16, RIDGE_FP8, RIDGE_FP8_BLOCK,
                                     RIDGE_FP32};

/* NULL where the machine cannot be made, which fails the property. */
static ridge_machine *machine_of(const char *id, const char *key, const char *value)
{
    const ridge_device *device = NULL;
    ridge_machine *machine = NULL;
    ridge_error err;
    if (ridge_catalog_load(&device, catalog, id, &err) ||
        ridge_machine_new(&machine, catalog, device, &err) ||
        (key && ridge_machine_set(machine, key, value, &err))) {
        ridge_machine_free(machine);
        return NULL;
    }
    return machine;
}

/* A product of log-uniform sizes, as multiples of one alignment. */
static ridge_call random_call(property_random *r)
{
    ridge_call call;
    ridge_error err;
    double align = property_below(r, 2) ? 64 : 1;
    if (ridge_call_init(&call, "gemm", &err))
        abort(); /* the op exists: its own tests say so */
    call.arg[RIDGE_GEMM_M] = align * floor(property_log(r, 1, 16384 / align));
    call.arg[RIDGE_GEMM_N] = align * floor(property_log(r, 1, 65536 / align));
    call.arg[RIDGE_GEMM_K] = align * floor(property_log(r, 1, 65536 / align));
    call.arg[RIDGE_GEMM_BATCH] =
        property_below(r, 3) ? 1 : floor(property_log(r, 1, 256));
    call.arg[RIDGE_GEMM_DTYPE] = DTYPES[property_below(r, RIDGE__COUNT(DTYPES))];
    call.given = 0x1f;
    call.backend = (uint8_t)property_below(r, RIDGE_BACKEND_COUNT);
    if (ridge_call_finish(&call, &err))
        abort();
    return call;
}

static const char *text_of(const ridge_call *call, char *buf, size_t size)
{
    snprintf(buf, size, "m=%g n=%g k=%g batch=%g dtype=%s backend=%s",
             call->arg[RIDGE_GEMM_M], call->arg[RIDGE_GEMM_N], call->arg[RIDGE_GEMM_K],
             call->arg[RIDGE_GEMM_BATCH],
             ridge_dtype_name((ridge_dtype)call->arg[RIDGE_GEMM_DTYPE]),
             ridge_backend_name((ridge_backend)call->backend));
    return buf;
}

/* later >= sooner, up to rounding; unknown on both sides passes. */
static bool no_sooner(double later, double sooner)
{
    return later >= sooner * (1 - 1e-12) || (!ridge_known(later) && !ridge_known(sooner));
}

static bool more_work_takes_longer(property_random *r)
{
    char buf[160];
    ridge_call call = random_call(r), more = call;
    const char *part = PARTS[property_below(r, RIDGE__COUNT(PARTS))];
    size_t which = property_below(r, 4); /* m, n, k or batch */
    /* A batch is another kernel of its library, with constants of its own, and without the
     * quantisation of one product (docs/model/gemm.md): from 1 to 2 the kernels differ. */
    if (which == RIDGE_GEMM_BATCH && call.arg[RIDGE_GEMM_BATCH] == 1)
        which = RIDGE_GEMM_M;
    more.arg[which] += which == RIDGE_GEMM_BATCH ? 1 : 64 * floor(property_log(r, 1, 64));
    ridge_machine *machine = machine_of(part, NULL, NULL);
    ridge_estimate a = {0}, b = {0};
    bool ok = machine && !ridge_estimate_call(&a, machine, &call, NULL) &&
              !ridge_estimate_call(&b, machine, &more, NULL) &&
              no_sooner(b.expected_s, a.expected_s) && no_sooner(b.floor_s, a.floor_s);
    /* Another entry has another spread, and one is less sure of longer calls than any fitted. */
    if (ok && a.basis == b.basis && !(b.warnings & RIDGE_WARNING_EXTRAPOLATED))
        ok = no_sooner(b.low_s, a.low_s) && no_sooner(b.high_s, a.high_s);
    ridge_machine_free(machine);
    return ok || property_fail(r, "%s %s, more of argument %zu: %g s, then %g s", part,
                               text_of(&call, buf, sizeof buf), which, a.expected_s,
                               b.expected_s);
}

/* Calls of the other forms, with what of them grows and how far. */
static const struct grown {
    const char *op, *words[3], *key;
    double most;
} GROWN[] = {
    {"rmsnorm", {"cols=4096", "dtype=bf16"}, "rows", 1e6},
    {"softmax", {"rows=64", "dtype=fp32"}, "cols", 1e5},
    {"add", {"dtype=bf16"}, "elements", 1e9},
    {"gdn", {"b=2 k_heads=8", "k_dim=128", "dtype=bf16"}, "seq_len", 65536},
    {"dsa", {"q_len=1 kv_past=8191", "heads=16", "dtype=bf16"}, "batch", 512},
    {"csa", {"b=1 kv_past=1000", "heads=64", "dtype=bf16"}, "q_len", 8192},
    {"msa", {"b=4 q_len=1", "heads=8", "dtype=bf16"}, "kv_past", 131072},
};

/* "b=2 k_heads=8": each word of each string is set. */
static bool set_words(ridge_call *call, const char *words, ridge_error *err)
{
    char text[64];
    snprintf(text, sizeof text, "%s", words);
    for (char *at = text; at && *at;) {
        char *value = strchr(at, '='), *next = strchr(at, ' ');
        *value++ = '\0';
        if (next)
            *next++ = '\0';
        if (ridge_call_set(call, at, value, err))
            return false;
        at = next;
    }
    return true;
}

static ridge_call grown_call(const struct grown *g, double size, uint8_t backend)
{
    char word[64];
    ridge_call call;
    ridge_error err;
    snprintf(word, sizeof word, "%s=%.0f", g->key, size);
    bool ok = !ridge_call_init(&call, g->op, &err) && set_words(&call, word, &err);
    for (size_t i = 0; i < RIDGE__COUNT(g->words); i++)
        ok = ok && (!g->words[i] || set_words(&call, g->words[i], &err));
    if (!ok || ridge_call_finish(&call, &err))
        abort(); /* a row above is wrong */
    call.backend = backend;
    return call;
}

static bool more_of_others_takes_longer(property_random *r)
{
    const struct grown *g = &GROWN[property_below(r, RIDGE__COUNT(GROWN))];
    const char *part = PARTS[property_below(r, RIDGE__COUNT(PARTS))];
    uint8_t backend = (uint8_t)property_below(r, RIDGE_BACKEND_COUNT);
    double size = floor(property_log(r, 1, g->most));
    double next = size + floor(property_log(r, 1, size + 1));
    ridge_call call = grown_call(g, size, backend), more = grown_call(g, next, backend);
    call.timing = more.timing = (uint8_t)property_below(r, RIDGE_TIMING_COUNT);
    ridge_machine *machine = machine_of(part, NULL, NULL);
    ridge_estimate a = {0}, b = {0};
    bool ok = machine && !ridge_estimate_call(&a, machine, &call, NULL) &&
              !ridge_estimate_call(&b, machine, &more, NULL);
    /* A prompt has entries of its own: from one query to two the kernels differ. */
    ok = ok && (a.basis != b.basis || no_sooner(b.expected_s, a.expected_s)) &&
         no_sooner(b.floor_s, a.floor_s);
    ridge_machine_free(machine);
    return ok || property_fail(r, "%s %s %s=%.0f, then %.0f: %g s, then %g s", part,
                               g->op, g->key, size, next, a.expected_s, b.expected_s);
}

static bool slower_parts_take_longer(property_random *r)
{
    static const char *const worse[][2] = {
        {"peak", "0.6x"}, {"dram", "0.6x"}, {"clock", "900MHz"}};
    char buf[160];
    ridge_call call = random_call(r);
    const char *part = PARTS[property_below(r, RIDGE__COUNT(PARTS))];
    size_t which = property_below(r, RIDGE__COUNT(worse));
    ridge_machine *fast = machine_of(part, NULL, NULL);
    ridge_machine *slow = machine_of(part, worse[which][0], worse[which][1]);
    ridge_estimate a = {0}, b = {0};
    bool ok = fast && slow && !ridge_estimate_call(&a, fast, &call, NULL) &&
              !ridge_estimate_call(&b, slow, &call, NULL) &&
              no_sooner(b.expected_s, a.expected_s) && no_sooner(b.floor_s, a.floor_s);
    ridge_machine_free(fast);
    ridge_machine_free(slow);
    return ok || property_fail(r, "%s %s, %s %s: %g s, then %g s", part,
                               text_of(&call, buf, sizeof buf), worse[which][0],
                               worse[which][1], a.expected_s, b.expected_s);
}

static bool times_are_in_order(property_random *r)
{
    char buf[160];
    ridge_call call = random_call(r);
    const char *part = PARTS[property_below(r, RIDGE__COUNT(PARTS))];
    ridge_machine *machine = machine_of(part, NULL, NULL);
    ridge_estimate e = {0};
    bool ok = machine && !ridge_estimate_call(&e, machine, &call, NULL);
    if (ok && ridge_known(e.expected_s))
        ok = e.floor_s <= e.low_s && e.low_s <= e.expected_s &&
             e.expected_s <= e.high_s &&
             e.work.flop / e.floor_s <= e.ceiling_flop_per_s * (1 + 1e-12);
    ridge_machine_free(machine);
    return ok || property_fail(r, "%s %s: floor %g, low %g, expected %g, high %g", part,
                               text_of(&call, buf, sizeof buf), e.floor_s, e.low_s,
                               e.expected_s, e.high_s);
}

static void scale_rates(ridge_machine *machine, double factor)
{
    for (int dtype = 0; dtype < RIDGE_DTYPE_COUNT; dtype++)
        for (int pipe = 0; pipe < RIDGE_PIPE_COUNT; pipe++)
            machine->peak[dtype][pipe].value *= factor;
    machine->dram.value *= factor;
}

static bool floor_scales_exactly(property_random *r)
{
    char buf[160];
    ridge_call call = random_call(r);
    ridge_machine *machine = machine_of("h100-sxm", NULL, NULL);
    ridge_estimate a = {0}, b = {0};
    bool ok = machine && !ridge_estimate_call(&a, machine, &call, NULL);
    if (ok) {
        scale_rates(machine, 0.25);
        ok = !ridge_estimate_call(&b, machine, &call, NULL) &&
             b.floor_s == 4 * a.floor_s && b.upper_s == 4 * a.upper_s;
    }
    ridge_machine_free(machine);
    return ok || property_fail(r, "%s: %g, %g", text_of(&call, buf, sizeof buf),
                               a.floor_s, b.floor_s);
}

int main(void)
{
    ridge_error err;
    if (ridge_catalog_open(&catalog, NULL, NULL, &err)) {
        printf("%s\n", err.message);
        return 1;
    }
    int failed =
        property_check("more work takes longer", more_work_takes_longer, 20000) +
        property_check("more of others takes longer", more_of_others_takes_longer,
                       10000) +
        property_check("slower parts take longer", slower_parts_take_longer, 20000) +
        property_check("times are in order", times_are_in_order, 20000) +
        property_check("the floor scales exactly", floor_scales_exactly, 2000);
    ridge_catalog_free(catalog);
    return failed != 0;
}
