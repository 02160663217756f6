/* The closed word lists: every word there and back, and nothing out of range. */
#include "test.h"

#include "base/base.h"

static void dtypes_go_there_and_back(void **state)
{
    (void)state;
    for (int i = 0; i < RIDGE_DTYPE_COUNT; i++) {
        const char *name = ridge_dtype_name((ridge_dtype)i);
        ridge_dtype dtype = RIDGE_DTYPE_COUNT;
        assert_true(ridge__dtype_parse(&dtype, name, strlen(name)));
        assert_int_equal(dtype, i);
        const ridge__dtype_info *info = ridge__dtype((ridge_dtype)i);
        assert_string_equal(info->name, name);
        assert_true(info->activation_bytes > 0 && info->activation_bytes <= 8);
        assert_true(info->weight_bytes > 0 &&
                    info->weight_bytes <= info->activation_bytes);
        assert_in_range(info->math, 0, RIDGE_DTYPE_COUNT - 1);
        /* Below 16 bits results come as bf16, by default. */
        if (info->activation_bytes < 2)
            assert_int_equal(info->output, RIDGE_BF16);
    }
    assert_null(ridge_dtype_name(RIDGE_DTYPE_COUNT));
    assert_null(ridge_dtype_name((ridge_dtype)-1));
}

/* nvfp4: 4 bits and an 8-bit scale per 16: 0.5 + 1/16; mxfp4: one per 32: 0.5 + 1/32. */
static void dtype_bytes_include_scales(void **state)
{
    (void)state;
    assert_close(ridge__dtype(RIDGE_NVFP4)->weight_bytes, 0.5625, 0);
    assert_close(ridge__dtype(RIDGE_MXFP4)->weight_bytes, 0.53125, 0);
    assert_close(ridge__dtype(RIDGE_FP6)->weight_bytes, 0.75 + 1.0 / 32, 0);
    assert_int_equal(ridge__dtype(RIDGE_INT4_WO)->math, RIDGE_BF16);
}

static void words_are_whole(void **state)
{
    (void)state;
    ridge_dtype dtype = RIDGE_FP64;
    ridge_pipe pipe = RIDGE_PIPE_ANY;
    ridge_backend backend = RIDGE_BACKEND_COUNT;
    assert_false(ridge__dtype_parse(&dtype, "bf16x", 5));
    assert_true(ridge__dtype_parse(&dtype, "bf16x", 4)); /* by size, not terminator */
    assert_int_equal(dtype, RIDGE_BF16);
    assert_false(ridge__dtype_parse(&dtype, "bf1", 3));
    assert_false(ridge__dtype_parse(&dtype, "BF16", 4));
    assert_false(ridge__dtype_parse(&dtype, "", 0));
    assert_int_equal(dtype, RIDGE_BF16);
    assert_true(ridge__pipe_parse(&pipe, "matrix", 6));
    assert_int_equal(pipe, RIDGE_MATRIX);
    assert_false(ridge__pipe_parse(&pipe, "any", 3));
    for (int i = 0; i < RIDGE_BACKEND_COUNT; i++) {
        const char *name = ridge_backend_name((ridge_backend)i);
        assert_true(ridge__backend_parse(&backend, name, strlen(name)));
        assert_int_equal(backend, i);
    }
    assert_false(ridge__backend_parse(&backend, "tensorflow", 10));
}

static void names_end_with_their_enum(void **state)
{
    (void)state;
    assert_string_equal(ridge_pipe_name(RIDGE_MATRIX), "matrix");
    assert_null(ridge_pipe_name(RIDGE_PIPE_COUNT));
    assert_string_equal(ridge_level_name(RIDGE_L1), "l1");
    assert_null(ridge_level_name(RIDGE_LEVEL_COUNT));
    assert_string_equal(ridge_bound_name(RIDGE_BY_LATENCY), "latency");
    assert_null(ridge_bound_name(RIDGE_BOUND_COUNT));
    assert_string_equal(ridge_timing_name(RIDGE_TIMING_EAGER), "eager");
    assert_null(ridge_timing_name(RIDGE_TIMING_COUNT));
    assert_string_equal(ridge_verdict_name(RIDGE_VERDICT_BELOW_FLOOR), "below_floor");
    assert_null(ridge_verdict_name(RIDGE_VERDICT_COUNT));
    assert_null(ridge_backend_name(RIDGE_BACKEND_COUNT));
    assert_string_equal(ridge_warning_code(RIDGE_WARNING_BELOW_FLOOR), "below_floor");
    assert_string_equal(ridge_warning_code(RIDGE_WARNING_TIMING_ASSUMED),
                        "unknown_timing");
    assert_null(ridge_warning_code(0));
    assert_null(ridge_warning_code(3)); /* two bits are no one warning */
    assert_null(ridge_warning_code(1u << 31));
    assert_null(ridge_warning_text(0));
    assert_non_null(strstr(ridge_warning_text(RIDGE_WARNING_BORROWED), "another part"));
    assert_int_equal(ridge_warning_mask(RIDGE_WRONG), RIDGE_WARNING_BELOW_FLOOR);
    assert_true(ridge_warning_mask(RIDGE_GUESS) & RIDGE_WARNING_BORROWED);
    assert_false(ridge_warning_mask(RIDGE_GUESS) & RIDGE_WARNING_MISALIGNED);
}

static void timings_take_codes_of_tables(void **state)
{
    (void)state;
    static const struct {
        const char *code;
        ridge_timing timing;
    } cases[] = {
        {"graph", RIDGE_TIMING_GRAPH},         {"cg", RIDGE_TIMING_GRAPH},
        {"cg_or_eager", RIDGE_TIMING_GRAPH},   {"eager", RIDGE_TIMING_EAGER},
        {"event_eager", RIDGE_TIMING_EAGER},   {"event_eager_best", RIDGE_TIMING_EAGER},
        {"timer_wall", RIDGE_TIMING_EAGER},    {"kernel", RIDGE_TIMING_KERNEL},
        {"kineto_best", RIDGE_TIMING_KERNEL},  {"prof_kernel", RIDGE_TIMING_KERNEL},
        {"rocprof_best", RIDGE_TIMING_KERNEL}, {"do_bench", RIDGE_TIMING_KERNEL},
        {"stream", RIDGE_TIMING_STREAM},       {"loop20", RIDGE_TIMING_STREAM},
        {"nccl_oop", RIDGE_TIMING_STREAM},
    };
    ridge_timing timing;
    for (size_t i = 0; i < RIDGE__COUNT(cases); i++) {
        timing = RIDGE_TIMING_COUNT;
        assert_true(ridge__timing_parse(&timing, cases[i].code, strlen(cases[i].code)));
        assert_int_equal(timing, cases[i].timing);
    }
    assert_false(ridge__timing_parse(&timing, "cgx", 3));
    assert_false(ridge__timing_parse(&timing, "guess", 5));
    assert_false(ridge__timing_parse(&timing, "", 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dtypes_go_there_and_back),
        cmocka_unit_test(dtype_bytes_include_scales),
        cmocka_unit_test(words_are_whole),
        cmocka_unit_test(names_end_with_their_enum),
        cmocka_unit_test(timings_take_codes_of_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
