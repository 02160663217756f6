ridge kernel gemm --timing graf
