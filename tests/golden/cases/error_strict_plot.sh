ridge plot --gpu h20 --point 'gemm m=1024 n=4096 k=4096 dtype=fp16' --strict
