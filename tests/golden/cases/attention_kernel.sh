# Which kernel a library takes, and what it costs to be without the usual one.
set -- q_len=4096 heads_q=32 heads_kv=8 causal=1 dtype=bf16
ridge kernel attention "$@" head_dim=192 kv_dtype=fp8 --gpu b200-hgx --backend vllm --explain |
    sed -n '/^Constants/,$p'
printf 'q_len,heads_q,heads_kv,head_dim,causal,dtype,backend,kernel\n4096,32,8,256,1,bf16,sglang,\n4096,32,8,256,1,bf16,sglang,triton\n4096,32,8,256,1,bf16,sglang,unheard\n' |
    ridge predict --op attention --gpu b200-hgx
