/* Machines of systems, and the node that is assumed where only a part is named. */
#include "machine/machine.h"

#include "base/base.h"

#include "test.h"

typedef struct fixture {
    ridge_catalog *catalog;
    ridge_machine *machine;
} fixture;

static fixture make(const char *gpu, const char *system)
{
    fixture f = {0};
    ridge_error err = {0};
    const ridge_device *device = NULL;
    assert_int_equal(ridge_catalog_open(&f.catalog, NULL, NULL, NULL), RIDGE_OK);
    if (gpu)
        assert_int_equal(ridge_catalog_load(&device, f.catalog, gpu, NULL), RIDGE_OK);
    assert_int_equal(ridge_machine_new(&f.machine, f.catalog, device, NULL), RIDGE_OK);
    if (system && ridge_machine_set(f.machine, "system", system, &err))
        fail_msg("%s: %s", err.where, err.message);
    return f;
}

static void drop(fixture f)
{
    ridge_machine_free(f.machine);
    ridge_catalog_free(f.catalog);
}

static void a_system_gives_its_part_and_fabrics(void **state)
{
    (void)state;
    ridge_catalog *catalog = NULL;
    const ridge_system *system = NULL;
    ridge_machine *m = NULL;
    assert_int_equal(ridge_catalog_open(&catalog, NULL, NULL, NULL), RIDGE_OK);
    assert_int_equal(ridge_catalog_load_system(&system, catalog, "hgx-h100", NULL),
                     RIDGE_OK);
    assert_int_equal(ridge_machine_new_system(&m, catalog, system, NULL), RIDGE_OK);
    assert_string_equal(ridge_machine_id(m), "h100-sxm");
    assert_ptr_equal(ridge_machine_system(m), system);
    assert_close(m->link.value, 450e9, 0);
    assert_close(m->inside.achieved.value, 376e9, 0);
    assert_close(m->inside.parts, 8, 0);
    assert_close(m->between.bandwidth.value, 50e9, 0);
    assert_close(m->parts_per_node, 8, 0);
    assert_false(m->system_assumed);
    assert_int_equal(ridge_machine_assume_system(m, NULL), RIDGE_OK); /* no change */
    assert_ptr_equal(ridge_machine_system(m), system);
    ridge_machine_free(m);
    ridge_catalog_free(catalog);
}

static void the_ordinary_node(void **state)
{
    (void)state;
    static const struct {
        const char *gpu, *system; /* NULL: none holds it */
        double link, parts;
        ridge__topology topology;
    } cases[] = {
        {"gb200", "gb200-nvl72", 900e9, 72, RIDGE__SWITCH},
        {"mi300x", "mi300x-8", 448e9, 8, RIDGE__MESH},
        {"a100-sxm-40", NULL, 300e9, 8, RIDGE__SWITCH}, /* on its own link */
        {"rtx4090", NULL, 31.5e9, 8, RIDGE__PCIE},
    };
    for (size_t i = 0; i < RIDGE__COUNT(cases); i++) {
        fixture f = make(cases[i].gpu, NULL);
        assert_false(ridge_known(f.machine->link.value));
        assert_int_equal(ridge_machine_assume_system(f.machine, NULL), RIDGE_OK);
        assert_true(f.machine->system_assumed);
        assert_close(f.machine->link.value, cases[i].link, 0);
        assert_close(f.machine->inside.parts, cases[i].parts, 0);
        assert_int_equal(f.machine->inside.topology, cases[i].topology);
        const ridge_system *system = ridge_machine_system(f.machine);
        if (cases[i].system)
            assert_string_equal(ridge_system_id(system), cases[i].system);
        else
            assert_null(system);
        drop(f);
    }
}

static void what_cannot_be(void **state)
{
    (void)state;
    static const struct {
        const char *gpu, *system;
        ridge_status status;
        const char *message;
    } cases[] = {
        {"l4", "hgx-h100", RIDGE_INVALID,
         "hgx-h100 holds h100-sxm (hopper), not l4 (ada); leave one of them out"},
        {NULL, "hgx-h100", RIDGE_INVALID,
         "hgx-h100 holds h100-sxm (hopper), not given (no architecture); leave one of "
         "them out"},
        {"h100-sxm", "hgx-h", RIDGE_NOTFOUND,
         "no system \"hgx-h\"; did you mean hgx-h100, hgx-h20, hgx-h200, hgx-h800"},
    };
    for (size_t i = 0; i < RIDGE__COUNT(cases); i++) {
        fixture f = make(cases[i].gpu, NULL);
        ridge_error err = {0};
        assert_int_equal(ridge_machine_set(f.machine, "system", cases[i].system, &err),
                         cases[i].status);
        assert_string_equal(err.where, "--system");
        assert_string_equal(err.message, cases[i].message);
        assert_null(ridge_machine_system(f.machine));
        drop(f);
    }
    fixture given = make(NULL, NULL), teaching = make("example", NULL);
    ridge_error err = {0};
    assert_int_equal(ridge_machine_assume_system(given.machine, &err), RIDGE_NODATA);
    assert_string_equal(err.message, "the machine has no links; name a part with --gpu "
                                     "or a system with --system");
    assert_int_equal(ridge_machine_assume_system(teaching.machine, &err), RIDGE_NODATA);
    assert_string_equal(err.message,
                        "no link of example is known; name a system with --system");
    drop(given);
    drop(teaching);
}

/* A variant of the part in the same box: A100 40 GB in a DGX A100. */
static void another_variant_of_the_part(void **state)
{
    (void)state;
    fixture f = make("a100-sxm-40", "dgx-a100");
    assert_string_equal(ridge_machine_id(f.machine), "a100-sxm-40");
    assert_close(f.machine->link.value, 300e9, 0);
    assert_close(f.machine->between.bandwidth.value, 25e9, 0);
    drop(f);
}

static void a_given_link(void **state)
{
    (void)state;
    static const struct {
        const char *value;
        double link;
        bool both;
    } cases[] = {
        {"400GB/s", 400e9, false},
        {"900GB/s", 900e9, true}, /* NVLink 4, both directions */
        {"128GB/s", 128e9, true}, /* PCIe 5 as vendors print it */
        {"63GB/s", 63e9, false},
        {"2x", 900e9, false}, /* what if: no slip */
    };
    for (size_t i = 0; i < RIDGE__COUNT(cases); i++) {
        fixture f = make("h100-sxm", "hgx-h100");
        assert_int_equal(ridge_machine_set(f.machine, "link", cases[i].value, NULL),
                         RIDGE_OK);
        assert_close(f.machine->link.value, cases[i].link, 1e-12);
        assert_close(f.machine->inside.bandwidth.value, cases[i].link, 1e-12);
        assert_int_equal(f.machine->link_bidirectional, cases[i].both);
        drop(f);
    }
    fixture given = make(NULL, NULL);
    ridge_error err = {0};
    assert_int_equal(ridge_machine_set(given.machine, "link", "50GB/s", NULL), RIDGE_OK);
    assert_close(given.machine->link.value, 50e9, 0);
    drop(given);
    given = make(NULL, NULL);
    assert_int_equal(ridge_machine_set(given.machine, "link", "2x", &err), RIDGE_NODATA);
    drop(given);
}

/* Seven links of 64 GB/s: another rate of the part is another rate of each. */
static void a_given_link_of_a_mesh(void **state)
{
    (void)state;
    fixture f = make(NULL, NULL);
    const ridge_system *system = NULL;
    ridge_machine *m = NULL;
    assert_int_equal(ridge_catalog_load_system(&system, f.catalog, "mi300x-8", NULL),
                     RIDGE_OK);
    assert_int_equal(ridge_machine_new_system(&m, f.catalog, system, NULL), RIDGE_OK);
    assert_int_equal(ridge_machine_set(m, "link", "2x", NULL), RIDGE_OK);
    assert_close(m->inside.per_peer.value, 128e9, 1e-12);
    assert_int_equal(ridge_machine_set(m, "link", "700GB/s", NULL), RIDGE_OK);
    assert_close(m->inside.per_peer.value, 100e9, 1e-12);
    ridge_machine_free(m);
    drop(f);
}

/* A copy's share is the part's own, that of its generation, or as most have. */
static void a_copy_has_its_share(void **state)
{
    (void)state;
    fixture f = make("a10", NULL); /* PCIe 4: 25.2 of 31.5 GB/s */
    ridge__machine_find_host(f.machine);
    assert_close(ridge__machine_host_share(f.machine), 25.2 / 31.5, 1e-9);
    drop(f);
    f = make("l40s", NULL);
    ridge__machine_find_host(f.machine); /* of its generation */
    assert_close(ridge__machine_host_share(f.machine), 25.2 / 31.5, 1e-9);
    drop(f);
    f = make("v100-pcie-32", NULL); /* not looked up */
    assert_close(ridge__machine_host_share(f.machine), 0.85, 1e-12);
    drop(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_copy_has_its_share),
        cmocka_unit_test(a_system_gives_its_part_and_fabrics),
        cmocka_unit_test(the_ordinary_node),
        cmocka_unit_test(what_cannot_be),
        cmocka_unit_test(another_variant_of_the_part),
        cmocka_unit_test(a_given_link),
        cmocka_unit_test(a_given_link_of_a_mesh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
