/*
 * latency.h - latencies of an architecture, as data: data/latencies/ARCH.yaml, in full in
 * docs/format/latency.md.  Parsed and checked when asked for.
 */
#ifndef RIDGE_HW_LATENCY_H
#define RIDGE_HW_LATENCY_H

#include <ridge.h>

/* One figure of one atom.  Of cycles, time_s and rate_per_s one is `figure`'s unit. */
typedef struct ridge__latency {
    ridge_atom atom;
    ridge_latency_kind kind;
    ridge_unit unit;   /* CYCLES, S or FLOP_PER_S (operations per second) */
    ridge_fact figure; /* in that unit; unknown where only `per_cycles` is */
    double min, max;   /* the range found, in that unit; unknown */
    double per_cycles; /* for each unit of the argument beyond the figure */
    double at;         /* the argument it was measured at: a reading, no model */
    double clock_hz;   /* of the part it was measured on */
    const char *gpu, *method, *note;
} ridge__latency;

typedef struct ridge__latencies {
    const char *arch;
    const char *const *near; /* architectures to borrow from, the nearest first */
    size_t near_count;
    const char *why; /* the reason of that order */
    uint32_t absent; /* a bit for each ridge_atom that the architecture does not have */
    const ridge__latency *row;
    size_t row_count;
    const char *const *notes;
    size_t note_count;
} ridge__latencies;

/* Row `rank` (0: the one that is used) of an atom that is no mere reading; NULL. */
const ridge__latency *ridge__latencies_find(const ridge__latencies *list, ridge_atom atom,
                                            size_t rank);

/* The file of an architecture, parsed on first use; *out is NULL where it has none. */
RIDGE_MUST_CHECK ridge_status ridge__catalog_latencies(const ridge__latencies **out,
                                                       ridge_catalog *catalog,
                                                       const char *arch,
                                                       ridge_error *err);

/* An atom as an architecture has it, or as the nearest one that does. */
typedef struct ridge__atom {
    const ridge__latency *row; /* NULL: nobody has it */
    const char *arch;          /* whose file it is of; borrowed from the catalogue */
    bool borrowed, absent;
} ridge__atom;
/* arch NULL or unknown: the order of any.yaml. */
RIDGE_MUST_CHECK ridge_status ridge__catalog_atom(ridge__atom *out,
                                                  ridge_catalog *catalog,
                                                  const char *arch, ridge_atom atom,
                                                  ridge_error *err);

#endif
