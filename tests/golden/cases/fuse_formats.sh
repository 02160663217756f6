ridge fuse 'gemm m=8192 n=4096 k=4096 dtype=bf16' 'gelu rows=8192 cols=4096 dtype=bf16' \
    --gpu h100-sxm --json
ridge fuse 'gemm m=8192 n=4096 k=4096 dtype=bf16' 'gelu rows=8192 cols=4096 dtype=bf16' \
    --gpu h100-sxm --csv
