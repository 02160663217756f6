# A table of predictions, with a column more for each of: the row of the issue's targets that
# it counts for, and three guesses that know less than a model does.
#
#   awk -v file=gemm -v base=1 -f rows.awk PREDICTED.csv
#
# base=1: the floor alone (roofline); the floor times the median of measured / floor of the
# part and target row (constant); that and a fixed time, a + b floor with the least sum of
# |error| (overhead).  All three are fitted to the rows that they are judged by.
function target(    dtype) {
    if (file == "gemm") {
        dtype = $at["dtype"]
        # 1 us for products of 2 to 50 ms: places kept, not times
        if ($at["gpu"] == "mi308x" && dtype == "fp8_token" && $at["time_us"] == 1) return "placeholders"
        if (dtype == "bf16" || dtype == "fp16") return "gemm bf16/fp16"
        if (dtype == "fp32") return "gemm fp32"
        return "gemm fp8/fp4/weight-only"
    }
    if (file == "moe" && wrong_experts()) return "MoE wrong at source"
    # 3 to 200 ms for prompts that GB200, the same die, does in 3 to 40: longer ones in less
    if (file == "sparse_attention" && $at["gpu"] == "b200-hgx" && $at["kernel"] == "msa_fmha_sm100" \
        && $at["op"] == "msa_context_module") return "sparse attention wrong at source"
    if (file ~ /^mla/) {
        return "MLA " substr(file, 5) " " $at["scope"]
    }
    if (file == "collective")
        return "collectives " ($at["ranks"] + 0 <= $at["ranks_per_node"] + 0 ? "in one node" : "between nodes")
    return name[file]
}
# Rows of experts that cannot be times of the call they name (docs/model/moe.md).  MI308X: one
# time for 1,024 to 32,768 tokens alike.  A100, SGLang with ep > 1: times that do not fall with
# the ranks, up to 7 times H100's where those of one rank are 1.7 times.
function wrong_experts() {
    if ($at["gpu"] == "a100-sxm-80" && $at["backend"] == "sglang") return $at["ep"] > 1
    return $at["gpu"] == "mi308x" && same[experts_key()] > 1
}
function experts_key() {
    return $at["dtype"] SUBSEP $at["hidden"] SUBSEP $at["inter"] SUBSEP $at["topk"] \
        SUBSEP $at["experts"] SUBSEP $at["time_us"]
}
# How many numbers of tokens of one layer have one time on MI308X: the table read beforehand.
function count_same(    i) {
    while ((getline < ARGV[1]) > 0) {
        if (!("gpu" in at)) for (i = 1; i <= NF; i++) at[$i] = i
        if ($at["gpu"] == "mi308x") same[experts_key()]++
    }
    close(ARGV[1])
}
# a + b floor of a group: least squares of (a + b f) / t - 1 with each row's weight divided by
# its last error, which ends at the least sum of sizes.
function fit_overhead(g,    i, r, round, w, x, y, sxx, sxy, syy, sx, sy, det, error) {
    a[g] = 0; b[g] = constant[g]
    for (round = 0; round < 12; round++) {
        sxx = sxy = syy = sx = sy = 0
        for (i = 1; i <= rows[g]; i++) {
            r = member[g, i]
            x = 1 / time[r]; y = floor[r] / time[r]
            error = a[g] * x + b[g] * y - 1
            error = error < 0 ? -error : error
            w = 1 / (error > 0.02 ? error : 0.02)
            sxx += w * x * x; sxy += w * x * y; syy += w * y * y; sx += w * x; sy += w * y
        }
        det = sxx * syy - sxy * sxy
        if (!(det > 1e-12 * sxx * syy)) return
        a[g] = (sx * syy - sy * sxy) / det
        b[g] = (sy * sxx - sx * sxy) / det
        if (a[g] < 0) { a[g] = 0; b[g] = sy / syy }
        if (b[g] < 0) { b[g] = 0; a[g] = sx / sxx }
    }
}
function median(g,    i, n, list, r) {
    n = rows[g]
    for (i = 1; i <= n; i++) {
        r = member[g, i]
        list[i] = time[r] / floor[r]
    }
    sort(list, 1, n)
    return n % 2 ? list[(n + 1) / 2] : (list[n / 2] + list[n / 2 + 1]) / 2
}
function sort(list, low, high,    i, j, pivot, t) {
    while (low < high) {
        pivot = list[int((low + high) / 2)]
        i = low; j = high
        while (i <= j) {
            while (list[i] < pivot) i++
            while (list[j] > pivot) j--
            if (i <= j) { t = list[i]; list[i++] = list[j]; list[j--] = t }
        }
        if (j - low < high - i) { sort(list, low, j); low = i }
        else { sort(list, i, high); high = j }
    }
}
BEGIN {
    FS = OFS = ","
    name["attention_prefill"] = "attention prefill"
    name["attention_decode"] = "attention decode"
    name["moe"] = "MoE"
    name["elementwise"] = "elementwise/norm/quantise"
    name["linear_attention"] = "linear attention"
    name["sparse_attention"] = "sparse attention"
    name["moe_comm"] = "exchange of experts"
    if (file == "moe") count_same()
}
NR == 1 {
    for (i = 1; i <= NF; i++) at[$i] = i
    print $0, "target" (base ? ",roofline_expected_us,constant_expected_us,overhead_expected_us" : "")
    next
}
!base { print $0, target(); next }
{
    line[NR] = $0
    kind[NR] = target()
    if (("qc" in at) && $at["qc"] != "" || $at["timing"] == "eager") next
    time[NR] = $at["time_us"]; floor[NR] = $at["floor_us"]
    if (!(time[NR] > 0 && floor[NR] > 0)) next
    g = group[NR] = $at[("gpu" in at) ? "gpu" : "system"] SUBSEP kind[NR]
    member[g, ++rows[g]] = NR
}
END {
    if (!base) exit
    for (g in rows) {
        constant[g] = median(g)
        fit_overhead(g)
    }
    for (r = 2; r <= NR; r++) {
        g = group[r]
        if (g == "") { print line[r], kind[r], "", "", ""; continue }
        print line[r], kind[r], floor[r], constant[g] * floor[r], a[g] + b[g] * floor[r]
    }
}
