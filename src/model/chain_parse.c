/*
 * Expressions over atoms, read by recursive descent into a sum.  `N*( ... )` multiplies
 * what is inside, so the sum is all that is left of the parentheses.
 */
#include "base/base.h"

#include <ridge.h>
#include <stdio.h>

/* A repetition beyond this is a slip: at a cycle each it is six days. */
#define COUNT_MAX 1e15
#define WARP_WAYS 32.0
#define BLOCK_MAX 1024.0
#define BYTES_MAX 1e18

typedef struct parser {
    const char *text, *at;
    ridge_latency_chain *chain;
    ridge_error *err;
} parser;

static const struct {
    const char *name;
    ridge_atom_argument argument;
} atoms[] = {
#define X(name, text, argument, title) {text, RIDGE_ARGUMENT_##argument},
    RIDGE_ATOM_MAP(X)
#undef X
};

/* What may stand in parentheses, by ridge_atom_argument. */
static const struct {
    const char *what, *example;
    ridge_unit unit;
    double min, max;
} arguments[] = {
    [RIDGE_ARGUMENT_NONE] = {"", "", RIDGE_UNIT_NONE, 0, 0},
    [RIDGE_ARGUMENT_WAYS] = {"ways", "32", RIDGE_UNIT_COUNT, 1, WARP_WAYS},
    [RIDGE_ARGUMENT_THREADS] = {"threads", "256", RIDGE_UNIT_COUNT, 1, BLOCK_MAX},
    [RIDGE_ARGUMENT_OPS] = {"operations", "1000", RIDGE_UNIT_COUNT, 1, COUNT_MAX},
    [RIDGE_ARGUMENT_BYTES] = {"bytes", "64KiB", RIDGE_UNIT_BYTES, 0, BYTES_MAX},
};

RIDGE_PRINTF(4, 5)
static ridge_status fail_at(const parser *p, const char *at, ridge_status status,
                            const char *fmt, ...)
{
    char sentence[320];
    va_list args;
    va_start(args, fmt);
    vsnprintf(sentence, sizeof sentence, fmt, args);
    va_end(args);
    return ridge__error_set(p->err, status, "column %zu: %s", (size_t)(at - p->text) + 1,
                            sentence);
}

static void skip_blanks(parser *p)
{
    p->at += strspn(p->at, " \t");
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* "shfl", or what else stands at a place, for a message. */
static const char *found(char *buf, size_t size, const char *at)
{
    char word[RIDGE_LIMIT_QUOTED + 1];
    size_t n = 0;
    if (!*at)
        return "the end";
    while (n + 1 < sizeof word && (is_letter(at[n]) || is_digit(at[n]) || at[n] == '.'))
        n++;
    if (n == 0)
        n = 1;
    memcpy(word, at, n);
    word[n] = '\0';
    snprintf(buf, size, "\"%s\"", RIDGE__QUOTE(word));
    return buf;
}
#define FOUND(at) found((char[80]){0}, 80, (at))

/* ---- Atoms ------------------------------------------------------------------------- */

/* What CUDA and PTX call them, and the first of a family: "l2". */
static const char *other_name(const char *word)
{
    static const char *const others[][2] = {
        {"bar.sync", "syncthreads"},
        {"barrier", "syncthreads"},
        {"shuffle", "shfl"},
        {"shared", "smem"},
        {"atomicAdd", "atomic.global"},
        {"atomic", "atomic.global"},
        {"membar", "fence.gpu"},
        {"hbm", "dram"},
        {"global", "dram"},
        {"launch", "launch.graph"},
    };
    for (size_t i = 0; i < RIDGE__COUNT(others); i++)
        if (strcmp(others[i][0], word) == 0)
            return others[i][1];
    size_t size = strlen(word);
    for (size_t i = 0; size > 0 && i < RIDGE_ATOM_COUNT; i++)
        if (strncmp(atoms[i].name, word, size) == 0 && atoms[i].name[size] == '.')
            return atoms[i].name;
    return NULL;
}

static ridge_status no_atom(const parser *p, const char *at, size_t size)
{
    const char *names[RIDGE_ATOM_COUNT];
    char word[RIDGE_LIMIT_QUOTED + 1];
    snprintf(word, sizeof word, "%.*s", (int)(size < sizeof word ? size : 0), at);
    for (size_t i = 0; i < RIDGE_ATOM_COUNT; i++)
        names[i] = atoms[i].name;
    const char *near = other_name(word);
    if (!near)
        near = word[0] ? ridge_word_nearest(word, names, RIDGE_ATOM_COUNT) : NULL;
    if (near)
        return fail_at(p, at, RIDGE_NOTFOUND, "no atom %s; did you mean %s", FOUND(at),
                       near);
    return fail_at(p, at, RIDGE_NOTFOUND,
                   "no atom %s; ridge latency without an expression lists them",
                   FOUND(at));
}

/* The argument of atom `item` inside "(...)"; p->at is behind the bracket. */
static ridge_status parse_argument(parser *p, ridge_latency_item *item)
{
    skip_blanks(p);
    const char *name = atoms[item->atom].name, *start = p->at;
    ridge_atom_argument takes = atoms[item->atom].argument;
    char value[64];
    ridge_error why = {0};
    size_t size = strcspn(p->at, ")");
    if (!p->at[size])
        return fail_at(p, start + size, RIDGE_SYNTAX, "\")\" is missing after %s(", name);
    if (size >= sizeof value)
        return fail_at(p, start, RIDGE_LIMIT, "the argument of %s is too long", name);
    size_t length = size;
    while (length && (start[length - 1] == ' ' || start[length - 1] == '\t'))
        length--;
    memcpy(value, start, length);
    value[length] = '\0';
    if (!length)
        return fail_at(p, start, RIDGE_SYNTAX, "%s() lacks its %s, as in %s(%s)", name,
                       arguments[takes].what, name, arguments[takes].example);
    ridge_status status =
        ridge_quantity_parse(&item->argument, value, arguments[takes].unit, 0, &why);
    if (status)
        return fail_at(p, start, status, "%s", why.message);
    bool whole = takes == RIDGE_ARGUMENT_BYTES || floor(item->argument) == item->argument;
    if (!whole || item->argument < arguments[takes].min ||
        item->argument > arguments[takes].max) {
        char low[32], high[32];
        ridge__number_format(low, arguments[takes].min, 6);
        ridge__number_format(high, arguments[takes].max, 6);
        return fail_at(p, start, RIDGE_INVALID, "%s takes %s %s to %s%s", name,
                       arguments[takes].what, low, high, whole ? "" : ", a whole number");
    }
    p->at += size + 1;
    return RIDGE_OK;
}

static ridge_status parse_atom(parser *p, double count)
{
    const char *start = p->at;
    ridge_latency_chain *chain = p->chain;
    size_t size = 0, i = 0;
    while (is_letter(start[size]) || is_digit(start[size]) || start[size] == '.')
        size++;
    while (i < RIDGE_ATOM_COUNT && !ridge__text_is(atoms[i].name, start, size))
        i++;
    if (i == RIDGE_ATOM_COUNT)
        return no_atom(p, start, size);
    if (chain->item_count == RIDGE_LATENCY_ITEM_MAX)
        return fail_at(p, start, RIDGE_LIMIT,
                       "more than %d atoms; one for several, as in 5*shfl, wanted",
                       RIDGE_LATENCY_ITEM_MAX);
    ridge_latency_item item = {(ridge_atom)i, count, RIDGE_UNKNOWN};
    ridge_atom_argument takes = atoms[i].argument;
    p->at += size;
    skip_blanks(p);
    if (takes != RIDGE_ARGUMENT_NONE && *p->at != '(')
        return fail_at(p, start, RIDGE_INVALID, "%s needs its %s, as in %s(%s)",
                       atoms[i].name, arguments[takes].what, atoms[i].name,
                       arguments[takes].example);
    if (takes == RIDGE_ARGUMENT_NONE && *p->at == '(')
        return fail_at(p, p->at, RIDGE_INVALID,
                       "%s takes no argument; leave the brackets out", atoms[i].name);
    if (takes != RIDGE_ARGUMENT_NONE) {
        p->at++;
        ridge_status status = parse_argument(p, &item);
        if (status)
            return status;
    }
    chain->item[chain->item_count++] = item;
    return RIDGE_OK;
}

/* ---- Terms and sums ---------------------------------------------------------------- */

static ridge_status parse_sum(parser *p, double count, unsigned depth);

/* [N*] before an atom or a bracket; *count is multiplied by it. */
static ridge_status parse_repeat(parser *p, double *count)
{
    const char *start = p->at, *end = start;
    double n = 1;
    if (!is_digit(*start) && *start != '.')
        return RIDGE_OK;
    if (ridge__number_parse(&n, start, &end))
        return fail_at(p, start, RIDGE_SYNTAX,
                       "%s is no count; a number such as 5 wanted", FOUND(start));
    p->at = end;
    skip_blanks(p);
    if (*p->at != '*')
        return fail_at(p, p->at, RIDGE_SYNTAX,
                       "\"*\" is wanted after a count, as in 5*shfl; found %s",
                       FOUND(p->at));
    p->at++;
    skip_blanks(p);
    if (n * *count > COUNT_MAX)
        return fail_at(p, start, RIDGE_LIMIT,
                       "repeats more than 1e15 times; fewer wanted");
    *count *= n;
    return RIDGE_OK;
}

static ridge_status parse_term(parser *p, double count, unsigned depth)
{
    skip_blanks(p);
    ridge_status status = parse_repeat(p, &count);
    if (status)
        return status;
    if (*p->at == '(') {
        const char *open = p->at;
        if (depth == RIDGE_LATENCY_DEPTH)
            return fail_at(p, open, RIDGE_LIMIT,
                           "nests more than %d deep; fewer brackets wanted",
                           RIDGE_LATENCY_DEPTH);
        p->at++;
        status = parse_sum(p, count, depth + 1);
        if (status)
            return status;
        if (*p->at != ')')
            return fail_at(p, p->at, RIDGE_SYNTAX,
                           "\"+\" or \")\" is wanted; found %s, and the \"(\" of column "
                           "%zu is open",
                           FOUND(p->at), (size_t)(open - p->text) + 1);
        p->at++;
        return RIDGE_OK;
    }
    if (!is_letter(*p->at))
        return fail_at(p, p->at, RIDGE_SYNTAX, "an atom, N* or \"(\" is wanted; found %s",
                       FOUND(p->at));
    return parse_atom(p, count);
}

/* Ends before what is no "+". */
static ridge_status parse_sum(parser *p, double count, unsigned depth)
{
    for (;;) {
        ridge_status status = parse_term(p, count, depth);
        skip_blanks(p);
        if (status || *p->at != '+')
            return status;
        p->at++;
    }
}

ridge_status ridge_latency_parse(ridge_latency_chain *out, const char *text,
                                 ridge_error *err)
{
    ridge_latency_chain chain = {.item_count = 0};
    parser p = {text, text, &chain, err};
    if (strlen(text) > RIDGE_LATENCY_TEXT_MAX)
        return fail_at(&p, text + RIDGE_LATENCY_TEXT_MAX, RIDGE_LIMIT,
                       "an expression has at most %d characters", RIDGE_LATENCY_TEXT_MAX);
    ridge_status status = parse_sum(&p, 1, 0);
    if (status)
        return status;
    if (*p.at)
        return fail_at(&p, p.at, RIDGE_SYNTAX, "\"+\" or the end is wanted; found %s",
                       FOUND(p.at));
    *out = chain;
    return RIDGE_OK;
}
