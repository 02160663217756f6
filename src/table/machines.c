#include "table/table.h"

#include "machine/machine.h"

#include <string.h>

typedef struct ridge__machine_entry {
    struct ridge__machine_entry *next;
    ridge_machine *machine; /* owned */
    const char *system;     /* into name */
    size_t size;            /* of name, with its terminators */
    char name[];            /* that of the gpu cell, then that of the system cell */
} entry;

void ridge__machines_init(ridge__machines *machines, const ridge_predict_options *options,
                          const ridge_allocator *alloc)
{
    *machines =
        (ridge__machines){.options = options, .allocator = ridge__allocator(alloc)};
    ridge__lock_init(&machines->lock);
}

/* The node that a row names. */
static ridge_status place(ridge_machine *machine, const char *system, ridge_error *err)
{
    return system[0] ? ridge_machine_set(machine, "system", system, err) : RIDGE_OK;
}

static ridge_status machine_make(ridge_machine **out,
                                 const ridge_predict_options *options, const char *gpu,
                                 const char *system, ridge_error *err)
{
    ridge_status status = RIDGE_OK;
    const ridge_device *device = NULL;
    const ridge_system *node = NULL;
    ridge_machine *machine = NULL;
    if (!options->catalog)
        RIDGE__TRY(ridge__error_set(err, RIDGE_INVALID, "gpu: no catalogue is open"));
    if (gpu[0]) {
        RIDGE__TRY(ridge__catalog_load_listed(&device, options->catalog, gpu, err));
    } else if (options->machine) {
        device = options->machine->device;
    } else {
        RIDGE__TRY(ridge__catalog_system_listed(&node, options->catalog, system, err));
        device = ridge_system_device(node);
    }
    RIDGE__TRY(ridge_machine_new(&machine, options->catalog, device, err));
    RIDGE__TRY(place(machine, system, err));
    for (size_t i = 0; i < options->set_count; i++)
        if (!machine->system || strcmp(options->set_key[i], "system") != 0)
            RIDGE__TRY(ridge_machine_set(machine, options->set_key[i],
                                         options->set_value[i], err));
    status = ridge_machine_assume_system(machine, err);
    if (status != RIDGE_NODATA) /* nothing is known of its links: so be it */
        RIDGE__TRY(status);
    *out = machine;
    machine = NULL;
    status = RIDGE_OK;
out:
    ridge_machine_free(machine);
    return status;
}

static ridge_status add(entry **out, ridge__machines *m, const char *gpu,
                        const char *system, ridge_error *err)
{
    const size_t first = strlen(gpu) + 1, size = first + strlen(system) + 1;
    entry *e = m->allocator.alloc(m->allocator.ctx, sizeof *e + size);
    if (!e)
        return ridge__error_set(err, RIDGE_NOMEM, "out of memory");
    *e = (entry){.size = size, .next = m->entries, .system = e->name + first};
    memcpy(e->name, gpu, first);
    memcpy(e->name + first, system, size - first);
    ridge_status status = machine_make(&e->machine, m->options, gpu, system, err);
    if (status) {
        m->allocator.free(m->allocator.ctx, e, sizeof *e + size);
        return status;
    }
    *out = m->entries = e;
    return RIDGE_OK;
}

static entry *look_up(const ridge__machines *m, const char *gpu, const char *system)
{
    entry *e = m->entries;
    while (e && (strcmp(e->name, gpu) != 0 || strcmp(e->system, system) != 0))
        e = e->next;
    return e;
}

/* True where the row's part is known without the system that it names, which nobody
 * knows.  All such rows share the machine of no system: a table can name any number. */
static bool is_nowhere(const ridge_predict_options *options, const char *gpu,
                       const char *system)
{
    const ridge_system *node = NULL;
    return system[0] && options->catalog &&
           (gpu[0] || (options->machine && options->machine->device)) &&
           ridge__catalog_system_listed(&node, options->catalog, system, NULL) ==
               RIDGE_NOTFOUND;
}

ridge_status ridge__machines_find(const ridge_machine **out, ridge__machines *machines,
                                  const char *gpu, const char *system, ridge_error *err)
{
    ridge_status status = RIDGE_OK;
    ridge__lock_enter(&machines->lock);
    entry *e = look_up(machines, gpu, system);
    if (!e && is_nowhere(machines->options, gpu, system)) {
        system = "";
        e = look_up(machines, gpu, system);
    }
    if (!e)
        status = add(&e, machines, gpu, system, err);
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
