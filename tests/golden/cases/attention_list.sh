set -- 'kv_len=[128,4096x7]' q_len=1 heads_q=32 heads_kv=8 head_dim=128 dtype=bf16
ridge kernel attention "$@" --gpu h100-sxm
ridge kernel attention "$@" --gpu h100-sxm --json
ridge kernel attention "$@" --gpu h100-sxm --csv
printf 'q_len,kv_len,heads_q,head_dim,dtype\n1,"[128,4096x7]",32,128,bf16\n1,"[128,",32,128,bf16\n1,4096,32,128,bf16\n' |
    ridge predict --op attention --gpu h100-sxm
