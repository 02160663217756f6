# --basis: whose constants a row rests on, and its warnings; an empty cell each for a bad row.
printf 'note,k,dtype,m,n\na,1024,bf16,4096,2048\nb,x,bf16,1,1\n' >rows.csv
ridge predict --op gemm --gpu h100-sxm --basis rows.csv
ridge predict --op gemm --gpu h20 --basis rows.csv
# Only then are the names taken.
printf 'basis,k,dtype,m,n\na,1024,bf16,4096,2048\n' >rows.csv
ridge predict --op gemm --gpu example rows.csv
ridge predict --op gemm --gpu example --basis rows.csv
