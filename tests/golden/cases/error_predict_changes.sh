# A slip in what changes the machine is one of the command line, also where a column names
# the machines: no row is written.
printf 'm,n,k,dtype,gpu\n1,4096,4096,bf16,h100-sxm\n' >rows.csv
ridge predict --op gemm rows.csv --fit none.yaml
ridge predict --op gemm rows.csv --peak 2q
