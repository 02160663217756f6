#!/bin/sh
# usage: tools/demo.sh RIDGE: the main job on the built-in catalogue, each command shown.
set -u
PATH=$(cd "$(dirname "$1")" && pwd):$PATH
cd "$(dirname "$0")/.." || exit
mkdir -p build
failed=0
show() {
    printf '\n$ %s\n' "$1"
    eval "$1" || failed=1
}
gemm='gemm m=4096 n=4096 k=4096 dtype=bf16'
show "ridge kernel $gemm --gpu h100-sxm"
show "ridge kernel $gemm --gpu h100-sxm --explain"
show "ridge kernel custom flop=10GFLOP bytes=1GB --gpu example --time 2ms"
show "ridge plot --point '$gemm' --gpu h100-sxm -o build/demo.svg"
printf '\nThe program is build/release/ridge; the chart is build/demo.svg.\n'
exit $failed
