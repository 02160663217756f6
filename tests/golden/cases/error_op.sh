ridge kernel gmem m=1
