ridge gpu a100-sxm-80/1g.11gb
