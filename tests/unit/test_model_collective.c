/*
 * Collectives and exchange of experts on a made-up machine and fit, so that each number can
 * be done by hand.  docs/model/collective.md has the formulas.
 */
#include "base/base.h"
#include "model/collective.h"
#include "model/nccl.h"
#include "model_calls.h"

#include <stdlib.h>

/* 100 SMs, 1 TB/s; a switch of eight at 100 GB/s that adds, adapters of 10 GB/s. */
static ridge_machine plain_machine(void)
{
    ridge_machine m;
    memset(&m, 0, sizeof m);
    m.units.value = 100;
    m.dram.value = 1e12;
    m.l2.value = m.l2_capacity.value = RIDGE_UNKNOWN;
    m.clock_matrix_hz = m.clock_vector_hz = 1e9;
    m.inside = m.between = ridge__fabric_none();
    m.inside.name = "switch";
    m.inside.topology = RIDGE__SWITCH;
    m.inside.bandwidth.value = 100e9;
    m.inside.parts = 8;
    m.between.name = "network";
    m.between.topology = RIDGE__NETWORK;
    m.between.bandwidth.value = 10e9;
    m.link = m.inside.bandwidth;
    return m;
}

/* Simple alone: 5 us, 1 us a step, half of the rate; the copy of the own share is free. */
static ridge_fit plain_fit(void)
{
    ridge_fit fit = {.form = RIDGE_FIT_COLLECTIVE, .backend = RIDGE_BACKEND_NCCL};
    for (int i = 0; i < RIDGE_FIT_CONSTANTS; i++)
        fit.c[i] = RIDGE_UNKNOWN;
    fit.c[RIDGE_COLLECTIVE_LAUNCH_GRAPH] = 1e-6;
    fit.c[RIDGE_COLLECTIVE_LAUNCH_STREAM] = 2e-6;
    fit.c[RIDGE_COLLECTIVE_LAUNCH_EAGER] = 20e-6;
    fit.c[RIDGE_COLLECTIVE_FIXED] = 3e-6;
    fit.c[RIDGE_COLLECTIVE_SIMPLE_FIXED] = 2e-6;
    fit.c[RIDGE_COLLECTIVE_HOP_SIMPLE] = 1e-6;
    fit.c[RIDGE_COLLECTIVE_SIMPLE_SHARE] = 0.5;
    fit.c[RIDGE_COLLECTIVE_LL_SHARE] = 0.1; /* never the faster one of these sizes */
    fit.c[RIDGE_COLLECTIVE_NET_HOP_SIMPLE] = 10e-6;
    fit.c[RIDGE_COLLECTIVE_NET_HOP_LL] = 10e-6;
    return fit;
}

static ridge_estimate estimate(const ridge_machine *machine, const ridge_fit *fit,
                               const ridge_call *call)
{
    ridge_estimate e = {.bandwidth_bytes_per_s = machine->dram.value};
    ridge_call settled = *call;
    ridge__comm_settle(&settled, machine);
    assert_int_equal(ridge_op_count(&e.work, &settled, NULL), RIDGE_OK);
    e.communication_s = ridge__comm_floor(&e.work, machine, &settled);
    ridge__form_input in = {machine, &settled, fit, false, NULL};
    if (call->op->comm >= RIDGE_COMM_MOE)
        ridge__form_experts(&e, &in);
    else
        ridge__form_collective(&e, &in);
    return e;
}

/* 80 MB on 8 ranks: 14 steps, 140 MB at 50 GB/s: 3 + 2 + 14 us + 2.8 ms. */
static void test_ring(void **state)
{
    (void)state;
    ridge_machine m = plain_machine();
    ridge_fit fit = plain_fit();
    ridge_call call =
        CALL("all_reduce", {"bytes", "80MB"}, {"ranks", "8"}, {"algo", "ring"});
    ridge_estimate e = estimate(&m, &fit, &call);
    assert_close(e.communication_s, 1.4e-3, 1e-12);
    assert_close(e.latency_s, 20e-6, 1e-12);
    assert_close(e.body_s, 2.819e-3, 1e-12);
    /* Half of it, where half as much moves in half the steps. */
    ridge_call half = CALL("all_gather", {"bytes", "80MB"}, {"ranks", "8"});
    e = estimate(&m, &fit, &half);
    assert_close(e.body_s, 1.412e-3, 1e-12);
    /* One rank: nothing, not even a launch. */
    ridge_call alone = CALL("all_reduce", {"bytes", "80MB"}, {"ranks", "1"});
    e = estimate(&m, &fit, &alone);
    assert_true(e.launch_s == 0 && e.body_s == 0);
}

/* The copy of the own 10 MB at the link's rate adds 0.1 ms, 8-bit integers a tenth. */
static void test_own_share(void **state)
{
    (void)state;
    ridge_machine m = plain_machine();
    ridge_fit fit = plain_fit();
    fit.c[RIDGE_COLLECTIVE_COPY_SHARE] = 1;
    fit.c[RIDGE_COLLECTIVE_INTEGER] = 1.1;
    ridge_call call = CALL("all_reduce", {"bytes", "80MB"}, {"ranks", "8"},
                           {"algo", "ring"}, {"dtype", "int8"});
    assert_close(estimate(&m, &fit, &call).body_s, 19e-6 + 2.8e-3 * 1.1 + 1e-4, 1e-12);
}

/* Fitted at 2 GHz, on a part of 1 GHz: a launch of 2 us, and 10 us for the 5 of the start;
 * steps are the links'. */
static void test_clock(void **state)
{
    (void)state;
    ridge_machine m = plain_machine();
    ridge_fit fit = plain_fit();
    fit.c[RIDGE_COLLECTIVE_AT_CLOCK] = 2e9;
    ridge_call call =
        CALL("all_reduce", {"bytes", "80MB"}, {"ranks", "8"}, {"algo", "ring"});
    ridge_estimate e = estimate(&m, &fit, &call);
    assert_close(e.launch_s, 2e-6, 1e-12);
    assert_close(e.body_s, 10e-6 + 14e-6 + 2.8e-3, 1e-12);
    call.timing = RIDGE_TIMING_STREAM;
    assert_close(estimate(&m, &fit, &call).launch_s, 4e-6, 1e-12);
    call.timing = RIDGE_TIMING_EAGER; /* the host's */
    assert_close(estimate(&m, &fit, &call).launch_s, 20e-6, 1e-12);
}

/* What NCCL's own figures say in-switch reduction reaches on Hopper, as a share of the link
 * that carries (r+1)/r of the bytes: 0.7111 x 0.85 x 7/8 x 8/7 x 9/8, as `any` has it. */
static void test_nvls_share(void **state)
{
    (void)state;
    const ridge__nccl *t = &ridge__nccl_table;
    double channels = t->nvls_channels[RIDGE__NCCL_HOPPER], r = 8;
    assert_close(t->nvls_share[RIDGE__NCCL_HOPPER] *
                     t->nvls_efficiency[RIDGE__NCCL_HOPPER] * (channels - 1) / channels *
                     r / (r - 1) * (r + 1) / r,
                 0.68, 1e-3);
}

/*
 * 16 ranks on two nodes of eight, 80 MB.  Ring: 150 MB over 8 x 10 GB/s of adapters are
 * 1.875 ms, over the fabric 3 ms; 28 of the steps within, 2 between.  Tree: 140 MB within.
 */
static void test_nodes(void **state)
{
    (void)state;
    ridge_machine m = plain_machine();
    ridge_fit fit = plain_fit();
    ridge_call ring =
        CALL("all_reduce", {"bytes", "80MB"}, {"ranks", "16"}, {"algo", "ring"});
    ridge_call tree =
        CALL("all_reduce", {"bytes", "80MB"}, {"ranks", "16"}, {"algo", "tree"});
    assert_close(estimate(&m, &fit, &ring).body_s, 5e-6 + 28e-6 + 20e-6 + 3e-3, 1e-12);
    assert_close(estimate(&m, &fit, &tree).body_s, 5e-6 + 14e-6 + 20e-6 + 2.8e-3, 1e-12);
    m.between.bandwidth.value =
        1e9; /* 8 GB/s of a node: a tree sends 80 MB, a ring 150 */
    assert_close(estimate(&m, &fit, &ring).body_s, 53e-6 + 18.75e-3, 1e-12);
    assert_close(estimate(&m, &fit, &tree).body_s, 39e-6 + 10e-3, 1e-12);
}

/* In-switch, where the switch adds and the fit knows it: 10 us + 9/8 of 80 MB at 80 GB/s;
 * from so many ranks on. */
static void test_nvls(void **state)
{
    (void)state;
    ridge_machine m = plain_machine();
    ridge_fit fit = plain_fit();
    fit.c[RIDGE_COLLECTIVE_NVLS_FIXED] = 10e-6;
    fit.c[RIDGE_COLLECTIVE_NVLS_SHARE] = 0.8;
    fit.c[RIDGE_COLLECTIVE_NVLS_RANKS] = 6;
    ridge_call call = CALL("all_reduce", {"bytes", "80MB"}, {"ranks", "8"});
    assert_close(estimate(&m, &fit, &call).body_s, 2.819e-3, 1e-12);
    m.inside.reduces = true;
    ridge_estimate e = estimate(&m, &fit, &call);
    assert_close(e.body_s, 1.135e-3, 1e-12);
    assert_close(e.communication_s, 0.9e-3, 1e-12); /* 9/8 of S */
    ridge_fit faster = fit;
    faster.c[RIDGE_COLLECTIVE_AT_CLOCK] = 2e9; /* twice this part's: a start of 20 us */
    assert_close(estimate(&m, &faster, &call).body_s, 1.145e-3, 1e-12);
    ridge_call integer =
        CALL("all_reduce", {"bytes", "80MB"}, {"ranks", "8"}, {"dtype", "int8"});
    assert_close(estimate(&m, &fit, &integer).body_s, 2.819e-3, 1e-12);
    fit.c[RIDGE_COLLECTIVE_NVLS_RANKS] = 9;
    assert_close(estimate(&m, &fit, &call).body_s, 2.819e-3, 1e-12);
}

/* Eight parts of a host that reached 5 GB/s, 50 being a link's share: four have the mean
 * of both, sqrt(5 x 50) = 15.8 GB/s; two a link of their own. */
static void test_host(void **state)
{
    (void)state;
    ridge_machine m = plain_machine();
    ridge_fit fit = plain_fit();
    m.inside.topology = RIDGE__PCIE;
    m.inside.achieved.value = 5e9;
    m.inside.parts = 8;
    static const struct {
        const char *ranks;
        double bytes, rate;
    } cases[] = {{"2", 80e6, 50e9}, {"4", 120e6, 15.8113883e9}, {"8", 140e6, 5e9}};
    for (size_t i = 0; i < RIDGE__COUNT(cases); i++) {
        ridge_call call = CALL("all_reduce", {"bytes", "80MB"}, {"ranks", cases[i].ranks},
                               {"algo", "ring"});
        ridge_estimate e = estimate(&m, &fit, &call);
        double steps = 5e-6 + 2e-6 * (strtod(cases[i].ranks, NULL) - 1);
        assert_close(e.body_s, steps + cases[i].bytes / cases[i].rate, 1e-8);
    }
}

/* NCCL's cheapest in its own eyes on H100: LL for a small message, LL128 between, then
 * Simple; 6.6 us + 14 x 0.6 us + 14 kB / 141 GB/s for 8 kB of eight ranks. */
static void test_choice(void **state)
{
    (void)state;
    ridge__nccl_call c = {.arch = RIDGE__NCCL_HOPPER,
                          .bytes = 8e3,
                          .ranks = 8,
                          .steps = 14,
                          .moved = 14e3,
                          .stated = 450e9,
                          .graph = 360e9,
                          .channels = 24,
                          .ll_max = RIDGE_UNKNOWN,
                          .reduces = true};
    ridge__nccl_choice choice = ridge__nccl_choose(&c, true, false);
    assert_int_equal(choice.protocol, RIDGE__NCCL_LL);
    assert_close(choice.cost_s, 6.6e-6 + 14 * 0.6e-6 + 14e3 / 141e9, 1e-12);
    c.bytes = 8e6;
    c.moved = 14e6;
    assert_int_equal(ridge__nccl_choose(&c, true, false).protocol, RIDGE__NCCL_LL128);
    c.bytes = 8e8;
    c.moved = 14e8;
    assert_int_equal(ridge__nccl_choose(&c, true, false).protocol, RIDGE__NCCL_SIMPLE);
    /* 25 us and S at 8 x 40 x 0.85 x 7/8 x 8/7 = 272 GB/s. */
    assert_close(ridge__nccl_nvls_s(&c), 25e-6 + 8e8 / 272e9, 1e-4);
}

/* One-shot sends 7 S, two-shot 7/4 S: small messages take the one, large the other, and
 * beyond custom_max NCCL's. */
static void test_custom(void **state)
{
    (void)state;
    ridge_machine m = plain_machine();
    ridge_fit fit = plain_fit();
    fit.backend = RIDGE_BACKEND_SGLANG;
    fit.c[RIDGE_COLLECTIVE_ONE_FIXED] = 1e-6;
    fit.c[RIDGE_COLLECTIVE_ONE_SHARE] = 0.7;
    fit.c[RIDGE_COLLECTIVE_TWO_FIXED] = 4e-6;
    fit.c[RIDGE_COLLECTIVE_TWO_SHARE] = 0.7;
    fit.c[RIDGE_COLLECTIVE_CUSTOM_MAX] = 1e6;
    ridge_call small = CALL("all_reduce", {"bytes", "10kB"}, {"ranks", "8"});
    ridge_call large = CALL("all_reduce", {"bytes", "400kB"}, {"ranks", "8"});
    ridge_call beyond = CALL("all_reduce", {"bytes", "80MB"}, {"ranks", "8"});
    assert_close(estimate(&m, &fit, &small).body_s, 2e-6, 1e-12);
    assert_close(estimate(&m, &fit, &large).body_s, 14e-6, 1e-12);
    assert_close(estimate(&m, &fit, &beyond).body_s, 2.819e-3, 1e-12);
    fit.c[RIDGE_COLLECTIVE_AT_CLOCK] = 2e9; /* starts of 2 and 8 us on this part */
    assert_close(estimate(&m, &fit, &small).body_s, 3e-6, 1e-12);
    assert_close(estimate(&m, &fit, &large).body_s, 18e-6, 1e-12);
}

/* A mesh of 10 GB/s links: four ranks use three of them.  Pairs: the bus is the network. */
static void test_topologies(void **state)
{
    (void)state;
    ridge_machine m = plain_machine();
    ridge_call call = CALL("all_gather", {"bytes", "40MB"}, {"ranks", "4"});
    ridge_work work;
    m.inside.topology = RIDGE__MESH;
    m.inside.per_peer.value = 10e9;
    assert_int_equal(ridge_op_count(&work, &call, NULL), RIDGE_OK);
    assert_close(ridge__comm_floor(&work, &m, &call), 1e-3, 1e-12);
    m.inside.topology = RIDGE__PAIRS;
    m.inside.beyond.value = 5e9;
    ridge__comm_settle(&call, &m);
    assert_int_equal(ridge_op_count(&work, &call, NULL), RIDGE_OK);
    assert_close(work.wire_bytes, 20e6, 1e-12);
    assert_close(work.network_bytes, 10e6, 1e-12);
    assert_close(ridge__comm_floor(&work, &m, &call), 2e-3, 1e-12);
}

/* Two parts of ten GB/s share an adapter: one alone has it, packed pairs have it each. */
static void test_shared_adapters(void **state)
{
    (void)state;
    static const struct {
        const char *ranks;
        double rate;
    } cases[] = {{"1", 20e9}, {"2", 10e9}, {"3", 20e9 * 2 / 3}, {"4", 10e9}};
    ridge_system system = {.nics_per_gpu = 0.5};
    ridge_machine m = plain_machine();
    m.system = &system;
    for (size_t i = 0; i < RIDGE__COUNT(cases); i++) {
        ridge_call call = CALL("all_gather", {"bytes", "40MB"}, {"ranks", "12"},
                               {"ranks_per_node", cases[i].ranks});
        assert_close(ridge__comm_route(&m, &call).network.value, cases[i].rate, 1e-12);
    }
}

/* A sender's kernel may end while 8 MiB wait in buffers; every other floor counts all. */
static void test_posted(void **state)
{
    (void)state;
    ridge_machine m = plain_machine();
    ridge_call call = CALL("send_recv", {"bytes", "108388608"});
    ridge_work work;
    assert_int_equal(ridge_op_count(&work, &call, NULL), RIDGE_OK);
    assert_close(ridge__comm_floor(&work, &m, &call), 1.08388608e-3, 1e-12);
    call.timing = RIDGE_TIMING_KERNEL;
    assert_close(ridge__comm_floor(&work, &m, &call), 1e-3, 1e-12);
}

/* Two ranks, two experts, both chosen: one copy of 1000 tokens of 1000 bf16 leaves: 2 MB at
 * 50 GB/s are 40 us, and 3 us to start, each expert 1 us. */
static void test_experts(void **state)
{
    (void)state;
    ridge_machine m = plain_machine();
    ridge_fit fit = plain_fit();
    for (int i = 0; i < RIDGE_FIT_CONSTANTS; i++)
        fit.c[i] = RIDGE_UNKNOWN;
    fit.c[RIDGE_EXPERTS_LAUNCH_GRAPH] = 1e-6;
    fit.c[RIDGE_EXPERTS_FIXED] = 3e-6;
    fit.c[RIDGE_EXPERTS_EXPERT_FIXED] = 1e-6;
    fit.c[RIDGE_EXPERTS_LINK_SHARE] = 0.5;
    ridge_call call = CALL("deepep_low_latency", {"phase", "combine"}, {"tokens", "1000"},
                           {"hidden", "1000"}, {"topk", "2"}, {"experts", "2"},
                           {"ranks", "2"}, {"dtype", "bf16"});
    ridge_estimate e = estimate(&m, &fit, &call);
    assert_close(e.communication_s, 20e-6, 1e-12);
    assert_close(e.body_s, 44e-6, 1e-12);
    fit.c[RIDGE_EXPERTS_PAIR_TIME] = 3e-9; /* 2000 pairs: 6 us */
    assert_close(estimate(&m, &fit, &call).body_s, 50e-6, 1e-12);
    fit.c[RIDGE_EXPERTS_OVERLAP] = 2;
    assert_close(estimate(&m, &fit, &call).body_s, 4e-6 + sqrt(40e-6 * 40e-6 + 36e-12),
                 1e-12);
}

/* Beyond the ranks that were timed (four of GB200) no message is shorter than a smaller one:
 * NCCL's choice among ways that nobody timed would make 51 MB half as long as 50 MB. */
static void no_message_overtakes_a_smaller(void **state)
{
    (void)state;
    static const char *const ops[] = {"all_reduce", "all_gather", "reduce_scatter"};
    model_machine m =
        model_machine_of("gb200", (const char *const[]){"system=gb200-nvl72", NULL});
    for (size_t op = 0; op < RIDGE__COUNT(ops); op++) {
        for (int ranks = 6; ranks <= 8; ranks++) {
            double before_s = 0, bytes = 1e5;
            for (int step = 0; step < 40; step++) { /* to 0.6 GB */
                char words[96];
                snprintf(words, sizeof words, "%s bytes=%.0f ranks=%d dtype=bf16",
                         ops[op], bytes, ranks);
                ridge_call call = model_call(words);
                ridge_estimate e;
                assert_int_equal(ridge_estimate_call(&e, m.machine, &call, NULL),
                                 RIDGE_OK);
                if (e.expected_s < before_s)
                    fail_msg("%s: %g us, a fifth less %g", words, 1e6 * e.expected_s,
                             1e6 * before_s);
                before_s = e.expected_s;
                bytes *= 1.25;
            }
        }
    }
    model_machine_clear(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ring),
        cmocka_unit_test(test_own_share),
        cmocka_unit_test(test_clock),
        cmocka_unit_test(test_nvls_share),
        cmocka_unit_test(test_nodes),
        cmocka_unit_test(test_nvls),
        cmocka_unit_test(test_host),
        cmocka_unit_test(test_choice),
        cmocka_unit_test(test_custom),
        cmocka_unit_test(test_topologies),
        cmocka_unit_test(test_shared_adapters),
        cmocka_unit_test(test_posted),
        cmocka_unit_test(test_experts),
        cmocka_unit_test(no_message_overtakes_a_smaller),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
