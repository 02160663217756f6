/* The list of operations, and one in full. */
#include "op/op.h"
#include "base/base.h"
#include "format/csv.h"
#include "format/json.h"

#include <string.h>

enum {
    WIDTH = 80,      /* columns where the style says none */
    WIDTH_MIN = 40,  /* narrower than that no text is wrapped well */
    LABEL = 13,      /* width of the left column */
    NAME_WIDTH = 19, /* of parameters */
    LIST_WIDTH = 25, /* of the names in the list */
    KIND_WIDTH = 9
};

/* ---- Text -------------------------------------------------------------------------- */

static void pad(ridge__str *out, const char *text, size_t width)
{
    size_t size = strlen(text);
    ridge__str_text(out, text);
    ridge__str_fill(out, ' ', size < width ? width - size : 1);
}

/* Words of `text` from column `indent` on; further lines begin there too.  `joint` ends
 * every line but the last; width leaves room for it. */
static void wrap_joint(ridge__str *out, const char *text, size_t indent, size_t width,
                       const char *joint)
{
    size_t column = indent;
    for (size_t n; *text; text += n, text += strspn(text, " ")) {
        n = strcspn(text, " ");
        if (column > indent && column + 1 + n > width) {
            ridge__str_format(out, "%s\n", joint);
            ridge__str_fill(out, ' ', indent);
            column = indent;
        } else if (column > indent) {
            ridge__str_text(out, " ");
            column++;
        }
        ridge__str_add(out, text, n);
        column += n;
    }
    ridge__str_text(out, "\n");
}

static void wrap(ridge__str *out, const char *text, size_t indent, size_t width)
{
    wrap_joint(out, text, indent, width, "");
}

/* A text that was built for wrapping: its failure is out's. */
static void drop(ridge__str *out, ridge__str *text)
{
    out->failed = out->failed || text->failed;
    ridge__str_clear(text);
}

/* A label and its text; nothing where there is no text. */
static void field(ridge__str *out, const char *label, const char *text, size_t width)
{
    if (!text || !text[0])
        return;
    pad(out, label, LABEL);
    wrap(out, text, LABEL, width);
}

/* A formula without the braces that mark its names, and with air around the signs. */
static void formula_text(ridge__str *out, const char *formula)
{
    for (; *formula; formula++) {
        if (*formula == '*' || *formula == '/')
            ridge__str_format(out, " %c ", *formula);
        else if (*formula != '{' && *formula != '}')
            ridge__str_add(out, formula, 1);
    }
}

static void formula_field(ridge__str *out, const char *label, const char *formula,
                          size_t width)
{
    ridge__str text;
    ridge__str_init(&text, 0, &out->allocator);
    formula_text(&text, formula);
    field(out, label, ridge__str_data(&text), width);
    drop(out, &text);
}

/* "sa, sb are the bytes per element of a, b", for the letters that the formula uses. */
static void element_field(ridge__str *out, const ridge_op *op, size_t width)
{
    ridge__str text;
    ridge__str_init(&text, 0, &out->allocator);
    for (size_t i = 0; i < op->operand_count; i++) {
        char name[] = {'{', 's', (char)('a' + (int)i), '}', '\0'};
        if (strstr(op->bytes_formula, name))
            ridge__str_format(&text, "%ss%c: %s", text.size ? ", " : "", name[2],
                              op->operands[i]);
    }
    if (text.size)
        ridge__str_text(&text, " (bytes per element of each)");
    if (op->symbols)
        ridge__str_format(&text, "%s%s", text.size ? "; " : "", op->symbols);
    field(out, "", ridge__str_data(&text), width);
    drop(out, &text);
}

static const char *kind_text(const ridge__param *p)
{
    static const char *const units[] = {
        [RIDGE_UNIT_NONE] = "number",
        [RIDGE_UNIT_BYTES] = "bytes",
        [RIDGE_UNIT_FLOP] = "FLOP",
        [RIDGE_UNIT_S] = "seconds",
        [RIDGE_UNIT_FLOP_PER_BYTE] = "FLOP/B",
    };
    switch (p->kind) {
    case RIDGE_PARAM_COUNT:
        return "count";
    case RIDGE_PARAM_DTYPE:
        return "dtype";
    case RIDGE_PARAM_BOOL:
        return "0 or 1";
    case RIDGE_PARAM_WORD:
        return "word";
    case RIDGE_PARAM_LIST:
        return "list";
    case RIDGE_PARAM_QUANTITY:
        break;
    }
    return (size_t)p->unit < RIDGE__COUNT(units) && units[p->unit] ? units[p->unit]
                                                                   : "quantity";
}

/* The default of a parameter as a user would write it; "" where none is fixed. */
static const char *fallback_text(const ridge__param *p, char buf[32])
{
    buf[0] = '\0';
    if (!ridge_known(p->fallback))
        return buf;
    if (p->kind == RIDGE_PARAM_WORD) {
        const char *word = p->words;
        for (int i = (int)p->fallback; i > 0 && word; i--)
            word = strchr(word, ' ') ? strchr(word, ' ') + 1 : NULL;
        size_t size = word ? strcspn(word, " ") : 0;
        if (word && size < 32) {
            memcpy(buf, word, size);
            buf[size] = '\0';
        }
    } else if (p->kind == RIDGE_PARAM_DTYPE) {
        return ridge_dtype_name((ridge_dtype)p->fallback);
    } else {
        ridge__number_format(buf, p->fallback, 6);
    }
    return buf;
}

static void param_text(ridge__str *out, const ridge__param *p, size_t width)
{
    char buf[32];
    ridge__str text;
    ridge__str_init(&text, 0, &out->allocator);
    ridge__str_text(out, "  ");
    pad(out, p->name, NAME_WIDTH - 2);
    pad(out, p->required ? "required" : fallback_text(p, buf), KIND_WIDTH);
    pad(out, kind_text(p), KIND_WIDTH);
    ridge__str_text(&text, p->help);
    if (p->words) {
        ridge__str_text(&text, "; one of ");
        ridge__str_text(&text, p->words);
    }
    if (p->aliases) {
        ridge__str_text(&text, "; also ");
        ridge__str_text(&text, p->aliases);
    }
    wrap(out, ridge__str_data(&text), NAME_WIDTH + 2 * KIND_WIDTH, width);
    drop(out, &text);
}

/* A command to paste: a shell joins its lines. */
static void example_field(ridge__str *out, const ridge_op *op, size_t width)
{
    static const char joint[] = " \\";
    ridge__str text;
    ridge__str_init(&text, 0, &out->allocator);
    ridge__str_format(&text, "ridge kernel %s %s --gpu h100-sxm", op->name, op->example);
    pad(out, "example", LABEL);
    wrap_joint(out, ridge__str_data(&text), LABEL, width - strlen(joint), joint);
    drop(out, &text);
}

static void op_text(ridge__str *out, const ridge_op *op, size_t width)
{
    ridge__str_format(out, "%s - %s\n", op->name, op->title);
    field(out, "also", op->aliases, width);
    field(out, "family", op->family, width);
    ridge__str_text(out, "\n  parameter       default  kind     meaning\n");
    for (size_t i = 0; i < op->param_count; i++)
        param_text(out, &op->params[i], width);
    ridge__str_text(out, "\n");
    formula_field(out, "FLOP", op->flop_formula, width);
    if (op->executed_formula)
        formula_field(out, "executed", op->executed_formula, width);
    formula_field(out, "bytes", op->bytes_formula, width);
    element_field(out, op, width);
    field(out, "intensity", op->growth, width);
    field(out, "not counted", op->not_counted, width);
    field(out, "assumes", op->assumes, width);
    field(out, "source", op->source, width);
    ridge__str_text(out, "\n");
    example_field(out, op, width);
}

/* The ops of a family, wherever they stand in the table. */
static void family_text(ridge__str *out, const char *family, size_t width)
{
    const ridge_op *op;
    ridge__str_format(out, "%s\n", family);
    for (size_t i = 0; (op = ridge_op_at(i)) != NULL; i++) {
        if (strcmp(family, op->family) != 0)
            continue;
        ridge__str_text(out, "  ");
        pad(out, op->name, LIST_WIDTH - 2);
        wrap(out, op->title, LIST_WIDTH, width);
    }
    ridge__str_text(out, "\n");
}

static void list_text(ridge__str *out, size_t width)
{
    const ridge_op *op, *other;
    for (size_t i = 0; (op = ridge_op_at(i)) != NULL; i++) {
        size_t first = 0;
        while ((other = ridge_op_at(first)) != NULL &&
               strcmp(other->family, op->family) != 0)
            first++;
        if (first == i)
            family_text(out, op->family, width);
    }
    ridge__str_text(out, "`ridge op NAME` shows parameters, formulas and an example.\n");
}

/* ---- JSON -------------------------------------------------------------------------- */

static void words_json(ridge__json *j, ridge__str *scratch, const char *key,
                       const char *words)
{
    ridge__json_open(j, key, '[');
    for (size_t n; words && *words; words += n, words += strspn(words, " ")) {
        n = strcspn(words, " ");
        ridge__str_reset(scratch);
        ridge__str_add(scratch, words, n);
        ridge__json_text(j, NULL, ridge__str_data(scratch));
    }
    ridge__json_close(j, ']');
}

static void param_json(ridge__json *j, ridge__str *scratch, const ridge__param *p)
{
    char buf[32];
    const char *fallback = fallback_text(p, buf);
    ridge__json_open(j, NULL, '{');
    ridge__json_text(j, "name", p->name);
    words_json(j, scratch, "aliases", p->aliases);
    ridge__json_text(j, "kind", kind_text(p));
    ridge__json_bool(j, "required", p->required);
    ridge__json_text(j, "default", fallback[0] ? fallback : NULL);
    words_json(j, scratch, "words", p->words);
    ridge__json_text(j, "help", p->help);
    ridge__json_close(j, '}');
}

static void op_json(ridge__json *j, ridge__str *scratch, const ridge_op *op)
{
    ridge__json_open(j, NULL, '{');
    ridge__json_text(j, "op", op->name);
    words_json(j, scratch, "aliases", op->aliases);
    ridge__json_text(j, "family", op->family);
    ridge__json_text(j, "title", op->title);
    ridge__json_open(j, "params", '[');
    for (size_t i = 0; i < op->param_count; i++)
        param_json(j, scratch, &op->params[i]);
    ridge__json_close(j, ']');
    ridge__json_open(j, "operands", '[');
    for (size_t i = 0; i < op->operand_count; i++)
        ridge__json_text(j, NULL, op->operands[i]);
    ridge__json_close(j, ']');
    ridge__json_text(j, "flop_formula", op->flop_formula);
    ridge__json_text(j, "executed_formula", op->executed_formula);
    ridge__json_text(j, "bytes_formula", op->bytes_formula);
    ridge__json_text(j, "intensity", op->growth);
    ridge__json_text(j, "not_counted", op->not_counted);
    ridge__json_text(j, "assumes", op->assumes);
    ridge__json_text(j, "source", op->source);
    ridge__json_text(j, "example", op->example);
    ridge__json_close(j, '}');
}

static void write_json(ridge__str *out, const ridge_op *op)
{
    ridge__json j;
    ridge__str scratch;
    const ridge_op *each;
    ridge__str_init(&scratch, 0, &out->allocator);
    ridge__json_init(&j, out);
    if (op) {
        op_json(&j, &scratch, op);
    } else {
        ridge__json_open(&j, NULL, '[');
        for (size_t i = 0; (each = ridge_op_at(i)) != NULL; i++)
            op_json(&j, &scratch, each);
        ridge__json_close(&j, ']');
    }
    ridge__str_text(out, "\n");
    drop(out, &scratch);
}

/* ---- CSV --------------------------------------------------------------------------- */

static void row_csv(ridge__str *out, const ridge_op *op)
{
    const char *const cells[] = {op->name,         op->family,        op->title,
                                 op->flop_formula, op->bytes_formula, op->growth,
                                 op->not_counted,  op->source,        op->example};
    for (size_t i = 0; i < RIDGE__COUNT(cells); i++) {
        if (i)
            ridge__str_text(out, ",");
        ridge__csv_cell(out, cells[i], strlen(cells[i]));
    }
    ridge__str_text(out, "\n");
}

static void write_csv(ridge__str *out, const ridge_op *op)
{
    const ridge_op *each;
    ridge__str_text(out, "op,family,title,flop_formula,bytes_formula,intensity,"
                         "not_counted,source,example\n");
    if (op)
        row_csv(out, op);
    else
        for (size_t i = 0; (each = ridge_op_at(i)) != NULL; i++)
            row_csv(out, each);
}

ridge_status ridge_op_write(const ridge_op *op, const ridge_style *style, ridge_sink sink,
                            ridge_error *err)
{
    ridge__str out;
    size_t width = style->width ? style->width : WIDTH;
    if (width < WIDTH_MIN)
        width = WIDTH_MIN;
    ridge__str_init(&out, 0, NULL);
    if (style->format == RIDGE_JSON)
        write_json(&out, op);
    else if (style->format == RIDGE_CSV)
        write_csv(&out, op);
    else if (op)
        op_text(&out, op, width);
    else
        list_text(&out, width);
    ridge_status status = ridge__str_send(&out, sink, err);
    ridge__str_clear(&out);
    return status;
}
