/* Slices of a part: a part of its own, derived from the whole. */
#include "base/base.h"
#include "hw/hw.h"

#include "test.h"

static ridge_catalog *catalog_of(void)
{
    ridge_catalog *catalog = NULL;
    assert_int_equal(ridge_catalog_open(&catalog, NULL, NULL, NULL), RIDGE_OK);
    return catalog;
}

static const ridge_device *load(ridge_catalog *catalog, const char *name)
{
    const ridge_device *device = NULL;
    ridge_error err = {0};
    if (ridge_catalog_load(&device, catalog, name, &err))
        fail_msg("%s: %s", name, err.message);
    return device;
}

/* 1g.10gb of an A100: 14 of 108 SMs, an eighth of 80 GB, of 2039 GB/s and of 40 MiB. */
static void an_eighth(void **state)
{
    (void)state;
    ridge_catalog *catalog = catalog_of();
    const ridge_device *whole = load(catalog, "a100-sxm-80");
    const ridge_device *d = load(catalog, "a100-sxm-80/1g.10gb");
    assert_string_equal(d->id, "a100-sxm-80/1g.10gb");
    assert_close(d->units.value, 14, 0);
    ridge_peak peak = ridge_device_peak(d, RIDGE_MATRIX, RIDGE_BF16, RIDGE_FP32);
    assert_close(peak.dense.value, 312e12 * 14 / 108, 1e-12);
    assert_close(peak.sparse.value, 624e12 * 14 / 108, 1e-12);
    assert_int_equal(peak.dense.origin, RIDGE_DERIVED);
    assert_int_equal(peak.dense.confidence, 'B'); /* the weaker of A and B */
    assert_close(ridge_device_capacity(d, RIDGE_DRAM).value, 10e9, 1e-12);
    assert_close(ridge_device_bandwidth(d, RIDGE_DRAM).value,
                 ridge_device_bandwidth(whole, RIDGE_DRAM).value / 8, 1e-12);
    assert_close(ridge_device_capacity(d, RIDGE_L2).value, 5 << 20, 1e-12);
    assert_close(ridge_device_capacity(d, RIDGE_L1).value, 14 * 192 * 1024.0, 1e-12);
    assert_int_equal(d->link_count, 1); /* PCIe alone */
    assert_false(ridge_known(d->tdp_w.value));
    ridge_catalog_free(catalog);
}

/* What is known only as a share is whole units: 148 / 7 = 21.1. */
static void a_share(void **state)
{
    (void)state;
    ridge_catalog *catalog = catalog_of();
    const ridge_device *d = load(catalog, "b200-hgx/1g.23gb");
    assert_close(d->units.value, 21, 0);
    assert_int_equal(d->units.origin, RIDGE_DERIVED);
    assert_close(ridge_device_capacity(d, RIDGE_DRAM).value, 22.5e9, 1e-12);
    ridge_catalog_free(catalog);
}

/* One of the two dies of MI250X, on which a kernel runs: half of everything. */
static void a_die(void **state)
{
    (void)state;
    ridge_catalog *catalog = catalog_of();
    const ridge_device *d = load(catalog, "mi250x/gcd");
    assert_close(d->units.value, 110, 0);
    ridge_peak peak = ridge_device_peak(d, RIDGE_MATRIX, RIDGE_BF16, RIDGE_FP32);
    assert_close(peak.dense.value, 191.5e12, 1e-12);
    assert_close(ridge_device_bandwidth(d, RIDGE_DRAM).value, 1.6385e12, 1e-12);
    assert_close(ridge_device_capacity(d, RIDGE_L2).value, 8 << 20, 1e-12);
    ridge_catalog_free(catalog);
}

/* Every slice of every part is no more than its share, and no two have one name. */
static void all(void **state)
{
    (void)state;
    ridge_catalog *catalog = catalog_of();
    size_t slices = 0;
    for (size_t i = 0; i < ridge_catalog_count(catalog); i++) {
        const ridge_device *whole = load(catalog, ridge_catalog_id(catalog, i));
        for (size_t k = 0; k < whole->slice_count; k++) {
            char name[96];
            const ridge__slice *s = &whole->slice[k];
            snprintf(name, sizeof name, "%s/%s", whole->id, s->name);
            const ridge_device *d = load(catalog, name);
            assert_true(s->count * s->memory_share <= 1);
            assert_true(s->count * s->units.value <= whole->units.value);
            assert_true(d->units.value >= 1);
            slices++;
        }
    }
    assert_true(slices >= 80);
    ridge_catalog_free(catalog);
}

static void refused(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        ridge_status status;
        const char *message;
    } cases[] = {
        {"a30/1g.5gb", RIDGE_NOTFOUND,
         "no slice \"1g.5gb\" of a30; one of 1g.6gb, 2g.12gb, 4g.24gb"},
        {"l4/1g.5gb", RIDGE_NOTFOUND, "no slices of l4 are known; name the whole part"},
        {"a1000/1g.5gb", RIDGE_IO, "cannot open: No such file or directory"},
        {"a30/1g/2", RIDGE_IO, "cannot open: No such file or directory"},
    };
    ridge_catalog *catalog = catalog_of();
    for (size_t i = 0; i < RIDGE__COUNT(cases); i++) {
        const ridge_device *device = NULL;
        ridge_error err = {0};
        assert_int_equal(ridge_catalog_load(&device, catalog, cases[i].name, &err),
                         cases[i].status);
        assert_string_equal(err.message, cases[i].message);
        assert_null(device);
    }
    ridge_catalog_free(catalog);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_eighth), cmocka_unit_test(a_share), cmocka_unit_test(a_die),
        cmocka_unit_test(all),       cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
