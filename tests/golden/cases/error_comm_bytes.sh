ridge comm all_reduce ranks=8 --system hgx-h100
