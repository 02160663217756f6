ridge kernel custom flop=0 bytes=4kB serial=2us grid=1 block=1024 --gpu h100-sxm
ridge kernel custom flop=0 bytes=4kB serial=2us grid=1 block=1024 --gpu h100-sxm --time 6us
ridge kernel custom flop=0 bytes=4kB grid=1 block=2048 --gpu k40
