/* latency - what the pages of chains and of tables share. */
#ifndef RIDGE_REPORT_LATENCY_H
#define RIDGE_REPORT_LATENCY_H

#include "report/cite.h"
#include "report/page.h"

/* "syncthreads(256)", "memcpy.h2d(4 KiB)" without its blank. */
const char *ridge__item_text(char *buf, size_t size, const ridge_latency_item *item);
/* Architecture of the machine, or "given". */
const char *ridge__machine_arch(const ridge_machine *machine);

/* The fields of a term, as JSON members and as CSV cells with their header. */
void ridge__term_json(ridge__json *j, const ridge_latency_term *term);
void ridge__term_csv_head(ridge__str *out);
void ridge__term_csv(ridge__str *out, const ridge_latency_term *term);

#endif
