/* Help texts and man pages, made from the command and option rows. */
#include "cli.h"

#include <stdio.h>
#include <string.h>

/* Of the last change to what the pages say; a build date would change every build. */
#define MAN_DATE "November 30, 2026"

/* "--output FILE" with its letter: "-o, --output FILE". */
static void option_label(char *buf, size_t size, const struct option *option)
{
    snprintf(buf, size, "%s%.1s%s--%s%s%s", option->letter ? "-" : "",
             option->letter ? &option->letter : "", option->letter ? ", " : "",
             option->name, option->value ? " " : "", option->value ? option->value : "");
}

/* What follows the help line: words, unit, default, and that it may be repeated. */
static void option_details(char *buf, size_t size, const struct option *option)
{
    static const char *const units[] = {
        [RIDGE_UNIT_S] = "seconds, or with a unit: 2ms",
        [RIDGE_UNIT_BYTES] = "bytes, or with a unit: 100MB",
        [RIDGE_UNIT_HZ] = "hertz, or with a unit: 1.6GHz",
    };
    const char *unit = NULL;
    if (option->kind == OPTION_QUANTITY && (size_t)option->unit < COUNT(units))
        unit = units[option->unit];
    snprintf(buf, size, "%s%s%s%s%s%s%s%s", option->words ? "; one of: " : "",
             option->words ? option->words : "", unit ? "; in " : "", unit ? unit : "",
             option->fallback ? "; default " : "",
             option->fallback ? option->fallback : "",
             option->many ? "; may be repeated" : "", "");
}

static void say_option(struct run *run, const struct option *option, bool full)
{
    enum {
        COLUMN = 26
    };
    char label[96], details[256], text[1024];
    option_label(label, sizeof label, option);
    details[0] = '\0';
    if (full)
        option_details(details, sizeof details, option);
    snprintf(text, sizeof text, "%s%s", option->help, details);
    say(run, "  %s", label);
    size_t column = 2 + strlen(label);
    if (column + 2 > COLUMN) {
        say(run, "\n");
        column = 0;
    }
    say_wrapped(run, column, COLUMN, text);
}

static const struct option help_row = {
    .name = "help", .letter = 'h', .help = "show this help; -h shows less of it"};

void help_command(struct run *run, const struct command *command, bool full)
{
    char usage[256];
    snprintf(usage, sizeof usage, "ridge %s: %s", command->name, command->summary);
    say_wrapped(run, 0, 0, usage);
    say(run, "\n");
    snprintf(usage, sizeof usage, "ridge %s %s", command->name, command->usage);
    say(run, "Usage:");
    say_wrapped(run, 6, 7, usage);
    if (full && command->about) {
        say(run, "\n");
        say_wrapped(run, 0, 0, command->about);
    }
    say(run, "\nOptions:\n");
    for (size_t t = 0; command->tables && command->tables[t]; t++)
        for (const struct option *o = command->tables[t]; o->name; o++)
            say_option(run, o, full);
    say_option(run, &help_row, full);
    if (!full) {
        say(run, "\nMore: ridge %s --help\n", command->name);
        return;
    }
    say(run, "\nExamples:\n");
    for (const struct example *e = command->examples; e && e->words; e++) {
        say_command(run, 2, e->words);
        say_wrapped(run, 0, 6, e->says);
    }
}

/* ---- Man pages (mdoc) ------------------------------------------------------------ */

/* Text as mdoc: a backslash is an escape, and a line must not start with a dot or quote. */
void say_mdoc(struct run *run, const char *text)
{
    if (*text == '.' || *text == '\'')
        say(run, "\\&");
    for (; *text; text++) {
        if (*text == '\\') {
            say(run, "\\e");
        } else if (text[0] == '\n' && text[1] == '\n') {
            say(run, "\n.Pp");
        } else if (text[0] == '.' && text[1] == ' ' && text[2]) {
            say(run, ".\n"); /* a sentence begins a line */
            text++;
        } else {
            say(run, "%c", *text);
        }
    }
}

static void man_option(struct run *run, const struct option *option)
{
    char details[256];
    option_details(details, sizeof details, option);
    say(run, ".It");
    if (option->letter)
        say(run, " Fl %c ,", option->letter);
    say(run, " Fl -%s", option->name);
    if (option->value)
        say(run, " Ar %s", option->value);
    say(run, "\n");
    say_mdoc(run, option->help);
    say_mdoc(run, details);
    say(run, ".\n");
    if (option->example) {
        say(run, "Example:\n.Ql ");
        say_mdoc(run, option->example);
        say(run, "\n");
    }
}

static void man_exit_status(struct run *run)
{
    say(run, ".Sh EXIT STATUS\n"
             ".Bl -tag -width 4n\n"
             ".It 0\nDone.\n"
             ".It 1\nDone, and something is wrong with what was asked about.\n"
             ".It 2\nBad usage, bad input, or an output that cannot be written;\n"
             "no file is left behind.\n"
             ".El\n");
}

void help_man_overview(struct run *run)
{
    say(run, ".Dd " MAN_DATE "\n.Dt RIDGE 1\n.Os\n"
             ".Sh NAME\n.Nm ridge\n"
             ".Nd how long GPU work must take, how long it will take, and why\n"
             ".Sh SYNOPSIS\n.Nm\n.Ar command\n.Op Ar word ...\n"
             ".Op Ar key Ns = Ns Ar value ...\n.Op Fl -option ...\n"
             ".Sh DESCRIPTION\n"
             "Results go to standard output, all else to standard error.\n"
             "No command needs a GPU or a network.\n"
             ".Pp\nThe commands are as follows:\n.Bl -tag -width Ds\n");
    for (size_t i = 0; commands[i]; i++) {
        say(run, ".It Xr ridge-%s 1\n", commands[i]->name);
        say_mdoc(run, commands[i]->summary);
        say(run, ".\n");
    }
    for (const struct topic *t = topics; t->name; t++) {
        say(run, ".It Xr ridge-%s 7\n", t->name);
        say_mdoc(run, t->summary);
        say(run, ".\n");
    }
    say(run, ".El\n");
    man_exit_status(run);
}

void help_man_head(struct run *run, const char *name, const char *summary, int section)
{
    char title[32];
    snprintf(title, sizeof title, "ridge-%s", name);
    for (char *p = title; *p; p++)
        if (*p >= 'a' && *p <= 'z')
            *p = (char)(*p - 'a' + 'A');
    say(run, ".Dd " MAN_DATE "\n.Dt %s %d\n.Os\n", title, section);
    say(run, ".Sh NAME\n.Nm ridge-%s\n.Nd %s\n", name, summary);
}

void help_man(struct run *run, const struct command *command)
{
    help_man_head(run, command->name, command->summary, 1);
    say(run, ".Sh SYNOPSIS\n.Nm ridge %s\n", command->name);
    say_mdoc(run, command->usage);
    say(run, "\n.Sh DESCRIPTION\n");
    say_mdoc(run, command->about ? command->about : command->summary);
    say(run, "\n.Pp\nThe options are as follows:\n.Bl -tag -width Ds\n");
    for (size_t t = 0; command->tables && command->tables[t]; t++)
        for (const struct option *o = command->tables[t]; o->name; o++)
            man_option(run, o);
    man_option(run, &help_row);
    say(run, ".El\n");
    man_exit_status(run);
    say(run, ".Sh EXAMPLES\n");
    for (const struct example *e = command->examples; e && e->words; e++) {
        say(run, "%s", e == command->examples ? "" : ".Pp\n");
        say_mdoc(run, e->says);
        say(run, ":\n.Pp\n.Dl ridge ");
        say_mdoc(run, e->words);
        say(run, "\n");
    }
}
