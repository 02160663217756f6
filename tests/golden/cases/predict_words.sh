# Words that are not known count as the default, with a warning and exit status 0.
printf 'm,n,k,dtype,timing,backend,gpu\n1,1,1,bf16,module,mine,example\n' |
    ridge predict --op gemm
