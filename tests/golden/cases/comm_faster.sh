# An all-reduce faster than any in the fit: there is nothing to advise.
ridge comm all_reduce bytes=64MB ranks=8 --system hgx-h100 --time 210us
