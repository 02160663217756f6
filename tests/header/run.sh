#!/bin/sh
# usage: tests/header/run.sh: include/ridge.h under every standard that it promises, with
# every compiler that is there and warnings stricter than the project's own.
set -u
cd "$(dirname "$0")/../.." || exit
strict='-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wcast-qual
    -Wundef -Wdouble-promotion -Werror -fsyntax-only -Iinclude'
compiled=0 failed=0
try() { # COMPILER LANGUAGE STANDARD FLAG...
    command -v "$1" >/dev/null || return 0
    compiler=$1 language=$2 standard=$3
    shift 3
    # shellcheck disable=SC2086 # strict is a list of words
    if "$compiler" -x "$language" -std="$standard" $strict "$@" tests/header/header.c; then
        compiled=$((compiled + 1))
    else
        echo "header: $compiler -std=$standard fails" >&2
        failed=1
    fi
}
for standard in c11 c17; do
    try gcc c $standard -Wstrict-prototypes -Wmissing-prototypes
    try clang-14 c $standard -Wstrict-prototypes -Wmissing-prototypes -Wdocumentation
done
for standard in c++11 c++17; do
    try g++ c++ $standard -Wold-style-cast
    try clang++-14 c++ $standard
done
echo "$compiled compilations"
[ "$compiled" -gt 0 ] || exit 1
exit $failed
