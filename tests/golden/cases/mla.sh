ridge op mla
set -- batch=128 q_len=1 kv_len=4096 heads=16 dtype=bf16
ridge kernel mla "$@" --gpu h100-sxm --explain
ridge kernel mla "$@" scope=module gemm_dtype=fp8_block kv_dtype=fp8 --gpu h100-sxm --explain
