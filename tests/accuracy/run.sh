#!/bin/sh
# How far predictions are from published times, held against what they were.
#
#   run.sh RIDGE            compare with ledger.csv: worse by more than a margin fails
#   run.sh RIDGE --bless    write ledger.csv and docs/accuracy.md
#
# RIDGE_SHARED is the folder that holds measured/*.csv.gz.  A figure may get worse by 3 %
# of itself and 0.2 points (a refit moves groups a little either way); bias and coverage by
# one point; a row that had a prediction keeps one, and no further floor may be above a
# measured time.
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

# figures FILE: every group of the op's rows, as CSV with the file's name before it.
figures() {
    echo "$tables" | while IFS='|' read -r op file by title; do
        "$ridge" predict --op "$op" "$measured/$file.csv.gz" 2>"$scratch/err" >"$scratch/rows"
        [ $? -le 1 ] || { cat "$scratch/err"; exit 1; }
        "$ridge" score --by "$by" --csv "$scratch/rows" |
            awk -v file="$file" -F, 'NR > 1 { printf "%s,%s,%d,%d", file, $1, $2, $3
                for (i = 4; i <= 10; i++) printf ",%.1f", 100 * $i
                printf ",%.2f\n", 100 * $11 }' | sed 's/,-0\.0\b/,0.0/g'
    done
}

header=file,group,rows,empty,mape,median,p90,bias,in10,coverage,width,above_floor
{ echo $header; figures; } >"$scratch/new.csv" || exit 1

if [ "$mode" = --bless ]; then
    cp "$scratch/new.csv" "$here/ledger.csv"
    echo "$tables" | "$here/page.sh" "$here/ledger.csv" >"$here/../../docs/accuracy.md"
    exit
fi
awk -F, '
    function worse(what, now, was, factor, points) {
        if (now > was * factor + points) {
            printf "%s %s: %s is %s, was %s\n", $1, $2, what, now, was
            bad++
        }
    }
    FNR == 1 { next }
    { key = $1 "," $2 }
    NR == FNR { line[key] = $0; count++; next }
    !(key in line) { printf "%s %s: not in the ledger\n", $1, $2; bad++; next }
    {
        split(line[key], was, ",")
        seen[key] = 1
        if ($3 + $4 != was[3] + was[4]) {
            printf "%s %s: %d rows, were %d\n", $1, $2, $3 + $4, was[3] + was[4]
            bad++
        }
        worse("empty cells", $4, was[4], 1, 0)
        worse("MAPE", $5, was[5], 1.03, 0.2)
        worse("median", $6, was[6], 1.03, 0.2)
        worse("p90", $7, was[7], 1.03, 0.4)
        worse("bias", $8 < 0 ? -$8 : $8, was[8] < 0 ? -was[8] : was[8], 1, 1)
        off = $10 < 80 ? 80 - $10 : $10 - 80
        off_was = was[10] < 80 ? 80 - was[10] : was[10] - 80
        worse("coverage away from 80", off, off_was, 1, 1)
        worse("floors above", $12, was[12], 1, 0.005)
    }
    END {
        for (key in line) if (!(key in seen)) { print key ": gone"; bad++ }
        printf "%d groups, %d figures worse\n", count, bad
        exit bad > 0
    }' "$here/ledger.csv" "$scratch/new.csv"
