ridge saturate gemm m=4096 n=4096 dtype=bf16 --solve k --by link --wire c --gpu h100-sxm
