ridge kernel custom flop=10GFLOP bytes=1GB --gpu example --csv
ridge kernel custom flop=10GFLOP bytes=1GB --gpu example --csv --time 2ms
