/* The public header alone, first, and twice: compiled as C and as C++ by run.sh. */
#include <ridge.h>

int header_is_usable(void);

int header_is_usable(void)
{
    ridge_error err;
    double value = RIDGE_UNKNOWN;
    ridge_status status =
        ridge_quantity_parse(&value, "3.35 TB/s", RIDGE_UNIT_BYTES_PER_S, 0, &err);
    return status == RIDGE_OK && ridge_known(value);
}
