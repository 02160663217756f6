for gpu in h100-sxm k40 mi300x; do ridge latency --gpu $gpu; done
