ridge saturate gemm dtype=bf16 --solve m,n,k --gpu h100-sxm
