/* Any text as a machine, fit or latency file: refused with a place and a sentence, or taken. */
#include "hw/catalog.h"
#include "hw/device.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A refusal has a status, a sentence and the file's name; success has a result. */
static void check(ridge_status status, const void *result, const ridge_error *err)
{
    bool told = err->status == status && err->message[0] && err->where[0];
    if (status ? result != NULL || !told : result == NULL)
        abort();
}

static bool count_names(void *ctx, const char *name, size_t size)
{
    *(size_t *)ctx += size + (size_t)(name[0] == 'x');
    return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ridge_error err = {.message = ""};
    ridge__arena arena;
    ridge__arena_init(&arena, NULL);
    const char *text = ridge__arena_copy(&arena, (const char *)data, size);
    if (!text)
        abort();
    ridge_device *device = NULL;
    ridge_status status =
        ridge__device_parse(&device, &arena, text, size, "fuzz.yaml", &err);
    check(status, device, &err);
    const ridge__entry file = {
        .id = "x", .where = "fuzz.yaml", .text = text, .size = size};
    const ridge_fit *fits = NULL;
    size_t count = 0;
    status = ridge__fits_parse(&fits, &count, &arena, NULL, &file, &err);
    if (status)
        check(status, fits, &err);
    const ridge__latencies *latencies = NULL;
    status =
        ridge__latencies_parse(&latencies, &arena, text, size, "fuzz.yaml", NULL, &err);
    check(status, latencies, &err);
    size_t seen = 0; /* names are found without parsing */
    (void)ridge__scan(text, "id", count_names, &seen);
    (void)ridge__scan(text, "aliases", count_names, &seen);
    ridge__arena_clear(&arena);
    return 0;
}
