#!/bin/sh
# `ridge score` against the shared scoring script, which is another program in another
# language: the same rows, figures and groups on the published matrix products.
#
#   score_agrees.sh RIDGE     (RIDGE_SHARED: the folder with measured/ and tools/)
set -u
ridge=$1
[ -f "$RIDGE_SHARED/tools/score.py" ] && [ -f "$RIDGE_SHARED/measured/gemm.csv.gz" ] ||
    { echo "skipped: $RIDGE_SHARED has no tools/score.py and measured/gemm.csv.gz"; exit 77; }
command -v python3 >/dev/null || { echo "skipped: python3 is not installed"; exit 77; }
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
"$ridge" predict --op gemm "$RIDGE_SHARED/measured/gemm.csv.gz" >"$scratch/rows" || exit 1
# Both as: group|rows empty MAPE median p90 bias in10 in80 above, one decimal.
python3 "$RIDGE_SHARED/tools/score.py" "$scratch/rows" |
    sed 1d | cut -c1-44,45- | awk '{
        name = substr($0, 1, 44); sub(/ *$/, "", name)
        split(substr($0, 45), f, " ")
        printf "%s|%d %d %.1f %.1f %.1f %.1f %.1f %.1f %.2f\n", name, f[1], f[2], f[3],
            f[4], f[5], f[6], f[7], f[8], f[9] }' | sed 's/-0\.0 /0.0 /g' | sort >"$scratch/theirs"
"$ridge" score --csv "$scratch/rows" | sed 1d | awk -F, '{
        printf "%s|%d %d %.1f %.1f %.1f %.1f %.1f %.1f %.2f\n", $1, $2, $3, 100 * $4,
            100 * $5, 100 * $6, 100 * $7, 100 * $8, 100 * $9, 100 * $11 }' |
    sed 's/-0\.0 /0.0 /g' | sort >"$scratch/ours"
groups=$(wc -l <"$scratch/ours")
[ "$groups" -gt 20 ] || { echo "only $groups groups"; exit 1; }
diff "$scratch/theirs" "$scratch/ours" && echo "$groups groups agree"
