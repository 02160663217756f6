/*
 * cli - argv, the environment, standard output and exit codes.  Sees <ridge.h> alone.
 *
 * Adding a command: one file cmd_<name>.c with a `const struct command` row and its run
 * function, a declaration at the end of this file, and a line in commands.c.  From the
 * row come parsing, -h, --help, the man page, and tests that run every example.
 *
 *     static const struct option options[] = {
 *         {.name = "op", .value = "OP", .help = "operation of the rows",
 *          .example = "--op gemm"},
 *         {.name = NULL}};
 *     static const struct option *const tables[] = {options, machine_options,
 *                                                   output_options, NULL};
 *     static ridge_status run(struct run *run, ridge_error *err)
 *     {
 *         const char *op = args_text(&run->args, "op");
 *         ...
 *         run->wrong = summary.failed > 0;      exit status 1
 *         return status;                        any failure: exit status 2
 *     }
 *     const struct command command_predict = {.name = "predict", .tables = tables, ...};
 */
#ifndef RIDGE_CLI_H
#define RIDGE_CLI_H

#include <ridge.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* ---- Options: one row each ------------------------------------------------------- */

enum option_kind {
    OPTION_TEXT,     /* taken as it is: an id, a path, an expression */
    OPTION_FLAG,     /* no value */
    OPTION_WORD,     /* one of `words` */
    OPTION_QUANTITY, /* a number in `unit`, checked while parsing; `many`: or a list */
};

struct option {
    const char *name; /* without dashes; NULL ends a table */
    char letter;      /* 'o' for -o; 0: none */
    enum option_kind kind;
    ridge_unit unit;
    const char *value;               /* how help names the value: "ID|FILE" */
    const char *words;               /* of a WORD, separated by blanks */
    bool (*also)(const char *value); /* of a WORD: further values; NULL: none */
    const char *fallback; /* the default, as a user would write it; NULL: none */
    const char *help;     /* one line, lower case, no full stop */
    const char *same;     /* a flag that is short for another option: "format=json" */
    bool many;            /* may be repeated */
    /* Options that run when added to the command's `base` words (and to --gpu h100-sxm
     * where the command takes one); NULL: not run. */
    const char *example;
};

/* The library's own words, separated by blanks: "text json csv". */
#define WORD_OF(name, text) " " text
#define WORDS_OF(map, more) (&(map(WORD_OF) more)[1])

/* Tables that commands share; each ends in an empty row. */
extern const struct option machine_options[]; /* --gpu --system --peak --dram ... */
/* The same without --gpu, its first row: for a command that takes several. */
#define MACHINE_OPTIONS_BUT_GPU (&machine_options[1])
extern const struct option catalog_options[];  /* --catalog */
extern const struct option way_options[];      /* --backend --timing */
extern const struct option question_options[]; /* --count --tile --strict */
extern const struct option output_options[];   /* --format --json --csv -o --color */
extern const struct option detail_options[];   /* --explain --verify */

/* ---- Commands -------------------------------------------------------------------- */

struct run;

struct example {
    const char *words; /* everything after "ridge " */
    const char *says;  /* what it does */
};

struct command {
    const char *name, *summary; /* summary: one line, no full stop */
    const char *task;           /* heading in `ridge help`; NULL: hidden */
    const char *usage;          /* words after the name: "OP key=value..." */
    const char *about;          /* paragraphs on the words, separated by blank lines */
    const struct option *const *tables; /* ends in NULL */
    const char *base;                   /* words with which each option's example runs */
    const struct example *examples;     /* ends in an empty row */
    ridge_status (*run)(struct run *run, ridge_error *err);
};

/* The row of a long option name; NULL if the command has none. */
const struct option *option_find(const struct command *command, const char *name);

extern const struct command
    *const commands[]; /* in the order of `ridge help`; ends in NULL */
const struct command *command_find(const char *name); /* NULL if there is none */
/* True for a command that the design names and this version lacks. */
bool command_later(const char *name);

/* ---- Parsed arguments ------------------------------------------------------------ */

struct given {
    const struct option *option;
    const char *value;
};

struct args {
    const char **words; /* those that are no options, in order */
    size_t word_count;
    struct given *given; /* in order; owned, as is `words` */
    size_t given_count;
};

/* argv without the program and command names.  args_free either way. */
ridge_status args_parse(struct args *args, const struct command *command, int argc,
                        char **argv, ridge_error *err);
void args_free(struct args *args);

bool args_has(const struct args *args, const char *name);
/* The value, else the default of the command's row, else NULL. */
const char *args_text(const struct run *run, const char *name);
/* Values of a repeated option: start with *at = 0; NULL at the end. */
const char *args_next(const struct args *args, const char *name, size_t *at);
/* SI value of a QUANTITY; RIDGE_UNKNOWN if not given. */
double args_number(const struct args *args, const char *name);
/* A whole number from low to high; *out stays where neither option nor default is. */
ridge_status args_count(unsigned *out, const struct run *run, const char *name,
                        unsigned low, unsigned high, ridge_error *err);
/* All values of a QUANTITY with `many`; *out is malloc'ed, NULL if there are none. */
ridge_status args_numbers(double **out, size_t *count, const struct args *args,
                          const char *name, ridge_error *err);
/* The numbers of one value of a QUANTITY ("2ms,2.1ms" with `many`) after out[*count];
 * LIMIT for more than `room` in all. */
ridge_status numbers_read(double *out, size_t *count, size_t room,
                          const struct option *option, const char *list,
                          ridge_error *err);
/* INVALID unless min to max words are given; `what` names the one that is missing. */
ridge_status args_expect(const struct run *run, size_t min, size_t max, const char *what,
                         ridge_error *err);

/* ---- Running --------------------------------------------------------------------- */

/* Where results go: standard output, or the file of -o. */
struct output {
    ridge_file *file;
    int error; /* errno of the first failed write to standard output */
    bool failed;
};

struct run {
    const struct command *command;
    struct args args;
    ridge_style style; /* from --format, --explain, --verify, --color */
    ridge_sink sink;   /* results */
    struct output *output;
    bool wrong; /* set: exit status 1 */
};

/* Results as text; a failed write is remembered and reported at the end. */
RIDGE_PRINTF(2, 3) void say(struct run *run, const char *fmt, ...);
/* `text` in lines of at most 80 columns, each after `indent` blanks.  The first line
 * follows what is already `column` wide. */
void say_wrapped(struct run *run, size_t column, size_t indent, const char *text);
/* A command of more than a line ends its lines in a backslash, for the shell. */
void say_command(struct run *run, size_t indent, const char *words);

/* Fill err: `ridge: WHERE: message`.  Returns status. */
RIDGE_PRINTF(4, 5)
ridge_status fail(ridge_error *err, ridge_status status, const char *where,
                  const char *fmt, ...);
/* Add the place where the library gave none. */
void fail_at(ridge_error *err, const char *where);
/* Talk on standard error: "ridge: ..." */
RIDGE_PRINTF(1, 2) void note(const char *fmt, ...);

/* ---- From options to library objects (question.c) -------------------------------- */

/*
 * The options that ridge_machine_set() takes, in the order in which they apply: keys and
 * values of at most `room`, *count of them.  LIMIT where more are given.
 */
ridge_status machine_changes(const char **keys, const char **values, size_t room,
                             size_t *count, const struct run *run, ridge_error *err);
/* Tries them before the first row of a table whose rows name their parts. */
ridge_status machine_changes_try(ridge_catalog *catalog, const char *const *keys,
                                 const char *const *values, size_t count,
                                 ridge_error *err);

/* The machine of --gpu or --system with the changes of the other machine options. */
struct subject {
    ridge_catalog *catalog;
    ridge_machine *machine; /* NULL where none was asked for */
};
/* needed: no --gpu or --system (nor --peak and --dram) is an error.  subject_close either way. */
ridge_status subject_open(struct subject *subject, const struct run *run, bool needed,
                          ridge_error *err);
void subject_close(struct subject *subject);
/* The catalogue of --catalog alone, and the machine of one name (NULL: of --system, or the
 * given one of --peak and --dram) under the options: for a command that has several. */
ridge_status catalog_open(ridge_catalog **out, const struct run *run, ridge_error *err);
ridge_status machine_open(ridge_machine **out, const struct run *run,
                          ridge_catalog *catalog, const char *gpu, ridge_error *err);

/* A finished call of words[0] with the key=value words after it, and --backend, --timing,
 * --count, --tile. */
ridge_status call_parse(ridge_call *call, const struct run *run, const char *const *words,
                        size_t count, ridge_error *err);
/*
 * Cuts text at its blanks: at most `room` words, which point into it.  Returns how many
 * there are, which may be more.
 */
size_t words_split(char *text, const char **words, size_t room);
/* The same, not finished: words may be missing, and none is checked against another. */
ridge_status call_read(ridge_call *call, const struct run *run, const char *const *words,
                       size_t count, ridge_error *err);
/* --strict: no figure may stem from another part or from a guess. */
ridge_status warnings_check(const struct run *run, uint32_t warnings, ridge_error *err);
/* ridge_estimate_call under the options: --peak must be of use, --strict must hold. */
ridge_status call_estimate(ridge_estimate *out, const struct run *run,
                           const ridge_machine *machine, const ridge_call *call,
                           ridge_error *err);
/* Of --backend; one that nobody knows counts as the best. */
ridge_backend args_backend(const struct run *run);
bool args_backend_unknown(const struct run *run);
/* A warning on standard error if --backend is not known: for pages without warnings. */
void note_backend(const struct run *run);
/* Whether a word is a code of published tables for one of the timings. */
bool timing_code(const char *word);
ridge_timing args_timing(const struct run *run);

/* Measured times are above zero, and one before a change is given beside them. */
ridge_status times_check(const double *times, size_t count, double before,
                         ridge_error *err);

/* A command about one call on one machine: OP key=value..., with measured times. */
struct question {
    const char *name;
    /* What else must hold before the call is read; NULL: nothing. */
    ridge_status (*check)(const struct run *run, ridge_error *err);
    ridge_status (*answer)(struct run *run, const ridge_machine *machine,
                           const ridge_call *call, const double *times, size_t count,
                           ridge_error *err);
};
ridge_status question_run(struct run *run, const struct question *question,
                          ridge_error *err);

/* Rows of a table (cmd_predict.c): the op, and the machine for rows that name none.
 * subject_close either way. */
ridge_status predict_options(ridge_predict_options *out, struct subject *subject,
                             const struct run *run, ridge_error *err);

/* Warnings and rows that failed, on standard error; those make the exit status 1. */
void predict_summary(struct run *run, const ridge_predict_options *o,
                     const ridge_predict_summary *s);

/* ---- Pictures (picture.c) -------------------------------------------------------- */

/* The kind of picture that a file name asks for; false for any other. */
bool picture_named(ridge_picture *out, const char *path);
/* The plug-in of the folder RIDGE_PLUGIN_DIR, or of this program.  An error says what to
 * install, and that `path` needs it. */
ridge_status picture_open(ridge_raster **out, const char *path, ridge_error *err);

/* ---- Help (help.c) --------------------------------------------------------------- */

void help_command(struct run *run, const struct command *command, bool full);
/* Manual pages as mdoc: ridge-COMMAND(1), and ridge(1) over all of them. */
void help_man(struct run *run, const struct command *command);
void help_man_overview(struct run *run);
/* The first lines of a page, and text with what mdoc would read escaped. */
void help_man_head(struct run *run, const char *name, const char *summary, int section);
void say_mdoc(struct run *run, const char *text);

/* ---- Topics (topics.c): ridge help measure, ridge help workflow -------------------- */

/* A step: text, a listing under it, or a command (its words, as in an example, run by a
 * test) under the text before. */
struct topic_row {
    const char *text, *code, *command;
};
struct topic {
    const char *name, *summary;
    const struct topic_row *rows; /* end in a row of nothing */
};
extern const struct topic topics[]; /* end in a row of nothing */
const struct topic *topic_find(const char *name);
void help_topic(struct run *run, const struct topic *topic);
void help_man_topic(struct run *run, const struct topic *topic);
/* The commands of all topics, one a line. */
void help_topic_examples(struct run *run);

/* ---- The rows -------------------------------------------------------------------- */

extern const struct command command_kernel, command_ops, command_op, command_help;
extern const struct command command_gpus, command_gpu, command_plot;
extern const struct command command_systems, command_system, command_links, command_link;
extern const struct command command_comm;
extern const struct command command_predict, command_score, command_fit;
extern const struct command command_fuse, command_saturate, command_latency;

#endif
