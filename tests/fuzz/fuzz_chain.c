/* Any text as an expression: refused with a column and a sentence, or a sum of known atoms. */
#include "base/base.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
    if (!condition)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ridge_error err = {.message = ""};
    ridge_latency_chain chain = {.item_count = 0};
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    ridge_status status = ridge_latency_parse(&chain, text, &err);
    if (status) {
        require(err.status == status && strncmp(err.message, "column ", 7) == 0);
        require(chain.item_count == 0);
    } else {
        require(chain.item_count > 0 && chain.item_count <= RIDGE_LATENCY_ITEM_MAX);
    }
    for (size_t i = 0; i < chain.item_count; i++) {
        require(ridge_atom_name(chain.item[i].atom) != NULL);
        require(chain.item[i].count >= 0 && chain.item[i].count <= 1e15);
    }
    free(text);
    return 0;
}
