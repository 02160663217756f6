check() { ridge kernel "$@" --verify | sed -n '/^To check/,$p'; }
check gemm m=4096 n=4096 k=4096 dtype=bf16 --gpu h100-sxm
check gemm m=4096 n=4096 k=4096 dtype=fp8 --gpu b200-hgx --timing eager
check gemm m=4096 n=4096 k=4096 dtype=fp64 --gpu a100-sxm-80 --timing kernel
check gemm m=4096 n=4096 k=4096 dtype=int8 --gpu l4 --warm
check add rows=4096 cols=4096 dtype=bf16 --gpu a100-sxm-80 --timing stream
check gemm m=4096 n=4096 k=4096 dtype=bf16 --gpu mi300x
check gemm m=4096 n=4096 k=4096 dtype=bf16 --gpu gaudi3
check gemm m=64 n=64 k=64 dtype=fp32 --gpu k40
check all_reduce bytes=512MiB ranks=16 ranks_per_node=8 dtype=bf16 --gpu h100-sxm
