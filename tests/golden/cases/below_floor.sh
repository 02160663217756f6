# Possible for no machine of these figures: exit status 1 and the suspects.
ridge kernel custom flop=10GFLOP bytes=1GB --gpu example --time 0.5ms
