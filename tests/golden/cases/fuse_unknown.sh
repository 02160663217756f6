ridge fuse 'quant_nvfp4 rows=4096 cols=4096 dtype=bf16' 'gemm m=4096 n=4096 k=4096 dtype=nvfp4' --gpu h100-sxm
