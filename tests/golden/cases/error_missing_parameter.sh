ridge kernel gemm m=1 n=1 dtype=bf16 --gpu example
