#include "report/page.h"

#include "machine/machine.h"
#include "op/op.h"

#include <stdio.h>

enum {
    WIDTH = 80,
    LABEL = 14
};

const char *ridge__quantity_text(char *buf, size_t size, double value, ridge_unit unit)
{
    ridge_quantity_format(buf, size, value, unit);
    return buf;
}

const char *ridge__plain_text(char *buf, double value, int digits)
{
    if (!ridge__number_format(buf, value, digits))
        memcpy(buf, "?", 2);
    return buf;
}

const char *ridge__peak_name(char *buf, size_t size, const ridge_estimate *estimate,
                             const ridge_machine *machine)
{
    ridge_pipe pipe = estimate->pipe;
    buf[0] = '\0';
    if (estimate->work.dtype >= RIDGE_DTYPE_COUNT || pipe >= RIDGE_PIPE_COUNT)
        return buf;
    ridge_dtype math = ridge__dtype((ridge_dtype)estimate->work.dtype)->math;
    ridge_dtype dtype = math;
    ridge__machine_stand_in(machine, &dtype, &pipe);
    bool other = dtype != math || pipe != estimate->pipe;
    snprintf(buf, size, "%s %s%s%s", ridge_dtype_name(dtype), ridge_pipe_name(pipe),
             other ? ", for " : "", other ? ridge_dtype_name(math) : "");
    return buf;
}

const char *ridge__share_text(char *buf, size_t size, double share)
{
    /* One decimal from 10 % on, three digits below. */
    double percent = share * 100;
    bool large = fabs(percent) >= 10;
    snprintf(buf, size, "%s %%",
             ridge__plain_text((char[48]){0}, large ? round(percent * 10) / 10 : percent,
                               large ? 6 : 3));
    return buf;
}

const char *ridge__binary_text(char *buf, double bytes)
{
    static const char *const prefixes[] = {"MiB", "GiB", "TiB"};
    double value = bytes / (1024.0 * 1024.0);
    size_t i = 0;
    buf[0] = '\0';
    if (!(value >= 1))
        return buf;
    for (; value >= 1024 && i + 1 < RIDGE__COUNT(prefixes); i++)
        value /= 1024;
    snprintf(buf, 48, " (%s %s)", ridge__plain_text((char[48]){0}, value, 3),
             prefixes[i]);
    return buf;
}

/* value as 989.4e12: at most three digits before the point. */
static void engineering(char *buf, double value, int digits)
{
    int exponent = 0;
    double scaled = value;
    while (fabs(scaled) >= 1e3 && exponent < 300) {
        exponent += 3;
        scaled = value / pow(10, exponent);
    }
    while (fabs(scaled) < 1 && exponent > -300) {
        exponent -= 3;
        scaled = value * pow(10, -exponent);
    }
    size_t size = ridge__number_format(buf, scaled, digits);
    if (exponent)
        snprintf(buf + size, 8, "e%d", exponent);
}

const char *ridge__exact_text(char *buf, double value)
{
    enum {
        SHORT = 6,
        LONG = 7
    };
    double again;
    const char *end;
    if (!ridge_known(value))
        return "?";
    if (value == 0 || (fabs(value) >= 0.01 && fabs(value) < 1e6)) {
        ridge__number_format(buf, value, LONG);
        return buf;
    }
    engineering(buf, value, SHORT);
    if (!ridge__number_parse(&again, buf, &end) && again == value)
        return buf;
    /* A count keeps all its digits, so that sums come out to the last one. */
    if (value == floor(value) && fabs(value) < 1e15)
        ridge__number_shortest(buf, value);
    else
        engineering(buf, value, LONG);
    return buf;
}

/* Columns of the first `size` bytes: UTF-8 continuation bytes take none. */
static size_t columns(const char *text, size_t size)
{
    size_t n = 0;
    for (size_t i = 0; i < size; i++)
        n += ((unsigned char)text[i] & 0xc0) != 0x80;
    return n;
}

void ridge__wrap(ridge__str *out, size_t column, size_t indent, const char *text)
{
    bool first = column >= indent; /* nothing separates it from what is there */
    if (column < indent) {
        ridge__str_fill(out, ' ', indent - column);
        column = indent;
        first = true;
    }
    while (*text) {
        size_t size = strcspn(text, " ");
        size_t width = columns(text, size);
        if (!first && column + 1 + width > WIDTH) {
            ridge__str_add(out, "\n", 1);
            ridge__str_fill(out, ' ', indent);
            column = indent;
        } else if (!first) {
            ridge__str_add(out, " ", 1);
            column++;
        }
        ridge__str_add(out, text, size);
        column += width;
        first = false;
        text += size;
        text += strspn(text, " ");
    }
    ridge__str_add(out, "\n", 1);
}

void ridge__row(ridge__str *out, const char *label, const char *text)
{
    size_t size = strlen(label);
    ridge__str_format(out, "  %s", label);
    if (size + 2 >= LABEL) { /* a long label keeps one blank behind it */
        ridge__str_add(out, " ", 1);
        ridge__wrap(out, size + 3, LABEL, text);
        return;
    }
    ridge__wrap(out, size + 2, LABEL, text);
}

void ridge__row_format(ridge__str *out, const char *label, const char *fmt, ...)
{
    char text[1024];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    ridge__row(out, label, text);
}

void ridge__color(ridge__str *out, const ridge_style *style, const char *code)
{
    if (style->color)
        ridge__str_format(out, "\033[%sm", code);
}

void ridge__heading(ridge__str *out, const ridge_style *style, const char *text)
{
    ridge__str_add(out, "\n", 1);
    ridge__color(out, style, "1");
    ridge__str_text(out, text);
    ridge__color(out, style, "0");
    ridge__str_add(out, "\n", 1);
}

/* ---- The call as words ----------------------------------------------------------- */

/* Word `index` of a list separated by blanks. */
static void nth_word(char *buf, size_t size, const char *list, size_t index)
{
    const char *p = list;
    while (index-- > 0 && *p) {
        p += strcspn(p, " ");
        p += strspn(p, " ");
    }
    snprintf(buf, size, "%.*s", (int)strcspn(p, " "), p);
}

const char *ridge__call_word(char *buf, size_t size, const ridge_call *call, size_t param)
{
    const ridge__param *p = &call->op->params[param];
    double value = call->arg[param];
    if (!ridge_known(value))
        return NULL;
    if (p->kind == RIDGE_PARAM_DTYPE)
        return ridge_dtype_name((ridge_dtype)value);
    if (p->kind != RIDGE_PARAM_WORD)
        return NULL;
    nth_word(buf, size, p->words, (size_t)value);
    char *hole = strchr(buf, '#');
    if (hole) { /* the number goes where the words have a '#' */
        char digits[32], tail[32];
        snprintf(tail, sizeof tail, "%s", hole + 1);
        ridge__number_shortest(digits, ridge__word_number(value));
        snprintf(hole, size - (size_t)(hole - buf), "%s%s", digits, tail);
    }
    return buf;
}

/* A list without blanks, which makes it one word; a long one ends in "...". */
static void put_list(ridge__str *out, const ridge_list *list)
{
    enum {
        LIST_WIDTH = 60
    };
    size_t size = list->size;
    if (size > LIST_WIDTH)
        for (size = LIST_WIDTH; size > 1 && list->text[size - 1] != ',';)
            size--;
    for (size_t i = 0; i < size; i++)
        if (list->text[i] != ' ' && list->text[i] != '\t')
            ridge__str_add(out, &list->text[i], 1);
    if (size < list->size)
        ridge__str_text(out, "...]");
}

static void put_argument(ridge__str *out, const ridge_call *call, size_t param)
{
    const ridge__param *p = &call->op->params[param];
    const ridge_list *list = ridge__call_list(call, param);
    if (list) {
        put_list(out, list);
        return;
    }
    char word[48], digits[32];
    const char *name = ridge__call_word(word, sizeof word, call, param);
    ridge__number_shortest(digits, call->arg[param]);
    if (name) {
        ridge__str_text(out, name);
    } else if (p->kind == RIDGE_PARAM_QUANTITY && call->arg[param] != 0) {
        /* "10 GFLOP" with the blank taken out is one word, as it was typed. */
        for (const char *q = RIDGE__Q(call->arg[param], p->unit); *q; q++)
            if (*q != ' ')
                ridge__str_add(out, q, 1);
    } else {
        ridge__str_text(out, digits);
    }
}

void ridge__call_words(ridge__str *out, const ridge_call *call)
{
    bool first = true;
    for (size_t i = 0; i < call->op->param_count; i++) {
        if (!(call->given >> i & 1u))
            continue;
        ridge__str_format(out, "%s%s=", first ? "" : " ", call->op->params[i].name);
        put_argument(out, call, i);
        first = false;
    }
}

/* ---- Warnings ---------------------------------------------------------------------- */

void ridge__warnings_text(ridge__str *out, uint32_t warnings, const ridge_style *style)
{
    if (!warnings)
        return;
    ridge__heading(out, style, "Warnings");
    for (uint32_t bit = 1; bit; bit <<= 1) {
        if (!(warnings & bit))
            continue;
        const char *code = ridge_warning_code(bit);
        ridge__str_text(out, "  ");
        ridge__color(out, style, "33");
        ridge__str_format(out, "%s:", code);
        ridge__color(out, style, "0");
        ridge__str_add(out, " ", 1);
        ridge__wrap(out, strlen(code) + 4, 4, ridge_warning_text(bit));
    }
}

void ridge__warnings_json(ridge__json *j, uint32_t warnings)
{
    ridge__json_open(j, "warnings", '[');
    for (uint32_t bit = 1; bit; bit <<= 1) {
        if (!(warnings & bit))
            continue;
        ridge__json_open(j, NULL, '{');
        ridge__json_text(j, "code", ridge_warning_code(bit));
        ridge__json_text(j, "text", ridge_warning_text(bit));
        ridge__json_close(j, '}');
    }
    ridge__json_close(j, ']');
}
