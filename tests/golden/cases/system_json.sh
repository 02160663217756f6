ridge system gb200-nvl72 --json | jq '{id,gpu,gpus:.gpus.value,domain,link:.inside.bytes_per_s.value,nvfp4:[.aggregate[]|select(.what=="nvfp4")|.node,.domain,.datasheet.value],power_of}'
