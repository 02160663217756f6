ridge comm send_recv bytes=1GB over=pcie chunks=10 step=2ms --gpu h100-sxm --csv
