#include "cli.h"

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
     .help = "columns whose cells make a group; \"\" for one group of all rows",
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
        /* Why the score wants no more is told when it is finished. */
        status = status == RIDGE_CANCELLED ? RIDGE_OK : status;
    }
    if (!status)
        predict_summary(run, &o, &summary);
    subject_close(&subject);
    return status;
}

static ridge_status run_score(struct run *run, ridge_error *err)
{
    const char *path = NULL;
    ridge_score *score = NULL;
    unsigned min_rows = 0;
    ridge_score_options o = {
        .by = args_text(run, "by"),
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
        status = ridge_score_write(score, &run->style, run->sink, err);
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
        "--all is given; so are rows without a measured time.",
    .tables = tables,
    .base = "times.csv",
    .examples = examples,
    .run = run_score,
};
