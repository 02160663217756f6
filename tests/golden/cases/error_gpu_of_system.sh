ridge kernel custom flop=1 bytes=1 --gpu l4 --system hgx-h100
