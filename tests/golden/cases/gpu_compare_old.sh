ridge gpu k40 m40-24 p100-sxm2
