#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Every command has these. */
static const struct option common[] = {
    {.name = "help",
     .letter = 'h',
     .kind = OPTION_FLAG,
     .help = "show this help; -h shows the short one"},
    {.name = NULL},
};

static bool named(const struct option *option, const char *name, size_t size)
{
    return strlen(option->name) == size && memcmp(option->name, name, size) == 0;
}

/* The row of a long name, or of a letter; NULL if the command has none. */
static const struct option *search(const struct command *command, const char *name,
                                   size_t size, char letter)
{
    const struct option *const all_common[] = {common, NULL};
    const struct option *const *lists[] = {command->tables, all_common};
    for (size_t l = 0; l < COUNT(lists); l++)
        for (size_t t = 0; lists[l] && lists[l][t]; t++)
            for (const struct option *o = lists[l][t]; o->name; o++)
                if (letter ? o->letter == letter : named(o, name, size))
                    return o;
    return NULL;
}

const struct option *option_find(const struct command *command, const char *name)
{
    return search(command, name, strlen(name), 0);
}

enum {
    OPTIONS_MAX = 64, /* of one command, for "did you mean" */
    VALUES_MAX = 1024 /* numbers in one value */
};

static ridge_status unknown_option(const struct command *command, const char *arg,
                                   ridge_error *err)
{
    const char *names[OPTIONS_MAX];
    char name[64];
    size_t count = 0;
    size_t size = strcspn(arg, "=");
    for (size_t t = 0; command->tables && command->tables[t]; t++)
        for (const struct option *o = command->tables[t]; o->name; o++)
            if (count < OPTIONS_MAX - 1)
                names[count++] = o->name;
    names[count++] = "help";
    snprintf(name, sizeof name, "%.*s", (int)(size < 64 ? size : 63),
             arg + strspn(arg, "-"));
    name[strcspn(name, "=")] = '\0';
    const char *nearest = ridge_word_nearest(name, names, count);
    char where[100];
    snprintf(where, sizeof where, "%.*s", (int)(size < 80 ? size : 80), arg);
    if (nearest)
        return fail(err, RIDGE_INVALID, where, "unknown option; did you mean --%s",
                    nearest);
    return fail(err, RIDGE_INVALID, where, "unknown option; see ridge help %s",
                command->name);
}

/* ---- Values ---------------------------------------------------------------------- */

static ridge_status check_word(const struct option *option, const char *value,
                               ridge_error *err)
{
    size_t size = strlen(value);
    if (option->also && option->also(value))
        return RIDGE_OK;
    for (const char *p = option->words; *p;) {
        size_t n = strcspn(p, " ");
        if (n == size && memcmp(p, value, n) == 0)
            return RIDGE_OK;
        p += n;
        p += strspn(p, " ");
    }
    char where[80];
    snprintf(where, sizeof where, "--%s", option->name);
    return fail(err, RIDGE_INVALID, where, "\"%.60s\" is none of: %s", value,
                option->words);
}

ridge_status numbers_read(double *out, size_t *count, size_t room,
                          const struct option *option, const char *list, ridge_error *err)
{
    char where[80];
    snprintf(where, sizeof where, "--%s", option->name);
    do {
        char piece[64];
        size_t n = option->many ? strcspn(list, ",") : strlen(list);
        if (*count == room)
            return fail(err, RIDGE_LIMIT, where, "more than %zu values", room);
        snprintf(piece, sizeof piece, "%.*s", (int)(n < 63 ? n : 63), list);
        ridge_status status =
            ridge_quantity_parse(&out[*count], piece, option->unit, 0, err);
        if (status) {
            fail_at(err, where);
            return status;
        }
        ++*count;
        list += n;
        list += *list == ',';
    } while (*list);
    return RIDGE_OK;
}

static ridge_status check_value(const struct option *option, const char *value,
                                ridge_error *err)
{
    if (option->kind == OPTION_WORD)
        return check_word(option, value, err);
    if (option->kind != OPTION_QUANTITY)
        return RIDGE_OK;
    double numbers[VALUES_MAX];
    size_t count = 0;
    return numbers_read(numbers, &count, VALUES_MAX, option, value, err);
}

/* ---- Parsing --------------------------------------------------------------------- */

static ridge_status add(struct args *args, const struct command *command,
                        const struct option *option, const char *value, ridge_error *err)
{
    const struct option *target = option;
    if (option->same) {
        size_t n = strcspn(option->same, "=");
        target = search(command, option->same, n, 0);
        value = option->same + n + 1;
    }
    char where[80];
    snprintf(where, sizeof where, "--%s", option->name);
    for (size_t i = 0; !target->many && i < args->given_count; i++) {
        if (args->given[i].option != target)
            continue;
        if (target == option)
            return fail(err, RIDGE_INVALID, where, "given twice; once is enough");
        return fail(err, RIDGE_INVALID, where, "--%s was already given as %.40s",
                    target->name, args->given[i].value);
    }
    ridge_status status = value ? check_value(target, value, err) : RIDGE_OK;
    if (!status)
        args->given[args->given_count++] = (struct given){target, value};
    return status;
}

/* argv[*i] is an option: take it and its value, leave *i at the last one used. */
static ridge_status take(struct args *args, const struct command *command, int argc,
                         char **argv, int *i, ridge_error *err)
{
    const char *arg = argv[*i];
    const struct option *option;
    const char *value = NULL;
    if (arg[1] == '-') {
        size_t size = strcspn(arg + 2, "=");
        option = search(command, arg + 2, size, 0);
        if (arg[2 + size] == '=')
            value = arg + 2 + size + 1;
    } else {
        option = search(command, NULL, 0, arg[1]);
        if (arg[2])
            value = arg + 2;
    }
    if (!option)
        return unknown_option(command, arg, err);
    char where[80];
    snprintf(where, sizeof where, arg[1] == '-' ? "--%.60s" : "-%.1s",
             arg[1] == '-' ? option->name : arg + 1);
    if (option->kind == OPTION_FLAG && value)
        return fail(err, RIDGE_INVALID, where, "takes no value; found \"%.60s\"", value);
    if (option->kind != OPTION_FLAG && !value) {
        if (*i + 1 >= argc)
            return fail(err, RIDGE_INVALID, where, "needs a value: %s", option->value);
        value = argv[++*i];
    }
    /* -h asks for less than --help; the spelling is kept as its value. */
    if (option->letter == 'h')
        value = arg[1] == '-' ? "full" : "short";
    return add(args, command, option, value, err);
}

ridge_status args_parse(struct args *args, const struct command *command, int argc,
                        char **argv, ridge_error *err)
{
    size_t room = (size_t)argc + 1;
    *args = (struct args){.words = malloc(room * sizeof *args->words),
                          .given = malloc(room * sizeof *args->given)};
    if (!args->words || !args->given)
        return fail(err, RIDGE_NOMEM, "", "out of memory");
    bool options = true;
    for (int i = 0; i < argc; i++) {
        const char *arg = argv[i];
        if (options && strcmp(arg, "--") == 0) {
            options = false;
        } else if (options && arg[0] == '-' && arg[1]) {
            ridge_status status = take(args, command, argc, argv, &i, err);
            if (status)
                return status;
        } else {
            args->words[args->word_count++] = arg;
        }
    }
    return RIDGE_OK;
}

void args_free(struct args *args)
{
    free(args->words);
    free(args->given);
    *args = (struct args){0};
}

/* ---- Asking ---------------------------------------------------------------------- */

const char *args_next(const struct args *args, const char *name, size_t *at)
{
    while (*at < args->given_count) {
        const struct given *given = &args->given[(*at)++];
        if (strcmp(given->option->name, name) == 0)
            return given->value ? given->value : "";
    }
    return NULL;
}

bool args_has(const struct args *args, const char *name)
{
    size_t at = 0;
    return args_next(args, name, &at) != NULL;
}

const char *args_text(const struct run *run, const char *name)
{
    size_t at = 0;
    const char *value = args_next(&run->args, name, &at);
    if (value)
        return value;
    const struct option *option = option_find(run->command, name);
    return option ? option->fallback : NULL;
}

/* The first row and value given of an option; NULL if none. */
static const struct given *find_given(const struct args *args, const char *name)
{
    for (size_t i = 0; i < args->given_count; i++)
        if (strcmp(args->given[i].option->name, name) == 0)
            return &args->given[i];
    return NULL;
}

double args_number(const struct args *args, const char *name)
{
    const struct given *given = find_given(args, name);
    double number = RIDGE_UNKNOWN;
    /* It was checked while parsing, so it parses. */
    if (given &&
        ridge_quantity_parse(&number, given->value, given->option->unit, 0, NULL))
        return RIDGE_UNKNOWN;
    return number;
}

ridge_status args_count(unsigned *out, const struct run *run, const char *name,
                        unsigned low, unsigned high, ridge_error *err)
{
    const char *text = args_text(run, name);
    double number;
    if (!text)
        return RIDGE_OK;
    if (ridge_quantity_parse(&number, text, RIDGE_UNIT_COUNT, 0, NULL) || number < low ||
        number > high || number != (unsigned)number) {
        char where[32];
        snprintf(where, sizeof where, "--%s", name);
        return fail(err, RIDGE_INVALID, where, "a whole number from %u to %u is wanted",
                    low, high);
    }
    *out = (unsigned)number;
    return RIDGE_OK;
}

ridge_status args_numbers(double **out, size_t *count, const struct args *args,
                          const char *name, ridge_error *err)
{
    size_t room = 0, at = 0;
    const char *list;
    while ((list = args_next(args, name, &at)))
        for (room++; *list; list++)
            room += *list == ',';
    double *numbers = room ? malloc(room * sizeof *numbers) : NULL;
    if (room && !numbers)
        return fail(err, RIDGE_NOMEM, "", "out of memory");
    const struct given *given = find_given(args, name);
    size_t n = 0;
    at = 0;
    while ((list = args_next(args, name, &at))) {
        ridge_status status = numbers_read(numbers, &n, room, given->option, list, err);
        if (status) {
            free(numbers);
            return status;
        }
    }
    *out = numbers;
    *count = n;
    return RIDGE_OK;
}

ridge_status args_expect(const struct run *run, size_t min, size_t max, const char *what,
                         ridge_error *err)
{
    const char *name = run->command->name;
    if (run->args.word_count < min)
        return fail(err, RIDGE_INVALID, name, "%s is missing; usage: ridge %s %s", what,
                    name, run->command->usage);
    if (run->args.word_count > max)
        return fail(err, RIDGE_INVALID, run->args.words[max],
                    "one word too many; usage: ridge %s %s", name, run->command->usage);
    return RIDGE_OK;
}
