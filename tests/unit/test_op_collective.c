/*
 * Collectives: bytes that must leave or reach a rank, against exchanges played out chunk by
 * chunk; worked numbers; what is refused.
 */
#include "op/op_priv.h"
#include "pairs.h"
#include "test.h"

static ridge_work count(const ridge_call *call)
{
    ridge_work work;
    assert_int_equal(ridge_op_count(&work, call, NULL), RIDGE_OK);
    return work;
}

/* ---- Exchanges played out ---------------------------------------------------------- */

/* Ranks in nodes of `per_node`; every rank has `n` chunks of a byte.  have[i][c] has a bit
 * for each rank whose part of chunk c is in what rank i holds. */
enum {
    RANKS_MAX = 12
};
typedef struct world {
    int n, per_node;
    unsigned have[RANKS_MAX][RANKS_MAX];
    double inside[RANKS_MAX], network[RANKS_MAX]; /* bytes out of each rank */
} world;

static world world_of(int n, int per_node, bool own_chunk_only)
{
    world w = {.n = n, .per_node = per_node};
    for (int i = 0; i < n; i++)
        for (int c = 0; c < n; c++)
            w.have[i][c] = own_chunk_only && i != c ? 0 : 1u << i;
    return w;
}

/* Rank `from` sends what it holds of chunk c; the receiver adds it to its own. */
static void send(world *w, int from, int to, int c, double bytes)
{
    bool near = from / w->per_node == to / w->per_node;
    assert_true(w->have[from][c] != 0);
    *(near ? &w->inside[from] : &w->network[from]) += bytes;
    w->have[to][c] |= w->have[from][c];
}

static double largest(const double *values, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++)
        most = ridge__max(most, values[i]);
    return most;
}

/* A ring over positions first, first + stride, ...: reduce-scatter, or all-gather, of the
 * chunks that `chunk` names for each position; each as long as `bytes`. */
static void ring(world *w, int first, int stride, int members, bool gather, double bytes,
                 int chunks_each)
{
    for (int step = 0; step < members - 1; step++) {
        world next = *w;
        for (int p = 0; p < members; p++) {
            int shard = (p - step - (gather ? 0 : 1) + 2 * members) % members;
            int from = first + p * stride, to = first + (p + 1) % members * stride;
            for (int k = 0; k < chunks_each; k++) {
                int c = shard * chunks_each + k;
                bool near = from / w->per_node == to / w->per_node;
                *(near ? &next.inside[from] : &next.network[from]) += bytes;
                next.have[to][c] |= w->have[from][c];
            }
        }
        *w = next;
    }
}

static void check_complete(const world *w)
{
    for (int i = 0; i < w->n; i++)
        for (int c = 0; c < w->n; c++)
            assert_int_equal(w->have[i][c], (1u << w->n) - 1);
}

/* A ring all-reduce is a reduce-scatter and an all-gather, and moves what is counted. */
static void test_ring(void **state)
{
    (void)state;
    for (int n = 2; n <= RANKS_MAX; n++) {
        char ranks[8], bytes[8];
        snprintf(ranks, sizeof ranks, "%d", n);
        snprintf(bytes, sizeof bytes, "%d", n);
        world w = world_of(n, n, false);
        ring(&w, 0, 1, n, false, 1, 1);
        double scatter = largest(w.inside, n);
        for (int i = 0; i < n; i++) /* rank i holds the sum of chunk i */
            assert_int_equal(w.have[i][i], (1u << n) - 1);
        ring(&w, 0, 1, n, true, 1, 1);
        check_complete(&w);
        ridge_call reduce = CALL("all_reduce", {"bytes", bytes}, {"ranks", ranks});
        ridge_call gather = CALL("all_gather", {"bytes", bytes}, {"ranks", ranks});
        ridge_call rs = CALL("reduce_scatter", {"bytes", bytes}, {"ranks", ranks});
        assert_close(count(&reduce).wire_bytes, largest(w.inside, n), 1e-15);
        assert_close(count(&rs).wire_bytes, scatter, 1e-15);
        assert_close(count(&gather).wire_bytes + count(&rs).wire_bytes,
                     count(&reduce).wire_bytes, 1e-15);
        assert_close(count(&reduce).network_bytes, 0, 0);
    }
}

/* Nodes of r: reduce-scatter inside, all-reduce of the shares by rails, all-gather. */
static void test_nodes(void **state)
{
    (void)state;
    static const int shapes[][2] = {{4, 2}, {6, 3}, {6, 2}, {8, 4}, {12, 4}, {12, 3}};
    for (size_t s = 0; s < RIDGE__COUNT(shapes); s++) {
        int n = shapes[s][0], r = shapes[s][1], nodes = n / r;
        char ranks[8], per[8], bytes[8];
        world w = world_of(n, r, false);
        for (int node = 0; node < nodes; node++)
            ring(&w, node * r, 1, r, false, 1, nodes);
        /* Rail p: the ranks p of all nodes all-reduce the chunks of shard p directly. */
        for (int p = 0; p < r; p++)
            for (int k = 0; k < nodes; k++) { /* to the owner, and back from it */
                int c = p * nodes + k, owner = k * r + p;
                for (int node = 0; node < nodes; node++)
                    if (node != k)
                        send(&w, node * r + p, owner, c, 1);
                for (int node = 0; node < nodes; node++)
                    if (node != k)
                        send(&w, owner, node * r + p, c, 1);
            }
        for (int node = 0; node < nodes; node++)
            ring(&w, node * r, 1, r, true, 1, nodes);
        check_complete(&w);
        snprintf(ranks, sizeof ranks, "%d", n);
        snprintf(per, sizeof per, "%d", r);
        snprintf(bytes, sizeof bytes, "%d", n);
        ridge_call call = CALL("all_reduce", {"bytes", bytes}, {"ranks", ranks},
                               {"ranks_per_node", per});
        assert_close(count(&call).wire_bytes, largest(w.inside, n), 1e-12);
        assert_close(count(&call).network_bytes, largest(w.network, n), 1e-12);
    }
}

/* Every rank sends its part to every other, near or far; the root to or from all. */
static void test_direct(void **state)
{
    (void)state;
    for (int n = 2; n <= RANKS_MAX; n++)
        for (int r = 1; r <= n; r++) {
            if (n % r)
                continue;
            char ranks[8], per[8];
            double near = 0, far = 0;
            for (int to = 1; to < n; to++)
                *(to / r == 0 ? &near : &far) += 1;
            snprintf(ranks, sizeof ranks, "%d", n);
            snprintf(per, sizeof per, "%d", r);
            ridge_call all = CALL("alltoall", {"bytes_per_rank", "1"}, {"ranks", ranks},
                                  {"ranks_per_node", per});
            assert_close(count(&all).wire_bytes, near, 1e-12);
            assert_close(count(&all).network_bytes, far, 1e-12);
            ridge_call root = CALL("scatter", {"bytes_per_rank", "1"}, {"ranks", ranks},
                                   {"ranks_per_node", per});
            /* The node's r adapters share what leaves it; the root hands on the rest. */
            assert_close(count(&root).network_bytes, far / r, 1e-12);
            assert_close(count(&root).wire_bytes, near + far - far / r, 1e-12);
        }
}

/* The switch adds: each rank sends all it has once, and the sum of its share. */
static void test_in_switch(void **state)
{
    (void)state;
    ridge_call eight =
        CALL("all_reduce", {"bytes", "8"}, {"ranks", "8"}, {"in_switch", "inside"});
    ridge_call two =
        CALL("all_reduce", {"bytes", "8"}, {"ranks", "2"}, {"in_switch", "inside"});
    assert_close(count(&eight).wire_bytes, 9, 1e-15);
    assert_close(count(&two).wire_bytes, 8, 1e-15); /* 3/2 would be more than 1 */
    ridge_call far = CALL("all_reduce", {"bytes", "8"}, {"ranks", "8"},
                          {"ranks_per_node", "2"}, {"in_switch", "all"});
    /* A tree of network switches: each node sends all it has once, 8 B over 2 adapters. */
    assert_close(count(&far).network_bytes, 4, 1e-15);
}

/* ---- Other rows -------------------------------------------------------------------- */

static void test_alone(void **state)
{
    (void)state;
    const ridge_op *op;
    for (size_t i = 0; (op = ridge_op_at(i)) != NULL; i++) {
        if (strcmp(op->family, "collective") != 0)
            continue;
        ridge_call call = call_of(
            op->name, (const char *const[][2]){{"bytes", "1MB"}, {"ranks", "1"}}, 2);
        ridge_work work = count(&call);
        assert_true(work.bytes == 0 && work.wire_bytes == 0 && work.network_bytes == 0);
    }
}

/* S and the count of the call, as nccl-tests relates them. */
static void test_bytes_per_rank(void **state)
{
    (void)state;
    static const struct {
        const char *op;
        double s;
    } rows[] = {{"all_reduce", 1e6}, {"all_gather", 8e6}, {"reduce_scatter", 8e6},
                {"alltoall", 8e6},   {"broadcast", 1e6},  {"reduce", 1e6},
                {"gather", 8e6},     {"scatter", 8e6},    {"send_recv", 1e6}};
    for (size_t i = 0; i < RIDGE__COUNT(rows); i++) {
        ridge_call call = CALL(rows[i].op, {"bytes_per_rank", "1MB"}, {"ranks", "8"});
        assert_close(call.arg[RIDGE_COMM_BYTES], rows[i].s, 1e-15);
        ridge_call whole = CALL(rows[i].op, {"bytes", "8MB"}, {"ranks", "8"});
        assert_close(whole.arg[RIDGE_COMM_BYTES_PER_RANK], 8e12 / rows[i].s, 1e-15);
    }
}

/* busbw = algbw x factor [nccl-tests, PERFORMANCE.md]. */
static void test_bus_factor(void **state)
{
    (void)state;
    ridge_call reduce = CALL("all_reduce", {"bytes", "1"}, {"ranks", "8"});
    ridge_call gather = CALL("all_gather", {"bytes", "1"}, {"ranks", "8"});
    ridge_call send = CALL("send_recv", {"bytes", "1"});
    assert_close(ridge__comm_bus_factor(&reduce), 1.75, 1e-15);
    assert_close(ridge__comm_bus_factor(&gather), 0.875, 1e-15);
    assert_close(ridge__comm_bus_factor(&send), 1, 1e-15);
}

/* Senders and messages share the receiver's link; a master's replicas its own. */
static void test_transfers(void **state)
{
    (void)state;
    ridge_call many =
        CALL("send_recv", {"bytes", "100MB"}, {"senders", "3"}, {"messages", "2"});
    ridge_call sync =
        CALL("weight_sync", {"bytes", "100MB"}, {"replicas", "3"}, {"experts", "2"});
    ridge_call masters =
        CALL("weight_sync", {"bytes", "100MB"}, {"replicas", "3"}, {"masters", "5"});
    ridge_call far =
        CALL("weight_sync", {"bytes", "100MB"}, {"replicas", "3"}, {"over", "network"});
    assert_close(count(&many).wire_bytes, 600e6, 1e-15);
    assert_close(count(&sync).wire_bytes, 600e6, 1e-15);
    assert_close(count(&masters).wire_bytes, 500e6, 1e-15);
    assert_close(count(&far).wire_bytes, 0, 0);
    assert_close(count(&far).network_bytes, 300e6, 1e-15);
}

/* A machine decides what the user left open, and no more. */
static void test_place(void **state)
{
    (void)state;
    ridge_call open = CALL("all_reduce", {"bytes", "16"}, {"ranks", "16"});
    ridge_call given = CALL("all_reduce", {"bytes", "16"}, {"ranks", "16"},
                            {"ranks_per_node", "4"}, {"in_switch", "none"});
    double r;
    assert_close(ridge__comm_nodes(&open, &r), 1, 0);
    ridge__comm_place(&open, 8, 1);
    ridge__comm_place(&given, 8, 1);
    assert_close(ridge__comm_nodes(&open, &r), 2, 0);
    assert_close(r, 8, 0);
    assert_close(open.arg[RIDGE_COMM_IN_SWITCH], 1, 0);
    assert_close(ridge__comm_nodes(&given, &r), 4, 0);
    assert_close(given.arg[RIDGE_COMM_IN_SWITCH], 0, 0);
}

/* ---- Experts ----------------------------------------------------------------------- */

/* All choices of k among E experts: ranks that a token of rank 0 reaches on average. */
static void test_distinct(void **state)
{
    (void)state;
    static const int shapes[][3] = {{8, 2, 4}, {8, 3, 2}, {6, 2, 6}, {12, 4, 3}};
    for (size_t s = 0; s < RIDGE__COUNT(shapes); s++) {
        int experts = shapes[s][0], k = shapes[s][1], ranks = shapes[s][2];
        double reached = 0, remote = 0, choices = 0;
        for (unsigned set = 0; set < 1u << experts; set++) {
            unsigned on = 0;
            int size = 0;
            for (int e = 0; e < experts; e++)
                if (set >> e & 1u) {
                    size++;
                    on |= 1u << e / (experts / ranks);
                }
            if (size != k)
                continue;
            choices++;
            for (int r = 0; r < ranks; r++) {
                reached += on >> r & 1u;
                remote += r > 0 && (on >> r & 1u);
            }
        }
        double u = ridge__comm_distinct(experts, k, ranks);
        assert_close(u, reached / choices, 1e-12);
        char e[8], t[8], n[8];
        snprintf(e, sizeof e, "%d", experts);
        snprintf(t, sizeof t, "%d", k);
        snprintf(n, sizeof n, "%d", ranks);
        ridge_call call = CALL("trtllm_alltoall", {"phase", "dispatch"}, {"tokens", "10"},
                               {"hidden", "100"}, {"experts", e}, {"topk", t},
                               {"ranks", n}, {"dtype", "bf16"});
        assert_close(count(&call).wire_bytes, 10 * 100 * 2 * remote / choices, 1e-12);
        /* Results come back the same ways, in 2 bytes. */
        static const char *const others[] = {"deepep_normal", "deepep_low_latency"};
        for (size_t i = 0; i < RIDGE__COUNT(others); i++) {
            ridge_call back =
                CALL(others[i], {"phase", "combine"}, {"tokens", "10"}, {"hidden", "100"},
                     {"experts", e}, {"topk", t}, {"ranks", n}, {"dtype", "bf16"});
            assert_close(count(&back).wire_bytes, 10 * 100 * 2 * remote / choices, 1e-12);
        }
    }
}

/* Two nodes: half of what DeepEP calls RDMA traffic stays in the node (C08). */
static void test_expert_nodes(void **state)
{
    (void)state;
    ridge_call call = CALL("deepep_normal", {"phase", "combine"}, {"tokens", "1"},
                           {"hidden", "1"}, {"experts", "16"}, {"topk", "16"},
                           {"ranks", "16"}, {"ranks_per_node", "8"}, {"dtype", "bf16"});
    /* All experts: 15 remote ranks, one remote node: one copy over the network. */
    assert_close(count(&call).network_bytes, 2, 1e-12);
    assert_close(count(&call).wire_bytes, 28, 1e-12);
    ridge_call alone =
        CALL("deepep_normal", {"phase", "combine"}, {"tokens", "1"}, {"hidden", "1"},
             {"experts", "16"}, {"topk", "2"}, {"ranks", "1"}, {"dtype", "bf16"});
    assert_close(count(&alone).bytes + count(&alone).wire_bytes, 0, 0);
}

/* The router chooses one of two nodes of two ranks, then 2 of its 4 experts: 2 (1 - 1/6)
 * ranks, one node.  Of 4 ranks 3 are not the token's own, of 2 nodes one. */
static void test_max_nodes(void **state)
{
    (void)state;
    ridge_call call =
        CALL("deepep_normal", {"phase", "combine"}, {"tokens", "1"}, {"hidden", "1"},
             {"experts", "8"}, {"topk", "2"}, {"ranks", "4"}, {"ranks_per_node", "2"},
             {"max_nodes", "1"}, {"dtype", "bf16"});
    assert_close(count(&call).network_bytes, 2 * 0.5, 1e-12);
    assert_close(count(&call).wire_bytes, 2 * (5.0 / 3 * 3 / 4 - 0.5), 1e-12);
    ridge_call more =
        CALL("deepep_normal", {"phase", "combine"}, {"tokens", "1"}, {"hidden", "1"},
             {"experts", "8"}, {"topk", "2"}, {"ranks", "4"}, {"ranks_per_node", "2"},
             {"max_nodes", "7"}, {"dtype", "bf16"});
    ridge_call all = CALL("deepep_normal", {"phase", "combine"}, {"tokens", "1"},
                          {"hidden", "1"}, {"experts", "8"}, {"topk", "2"},
                          {"ranks", "4"}, {"ranks_per_node", "2"}, {"dtype", "bf16"});
    assert_close(count(&more).network_bytes, count(&all).network_bytes, 0);
}

/* ---- What is refused --------------------------------------------------------------- */

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *op, *words[8], *says;
    } rows[] = {
        {"all_reduce",
         {"ranks=8"},
         "all_reduce lacks bytes (the whole buffer) or bytes_per_rank; as in: all_reduce "
         "bytes=64MiB ranks=8 dtype=bf16"},
        {"all_gather",
         {"ranks=8", "bytes=8MB", "bytes_per_rank=8MB"},
         "bytes=8000000 is not 8 x bytes_per_rank=8000000; give one of the two"},
        {"deepep_normal",
         {"phase=dispatch", "tokens=1", "hidden=1", "topk=9", "experts=8", "ranks=2",
          "dtype=bf16"},
         "topk=9 is more than experts=8; a token goes to different ones"},
        {"deepep_normal",
         {"phase=dispatch", "tokens=1", "hidden=1", "topk=1", "experts=8", "ranks=16",
          "dtype=bf16"},
         "ranks=16 is more than experts=8; each rank holds at least one"},
    };
    for (size_t i = 0; i < RIDGE__COUNT(rows); i++) {
        ridge_call call;
        ridge_error err = {0};
        assert_int_equal(ridge_call_init(&call, rows[i].op, &err), RIDGE_OK);
        for (size_t k = 0; k < RIDGE__COUNT(rows[i].words) && rows[i].words[k]; k++) {
            char key[32] = "";
            const char *value = strchr(rows[i].words[k], '=') + 1;
            memcpy(key, rows[i].words[k], (size_t)(value - rows[i].words[k]) - 1);
            assert_int_equal(ridge_call_set(&call, key, value, &err), RIDGE_OK);
        }
        assert_int_equal(ridge_call_finish(&call, &err), RIDGE_INVALID);
        assert_string_equal(err.message, rows[i].says);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ring),         cmocka_unit_test(test_nodes),
        cmocka_unit_test(test_direct),       cmocka_unit_test(test_in_switch),
        cmocka_unit_test(test_alone),        cmocka_unit_test(test_bytes_per_rank),
        cmocka_unit_test(test_bus_factor),   cmocka_unit_test(test_transfers),
        cmocka_unit_test(test_place),        cmocka_unit_test(test_distinct),
        cmocka_unit_test(test_expert_nodes), cmocka_unit_test(test_max_nodes),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
