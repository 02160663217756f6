/* FNV-1a, 64 bits: for names and shapes, not against anyone's malice. */
#ifndef RIDGE_HASH_H
#define RIDGE_HASH_H

#include <stddef.h>
#include <stdint.h>

static const uint64_t RIDGE__HASH_START = 0xcbf29ce484222325u;

static inline uint64_t ridge__hash_byte(uint64_t hash, unsigned char byte)
{
    return (hash ^ byte) * 0x100000001b3u;
}

/* A name in 32 bits; 0 for the empty one alone. */
static inline uint32_t ridge__hash_name(const char *text, size_t size)
{
    uint64_t hash = RIDGE__HASH_START;
    for (size_t i = 0; i < size; i++)
        hash = ridge__hash_byte(hash, (unsigned char)text[i]);
    return size == 0 ? 0 : (uint32_t)(hash >> 32) | 1u;
}

#endif
