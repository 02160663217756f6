ridge kernel all_reduce bytes=100MB ranks=16 dtype=bf16 --system hgx-h100
