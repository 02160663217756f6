# Results beyond the roof not noticed: a missing synchronisation, over-counted bytes.
. "$(dirname "$0")/lib.sh"
# 22.564 GB in 3.77 ms on an H200 would be 5.99 of 4.8 TB/s.
runs 1 kernel custom flop=0 bytes=22.564GB dtype=bf16 --gpu h200-sxm --time 3.77ms
says 'impossible: 3.77 ms is below the floor of 4.7 ms'
says 'Suspects'
says 'A timer without a synchronisation'
says 'A wrong count'
says 'Data in cache'
says 'below_floor'
runs 1 kernel custom flop=0 bytes=22.564GB dtype=bf16 --gpu h200-sxm --time 3.77ms --json
holds '.verdict == "below_floor" and .of_roof > 1'
# fp64 at 17.9 of 9.7 TFLOP/s: it ran on the other pipe.
runs 1 kernel gemm m=4096 n=4096 k=4096 dtype=fp64 pipe=vector --gpu a100-sxm-40 \
    --time 7.678ms
says '184.5 % of the peak (9.7 TFLOP/s)'
says 'Explained by another pipe: fp64 matrix has 19.5 TFLOP/s, of which this is 91.8 %'
runs 0 help measure
says 'synchronise'
