/* Calls: key=value words (or cells of a table) into numbers by parameter place. */
#include "op/op_priv.h"

#include <string.h>

enum {
    NAME_MAX_BYTES = 40, /* longer than any dtype */
    OPS_MAX = 128        /* ops that are tried for "did you mean" */
};

/* The name of an op near to a mistyped one; NULL if none is. */
static const char *nearest_op(const char *name)
{
    const char *names[OPS_MAX];
    const ridge_op *op;
    size_t count = 0;
    while (count < OPS_MAX && (op = ridge_op_at(count)) != NULL)
        names[count++] = op->name;
    return ridge_word_nearest(name, names, count);
}

static const char *nearest_dtype(const char *name)
{
    /* What frameworks call them is no misspelling of what they are called here. */
    static const char *const others[][2] = {
        {"bfloat16", "bf16"},  {"half", "fp16"},     {"float16", "fp16"},
        {"float", "fp32"},     {"float32", "fp32"},  {"double", "fp64"},
        {"float64", "fp64"},   {"float8", "fp8"},    {"fp4", "nvfp4"},
        {"e4m3", "fp8"},       {"e5m2", "fp8"},      {"float8_e4m3fn", "fp8"},
        {"e2m1", "nvfp4"},     {"w8a16", "int8_wo"}, {"w4a16", "int4_wo"},
        {"fp8_wo", "int8_wo"}, {"w8a8", "fp8"},      {"int4", "int4_wo"},
        {"awq", "int4_wo"},    {"gptq", "int4_wo"},  {"fp32r", "tf32"},
    };
    for (size_t i = 0; i < RIDGE__COUNT(others); i++)
        if (strcmp(name, others[i][0]) == 0)
            return others[i][1];
    const char *names[RIDGE_DTYPE_COUNT];
    for (size_t i = 0; i < RIDGE_DTYPE_COUNT; i++)
        names[i] = ridge_dtype_name((ridge_dtype)i);
    return ridge_word_nearest(name, names, RIDGE_DTYPE_COUNT);
}

static const char *nearest_param(const ridge_op *op, const char *name)
{
    if (name[0] >= 'A' && name[0] <= 'Z' && !name[1]) { /* "K": near to no name but k */
        const char small[] = {(char)(name[0] - 'A' + 'a')};
        size_t p = ridge__op_param(op, small, sizeof small);
        if (p < op->param_count)
            return op->params[p].name;
    }
    const char *names[RIDGE_ARG_MAX];
    for (size_t i = 0; i < op->param_count; i++)
        names[i] = op->params[i].name;
    return ridge_word_nearest(name, names, op->param_count);
}

ridge_status ridge_call_init(ridge_call *call, const char *name, ridge_error *err)
{
    const ridge_op *op = ridge_op_find(name);
    if (!op) {
        const char *near = nearest_op(name);
        if (near)
            return ridge__error_set(err, RIDGE_NOTFOUND,
                                    "no operation is called \"%s\"; did you mean %s",
                                    RIDGE__QUOTE(name), near);
        return ridge__error_set(err, RIDGE_NOTFOUND,
                                "no operation is called \"%s\"; `ridge ops` lists them",
                                RIDGE__QUOTE(name));
    }
    *call = (ridge_call){
        .op = op, .backend = RIDGE_BACKEND_BEST, .timing = RIDGE_TIMING_GRAPH};
    for (size_t i = 0; i < RIDGE_ARG_MAX; i++)
        call->arg[i] = RIDGE_UNKNOWN;
    return RIDGE_OK;
}

/* Up to 15 digits and nothing else: what nearly every cell of a table is. */
static bool digits_only(double *out, const char *text, size_t size)
{
    uint64_t value = 0;
    if (size == 0 || size > 15)
        return false;
    for (size_t i = 0; i < size; i++) {
        if (text[i] < '0' || text[i] > '9')
            return false;
        value = value * 10 + (uint64_t)(text[i] - '0');
    }
    *out = (double)value;
    return true;
}

static ridge_status check_range(const ridge__param *p, double value, const char *text,
                                ridge_error *err)
{
    char low[32], high[32];
    if (value >= p->min && value <= p->max)
        return RIDGE_OK;
    ridge__number_shortest(low, p->min);
    ridge__number_shortest(high, p->max);
    return ridge__error_set(err, RIDGE_INVALID, "\"%s\" is out of range; %s to %s wanted",
                            RIDGE__QUOTE(text), low, high);
}

static ridge_status parse_count(double *out, const ridge__param *p, const char *text,
                                size_t size, ridge_error *err)
{
    const char *end = text;
    double value = 0;
    if (text[0] == '[')
        return ridge__error_set(err, RIDGE_SYNTAX,
                                "\"%s\" is a list; one number wanted here, as in 4096",
                                RIDGE__QUOTE(text));
    if (!digits_only(&value, text, size) && (ridge__number_parse(&value, text, &end) ||
                                             *end != '\0' || value != floor(value)))
        return ridge__error_set(
            err, RIDGE_SYNTAX, "\"%s\" is not a whole number; a count wanted, as in 4096",
            RIDGE__QUOTE(text));
    ridge_status status = check_range(p, value, text, err);
    if (!status)
        *out = value;
    return status;
}

static ridge_status parse_quantity(double *out, const ridge__param *p, const char *text,
                                   ridge_error *err)
{
    double value = 0;
    ridge_status status = ridge_quantity_parse(&value, text, p->unit, 0, err);
    if (!status)
        status = check_range(p, value, text, err);
    if (!status)
        *out = value;
    return status;
}

static ridge_status parse_dtype(double *out, const char *text, size_t size,
                                ridge_error *err)
{
    ridge_dtype dtype;
    if (ridge__dtype_parse(&dtype, text, size)) {
        *out = (double)dtype;
        return RIDGE_OK;
    }
    const char *near = nearest_dtype(text);
    if (near)
        return ridge__error_set(err, RIDGE_INVALID,
                                "\"%s\" is not a dtype; did you mean %s",
                                RIDGE__QUOTE(text), near);
    return ridge__error_set(err, RIDGE_INVALID,
                            "\"%s\" is not a dtype; fp64, fp32, tf32, bf16, fp16, fp8, "
                            "nvfp4, mxfp4, int8, ... wanted",
                            RIDGE__QUOTE(text));
}

static ridge_status parse_bool(double *out, const char *text, size_t size,
                               ridge_error *err)
{
    size_t at;
    /* The odd places of the list are true. */
    if (!ridge__word_find("0 1 false true no yes False True 0.0 1.0", text, size, &at))
        return ridge__error_set(err, RIDGE_SYNTAX,
                                "\"%s\" is neither 0 nor 1; one of them wanted",
                                RIDGE__QUOTE(text));
    *out = (double)(at & 1);
    return RIDGE_OK;
}

/* A number in a word is kept as this part of the value's fraction. */
static const double WORD_NUMBER_SCALE = 1024, WORD_NUMBER_DIGITS = 1e6;

double ridge__word_number(double value)
{
    double number = (value - floor(value)) * WORD_NUMBER_SCALE;
    return floor(number * WORD_NUMBER_DIGITS + 0.5) / WORD_NUMBER_DIGITS;
}

/* True if text is `word` of `size` bytes with a number in place of its '#'. */
static bool numbered(const char *word, size_t size, const char *text, double *number)
{
    const char *hole = memchr(word, '#', size), *end;
    size_t head = hole ? (size_t)(hole - word) : 0;
    if (!hole || strncmp(word, text, head) != 0 ||
        ridge__number_parse(number, text + head, &end))
        return false;
    size_t tail = size - head - 1;
    return strlen(end) == tail && memcmp(end, hole + 1, tail) == 0 &&
           *number < WORD_NUMBER_SCALE;
}

static ridge_status parse_word(double *out, const ridge__param *p, const char *text,
                               size_t size, ridge_error *err)
{
    size_t at;
    const char *word = p->words;
    for (size_t n, i = 0; *word; i++, word += n, word += strspn(word, " ")) {
        double number;
        n = strcspn(word, " ");
        if (numbered(word, n, text, &number)) {
            *out = (double)i + number / WORD_NUMBER_SCALE;
            return RIDGE_OK;
        }
    }
    if (!ridge__word_find(p->words, text, size, &at) || memchr(text, '#', size))
        return ridge__error_set(err, RIDGE_INVALID,
                                "\"%s\" is not known here; one of \"%s\" wanted",
                                RIDGE__QUOTE(text), p->words);
    *out = (double)at;
    return RIDGE_OK;
}

/* text is terminated at `size`. */
static ridge_status parse_value(double *out, const ridge__param *p, const char *text,
                                size_t size, ridge_error *err)
{
    switch (p->kind) {
    case RIDGE_PARAM_COUNT:
    case RIDGE_PARAM_LIST:
        return parse_count(out, p, text, size, err);
    case RIDGE_PARAM_QUANTITY:
        return parse_quantity(out, p, text, err);
    case RIDGE_PARAM_DTYPE:
        return parse_dtype(out, text, size, err);
    case RIDGE_PARAM_BOOL:
        return parse_bool(out, text, size, err);
    case RIDGE_PARAM_WORD:
        return parse_word(out, p, text, size, err);
    }
    return RIDGE_INVALID;
}

/* "[128,4096x7]"; text need not be terminated, and is kept, not copied. */
static ridge_status set_list(ridge_call *call, size_t param, const char *text,
                             size_t size, ridge_error *err)
{
    double sum;
    ridge_status status =
        ridge__list_check(&sum, &call->op->params[param], text, size, err);
    if (status)
        return status;
    if (!ridge__list_keep(call, param, text, size))
        return ridge__error_set(err, RIDGE_LIMIT, "a call has at most %d lists",
                                RIDGE_LIST_MAX);
    call->arg[param] = sum;
    call->given |= 1u << param;
    return RIDGE_OK;
}

/* "bf16>fp8": the dtype that is read and the one that is written. */
static ridge_status set_dtype_pair(ridge_call *call, size_t param, const char *text,
                                   const char *arrow, ridge_error *err)
{
    size_t out = ridge__op_param(call->op, "dtype_out", strlen("dtype_out"));
    double from = 0, to = 0;
    char head[NAME_MAX_BYTES + 1];
    size_t size = (size_t)(arrow - text);
    if (strcmp(call->op->params[param].name, "dtype") != 0 ||
        out == call->op->param_count || size > NAME_MAX_BYTES)
        return ridge__error_set(err, RIDGE_INVALID,
                                "\"%s\" is not one dtype; one wanted, as in bf16",
                                RIDGE__QUOTE(text));
    memcpy(head, text, size);
    head[size] = '\0';
    ridge_status status = parse_dtype(&from, head, size, err);
    if (!status)
        status = parse_dtype(&to, arrow + 1, strlen(arrow + 1), err);
    if (status)
        return status;
    if (ridge__call_given(call, out) && call->arg[out] != to)
        return ridge__error_set(
            err, RIDGE_INVALID,
            "\"%s\" contradicts dtype_out; say the output's dtype once",
            RIDGE__QUOTE(text));
    call->arg[param] = from;
    call->arg[out] = to;
    call->given |= 1u << param | 1u << out;
    return RIDGE_OK;
}

static ridge_status set_text(ridge_call *call, size_t param, const char *text,
                             size_t size, ridge_error *err)
{
    const ridge__param *p = &call->op->params[param];
    double value = 0;
    if (p->kind == RIDGE_PARAM_LIST && size > 0 && text[0] == '[')
        return set_list(call, param, text, size, err);
    if (p->kind == RIDGE_PARAM_DTYPE) {
        const char *arrow = memchr(text, '>', size);
        if (arrow)
            return set_dtype_pair(call, param, text, arrow, err);
    }
    ridge_status status = parse_value(&value, p, text, size, err);
    if (status)
        return status;
    if (p->kind == RIDGE_PARAM_LIST)
        ridge__list_drop(call, param);
    if (p->kind == RIDGE_PARAM_QUANTITY && ridge_quantity_ambiguous(text, p->unit))
        call->warnings |= RIDGE_WARNING_UNIT_AMBIGUOUS;
    call->arg[param] = value;
    call->given |= 1u << param;
    return RIDGE_OK;
}

ridge_status ridge__call_set_index(ridge_call *call, size_t param, const char *text,
                                   size_t size, ridge_error *err)
{
    enum {
        CELL_MAX = 64 /* no number, dtype or word is as long */
    };
    char cell[CELL_MAX];
    const ridge__param *p = &call->op->params[param];
    double value;
    if (size == 0)
        return RIDGE_OK; /* an empty cell gives nothing */
    if (p->kind == RIDGE_PARAM_COUNT && digits_only(&value, text, size) &&
        value >= p->min && value <= p->max) {
        call->arg[param] = value;
        call->given |= 1u << param;
        return RIDGE_OK;
    }
    if (p->kind == RIDGE_PARAM_LIST && text[0] == '[') {
        ridge_status status = set_list(call, param, text, size, err);
        if (status)
            ridge__error_at(err, p->name, 0);
        return status;
    }
    /* A cell need not be terminated, and what follows may look like more of it. */
    size_t keep = size < CELL_MAX ? size : CELL_MAX - 1;
    memcpy(cell, text, keep);
    cell[keep] = '\0';
    ridge_status status = keep < size ? ridge__error_set(err, RIDGE_LIMIT,
                                                         "\"%s...\" is too long; at most "
                                                         "%d bytes wanted",
                                                         RIDGE__QUOTE(cell), CELL_MAX - 1)
                                      : set_text(call, param, cell, strlen(cell), err);
    if (status)
        ridge__error_at(err, p->name, 0);
    return status;
}

static ridge_status unknown_key(const ridge_call *call, const char *key, ridge_error *err)
{
    const ridge_op *op = call->op;
    const char *near = nearest_param(op, key);
    if (near)
        return ridge__error_set(err, RIDGE_NOTFOUND,
                                "%s has no parameter \"%s\"; did you mean %s", op->name,
                                RIDGE__QUOTE(key), near);
    ridge__str keys;
    ridge__str_init(&keys, sizeof err->message, NULL);
    for (size_t i = 0; i < op->param_count; i++)
        ridge__str_format(&keys, " %s", op->params[i].name);
    ridge_status status =
        ridge__error_set(err, RIDGE_NOTFOUND, "%s has no parameter \"%s\"; it takes%s",
                         op->name, RIDGE__QUOTE(key), ridge__str_data(&keys));
    ridge__str_clear(&keys);
    return status;
}

ridge_status ridge_call_set(ridge_call *call, const char *key, const char *value,
                            ridge_error *err)
{
    size_t param = ridge__op_param(call->op, key, strlen(key));
    if (param == call->op->param_count)
        return unknown_key(call, key, err);
    const char *name = call->op->params[param].name;
    ridge_status status;
    if (!ridge__call_given(call, param))
        status = set_text(call, param, value, strlen(value), err);
    else if (strcmp(name, key) == 0)
        status = ridge__error_set(err, RIDGE_INVALID, "given twice; once wanted");
    else
        status = ridge__error_set(err, RIDGE_INVALID,
                                  "another name of %s, which is given already", name);
    if (status)
        ridge__error_at(err, key, 0);
    return status;
}

/* All that is missing, in one sentence. */
static ridge_status missing(const ridge_call *call, ridge_error *err)
{
    const ridge_op *op = call->op;
    ridge__str names;
    ridge__str_init(&names, sizeof err->message, NULL);
    for (size_t i = 0; i < op->param_count; i++)
        if (op->params[i].required && !ridge__call_given(call, i))
            ridge__str_format(&names, "%s %s", names.size ? "," : "", op->params[i].name);
    ridge_status status = RIDGE_OK;
    if (names.size)
        status =
            ridge__error_set(err, RIDGE_INVALID, "%s lacks%s; as in: %s %s", op->name,
                             ridge__str_data(&names), op->name, op->example);
    ridge__str_clear(&names);
    return status;
}

ridge_status ridge_call_finish(ridge_call *call, ridge_error *err)
{
    const ridge_op *op = call->op;
    ridge_call done = *call;
    bool complete = true;
    /* From what was given alone, so that a call may be changed and finished again. */
    for (size_t i = 0; i < op->param_count; i++) {
        ridge__call_default(&done, i, op->params[i].fallback);
        complete = complete && (!op->params[i].required || ridge__call_given(&done, i));
    }
    if (!complete)
        return missing(call, err);
    if (op->finish) {
        ridge_status status = op->finish(&done, err);
        if (status)
            return status;
    }
    *call = done;
    return RIDGE_OK;
}
