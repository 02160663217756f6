/* Any text as a system or link file: refused with a place and a sentence, or taken. */
#include "hw/catalog.h"
#include "hw/system_read.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A refusal has a status, a sentence and the file's name; success has a result. */
static void check(ridge_status status, const void *result, const ridge_error *err)
{
    bool told = err->status == status && err->message[0] && err->where[0];
    if (status ? result != NULL || !told : result == NULL)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ridge_error err = {.message = ""};
    ridge_catalog *catalog = NULL; /* a system names a part and links */
    if (ridge_catalog_open(&catalog, NULL, NULL, NULL))
        abort();
    const char *text = ridge__arena_copy(&catalog->arena, (const char *)data, size);
    if (!text)
        abort();
    const ridge__entry file = {
        .id = "x", .where = "fuzz.yaml", .text = text, .size = size};
    const ridge_system *system = NULL;
    ridge_status status = ridge__system_parse(&system, catalog, &file, &err);
    check(status, system, &err);
    const ridge_link *link = NULL;
    status = ridge__link_parse(&link, catalog, &file, &err);
    check(status, link, &err);
    ridge_catalog_free(catalog);
    return 0;
}
