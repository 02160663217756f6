ridge kernel custom flop=1GFLOP bytes=100MB dtype=fp32 grid=100 block=256 regs=64 --gpu h100-sxm --explain
ridge kernel custom flop=1GFLOP bytes=100MB dtype=fp32 grid=100 block=256 regs=64 --gpu h100-sxm --time 90us
ridge kernel custom flop=0 bytes=100MB grid=1000 block=128 smem=48KiB --gpu b300-hgx
