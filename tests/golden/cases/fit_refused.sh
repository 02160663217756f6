# What cannot be fitted: one line, exit 2, no file.
printf 'gpu,m,n,k,dtype,time_us\nh100-sxm,64,64,64,bf16,3\n' >few.csv
ridge fit --op gemm few.csv -o mine.yaml
echo "exit $?"
ridge fit --op gemm few.csv --date today
echo "exit $?"
ridge fit --op gemm few.csv --date 2026-13-01
echo "exit $?"
ridge fit --op gemm few.csv --key 'a: b'
echo "exit $?"
ridge fit --op gemm few.csv --key ada --cross parts
echo "exit $?"
ridge fit --op gemm --cross shapes </dev/null
echo "exit $?"
ridge fit --op gemm .
echo "exit $?"
ridge fit few.csv
echo "exit $?"
ls
