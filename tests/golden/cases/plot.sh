# The primer's chart: terminal, ASCII, figures, picture; and what is refused.
primer="custom flop=10GFLOP bytes=1GB"
ridge plot --gpu example --point "$primer" --time 2ms
ridge plot --gpu example --point "$primer time=2ms" --ascii
ridge plot --gpu example --point "$primer" --json
ridge plot --gpu example --point "$primer" --time 2ms -o chart.svg
echo "status $?"
grep -c "ridge 100" chart.svg
ridge plot --gpu example -o chart.jpg
echo "status $?"
ridge plot --gpu example --time 2ms
echo "status $?"
ridge plot --gpu example --point "$primer" --time 0.1ms >/dev/null
echo "status $?"
ls
# Rows of a table: measured, expected, of another part, and one that is wrong.
cat >rows.csv <<'END'
m,n,k,dtype,time_us,gpu
64,8192,8192,bf16,55,example
4096,4096,4096,bf16,2000,
16,4096,4096,bf16,,example
64,8192,8192,bf16,55,h100-sxm
0,1,1,bf16,3,example
END
ridge plot --gpu example --from rows.csv --op gemm --csv
echo "status $?"
ridge plot --gpu a100-sxm-80 --from rows.csv --op attention
echo "status $?"
printf 'm,n,k,dtype,gpu\n1,1,1,bf16,h100-sxm\n' | ridge plot --gpu example --from - --op gemm
echo "status $?"
