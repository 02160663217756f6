# The 2:4 sparse peak used as dense, or a dense one halved.
. "$(dirname "$0")/lib.sh"
runs 0 gpu h100-sxm
says 'dense; 2:4 sparsity apart, never used by default'
runs 0 gpu h100-sxm --json
holds '.peaks[] | select(.dtype == "bf16" and .pipe == "matrix") |
    .flop_per_s == 989.4e12 and .sparse_flop_per_s == 1979e12'
# Each dense peak is units x FLOP per cycle x clock, within 2 %.
for part in h100-sxm a40 a100-sxm-80 rtx4090; do
    runs 0 gpu $part --json
    holds '.units.value as $n | [.peaks[] | select(.flop_per_cycle) |
        .flop_per_cycle * $n * .clock_hz / .flop_per_s] |
        length > 0 and all(. > 0.98 and . < 1.02)'
done
g="kernel gemm m=64 n=64 k=64 --json"
runs 0 $g dtype=bf16 --gpu h100-sxm
holds '.peak_flop_per_s == 989.4e12'
# 84 x 1024 FLOP per cycle x 1.74 GHz = 149.7 is dense already; 309.7 of an A6000 is not.
runs 0 $g dtype=fp16 --gpu a40
holds '.peak_flop_per_s > 148e12 and .peak_flop_per_s < 151e12'
runs 0 $g dtype=bf16 --gpu rtxa6000
holds '.peak_flop_per_s > 153e12 and .peak_flop_per_s < 157e12'
runs 0 $g dtype=bf16 --gpu b200-hgx
holds '.peak_flop_per_s > 2.2e15 and .peak_flop_per_s < 2.3e15'
# Above the dense peak the sparse one is among the suspects.
runs 1 kernel gemm m=8192 n=8192 k=8192 dtype=bf16 --gpu h100-sxm --time 0.9ms
says 'A sparse peak: 2:4 sparsity doubles the rate'
# Given as a peak, it is named.
runs 0 $g dtype=bf16 --gpu h100-sxm --peak bf16=1979TFLOP/s
holds '.warnings | map(.code) | index("sparse_peak")'
runs 0 $g dtype=fp8 --gpu h100-sxm --peak fp8=1979TFLOP/s
holds '.warnings | map(.code) | index("sparse_peak") | not'
