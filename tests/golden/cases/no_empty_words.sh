# What is not known, or is no DRAM, is not spoken of as if it were.
ridge kernel gemm m=8192 n=8192 k=8192 dtype=nvfp4 --gpu b200 | sed -n '2s/:.*//p'
ridge kernel attention batch=32 q_len=1 kv_len=8192 heads_q=32 heads_kv=8 head_dim=128 \
    dtype=bf16 --gpu h100-sxm | sed -n '/whole waves/p'
ridge kernel copy elements=500000000 dtype=bf16 --gpu h100-sxm | sed -n '/to feed/p'
