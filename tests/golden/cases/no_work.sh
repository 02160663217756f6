ridge kernel custom flop=0 bytes=0 --gpu example
