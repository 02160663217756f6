/* One system on a page, several side by side. */
#include "report/cite.h"
#include "report/page.h"
#include "report/part.h"
#include "report/system.h"

#include <stdio.h>
#include <string.h>

/* "450 GB/s stated B[1]"; nothing for what is unknown. */
static void put_rate(char *buf, size_t size, ridge__cited *s, ridge_fact fact,
                     ridge_unit unit, const char *before, const char *after)
{
    size_t used = strlen(buf);
    if (ridge_known(fact.value) && used < size)
        snprintf(buf + used, size - used, "%s%s%s %s%s", used ? "; " : "", before,
                 RIDGE__FIGURE(fact.value, unit), RIDGE__CITE(s, fact), after);
}

static void put_fabric(ridge__str *out, ridge__cited *s, const char *label,
                       const ridge__fabric *f, const ridge_system *system)
{
    char text[400], parts[64] = "", switches[64] = "";
    if (!f->name)
        return;
    if (ridge_known(f->parts))
        snprintf(parts, sizeof parts, ", joins %s GPUs", RIDGE__N(f->parts));
    if (f == &system->inside && ridge_known(system->switches.value))
        snprintf(switches, sizeof switches, ", %s switch chips %s",
                 RIDGE__N(system->switches.value), RIDGE__CITE(s, system->switches));
    ridge__row_format(out, label, "%s (%s%s%s%s)", f->name,
                      ridge__topology_name(f->topology), parts, switches,
                      f->reduces ? ", adds in the switch" : "");
    text[0] = '\0';
    put_rate(text, sizeof text, s, f->bandwidth, RIDGE_UNIT_BYTES_PER_S, "", "");
    if (ridge_known(f->achieved.value)) {
        char share[64];
        snprintf(share, sizeof share, " (%s)",
                 RIDGE__PERCENT(f->achieved.value / f->bandwidth.value));
        put_rate(text, sizeof text, s, f->achieved, RIDGE_UNIT_BYTES_PER_S, "achieved ",
                 share);
    }
    put_rate(text, sizeof text, s, f->per_peer, RIDGE_UNIT_BYTES_PER_S, "to one peer ",
             "");
    put_rate(text, sizeof text, s, f->beyond, RIDGE_UNIT_BYTES_PER_S, "beyond the pair ",
             "");
    if (text[0])
        ridge__row(out, "", text);
    if (ridge_known(f->latency.value))
        ridge__row_format(out, "", "latency %s %s; see ridge link %s",
                          RIDGE__S(f->latency.value), RIDGE__CITE(s, f->latency),
                          f->link ? f->link : "");
    if (f->note)
        ridge__row(out, "", f->note);
}

static void put_host(ridge__str *out, ridge__cited *s, const ridge_system *y)
{
    char text[300] = "";
    if (ridge_known(y->nics.value) || ridge_known(y->nic_rate.value)) {
        size_t n = 0;
        if (ridge_known(y->nics.value))
            n = (size_t)snprintf(text, sizeof text, "%s x ", RIDGE__N(y->nics.value));
        n += (size_t)snprintf(text + n, sizeof text - n, "%s, one direction, %s",
                              RIDGE__FIGURE(y->nic_rate.value, RIDGE_UNIT_BYTES_PER_S),
                              RIDGE__CITE(s, y->nic_rate));
        if (ridge_known(y->nics_per_gpu))
            n += (size_t)snprintf(text + n, sizeof text - n, "; %s for each GPU",
                                  RIDGE__N(y->nics_per_gpu));
        if (y->nic_kind)
            snprintf(text + n, sizeof text - n, "; %s", y->nic_kind);
        ridge__row(out, "adapters", text);
    }
    if (y->cpu) {
        const bool cores = ridge_known(y->cpu_cores.value);
        ridge__row_format(out, "CPU", "%s%s%s%s%s", y->cpu, cores ? ", " : "",
                          cores ? RIDGE__N(y->cpu_cores.value) : "",
                          cores ? " cores " : "",
                          cores ? RIDGE__CITE(s, y->cpu_cores) : "");
    }
    if (ridge_known(y->host_memory.value))
        ridge__row_format(out, "host memory", "%s %s",
                          RIDGE__FIGURE(y->host_memory.value, RIDGE_UNIT_BYTES),
                          RIDGE__CITE(s, y->host_memory));
    if (y->pcie)
        ridge__row(out, "host link", y->pcie);
    if (ridge_known(y->power_w.value))
        ridge__row_format(out, "power", "%s %s%s",
                          RIDGE__Q(y->power_w.value, RIDGE_UNIT_W),
                          RIDGE__CITE(s, y->power_w),
                          y->power_of_domain ? ", of the whole domain" : "");
}

/* What the rows of the aggregate are called. */
static const char *aggregate_label(const char *what)
{
    static const struct {
        const char *what, *label;
    } labels[] = {
        {"dram", "DRAM"},           {"dram_capacity", "DRAM size"},
        {"link", "links, one way"}, {"link_both", "links, both ways"},
        {"network", "network"},     {"fast_memory", "fast memory"},
        {"units", "SMs or units"},  {"fp32_cores", "FP32 cores"},
    };
    for (size_t i = 0; i < RIDGE__COUNT(labels); i++)
        if (strcmp(labels[i].what, what) == 0)
            return labels[i].label;
    return what;
}

static const char *known_text(char *buf, size_t size, double value, ridge_unit unit)
{
    if (!ridge_known(value))
        return "";
    if (unit != RIDGE_UNIT_COUNT)
        return ridge__figure_text(buf, size, value, unit);
    snprintf(buf, size, "%.0f", value); /* a count keeps its digits */
    return buf;
}
#define KNOWN(value, unit) known_text((char[48]){0}, 48, value, unit)

static void put_aggregate(ridge__str *out, ridge__cited *s, const ridge_system *y,
                          const ridge_style *style)
{
    static const char *const form = "  %-*s%14s%*s%*s%s%s\n";
    ridge__aggregate rows[RIDGE__AGGREGATES];
    const size_t count = ridge__system_aggregate(rows, y);
    const double domain = ridge__system_domain(y);
    const bool larger = domain != y->gpus.value;
    /* One column more is closer together, to keep within the page. */
    const int label = larger ? 16 : 17, middle = larger ? 14 : 15;
    const int width = larger ? 14 : 0;
    char node[32], all[32];
    ridge__heading(out, style,
                   "Together (dense peaks; what the datasheet prints beside)");
    snprintf(node, sizeof node, "node of %s", RIDGE__N(y->gpus.value));
    snprintf(all, sizeof all, "%s GPUs", RIDGE__N(domain));
    ridge__str_format(out, form, label, "", "one GPU", middle, node, width,
                      larger ? all : "", "  ", "datasheet");
    for (size_t i = 0; i < count; i++) {
        char sheet[64] = "";
        if (rows[i].total)
            snprintf(sheet, sizeof sheet, "%s %s",
                     RIDGE__FIGURE(rows[i].total->value.value, rows[i].unit),
                     RIDGE__CITE(s, rows[i].total->value));
        ridge__str_format(out, form, label, aggregate_label(rows[i].what),
                          KNOWN(rows[i].part, rows[i].unit), middle,
                          KNOWN(rows[i].node, rows[i].unit), width,
                          larger ? KNOWN(rows[i].domain, rows[i].unit) : "",
                          sheet[0] ? "  " : "", sheet);
    }
}

static void put_ridges(ridge__str *out, const ridge_system *y)
{
    const double peak =
        ridge_device_peak(y->device, RIDGE_PIPE_ANY, RIDGE_BF16, RIDGE_FP32).dense.value;
    const struct {
        const char *what;
        double rate;
    } over[] = {{"DRAM byte", ridge_device_bandwidth(y->device, RIDGE_DRAM).value},
                {"byte over the links", y->inside.bandwidth.value},
                {"byte over the network", y->between.bandwidth.value}};
    char text[300] = "";
    size_t n = 0;
    for (size_t i = 0; i < RIDGE__COUNT(over); i++)
        if (ridge_known(peak / over[i].rate))
            n += (size_t)snprintf(text + n, sizeof text - n, "%s%s FLOP per %s",
                                  n ? ", " : "", RIDGE__N(peak / over[i].rate),
                                  over[i].what);
    if (n)
        ridge__row_format(out, "bf16 ridge", "%s", text);
}

void ridge__system_page(ridge__str *out, const ridge_system *y, const ridge_style *style)
{
    ridge__cited s = {.count = 0};
    ridge__color(out, style, "1");
    ridge__str_format(out, "%s: %s\n", y->id, y->name);
    ridge__color(out, style, "0");
    ridge__row_format(out, "node", "%s x %s %s%s", RIDGE__N(y->gpus.value), y->gpu,
                      RIDGE__CITE(&s, y->gpus),
                      y->ordinary ? ", the ordinary node of that part" : "");
    for (size_t i = 0; i < y->alias_count; i++)
        ridge__row(out, i ? "" : "aliases", y->aliases[i]);
    put_host(out, &s, y);
    ridge__heading(out, style, "Links (one direction, out of one GPU)");
    put_fabric(out, &s, "inside", &y->inside, y);
    put_fabric(out, &s, "network", &y->between, y);
    put_aggregate(out, &s, y, style);
    put_ridges(out, y);
    if (y->note_count)
        ridge__heading(out, style, "Notes");
    for (size_t i = 0; i < y->note_count; i++)
        ridge__wrap(out, 0, 2, y->notes[i]);
    ridge__cited_list(out, &s, style);
}

/* ---- Side by side ------------------------------------------------------------------ */

enum {
    LABEL = 18
};

/* Up to four fit a line. */
static int column_width(size_t count)
{
    enum {
        WIDE = 20,
        NARROW = 15
    };
    return count <= 3 ? WIDE : NARROW;
}

static void put_cells(ridge__str *out, const char *label, size_t count,
                      const char *(*text)(char *buf, const ridge_system *s),
                      const ridge_system *const *systems)
{
    char buf[64];
    const int width = column_width(count) - 1;
    ridge__str_format(out, "%-*s", (int)LABEL, label);
    for (size_t i = 0; i < count; i++)
        ridge__str_format(out, " %*.*s", width, width, text(buf, systems[i]));
    ridge__str_text(out, "\n");
}

#define TEXT_OF(name, ...)                                    \
    static const char *name(char *buf, const ridge_system *s) \
    {                                                         \
        snprintf(buf, 64, __VA_ARGS__);                       \
        return buf;                                           \
    }
TEXT_OF(text_id, "%s", s->id)
TEXT_OF(text_gpu, "%s", s->gpu)
TEXT_OF(text_gpus, "%s", RIDGE__N(s->gpus.value))
TEXT_OF(text_domain, "%s", RIDGE__N(ridge__system_domain(s)))
TEXT_OF(text_cores, "%s",
        RIDGE__N(s->cpu_cores.value / s->gpus.value * ridge__system_domain(s)))
TEXT_OF(text_memory, "%s", RIDGE__FIGURE(s->host_memory.value, RIDGE_UNIT_BYTES))
TEXT_OF(text_power, "%s%s", RIDGE__Q(s->power_w.value, RIDGE_UNIT_W),
        s->power_of_domain ? ", all" : "")

/* The row of that name; NULL if the system has none. */
static const ridge__aggregate *row_find(const ridge__aggregate *rows, size_t count,
                                        const char *what)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(rows[i].what, what) == 0)
            return &rows[i];
    return NULL;
}

static void put_aggregates(ridge__str *out, const ridge_system *const *systems,
                           size_t count, bool datasheet)
{
    char names[RIDGE__AGGREGATES * 2][24];
    size_t name_count = 0;
    for (size_t i = 0; i < count; i++) { /* in the order of first use */
        ridge__aggregate rows[RIDGE__AGGREGATES];
        const size_t n = ridge__system_aggregate(rows, systems[i]);
        for (size_t k = 0; k < n; k++) {
            size_t at = 0;
            while (at < name_count && strcmp(names[at], rows[k].what) != 0)
                at++;
            if (at == name_count && at < RIDGE__COUNT(names) &&
                (datasheet ? rows[k].total != NULL : ridge_known(rows[k].part)))
                memcpy(names[name_count++], rows[k].what, sizeof rows[k].what);
        }
    }
    for (size_t at = 0; at < name_count; at++) {
        ridge__str_format(out, "%-*s", (int)LABEL, aggregate_label(names[at]));
        for (size_t i = 0; i < count; i++) {
            ridge__aggregate rows[RIDGE__AGGREGATES];
            const size_t n = ridge__system_aggregate(rows, systems[i]);
            const ridge__aggregate *row = row_find(rows, n, names[at]);
            const ridge__total *total = row ? row->total : NULL;
            const double sheet = total ? total->value.value : RIDGE_UNKNOWN;
            const double value = datasheet ? sheet : row ? row->domain : RIDGE_UNKNOWN;
            ridge__str_format(out, " %*s", column_width(count) - 1,
                              row && ridge_known(value) ? KNOWN(value, row->unit) : "?");
        }
        ridge__str_text(out, "\n");
    }
}

void ridge__system_compare(ridge__str *out, const ridge_system *const *systems,
                           size_t count, const ridge_style *style)
{
    ridge__color(out, style, "1");
    put_cells(out, "", count, text_id, systems);
    ridge__color(out, style, "0");
    put_cells(out, "GPU", count, text_gpu, systems);
    put_cells(out, "GPUs of a node", count, text_gpus, systems);
    put_cells(out, "GPUs in all", count, text_domain, systems);
    put_cells(out, "CPU cores, all", count, text_cores, systems);
    put_cells(out, "host memory, node", count, text_memory, systems);
    put_cells(out, "power", count, text_power, systems);
    ridge__heading(out, style, "Together, all that the links inside join (dense peaks)");
    put_aggregates(out, systems, count, false);
    ridge__heading(out, style, "As the datasheets print it (dense)");
    put_aggregates(out, systems, count, true);
    ridge__str_text(out, "\n?: not known, or not printed\n");
}
