# Boost, base and actual clock mixed up; points a little above the roof.
. "$(dirname "$0")/lib.sh"
g="kernel gemm m=3456 n=4096 k=4096 dtype=fp32 --gpu a10"
runs 0 $g
says 'the peak is quoted at 1.7 GHz, the boost clock; at the base clock of 885 MHz it is 16.3 TFLOP/s'
runs 0 $g --time 9.30172ms
says '40 % of the peak (31.2 TFLOP/s)'
says 'it is 16.3 TFLOP/s, of which this is 76.5 %'
# A locked clock: against the clock that ran, and against the rated one.
runs 0 kernel gemm m=8192 n=8192 k=8192 dtype=bf16 --gpu h100-sxm --clock 1.2GHz --time 2ms
says "1.2 GHz; the datasheet's 989 TFLOP/s has 1.83 GHz, of which this is 55.6 %"
says '84.7 % of the peak (649 TFLOP/s)'
runs 0 kernel gemm m=64 n=64 k=64 dtype=bf16 --gpu h100-sxm --clock 1.98GHz --json
holds '.peak_flop_per_s > 1070e12 and .peak_flop_per_s < 1071e12'
# 4352 lanes x 2 x 1.545 GHz = 13.448 TFLOP/s; 15.877 are 118 %, of 1.82 GHz.
cat >part.yaml <<'YAML'
id: rtx2080ti
name: "GeForce RTX 2080 Ti"
vendor: NVIDIA
arch: turing
sources: [{key: card, title: "the card's rated clock", date: "2018"}]
clocks: {boost: {value: "1.545 GHz", source: card, confidence: B}}
compute:
  - {dtype: fp32, pipe: vector, peak: "13.448 TFLOP/s", clock: "1.545 GHz", source: card, confidence: B}
memory:
  - {level: dram, capacity: "11 GB", stated: "616 GB/s", source: card, confidence: B, roof: stated}
YAML
runs 1 kernel custom flop=15.87684TFLOP bytes=1 dtype=fp32 --gpu ./part.yaml --time 1s
says '118.1 % of the peak implies 1.82 GHz; the peak is quoted at 1.54 GHz'
# A few per cent are what a boost clock gives.
runs 1 kernel gemm m=8192 n=8192 k=8192 dtype=fp16 --gpu rtx4090 --time 6.5ms --json
holds '[.warnings[].code] | index("clock_above_rating") != null'
