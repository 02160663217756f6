# A cell names what is listed and opens no file, and no file has slices.
printf 'm,n,k,dtype,gpu,system
64,64,64,bf16,./mine.yaml,
64,64,64,bf16,/dev/zero,
64,64,64,bf16,a100-sxm-80/1g.10gb,
64,64,64,bf16,h100-sxm,/dev/zero
64,64,64,bf16,,./box.yaml
' | ridge predict --op gemm
ridge gpu ./mine.yaml/1g.10gb
ridge gpus --catalog ''
mkfifo nobody.yaml
ridge gpu ./nobody.yaml
