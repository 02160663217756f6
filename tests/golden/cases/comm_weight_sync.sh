ridge comm weight_sync bytes=100MB replicas=3 --system gb200-nvl72 --within 1ms
