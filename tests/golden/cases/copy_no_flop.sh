ridge kernel custom flop=0 bytes=1GB --gpu example
