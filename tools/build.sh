#!/bin/sh
# usage: tools/build.sh PRESET [TARGET...]: configure once, build, and be quiet about success.
set -eu
cd "$(dirname "$0")/.."
preset=$1
shift
dir=build/$preset
mkdir -p "$dir"
log=$dir/build.log
run() {
    "$@" >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
}
[ -f "$dir/build.ninja" ] || run cmake --preset "$preset"
run cmake --build "$dir" ${1:+--target "$@"}
