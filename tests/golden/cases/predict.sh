# Rows keep their place; the ones that fail are counted, exit status 1.
printf 'note,k,dtype,m,n\r\nfirst,1024,bf16,4096,2048\r\n\r\nbad,x,bf16,1,1\r\n"last, quoted",512,fp16,512,512' |
    ridge predict --op gemm --gpu example >out.csv
code=$?
tr '\r' '@' <out.csv
exit $code
