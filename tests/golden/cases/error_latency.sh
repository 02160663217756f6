ridge latency 'shlf' --gpu h100-sxm
echo $?
ridge latency '5*(shfl' --gpu h100-sxm
echo $?
ridge latency 'syncthreads' --gpu h100-sxm
echo $?
ridge latency 'shfl' 
echo $?
ridge latency 'shfl+add' --gpu h100-sxm --strict
echo $?
ridge latency --gpu h100-sxm --strict
echo $?
ridge latency shfl --gpu h100-sxm --strict --csv
ridge latency smem --gpu h100-sxm --strict
echo $?
