ridge gpu h100-sxm --json | jq -c '.mig[0],.process,.limits.tensor_cores.value,.limits.blocks.value'
