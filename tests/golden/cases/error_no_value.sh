ridge kernel gemm 4096
