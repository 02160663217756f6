ridge latency 'launch.cpu+2*syncthreads(256)' --gpu h100-sxm --json
