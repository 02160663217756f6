#!/bin/sh
# Give the entries of data/fits the spread that they have on rows they have not seen.
#
#   intervals.sh RIDGE OP TABLE.csv.gz[,TABLE.csv.gz...] [OP TABLE...]
#
# Tables of the same columns whose rows share entries are named together.
# RIDGE must be built from the same data/fits; constants stay.  `ridge fit --cross spread`
# names each entry by its file and its place there.
set -eu
export LC_ALL=C
ridge=$1
shift
fits=$(cd "$(dirname "$0")/../data/fits" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

while [ $# -gt 1 ]; do
    first=${2%%,*}
    { gzip -dc "$first"; for more in $(echo "${2#"$first"}" | tr ',' ' '); do
        gzip -dc "$more" | tail -n +2
    done; } >"$scratch/table.csv"
    "$ridge" fit --op "$1" --cross spread "$scratch/table.csv" 2>"$scratch/err" \
        >>"$scratch/spread" || {
        cat "$scratch/err" >&2
        exit 1
    }
    shift 2
done
for file in "$fits"/*.yaml; do
    awk -v key="$(basename "$file" .yaml)" '
        NR == FNR {
            if ($1 == key) {
                low[$2] = $5; high[$2] = $6; left[$2] = $7; vendor[$2] = $8; bands[$2] = $9
            }
            next
        }
        FNR == 1 { place = -1 }
        /^  - op:/ { place++ }
        place in low && /^    (bands|left_out|vendor):/ { skip = 1; next }
        skip && /^      / { next } # the rest of a list
        { skip = 0 }
        place in low && /^    low:/ { printf "    low: \"%s\"\n", low[place]; next }
        place in low && /^    high:/ {
            printf "    high: \"%s\"\n", high[place]
            if (bands[place] != "") {
                n = split(bands[place], band, ", ")
                line = "    bands: ["
                for (i = 1; i <= n; i++) {
                    text = band[i] (i < n ? "," : "]")
                    if (length(line text) > 88) { print line; line = "      " }
                    line = line (i == 1 || line ~ /^ *$/ ? "" : " ") text
                }
                print line
            }
            if (left[place] != "") print "    left_out: " left[place]
            if (vendor[place] != "") print "    vendor: " vendor[place]
            next
        }
        { print }' FS=';' "$scratch/spread" "$file" >"$scratch/new"
    cmp -s "$scratch/new" "$file" || cp "$scratch/new" "$file"
done
