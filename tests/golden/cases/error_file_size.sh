# A limit on the size of files is a failed write like another; nothing is left behind.
{ echo m,n,k,dtype; yes 1,1,1,bf16 | head -n 4000; } > in.csv
ulimit -f 8
ridge predict --op gemm --gpu example in.csv -o out.csv
code=$?
ls
exit $code
