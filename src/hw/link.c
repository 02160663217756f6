#include "hw/link.h"

#include "hw/reader.h"
#include "hw/system_read.h"

/* The sum of both directions may be rounded by this share. */
#define BOTH_TOLERANCE 0.01

ridge_fact ridge__span_middle(const ridge__span *spans, size_t count)
{
    if (count == 0)
        return ridge__fact_unknown();
    ridge_fact fact = spans[0].low;
    fact.value = (spans[0].low.value + spans[0].high.value) / 2;
    return fact;
}

const char *ridge_link_id(const ridge_link *link)
{
    return link->id;
}

const char *ridge_link_name(const ridge_link *link)
{
    return link->name;
}

/* ---- Reading ----------------------------------------------------------------------- */

static ridge_status rate_read(const ridge__reader *r, ridge_link *l, const raw_rate *raw)
{
    char one[32], both[32];
    ridge_status status = RIDGE_OK;
    l->one = l->both = ridge__fact_unknown();
    if (!raw)
        return RIDGE_OK;
    ridge__claim claim = {raw->source, "source", raw->confidence, NULL, RIDGE_STATED};
    RIDGE__TRY(ridge__reader_fact(r, &l->one, raw->one, RIDGE_UNIT_BYTES_PER_S, claim,
                                  (ridge__place){"rate", "one"}));
    RIDGE__TRY(ridge__reader_fact(r, &l->both, raw->both, RIDGE_UNIT_BYTES_PER_S, claim,
                                  (ridge__place){"rate", "both"}));
    l->rate_note = ridge__arena_text(r->arena, raw->note);
    if (fabs(l->both.value - 2 * l->one.value) <= BOTH_TOLERANCE * l->both.value)
        return RIDGE_OK;
    ridge_quantity_format(one, sizeof one, l->one.value, RIDGE_UNIT_BYTES_PER_S);
    ridge_quantity_format(both, sizeof both, l->both.value, RIDGE_UNIT_BYTES_PER_S);
    status = ridge__reader_fail(r, RIDGE_INVALID, "rate.both",
                                "%s is not twice the %s of one direction", both, one);
out:
    return status;
}

static ridge_status span_read(const ridge__reader *r, ridge__span *s, const raw_span *raw,
                              ridge_unit unit, const char *row)
{
    ridge_status status = RIDGE_OK;
    ridge__claim claim = {raw->source, "source", raw->confidence, NULL, RIDGE_MEASURED};
    s->what = ridge__arena_text(r->arena, raw->what);
    if (raw->value && !raw->low && !raw->high) {
        status = ridge__reader_fact(r, &s->low, raw->value, unit, claim,
                                    (ridge__place){row, "value"});
        s->high = s->low;
        return status;
    }
    if (raw->value || !raw->low || !raw->high)
        return ridge__reader_fail(r, RIDGE_SYNTAX, row,
                                  "either a value, or low and high, are wanted");
    RIDGE__TRY(ridge__reader_fact(r, &s->low, raw->low, unit, claim,
                                  (ridge__place){row, "low"}));
    RIDGE__TRY(ridge__reader_fact(r, &s->high, raw->high, unit, claim,
                                  (ridge__place){row, "high"}));
    if (s->low.value > s->high.value)
        status = ridge__reader_fail(r, RIDGE_INVALID, row, "low is above high");
out:
    return status;
}

static ridge_status spans_read(const ridge__reader *r, const ridge__span **out,
                               const raw_span *raw, size_t count, ridge_unit unit,
                               const char *list)
{
    char row[RIDGE__ROW_BYTES];
    ridge__span *spans = ridge__arena_alloc(r->arena, count * sizeof *spans);
    for (size_t i = 0; spans && i < count; i++) {
        ridge_status status =
            span_read(r, &spans[i], &raw[i], unit, ridge__reader_row(row, list, i));
        if (status)
            return status;
    }
    *out = spans;
    return RIDGE_OK;
}

/* No more can be reached than is there. */
static ridge_status achieved_check(const ridge__reader *r, const ridge_link *l)
{
    char row[RIDGE__ROW_BYTES];
    for (size_t i = 0; i < l->achieved_count; i++)
        if (l->achieved[i].high.value > l->one.value)
            return ridge__reader_fail(r, RIDGE_INVALID,
                                      ridge__reader_row(row, "achieved", i),
                                      "is above the rate of one direction");
    return RIDGE_OK;
}

static ridge_status names_read(const ridge__reader *r, ridge_link *l, const raw_way *raw)
{
    if (!ridge__id_valid(raw->id))
        return ridge__reader_fail(
            r, RIDGE_SYNTAX, "id",
            "\"%s\" has other characters than a-z, 0-9, dot, - and _",
            RIDGE__QUOTE(raw->id));
    l->network = strcmp(raw->place, "network") == 0;
    if (!l->network && strcmp(raw->place, "node") != 0)
        return ridge__reader_fail(r, RIDGE_SYNTAX, "place",
                                  "\"%s\" is neither node nor network",
                                  RIDGE__QUOTE(raw->place));
    l->id = ridge__arena_text(r->arena, raw->id);
    l->name = ridge__arena_text(r->arena, raw->name);
    l->parts = ridge__arena_text(r->arena, raw->parts);
    l->path = ridge__arena_text(r->arena, raw->path);
    l->use = ridge__arena_text(r->arena, raw->use);
    l->notes = ridge__reader_texts(r, raw->notes, raw->notes_count);
    l->note_count = raw->notes_count;
    return RIDGE_OK;
}

ridge_status ridge__link_parse(const ridge_link **out, ridge_catalog *catalog,
                               const ridge__entry *file, ridge_error *err)
{
    ridge_status status = RIDGE_OK;
    ridge__reader r = {.where = file->where,
                       .text = file->text,
                       .size = file->size,
                       .arena = &catalog->arena,
                       .err = err};
    void *data = NULL;
    ridge_link *l = ridge__arena_alloc(&catalog->arena, sizeof *l);
    if (!l)
        return ridge__error_set(err, RIDGE_NOMEM, "out of memory");
    RIDGE__TRY(
        ridge__yaml_parse(&data, r.text, r.size, r.where, &ridge__schema_way, err));
    const raw_way *raw = data;
    RIDGE__TRY(ridge__reader_sources(&r, raw->sources, raw->sources_count));
    RIDGE__TRY(names_read(&r, l, raw));
    RIDGE__TRY(rate_read(&r, l, raw->rate));
    RIDGE__TRY(spans_read(&r, &l->achieved, raw->achieved, raw->achieved_count,
                          RIDGE_UNIT_BYTES_PER_S, "achieved"));
    RIDGE__TRY(spans_read(&r, &l->latency, raw->latency, raw->latency_count, RIDGE_UNIT_S,
                          "latency"));
    if (!ridge__arena_ok(&catalog->arena))
        RIDGE__TRY(ridge__error_set(err, RIDGE_NOMEM, "out of memory"));
    l->achieved_count = raw->achieved_count;
    l->latency_count = raw->latency_count;
    RIDGE__TRY(achieved_check(&r, l));
    *out = l;
out:
    ridge__yaml_free(data, &ridge__schema_way);
    return status;
}
