ridge comm all_reduce bytes=1GB ranks=1 --gpu h100-sxm
