/* Systems: every built-in one parses, names its part, and its totals are parts x part. */
#include "base/base.h"
#include "hw/hw.h"

#include "test.h"

static ridge_catalog *catalog_of(void)
{
    ridge_catalog *catalog = NULL;
    assert_int_equal(ridge_catalog_open(&catalog, NULL, NULL, NULL), RIDGE_OK);
    return catalog;
}

static const ridge_system *system_of(ridge_catalog *catalog, const char *id)
{
    const ridge_system *system = NULL;
    ridge_error err = {0};
    if (ridge_catalog_load_system(&system, catalog, id, &err))
        fail_msg("%s: %s:%lu: %s", id, err.where, (unsigned long)err.line, err.message);
    return system;
}

static void all_parse(void **state)
{
    (void)state;
    ridge_catalog *catalog = catalog_of();
    const size_t count = ridge_catalog_system_count(catalog);
    assert_true(count >= 32);
    for (size_t i = 0; i < count; i++) {
        const char *id = ridge_catalog_system_id(catalog, i);
        const ridge_system *s = system_of(catalog, id);
        assert_string_equal(ridge_system_id(s), id);
        assert_string_equal(ridge_device_id(ridge_system_device(s)), s->gpu);
        assert_true(s->gpus.value >= 2);
        assert_true(ridge_known(s->inside.bandwidth.value));
        assert_true(ridge__system_domain(s) >= s->gpus.value);
        assert_true(i == 0 || strcmp(ridge_catalog_system_id(catalog, i - 1), id) < 0);
    }
    assert_null(ridge_catalog_system_id(catalog, count));
    ridge_catalog_free(catalog);
}

/* The rack of the Blackwell datasheet: 72 GPUs, 36 Grace, 720 PFLOP/s, 130 TB/s. */
static void a_rack(void **state)
{
    (void)state;
    ridge_catalog *catalog = catalog_of();
    const ridge_system *s = system_of(catalog, "gb200-nvl72");
    assert_close(s->gpus.value, 4, 0);
    assert_close(ridge__system_domain(s), 72, 0);
    assert_close(s->inside.bandwidth.value, 900e9, 0);
    assert_close(s->between.bandwidth.value, 50e9, 0);
    assert_int_equal(s->inside.topology, RIDGE__SWITCH);
    assert_true(s->inside.reduces);
    assert_true(s->power_of_domain);
    assert_close(72 / s->gpus.value * s->cpu_cores.value, 2592, 0);
    ridge_catalog_free(catalog);
}

static void nearest(void **state)
{
    (void)state;
    static const struct {
        const char *name, *message;
    } cases[] = {
        {"hgx", "\"hgx\" is ambiguous; one of hgx-b200, hgx-b300, hgx-h100, hgx-h20, "
                "hgx-h200, hgx-h800"},
        {"hgx-h101", "no system \"hgx-h101\"; did you mean hgx-h100"},
        {"nvl72", "no system \"nvl72\"; did you mean gb200-nvl72, gb300-nvl72, vr-nvl72"},
        {"cray-1", "no system \"cray-1\"; `ridge systems` lists them"},
    };
    ridge_catalog *catalog = catalog_of();
    for (size_t i = 0; i < RIDGE__COUNT(cases); i++) {
        const ridge_system *system = NULL;
        ridge_error err = {0};
        assert_int_equal(ridge_catalog_load_system(&system, catalog, cases[i].name, &err),
                         RIDGE_NOTFOUND);
        assert_string_equal(err.message, cases[i].message);
        assert_null(system);
    }
    assert_ptr_equal(system_of(catalog, "dgx-h100"), system_of(catalog, "hgx-h100"));
    ridge_catalog_free(catalog);
}

static void ordinary(void **state)
{
    (void)state;
    ridge_catalog *catalog = catalog_of();
    const ridge_system *s = NULL;
    assert_int_equal(ridge__catalog_ordinary(&s, catalog, "gb200", NULL), RIDGE_OK);
    assert_string_equal(ridge_system_id(s), "gb200-nvl72");
    assert_int_equal(ridge__catalog_ordinary(&s, catalog, "rtx4090", NULL), RIDGE_OK);
    assert_null(s);
    ridge_catalog_free(catalog);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_parse),
        cmocka_unit_test(a_rack),
        cmocka_unit_test(nearest),
        cmocka_unit_test(ordinary),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
