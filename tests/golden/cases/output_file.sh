ridge kernel custom flop=10GFLOP bytes=1GB --gpu example --csv -o result.csv && cat result.csv
ridge kernel custom flop=oops bytes=1GB --gpu example --csv -o kept.csv
ls
