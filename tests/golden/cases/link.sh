ridge link nvlink5 ib-ndr
