#include "cli.h"

#include <string.h>

static const struct option options[] = {
    {.name = "op",
     .value = "OP",
     .help = "the op of every row, or a family (elementwise) whose rows name theirs in a "
             "column op",
     .example = NULL},
    {.name = "threads",
     .value = "N",
     .kind = OPTION_QUANTITY,
     .unit = RIDGE_UNIT_COUNT,
     .help = "threads to use; by default one per core; the output never depends on it",
     .example = "--threads 1"},
    {.name = "basis",
     .kind = OPTION_FLAG,
     .help =
         "two columns more: basis, whose constants a time rests on, and warnings, their "
         "codes with blanks between (borrowed: of a part that is not this one)",
     .example = "--basis"},
    {.name = "output",
     .letter = 'o',
     .value = "FILE",
     .help = "write there instead of standard output; no partial file is ever left",
     .example = "-o predicted.csv"},
    {.name = NULL},
};

static const struct option *const tables[] = {options, machine_options, way_options,
                                              NULL};

static const struct example examples[] = {
    {"predict --op gemm --gpu h100-sxm gemm.csv", "shapes on one GPU"},
    {"predict --op gemm --gpu h20 --basis gemm.csv",
     "and what each time rests on, with its warnings"},
    {"predict --op elementwise -o predicted.csv elementwise.csv",
     "a family; a column gpu or system names the machine of each row"},
    {NULL, NULL},
};

void predict_summary(struct run *run, const ridge_predict_options *o,
                     const ridge_predict_summary *s)
{
    if (s->unknown_backend)
        note("warning unknown_backend: in %llu of %llu rows, counted as %s",
             (unsigned long long)s->unknown_backend, (unsigned long long)s->rows,
             ridge_backend_name(o->backend));
    if (s->unknown_timing)
        note("warning unknown_timing: in %llu of %llu rows, counted as %s",
             (unsigned long long)s->unknown_timing, (unsigned long long)s->rows,
             ridge_timing_name(o->timing));
    if (s->assumed_system)
        note("warning assumed_system: in %llu of %llu rows, whose system is unknown; the "
             "ordinary node of the part was taken",
             (unsigned long long)s->assumed_system, (unsigned long long)s->rows);
    if (s->failed)
        note("%llu of %llu rows could not be predicted and have empty cells; the first: "
             "%s:%llu: %s",
             (unsigned long long)s->failed, (unsigned long long)s->rows, s->first.where,
             (unsigned long long)s->first.line, s->first.message);
    run->wrong = s->failed > 0;
}

ridge_status predict_options(ridge_predict_options *out, struct subject *subject,
                             const struct run *run, ridge_error *err)
{
    ridge_predict_options o = {.op = args_text(run, "op"),
                               .backend = args_backend(run),
                               .timing = args_timing(run)};
    if (!o.op)
        return fail(err, RIDGE_INVALID, "--op",
                    "the op of the rows is wanted, as --op gemm; see ridge ops");
    ridge_status status = args_count(&o.threads, run, "threads", 1, 256, err);
    if (!status) /* they also change the machines that a column names */
        status = machine_changes(o.set_key, o.set_value, COUNT(o.set_key), &o.set_count,
                                 run, err);
    if (!status)
        status = subject_open(subject, run, false, err);
    if (!status && !subject->machine && o.set_count > 0)
        status = machine_changes_try(subject->catalog, o.set_key, o.set_value,
                                     o.set_count, err);
    if (status)
        return status;
    note_backend(run);
    o.catalog = subject->catalog;
    o.machine = subject->machine;
    *out = o;
    return RIDGE_OK;
}

static ridge_status run_predict(struct run *run, ridge_error *err)
{
    struct subject subject = {.catalog = NULL};
    ridge_predict_summary summary;
    ridge_predict_options o;
    ridge_status status = args_expect(run, 0, 1, "a CSV file", err);
    if (!status)
        status = predict_options(&o, &subject, run, err);
    if (!status) {
        o.basis = args_has(&run->args, "basis");
        const char *path = run->args.word_count > 0 ? run->args.words[0] : NULL;
        status = ridge_predict_run(path, &o, run->sink, &summary, err);
        if (status == RIDGE_NOTFOUND)
            fail_at(err, "--op");
    }
    subject_close(&subject);
    if (!status)
        predict_summary(run, &o, &summary);
    return status;
}

const struct command command_predict = {
    .name = "predict",
    .summary = "predict every row of a CSV file",
    .task = "Many at once",
    .usage = "--op OP [FILE.csv[.gz]]",
    .about =
        "Reads a table (standard input without FILE; gzip by content) and writes it with "
        "the columns floor_us, expected_us, low_us, high_us and bound added (with --basis "
        "also basis and warnings). Columns are "
        "found by name in any order: the parameters of the op (see ridge op OP), and gpu, "
        "system, op, backend, timing; others pass through.\n\n"
        "A row that cannot be predicted keeps its place with empty cells; the end says how "
        "many and why the first (exit status 1). A bad header stops (2).",
    .tables = tables,
    .base = "--op gemm gemm.csv",
    .examples = examples,
    .run = run_predict,
};
