# Before a change, and after it.
ridge comm all_reduce bytes=64MB ranks=8 --system hgx-h100 --time 330us --before 350us |
    grep -A1 -e "^  before" -e Afterwards
ridge comm all_reduce bytes=64MB ranks=8 --system hgx-h100 --before 350us
