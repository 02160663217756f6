ridge kernel custom flop=1 bytes=1
