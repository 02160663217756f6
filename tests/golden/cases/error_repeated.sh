ridge kernel gemm --gpu a --gpu b
