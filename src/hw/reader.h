/*
 * reader - a file of the catalogue while it is being read: its text for line numbers, its
 * sources, and the one way to turn text into facts.
 */
#ifndef RIDGE_HW_READER_H
#define RIDGE_HW_READER_H

#include "base/base.h"
#include "hw/schema.h"

typedef struct ridge__reader {
    const char *where, *text; /* file name and content, for messages */
    size_t size;
    ridge__arena *arena; /* what is kept is copied here */
    const raw_source *sources;
    const char *const *titles; /* of the sources, in the arena */
    size_t source_count;
    ridge_error *err;
} ridge__reader;

/* "where:line: path: sentence".  Returns status. */
RIDGE_PRINTF(4, 5)
ridge_status ridge__reader_fail(const ridge__reader *r, ridge_status status,
                                const char *path, const char *fmt, ...);

/* Where a figure stands: a row such as "memory[0]" and the key in it. */
typedef struct ridge__place {
    const char *row;
    const char *key;
} ridge__place;
void ridge__place_text(ridge__place at, char *buf, size_t size);

/* The number of `text` in SI; unknown where text is NULL.  Unit required; zero
 * refused. */
RIDGE_MUST_CHECK ridge_status ridge__reader_number(const ridge__reader *r, double *out,
                                                   const char *text, ridge_unit unit,
                                                   ridge__place at);

/* What a fact says beside its number. */
typedef struct ridge__claim {
    const char *source, *source_key; /* the key's text, and which YAML key holds it */
    const char *confidence;
    const char *origin; /* NULL: `otherwise` */
    ridge_origin otherwise;
} ridge__claim;
RIDGE_MUST_CHECK ridge_status ridge__reader_fact(const ridge__reader *r, ridge_fact *out,
                                                 const char *text, ridge_unit unit,
                                                 ridge__claim claim, ridge__place at);

/* One figure of its own, {value, source, confidence}; unknown where raw is NULL. */
RIDGE_MUST_CHECK ridge_status ridge__reader_figure(const ridge__reader *r,
                                                   ridge_fact *out, const raw_figure *raw,
                                                   ridge_unit unit, const char *row);

/* The list under "sources": first of all, because facts name its keys. */
RIDGE_MUST_CHECK ridge_status ridge__reader_sources(ridge__reader *r,
                                                    const raw_source *sources,
                                                    size_t count);

enum {
    RIDGE__ROW_BYTES = 32
};
/* "list[index]" in a buffer of RIDGE__ROW_BYTES; returns it. */
const char *ridge__reader_row(char *buf, const char *list, size_t index);

/* A copy of a list of texts in the arena. */
const char *const *ridge__reader_texts(const ridge__reader *r, char *const *list,
                                       size_t count);

#endif
