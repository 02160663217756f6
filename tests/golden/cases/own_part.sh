cat >mine.yaml <<'END'
id: mine
name: "My GPU"
vendor: ACME
arch: ada
sources:
  - {key: ds, title: "a datasheet", date: "2026-01"}
compute:
  - {dtype: bf16, pipe: matrix, peak: "110 TFLOP/s", source: ds, confidence: A}
memory:
  - {level: dram, capacity: "24 GB", stated: "300 GB/s", source: ds, confidence: A}
END
ridge kernel gemm m=4096 n=4096 k=4096 dtype=bf16 --gpu ./mine.yaml
