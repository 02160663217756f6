/* What pages of the catalogue share: sources by number, facts in JSON, cells in CSV. */
#ifndef RIDGE_REPORT_CITE_H
#define RIDGE_REPORT_CITE_H

#include "base/base.h"
#include "format/json.h"

#include <ridge.h>

/* The sources that a page refers to by number, in the order of first use. */
typedef struct ridge__sources {
    const char **title;
    size_t count, room;
} ridge__sources;

/* Room for as many as a page can have; titles stay NULL without memory. */
void ridge__sources_init(ridge__sources *s, ridge__arena *arena, size_t room);
/* "A[2]": confidence and source; buf needs 16 bytes. */
const char *ridge__cite(ridge__sources *s, ridge_fact fact, char buf[16]);
#define RIDGE__CITE(s, fact) ridge__cite(s, fact, (char[16]){0})
/* The list of them, at the end of the page. */
void ridge__sources_put(ridge__str *out, const ridge__sources *s,
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

/* Whether a text holds a word, in any case of letters; text may be NULL. */
bool ridge__holds_word(const char *text, const char *word);

#endif
