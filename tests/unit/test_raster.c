#include "raster/plugin.h"
#include "test.h"

static void test_not_found(void **state)
{
    (void)state;
    static const char *const folders[] = {"/nowhere", "/nor\x01here"};
    ridge_raster *raster = NULL;
    ridge_error err;
    assert_int_equal(ridge_raster_open(&raster, folders, 2, &err), RIDGE_NOTFOUND);
    assert_string_equal(err.message,
                        "the plug-in ridge_raster.so is not in /nowhere, /nor?here");
    assert_int_equal(ridge_raster_open(&raster, NULL, 0, &err), RIDGE_NOTFOUND);
    assert_string_equal(err.message, "the plug-in ridge_raster.so is not in any folder");
    assert_null(raster);
    ridge_raster_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_not_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
