# Tables that are none, or not quite one: each says where and what, and none is drawn.
try() { ridge plot --gpu example --op gemm --csv --from "$@" 2>&1; echo "= $?"; }
printf '' | try -
printf '\n' | try -
printf 'm,n,k,dtype\n1,\0001,1,bf16\n' | try -
printf 'm,n,k,dtype\n1,1,1,bf16\n"1,1,1,bf16\n1,1,1,bf16\n' | try -
try /dev/zero
{ echo m,n,k,dtype; yes 1,1,1,bf16 | head -n 8193; } | try -
# Line ends of old: one row to us, and said so.
printf 'm,n,k,dtype\r1,1,1,bf16\r' | try -
# A byte order mark is none of the first name; a bad row counts, wherever it stands.
printf '\357\273\277m,n,k,dtype,time_us,note\n64,64,64,bf16,1,"a\nb"\n64,64,64,bf16,1e400,\n' |
    ridge plot --gpu example --op gemm --csv --from -
