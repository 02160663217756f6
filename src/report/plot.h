/* What the readers of points share: plot_table.c and plot_json.c. */
#ifndef RIDGE_REPORT_PLOT_H
#define RIDGE_REPORT_PLOT_H

#include "chart/chart.h"

/* The machine of that id among those of an input; NULL if it is none of them. */
const ridge_machine *ridge__chart_machine(const ridge_chart_input *input, const char *id);
/* ridge_chart_select with a sentence. */
RIDGE_MUST_CHECK ridge_status ridge__chart_select(ridge_chart *chart,
                                                  const ridge_machine *machine,
                                                  ridge_error *err);
/* NODATA: "no row is of h100-sxm or a100-sxm-80". */
ridge_status ridge__chart_no_record(const ridge_chart_input *input, const char *what,
                                    ridge_error *err);
/* The point of a chart from the figures that a result holds; status with a sentence. */
RIDGE_MUST_CHECK ridge_status ridge__chart_point(ridge_chart *chart,
                                                 const ridge__point *point,
                                                 ridge_error *err);

/* ridge_chart_add_json of a text in memory, whose name is input->path. */
RIDGE_MUST_CHECK ridge_status ridge__chart_json_text(ridge_chart *chart,
                                                     const ridge_chart_input *input,
                                                     const char *text, size_t size,
                                                     ridge_predict_summary *summary,
                                                     ridge_error *err);

#endif
