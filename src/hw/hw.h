/*
 * hw - all data: parts and fits.  Indexed at build, parsed and checked when asked for by
 * id; names, aliases and device-name match; overlays.  Holds facts, computes nothing but
 * checks and stated derivations.
 */
#ifndef RIDGE_HW_H
#define RIDGE_HW_H

#include "hw/fit.h"
#include "hw/latency.h"
#include "hw/link.h"
#include "hw/nccl.h"
#include "hw/system.h"

#include <ridge.h>

typedef struct ridge__compute {
    ridge_dtype dtype;
    ridge_pipe pipe;
    ridge_dtype accumulator; /* RIDGE_FP32 unless stated */
    ridge_peak peak;
    double rate_flop_per_cycle; /* per unit (SM, CU); unknown if not stated */
    const char *note;           /* NULL: none */
} ridge__compute;

typedef struct ridge__memory {
    ridge_level level;
    const char *name; /* "HBM3", "GDDR6X"; NULL */
    ridge_fact capacity_bytes;
    ridge_fact stated, device, measured; /* bytes/s */
    ridge_fact roof;                     /* the one of the three that the roof uses */
    double bus_bits;                     /* width of the memory bus */
    const char *note;
} ridge__memory;

typedef struct ridge__link {
    const char *name;            /* "NVLink 4", "PCIe 5 x16" */
    double count;                /* links per GPU */
    ridge_fact stated, measured; /* bytes/s, one direction, per GPU */
    const char *note;
} ridge__link;

/* Limits of one SM (or CU): a named fact each, so that the file may name any subset. */
typedef struct ridge__limit {
    const char *name; /* "threads", "blocks", "registers_bytes", "shared_bytes", ... */
    ridge_fact value;
} ridge__limit;

/* An instance that the part can be split into (MIG). */
typedef struct ridge__slice {
    const char *name;    /* "1g.10gb" */
    double count;        /* of them at most at once */
    ridge_fact units;    /* SMs; derived where only the share is stated */
    double memory_share; /* of capacity, bandwidth and L2 */
} ridge__slice;

struct ridge_device {
    const char *id, *name, *variant, *vendor, *arch, *capability;
    double year;
    const char *const *aliases;
    size_t alias_count;
    const char *const *device_names; /* as drivers report them */
    size_t device_name_count;
    ridge_fact units; /* SMs, CUs, cores */
    const char *unit_name;
    ridge_fact clock_base, clock_boost, clock_tensor; /* Hz */
    ridge_fact tdp_w;
    const ridge__compute *compute;
    size_t compute_count;
    uint32_t unsupported; /* bit per ridge_dtype: stated to have no hardware path */
    const ridge__memory *memory;
    size_t memory_count;
    const ridge__link *link;
    size_t link_count;
    const ridge__limit *limit;
    size_t limit_count;
    const ridge__latencies *latencies; /* of its architecture; NULL: there is no file */
    const ridge__slice *slice;
    size_t slice_count;
    const char *process; /* "12 nm FFN"; NULL */
    const char *const *notes;
    size_t note_count;
};

/* Ids and architectures: [a-z0-9._-], so that they can stand in paths and keys. */
bool ridge__id_valid(const char *id);

/* The row for dtype, pipe and accumulator; NULL if the file has none. */
const ridge__compute *ridge__device_compute(const ridge_device *device, ridge_pipe pipe,
                                            ridge_dtype dtype, ridge_dtype accumulator);
const ridge__memory *ridge__device_memory(const ridge_device *device, ridge_level level);
ridge_fact ridge__device_limit(const ridge_device *device, const char *name);

/* A fact that nobody stated. */
ridge_fact ridge__fact_unknown(void);

/*
 * Fits for an architecture or part, parsed on first use.  *out is NULL and count 0 where
 * no file names it.  `key` is a device id or an arch ("hopper", "any").
 */
RIDGE_MUST_CHECK ridge_status ridge__catalog_fits(const ridge_fit **out, size_t *count,
                                                  ridge_catalog *catalog, const char *key,
                                                  ridge_error *err);
/* A fit file of the user's (--fit): its fits, owned by the catalogue. */
RIDGE_MUST_CHECK ridge_status ridge__catalog_fit_file(const ridge_fit **out,
                                                      size_t *count,
                                                      ridge_catalog *catalog,
                                                      const char *path, ridge_error *err);

/* The embedded files, in id order; made by tools/embed.cmake, and by tools/embed_fits.c,
 * which leaves no text to be parsed. */
typedef struct ridge__embedded {
    const char *id, *text;
    size_t size;
    const void *parsed; /* fits; NULL: not yet */
    size_t count;       /* of them */
} ridge__embedded;
extern const ridge__embedded ridge__embedded_gpus[];
extern const size_t ridge__embedded_gpu_count;
extern const ridge__embedded ridge__embedded_fits[];
extern const size_t ridge__embedded_fit_count;
extern const ridge__embedded ridge__embedded_systems[];
extern const size_t ridge__embedded_system_count;
extern const ridge__embedded ridge__embedded_links[];
extern const size_t ridge__embedded_link_count;
extern const ridge__embedded ridge__embedded_latencies[];
extern const size_t ridge__embedded_latency_count;

#endif
