/*
 * link - a way for bytes to go, as such: what it carries in one direction, how much of
 * that is reached, how long the first byte takes, and what is passed on the way.
 */
#ifndef RIDGE_HW_LINK_H
#define RIDGE_HW_LINK_H

#include <ridge.h>

/* A figure, or the range of several measurements: low equals high for one. */
typedef struct ridge__span {
    ridge_fact low, high;
    const char *what; /* "small copy between two GPUs": what was measured */
} ridge__span;

struct ridge_link {
    const char *id, *name;
    const char *parts; /* who has it: "H100, H200: 18 links" */
    const char *path, *use;
    bool network;          /* between nodes */
    ridge_fact one, both;  /* bytes/s: one direction; the sum of the two */
    const char *rate_note; /* NULL: none */
    const ridge__span *achieved, *latency; /* bytes/s of one direction; s */
    size_t achieved_count, latency_count;
    const char *const *notes;
    size_t note_count;
};

/* The middle of the first span; unknown if there is none. */
ridge_fact ridge__span_middle(const ridge__span *spans, size_t count);

#endif
