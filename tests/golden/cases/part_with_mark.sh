# A UTF-8 byte order mark, which some editors write, is no part of the first key.
{
    printf '\357\273\277'
    cat <<'END'
id: marked
name: "Marked"
vendor: ACME
arch: ada
sources:
  - {key: ds, title: "a datasheet", date: "2026-01"}
compute:
  - {dtype: bf16, pipe: matrix, peak: "110 TFLOP/s", source: ds, confidence: A}
memory:
  - {level: dram, capacity: "24 GB", stated: "300 GB/s", source: ds, confidence: A}
END
} >marked.yaml
ridge gpu ./marked.yaml >out && head -n 1 out
mkdir parts && mv marked.yaml parts && ridge gpu marked --catalog parts >out && head -n 1 out
