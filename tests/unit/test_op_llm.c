/*
 * Operations of language models against loops over small shapes that count each multiply-add
 * and each element that is touched; routing against its definition; worked numbers.
 */
#include "op/op_priv.h"
#include "test.h"

#include <string.h>

/* A call from "op key=value ..."; `executed` as --count says.  Lists stay in `line`. */
static ridge_call make(const char *line, bool executed)
{
    static char words[8][512];
    static int next_slot;
    char *next = words[next_slot++ % 8];
    ridge_call call;
    ridge_error err = {0};
    snprintf(next, sizeof words[0], "%s", line);
    for (bool first = true; next; first = false) {
        char *word = next;
        next = strchr(word, ' ');
        if (next)
            *next++ = '\0';
        char *value = first ? NULL : strchr(word, '=');
        if (value)
            *value++ = '\0';
        if (first ? ridge_call_init(&call, word, &err)
                  : ridge_call_set(&call, word, value, &err))
            fail_msg("%s: %s: %s", line, err.where, err.message);
    }
    call.executed = executed;
    if (ridge_call_finish(&call, &err))
        fail_msg("%s: %s", line, err.message);
    return call;
}

static ridge_work count(const char *line)
{
    ridge_call call = make(line, false);
    ridge_work work;
    assert_int_equal(ridge_op_count(&work, &call, NULL), RIDGE_OK);
    return work;
}

static ridge_work executed(const char *line)
{
    ridge_call call = make(line, true);
    ridge_work work;
    assert_int_equal(ridge_op_count(&work, &call, NULL), RIDGE_OK);
    return work;
}

static double symbol(const char *line, const char *name)
{
    ridge_call call = make(line, false);
    return call.op->symbol(&call, name, strlen(name));
}

/* Multiply-adds of a (rows x inner) by (inner x columns) product, counted one by one. */
static double product_flop(int rows, int inner, int columns)
{
    double flop = 0;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            for (int k = 0; k < inner; k++)
                flop += 2;
    return flop;
}

/* ---- Backward attention ------------------------------------------------------------ */

static void test_backward_counts_loops(void **state)
{
    (void)state;
    double model = 0, again = 0;
    for (int head = 0; head < 2 * 6; head++)
        for (int i = 0; i < 4; i++)
            for (int j = 0; j <= i + 6; j++) {
                for (int d = 0; d < 5; d++)
                    model += 2 + 2; /* dV += p dO, dP = dO v */
                for (int d = 0; d < 8; d++) {
                    model += 2 + 2; /* dQ += ds k, dK += ds q */
                    again += 2;     /* q k once more */
                }
            }
    const char *line = "attention_backward b=2 h=6 heads_kv=3 q_len=4 kv_len=10 d=8 dv=5 "
                       "causal=1 dtype=fp16";
    assert_close(count(line).flop, model, 0);
    assert_close(executed(line).flop, model + again, 0);
    ridge_work work = count(line);
    double q = 2 * 6 * 4, kv = 2 * 3 * 10;
    assert_close(work.bytes, 2 * (2 * q * (8 + 5) + 2 * kv * (8 + 5)), 0);
}

/* O11: forward 274.9 GF, with the backward pass 3x, executed 3.5x.  O13: 2.5x. */
static void test_backward_published(void **state)
{
    (void)state;
    double forward = count("attention b=64 h=16 s=1024 d=64 dtype=bf16").flop;
    const char *line = "attention_backward b=64 h=16 s=1024 d=64 dtype=bf16";
    assert_close((forward + count(line).flop) / 1e9, 824.6, 1e-4);
    assert_close((forward + executed(line).flop) / 1e9, 962.1, 1e-4);
    line = "attention_backward b=4 h=16 s=8192 d=128 dtype=bf16";
    assert_close(executed(line).flop / 4.043e-3, 1359.77e12, 1e-3);
}

/* ---- Grouped products -------------------------------------------------------------- */

static void test_grouped_counts_loops(void **state)
{
    (void)state;
    static const int rows[] = {5, 0, 2, 2, 2};
    double flop = 0, a = 0, b = 0, c = 0;
    for (int g = 0; g < 5; g++) {
        flop += product_flop(rows[g], 7, 3);
        a += rows[g] * 7;
        b += rows[g] > 0 ? 7 * 3 : 0; /* once, not once a row */
        c += rows[g] * 3;
    }
    ridge_work work = count("grouped_gemm m=[5,0,2x3] n=3 k=7 dtype=fp16");
    assert_close(work.flop, flop, 0);
    assert_close(work.operand_bytes[0], 2 * a, 0);
    assert_close(work.operand_bytes[1], 2 * b, 0);
    assert_close(work.operand_bytes[2], 2 * c, 0);
    assert_close(count("grouped_gemm m=4 groups=3 n=3 k=7 dtype=fp16").flop,
                 3 * product_flop(4, 7, 3), 0);
    assert_close(count("grouped_gemm m_total=12 groups=3 n=3 k=7 dtype=fp16").bytes,
                 2 * (12 * 7 + 3 * 21 + 12 * 3), 0);
    /* Fewer rows than groups: the rest stay unread. */
    assert_close(count("grouped_gemm m_total=2 groups=3 n=3 k=7 dtype=fp16").bytes,
                 2 * (2 * 7 + 2 * 21 + 2 * 3), 0);
    /* One group is a product. */
    assert_close(count("grouped_gemm m=[9] n=3 k=7 dtype=fp8").bytes,
                 count("gemm m=9 n=3 k=7 dtype=fp8").bytes, 0);
}

/* O10: 1230.49 TFLOP/s and 391 GB/s without the scales. */
static void test_grouped_published(void **state)
{
    (void)state;
    ridge_work work = count("grouped_gemm m=[8864x4] n=4096 k=7168 dtype=fp8");
    assert_close(work.flop / 1692e-6, 1230.49e12, 2e-3);
    assert_close(work.bytes / 1692e-6, 391e9, 2e-3);
}

static void test_grouped_errors(void **state)
{
    (void)state;
    static const struct {
        const char *words[6][2];
        const char *message;
    } cases[] = {
        {{{"n", "8"}},
         "grouped_gemm lacks its rows; m=[...], or groups and m or m_total wanted, as in: "
         "grouped_gemm m=[8864x4] n=4096 k=7168 dtype=fp8"},
        {{{"n", "8"}, {"m", "8"}},
         "grouped_gemm lacks groups; a list of m gives them, or groups="},
        {{{"n", "8"}, {"m", "[8,8]"}, {"groups", "3"}},
         "groups=3 contradicts m, which gives 2; leave one of them out"},
        {{{"n", "8"}, {"m", "8"}, {"groups", "3"}, {"m_total", "25"}},
         "m_total=25 contradicts m, which gives 24; leave one of them out"},
        {{{"n", "8"}, {"m", "[0x4]"}}, "no group has a row; at least one row wanted"},
    };
    for (size_t i = 0; i < RIDGE__COUNT(cases); i++) {
        ridge_call call;
        ridge_error err = {0};
        assert_int_equal(ridge_call_init(&call, "grouped_gemm", NULL), 0);
        assert_int_equal(ridge_call_set(&call, "k", "8", NULL), 0);
        assert_int_equal(ridge_call_set(&call, "dtype", "bf16", NULL), 0);
        for (size_t w = 0; cases[i].words[w][0]; w++)
            assert_int_equal(
                ridge_call_set(&call, cases[i].words[w][0], cases[i].words[w][1], NULL),
                0);
        assert_int_equal(ridge_call_finish(&call, &err), RIDGE_INVALID);
        assert_string_equal(err.message, cases[i].message);
    }
}

/* ---- Latent attention -------------------------------------------------------------- */

/* Small dimensions: latent 6, rope 2, nope 4, values 3, hidden 10, query rank 5. */
#define SMALL_MLA \
    " b=2 heads=3 latent=6 rope=2 nope=4 v_dim=3 hidden=10 q_latent=5 dtype=bf16"

static double masked_pairs(int q, int kv)
{
    double pairs = 0;
    for (int i = 0; i < q; i++)
        for (int j = 0; j < kv; j++)
            pairs += j <= i + kv - q;
    return pairs;
}

static void test_mla_counts_loops(void **state)
{
    (void)state;
    /* In the latent space: keys of 8, values of 6, one vector of 8 for all heads. */
    double flop = 0;
    for (int b = 0; b < 2; b++)
        for (int h = 0; h < 3; h++)
            for (int j = 0; j < 7; j++) {
                flop += 2 * 8; /* q . latent and rotated key */
                flop += 2 * 6; /* p x latent */
            }
    ridge_work work = count("mla q_len=1 kv_len=7" SMALL_MLA);
    assert_close(work.flop, flop, 0);
    assert_close(work.operand_bytes[0], 2 * (2 * 3 * 8), 0);
    assert_close(work.operand_bytes[1], 2 * (2 * 7 * 8), 0);
    assert_close(work.operand_bytes[2], 2 * (2 * 3 * 6), 0);
    /* Not absorbed: each head has keys of 6 and values of 3. */
    work = count("mla q_len=5 kv_len=7 absorbed=no" SMALL_MLA);
    assert_close(work.flop, 2 * 3 * masked_pairs(5, 7) * 2 * (6 + 3), 0);
    assert_close(work.operand_bytes[0], 2 * (2 * 3 * 5 * 6), 0);
    assert_close(work.operand_bytes[1], 2 * (2 * 3 * 7 * (6 + 3)), 0);
    assert_close(work.operand_bytes[2], 2 * (2 * 3 * 5 * 3), 0);
}

static void test_mla_module_counts_loops(void **state)
{
    (void)state;
    int tokens = 2 * 5, keys = 2 * 7;
    double weights = 10 * 5 + 5 * 3 * 6 + 10 * 8 + 6 * 3 * (4 + 3) + 3 * 3 * 10;
    double flop = product_flop(tokens, 10, 5) + product_flop(tokens, 5, 3 * 6) +
                  product_flop(tokens, 10, 8) + product_flop(keys, 6, 3 * (4 + 3)) +
                  product_flop(tokens, 3 * 3, 10) +
                  2 * 3 * masked_pairs(5, 7) * 2 * (6 + 3);
    ridge_work work =
        count("mla scope=module gemm_dtype=fp8 q_len=5 kv_len=7 absorbed=no" SMALL_MLA);
    assert_close(work.flop, flop, 0);
    assert_close(work.bytes, 2 * keys * 8 + 1 * weights + 2 * tokens * (10 + 10), 0);
    /* Absorbed, W_uk meets each query and W_uv each result: 3 heads, 4 x 6 and 6 x 3. */
    tokens = 2;
    flop = product_flop(tokens, 10, 5) + product_flop(tokens, 5, 3 * 6) +
           product_flop(tokens, 10, 8) + 3 * product_flop(tokens, 4, 6) +
           3 * product_flop(tokens, 6, 3) + product_flop(tokens, 3 * 3, 10) +
           2 * 3 * 7 * 2 * (8 + 6);
    work = count("mla scope=module q_len=1 kv_len=7" SMALL_MLA);
    assert_close(work.flop, flop, 0);
    assert_close(work.bytes, 2 * (2 * 7 * 8 + weights + tokens * (10 + 10)), 0);
}

/* O16: the latent once: 2830 and 2788 GB/s, 30.0 and 117.4 FLOP/B; 228.3 at 128 heads. */
static void test_mla_published(void **state)
{
    (void)state;
    ridge_work work = count("mla b=128 q_len=1 kv_len=4096 heads=16 dtype=bf16");
    assert_close(work.bytes / 0.215e-3, 2829.94e9, 3e-3);
    assert_close(work.flop / work.bytes, 30.0009, 5e-3);
    work = count("mla b=128 q_len=1 kv_len=4096 heads=64 dtype=bf16");
    assert_close(work.bytes / 0.223e-3, 2788.37e9, 3e-3);
    assert_close(work.flop / work.bytes, 117.423, 5e-3);
    work = count("mla b=128 q_len=1 kv_len=4096 heads=128 dtype=bf16");
    assert_close(work.flop / work.bytes, 228.3, 1e-3);
    /* A long cache at 128 heads: 2 x 128 x 1088 / (576 x 2) = 241.8. */
    work = count("mla b=1 q_len=1 kv_len=1e7 heads=128 dtype=bf16");
    assert_close(work.flop / work.bytes, 241.8, 1e-3);
    /* An fp8 cache may be multiplied in fp8. */
    work = count("mla b=1 q_len=1 kv_len=64 heads=128 dtype=bf16 kv_dtype=fp8");
    assert_int_equal(work.dtype, RIDGE_BF16);
    assert_int_equal(work.fast_dtype, RIDGE_FP8);
}

/* ---- Mixtures of experts ----------------------------------------------------------- */

static void test_moe_counts_loops(void **state)
{
    (void)state;
    /* Balanced: 24 tokens of 2 of 8 experts are 6 rows each; a rank of 2 has 4 experts. */
    double flop = 0, weights = 0;
    for (int e = 0; e < 4; e++) {
        flop += product_flop(6, 10, 2 * 7) + product_flop(6, 7, 10);
        weights += 10 * 2 * 7 + 7 * 10;
    }
    ridge_work work = count("moe tokens=24 hidden=10 inter=14 topk=2 experts=8 ep=2 tp=2 "
                            "dtype=bf16");
    assert_close(work.flop, flop, 0);
    assert_close(work.operand_bytes[1], 2 * weights, 0);
    assert_close(work.operand_bytes[0], 2 * 24 * 10, 0);
    assert_close(work.operand_bytes[2], 2 * 24 * 10, 0);
    /* Two shared experts see the rank's own 12 tokens. */
    ridge_work shared =
        count("moe tokens=24 hidden=10 inter=14 topk=2 experts=8 ep=2 tp=2 "
              "shared_experts=2 dtype=bf16");
    assert_close(shared.flop - work.flop,
                 2 * (product_flop(12, 10, 2 * 7) + product_flop(12, 7, 10)), 0);
    assert_close(shared.operand_bytes[1] - work.operand_bytes[1],
                 2 * 2 * (10 * 2 * 7 + 7 * 10), 0);
    /* Not gated: two products instead of three. */
    work = count("moe tokens=24 hidden=10 inter=14 topk=2 experts=8 gated=0 dtype=bf16");
    assert_close(work.flop, 8 * 2 * product_flop(6, 10, 14), 0);
}

/* Every way in which 2 tokens draw 2 of 4 experts: the mean number that is drawn. */
static void test_moe_used_counts_loops(void **state)
{
    (void)state;
    double used = 0, ways = 0;
    for (int a = 0; a < 16; a++)
        for (int b = 0; b < 16; b++) {
            if (__builtin_popcount((unsigned)a) != 2 ||
                __builtin_popcount((unsigned)b) != 2)
                continue;
            used += __builtin_popcount((unsigned)(a | b));
            ways++;
        }
    const char *line = "moe tokens=2 hidden=8 inter=8 topk=2 experts=4 dtype=bf16 "
                       "distribution=uniform";
    assert_close(symbol(line, "experts_used"), used / ways, 1e-15);
    /* 256 (1 - (1 - 8/256)^64) = 222.45. */
    assert_close(symbol("moe tokens=64 hidden=8 inter=8 topk=8 experts=256 dtype=bf16 "
                        "distribution=uniform",
                        "experts_used"),
                 222.45, 1e-4);
}

static void test_moe_least(void **state)
{
    (void)state;
    static const struct {
        const char *words;
        double used, rows;
    } cases[] = {
        /* Balanced on average: E (1 - (1 - k/E)^T)/ep, below min(E, T k)/ep. */
        {"tokens=4 topk=8 experts=256 ep=1 distribution=balanced",
         256 * (1 - 31.0 * 31 * 31 * 31 / (32.0 * 32 * 32 * 32)), 32},
        {"tokens=4096 topk=8 experts=256 ep=8 distribution=balanced", 32, 4096},
        {"tokens=1 topk=8 experts=256 ep=64 distribution=balanced", 0.125, 0.125},
        /* Any other: all tokens may choose the same ones. */
        {"tokens=4096 topk=8 experts=256 ep=1 distribution=uniform", 8, 32768},
        {"tokens=4096 topk=8 experts=256 ep=4 distribution=power_law_1.2", 2, 8192},
        {"tokens=4096 topk=8 experts=256 ep=64 distribution=random", 1, 512},
    };
    for (size_t i = 0; i < RIDGE__COUNT(cases); i++) {
        char line[256];
        snprintf(line, sizeof line, "moe hidden=8 inter=8 dtype=bf16 %s", cases[i].words);
        ridge_call call = make(line, false);
        ridge__routing r = ridge__moe_routing(&call);
        assert_close(r.least_used, cases[i].used, 1e-12);
        assert_close(r.least_rows, cases[i].rows, 1e-15);
        assert_true(r.used >= r.least_used && r.rows >= r.least_rows);
        ridge_work work;
        assert_int_equal(ridge_op_count(&work, &call, NULL), 0);
        assert_true(work.least_flop <= work.flop && work.least_bytes <= work.bytes);
        /* The exchange of several ranks is another call: deepep_normal, all_reduce. */
        bool several = strstr(cases[i].words, "ep=1 ") == NULL;
        assert_int_equal(!!(work.warnings & RIDGE_WARNING_NOT_COUNTED), several);
    }
}

/* Blocks that rows fill: whole ones of each expert, and of chances by their law. */
static void test_moe_blocks(void **state)
{
    (void)state;
    assert_close(ridge__blocks(0, 8), 0, 0);
    assert_close(ridge__blocks(1, 8), 1, 0);
    assert_close(ridge__blocks(8, 8), 1, 0);
    assert_close(ridge__blocks(8.25, 8), 1.25, 1e-15);
    assert_close(ridge__blocks(129, 64), 3, 0);
    /* 4096 x 8 rows on 256 experts, 128 each: 32 experts have 16, 8, 4, 2, 1, 1 blocks. */
    static const double even[RIDGE_BLOCK_SIZES] = {16, 8, 4, 2, 1, 1};
    ridge_call call = make("moe tokens=4096 hidden=8 inter=8 topk=8 experts=256 ep=8 "
                           "dtype=bf16 distribution=balanced",
                           false);
    for (size_t i = 0; i < RIDGE_BLOCK_SIZES; i++)
        assert_close(ridge__moe_routing(&call).blocks[i], 32 * even[i], 1e-12);
    /* 64 tosses of a coin: more than 32 heads in 0.450326 of all, none in 2^-64. */
    call = make("moe tokens=64 hidden=8 inter=8 topk=1 experts=2 dtype=bf16 "
                "distribution=uniform",
                false);
    assert_close(ridge__moe_routing(&call).blocks[2], 2 * 1.450326, 1e-3);
    assert_close(ridge__moe_routing(&call).blocks[3], 2, 1e-6);
    /* Drawn: no fewer blocks than rows fill, nor than experts used; no more than rows. */
    call = make("moe tokens=300 hidden=8 inter=8 topk=8 experts=256 ep=8 dtype=bf16 "
                "distribution=power_law_1.2",
                false);
    ridge__routing r = ridge__moe_routing(&call);
    for (size_t i = 0; i < RIDGE_BLOCK_SIZES; i++)
        assert_true(r.blocks[i] >= r.used - 1e-9 && r.blocks[i] >= r.rows / (8 << i) &&
                    r.blocks[i] <= r.rows);
    /* The heaviest rank has a row, if any has. */
    call = make("moe tokens=1 hidden=8 inter=8 topk=8 experts=256 ep=64 dtype=bf16 "
                "distribution=power_law_1.2",
                false);
    r = ridge__moe_routing(&call);
    assert_true(r.rows >= 1 && r.used >= 1 && r.blocks[0] >= 1);
}

/* A power law: no row is lost, the heaviest rank has more than its share, and balancing
 * takes some of it away. */
static void test_moe_power_law(void **state)
{
    (void)state;
    static const char *const laws[] = {"power_law_0.6", "power_law_1.01",
                                       "power_law_1.2"};
    double before = 0;
    for (size_t i = 0; i < RIDGE__COUNT(laws); i++) {
        char line[256];
        snprintf(line, sizeof line,
                 "moe tokens=4096 hidden=8 inter=8 topk=8 experts=256 ep=8 dtype=bf16 "
                 "distribution=%s",
                 laws[i]);
        ridge_call call = make(line, false);
        ridge__routing r = ridge__moe_routing(&call);
        size_t size = strlen(line);
        snprintf(line + size, sizeof line - size, "_eplb");
        call = make(line, false);
        ridge__routing placed = ridge__moe_routing(&call);
        assert_true(r.rows > 4096 && r.rows > before && r.rows < 32768);
        assert_true(placed.rows >= 4096 && placed.rows < r.rows);
        assert_true(r.used <= 32 && placed.used <= 32);
        before = r.rows;
    }
    /* By the definition, in another language: a level sought by halving, ranks by looking
     * at each. */
    static const struct {
        const char *tokens, *law;
        double rows, used;
    } by_hand[] = {
        {"7", "power_law_1.2", 9.883749, 8.258749},
        {"7", "power_law_1.2_eplb", 7.397199, 6.397199},
        {"300", "power_law_1.2", 416.023749, 28.773749},
        {"300", "power_law_1.2_eplb", 300.385925, 28.510925},
        {"4096", "power_law_1.2", 6617.538462, 31.625},
        {"4096", "power_law_1.2_eplb", 4096.642628, 31.75},
    };
    for (size_t i = 0; i < RIDGE__COUNT(by_hand); i++) {
        char line[256];
        snprintf(line, sizeof line,
                 "moe tokens=%s hidden=8 inter=8 topk=8 experts=256 ep=8 dtype=bf16 "
                 "distribution=%s",
                 by_hand[i].tokens, by_hand[i].law);
        ridge_call call = make(line, false);
        ridge__routing r = ridge__moe_routing(&call);
        assert_close(r.rows, by_hand[i].rows, 1e-6);
        assert_close(r.used, by_hand[i].used, 1e-6);
    }
    /* On one rank there is nothing but the sum. */
    assert_close(symbol("moe tokens=4096 hidden=8 inter=8 topk=8 experts=256 dtype=bf16 "
                        "distribution=power_law_1.2",
                        "rows"),
                 32768, 1e-6);
}

static void test_moe_words(void **state)
{
    (void)state;
    ridge_call call;
    ridge_error err = {0};
    assert_int_equal(ridge_call_init(&call, "moe", NULL), 0);
    assert_int_equal(ridge_call_set(&call, "distribution", "power_law_1.01_eplb", NULL),
                     0);
    double value = call.arg[RIDGE_MOE_DISTRIBUTION];
    assert_close(floor(value), RIDGE_ROUTE_POWER_LAW_EPLB, 0);
    assert_close(ridge__word_number(value), 1.01, 1e-15);
    static const char *const bads[] = {
        "power_law_",   "power_law_x",    "power_law_#", "power_law_1.2_",
        "power_law_-1", "power_law_2000", "zipf"};
    for (size_t i = 0; i < RIDGE__COUNT(bads); i++) {
        assert_int_equal(ridge_call_init(&call, "moe", NULL), 0);
        assert_int_equal(ridge_call_set(&call, "distribution", bads[i], &err),
                         RIDGE_INVALID);
        char want[160];
        snprintf(want, sizeof want,
                 "\"%s\" is not known here; one of \"balanced uniform random power_law_# "
                 "power_law_#_eplb\" wanted",
                 bads[i]);
        assert_string_equal(err.message, want);
    }
}

static void test_moe_errors(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"topk=9 experts=8",
         "topk=9 is more than experts=8; a token takes different ones"},
        {"topk=2 experts=8 ep=9",
         "ep=9 is more than experts=8; each rank has one at least"},
    };
    for (size_t i = 0; i < RIDGE__COUNT(cases); i++) {
        char words[128], *next = words;
        ridge_call call;
        ridge_error err = {0};
        snprintf(words, sizeof words, "tokens=1 hidden=8 inter=8 dtype=bf16 %s",
                 cases[i][0]);
        assert_int_equal(ridge_call_init(&call, "moe", NULL), 0);
        for (char *word; (word = strtok_r(next, " ", &next));) {
            char *value = strchr(word, '=');
            *value++ = '\0';
            assert_int_equal(ridge_call_set(&call, word, value, NULL), 0);
        }
        assert_int_equal(ridge_call_finish(&call, &err), RIDGE_INVALID);
        assert_string_equal(err.message, cases[i][1]);
    }
}

/* ---- Scans and convolutions -------------------------------------------------------- */

/* Steps of a token on a state of k x v, each element in turn. */
static double scan_flop(int tokens, int k, int v, int adds, int reads, int decays)
{
    double flop = 0;
    for (int t = 0; t < tokens; t++)
        for (int i = 0; i < k; i++)
            for (int j = 0; j < v; j++)
                flop += 2 * adds + 2 * reads + decays;
    return flop;
}

static void test_scans_count_loops(void **state)
{
    (void)state;
    double heads = 2 * 6;
    /* S += k v', o = S' q. */
    assert_close(count("linear_attention b=2 s=5 h=3 d=4 v_heads=6 dv=7").flop,
                 heads * scan_flop(5, 4, 7, 1, 1, 0), 0);
    /* S *= a; v' = b (v - S' k); S += k v'; o = S' q. */
    assert_close(count("gated_delta_rule b=2 s=5 h=3 d=4 v_heads=6 dv=7").flop,
                 heads * scan_flop(5, 4, 7, 1, 2, 1), 0);
    assert_close(count("kda b=2 s=5 h=6 d=4 dv=7").flop,
                 heads * scan_flop(5, 4, 7, 1, 2, 1), 0);
    /* h = a h + B x; y = C' h. */
    assert_close(count("ssm_scan b=2 s=5 h=6 d=4 dv=7 n_groups=3").flop,
                 heads * scan_flop(5, 4, 7, 1, 1, 1), 0);
    /* q, k of 3 heads, v, o of 6; states of 4 B once, and twice with one before. */
    double tokens = 2 * (2 * 5) * (2 * 3 * 4 + 2 * 6 * 7), states = 4 * heads * 4 * 7;
    assert_close(count("gated_delta_rule b=2 s=5 h=3 d=4 v_heads=6 dv=7").bytes,
                 tokens + states, 0);
    assert_close(
        count("gated_delta_rule b=2 s=5 h=3 d=4 v_heads=6 dv=7 phase=verify").bytes,
        tokens + 2 * states, 0);
    /* The floor: states of 2 B, unless the call says what they are. */
    assert_close(
        count("gated_delta_rule b=2 s=5 h=3 d=4 v_heads=6 dv=7 phase=verify").least_bytes,
        tokens + states, 0);
    assert_true(isnan(count("gated_delta_rule b=2 s=5 h=3 d=4 v_heads=6 dv=7 "
                            "state_dtype=fp32")
                          .least_bytes));
    /* kda: a gate as wide as the key.  ssm_scan: B and C of 3 groups. */
    assert_close(count("kda b=2 s=5 h=6 d=4 dv=7").bytes,
                 2 * (2 * 5) * (3 * 6 * 4 + 2 * 6 * 7) + states, 0);
    assert_close(count("ssm_scan b=2 s=5 h=6 d=4 dv=7 n_groups=3").bytes, tokens + states,
                 0);
}

/*
 * A chunk of C tokens: the causal scores q k' and their product with v, what the chunk
 * adds to the state and reads of it.
 */
static void test_chunks_count_loops(void **state)
{
    (void)state;
    enum {
        C = 8,
        K = 4,
        V = 6
    };
    double inner = 0, outer = 0;
    for (int i = 0; i < C; i++)
        for (int j = 0; j < C; j++)
            /* The diagonal counts as half: the triangle is C^2/2. */
            inner += (j < i ? 1 : j == i ? 0.5 : 0) * (2 * K + 2 * V);
    for (int i = 0; i < C; i++)
        outer += 2 * K * V + 2 * K * V;
    assert_close(executed("linear_attention s=8 h=1 d=4 dv=6 chunk=8").flop,
                 inner + outer, 1e-15);
}

static void test_conv_counts_loops(void **state)
{
    (void)state;
    double flop = 0, seen = 0;
    for (int b = 0; b < 2; b++)
        for (int t = 0; t < 5; t++)
            for (int c = 0; c < 2 * 3 * 4 + 6 * 7; c++) {
                for (int tap = 0; tap < 3; tap++)
                    flop += 2;
                seen += 2; /* in, out */
            }
    double channels = 2 * 3 * 4 + 6 * 7;
    ridge_work work =
        count("causal_conv1d b=2 s=5 h=3 k_dim=4 v_heads=6 v_dim=7 d_conv=3");
    assert_close(work.flop, flop, 0);
    assert_close(work.bytes, 2 * (seen + 3 * channels + 2 * 2 * channels), 0);
    /* Mamba-2: B and C of the groups, x of the heads. */
    assert_close(count("causal_conv1d s=1 h=6 k_dim=4 v_heads=6 v_dim=7 n_groups=2").flop,
                 2 * 4 * (2 * 2 * 4 + 6 * 7), 0);
    ridge_call call;
    ridge_error err = {0};
    assert_int_equal(ridge_call_init(&call, "causal_conv1d", NULL), 0);
    assert_int_equal(ridge_call_set(&call, "s", "1", NULL), 0);
    assert_int_equal(ridge_call_finish(&call, &err), RIDGE_INVALID);
    assert_string_equal(err.message,
                        "causal_conv1d lacks channels; or k_heads, k_dim, v_heads and "
                        "v_dim, which make 2 k_heads k_dim + v_heads v_dim");
}

static void test_scan_errors(void **state)
{
    (void)state;
    ridge_call call;
    ridge_error err = {0};
    assert_int_equal(ridge_call_init(&call, "kda", NULL), 0);
    assert_int_equal(ridge_call_set(&call, "s", "1", NULL), 0);
    assert_int_equal(ridge_call_set(&call, "k_heads", "4", NULL), 0);
    assert_int_equal(ridge_call_set(&call, "k_dim", "4", NULL), 0);
    assert_int_equal(ridge_call_set(&call, "v_heads", "6", NULL), 0);
    assert_int_equal(ridge_call_finish(&call, &err), RIDGE_INVALID);
    assert_string_equal(err.message,
                        "v_heads=6 is not a multiple of the 4 heads of the keys; each of "
                        "them serves as many value heads");
}

/* ---- Sparse attention -------------------------------------------------------------- */

/* Pairs of q queries after `past` keys, by looking at every one. */
static void test_sparse_counts_loops(void **state)
{
    (void)state;
    for (int ratio = 1; ratio <= 4; ratio++)
        for (int topk = 0; topk <= 5; topk++)
            for (int window = 0; window <= 3; window++)
                for (int past = 0; past <= 9; past++)
                    for (int q = 1; q <= 5; q++) {
                        double scored = 0, selected = 0;
                        for (int i = 0; i < q; i++) {
                            int keys = (past + i + 1) / ratio, last = past + i + 1;
                            scored += keys;
                            selected += topk == 0 || keys < topk ? keys : topk;
                            selected += window < last ? window : last;
                        }
                        char line[160];
                        snprintf(line, sizeof line,
                                 "dsa heads=2 q_len=%d kv_past=%d topk=%d window=%d "
                                 "compress_ratio=%d dtype=bf16",
                                 q, past, topk, window, ratio);
                        assert_close(symbol(line, "scored"), scored, 0);
                        assert_close(symbol(line, "selected"), selected, 0);
                    }
    double flop = 0;
    for (int b = 0; b < 2; b++)
        for (int i = 0; i < 3; i++) {
            int keys = 5 + i + 1, taken = keys < 4 ? keys : 4;
            for (int h = 0; h < 6; h++)
                flop += taken * 2 * (10 + 8);
            for (int h = 0; h < 2; h++)
                flop += keys * 2 * 3; /* the indexer sees every key */
        }
    ridge_work work = count("dsa b=2 heads=6 q_len=3 kv_past=5 topk=4 qk_dim=10 v_dim=8 "
                            "kv_dim=10 index_heads=2 index_dim=3 dtype=bf16");
    assert_close(work.flop, flop, 0);
    assert_close(work.operand_bytes[0], 2 * (2 * 6 * 3 * 10), 0);
    assert_close(work.operand_bytes[1], 2 * (2 * 8 * 10), 0); /* 12 taken, 8 there */
    assert_close(work.operand_bytes[3], 2 * (8 * 3 + 3 * 2 * 3), 0);
    assert_close(work.least_bytes, work.bytes - 2 * 2 * (8 - 4) * 10, 0);
    assert_close(count("index_logits q_len=3 kv_past=5 index_heads=2 index_dim=3 "
                       "dtype=fp8")
                     .operand_bytes[4],
                 4 * (6 + 7 + 8), 0);
    /* Where the pairs of all tokens before are beyond what doubles count one by one. */
    work = count("dsa heads=1 q_len=1 kv_past=9007199254740990 topk=4 window=2 qk_dim=1 "
                 "v_dim=1 kv_dim=1 index_heads=1 index_dim=1 dtype=bf16");
    assert_close(work.operand_bytes[1], 2 * (4 + 2), 0);
    assert_close(work.flop, 2 * (2 * (4 + 2) + 9007199254740991.0), 0);
}

/* Bytes and FLOP of every row, by looking at each query, key and head. */
static void test_sparse_rows_count_loops(void **state)
{
    (void)state;
    static const struct {
        const char *op;
        bool attends, indexes, logits;
    } rows[] = {
        {"sparse_attention", true, false, false},
        {"dsa", true, true, false},
        {"csa", true, true, false},
        {"hca", true, false, false},
        {"hca_kernel", true, false, false},
        {"msa", true, false, false},
        {"index_logits", false, true, true},
        {"index_topk", false, false, true},
    };
    enum {
        B = 2,
        H = 3,
        Q_LEN = 4,
        PAST = 7,
        K = 2,
        RATIO = 2,
        W = 3,
        IH = 2,
        ID = 5
    };
    for (size_t i = 0; i < RIDGE__COUNT(rows); i++) {
        double flop = 0, of[5] = {0}, score_bytes = 0;
        for (int b = 0; b < B; b++) {
            bool tail[PAST + Q_LEN] = {false}; /* uncompressed keys that are read */
            int keys = (PAST + Q_LEN) / RATIO, taken = 0;
            for (int q = 0; q < Q_LEN; q++) {
                int last = PAST + q, seen = (last + 1) / RATIO;
                int chosen = seen < K ? seen : K;
                taken += chosen;
                for (int key = 0; key <= last; key++)
                    if (key > last - W) {
                        tail[key] = true;
                        chosen++;
                    }
                for (int h = 0; h < H && rows[i].attends; h++) {
                    flop += chosen * 2 * (6 + 8);
                    of[0] += 2 * 6;
                    of[2] += 2 * 8;
                }
                for (int h = 0; h < IH && rows[i].indexes; h++) {
                    flop += seen * 2 * ID;
                    of[3] += ID; /* fp8 */
                }
                score_bytes += seen * 4;
            }
            for (int key = 0; key < PAST + Q_LEN && rows[i].attends; key++)
                of[1] += tail[key] ? 2 * 9 : 0;
            if (rows[i].attends)
                of[1] += (taken < keys ? taken : keys) * 2 * 9;
            if (rows[i].indexes)
                of[3] += keys * ID;
        }
        of[4] = rows[i].logits ? score_bytes : 0;
        char line[256];
        snprintf(line, sizeof line,
                 "%s batch=%d heads=%d q_len=%d kv_past=%d topk=%d compress_ratio=%d "
                 "window=%d qk_dim=6 v_dim=8 kv_dim=9 index_heads=%d index_dim=%d "
                 "dtype=bf16",
                 rows[i].op, B, H, Q_LEN, PAST, K, RATIO, W, IH, ID);
        ridge_work work = count(line);
        assert_close(work.flop, flop, 0);
        for (size_t k = 0; k < RIDGE__COUNT(of); k++)
            assert_close(work.operand_bytes[k], of[k], 0);
    }
}

/* Names of published tables. */
static void test_names(void **state)
{
    (void)state;
    static const char *const names[][2] = {
        {"gdn:chunk_gated_delta_rule", "gated_delta_rule"},
        {"kda:causal_conv1d_fn_qkv3", "causal_conv1d"},
        {"kda:flashkda_fwd", "kda"},
        {"dsv4_csa_context_module", "csa"},
        {"glm5_topk_module", "index_topk"},
        {"mla_decode", "mla"},
    };
    for (size_t i = 0; i < RIDGE__COUNT(names); i++)
        assert_string_equal(ridge_op_name(ridge_op_find(names[i][0])), names[i][1]);
    assert_true(ridge__op_is_family("linear_attention"));
    assert_true(ridge__op_is_family("sparse_attention"));
    assert_false(ridge__op_is_family("attention"));
    assert_false(ridge__op_is_family("gemm"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_backward_counts_loops),
        cmocka_unit_test(test_backward_published),
        cmocka_unit_test(test_grouped_counts_loops),
        cmocka_unit_test(test_grouped_published),
        cmocka_unit_test(test_grouped_errors),
        cmocka_unit_test(test_mla_counts_loops),
        cmocka_unit_test(test_mla_module_counts_loops),
        cmocka_unit_test(test_mla_published),
        cmocka_unit_test(test_moe_counts_loops),
        cmocka_unit_test(test_moe_used_counts_loops),
        cmocka_unit_test(test_moe_least),
        cmocka_unit_test(test_moe_blocks),
        cmocka_unit_test(test_moe_power_law),
        cmocka_unit_test(test_moe_words),
        cmocka_unit_test(test_moe_errors),
        cmocka_unit_test(test_scans_count_loops),
        cmocka_unit_test(test_chunks_count_loops),
        cmocka_unit_test(test_conv_counts_loops),
        cmocka_unit_test(test_scan_errors),
        cmocka_unit_test(test_sparse_counts_loops),
        cmocka_unit_test(test_sparse_rows_count_loops),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
