# GB against GiB (7.4 %), bits against bytes, 10e9 for 1e9.
. "$(dirname "$0")/lib.sh"
b() { runs 0 kernel custom flop=1 bytes="$1" --gpu example --json; }
b 1GB
holds '.bytes == 1000000000'
b 1GiB
holds '.bytes == 1073741824'
b 10e9
holds '.bytes == 10000000000'
d() { runs 0 kernel custom flop=1 bytes=1GB --gpu example --dram "$1" --json; }
d 400Gb/s
holds '.memory_s == 0.02'
d 400GB/s
holds '.memory_s == 0.0025'
# Capacities are told in both.
runs 0 gpu h100-sxm
says '80 GB (74.5 GiB)'
runs 0 kernel custom flop=1 bytes=64GiB --gpu example
says '68.7 GB (64 GiB) must exist at once'
# What can be read in two ways says so, and --strict stops there.
for size in 64Mb 64KB; do
    b $size
    holds '[.warnings[].code] | index("unit_ambiguous") != null'
    runs 2 kernel custom flop=1 bytes=$size --gpu example --strict
    complains 'unit_ambiguous'
done
b 64MB
holds '[.warnings[].code] | index("unit_ambiguous") == null'
# Another dimension, or a unit that is none, is an error.
runs 2 kernel custom flop=1 bytes=2ms --gpu example
complains 'is seconds; bytes wanted'
runs 2 kernel custom flop=1 bytes=64gb --gpu example
complains 'unknown unit'
