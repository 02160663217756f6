#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Talking --------------------------------------------------------------------- */

/* Text on standard error; control bytes of user input would drive a terminal. */
static void put_clean(const char *text)
{
    char clean[2048];
    fputs(ridge_text_clean(clean, sizeof clean, text), stderr);
}

static void put_error(const ridge_error *err)
{
    fputs("ridge: ", stderr);
    if (err->where[0]) {
        put_clean(err->where);
        if (err->line)
            fprintf(stderr, ":%llu", (unsigned long long)err->line);
        fputs(": ", stderr);
    }
    put_clean(err->message[0] ? err->message : ridge_status_text(err->status));
    fputc('\n', stderr);
}

void note(const char *fmt, ...)
{
    char text[1024];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    fputs("ridge: ", stderr);
    put_clean(text);
    fputc('\n', stderr);
}

ridge_status fail(ridge_error *err, ridge_status status, const char *where,
                  const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    *err = (ridge_error){.status = status};
    snprintf(err->where, sizeof err->where, "%s", where);
    vsnprintf(err->message, sizeof err->message, fmt, args);
    va_end(args);
    return status;
}

void fail_at(ridge_error *err, const char *where)
{
    if (!err->where[0])
        snprintf(err->where, sizeof err->where, "%s", where);
}

/* ---- Output ---------------------------------------------------------------------- */

static int output_write(void *ctx, const char *data, size_t size)
{
    struct output *output = ctx;
    if (output->failed)
        return -1;
    if (output->file) {
        ridge_sink sink = ridge_file_sink(output->file);
        output->failed = sink.write(sink.ctx, data, size) != 0;
    } else if (fwrite(data, 1, size, stdout) != size) {
        output->error = errno;
        output->failed = true;
    }
    return output->failed ? -1 : 0;
}

void say(struct run *run, const char *fmt, ...)
{
    char text[4096];
    va_list args;
    va_start(args, fmt);
    int size = vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    if (size < 0)
        return;
    size_t n = (size_t)size < sizeof text ? (size_t)size : sizeof text - 1;
    run->sink.write(run->sink.ctx, text, n);
}

void say_wrapped(struct run *run, size_t column, size_t indent, const char *text)
{
    const size_t width = 80;
    while (*text) {
        size_t n = strcspn(text, " \n");
        bool newline = text[n] == '\n';
        if (column > indent && column + 1 + n > width) {
            say(run, "\n");
            column = 0;
        }
        if (column < indent) {
            say(run, "%*s", (int)(indent - column), "");
            column = indent;
        } else if (column > indent) {
            say(run, " ");
            column++;
        }
        say(run, "%.*s", (int)n, text);
        column += n;
        text += n + (text[n] != '\0');
        if (newline) {
            say(run, "\n");
            column = 0;
        }
    }
    if (column)
        say(run, "\n");
}

/* Everything written has arrived, or an IO error that says why not. */
static ridge_status output_finish(struct output *output, ridge_error *err)
{
    if (output->file)
        return ridge_file_commit(output->file, err);
    if (!output->failed && fflush(stdout)) {
        output->error = errno;
        output->failed = true;
    }
    if (!output->failed && close(STDOUT_FILENO) && errno != EBADF) {
        output->error = errno;
        output->failed = true;
    }
    if (!output->failed)
        return RIDGE_OK;
    return fail(err, RIDGE_IO, "standard output", "cannot write: %s",
                strerror(output->error));
}

/* ---- One run --------------------------------------------------------------------- */

static bool use_color(const struct run *run)
{
    const char *want = args_text(run, "color");
    if (!want || strcmp(want, "never") == 0)
        return false;
    if (strcmp(want, "always") == 0)
        return true;
    const char *none = getenv("NO_COLOR"); /* https://no-color.org: set and not empty */
    const char *term = getenv("TERM");
    return !(none && none[0]) && !(term && strcmp(term, "dumb") == 0) &&
           !args_has(&run->args, "output") && isatty(STDOUT_FILENO);
}

static ridge_style style_of(const struct run *run)
{
    static const char *const formats[] = {
#define X(name, text) text,
        RIDGE_FORMAT_MAP(X)
#undef X
    };
    const char *format = args_text(run, "format");
    ridge_style style = {.format = RIDGE_TEXT,
                         .explain = args_has(&run->args, "explain"),
                         .verify = args_has(&run->args, "verify"),
                         .color = use_color(run),
                         .width = 80};
    for (size_t i = 0; format && i < COUNT(formats); i++)
        if (strcmp(format, formats[i]) == 0)
            style.format = (ridge_format)i;
    return style;
}

static ridge_status run_command(struct run *run, ridge_error *err)
{
    const char *help = args_has(&run->args, "help") ? args_text(run, "help") : NULL;
    if (help) {
        help_command(run, run->command, strcmp(help, "full") == 0);
        return output_finish(run->output, err);
    }
    const char *path = args_text(run, "output");
    ridge_status status = RIDGE_OK;
    if (path && !path[0])
        return fail(err, RIDGE_INVALID, "--output", "needs the name of a file, or -");
    if (path && strcmp(path, "-") != 0)
        status = ridge_file_open(&run->output->file, path, err);
    if (!status) {
        run->style = style_of(run);
        status = run->command->run(run, err);
    }
    /* The library only knows that the sink stopped; the output knows why. */
    if (!status || run->output->failed)
        status = output_finish(run->output, err);
    return status;
}

/* What does the work of a command that users look for under another name; NULL: none. */
static const char *does_that(const char *name)
{
    static const char *const others[][2] = {
        {"occupancy", "ridge kernel custom flop=1GFLOP bytes=1GB dtype=fp32 block=256 "
                      "regs=64 smem=48KiB --gpu h100-sxm"},
        {"compare", "ridge gpu h100-sxm h200-sxm"},
        {"diff", "ridge gpu h100-sxm h200-sxm"},
        {"list", "ridge gpus, ridge systems, ridge links or ridge ops"},
        {"roofline", "ridge plot --gpu h100-sxm"},
        {"chart", "ridge plot --gpu h100-sxm"},
        {"estimate", "ridge kernel gemm m=4096 n=4096 k=4096 dtype=bf16 --gpu h100-sxm"},
        {"batch", "ridge predict --op gemm shapes.csv"},
        {"accuracy", "ridge score --op gemm measured.csv"},
        {"calibrate", "ridge fit --op gemm measured.csv"},
        {"verify", "ridge kernel gemm m=4096 n=4096 k=4096 dtype=bf16 --gpu h100-sxm "
                   "--verify"},
        {"explain", "ridge kernel gemm m=4096 n=4096 k=4096 dtype=bf16 --gpu h100-sxm "
                    "--explain"},
    };
    for (size_t i = 0; i < COUNT(others); i++)
        if (strcmp(others[i][0], name) == 0)
            return others[i][1];
    return NULL;
}

/* The command of argv, or NULL and an error. */
static const struct command *pick(int argc, char **argv, ridge_error *err)
{
    if (argc < 2 || !argv[1][0]) {
        (void)fail(err, RIDGE_INVALID, "", "no command; see ridge help");
        return NULL;
    }
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 ||
        strcmp(name, "--version") == 0)
        return &command_help;
    const struct command *command = command_find(name);
    if (command)
        return command;
    if (command_later(name)) {
        (void)fail(err, RIDGE_UNSUPPORTED, name,
                   "this command is planned and not in this version; ridge help lists "
                   "those that are");
        return NULL;
    }
    const char *names[64];
    size_t count = 0;
    while (count < COUNT(names) && commands[count]) {
        names[count] = commands[count]->name;
        count++;
    }
    const char *nearest = ridge_word_nearest(name, names, count);
    if (name[0] == '-')
        (void)fail(err, RIDGE_INVALID, name,
                   "options come after the command; "
                   "usage: ridge COMMAND [words and options]");
    else if (ridge_op_find(name))
        (void)fail(err, RIDGE_INVALID, name,
                   "is an operation, not a command; as in: ridge %s %s ...",
                   ridge_op_communicates(ridge_op_find(name)) ? "comm" : "kernel", name);
    else if (does_that(name))
        (void)fail(err, RIDGE_INVALID, name, "unknown command; what does it is %s",
                   does_that(name));
    else if (nearest)
        (void)fail(err, RIDGE_INVALID, name, "unknown command; did you mean %s", nearest);
    else
        (void)fail(err, RIDGE_INVALID, name, "unknown command; see ridge help");
    return NULL;
}

/*
 * A closed standard descriptor would be handed to the next file that is opened, and
 * results would be written into it.
 */
static void fill_descriptors(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd ? O_RDONLY : O_WRONLY) < 0)
            _Exit(2);
}

int main(int argc, char **argv)
{
    fill_descriptors();
    /* A closed pipe or a file at its limit is a failed write, reported as one. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    ridge_error err = {.status = RIDGE_OK};
    struct output output = {.file = NULL};
    struct run run = {.output = &output, .sink = {.write = output_write, .ctx = &output}};
    ridge_status status = RIDGE_INVALID;
    run.command = pick(argc, argv, &err);
    if (run.command) {
        /* `ridge --version` is the command help with that option. */
        const char *first = argv[1];
        bool asks = first[0] == '-' && (first[1] != '-' || strcmp(first, "--help") == 0);
        int skip = first[0] != '-' || asks ? 2 : 1; /* -h, --help: without it */
        status = args_parse(&run.args, run.command, argc - skip, argv + skip, &err);
        if (!status)
            status = run_command(&run, &err);
    }
    ridge_file_free(output.file);
    args_free(&run.args);
    if (status)
        put_error(&err);
    /* 0 done; 1 done, and something is wrong with what was asked about; 2 not done. */
    return status ? 2 : run.wrong ? 1 : 0;
}
