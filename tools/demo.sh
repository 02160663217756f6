#!/bin/sh
# usage: tools/demo.sh RIDGE: the main job on the built-in catalogue, each command shown.
set -u
ridge=$1
PATH=$(cd "$(dirname "$ridge")" && pwd):$PATH
cd "$(dirname "$0")/.."
mkdir -p build
status=0
show() {
    printf '\n$ %s\n' "$*"
    "$@" || status=1
}
show ridge kernel gemm m=4096 n=4096 k=4096 dtype=bf16 --gpu h100-sxm
show ridge kernel gemm m=4096 n=4096 k=4096 dtype=bf16 --gpu h100-sxm --explain
show ridge kernel custom flop=10GFLOP bytes=1GB --gpu example --time 2ms
show ridge plot --point 'gemm m=4096 n=4096 k=4096 dtype=bf16' \
    --point 'rmsnorm tokens=4096 hidden=8192 dtype=bf16' --gpu h100-sxm -o build/demo.svg
printf '\nThe program is build/release/ridge; the chart is build/demo.svg.\n'
exit $status
