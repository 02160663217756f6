# Several machines on one chart: each point on each, or on the one that it names.
rmsnorm='rmsnorm rows=4096 cols=8192 dtype=bf16'
ridge plot --gpu h100-sxm,a100-sxm-80 --point "$rmsnorm" --ascii
ridge plot --gpu h100-sxm --gpu a100-sxm-80 --point "$rmsnorm time=60us gpu=a100-sxm-80" \
    --point "$rmsnorm" --csv
ridge plot --gpu h100-sxm,a100-sxm-80 --roofs all --csv | cut -d, -f1-4,10
# What is refused, and how.
try() { ridge plot "$@" -o never.svg; echo "= $?"; }
try --gpu h100-sxm,h100-sxm
try --gpu h100-sxm --gpu h100
try --gpu h100-sxm,h200-sxm,a10,a30,a40,l4
try --gpu h100-sxm,nothing
try --gpu h100-sxm,a30 --point "$rmsnorm" --time 60us
try --gpu h100-sxm,a30 --point "$rmsnorm gpu=l4"
try --gpu h100-sxm --point "$rmsnorm gpu=nothing"
try --gpu h100-sxm --op gemm
ls
