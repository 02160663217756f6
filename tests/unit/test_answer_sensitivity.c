#include "base/base.h"
#include "test.h"

/* On 100 TFLOP/s and 1 TB/s, 10 GFLOP and 1 GB take 1 ms of memory: twice the bandwidth
 * halves that, twice the peak changes nothing; to feed the peak at 10 FLOP/B takes
 * 1e14 / 10 = 10 TB/s. */
static void the_primer_needs_bandwidth(void **state)
{
    (void)state;
    ridge_catalog *catalog = NULL;
    ridge_machine *machine = NULL;
    ridge_call call;
    ridge_sensitivity s;
    assert_false(ridge_catalog_open(&catalog, NULL, NULL, NULL));
    assert_false(ridge_machine_new(&machine, catalog, NULL, NULL));
    assert_false(ridge_machine_set(machine, "peak", "100TFLOP/s", NULL));
    assert_false(ridge_machine_set(machine, "dram", "1TB/s", NULL));
    assert_false(ridge_call_init(&call, "custom", NULL));
    assert_false(ridge_call_set(&call, "flop", "10GFLOP", NULL));
    assert_false(ridge_call_set(&call, "bytes", "1GB", NULL));
    assert_false(ridge_call_finish(&call, NULL));
    assert_false(ridge_sensitivity_find(&s, machine, &call, NULL));
    assert_true(s.of_floor);
    assert_close(s.dram_2x, 0.5, 1e-12);
    assert_close(s.peak_2x, 1, 1e-12);
    assert_close(s.feed_bytes_per_s, 1e13, 1e-12);
    assert_false(ridge_known(s.clock_2x));
    ridge_machine_free(machine);
    ridge_catalog_free(catalog);
}

/* Ratios of an all-reduce of 1 GB on `system`. */
static ridge_sensitivity of_links(const char *system, const char *ranks)
{
    ridge_catalog *catalog = NULL;
    ridge_machine *machine = NULL;
    const ridge_system *node = NULL;
    ridge_call call;
    ridge_sensitivity s;
    assert_false(ridge_catalog_open(&catalog, NULL, NULL, NULL));
    assert_false(ridge_catalog_load_system(&node, catalog, system, NULL));
    assert_false(ridge_machine_new_system(&machine, catalog, node, NULL));
    assert_false(ridge_call_init(&call, "all_reduce", NULL));
    assert_false(ridge_call_set(&call, "bytes", "1GB", NULL));
    assert_false(ridge_call_set(&call, "ranks", ranks, NULL));
    assert_false(ridge_call_finish(&call, NULL));
    assert_false(ridge_sensitivity_find(&s, machine, &call, NULL));
    ridge_machine_free(machine);
    ridge_catalog_free(catalog);
    return s;
}

/* What goes over links waits for them: at 1 GB twice their rate is about half the time.
 * Bridged pairs wait for the bus between them; a kernel without wire knows no link. */
static void links_are_levers(void **state)
{
    (void)state;
    ridge_sensitivity node = of_links("hgx-h100", "8"), mesh = of_links("mi300x-8", "8");
    ridge_sensitivity pairs = of_links("a100-nvlink-pairs", "4");
    assert_true(node.link_2x > 0.5 && node.link_2x < 0.6);
    assert_false(ridge_known(node.network_2x));
    assert_true(mesh.link_2x > 0.5 && mesh.link_2x < 0.6);
    assert_close(pairs.link_2x, 1, 1e-12);
    assert_true(pairs.network_2x > 0.5 && pairs.network_2x < 0.6);
    assert_close(node.dram_2x, 1, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_primer_needs_bandwidth),
                                       cmocka_unit_test(links_are_levers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
