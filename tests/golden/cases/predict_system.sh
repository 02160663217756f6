# A system names the part where no gpu does; one that nobody knows is none.
printf 'm,n,k,dtype,gpu,system\n64,64,64,bf16,,hgx-h100\n64,64,64,bf16,h100-sxm,mine\n64,64,64,bf16,,mine\n64,64,64,bf16,l4,hgx-h100\n' |
    ridge predict --op gemm
