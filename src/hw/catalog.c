#include "hw/catalog.h"

#include "hw/device.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static ridge_status no_memory(ridge_error *err)
{
    ridge__error_set(err, RIDGE_NOMEM, "out of memory");
    return RIDGE_NOMEM;
}

/* ---- Reading files ----------------------------------------------------------------- */

/* The text of a file, owned by the catalogue. */
static ridge_status entry_read(ridge__entry *out, ridge_catalog *catalog,
                               const char *path, ridge_error *err)
{
    ridge__str text;
    ridge__entry entry = {0};
    ridge__str_init(&text, RIDGE_LIMIT_FILE_BYTES, &catalog->arena.allocator);
    ridge_status status = ridge__file_read(&text, path, err);
    if (!status) {
        entry.text =
            ridge__arena_copy(&catalog->arena, ridge__str_data(&text), text.size);
        entry.size = text.size;
        entry.where = ridge__arena_text(&catalog->arena, path);
        if (ridge__arena_ok(&catalog->arena))
            *out = entry;
        else
            status = no_memory(err);
    }
    ridge__str_clear(&text);
    return status;
}

/* An entry for a file given by path, read now unless it was before. */
ridge_status ridge__catalog_own(ridge__entry **out, ridge_catalog *catalog,
                                ridge__kind kind, const char *path, ridge_error *err)
{
    for (ridge__entry *e = catalog->shelf[kind].own; e; e = e->next)
        if (strcmp(e->where, path) == 0) {
            *out = e;
            return RIDGE_OK;
        }
    ridge__entry read = {0};
    ridge_status status = entry_read(&read, catalog, path, err);
    if (status)
        return status;
    ridge__entry *entry = ridge__arena_alloc(&catalog->arena, sizeof *entry);
    if (!entry)
        return no_memory(err);
    read.id = read.where;
    read.next = catalog->shelf[kind].own;
    *entry = read;
    *out = catalog->shelf[kind].own = entry;
    return RIDGE_OK;
}

/* ---- The index --------------------------------------------------------------------- */

static int entry_order(const void *a, const void *b)
{
    return strcmp(((const ridge__entry *)a)->id, ((const ridge__entry *)b)->id);
}

static void shelf_sort(ridge__shelf *shelf)
{
    if (shelf->count)
        qsort(shelf->list, shelf->count, sizeof *shelf->list, entry_order);
}

/* What was compiled in, by ridge__kind. */
static const struct {
    const char *folder;
    const ridge__embedded *files;
    const size_t *count;
} embedded[] = {
    [RIDGE__PARTS] = {"gpus", ridge__embedded_gpus, &ridge__embedded_gpu_count},
    [RIDGE__FITS] = {"fits", ridge__embedded_fits, &ridge__embedded_fit_count},
    [RIDGE__SYSTEMS] = {"systems", ridge__embedded_systems,
                        &ridge__embedded_system_count},
    [RIDGE__LINKS] = {"links", ridge__embedded_links, &ridge__embedded_link_count},
    [RIDGE__LATENCIES] = {"latencies", ridge__embedded_latencies,
                          &ridge__embedded_latency_count},
};

/* Fill a shelf with the built-in files of its kind, and leave room for `extra` more. */
static void builtin_list(ridge_catalog *catalog, ridge__kind kind, size_t extra)
{
    const size_t count = *embedded[kind].count;
    const ridge__embedded *files = embedded[kind].files;
    ridge__arena *arena = &catalog->arena;
    ridge__entry *list = ridge__arena_alloc(arena, (count + extra) * sizeof *list);
    for (size_t i = 0; list && i < count; i++) {
        size_t size =
            strlen(embedded[kind].folder) + strlen(files[i].id) + sizeof "/.yaml";
        char *where = ridge__arena_alloc(arena, size);
        if (where)
            snprintf(where, size, "%s/%s.yaml", embedded[kind].folder, files[i].id);
        list[i] = (ridge__entry){.id = files[i].id,
                                 .where = where,
                                 .text = files[i].text,
                                 .size = files[i].size,
                                 .parsed = files[i].parsed,
                                 .count = files[i].count,
                                 .builtin = true};
    }
    catalog->shelf[kind] = (ridge__shelf){.list = list, .count = list ? count : 0};
    shelf_sort(&catalog->shelf[kind]);
}

typedef struct scanned_id {
    ridge__arena *arena;
    char *id;
} scanned_id;

static bool id_take(void *ctx, const char *name, size_t size)
{
    scanned_id *s = ctx;
    s->id = ridge__arena_copy(s->arena, name, size);
    return true;
}

static bool any_name(void *ctx, const char *name, size_t size)
{
    (void)ctx, (void)name;
    return size > 0;
}

/* What a file of the folder is: a system names its gpu, a link its path. */
static ridge__kind kind_of(const char *text)
{
    if (ridge__scan(text, "gpu", any_name, NULL))
        return RIDGE__SYSTEMS;
    return ridge__scan(text, "path", any_name, NULL) ? RIDGE__LINKS : RIDGE__PARTS;
}

/* Put a file of the folder on its shelf: over the built-in one of the same id, or as a
 * new one. */
static ridge_status overlay_put(ridge_catalog *catalog, const char *path,
                                ridge_error *err)
{
    ridge__entry entry = {0};
    scanned_id scanned = {.arena = &catalog->arena};
    ridge_status status = entry_read(&entry, catalog, path, err);
    if (status)
        return status;
    if (!ridge__scan(entry.text, "id", id_take, &scanned)) {
        status = ridge__error_set(err, RIDGE_SYNTAX,
                                  "has no id; a line such as \"id: my-gpu\" is wanted");
        ridge__error_at(err, path, 0);
        return status;
    }
    if (!scanned.id)
        return no_memory(err);
    entry.id = scanned.id;
    ridge__shelf *shelf = &catalog->shelf[kind_of(entry.text)];
    ridge__entry *same = NULL;
    for (size_t i = 0; i < shelf->count && !same; i++)
        if (strcmp(shelf->list[i].id, entry.id) == 0)
            same = &shelf->list[i];
    if (same && !same->builtin) {
        status = ridge__error_set(err, RIDGE_INVALID, "the id \"%s\" is also that of %s",
                                  RIDGE__QUOTE(entry.id), same->where);
        ridge__error_at(err, path, 0);
        return status;
    }
    if (!same)
        same = &shelf->list[shelf->count++];
    *same = entry;
    return RIDGE_OK;
}

bool ridge__is_yaml(const char *name)
{
    size_t n = strlen(name);
    return n > 5 && strcmp(name + n - 5, ".yaml") == 0 && name[0] != '.';
}

/* Names of the folder's *.yaml, sorted so that messages do not depend on its order. */
typedef struct names {
    char **list;
    size_t count, room;
} names;

static int name_order(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static ridge_status names_add(names *n, ridge__arena *arena, const char *dir,
                              const char *name, ridge_error *err)
{
    if (n->count == RIDGE_LIMIT_DEVICES)
        return ridge__error_set(err, RIDGE_LIMIT, "holds more than %d files",
                                RIDGE_LIMIT_DEVICES);
    if (n->count == n->room) {
        size_t room = n->room ? 2 * n->room : 64;
        char **list = ridge__arena_alloc(arena, room * sizeof *list);
        if (!list)
            return no_memory(err);
        if (n->count)
            memcpy(list, n->list, n->count * sizeof *list);
        n->list = list;
        n->room = room;
    }
    size_t size = strlen(dir) + strlen(name) + 2;
    char *path = ridge__arena_alloc(arena, size);
    if (!path)
        return no_memory(err);
    snprintf(path, size, "%s%s%s", dir, dir[strlen(dir) - 1] == '/' ? "" : "/", name);
    n->list[n->count++] = path;
    return RIDGE_OK;
}

static ridge_status names_read(names *n, ridge__arena *arena, const char *dir,
                               ridge_error *err)
{
    ridge_status status = RIDGE_OK;
    const struct dirent *file;
    DIR *folder = dir[0] ? opendir(dir) : (errno = ENOENT, NULL);
    if (!folder) {
        status = ridge__error_errno(err, "cannot open the folder", errno);
        ridge__error_at(err, dir, 0);
        return status;
    }
    while (!status && (errno = 0, file = readdir(folder)))
        if (ridge__is_yaml(file->d_name))
            status = names_add(n, arena, dir, file->d_name, err);
    if (!status && errno)
        status = ridge__error_errno(err, "cannot read the folder", errno);
    closedir(folder);
    if (status && status != RIDGE_NOMEM)
        ridge__error_at(err, dir, 0);
    if (n->count)
        qsort(n->list, n->count, sizeof *n->list, name_order);
    return status;
}

ridge_status ridge_catalog_open(ridge_catalog **out, const char *dir,
                                const ridge_allocator *alloc, ridge_error *err)
{
    const ridge_allocator from = ridge__allocator(alloc);
    ridge_status status = RIDGE_OK;
    names files = {0};
    ridge_catalog *catalog = from.alloc(from.ctx, sizeof *catalog);
    if (!catalog)
        return no_memory(err);
    *catalog = (ridge_catalog){0};
    ridge__arena_init(&catalog->arena, alloc);
    if (dir)
        RIDGE__TRY(names_read(&files, &catalog->arena, dir, err));
    for (size_t k = 0; k < RIDGE__KIND_COUNT; k++)
        builtin_list(catalog, (ridge__kind)k, files.count);
    if (!ridge__arena_ok(&catalog->arena))
        RIDGE__TRY(no_memory(err));
    for (size_t i = 0; i < files.count; i++)
        RIDGE__TRY(overlay_put(catalog, files.list[i], err));
    for (size_t k = 0; files.count && k < RIDGE__KIND_COUNT; k++)
        shelf_sort(&catalog->shelf[k]);
    *out = catalog;
    catalog = NULL;
out:
    ridge_catalog_free(catalog);
    return status;
}

void ridge_catalog_free(ridge_catalog *catalog)
{
    if (!catalog)
        return;
    const ridge_allocator from = catalog->arena.allocator;
    ridge__arena_clear(&catalog->arena);
    from.free(from.ctx, catalog, sizeof *catalog);
}
