# Several times: the median is placed, and the one before is compared.
ridge kernel custom flop=10GFLOP bytes=1GB --gpu example --time 1.9ms,2.4ms --time 2ms --before 3ms
