/* Lists: what is read of them, what is refused, and calls that hold them. */
#include "op/op_priv.h"
#include "test.h"

#include <stdlib.h>

static ridge_call begin(void)
{
    ridge_call call;
    assert_int_equal(ridge_call_init(&call, "attention", NULL), RIDGE_OK);
    assert_int_equal(ridge_call_set(&call, "heads_q", "4", NULL), RIDGE_OK);
    assert_int_equal(ridge_call_set(&call, "heads_kv", "2", NULL), RIDGE_OK);
    assert_int_equal(ridge_call_set(&call, "head_dim", "8", NULL), RIDGE_OK);
    assert_int_equal(ridge_call_set(&call, "dtype", "bf16", NULL), RIDGE_OK);
    return call;
}

/* q_len and kv_len as given ("": not), finished. */
static ridge_work work_of(const char *q, const char *kv, const char *causal)
{
    ridge_call call = begin();
    ridge_work work;
    ridge_error err = {0};
    assert_int_equal(ridge_call_set(&call, "q_len", q, NULL), RIDGE_OK);
    if (kv[0])
        assert_int_equal(ridge_call_set(&call, "kv_len", kv, NULL), RIDGE_OK);
    assert_int_equal(ridge_call_set(&call, "causal", causal, NULL), RIDGE_OK);
    if (ridge_call_finish(&call, &err))
        fail_msg("%s", err.message);
    assert_int_equal(ridge_op_count(&work, &call, NULL), RIDGE_OK);
    return work;
}

static void test_runs(void **state)
{
    (void)state;
    static const double values[] = {128, 4096, 16}, times[] = {1, 7, 3};
    ridge_call call = begin();
    /* The end is not marked: what follows looks like more of it. */
    static const char text[] = "[128, 4096x7 ,16x3]1,2]";
    const size_t size = sizeof "[128, 4096x7 ,16x3]" - 1;
    assert_int_equal(ridge__call_set_index(&call, RIDGE_ATTN_KV_LEN, text, size, NULL),
                     0);
    const ridge_list *list = ridge__call_list(&call, RIDGE_ATTN_KV_LEN);
    assert_non_null(list);
    assert_ptr_equal(list->text, text);
    assert_int_equal(list->size, size);
    assert_close(call.arg[RIDGE_ATTN_KV_LEN], 128 + 4096 * 7 + 16 * 3, 0);
    assert_null(ridge__call_list(&call, RIDGE_ATTN_Q_LEN));
    double value, count;
    ridge__cursor at = ridge__list_begin(list);
    for (size_t i = 0; i < 3; i++) {
        double each;
        assert_true(ridge__list_next(&at, &value, &each));
        assert_close(value, values[i], 0);
        assert_close(each, times[i], 0);
    }
    assert_false(ridge__list_next(&at, &value, &count));
    assert_close(ridge__list_sum(list, &count), 128 + 4096 * 7 + 16 * 3, 0);
    assert_close(count, 11, 0);
    /* A second row: a plain number takes the list's place, and the other way round. */
    assert_int_equal(ridge__call_set_index(&call, RIDGE_ATTN_KV_LEN, "64", 2, NULL), 0);
    assert_null(ridge__call_list(&call, RIDGE_ATTN_KV_LEN));
    assert_int_equal(ridge__call_set_index(&call, RIDGE_ATTN_KV_LEN, "[5]", 3, NULL), 0);
    assert_int_equal(ridge__call_set_index(&call, RIDGE_ATTN_KV_LEN, "[7]", 3, NULL), 0);
    assert_close(call.arg[RIDGE_ATTN_KV_LEN], 7, 0);
    assert_int_equal(call.list[1].size, 0);
    assert_int_equal(ridge__call_set_index(&call, RIDGE_ATTN_KV_LEN, "1e3", 3, NULL), 0);
    assert_null(ridge__call_list(&call, RIDGE_ATTN_KV_LEN));
    assert_close(call.arg[RIDGE_ATTN_KV_LEN], 1000, 0);
}

static const struct {
    const char *text, *message;
    ridge_status status;
} bads[] = {
    {"[", "the list is not closed; numbers in brackets wanted, as in [128,4096x7]",
     RIDGE_SYNTAX},
    {"[1,2", "the list is not closed; numbers in brackets wanted, as in [128,4096x7]",
     RIDGE_SYNTAX},
    {"[1]x", "the list is not closed; numbers in brackets wanted, as in [128,4096x7]",
     RIDGE_SYNTAX},
    {"[]", "the list is empty; at least one number wanted, as in [128,4096x7]",
     RIDGE_SYNTAX},
    {"[ ]", "the list is empty; at least one number wanted, as in [128,4096x7]",
     RIDGE_SYNTAX},
    {"[1,]",
     "\"\" in the list is no number; numbers wanted, each once or several times, as in "
     "[128,4096x7]",
     RIDGE_SYNTAX},
    {"[1x]",
     "\"1x\" in the list is no number; numbers wanted, each once or several times, as in "
     "[128,4096x7]",
     RIDGE_SYNTAX},
    {"[1 2]",
     "\"1 2\" in the list is no number; numbers wanted, each once or several times, as in "
     "[128,4096x7]",
     RIDGE_SYNTAX},
    {"[[1]]",
     "\"[1]\" in the list is no number; numbers wanted, each once or several times, as in "
     "[128,4096x7]",
     RIDGE_SYNTAX},
    {"[-1]",
     "\"-1\" in the list is no number; numbers wanted, each once or several times, as in "
     "[128,4096x7]",
     RIDGE_SYNTAX},
    {"[1.5]",
     "\"1.5\" in the list is no number; numbers wanted, each once or several times, as in "
     "[128,4096x7]",
     RIDGE_SYNTAX},
    {"[8,128x0]", "\"128x0\" in the list repeats a number no times; leave it out",
     RIDGE_INVALID},
    {"[0x10]", "\"0x10\" in the list is out of range; 1 to 9007199254740992 wanted",
     RIDGE_INVALID},
    {"[99999999999999999999]",
     "\"99999999999999999999\" in the list is out of range; 1 to 9007199254740992 wanted",
     RIDGE_INVALID},
    {"[9007199254740992,1]",
     "the list adds up to more than 9007199254740992 at \"1\"; fewer or smaller numbers "
     "wanted",
     RIDGE_LIMIT},
    {"[1x99999999999999999999]",
     "the list adds up to more than 9007199254740992 at \"1x99999999999999999999\"; fewer "
     "or smaller numbers wanted",
     RIDGE_LIMIT},
    {"[4096x9999999999999]",
     "the list adds up to more than 9007199254740992 at \"4096x9999999999999\"; fewer or "
     "smaller numbers wanted",
     RIDGE_LIMIT},
};

static void test_every_error(void **state)
{
    (void)state;
    for (size_t i = 0; i < RIDGE__COUNT(bads); i++) {
        ridge_call call = begin();
        const ridge_call before = call;
        ridge_error err = {0};
        assert_int_equal(ridge_call_set(&call, "kv_len", bads[i].text, &err),
                         bads[i].status);
        assert_string_equal(err.message, bads[i].message);
        assert_string_equal(err.where, "kv_len");
        assert_memory_equal(&call, &before, sizeof call);
    }
}

static void test_too_many(void **state)
{
    (void)state;
    enum {
        MOST = 16384
    };
    char *text = malloc(2 * MOST + 4);
    assert_non_null(text);
    text[0] = '[';
    for (size_t i = 0; i <= MOST; i++)
        memcpy(text + 1 + 2 * i, "1,", 2);
    text[2 * MOST] = ']'; /* the comma after the last that is allowed */
    ridge_call call = begin();
    ridge_error err = {0};
    assert_int_equal(
        ridge__call_set_index(&call, RIDGE_ATTN_KV_LEN, text, 2 * MOST + 1, NULL),
        RIDGE_OK);
    assert_close(call.arg[RIDGE_ATTN_KV_LEN], MOST, 0);
    text[2 * MOST] = ',';
    text[2 * MOST + 2] = ']';
    assert_int_equal(
        ridge__call_set_index(&call, RIDGE_ATTN_KV_LEN, text, 2 * MOST + 3, &err),
        RIDGE_LIMIT);
    assert_string_equal(err.message,
                        "the list has more than 16384 entries; write equal numbers as "
                        "one, as in [128,4096x7]");
    free(text);
}

static void test_unequal(void **state)
{
    (void)state;
    static const struct {
        const char *words[3][2];
        const char *message;
    } cases[] = {
        {{{"q_len", "[1x2]"}, {"kv_len", "[5,6,7]"}},
         "q_len stands for 2 sequences, kv_len for 3; a length for each sequence wanted"},
        {{{"q_len", "1"}, {"batch", "2"}, {"kv_len", "[5,6,7]"}},
         "batch stands for 2 sequences, kv_len for 3; a length for each sequence wanted"},
    };
    for (size_t i = 0; i < RIDGE__COUNT(cases); i++) {
        ridge_call call = begin();
        ridge_error err = {0};
        for (size_t w = 0; w < 3 && cases[i].words[w][0]; w++)
            assert_int_equal(
                ridge_call_set(&call, cases[i].words[w][0], cases[i].words[w][1], NULL),
                RIDGE_OK);
        assert_int_equal(ridge_call_finish(&call, &err), RIDGE_INVALID);
        assert_string_equal(err.message, cases[i].message);
    }
}

/* Packed sequences ask for what each of them asks for. */
static void test_attention_counts_loops(void **state)
{
    (void)state;
    static const int q[] = {3, 3, 1, 5}, kv[] = {3, 7, 7, 7};
    double flop = 0, queries = 0, keys = 0;
    for (size_t b = 0; b < 4; b++) {
        for (int head = 0; head < 4; head++)
            for (int i = 0; i < q[b]; i++)
                for (int j = 0; j <= i + kv[b] - q[b]; j++)
                    flop += 2 * 8 + 2 * 8;
        queries += q[b];
        keys += kv[b];
    }
    ridge_work work = work_of("[3x2,1,5]", "[3,7x3]", "1");
    assert_close(work.flop, flop, 0);
    assert_close(work.operand_bytes[0], 2 * 4 * 8 * queries, 0);
    assert_close(work.operand_bytes[1], 2 * 2 * 8 * keys, 0);
    assert_close(work.operand_bytes[3], 2 * 4 * 8 * queries, 0);
}

static void test_attention_defaults(void **state)
{
    (void)state;
    /* kv_len follows q_len of each sequence; one length stands for all. */
    assert_close(work_of("[2,3]", "", "0").flop, 32 * 4 * (4 + 9), 0);
    assert_close(work_of("2", "[2,3]", "0").flop, 32 * 4 * (4 + 6), 0);
    assert_close(work_of("[2,3]", "6", "0").flop, 32 * 4 * (12 + 18), 0);
    /* As one run it is what batch says. */
    assert_close(work_of("[4x3]", "9", "1").flop, 3 * work_of("4", "9", "1").flop, 0);
    ridge_call call = begin();
    assert_int_equal(ridge_call_set(&call, "q_len", "1", NULL), RIDGE_OK);
    assert_int_equal(ridge_call_set(&call, "kv_len", "[2,6]", NULL), RIDGE_OK);
    for (int again = 0; again < 2; again++) {
        assert_int_equal(ridge_call_finish(&call, NULL), RIDGE_OK);
        assert_close(call.arg[RIDGE_ATTN_BATCH], 2, 0);
        assert_close(call.arg[RIDGE_ATTN_KV_LEN], 4, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_runs),
        cmocka_unit_test(test_every_error),
        cmocka_unit_test(test_too_many),
        cmocka_unit_test(test_unequal),
        cmocka_unit_test(test_attention_counts_loops),
        cmocka_unit_test(test_attention_defaults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
