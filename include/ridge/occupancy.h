/*
 * ridge/occupancy.h - how many blocks of a kernel a unit (SM) holds at once, and whether
 * what they have in flight fills the memory's latency.  Included by <ridge.h>.
 * docs/model/occupancy.md has the rules, their sources and worked numbers.
 */
#ifndef RIDGE_OCCUPANCY_H
#define RIDGE_OCCUPANCY_H

#ifndef RIDGE_H
#error "include <ridge.h>"
#endif

/* X(NAME, "word", "for people"): what keeps further blocks out, in the order of ties. */
#define RIDGE_OCCUPANCY_MAP(X)                  \
    X(THREADS, "threads", "threads")            \
    X(BLOCKS, "blocks", "the number of blocks") \
    X(REGISTERS, "registers", "registers")      \
    X(SHARED, "shared_memory", "shared memory") \
    X(UNKNOWN, NULL, NULL)
typedef enum ridge_occupancy_limit {
#define X(name, word, text) RIDGE_OCCUPANCY_BY_##name,
    RIDGE_OCCUPANCY_MAP(X)
#undef X
} ridge_occupancy_limit;
/* "shared_memory"; NULL for UNKNOWN and out of range. */
RIDGE_API const char *ridge_occupancy_limit_name(ridge_occupancy_limit limit);

/* Of a call that says block=; all unknown and `asked` false otherwise. */
typedef struct ridge_occupancy {
    bool asked;
    ridge_occupancy_limit limited_by;
    double blocks_per_unit;   /* that fit at once; unknown without the part's limits */
    double warps_per_unit;    /* of those blocks */
    double occupancy;         /* warps_per_unit / the most that a unit holds */
    double waves, full_waves; /* grid / (units x blocks_per_unit); and its ceiling */
    double active_blocks;     /* at once on the whole part: no more than the grid */
    double bytes_in_flight;   /* active_blocks x threads x bytes in flight of a thread */
    double needed_bytes_in_flight; /* DRAM bandwidth x DRAM latency (Little's law) */
    double latency_s;              /* of DRAM */
    double attainable_bytes_per_s; /* bytes_in_flight / latency_s */
} ridge_occupancy;

#endif
