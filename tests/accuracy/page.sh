#!/bin/sh
# docs/accuracy.md from a ledger: page.sh LEDGER <TABLES (as in run.sh)
set -u
export LC_ALL=C
ledger=$1
cat <<'END'
# How far off the predictions are

Expected times held against published ones. Made by `make accuracy` from the rows of
`../shared/measured`, which are others' work and stay there; a test compares each figure with
the ones below and fails where one gets worse.

Error is |expected / measured - 1|. Rows with a mark (`qc`: the working set sat in L2, or the
time is below the datasheet's floor) and eager ones are left out, as `ridge score` does. Bias
is the mean of ln(expected / measured): positive is slow. `inside` is the share of measured
times within [low, high], which is meant to be 80 %; `width` the median of (high - low) /
expected. All in %. The constants were fitted on these rows (each entry of `data/fits` says on
which, and its error on shapes kept apart), so this is what they describe, not yet what they
foresee.

Six rows of mi308x (fp8_token) hold 1 us for products whose floor is 3 to 50 ms. They are left
in, as every row is, and alone make the mean error of matrix products large: read its median.

## All in one

| what | rows | without | mean | median | p90 | bias | within 10 % | inside | width | floor above |
|---|---|---|---|---|---|---|---|---|---|---|
END
tables=$(cat)
echo "$tables" | while IFS='|' read -r op file by title; do
    awk -F, -v file="$file" -v title="$title" '$1 == file && $2 == "ALL" {
        printf "| %s |", title
        for (i = 3; i <= NF; i++) printf " %s |", $i
        printf "\n" }' "$ledger"
done
echo "$tables" | while IFS='|' read -r op file by title; do
    printf '\n## %s\n\n' "$title"
    printf '| %s | rows | without | mean | median | p90 | bias | within 10 %% | inside | width | floor above |\n' \
        "$(echo "$by" | sed 's/,/, /g')"
    echo '|---|---|---|---|---|---|---|---|---|---|---|'
    awk -F, -v file="$file" '$1 == file && $2 != "ALL" {
        for (i = 2; i <= NF; i++) printf "| %s ", $i
        printf "|\n" }' "$ledger"
done
