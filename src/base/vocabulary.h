/* The closed word lists of the public header: names, parsing, and the data of each
 * dtype. */
#ifndef RIDGE_VOCABULARY_H
#define RIDGE_VOCABULARY_H

#include <ridge.h>

typedef struct ridge__dtype_info {
    const char *name;
    double activation_bytes, weight_bytes; /* per element, scales included */
    ridge_dtype output;                    /* default dtype of the result */
    ridge_dtype math;                      /* dtype whose peak the product runs at */
} ridge__dtype_info;

/* dtype must be below RIDGE_DTYPE_COUNT. */
const ridge__dtype_info *ridge__dtype(ridge_dtype dtype);

/* Each: true and *out set if `text` (of `size` bytes) is such a word. */
bool ridge__dtype_parse(ridge_dtype *out, const char *text, size_t size);
bool ridge__pipe_parse(ridge_pipe *out, const char *text, size_t size);
bool ridge__backend_parse(ridge_backend *out, const char *text, size_t size);
/* The four words, and the codes of published tables (cg, kineto, event_eager_best,
 * ...). */
bool ridge__timing_parse(ridge_timing *out, const char *text, size_t size);

#endif
