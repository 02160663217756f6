ridge kernel custom flop=10GFLOP bytes=1GB --peak 100TFLOP/s --dram 1TB/s
