/* Which line is whose, where a chart has several machines. */
#include "chart/svg.h"

#include <string.h>

static const double row_height = 21, font = 13, sample = 44;
/* Bold letters against those that text_width knows. */
static const double bolder = 1.08;

double ridge__svg_legend_height(const ridge_chart *chart)
{
    return ridge__is_shared(chart) ? (double)chart->machine_count * row_height + 6 : 0;
}

/* "3.35 TB/s DRAM, 989 TFLOP/s bf16 matrix (ridge 295), ...": the stated roofs of a machine,
 * as many as fit. */
static void roofs_text(char *buf, size_t size, const ridge_chart *chart, unsigned machine,
                       double room)
{
    size_t used = 0, count = chart->bandwidth_count + chart->peak_count;
    buf[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        bool slope = i < chart->bandwidth_count;
        const ridge__roof *roof =
            slope ? &chart->bandwidth[i] : &chart->peak[i - chart->bandwidth_count];
        if (roof->machine != machine || roof->reachable)
            continue;
        char text[400], number[32] = "";
        ridge__roof_text(text, sizeof text, chart, roof, slope);
        double ridge = slope ? RIDGE_UNKNOWN : ridge__chart_ridge(chart, roof);
        ridge__number_format(number, ridge, 3);
        int n = snprintf(buf + used, size - used, "%s%s%s%s%s", used ? ", " : "", text,
                         number[0] ? " (ridge " : "", number, number[0] ? ")" : "");
        if (n < 0 || used + (size_t)n + 4 > size || ridge__text_width(buf, font) > room) {
            memcpy(buf + used, used ? ", ..." : "", used ? 6 : 1);
            return;
        }
        used += (size_t)n;
    }
}

void ridge__svg_legend(ridge__svg *svg, double top)
{
    const ridge_chart *chart = svg->chart;
    double widest = 0;
    for (size_t m = 0; m < chart->machine_count; m++)
        widest = fmax(widest, ridge__text_width(chart->machine[m], font));
    for (unsigned m = 0; m < chart->machine_count && ridge__is_shared(chart); m++) {
        double x = svg->plot.x0, y = top + m * row_height;
        ridge__paint line = (ridge__paint)(RIDGE__LINE0 + m);
        char text[600];
        ridge__svg_line(svg, (ridge__stroke){x, y - 4.5, x + sample, y - 4.5}, line, 2.2,
                        ridge__svg_dash(chart, m));
        ridge__words words = {.x = x + sample + 10,
                              .y = y,
                              .size = font,
                              .paint = (ridge__paint)(RIDGE__TEXT0 + m),
                              .bold = true};
        ridge__svg_words(svg, &words, chart->machine[m]);
        words.x += widest * bolder + 14;
        words.bold = false;
        words.paint = RIDGE__DIM;
        roofs_text(text, sizeof text - 8, chart, m, svg->width - words.x - 24);
        ridge__svg_words(svg, &words, text);
    }
}
