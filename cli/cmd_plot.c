#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct option options[] = {
    {.name = "point",
     .value = "'OP KEY=VALUE...'",
     .many = true,
     .help =
         "a kernel, as for ridge kernel; with time=T it is drawn where it was measured, "
         "else where it is expected",
     .example = "--gpu h100-sxm --point 'rmsnorm rows=4096 cols=8192 dtype=bf16'"},
    {.name = "time",
     .value = "T[,T...]",
     .many = true,
     .help = "measured times of the --point before it; the median is drawn",
     .example = "--gpu example --point 'custom flop=10GFLOP bytes=1GB' --time 2ms"},
    {.name = "from",
     .value = "FILE.csv",
     .help = "the rows of a table as points (- is standard input): the columns of "
             "ridge predict, and time_us, time_ms or time where they were measured",
     .example = NULL},
    {.name = "op",
     .value = "OP",
     .help = "the op of the rows of --from, or a family whose rows name theirs",
     .example = NULL},
    {.name = "dtype",
     .value = "NAME[,NAME...]",
     .many = true,
     .help = "precisions whose roofs are drawn; by default those of the points, or bf16 "
             "and fp32",
     .example = "--gpu h100-sxm --dtype fp8,bf16,fp32"},
    {.name = "title",
     .value = "TEXT",
     .help = "heading of the chart; by default it names the machine",
     .example = "--gpu h100-sxm --title 'My kernels'"},
    {.name = "scale",
     .kind = OPTION_QUANTITY,
     .value = "N",
     .fallback = "2",
     .help = "size of a PNG: its pixels for each unit of the picture, which is 960 wide",
     .example = NULL},
    {.name = "ascii",
     .kind = OPTION_FLAG,
     .help = "in the terminal: no characters beyond ASCII",
     .example = "--gpu h100-sxm --ascii"},
    {.name = NULL},
};

static const struct option *const tables[] = {
    options, machine_options, way_options, question_options, output_options, NULL};

/* ---- Points ------------------------------------------------------------------------ */

enum {
    POINT_WORDS = 64,
    POINT_TIMES = 64
};

struct point {
    char *text; /* owned; words point into it */
    const char *words[POINT_WORDS];
    size_t word_count;
    double times[POINT_TIMES];
    size_t time_count;
    ridge_call call;
    ridge_estimate estimate;
    ridge_measurement measurement;
};

/* Times "2ms,2.1ms" into the point. */
static ridge_status read_times(struct point *point, const char *list, ridge_error *err)
{
    while (*list) {
        char one[64];
        size_t size = strcspn(list, ",");
        if (size >= sizeof one || point->time_count == POINT_TIMES)
            return fail(err, RIDGE_LIMIT, "--time", "too long, or more than %d times",
                        (int)POINT_TIMES);
        memcpy(one, list, size);
        one[size] = '\0';
        double *out = &point->times[point->time_count];
        ridge_status status = ridge_quantity_parse(out, one, RIDGE_UNIT_S, 0, err);
        if (status) {
            fail_at(err, "--time");
            return status;
        }
        if (!(*out > 0))
            return fail(err, RIDGE_INVALID, "--time", "a measured time is above zero");
        point->time_count++;
        list += size + (list[size] == ',');
    }
    return RIDGE_OK;
}

/* Split "OP key=value..." at blanks, keeping time=... apart. */
static ridge_status split_point(struct point *point, const char *text, ridge_error *err)
{
    size_t size = strlen(text);
    point->text = malloc(size + 1);
    if (!point->text)
        return fail(err, RIDGE_NOMEM, "--point", "out of memory");
    memcpy(point->text, text, size + 1);
    for (char *p = point->text; *(p += strspn(p, " \t"));) {
        char *word = p;
        p += strcspn(p, " \t");
        if (*p)
            *p++ = '\0';
        if (strncmp(word, "time=", 5) == 0) {
            ridge_status status = read_times(point, word + 5, err);
            if (status)
                return status;
            continue;
        }
        if (point->word_count == POINT_WORDS)
            return fail(err, RIDGE_LIMIT, "--point", "more than %d words",
                        (int)POINT_WORDS);
        point->words[point->word_count++] = word;
    }
    if (point->word_count == 0)
        return fail(err, RIDGE_INVALID, "--point",
                    "an operation wanted, as in 'gemm m=4096 n=4096 k=4096 dtype=bf16'");
    return RIDGE_OK;
}

/* "gemm m=4096 n=4096 k=4096": the words again, without the time. */
static void label_text(char *buf, size_t room, const struct point *point)
{
    size_t size = 0;
    buf[0] = '\0';
    for (size_t i = 0; i < point->word_count && size < room; i++) {
        int n = snprintf(buf + size, room - size, "%s%s", i ? " " : "", point->words[i]);
        size += n > 0 ? (size_t)n : 0;
    }
}

/* --point and --time in the order given. */
static ridge_status read_points(struct point *points, size_t *count,
                                const struct run *run, ridge_error *err)
{
    const struct args *args = &run->args;
    ridge_status status = RIDGE_OK;
    for (size_t i = 0; i < args->given_count && !status; i++) {
        const struct given *given = &args->given[i];
        if (strcmp(given->option->name, "point") == 0) {
            struct point *point = &points[(*count)++];
            status = split_point(point, given->value, err);
            if (!status)
                status =
                    call_parse(&point->call, run, point->words, point->word_count, err);
            fail_at(err, "--point");
        } else if (strcmp(given->option->name, "time") == 0) {
            if (*count == 0)
                return fail(err, RIDGE_INVALID, "--time",
                            "belongs after the --point that was measured");
            status = read_times(&points[*count - 1], given->value, err);
        }
    }
    return status;
}

static ridge_status estimate_point(struct point *point, struct run *run,
                                   const ridge_machine *machine, ridge_error *err)
{
    ridge_status status =
        call_estimate(&point->estimate, run, machine, &point->call, err);
    if (!status && point->time_count)
        status =
            ridge_measurement_place(&point->measurement, &point->estimate, machine,
                                    point->times, point->time_count, RIDGE_UNKNOWN, err);
    if (!status && point->time_count &&
        point->measurement.warnings & ridge_warning_mask(RIDGE_WRONG))
        run->wrong = true;
    fail_at(err, point->words[0]);
    return status;
}

/* ---- Roofs ------------------------------------------------------------------------- */

struct dtypes {
    ridge_dtype list[RIDGE_DTYPE_COUNT];
    size_t count;
};

static void add_dtype(struct dtypes *dtypes, ridge_dtype dtype)
{
    for (size_t i = 0; i < dtypes->count; i++)
        if (dtypes->list[i] == dtype)
            return;
    dtypes->list[dtypes->count++] = dtype;
}

static ridge_status add_dtype_word(struct dtypes *dtypes, const char *word, size_t size,
                                   ridge_error *err)
{
    for (int d = 0; d < RIDGE_DTYPE_COUNT; d++) {
        const char *name = ridge_dtype_name((ridge_dtype)d);
        if (strlen(name) == size && memcmp(name, word, size) == 0) {
            add_dtype(dtypes, (ridge_dtype)d);
            return RIDGE_OK;
        }
    }
    return fail(err, RIDGE_NOTFOUND, "--dtype",
                "no dtype is called \"%.*s\"; there are bf16, fp16, fp8, fp32 and others",
                (int)(size < 40 ? size : 40), word);
}

static ridge_status choose_dtypes(struct dtypes *dtypes, const struct run *run,
                                  const struct point *points, size_t count,
                                  ridge_error *err)
{
    size_t at = 0;
    const char *list;
    while ((list = args_next(&run->args, "dtype", &at)))
        while (*list) {
            size_t size = strcspn(list, ",");
            ridge_status status = add_dtype_word(dtypes, list, size, err);
            if (status)
                return status;
            list += size + (list[size] == ',');
        }
    for (size_t i = 0; i < count; i++)
        if (points[i].estimate.work.flop > 0 && /* COUNT: all dtypes have one peak */
            points[i].estimate.work.dtype < RIDGE_DTYPE_COUNT)
            add_dtype(dtypes, (ridge_dtype)points[i].estimate.work.dtype);
    return RIDGE_OK;
}

/* ---- Drawing ----------------------------------------------------------------------- */

/* How the chart is written. */
struct paper {
    ridge_canvas canvas;
    ridge_raster *raster; /* owned; NULL: by the canvas */
    ridge_picture picture;
    double scale;
};

/* By the suffix of -o; JSON and CSV are the chart's figures and go anywhere. */
static ridge_status choose_paper(struct paper *paper, const struct run *run,
                                 ridge_error *err)
{
    const char *path = args_text(run, "output");
    const char *dot = path ? strrchr(path, '.') : NULL;
    bool svg = dot && strcmp(dot, ".svg") == 0;
    bool picture = picture_named(&paper->picture, path);
    paper->canvas = svg ? RIDGE_SVG : RIDGE_TERMINAL;
    if (ridge_quantity_parse(&paper->scale, args_text(run, "scale"), RIDGE_UNIT_NONE, 0,
                             err))
        return err->status;
    if (args_has(&run->args, "scale") &&
        (!picture || paper->picture != RIDGE_PICTURE_PNG))
        return fail(err, RIDGE_INVALID, "--scale",
                    "is the number of pixels of a PNG; there is none without -o "
                    "FILE.png");
    if (run->style.format != RIDGE_TEXT)
        return svg || picture ? fail(err, RIDGE_INVALID, path,
                                     "a picture takes no --json or --csv; leave it out, "
                                     "or write the figures to a .json or .csv file")
                              : RIDGE_OK;
    if (picture)
        return picture_open(&paper->raster, path, err);
    if (!path || svg || (dot && strcmp(dot, ".txt") == 0) ||
        strncmp(path, "/dev/", 5) == 0)
        return RIDGE_OK;
    return fail(err, RIDGE_UNSUPPORTED, path,
                "charts are written as .svg, .png, .pdf or .txt");
}

static ridge_status write_chart(const ridge_chart *chart, const struct paper *paper,
                                struct run *run, ridge_error *err)
{
    if (!paper->raster)
        return ridge_chart_write(chart, paper->canvas, &run->style, run->sink, err);
    ridge_status status = ridge_chart_write_picture(chart, paper->raster, paper->picture,
                                                    paper->scale, run->sink, err);
    fail_at(err, args_text(run, "output"));
    return status;
}

/* The rows of --from, and their dtypes. */
static ridge_status add_table(ridge_chart *chart, struct run *run,
                              const struct subject *subject, struct dtypes *dtypes,
                              ridge_error *err)
{
    const char *path = args_text(run, "from");
    uint32_t found = 0;
    ridge_predict_summary summary = {.rows = 0};
    ridge_predict_options table = {.op = args_text(run, "op"),
                                   .catalog = subject->catalog,
                                   .machine = subject->machine,
                                   .backend = args_backend(run),
                                   .timing = args_timing(run)};
    if (!path)
        return RIDGE_OK;
    if (!table.op)
        return fail(err, RIDGE_INVALID, "--op",
                    "--from needs the op of its rows, as in --op gemm");
    ridge_status status =
        ridge_chart_add_table(chart, path, &table, &found, &summary, err);
    if (status)
        return status;
    for (int d = 0; d < RIDGE_DTYPE_COUNT; d++)
        if (found & 1u << d)
            add_dtype(dtypes, (ridge_dtype)d);
    if (summary.failed) {
        note("%llu of %llu rows are not drawn; the first: %s:%llu: %s",
             (unsigned long long)summary.failed, (unsigned long long)summary.rows,
             summary.first.where, (unsigned long long)summary.first.line,
             summary.first.message);
        run->wrong = true;
    }
    return RIDGE_OK;
}

static ridge_status add_points(ridge_chart *chart, const struct point *points,
                               size_t count, ridge_error *err)
{
    ridge_status status = RIDGE_OK;
    for (size_t i = 0; i < count && !status; i++) {
        char label[200];
        label_text(label, sizeof label, &points[i]);
        status = ridge_chart_add_estimate(
            chart, label, &points[i].estimate,
            points[i].time_count ? &points[i].measurement : NULL, err);
        fail_at(err, points[i].words[0]);
    }
    return status;
}

static ridge_status draw(struct run *run, const struct subject *subject,
                         const struct point *points, size_t count,
                         const struct paper *paper, ridge_error *err)
{
    ridge_chart *chart = NULL;
    struct dtypes dtypes = {.count = 0};
    note_backend(run);
    char title[200];
    const char *given = args_text(run, "title");
    snprintf(title, sizeof title, "Roofline of %s", ridge_machine_id(subject->machine));
    ridge_status status = choose_dtypes(&dtypes, run, points, count, err);
    if (status)
        return status;
    if (ridge_chart_new(&chart, given ? given : title))
        return fail(err, RIDGE_NOMEM, "", "out of memory");
    status = add_points(chart, points, count, err);
    if (!status)
        status = add_table(chart, run, subject, &dtypes, err);
    if (!status)
        status = ridge_chart_add_machine(chart, subject->machine, dtypes.list,
                                         dtypes.count, err);
    if (!status)
        status = write_chart(chart, paper, run, err);
    ridge_chart_free(chart);
    return status;
}

static ridge_status run_plot(struct run *run, ridge_error *err)
{
    struct subject subject = {0};
    size_t count = 0;
    struct paper paper = {.raster = NULL};
    /* As many points as options, at most. */
    struct point *points = calloc(run->args.given_count + 1, sizeof *points);
    if (!points)
        return fail(err, RIDGE_NOMEM, "", "out of memory");
    ridge_status status = args_expect(run, 0, 0, "", err);
    run->style.ascii = args_has(&run->args, "ascii");
    if (!status)
        status = choose_paper(&paper, run, err);
    if (!status)
        status = read_points(points, &count, run, err);
    if (!status)
        status = subject_open(&subject, run, true, err);
    for (size_t i = 0; i < count && !status; i++)
        status = estimate_point(&points[i], run, subject.machine, err);
    if (!status)
        status = draw(run, &subject, points, count, &paper, err);
    for (size_t i = 0; i < count; i++)
        free(points[i].text);
    free(points);
    ridge_raster_free(paper.raster);
    subject_close(&subject);
    return status;
}

const struct command command_plot = {
    .name = "plot",
    .summary = "draw the roofline chart of a machine, with kernels on it",
    .task = "Estimate",
    .usage = "[--point 'OP key=value...']... [--from FILE.csv] [options]",
    .about =
        "Draws the roofs of the machine (stated: solid; reachable: dashed), their ridge "
        "points, and each --point: filled where it was measured, open where it is "
        "expected, with a bar for the central 80 % of the expectation. Without -o the "
        "chart is drawn in the terminal; -o FILE.svg writes a picture for light and dark "
        "pages, FILE.png and FILE.pdf one for paper (by a plug-in that is built where "
        "librsvg2-dev is installed); --json and --csv write its figures.\n"
        "\n"
        "The exit status is 1 if a measured time is below every floor.",
    .tables = tables,
    .base = "",
    .examples =
        (const struct example[]){
            {"plot --gpu example --point 'custom flop=10GFLOP bytes=1GB' --time 2ms",
             "a kernel at 10 FLOP/byte and 5 TFLOP/s under a roof of 10 TFLOP/s there"},
            {"plot --gpu h100-sxm --dtype fp8,bf16 -o h100.svg",
             "the roofs of a part as a picture"},
            {NULL, NULL},
        },
    .run = run_plot,
};
