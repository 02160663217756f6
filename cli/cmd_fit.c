#include "cli.h"

#include <string.h>
#include <time.h>

static const struct option options[] = {
    {.name = "op",
     .value = "OP",
     .help = "the op of every row, or a family whose rows name theirs in a column op",
     .example = NULL},
    {.name = "key",
     .value = "ARCH|ID",
     .help = "what the constants are for: an architecture, or (the default) the part of "
             "the rows",
     .example = "--key hopper"},
    {.name = "pool",
     .kind = OPTION_FLAG,
     .help =
         "one set of constants for all parts of a column gpu, from those of no part in "
         "particular: what a part that nobody measured is given",
     .example = NULL},
    {.name = "constants",
     .value = "NAME[,NAME...]",
     .help = "fit these alone; without it all that the rows determine",
     .example = "--constants dram_share"},
    {.name = "cross",
     .value = "shapes|parts|spread",
     .help = "write the rows instead, as ridge predict does, each predicted by constants "
             "fitted without its shape, or without any row of its part; or the spread of "
             "the entries that they rest on: see docs/format/fit.md",
     .example = "--cross shapes"},
    {.name = "threads",
     .value = "N",
     .kind = OPTION_QUANTITY,
     .unit = RIDGE_UNIT_COUNT,
     .help = "threads for --cross; by default one per core; the output never depends on "
             "it",
     .example = "--threads 1"},
    {.name = "from",
     .value = "TEXT",
     .help = "what the rows are, for the file; without it their path",
     .example = "--from 'our library, 2026-11'"},
    {.name = "date",
     .value = "YYYY-MM-DD",
     .help = "the date in the file; without it today",
     .example = "--date 2026-11-30"},
    {.name = NULL},
};

static const struct option *const tables[] = {options, machine_options, output_options,
                                              NULL};

static const struct example examples[] = {
    {"fit --op gemm measured.csv -o mine.yaml",
     "constants of this table's parts, for --fit mine.yaml"},
    {"fit --op gemm measured.csv --json", "errors before and after, and each constant"},
    {"fit --op gemm --cross shapes -o rows.csv measured.csv",
     "the rows, predicted by constants that did not see their shape: for ridge score"},
    {NULL, NULL},
};

static ridge_status check_date(const char *text, ridge_error *err)
{
    static const char shape[] = "dddd-dd-dd";
    bool right = strlen(text) == strlen(shape);
    for (size_t i = 0; right && shape[i]; i++)
        right = shape[i] == 'd' ? text[i] >= '0' && text[i] <= '9' : text[i] == '-';
    /* Digits alone: their order is that of the numbers. */
    if (right && strncmp(text + 5, "01", 2) >= 0 && strncmp(text + 5, "12", 2) <= 0 &&
        strcmp(text + 8, "01") >= 0 && strcmp(text + 8, "31") <= 0)
        return RIDGE_OK;
    return fail(err, RIDGE_INVALID, "--date",
                "\"%.20s\" is no date; year, month and day are wanted, as in 2026-11-30",
                text);
}

/* Of --date, else today's in UTC. */
static ridge_status find_date(char buf[11], const struct run *run, ridge_error *err)
{
    const char *given = args_text(run, "date");
    time_t now = time(NULL);
    struct tm utc = {0};
    if (given) {
        ridge_status status = check_date(given, err);
        if (!status)
            memcpy(buf, given, 11);
        return status;
    }
    if (now == (time_t)-1 || !gmtime_r(&now, &utc) ||
        !strftime(buf, 11, "%Y-%m-%d", &utc))
        return fail(err, RIDGE_UNSUPPORTED, "--date",
                    "this machine has no clock; give it");
    return RIDGE_OK;
}

/* The word of --cross; false: not given. */
static ridge_status find_cross(bool *asked, ridge_cross *out, const struct run *run,
                               ridge_error *err)
{
    static const char *const words[] = {"shapes", "parts", "spread"};
    static const char *const of_a_file[] = {"key", "pool", "constants", "from", "date"};
    const char *word = args_text(run, "cross");
    *asked = word != NULL;
    for (size_t i = 0; word && i < COUNT(of_a_file); i++)
        if (args_has(&run->args, of_a_file[i]))
            return fail(err, RIDGE_INVALID, "--cross",
                        "writes no fit file, which --%s is for; leave one of the two out",
                        of_a_file[i]);
    for (size_t i = 0; word && i < COUNT(words); i++)
        if (strcmp(word, words[i]) == 0) {
            *out = (ridge_cross)i;
            return RIDGE_OK;
        }
    if (!word)
        return RIDGE_OK;
    return fail(err, RIDGE_INVALID, "--cross",
                "\"%.20s\" is neither shapes nor parts, what a row's prediction may not "
                "have seen, nor spread",
                word);
}

static void cross_summary(const ridge_cross_summary *s, ridge_cross how)
{
    unsigned long long kept = s->kept;
    if (s->unused)
        note("%llu of %llu rows not used, with empty cells; the first: %s",
             (unsigned long long)s->unused, (unsigned long long)s->rows, s->first);
    if (kept && how == RIDGE_CROSS_PARTS)
        note(
            "%llu rows have empty cells: only constants made from their own part are known",
            kept);
    else if (kept)
        note(
            "%llu rows are predicted by the constants there were: too few other rows, or "
            "these determine none",
            kept);
}

/* What is not in the file would else be read in its comments alone. */
static void left_out(const ridge_fitting *fitting)
{
    char text[512];
    for (size_t i = 0; ridge_fitting_left_out(fitting, i, text, sizeof text) > 0; i++)
        note("%s", text);
}

static ridge_status run_fit(struct run *run, ridge_error *err)
{
    struct subject subject = {.catalog = NULL};
    ridge_fitting *fitting = NULL;
    char date[11];
    ridge_fitting_options o = {.key = args_text(run, "key"),
                               .pool = args_has(&run->args, "pool"),
                               .constants = args_text(run, "constants"),
                               .from = args_text(run, "from"),
                               .date = date};
    const char *path = run->args.word_count > 0 ? run->args.words[0] : NULL;
    bool crossed = false;
    ridge_cross cross = RIDGE_CROSS_SHAPES;
    ridge_cross_summary summary;
    ridge_status status = args_expect(run, 0, 1, "a CSV file", err);
    if (!status)
        status = find_date(date, run, err);
    if (!status)
        status = find_cross(&crossed, &cross, run, err);
    if (!status)
        status = predict_options(&o.rows, &subject, run, err);
    if (!status) {
        status = crossed ? ridge_cross_run(path, &o.rows, cross, run->sink, &summary, err)
                         : ridge_fitting_run(&fitting, path, &o, err);
        fail_at(err, path ? path : "fit");
    }
    if (!status && crossed)
        cross_summary(&summary, cross);
    else if (!status) {
        left_out(fitting);
        status = ridge_fitting_write(fitting, &run->style, run->sink, err);
    }
    ridge_fitting_free(fitting);
    subject_close(&subject);
    return status;
}

const struct command command_fit = {
    .name = "fit",
    .summary = "fit the constants of the time models to measured times",
    .task = "Many at once",
    .usage = "--op OP [FILE.csv[.gz]]",
    .about =
        "Reads a table of measured times (columns as for ridge predict, and time_us, "
        "time_ms, time_s, time_ns or time) and writes a fit file, which --fit FILE takes "
        "everywhere. Twenty rows already help; outliers pull no harder than any row.\n\n"
        "The constants start from those that are built in, and only those move that the "
        "rows determine. One shape in five is kept apart and judges the result: the file "
        "says its error before and after. What is no better stays as it was.",
    .tables = tables,
    .base = "--op gemm measured.csv",
    .examples = examples,
    .run = run_fit,
};
