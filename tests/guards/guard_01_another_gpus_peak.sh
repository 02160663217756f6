# Another GPU's peak: hard-coded, of the wrong variant, or a silent fallback.
. "$(dirname "$0")/lib.sh"
g="kernel gemm m=64 n=64 k=64 dtype=bf16"
runs 2 $g
complains 'no machine is named'
runs 2 $g --gpu a100
complains 'ambiguous; one of a100-pcie-40, a100-pcie-80, a100-sxm-40, a100-sxm-80'
runs 2 $g --gpu h100sxm9
complains 'h100-sxm'
# What was taken is told, and each variant has its own peak.
runs 0 $g --gpu h100-pcie
says 'on h100-pcie'
runs 0 $g --gpu h100-pcie --json
holds '.gpu == "h100-pcie" and .peak_flop_per_s == 756e12'
runs 0 $g --gpu h100-nvl --json
holds '.gpu == "h100-nvl" and .peak_flop_per_s != 989.4e12'
# 104 % of an A100's 312 TFLOP/s measured on an H100: impossible there, 32.8 % here.
m="kernel custom flop=324.48TFLOP bytes=1 dtype=bf16 --time 1s"
runs 1 $m --gpu a100-sxm-80
says 'impossible'
says 'Another part, or several: the peak is that of one a100-sxm-80'
runs 0 $m --gpu h100-sxm --json
holds '.of_peak > 0.3279 and .of_peak < 0.3281'
