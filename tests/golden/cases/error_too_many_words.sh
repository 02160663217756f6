ridge op gemm attention
