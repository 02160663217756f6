ridge kernel gemm m=1 m=2
