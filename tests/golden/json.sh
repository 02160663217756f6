#!/bin/sh
# JSON results are one valid document each, for jq as for anyone.
#
#   json.sh RIDGE
command -v jq >/dev/null || { echo "jq is not installed: skipped"; exit 77; }
ridge=$1 failed=0
# valid FILTER COMMAND...: the filter must hold of the output.
valid() {
    filter=$1
    shift
    "$ridge" "$@" --json | jq -e "$filter" >/dev/null ||
        { echo "FAILED: ridge $* --json | jq '$filter'"; failed=1; }
}
primer="custom flop=10GFLOP bytes=1GB --gpu example"
valid '.floor_s == 0.001 and .bound == "memory" and .expected_s == null' kernel $primer
valid '.time_s == 0.002 and .of_roof == 0.5 and .of_peak == 0.05' kernel $primer --time 2ms
valid '(.waterfall | map(.share) | add) - 1 | fabs < 1e-9' kernel $primer --time 2ms
valid '.waterfall[-1].step == "unexplained" and (.advice | length > 2)' \
    kernel $primer --time 2ms
valid '.verify and (.terms | length == 2)' kernel $primer --explain --verify
valid '.bytes_by.a == 33554432 and .plan != {} and .fits == true' \
    kernel gemm m=4096 n=4096 k=4096 dtype=bf16 --gpu h100-sxm
valid 'keys_unsorted[0:6] == ["op","gpu","params","flop","bytes","bytes_by"]' kernel $primer
valid '.cycles >= 140 and .cycles <= 150 and .seconds >= 70e-9 and .seconds <= 85e-9' \
    latency '5*(shfl+add)' --gpu h100-sxm
valid '(.terms | length == 2) and .warnings[0].code == "borrowed"' \
    latency '5*(shfl+add)' --gpu h100-sxm
valid '.tables | (.on_chip, .off_chip, .system | length > 6)' latency --gpu h100-sxm
valid 'length > 0' ops
valid 'type == "object"' op gemm
exit $failed
