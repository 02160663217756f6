steps() { ridge kernel "$@" | sed -n '/^From the datasheet/,/^$/p'; }
steps gemm m=3456 n=4096 k=4096 dtype=fp32 --gpu a10 --time 9.30172ms
steps gemm m=4096 n=4096 k=4096 dtype=fp16 --gpu rtx4090 --time 1ms
steps gemm m=8192 n=8192 k=8192 dtype=bf16 --gpu h100-sxm --clock 1.5GHz --time 1.6ms
steps gemm m=1 n=6144 k=4096 dtype=bf16 --gpu h100-sxm --time 20us
steps add rows=32 cols=128 dtype=bf16 --gpu mi350x --time 5.5us
steps custom flop=0 bytes=16MiB dtype=fp32 --gpu rtx5090 --time 8.182us
steps all_reduce bytes=512MiB ranks=8 dtype=bf16 --gpu h100-sxm --time 3.2ms
ridge kernel gemm m=4096 n=4096 k=4096 dtype=fp64 pipe=vector --gpu a100-sxm-40 --time 20ms --json |
    tr '{' '\n' | sed -n '/^"step"/p'
