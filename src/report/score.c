/* Scores as text, JSON and CSV: a row per group. */
#include "chart/chart.h"
#include "format/csv.h"
#include "format/json.h"
#include "report/page.h"
#include "table/table.h"

enum {
    NAME_WIDTH = 19, /* a longer name has a line of its own */
    ROWS_WIDTH = 7,
    WIDTH = 6
};

static const struct column {
    const char *key, *heading;
    size_t offset;
    int decimals;     /* 1 or 2, of percent */
    const char *says; /* under the table */
} columns[] = {
    {"mape", "MAPE", offsetof(ridge_score_group, mape), 1, "mean error"},
    {"median", "med", offsetof(ridge_score_group, median), 1, "median error"},
    {"p90", "p90", offsetof(ridge_score_group, p90), 1, "nine in ten are below"},
    {"bias", "bias", offsetof(ridge_score_group, bias), 1,
     "mean of ln(expected / measured): + is slow"},
    {"within_tenth", "in10", offsetof(ridge_score_group, within_tenth), 1,
     "rows with an error of at most 10 %"},
    {"coverage", "in80", offsetof(ridge_score_group, coverage), 1,
     "rows inside [low, high], which is meant to hold 80 %"},
    {"width", "width", offsetof(ridge_score_group, width), 1,
     "median of (high - low) / expected"},
    {"above_floor", "above", offsetof(ridge_score_group, above_floor), 2,
     "rows whose floor is above the measured time"},
};

static double figure(const ridge_score_group *group, const struct column *column)
{
    return *(const double *)(const void *)((const char *)group + column->offset);
}

/* ---- Text -------------------------------------------------------------------------- */

/* A blank before it, however wide it is. */
static void put_right(ridge__str *out, int width, const char *text)
{
    ridge__str_format(out, " %*s", width - 1, text);
}

/* A share in percent with a fixed number of decimals, so that points stand in a line; one
 * from 10 % on, and none where it would not fit its column. */
static const char *percent(char buf[32], double share, int decimals)
{
    const double large = 99999.5, wide = 999.95; /* of percent */
    double size = fabs(share) * 100;
    if (!(size < large))
        return ridge_known(share) ? "large" : "?";
    if (size >= 10)
        decimals = size >= wide ? 0 : 1;
    double scale = decimals == 2 ? 100 : decimals == 1 ? 10 : 1;
    unsigned long long n = (unsigned long long)round(size * scale);
    unsigned long long unit = (unsigned long long)scale;
    const char *sign = share < 0 && n > 0 ? "-" : "";
    if (decimals == 0)
        snprintf(buf, 32, "%s%llu", sign, n);
    else
        snprintf(buf, 32, "%s%llu.%0*llu", sign, n / unit, decimals, n % unit);
    return buf;
}

static void put_group(ridge__str *out, const ridge_score_group *g)
{
    char text[32];
    size_t size = strlen(g->name);
    ridge__str_text(out, g->name);
    if (size > NAME_WIDTH)
        ridge__str_text(out, "\n");
    ridge__str_fill(out, ' ', size > NAME_WIDTH ? NAME_WIDTH : NAME_WIDTH - size);
    snprintf(text, sizeof text, "%llu", (unsigned long long)g->rows);
    put_right(out, ROWS_WIDTH, text);
    snprintf(text, sizeof text, "%llu", (unsigned long long)g->empty);
    put_right(out, WIDTH, text);
    for (size_t i = 0; i < RIDGE__COUNT(columns); i++)
        put_right(out, WIDTH, percent(text, figure(g, &columns[i]), columns[i].decimals));
    ridge__str_text(out, "\n");
}

static void put_text(ridge__str *out, const ridge_score *score, const ridge_style *style)
{
    const ridge_score_group *g;
    ridge__color(out, style, "1");
    ridge__str_text(out, "group");
    ridge__str_fill(out, ' ', NAME_WIDTH - strlen("group"));
    put_right(out, ROWS_WIDTH, "rows");
    put_right(out, WIDTH, "empty");
    for (size_t i = 0; i < RIDGE__COUNT(columns); i++)
        put_right(out, WIDTH, columns[i].heading);
    ridge__color(out, style, "0");
    ridge__str_text(out, "\n");
    for (size_t i = 0; (g = ridge_score_at(score, i)) != NULL; i++)
        put_group(out, g);
    ridge__str_text(out, "\nall in %; error is |expected / measured - 1|\n");
    for (size_t i = 0; i < RIDGE__COUNT(columns); i++)
        ridge__row(out, columns[i].heading, columns[i].says);
}

/* ---- JSON and CSV ------------------------------------------------------------------ */

static void put_json(ridge__str *out, const ridge_score *score)
{
    const ridge_score_group *g;
    ridge__json j;
    ridge__json_init(&j, out);
    ridge__json_open(&j, NULL, '{');
    ridge__json_open(&j, "groups", '[');
    for (size_t i = 0; (g = ridge_score_at(score, i)) != NULL; i++) {
        ridge__json_open(&j, NULL, '{');
        ridge__json_text(&j, "group", g->name);
        ridge__json_number(&j, "rows", (double)g->rows);
        ridge__json_number(&j, "empty", (double)g->empty);
        for (size_t c = 0; c < RIDGE__COUNT(columns); c++)
            ridge__json_number(&j, columns[c].key, figure(g, &columns[c]));
        ridge__json_close(&j, '}');
    }
    ridge__json_close(&j, ']');
    ridge__json_close(&j, '}');
    ridge__str_text(out, "\n");
}

static void put_csv(ridge__str *out, const ridge_score *score)
{
    const ridge_score_group *g;
    ridge__str_text(out, "group,rows,empty");
    for (size_t c = 0; c < RIDGE__COUNT(columns); c++)
        ridge__str_format(out, ",%s", columns[c].key);
    ridge__str_text(out, "\n");
    for (size_t i = 0; (g = ridge_score_at(score, i)) != NULL; i++) {
        ridge__csv_cell(out, g->name, strlen(g->name));
        ridge__str_format(out, ",%llu,%llu", (unsigned long long)g->rows,
                          (unsigned long long)g->empty);
        for (size_t c = 0; c < RIDGE__COUNT(columns); c++) {
            char text[32] = "";
            ridge__number_format(text, figure(g, &columns[c]), 6);
            ridge__str_format(out, ",%s", text);
        }
        ridge__str_text(out, "\n");
    }
}

ridge_status ridge_score_write(const ridge_score *score, const ridge_style *style,
                               ridge_sink sink, ridge_error *err)
{
    ridge__str out;
    ridge__str_init(&out, 0, NULL);
    if (style->format == RIDGE_JSON)
        put_json(&out, score);
    else if (style->format == RIDGE_CSV)
        put_csv(&out, score);
    else
        put_text(&out, score, style);
    ridge_status status = ridge__str_send(&out, sink, err);
    ridge__str_clear(&out);
    return status;
}

/* "us" of "time_us", the name itself where it says no unit. */
static const char *unit_of(const char *column)
{
    const char *tail = strrchr(column, '_');
    return tail && tail[1] ? tail + 1 : column;
}

ridge_status ridge_score_draw(const ridge_score *score, const char *title,
                              const ridge_raster *raster, ridge_picture picture,
                              double scale, ridge_sink sink, ridge_error *err)
{
    size_t count = ridge__score_pairs(score);
    ridge__arena arena;
    ridge__str out;
    ridge__arena_init(&arena, NULL);
    ridge__str_init(&out, 0, NULL);
    ridge__pair *pairs = ridge__arena_alloc(&arena, count * sizeof *pairs);
    ridge_status status = RIDGE_OK;
    if (!pairs)
        RIDGE__TRY(ridge__error_set(err, RIDGE_NOMEM, "out of memory"));
    for (size_t i = 0; i < count; i++)
        ridge__score_pair(score, i, &pairs[i].measured, &pairs[i].expected);
    RIDGE__TRY(ridge__scatter_svg(&out, title && title[0] ? title : "Expected times",
                                  unit_of(ridge__score_truth(score)), pairs, count, err));
    RIDGE__TRY(
        raster ? ridge_raster_write(raster, picture, out.data, out.size, scale, sink, err)
               : ridge__str_send(&out, sink, err));
out:
    ridge__str_clear(&out);
    ridge__arena_clear(&arena);
    return status;
}
