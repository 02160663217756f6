ridge comm gemm m=1 n=1 k=1 dtype=bf16 --gpu h100-sxm
