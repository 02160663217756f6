ridge latency --gpu a100-sxm-80 --csv
ridge latency --gpu v100-sxm2-16 --json
