ridge comm all_reduce bytes=1MB ranks=8 --gpu example
