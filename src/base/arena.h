/*
 * An arena: everything allocated from it is freed together.  Growth that fails marks it
 * as failed; later calls return NULL and the owner checks once with ridge__arena_ok().
 */
#ifndef RIDGE_ARENA_H
#define RIDGE_ARENA_H

#include <ridge.h>

typedef struct ridge__arena {
    ridge_allocator allocator;
    struct ridge__chunk *chunk; /* newest first */
    bool failed;
} ridge__arena;

/* alloc NULL: malloc and free. */
void ridge__arena_init(ridge__arena *arena, const ridge_allocator *alloc);
/* Zeroed memory aligned for any type, or NULL; size 0 gives a valid pointer. */
void *ridge__arena_alloc(ridge__arena *arena, size_t size);
/* A copy of `size` bytes with a terminator added, or NULL. */
char *ridge__arena_copy(ridge__arena *arena, const char *text, size_t size);
char *ridge__arena_text(ridge__arena *arena, const char *text); /* NULL stays NULL */
static inline bool ridge__arena_ok(const ridge__arena *arena)
{
    return !arena->failed;
}
/* Frees everything and returns to the initial state. */
void ridge__arena_clear(ridge__arena *arena);

/* The default allocator: malloc and free. */
ridge_allocator ridge__allocator(const ridge_allocator *alloc);

#endif
