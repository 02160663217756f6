ridge kernel gemm --warm=yes
