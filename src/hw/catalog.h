/* catalog - the index of all files of facts; what the files of the module share. */
#ifndef RIDGE_HW_CATALOG_H
#define RIDGE_HW_CATALOG_H

#include "base/base.h"
#include "hw/hw.h"

/* A folder of data/. */
typedef enum ridge__kind {
    RIDGE__PARTS,
    RIDGE__FITS,
    RIDGE__SYSTEMS,
    RIDGE__LINKS,
    RIDGE__LATENCIES,
    RIDGE__KIND_COUNT
} ridge__kind;

/* One file: built in, of the overlay folder, or given by its path. */
typedef struct ridge__entry {
    const char *id;    /* for a user's own file, its path */
    const char *where; /* name for messages */
    const char *text;
    size_t size;
    bool builtin;
    const void *parsed;         /* of its kind, once it was asked for */
    size_t count;               /* of the fits of a fit file */
    const ridge_error *failure; /* why it is not, once tried; NULL otherwise */
    struct ridge__entry *next;  /* of the files given by path */
} ridge__entry;

/* All files of a kind. */
typedef struct ridge__shelf {
    ridge__entry *list; /* sorted by id */
    size_t count;
    ridge__entry *own; /* files given by path */
} ridge__shelf;

struct ridge_catalog {
    ridge__arena arena;
    ridge__shelf shelf[RIDGE__KIND_COUNT];
};

/*
 * Names without parsing: the top-level line "id: x" or "aliases: [x, "y z"]" of `text`.
 * Calls each(ctx, name, size) until it returns true; returns whether it did.
 */
bool ridge__scan(const char *text, const char *key,
                 bool (*each)(void *ctx, const char *name, size_t size), void *ctx);

/* True for the names of files that the catalogue reads: *.yaml, not hidden. */
bool ridge__is_yaml(const char *name);

/* An entry for a file given by path, read now unless it was before. */
RIDGE_MUST_CHECK ridge_status ridge__catalog_own(ridge__entry **out,
                                                 ridge_catalog *catalog, ridge__kind kind,
                                                 const char *path, ridge_error *err);

/* The built-in or overlaid entry of that id; NULL if there is none. */
ridge__entry *ridge__shelf_find(const ridge__shelf *shelf, const char *id);
/* The same by id, else by one of its other names. */
ridge__entry *ridge__shelf_name(const ridge__shelf *shelf, const char *name);
/* The error NOTFOUND, with the nearest ids, or the variants where `name` is ambiguous. */
void ridge__shelf_nearest(const ridge__shelf *shelf, ridge__kind kind, const char *name,
                          ridge_error *err);

/* Fits of one file; implemented in fit.c. */
RIDGE_MUST_CHECK ridge_status ridge__fits_parse(const ridge_fit **out, size_t *count,
                                                ridge__arena *arena, const char *key,
                                                const ridge__entry *file,
                                                ridge_error *err);

/* Latencies of one architecture; `key` is the one that the file's name says, or NULL;
 * implemented in latency.c. */
RIDGE_MUST_CHECK ridge_status ridge__latencies_parse(const ridge__latencies **out,
                                                     ridge__arena *arena,
                                                     const char *text, size_t size,
                                                     const char *where, const char *key,
                                                     ridge_error *err);

#endif
