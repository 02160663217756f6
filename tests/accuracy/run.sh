#!/bin/sh
# How far predictions are from published times, held against what they were.
#
#   run.sh RIDGE              compare with ledger.csv: worse by more than a margin fails
#   run.sh RIDGE --bless      write ledger.csv and docs/accuracy.md
#   run.sh RIDGE --left-out   write left_out.csv: shapes and parts left out, simpler guesses;
#                             many minutes
#   run.sh RIDGE --quick      compare what is quick of that with left_out.csv
#
# RIDGE_SHARED is the folder that holds measured/*.csv.gz.  A figure may get worse by 3 %
# of itself and 0.2 points (a refit moves groups a little either way); bias and coverage by
# one point; a row that had a prediction keeps one, and no further floor may be above a
# measured time.  What was left out moves more, since the search does: 10 % and 0.5 points,
# coverage by three.
set -u
export LC_ALL=C
ridge=$1 mode=${2-}
here=$(cd "$(dirname "$0")" && pwd) || exit 2
measured=${RIDGE_SHARED:-$here/../../../shared}/measured
[ -f "$measured/gemm.csv.gz" ] || { echo "skipped: $measured holds no measured times"; exit 77; }
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT

# op, file without .csv.gz, columns that make the groups, title
tables='gemm|gemm|gpu,dtype,backend|Matrix products
attention|attention_prefill|gpu,kv_dtype,backend|Attention, prefill
attention|attention_decode|gpu,kv_dtype,backend|Attention, decode
mla|mla_prefill|scope,gpu,kv_dtype,backend|Latent attention, prefill
mla|mla_decode|scope,gpu,kv_dtype,backend|Latent attention, decode
moe|moe|gpu,dtype,backend|Mixture of experts
elementwise|elementwise|gpu,op,backend|Elementwise, norms, quantisation
linear_attention|linear_attention|gpu,op,backend|Linear attention
sparse_attention|sparse_attention|gpu,op,backend|Sparse attention
collective|collective|system,op,backend|Collectives and transfers
moe_comm|moe_comm|system,op,phase|Exchange of experts'

# score BY FIRST [OPTION...] <ROWS: each group, as CSV with FIRST before it.
score() {
    by=$1 first=$2
    shift 2
    "$ridge" score --by "$by" --csv "$@" - |
        awk -v first="$first" -F, 'NR > 1 { printf "%s,%s,%d,%d", first, $1, $2, $3
            for (i = 4; i <= 10; i++) printf ($i == "" ? "," : ",%.1f"), 100 * $i
            printf ($11 == "" ? ",\n" : ",%.2f\n"), 100 * $11 }' | sed 's/,-0\.0\b/,0.0/g'
}

# predict COMMAND...: rows with predictions in $scratch/rows, and their targets.
predict() {
    "$ridge" "$@" 2>"$scratch/err" >"$scratch/plain"
    [ $? -le 1 ] || { cat "$scratch/err" >&2; exit 1; }
    awk -v file="$file" -f "$here/rows.awk" "$scratch/plain" >"$scratch/rows"
}

# by_target FIRST [OPTION...] <ROWS
by_target() {
    score target "$@" | grep -v ',ALL,\|,placeholders,'
}

# Every group of the rows, and every target.
in_sample() {
    echo "$tables" | while IFS='|' read -r op file by title; do
        predict predict --op "$op" "$measured/$file.csv.gz"
        score "$by" "$file" <"$scratch/rows"
        by_target target <"$scratch/rows"
    done
}

# left_out FILES...: the same of rows predicted without their shape, and without their part.
left_out() {
    echo "$tables" | while IFS='|' read -r op file by title; do
        case " $* " in *" $file "*) ;; *) continue ;; esac
        for how in shapes parts; do
            predict fit --op "$op" --cross $how "$measured/$file.csv.gz"
            score "$by" "$how,$file" <"$scratch/rows"
            by_target "$how,target" <"$scratch/rows"
        done
    done
}

# Guesses that know less: fitted to the rows that they are judged by.
simpler() {
    echo "$tables" | while IFS='|' read -r op file by title; do
        predict predict --op "$op" "$measured/$file.csv.gz"
        awk -v file="$file" -v base=1 -f "$here/rows.awk" "$scratch/plain" >"$scratch/rows"
        for guess in roofline constant overhead; do
            by_target "$guess,target" --expected ${guess}_expected_us <"$scratch/rows"
        done
    done
}

figures=group,rows,empty,mape,median,p90,bias,in10,coverage,width,above_floor

case $mode in
--left-out)
    {
        echo "how,file,$figures"
        left_out $(echo "$tables" | cut -d'|' -f2)
        simpler
    } >"$scratch/new.csv" && cp "$scratch/new.csv" "$here/left_out.csv"
    exit ;;
--quick)
    was=$here/left_out.csv keys=3 factor=1.10 points=0.5 wide=3
    { echo "how,file,$figures"; left_out collective moe_comm; } >"$scratch/new.csv" || exit 1 ;;
*)
    was=$here/ledger.csv keys=2 factor=1.03 points=0.2 wide=1
    { echo "file,$figures"; in_sample; } >"$scratch/new.csv" || exit 1 ;;
esac

if [ "$mode" = --bless ]; then
    cp "$scratch/new.csv" "$here/ledger.csv"
    echo "$tables" | "$here/page.sh" "$here" >"$here/../../docs/accuracy.md"
    exit
fi
awk -F, -v keys="$keys" -v factor="$factor" -v points="$points" -v wide="$wide" \
    -v part="$mode" '
    function worse(what, now, was, factor, points) {
        if (now > was * factor + points) {
            printf "%s: %s is %s, was %s\n", key, what, now, was
            bad++
        }
    }
    function size(x) { return x < 0 ? -x : x }
    FNR == 1 { next }
    {
        key = $1
        for (i = 2; i <= keys; i++) key = key "," $i
        rest = ""
        for (i = keys + 1; i <= NF; i++) rest = rest (rest == "" ? "" : ",") $i
    }
    NR == FNR { line[key] = rest; next }
    !(key in line) { printf "%s: not in the ledger\n", key; bad++; next }
    {
        count++
        split(line[key], was, ",")
        split(rest, now, ",")
        seen[key] = 1
        if (now[1] + now[2] != was[1] + was[2]) {
            printf "%s: %d rows, were %d\n", key, now[1] + now[2], was[1] + was[2]
            bad++
        }
        worse("empty cells", now[2], was[2], 1, 0)
        if (now[1] == 0) next
        worse("MAPE", now[3], was[3], factor, points)
        worse("median", now[4], was[4], factor, points)
        worse("p90", now[5], was[5], factor, 2 * points)
        worse("bias", size(now[6]), size(was[6]), 1, wide)
        worse("coverage away from 80", size(now[8] - 80), size(was[8] - 80), 1, wide)
        worse("floors above", now[10], was[10], 1, 0.005)
    }
    END {
        if (part == "")
            for (key in line) if (!(key in seen)) { print key ": gone"; bad++ }
        printf "%d groups, %d figures worse\n", count, bad
        exit bad > 0
    }' "$was" "$scratch/new.csv"
