# Attention by three kernels: the row of scores does not fit.
ridge fuse 'gemm m=65536 n=65536 k=128 dtype=bf16' 'softmax rows=65536 cols=65536 dtype=bf16' \
    'gemm m=65536 n=128 k=65536 dtype=bf16' --gpu h100-sxm
