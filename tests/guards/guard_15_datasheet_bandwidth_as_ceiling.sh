# The datasheet's bandwidth as the ceiling; bytes that are resident taken for bytes read.
. "$(dirname "$0")/lib.sh"
g="kernel gemm m=1 n=6144 k=4096 dtype=bf16 --gpu h100-sxm"
runs 0 $g
says 'bandwidth 3.35 TB/s'
says 'reachable 87.1 % of the bandwidth: 2.92 TB/s'
runs 0 $g --json
holds '.floor_s < .low_s and .low_s < .expected_s and .expected_s < .high_s'
# Bytes by operand, of which the sum is what moves.
holds '.bytes_by == {"a": 8192, "b": 50331648, "c": 12288} and .bytes == 50352128'
runs 0 gpu h100-sxm
says '3.35 TB/s stated'
says '3.352 TB/s device'
# What must exist and what moves are two figures: C is read and written, and exists once.
runs 0 kernel gemm m=4096 n=4096 k=4096 dtype=bf16 beta=1 --gpu h100-sxm --json
holds '.bytes == .footprint_bytes + 2*4096*4096'
# Both roofs are drawn.
runs 0 plot --point 'gemm m=1 n=6144 k=4096 dtype=bf16' --gpu h100-sxm --json
