/* Machine and fit files of any content: read or refused, never a crash, a leak or noise. */
#include "hw/catalog.h"
#include "hw/device.h"

#include <stdlib.h>

static void read_part(ridge__arena *arena, const char *text, size_t size)
{
    const ridge_device *device = NULL;
    ridge_error err = {0};
    if (!ridge__device_parse(&device, arena, text, size, "fuzz", &err)) {
        /* What is accepted must be usable. */
        for (int d = 0; d < RIDGE_DTYPE_COUNT; d++)
            (void)ridge_device_peak(device, RIDGE_PIPE_ANY, (ridge_dtype)d, RIDGE_FP32);
        (void)ridge_device_bandwidth(device, RIDGE_DRAM);
    }
}

static void read_fits(ridge__arena *arena, const char *text, size_t size)
{
    const ridge_fit *fits = NULL;
    size_t count = 0;
    ridge_error err = {0};
    const ridge__entry file = {.where = "fuzz", .text = text, .size = size};
    if (ridge__fits_parse(&fits, &count, arena, NULL, &file, &err))
        return;
    for (size_t i = 0; i < count; i++)
        if (!fits[i].op || !fits[i].from)
            abort();
}

static bool count_names(void *ctx, const char *name, size_t size)
{
    *(size_t *)ctx += size + (size_t)(name[0] == 'x');
    return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ridge__arena arena;
    size_t seen = 0;
    ridge__arena_init(&arena, NULL);
    const char *text = ridge__arena_copy(&arena, (const char *)data, size);
    if (text) {
        read_part(&arena, text, size);
        read_fits(&arena, text, size);
        (void)ridge__scan(text, "id", count_names, &seen);
        (void)ridge__scan(text, "aliases", count_names, &seen);
    }
    ridge__arena_clear(&arena);
    return 0;
}
