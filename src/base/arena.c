#include "base/base.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

/* Under AddressSanitizer what was not handed out must not be touched. */
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
enum {
    GAP_BYTES = 16
};
#else
#define ASAN_POISON_MEMORY_REGION(ptr, size)   ((void)(ptr), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(ptr, size) ((void)(ptr), (void)(size))
enum {
    GAP_BYTES = 0
};
#endif

/* A chunk's memory follows its header; max_align_t keeps it aligned for any type. */
struct ridge__chunk {
    struct ridge__chunk *next;
    size_t size, used;
    max_align_t memory[];
};

enum {
    CHUNK_BYTES = 8192 - sizeof(struct ridge__chunk)
};

static void *default_alloc(void *ctx, size_t size)
{
    (void)ctx;
    return malloc(size);
}

static void default_free(void *ctx, void *ptr, size_t size)
{
    (void)ctx;
    (void)size;
    free(ptr);
}

ridge_allocator ridge__allocator(const ridge_allocator *alloc)
{
    if (alloc)
        return *alloc;
    return (ridge_allocator){.alloc = default_alloc, .free = default_free};
}

void ridge__arena_init(ridge__arena *arena, const ridge_allocator *alloc)
{
    *arena = (ridge__arena){.allocator = ridge__allocator(alloc)};
}

static struct ridge__chunk *chunk_new(ridge__arena *arena, size_t size)
{
    size_t room = size > CHUNK_BYTES ? size : CHUNK_BYTES;
    if (room > SIZE_MAX - sizeof(struct ridge__chunk))
        return NULL;
    struct ridge__chunk *chunk =
        arena->allocator.alloc(arena->allocator.ctx, sizeof *chunk + room);
    if (!chunk)
        return NULL;
    *chunk = (struct ridge__chunk){.size = room, .next = arena->chunk};
    ASAN_POISON_MEMORY_REGION(chunk->memory, room);
    arena->chunk = chunk;
    return chunk;
}

void *ridge__arena_alloc(ridge__arena *arena, size_t size)
{
    const size_t align = alignof(max_align_t);
    if (arena->failed || size > SIZE_MAX - align - GAP_BYTES) {
        arena->failed = true;
        return NULL;
    }
    size_t taken = (size + GAP_BYTES + align - 1) / align * align;
    struct ridge__chunk *chunk = arena->chunk;
    if (!chunk || chunk->size - chunk->used < taken)
        chunk = chunk_new(arena, taken);
    if (!chunk) {
        arena->failed = true;
        return NULL;
    }
    void *memory = (char *)chunk->memory + chunk->used;
    chunk->used += taken;
    ASAN_UNPOISON_MEMORY_REGION(memory, size);
    memset(memory, 0, size);
    return memory;
}

char *ridge__arena_copy(ridge__arena *arena, const char *text, size_t size)
{
    char *copy = size < SIZE_MAX ? ridge__arena_alloc(arena, size + 1) : NULL;
    if (copy)
        memcpy(copy, text, size);
    return copy;
}

char *ridge__arena_text(ridge__arena *arena, const char *text)
{
    return text ? ridge__arena_copy(arena, text, strlen(text)) : NULL;
}

void ridge__arena_clear(ridge__arena *arena)
{
    struct ridge__chunk *chunk = arena->chunk;
    while (chunk) {
        struct ridge__chunk *next = chunk->next;
        ASAN_UNPOISON_MEMORY_REGION(chunk->memory, chunk->size);
        arena->allocator.free(arena->allocator.ctx, chunk, sizeof *chunk + chunk->size);
        chunk = next;
    }
    arena->chunk = NULL;
    arena->failed = false;
}
