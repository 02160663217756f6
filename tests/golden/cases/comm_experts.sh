ridge comm deepep_normal phase=dispatch tokens=4096 hidden=7168 topk=8 experts=256 ranks=16 dtype=bf16 --system hgx-h100
