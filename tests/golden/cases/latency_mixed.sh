ridge latency launch.sync + 'memcpy.d2h(4KiB)' + '3*(smem+syncthreads(256))' --gpu b300-hgx --explain
