ridge saturate moe hidden=7168 inter=2048 topk=8 experts=256 distribution=uniform dtype=bf16 --solve tokens --gpu h100-sxm
