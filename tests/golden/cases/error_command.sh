ridge kernle gemm
