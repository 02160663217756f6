ridge saturate relu rows=4096 dtype=fp32 --solve cols --gpu h100-sxm
