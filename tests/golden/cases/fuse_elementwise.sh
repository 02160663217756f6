ridge fuse 'add n=67108864 dtype=fp16' 'relu n=67108864 dtype=fp16' --gpu example
