#include "report/part.h"

#include <string.h>

static const struct {
    const char *key, *heading;
    ridge_unit unit;
} groups[] = {
#define X(name, key, unit, heading) {key, heading, RIDGE_UNIT_##unit},
    RIDGE__GROUP_MAP(X)
#undef X
};

const char *ridge__group_key(ridge__group group)
{
    return groups[group].key;
}

const char *ridge__group_heading(ridge__group group)
{
    return groups[group].heading;
}

const char *ridge__origin_name(ridge_origin origin)
{
    static const char *const names[] = {"stated", "device", "measured", "derived",
                                        "given"};
    return (size_t)origin < RIDGE__COUNT(names) ? names[origin] : "?";
}

double ridge__part_ridge(const ridge_device *device, double flop_per_s)
{
    return flop_per_s / ridge_device_bandwidth(device, RIDGE_DRAM).value;
}

double ridge__part_fp32_cores(const ridge_device *device)
{
    const ridge__compute *c =
        ridge__device_compute(device, RIDGE_VECTOR, RIDGE_FP32, RIDGE_FP32);
    const bool cores = c && strcmp(device->vendor, "NVIDIA") == 0;
    return cores ? c->rate_flop_per_cycle / 2 : RIDGE_UNKNOWN;
}

/* ---- The list ---------------------------------------------------------------------- */

typedef struct list {
    ridge__figure *figure;
    size_t count, room;
} list;

RIDGE_PRINTF(4, 5)
static void add(list *l, ridge__group group, ridge_fact fact, const char *fmt, ...)
{
    if (!ridge_known(fact.value) || l->count == l->room)
        return;
    ridge__figure *f = &l->figure[l->count++];
    *f = (ridge__figure){.group = group, .unit = groups[group].unit, .fact = fact};
    va_list args;
    va_start(args, fmt);
    vsnprintf(f->name, sizeof f->name, fmt, args);
    va_end(args);
}

static void compute_name(char *buf, size_t size, const ridge__compute *c)
{
    snprintf(buf, size, "%s.%s%s%s", ridge_dtype_name(c->dtype), ridge_pipe_name(c->pipe),
             c->accumulator == RIDGE_FP32 ? "" : ".acc_",
             c->accumulator == RIDGE_FP32 ? "" : ridge_dtype_name(c->accumulator));
}

static void add_compute(list *l, const ridge_device *d)
{
    for (size_t i = 0; i < d->compute_count; i++) {
        const ridge__compute *c = &d->compute[i];
        char name[40];
        compute_name(name, sizeof name, c);
        ridge_fact ridge = c->peak.dense;
        ridge.value = ridge__part_ridge(d, ridge.value);
        ridge.origin = RIDGE_DERIVED;
        add(l, RIDGE__GROUP_PEAK, c->peak.dense, "%s", name);
        add(l, RIDGE__GROUP_RIDGE, ridge, "%s", name);
        add(l, RIDGE__GROUP_SPARSE, c->peak.sparse, "%s", name);
        add(l, RIDGE__GROUP_CLOCK, c->peak.clock, "of.%s", name);
    }
}

static void add_memory(list *l, const ridge_device *d)
{
    for (size_t i = 0; i < d->memory_count; i++) {
        const ridge__memory *m = &d->memory[i];
        const char *level = ridge_level_name(m->level);
        add(l, RIDGE__GROUP_BANDWIDTH, m->roof, "%s.roof", level);
        add(l, RIDGE__GROUP_BANDWIDTH, m->stated, "%s.stated", level);
        add(l, RIDGE__GROUP_BANDWIDTH, m->device, "%s.device", level);
        add(l, RIDGE__GROUP_BANDWIDTH, m->measured, "%s.measured", level);
        add(l, RIDGE__GROUP_CAPACITY, m->capacity_bytes, "%s", level);
    }
}

/* Links of one kind have one name, so that NVLink 4 stands beside NVLink 5. */
static const char *link_kind(const char *name)
{
    return strncmp(name, "PCIe", 4) == 0 ? "pcie" : strstr(name, "C2C") ? "c2c" : "gpu";
}

static void add_rest(list *l, const ridge_device *d)
{
    for (size_t i = 0; i < d->link_count; i++) {
        const char *kind = link_kind(d->link[i].name);
        add(l, RIDGE__GROUP_LINK, d->link[i].stated, "%s.stated", kind);
        add(l, RIDGE__GROUP_LINK, d->link[i].measured, "%s.measured", kind);
    }
    ridge_fact cores = ridge_device_peak(d, RIDGE_VECTOR, RIDGE_FP32, RIDGE_FP32).dense;
    cores.value = ridge__part_fp32_cores(d);
    cores.origin = RIDGE_DERIVED;
    add(l, RIDGE__GROUP_LIMIT, cores, "fp32_cores");
    cores.value = ridge__device_limit(d, "registers_bytes").value / 4 / cores.value;
    add(l, RIDGE__GROUP_LIMIT, cores, "registers_per_core");
    for (size_t i = 0; i < d->limit_count; i++) {
        const char *name = d->limit[i].name, *tail = strrchr(name, '_');
        size_t before = l->count;
        add(l, RIDGE__GROUP_LIMIT, d->limit[i].value, "%s", name);
        if (l->count > before && tail)
            l->figure[before].unit = strcmp(tail, "_bytes") == 0 ? RIDGE_UNIT_BYTES
                                     : strcmp(tail, "_rate") == 0
                                         ? RIDGE_UNIT_BYTES_PER_CYCLE
                                         : RIDGE_UNIT_COUNT;
    }
}

/* What was measured on the architecture, at the part's boost clock. */
static void add_latencies(list *l, const ridge_device *d)
{
    for (int i = 0; d->latencies && i < RIDGE_ATOM_COUNT; i++) {
        const ridge__latency *row = ridge__latencies_find(d->latencies, (ridge_atom)i, 0);
        if (!row || row->unit == RIDGE_UNIT_FLOP_PER_S || ridge_known(row->per_cycles))
            continue;
        ridge_fact fact = row->figure;
        if (row->unit == RIDGE_UNIT_CYCLES)
            fact.value /= d->clock_boost.value;
        add(l, RIDGE__GROUP_LATENCY, fact, "%s", ridge_atom_name((ridge_atom)i));
    }
}

const ridge__figure *ridge__part_figures(const ridge_device *d, ridge__arena *arena,
                                         size_t *count)
{
    list l = {.room = 12 + 4 * d->compute_count + 5 * d->memory_count +
                      2 * d->link_count + d->limit_count + RIDGE_ATOM_COUNT};
    l.figure = ridge__arena_alloc(arena, l.room * sizeof *l.figure);
    *count = 0;
    if (!l.figure)
        return NULL;
    add(&l, RIDGE__GROUP_PART, d->units, "units");
    add(&l, RIDGE__GROUP_PART, d->tdp_w, "tdp");
    if (l.count && strcmp(l.figure[l.count - 1].name, "tdp") == 0)
        l.figure[l.count - 1].unit = RIDGE_UNIT_W;
    const ridge__memory *dram = ridge__device_memory(d, RIDGE_DRAM);
    ridge_fact bus = dram ? dram->stated : d->units;
    bus.value = dram ? dram->bus_bits : RIDGE_UNKNOWN;
    add(&l, RIDGE__GROUP_PART, bus, "dram_bus_bits");
    add(&l, RIDGE__GROUP_CLOCK, d->clock_base, "base");
    add(&l, RIDGE__GROUP_CLOCK, d->clock_boost, "boost");
    add(&l, RIDGE__GROUP_CLOCK, d->clock_tensor, "tensor");
    add_compute(&l, d);
    add_memory(&l, d);
    add_rest(&l, d);
    add_latencies(&l, d);
    *count = l.count;
    return l.figure;
}

/* ---- Text -------------------------------------------------------------------------- */

/* "50 MiB" where that is the whole truth: caches are made in powers of two. */
static bool binary_text(char *buf, size_t size, double bytes)
{
    static const char *const units[] = {"KiB", "MiB", "GiB"};
    for (size_t i = RIDGE__COUNT(units); i-- > 0;) {
        double scaled = ldexp(bytes, -10 * ((int)i + 1));
        char number[32];
        if (scaled < 1 || scaled >= 10000 || ldexp(floor(scaled * 2), -1) != scaled)
            continue;
        ridge__number_format(number, scaled, 5);
        snprintf(buf, size, "%s %s", number, units[i]);
        return true;
    }
    return false;
}

void ridge__figure_label(char *buf, size_t size, const ridge__figure *figure)
{
    static const char tail[] = "_bytes";
    size_t n = strlen(figure->name), t = sizeof tail - 1;
    bool cut = n > t && strcmp(figure->name + n - t, tail) == 0;
    snprintf(buf, size, "%.*s", (int)(cut ? n - t : n), figure->name);
}

const char *ridge__figure_text(char *buf, size_t size, double value, ridge_unit unit)
{
    static const struct {
        double factor;
        const char *text;
    } scale[] = {{1e15, "P"}, {1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}};
    if (unit == RIDGE_UNIT_BYTES && binary_text(buf, size, value))
        return buf;
    if (unit == RIDGE_UNIT_S) {
        ridge_quantity_format(buf, size, value, unit);
        return buf;
    }
    if (!ridge_known(value)) {
        snprintf(buf, size, "?");
        return buf;
    }
    /* The unit's name from the one place that knows it; "1 FLOP/s" has it behind. */
    char one[48], number[32];
    ridge_quantity_format(one, sizeof one, 1, unit);
    const char *name = strchr(one, ' ');
    bool scaled = unit == RIDGE_UNIT_BYTES || unit == RIDGE_UNIT_BYTES_PER_S ||
                  unit == RIDGE_UNIT_FLOP_PER_S || unit == RIDGE_UNIT_HZ;
    size_t i = RIDGE__COUNT(scale) - 1;
    while (scaled && i > 0 && value >= 0.99995 * scale[i - 1].factor)
        i--;
    ridge__number_format(number, value / scale[i].factor, 4);
    snprintf(buf, size, "%s%s%s%s", number, name ? " " : "", scale[i].text,
             name ? name + 1 : "");
    return buf;
}
