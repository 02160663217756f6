/* Fitted constants: the fit file with its report as comments, JSON, CSV. */
#include "fit/fit.h"

#include "format/csv.h"
#include "format/json.h"
#include "report/page.h"

/* "gemm bf16 trtllm": what a group is of. */
static void group_name(ridge__str *out, const ridge__fit_group *g)
{
    ridge__str_text(out, g->made.op);
    for (int d = 0; d < RIDGE_DTYPE_COUNT && g->made.dtypes != UINT32_MAX; d++)
        if (g->made.dtypes >> d & 1u)
            ridge__str_format(out, " %s", ridge_dtype_name((ridge_dtype)d));
    ridge__str_format(out, " %s, %s", ridge__fit_form_name(g->made.form),
                      ridge_backend_name(g->made.backend));
}

/* ---- The file ---------------------------------------------------------------------- */

/* A comment, wrapped. */
RIDGE_PRINTF(2, 3) static void comment(ridge__str *out, const char *fmt, ...)
{
    enum {
        COLUMNS = 78
    };
    ridge__str text;
    va_list args;
    ridge__str_init(&text, 0, NULL);
    va_start(args, fmt);
    ridge__str_vformat(&text, fmt, args);
    va_end(args);
    size_t column = 0;
    for (const char *p = ridge__str_data(&text); *p;) {
        size_t size = strcspn(p, " ");
        if (column == 0 || column + 1 + size > COLUMNS) {
            ridge__str_text(out, column ? "\n#  " : "#");
            column = column ? 3 : 1;
        }
        ridge__str_format(out, " %.*s", (int)size, p);
        column += 1 + size;
        p += size + (p[size] == ' ');
    }
    ridge__str_text(out, "\n");
    ridge__str_clear(&text);
}

static void put_constants(ridge__str *out, const ridge__fit_group *g)
{
    for (size_t i = 0; i < g->constant_count; i++) {
        const ridge__fit_constant *c = &g->constant[i];
        if (c->free)
            comment(out, "  %s: %s was %s, within %s%s", c->schema->name,
                    RIDGE__Q(c->value, c->schema->unit),
                    RIDGE__Q(c->start, c->schema->unit), RIDGE__PERCENT(c->spread),
                    c->bound == 0 ? ""
                    : c->bound > 0
                        ? ", at its upper bound: the rows ask for more than it can be"
                        : ", at its lower bound: the rows ask for less than it can be");
    }
    ridge__str kept;
    ridge__str_init(&kept, 0, NULL);
    for (size_t i = 0; i < g->constant_count; i++)
        if (!g->constant[i].free && ridge_known(g->constant[i].start))
            ridge__str_format(&kept, " %s", g->constant[i].schema->name);
    if (kept.size)
        comment(out, "  kept, the rows do not determine them:%s", ridge__str_data(&kept));
    ridge__str_clear(&kept);
}

static void put_report(ridge__str *out, const ridge__fit_group *g)
{
    ridge__str name;
    ridge__str_init(&name, 0, NULL);
    group_name(&name, g);
    comment(out, "%s: %zu rows of %s, %zu of them kept apart%s", ridge__str_data(&name),
            g->row_count, g->made.parts, g->apart_count,
            g->apart_count == g->row_count ? " once each" : "");
    ridge__str_clear(&name);
    if (g->refused)
        comment(out, "  not fitted: %s", g->refused);
    if (g->after.rows == 0)
        return;
    comment(out, "  error on those: mean %s, was %s; median %s, was %s",
            RIDGE__PERCENT(g->after.mape), RIDGE__PERCENT(g->before.mape),
            RIDGE__PERCENT(g->after.median), RIDGE__PERCENT(g->before.median));
    comment(out, "  mean with 50 %% at most of each: %s, was %s",
            RIDGE__PERCENT(g->after.capped), RIDGE__PERCENT(g->before.capped));
    if (!g->refused)
        put_constants(out, g);
}

static void put_file(ridge__str *out, const ridge_fitting *f)
{
    if (f->unused)
        comment(out, "%zu of %zu rows not used; the first is %s", f->unused, f->row_count,
                f->unused_why);
    for (size_t i = 0; i < f->group_count; i++)
        put_report(out, &f->group[i]);
    ridge__str_format(out, "key: %s\nfits:\n", f->key);
    const char *gap = "";
    for (size_t i = 0; i < f->group_count; i++) {
        ridge_fit made = f->group[i].made;
        if (f->group[i].refused)
            continue;
        char from[600];
        snprintf(from, sizeof from, "%.400s: %zu rows, %zu of them kept apart", f->from,
                 f->group[i].row_count, f->group[i].apart_count);
        made.from = from;
        made.date = f->date;
        ridge__str_text(out, gap);
        ridge__fit_write(out, &made);
        gap = "\n";
    }
}

/* ---- JSON and CSV ------------------------------------------------------------------ */

static void put_errors(ridge__json *j, const char *key, const ridge__fit_errors *e)
{
    ridge__json_open(j, key, '{');
    ridge__json_number(j, "mape", e->mape);
    ridge__json_number(j, "median", e->median);
    ridge__json_number(j, "p90", e->p90);
    ridge__json_close(j, '}');
}

static void put_group_json(ridge__json *j, const ridge__fit_group *g)
{
    ridge__str name;
    ridge__str_init(&name, 0, NULL);
    group_name(&name, g);
    ridge__json_open(j, NULL, '{');
    ridge__json_text(j, "group", ridge__str_data(&name));
    ridge__json_text(j, "parts", g->made.parts);
    ridge__json_number(j, "rows", (double)g->row_count);
    ridge__json_number(j, "apart", (double)g->apart_count);
    ridge__json_text(j, "refused", g->refused);
    put_errors(j, "before", &g->before);
    put_errors(j, "after", &g->after);
    ridge__json_open(j, "constants", '[');
    for (size_t i = 0; i < g->constant_count; i++) {
        const ridge__fit_constant *c = &g->constant[i];
        if (!ridge_known(c->start))
            continue;
        ridge__json_open(j, NULL, '{');
        ridge__json_text(j, "name", c->schema->name);
        ridge__json_number(j, "start", c->start);
        ridge__json_number(j, "value", c->value);
        ridge__json_bool(j, "fitted", c->free);
        ridge__json_number(j, "spread", c->spread);
        ridge__json_text(j, "bound",
                         c->bound == 0  ? NULL
                         : c->bound > 0 ? "upper"
                                        : "lower");
        ridge__json_close(j, '}');
    }
    ridge__json_close(j, ']');
    ridge__json_close(j, '}');
    ridge__str_clear(&name);
}

static void put_json(ridge__str *out, const ridge_fitting *f)
{
    ridge__json j;
    ridge__json_init(&j, out);
    ridge__json_open(&j, NULL, '{');
    ridge__json_text(&j, "key", f->key);
    ridge__json_number(&j, "rows", (double)f->row_count);
    ridge__json_number(&j, "unused", (double)f->unused);
    ridge__json_open(&j, "groups", '[');
    for (size_t i = 0; i < f->group_count; i++)
        put_group_json(&j, &f->group[i]);
    ridge__json_close(&j, ']');
    ridge__json_close(&j, '}');
    ridge__str_text(out, "\n");
}

static void put_csv(ridge__str *out, const ridge_fitting *f)
{
    ridge__str_text(out, "group,constant,start,value,fitted,spread\n");
    for (size_t k = 0; k < f->group_count; k++) {
        const ridge__fit_group *g = &f->group[k];
        ridge__str name;
        ridge__str_init(&name, 0, NULL);
        group_name(&name, g);
        for (size_t i = 0; i < g->constant_count; i++) {
            const ridge__fit_constant *c = &g->constant[i];
            char start[32] = "", value[32] = "", spread[32] = "";
            if (!ridge__number_shortest(start, c->start))
                continue;
            ridge__number_shortest(value, c->value);
            ridge__number_format(spread, c->spread, 4);
            ridge__csv_cell(out, ridge__str_data(&name), name.size);
            ridge__str_format(out, ",%s,%s,%s,%d,%s\n", c->schema->name, start, value,
                              c->free, spread);
        }
        ridge__str_clear(&name);
    }
}

ridge_status ridge_fitting_write(const ridge_fitting *f, const ridge_style *style,
                                 ridge_sink sink, ridge_error *err)
{
    ridge__str out;
    ridge__str_init(&out, 0, NULL);
    if (style->format == RIDGE_JSON)
        put_json(&out, f);
    else if (style->format == RIDGE_CSV)
        put_csv(&out, f);
    else
        put_file(&out, f);
    ridge_status status = ridge__str_send(&out, sink, err);
    ridge__str_clear(&out);
    return status;
}
