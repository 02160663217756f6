#include "hw/slice.h"

#include <stdio.h>

size_t ridge__slice_split(const char *name)
{
    const char *slash = strchr(name, '/');
    return slash && slash > name && slash[1] && !strchr(slash + 1, '/') && name[0] != '.'
               ? (size_t)(slash - name)
               : 0;
}

static ridge_status not_found(const ridge_device *whole, const char *name,
                              ridge_error *err)
{
    char list[256] = "";
    size_t n = 0;
    for (size_t i = 0; i < whole->slice_count; i++) {
        int k = snprintf(list + n, sizeof list - n, "%s%s", n ? ", " : "",
                         whole->slice[i].name);
        n += k > 0 && (size_t)k < sizeof list - n ? (size_t)k : 0;
    }
    if (n == 0)
        return ridge__error_set(err, RIDGE_NOTFOUND,
                                "no slices of %s are known; name the whole part",
                                whole->id);
    return ridge__error_set(err, RIDGE_NOTFOUND, "no slice \"%s\" of %s; one of %s",
                            RIDGE__QUOTE(name), whole->id, list);
}

/* What follows from two facts is as sure as the weaker one. */
static char weaker(char a, char b)
{
    return a > b ? a : b; /* A, B, C, R in this order */
}

static ridge_fact scaled(ridge_fact fact, double share, char confidence)
{
    if (!ridge_known(fact.value))
        return fact;
    fact.value *= share;
    fact.origin = RIDGE_DERIVED;
    fact.confidence = weaker(fact.confidence, confidence);
    return fact;
}

static ridge__compute *peaks_make(const ridge_device *whole, double share,
                                  char confidence, ridge__arena *arena)
{
    ridge__compute *list = ridge__arena_alloc(arena, whole->compute_count * sizeof *list);
    for (size_t i = 0; list && i < whole->compute_count; i++) {
        list[i] = whole->compute[i];
        list[i].peak.dense = scaled(list[i].peak.dense, share, confidence);
        list[i].peak.sparse = scaled(list[i].peak.sparse, share, confidence);
    }
    return list;
}

/* Levels of the whole chip go by the memory share; L1 and shared memory by the units. */
static ridge__memory *memory_make(const ridge_device *whole, const ridge__slice *s,
                                  double units_share, ridge__arena *arena)
{
    ridge__memory *list = ridge__arena_alloc(arena, whole->memory_count * sizeof *list);
    for (size_t i = 0; list && i < whole->memory_count; i++) {
        ridge__memory *m = &list[i];
        *m = whole->memory[i];
        const double share = m->level == RIDGE_L1 ? units_share : s->memory_share;
        ridge_fact *const facts[] = {&m->capacity_bytes, &m->stated, &m->device,
                                     &m->measured, &m->roof};
        for (size_t k = 0; k < RIDGE__COUNT(facts); k++)
            *facts[k] = scaled(*facts[k], share, s->units.confidence);
        if (m->level == RIDGE_DRAM)
            m->bus_bits *= share;
    }
    return list;
}

/* "a text of two parts" in the arena. */
static const char *joined(ridge__arena *arena, const char *form, const char *a,
                          const char *b)
{
    const size_t size = strlen(form) + strlen(a) + strlen(b) + 1;
    char *text = ridge__arena_alloc(arena, size);
    if (text)
        snprintf(text, size, "%s%s%s", a, form, b);
    return text;
}

/* Instances do not reach each other over NVLink; the host's bus is shared by all. */
static void links_keep(ridge_device *d)
{
    for (size_t i = 0; i < d->link_count; i++)
        if (strncmp(d->link[i].name, "PCIe", 4) == 0) {
            d->link = &d->link[i];
            d->link_count = 1;
            return;
        }
    d->link_count = 0;
}

ridge_status ridge__slice_make(const ridge_device **out, const ridge_device *whole,
                               const char *name, ridge__arena *arena, ridge_error *err)
{
    static const char *const notes[] = {
        "A slice of the whole part: peaks and L1 by its share of the units, memory and "
        "L2 by its share of the memory.",
        "PCIe is shared with the other slices; there is no NVLink between them."};
    const ridge__slice *s = NULL;
    for (size_t i = 0; i < whole->slice_count && !s; i++)
        if (strcmp(whole->slice[i].name, name) == 0)
            s = &whole->slice[i];
    if (!s)
        return not_found(whole, name, err);
    const double share = s->units.value / whole->units.value;
    ridge_device *d = ridge__arena_alloc(arena, sizeof *d);
    if (!d)
        return ridge__error_set(err, RIDGE_NOMEM, "out of memory");
    *d = *whole;
    d->id = joined(arena, "/", whole->id, s->name);
    d->variant = joined(arena, ", MIG ", whole->variant ? whole->variant : "", s->name);
    d->alias_count = d->device_name_count = d->slice_count = 0;
    d->units = s->units;
    d->tdp_w.value = RIDGE_UNKNOWN;
    d->compute = peaks_make(whole, share, s->units.confidence, arena);
    d->memory = memory_make(whole, s, share, arena);
    links_keep(d);
    d->notes = notes;
    d->note_count = RIDGE__COUNT(notes);
    if (!ridge__arena_ok(arena))
        return ridge__error_set(err, RIDGE_NOMEM, "out of memory");
    *out = d;
    return RIDGE_OK;
}
