#include "hw/hw.h"

#include "base/base.h"

#include <stdlib.h>

#include "test.h"

static ridge_catalog *catalog_of(void)
{
    ridge_catalog *catalog = NULL;
    ridge_error err;
    if (ridge_catalog_open(&catalog, NULL, NULL, &err))
        fail_msg("%s: %s", err.where, err.message);
    return catalog;
}

static const ridge_device *load(ridge_catalog *catalog, const char *name)
{
    const ridge_device *device = NULL;
    ridge_error err;
    if (ridge_catalog_load(&device, catalog, name, &err))
        fail_msg("%s:%llu: %s", err.where, (unsigned long long)err.line, err.message);
    return device;
}

static double dense(const ridge_device *d, ridge_pipe pipe, ridge_dtype dtype,
                    ridge_dtype accumulator)
{
    return ridge_device_peak(d, pipe, dtype, accumulator).dense.value;
}

/* Every file loads, so it passes the checks of units, sources and peaks. */
static void every_part_loads(void **state)
{
    (void)state;
    ridge_catalog *catalog = catalog_of();
    assert_true(ridge_catalog_count(catalog) >= 61);
    for (size_t i = 0; i < ridge_catalog_count(catalog); i++) {
        const char *id = ridge_catalog_id(catalog, i);
        const ridge_device *d = load(catalog, id);
        assert_string_equal(ridge_device_id(d), id);
        if (i > 0)
            assert_true(strcmp(ridge_catalog_id(catalog, i - 1), id) < 0);
        assert_true(ridge_known(ridge_device_bandwidth(d, RIDGE_DRAM).value));
        assert_true(d->compute_count > 0);
    }
    assert_null(ridge_catalog_id(catalog, ridge_catalog_count(catalog)));
    ridge_catalog_free(catalog);
}

/* An id, alias or device name leads to one part only. */
static void names_are_unique(void **state)
{
    (void)state;
    ridge_catalog *catalog = catalog_of();
    for (size_t i = 0; i < ridge_catalog_count(catalog); i++) {
        const ridge_device *d = load(catalog, ridge_catalog_id(catalog, i));
        for (size_t k = 0; k < d->alias_count; k++)
            assert_ptr_equal(load(catalog, d->aliases[k]), d);
        for (size_t k = 0; k < d->device_name_count; k++)
            assert_ptr_equal(load(catalog, d->device_names[k]), d);
    }
    ridge_catalog_free(catalog);
}

static void h100_has_its_figures(void **state)
{
    (void)state;
    ridge_catalog *catalog = catalog_of();
    const ridge_device *d = load(catalog, "h100-sxm");
    ridge_peak bf16 = ridge_device_peak(d, RIDGE_PIPE_ANY, RIDGE_BF16, RIDGE_FP32);
    assert_close(bf16.dense.value, 989.4e12, 1e-12);
    assert_close(bf16.sparse.value, 1979e12, 1e-12);
    assert_close(bf16.clock.value, 1.83e9, 1e-12);
    /* 132 SM x 4096 FLOP/cycle x 1.83 GHz = 989.4e12 */
    assert_close(132 * 4096 * 1.83e9, bf16.dense.value, 1e-4);
    assert_int_equal(bf16.dense.confidence, 'A');
    assert_non_null(strstr(bf16.dense.source, "H100 datasheet"));
    ridge_fact dram = ridge_device_bandwidth(d, RIDGE_DRAM);
    assert_close(dram.value, 3.352e12, 1e-12);
    assert_int_equal(dram.origin, RIDGE_DEVICE);
    assert_close(ridge_device_capacity(d, RIDGE_L2).value, 52428800.0, 0);
    assert_close(ridge_device_capacity(d, RIDGE_DRAM).value, 80e9, 0);
    /* 132 x 256 KiB, and 132 x 128 B x 1.98 GHz */
    assert_close(ridge_device_capacity(d, RIDGE_L1).value, 34603008.0, 0);
    assert_close(ridge_device_bandwidth(d, RIDGE_L1).value, 33.45408e12, 1e-9);
    assert_close(ridge__device_limit(d, "threads").value, 2048, 0);
    assert_true(!ridge_known(ridge__device_limit(d, "no such limit").value));
    ridge_catalog_free(catalog);
}

/* Figures that tables often get wrong. */
static void known_traps_are_avoided(void **state)
{
    (void)state;
    ridge_catalog *catalog = catalog_of();
    const struct {
        const char *id;
        ridge_dtype dtype, accumulator;
        double peak_flop_per_s;
    } peaks[] = {
        {"a40", RIDGE_BF16, RIDGE_FP32, 149.7e12},
        {"rtx4090", RIDGE_FP16, RIDGE_FP32, 165.2e12},
        {"rtx4090", RIDGE_FP16, RIDGE_FP16, 330.3e12},
        {"a100-sxm-80", RIDGE_BF16, RIDGE_FP32, 312e12},
        {"h200-sxm", RIDGE_BF16, RIDGE_FP32, 989.4e12},
        {"b200-hgx", RIDGE_FP8, RIDGE_FP32, 4500e12},
        {"l40", RIDGE_FP16, RIDGE_FP32, 181.05e12},
    };
    for (size_t i = 0; i < RIDGE__COUNT(peaks); i++)
        assert_close(dense(load(catalog, peaks[i].id), RIDGE_MATRIX, peaks[i].dtype,
                           peaks[i].accumulator),
                     peaks[i].peak_flop_per_s, 1e-12);
    const ridge_device *v100 = load(catalog, "v100-sxm2-16");
    assert_true(!ridge_known(dense(v100, RIDGE_PIPE_ANY, RIDGE_BF16, RIDGE_FP32)));
    assert_true(v100->unsupported & 1u << RIDGE_BF16);
    assert_true(!(v100->unsupported & 1u << RIDGE_FP16));
    ridge_catalog_free(catalog);
}

/* peak / bandwidth of the matrix pipe, rounded. */
static void ridge_points(void **state)
{
    (void)state;
    ridge_catalog *catalog = catalog_of();
    const struct {
        const char *id;
        ridge_dtype dtype;
        double ridge;
    } points[] = {
        {"v100-sxm2-16", RIDGE_FP16, 139}, /* 125e12 / 898e9 */
        {"a100-pcie-80", RIDGE_BF16, 161}, /* 312e12 / 1935e9 */
        {"a100-sxm-80", RIDGE_BF16, 153},  /* 312e12 / 2039e9 */
        {"h100-sxm", RIDGE_BF16, 295},     /* 989.4e12 / 3352e9 = 295.17 */
        {"h200-sxm", RIDGE_BF16, 206},     /* 989.4e12 / 4800e9 */
        {"b200-hgx", RIDGE_BF16, 293},     /* 2250e12 / 7672e9 */
        {"gb200", RIDGE_BF16, 315},        /* 2500e12 / 7928e9 */
        {"example", RIDGE_BF16, 100},      /* 100e12 / 1e12 */
    };
    for (size_t i = 0; i < RIDGE__COUNT(points); i++) {
        const ridge_device *d = load(catalog, points[i].id);
        double ridge = dense(d, RIDGE_MATRIX, points[i].dtype, RIDGE_FP32) /
                       ridge_device_bandwidth(d, RIDGE_DRAM).value;
        assert_close(round(ridge), points[i].ridge, 0);
    }
    ridge_catalog_free(catalog);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_part_loads),        cmocka_unit_test(names_are_unique),
        cmocka_unit_test(h100_has_its_figures),    cmocka_unit_test(ridge_points),
        cmocka_unit_test(known_traps_are_avoided),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
