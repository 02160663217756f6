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
static ridge_status own_find(ridge__entry **out, ridge_catalog *catalog, const char *path,
                             ridge_error *err)
{
    for (ridge__entry *e = catalog->own; e; e = e->next)
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
    read.next = catalog->own;
    *entry = read;
    *out = catalog->own = entry;
    return RIDGE_OK;
}

/* ---- The index --------------------------------------------------------------------- */

static int entry_order(const void *a, const void *b)
{
    return strcmp(((const ridge__entry *)a)->id, ((const ridge__entry *)b)->id);
}

static ridge__entry *entry_find(ridge__entry *list, size_t count, const char *id)
{
    ridge__entry key = {.id = id};
    return count ? bsearch(&key, list, count, sizeof key, entry_order) : NULL;
}

/* Entries of the built-in files of one kind, with room for `extra` more. */
static ridge__entry *builtin_list(ridge__arena *arena, const ridge__embedded *files,
                                  size_t count, const char *kind, size_t extra)
{
    ridge__entry *list = ridge__arena_alloc(arena, (count + extra) * sizeof *list);
    for (size_t i = 0; list && i < count; i++) {
        size_t size = strlen(kind) + strlen(files[i].id) + sizeof "/.yaml";
        char *where = ridge__arena_alloc(arena, size);
        if (where)
            snprintf(where, size, "%s/%s.yaml", kind, files[i].id);
        list[i] = (ridge__entry){.id = files[i].id,
                                 .where = where,
                                 .text = files[i].text,
                                 .size = files[i].size,
                                 .builtin = true};
    }
    if (list && count)
        qsort(list, count, sizeof *list, entry_order);
    return list;
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

/* Put a file of the folder into the list of `count` parts: over the built-in one of the
 * same id, or as a new one. */
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
    ridge__entry *same = NULL;
    for (size_t i = 0; i < catalog->part_count && !same; i++)
        if (strcmp(catalog->parts[i].id, entry.id) == 0)
            same = &catalog->parts[i];
    if (same && !same->builtin) {
        status = ridge__error_set(err, RIDGE_INVALID, "the id \"%s\" is also that of %s",
                                  RIDGE__QUOTE(entry.id), same->where);
        ridge__error_at(err, path, 0);
        return status;
    }
    if (!same)
        same = &catalog->parts[catalog->part_count++];
    *same = entry;
    return RIDGE_OK;
}

static bool is_yaml(const char *name)
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
        if (is_yaml(file->d_name))
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
    *catalog = (ridge_catalog){.part_count = ridge__embedded_gpu_count,
                               .fit_file_count = ridge__embedded_fit_count};
    ridge__arena_init(&catalog->arena, alloc);
    if (dir)
        RIDGE__TRY(names_read(&files, &catalog->arena, dir, err));
    catalog->parts = builtin_list(&catalog->arena, ridge__embedded_gpus,
                                  ridge__embedded_gpu_count, "gpus", files.count);
    catalog->fit_files = builtin_list(&catalog->arena, ridge__embedded_fits,
                                      ridge__embedded_fit_count, "fits", 0);
    if (!ridge__arena_ok(&catalog->arena))
        RIDGE__TRY(no_memory(err));
    for (size_t i = 0; i < files.count; i++)
        RIDGE__TRY(overlay_put(catalog, files.list[i], err));
    if (files.count)
        qsort(catalog->parts, catalog->part_count, sizeof *catalog->parts, entry_order);
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

size_t ridge_catalog_count(const ridge_catalog *catalog)
{
    return catalog->part_count;
}

const char *ridge_catalog_id(const ridge_catalog *catalog, size_t index)
{
    return index < catalog->part_count ? catalog->parts[index].id : NULL;
}

/* ---- Loading ----------------------------------------------------------------------- */

static ridge_status failed(const ridge_error *why, ridge_error *err)
{
    if (err)
        *err = *why;
    return why->status;
}

/*
 * A file that does not parse is not parsed again: a table asks for it once a row, and
 * what an attempt took of the arena stays taken.  That memory ran out says nothing of
 * the file.
 */
static ridge_status keep_failure(const ridge_error **kept, ridge_catalog *catalog,
                                 const ridge_error *why, ridge_error *err)
{
    ridge_error *copy = NULL;
    if (why->status != RIDGE_NOMEM)
        copy = ridge__arena_alloc(&catalog->arena, sizeof *copy);
    if (copy)
        *copy = *why;
    *kept = copy;
    return failed(why, err);
}

static ridge_status entry_parse(const ridge_device **out, ridge_catalog *catalog,
                                const ridge__entry *entry, bool own, ridge_error *err)
{
    const ridge_device *device = NULL;
    ridge_status status = ridge__device_parse(&device, &catalog->arena, entry->text,
                                              entry->size, entry->where, err);
    if (status)
        return status;
    if (!own && strcmp(device->id, entry->id) != 0) {
        status =
            ridge__error_set(err, RIDGE_INVALID, "the id is \"%s\"; \"%s\" was expected",
                             RIDGE__QUOTE(device->id), RIDGE__QUOTE(entry->id));
        ridge__error_at(err, entry->where, 0);
        return status;
    }
    *out = device;
    return RIDGE_OK;
}

static ridge_status entry_load(const ridge_device **out, ridge_catalog *catalog,
                               ridge__entry *entry, bool own, ridge_error *err)
{
    ridge_error why = {0};
    if (entry->device_failure)
        return failed(entry->device_failure, err);
    if (!entry->device && entry_parse(&entry->device, catalog, entry, own, &why))
        return keep_failure(&entry->device_failure, catalog, &why, err);
    *out = entry->device;
    return RIDGE_OK;
}

static bool same_name(void *ctx, const char *name, size_t size)
{
    const char *wanted = *(const char *const *)ctx;
    return strlen(wanted) == size && memcmp(wanted, name, size) == 0;
}

static ridge__entry *alias_find(ridge_catalog *catalog, const char *name)
{
    static const char *const keys[] = {"aliases", "device_names"};
    for (size_t k = 0; k < RIDGE__COUNT(keys); k++)
        for (size_t i = 0; i < catalog->part_count; i++)
            if (ridge__scan(catalog->parts[i].text, keys[k], same_name, &name))
                return &catalog->parts[i];
    return NULL;
}

/* "a, b, c": ids that `pick` takes; the count. */
static size_t ids_list(const ridge_catalog *catalog, const char *name,
                       bool (*pick)(const char *id, const char *name), char *buf,
                       size_t size)
{
    size_t n = 0, count = 0;
    buf[0] = '\0';
    for (size_t i = 0; i < catalog->part_count; i++) {
        const char *id = catalog->parts[i].id;
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

static ridge_status not_found(const ridge_catalog *catalog, const char *name,
                              ridge_error *err)
{
    bool (*const tries[])(const char *, const char *) = {starts_alike, holds, one_error,
                                                         two_errors};
    char ids[320], folded[64];
    const char *quoted = RIDGE__QUOTE(name);
    fold(folded, sizeof folded, name);
    if (ids_list(catalog, folded, is_variant, ids, sizeof ids) > 1)
        return ridge__error_set(err, RIDGE_NOTFOUND, "\"%s\" is ambiguous; one of %s",
                                quoted, ids);
    for (size_t i = 0; i < RIDGE__COUNT(tries); i++)
        if (ids_list(catalog, folded, tries[i], ids, sizeof ids) > 0)
            return ridge__error_set(err, RIDGE_NOTFOUND, "no GPU \"%s\"; did you mean %s",
                                    quoted, ids);
    return ridge__error_set(err, RIDGE_NOTFOUND, "no GPU \"%s\"; `ridge gpus` lists them",
                            quoted);
}

ridge_status ridge_catalog_load(const ridge_device **out, ridge_catalog *catalog,
                                const char *name, ridge_error *err)
{
    ridge__entry *entry = NULL;
    if (strchr(name, '/') || is_yaml(name)) {
        ridge_status status = own_find(&entry, catalog, name, err);
        return status ? status : entry_load(out, catalog, entry, true, err);
    }
    entry = entry_find(catalog->parts, catalog->part_count, name);
    if (!entry)
        entry = alias_find(catalog, name);
    if (!entry)
        return not_found(catalog, name, err);
    return entry_load(out, catalog, entry, false, err);
}

static ridge_status fits_load(const ridge_fit **out, size_t *count,
                              ridge_catalog *catalog, ridge__entry *file, const char *key,
                              ridge_error *err)
{
    ridge_error why = {0};
    if (file->fits_failure)
        return failed(file->fits_failure, err);
    if (!file->fits && ridge__fits_parse(&file->fits, &file->fit_count, &catalog->arena,
                                         key, file, &why))
        return keep_failure(&file->fits_failure, catalog, &why, err);
    *out = file->fits;
    *count = file->fit_count;
    return RIDGE_OK;
}

ridge_status ridge__catalog_fits(const ridge_fit **out, size_t *count,
                                 ridge_catalog *catalog, const char *key,
                                 ridge_error *err)
{
    ridge__entry *file = entry_find(catalog->fit_files, catalog->fit_file_count, key);
    if (file)
        return fits_load(out, count, catalog, file, key, err);
    *out = NULL;
    *count = 0;
    return RIDGE_OK;
}

ridge_status ridge__catalog_fit_file(const ridge_fit **out, size_t *count,
                                     ridge_catalog *catalog, const char *path,
                                     ridge_error *err)
{
    ridge__entry *file = NULL;
    ridge_status status = own_find(&file, catalog, path, err);
    return status ? status : fits_load(out, count, catalog, file, NULL, err);
}
