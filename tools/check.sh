#!/bin/sh
# Every gate, in order of cost; ctest of preset dev comes last so that its closing line
# ends the log.  What a step prints is in build/check/STEP.log.
set -u
cd "$(dirname "$0")/.." || exit
mkdir -p build/check
jobs=$(nproc)
failed=
step() {
    title=$1
    shift
    start=$(date +%s)
    if "$@" >"build/check/$title.log" 2>&1 </dev/null; then
        note=$(sed -n 's/^skipped: //p' "build/check/$title.log" | head -3)
        echo "ok      $title ($(($(date +%s) - start)) s)${note:+; skipped: $note}"
    else
        echo "FAILED  $title ($(($(date +%s) - start)) s); build/check/$title.log ends:"
        grep -vE '^ *(Start|[0-9]+/[0-9]+ .* Passed)' "build/check/$title.log" | tail -60
        failed="$failed $title"
    fi
}

format() {
    clang-format --version | grep -q 'version 14\.' || {
        echo "skipped: clang-format is not version 14, whose layout is the rule"
        return 0
    }
    git ls-files '*.c' '*.h' | xargs clang-format --dry-run -Werror
}
# suite PRESET [OPTION...]: build it and run its tests, those that ctest's options choose.
suite() {
    preset=$1
    shift
    tools/build.sh "$preset" && ctest --preset "$preset" -j "$jobs" "$@"
}
fuzz() {
    tools/build.sh fuzz || return 1
    found=0
    for fuzzer in build/fuzz/tests/fuzz_*; do
        [ -x "$fuzzer" ] && [ -f "$fuzzer" ] || continue
        found=1
        name=$(basename "$fuzzer")
        mkdir -p "build/fuzz/new/$name"
        corpus=$PWD/tests/fuzz/corpus/${name#fuzz_}
        [ -d "$corpus" ] || corpus=
        case $name in # what the project reads anyway, as in tests/fuzz/tests.cmake
        fuzz_machine) more='gpus fits latencies' ;;
        fuzz_system) more='systems links' ;;
        *) more= ;;
        esac
        for kind in $more; do corpus="$corpus $PWD/data/$kind"; done
        (cd build/fuzz && "./tests/$name" -max_total_time=5 -rss_limit_mb=1024 -timeout=5 \
            "new/$name" $corpus) || return 1
    done
    [ "$found" = 1 ] || echo "skipped: there is no fuzzer yet"
}

step format format
step layers tools/layers.sh
step sizes tools/sizes.sh
step build tools/build.sh dev
step tidy tools/tidy.sh
# The published tables take the code no further than the unit tests do: preset dev has them.
step asan suite asan -E '^accuracy'
step tsan suite tsan -R 'base|table|threads|predict|score'
step fuzz fuzz
step release tools/build.sh release
step install tests/install/run.sh build/release
echo "dev:"
tools/build.sh dev && ctest --preset dev -j "$jobs" --output-on-failure ||
    failed="$failed dev"
# Nothing may follow ctest's closing line but the verdict of the steps above.
[ -z "$failed" ] || {
    echo "make check failed:$failed" >&2
    exit 1
}
