# No bf16 vector rate is stated: the one that stands in is named.
ridge kernel rmsnorm rows=4096 cols=8192 dtype=bf16 --gpu h100-sxm --explain |
    sed -n -e '/^  roof  *[0-9]/s/.*(\(.*\)).*/\1/p' -e '/^  P  /p'
