/* Files of the catalogue parsed when they are asked for, each once. */
#include "hw/catalog.h"

#include "hw/device.h"
#include "hw/slice.h"
#include "hw/system_read.h"

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

/* ---- What each kind parses to ------------------------------------------------------ */

static ridge_status part_parse(ridge__entry *entry, ridge_catalog *catalog,
                               const char **id, ridge_error *err)
{
    ridge_device *device = NULL;
    ridge_status status = ridge__device_parse(&device, &catalog->arena, entry->text,
                                              entry->size, entry->where, err);
    if (!status)
        status = ridge__catalog_latencies(&device->latencies, catalog, device->arch, err);
    if (!status) {
        *id = device->id;
        entry->parsed = device;
    }
    return status;
}

static ridge_status fits_parse(ridge__entry *entry, ridge_catalog *catalog,
                               const char **id, ridge_error *err)
{
    const ridge_fit *fits = NULL;
    ridge_status status =
        ridge__fits_parse(&fits, &entry->count, &catalog->arena, NULL, entry,
                          err); /* a user's: it has its own key */
    if (!status) {
        *id = entry->id;
        entry->parsed = fits;
    }
    return status;
}

static ridge_status system_parse(ridge__entry *entry, ridge_catalog *catalog,
                                 const char **id, ridge_error *err)
{
    const ridge_system *system = NULL;
    ridge_status status = ridge__system_parse(&system, catalog, entry, err);
    if (!status) {
        *id = system->id;
        entry->parsed = system;
    }
    return status;
}

static ridge_status link_parse(ridge__entry *entry, ridge_catalog *catalog,
                               const char **id, ridge_error *err)
{
    const ridge_link *link = NULL;
    ridge_status status = ridge__link_parse(&link, catalog, entry, err);
    if (!status) {
        *id = link->id;
        entry->parsed = link;
    }
    return status;
}

static ridge_status latencies_parse(ridge__entry *entry, ridge_catalog *catalog,
                                    const char **id, ridge_error *err)
{
    const ridge__latencies *list = NULL;
    ridge_status status = ridge__latencies_parse(
        &list, &catalog->arena, entry->text, entry->size, entry->where, entry->id, err);
    if (!status) {
        *id = list->arch;
        entry->parsed = list;
    }
    return status;
}

static ridge_status (*const parse[])(ridge__entry *entry, ridge_catalog *catalog,
                                     const char **id, ridge_error *err) = {
    [RIDGE__PARTS] = part_parse,          [RIDGE__FITS] = fits_parse,
    [RIDGE__SYSTEMS] = system_parse,      [RIDGE__LINKS] = link_parse,
    [RIDGE__LATENCIES] = latencies_parse,
};

/* The entry's content, parsed on first use; its id must be the one it is filed under. */
static ridge_status entry_load(ridge__entry *entry, ridge_catalog *catalog,
                               ridge__kind kind, ridge_error *err)
{
    ridge_error why = {0};
    const char *id = entry->id;
    if (entry->failure)
        return failed(entry->failure, err);
    if (entry->parsed)
        return RIDGE_OK;
    ridge_status status = parse[kind](entry, catalog, &id, &why);
    if (!status && entry->id != entry->where && strcmp(id, entry->id) != 0) {
        status =
            ridge__error_set(&why, RIDGE_INVALID, "the id is \"%s\"; \"%s\" was expected",
                             RIDGE__QUOTE(id), RIDGE__QUOTE(entry->id));
        ridge__error_at(&why, entry->where, 0);
        entry->parsed = NULL;
    }
    return status ? keep_failure(&entry->failure, catalog, &why, err) : RIDGE_OK;
}

/* True for the path of a file; else it is a name. */
static bool is_path(const char *name)
{
    return strchr(name, '/') || ridge__is_yaml(name);
}

/* "mine.yaml/1g.10gb": a slice of what is no part of the catalogue. */
static bool is_slice_of_file(const char *name)
{
    static const char suffix[] = ".yaml/";
    const char *slash = strrchr(name, '/');
    const size_t head = slash ? (size_t)(slash - name) + 1 : 0, size = strlen(suffix);
    return head > size && slash[1] && strncmp(slash + 1 - size, suffix, size) == 0;
}

/* By id, by another name, or by the path of a file. */
static ridge_status name_load(const ridge__entry **out, ridge_catalog *catalog,
                              ridge__kind kind, const char *name, ridge_error *err)
{
    ridge__entry *entry = NULL;
    ridge_status status = RIDGE_OK;
    if (is_path(name)) {
        status = ridge__catalog_own(&entry, catalog, kind, name, err);
        if (status == RIDGE_IO && kind == RIDGE__PARTS && is_slice_of_file(name)) {
            status = ridge__error_set(err, RIDGE_UNSUPPORTED,
                                      "a part given by its file has no slices; put the "
                                      "file into a --catalog folder, and name ID/SLICE");
            ridge__error_at(err, name, 0);
        }
        RIDGE__TRY(status);
    } else
        entry = ridge__shelf_name(&catalog->shelf[kind], name);
    if (!entry) {
        ridge__shelf_nearest(&catalog->shelf[kind], kind, name, err);
        return RIDGE_NOTFOUND;
    }
    RIDGE__TRY(entry_load(entry, catalog, kind, err));
    *out = entry;
out:
    return status;
}

/* ---- The public face --------------------------------------------------------------- */

static size_t shelf_count(const ridge_catalog *catalog, ridge__kind kind)
{
    return catalog->shelf[kind].count;
}

static const char *shelf_id(const ridge_catalog *catalog, ridge__kind kind, size_t index)
{
    const ridge__shelf *shelf = &catalog->shelf[kind];
    return index < shelf->count ? shelf->list[index].id : NULL;
}

size_t ridge_catalog_count(const ridge_catalog *catalog)
{
    return shelf_count(catalog, RIDGE__PARTS);
}

const char *ridge_catalog_id(const ridge_catalog *catalog, size_t index)
{
    return shelf_id(catalog, RIDGE__PARTS, index);
}

/* "a100-sxm-80/1g.10gb": false where the text before the slash names no part, which makes
 * it the path of a file. */
static bool slice_load(ridge_status *status, const ridge_device **out,
                       ridge_catalog *catalog, const char *name, ridge_error *err)
{
    char part[64];
    const size_t size = ridge__slice_split(name);
    if (size == 0 || size >= sizeof part)
        return false;
    memcpy(part, name, size);
    part[size] = '\0';
    ridge__entry *entry = ridge__shelf_name(&catalog->shelf[RIDGE__PARTS], part);
    if (!entry)
        return false;
    *status = entry_load(entry, catalog, RIDGE__PARTS, err);
    if (!*status)
        *status =
            ridge__slice_make(out, entry->parsed, name + size + 1, &catalog->arena, err);
    return true;
}

ridge_status ridge_catalog_load(const ridge_device **out, ridge_catalog *catalog,
                                const char *name, ridge_error *err)
{
    ridge_status status = RIDGE_OK;
    const ridge__entry *entry = NULL;
    if (slice_load(&status, out, catalog, name, err))
        return status;
    status = name_load(&entry, catalog, RIDGE__PARTS, name, err);
    if (!status)
        *out = entry->parsed;
    return status;
}

/* A cell is data: it names what is listed, and opens no file. */
static ridge_status refuse_path(const char *what, const char *name, ridge_error *err)
{
    return ridge__error_set(err, RIDGE_NOTFOUND,
                            "\"%s\" is a path; an id wanted: give a file with --%s, or "
                            "its folder with --catalog",
                            RIDGE__QUOTE(name), what);
}

ridge_status ridge__catalog_load_listed(const ridge_device **out, ridge_catalog *catalog,
                                        const char *name, ridge_error *err)
{
    ridge_status status = RIDGE_OK;
    if (slice_load(&status, out, catalog, name, err))
        return status;
    return is_path(name) ? refuse_path("gpu", name, err)
                         : ridge_catalog_load(out, catalog, name, err);
}

ridge_status ridge__catalog_system_listed(const ridge_system **out,
                                          ridge_catalog *catalog, const char *name,
                                          ridge_error *err)
{
    return is_path(name) ? refuse_path("system", name, err)
                         : ridge_catalog_load_system(out, catalog, name, err);
}

size_t ridge_catalog_system_count(const ridge_catalog *catalog)
{
    return shelf_count(catalog, RIDGE__SYSTEMS);
}

const char *ridge_catalog_system_id(const ridge_catalog *catalog, size_t index)
{
    return shelf_id(catalog, RIDGE__SYSTEMS, index);
}

ridge_status ridge_catalog_load_system(const ridge_system **out, ridge_catalog *catalog,
                                       const char *name, ridge_error *err)
{
    const ridge__entry *entry = NULL;
    ridge_status status = name_load(&entry, catalog, RIDGE__SYSTEMS, name, err);
    if (!status)
        *out = entry->parsed;
    return status;
}

size_t ridge_catalog_link_count(const ridge_catalog *catalog)
{
    return shelf_count(catalog, RIDGE__LINKS);
}

const char *ridge_catalog_link_id(const ridge_catalog *catalog, size_t index)
{
    return shelf_id(catalog, RIDGE__LINKS, index);
}

ridge_status ridge_catalog_load_link(const ridge_link **out, ridge_catalog *catalog,
                                     const char *name, ridge_error *err)
{
    const ridge__entry *entry = NULL;
    ridge_status status = name_load(&entry, catalog, RIDGE__LINKS, name, err);
    if (!status)
        *out = entry->parsed;
    return status;
}

/* The file of that key, or the one that says it is another part's as well. */
static ridge__entry *fits_of(const ridge__shelf *shelf, const char *key)
{
    ridge__entry *file = ridge__shelf_find(shelf, key);
    for (size_t i = 0; i < shelf->count && !file; i++) {
        const ridge_fit *fit = shelf->list[i].count > 0 ? shelf->list[i].parsed : NULL;
        if (fit && fit->also_for && ridge__words_hold(fit->also_for, key))
            file = &shelf->list[i];
    }
    return file;
}

ridge_status ridge__catalog_fits(const ridge_fit **out, size_t *count,
                                 ridge_catalog *catalog, const char *key,
                                 ridge_error *err)
{
    ridge__entry *file = fits_of(&catalog->shelf[RIDGE__FITS], key);
    ridge_status status = file ? entry_load(file, catalog, RIDGE__FITS, err) : RIDGE_OK;
    if (status)
        return status;
    *out = file ? file->parsed : NULL;
    *count = file ? file->count : 0;
    return RIDGE_OK;
}

ridge_status ridge__catalog_fit_file(const ridge_fit **out, size_t *count,
                                     ridge_catalog *catalog, const char *path,
                                     ridge_error *err)
{
    ridge__entry *file = NULL;
    ridge_status status = ridge__catalog_own(&file, catalog, RIDGE__FITS, path, err);
    if (!status)
        status = entry_load(file, catalog, RIDGE__FITS, err);
    if (status)
        return status;
    *out = file->parsed;
    *count = file->count;
    return RIDGE_OK;
}

/* ---- The ordinary node of a part --------------------------------------------------- */

typedef struct wanted {
    const char *word;
} wanted;

static bool is_word(void *ctx, const char *name, size_t size)
{
    return ridge__text_is(((const wanted *)ctx)->word, name, size);
}

ridge_status ridge__catalog_ordinary(const ridge_system **out, ridge_catalog *catalog,
                                     const char *gpu, ridge_error *err)
{
    const ridge__shelf *shelf = &catalog->shelf[RIDGE__SYSTEMS];
    wanted part = {gpu}, yes = {"yes"};
    ridge__entry *found = NULL;
    for (size_t i = 0; i < shelf->count && !found; i++)
        if (ridge__scan(shelf->list[i].text, "gpu", is_word, &part) &&
            ridge__scan(shelf->list[i].text, "ordinary", is_word, &yes))
            found = &shelf->list[i];
    ridge_status status =
        found ? entry_load(found, catalog, RIDGE__SYSTEMS, err) : RIDGE_OK;
    if (!status)
        *out = found ? found->parsed : NULL;
    return status;
}

ridge_status ridge__catalog_link(const ridge_link **out, ridge_catalog *catalog,
                                 const char *id, const char *name, ridge_error *err)
{
    const ridge__shelf *shelf = &catalog->shelf[RIDGE__LINKS];
    wanted called = {name};
    ridge__entry *found = id ? ridge__shelf_find(shelf, id) : NULL;
    for (size_t i = 0; !id && name && i < shelf->count && !found; i++)
        if (ridge__scan(shelf->list[i].text, "name", is_word, &called))
            found = &shelf->list[i];
    ridge_status status =
        found ? entry_load(found, catalog, RIDGE__LINKS, err) : RIDGE_OK;
    if (!status)
        *out = found ? found->parsed : NULL;
    return status;
}

ridge_status ridge__catalog_latencies(const ridge__latencies **out,
                                      ridge_catalog *catalog, const char *arch,
                                      ridge_error *err)
{
    ridge__entry *file = ridge__shelf_find(&catalog->shelf[RIDGE__LATENCIES], arch);
    ridge_status status =
        file ? entry_load(file, catalog, RIDGE__LATENCIES, err) : RIDGE_OK;
    if (!status)
        *out = file ? file->parsed : NULL;
    return status;
}
