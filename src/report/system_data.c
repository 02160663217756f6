/* Systems as JSON and as CSV, one row per figure. */
#include "report/cite.h"
#include "report/system.h"

#include <stdio.h>
#include <string.h>

static void put_fabric(ridge__json *j, const char *key, const ridge__fabric *f)
{
    if (!f->name) {
        ridge__json_null(j, key);
        return;
    }
    ridge__json_open(j, key, '{');
    ridge__json_text(j, "name", f->name);
    ridge__json_text(j, "topology", ridge__topology_name(f->topology));
    ridge__json_text(j, "link", f->link);
    ridge__json_text(j, "direction", "one");
    ridge__fact_json(j, "bytes_per_s", f->bandwidth);
    ridge__fact_json(j, "achieved_bytes_per_s", f->achieved);
    ridge__fact_json(j, "per_peer_bytes_per_s", f->per_peer);
    ridge__fact_json(j, "beyond_bytes_per_s", f->beyond);
    ridge__fact_json(j, "latency_s", f->latency);
    ridge__json_number(j, "parts", f->parts);
    ridge__json_bool(j, "reduces", f->reduces);
    ridge__json_text(j, "note", f->note);
    ridge__json_close(j, '}');
}

static void put_aggregate(ridge__json *j, const ridge_system *s)
{
    ridge__aggregate rows[RIDGE__AGGREGATES];
    const size_t count = ridge__system_aggregate(rows, s);
    ridge__json_open(j, "aggregate", '[');
    for (size_t i = 0; i < count; i++) {
        const ridge__total *t = rows[i].total;
        ridge__json_open(j, NULL, '{');
        ridge__json_text(j, "what", rows[i].what);
        ridge__json_text(j, "unit", ridge__unit_symbol(rows[i].unit));
        ridge__json_number(j, "part", rows[i].part);
        ridge__json_number(j, "node", rows[i].node);
        ridge__json_number(j, "domain", rows[i].domain);
        if (t)
            ridge__fact_json(j, "datasheet", t->value);
        else
            ridge__json_null(j, "datasheet");
        ridge__json_text(j, "note", t ? t->note : NULL);
        ridge__json_close(j, '}');
    }
    ridge__json_close(j, ']');
}

static void put_system(ridge__json *j, const ridge_system *s)
{
    ridge__json_open(j, NULL, '{');
    ridge__json_text(j, "id", s->id);
    ridge__json_text(j, "name", s->name);
    ridge__words_json(j, "aliases", s->aliases, s->alias_count);
    ridge__json_text(j, "gpu", s->gpu);
    ridge__json_bool(j, "ordinary", s->ordinary);
    ridge__fact_json(j, "gpus", s->gpus);
    ridge__json_number(j, "domain", ridge__system_domain(s));
    put_fabric(j, "inside", &s->inside);
    put_fabric(j, "between", &s->between);
    ridge__fact_json(j, "switches", s->switches);
    ridge__fact_json(j, "nics", s->nics);
    ridge__json_number(j, "nics_per_gpu", s->nics_per_gpu);
    ridge__fact_json(j, "nic_bytes_per_s", s->nic_rate);
    ridge__json_text(j, "nic", s->nic_kind);
    ridge__json_text(j, "cpu", s->cpu);
    ridge__fact_json(j, "cpu_sockets", s->cpu_sockets);
    ridge__fact_json(j, "cpu_cores", s->cpu_cores);
    ridge__fact_json(j, "host_memory_bytes", s->host_memory);
    ridge__json_text(j, "pcie", s->pcie);
    ridge__fact_json(j, "power_w", s->power_w);
    ridge__json_text(j, "power_of", s->power_of_domain ? "domain" : "node");
    put_aggregate(j, s);
    ridge__words_json(j, "notes", s->notes, s->note_count);
    ridge__json_close(j, '}');
}

void ridge__system_json(ridge__str *out, const ridge_system *const *systems, size_t count,
                        bool list)
{
    ridge__json j;
    ridge__json_init(&j, out);
    if (list) {
        ridge__json_open(&j, NULL, '{');
        ridge__json_open(&j, "systems", '[');
    }
    for (size_t i = 0; i < count; i++)
        put_system(&j, systems[i]);
    if (list) {
        ridge__json_close(&j, ']');
        ridge__json_close(&j, '}');
    }
    ridge__str_text(out, "\n");
}

/* ---- CSV --------------------------------------------------------------------------- */

static void put_facts(ridge__str *out, const ridge_system *s)
{
    const struct {
        const char *what;
        ridge_unit unit;
        ridge_fact fact;
    } facts[] = {
        {"gpus", RIDGE_UNIT_COUNT, s->gpus},
        {"inside.stated", RIDGE_UNIT_BYTES_PER_S, s->inside.bandwidth},
        {"inside.achieved", RIDGE_UNIT_BYTES_PER_S, s->inside.achieved},
        {"inside.per_peer", RIDGE_UNIT_BYTES_PER_S, s->inside.per_peer},
        {"inside.beyond", RIDGE_UNIT_BYTES_PER_S, s->inside.beyond},
        {"inside.latency", RIDGE_UNIT_S, s->inside.latency},
        {"inside.switches", RIDGE_UNIT_COUNT, s->switches},
        {"between.stated", RIDGE_UNIT_BYTES_PER_S, s->between.bandwidth},
        {"between.achieved", RIDGE_UNIT_BYTES_PER_S, s->between.achieved},
        {"between.latency", RIDGE_UNIT_S, s->between.latency},
        {"nics", RIDGE_UNIT_COUNT, s->nics},
        {"nic", RIDGE_UNIT_BYTES_PER_S, s->nic_rate},
        {"cpu.sockets", RIDGE_UNIT_COUNT, s->cpu_sockets},
        {"cpu.cores", RIDGE_UNIT_COUNT, s->cpu_cores},
        {"host_memory", RIDGE_UNIT_BYTES, s->host_memory},
        {s->power_of_domain ? "power.domain" : "power.node", RIDGE_UNIT_W, s->power_w},
    };
    for (size_t i = 0; i < RIDGE__COUNT(facts); i++)
        ridge__fact_row(out, s->id, facts[i].what, facts[i].unit, facts[i].fact);
}

/* What follows from the part, and what the datasheet prints. */
static void put_sums(ridge__str *out, const ridge_system *s)
{
    ridge__aggregate rows[RIDGE__AGGREGATES];
    const size_t count = ridge__system_aggregate(rows, s);
    for (size_t i = 0; i < count; i++) {
        char what[48];
        ridge_fact fact = s->gpus;
        fact.origin = RIDGE_DERIVED;
        fact.source = "parts x part";
        fact.value = rows[i].node;
        snprintf(what, sizeof what, "node.%.32s", rows[i].what);
        ridge__fact_row(out, s->id, what, rows[i].unit, fact);
        fact.value = rows[i].domain;
        snprintf(what, sizeof what, "domain.%.32s", rows[i].what);
        ridge__fact_row(out, s->id, what, rows[i].unit, fact);
        snprintf(what, sizeof what, "datasheet.%.32s", rows[i].what);
        if (rows[i].total)
            ridge__fact_row(out, s->id, what, rows[i].unit, rows[i].total->value);
    }
}

void ridge__system_csv(ridge__str *out, const ridge_system *const *systems, size_t count)
{
    ridge__str_text(out, "system,what,value,unit,origin,confidence,source\n");
    for (size_t i = 0; i < count; i++) {
        put_facts(out, systems[i]);
        put_sums(out, systems[i]);
    }
}
