/* Every maximum of the library, each with its reason. */
#ifndef RIDGE_LIMITS_H
#define RIDGE_LIMITS_H

enum {
    /* A catalogue or fit file; the largest of ours is below 20 kB. */
    RIDGE_LIMIT_FILE_BYTES = 4 << 20,
    /* A text that is built in memory: one report, one chart. */
    RIDGE_LIMIT_TEXT_BYTES = 64 << 20,
    /* A CSV row; real profiler rows stay below 64 kB.  Each thread holds a row up to
     * three times, in buffers that double. */
    RIDGE_LIMIT_ROW_BYTES = 1 << 19,
    /* Columns of a CSV; the widest profiler export seen has about 2,000. */
    RIDGE_LIMIT_COLUMNS = 16384,
    /* A word on the command line or a YAML scalar that we quote back in a message. */
    RIDGE_LIMIT_QUOTED = 60,
    /* Devices in one catalogue. */
    RIDGE_LIMIT_DEVICES = 4096,
    /* Ceilings, and slopes, of one chart: more cannot be told apart. */
    RIDGE_LIMIT_CHART_ROOFS = 24,
    /* Points of one chart: more are a cloud; a profile has at most a few thousand
     * kernels. */
    RIDGE_LIMIT_CHART_POINTS = 8192,
    /* Characters of a chart's label: more do not fit beside a mark. */
    RIDGE_LIMIT_CHART_LABEL = 72,
    /* Containers inside one another in a JSON text; profilers and results stay below 12. */
    RIDGE_LIMIT_JSON_DEPTH = 64,
    /* One JSON string or number; kernel names with their templates stay below 64 kB. */
    RIDGE_LIMIT_JSON_VALUE = 960 << 10,
    /* Worker threads: more gain nothing and cost stacks. */
    RIDGE_LIMIT_THREADS = 256
};

#endif
