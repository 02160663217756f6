/* Calls: words, aliases, defaults, cells; and every error with its sentence. */
#include "op/op_priv.h"
#include "test.h"

/* Set "key=value"; the text is cut in place. */
static ridge_status set(ridge_call *call, const char *word, ridge_error *err)
{
    char key[256];
    snprintf(key, sizeof key, "%s", word);
    char *value = strchr(key, '=');
    assert_non_null(value);
    *value++ = '\0';
    return ridge_call_set(call, key, value, err);
}

static ridge_call begin(const char *op)
{
    ridge_call call;
    assert_int_equal(ridge_call_init(&call, op, NULL), RIDGE_OK);
    return call;
}

static void set_all(ridge_call *call, const char *const *words)
{
    for (; *words; words++)
        assert_int_equal(set(call, *words, NULL), RIDGE_OK);
}

/* A parameter by its name; unknown if the op has none of that name. */
static double get(const ridge_call *call, const char *name)
{
    size_t at = ridge__op_param(call->op, name, strlen(name));
    return at < call->op->param_count ? call->arg[at] : RIDGE_UNKNOWN;
}

static void test_defaults(void **state)
{
    (void)state;
    ridge_call call = begin("attention");
    assert_int_equal(call.timing, RIDGE_TIMING_GRAPH);
    assert_int_equal(call.backend, RIDGE_BACKEND_BEST);
    set_all(&call, (const char *[]){"s=128", "h=8", "d=64", "dtype=fp8", NULL});
    assert_int_equal(ridge_call_finish(&call, NULL), RIDGE_OK);
    assert_close(get(&call, "batch"), 1, 0);
    assert_close(get(&call, "kv_len"), 128, 0);
    assert_close(get(&call, "heads_kv"), 8, 0);
    assert_close(get(&call, "head_dim_v"), 64, 0);
    assert_close(get(&call, "causal"), 0, 0);
    assert_close(get(&call, "kv_dtype"), RIDGE_FP8, 0);
    assert_close(get(&call, "dtype_out"), RIDGE_BF16, 0);
    assert_false(ridge_known(get(&call, "m")));
    assert_close(ridge__call_element_bytes(&call, 1), 1, 0);
    assert_close(ridge__call_element_bytes(&call, 3), 2, 0);
    assert_false(ridge_known(ridge__call_element_bytes(&call, 4)));
    /* A default is no word: it may still be given, and the others follow it. */
    assert_int_equal(set(&call, "heads_kv=2", NULL), RIDGE_OK);
    assert_int_equal(set(&call, "window=16", NULL), RIDGE_OK);
    assert_int_equal(ridge_call_finish(&call, NULL), RIDGE_OK);
    assert_close(get(&call, "heads_kv"), 2, 0);
    assert_close(get(&call, "causal"), 1, 0); /* a window implies it */
}

/* A finished call that is changed and finished again has the defaults of its new values. */
static void test_finish_again(void **state)
{
    (void)state;
    ridge_call call = begin("gemm");
    set_all(&call, (const char *[]){"m=1", "n=1", "k=1", "dtype=fp64", NULL});
    assert_int_equal(ridge_call_finish(&call, NULL), RIDGE_OK);
    assert_close(get(&call, "dtype_acc"), RIDGE_FP64, 0);
    call.arg[RIDGE_GEMM_DTYPE] = RIDGE_FP8;
    assert_int_equal(ridge_call_finish(&call, NULL), RIDGE_OK);
    assert_close(get(&call, "dtype_acc"), RIDGE_FP32, 0);
    assert_close(get(&call, "dtype_out"), RIDGE_BF16, 0);
    assert_close(get(&call, "dtype_b"), RIDGE_FP8, 0);
}

static void test_stream_shapes(void **state)
{
    (void)state;
    static const struct {
        const char *words[4];
        double rows, cols;
    } cases[] = {
        {{"rows=6", "cols=4"}, 6, 4},
        {{"n=24"}, 1, 24},
        {{"elements=24", "rows=6"}, 6, 4},
        {{"elements=24", "cols=4"}, 6, 4},
        {{"elements=24", "cols=4", "rows=6"}, 6, 4},
    };
    for (size_t i = 0; i < RIDGE__COUNT(cases); i++) {
        ridge_call call = begin("add");
        set_all(&call, cases[i].words);
        assert_int_equal(set(&call, "dtype=bf16>fp8", NULL), RIDGE_OK);
        assert_int_equal(ridge_call_finish(&call, NULL), RIDGE_OK);
        assert_close(call.arg[RIDGE_STREAM_ROWS], cases[i].rows, 0);
        assert_close(call.arg[RIDGE_STREAM_COLS], cases[i].cols, 0);
        assert_close(call.arg[RIDGE_STREAM_ELEMENTS], 24, 0);
        assert_close(call.arg[RIDGE_STREAM_DTYPE], RIDGE_BF16, 0);
        assert_close(call.arg[RIDGE_STREAM_DTYPE_OUT], RIDGE_FP8, 0);
    }
}

static void test_values(void **state)
{
    (void)state;
    static const struct {
        const char *op, *word;
        double value;
    } cases[] = {
        {"gemm", "m=4096", 4096},
        {"gemm", "m=1e6", 1e6},
        {"gemm", "m=1.5e3", 1500},
        {"gemm", "m=1.0", 1},
        {"gemm", "m=9007199254740992", RIDGE__COUNT_MAX},
        {"gemm", "epilogue=0", 0},
        {"gemm", "beta=true", 1},
        {"gemm", "beta=no", 0},
        {"gemm", "pipe=matrix", RIDGE_MATRIX},
        {"gemm", "dtype=w4a16_mxfp4", RIDGE_W4A16_MXFP4},
        {"attention", "pairs=half", 1},
        {"custom", "flop=10GFLOP", 1e10},
        {"custom", "bytes=1KiB", 1024},
        {"custom", "bytes=8b", 1},
    };
    for (size_t i = 0; i < RIDGE__COUNT(cases); i++) {
        ridge_call call = begin(cases[i].op);
        assert_int_equal(set(&call, cases[i].word, NULL), RIDGE_OK);
        size_t size = strcspn(cases[i].word, "=");
        size_t param = ridge__op_param(call.op, cases[i].word, size);
        assert_close(call.arg[param], cases[i].value, 0);
        assert_int_equal(call.given, 1u << param);
    }
}

/* Cells are not terminated where they end, may be floats, and may be empty. */
static void test_cells(void **state)
{
    (void)state;
    ridge_call call = begin("gemm");
    assert_int_equal(ridge__call_set_index(&call, RIDGE_GEMM_M, "123456", 4, NULL), 0);
    assert_close(call.arg[RIDGE_GEMM_M], 1234, 0);
    assert_int_equal(ridge__call_set_index(&call, RIDGE_GEMM_N, "16.05", 4, NULL), 0);
    assert_close(call.arg[RIDGE_GEMM_N], 16, 0);
    assert_int_equal(ridge__call_set_index(&call, RIDGE_GEMM_K, "7", 0, NULL), 0);
    assert_false(ridge_known(call.arg[RIDGE_GEMM_K]));
    assert_int_equal(ridge__call_set_index(&call, RIDGE_GEMM_DTYPE, "bf16,", 4, NULL), 0);
    assert_close(call.arg[RIDGE_GEMM_DTYPE], RIDGE_BF16, 0);
    /* A second row over the first. */
    assert_int_equal(ridge__call_set_index(&call, RIDGE_GEMM_M, "8", 1, NULL), 0);
    assert_close(call.arg[RIDGE_GEMM_M], 8, 0);
    ridge_error err = {0};
    assert_int_equal(ridge__call_set_index(&call, RIDGE_GEMM_M, "0", 1, &err),
                     RIDGE_INVALID);
    assert_string_equal(err.where, "m");
    char wide[100];
    memset(wide, '1', sizeof wide);
    assert_int_equal(ridge__call_set_index(&call, RIDGE_GEMM_M, wide, sizeof wide, &err),
                     RIDGE_LIMIT);
    assert_close(call.arg[RIDGE_GEMM_M], 8, 0);
}

static void test_unknown_op(void **state)
{
    (void)state;
    ridge_call call = {0};
    ridge_error err = {0};
    assert_int_equal(ridge_call_init(&call, "atention", &err), RIDGE_NOTFOUND);
    assert_string_equal(err.message,
                        "no operation is called \"atention\"; did you mean attention");
    assert_null(call.op);
    assert_int_equal(ridge_call_init(&call, "quux", &err), RIDGE_NOTFOUND);
    assert_string_equal(err.message,
                        "no operation is called \"quux\"; `ridge ops` lists them");
}

/* Words in order; the last one, or finish (NULL at the end), fails so. */
static const struct bad {
    const char *op;
    const char *words[8];
    bool at_finish;
    ridge_status status;
    const char *where, *message;
} bads[] = {
    {"gemm",
     {"mm=1"},
     false,
     RIDGE_NOTFOUND,
     "",
     "gemm has no parameter \"mm\"; did you mean m"},
    {"gemm",
     {"K=1"},
     false,
     RIDGE_NOTFOUND,
     "",
     "gemm has no parameter \"K\"; did you mean k"},
    {"gemm",
     {"dtype=bfloat16"},
     false,
     RIDGE_INVALID,
     "dtype",
     "\"bfloat16\" is not a dtype; did you mean bf16"},
    {"gemm",
     {"dtype=half"},
     false,
     RIDGE_INVALID,
     "dtype",
     "\"half\" is not a dtype; did you mean fp16"},
    {"gemm",
     {"dtype=fp4"},
     false,
     RIDGE_INVALID,
     "dtype",
     "\"fp4\" is not a dtype; did you mean nvfp4"},
    {"gemm",
     {"dtypeout=bf16"},
     false,
     RIDGE_NOTFOUND,
     "",
     "gemm has no parameter \"dtypeout\"; did you mean dtype_out"},
    {"gemm",
     {"rows=1"},
     false,
     RIDGE_NOTFOUND,
     "",
     "gemm has no parameter \"rows\"; it takes m n k batch dtype dtype_out dtype_acc beta "
     "epilogue pipe dtype_b"},
    {"gemm", {"m=1", "m=1"}, false, RIDGE_INVALID, "m", "given twice; once wanted"},
    {"attention",
     {"q_len=1", "s=1"},
     false,
     RIDGE_INVALID,
     "s",
     "another name of q_len, which is given already"},
    {"gemm",
     {"m=4Ki"},
     false,
     RIDGE_SYNTAX,
     "m",
     "\"4Ki\" is not a whole number; a count wanted, as in 4096"},
    {"gemm",
     {"m=1.5"},
     false,
     RIDGE_SYNTAX,
     "m",
     "\"1.5\" is not a whole number; a count wanted, as in 4096"},
    {"gemm",
     {"m=-1"},
     false,
     RIDGE_SYNTAX,
     "m",
     "\"-1\" is not a whole number; a count wanted, as in 4096"},
    {"gemm",
     {"m="},
     false,
     RIDGE_SYNTAX,
     "m",
     "\"\" is not a whole number; a count wanted, as in 4096"},
    {"gemm",
     {"m=1e999"},
     false,
     RIDGE_SYNTAX,
     "m",
     "\"1e999\" is not a whole number; a count wanted, as in 4096"},
    {"gemm",
     {"m=0"},
     false,
     RIDGE_INVALID,
     "m",
     "\"0\" is out of range; 1 to 9007199254740992 wanted"},
    {"gemm",
     {"m=1e16"},
     false,
     RIDGE_INVALID,
     "m",
     "\"1e16\" is out of range; 1 to 9007199254740992 wanted"},
    {"gemm",
     {"dtype=bf17"},
     false,
     RIDGE_INVALID,
     "dtype",
     "\"bf17\" is not a dtype; did you mean bf16"},
    {"gemm",
     {"dtype=decimal"},
     false,
     RIDGE_INVALID,
     "dtype",
     "\"decimal\" is not a dtype; fp64, fp32, tf32, bf16, fp16, fp8, nvfp4, mxfp4, int8, "
     "... wanted"},
    {"gemm",
     {"dtype="},
     false,
     RIDGE_INVALID,
     "dtype",
     "\"\" is not a dtype; fp64, fp32, tf32, bf16, fp16, fp8, nvfp4, mxfp4, int8, ... "
     "wanted"},
    {"gemm",
     {"dtype=bf16>nope"},
     false,
     RIDGE_INVALID,
     "dtype",
     "\"nope\" is not a dtype; fp64, fp32, tf32, bf16, fp16, fp8, nvfp4, mxfp4, int8, ... "
     "wanted"},
    {"gemm",
     {"dtype_out=fp32", "dtype=fp8>bf16"},
     false,
     RIDGE_INVALID,
     "dtype",
     "\"fp8>bf16\" contradicts dtype_out; say the output's dtype once"},
    {"attention",
     {"kv_dtype=fp8>bf16"},
     false,
     RIDGE_INVALID,
     "kv_dtype",
     "\"fp8>bf16\" is not one dtype; one wanted, as in bf16"},
    {"gemm",
     {"beta=2"},
     false,
     RIDGE_SYNTAX,
     "beta",
     "\"2\" is neither 0 nor 1; one of them wanted"},
    {"gemm",
     {"pipe=tensor"},
     false,
     RIDGE_INVALID,
     "pipe",
     "\"tensor\" is not known here; one of \"vector matrix\" wanted"},
    {"custom",
     {"flop=2ms"},
     false,
     RIDGE_BADUNIT,
     "flop",
     "\"2ms\" is seconds; FLOP wanted, as in 10GFLOP"},
    {"gemm",
     {"m=1", "k=1"},
     true,
     RIDGE_INVALID,
     "",
     "gemm lacks n, dtype; as in: gemm m=4096 n=4096 k=4096 dtype=bf16"},
    {"attention",
     {"s=1", "h=6", "heads_kv=4", "d=1", "dtype=bf16"},
     true,
     RIDGE_INVALID,
     "",
     "heads_q=6 is not a multiple of heads_kv=4; each key/value head serves the same "
     "number of query heads"},
    {"attention",
     {"s=1", "h=6", "d=1", "dtype=bf16", "causal=0", "window=1"},
     true,
     RIDGE_INVALID,
     "",
     "a window looks back from each query: causal=0 contradicts window; leave one of them "
     "out"},
    {"attention",
     {"s=1", "h=6", "d=1", "dtype=bf16", "pairs=half"},
     true,
     RIDGE_INVALID,
     "",
     "pairs=half counts a plain causal mask; causal=1, no window, no prefix wanted"},
    {"gemm",
     {"m=[1,2]"},
     false,
     RIDGE_SYNTAX,
     "m",
     "\"[1,2]\" is a list; one number wanted here, as in 4096"},
    {"add",
     {"dtype=bf16"},
     true,
     RIDGE_INVALID,
     "",
     "add lacks its size; rows and cols, or elements wanted, as in: add rows=4096 "
     "cols=4096 dtype=bf16"},
    {"add",
     {"dtype=bf16", "rows=2", "cols=3", "elements=7"},
     true,
     RIDGE_INVALID,
     "",
     "rows x cols is 2 x 3, elements is 7; either the one or the other suffices"},
    {"add",
     {"dtype=bf16", "rows=2", "elements=7"},
     true,
     RIDGE_INVALID,
     "",
     "elements=7 is not a multiple of 2; whole rows and columns wanted"},
    {"softmax",
     {"dtype=bf16", "elements=7"},
     true,
     RIDGE_INVALID,
     "",
     "softmax works along rows and lacks cols; as in: softmax rows=4096 cols=4096 "
     "dtype=bf16"},
    {"softmax",
     {"passes=4"},
     false,
     RIDGE_INVALID,
     "passes",
     "\"4\" is out of range; 1 to 3 wanted"},
    {"mhc_pre",
     {"dtype=bf16", "rows=1", "cols=6"},
     true,
     RIDGE_INVALID,
     "",
     "cols=6 is not a multiple of streams=4; cols is streams x hidden"},
    {"custom",
     {"dtype=bf16"},
     true,
     RIDGE_INVALID,
     "",
     "custom lacks flop and bytes; as in: custom flop=10GFLOP bytes=1GB dtype=bf16"},
    {"custom",
     {"flop=1"},
     true,
     RIDGE_INVALID,
     "",
     "custom lacks bytes or intensity; bytes=0 says that it moves nothing"},
    {"custom",
     {"bytes=1"},
     true,
     RIDGE_INVALID,
     "",
     "custom lacks flop or intensity; flop=0 says that it only moves bytes"},
    {"custom",
     {"intensity=0", "flop=1"},
     true,
     RIDGE_INVALID,
     "",
     "an intensity of 0 says nothing of bytes; bytes wanted"},
    {"custom",
     {"flop=10", "bytes=2", "intensity=6"},
     true,
     RIDGE_INVALID,
     "",
     "flop=10 is not intensity x bytes = 6 x 2; two of the three suffice"},
};

static void test_every_error(void **state)
{
    (void)state;
    for (size_t i = 0; i < RIDGE__COUNT(bads); i++) {
        const struct bad *bad = &bads[i];
        ridge_call call = begin(bad->op), before;
        ridge_error err = {0};
        ridge_status status = RIDGE_OK;
        for (size_t w = 0; bad->words[w]; w++) {
            assert_int_equal(status, RIDGE_OK);
            before = call;
            status = set(&call, bad->words[w], &err);
        }
        if (bad->at_finish) {
            assert_int_equal(status, RIDGE_OK);
            before = call;
            status = ridge_call_finish(&call, &err);
        }
        assert_int_equal(status, bad->status);
        assert_string_equal(err.message, bad->message);
        assert_string_equal(err.where, bad->where);
        /* A call that could not be changed is unchanged. */
        assert_memory_equal(&call, &before, sizeof call);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),    cmocka_unit_test(test_finish_again),
        cmocka_unit_test(test_values),      cmocka_unit_test(test_stream_shapes),
        cmocka_unit_test(test_cells),       cmocka_unit_test(test_unknown_op),
        cmocka_unit_test(test_every_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
