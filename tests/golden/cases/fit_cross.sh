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
ridge fit --op gemm --cross shapes rows.csv
ridge fit --op gemm --cross shapes rows.csv | ridge score
ridge fit --op gemm --cross parts rows.csv >parts.csv
ridge fit --op gemm --cross half rows.csv
echo "exit $?"
