ridge kernel gated_delta_rule batch=4 seq_len=4096 k_heads=16 k_dim=128 v_heads=32 --count executed --gpu h100-sxm
ridge kernel dsa batch=8 q_len=1 kv_past=65535 heads=128 dtype=bf16 kv_dtype=fp8 --gpu h100-sxm --explain
printf 'op,phase,batch,seq_len,k_heads,k_dim,v_heads,v_dim\ngdn:causal_conv1d_fn,context,1,4096,16,128,32,128\nkda:chunk_kda,context,1,4096,32,128,32,128\nkda:unheard_of,context,1,4096,32,128,32,128\n' |
    ridge predict --op linear_attention --gpu h100-sxm
