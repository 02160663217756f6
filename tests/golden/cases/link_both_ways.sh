# A machine or system file whose link carries what its name has in both directions.
cat >mine.yaml <<'END'
id: mine
name: "My GPU"
vendor: ACME
arch: hopper
sources:
  - {key: ds, title: "a datasheet", date: "2026-01"}
compute:
  - {dtype: bf16, pipe: matrix, peak: "110 TFLOP/s", source: ds, confidence: A}
memory:
  - {level: dram, capacity: "24 GB", stated: "300 GB/s", source: ds, confidence: A}
links:
  - {name: "NVLink 4", count: "18", stated: "900 GB/s", source: ds, confidence: A}
END
cat >box.yaml <<'END'
id: box
name: "My box"
gpu: h100-sxm
sources:
  - {key: ds, title: "a datasheet", date: "2026-01"}
gpus: {value: "8", source: ds, confidence: A}
inside: {name: "NVSwitch", topology: switch, link: nvlink4, domain: "8",
         bandwidth: "900 GB/s", source: ds, confidence: A}
between: {name: "IB NDR", topology: network, link: ib-ndr, bandwidth: "100 GB/s",
          source: ds, confidence: A}
END
codes() { ridge comm "$@" dtype=bf16 --json | grep -o '"code":"[a-z_]*"'; echo; }
codes all_reduce bytes=1GB ranks=8 --gpu ./mine.yaml
codes all_reduce bytes=1GB ranks=8 --system ./box.yaml
codes send_recv bytes=1GB over=network --system ./box.yaml
codes all_reduce bytes=1GB ranks=8 --system hgx-h100
