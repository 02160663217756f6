#!/bin/sh
# usage: tests/docs/articles.sh [--bless] RIDGE
#
# docs/articles.md and docs/zh/articles.md are written from docs/articles/*.txt: each command
# there is run with --json, its answer is put beside the article's figure, and the two are
# compared.  It fails where a figure that is right does not agree, where a slip does not give
# the right value, where the 70 slips are not told once each, and where the documents are not
# what would be written now; --bless writes them, to be reviewed as a diff.
# The format of the sources is told at the head of articles.awk.
set -u
bless=
[ "${1-}" != --bless ] || { bless=1; shift; }
command -v jq >/dev/null || { echo "jq is not installed: skipped"; exit 77; }
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
PATH=$(cd "$(dirname "$1")" && pwd):$PATH
export LC_ALL=C COLUMNS=80 NO_COLOR=1
shared=${RIDGE_SHARED:-$top/../shared}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
failed=0

[ -r "$shared/hardware/errata.csv" ] ||
    echo "skipped: $shared is absent, so the slips and figures are not held against it"

# Pass 1: what is to be run (commands), and read out of it (answers.jq).
sources=
for name in head estimating notes specs primer; do
    sources="$sources $top/docs/articles/$name.txt"
done
# shellcheck disable=SC2086 # a list of files
awk -v pass=1 -v defs="$here/articles.jq" -f "$here/articles.awk" $sources || exit 2
number=0
while IFS= read -r line; do
    number=$((number + 1))
    kind=${line%% *} command=${line#* }
    case $kind in
    json) eval "$command --json" ;;
    text) eval "$command" ;;
    esac >out 2>errors </dev/null
    status=$?
    # 1: done, and something is wrong with what was asked about, which may be the point.
    [ $status -le 1 ] || {
        echo "FAILED: $command" >&2
        cat errors >&2
        : >failed
        echo null >out
    }
    case $kind in
    json) cat out ;;
    text) cat errors out >"text.$number" ;;
    esac
done <commands >answers.json
[ ! -e failed ] || failed=1
jq -s -r -f answers.jq answers.json >answers || exit 2

# Pass 2: the documents, and what is wrong.
# shellcheck disable=SC2086
awk -v pass=2 -v reference="$shared/reference" -v errata="$shared/hardware/errata.csv" \
    -f "$here/articles.awk" $sources || failed=1

for language in en zh; do
    case $language in
    en) file=docs/articles.md ;;
    zh) file=docs/zh/articles.md ;;
    esac
    cmp -s "$language.md" "$top/$file" && continue
    if [ -n "$bless" ]; then
        cp "$language.md" "$top/$file"
    else
        diff -u "$top/$file" "$language.md"
        echo "$file is not what docs/articles gives: read the difference, then" \
            "tools/bless.sh docs"
        failed=1
    fi
done
echo "$(wc -l <commands) commands, $(wc -l <answers) answers"
exit $failed
