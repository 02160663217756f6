#include "report/cite.h"

#include "format/csv.h"
#include "report/page.h"
#include "report/part.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

size_t ridge__cite_number(ridge__cited *cited, const char *title)
{
    size_t i = 0;
    while (i < cited->count && strcmp(cited->title[i], title) != 0)
        i++;
    if (i == cited->count && i < RIDGE__CITED_MAX)
        cited->title[cited->count++] = title;
    return i + 1;
}

const char *ridge__cite(ridge__cited *cited, ridge_fact fact, char buf[16])
{
    snprintf(buf, 16, "%c[%zu]", fact.confidence, ridge__cite_number(cited, fact.source));
    return buf;
}

void ridge__cited_list(ridge__str *out, const ridge__cited *cited,
                       const ridge_style *style)
{
    ridge__heading(out, style, "Sources (letter: confidence, A best to C; R: recalled)");
    for (size_t i = 0; i < cited->count; i++) {
        char label[32];
        snprintf(label, sizeof label, "[%zu]", i + 1);
        ridge__str_format(out, "  %-5s", label);
        ridge__wrap(out, 7, 7, cited->title[i]);
    }
}

void ridge__origin_json(ridge__json *j, ridge_fact fact)
{
    char confidence[2] = {fact.confidence, '\0'};
    bool known = ridge_known(fact.value);
    ridge__json_text(j, "origin", known ? ridge__origin_name(fact.origin) : NULL);
    ridge__json_text(j, "confidence", known ? confidence : NULL);
    ridge__json_text(j, "source", known ? fact.source : NULL);
}

void ridge__fact_json(ridge__json *j, const char *key, ridge_fact fact)
{
    ridge__json_open(j, key, '{');
    ridge__json_number(j, "value", fact.value);
    ridge__origin_json(j, fact);
    ridge__json_close(j, '}');
}

void ridge__words_json(ridge__json *j, const char *key, const char *const *words,
                       size_t count)
{
    ridge__json_open(j, key, '[');
    for (size_t i = 0; i < count; i++)
        ridge__json_text(j, NULL, words[i]);
    ridge__json_close(j, ']');
}

void ridge__cell_text(ridge__str *out, const char *before, const char *text)
{
    ridge__str_text(out, before);
    ridge__csv_cell(out, text ? text : "", text ? strlen(text) : 0);
}

void ridge__cell_number(ridge__str *out, const char *before, double value)
{
    char number[40];
    ridge__str_text(out, before);
    ridge__str_add(out, number, ridge__number_shortest(number, value));
}

const char *ridge__unit_symbol(ridge_unit unit)
{
    switch (unit) {
    case RIDGE_UNIT_FLOP_PER_S:
        return "FLOP/s";
    case RIDGE_UNIT_BYTES_PER_S:
        return "B/s";
    case RIDGE_UNIT_BYTES:
        return "B";
    case RIDGE_UNIT_HZ:
        return "Hz";
    case RIDGE_UNIT_W:
        return "W";
    case RIDGE_UNIT_S:
        return "s";
    case RIDGE_UNIT_FLOP_PER_BYTE:
        return "FLOP/B";
    case RIDGE_UNIT_BYTES_PER_CYCLE:
        return "B/cycle";
    default:
        return "";
    }
}

void ridge__fact_row(ridge__str *out, const char *who, const char *what, ridge_unit unit,
                     ridge_fact fact)
{
    const char confidence[2] = {fact.confidence, '\0'};
    if (!ridge_known(fact.value))
        return;
    ridge__cell_text(out, "", who);
    ridge__cell_text(out, ",", what);
    ridge__cell_number(out, ",", fact.value);
    ridge__cell_text(out, ",", ridge__unit_symbol(unit));
    ridge__cell_text(out, ",", ridge__origin_name(fact.origin));
    ridge__cell_text(out, ",", confidence);
    ridge__cell_text(out, ",", fact.source);
    ridge__str_text(out, "\n");
}

/* Whether a text holds a word, in any case of letters; text may be NULL. */
static bool holds_word(const char *text, const char *word)
{
    size_t n = strlen(word);
    for (; text && *text; text++) {
        size_t i = 0;
        while (i < n && text[i] &&
               tolower((unsigned char)text[i]) == tolower((unsigned char)word[i]))
            i++;
        if (i == n)
            return true;
    }
    return false;
}

bool ridge__holds_words(const char *const *fields, size_t field_count,
                        const char *const *words, size_t word_count)
{
    for (size_t i = 0; i < word_count; i++) {
        bool found = false;
        for (size_t k = 0; k < field_count && !found; k++)
            found = holds_word(fields[k], words[i]);
        if (!found)
            return false;
    }
    return true;
}
