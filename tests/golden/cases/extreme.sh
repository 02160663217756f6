# What sanitizers found: an unset default, a name that outlived its block, counts beyond
# 64 bits, and a bar of an unknown share.
ridge op all_reduce | grep in_switch
ridge kernel msa batch=2 q_len=64 kv_past=65536 heads=64 dtype=bf16 topk=16 --gpu h100-sxm --explain |
    sed -n '/^  compute  *= F/,/^  floor/p'
ridge kernel conv2d n=1e15 c=16 h=9007199254740992 k=16 r=1 dtype=bf16 --gpu h100-sxm | sed -n 1p
ridge comm all_reduce bytes=1MB ranks=1 dtype=bf16 --gpu h100-sxm --time 1ms | sed -n 1,2p
