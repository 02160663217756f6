/* Links as such: the list, a page, JSON and CSV. */
#include "report/cite.h"
#include "report/page.h"
#include "report/part.h"

#include "hw/hw.h"

#include <stdio.h>
#include <string.h>

/* "746-817 GB/s" of a span. */
static const char *span_text(char *buf, size_t size, const ridge__span *s,
                             ridge_unit unit)
{
    char low[48], high[48];
    ridge__figure_text(high, sizeof high, s->high.value, unit);
    if (unit == RIDGE_UNIT_S)
        ridge__quantity_text(high, sizeof high, s->high.value, unit);
    if (s->low.value == s->high.value) {
        snprintf(buf, size, "%s", high);
        return buf;
    }
    if (unit == RIDGE_UNIT_S)
        ridge__quantity_text(low, sizeof low, s->low.value, unit);
    else
        ridge__figure_text(low, sizeof low, s->low.value, unit);
    const char *unit_low = strchr(low, ' '), *unit_high = strchr(high, ' ');
    const bool same = unit_low && unit_high && strcmp(unit_low, unit_high) == 0;
    snprintf(buf, size, "%.*s%s%s", same ? (int)(unit_low - low) : (int)strlen(low), low,
             same ? "-" : " - ", high);
    return buf;
}

static double middle(const ridge__span *spans, size_t count)
{
    return ridge__span_middle(spans, count).value;
}

/* ---- The list ---------------------------------------------------------------------- */

/* The first span in `scale`, without a unit: "746", "8-20"; "?" if there is none. */
static const char *short_span(char *buf, size_t size, const ridge__span *spans,
                              size_t count, double scale)
{
    if (count == 0)
        snprintf(buf, size, "?");
    else if (spans[0].low.value == spans[0].high.value)
        snprintf(buf, size, "%s", RIDGE__N(spans[0].low.value / scale));
    else
        snprintf(buf, size, "%s-%s", RIDGE__N(spans[0].low.value / scale),
                 RIDGE__N(spans[0].high.value / scale));
    return buf;
}

static void put_list(ridge__str *out, const ridge_link *const *links, size_t count,
                     const ridge_style *style)
{
    static const char *const form = "%-14s%8s%10s%13s%7s%10s";
    ridge__color(out, style, "1");
    ridge__str_format(out, form, "id", "one way", "both ways", "achieved", "share",
                      "latency");
    ridge__str_text(out, "  path\n");
    ridge__color(out, style, "0");
    ridge__str_format(out, form, "", "GB/s", "GB/s", "GB/s", "", "us");
    ridge__str_text(out, "\n");
    for (size_t i = 0; i < count; i++) {
        const ridge_link *l = links[i];
        char achieved[32], latency[32], share[48] = "?";
        const double part = middle(l->achieved, l->achieved_count) / l->one.value;
        if (ridge_known(part))
            snprintf(share, sizeof share, "%.0f %%", 100 * part);
        ridge__str_format(
            out, form, l->id, RIDGE__N(l->one.value / 1e9), RIDGE__N(l->both.value / 1e9),
            short_span(achieved, sizeof achieved, l->achieved, l->achieved_count, 1e9),
            share,
            short_span(latency, sizeof latency, l->latency, l->latency_count, 1e-6));
        ridge__wrap(out, 62, 64, l->path);
    }
    ridge__str_format(out,
                      "%zu link%s; both ways: the sum of the two directions, as data "
                      "sheets print it;\nshare: achieved over one way; latency: of what "
                      "ridge link ID says; ?: not known\n",
                      count, count == 1 ? "" : "s");
}

/* ---- A page ------------------------------------------------------------------------ */

static void put_spans(ridge__str *out, ridge__cited *s, const char *label,
                      const ridge__span *spans, size_t count, ridge_unit unit,
                      double whole)
{
    for (size_t i = 0; i < count; i++) {
        char text[64], share[64] = "";
        if (unit == RIDGE_UNIT_BYTES_PER_S && ridge_known(whole)) {
            double high = spans[i].high.value / whole;
            if (spans[i].low.value == spans[i].high.value)
                snprintf(share, sizeof share, " (%s)", RIDGE__PERCENT(high));
            else
                snprintf(share, sizeof share, " (%s to %s)",
                         RIDGE__PERCENT(spans[i].low.value / whole),
                         RIDGE__PERCENT(high));
        }
        ridge__row_format(out, i ? "" : label, "%s%s %s: %s",
                          span_text(text, sizeof text, &spans[i], unit), share,
                          RIDGE__CITE(s, spans[i].low), spans[i].what);
    }
}

static void put_page(ridge__str *out, const ridge_link *l, const ridge_style *style)
{
    ridge__cited s = {.count = 0};
    ridge__color(out, style, "1");
    ridge__str_format(out, "%s: %s\n", l->id, l->name);
    ridge__color(out, style, "0");
    ridge__row(out, "of", l->parts);
    ridge__row(out, "path", l->path);
    ridge__row(out, "used for", l->use);
    ridge__row(out, "place", l->network ? "between nodes" : "within a node or rack");
    if (ridge_known(l->one.value)) {
        ridge__row_format(out, "one way", "%s %s",
                          RIDGE__FIGURE(l->one.value, RIDGE_UNIT_BYTES_PER_S),
                          RIDGE__CITE(&s, l->one));
        ridge__row_format(out, "both ways",
                          "%s, the sum of two directions: half of it for a transfer",
                          RIDGE__FIGURE(l->both.value, RIDGE_UNIT_BYTES_PER_S));
    }
    if (l->rate_note)
        ridge__row(out, "", l->rate_note);
    put_spans(out, &s, "achieved", l->achieved, l->achieved_count, RIDGE_UNIT_BYTES_PER_S,
              l->one.value);
    put_spans(out, &s, "latency", l->latency, l->latency_count, RIDGE_UNIT_S, 1);
    for (size_t i = 0; i < l->note_count; i++)
        ridge__row(out, i ? "" : "notes", l->notes[i]);
    ridge__cited_list(out, &s, style);
}

/* ---- Data -------------------------------------------------------------------------- */

static void put_spans_json(ridge__json *j, const char *key, const ridge__span *spans,
                           size_t count, double whole)
{
    ridge__json_open(j, key, '[');
    for (size_t i = 0; i < count; i++) {
        ridge__json_open(j, NULL, '{');
        ridge__json_number(j, "low", spans[i].low.value);
        ridge__json_number(j, "high", spans[i].high.value);
        if (ridge_known(whole))
            ridge__json_number(j, "share",
                               (spans[i].low.value + spans[i].high.value) / 2 / whole);
        ridge__json_text(j, "what", spans[i].what);
        ridge__origin_json(j, spans[i].low);
        ridge__json_close(j, '}');
    }
    ridge__json_close(j, ']');
}

static void put_json(ridge__json *j, const ridge_link *l)
{
    ridge__json_open(j, NULL, '{');
    ridge__json_text(j, "id", l->id);
    ridge__json_text(j, "name", l->name);
    ridge__json_text(j, "parts", l->parts);
    ridge__json_text(j, "place", l->network ? "network" : "node");
    ridge__json_text(j, "path", l->path);
    ridge__json_text(j, "use", l->use);
    ridge__fact_json(j, "bytes_per_s", l->one);
    ridge__fact_json(j, "bidirectional_bytes_per_s", l->both);
    ridge__json_text(j, "note", l->rate_note);
    put_spans_json(j, "achieved_bytes_per_s", l->achieved, l->achieved_count,
                   l->one.value);
    put_spans_json(j, "latency_s", l->latency, l->latency_count, RIDGE_UNKNOWN);
    ridge__words_json(j, "notes", l->notes, l->note_count);
    ridge__json_close(j, '}');
}

static void put_all_json(ridge__str *out, const ridge_link *const *links, size_t count,
                         bool list)
{
    ridge__json j;
    ridge__json_init(&j, out);
    if (list) {
        ridge__json_open(&j, NULL, '{');
        ridge__json_open(&j, "links", '[');
    }
    for (size_t i = 0; i < count; i++)
        put_json(&j, links[i]);
    if (list) {
        ridge__json_close(&j, ']');
        ridge__json_close(&j, '}');
    }
    ridge__str_text(out, "\n");
}

static void put_spans_csv(ridge__str *out, const ridge_link *l, const char *what,
                          const ridge__span *spans, size_t count, ridge_unit unit)
{
    for (size_t i = 0; i < count; i++) {
        char name[128];
        snprintf(name, sizeof name, "%s.low: %s", what, spans[i].what);
        ridge__fact_row(out, l->id, name, unit, spans[i].low);
        snprintf(name, sizeof name, "%s.high: %s", what, spans[i].what);
        ridge__fact_row(out, l->id, name, unit, spans[i].high);
    }
}

static void put_csv(ridge__str *out, const ridge_link *const *links, size_t count)
{
    ridge__str_text(out, "link,what,value,unit,origin,confidence,source\n");
    for (size_t i = 0; i < count; i++) {
        const ridge_link *l = links[i];
        ridge__fact_row(out, l->id, "one_direction", RIDGE_UNIT_BYTES_PER_S, l->one);
        ridge__fact_row(out, l->id, "both_directions", RIDGE_UNIT_BYTES_PER_S, l->both);
        put_spans_csv(out, l, "achieved", l->achieved, l->achieved_count,
                      RIDGE_UNIT_BYTES_PER_S);
        put_spans_csv(out, l, "latency", l->latency, l->latency_count, RIDGE_UNIT_S);
    }
}

static void put_list_csv(ridge__str *out, const ridge_link *const *links, size_t count)
{
    ridge__str_text(out, "id,name,parts,place,path,use,bytes_per_s,"
                         "bidirectional_bytes_per_s,achieved_bytes_per_s,latency_s,"
                         "latency_of\n");
    for (size_t i = 0; i < count; i++) {
        const ridge_link *l = links[i];
        ridge__cell_text(out, "", l->id);
        ridge__cell_text(out, ",", l->name);
        ridge__cell_text(out, ",", l->parts);
        ridge__cell_text(out, ",", l->network ? "network" : "node");
        ridge__cell_text(out, ",", l->path);
        ridge__cell_text(out, ",", l->use);
        ridge__cell_number(out, ",", l->one.value);
        ridge__cell_number(out, ",", l->both.value);
        ridge__cell_number(out, ",", middle(l->achieved, l->achieved_count));
        ridge__cell_number(out, ",", middle(l->latency, l->latency_count));
        ridge__cell_text(out, ",", l->latency_count ? l->latency[0].what : NULL);
        ridge__str_text(out, "\n");
    }
}

/* ---- The public face --------------------------------------------------------------- */

static bool matches(const ridge_link *l, const char *const *words, size_t count)
{
    const char *fields[] = {l->id, l->name, l->parts, l->path, l->use};
    return ridge__holds_words(fields, RIDGE__COUNT(fields), words, count);
}

/* Links that have every word, in id order, in the arena. */
static ridge_status select_links(const ridge_link ***out, size_t *count,
                                 ridge_catalog *catalog, const char *const *words,
                                 size_t word_count, ridge__arena *arena, ridge_error *err)
{
    const size_t total = ridge_catalog_link_count(catalog);
    const ridge_link **links = ridge__arena_alloc(arena, total * sizeof *links);
    size_t n = 0;
    if (!links)
        return ridge__error_set(err, RIDGE_NOMEM, "out of memory");
    for (size_t i = 0; i < total; i++) {
        ridge_status status = ridge_catalog_load_link(
            &links[n], catalog, ridge_catalog_link_id(catalog, i), err);
        if (status)
            return status;
        n += matches(links[n], words, word_count);
    }
    if (n == 0 && word_count)
        return ridge__error_set(
            err, RIDGE_NOTFOUND, "no link has \"%s\"%s in its id, name, path or use",
            RIDGE__QUOTE(words[0]), word_count > 1 ? " and the other words" : "");
    *out = links;
    *count = n;
    return RIDGE_OK;
}

ridge_status ridge_links_write(ridge_catalog *catalog, const char *const *words,
                               size_t word_count, const ridge_style *style,
                               ridge_sink sink, ridge_error *err)
{
    ridge_status status = RIDGE_OK;
    const ridge_link **links = NULL;
    size_t count = 0;
    ridge__arena arena;
    ridge__str out;
    ridge__arena_init(&arena, NULL);
    ridge__str_init(&out, 0, NULL);
    RIDGE__TRY(select_links(&links, &count, catalog, words, word_count, &arena, err));
    if (style->format == RIDGE_JSON)
        put_all_json(&out, links, count, true);
    else if (style->format == RIDGE_CSV)
        put_list_csv(&out, links, count);
    else
        put_list(&out, links, count, style);
    status = ridge__str_send(&out, sink, err);
out:
    ridge__arena_clear(&arena);
    ridge__str_clear(&out);
    return status;
}

ridge_status ridge_link_write(const ridge_link *const *links, size_t count,
                              const ridge_style *style, ridge_sink sink, ridge_error *err)
{
    if (count == 0)
        return ridge__error_set(err, RIDGE_INVALID, "no link was named");
    ridge__str out;
    ridge__str_init(&out, 0, NULL);
    if (style->format == RIDGE_JSON)
        put_all_json(&out, links, count, count > 1);
    else if (style->format == RIDGE_CSV)
        put_csv(&out, links, count);
    else
        for (size_t i = 0; i < count; i++) {
            if (i)
                ridge__str_text(&out, "\n");
            put_page(&out, links[i], style);
        }
    ridge_status status = ridge__str_send(&out, sink, err);
    ridge__str_clear(&out);
    return status;
}
