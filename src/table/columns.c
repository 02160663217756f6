#include "table/table.h"

#include <string.h>

static const char *const added[] = {"floor_us", "expected_us", "low_us",  "high_us",
                                    "bound",    "basis",       "warnings"};

/* The last two only where they are asked for. */
static bool is_added(const char *name, bool basis)
{
    for (size_t i = 0; i < RIDGE__COUNT(added) - (basis ? 0 : 2); i++)
        if (strcmp(name, added[i]) == 0)
            return true;
    return false;
}

static ridge_status twice(const char *first, const char *second, const char *what,
                          ridge_error *err)
{
    return ridge__error_set(
        err, RIDGE_SYNTAX,
        "columns \"%s\" and \"%s\" both give %s; one of them is wanted",
        RIDGE__QUOTE(first), RIDGE__QUOTE(second), what);
}

/* Columns that are no parameters. */
static ridge_status find_roles(ridge__columns *c, const ridge__csv_row *header,
                               bool basis, ridge_error *err)
{
    const struct {
        const char *name;
        size_t *column;
    } roles[] = {{"gpu", &c->gpu},         {"system", &c->system}, {"op", &c->op},
                 {"backend", &c->backend}, {"timing", &c->timing}, {"kernel", &c->kernel},
                 {"version", &c->version}};
    for (size_t r = 0; r < RIDGE__COUNT(roles); r++)
        *roles[r].column = RIDGE__NO_COLUMN;
    for (size_t i = 0; i < c->count; i++) {
        const char *name = ridge__csv_row_field(header, i, NULL);
        if (is_added(name, basis))
            return ridge__error_set(err, RIDGE_SYNTAX,
                                    "column \"%s\" is there already; predictions are "
                                    "added to a table without them",
                                    name);
        for (size_t r = 0; r < RIDGE__COUNT(roles); r++) {
            if (strcmp(name, roles[r].name) != 0)
                continue;
            if (*roles[r].column != RIDGE__NO_COLUMN)
                return twice(name, name, name, err);
            *roles[r].column = i;
        }
    }
    return RIDGE_OK;
}

static ridge_status bind(ridge__binding *b, const ridge_op *op,
                         const ridge__csv_row *header,
                         const ridge_predict_options *options, ridge_error *err)
{
    ridge_status status = ridge_call_init(&b->call, ridge_op_name(op), err);
    if (status)
        return status;
    b->call.backend = (uint8_t)options->backend;
    b->call.timing = (uint8_t)options->timing;
    size_t column_of[RIDGE_ARG_MAX];
    for (size_t p = 0; p < RIDGE_ARG_MAX; p++)
        column_of[p] = RIDGE__NO_COLUMN;
    for (size_t i = 0; i < ridge__csv_row_count(header); i++) {
        size_t size;
        const char *name = ridge__csv_row_field(header, i, &size);
        size_t p = size > 0 ? ridge__op_param(op, name, size) : op->param_count;
        if (p >= op->param_count)
            continue;
        if (column_of[p] != RIDGE__NO_COLUMN)
            return twice(ridge__csv_row_field(header, column_of[p], NULL), name,
                         op->params[p].name, err);
        column_of[p] = i;
        b->cell[b->count].column = (uint16_t)i;
        b->cell[b->count].param = (uint8_t)p;
        b->count++;
    }
    return RIDGE_OK;
}

/* Only where all rows have one op: those of a family need different columns. */
static ridge_status check_required(const ridge__binding *b, ridge_error *err)
{
    const ridge_op *op = b->call.op;
    char missing[256] = "";
    size_t used = 0;
    for (size_t p = 0; p < op->param_count; p++) {
        bool found = !op->params[p].required;
        for (size_t i = 0; i < b->count; i++)
            found = found || b->cell[i].param == p;
        size_t size = strlen(op->params[p].name);
        if (found || used + size + 3 > sizeof missing)
            continue;
        memcpy(missing + used, ", ", 2);
        memcpy(missing + used + 2, op->params[p].name, size + 1);
        used += size + 2;
    }
    if (used == 0)
        return RIDGE_OK;
    return ridge__error_set(
        err, RIDGE_SYNTAX, "the header has no column for %s; op %s needs %s", missing + 2,
        op->name, strchr(missing + 2, ',') ? "them" : "it");
}

/* Bindings of the op, or of each op of the family. */
static ridge_status find_ops(ridge__columns *c, const ridge__csv_row *header,
                             const ridge_predict_options *options, ridge__arena *arena,
                             ridge_error *err)
{
    const ridge_op *base = ridge_op_find(options->op);
    bool family = c->op != RIDGE__NO_COLUMN && ridge__op_is_family(options->op);
    if (!base && !family)
        return ridge__error_set(err, RIDGE_SYNTAX,
                                "the header has no column \"op\"; %s is a family, and "
                                "each row must name its op",
                                c->what);
    c->family = family;
    size_t total = family ? ridge_op_total() : 1;
    c->bindings = ridge__arena_alloc(arena, total * sizeof *c->bindings);
    if (!c->bindings)
        return ridge__error_set(err, RIDGE_NOMEM, "out of memory");
    for (size_t i = 0; i < total; i++) {
        const ridge_op *op = family ? ridge_op_at(i) : base;
        if (family && op != base && strcmp(op->family, options->op) != 0)
            continue;
        ridge__binding *b = &c->bindings[c->binding_count++];
        ridge_status status = bind(b, op, header, options, err);
        if (status)
            return status;
        if (op == base)
            c->base = b;
    }
    return family ? RIDGE_OK : check_required(c->base, err);
}

ridge_status ridge__columns_read(ridge__columns *out, const ridge__csv_row *header,
                                 const ridge_predict_options *options,
                                 ridge__arena *arena, ridge_error *err)
{
    ridge__columns c = {.what = options->op, .count = ridge__csv_row_count(header)};
    size_t first;
    ridge__csv_row_field(header, 0, &first);
    if (c.count <= 1 && first == 0)
        return ridge__error_set(err, RIDGE_SYNTAX,
                                "no header; a line with the names of the columns is "
                                "wanted");
    ridge_status status = find_roles(&c, header, options->basis, err);
    if (!status)
        status = find_ops(&c, header, options, arena, err);
    if (!status && c.gpu == RIDGE__NO_COLUMN && c.system == RIDGE__NO_COLUMN &&
        !options->machine)
        status =
            ridge__error_set(err, RIDGE_INVALID,
                             "no GPU is given, and the header has no column \"gpu\"; "
                             "one of the two is wanted");
    if (!status)
        *out = c;
    return status;
}

ridge_status ridge__columns_binding(const ridge__binding **out,
                                    const ridge__columns *columns, const char *name,
                                    ridge_error *err)
{
    const ridge_op *op = name[0] ? ridge_op_find(name) : NULL;
    /* Where all rows have one op, an unknown word is a layer's name and the like. */
    bool base = !name[0] || (!op && !columns->family);
    const ridge__binding *found = base ? columns->base : NULL;
    for (size_t i = 0; op && i < columns->binding_count; i++)
        if (columns->bindings[i].call.op == op)
            found = &columns->bindings[i];
    if (!found && op)
        return ridge__error_set(err, RIDGE_INVALID, "op: \"%s\" is not of %s",
                                RIDGE__QUOTE(name), columns->what);
    if (!found && !name[0])
        return ridge__error_set(err, RIDGE_INVALID,
                                "op: the cell is empty; an op of %s is wanted",
                                columns->what);
    if (!found)
        return ridge__error_set(err, RIDGE_NOTFOUND, "op: no op is called \"%s\"",
                                RIDGE__QUOTE(name));
    *out = found;
    return RIDGE_OK;
}
