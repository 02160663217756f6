ridge kernel custom flop=1 bytes=1 --gpu example --time 220 us
