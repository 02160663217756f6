ridge comm send_recv bytes=1MB --system hgx-h100 --within 0s
