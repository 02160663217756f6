#!/bin/sh
# clang-tidy over src, cli, plugins, examples, bench and tools; needs build/dev to be configured.
# A file that passed is not read again until what it compiles, or .clang-tidy, changes.
set -u
cd "$(dirname "$0")/.." || exit
mkdir -p build/tidy
one() {
    file=$1
    key=$({ cat .clang-tidy include/ridge.h include/ridge/*.h "$file" && cat src/*/*.h; } | sha256sum |
        cut -c1-32)
    [ -e "build/tidy/$key" ] && return 0
    if clang-tidy -quiet -p build/dev "$file" >"build/tidy/$$.log" 2>/dev/null; then
        rm -f "build/tidy/$$.log"
        : >"build/tidy/$key"
    else
        cat "build/tidy/$$.log"
        return 1
    fi
}
if [ $# = 1 ]; then
    one "$1"
    exit
fi
find src cli plugins examples bench tools -name '*.c' 2>/dev/null | sort | xargs -P "$(nproc)" -n 1 "$0"
