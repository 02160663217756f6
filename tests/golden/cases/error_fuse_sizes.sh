ridge fuse 'add n=10 dtype=bf16' 'relu n=20 dtype=bf16' --gpu h100-sxm
