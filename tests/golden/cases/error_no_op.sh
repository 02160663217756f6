ridge kernel
