ridge comm all_reduce bytes=1GB ranks=8 ranks_per_node=4 --system dgx1-v100 --json
