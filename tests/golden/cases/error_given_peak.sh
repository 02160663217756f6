# Without --gpu, --peak must be that of the dtype used, and --dram a rate.
ridge kernel gemm m=128 n=128 k=128 dtype=fp16 --peak bf16=100TFLOP/s --dram 1TB/s
echo $? >&2
ridge kernel gemm m=128 n=128 k=128 dtype=fp16 --peak 100TFLOP/s --dram 2x
