/* A system's figures as one list, so that page, comparison, JSON and CSV say the same. */
#ifndef RIDGE_REPORT_SYSTEM_H
#define RIDGE_REPORT_SYSTEM_H

#include "base/base.h"
#include "hw/hw.h"

#include <ridge.h>

/* One line of the aggregate: of a part, of a node, of all that the inside fabric joins. */
typedef struct ridge__aggregate {
    char what[24]; /* "bf16.matrix", "dram", "dram_capacity", "link", "network" */
    ridge_unit unit;
    double part, node, domain;
    const ridge__total *total; /* the datasheet's; NULL: none */
} ridge__aggregate;

enum {
    RIDGE__AGGREGATES = RIDGE_DTYPE_COUNT + 8
};

/* The lines that are known, into `out` of RIDGE__AGGREGATES; returns how many. */
size_t ridge__system_aggregate(ridge__aggregate *out, const ridge_system *system);

/* One page, several side by side (system_page.c), data (system_data.c). */
void ridge__system_page(ridge__str *out, const ridge_system *system,
                        const ridge_style *style);
void ridge__system_compare(ridge__str *out, const ridge_system *const *systems,
                           size_t count, const ridge_style *style);
void ridge__system_json(ridge__str *out, const ridge_system *const *systems, size_t count,
                        bool list);
void ridge__system_csv(ridge__str *out, const ridge_system *const *systems, size_t count);

#endif
