ridge kernel gemm --gpu
