#!/bin/sh
# usage: tests/header/exports.sh LIBRIDGE.SO: it exports the functions that the public header
# declares, all of them and nothing else.
set -eu
cd "$(dirname "$0")/../.."
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
# A declaration may be broken over lines; the name is what stands before the first "(" that
# follows RIDGE_API.
cat include/ridge.h include/ridge/*.h | tr '\n' ' ' | sed 's/RIDGE_API/\n&/g' |
    sed -nE 's/^RIDGE_API [^(;]*[ *](ridge_[a-z0-9_]+)\(.*/\1/p' | sort -u >"$dir/declared"
nm -D --defined-only "$1" | awk '{ print $3 }' | grep -vE '^(_init|_fini)$' |
    sort -u >"$dir/exported"
echo "$(wc -l <"$dir/declared") functions declared"
[ -s "$dir/declared" ]
diff "$dir/declared" "$dir/exported" || {
    echo 'exports: "<" is declared and missing, ">" is exported and not declared' >&2
    exit 1
}
