ridge comm all_gather bytes=8MB bytes_per_rank=8MB ranks=8 --system hgx-h100
