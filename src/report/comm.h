/* An estimate of a collective or transfer: rows of text, keys of JSON, columns of CSV. */
#ifndef RIDGE_REPORT_COMM_H
#define RIDGE_REPORT_COMM_H

#include "format/json.h"

#include <ridge.h>

/* result->exchange is not NULL in any of them. */
void ridge__comm_text(ridge__str *out, const ridge_result *result);
/* --explain: every way that was weighed, as a table of its own. */
void ridge__comm_ways_text(ridge__str *out, const ridge_exchange *x,
                           const ridge_style *style);
/* --explain: bytes on each link, by formula and in numbers, over its stated rate. */
void ridge__comm_floor_text(ridge__str *out, const ridge_result *result);
void ridge__comm_json(ridge__json *j, const ridge_result *result);
/* ",algorithm,..." and the values of a row. */
void ridge__comm_names(ridge__str *out);
void ridge__comm_values(ridge__str *out, const ridge_exchange *exchange);

#endif
