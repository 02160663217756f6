# A kernel of one's own on a part: typical shares, said as such and nothing borrowed.
ridge kernel custom bytes=1GB intensity=10 dtype=bf16 --gpu h100-sxm
ridge kernel custom bytes=1GB intensity=10 dtype=bf16 --gpu h100-sxm --strict
