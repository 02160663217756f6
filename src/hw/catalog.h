/* catalog - the index of parts and fits; what the files of the module share. */
#ifndef RIDGE_HW_CATALOG_H
#define RIDGE_HW_CATALOG_H

#include "base/base.h"
#include "hw/hw.h"

/* One file: built in, of the overlay folder, or given by its path. */
typedef struct ridge__entry {
    const char *id;    /* for a user's own file, its path */
    const char *where; /* name for messages */
    const char *text;
    size_t size;
    bool builtin;
    const ridge_device *device; /* once parsed */
    const ridge_fit *fits;      /* once parsed, of a fit file */
    size_t fit_count;
    /* Why it is neither, once tried; NULL otherwise. */
    const ridge_error *device_failure, *fits_failure;
    struct ridge__entry *next; /* of the files given by path */
} ridge__entry;

struct ridge_catalog {
    ridge__arena arena;
    ridge__entry *parts; /* sorted by id */
    size_t part_count;
    ridge__entry *fit_files; /* sorted by key */
    size_t fit_file_count;
    ridge__entry *own; /* files given by path */
};

/*
 * Names without parsing: the top-level line "id: x" or "aliases: [x, "y z"]" of `text`.
 * Calls each(ctx, name, size) until it returns true; returns whether it did.
 */
bool ridge__scan(const char *text, const char *key,
                 bool (*each)(void *ctx, const char *name, size_t size), void *ctx);

/* Fits of one file; implemented in fit.c. */
RIDGE_MUST_CHECK ridge_status ridge__fits_parse(const ridge_fit **out, size_t *count,
                                                ridge__arena *arena, const char *key,
                                                const ridge__entry *file,
                                                ridge_error *err);

#endif
