ridge kernel gemm m=4096 n=4096 k=4096 dtype=bf16 --system hgx-h100 --csv
