ridge kernel gemm --gup h100-sxm
