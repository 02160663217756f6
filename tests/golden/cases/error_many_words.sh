# 10^5 words: refused at the second, at once.
ridge kernel custom $(yes flop=1 | head -n 100000) 2>&1
