#!/bin/sh
# Compare each chart with its golden file, byte for byte; --bless writes the files anew.
#   run.sh DRAW GOLDEN_FOLDER [--bless]
set -eu
draw=$1 golden=$2 bless=${3-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
for name in primer levels extreme crowd machines; do
    for kind in svg terminal ascii; do
        case $kind in svg) file=chart_$name.svg ;; *) file=chart_$name.$kind ;; esac
        "$draw" "$name" "$kind" >"$work/$file"
        if [ "$kind" = svg ] && command -v xmllint >/dev/null; then
            xmllint --noout "$work/$file" || failed=1
        fi
        if [ "$bless" = --bless ]; then
            cp "$work/$file" "$golden/$file"
        elif ! cmp -s "$work/$file" "$golden/$file"; then
            echo "$file differs; if that is meant: tests/chart/run.sh $draw $golden --bless"
            diff "$golden/$file" "$work/$file" | head -20
            failed=1
        fi
    done
done
# A rasteriser must accept them as well.
if command -v rsvg-convert >/dev/null; then
    rsvg-convert "$work/chart_levels.svg" -o "$work/levels.png" || failed=1
    [ -s "$work/levels.png" ] || failed=1
fi
exit $failed
