# What libraries and benchmarks call an operation finds it.
for name in triad swiglu rms_norm layer_norm flash_attention sdpa bcast all2all mm; do
    ridge op $name | head -1
done
