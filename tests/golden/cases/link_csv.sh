ridge link nvlink4 --csv
