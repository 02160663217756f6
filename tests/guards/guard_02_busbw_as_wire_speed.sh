# busbw read as the speed of the wire; S per rank or in total.
. "$(dirname "$0")/lib.sh"
have comm
c="comm all_reduce ranks=8 dtype=bf16 --gpu h100-sxm"
runs 0 $c bytes=2.75GB --time 10ms
says 'algbw 275 GB/s, busbw 481 GB/s'
# algbw comes first, busbw with its factor, and the algorithm with it.
first=$(grep -nE '^ +(algbw|busbw) ' out | head -1)
case $first in *algbw*) ;; *) fault "busbw is told before algbw: $first" ;; esac
says 'algbw x 1.75 = 2(n-1)/n'
says 'algorithm nvls'
# What leaves a part is a third figure: a switch that adds sends (n+1)/n, a ring 2(n-1)/n.
runs 0 $c bytes=800MB --json
holds '.bytes_on_wire == 900e6 and .algbw_bytes_per_s*1.75 == .busbw_bytes_per_s'
runs 0 $c bytes=800MB in_switch=none algo=ring --json
holds '.bytes_on_wire == 1400e6'
# S is the whole buffer; what a rank holds is told beside it.
runs 0 comm all_gather bytes=800MB ranks=8 --gpu h100-sxm
says 'S = 800 MB in total, 100 MB per rank'
runs 0 comm all_gather bytes_per_rank=100MB ranks=8 --gpu h100-sxm
says 'S = 800 MB in total, 100 MB per rank'
runs 0 $c bytes=800MB
says 'S = 800 MB in total, 800 MB per rank'
runs 2 comm all_gather bytes=800MB bytes_per_rank=800MB ranks=8 --gpu h100-sxm
