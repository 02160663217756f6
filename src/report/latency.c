/* A serial chain, evaluated: text, JSON, CSV. */
#include "report/latency.h"

#include "format/csv.h"
#include "format/json.h"
#include "machine/machine.h"

#include <stdio.h>

/* A range narrower than this share reads as one number. */
#define VISIBLE 0.01

/* ---- Shared with the tables -------------------------------------------------------- */

/* Bytes as they would be typed: in the largest unit that leaves a whole number. */
static const char *whole_unit(double *bytes)
{
    static const struct {
        double size;
        const char *unit;
    } units[] = {{1e9, "GB"},         {1e6, "MB"},      {1e3, "kB"},
                 {1073741824, "GiB"}, {1048576, "MiB"}, {1024, "KiB"}};
    for (size_t i = 0; i < RIDGE__COUNT(units) && *bytes > 0; i++)
        if (fmod(*bytes, units[i].size) == 0) {
            *bytes /= units[i].size;
            return units[i].unit;
        }
    return "B";
}

const char *ridge__item_text(char *buf, size_t size, const ridge_latency_item *item)
{
    const char *name = ridge_atom_name(item->atom), *unit = "";
    double argument = item->argument;
    char digits[32];
    if (item->atom == RIDGE_ATOM_MEMCPY_H2D || item->atom == RIDGE_ATOM_MEMCPY_D2H)
        unit = whole_unit(&argument);
    ridge__number_shortest(digits, argument);
    if (!ridge_known(item->argument))
        snprintf(buf, size, "%s", name);
    else
        snprintf(buf, size, "%s(%s%s)", name, digits, unit);
    return buf;
}

const char *ridge__machine_arch(const ridge_machine *machine)
{
    return machine->device ? machine->device->arch : "given";
}

void ridge__term_json(ridge__json *j, const ridge_latency_term *t)
{
    ridge__json_text(j, "atom", ridge_atom_name(t->item.atom));
    ridge__json_number(j, "argument", t->item.argument);
    ridge__json_number(j, "count", t->item.count);
    ridge__json_number(j, "cycles", t->cycles);
    ridge__json_number(j, "cycles_min", t->cycles_min);
    ridge__json_number(j, "cycles_max", t->cycles_max);
    ridge__json_number(j, "ns", t->time_s * 1e9);
    ridge__json_number(j, "seconds", t->time_s);
    ridge__json_text(j, "stated_in", t->in_seconds ? "seconds" : "cycles");
    ridge__json_text(j, "kind", ridge_latency_kind_name(t->kind));
    ridge__json_text(j, "source", t->source[0] ? t->source : NULL);
    char confidence[2] = {t->confidence, '\0'};
    ridge__json_text(j, "confidence", t->confidence == '?' ? NULL : confidence);
    ridge__json_text(j, "borrowed_from", t->borrowed);
    ridge__json_bool(j, "absent", t->absent);
    ridge__json_text(j, "measured_on", t->gpu);
    ridge__json_text(j, "method", t->method);
    ridge__json_text(j, "note", t->note);
}

void ridge__term_csv_head(ridge__str *out)
{
    ridge__str_text(out, "atom,argument,count,cycles,cycles_min,cycles_max,ns,kind,"
                         "confidence,borrowed_from,source\n");
}

static void cell(ridge__str *out, const char *text)
{
    if (text)
        ridge__csv_cell(out, text, strlen(text));
}

void ridge__term_csv(ridge__str *out, const ridge_latency_term *t)
{
    const double numbers[] = {t->item.argument, t->item.count, t->cycles,
                              t->cycles_min,    t->cycles_max, t->time_s * 1e9};
    ridge__str_text(out, ridge_atom_name(t->item.atom));
    for (size_t i = 0; i < RIDGE__COUNT(numbers); i++) {
        char digits[32];
        ridge__number_shortest(digits, numbers[i]);
        ridge__str_format(out, ",%s", digits);
    }
    ridge__str_format(out, ",%s,%.1s,", ridge_latency_kind_name(t->kind),
                      t->confidence == '?' ? "" : &t->confidence);
    cell(out, t->borrowed);
    ridge__str_text(out, ",");
    cell(out, t->source);
    ridge__str_text(out, "\n");
}

/* ---- Text -------------------------------------------------------------------------- */

static bool seen_before(const ridge_latency *l, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (l->term[k].item.atom == l->term[i].item.atom)
            return true;
    return false;
}

/* What a borrowed atom's warning says. */
static void borrowed_text(char *buf, size_t size, const ridge_latency_term *t,
                          const ridge_machine *machine)
{
    snprintf(buf, size, "%s is taken from %s, in %s: %s%s%s",
             ridge_atom_name(t->item.atom), t->borrowed,
             t->in_seconds ? "seconds" : "cycles", t->absent ? "" : "not measured on ",
             ridge__machine_arch(machine), t->absent ? " has none" : "");
}

static void put_head(ridge__str *out, const ridge_latency *l,
                     const ridge_machine *machine, const char *text,
                     const ridge_style *style)
{
    char line[256];
    ridge__str title;
    ridge__str_init(&title, 0, NULL);
    ridge__str_format(&title, "%s on %s (%s), vector clock %s", text,
                      ridge_machine_id(machine), ridge__machine_arch(machine),
                      RIDGE__Q(l->clock_hz, RIDGE_UNIT_HZ));
    ridge__wrap(out, 0, 0, ridge__str_data(&title));
    out->failed = out->failed || title.failed;
    ridge__str_clear(&title);
    double low = 0, high = 0;
    for (size_t i = 0; i < l->term_count; i++) {
        low += l->term[i].min_s;
        high += l->term[i].max_s;
    }
    int n = snprintf(line, sizeof line, "%s cycles, %s", RIDGE__N(l->cycles),
                     RIDGE__S(l->time_s));
    if (high > low * (1 + VISIBLE) && n > 0)
        snprintf(line + n, sizeof line - (size_t)n, "; measured between %s and %s",
                 RIDGE__S(low), RIDGE__S(high));
    ridge__color(out, style, "1");
    ridge__wrap(out, 0, 0, line);
    ridge__color(out, style, "0");
    if (l->mixed)
        ridge__wrap(out, 0, 0,
                    "Cycles become seconds, and seconds cycles, at the vector clock.");
}

static void put_terms(ridge__str *out, const ridge_latency *l, ridge__cited *cited)
{
    enum {
        NAME_WIDTH = 27,
        CITE_COLUMN = 56
    };
    ridge__str_format(out, "\n  %-*s %12s %11s  %s\n", NAME_WIDTH, "term", "cycles",
                      "time", "source");
    for (size_t i = 0; i < l->term_count; i++) {
        const ridge_latency_term *t = &l->term[i];
        char name[64], what[96], cite[96];
        ridge__item_text(name, sizeof name, &t->item);
        if (t->item.count == 1)
            snprintf(what, sizeof what, "%s", name);
        else
            snprintf(what, sizeof what, "%s x %s", RIDGE__N(t->item.count), name);
        snprintf(cite, sizeof cite, "[%zu] %c%s%s", ridge__cite_number(cited, t->source),
                 t->confidence, t->borrowed ? ", " : "", t->borrowed ? t->borrowed : "");
        int width = strlen(what) > NAME_WIDTH ? 0 : NAME_WIDTH;
        ridge__str_format(out, "  %-*s %12s %11s  ", width, what,
                          t->in_seconds ? "" : RIDGE__N(t->cycles), RIDGE__S(t->time_s));
        ridge__wrap(out, CITE_COLUMN, CITE_COLUMN, cite);
    }
}

static void put_warnings(ridge__str *out, const ridge_latency *l,
                         const ridge_machine *machine, const ridge_style *style)
{
    char text[256];
    if (!(l->warnings & RIDGE_WARNING_BORROWED))
        return;
    ridge__heading(out, style, "Warnings");
    for (size_t i = 0; i < l->term_count; i++) {
        if (!l->term[i].borrowed || seen_before(l, i))
            continue;
        borrowed_text(text, sizeof text, &l->term[i], machine);
        ridge__str_text(out, "  borrowed: ");
        ridge__wrap(out, 12, 4, text);
    }
}

/* "; text", or nothing where there is none. */
static void add_part(ridge__str *out, const char *joint, const char *text)
{
    if (text)
        ridge__str_format(out, "%s%s", joint, text);
}

/* One execution of an atom: its figure, its range, how it was found. */
static void put_found(ridge__str *out, const ridge_latency_term *t)
{
    double one = 1 / t->item.count;
    bool range = t->cycles_max > t->cycles_min || t->max_s > t->min_s;
    ridge__str text;
    ridge__str_init(&text, 0, NULL);
    ridge__str_format(&text, "%s: ", ridge_atom_title(t->item.atom));
    if (t->item.count > 0 && t->in_seconds)
        ridge__str_format(&text, "%s; ", RIDGE__S(t->time_s * one));
    else if (t->item.count > 0)
        ridge__str_format(&text, "%s cycles; ", RIDGE__N(t->cycles * one));
    ridge__str_text(&text, ridge_latency_kind_name(t->kind));
    add_part(&text, " on ", t->gpu);
    add_part(&text, ", ", t->method);
    if (range && t->in_seconds && t->item.count > 0)
        ridge__str_format(&text, ", %s to %s", RIDGE__S(t->min_s * one),
                          RIDGE__S(t->max_s * one));
    else if (range && t->item.count > 0)
        ridge__str_format(&text, ", %s to %s", RIDGE__N(t->cycles_min * one),
                          RIDGE__N(t->cycles_max * one));
    add_part(&text, "; ", t->note);
    ridge__row(out, ridge_atom_name(t->item.atom), ridge__str_data(&text));
    out->failed = out->failed || text.failed;
    ridge__str_clear(&text);
}

/* How the figure of each atom was found, and why that architecture. */
static void put_explained(ridge__str *out, const ridge_latency *l,
                          const ridge_machine *machine, const ridge_style *style)
{
    ridge__heading(out, style, "How it was measured");
    for (size_t i = 0; i < l->term_count; i++)
        if (!seen_before(l, i))
            put_found(out, &l->term[i]);
    const ridge__latencies *own = machine->latencies;
    if (!own || !own->near_count || !(l->warnings & RIDGE_WARNING_BORROWED))
        return;
    ridge__str order;
    ridge__str_init(&order, 0, NULL);
    for (size_t i = 0; i < own->near_count; i++)
        ridge__str_format(&order, "%s%s", i ? ", " : "", own->near[i]);
    if (own->why)
        ridge__str_format(&order, ": %s", own->why);
    ridge__row(out, "nearest", ridge__str_data(&order));
    out->failed = out->failed || order.failed;
    ridge__str_clear(&order);
}

static void chain_text(ridge__str *out, const ridge_latency *l,
                       const ridge_machine *machine, const char *text,
                       const ridge_style *style)
{
    ridge__cited cited = {.count = 0};
    put_head(out, l, machine, text, style);
    put_terms(out, l, &cited);
    put_warnings(out, l, machine, style);
    if (style->explain)
        put_explained(out, l, machine, style);
    ridge__cited_list(out, &cited, style);
}

/* ---- JSON, CSV --------------------------------------------------------------------- */

static void chain_json(ridge__str *out, const ridge_latency *l,
                       const ridge_machine *machine, const char *text)
{
    char sentence[256];
    ridge__json j;
    ridge__json_init(&j, out);
    ridge__json_open(&j, NULL, '{');
    ridge__json_text(&j, "expression", text);
    ridge__json_text(&j, "gpu", ridge_machine_id(machine));
    ridge__json_text(&j, "arch", ridge__machine_arch(machine));
    ridge__json_number(&j, "clock_hz", l->clock_hz);
    ridge__json_number(&j, "cycles", l->cycles);
    ridge__json_number(&j, "seconds", l->time_s);
    ridge__json_open(&j, "terms", '[');
    for (size_t i = 0; i < l->term_count; i++) {
        ridge__json_open(&j, NULL, '{');
        ridge__term_json(&j, &l->term[i]);
        ridge__json_close(&j, '}');
    }
    ridge__json_close(&j, ']');
    ridge__json_open(&j, "warnings", '[');
    for (size_t i = 0; i < l->term_count; i++) {
        if (!l->term[i].borrowed || seen_before(l, i))
            continue;
        borrowed_text(sentence, sizeof sentence, &l->term[i], machine);
        ridge__json_open(&j, NULL, '{');
        ridge__json_text(&j, "code", ridge_warning_code(RIDGE_WARNING_BORROWED));
        ridge__json_text(&j, "text", sentence);
        ridge__json_close(&j, '}');
    }
    if (l->warnings & RIDGE_WARNING_LOW_CONFIDENCE) {
        ridge__json_open(&j, NULL, '{');
        ridge__json_text(&j, "code", ridge_warning_code(RIDGE_WARNING_LOW_CONFIDENCE));
        ridge__json_text(&j, "text", ridge_warning_text(RIDGE_WARNING_LOW_CONFIDENCE));
        ridge__json_close(&j, '}');
    }
    ridge__json_close(&j, ']');
    ridge__json_close(&j, '}');
    ridge__str_add(out, "\n", 1);
}

static void chain_csv(ridge__str *out, const ridge_latency *l)
{
    ridge__term_csv_head(out);
    for (size_t i = 0; i < l->term_count; i++)
        ridge__term_csv(out, &l->term[i]);
}

ridge_status ridge_latency_write(const ridge_latency *latency,
                                 const ridge_machine *machine, const char *text,
                                 const ridge_style *style, ridge_sink sink,
                                 ridge_error *err)
{
    ridge__str out;
    ridge__str_init(&out, 0, NULL);
    if (style->format == RIDGE_JSON)
        chain_json(&out, latency, machine, text);
    else if (style->format == RIDGE_CSV)
        chain_csv(&out, latency);
    else
        chain_text(&out, latency, machine, text, style);
    ridge_status status = ridge__str_send(&out, sink, err);
    ridge__str_clear(&out);
    return status;
}
