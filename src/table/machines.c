#include "table/table.h"

#include <string.h>

typedef struct ridge__machine_entry {
    struct ridge__machine_entry *next;
    ridge_machine *machine; /* owned */
    size_t size;            /* of name, with its terminator */
    char name[];
} entry;

void ridge__machines_init(ridge__machines *machines, const ridge_predict_options *options,
                          const ridge_allocator *alloc)
{
    *machines =
        (ridge__machines){.options = options, .allocator = ridge__allocator(alloc)};
    ridge__lock_init(&machines->lock);
}

static ridge_status machine_make(ridge_machine **out,
                                 const ridge_predict_options *options, const char *name,
                                 ridge_error *err)
{
    ridge_status status = RIDGE_OK;
    const ridge_device *device = NULL;
    ridge_machine *machine = NULL;
    if (!options->catalog)
        RIDGE__TRY(ridge__error_set(err, RIDGE_INVALID, "gpu: no catalogue is open"));
    RIDGE__TRY(ridge_catalog_load(&device, options->catalog, name, err));
    RIDGE__TRY(ridge_machine_new(&machine, options->catalog, device, err));
    for (size_t i = 0; i < options->set_count; i++)
        RIDGE__TRY(
            ridge_machine_set(machine, options->set_key[i], options->set_value[i], err));
    *out = machine;
    machine = NULL;
out:
    ridge_machine_free(machine);
    return status;
}

static ridge_status add(entry **out, ridge__machines *m, const char *name,
                        ridge_error *err)
{
    size_t size = strlen(name) + 1;
    entry *e = m->allocator.alloc(m->allocator.ctx, sizeof *e + size);
    if (!e)
        return ridge__error_set(err, RIDGE_NOMEM, "out of memory");
    *e = (entry){.size = size, .next = m->entries};
    memcpy(e->name, name, size);
    ridge_status status = machine_make(&e->machine, m->options, name, err);
    if (status) {
        m->allocator.free(m->allocator.ctx, e, sizeof *e + size);
        return status;
    }
    *out = m->entries = e;
    return RIDGE_OK;
}

ridge_status ridge__machines_find(const ridge_machine **out, ridge__machines *machines,
                                  const char *name, ridge_error *err)
{
    ridge_status status = RIDGE_OK;
    ridge__lock_enter(&machines->lock);
    entry *e = machines->entries;
    while (e && strcmp(e->name, name) != 0)
        e = e->next;
    if (!e)
        status = add(&e, machines, name, err);
    if (e)
        *out = e->machine;
    ridge__lock_leave(&machines->lock);
    return status;
}

void ridge__machines_clear(ridge__machines *machines)
{
    entry *e = machines->entries;
    while (e) {
        entry *next = e->next;
        ridge_machine_free(e->machine);
        machines->allocator.free(machines->allocator.ctx, e, sizeof *e + e->size);
        e = next;
    }
    machines->entries = NULL;
    ridge__lock_clear(&machines->lock);
}
