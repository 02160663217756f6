ridge kernel gemm --json --csv
