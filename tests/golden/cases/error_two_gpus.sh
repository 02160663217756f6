ridge kernel custom flop=1 bytes=1 --gpu h100-sxm,h200-sxm
