ridge fuse 'silu_mul rows=8192 cols=14336 dtype=bf16' \
    'quant_token_fp8 rows=8192 cols=14336 dtype=bf16' --gpu h100-sxm
