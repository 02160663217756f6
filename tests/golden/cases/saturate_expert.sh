ridge saturate gemm n=7168 k=4096 dtype=bf16 --solve m --experts 256 --topk 8 --gpu h100-sxm
