# Rows that made no constants are told beside the file, and why.
rows() {
    echo "gpu,bytes,ranks,time_us,backend"
    b=1024
    while [ $b -le 134217728 ]; do
        echo "h100-sxm,$b,8,$((12 + b / 257000)),$1"
        b=$((b * 2))
    done
}
# Of no library in particular: the fastest is another's at another size.
rows '' >best.csv
ridge fit --op all_reduce -o best.yaml best.csv
echo "exit $?"
{
    rows nccl
    echo h100-sxm,4096,8,5,sglang
    echo h100-sxm,8192,8,,nccl
} >named.csv
ridge fit --op all_reduce -o named.yaml named.csv
echo "exit $?"
grep -c '  - op' named.yaml
# A row that is none: its line, and its column.
for cell in 0 abc; do
    {
        rows nccl
        echo h100-sxm,4096,8,$cell,nccl
    } >bad.csv
    ridge fit --op all_reduce bad.csv
    echo "exit $?"
done
{
    rows nccl
    echo h100-sxm,4x,8,5,nccl
} | ridge fit --op all_reduce
echo "exit $?"
