# What CUDA calls an atom is no misspelling of what it is called here.
ridge latency 'l2 + dram' --gpu h100-sxm
ridge latency '2*bar.sync' --gpu h100-sxm
ridge latency zork --gpu h100-sxm
