/*
 * schema - what stands in the YAML of a part: every scalar as text, by libcyaml's tables.
 * device.c turns it into a ridge_device.
 */
#ifndef RIDGE_HW_SCHEMA_H
#define RIDGE_HW_SCHEMA_H

#include "format/yaml.h"

/* Absent keys are NULL. */
typedef struct raw_source {
    char *key, *title, *date;
} raw_source;

/* One figure of its own: {value, source, confidence}. */
typedef struct raw_figure {
    char *name; /* units: what a unit is called; limits: which limit */
    char *value, *source, *confidence, *origin, *note;
} raw_figure;

typedef struct raw_clocks {
    raw_figure *base, *boost, *tensor;
} raw_clocks;

typedef struct raw_compute {
    char *dtype, *pipe, *accumulate, *peak, *sparse, *clock, *rate;
    char *source, *confidence, *origin, *note;
} raw_compute;

typedef struct raw_memory {
    char *level, *name, *bus_bits, *capacity, *stated, *device, *measured, *roof;
    char *source, *device_source, *measured_source, *confidence, *note;
} raw_memory;

typedef struct raw_link {
    char *name, *count, *stated, *measured;
    char *source, *measured_source, *confidence, *note;
} raw_link;

typedef struct raw_slice {
    char *name, *count, *units, *share, *memory, *source, *confidence;
} raw_slice;

typedef struct raw_device {
    char *id, *name, *variant, *vendor, *arch, *capability, *year, *process;
    char **aliases, **device_names, **unsupported, **notes;
    unsigned aliases_count, device_names_count, unsupported_count, notes_count;
    raw_source *sources;
    raw_figure *units, *tdp, *limits;
    raw_clocks *clocks;
    raw_compute *compute;
    raw_memory *memory;
    raw_link *links;
    raw_slice *mig;
    unsigned mig_count;
    unsigned sources_count, limits_count, compute_count, memory_count, links_count;
} raw_device;

extern const cyaml_schema_value_t ridge__schema_device;

/* ---- Systems: files of data/systems, read by system.c ------------------------------ */

typedef struct raw_fabric {
    char *name, *topology, *link, *domain, *bandwidth, *achieved, *per_peer, *beyond;
    char *latency, *reduces, *switches;
    char *source, *achieved_source, *latency_source, *confidence, *note;
} raw_fabric;

typedef struct raw_nics {
    char *count, *per_gpu, *rate, *kind, *source, *confidence, *note;
} raw_nics;

typedef struct raw_cpu {
    char *name, *sockets, *cores, *source, *confidence;
} raw_cpu;

typedef struct raw_power {
    char *value, *of, *source, *confidence, *note;
} raw_power;

typedef struct raw_system {
    char *id, *name, *gpu, *ordinary, *pcie;
    char **aliases, **notes;
    unsigned aliases_count, notes_count;
    raw_source *sources;
    raw_figure *gpus, *host_memory, *totals;
    raw_fabric *inside, *between;
    raw_nics *nics;
    raw_cpu *cpu;
    raw_power *power;
    unsigned sources_count, totals_count;
} raw_system;

extern const cyaml_schema_value_t ridge__schema_system;

/* ---- Links as such: files of data/links, read by link.c ---------------------------- */

typedef struct raw_rate {
    char *one, *both, *source, *confidence, *note;
} raw_rate;

typedef struct raw_span {
    char *value, *low, *high, *what, *source, *confidence;
} raw_span;

typedef struct raw_way {
    char *id, *name, *parts, *place, *path, *use;
    char **notes;
    raw_source *sources;
    raw_rate *rate;
    raw_span *achieved, *latency;
    unsigned notes_count, sources_count, achieved_count, latency_count;
} raw_way;

extern const cyaml_schema_value_t ridge__schema_way;

/* For tables of one struct: a text, a list of texts, a list of `child` mappings. */
#define RAW_TEXT(type, key)                                                             \
    CYAML_FIELD_STRING_PTR(#key, CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct type, \
                           key, 0, CYAML_UNLIMITED)
#define RAW_NEEDED(type, key) \
    CYAML_FIELD_STRING_PTR(#key, CYAML_FLAG_POINTER, struct type, key, 0, CYAML_UNLIMITED)
#define RAW_LIST(type, key, child)                                                    \
    CYAML_FIELD_SEQUENCE(#key, CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct type, \
                         key, &(child), 0, CYAML_UNLIMITED)

extern const cyaml_schema_value_t ridge__schema_text;
extern const cyaml_schema_value_t ridge__schema_source; /* a raw_source */

#endif
