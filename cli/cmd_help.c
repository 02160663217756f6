#include "cli.h"

#include <stdio.h>
#include <string.h>

static const struct option options[] = {
    {.name = "man",
     .kind = OPTION_FLAG,
     .help = "the command's manual page as mdoc, for man(1)",
     .example = "--man"},
    {.name = "examples",
     .kind = OPTION_FLAG,
     .help = "every example of every command and option, one a line",
     .example = NULL},
    {.name = "version",
     .kind = OPTION_FLAG,
     .help = "the version of ridge",
     .example = NULL},
    {.name = "verbose",
     .kind = OPTION_FLAG,
     .help = "with --version: what the program was built with",
     .example = NULL},
    {.name = NULL},
};

static const struct option *const tables[] = {options, NULL};

static void list_commands(struct run *run)
{
    say(run, "ridge: how long GPU work must take, how long it will take, and why\n\n"
             "Usage: ridge COMMAND [words] [key=value...] [--options]\n");
    const char *task = "";
    for (size_t i = 0; commands[i]; i++) {
        if (!commands[i]->task)
            continue;
        if (strcmp(task, commands[i]->task) != 0)
            say(run, "\n%s\n", commands[i]->task);
        task = commands[i]->task;
        say(run, "  %s", commands[i]->name);
        say_wrapped(run, 2 + strlen(commands[i]->name), 12, commands[i]->summary);
    }
    say(run, "\nTopics\n");
    for (const struct topic *t = topics; t->name; t++) {
        char label[64];
        int n = snprintf(label, sizeof label, "  ridge help %s", t->name);
        say(run, "%s", label);
        say_wrapped(run, n < 0 ? 0 : (size_t)n, 24, t->summary);
    }
    say(run, "\nMore: ridge help COMMAND, ridge COMMAND --help, ridge --version\n"
             "Start: ridge kernel custom flop=10GFLOP bytes=1GB --gpu example\n");
}

/* The command's base words, a machine where it needs one, and the option. */
static void list_option_example(struct run *run, const struct command *command,
                                const struct option *option)
{
    bool machine = option_find(command, "gpu") && !strstr(option->example, "--gpu");
    say(run, "%s%s%s %s%s\n", command->name, command->base[0] ? " " : "", command->base,
        option->example, machine ? " --gpu h100-sxm" : "");
}

/* For the test that runs them. */
static void list_examples(struct run *run)
{
    for (size_t i = 0; commands[i]; i++) {
        const struct command *c = commands[i];
        for (const struct example *e = c->examples; e && e->words; e++)
            say(run, "%s\n", e->words);
        for (size_t t = 0; c->tables && c->tables[t]; t++)
            for (const struct option *o = c->tables[t]; o->name; o++)
                if (o->example)
                    list_option_example(run, c, o);
    }
    help_topic_examples(run);
}

static ridge_status say_version(struct run *run, ridge_error *err)
{
    say(run, "ridge %s\n", ridge_version());
    if (!args_has(&run->args, "verbose"))
        return RIDGE_OK;
    ridge_catalog *catalog = NULL;
    ridge_status status = ridge_catalog_open(&catalog, NULL, NULL, err);
    if (status)
        return status;
    say(run, "catalogue   %zu parts\n", ridge_catalog_count(catalog));
    say(run, "operations  %zu\n", ridge_op_total());
#if defined(__VERSION__)
    say(run, "compiler    %s\n", __VERSION__);
#endif
    ridge_catalog_free(catalog);
    return RIDGE_OK;
}

static ridge_status run_help(struct run *run, ridge_error *err)
{
    ridge_status status = args_expect(run, 0, 1, "", err);
    if (status)
        return status;
    if (args_has(&run->args, "version"))
        return say_version(run, err);
    if (args_has(&run->args, "examples")) {
        list_examples(run);
        return RIDGE_OK;
    }
    if (run->args.word_count == 0) {
        if (args_has(&run->args, "man"))
            help_man_overview(run);
        else
            list_commands(run);
        return RIDGE_OK;
    }
    const char *word = run->args.words[0];
    const struct topic *topic = topic_find(word);
    if (topic && args_has(&run->args, "man"))
        help_man_topic(run, topic);
    else if (topic)
        help_topic(run, topic);
    if (topic)
        return RIDGE_OK;
    const struct command *command = command_find(word);
    if (!command && ridge_op_find(word))
        return fail(err, RIDGE_NOTFOUND, word,
                    "is an operation, neither a command nor a topic; see ridge op %s",
                    word);
    if (!command && command_later(word))
        return fail(err, RIDGE_UNSUPPORTED, word,
                    "this command is planned and not in this version");
    if (!command)
        return fail(err, RIDGE_NOTFOUND, word,
                    "neither a command nor a topic; ridge help lists both");
    if (args_has(&run->args, "man"))
        help_man(run, command);
    else
        help_command(run, command, true);
    return RIDGE_OK;
}

const struct command command_help = {
    .name = "help",
    .summary = "list the commands, or explain one of them or a topic",
    .task = "Help",
    .usage = "[COMMAND | measure | workflow]",
    .tables = tables,
    .base = "kernel",
    .examples =
        (const struct example[]){
            {"help kernel", "words, options and examples of a command"},
            {"help measure", "how to time a kernel"},
            {NULL, NULL},
        },
    .run = run_help,
};
