try() { ridge fuse "$@"; echo $?; }
add='add n=10 dtype=bf16'
try --gpu h100-sxm
try '' --gpu h100-sxm
try add n=10 dtype=bf16 relu n=10 dtype=bf16 --gpu h100-sxm
try "$add" 'ad n=10 dtype=bf16' --gpu h100-sxm
try "$add" 'relu n=10' --gpu h100-sxm
try "$add" 'relu n=20 dtype=bf16' --gpu h100-sxm
try "$add" 'relu n=10 dtype=fp32' --gpu h100-sxm
try "$add" 'custom flop=1 bytes=1 dtype=bf16' --gpu h100-sxm
try "$add" 'relu n=10 dtype=bf16'
try "$add" "$add" "$add" "$add" "$add" "$add" "$add" "$add" "$add" \
    "$add" "$add" "$add" "$add" "$add" "$add" "$add" "$add" --gpu h100-sxm
try "$add" 'relu n=10 dtype=bf16' --gpu h100-sxm --strict
