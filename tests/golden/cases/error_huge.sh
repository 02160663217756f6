ridge kernel custom flop=1e400 bytes=1 --gpu example
