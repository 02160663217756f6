/* A machine with the fabrics of its system, or of the node that its part ordinarily is in. */
#include "machine/machine.h"

#include "hw/link.h"

#include <string.h>

/* What an ordinary node holds where no listed system has the part: the count of every
 * current eight-way board (HGX, OAM). */
#define ORDINARY_PARTS 8

const ridge_system *ridge_machine_system(const ridge_machine *machine)
{
    return machine->system;
}

/* Vendors round: 128 GB/s is printed for twice the 63 of PCIe 5. */
static bool is_near(double rate, double known)
{
    const double near = 0.02;
    return fabs(rate - known) <= near * known;
}

/* True where the rate is what the link of that id or name has in both directions. */
static bool sums_both_ways(ridge_catalog *catalog, const char *id, const char *name,
                           double bytes_per_s)
{
    const ridge_link *link = NULL;
    return ridge__catalog_link(&link, catalog, id, name, NULL) == RIDGE_OK && link &&
           is_near(bytes_per_s, link->both.value) &&
           !is_near(bytes_per_s, link->one.value);
}

/* A part of a mesh or torus has several links, and so has one with several adapters. */
static void flag_both_ways(ridge_machine *m, const ridge_system *system)
{
    const ridge__fabric *in = &system->inside, *out = &system->between;
    const bool one = in->topology != RIDGE__MESH && in->topology != RIDGE__TORUS;
    m->link_bidirectional =
        in->link && one &&
        sums_both_ways(m->catalog, in->link, NULL, in->bandwidth.value);
    m->network_bidirectional =
        out->link && !(system->nics_per_gpu > 1) &&
        sums_both_ways(m->catalog, out->link, NULL, out->bandwidth.value);
}

void ridge__machine_find_host(ridge_machine *m)
{
    for (size_t i = 0; m->device && i < m->device->link_count; i++) {
        const ridge__link *own = &m->device->link[i];
        const ridge_link *kind = NULL;
        double reached = own->measured.value, stated = own->stated.value;
        if (!own->name || strncmp(own->name, "PCIe", 4) != 0)
            continue;
        if (!ridge_known(reached) &&
            ridge__catalog_link(&kind, m->catalog, NULL, own->name, NULL) == RIDGE_OK &&
            kind) {
            reached = ridge__span_middle(kind->achieved, kind->achieved_count).value;
            stated = kind->one.value;
        }
        m->host_share = reached / stated;
        return;
    }
}

double ridge__machine_host_share(const ridge_machine *m)
{
    const double most = 0.85; /* of generations 3, 4 and 5: 0.78, 0.80, 0.88 */
    return m->device && ridge_known(m->host_share) ? m->host_share : most;
}

static void fabrics_set(ridge_machine *m, const ridge_system *system)
{
    m->system = system;
    ridge__machine_find_host(m);
    flag_both_ways(m, system);
    m->inside = system->inside;
    m->between = system->between;
    m->parts_per_node = system->gpus.value;
    m->link = system->inside.bandwidth;
}

ridge_status ridge_machine_new_system(ridge_machine **out, ridge_catalog *catalog,
                                      const ridge_system *system, ridge_error *err)
{
    ridge_machine *made = NULL;
    ridge_status status = ridge_machine_new(&made, catalog, system->device, err);
    if (status)
        return status;
    fabrics_set(made, system);
    *out = made;
    return RIDGE_OK;
}

/* Ports that lead to the host go last: a part without others talks over PCIe. */
static bool is_host_port(const ridge__link *link)
{
    return strncmp(link->name, "PCIe", 4) == 0 || strstr(link->name, "C2C");
}

static const ridge__link *port_find(const ridge_device *device)
{
    const ridge__link *host = NULL;
    for (size_t i = 0; i < device->link_count; i++) {
        const ridge__link *link = &device->link[i];
        if (!ridge_known(link->stated.value))
            continue;
        if (!is_host_port(link))
            return link;
        if (!host && strncmp(link->name, "PCIe", 4) == 0)
            host = link;
    }
    return host;
}

ridge_status ridge_machine_assume_system(ridge_machine *machine, ridge_error *err)
{
    const ridge_system *system = NULL;
    if (machine->inside.name || machine->system_assumed)
        return RIDGE_OK;
    if (!machine->device)
        return ridge__error_set(
            err, RIDGE_NODATA,
            "the machine has no links; name a part with --gpu or a system with --system");
    ridge_status status =
        ridge__catalog_ordinary(&system, machine->catalog, machine->device->id, err);
    if (status)
        return status;
    const ridge__link *port = system ? NULL : port_find(machine->device);
    if (!system && !port)
        return ridge__error_set(err, RIDGE_NODATA,
                                "no link of %s is known; name a system with --system",
                                machine->device->id);
    machine->system_assumed = true;
    if (system) {
        fabrics_set(machine, system);
        return RIDGE_OK;
    }
    const bool host = is_host_port(port);
    machine->inside = ridge__fabric_none();
    machine->inside.name = port->name;
    machine->inside.topology = host ? RIDGE__PCIE : RIDGE__SWITCH;
    machine->inside.bandwidth = port->stated;
    machine->inside.achieved = port->measured;
    machine->inside.parts = machine->parts_per_node = ORDINARY_PARTS;
    machine->link = port->stated;
    machine->link_bidirectional =
        sums_both_ways(machine->catalog, NULL, port->name, port->stated.value);
    return RIDGE_OK;
}

ridge_status ridge__machine_set_system(ridge_machine *machine, const char *name,
                                       ridge_error *err)
{
    const ridge_system *system = NULL;
    const ridge_device *part = machine->device;
    ridge_status status = ridge_catalog_load_system(&system, machine->catalog, name, err);
    if (status)
        return status;
    if (!part || strcmp(part->arch, system->device->arch) != 0)
        return ridge__error_set(
            err, RIDGE_INVALID, "%s holds %s (%s), not %s (%s); leave one of them out",
            system->id, system->gpu, system->device->arch, ridge_machine_id(machine),
            part ? part->arch : "no architecture");
    machine->system_assumed = false;
    fabrics_set(machine, system);
    return RIDGE_OK;
}

bool ridge__machine_both_ways(const ridge_machine *machine, double bytes_per_s)
{
    const ridge_device *device = machine->device;
    const size_t links = device ? device->link_count : 0;
    bool both = false;
    for (size_t i = 0; i <= links; i++) {
        double known =
            i < links ? device->link[i].stated.value : machine->inside.bandwidth.value;
        if (is_near(bytes_per_s, known))
            return false; /* one direction of one of its links */
        both = both || is_near(bytes_per_s, 2 * known);
    }
    return both;
}
