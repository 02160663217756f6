# Data in L2 read as DRAM speed; cold and warm mixed.
. "$(dirname "$0")/lib.sh"
# 16 MiB in 8.182 us would be 114 % of an RTX 5090's DRAM: its L2 holds them.
k="kernel custom flop=0 bytes=16MiB dtype=fp32 --gpu rtx5090"
runs 0 $k --time 8.182us
says 'served by L2: 8.18 us is below the cold floor'
says 'rotate over buffers larger than L2'
runs 0 $k --time 8.182us --json
holds '.verdict == "l2_resident" and ([.warnings[].code] | index("l2_resident") != null)'
# Below the floor of L2 too, or too large for it: impossible.
runs 1 $k --time 0.1us
runs 1 kernel custom flop=0 bytes=1GiB dtype=fp32 --gpu rtx5090 --time 500us
says 'impossible'
# Cold is the default; warm is said, and has another roof.
runs 0 $k --warm --json
warm=$(sed 's/.*"floor_s":\([^,]*\),.*/\1/' out)
runs 0 $k --json
holds ".floor_s > $warm"
runs 2 $k --warm --cold
complains 'contradicts --cold'
# The profiler's command flushes, or does not, alike.
runs 0 $k --verify
says '--cache-control all'
runs 0 $k --verify --warm
says '--cache-control none'
