ridge kernel custom flop=1 bytes=1 --peak 1TFLOP/s
