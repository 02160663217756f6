/* latency - what the pages of chains and of tables share. */
#ifndef RIDGE_REPORT_LATENCY_H
#define RIDGE_REPORT_LATENCY_H

#include "format/json.h"
#include "report/page.h"

/* Titles of sources in the order of their first use: [1], [2], ... */
#define RIDGE__CITED_MAX 48
typedef struct ridge__cited {
    const char *title[RIDGE__CITED_MAX];
    size_t count;
} ridge__cited;
/* The number of a title; one that is new is added.  Silently full beyond the maximum. */
size_t ridge__cite(ridge__cited *cited, const char *title);
void ridge__cited_list(ridge__str *out, const ridge__cited *cited,
                       const ridge_style *style);

/* "syncthreads(256)", "memcpy.h2d(4 KiB)" without its blank. */
const char *ridge__item_text(char *buf, size_t size, const ridge_latency_item *item);
/* Architecture of the machine, or "given". */
const char *ridge__machine_arch(const ridge_machine *machine);

/* The fields of a term, as JSON members and as CSV cells with their header. */
void ridge__term_json(ridge__json *j, const ridge_latency_term *term);
void ridge__term_csv_head(ridge__str *out);
void ridge__term_csv(ridge__str *out, const ridge_latency_term *term);

#endif
