ridge kernel --gpu=example --format=csv custom flop=10GFLOP -- bytes=1GB
