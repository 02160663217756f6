#!/bin/sh
# docs/accuracy.md from ledger.csv, left_out.csv and targets.csv: page.sh FOLDER <TABLES (as
# in run.sh)
set -u
export LC_ALL=C
here=$1
tables=$(cat)
cat <<'END'
# How far off the predictions are

Expected times held against published ones. Made by `make accuracy` from the rows of
`../shared/measured`, which are others' work and stay there; a test compares each figure in
sample with the ones below, and some of those left out, and fails where one gets worse by more
than 3 % of itself and 0.2 points (left out: 10 % and 0.5 points).

Each figure stands three times:

| | what it says |
|---|---|
| in sample | constants as they are built in, on the rows that they were fitted to: what they describe |
| left-out shapes | a fifth of the shapes predicted by constants fitted to the other four, in turn (`ridge fit --cross shapes`): what they foresee on a GPU that was timed |
| left-out parts | all rows of a GPU predicted by constants fitted without any of them (`ridge fit --cross parts`): from its architecture's other parts where the tables have some (B200 and GB200, A100 PCIe and SXM, MI300X and MI308X), else from other architectures by datasheet figures: what they foresee on a GPU that nobody timed; empty where only the part itself was timed under that library or dtype |

Counts that name kinds of kernel (tiles, packing, largest splits), and which entries there are,
were chosen with all rows in view; so was, by hand, the form of the models. docs/format/fit.md
says how rows are left out.

Error is |expected / measured - 1|. Rows with a mark (`qc`: the working set sat in L2, or the
time is below the datasheet's floor) and rows timed `eager` are left out, as `ridge score`
does: that is 2,480 products whose time is the CPU's. The fp32 products and the elementwise rows
of one source are timed call by call from a framework too (`event_eager_best`, the best of
many); they are counted, and their 25 to 35 us of launch are a constant. Seven rows of MI308X
(`fp8_token`) hold 1 us for products of 2 to 50 ms; they are places kept, and count for the
groups further down, whose mean they make large, but for no target. 1,326 rows of experts and
377 of sparse attention cannot be times of the calls they name (docs/model/moe.md and
docs/model/sparse_attention.md have the evidence); built-in constants were fitted without them,
those of `--cross` were not; they stand apart in the first table ("wrong at source") and count in the groups. What a framework's call
costs the host (`host_call`) is no figure of the GPU: it is read off the part's own products,
also where its other rows are left out. Bias is the mean of
ln(expected / measured): positive is slow. `inside` is the share of measured times within [low,
high], which is meant to be 80 %; `width` the median of (high - low) / expected; `empty` the
rows without a prediction. All in %.

END
awk -F, '
    FILENAME ~ /targets/ {
        if (FNR == 1) next
        order[++n] = $1
        goal["shapes", $1, "median"] = $2; goal["shapes", $1, "mean"] = $3
        goal["parts", $1, "median"] = $4; goal["parts", $1, "mean"] = $5
        next
    }
    FILENAME ~ /ledger/ && $1 == "target" { take("in sample", 2) }
    FILENAME ~ /left_out/ && $2 == "target" { take($1, 3) }
    function take(how, from,    i) {
        for (i = from + 1; i <= NF; i++) figure[how, $from, i - from] = $i
        if (!($from in known)) { known[$from] = 1; all[++count] = $from }
    }
    function size(x) { return x < 0 ? -x : x }
    # What of a target is not reached; "" : all is
    function missed(how, t,    text, f) {
        f = how SUBSEP t
        text = ""
        if (figure[f, 4] > goal[f, "median"]) text = text ", median"
        if (figure[f, 3] > goal[f, "mean"]) text = text ", mean"
        if (size(figure[f, 6]) > 3) text = text ", bias"
        if (figure[f, 8] < 75 || figure[f, 8] > 88) text = text ", inside"
        if (figure[f, 9] > 4 * figure[f, 4]) text = text ", width"
        if (figure[f, 2] > 0.02 * (figure[f, 1] + figure[f, 2])) text = text ", empty"
        return substr(text, 3)
    }
    function line(how, label, t,    f, text) {
        f = how SUBSEP t
        if (!((f, 1) in figure)) return
        text = (f, "median") in goal ? goal[f, "median"] " / " goal[f, "mean"] : ""
        printf "| %s | %s | %s / %s | %s | %s | %s | %s | %.1f | %s | %s |\n",
            how == "in sample" ? t : "", label, figure[f, 4], figure[f, 3], figure[f, 5],
            figure[f, 6], figure[f, 8], figure[f, 9],
            100 * figure[f, 2] / (figure[f, 1] + figure[f, 2] + 1e-9), text,
            text == "" ? "" : missed(how, t) == "" ? "met" : "missed: " missed(how, t)
    }
    function guess(how, label, t,    f) {
        f = how SUBSEP t
        if ((f, 1) in figure)
            printf "| | %s | %s / %s | %s | %s | | | | | |\n", label, figure[f, 4],
                figure[f, 3], figure[f, 5], figure[f, 6]
    }
    END {
        print "## Against the targets\n"
        print "A target is met where all hold: median and mean error at most those named,"
        print "bias within 3 %, 75 to 88 % inside, width at most 4 times the median error,"
        print "at most 2 % empty. Below each stand guesses that know less, fitted to the very"
        print "rows: the floor alone, the floor times one constant for each GPU, and that with"
        print "a fixed time.\n"
        split("shapes parts", ways, " ")
        for (w = 1; w <= 2; w++) {
            met = ""
            hits = 0
            for (i = 1; i <= n; i++)
                if (((ways[w], order[i], 1) in figure) && missed(ways[w], order[i]) == "") {
                    hits++
                    met = met (met == "" ? "" : ", ") order[i]
                }
            printf "Met on left-out %s: %d of %d%s%s.\n", ways[w], hits, n,
                met == "" ? "" : ": ", met
        }
        print ""
        print "| target | | median / mean | p90 | bias | inside | width | empty | target | |"
        print "|---|---|---|---|---|---|---|---|---|---|"
        for (i = 1; i <= count; i++)
            if (!(all[i] in listed)) listed[all[i]] = 1
        for (i = 1; i <= n; i++) { rank[order[i]] = 1; show(order[i]) }
        for (i = 1; i <= count; i++)
            if (!(all[i] in rank)) show(all[i])
    }
    function show(t) {
        line("in sample", "in sample", t)
        line("shapes", "left-out shapes", t)
        line("parts", "left-out parts", t)
        guess("roofline", "floor alone", t)
        guess("constant", "one constant", t)
        guess("overhead", "constant and fixed time", t)
    }' "$here/targets.csv" "$here/ledger.csv" "$here/left_out.csv"
echo "$tables" | while IFS='|' read -r op file by title; do
    printf '\n## %s\n\n' "$title"
    printf '| %s | rows | empty | median | mean | p90 | bias | within 10 %% | inside | width | floor above | shapes | inside | parts | inside |\n' \
        "$(echo "$by" | sed 's/,/, /g')"
    echo '|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|'
    awk -F, -v file="$file" '
        FILENAME ~ /left_out/ && $2 == file {
            way[$1, $3] = $7 == "" ? "" : $7 " / " $6
            inside[$1, $3] = $11
        }
        FILENAME ~ /ledger/ && $1 == file {
            printf "| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s", $2 == "ALL" ? "all" : $2, $3, $4, $6, $5, $7, $8, $9, $10, $11, $12
            printf " | %s | %s | %s | %s |\n", way["shapes", $2], inside["shapes", $2], way["parts", $2], inside["parts", $2]
        }' "$here/left_out.csv" "$here/ledger.csv"
done
