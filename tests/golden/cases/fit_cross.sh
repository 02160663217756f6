# Rows predicted by constants fitted without them; one is marked, one is no call.
{
    echo gpu,m,n,k,dtype,qc,time_us
    for m in 16 64 256 1024 4096; do
        for n in 2048 4096 8192; do
            echo "h100-sxm,$m,$n,4096,bf16,,$((4 + n / 350 + m * n / 100000))"
        done
    done
    echo h100-sxm,16,4096,4096,bf16,sub_floor,1
    echo h100-sxm,16,-1,4096,bf16,,1
} >rows.csv
# Not the times: those are another's, whenever a constant changes.
for how in shapes parts; do
    echo "$how"
    ridge fit --op gemm --cross $how rows.csv |
        awk -F, 'NR == 1 || $9 == "" { print; next }
            { print $1, $2, $3, NF, $8 <= $10 && $10 <= $9 && $9 <= $11 }'
done
ridge fit --op gemm --cross spread rows.csv
ridge fit --op gemm --cross half rows.csv
echo "exit $?"
