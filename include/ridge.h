/*
 * ridge - how long GPU work must take, how long it will take, and why.
 *
 * A first estimate:
 *
 *     ridge_catalog *catalog = NULL;
 *     const ridge_device *device = NULL;
 *     ridge_machine *machine = NULL;
 *     ridge_call call;
 *     ridge_estimate estimate;
 *     ridge_error err;
 *
 *     if (ridge_catalog_open(&catalog, NULL, NULL, &err) ||
 *         ridge_catalog_load(&device, catalog, "h100-sxm", &err) ||
 *         ridge_machine_new(&machine, catalog, device, &err) ||
 *         ridge_call_init(&call, "gemm", &err) ||
 *         ridge_call_set(&call, "m", "4096", &err) || ... ||
 *         ridge_estimate_call(&estimate, machine, &call, &err))
 *         fprintf(stderr, "%s: %s\n", err.where, err.message);
 *
 * Conventions (they hold for every function below; exceptions say so)
 *
 *   Names      ridge_<noun>_<verb>().  ridge_<noun> is a struct, no _t.
 *   Units      Every physical quantity is a double in an SI base unit and its name
 *              ends in that unit: _s, _bytes, _flop, _bytes_per_s, _flop_per_s, _hz.
 *              No prefixes (no _ms, no _gbps).  1 fused multiply-add = 2 FLOP.
 *              `flop` is a count, `flop_per_s` a rate.
 *   Unknown    A quantity that nobody has stated or measured is RIDGE_UNKNOWN (a NaN),
 *              never 0 and never -1.  It propagates.
 *   Ownership  An object handed out through a `**out` parameter is owned by the caller,
 *              who gives it to ridge_<noun>_free().  `const` objects handed out, and
 *              pointers that are return values, are borrowed: they live as long as the
 *              object they were got from.  free functions accept NULL.
 *   Errors     Functions that can fail return ridge_status and take, last, a ridge_error
 *              to fill (may be NULL).  On failure no output parameter has been written.
 *   Threads    No function uses mutable global state.  Objects may be read from any
 *              number of threads; an object being changed may not.
 *   Output     The library never prints, exits, reads the environment, or calls
 *              setlocale().  Text goes to a ridge_sink.
 */
#ifndef RIDGE_H
#define RIDGE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define RIDGE_API                __attribute__((visibility("default")))
#define RIDGE_MUST_CHECK         __attribute__((warn_unused_result))
#define RIDGE_PRINTF(fmt, first) __attribute__((format(printf, fmt, first)))
#else
#define RIDGE_API
#define RIDGE_MUST_CHECK
#define RIDGE_PRINTF(fmt, first)
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define RIDGE_VERSION_MAJOR 0
#define RIDGE_VERSION_MINOR 1
#define RIDGE_VERSION_PATCH 0

/* Version of the library that is running, as "0.1.0". */
RIDGE_API const char *ridge_version(void);

/* ---- Status and error -------------------------------------------------------------- */

#define RIDGE_STATUS_MAP(X)                           \
    X(OK, 0, "success")                               \
    X(NOMEM, -1, "out of memory")                     \
    X(INVALID, -2, "invalid argument")                \
    X(NOTFOUND, -3, "no such item")                   \
    X(SYNTAX, -4, "malformed input")                  \
    X(BADUNIT, -5, "missing or unfitting unit")       \
    X(NODATA, -6, "a needed quantity is unknown")     \
    X(LIMIT, -7, "input exceeds a limit")             \
    X(IO, -8, "input/output error")                   \
    X(UNSUPPORTED, -9, "not supported by this build") \
    X(CANCELLED, -10, "cancelled")

typedef enum ridge_status {
#define X(name, value, text) RIDGE_##name = value,
    RIDGE_STATUS_MAP(X)
#undef X
} ridge_status;

/* What went wrong, and where.  Lives on the caller's stack. */
typedef struct ridge_error {
    ridge_status status;
    uint64_t line;   /* 1-based line in `where`; 0 if there is none */
    char where[160]; /* file, option or object that the message is about; may be empty */
    char message[512]; /* one sentence, lower case, no newline */
} ridge_error;

/* "RIDGE_SYNTAX" and "malformed input"; never NULL. */
RIDGE_API const char *ridge_status_name(ridge_status status);
RIDGE_API const char *ridge_status_text(ridge_status status);
/*
 * Copies `text` to `buf` of `size` bytes, for a terminal or a log, and returns
 * buf: each control character and each byte that is no UTF-8 is a "?", and "..." ends what
 * does not fit.  Text NULL reads as "".
 */
RIDGE_API const char *ridge_text_clean(char *buf, size_t size, const char *text);

/* ---- Memory ------------------------------------------------------------------------ */

/*
 * Where memory comes from.  NULL in place of an allocator means malloc and free.
 * alloc returns memory aligned for any type, or NULL; free gets the size back.
 */
typedef struct ridge_allocator {
    void *(*alloc)(void *ctx, size_t size);
    void (*free)(void *ctx, void *ptr, size_t size);
    void *ctx;
} ridge_allocator;

/* ---- Quantities -------------------------------------------------------------------- */

#define RIDGE_UNKNOWN ((double)NAN)
static inline bool ridge_known(double x)
{
    return !isnan(x);
}

typedef enum ridge_unit {
    RIDGE_UNIT_NONE, /* a plain number: "0.9", "90 %" */
    RIDGE_UNIT_COUNT,
    RIDGE_UNIT_S,
    RIDGE_UNIT_BYTES,
    RIDGE_UNIT_FLOP,
    RIDGE_UNIT_BYTES_PER_S,
    RIDGE_UNIT_FLOP_PER_S,
    RIDGE_UNIT_HZ,
    RIDGE_UNIT_W,
    RIDGE_UNIT_FLOP_PER_BYTE,
    RIDGE_UNIT_BYTES_PER_CYCLE,
    RIDGE_UNIT_FLOP_PER_CYCLE,
    RIDGE_UNIT_CYCLES
} ridge_unit;

enum {
    RIDGE_QUANTITY_UNIT_REQUIRED = 1 /* a bare number is BADUNIT (catalogue files) */
};

/*
 * Read "3.35 TB/s", "50 MiB", "989.4TFLOP/s", "700 W", "1.2us" into SI base units.
 * k, M, G, T, P, E are powers of 1000; Ki, Mi, Gi, Ti of 1024; m, u, n, p below one.
 * `b` is a bit: "400 Gb/s" is 50e9 B/s.  A bare number is in the SI base unit.
 * Fails with SYNTAX (not a number), BADUNIT (another dimension, or unit missing),
 * LIMIT (not finite).  Negative and NaN inputs are SYNTAX.
 */
RIDGE_MUST_CHECK RIDGE_API ridge_status ridge_quantity_parse(
    double *out, const char *text, ridge_unit want, unsigned flags, ridge_error *err);

/*
 * Whether a size that ridge_quantity_parse() reads can be meant in another way: in bits
 * ("64Mb": few people count what is moved in bits), or with a capital K, which is 1024 to
 * many ("64KB").
 */
RIDGE_API bool ridge_quantity_ambiguous(const char *text, ridge_unit unit);

/*
 * Write with three significant digits and an SI prefix: "3.35 TB/s"; "?" if unknown.
 * Returns the length written (snprintf's rules); buf is always terminated if size > 0.
 */
RIDGE_API size_t ridge_quantity_format(char *buf, size_t size, double value,
                                       ridge_unit unit);

/* ---- Words ------------------------------------------------------------------------- */

#include <ridge/words.h> /* dtypes, pipes, levels, backends, timings, bounds, warnings */

/* ---- Catalogue --------------------------------------------------------------------- */

typedef struct ridge_catalog ridge_catalog; /* owns every device and fit got from it */
typedef struct ridge_device ridge_device;   /* one GPU model, read-only */

/* Where a number comes from: never a number without one. */
typedef enum ridge_origin {
    RIDGE_STATED,   /* the vendor prints it */
    RIDGE_DEVICE,   /* the device reports it (bus width x clock, attributes) */
    RIDGE_MEASURED, /* a benchmark found it */
    RIDGE_DERIVED,  /* computed from other facts; the note says how */
    RIDGE_GIVEN     /* the user said so */
} ridge_origin;

typedef struct ridge_fact {
    double value; /* SI; RIDGE_UNKNOWN if absent */
    ridge_origin origin;
    char confidence;    /* 'A' best .. 'C', 'R' recalled, '?' none */
    const char *source; /* title of the source, borrowed from the catalogue; never NULL */
} ridge_fact;

typedef struct ridge_peak {
    ridge_fact dense;  /* FLOP/s */
    ridge_fact sparse; /* FLOP/s with 2:4 sparsity: another figure, never a default */
    ridge_fact clock;  /* Hz that `dense` is quoted at */
} ridge_peak;

/*
 * Open the built-in catalogue, and over it every *.yaml of `dir` (NULL: none): a file
 * whose id exists replaces that entry.  Files are indexed now and parsed when asked for.
 */
RIDGE_MUST_CHECK RIDGE_API ridge_status ridge_catalog_open(ridge_catalog **out,
                                                           const char *dir,
                                                           const ridge_allocator *alloc,
                                                           ridge_error *err);
RIDGE_API void ridge_catalog_free(ridge_catalog *catalog);

/* Ids in sorted order, without parsing; NULL past the end. */
RIDGE_API size_t ridge_catalog_count(const ridge_catalog *catalog);
RIDGE_API const char *ridge_catalog_id(const ridge_catalog *catalog, size_t index);

/*
 * A device by exact id, by alias, or by the path of a machine file (contains '/' or ends
 * in .yaml).  Parses and checks it on first use, so this changes the catalogue.
 * NOTFOUND names the nearest ids, or the variants when `name` is ambiguous ("a100").
 */
RIDGE_MUST_CHECK RIDGE_API ridge_status ridge_catalog_load(const ridge_device **out,
                                                           ridge_catalog *catalog,
                                                           const char *name,
                                                           ridge_error *err);

RIDGE_API const char *ridge_device_id(const ridge_device *device);
RIDGE_API const char *ridge_device_name(const ridge_device *device);

/* accumulator: RIDGE_FP32 normally; RIDGE_FP16 for the faster GeForce mode. */
RIDGE_API ridge_peak ridge_device_peak(const ridge_device *device, ridge_pipe pipe,
                                       ridge_dtype dtype, ridge_dtype accumulator);
/* The figure the roof uses, bytes/s and bytes; value unknown if nobody states one. */
RIDGE_API ridge_fact ridge_device_bandwidth(const ridge_device *device,
                                            ridge_level level);
RIDGE_API ridge_fact ridge_device_capacity(const ridge_device *device, ridge_level level);

/* ---- Operations and calls ---------------------------------------------------------- */

/* An operation: its parameters, counts, formulas and form.  A row of a table. */
typedef struct ridge_op ridge_op;

RIDGE_API size_t ridge_op_total(void);
RIDGE_API const ridge_op *ridge_op_at(size_t index); /* NULL past the end */
/* By name or alias; NULL if there is none. */
RIDGE_API const ridge_op *ridge_op_find(const char *name);
RIDGE_API const char *ridge_op_name(const ridge_op *op);
RIDGE_API const char *ridge_op_title(const ridge_op *op);

#define RIDGE_ARG_MAX     24
#define RIDGE_OPERAND_MAX 6

/* A list as it was typed, "[128,4096x7]": borrowed, not terminated.  size 0: none. */
typedef struct ridge_list {
    const char *text;
    uint32_t size;
    uint8_t param; /* index of the parameter */
} ridge_list;
#define RIDGE_LIST_MAX 3

/*
 * One call of an operation, with its shape kept.  A value type: copy it freely; the text
 * of a list must outlive the copies.  arg[] is in the op's parameter order, SI units; a
 * dtype or an enum is its index; of a list it is the sum, or what finishing makes of it.
 */
typedef struct ridge_call {
    const ridge_op *op;
    double arg[RIDGE_ARG_MAX];       /* RIDGE_UNKNOWN where not given */
    uint32_t given;                  /* bit i: arg[i] was set by the user */
    uint8_t backend, timing;         /* ridge_backend, ridge_timing */
    uint16_t tile_m, tile_n;         /* --tile; 0: the model chooses */
    bool executed;                   /* --count executed */
    uint32_t warnings;               /* RIDGE_WARNING_* of the words */
    uint32_t kernel;                 /* by name, ridge__hash_name(); 0: not said */
    ridge_list list[RIDGE_LIST_MAX]; /* of the parameters that were given as lists */
} ridge_call;

/* NOTFOUND names the nearest op. */
RIDGE_MUST_CHECK RIDGE_API ridge_status ridge_call_init(ridge_call *call, const char *op,
                                                        ridge_error *err);
/*
 * One key=value word; units, aliases, ranges and repeats are checked.  A list is not
 * copied: `value` must outlive the call.
 */
RIDGE_MUST_CHECK RIDGE_API ridge_status ridge_call_set(ridge_call *call, const char *key,
                                                       const char *value,
                                                       ridge_error *err);
/* INVALID if a required parameter is missing or two contradict; fills in defaults. */
RIDGE_MUST_CHECK RIDGE_API ridge_status ridge_call_finish(ridge_call *call,
                                                          ridge_error *err);

/* What a call asks of any machine.  Compulsory work: each operand moved once. */
typedef struct ridge_work {
    double flop;    /* model count, or executed where the call says so */
    double special; /* exponentials and the like on the special-function unit */
    double bytes;   /* through DRAM: the sum of operand_bytes */
    /* What no routing can do with less: the floor's.  Unknown: flop and bytes. */
    double least_flop, least_bytes;
    double operand_bytes[RIDGE_OPERAND_MAX];
    double shared_bytes;    /* of bytes: weights, which every row reads */
    double wire_bytes;      /* out of one part through the fabric of its node, one way */
    double network_bytes;   /* out of one part through the network between nodes */
    double footprint_bytes; /* memory that must exist at once */
    double l2_bytes, l1_bytes; /* traffic at inner levels where the user gave it */
    /* How a scan or a module is cut, 0 where it is neither: independent states, tokens of
     * one that follow each other, all tokens, heads of each. */
    double states, chain, tokens, heads;
    /* Of sparse attention: sequences, keys of the longest, pairs of a token and a key that
     * is scored for it, or that it takes. */
    double sequences, keys, scored, taken;
    uint8_t phase; /* of those: 0 a prompt, 1 a token a sequence, 2 a few proposed ones */
    uint8_t operand_count;
    uint8_t dtype; /* ridge_dtype whose peak bounds the FLOP; COUNT: none was given */
    uint8_t pipe;  /* ridge_pipe: VECTOR, MATRIX or ANY */
    uint8_t accumulator;  /* ridge_dtype */
    uint8_t beside_dtype; /* of a module's products beside; COUNT: as the others */
    uint8_t
        fast_dtype; /* may be multiplied in instead, where it is faster; COUNT: none */
    uint32_t warnings;
} ridge_work;
/* call must be finished. */
RIDGE_MUST_CHECK RIDGE_API ridge_status ridge_op_count(ridge_work *out,
                                                       const ridge_call *call,
                                                       ridge_error *err);

/* ---- Machine ----------------------------------------------------------------------- */

/* A part with overrides applied: what --peak, --dram, --clock, --warm make. */
typedef struct ridge_machine ridge_machine;

/*
 * device NULL: the "given" machine of --peak and --dram, everything else unknown.  The
 * machine borrows from the catalogue, which must outlive it, and whose fits this loads:
 * like ridge_catalog_load() it changes the catalogue, as "fit" below does.
 */
RIDGE_MUST_CHECK RIDGE_API ridge_status ridge_machine_new(ridge_machine **out,
                                                          ridge_catalog *catalog,
                                                          const ridge_device *device,
                                                          ridge_error *err);
/*
 * key: "peak" ("bf16=800TFLOP/s", "800TFLOP/s" for every dtype, "2x"), "dram" ("3TB/s",
 * "2x"), "clock" ("1.6GHz": peaks scale from their own clock), "warm" ("1"),
 * "fit" (path of a fit file), "system" (id or file: the fabrics of a system for a part of
 * the same architecture), "link" ("400GB/s", "2x": what leaves a part one way).  The words
 * are copied.  NOTFOUND: no such key; LIMIT: more
 * than 8 settings; else what the value's own reading fails with.
 */
RIDGE_MUST_CHECK RIDGE_API ridge_status ridge_machine_set(ridge_machine *machine,
                                                          const char *key,
                                                          const char *value,
                                                          ridge_error *err);
RIDGE_API void ridge_machine_free(ridge_machine *machine);
/* Catalogue id, or "given". */
RIDGE_API const char *ridge_machine_id(const ridge_machine *machine);

#include <ridge/system.h> /* nodes and racks, machines of them */

/* ---- Estimate ---------------------------------------------------------------------- */

/* One reason for the time: demand / (ceiling * share) = time_s. */
typedef struct ridge_term {
    const char *name;  /* "matrix pipe", "dram", "l2 feed", "launch", ... */
    ridge_bound bound; /* what kind of limit it is */
    double demand;     /* FLOP, bytes, or exponentials; unknown for pure latencies */
    double ceiling;    /* the stated rate, per second; unknown for pure latencies */
    double share;      /* 0..1 of the ceiling that is reachable here */
    double time_s;
} ridge_term;
#define RIDGE_TERM_MAX 10

#include <ridge/occupancy.h> /* blocks on a unit, bytes in flight */

/* How a tiled kernel would be cut.  Zeros where the form has no tiles. */
typedef struct ridge_plan {
    uint32_t tile_m, tile_n, split;
    double ctas, waves;
    double ceiling_flop_per_s; /* what whole waves and padding of this tile leave */
    ridge_occupancy occupancy; /* of a kernel whose block is given */
} ridge_plan;

/* Which file the fit of an estimate came from; STATED: none, the stated rates alone. */
enum {
    RIDGE_LINK_USER, /* ridge_machine_set "fit" */
    RIDGE_LINK_PART,
    RIDGE_LINK_ARCH,
    RIDGE_LINK_LIKE, /* the architecture that this one is most like */
    RIDGE_LINK_ANY,
    RIDGE_LINK_STATED
};

typedef struct ridge_estimate {
    ridge_work work;
    double compute_s, memory_s, communication_s; /* at stated rates */
    double floor_s, upper_s;                     /* the largest of them; their sum */
    double l2_floor_s;                           /* the floor if all bytes came from L2 */
    double launch_s, latency_s;       /* launch; launch + serial part of the kernel */
    double body_s;                    /* expected_s = launch_s + body_s */
    double expected_s, low_s, high_s; /* reachable rates; central 80 % */
    double peak_flop_per_s;           /* of the pipe and dtype used, dense */
    double ceiling_flop_per_s;        /* min(peak, intensity x bandwidth) */
    double bandwidth_bytes_per_s;     /* of the level that serves the call */
    double intensity, ridge;          /* FLOP/byte */
    ridge_bound bound;
    ridge_pipe pipe;               /* the pipe whose peak was taken */
    uint32_t warnings;             /* RIDGE_WARNING_* bits */
    int fits;                      /* 1, 0, or -1 where capacity is unknown */
    const struct ridge_fit *basis; /* the fit used, borrowed from the machine; or NULL */
    uint8_t basis_link;            /* RIDGE_LINK_*: how far it was looked up */
    uint8_t term_count;
    ridge_term term[RIDGE_TERM_MAX];
    ridge_plan plan;
} ridge_estimate;

/*
 * Estimate one finished call.  Pure: no allocation, no global state, const inputs.
 * A missing fact makes what depends on it unknown; NODATA only if neither a peak nor a
 * bandwidth is known for it, INVALID if a dtype is needed to choose between peaks.
 */
RIDGE_MUST_CHECK RIDGE_API ridge_status ridge_estimate_call(ridge_estimate *out,
                                                            const ridge_machine *machine,
                                                            const ridge_call *call,
                                                            ridge_error *err);
/* "fit:hopper/gemm/bf16/best" or "stated"; returns its length. */
RIDGE_API size_t ridge_estimate_basis(const ridge_estimate *estimate, char *buf,
                                      size_t size);
/* Attainable FLOP/s at an intensity: min(peak, bandwidth x intensity); keeps unknown. */
RIDGE_API double ridge_roofline(double peak_flop_per_s, double bandwidth_bytes_per_s,
                                double intensity);

/* ---- Communication ------------------------------------------------------------------ */

#include <ridge/comm.h> /* collectives and transfers, in nccl-tests' terms */

/* ---- Measured against the roof ----------------------------------------------------- */

typedef enum ridge_verdict {
    RIDGE_VERDICT_COMPUTE,
    RIDGE_VERDICT_MEMORY,
    RIDGE_VERDICT_COMMUNICATION,
    RIDGE_VERDICT_LATENCY,
    RIDGE_VERDICT_L2_RESIDENT, /* below the cold floor, explained by L2 */
    RIDGE_VERDICT_BELOW_FLOOR, /* impossible: list the suspects */
    RIDGE_VERDICT_COUNT
} ridge_verdict;
RIDGE_API const char *ridge_verdict_name(ridge_verdict verdict);

typedef struct ridge_measurement {
    size_t count;                /* how many times were given */
    double time_s, min_s, max_s; /* median and range of them */
    double before_s;             /* --before; unknown if not given */
    double achieved_flop_per_s, achieved_bytes_per_s;
    double of_roof, of_peak, of_bandwidth,
        of_expected;         /* shares; of_expected = expected / time */
    double implied_clock_hz; /* clock at which the peak would explain the rate */
    ridge_verdict verdict;
    uint32_t warnings;
} ridge_measurement;

/*
 * times_s: count > 0 values, each > 0 and finite (else INVALID), in any order and not
 * kept.  before_s may be RIDGE_UNKNOWN.
 */
RIDGE_MUST_CHECK RIDGE_API ridge_status ridge_measurement_place(
    ridge_measurement *out, const ridge_estimate *estimate, const ridge_machine *machine,
    const double *times_s, size_t count, double before_s, ridge_error *err);

/* What doubling each resource would give, and what it would take to feed the peak. */
typedef struct ridge_sensitivity {
    double peak_2x, dram_2x, clock_2x; /* expected (else floor) time ratio, new / old */
    double link_2x, network_2x;        /* the same; unknown where no byte goes over one */
    bool of_floor;                     /* ratios are of the floor: expected is unknown */
    double feed_bytes_per_s;           /* bandwidth at which the call reaches the peak */
} ridge_sensitivity;
RIDGE_MUST_CHECK RIDGE_API ridge_status
ridge_sensitivity_find(ridge_sensitivity *out, const ridge_machine *machine,
                       const ridge_call *call, ridge_error *err);

#include <ridge/fuse.h>     /* several calls as one kernel */
#include <ridge/saturate.h> /* the size from which on a call can reach the peak */

/* ---- Output ------------------------------------------------------------------------ */

/*
 * Where text goes.  write returns 0, or nonzero to stop.  Every function that takes a
 * sink fails with CANCELLED where it stops; with LIMIT where a text built in memory
 * exceeds 64 MiB, and then nothing has been written.
 */
typedef struct ridge_sink {
    int (*write)(void *ctx, const char *data, size_t size);
    void *ctx;
} ridge_sink;

/*
 * A file being written: beside its place, renamed over it by commit; free removes what
 * was not committed, so no partial file is left.  A device or pipe is written directly.
 */
typedef struct ridge_file ridge_file;
RIDGE_MUST_CHECK RIDGE_API ridge_status ridge_file_open(ridge_file **out,
                                                        const char *path,
                                                        ridge_error *err);
RIDGE_API ridge_sink ridge_file_sink(ridge_file *file);
/* IO names the first write that failed; nothing is renamed then. */
RIDGE_MUST_CHECK RIDGE_API ridge_status ridge_file_commit(ridge_file *file,
                                                          ridge_error *err);
RIDGE_API void ridge_file_free(ridge_file *file);

/* For "did you mean": the nearest of `words` to a mistyped one; NULL if none is near. */
RIDGE_API const char *ridge_word_nearest(const char *word, const char *const *words,
                                         size_t count);

#define RIDGE_FORMAT_MAP(X) \
    X(TEXT, "text")         \
    X(JSON, "json")         \
    X(CSV, "csv")
typedef enum ridge_format {
#define X(name, text) RIDGE_##name,
    RIDGE_FORMAT_MAP(X)
#undef X
    RIDGE_FORMAT_COUNT
} ridge_format;

typedef struct ridge_style {
    ridge_format format;
    bool explain;   /* formulas with numbers put in, and every source */
    bool verify;    /* the profiler command that would check it */
    bool color;     /* ANSI colour in text */
    unsigned width; /* columns of text; 0: 80 */
    bool ascii;     /* terminal charts: nothing beyond ASCII */
} ridge_style;

/* One estimate; what follows it may be NULL. */
typedef struct ridge_result {
    const ridge_machine *machine;
    const ridge_call *call;
    const ridge_estimate *estimate;
    const ridge_measurement *measurement;
    const ridge_sensitivity *sensitivity;
    const ridge_exchange *exchange; /* of a communication; NULL: found when written */
    const ridge_gate *gate;
} ridge_result;
RIDGE_MUST_CHECK RIDGE_API ridge_status ridge_result_write(const ridge_result *result,
                                                           const ridge_style *style,
                                                           ridge_sink sink,
                                                           ridge_error *err);

RIDGE_MUST_CHECK RIDGE_API ridge_status
ridge_saturation_write(const ridge_saturation_result *result, const ridge_style *style,
                       ridge_sink sink, ridge_error *err);
RIDGE_MUST_CHECK RIDGE_API ridge_status ridge_fusion_write(const ridge_fusion *fusion,
                                                           const ridge_machine *machine,
                                                           const ridge_style *style,
                                                           ridge_sink sink,
                                                           ridge_error *err);

/* The catalogue as a list, which parses it: those whose id, name, vendor or architecture
 * has every word. */
RIDGE_MUST_CHECK RIDGE_API ridge_status
ridge_catalog_write(ridge_catalog *catalog, const char *const *words, size_t word_count,
                    const ridge_style *style, ridge_sink sink, ridge_error *err);
/* One part in full, or several side by side. */
RIDGE_MUST_CHECK RIDGE_API ridge_status
ridge_device_write(const ridge_device *const *devices, size_t count,
                   const ridge_style *style, ridge_sink sink, ridge_error *err);
/* The same for systems (words also match their GPU's), and for links. */
RIDGE_MUST_CHECK RIDGE_API ridge_status
ridge_systems_write(ridge_catalog *catalog, const char *const *words, size_t word_count,
                    const ridge_style *style, ridge_sink sink, ridge_error *err);
RIDGE_MUST_CHECK RIDGE_API ridge_status
ridge_system_write(const ridge_system *const *systems, size_t count,
                   const ridge_style *style, ridge_sink sink, ridge_error *err);
RIDGE_MUST_CHECK RIDGE_API ridge_status
ridge_links_write(ridge_catalog *catalog, const char *const *words, size_t word_count,
                  const ridge_style *style, ridge_sink sink, ridge_error *err);
RIDGE_MUST_CHECK RIDGE_API ridge_status ridge_link_write(const ridge_link *const *links,
                                                         size_t count,
                                                         const ridge_style *style,
                                                         ridge_sink sink,
                                                         ridge_error *err);
/* op NULL: the list of all; else one in full. */
RIDGE_MUST_CHECK RIDGE_API ridge_status ridge_op_write(const ridge_op *op,
                                                       const ridge_style *style,
                                                       ridge_sink sink, ridge_error *err);

#include <ridge/latency.h> /* serial chains of atoms, and tables of latencies */

/* ---- Tables ------------------------------------------------------------------------ */

typedef struct ridge_predict_options {
    const char *op; /* op or family of the rows; an `op` column refines a family */
    ridge_catalog *catalog;       /* for gpu and system columns; loading changes it */
    const ridge_machine *machine; /* for rows without one; may be NULL */
    const char *set_key[8],
        *set_value[8]; /* ridge_machine_set for each machine of a column */
    size_t set_count;
    ridge_backend backend; /* default where no column says */
    ridge_timing timing;
    unsigned threads; /* 0: one per core */
    bool basis;       /* columns basis, warnings too */
} ridge_predict_options;

typedef struct ridge_predict_summary {
    uint64_t rows, failed;
    uint64_t unknown_backend, unknown_timing; /* rows counted as the default */
    uint64_t assumed_system; /* rows with bytes on a link whose system is not known */
    ridge_error first;       /* of the failed rows; line is set */
} ridge_predict_summary;

/*
 * CSV in (plain or gzip; path NULL or "-": standard input), the same CSV with prediction
 * columns out: floor_us,expected_us,low_us,high_us,bound and, where asked for, basis (that
 * of ridge_estimate_basis) and warnings (their codes, with blanks between).  Streams in constant memory,
 * keeps the order, and is byte-identical for any number of threads.  A row that cannot be
 * predicted keeps its place, its new cells empty, and is counted; a bad header fails.
 */
RIDGE_MUST_CHECK RIDGE_API ridge_status
ridge_predict_run(const char *path, const ridge_predict_options *options, ridge_sink sink,
                  ridge_predict_summary *summary, ridge_error *err);

#include <ridge/fit.h> /* constants from measurements */

/* ---- Charts ------------------------------------------------------------------------ */

#include <ridge/chart.h> /* roofs and points on logarithmic axes: SVG, terminal, figures */
#include <ridge/raster.h> /* the same as PNG and PDF */
#include <ridge/score.h>  /* predictions against measurements */

#ifdef __cplusplus
}
#endif
#endif /* RIDGE_H */
