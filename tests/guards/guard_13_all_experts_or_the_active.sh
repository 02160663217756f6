# Of a mixture all experts, or only the active parameters, charged whatever the batch.
. "$(dirname "$0")/lib.sh"
have moe
m="kernel moe hidden=7168 inter=2048 topk=8 experts=256 dtype=bf16 --gpu h200-sxm"
w="3*7168*2048*2"
# One token reads its 8 experts; 64 tokens read 256 (1 - (1 - 8/256)^64) = 222.4 of them
# where the routing is uniform; thousands read all.
runs 0 $m tokens=1 distribution=uniform --json
holds ".bytes_by.weights/($w) - 8 | fabs < 1e-6"
runs 0 $m tokens=64 distribution=uniform --json
holds ".bytes_by.weights/($w) - 256*(1 - pow(1 - 8/256; 64)) | fabs < 1e-6"
# What must be in memory is all of them.
holds ".footprint_bytes > 256*$w"
runs 0 $m tokens=64 distribution=uniform
says '222.4 experts used'
runs 0 $m tokens=100000 distribution=uniform --json
holds ".bytes_by.weights/($w) - 256 | fabs < 1e-6"
# An expert sees tokens x topk / experts rows, not the batch.
runs 0 $m tokens=64 distribution=balanced
says '2 tokens per expert'
# 22.564 GB in 3.77 ms asks for more than the 4.8 TB/s of an H200: all 256 were charged.
runs 1 kernel custom flop=0 bytes=22.564GB dtype=bf16 --gpu h200-sxm --time 3.77ms
says 'impossible'
runs 0 saturate gemm n=7168 k=4096 dtype=bf16 --solve m --experts 256 --topk 8 --gpu h100-sxm
says '10656 in all: 333 per expert'
