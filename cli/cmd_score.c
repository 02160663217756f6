#include "cli.h"

#include <string.h>

static const struct option options[] = {
    {.name = "op",
     .value = "OP",
     .help =
         "predict the rows first, as ridge predict --op OP does; without it the table "
         "holds predictions already",
     .example = NULL},
    {.name = "by",
     .value = "COL[,COL...]",
     .fallback = "gpu,dtype",
     .help = "columns whose cells make a group; \"\" for one group of all rows; of the "
             "default ones, those that the table has",
     .example = "--by bound"},
    {.name = "truth",
     .value = "COL",
     .fallback = "time_us",
     .help = "column of the measured time, in the unit of the prediction",
     .example = "--truth time_us"},
    {.name = "expected",
     .value = "COL",
     .fallback = "expected_us",
     .help = "column of the prediction; those of floor, low and high are named alike",
     .example = "--expected expected_us"},
    {.name = "min-rows",
     .value = "N",
     .kind = OPTION_QUANTITY,
     .unit = RIDGE_UNIT_COUNT,
     .fallback = "30",
     .help = "leave out groups with fewer rows",
     .example = "--min-rows 1"},
    {.name = "title",
     .value = "TEXT",
     .help = "title of a picture",
     .example = "-o score.svg --title 'our library'"},
    {.name = "all",
     .kind = OPTION_FLAG,
     .help = "also rows that carry a mark in a column qc, and those timed eagerly",
     .example = "--all"},
    {.name = NULL},
};

static const struct option *const tables[] = {options, machine_options, output_options,
                                              NULL};

static const struct example examples[] = {
    {"score times.csv", "per part and dtype"},
    {"score --op gemm --min-rows 1 measured.csv",
     "predict the rows of a table, and score"},
    {"score times.csv -o score.svg", "a picture of expected against measured"},
    {"score --by dtype,bound --min-rows 1 times.csv", "by other columns"},
    {NULL, NULL},
};

/* The rows of a file that holds predictions, or (with --op) of one that is predicted. */
static ridge_status read_rows(ridge_score *score, struct run *run, const char *path,
                              ridge_error *err)
{
    struct subject subject = {.catalog = NULL};
    ridge_predict_options o;
    ridge_predict_summary summary;
    if (!args_text(run, "op"))
        return ridge_score_read(score, path, err);
    ridge_status status = predict_options(&o, &subject, run, err);
    if (!status) {
        status = ridge_predict_run(path, &o, ridge_score_sink(score), &summary, err);
        if (!status)
            predict_summary(run, &o, &summary);
    }
    subject_close(&subject);
    /* Why the score wants no more is told when it is finished. */
    return status == RIDGE_CANCELLED ? RIDGE_OK : status;
}

/* Text, JSON or CSV; a picture where -o names one. */
static ridge_status write_score(const ridge_score *score, struct run *run,
                                ridge_error *err)
{
    const double dots = 2; /* pixels of a PNG for each of the picture's 960 */
    const char *path = args_text(run, "output"), *title = args_text(run, "title");
    const char *dot = path ? strrchr(path, '.') : NULL;
    ridge_picture picture = RIDGE_PICTURE_PNG;
    ridge_raster *raster = NULL;
    bool drawn = picture_named(&picture, path);
    if (!drawn && !(dot && strcmp(dot, ".svg") == 0))
        return title ? fail(err, RIDGE_INVALID, "--title",
                            "is for a picture; give -o FILE.svg, .png or .pdf")
                     : ridge_score_write(score, &run->style, run->sink, err);
    if (run->style.format != RIDGE_TEXT)
        return fail(
            err, RIDGE_INVALID, path,
            "a picture takes no --json or --csv; leave it out, or write to a .json "
            "or .csv file");
    ridge_status status = drawn ? picture_open(&raster, path, err) : RIDGE_OK;
    if (!status)
        status = ridge_score_draw(score, title, raster, picture, dots, run->sink, err);
    ridge_raster_free(raster);
    return status;
}

static void note_unread(const ridge_score *score)
{
    const char *first;
    unsigned long long unread = ridge_score_unread(score, &first);
    if (unread)
        note("%llu rows are left out: their measured time is no number above zero; the "
             "first: \"%s\"",
             unread, first);
}

static ridge_status run_score(struct run *run, ridge_error *err)
{
    const char *path = NULL;
    ridge_score *score = NULL;
    unsigned min_rows = 0;
    ridge_score_options o = {
        .by = args_text(run, "by"),
        .by_present = !args_has(&run->args, "by"), /* the default ones */
        .truth = args_text(run, "truth"),
        .expected = args_text(run, "expected"),
        .all = args_has(&run->args, "all"),
    };
    ridge_status status = args_expect(run, 0, 1, "a CSV file", err);
    if (!status)
        status = args_count(&min_rows, run, "min-rows", 0, 1000000000, err);
    if (status)
        return status;
    o.min_rows = min_rows;
    if (run->args.word_count > 0)
        path = run->args.words[0];
    status = ridge_score_new(&score, &o, err);
    if (status)
        fail_at(err, "--by");
    if (!status)
        status = read_rows(score, run, path, err);
    if (!status)
        status = ridge_score_finish(score, path ? path : "standard input", err);
    if (!status)
        note_unread(score);
    if (!status)
        status = write_score(score, run, err);
    ridge_score_free(score);
    return status;
}

const struct command command_score = {
    .name = "score",
    .summary = "hold predictions against measured times",
    .task = "Many at once",
    .usage = "[FILE.csv[.gz]]",
    .about =
        "Reads a table with a measured time and the columns that ridge predict adds "
        "(standard input without FILE; gzip by content), and prints for each group of rows "
        "the mean, median and 90th percentile of the error, its bias, the share of rows "
        "within 10 % and inside the interval, how wide that is, and how many floors are "
        "above the measured time, which no floor may be.\n\n"
        "Rows whose column qc is not empty, and those timed eagerly, are left out unless "
        "--all is given; so are rows without a measured time.\n\n"
        "-o FILE.svg (.png, .pdf with the plug-in) draws expected against measured times "
        "and their ratio against the size, with a triangle where it is beyond a factor of 4.",
    .tables = tables,
    .base = "times.csv",
    .examples = examples,
    .run = run_score,
};
