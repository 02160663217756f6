# MFU against HFU, and a share whose denominator nobody names.
. "$(dirname "$0")/lib.sh"
# Model FLOP and executed ones are asked for by name; the model's are the default.
g="kernel gemm m=4096 n=4096 k=4096 dtype=bf16 --gpu h100-sxm --time 200us"
runs 0 $g --json
holds '.of_peak == .achieved_flop_per_s/.peak_flop_per_s'
runs 0 $g --count executed --json
holds '.flop >= 2*4096*4096*4096'
runs 2 $g --count both
complains '--count'
# Every ratio names what it is of.
runs 0 $g
says '% of the roof at this intensity (989 TFLOP/s)'
says '% of the peak (989 TFLOP/s)'
says '% of the bandwidth (3.35 TB/s)'
# The work of several parts counted on one is above its peak, and so told.
runs 1 kernel custom flop=1200TFLOP bytes=1GB dtype=bf16 --gpu h100-sxm --time 1s
says 'work that is shared by n of them counts an n-th'
have attention_backward
# Attention's gradients: 2 x forward in the model's count, 2.5 x executed (the scores are
# computed again): 4 b h s^2 d = 2.199 TFLOP forward.
a="attention_backward batch=4 heads_q=16 q_len=8192 head_dim=128 dtype=bf16"
runs 0 kernel $a --gpu b200-hgx --json
holds '.flop == 2*4*4*16*8192*8192*128'
runs 0 kernel $a --gpu b200-hgx --count executed --json
holds '.flop == 2.5*4*4*16*8192*8192*128'
