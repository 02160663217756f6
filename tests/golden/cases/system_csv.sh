ridge system a100-nvlink-pairs --csv
