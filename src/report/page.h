/* What the text reports share: numbers as text, wrapping, and the parts of a result. */
#ifndef RIDGE_REPORT_PAGE_H
#define RIDGE_REPORT_PAGE_H

#include "base/base.h"
#include "format/json.h"

#include <ridge.h>

/* Text of a quantity, share or number that lives to the end of the block. */
const char *ridge__quantity_text(char *buf, size_t size, double value, ridge_unit unit);
const char *ridge__share_text(char *buf, size_t size, double share);
const char *ridge__plain_text(char *buf, double value, int digits);
/* For sums redone by hand: all digits, exponent a multiple of three: "989.4e12". */
const char *ridge__exact_text(char *buf, double value);
/* " (74.5 GiB)": bytes in powers of 1024, as tools of memory count; empty for small ones. */
const char *ridge__binary_text(char *buf, double bytes);
#define RIDGE__BINARY(bytes)  ridge__binary_text((char[48]){0}, bytes)
#define RIDGE__Q(value, unit) ridge__quantity_text((char[48]){0}, 48, value, unit)
#define RIDGE__S(value)       RIDGE__Q(value, RIDGE_UNIT_S)
#define RIDGE__PERCENT(share) ridge__share_text((char[48]){0}, 48, share)
#define RIDGE__N(value)       ridge__plain_text((char[48]){0}, value, 4)
#define RIDGE__EXACT(value)   ridge__exact_text((char[48]){0}, value)

/* "bf16 matrix", or "fp32 vector, for bf16" where another rate stands in; may be
 * empty. */
const char *ridge__peak_name(char *buf, size_t size, const ridge_estimate *estimate,
                             const ridge_machine *machine);

/*
 * Text in lines of at most 80 columns: the first follows `column` columns that are there
 * already, the others begin after `indent` blanks.  Ends the line.
 */
void ridge__wrap(ridge__str *out, size_t column, size_t indent, const char *text);

/* `  label     text`, wrapped under itself. */
void ridge__row(ridge__str *out, const char *label, const char *text);
RIDGE_PRINTF(3, 4)
void ridge__row_format(ridge__str *out, const char *label, const char *fmt, ...);
/* A blank line and a heading. */
void ridge__heading(ridge__str *out, const ridge_style *style, const char *text);
/* The escape sequence `code` ("1": bold, "0": back) where colour is wanted. */
void ridge__color(ridge__str *out, const ridge_style *style, const char *code);

/* "m=4096 n=4096 dtype=bf16": what the user gave, as it could be typed again. */
void ridge__call_words(ridge__str *out, const ridge_call *call);
/* Name of a dtype or word argument; NULL if the parameter is a number. */
const char *ridge__call_word(char *buf, size_t size, const ridge_call *call,
                             size_t param);

/* "params": {...} of what the user gave. */
void ridge__params_json(ridge__json *j, const ridge_call *call);

/* All warnings of a result. */
uint32_t ridge__result_warnings(const ridge_result *result);
/* The warnings whose bits are set, under a heading (nothing for none), and as a list. */
void ridge__warnings_text(ridge__str *out, uint32_t warnings, const ridge_style *style);
void ridge__warnings_json(ridge__json *j, uint32_t warnings);

/* The parts of a result, each at the end of `out`. */
void ridge__result_text(ridge__str *out, const ridge_result *result,
                        const ridge_style *style);
void ridge__result_json(ridge__str *out, const ridge_result *result,
                        const ridge_style *style);
void ridge__result_csv(ridge__str *out, const ridge_result *result,
                       const ridge_style *style);
void ridge__explain(ridge__str *out, const ridge_result *result,
                    const ridge_style *style);
void ridge__verify(ridge__str *out, const ridge_result *result);
/* The steps from the datasheet to the measured time, as a table with bars. */
void ridge__waterfall_text(ridge__str *out, const ridge_result *result,
                           const ridge_style *style);
/* What a kernel's block= says of the units, as rows and as members of "plan". */
void ridge__occupancy_text(ridge__str *out, const ridge_result *result);
void ridge__occupancy_json(ridge__json *j, const ridge_call *call,
                           const ridge_occupancy *occupancy);
/* True if the call says serial=. */
bool ridge__serial_given(const ridge_call *call);
/* The term of bytes in flight that do not fill the bandwidth; NULL: there is none. */
const ridge_term *ridge__flight_term(const ridge_estimate *estimate);
/* One sentence a line: the three questions, or the suspects of an impossible time. */
void ridge__advice(ridge__str *out, const ridge_result *result);

#endif
