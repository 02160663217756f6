/* What must hold for the estimate of any product on any part of the catalogue. */
#include <ridge.h>

#include "property.h"

#include <string.h>

static ridge_catalog *catalog;

static const char *const dtypes[] = {"fp64", "fp32", "tf32",  "bf16",      "fp16",
                                     "fp8",  "int8", "nvfp4", "fp8_block", "int4_wo"};

typedef struct product {
    const char *part, *dtype;
    size_t m, n, k;
} product;

static size_t size_of(property_random *r)
{
    return (size_t)property_log(r, 1, 32768);
}

static product any_product(property_random *r)
{
    size_t parts = ridge_catalog_count(catalog);
    return (product){
        .part = ridge_catalog_id(catalog, property_below(r, parts)),
        .dtype = dtypes[property_below(r, sizeof dtypes / sizeof *dtypes)],
        .m = size_of(r),
        .n = size_of(r),
        .k = size_of(r),
    };
}

static bool fail(property_random *r, const product *p, const char *what)
{
    return property_fail(r, "m=%zu n=%zu k=%zu dtype=%s on %s: %s", p->m, p->n, p->k,
                         p->dtype, p->part, what);
}

/* The estimate with `peak` and `dram` set (NULL: as they are); false without rates. */
static bool estimate(ridge_estimate *e, const product *p, const char *factor)
{
    char m[24], n[24], k[24];
    const ridge_device *device = NULL;
    ridge_machine *machine = NULL;
    ridge_call call;
    snprintf(m, sizeof m, "%zu", p->m);
    snprintf(n, sizeof n, "%zu", p->n);
    snprintf(k, sizeof k, "%zu", p->k);
    bool done =
        !ridge_catalog_load(&device, catalog, p->part, NULL) &&
        !ridge_machine_new(&machine, catalog, device, NULL) &&
        (!factor || (!ridge_machine_set(machine, "peak", factor, NULL) &&
                     !ridge_machine_set(machine, "dram", factor, NULL))) &&
        !ridge_call_init(&call, "gemm", NULL) && !ridge_call_set(&call, "m", m, NULL) &&
        !ridge_call_set(&call, "n", n, NULL) && !ridge_call_set(&call, "k", k, NULL) &&
        !ridge_call_set(&call, "dtype", p->dtype, NULL) &&
        !ridge_call_finish(&call, NULL) && !ridge_estimate_call(e, machine, &call, NULL);
    ridge_machine_free(machine);
    return done;
}

/* floor <= expected, low <= expected <= high, and the floor is the largest of its terms. */
static bool times_are_in_order(property_random *r)
{
    product p = any_product(r);
    ridge_estimate e;
    if (!estimate(&e, &p, NULL) || !ridge_known(e.floor_s))
        return true;
    if (e.floor_s < e.compute_s || e.floor_s < e.memory_s || e.floor_s > e.upper_s)
        return fail(r, &p, "the floor is not between its terms and their sum");
    if (!ridge_known(e.expected_s))
        return true;
    if (e.expected_s < e.floor_s)
        return fail(r, &p, "expected below the floor");
    if (!(e.low_s <= e.expected_s && e.expected_s <= e.high_s))
        return fail(r, &p, "expected outside of its interval");
    if (fabs(e.launch_s + e.body_s - e.expected_s) > 1e-9 * e.expected_s)
        return fail(r, &p, "expected is not launch + body");
    return true;
}

/* No rate at the floor beats min(peak, intensity x bandwidth), up to rounding. */
static bool no_rate_beats_the_roof(property_random *r)
{
    product p = any_product(r);
    ridge_estimate e;
    if (!estimate(&e, &p, NULL) || !ridge_known(e.floor_s))
        return true;
    double rate = e.work.flop / e.floor_s;
    double roof = ridge_roofline(e.peak_flop_per_s, e.bandwidth_bytes_per_s, e.intensity);
    return rate <= roof * (1 + 1e-12) || fail(r, &p, "the floor's rate beats the roof");
}

/* Twice the rates: half the time, to the last bit. */
static bool scaling_by_two_is_exact(property_random *r)
{
    product p = any_product(r);
    ridge_estimate one, two;
    if (!estimate(&one, &p, NULL) || !estimate(&two, &p, "2x") ||
        !ridge_known(one.floor_s))
        return true;
    return (two.compute_s * 2 == one.compute_s && two.memory_s * 2 == one.memory_s &&
            two.floor_s * 2 == one.floor_s) ||
           fail(r, &p, "2x rates do not halve the floor");
}

/* More of a size is never less work: FLOP, bytes and floor do not fall. */
static bool more_is_not_less(property_random *r)
{
    product p = any_product(r), q = p;
    ridge_estimate small, large;
    size_t *const sizes[] = {&q.m, &q.n, &q.k};
    *sizes[property_below(r, 3)] += 1 + property_below(r, 100);
    if (!estimate(&small, &p, NULL) || !estimate(&large, &q, NULL) ||
        !ridge_known(small.floor_s))
        return true;
    return (large.work.flop >= small.work.flop && large.work.bytes >= small.work.bytes &&
            large.floor_s >= small.floor_s) ||
           fail(r, &p, "a larger product has a lower floor");
}

int main(void)
{
    ridge_error err;
    if (ridge_catalog_open(&catalog, NULL, NULL, &err)) {
        fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    int failed =
        property_check("times are in order", times_are_in_order, 5000) |
        property_check("no rate beats the roof", no_rate_beats_the_roof, 3000) |
        property_check("scaling by two is exact", scaling_by_two_is_exact, 3000) |
        property_check("more is not less", more_is_not_less, 3000);
    ridge_catalog_free(catalog);
    return failed;
}
