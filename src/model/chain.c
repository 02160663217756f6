/*
 * Serial chains: the time of each atom and their sum.  docs/model/chain.md has the models,
 * their sources and worked numbers.
 */
#include "model/chain.h"

#include "base/base.h"

/* Threads of a warp where the part does not say. */
static const double WARP = 32;

/* What one execution takes, and the range of it; in cycles or in seconds. */
typedef struct cost {
    double value, min, max;
    bool seconds;
} cost;

/* A figure with the range that was found, or itself where none was. */
static cost cost_of(const ridge__latency *row)
{
    double value = row->figure.value;
    return (cost){value, ridge_known(row->min) ? row->min : value,
                  ridge_known(row->max) ? row->max : value, row->unit == RIDGE_UNIT_S};
}

static cost cost_add(cost a, double more)
{
    return (cost){a.value + more, a.min + more, a.max + more, a.seconds};
}

/* ---- Models of atoms with an argument ---------------------------------------------- */

/* A barrier: so many cycles, and more for each warp of the block. */
static cost barrier(const ridge_machine *machine, const ridge__latency *row,
                    double threads)
{
    double warp =
        machine->device ? ridge__device_limit(machine->device, "warp_size").value : WARP;
    if (!ridge_known(warp))
        warp = WARP;
    return cost_add(cost_of(row), row->per_cycles * ceil(threads / warp));
}

/* The first takes an atomic's latency, the others follow at the rate of one address. */
static cost contended(const ridge__latency *first, const ridge__latency *row, double n)
{
    cost c = cost_of(first);
    double rate = row->figure.value / row->clock_hz; /* per cycle */
    double fast = ridge_known(row->max) ? row->max / row->clock_hz : rate;
    double slow = ridge_known(row->min) ? row->min / row->clock_hz : rate;
    return (cost){c.value + (n - 1) / rate, c.min + (n - 1) / fast,
                  c.max + (n - 1) / slow, false};
}

/* What a copy reaches of the part's link to the host. */
static double host_rate(const ridge_machine *machine)
{
    const ridge_device *d = machine->device;
    for (size_t i = 0; d && i < d->link_count; i++)
        if (d->link[i].name && strncmp(d->link[i].name, "PCIe", 4) == 0)
            return d->link[i].stated.value * ridge__machine_host_share(machine);
    return RIDGE_UNKNOWN;
}

/* The atom that another stands on: a conflict on a load, contention on an atomic. */
static ridge_atom base_of(ridge_atom atom)
{
    switch (atom) {
    case RIDGE_ATOM_SMEM_CONFLICT:
        return RIDGE_ATOM_SMEM;
    case RIDGE_ATOM_ATOMIC_CONTENDED:
        return RIDGE_ATOM_ATOMIC_GLOBAL;
    default:
        return RIDGE_ATOM_COUNT;
    }
}

static cost atom_cost(const ridge_machine *machine, const ridge_latency_item *item,
                      const ridge__latency *row, const ridge__latency *base)
{
    switch (item->atom) {
    case RIDGE_ATOM_SMEM_CONFLICT:
        return cost_add(cost_of(base), row->per_cycles * (item->argument - 1));
    case RIDGE_ATOM_SYNCTHREADS:
        return barrier(machine, row, item->argument);
    case RIDGE_ATOM_ATOMIC_CONTENDED:
        return contended(base, row, item->argument);
    case RIDGE_ATOM_MEMCPY_H2D:
    case RIDGE_ATOM_MEMCPY_D2H:
        return cost_add(cost_of(row),
                        item->argument == 0 ? 0 : item->argument / host_rate(machine));
    default:
        return cost_of(row);
    }
}

/* ---- Terms and sums ---------------------------------------------------------------- */

/* 'A' before 'B' before 'C'; what was recalled is the weakest. */
static char weaker(char a, char b)
{
    return a > b ? a : b;
}

void ridge__chain_term(ridge_latency_term *out, const ridge_machine *machine,
                       const ridge_latency_item *item)
{
    const double unknown = RIDGE_UNKNOWN, clock = machine->clock_vector_hz;
    const ridge__atom *atom = &machine->atom[item->atom], *base = NULL;
    *out = (ridge_latency_term){.item = *item,
                                .cycles = unknown,
                                .time_s = unknown,
                                .cycles_min = unknown,
                                .cycles_max = unknown,
                                .min_s = unknown,
                                .max_s = unknown,
                                .absent = atom->absent,
                                .confidence = '?',
                                .source = ""};
    if (base_of(item->atom) < RIDGE_ATOM_COUNT)
        base = &machine->atom[base_of(item->atom)];
    if (!atom->row || (base && !base->row))
        return;
    const ridge__latency *row = atom->row;
    cost c = atom_cost(machine, item, row, base ? base->row : NULL);
    double to_cycles = item->count * (c.seconds ? clock : 1);
    double to_seconds = item->count / (c.seconds ? 1 : clock);
    out->cycles = c.value * to_cycles;
    out->cycles_min = c.min * to_cycles;
    out->cycles_max = c.max * to_cycles;
    out->time_s = c.value * to_seconds;
    out->min_s = c.min * to_seconds;
    out->max_s = c.max * to_seconds;
    out->in_seconds = c.seconds;
    out->kind = row->kind;
    out->confidence = row->figure.confidence;
    out->source = row->figure.source;
    out->borrowed = atom->borrowed ? atom->arch : NULL;
    if (base) {
        out->confidence = weaker(out->confidence, base->row->figure.confidence);
        if (base->borrowed && !out->borrowed)
            out->borrowed = base->arch;
    }
    out->gpu = row->gpu;
    out->method = row->method;
    out->note = row->note;
}

ridge_status ridge_latency_eval(ridge_latency *out, const ridge_machine *machine,
                                const ridge_latency_chain *chain, ridge_error *err)
{
    bool cycles = false, seconds = false;
    if (!machine->atoms_loaded)
        return ridge__error_set(err, RIDGE_INVALID,
                                "the machine's latencies are not loaded; "
                                "ridge_machine_load_latencies does that");
    ridge_latency sum = {.clock_hz = machine->clock_vector_hz};
    for (size_t i = 0; i < chain->item_count; i++) {
        ridge_latency_term *t = &sum.term[i];
        ridge__chain_term(t, machine, &chain->item[i]);
        if (t->confidence == '?')
            return ridge__error_set(err, RIDGE_NODATA, "no architecture has %s measured",
                                    ridge_atom_name(t->item.atom));
        sum.cycles += t->cycles;
        sum.time_s += t->time_s;
        cycles = cycles || !t->in_seconds;
        seconds = seconds || t->in_seconds;
        if (t->borrowed)
            sum.warnings |= RIDGE_WARNING_BORROWED;
        if (t->confidence == 'C' || t->confidence == 'R')
            sum.warnings |= RIDGE_WARNING_LOW_CONFIDENCE;
    }
    sum.mixed = cycles && seconds;
    sum.term_count = chain->item_count;
    *out = sum;
    return RIDGE_OK;
}
