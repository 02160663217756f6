ridge kernel gemm m=0 n=1 k=1 dtype=bf16 --gpu example
