set -- tokens=1024 hidden=7168 inter=2048 topk=8 experts=256 ep=8 dtype=fp8_block
ridge kernel moe "$@" distribution=uniform --gpu h100-sxm --explain
ridge kernel moe "$@" distribution=power_law_1.2_eplb shared_experts=1 --gpu h100-sxm --json
ridge kernel moe "$@" distribution=balanced --gpu h100-sxm --csv
