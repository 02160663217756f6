/* What pages of the catalogue share: sources by number, facts in JSON, cells in CSV. */
#ifndef RIDGE_REPORT_CITE_H
#define RIDGE_REPORT_CITE_H

#include "base/base.h"
#include "format/json.h"

#include <ridge.h>

/* Titles of sources in the order of their first use: [1], [2], ... */
#define RIDGE__CITED_MAX 48
typedef struct ridge__cited {
    const char *title[RIDGE__CITED_MAX];
    size_t count;
} ridge__cited;
/* The number of a title; one that is new is added.  Silently full beyond the maximum. */
size_t ridge__cite_number(ridge__cited *cited, const char *title);
/* "A[2]": confidence and source of a fact; buf needs 16 bytes. */
const char *ridge__cite(ridge__cited *cited, ridge_fact fact, char buf[16]);
#define RIDGE__CITE(cited, fact) ridge__cite(cited, fact, (char[16]){0})
/* The list of them, at the end of the page. */
void ridge__cited_list(ridge__str *out, const ridge__cited *cited,
                       const ridge_style *style);

/* {"value":…,"origin":…,"confidence":…,"source":…}, and its last three keys alone. */
void ridge__fact_json(ridge__json *j, const char *key, ridge_fact fact);
void ridge__origin_json(ridge__json *j, ridge_fact fact);
void ridge__words_json(ridge__json *j, const char *key, const char *const *words,
                       size_t count);

/* A cell after what is there: `before` is "," or "" at the start; text NULL: empty. */
void ridge__cell_text(ridge__str *out, const char *before, const char *text);
void ridge__cell_number(ridge__str *out, const char *before, double value);
/* "FLOP/s", "B/s", ...; "" for counts. */
const char *ridge__unit_symbol(ridge_unit unit);
/* The row "who,what,value,unit,origin,confidence,source" of a known fact. */
void ridge__fact_row(ridge__str *out, const char *who, const char *what, ridge_unit unit,
                     ridge_fact fact);

/* True if each of the words is in one of the fields, in any case of letters; a field may be
 * NULL. */
bool ridge__holds_words(const char *const *fields, size_t field_count,
                        const char *const *words, size_t word_count);

#endif
