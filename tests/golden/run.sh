#!/bin/sh
# Run golden cases of the command line.
#
#   run.sh RIDGE [CASE...]          compare
#   BLESS=1 run.sh RIDGE [CASE...]  rewrite what is expected (tools/bless.sh)
#
# cases/NAME.sh runs in an empty folder with `ridge` on the PATH.  What it prints, what it
# says on standard error and its exit status must equal NAME.out, NAME.err and NAME.code;
# a missing file means empty, empty and 0.
set -u
ridge=$1
shift
cases=$(cd "$(dirname "$0")/cases" && pwd) || exit 2
case $ridge in /*) ;; *) ridge=$PWD/$ridge ;; esac
[ -x "$ridge" ] || { echo "$ridge: no such program" >&2; exit 2; }
[ $# -gt 0 ] || set -- $(cd "$cases" && ls *.sh | sed 's/\.sh$//')

scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/bin" && ln -s "$ridge" "$scratch/bin/ridge"
PATH=$scratch/bin:$PATH LC_ALL=C TERM=dumb
export PATH LC_ALL TERM
unset NO_COLOR

# keep FILE EXPECTED: what was found becomes what is expected; nothing is kept of nothing.
keep() {
    if [ -s "$1" ]; then cp "$1" "$2"; else rm -f "$2"; fi
}

failed=0
for name; do
    mkdir "$scratch/$name" || exit 2
    out=$scratch/$name.out err=$scratch/$name.err code=$scratch/$name.code
    (cd "$scratch/$name" && sh "$cases/$name.sh") >"$out" 2>"$err" </dev/null
    status=$?
    : >"$code"
    [ $status -eq 0 ] || echo $status >"$code"
    for kind in out err code; do
        found=$scratch/$name.$kind expected=$cases/$name.$kind
        if [ -n "${BLESS-}" ]; then
            keep "$found" "$expected"
            continue
        fi
        [ -e "$expected" ] || expected=/dev/null
        diff -u "$expected" "$found" || { echo "FAILED: $name.$kind"; failed=1; }
    done
done
exit $failed
