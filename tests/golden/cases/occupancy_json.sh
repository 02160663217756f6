ridge kernel custom flop=0 bytes=100MB grid=600 block=256 regs=64 --gpu a100-sxm-80 --json
ridge kernel custom flop=0 bytes=100MB grid=600 block=256 --gpu mi300x --json
