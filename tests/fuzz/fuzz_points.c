/*
 * Any bytes as the points of a chart: no crash; every record is a point, a failure or of
 * another part; every point is one that can be drawn; and the chart is a chart.
 */
#include "report/plot.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
    if (!condition)
        abort();
}

static int swallow(void *ctx, const char *data, size_t size)
{
    (void)data;
    *(size_t *)ctx += size;
    return 0;
}

/* One machine for all runs: the teaching one. */
static const ridge_machine *machine(void)
{
    static ridge_catalog *catalog;
    static ridge_machine *made;
    const ridge_device *device = NULL;
    if (made)
        return made;
    if (ridge_catalog_open(&catalog, NULL, NULL, NULL) ||
        ridge_catalog_load(&device, catalog, "example", NULL) ||
        ridge_machine_new(&made, catalog, device, NULL))
        exit(0);
    return made;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const ridge_machine *machines[] = {machine()};
    const ridge_chart_input input = {"text", machines, 1, NULL};
    ridge_chart *chart = NULL;
    ridge_predict_summary summary = {.rows = 0};
    ridge_error err = {0};
    if (ridge_chart_new(&chart, "t"))
        return 0;
    ridge_status status =
        ridge__chart_json_text(chart, &input, (const char *)data, size, &summary, &err);
    require(!status || err.message[0]);
    require(status || chart->point_count + summary.failed <= summary.rows);
    require(!summary.failed || (summary.first.message[0] && summary.first.line > 0));
    for (size_t i = 0; i < chart->point_count; i++) {
        const ridge__point *p = &chart->point[i];
        require(p->intensity >= 0 && !(p->rate <= 0) && !(p->low > p->high));
    }
    size_t written = 0;
    ridge_sink sink = {swallow, &written};
    require(!ridge_chart_add_peak(chart, "", 1e14, false));
    require(!ridge_chart_write(chart, RIDGE_SVG, NULL, sink, NULL) && written > 0);
    require(!ridge_chart_write(chart, RIDGE_TERMINAL, NULL, sink, NULL));
    ridge_chart_free(chart);
    return 0;
}
