# A parameter without its value, a dtype without its name, and neither of both.
ridge kernel attention q_len=4096 heads_q=32 head_dim=128 causal dtype=bf16 --gpu h100-sxm
ridge kernel gemm m=128 n=128 k=128 bf16 --gpu h100-sxm
ridge kernel gemm 128 --gpu h100-sxm
