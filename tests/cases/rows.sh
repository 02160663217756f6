#!/bin/sh
# usage: rows.sh SHARED TESTS
#
# Each known figure of kernels, hardware and benchmarks (rows O, H, B of expected.tsv) is a
# row of a test here: as many of that id as there are figures.
expected=$1/cases/expected.tsv
[ -r "$expected" ] || { echo "skipped: $expected is absent"; exit 77; }
awk -F '\t' 'NR > 1 && $1 ~ /^[OHB][0-9]/ { count[$1]++ }
    END { for (id in count) print id, count[id] }' "$expected" | sort >wanted.$$
failed=0
while read -r id wanted; do
    found=$(cat "$2"/cases/*.c | grep -c "{\"$id[\" ]")
    [ "$found" -ge "$wanted" ] ||
        { echo "$id: $wanted figures are known, $found are tested"; failed=1; }
done <wanted.$$
rm -f wanted.$$
exit $failed
