ridge kernel embedding rows=8192 cols=4096 vocab=128256 dtype=bf16 --gpu h100-sxm --time 30us | sed -n '/^Suspects/,/^$/p'
