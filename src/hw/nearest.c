/* Ids as users write them: other names of a file, and what was most likely meant. */
#include "hw/catalog.h"

#include <stdio.h>
#include <stdlib.h>

static int id_order(const void *a, const void *b)
{
    return strcmp(((const ridge__entry *)a)->id, ((const ridge__entry *)b)->id);
}

ridge__entry *ridge__shelf_find(const ridge__shelf *shelf, const char *id)
{
    ridge__entry key = {.id = id};
    return shelf->count ? bsearch(&key, shelf->list, shelf->count, sizeof key, id_order)
                        : NULL;
}

static bool same_name(void *ctx, const char *name, size_t size)
{
    return ridge__text_is(*(const char *const *)ctx, name, size);
}

ridge__entry *ridge__shelf_name(const ridge__shelf *shelf, const char *name)
{
    static const char *const keys[] = {"aliases", "device_names"};
    ridge__entry *entry = ridge__shelf_find(shelf, name);
    for (size_t k = 0; k < RIDGE__COUNT(keys) && !entry; k++)
        for (size_t i = 0; i < shelf->count && !entry; i++)
            if (ridge__scan(shelf->list[i].text, keys[k], same_name, &name))
                entry = &shelf->list[i];
    return entry;
}

/* "a, b, c": ids that `pick` takes; the count. */
static size_t ids_list(const ridge__shelf *shelf, const char *name,
                       bool (*pick)(const char *id, const char *name), char *buf,
                       size_t size)
{
    size_t n = 0, count = 0;
    buf[0] = '\0';
    for (size_t i = 0; i < shelf->count; i++) {
        const char *id = shelf->list[i].id;
        if (!pick(id, name))
            continue;
        int k = snprintf(buf + n, size - n, "%s%s", count ? ", " : "", id);
        count++;
        if (k > 0 && (size_t)k < size - n)
            n += (size_t)k;
        else
            break; /* the buffer is full; the list so far is help enough */
    }
    buf[n] = '\0';
    return count;
}

/* A name that ids continue with a dash: "a100" of "a100-sxm-80". */
static bool is_variant(const char *id, const char *name)
{
    size_t n = strlen(name);
    return n > 0 && strncmp(id, name, n) == 0 && id[n] == '-';
}

static bool starts_alike(const char *id, const char *name)
{
    size_t n = strlen(name);
    return n >= 2 && strncmp(id, name, n) == 0;
}

/* "4090" of "rtx4090". */
static bool holds(const char *id, const char *name)
{
    return strlen(name) > 2 && strstr(id, name);
}

static bool one_error(const char *id, const char *name)
{
    return strlen(name) > 1 && ridge__edit_distance(id, name, 2) < 2;
}

static bool two_errors(const char *id, const char *name)
{
    return strlen(name) > 3 && ridge__edit_distance(id, name, 3) < 3;
}

/* Ids are in lower case; a name that is not is most likely meant so. */
static void fold(char *out, size_t size, const char *name)
{
    size_t n = 0;
    for (; name[n] && n + 1 < size; n++)
        out[n] = (char)(name[n] >= 'A' && name[n] <= 'Z' ? name[n] - 'A' + 'a' : name[n]);
    out[n] = '\0';
}

void ridge__shelf_nearest(const ridge__shelf *shelf, ridge__kind kind, const char *name,
                          ridge_error *err)
{
    static const struct {
        const char *noun, *command;
    } kinds[RIDGE__KIND_COUNT] = {[RIDGE__PARTS] = {"GPU", "gpus"},
                                  [RIDGE__SYSTEMS] = {"system", "systems"},
                                  [RIDGE__LINKS] = {"link", "links"}};
    bool (*const tries[])(const char *, const char *) = {starts_alike, holds, one_error,
                                                         two_errors};
    char ids[320], folded[64];
    const char *quoted = RIDGE__QUOTE(name);
    fold(folded, sizeof folded, name);
    if (ids_list(shelf, folded, is_variant, ids, sizeof ids) > 1) {
        ridge__error_set(err, RIDGE_NOTFOUND, "\"%s\" is ambiguous; one of %s", quoted,
                         ids);
        return;
    }
    for (size_t i = 0; i < RIDGE__COUNT(tries); i++)
        if (ids_list(shelf, folded, tries[i], ids, sizeof ids) > 0) {
            ridge__error_set(err, RIDGE_NOTFOUND, "no %s \"%s\"; did you mean %s",
                             kinds[kind].noun, quoted, ids);
            return;
        }
    ridge__error_set(err, RIDGE_NOTFOUND, "no %s \"%s\"; `ridge %s` lists them",
                     kinds[kind].noun, quoted, kinds[kind].command);
}
