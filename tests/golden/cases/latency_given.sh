ridge latency shfl+launch.cpu --gpu example
ridge latency shfl --peak 1TFLOP/s --dram 1TB/s --json
