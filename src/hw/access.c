#include "hw/device.h"

ridge_fact ridge__fact_unknown(void)
{
    return (ridge_fact){.value = RIDGE_UNKNOWN, .confidence = '?', .source = ""};
}

const ridge__compute *ridge__device_compute(const ridge_device *device, ridge_pipe pipe,
                                            ridge_dtype dtype, ridge_dtype accumulator)
{
    for (size_t i = 0; i < device->compute_count; i++) {
        const ridge__compute *c = &device->compute[i];
        if (c->pipe == pipe && c->dtype == dtype && c->accumulator == accumulator)
            return c;
    }
    return NULL;
}

const ridge__memory *ridge__device_memory(const ridge_device *device, ridge_level level)
{
    for (size_t i = 0; i < device->memory_count; i++)
        if (device->memory[i].level == level)
            return &device->memory[i];
    return NULL;
}

ridge_fact ridge__device_limit(const ridge_device *device, const char *name)
{
    for (size_t i = 0; i < device->limit_count; i++)
        if (strcmp(device->limit[i].name, name) == 0)
            return device->limit[i].value;
    return ridge__fact_unknown();
}

const char *ridge_device_id(const ridge_device *device)
{
    return device->id;
}

const char *ridge_device_name(const ridge_device *device)
{
    return device->name;
}

ridge_peak ridge_device_peak(const ridge_device *device, ridge_pipe pipe,
                             ridge_dtype dtype, ridge_dtype accumulator)
{
    const ridge_fact none = ridge__fact_unknown();
    const ridge__compute *best = NULL;
    for (int p = 0; p < RIDGE_PIPE_COUNT; p++) {
        if (pipe != RIDGE_PIPE_ANY && pipe != (ridge_pipe)p)
            continue;
        const ridge__compute *c =
            ridge__device_compute(device, (ridge_pipe)p, dtype, accumulator);
        if (c && (!best || c->peak.dense.value > best->peak.dense.value))
            best = c;
    }
    return best ? best->peak : (ridge_peak){none, none, none};
}

ridge_fact ridge_device_bandwidth(const ridge_device *device, ridge_level level)
{
    const ridge__memory *m = ridge__device_memory(device, level);
    return m ? m->roof : ridge__fact_unknown();
}

ridge_fact ridge_device_capacity(const ridge_device *device, ridge_level level)
{
    const ridge__memory *m = ridge__device_memory(device, level);
    return m ? m->capacity_bytes : ridge__fact_unknown();
}
