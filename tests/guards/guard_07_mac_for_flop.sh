# MAC against FLOP (twice); operations that are missing and show as 0.
. "$(dirname "$0")/lib.sh"
g="--gpu h100-sxm --json"
# 784-512-512-10: 668,672 MAC are 1,337,344 FLOP.
runs 0 kernel gemm m=1 n=512 k=784 dtype=fp32 $g
holds '.flop == 2*784*512'
runs 0 kernel gemm m=1 n=512 k=512 dtype=fp32 $g
holds '.flop == 2*512*512 and 2*784*512 + .flop + 2*512*10 == 1337344'
# (25 x 16)(16 x 9): 2mpq, not mq(2p - 1).
runs 0 kernel gemm m=25 n=9 k=16 dtype=fp32 $g
holds '.flop == 7200'
runs 0 kernel attention batch=1 heads_q=12 q_len=64 head_dim=64 dtype=fp32 $g
holds '.flop == 12582912 and (.not_counted | length > 0)'
# What is not known is no zero.
runs 2 kernel flash_decoding_v9 m=1 --gpu h100-sxm
complains 'no operation is called'
runs 2 kernel custom bytes=1GB dtype=bf16 --gpu h100-sxm
complains 'flop=0 says that it only moves bytes'
runs 0 op gemm
says 'not counted'
runs 0 help
runs 0 op attention
says 'exponentials'
