ridge saturate custom flop=1TFLOP dtype=bf16 --solve bytes --fraction 0.5 --gpu h100-sxm
