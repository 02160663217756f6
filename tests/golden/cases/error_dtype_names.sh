# What formats and recipes are called elsewhere.
for dtype in e4m3 w4a16 bfloat16; do
    ridge kernel gemm m=1 n=4096 k=4096 dtype=$dtype --gpu h100-sxm
done
