# A bad header stops before anything is written.
printf 'm,n,dtype\n1,2,bf16\n' >in.csv
ridge predict --op gemm --gpu example in.csv -o out.csv
code=$?
ls
exit $code
