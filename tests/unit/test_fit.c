/*
 * Fitting: constants that made the times are found again, from few rows and with outliers;
 * what the rows do not determine stays and is told; each refusal.
 */
#include "fit/fit.h"

#include <stdlib.h>

#include "random.h"
#include "scratch.h"
#include "test.h"

static ridge_catalog *catalog;
static ridge_machine *machine;

/* What the imagined library is like; the rest is as built in. */
static const double MMA = 0.72, DRAM = 0.78;

static int setup(void **state)
{
    (void)state;
    const ridge_device *device;
    return ridge_catalog_open(&catalog, NULL, NULL, NULL) ||
           ridge_catalog_load(&device, catalog, "h100-sxm", NULL) ||
           ridge_machine_new(&machine, catalog, device, NULL);
}

static int teardown(void **state)
{
    (void)state;
    ridge_machine_free(machine);
    ridge_catalog_free(catalog);
    return 0;
}

static double time_of(const ridge_call *call, const ridge_fit *fit)
{
    ridge_estimate e;
    machine->fits[RIDGE_LINK_USER].fit = fit;
    machine->fits[RIDGE_LINK_USER].count = 1;
    assert_int_equal(ridge_estimate_call(&e, machine, call, NULL), RIDGE_OK);
    machine->fits[RIDGE_LINK_USER].fit = NULL;
    machine->fits[RIDGE_LINK_USER].count = 0;
    return e.expected_s;
}

static const ridge_fit *built_in(const ridge_call *call)
{
    ridge_estimate e;
    assert_int_equal(ridge_estimate_call(&e, machine, call, NULL), RIDGE_OK);
    return e.basis;
}

/* `count` products of all sizes, timed by the imagined library with 2 % of noise; every
 * `outlier`-th takes four times as long. */
static void times_write(scratch *file, size_t count, size_t outlier)
{
    uint64_t seed = 1;
    ridge__str text;
    ridge__str_init(&text, 0, NULL);
    ridge__str_text(&text, "m,n,k,dtype,time_us\n");
    for (size_t i = 0; i < count; i++) {
        char m[24], n[24], k[24];
        ridge_call call;
        snprintf(m, sizeof m, "%llu", 1ull << random_next(&seed) % 14);
        snprintf(n, sizeof n, "%llu", 1024ull * (1 + random_next(&seed) % 16));
        snprintf(k, sizeof k, "%llu", 512ull * (2 + random_next(&seed) % 24));
        assert_int_equal(ridge_call_init(&call, "gemm", NULL), RIDGE_OK);
        assert_int_equal(ridge_call_set(&call, "m", m, NULL), RIDGE_OK);
        assert_int_equal(ridge_call_set(&call, "n", n, NULL), RIDGE_OK);
        assert_int_equal(ridge_call_set(&call, "k", k, NULL), RIDGE_OK);
        assert_int_equal(ridge_call_set(&call, "dtype", "bf16", NULL), RIDGE_OK);
        assert_int_equal(ridge_call_finish(&call, NULL), RIDGE_OK);
        ridge_fit fit = *built_in(&call);
        fit.c[RIDGE_TILE_MMA_SHARE] = MMA;
        fit.c[RIDGE_TILE_DRAM_SHARE] = DRAM;
        double noise = 0.98 + 0.04 * (double)(random_next(&seed) % 1000) / 1000;
        double time = time_of(&call, &fit) * noise;
        if (outlier && i % outlier == 1)
            time *= 4;
        ridge__str_format(&text, "%s,%s,%s,bf16,%.6g\n", m, n, k, time * 1e6);
    }
    scratch_write(file, ridge__str_data(&text), text.size);
    ridge__str_clear(&text);
}

static ridge_fitting_options options(const char *constants)
{
    return (ridge_fitting_options){
        .rows = {.op = "gemm", .catalog = catalog, .machine = machine},
        .constants = constants,
        .date = "2026-11-30"};
}

static const ridge__fit_constant *constant(const ridge_fitting *f, const char *name)
{
    for (size_t i = 0; i < f->group[0].constant_count; i++)
        if (strcmp(f->group[0].constant[i].schema->name, name) == 0)
            return &f->group[0].constant[i];
    fail();
    return NULL;
}

static ridge_fitting *fitted(const scratch *file, const char *constants)
{
    ridge_fitting *f = NULL;
    ridge_error err = {0};
    const ridge_fitting_options o = options(constants);
    ridge_status status = ridge_fitting_run(&f, file->path, &o, &err);
    unlink(file->path);
    if (status)
        print_error("%s: %s\n", err.where, err.message);
    assert_int_equal(status, RIDGE_OK);
    return f;
}

static void constants_are_found_again(void **state)
{
    (void)state;
    scratch file;
    times_write(&file, 300, 0);
    ridge_fitting *f = fitted(&file, NULL);
    assert_int_equal(f->group_count, 1);
    assert_close(constant(f, "mma_share")->value, MMA, 0.02);
    assert_close(constant(f, "dram_share")->value, DRAM, 0.02);
    assert_true(f->group[0].after.mape < 0.02);
    assert_true(f->group[0].before.mape > 0.05);
    assert_string_equal(f->group[0].made.parts, "h100-sxm");
    /* The interval holds 80 % of a noise of +-2 %. */
    assert_true(f->group[0].made.low > 0.97 && f->group[0].made.low < 0.995);
    assert_true(f->group[0].made.high < 1.03 && f->group[0].made.high > 1.005);
    ridge_fitting_free(f);
}

static void twenty_rows_help_and_outliers_do_not_pull(void **state)
{
    (void)state;
    scratch file;
    times_write(&file, 20, 10);
    ridge_fitting *f = fitted(&file, NULL);
    assert_close(constant(f, "mma_share")->value, MMA, 0.05);
    assert_true(f->group[0].after.median < 0.5 * f->group[0].before.median);
    ridge_fitting_free(f);
}

/* Rows of bf16 say nothing of fp16, which the entry that they start from holds for too. */
static void only_dtypes_of_the_rows_are_fitted(void **state)
{
    (void)state;
    scratch file;
    times_write(&file, 40, 0);
    ridge_fitting *f = fitted(&file, NULL);
    const ridge__fit_group *g = &f->group[0];
    assert_true(g->start->dtypes >> RIDGE_FP16 & 1u);
    assert_int_equal(g->made.dtypes, 1u << RIDGE_BF16);
    ridge_call call;
    ridge_estimate e;
    assert_int_equal(ridge_call_init(&call, "gemm", NULL), RIDGE_OK);
    assert_int_equal(ridge_call_set(&call, "m", "4096", NULL), RIDGE_OK);
    assert_int_equal(ridge_call_set(&call, "n", "4096", NULL), RIDGE_OK);
    assert_int_equal(ridge_call_set(&call, "k", "4096", NULL), RIDGE_OK);
    assert_int_equal(ridge_call_set(&call, "dtype", "fp16", NULL), RIDGE_OK);
    assert_int_equal(ridge_call_finish(&call, NULL), RIDGE_OK);
    machine->fits[RIDGE_LINK_USER].fit = &g->made;
    machine->fits[RIDGE_LINK_USER].count = 1;
    assert_int_equal(ridge_estimate_call(&e, machine, &call, NULL), RIDGE_OK);
    assert_int_equal(e.basis_link, RIDGE_LINK_ARCH);
    machine->fits[RIDGE_LINK_USER].fit = NULL;
    machine->fits[RIDGE_LINK_USER].count = 0;
    ridge_fitting_free(f);
}

/* No row was timed on a stream or eagerly, and a count names a kind of kernel. */
static void what_is_not_determined_stays(void **state)
{
    (void)state;
    scratch file;
    times_write(&file, 100, 0);
    ridge_fitting *f = fitted(&file, NULL);
    const char *const kept[] = {"launch_stream", "launch_eager", "max_split"};
    for (size_t i = 0; i < RIDGE__COUNT(kept); i++) {
        const ridge__fit_constant *c = constant(f, kept[i]);
        assert_false(c->free);
        assert_true(c->value == c->start);
        assert_false(ridge_known(c->spread));
    }
    assert_true(constant(f, "mma_share")->spread < 0.1);
    ridge_fitting_free(f);
}

static void constants_can_be_chosen(void **state)
{
    (void)state;
    scratch file;
    times_write(&file, 100, 0);
    ridge_fitting *f = fitted(&file, "mma_share,dram_share");
    for (size_t i = 0; i < f->group[0].constant_count; i++) {
        const ridge__fit_constant *c = &f->group[0].constant[i];
        bool asked = strcmp(c->schema->name, "mma_share") == 0 ||
                     strcmp(c->schema->name, "dram_share") == 0;
        assert_int_equal(c->free, asked);
    }
    ridge_fitting_free(f);
}

/* The file that is written loads, and predicts what the fit said. */
static void the_file_reads_back(void **state)
{
    (void)state;
    scratch file, made;
    ridge__str text;
    times_write(&file, 100, 0);
    ridge_fitting *f = fitted(&file, NULL);
    ridge__str_init(&text, 0, NULL);
    ridge__str_text(&text, "key: h100-sxm\nfits:\n");
    ridge_fit entry = f->group[0].made;
    entry.from = "a \"library\": \\ of\nour own\xff \xc2\x85";
    entry.date = "2026-11-30";
    ridge__fit_write(&text, &entry);
    scratch_write(&made, ridge__str_data(&text), text.size);
    const ridge_fit *fits;
    size_t count;
    ridge_error err = {0};
    ridge_status status =
        ridge__catalog_fit_file(&fits, &count, catalog, made.path, &err);
    unlink(made.path);
    assert_string_equal(err.message, "");
    assert_int_equal(status, RIDGE_OK);
    assert_int_equal(count, 1);
    assert_string_equal(fits[0].key, "h100-sxm");
    assert_string_equal(fits[0].from, "a \"library\": \\ of?our own? ??");
    assert_string_equal(fits[0].parts, "h100-sxm");
    assert_int_equal(fits[0].dtypes, entry.dtypes);
    for (size_t i = 0; i < f->group[0].constant_count; i++)
        if (ridge_known(f->group[0].made.c[i]))
            assert_close(fits[0].c[i], f->group[0].made.c[i], 5e-4);
    assert_close(fits[0].low, f->group[0].made.low, 5e-4);
    assert_close(fits[0].reach_s, f->group[0].made.reach_s, 5e-4);
    ridge__str_clear(&text);
    ridge_fitting_free(f);
}

/* A machine that had a fit of the user's has it still. */
static void the_users_fit_comes_back(void **state)
{
    (void)state;
    scratch file;
    times_write(&file, 40, 0);
    ridge_call call;
    assert_int_equal(ridge_call_init(&call, "gemm", NULL), RIDGE_OK);
    const ridge_fit mine = {.op = "rmsnorm", .form = RIDGE_FIT_STREAM};
    machine->fits[RIDGE_LINK_USER].fit = &mine;
    machine->fits[RIDGE_LINK_USER].count = 1;
    ridge_fitting *f = fitted(&file, NULL);
    assert_ptr_equal(machine->fits[RIDGE_LINK_USER].fit, &mine);
    assert_int_equal(machine->fits[RIDGE_LINK_USER].count, 1);
    machine->fits[RIDGE_LINK_USER].fit = NULL;
    machine->fits[RIDGE_LINK_USER].count = 0;
    ridge_fitting_free(f);
}

static void refusals(void **state)
{
    (void)state;
    static const struct {
        const char *text, *constants, *says;
        ridge_status status;
        unsigned line;
    } bad[] = {
        {"m,n,k,dtype\n1,2,3,bf16\n", NULL,
         "the header has no column of measured times; time_us, time_ms, time_s, time_ns or "
         "time is wanted",
         RIDGE_SYNTAX, 1},
        {"m,n,k,dtype,time_us\n64,64,64,bf16,3\n", NULL,
         "nothing could be fitted: 1 row of 1 distinct shape; 8 distinct shapes are needed "
         "at least",
         RIDGE_NODATA, 0},
        {"m,n,k,dtype,time_us\n64,64,64,bf16,\n", NULL,
         "no row can be used: without a time", RIDGE_NODATA, 0},
        {"m,n,k,dtype,time_us\n64,64,64,bf16,-1\n", NULL,
         "time_us: \"-1\" is not a number; a plain number wanted, as in 0.9",
         RIDGE_SYNTAX, 2},
        {"m,n,k,dtype,time_ms\n64,64,64,bf16,3\n64,64,64,bf16,0\n", NULL,
         "time_ms: a measured time is above zero", RIDGE_INVALID, 3},
        {"m,n,k,dtype,time_us\n64,64,64,bf16,3\nx,64,64,bf16,3\n", NULL,
         "m: \"x\" is not a whole number; a count wanted, as in 4096", RIDGE_SYNTAX, 3},
        {"m,n,k,dtype,time_us\n64,64,64,bf16,3\n", "dram",
         "no constant of these rows is called \"dram\"; `ridge fit` without a list shows "
         "their names",
         RIDGE_NOTFOUND, 0},
        {"m,n,k,dtype,gpu,time_us\n64,64,64,bf16,h100-sxm,3\n64,64,64,bf16,l40s,3\n",
         NULL,
         "the rows are of several parts (h100-sxm, l40s); the key of their fit, as an "
         "architecture, is wanted",
         RIDGE_INVALID, 0},
    };
    for (size_t i = 0; i < RIDGE__COUNT(bad); i++) {
        scratch file;
        ridge_fitting *f = NULL;
        ridge_error err = {0};
        const ridge_fitting_options o = options(bad[i].constants);
        scratch_write(&file, bad[i].text, strlen(bad[i].text));
        ridge_status status = ridge_fitting_run(&f, file.path, &o, &err);
        unlink(file.path);
        assert_string_equal(err.message, bad[i].says);
        assert_int_equal(status, bad[i].status);
        assert_int_equal(err.line, bad[i].line);
        assert_null(f);
    }
}

/* The time of a product on a part by what is known of no part in particular, but for MMA. */
static double pooled_time(const char *id, const char *k)
{
    const ridge_device *device;
    ridge_machine *m = NULL;
    ridge_call call;
    ridge_estimate e;
    assert_int_equal(ridge_catalog_load(&device, catalog, id, NULL), RIDGE_OK);
    assert_int_equal(ridge_machine_new(&m, catalog, device, NULL), RIDGE_OK);
    for (size_t link = 0; link < RIDGE_LINK_ANY; link++)
        m->fits[link].count = 0;
    assert_int_equal(ridge_call_init(&call, "gemm", NULL), RIDGE_OK);
    assert_int_equal(ridge_call_set(&call, "m", "8192", NULL), RIDGE_OK);
    assert_int_equal(ridge_call_set(&call, "n", "8192", NULL), RIDGE_OK);
    assert_int_equal(ridge_call_set(&call, "k", k, NULL), RIDGE_OK);
    assert_int_equal(ridge_call_set(&call, "dtype", "bf16", NULL), RIDGE_OK);
    assert_int_equal(ridge_call_finish(&call, NULL), RIDGE_OK);
    assert_int_equal(ridge_estimate_call(&e, m, &call, NULL), RIDGE_OK);
    ridge_fit fit = *e.basis;
    fit.c[RIDGE_TILE_MMA_SHARE] = MMA;
    m->fits[RIDGE_LINK_USER].fit = &fit;
    m->fits[RIDGE_LINK_USER].count = 1;
    assert_int_equal(ridge_estimate_call(&e, m, &call, NULL), RIDGE_OK);
    ridge_machine_free(m);
    return e.expected_s;
}

static void several_parts_share_constants(void **state)
{
    (void)state;
    scratch file;
    ridge__str text;
    ridge__str_init(&text, 0, NULL);
    ridge__str_text(&text, "gpu,m,n,k,dtype,time_us\n");
    for (int i = 1; i <= 40; i++) {
        const char *id = i % 2 ? "h100-sxm" : "a100-sxm-80";
        char k[16];
        snprintf(k, sizeof k, "%d", 1024 * i);
        ridge__str_format(&text, "%s,8192,8192,%s,bf16,%.6g\n", id, k,
                          1e6 * pooled_time(id, k));
    }
    scratch_write(&file, ridge__str_data(&text), text.size);
    ridge__str_clear(&text);
    ridge_fitting_options o = options(NULL);
    o.pool = true;
    ridge_fitting *f = NULL;
    ridge_error err = {0};
    assert_int_equal(ridge_fitting_run(&f, file.path, &o, &err), RIDGE_OK);
    unlink(file.path);
    assert_int_equal(f->group_count, 1);
    assert_string_equal(f->key, "any");
    assert_string_equal(f->group[0].start->key, "any");
    assert_string_equal(f->group[0].made.parts, "h100-sxm a100-sxm-80");
    assert_true(f->group[0].start->unseen && !f->group[0].made.unseen);
    assert_null(f->group[0].made.vendor);
    assert_true(f->group[0].after.mape < 0.05);
    ridge_fitting_free(f);

    f = NULL;
    times_write(&file, 20, 0);
    assert_int_equal(ridge_fitting_run(&f, file.path, &o, &err), RIDGE_SYNTAX);
    unlink(file.path);
    assert_string_equal(err.message, "the header has no column \"gpu\"; constants of "
                                     "several parts need one");
}

/* Runs a table of products; what it says of it. */
static ridge_status run_text(ridge_fitting **out, const ridge__str *text,
                             const char *constants, ridge_error *err)
{
    scratch file;
    const ridge_fitting_options o = options(constants);
    *out = NULL;
    scratch_write(&file, ridge__str_data(text), text->size);
    ridge_status status = ridge_fitting_run(out, file.path, &o, err);
    unlink(file.path);
    return status;
}

/* Large products all: they cannot tell how fast DRAM is. */
static void large_products_determine_little(void **state)
{
    (void)state;
    ridge__str text;
    ridge__str_init(&text, 0, NULL);
    ridge__str_text(&text, "m,n,k,dtype,time_us\n");
    for (int i = 0; i < 30; i++)
        ridge__str_format(&text, "8192,8192,%d,bf16,%d\n", 8192 + 512 * i, 1500 + 94 * i);
    ridge_fitting *f = NULL;
    ridge_error err = {0};
    assert_int_equal(run_text(&f, &text, "mma_share,dram_share", &err), RIDGE_NODATA);
    assert_non_null(strstr(err.message, "the rows do not determine dram_share"));
    ridge__str_clear(&text);
}

/* Products timed as a multiple of what is built in. */
static void slow_products(ridge__str *text, int first, int step, double times)
{
    ridge__str_init(text, 0, NULL);
    ridge__str_text(text, "m,n,k,dtype,time_us\n");
    for (int i = 0; i < 30; i++) {
        ridge_call call;
        char m[16];
        snprintf(m, sizeof m, "%d", first + step * i);
        assert_int_equal(ridge_call_init(&call, "gemm", NULL), RIDGE_OK);
        assert_int_equal(ridge_call_set(&call, "m", m, NULL), RIDGE_OK);
        assert_int_equal(ridge_call_set(&call, "n", "8192", NULL), RIDGE_OK);
        assert_int_equal(ridge_call_set(&call, "k", "4096", NULL), RIDGE_OK);
        assert_int_equal(ridge_call_set(&call, "dtype", "bf16", NULL), RIDGE_OK);
        assert_int_equal(ridge_call_finish(&call, NULL), RIDGE_OK);
        ridge_estimate e;
        assert_int_equal(ridge_estimate_call(&e, machine, &call, NULL), RIDGE_OK);
        ridge__str_format(text, "%s,8192,4096,bf16,%.6g\n", m,
                          times * 1e6 * e.expected_s);
    }
}

/* Thirty times as slow: no constant may leave what it was that far. */
static void a_constant_at_its_bound_is_marked(void **state)
{
    (void)state;
    ridge__str text;
    slow_products(&text, 4096, 512, 30);
    ridge_fitting *f = NULL;
    ridge_error err = {0};
    assert_int_equal(run_text(&f, &text, "mma_share", &err), RIDGE_OK);
    const ridge__fit_constant *c = constant(f, "mma_share");
    assert_close(c->value, ridge__max(c->start / exp(3), c->schema->min), 1e-2);
    assert_int_equal(c->bound, -1);
    ridge_fitting_free(f);
    ridge__str_clear(&text);
}

/* Whatever is reported as fitted the rows hold to 35 %, beside all the rest. */
static void what_moved_is_determined(void **state)
{
    (void)state;
    static const struct {
        int first;
        double times;
    } cases[] = {{32, 2}, {256, 0.8}, {512, 3}};
    for (size_t i = 0; i < RIDGE__COUNT(cases); i++) {
        ridge__str text;
        slow_products(&text, cases[i].first, cases[i].first, cases[i].times);
        ridge_fitting *f = NULL;
        ridge_error err = {0};
        assert_int_equal(run_text(&f, &text, NULL, &err), RIDGE_OK);
        for (size_t k = 0; k < f->group[0].constant_count; k++) {
            const ridge__fit_constant *c = &f->group[0].constant[k];
            assert_true(ridge_known(c->spread) == c->free);
            assert_true(!(c->spread > 0.35));
            assert_true(c->free || !(c->value > c->start || c->value < c->start));
        }
        ridge_fitting_free(f);
        ridge__str_clear(&text);
    }
}

/* A few sizes, again and again, are no more than those sizes. */
static void a_few_shapes_are_refused(void **state)
{
    (void)state;
    ridge__str text;
    for (int shapes = 1; shapes <= 8; shapes += 6) {
        ridge__str_init(&text, 0, NULL);
        ridge__str_text(&text, "m,n,k,dtype,time_us\n");
        for (int i = 0; i < 21; i++)
            ridge__str_format(&text, "4096,4096,%d,bf16,%d\n", 4096 << (i % shapes),
                              210 << (i % shapes));
        ridge_fitting *f = NULL;
        ridge_error err = {0};
        assert_int_equal(run_text(&f, &text, NULL, &err), RIDGE_NODATA);
        assert_string_equal(err.message,
                            shapes == 1
                                ? "nothing could be fitted: 21 rows of 1 distinct shape; "
                                  "8 distinct shapes are needed at least"
                                : "nothing could be fitted: 21 rows of 7 distinct "
                                  "shapes; 8 distinct shapes are needed at least");
        ridge__str_clear(&text);
    }
}

/* All rows of a shape are kept apart at once: none is judged by its like. */
static void shapes_are_kept_apart_whole(void **state)
{
    (void)state;
    enum {
        SHAPES = 10,
        TIMES = 4
    };
    /* Each shape lies elsewhere, by a share that its size does not tell. */
    static const double off[SHAPES] = {1, 1.5, 0.9, 1.4, 1.1, 1.6, 0.8, 1.3, 1.2, 1.5};
    ridge__str text;
    ridge__str_init(&text, 0, NULL);
    ridge__str_text(&text, "m,n,k,dtype,time_us\n");
    for (int i = 0; i < SHAPES * TIMES; i++)
        ridge__str_format(&text, "8192,8192,%d,bf16,%.1f\n", 4096 + 512 * (i / TIMES),
                          (750 + 94 * (i / TIMES)) * off[i / TIMES]);
    ridge_fitting *f = NULL;
    ridge_error err = {0};
    assert_int_equal(run_text(&f, &text, NULL, &err), RIDGE_OK);
    const ridge__fit_group *g = &f->group[0];
    assert_int_equal(g->shape_count, SHAPES);
    for (size_t r = 0; r < g->row_count; r++) {
        assert_int_equal(g->row[r].shape, r / TIMES);
        assert_int_equal(g->row[r].apart, g->row[r - r % TIMES].apart);
    }
    ridge_fitting_free(f);
    ridge__str_clear(&text);
}

/* A list is text of its row: each call keeps its own, whatever row comes next. */
static void lists_outlive_their_rows(void **state)
{
    (void)state;
    enum {
        ROWS = 40
    };
    scratch file;
    ridge__str text;
    char lists[ROWS][32];
    ridge__str_init(&text, 0, NULL);
    ridge__str_text(&text, "m,n,k,dtype,time_us\n");
    for (int i = 0; i < ROWS; i++) {
        ridge_call call;
        snprintf(lists[i], sizeof lists[i], "[%d,%dx7]", 16 * (i + 1), 500 - 8 * i);
        assert_int_equal(ridge_call_init(&call, "grouped_gemm", NULL), RIDGE_OK);
        assert_int_equal(ridge_call_set(&call, "m", lists[i], NULL), RIDGE_OK);
        assert_int_equal(ridge_call_set(&call, "n", "4096", NULL), RIDGE_OK);
        assert_int_equal(ridge_call_set(&call, "k", "2048", NULL), RIDGE_OK);
        assert_int_equal(ridge_call_set(&call, "dtype", "bf16", NULL), RIDGE_OK);
        assert_int_equal(ridge_call_finish(&call, NULL), RIDGE_OK);
        ridge_estimate e;
        assert_int_equal(ridge_estimate_call(&e, machine, &call, NULL), RIDGE_OK);
        ridge__str_format(&text, "\"%s\",4096,2048,bf16,%.6g\n", lists[i],
                          1.4e6 * e.expected_s);
    }
    scratch_write(&file, ridge__str_data(&text), text.size);
    ridge__str_clear(&text);
    ridge_fitting_options o = options(NULL);
    o.rows.op = "grouped_gemm";
    ridge_fitting *f = NULL;
    ridge_error err = {0};
    ridge_status status = ridge_fitting_run(&f, file.path, &o, &err);
    unlink(file.path);
    if (status)
        print_error("%s: %s\n", err.where, err.message);
    assert_int_equal(status, RIDGE_OK);
    assert_int_equal(f->entry_count, ROWS);
    for (size_t i = 0; i < ROWS; i++) {
        const ridge_list *list = &f->entry[i].row.call.list[0];
        assert_int_equal(list->size, strlen(lists[i]));
        assert_memory_equal(list->text, lists[i], list->size);
    }
    ridge_fitting_free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constants_are_found_again),
        cmocka_unit_test(twenty_rows_help_and_outliers_do_not_pull),
        cmocka_unit_test(only_dtypes_of_the_rows_are_fitted),
        cmocka_unit_test(what_is_not_determined_stays),
        cmocka_unit_test(constants_can_be_chosen),
        cmocka_unit_test(the_file_reads_back),
        cmocka_unit_test(the_users_fit_comes_back),
        cmocka_unit_test(refusals),
        cmocka_unit_test(several_parts_share_constants),
        cmocka_unit_test(large_products_determine_little),
        cmocka_unit_test(a_few_shapes_are_refused),
        cmocka_unit_test(a_constant_at_its_bound_is_marked),
        cmocka_unit_test(what_moved_is_determined),
        cmocka_unit_test(shapes_are_kept_apart_whole),
        cmocka_unit_test(lists_outlive_their_rows),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
