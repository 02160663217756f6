ridge kernel gemm m=1024 n=4096 k=4096 dtype=fp16 --gpu h20 --strict
