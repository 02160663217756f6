#include "fit/fit.h"

#include <stdlib.h>
#include <string.h>

static bool known_constant(const ridge_fitting *f, const char *name, size_t size)
{
    for (size_t g = 0; g < f->group_count; g++)
        for (size_t i = 0; i < f->group[g].constant_count; i++)
            if (ridge__text_is(f->group[g].constant[i].schema->name, name, size))
                return true;
    return false;
}

static ridge_status check_names(const ridge_fitting *f, const char *names,
                                ridge_error *err)
{
    for (const char *at = names ? names : ""; *at;) {
        size_t size = strcspn(at, ",");
        if (!known_constant(f, at, size)) {
            char name[64];
            snprintf(name, sizeof name, "%.*s", size < 60 ? (int)size : 60, at);
            return ridge__error_set(err, RIDGE_NOTFOUND,
                                    "no constant of these rows is called \"%s\"; "
                                    "`ridge fit` without a list shows their names",
                                    RIDGE__QUOTE(name));
        }
        at += size + (at[size] == ',');
    }
    return RIDGE_OK;
}

/* Both answer the same calls, each made of rows of another library's entry. */
static bool contest(const ridge__fit_group *a, const ridge__fit_group *b)
{
    return a->made.backend == b->made.backend && a->start->backend != b->start->backend &&
           a->made.form == b->made.form && (a->made.dtypes & b->made.dtypes) &&
           (a->made.kv_dtypes & b->made.kv_dtypes);
}

/*
 * Rows of `best` that rest on several libraries' entries: which is the fastest changes with
 * the size, and an entry of `best` made of one of them would answer for the sizes of all.
 */
static void refuse_contested(ridge_fitting *f)
{
    for (size_t i = 0; i < f->group_count; i++) {
        ridge__fit_group *g = &f->group[i];
        for (size_t k = 0; k < f->group_count && !g->refused; k++)
            if (g->made.backend != g->start->backend && contest(g, &f->group[k]))
                g->refused = g->why;
        if (g->refused)
            snprintf(g->why, sizeof g->why,
                     "expected of %s, where other rows are of other libraries: a column "
                     "backend that names the rows' own is needed",
                     ridge_backend_name(g->start->backend));
    }
}

static ridge_status solve_all(ridge_fitting *f, const char *constants, ridge_error *err)
{
    refuse_contested(f);
    for (size_t g = 0; g < f->group_count; g++) {
        ridge_status status = ridge__fit_solve(&f->group[g], constants, err);
        if (status)
            return status;
    }
    if (f->group_count == 0)
        return ridge__error_set(err, RIDGE_NODATA, "no row can be used: %s",
                                f->unused_why ? f->unused_why : "there is none");
    if (ridge_fitting_refused(f) == f->group_count)
        return ridge__error_set(err, RIDGE_NODATA, "nothing could be fitted: %s",
                                f->group[0].refused);
    return RIDGE_OK;
}

ridge_status ridge_fitting_run(ridge_fitting **out, const char *path,
                               const ridge_fitting_options *options, ridge_error *err)
{
    ridge_status status = RIDGE_OK;
    ridge_fitting *f = calloc(1, sizeof *f);
    if (!f)
        return ridge__error_set(err, RIDGE_NOMEM, "out of memory");
    f->options = options->rows;
    ridge__arena_init(&f->arena, NULL);
    ridge__machines_init(&f->machines, &f->options, NULL);
    f->pool = options->pool;
    f->key = ridge__arena_text(&f->arena,
                               options->pool && !options->key ? "any" : options->key);
    f->date = ridge__arena_text(&f->arena, options->date);
    f->from = ridge__arena_text(&f->arena,
                                options->from ? options->from : ridge__input_title(path));
    if (!f->options.op)
        RIDGE__TRY(ridge__error_set(err, RIDGE_INVALID,
                                    "no op is given; an op or a family is wanted"));
    if (options->key && !ridge__id_valid(options->key))
        RIDGE__TRY(ridge__error_set(err, RIDGE_INVALID,
                                    "the key \"%s\" has other characters than a-z, 0-9, "
                                    "dot, - and _",
                                    RIDGE__QUOTE(options->key)));
    RIDGE__TRY(ridge__fitting_read(f, path, err));
    RIDGE__TRY(check_names(f, options->constants, err));
    RIDGE__TRY(solve_all(f, options->constants, err));
    *out = f;
    f = NULL;
out:
    ridge_fitting_free(f);
    return status;
}

size_t ridge_fitting_left_out(const ridge_fitting *f, size_t index, char *buf,
                              size_t size)
{
    int length = 0;
    if (f->unused > 0 && index-- == 0) {
        length = snprintf(buf, size, "%zu of %zu rows not used; the first is %s",
                          f->unused, f->row_count, f->unused_why);
        return length < 0 ? 0 : (size_t)length;
    }
    for (size_t i = 0; i < f->group_count; i++) {
        const ridge__fit_group *g = &f->group[i];
        if (!g->refused || index-- > 0)
            continue;
        length = snprintf(buf, size, "%zu of %zu rows not fitted (%s, %s): %s",
                          g->row_count, f->row_count, g->made.op,
                          ridge_backend_name(g->start->backend), g->refused);
        break;
    }
    return length < 0 ? 0 : (size_t)length;
}

size_t ridge_fitting_refused(const ridge_fitting *f)
{
    size_t count = 0;
    for (size_t g = 0; g < f->group_count; g++)
        count += f->group[g].refused != NULL;
    return count;
}

void ridge_fitting_free(ridge_fitting *f)
{
    if (!f)
        return;
    ridge__machines_clear(&f->machines);
    ridge__arena_clear(&f->arena);
    free(f);
}
