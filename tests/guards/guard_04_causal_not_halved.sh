# Causal attention not halved, or halved twice; more keys than queries.
. "$(dirname "$0")/lib.sh"
a="kernel attention batch=1 heads_q=1 head_dim=8 head_dim_v=16 dtype=fp32 --gpu h100-sxm"
runs 0 $a q_len=4 kv_len=10 --json
holds '.flop == 2*40*24'
# 4 x 6 before the diagonal and 1 + 2 + 3 + 4 on and below it: 34 of 40 pairs.
runs 0 $a q_len=4 kv_len=10 causal=1 --json
holds '.flop == 2*34*24'
# The half-square of papers has a name of its own, and is never the default.
runs 0 $a q_len=4 kv_len=10 causal=1 pairs=half --json
holds '.flop == 2*32*24 and .params.pairs == "half"'
runs 0 $a q_len=1024 causal=1 --json
holds '.flop == 2*(1024*1025/2)*24'
runs 0 $a q_len=4 kv_len=10 causal=1 window=2 --json
holds '.flop == 2*8*24'
runs 0 $a q_len=4 kv_len=10 causal=1 --explain
says 'kept'
# 378 of 312 TFLOP/s: a causal run that was counted whole.
runs 1 kernel attention batch=2 q_len=16384 heads_q=16 head_dim=128 dtype=bf16 \
    --gpu a100-sxm-80 --time 11ms
says 'A mask: causal attention computes about half; was it counted whole? Give causal=1.'
