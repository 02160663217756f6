ridge kernel gemm m=4096 n=4096 k=4096 dtype=bf16 --gpu t4 | sed -n '2p;/expected/p'
