# The default groups are those whose column the table has.
printf 'm,n,k,dtype,time_us\n1,4096,4096,bf16,15\n64,4096,4096,bf16,16\n' >rows.csv
ridge score --op gemm --gpu h100-sxm --min-rows 1 rows.csv
