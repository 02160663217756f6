/*
 * ridge/fuse.h - several calls as one kernel: what stays on chip, what is won.  Included by
 * <ridge.h>.
 */
#ifndef RIDGE_FUSE_H
#define RIDGE_FUSE_H

#ifndef RIDGE_H
#error "include <ridge.h>"
#endif

#define RIDGE_FUSE_MAX 16

/* How much of what passes from one call to the next must be on chip at a time. */
#define RIDGE_FUSE_SCOPE_MAP(X)                           \
    X(ELEMENT, "element") /* a register of each thread */ \
    X(ROW, "row")         /* a row: shared memory */      \
    X(TILE, "tile")       /* a tile of a product */       \
    X(ROWS, "rows")       /* whole rows of such a tile */ \
    X(ALL, "all")         /* everything: no kernel can */
typedef enum ridge_fuse_scope {
#define X(name, text) RIDGE_FUSE_##name,
    RIDGE_FUSE_SCOPE_MAP(X)
#undef X
} ridge_fuse_scope;
RIDGE_API const char *ridge_fuse_scope_name(ridge_fuse_scope scope);

/* What passes from call i to call i + 1. */
typedef struct ridge_fuse_link {
    size_t from, to; /* the operand of call i that is an operand of call i + 1 */
    double elements;
    double written_bytes, read_bytes; /* that need not go through memory any more */
    ridge_fuse_scope scope;
    double on_chip_bytes; /* of a block at a time */
    int fits;             /* 1, 0, or -1 where the part's shared memory is unknown */
} ridge_fuse_link;

typedef struct ridge_fusion {
    size_t count;
    ridge_call call[RIDGE_FUSE_MAX];      /* as given */
    ridge_estimate part[RIDGE_FUSE_MAX];  /* each call alone */
    ridge_fuse_link link[RIDGE_FUSE_MAX]; /* count - 1 of them */
    double shared_bytes;                  /* that a block can hold; unknown */
    bool possible;                        /* every link fits, or may */
    size_t refused;                       /* the first link that does not */
    double flop, bytes_before, bytes;     /* of all calls: one by one, and as one */
    double intensity_before, intensity, ridge;
    double floor_before_s, floor_s;   /* sum of the floors; floor of the one */
    double expected_before_s;         /* sum */
    double expected_s, low_s, high_s; /* of the one kernel; unknown as there */
    double launch_before_s, launch_s;
    ridge_bound bound_before, bound; /* of the largest share of the sum; of the one */
    uint32_t warnings;
} ridge_fusion;

/*
 * Calls (1 to RIDGE_FUSE_MAX, finished) in the order in which they run.  The result of
 * each must be an input of the next: the first one of the same number of elements, of the
 * same width.  INVALID says which sizes differ.  Where a link cannot stay on chip the
 * fusion is not possible, and the figures of the one kernel are unknown.  Pure, as
 * ridge_estimate_call().
 */
RIDGE_MUST_CHECK RIDGE_API ridge_status ridge_fusion_find(ridge_fusion *out,
                                                          const ridge_machine *machine,
                                                          const ridge_call *calls,
                                                          size_t count, ridge_error *err);

#endif
