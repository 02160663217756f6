ridge kernel gemm m=3456 n=4096 k=8192 dtype=fp16 dtype_out=fp32 --tile 256x128 --gpu a100-pcie-40 --time 1468us
