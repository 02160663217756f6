# Launch overhead left out; "memory bound" said of a run that latency bounds.
. "$(dirname "$0")/lib.sh"
k="kernel add rows=32 cols=128 dtype=bf16 --gpu mi350x"
runs 0 $k --time 5.5us
says 'latency bound'
says 'latency_bound:'
runs 0 $k --json
holds '.bound == "latency" and .launch_s > 0 and .expected_s > 100*.floor_s'
# It is told by how one times, and is never in the floor.
g="kernel rmsnorm rows=64 cols=4096 dtype=bf16 --gpu h100-sxm --json"
runs 0 $g --timing kernel
holds '.launch_s == 0'
floor=$(sed 's/.*"floor_s":\([^,]*\),.*/\1/' out)
runs 0 $g --timing eager
holds ".launch_s > 10e-6 and .floor_s == $floor"
runs 0 $k --time 5.5us --json
holds '[.waterfall[].step] | index("launch") != null'
