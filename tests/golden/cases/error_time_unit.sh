ridge kernel gemm --time 2GB
