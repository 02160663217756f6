/*
 * A part's figures as one list, so that the list, the page, the comparison, JSON and CSV
 * all say the same.
 */
#ifndef RIDGE_REPORT_PART_H
#define RIDGE_REPORT_PART_H

#include "base/base.h"
#include "hw/hw.h"

#include <ridge.h>

/* X(NAME, "key", unit, "heading"): the groups, in the order of the comparison. */
#define RIDGE__GROUP_MAP(X)                                              \
    X(PART, "part", COUNT, "Part")                                       \
    X(CLOCK, "clock", HZ, "Clocks, Hz")                                  \
    X(PEAK, "peak", FLOP_PER_S, "Dense peaks, FLOP/s")                   \
    X(RIDGE, "ridge", FLOP_PER_BYTE, "Ridge points, FLOP per DRAM byte") \
    X(SPARSE, "sparse", FLOP_PER_S, "Peaks with 2:4 sparsity, FLOP/s")   \
    X(BANDWIDTH, "bandwidth", BYTES_PER_S, "Memory bandwidth, B/s")      \
    X(CAPACITY, "capacity", BYTES, "Memory capacity, B")                 \
    X(LINK, "link", BYTES_PER_S, "Links, B/s, one direction, per GPU")   \
    X(LIMIT, "limit", COUNT, "Limits of one unit")                       \
    X(LATENCY, "latency", S, "Latencies of the architecture, s")
typedef enum ridge__group {
#define X(name, ...) RIDGE__GROUP_##name,
    RIDGE__GROUP_MAP(X)
#undef X
    RIDGE__GROUPS
} ridge__group;

typedef struct ridge__figure {
    ridge__group group;
    char name[48]; /* "bf16.matrix", "dram.device", "shared_bytes" */
    ridge_unit unit;
    ridge_fact fact;
} ridge__figure;

/* The figures that are known, in a fixed order; *count receives how many.  The list is
 * the arena's; NULL without memory. */
const ridge__figure *ridge__part_figures(const ridge_device *device, ridge__arena *arena,
                                         size_t *count);
const char *ridge__group_key(ridge__group group);
const char *ridge__group_heading(ridge__group group);
const char *ridge__origin_name(ridge_origin origin); /* "stated" */
/* Dense peak over the DRAM bandwidth of the roof, FLOP/byte. */
double ridge__part_ridge(const ridge_device *device, double flop_per_s);
/* fp32 multiply-adds per cycle of one unit: what NVIDIA calls its cores; unknown for
 * others, who count otherwise. */
double ridge__part_fp32_cores(const ridge_device *device);
/* The name for people: the value shows the unit, so "_bytes" is left out. */
void ridge__figure_label(char *buf, size_t size, const ridge__figure *figure);
/* Four digits, SI prefix and, for sizes that are whole in it, Ki or Mi. */
const char *ridge__figure_text(char *buf, size_t size, double value, ridge_unit unit);
#define RIDGE__FIGURE(value, unit) ridge__figure_text((char[48]){0}, 48, value, unit)

/* One page (part_page.c), several side by side (part_compare.c), data (part_data.c). */
void ridge__part_page(ridge__str *out, const ridge_device *device,
                      const ridge_style *style, ridge__arena *scratch);
void ridge__part_compare(ridge__str *out, const ridge_device *const *devices,
                         size_t count, const ridge_style *style, ridge__arena *scratch);
void ridge__part_json(ridge__str *out, const ridge_device *const *devices, size_t count,
                      bool list);
void ridge__part_csv(ridge__str *out, const ridge_device *const *devices, size_t count,
                     ridge__arena *scratch);

#endif
