#include "hw/reader.h"

#include "hw/hw.h"

#include <stdio.h>

enum {
    PATH_BYTES = 96
};

ridge_status ridge__reader_fail(const ridge__reader *r, ridge_status status,
                                const char *path, const char *fmt, ...)
{
    char sentence[320];
    va_list args;
    va_start(args, fmt);
    vsnprintf(sentence, sizeof sentence, fmt, args);
    va_end(args);
    ridge__error_set(r->err, status, "%s: %s", path, sentence);
    ridge__error_at(r->err, r->where, ridge__yaml_line(r->text, r->size, path));
    return status;
}

void ridge__place_text(ridge__place at, char *buf, size_t size)
{
    snprintf(buf, size, "%s%s%s", at.row, at.row[0] && at.key[0] ? "." : "", at.key);
}

ridge_status ridge__reader_number(const ridge__reader *r, double *out, const char *text,
                                  ridge_unit unit, ridge__place at)
{
    char path[PATH_BYTES];
    ridge_error why = {0};
    double value = RIDGE_UNKNOWN;
    ridge_status status = RIDGE_OK;
    if (text)
        status =
            ridge_quantity_parse(&value, text, unit, RIDGE_QUANTITY_UNIT_REQUIRED, &why);
    ridge__place_text(at, path, sizeof path);
    if (status)
        return ridge__reader_fail(r, status, path, "%s", why.message);
    if (value == 0)
        return ridge__reader_fail(r, RIDGE_INVALID, path,
                                  "\"%s\" is zero; leave out what is unknown or absent",
                                  RIDGE__QUOTE(text));
    *out = value;
    return RIDGE_OK;
}

static const char *source_title(const ridge__reader *r, const char *key)
{
    for (size_t i = 0; i < r->source_count; i++)
        if (strcmp(r->sources[i].key, key) == 0)
            return r->titles[i];
    return NULL;
}

static const struct {
    const char *word;
    ridge_origin origin;
} origins[] = {
    {"stated", RIDGE_STATED},
    {"device", RIDGE_DEVICE},
    {"measured", RIDGE_MEASURED},
    {"derived", RIDGE_DERIVED},
};

static ridge_status origin_read(const ridge__reader *r, ridge_origin *out,
                                const char *word, const char *row)
{
    char path[PATH_BYTES];
    for (size_t i = 0; i < RIDGE__COUNT(origins); i++)
        if (strcmp(origins[i].word, word) == 0) {
            *out = origins[i].origin;
            return RIDGE_OK;
        }
    ridge__place_text((ridge__place){row, "origin"}, path, sizeof path);
    return ridge__reader_fail(r, RIDGE_SYNTAX, path,
                              "\"%s\" is none of stated, device, measured, derived",
                              RIDGE__QUOTE(word));
}

ridge_status ridge__reader_fact(const ridge__reader *r, ridge_fact *out, const char *text,
                                ridge_unit unit, ridge__claim claim, ridge__place at)
{
    char path[PATH_BYTES];
    ridge_fact fact = ridge__fact_unknown();
    if (!text) {
        *out = fact;
        return RIDGE_OK;
    }
    ridge_status status = ridge__reader_number(r, &fact.value, text, unit, at);
    if (status)
        return status;
    ridge__place_text((ridge__place){at.row, claim.source_key}, path, sizeof path);
    if (!claim.source)
        return ridge__reader_fail(r, RIDGE_SYNTAX, at.row, "\"%s\" is missing",
                                  claim.source_key);
    fact.source = source_title(r, claim.source);
    if (!fact.source)
        return ridge__reader_fail(r, RIDGE_NOTFOUND, path, "no source has the key \"%s\"",
                                  RIDGE__QUOTE(claim.source));
    ridge__place_text((ridge__place){at.row, "confidence"}, path, sizeof path);
    if (strlen(claim.confidence) != 1 || !strchr("ABCR", claim.confidence[0]))
        return ridge__reader_fail(r, RIDGE_SYNTAX, path, "\"%s\" is none of A, B, C, R",
                                  RIDGE__QUOTE(claim.confidence));
    fact.confidence = claim.confidence[0];
    fact.origin = claim.otherwise;
    if (claim.origin)
        status = origin_read(r, &fact.origin, claim.origin, at.row);
    if (!status)
        *out = fact;
    return status;
}

const char *const *ridge__reader_texts(const ridge__reader *r, char *const *list,
                                       size_t count)
{
    const char **copy = ridge__arena_alloc(r->arena, count * sizeof *copy);
    for (size_t i = 0; copy && i < count; i++)
        copy[i] = ridge__arena_text(r->arena, list[i]);
    return copy;
}

bool ridge__id_valid(const char *id)
{
    return id[0] && id[strspn(id, "abcdefghijklmnopqrstuvwxyz0123456789._-")] == '\0';
}

const char *ridge__reader_row(char *buf, const char *list, size_t index)
{
    snprintf(buf, RIDGE__ROW_BYTES, "%s[%zu]", list, index);
    return buf;
}

ridge_status ridge__reader_sources(ridge__reader *r, const raw_source *sources,
                                   size_t count)
{
    char row[RIDGE__ROW_BYTES];
    r->sources = sources;
    r->source_count = count;
    const char **titles = ridge__arena_alloc(r->arena, r->source_count * sizeof *titles);
    r->titles = titles;
    for (size_t i = 0; titles && i < r->source_count; i++) {
        const raw_source *s = &sources[i];
        for (size_t j = 0; j < i; j++)
            if (strcmp(sources[j].key, s->key) == 0)
                return ridge__reader_fail(
                    r, RIDGE_SYNTAX, ridge__reader_row(row, "sources", i),
                    "the key \"%s\" is used twice", RIDGE__QUOTE(s->key));
        size_t size = strlen(s->title) + (s->date ? strlen(s->date) : 0) + 4;
        char *title = ridge__arena_alloc(r->arena, size);
        if (title)
            snprintf(title, size, s->date ? "%s (%s)" : "%s", s->title, s->date);
        titles[i] = title;
    }
    if (!ridge__arena_ok(r->arena)) /* titles are read below */
        return ridge__error_set(r->err, RIDGE_NOMEM, "out of memory");
    return RIDGE_OK;
}

ridge_status ridge__reader_figure(const ridge__reader *r, ridge_fact *out,
                                  const raw_figure *raw, ridge_unit unit, const char *row)
{
    if (!raw) {
        *out = ridge__fact_unknown();
        return RIDGE_OK;
    }
    ridge__claim claim = {raw->source, "source", raw->confidence, raw->origin,
                          RIDGE_STATED};
    return ridge__reader_fact(r, out, raw->value, unit, claim,
                              (ridge__place){row, "value"});
}
