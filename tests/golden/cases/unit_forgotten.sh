ridge kernel custom flop=10GFLOP bytes=1GB --gpu example --time 100 | grep 'Unit:'
ridge kernel custom flop=10GFLOP bytes=1GB --gpu example --time 2ms | grep -c 'Unit:'
