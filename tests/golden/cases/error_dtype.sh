ridge kernel gemm m=1 n=1 k=1 dtype=bf61 --gpu example
