ridge comm all_reduce bytes=100MB ranks=16 --system hgx-h100 --time 100us | sed -n '/^Suspects/,/^$/p'
