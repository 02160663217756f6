ridge kernel -h
