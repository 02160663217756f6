ridge link pcie5 --json | jq -c '[.bytes_per_s.value,.bidirectional_bytes_per_s.value,.latency_s[0].what]'
