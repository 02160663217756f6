/* Any text as a quantity: no crash, and what is accepted is finite and not negative. */
#include "base/base.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1)
        return 0;
    ridge_error err;
    ridge_unit unit = (ridge_unit)(data[0] % (RIDGE_UNIT_CYCLES + 1));
    char *text = malloc(size);
    if (!text)
        return 0;
    memcpy(text, data + 1, size - 1);
    text[size - 1] = '\0';
    double value = -1;
    if (ridge_quantity_parse(&value, text, unit, data[0] & 0x80 ? 1 : 0, &err)) {
        if (value != -1 || err.message[0] == '\0')
            abort();
    } else if (!(value >= 0) || !isfinite(value)) {
        abort();
    }
    free(text);
    return 0;
}
