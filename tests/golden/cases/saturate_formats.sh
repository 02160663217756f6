ridge saturate gemm n=7168 k=4096 dtype=bf16 --solve m --gpu h100-sxm --json
ridge saturate gemm n=7168 k=4096 dtype=bf16 --solve m --gpu h100-sxm --csv
ridge saturate relu rows=4096 dtype=fp32 --solve cols --gpu h100-sxm --json
ridge saturate relu rows=4096 dtype=fp32 --solve cols --gpu h100-sxm --csv
