# A table that stops being one: the score says why, and counts no rows.
printf 'm,n,k,dtype,gpu,time_us\n"64,64,64,bf16,h100-sxm,3\n"64,64,64,bf16,h100-sxm,3\n' |
    ridge score --op gemm --min-rows 1 --json
