ridge kernel custom flop=1 bytes=2ms --gpu example
