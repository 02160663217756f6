ridge kernel gemm mm=1
