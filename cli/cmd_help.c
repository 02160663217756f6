#include "cli.h"

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

/* Laid out by hand for 80 columns. */
/* clang-format off */
static const char measure_text[] =
    "How to time a kernel so that it can be compared with its roof\n"
    "\n"
    "1. Decide what is timed, and tell ridge: the kernel alone (--timing kernel), one\n"
    "   node of a CUDA graph (graph, the default), back-to-back launches on a stream\n"
    "   (stream), or a call from the framework (eager). They differ by microseconds,\n"
    "   which decides small kernels.\n"
    "\n"
    "2. Warm up: the first calls compile, load modules, allocate, and raise the\n"
    "   clock. Discard at least ten.\n"
    "\n"
    "3. Launches return before the work is done. Put events around the work and wait\n"
    "   for the second one; a host timer without a synchronisation measures the\n"
    "   launch only, and shows as below_floor.\n"
    "\n"
    "4. Repeat, and give every time (--time 2.01ms --time 2.05ms,2.1ms): ridge takes\n"
    "   the median and shows the spread. One event pair around many launches is\n"
    "   better than many pairs around one when the kernel is shorter than about 10\n"
    "   us.\n"
    "\n"
    "5. Cold or warm: repeating one call on the same small buffers times the L2\n"
    "   cache, not DRAM. Rotate over buffers larger than L2, or flush it between\n"
    "   runs, or say --warm.\n"
    "\n"
    "6. Fix the clock if you can (nvidia-smi --lock-gpu-clocks), or note it and pass\n"
    "   --clock. Input data matter too: products of zeros draw less power and run\n"
    "   faster than those of random numbers.\n"
    "\n"
    "7. Check that the count matches: F and t must come from the same work. --verify\n"
    "   prints the ncu command that counts FLOP and bytes on the device.\n";

static const char workflow_text[] =
    "A first analysis in seven steps\n"
    "\n"
    "1. Fix the task: the shape, the precision, and the pipe that it runs on.\n"
    "     ridge op gemm                     parameters and formulas\n"
    "2. Look up the peak and the bandwidth that match them.\n"
    "     ridge gpu h100-sxm                every figure with its source\n"
    "3. Count the operations F and the bytes D that must move: each operand once.\n"
    "     ridge kernel custom flop=10GFLOP bytes=1GB --gpu example --explain\n"
    "4. Compute the intensity I = F/D and compare it with the ridge point.\n"
    "     left of it bandwidth limits, right of it the peak does\n"
    "5. The attainable rate is min(peak, bandwidth x I); F over it is the floor.\n"
    "     ridge plot --point 'custom flop=10GFLOP bytes=1GB' --gpu example\n"
    "6. Measure the time t; the achieved rate is F/t.\n"
    "     ridge help measure                how to time a kernel\n"
    "7. Compare the point with the roof, and find the reason for the gap.\n"
    "     ridge kernel custom flop=10GFLOP bytes=1GB --gpu example --time 2ms\n"
    "     ridge kernel ... --time T --before T0    did the time really fall?\n";

/* clang-format on */

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
    say(run, "\nTopics\n"
             "  ridge help measure    how to time a kernel\n"
             "  ridge help workflow   the seven steps of a first analysis\n"
             "\nMore: ridge help COMMAND, ridge COMMAND --help, ridge --version\n"
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
    static const struct {
        const char *name, *text;
    } topics[] = {{"measure", measure_text}, {"workflow", workflow_text}};
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
    for (size_t i = 0; i < COUNT(topics); i++)
        if (strcmp(topics[i].name, word) == 0) {
            run->sink.write(run->sink.ctx, topics[i].text, strlen(topics[i].text));
            return RIDGE_OK;
        }
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
