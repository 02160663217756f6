ridge comm all_reduce bytes=64MiB ranks=8 dtype=bf16 --system hgx-h100 --explain
