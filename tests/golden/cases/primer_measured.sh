ridge kernel custom flop=10GFLOP bytes=1GB --gpu example --time 2ms
