ridge comm all_reduce bytes=512MiB ranks=16 --system hgx-h20 --time 3218.6us
