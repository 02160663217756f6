#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct option options[] = {
    {.name = "gpu",
     .value = "ID|FILE[,...]",
     .many = true,
     .help = "the part: an id or alias of ridge gpus, or a machine file; up to five are "
             "drawn together; it may be left out when --peak and --dram are both given",
     .example = "--gpu h100-sxm,a100-sxm-80"},
    {.name = "point",
     .value = "'OP KEY=VALUE...'",
     .many = true,
     .help =
         "a kernel, as for ridge kernel, on each machine, or with gpu=ID on that one; with "
         "time=T it is drawn where it was measured, else where it is expected",
     .example = "--gpu h100-sxm --point 'rmsnorm rows=4096 cols=8192 dtype=bf16'"},
    {.name = "time",
     .kind = OPTION_QUANTITY,
     .unit = RIDGE_UNIT_S,
     .value = "T[,T...]",
     .many = true,
     .help = "measured times of the --point before it; the median is drawn",
     .example = "--gpu example --point 'custom flop=10GFLOP bytes=1GB' --time 2ms"},
    {.name = "from",
     .value = "FILE.csv|FILE.json",
     .many = true,
     .help =
         "points of a file (- is standard input): the rows of a table with the columns "
         "of ridge predict, and time_us, time_ms or time where they were measured; or "
         "what ridge kernel --json or ridge plot --json wrote",
     .example = NULL},
    {.name = "op",
     .value = "OP",
     .help = "the op of the rows of a table, or a family whose rows name theirs",
     .example = NULL},
    {.name = "dtype",
     .value = "NAME[,NAME...]",
     .many = true,
     .help = "precisions whose roofs are drawn; by default those of the points, or bf16 "
             "and fp32",
     .example = "--gpu h100-sxm --dtype fp8,bf16,fp32"},
    {.name = "roofs",
     .kind = OPTION_WORD,
     .value = "WHICH",
     .words = "all outer",
     .help = "all: also inner memory levels and reachable rates, as with one machine; "
             "outer: the stated peaks and DRAM, as with several",
     .example = "--gpu h100-sxm --roofs outer"},
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

static const struct option *const tables[] = {options,        MACHINE_OPTIONS_BUT_GPU,
                                              way_options,    question_options,
                                              output_options, NULL};

/* ---- Precisions ------------------------------------------------------------------------- */

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
    return RIDGE_OK;
}

/* ---- Machines -------------------------------------------------------------------- */

/* Those of --gpu A --gpu B,C; or the one that is given by --peak and --dram. */
struct park {
    ridge_catalog *catalog;
    ridge_machine *machine[RIDGE_CHART_MACHINES];
    size_t count;
};

static ridge_machine *park_find(const struct park *park, const char *id)
{
    for (size_t i = 0; i < park->count; i++)
        if (strcmp(ridge_machine_id(park->machine[i]), id) == 0)
            return park->machine[i];
    return NULL;
}

/* gpu NULL: the given machine. */
static ridge_status park_add(struct park *park, const struct run *run, const char *gpu,
                             ridge_error *err)
{
    ridge_machine *machine = NULL;
    if (park->count == RIDGE_CHART_MACHINES)
        return fail(err, RIDGE_LIMIT, "--gpu",
                    "more than %d machines cannot be told apart on one chart",
                    RIDGE_CHART_MACHINES);
    ridge_status status = machine_open(&machine, run, park->catalog, gpu, err);
    if (status)
        return status;
    if (park_find(park, ridge_machine_id(machine))) {
        status = fail(err, RIDGE_INVALID, "--gpu", "%.80s is named twice",
                      ridge_machine_id(machine));
        ridge_machine_free(machine);
        return status;
    }
    park->machine[park->count++] = machine;
    return RIDGE_OK;
}

static ridge_status park_open(struct park *park, const struct run *run, ridge_error *err)
{
    const char *list;
    size_t at = 0;
    ridge_status status = catalog_open(&park->catalog, run, err);
    while (!status && (list = args_next(&run->args, "gpu", &at)))
        do {
            char name[1024];
            size_t size = strcspn(list, ",");
            if (size >= sizeof name)
                return fail(err, RIDGE_LIMIT, "--gpu", "a name is too long");
            memcpy(name, list, size);
            name[size] = '\0';
            status = park_add(park, run, name, err);
            list += size + (list[size] == ',');
        } while (!status && *list);
    if (status || park->count)
        return status;
    return park_add(park, run, NULL, err);
}

static void park_close(struct park *park)
{
    for (size_t i = 0; i < park->count; i++)
        ridge_machine_free(park->machine[i]);
    ridge_catalog_free(park->catalog);
}

/* ---- Points ---------------------------------------------------------------------- */

enum {
    POINT_WORDS = 64,
    POINT_TIMES = 64
};

struct point {
    char *text; /* owned; words and gpu point into it */
    const char *words[POINT_WORDS];
    size_t word_count;
    const char *gpu; /* gpu=ID: drawn there alone; NULL: on every machine */
    double times[POINT_TIMES];
    size_t time_count;
    ridge_call call;
};

/* Times "2ms,2.1ms" into the point. */
static ridge_status read_times(struct point *point, const struct run *run,
                               const char *list, ridge_error *err)
{
    return numbers_read(point->times, &point->time_count, POINT_TIMES,
                        option_find(run->command, "time"), list, err);
}

/* Split "OP key=value..." at blanks, keeping time=... and gpu=... apart. */
static ridge_status split_point(struct point *point, const struct run *run,
                                const char *text, ridge_error *err)
{
    size_t size = strlen(text);
    point->text = malloc(size + 1);
    if (!point->text)
        return fail(err, RIDGE_NOMEM, "--point", "out of memory");
    memcpy(point->text, text, size + 1);
    const char *words[POINT_WORDS];
    size_t count = words_split(point->text, words, POINT_WORDS);
    if (count > POINT_WORDS)
        return fail(err, RIDGE_LIMIT, "--point", "more than %d words", (int)POINT_WORDS);
    for (size_t i = 0; i < count; i++) {
        if (strncmp(words[i], "time=", 5) == 0) {
            ridge_status status = read_times(point, run, words[i] + 5, err);
            if (status)
                return status;
        } else if (strncmp(words[i], "gpu=", 4) == 0) {
            point->gpu = words[i] + 4;
        } else {
            point->words[point->word_count++] = words[i];
        }
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
            status = split_point(point, run, given->value, err);
            if (!status)
                status =
                    call_parse(&point->call, run, point->words, point->word_count, err);
            fail_at(err, "--point");
        } else if (strcmp(given->option->name, "time") == 0) {
            if (*count == 0)
                return fail(err, RIDGE_INVALID, "--time",
                            "belongs after the --point that was measured");
            status = read_times(&points[*count - 1], run, given->value, err);
        }
    }
    return status;
}

/* What one point is on one machine, as a mark of the chart. */
static ridge_status add_point(ridge_chart *chart, struct run *run, struct dtypes *dtypes,
                              const struct point *point, const ridge_machine *machine,
                              ridge_error *err)
{
    ridge_estimate estimate;
    ridge_measurement measurement;
    char label[200];
    ridge_status status = call_estimate(&estimate, run, machine, &point->call, err);
    if (!status && point->time_count)
        status = ridge_measurement_place(&measurement, &estimate, machine, point->times,
                                         point->time_count, RIDGE_UNKNOWN, err);
    fail_at(err, point->words[0]);
    if (status)
        return status;
    if (point->time_count && measurement.warnings & ridge_warning_mask(RIDGE_WRONG))
        run->wrong = true;
    if (estimate.work.flop > 0 && estimate.work.dtype < RIDGE_DTYPE_COUNT)
        add_dtype(dtypes, (ridge_dtype)estimate.work.dtype);
    label_text(label, sizeof label, point);
    if (ridge_chart_select(chart, ridge_machine_id(machine)))
        return fail(err, RIDGE_NOMEM, "", "out of memory");
    status = ridge_chart_add_estimate(chart, label, &estimate,
                                      point->time_count ? &measurement : NULL, err);
    fail_at(err, point->words[0]);
    return status;
}

/* The machine that gpu= names; *out NULL: it names none. */
static ridge_status find_own(const ridge_machine **out, const struct park *park,
                             const struct point *point, ridge_error *err)
{
    const ridge_device *device = NULL;
    *out = NULL;
    if (!point->gpu && point->time_count && park->count > 1)
        return fail(
            err, RIDGE_INVALID, "--time",
            "was measured on one machine; say on which in the point, as in gpu=%s",
            ridge_machine_id(park->machine[0]));
    if (!point->gpu)
        return RIDGE_OK;
    ridge_status status = ridge_catalog_load(&device, park->catalog, point->gpu, err);
    fail_at(err, "--point");
    if (status)
        return status;
    *out = park_find(park, ridge_device_id(device));
    return *out ? RIDGE_OK
                : fail(err, RIDGE_INVALID, "--point",
                       "gpu=%.60s is not drawn; add --gpu %.60s", point->gpu, point->gpu);
}

static ridge_status add_points(ridge_chart *chart, struct run *run,
                               const struct park *park, struct dtypes *dtypes,
                               const struct point *point, ridge_error *err)
{
    const ridge_machine *own;
    ridge_status status = find_own(&own, park, point, err);
    for (size_t i = 0; i < park->count && !status; i++)
        if (!own || own == park->machine[i])
            status = add_point(chart, run, dtypes, point, park->machine[i], err);
    return status;
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

/* Whether a file of --from is JSON; standard input is, unless --op says what its rows are. */
static bool is_json(const char *path, const struct run *run)
{
    static const char *const suffixes[] = {".json", ".json.gz"};
    size_t size = strlen(path);
    if (strcmp(path, "-") == 0)
        return !args_has(&run->args, "op");
    for (size_t i = 0; i < COUNT(suffixes); i++) {
        size_t n = strlen(suffixes[i]);
        if (size > n && strcmp(path + size - n, suffixes[i]) == 0)
            return true;
    }
    return false;
}

/* The rows or records of one --from, and their dtypes. */
static ridge_status add_file(ridge_chart *chart, struct run *run, const struct park *park,
                             struct dtypes *dtypes, const char *path, ridge_error *err)
{
    uint32_t found = 0;
    ridge_predict_summary summary = {.rows = 0};
    const ridge_predict_options table = {.op = args_text(run, "op"),
                                         .catalog = park->catalog,
                                         .backend = args_backend(run),
                                         .timing = args_timing(run)};
    const ridge_machine *machines[RIDGE_CHART_MACHINES];
    for (size_t i = 0; i < park->count; i++)
        machines[i] = park->machine[i];
    const ridge_chart_input input = {path, machines, park->count, &table};
    bool json = is_json(path, run);
    if (!json && !table.op)
        return fail(err, RIDGE_INVALID, "--op",
                    "--from needs the op of its rows, as in --op gemm");
    ridge_status status =
        json ? ridge_chart_add_json(chart, &input, &found, &summary, err)
             : ridge_chart_add_table(chart, &input, &found, &summary, err);
    if (status)
        return status;
    for (int d = 0; d < RIDGE_DTYPE_COUNT; d++)
        if (found & 1u << d)
            add_dtype(dtypes, (ridge_dtype)d);
    if (summary.failed) {
        note("%llu of %llu %s are not drawn; the first: %s:%llu: %s",
             (unsigned long long)summary.failed, (unsigned long long)summary.rows,
             json ? "records" : "rows", summary.first.where,
             (unsigned long long)summary.first.line, summary.first.message);
        run->wrong = true;
    }
    return RIDGE_OK;
}

static ridge_status add_files(ridge_chart *chart, struct run *run,
                              const struct park *park, struct dtypes *dtypes,
                              ridge_error *err)
{
    size_t at = 0;
    const char *path;
    bool table = false;
    ridge_status status = RIDGE_OK;
    while (!status && (path = args_next(&run->args, "from", &at))) {
        table = table || !is_json(path, run);
        status = add_file(chart, run, park, dtypes, path, err);
    }
    if (!status && args_has(&run->args, "op") && !table)
        return fail(err, RIDGE_INVALID, "--op",
                    "is the op of the rows of a table, and no --from is one");
    return status;
}

/* Each in turn under its name, so that they are in the order of --gpu. */
static ridge_status add_machines(ridge_chart *chart, const struct run *run,
                                 const struct park *park, const struct dtypes *dtypes,
                                 ridge_error *err)
{
    const char *roofs = args_text(run, "roofs");
    bool all = roofs ? strcmp(roofs, "all") == 0 : park->count == 1;
    ridge_status status = RIDGE_OK;
    for (size_t i = 0; i < park->count && !status; i++) {
        if (ridge_chart_select(chart, ridge_machine_id(park->machine[i])))
            return fail(err, RIDGE_NOMEM, "", "out of memory");
        status =
            ridge_chart_add_machine(chart, park->machine[i], dtypes->list, dtypes->count,
                                    all ? RIDGE_ROOFS_ALL : RIDGE_ROOFS_OUTER, err);
    }
    return status;
}

/* "Roofline of h100-sxm, a100-sxm-80". */
static void title_text(char *buf, size_t room, const struct park *park)
{
    int n = snprintf(buf, room, "Roofline of ");
    for (size_t i = 0; i < park->count && n > 0 && (size_t)n < room; i++)
        n += snprintf(buf + n, room - (size_t)n, "%s%s", i ? ", " : "",
                      ridge_machine_id(park->machine[i]));
}

static ridge_status draw(struct run *run, const struct park *park,
                         const struct point *points, size_t count,
                         const struct paper *paper, ridge_error *err)
{
    ridge_chart *chart = NULL;
    struct dtypes dtypes = {.count = 0};
    note_backend(run);
    char title[400];
    const char *given = args_text(run, "title");
    title_text(title, sizeof title, park);
    ridge_status status = choose_dtypes(&dtypes, run, err);
    if (status)
        return status;
    if (ridge_chart_new(&chart, given ? given : title))
        return fail(err, RIDGE_NOMEM, "", "out of memory");
    /* First all names, so that styles follow the order of --gpu. */
    for (size_t i = 0; i < park->count && !status; i++)
        status = ridge_chart_select(chart, ridge_machine_id(park->machine[i]));
    for (size_t i = 0; i < count && !status; i++)
        status = add_points(chart, run, park, &dtypes, &points[i], err);
    if (!status)
        status = add_files(chart, run, park, &dtypes, err);
    if (!status)
        status = add_machines(chart, run, park, &dtypes, err);
    if (!status)
        status = write_chart(chart, paper, run, err);
    ridge_chart_free(chart);
    return status;
}

static ridge_status run_plot(struct run *run, ridge_error *err)
{
    struct park park = {.count = 0};
    struct paper paper = {.raster = NULL};
    size_t count = 0;
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
        status = park_open(&park, run, err);
    if (!status)
        status = draw(run, &park, points, count, &paper, err);
    for (size_t i = 0; i < count; i++)
        free(points[i].text);
    free(points);
    ridge_raster_free(paper.raster);
    park_close(&park);
    return status;
}

const struct command command_plot = {
    .name = "plot",
    .summary = "draw the roofline chart of a machine, with kernels on it",
    .task = "Estimate",
    .usage = "[--gpu ID]... [--point 'OP key=value...']... [--from FILE]... [options]",
    .about =
        "Draws the roofs of the machine (stated: solid; reachable: dashed), or of several, "
        "each with a line of its own, their ridge "
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
            {"plot --gpu h100-sxm,mi300x --point 'gemm m=64 n=4096 k=4096 dtype=bf16'",
             "one kernel on two parts"},
            {NULL, NULL},
        },
    .run = run_plot,
};
