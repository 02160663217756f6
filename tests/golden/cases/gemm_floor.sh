# What rests on stated rates alone: the count, the floor and the roof of a product.
ridge kernel gemm m=4096 n=4096 k=4096 dtype=bf16 --gpu h100-sxm | grep -E '^  (floor|upper|work|intensity)'
