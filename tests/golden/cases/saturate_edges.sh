ridge saturate copy rows=4096 dtype=fp32 --solve cols --gpu h100-sxm
ridge saturate gemm n=4096 k=4096 dtype=bf16 --solve m --peak bf16=1TFLOP/s --dram 4TB/s
