try() { ridge saturate "$@"; echo $?; }
try gemm n=4096 k=4096 dtype=bf16 --gpu h100-sxm
try gemm m=1 n=4096 k=4096 dtype=bf16 --solve m --gpu h100-sxm
try gemm n=4096 k=4096 dtype=bf16 --solve rows --gpu h100-sxm
try gemm n=4096 k=4096 --solve dtype --gpu h100-sxm
try gemm n=4096 k=4096 dtype=bf16 --solve m,m --gpu h100-sxm
try gemm dtype=bf16 --solve m,n,k,batch,beta --gpu h100-sxm
try gemm dtype=bf16 --solve m,,k --gpu h100-sxm
try gemm n=4096 dtype=bf16 --solve m --gpu h100-sxm
try gemm n=4096 k=4096 dtype=bf16 --solve m --fraction 2 --gpu h100-sxm
try gemm n=4096 k=4096 dtype=bf16 --solve m --wire c --gpu h100-sxm
try gemm n=4096 k=4096 dtype=bf16 --solve m --by link --gpu h100-sxm
try gemm n=4096 k=4096 dtype=bf16 --solve m --by link --wire d --gpu h100-sxm
try gemm n=4096 k=4096 dtype=bf16 --solve m --experts 8 --gpu h100-sxm
try gemm n=4096 k=4096 dtype=bf16 --solve m --experts 8 --topk 9 --gpu h100-sxm
try gemm n=4096 k=4096 dtype=nvfp4 --solve m --gpu v100-sxm2-16
try gemm n=4096 k=4096 dtype=bf16 --solve m
