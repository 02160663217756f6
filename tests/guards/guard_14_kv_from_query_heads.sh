# KV bytes from the hidden size or the query heads; GQA believed to cut score FLOP.
. "$(dirname "$0")/lib.sh"
a="kernel attention batch=1 q_len=1 kv_len=4096 heads_q=64 head_dim=128 dtype=bf16"
runs 0 $a heads_kv=8 --gpu h100-sxm --json
# K and V: 2 x 8 x 128 x 2 B = 4096 B per token and layer, 80 layers: 327,680 B.
holds '.bytes_by.k + .bytes_by.v == 4096*4096 and 80*4096 == 327680'
flop=$(sed 's/.*"flop":\([^,]*\),.*/\1/' out)
runs 0 $a heads_kv=64 --gpu h100-sxm --json
holds ".bytes_by.k + .bytes_by.v == 8*4096*4096 and .flop == $flop"
# An fp8 cache halves the bytes alone.
runs 0 $a heads_kv=8 kv_dtype=fp8 --gpu h100-sxm --json
holds ".bytes_by.k + .bytes_by.v == 4096*4096/2 and .flop == $flop"
runs 2 $a heads_kv=7 --gpu h100-sxm
complains 'not a multiple of heads_kv=7'
