/* Quantities: each unit and prefix, each refusal with its sentence, and the printed form. */
#include "test.h"

#include "base/base.h"

static void quantity_parse_reads_units(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        ridge_unit unit;
        double value;
    } cases[] = {
        {"3.35 TB/s", RIDGE_UNIT_BYTES_PER_S, 3.35e12},
        {"3.35TB/s", RIDGE_UNIT_BYTES_PER_S, 3.35e12},
        {"50 MiB", RIDGE_UNIT_BYTES, 52428800}, /* 50 * 1024 * 1024 */
        {"64KiB", RIDGE_UNIT_BYTES, 65536},
        {"80 GB", RIDGE_UNIT_BYTES, 80e9},
        {"100kB", RIDGE_UNIT_BYTES, 1e5},
        {"100KB", RIDGE_UNIT_BYTES, 1e5},
        {"8b", RIDGE_UNIT_BYTES, 1},
        {"400 Gb/s", RIDGE_UNIT_BYTES_PER_S, 50e9}, /* 400e9 / 8 */
        {"400Gbps", RIDGE_UNIT_BYTES_PER_S, 50e9},
        {"400 Gbit/s", RIDGE_UNIT_BYTES_PER_S, 50e9},
        {"900GBps", RIDGE_UNIT_BYTES_PER_S, 900e9},
        {"989.4TFLOP/s", RIDGE_UNIT_FLOP_PER_S, 989.4e12},
        {"1.979 PFLOPS", RIDGE_UNIT_FLOP_PER_S, 1.979e15},
        {"1979 TOPS", RIDGE_UNIT_FLOP_PER_S, 1979e12},
        {"10GFLOP", RIDGE_UNIT_FLOP, 1e10},
        {"2EFLOP", RIDGE_UNIT_FLOP, 2e18}, /* exa, not an exponent */
        {"2E3FLOP", RIDGE_UNIT_FLOP, 2e3}, /* an exponent, not exa */
        {"1.83GHz", RIDGE_UNIT_HZ, 1.83e9},
        {"700 W", RIDGE_UNIT_W, 700},
        {"2ms", RIDGE_UNIT_S, 2e-3},
        {"2.5us", RIDGE_UNIT_S, 2.5e-6},
        {"2.5\xc2\xb5s", RIDGE_UNIT_S, 2.5e-6},
        {"2.5\xce\xbcs", RIDGE_UNIT_S, 2.5e-6},
        {"30ns", RIDGE_UNIT_S, 30e-9},
        {"1.5 s", RIDGE_UNIT_S, 1.5},
        {"24cycles", RIDGE_UNIT_CYCLES, 24},
        {"1 cycle", RIDGE_UNIT_CYCLES, 1},
        {"64B/cycle", RIDGE_UNIT_BYTES_PER_CYCLE, 64},
        {"4096FLOP/cycle", RIDGE_UNIT_FLOP_PER_CYCLE, 4096},
        {"100FLOP/B", RIDGE_UNIT_FLOP_PER_BYTE, 100},
        {"90%", RIDGE_UNIT_NONE, 0.9},
        {"0.9", RIDGE_UNIT_NONE, 0.9},
        {"4096", RIDGE_UNIT_COUNT, 4096},
        {"100", RIDGE_UNIT_BYTES, 100}, /* bare: the SI base unit */
        {"100   ", RIDGE_UNIT_BYTES, 100},
    };
    for (size_t i = 0; i < RIDGE__COUNT(cases); i++) {
        ridge_error err = {.message = ""};
        double value = -1;
        ridge_status status =
            ridge_quantity_parse(&value, cases[i].text, cases[i].unit, 0, &err);
        if (status || value != cases[i].value)
            print_error("%s: %.17g %s\n", cases[i].text, value, err.message);
        assert_int_equal(status, RIDGE_OK);
        assert_true(value == cases[i].value); /* to the last bit */
    }
}

static void quantity_parse_refuses_with_a_sentence(void **state)
{
    (void)state;
    enum {
        BARE = 0,
        NEED = RIDGE_QUANTITY_UNIT_REQUIRED
    };
    static const struct {
        const char *text;
        ridge_unit unit;
        unsigned flags;
        ridge_status status;
        const char *message;
    } cases[] = {
        {"", RIDGE_UNIT_S, BARE, RIDGE_SYNTAX,
         "\"\" is not a number; seconds wanted, as in 2ms"},
        {"fast", RIDGE_UNIT_FLOP_PER_S, BARE, RIDGE_SYNTAX,
         "\"fast\" is not a number; FLOP per second wanted, as in 989.4TFLOP/s"},
        {"-3GB", RIDGE_UNIT_BYTES, BARE, RIDGE_SYNTAX,
         "\"-3GB\" is not a number; bytes wanted, as in 100MB"},
        {"nan", RIDGE_UNIT_NONE, BARE, RIDGE_SYNTAX,
         "\"nan\" is not a number; a plain number wanted, as in 0.9"},
        {"2ms", RIDGE_UNIT_BYTES, BARE, RIDGE_BADUNIT,
         "\"2ms\" is seconds; bytes wanted, as in 100MB"},
        {"3.35 TB", RIDGE_UNIT_BYTES_PER_S, NEED, RIDGE_BADUNIT,
         "\"3.35 TB\" is bytes; bytes per second wanted, as in 3.35TB/s"},
        {"90%", RIDGE_UNIT_COUNT, BARE, RIDGE_BADUNIT,
         "\"90%\" is a plain number; a count wanted, as in 4096"},
        {"3.35", RIDGE_UNIT_BYTES_PER_S, NEED, RIDGE_BADUNIT,
         "\"3.35\" has no unit; bytes per second wanted, as in 3.35TB/s"},
        {"5mB", RIDGE_UNIT_BYTES, BARE, RIDGE_BADUNIT,
         "\"5mB\" has an unknown unit; bytes wanted, as in 100MB"},
        {"2Ms", RIDGE_UNIT_S, BARE, RIDGE_BADUNIT,
         "\"2Ms\" has an unknown unit; seconds wanted, as in 2ms"},
        {"1600mHz", RIDGE_UNIT_HZ, BARE, RIDGE_BADUNIT,
         "\"1600mHz\" has an unknown unit; hertz wanted, as in 1.83GHz"},
        {"5GiFLOP", RIDGE_UNIT_FLOP, BARE, RIDGE_BADUNIT,
         "\"5GiFLOP\" has an unknown unit; FLOP wanted, as in 10GFLOP"},
        {"5 GB x", RIDGE_UNIT_BYTES, BARE, RIDGE_BADUNIT,
         "\"5 GB x\" has an unknown unit; bytes wanted, as in 100MB"},
        {"1,5GB", RIDGE_UNIT_BYTES, BARE, RIDGE_BADUNIT,
         "\"1,5GB\" has an unknown unit; bytes wanted, as in 100MB"},
        {"1e400", RIDGE_UNIT_BYTES, BARE, RIDGE_LIMIT, "\"1e400\" is too large"},
        {"1e300EB", RIDGE_UNIT_BYTES, BARE, RIDGE_LIMIT, "\"1e300EB\" is too large"},
        {"1e308MiB", RIDGE_UNIT_BYTES, BARE, RIDGE_LIMIT, "\"1e308MiB\" is too large"},
    };
    for (size_t i = 0; i < RIDGE__COUNT(cases); i++) {
        ridge_error err;
        double value = -1;
        assert_int_equal(ridge_quantity_parse(&value, cases[i].text, cases[i].unit,
                                              cases[i].flags, &err),
                         cases[i].status);
        assert_int_equal(err.status, cases[i].status);
        assert_string_equal(err.message, cases[i].message);
        assert_string_equal(err.where, "");
        assert_true(value == -1);
        assert_int_equal(ridge_quantity_parse(&value, cases[i].text, cases[i].unit,
                                              cases[i].flags, NULL),
                         cases[i].status);
    }
}

static void quantity_format_has_three_digits(void **state)
{
    (void)state;
    static const struct {
        double value;
        ridge_unit unit;
        const char *text;
    } cases[] = {
        {3.352e12, RIDGE_UNIT_BYTES_PER_S, "3.35 TB/s"},
        {989.4e12, RIDGE_UNIT_FLOP_PER_S, "989 TFLOP/s"},
        {999.4e12, RIDGE_UNIT_FLOP_PER_S, "999 TFLOP/s"},
        {999.6e12, RIDGE_UNIT_FLOP_PER_S, "1 PFLOP/s"},
        {999.5, RIDGE_UNIT_BYTES, "1 kB"},
        {0.5, RIDGE_UNIT_BYTES, "0.5 B"}, /* half an int4 pair: no millibytes */
        {1.72e-4, RIDGE_UNIT_S, "172 us"},
        {9.996e-4, RIDGE_UNIT_S, "1 ms"},
        {12345, RIDGE_UNIT_S, "12300 s"}, /* no kiloseconds */
        {-1.5e-6, RIDGE_UNIT_S, "-1.5 us"},
        {0, RIDGE_UNIT_S, "0 s"},
        {-0.0, RIDGE_UNIT_S, "0 s"},
        {1.83e9, RIDGE_UNIT_HZ, "1.83 GHz"},
        {295.17, RIDGE_UNIT_FLOP_PER_BYTE, "295 FLOP/B"},
        {4096, RIDGE_UNIT_COUNT, "4100"},
        {0.9, RIDGE_UNIT_NONE, "0.9"},
        {RIDGE_UNKNOWN, RIDGE_UNIT_S, "?"},
        {INFINITY, RIDGE_UNIT_S, "?"},
    };
    for (size_t i = 0; i < RIDGE__COUNT(cases); i++) {
        char buf[32];
        size_t size =
            ridge_quantity_format(buf, sizeof buf, cases[i].value, cases[i].unit);
        assert_string_equal(buf, cases[i].text);
        assert_int_equal(size, strlen(cases[i].text));
    }
    char small[5];
    assert_int_equal(
        ridge_quantity_format(small, sizeof small, 3.35e12, RIDGE_UNIT_BYTES_PER_S), 9);
    assert_string_equal(small, "3.35"); /* cut off and terminated, as snprintf does */
}

/* Bits of a size, and a K that is 1024 to many; rates in bits are how links are sold. */
static void sizes_in_bits_and_capital_k_are_ambiguous(void **state)
{
    (void)state;
    assert_true(ridge_quantity_ambiguous("64Mb", RIDGE_UNIT_BYTES));
    assert_true(ridge_quantity_ambiguous("64 kb", RIDGE_UNIT_BYTES));
    assert_true(ridge_quantity_ambiguous("64KB", RIDGE_UNIT_BYTES));
    assert_false(ridge_quantity_ambiguous("64kB", RIDGE_UNIT_BYTES));
    assert_false(ridge_quantity_ambiguous("64KiB", RIDGE_UNIT_BYTES));
    assert_false(ridge_quantity_ambiguous("64MB", RIDGE_UNIT_BYTES));
    assert_false(ridge_quantity_ambiguous("64", RIDGE_UNIT_BYTES));
    assert_false(ridge_quantity_ambiguous("many", RIDGE_UNIT_BYTES));
    assert_false(ridge_quantity_ambiguous("400Gb/s", RIDGE_UNIT_BYTES_PER_S));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantity_parse_reads_units),
        cmocka_unit_test(quantity_parse_refuses_with_a_sentence),
        cmocka_unit_test(sizes_in_bits_and_capital_k_are_ambiguous),
        cmocka_unit_test(quantity_format_has_three_digits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
