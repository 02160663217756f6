# The two directions of a link taken together, or its line rate taken for what arrives.
. "$(dirname "$0")/lib.sh"
runs 0 gpu h100-sxm
says 'Links (one direction, per GPU)'
says 'together 450 GB/s stated'
says '376 GB/s measured'
silent '900 GB/s'
runs 0 saturate gemm m=4096 n=4096 dtype=bf16 --solve k --by link --wire c --gpu h100-sxm
says '450e9, FLOP per byte of the link, one way'
# 900 GB/s of an H100 are both directions.
runs 0 saturate gemm m=4096 n=4096 dtype=bf16 --solve k --by link --wire c --gpu h100-sxm \
    --link 900GB/s
says 'link_bidirectional'
# In a collective the rate is one way, and what is reached stands apart from it.
have comm
runs 0 comm all_reduce bytes=1GB ranks=8 dtype=bf16 --gpu h100-sxm
says '450 GB/s one way'
runs 0 comm all_reduce bytes=1GB ranks=8 dtype=bf16 --gpu h100-sxm --json
holds '.expected_s > .floor_s'
runs 0 comm all_reduce bytes=1GB ranks=8 dtype=bf16 --gpu h100-sxm --link 900GB/s
says 'link_bidirectional'
