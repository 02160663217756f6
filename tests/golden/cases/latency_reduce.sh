ridge latency '5*(shfl+add)' --gpu h100-sxm --explain
ridge latency '5*(shfl+add)' --gpu h100-sxm --csv
ridge latency '5*(shfl+add)' --gpu h100-sxm --clock 1.6GHz
