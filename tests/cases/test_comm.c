/*
 * Communication figures that users know and would check first (ids C of the collection that
 * they come from), and those that the articles state, through the public interface alone.
 */
#include "test.h"

#include <ridge.h>

typedef struct answer {
    ridge_estimate estimate;
    ridge_exchange exchange;
    ridge_gate gate;
} answer;

static ridge_catalog *catalog;

/* "all_reduce bytes=1GB ranks=8" on a system; within_s 0: no gate. */
static answer ask(const char *system, const char *words, double within_s)
{
    const ridge_system *node = NULL;
    ridge_machine *machine = NULL;
    ridge_call call;
    ridge_error err = {.message = ""};
    answer a;
    char text[256];
    snprintf(text, sizeof text, "%s", words);
    char *at = text + strcspn(text, " ");
    bool more = *at != '\0';
    *at = '\0';
    assert_int_equal(ridge_call_init(&call, text, &err), RIDGE_OK);
    while (more) {
        char *key = at + 1;
        at = key + strcspn(key, " ");
        more = *at != '\0';
        *at = '\0';
        char *value = strchr(key, '=');
        *value++ = '\0';
        if (ridge_call_set(&call, key, value, &err))
            fail_msg("%s: %s", key, err.message);
    }
    if (ridge_call_finish(&call, &err) ||
        ridge_catalog_load_system(&node, catalog, system, &err) ||
        ridge_machine_new_system(&machine, catalog, node, &err) ||
        ridge_estimate_call(&a.estimate, machine, &call, &err) ||
        ridge_exchange_find(&a.exchange, &a.estimate, machine, &call, &err) ||
        (within_s > 0 && ridge_gate_find(&a.gate, machine, &call, within_s, &err)))
        fail_msg("%s on %s: %s", words, system, err.message);
    ridge_machine_free(machine);
    return a;
}

static double busbw(const answer *a, double time_s)
{
    double algbw, bus;
    ridge_exchange_rates(&a->exchange, time_s, &algbw, &bus);
    return bus;
}

/* C01: 2 nodes of 4 V100, 25 GB/s of adapters each: busbw 41.55 GB/s is algbw 23.7429, and
 * 95 % of what a tree can have. */
static void test_c01_tree_over_two_nodes(void **state)
{
    (void)state;
    answer a = ask("dgx1-v100", "all_reduce bytes=1GB ranks=8 ranks_per_node=4", 0);
    double algbw = 41.55e9 / a.exchange.bus_factor;
    assert_close(algbw, 23.7429e9, 1e-3);
    assert_close(1e9 / a.estimate.floor_s, 25e9, 1e-9);
    assert_close(algbw / (1e9 / a.estimate.floor_s), 0.95, 1e-3);
    assert_string_equal(a.exchange.algorithm, "tree");
    assert_true(a.exchange.over_wire);
    assert_close(a.exchange.busbw_bytes_per_s, 41.55e9, 0.02);
}

/* C02: 8 H100, in-switch: algbw 275 GB/s is busbw 481.25, above the 450 of the wire. */
static void test_c02_in_switch_busbw(void **state)
{
    (void)state;
    answer a = ask("hgx-h100", "all_reduce bytes=16GiB ranks=8", 0);
    answer ring = ask("hgx-h100", "all_reduce bytes=16GiB ranks=8 algo=ring", 0);
    double s = 17179869184.0;
    assert_close(busbw(&a, s / 275e9), 481.25e9, 1e-12);
    assert_true(a.estimate.floor_s < s / 275e9);
    assert_string_equal(a.exchange.algorithm, "nvls");
    assert_close(a.exchange.busbw_bytes_per_s, 480e9, 0.03);
    assert_true(a.exchange.over_wire);
    assert_close(ring.exchange.busbw_bytes_per_s, 370e9, 0.08);
}

/* C05: 512 MiB on 16 H20 in 3218.6 us: algbw 166.8, busbw 312.755 GB/s. */
static void test_c05_two_nodes(void **state)
{
    (void)state;
    answer a = ask("hgx-h20", "all_reduce bytes=536870912 ranks=16", 0);
    assert_close(busbw(&a, 3218.6e-6), 312.755e9, 1e-3);
    assert_close(busbw(&a, 3218.6e-6) / a.exchange.bus_factor, 166.8e9, 1e-3);
    assert_close(a.exchange.nodes, 2, 0);
}

/* C08: of 43 GB/s that count the tokens of the own node too, two nodes see 21.5. */
static void test_c08_own_node_is_not_network(void **state)
{
    (void)state;
    answer a = ask("hgx-h100", "alltoall bytes=43GB ranks=16", 0);
    assert_close(a.estimate.work.network_bytes, 21.5e9, 1e-12);
}

/* C11: a full mesh of seven links uses n - 1 of them: 7 x 48 of 448 GB/s. */
static void test_c11_mesh_links(void **state)
{
    (void)state;
    const double stated = 64e9, achieved = 48e9;
    answer all = ask("mi300x-8", "all_reduce bytes=1GB ranks=8", 0);
    answer four = ask("mi300x-8", "all_reduce bytes=1GB ranks=4", 0);
    answer two = ask("mi300x-8", "all_reduce bytes=1GB ranks=2", 0);
    assert_close(all.exchange.inside_bytes_per_s / stated * achieved, 336e9, 1e-12);
    assert_close(four.exchange.inside_bytes_per_s, 3 * stated, 1e-12);
    assert_close(two.exchange.inside_bytes_per_s, stated, 1e-12);
}

/* C22: 1.25 MB on 8 ranks in 115.3 us: busbw 18.9722 GB/s. */
static void test_c22_same_definitions(void **state)
{
    (void)state;
    answer a = ask("hgx-h100", "all_reduce bytes=1.25MB ranks=8", 0);
    assert_close(busbw(&a, 115.3e-6), 18.9722e9, 1e-3);
}

/* The first article: three replicas of 100 MB take 0.333 ms on NVLink 5 and 6.0 ms over one
 * 400 Gb/s adapter, against a layer of up to 1 ms. */
static void test_weight_sync(void **state)
{
    (void)state;
    answer in = ask("gb200-nvl72", "weight_sync bytes=100MB replicas=3", 1e-3);
    answer out =
        ask("gb200-nvl72", "weight_sync bytes=100MB replicas=3 over=network", 1e-3);
    assert_close(in.estimate.floor_s, 1e-3 / 3, 1e-12);
    assert_close(out.estimate.floor_s, 6e-3, 1e-12);
    assert_true(in.estimate.expected_s > in.estimate.floor_s);
    assert_true(in.gate.met && !out.gate.met);
    assert_string_equal(in.gate.count_name, "replicas");
    /* What is said to fit does, and a little more does not. */
    char words[96];
    for (int more = 0; more <= 1; more++) {
        snprintf(words, sizeof words, "weight_sync bytes=100MB replicas=%.0f",
                 in.gate.fits_count + more);
        answer a = ask("gb200-nvl72", words, 1e-3);
        assert_int_equal(a.gate.met, !more);
        snprintf(words, sizeof words, "weight_sync bytes=%.0f replicas=3",
                 in.gate.fits_bytes + 100e3 * more);
        a = ask("gb200-nvl72", words, 1e-3);
        assert_int_equal(a.gate.met, !more);
    }
    /* Ten replicas of a node of eight: some are beyond its fabric. */
    answer ten = ask("hgx-b200", "weight_sync bytes=100MB replicas=10", 0);
    assert_close(ten.estimate.floor_s, 1e9 / 50e9, 1e-12);
}

/* Ring: all-reduce is a reduce-scatter and an all-gather, in bytes and at the floor. */
static void test_ring_is_two(void **state)
{
    (void)state;
    answer reduce = ask("dgx-a100", "all_reduce bytes=1GB ranks=8 algo=ring", 0);
    answer scatter = ask("dgx-a100", "reduce_scatter bytes=1GB ranks=8", 0);
    answer gather = ask("dgx-a100", "all_gather bytes=1GB ranks=8", 0);
    /* A ring does not use a switch that could add. */
    answer on_h100 = ask("hgx-h100", "all_reduce bytes=1GB ranks=8 algo=ring", 0);
    answer half = ask("hgx-h100", "all_gather bytes=1GB ranks=8", 0);
    assert_close(2 * half.estimate.floor_s, on_h100.estimate.floor_s, 1e-12);
    assert_close(on_h100.exchange.bytes_on_wire, 1.75e9, 1e-12);
    assert_close(scatter.estimate.communication_s + gather.estimate.communication_s,
                 reduce.estimate.communication_s, 1e-12);
    assert_close(scatter.estimate.expected_s + gather.estimate.expected_s,
                 reduce.estimate.expected_s, 0.1);
}

/* Beyond the ranks and kinds that were timed 15 % add to the interval, in squares. */
static void test_extrapolated_is_wider(void **state)
{
    (void)state;
    answer near = ask("hgx-h100", "all_reduce bytes=1GB ranks=8", 0);
    answer far = ask("hgx-h100", "all_reduce bytes=1GB ranks=16", 0);
    double width = log(near.estimate.high_s / near.estimate.expected_s);
    assert_false(near.estimate.warnings & RIDGE_WARNING_EXTRAPOLATED);
    assert_true(far.estimate.warnings & RIDGE_WARNING_EXTRAPOLATED);
    assert_close(log(far.estimate.high_s / far.estimate.expected_s),
                 hypot(width, log(1.15)), 1e-9);
}

/* Mistakes 2 and 5 of users: busbw read as the speed of a wire, S of a rank as the whole,
 * and both directions of a link as one. */
static void test_mistakes_2_and_5(void **state)
{
    (void)state;
    answer gather = ask("hgx-h100", "all_gather bytes_per_rank=1GB ranks=8", 0);
    assert_close(gather.exchange.bytes, 8e9, 1e-12);
    assert_close(gather.exchange.bytes_per_rank, 1e9, 1e-12);
    assert_close(gather.exchange.inside_bytes_per_s, 450e9, 1e-12); /* not 900 */
    assert_false(gather.exchange.over_wire);
    answer alone = ask("hgx-h100", "all_reduce bytes=1GB ranks=1", 0);
    assert_true(alone.estimate.floor_s == 0 && alone.estimate.expected_s == 0);
}

/* c pieces of time t through k links, beside work of w each: k t + w + (c-1) max(t, w). */
static void test_pipeline(void **state)
{
    (void)state;
    answer whole = ask("hgx-h100", "send_recv bytes=100MB", 0);
    answer pieces = ask("hgx-h100", "send_recv bytes=100MB chunks=10 stages=2", 0);
    answer work = ask("hgx-h100", "send_recv bytes=100MB chunks=10 step=1ms", 0);
    const ridge_exchange_way *w = &whole.exchange.way[0], *p = &pieces.exchange.way[0];
    assert_close(p->inside_s, w->inside_s * (2 + 9) / 10, 1e-12);
    assert_close(work.exchange.way[0].inside_s, w->inside_s / 10 + 10e-3, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_c01_tree_over_two_nodes),
        cmocka_unit_test(test_c02_in_switch_busbw),
        cmocka_unit_test(test_c05_two_nodes),
        cmocka_unit_test(test_c08_own_node_is_not_network),
        cmocka_unit_test(test_c11_mesh_links),
        cmocka_unit_test(test_c22_same_definitions),
        cmocka_unit_test(test_weight_sync),
        cmocka_unit_test(test_ring_is_two),
        cmocka_unit_test(test_extrapolated_is_wider),
        cmocka_unit_test(test_mistakes_2_and_5),
        cmocka_unit_test(test_pipeline),
    };
    ridge_error err;
    if (ridge_catalog_open(&catalog, NULL, NULL, &err))
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    ridge_catalog_free(catalog);
    return failed;
}
