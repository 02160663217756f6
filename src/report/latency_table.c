/* All latencies of one machine: on chip, off chip, system, in the order of an SM's view. */
#include "format/csv.h"
#include "format/json.h"
#include "machine/machine.h"
#include "model/chain.h"
#include "report/latency.h"

#include <stdio.h>

enum {
    ON_CHIP,
    OFF_CHIP,
    SYSTEM,
    TABLES
};
static const struct {
    const char *key, *heading;
} tables[TABLES] = {
    {"on_chip", "On chip"}, {"off_chip", "Off chip"}, {"system", "System"}};

/* A copy so small that its fixed part is all there is. */
#define SMALL_COPY 4096
#define UNKNOWN    RIDGE_UNKNOWN
static const struct {
    int table;
    ridge_latency_item item;
} rows[] = {
    {ON_CHIP, {RIDGE_ATOM_FMA, 1, UNKNOWN}},
    {ON_CHIP, {RIDGE_ATOM_ADD, 1, UNKNOWN}},
    {ON_CHIP, {RIDGE_ATOM_MUFU, 1, UNKNOWN}},
    {ON_CHIP, {RIDGE_ATOM_SHFL, 1, UNKNOWN}},
    {ON_CHIP, {RIDGE_ATOM_REDUX, 1, UNKNOWN}},
    {ON_CHIP, {RIDGE_ATOM_SMEM, 1, UNKNOWN}},
    {ON_CHIP, {RIDGE_ATOM_SMEM_CONFLICT, 1, 2}},
    {ON_CHIP, {RIDGE_ATOM_SMEM_CONFLICT, 1, 32}},
    {ON_CHIP, {RIDGE_ATOM_L1, 1, UNKNOWN}},
    {ON_CHIP, {RIDGE_ATOM_SYNCTHREADS, 1, 256}},
    {ON_CHIP, {RIDGE_ATOM_SYNCTHREADS, 1, 1024}},
    {ON_CHIP, {RIDGE_ATOM_SYNCWARP, 1, UNKNOWN}},
    {ON_CHIP, {RIDGE_ATOM_ATOMIC_SMEM, 1, UNKNOWN}},
    {ON_CHIP, {RIDGE_ATOM_DSMEM, 1, UNKNOWN}},
    {ON_CHIP, {RIDGE_ATOM_CLUSTER_SYNC, 1, UNKNOWN}},
    {OFF_CHIP, {RIDGE_ATOM_L2_NEAR, 1, UNKNOWN}},
    {OFF_CHIP, {RIDGE_ATOM_L2_FAR, 1, UNKNOWN}},
    {OFF_CHIP, {RIDGE_ATOM_DRAM, 1, UNKNOWN}},
    {OFF_CHIP, {RIDGE_ATOM_ATOMIC_GLOBAL, 1, UNKNOWN}},
    {OFF_CHIP, {RIDGE_ATOM_ATOMIC_CONTENDED, 1, 1e5}},
    {OFF_CHIP, {RIDGE_ATOM_FENCE_GPU, 1, UNKNOWN}},
    {OFF_CHIP, {RIDGE_ATOM_GRID_SYNC, 1, UNKNOWN}},
    {SYSTEM, {RIDGE_ATOM_LAUNCH_CPU, 1, UNKNOWN}},
    {SYSTEM, {RIDGE_ATOM_LAUNCH_GRAPH, 1, UNKNOWN}},
    {SYSTEM, {RIDGE_ATOM_LAUNCH_SYNC, 1, UNKNOWN}},
    {SYSTEM, {RIDGE_ATOM_MEMCPY_H2D, 1, SMALL_COPY}},
    {SYSTEM, {RIDGE_ATOM_SYNC_STREAM, 1, UNKNOWN}},
    {SYSTEM, {RIDGE_ATOM_SYNC_DEVICE, 1, UNKNOWN}},
    {SYSTEM, {RIDGE_ATOM_NVLINK_LOAD, 1, UNKNOWN}},
    {SYSTEM, {RIDGE_ATOM_MEMCPY_D2H, 1, SMALL_COPY}},
    {SYSTEM, {RIDGE_ATOM_PCIE_READ, 1, UNKNOWN}},
    {SYSTEM, {RIDGE_ATOM_FENCE_SYS, 1, UNKNOWN}},
};

/* ---- Text -------------------------------------------------------------------------- */

/* "24 (23-25)": the figure and the range that was measured. */
static void cycles_text(char *buf, size_t size, const ridge_latency_term *t)
{
    int n = 0;
    buf[0] = '\0';
    if (t->in_seconds || !ridge_known(t->cycles))
        return;
    n = snprintf(buf, size, "%s", RIDGE__N(t->cycles));
    if (t->cycles_max > t->cycles_min && n > 0)
        snprintf(buf + n, size - (size_t)n, " (%s-%s)", RIDGE__N(t->cycles_min),
                 RIDGE__N(t->cycles_max));
}

static void put_row(ridge__str *out, const ridge_latency_term *t, ridge__cited *cited)
{
    char name[64], cycles[96];
    ridge__item_text(name, sizeof name, &t->item);
    if (t->absent || t->confidence == '?') {
        ridge__str_format(out, "  %-25s %s\n", name,
                          t->absent ? "none on this architecture" : "?");
        return;
    }
    cycles_text(cycles, sizeof cycles, t);
    ridge__str_format(out, "  %-25s %-17s %8s  [%zu] %c%s%s\n", name, cycles,
                      RIDGE__S(t->time_s), ridge__cite_number(cited, t->source),
                      t->confidence, t->borrowed ? " " : "",
                      t->borrowed ? t->borrowed : "");
}

/* What there is to say of a row beyond its figures, under the table. */
static void put_note(ridge__str *out, const ridge_latency_term *t)
{
    ridge__str note;
    bool range = t->in_seconds && t->max_s > t->min_s;
    if (t->absent || (!t->note && !range))
        return;
    ridge__str_init(&note, 0, NULL);
    ridge__str_format(&note, "%s: ", ridge_atom_name(t->item.atom));
    if (range)
        ridge__str_format(&note, "%s to %s%s", RIDGE__S(t->min_s), RIDGE__S(t->max_s),
                          t->note ? "; " : "");
    if (t->note)
        ridge__str_text(&note, t->note);
    ridge__str_fill(out, ' ', 4);
    ridge__wrap(out, 4, 6, ridge__str_data(&note));
    out->failed = out->failed || note.failed;
    ridge__str_clear(&note);
}

static void put_table(ridge__str *out, const ridge_machine *machine, int table,
                      ridge__cited *cited, const ridge_style *style)
{
    ridge_latency_term term;
    ridge_atom last = RIDGE_ATOM_COUNT;
    ridge__heading(out, style, tables[table].heading);
    ridge__str_format(out, "  %-25s %-17s %8s  %s\n", "atom", "cycles", "time",
                      "source, borrowed from");
    for (size_t i = 0; i < RIDGE__COUNT(rows); i++) {
        if (rows[i].table != table)
            continue;
        ridge__chain_term(&term, machine, &rows[i].item);
        put_row(out, &term, cited);
    }
    for (size_t i = 0; i < RIDGE__COUNT(rows); i++) {
        if (rows[i].table != table || rows[i].item.atom == last)
            continue;
        last = rows[i].item.atom;
        ridge__chain_term(&term, machine, &rows[i].item);
        put_note(out, &term);
    }
}

static void tables_text(ridge__str *out, const ridge_machine *machine,
                        const ridge_style *style)
{
    ridge__cited cited = {.count = 0};
    char head[128];
    snprintf(head, sizeof head, "Latencies of %s (%s); ns at its vector clock of %s",
             ridge_machine_id(machine), ridge__machine_arch(machine),
             RIDGE__Q(machine->clock_vector_hz, RIDGE_UNIT_HZ));
    ridge__wrap(out, 0, 0, head);
    for (int table = 0; table < TABLES; table++)
        put_table(out, machine, table, &cited, style);
    const ridge__latencies *own = machine->latencies;
    if (own && own->note_count)
        ridge__heading(out, style, "Notes");
    for (size_t i = 0; own && i < own->note_count; i++) {
        ridge__str_text(out, "  ");
        ridge__wrap(out, 2, 2, own->notes[i]);
    }
    ridge__cited_list(out, &cited, style);
}

/* ---- JSON, CSV --------------------------------------------------------------------- */

/* What the architecture does not have is no row of a neighbour's figures. */
static void fill(ridge_latency_term *term, const ridge_machine *machine, size_t i)
{
    ridge__chain_term(term, machine, &rows[i].item);
    if (!term->absent)
        return;
    const ridge_latency_term none = {.item = term->item,
                                     .cycles = UNKNOWN,
                                     .time_s = UNKNOWN,
                                     .cycles_min = UNKNOWN,
                                     .cycles_max = UNKNOWN,
                                     .min_s = UNKNOWN,
                                     .max_s = UNKNOWN,
                                     .in_seconds = term->in_seconds,
                                     .kind = term->kind,
                                     .confidence = '?',
                                     .source = "",
                                     .absent = true};
    *term = none;
}

static void tables_json(ridge__str *out, const ridge_machine *machine)
{
    ridge_latency_term term;
    ridge__json j;
    ridge__json_init(&j, out);
    ridge__json_open(&j, NULL, '{');
    ridge__json_text(&j, "gpu", ridge_machine_id(machine));
    ridge__json_text(&j, "arch", ridge__machine_arch(machine));
    ridge__json_number(&j, "clock_hz", machine->clock_vector_hz);
    ridge__json_open(&j, "tables", '{');
    for (int table = 0; table < TABLES; table++) {
        ridge__json_open(&j, tables[table].key, '[');
        for (size_t i = 0; i < RIDGE__COUNT(rows); i++) {
            if (rows[i].table != table)
                continue;
            fill(&term, machine, i);
            ridge__json_open(&j, NULL, '{');
            ridge__term_json(&j, &term);
            ridge__json_close(&j, '}');
        }
        ridge__json_close(&j, ']');
    }
    ridge__json_close(&j, '}');
    ridge__json_close(&j, '}');
    ridge__str_add(out, "\n", 1);
}

static void tables_csv(ridge__str *out, const ridge_machine *machine)
{
    ridge_latency_term term;
    ridge__str_text(out, "table,");
    ridge__term_csv_head(out);
    for (size_t i = 0; i < RIDGE__COUNT(rows); i++) {
        fill(&term, machine, i);
        ridge__str_format(out, "%s,", tables[rows[i].table].key);
        ridge__term_csv(out, &term);
    }
}

ridge_status ridge_latency_tables_write(const ridge_machine *machine,
                                        const ridge_style *style, ridge_sink sink,
                                        ridge_error *err)
{
    ridge__str out;
    if (!machine->atoms_loaded)
        return ridge__error_set(err, RIDGE_INVALID,
                                "the machine's latencies are not loaded; "
                                "ridge_machine_load_latencies does that");
    ridge__str_init(&out, 0, NULL);
    if (style->format == RIDGE_JSON)
        tables_json(&out, machine);
    else if (style->format == RIDGE_CSV)
        tables_csv(&out, machine);
    else
        tables_text(&out, machine, style);
    ridge_status status = ridge__str_send(&out, sink, err);
    ridge__str_clear(&out);
    return status;
}
