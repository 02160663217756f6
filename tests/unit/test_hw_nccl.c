/* The constants of NCCL, at places that its source can be held against. */
#include "base/base.h"
#include "hw/hw.h"

#include "test.h"

static void constants(void **state)
{
    (void)state;
    const ridge__nccl *n = &ridge__nccl_table;
    assert_non_null(strstr(n->source, "NCCL 2.30.7"));
    assert_close(n->base_latency_s[RIDGE__NCCL_RING][RIDGE__NCCL_LL], 6.6e-6, 1e-12);
    assert_close(n->base_latency_s[RIDGE__NCCL_PAT][RIDGE__NCCL_SIMPLE], 8e-6, 1e-12);
    assert_close(
        n->hop_latency_s[RIDGE__NCCL_NVLINK][RIDGE__NCCL_RING][RIDGE__NCCL_LL128], 1.9e-6,
        1e-12);
    assert_close(n->hop_latency_s[RIDGE__NCCL_NET][RIDGE__NCCL_TREE][RIDGE__NCCL_SIMPLE],
                 14e-6, 1e-12);
    assert_false(ridge_known(
        n->hop_latency_s[RIDGE__NCCL_NVLINK][RIDGE__NCCL_NVLS][RIDGE__NCCL_LL]));
    assert_close(n->ll_max_bytes_per_s[RIDGE__NCCL_HOPPER][0], 141e9, 1e-12);
    assert_close(n->ring_ll128_bytes_per_s[RIDGE__NCCL_BLACKWELL][2], 40e9, 1e-12);
    assert_close(n->tree_ll128_bytes_per_s[RIDGE__NCCL_BLACKWELL][1], 31.67e9, 1e-12);
    assert_close(n->tree_bytes_per_s[RIDGE__NCCL_AMPERE][2], 17.8e9, 1e-12);
    assert_false(ridge_known(n->nvls_tree_bytes_per_s[RIDGE__NCCL_HOPPER][0]));
    assert_close(n->nvls_efficiency[RIDGE__NCCL_BLACKWELL], 0.74, 1e-12);
    assert_false(ridge_known(n->nvls_efficiency[RIDGE__NCCL_VOLTA]));
    assert_close(n->tree_correction[RIDGE__NCCL_LL][12], 0.4, 1e-12);
    assert_close(n->tree_correction[RIDGE__NCCL_SIMPLE][23], 0.9, 1e-12);
    assert_close(n->nvlink_bytes_per_s[4], 20.6e9, 1e-12);
    assert_close(n->network_overhead_s[1], 2e-6, 1e-12);
    assert_close(n->graph_channels[RIDGE__NCCL_BLACKWELL], 16, 1e-12);
    assert_close(n->nvls_share[RIDGE__NCCL_HOPPER] * 450, 8 * 40, 1e-4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(constants)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
