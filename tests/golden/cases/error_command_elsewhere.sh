# What users look for under another name is named, with the command that does it.
ridge occupancy block=256 regs=128 --gpu h100-sxm
ridge roofline --gpu h100-sxm
ridge all_reduce bytes=64MB ranks=8 --gpu h100-sxm
