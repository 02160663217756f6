# No --gpu and no column gpu.
echo m,n,k,dtype | ridge predict --op gemm
