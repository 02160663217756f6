# Neither form of a control sequence reaches the terminal, nor a byte that is no text.
ridge kernel gemm m=1 n=1 k=1 dtype=bf16 --gpu example "--tile=$(printf '\302\23331m\377\033[31mé')"
