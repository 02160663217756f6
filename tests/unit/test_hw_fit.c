#include "base/base.h"
#include "hw/hw.h"

#include <stdlib.h>
#include <unistd.h>

#include "random.h"
#include "scratch.h"
#include "test.h"

/* Loads `text` as the user's fit file; the status of doing so. */
static ridge_status fits_of(ridge_catalog *catalog, const ridge_fit **fits, size_t *count,
                            const char *text, ridge_error *err)
{
    scratch file;
    scratch_write(&file, text, strlen(text));
    ridge_status status = ridge__catalog_fit_file(fits, count, catalog, file.path, err);
    unlink(file.path);
    return status;
}

static ridge_catalog *catalog_of(void)
{
    ridge_catalog *catalog = NULL;
    assert_int_equal(ridge_catalog_open(&catalog, NULL, NULL, NULL), RIDGE_OK);
    return catalog;
}

/* The example of the documentation, value by value. */
static void the_documented_example_loads(void **state)
{
    (void)state;
    char text[4096];
    const ridge_fit *f = NULL;
    size_t count = 0;
    ridge_error err = {0};
    ridge_catalog *catalog = catalog_of();
    doc_example(text, sizeof text, "docs/format/fit.md");
    if (fits_of(catalog, &f, &count, text, &err))
        fail_msg("%llu: %s", (unsigned long long)err.line, err.message);
    assert_int_equal(count, 1);
    assert_string_equal(f->key, "hopper");
    assert_string_equal(f->op, "gemm");
    assert_int_equal(f->form, RIDGE_FIT_TILE);
    assert_int_equal(f->dtypes, 1u << RIDGE_BF16 | 1u << RIDGE_FP16);
    assert_int_equal(f->kv_dtypes, UINT32_MAX);
    assert_int_equal(f->backend, RIDGE_BACKEND_CUBLAS);
    assert_close(f->c[RIDGE_TILE_LAUNCH_GRAPH], 1.2e-6, 1e-12);
    assert_close(f->c[RIDGE_TILE_MMA_SHARE], 0.78, 1e-12);
    assert_close(f->c[RIDGE_TILE_FEED], 48, 1e-12);
    assert_true(!ridge_known(f->c[RIDGE_TILE_FIXED]));
    assert_close(f->low, 0.90, 1e-12);
    assert_close(f->high, 1.12, 1e-12);
    assert_close(f->mape, 0.086, 1e-12);
    assert_close(f->median, 0.059, 1e-12);
    assert_close(f->reach_s, 12e-3, 1e-12);
    assert_string_equal(f->parts, "h100-sxm");
    assert_string_equal(f->date, "2026-08");
    assert_int_equal(f->band_count, 2);
    assert_close(f->band[0].at_s, 9e-6, 1e-12);
    assert_close(f->band[1].high, 1.08, 1e-12);
    assert_false(f->unseen);
    ridge_catalog_free(catalog);
}

/* "key", then one fit with these lines put in. */
#define FIT(lines) "key: k\nfits:\n  - op: gemm\n" lines "    from: x\n    date: y\n"
#define REST       "    low: \"0.9\"\n    high: \"1.1\"\n"

static void bad_files_say_why(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned line;
        const char *message;
    } cases[] = {
        {FIT("    form: tile\n    constants: {fixed: \"2\"}\n" REST), 5,
         "fits[0].constants.fixed: \"2\" has no unit; seconds wanted, as in 2ms"},
        {FIT("    form: tile\n    constants: {fixed: \"2 s\"}\n" REST), 5,
         "fits[0].constants.fixed: \"2 s\" is outside of 0 s .. 1 ms for fixed"},
        {FIT("    form: tile\n    constants: {softmax: \"2 cycles\"}\n" REST), 5,
         "fits[0].constants.softmax: the tile form has no such constant"},
        {FIT("    form: tile\n    constants: {speed: \"2\"}\n" REST), 5,
         "fits[0].constants: unknown key \"speed\""},
        {FIT("    form: tile\n    constants: {fixed: \"1us\", fixed: \"1us\"}\n" REST), 5,
         "fits[0].constants.fixed: is given twice"},
        {FIT("    form: cube\n    constants: {}\n" REST), 4,
         "fits[0].form: \"cube\" is no form; tile, stream, prefill, "
         "decode, collective, experts, grouped or module"},
        {FIT("    form: tile\n    constants: {}\n    dtypes: [bf17]\n" REST), 6,
         "fits[0].dtypes[0]: \"bf17\" is no dtype; as in bf16"},
        {FIT("    form: tile\n    constants: {}\n    backend: x\n" REST), 6,
         "fits[0].backend: \"x\" is no backend; as in cublas or best"},
        {FIT("    form: tile\n    constants: {}\n    when: [\"head_dim~64\"]\n" REST), 6,
         "fits[0].when[0]: \"head_dim~64\" is no condition; as in "
         "\"head_dim>128 window\""},
        {FIT("    form: tile\n    constants: {}\n"
             "    when: [window, whole, causal, encoder, named]\n" REST),
         6, "fits[0].when: more than 4 alternatives"},
        {FIT("    form: tile\n    constants: {}\n    kernels: [a, b, c, d, e]\n" REST), 6,
         "fits[0].kernels: more than 4 names"},
        {FIT("    form: tile\n    constants: {}\n    low: \"2\"\n    high: \"1\"\n"), 6,
         "fits[0].low: low is above high"},
        {FIT("    form: tile\n    constants: {}\n    bands: [\"9 us 0.9\"]\n" REST), 6,
         "fits[0].bands[0]: \"9 us 0.9\" is no band: an expected time, and what lies below "
         "and above 1 there; as in \"12 us 0.84 1.31\""},
        {FIT("    form: tile\n    constants: {}\n    bands: [\"9 us 1.1 1.3\"]\n" REST),
         6,
         "fits[0].bands[0]: \"9 us 1.1 1.3\" is no band: an expected time, and what lies "
         "below and above 1 there; as in \"12 us 0.84 1.31\""},
        {FIT("    form: tile\n    constants: {}\n    bands: [\"9 us 0.001 1.3\"]\n" REST),
         6,
         "fits[0].bands[0]: \"9 us 0.001 1.3\" is no band: an expected time, and what lies "
         "below and above 1 there; as in \"12 us 0.84 1.31\""},
        {FIT("    form: tile\n    constants: {}\n    bands: [\"9 us 0.9 1e300\"]\n" REST),
         6,
         "fits[0].bands[0]: \"9 us 0.9 1e300\" is no band: an expected time, and what lies "
         "below and above 1 there; as in \"12 us 0.84 1.31\""},
        {FIT("    form: tile\n    constants: {}\n"
             "    bands: [\"9 us 0.9 1.3\", \"8 us 0.9 1.2\"]\n" REST),
         6,
         "fits[0].bands: times do not rise, or low or high falls faster than the expected "
         "time to the power -0.8"},
        {FIT("    form: tile\n    constants: {}\n"
             "    bands: [\"9 us 0.9 1.9\", \"12 us 0.9 1.2\"]\n" REST),
         6,
         "fits[0].bands: times do not rise, or low or high falls faster than the expected "
         "time to the power -0.8"},
        {FIT("    form: tile\n    constants: {}\n    left_out: shapes\n" REST), 6,
         "fits[0].left_out: \"shapes\" is no kind of what was left out; parts, or no such "
         "line"},
        {"key: k\nlike: k\nfits:\n  - op: gemm\n    form: tile\n    constants: {}\n" REST
         "    from: x\n    date: y\n",
         2, "like: \"k\" is like itself"},
        {"key: k\nlike: j\nlike_for: [cube]\nfits:\n  - op: gemm\n    form: tile\n"
         "    constants: {}\n" REST "    from: x\n    date: y\n",
         3, "like_for: \"cube\" is no form; as in prefill"},
        {"key: k\nlike: j\nlike_spread: \"20\"\nfits:\n  - op: gemm\n    form: tile\n"
         "    constants: {}\n" REST "    from: x\n    date: y\n",
         3, "like_spread: \"20\" is outside of 0 .. 10 for a spread"},
        {"key: k\nhost_call: \"2 s\"\nfits:\n  - op: gemm\n    form: tile\n"
         "    constants: {}\n" REST "    from: x\n    date: y\n",
         2, "host_call: \"2 s\" is outside of 1 us .. 1 ms for a call"},
        {FIT("    form: tile\n    constants: {}\n    low: \"1\"\n"), 3,
         "fits[0]: \"high\" is missing"},
    };
    ridge_catalog *catalog = catalog_of();
    for (size_t i = 0; i < RIDGE__COUNT(cases); i++) {
        const ridge_fit *fits = NULL;
        size_t count = 7;
        ridge_error err = {0};
        assert_true(fits_of(catalog, &fits, &count, cases[i].text, &err) < 0);
        assert_string_equal(err.message, cases[i].message);
        assert_int_equal(err.line, cases[i].line);
        assert_null(fits);
        assert_int_equal(count, 7);
    }
    ridge_catalog_free(catalog);
}

static bool takes(const char *when, ridge__fit_shape shape, bool named)
{
    ridge_fit fit = {.when_count = 1};
    assert_true(ridge__fit_when_parse(&fit.when[0], when));
    return ridge__fit_takes(&fit, &shape, named);
}

/* Each word of `when`, on both sides of its edge. */
static void conditions_select_calls(void **state)
{
    (void)state;
    static const struct {
        const char *when;
        ridge__fit_shape inside, outside;
    } cases[] = {
        {"head_dim=192", {.dim = 192}, {.dim = 191}},
        {"head_dim<=64", {.dim = 64}, {.dim = 65}},
        {"head_dim<64", {.dim = 63}, {.dim = 64}},
        {"head_dim>=64", {.dim = 64}, {.dim = 63}},
        {"head_dim>128 head_dim<=192", {.dim = 129}, {.dim = 128}},
        {"group=1", {.group = 1}, {.group = 2}},
        {"group>32", {.group = 33}, {.group = 32}},
        {"window", {.window = true}, {.window = false}},
        {"whole", {.window = false}, {.window = true}},
        {"causal", {.causal = true}, {.causal = false}},
        {"encoder", {.causal = false}, {.causal = true}},
        {"context", {.phase = RIDGE_PHASE_CONTEXT}, {.phase = RIDGE_PHASE_VERIFY}},
        {"generation", {.phase = RIDGE_PHASE_GENERATION}, {.phase = RIDGE_PHASE_CONTEXT}},
        {"verify", {.phase = RIDGE_PHASE_VERIFY}, {.phase = RIDGE_PHASE_GENERATION}},
        {"profiled", {.profiled = true}, {.bridged = true}},
        {"bridged", {.bridged = true}, {.profiled = true}},
        {"mma_sync", {.mma_sync = true}, {.bridged = true}},
        {"head_dim>192 window", {.dim = 256, .window = true}, {.dim = 256}},
    };
    for (size_t i = 0; i < RIDGE__COUNT(cases); i++) {
        assert_true(takes(cases[i].when, cases[i].inside, false));
        assert_false(takes(cases[i].when, cases[i].outside, false));
    }
    assert_false(takes("named", (ridge__fit_shape){.dim = 64}, false));
    assert_true(takes("named", (ridge__fit_shape){.dim = 64}, true));
    static const char *const bad[] = {"",          " ",           "head_dim",
                                      "head_dim=", "head_dim=6x", "head_dim==64",
                                      "group!1",   "windows",     "head_dim<1234567890"};
    for (size_t i = 0; i < RIDGE__COUNT(bad); i++)
        assert_false(ridge__fit_when_parse(&(ridge__fit_when){0}, bad[i]));
}

/* Conditions that nothing, or everything, meets: written as words that can be read. */
static void conditions_at_the_edge_are_written(void **state)
{
    (void)state;
    static const char *const same[][2] = {{"group<0", "group<0"},
                                          {"head_dim>=0", "group>=0"},
                                          {"group>999999999", "group>999999999"},
                                          {"group=1 group=2", "group>=2 group<=1"}};
    for (size_t i = 0; i < RIDGE__COUNT(same); i++) {
        ridge__fit_when w;
        ridge__str out;
        ridge__str_init(&out, 0, NULL);
        assert_true(ridge__fit_when_parse(&w, same[i][0]));
        ridge__fit_when_write(&out, &w);
        assert_string_equal(ridge__str_data(&out), same[i][1]);
        assert_true(ridge__fit_when_parse(&w, ridge__str_data(&out)));
        ridge__str_clear(&out);
    }
}

/* What is written is read back as it was. */
static void conditions_are_written(void **state)
{
    (void)state;
    static const char text[] = FIT(
        "    form: tile\n    constants: {}\n    kernels: [triton, tri]\n"
        "    when: [\"head_dim>=129 head_dim<=255 group=1 whole\", \"encoder named profiled bridged mma_sync\"]\n" REST);
    const ridge_fit *fits = NULL;
    size_t count = 0;
    ridge_error err = {0};
    ridge_catalog *catalog = catalog_of();
    if (fits_of(catalog, &fits, &count, text, &err))
        fail_msg("%s", err.message);
    assert_int_equal(fits->when_count, 2);
    assert_close(fits->when[0].dim_max, 255, 0);
    assert_true(fits->when[1].named);
    assert_int_equal(fits->kernel[1], ridge__hash_name("tri", 3));
    assert_int_equal(fits->kernel[2], 0);
    ridge__str out;
    ridge__str_init(&out, 0, NULL);
    ridge__fit_write(&out, fits);
    assert_non_null(strstr(ridge__str_data(&out),
                           "    kernels: [triton, tri]\n"
                           "    when: [\"head_dim>=129 head_dim<=255 group=1 whole\", "
                           "\"encoder named profiled bridged mma_sync\"]\n"));
    ridge__str_clear(&out);
    ridge_catalog_free(catalog);
}

static const char *written(ridge__str *out, const ridge_fit *fit)
{
    ridge__str_clear(out);
    ridge__fit_write(out, fit);
    return ridge__str_data(out);
}

/* What was compiled in is what the file says, to the last bit. */
/*
 * Between two bands low and high are linear in the logarithm of the expected time; beyond
 * them they stay.  By hand: from 10 to 90 us, 30 us is half way.
 */
static void bands_say_the_spread_by_size(void **state)
{
    (void)state;
    ridge_fit f = {.low = 0.5, .high = 2};
    double low, high;
    ridge__fit_spread(&f, 1e-6, &low, &high);
    assert_close(low, 0.5, 0);
    assert_close(high, 2, 0);
    assert_true(ridge__fit_band_parse(&f.band[0], "10 us 0.8 1.4"));
    assert_true(ridge__fit_band_parse(&f.band[1], "90 us 0.9 1.2"));
    f.band_count = 2;
    assert_true(ridge__fit_bands_grow(&f));
    static const double cases[][3] = {{1e-6, 0.8, 1.4},
                                      {10e-6, 0.8, 1.4},
                                      {30e-6, 0.85, 1.3},
                                      {90e-6, 0.9, 1.2},
                                      {1, 0.9, 1.2}};
    for (size_t i = 0; i < RIDGE__COUNT(cases); i++) {
        ridge__fit_spread(&f, cases[i][0], &low, &high);
        assert_close(low, cases[i][1], 1e-12);
        assert_close(high, cases[i][2], 1e-12);
    }
}

/* What falls too fast is widened, never narrowed, until a longer call ends no earlier. */
static void bands_are_widened_until_times_grow(void **state)
{
    (void)state;
    ridge_fit f = {.band = {{10e-6, 0.95, 2}, {12e-6, 0.7, 1.1}, {90e-6, 0.9, 1.2}},
                   .band_count = 3};
    const ridge_fit was = f;
    assert_false(ridge__fit_bands_grow(&f));
    ridge__fit_bands_widen(&f);
    assert_true(ridge__fit_bands_grow(&f));
    for (size_t i = 0; i < f.band_count; i++) {
        assert_true(f.band[i].low <= was.band[i].low + 1e-12);
        assert_true(f.band[i].high >= was.band[i].high - 1e-12);
    }
    assert_close(f.band[0].low, 0.7957, 1e-12); /* 0.7 (1 + 0.75 ln 1.2), down */
    assert_close(f.band[1].high, 1.76, 1e-12);  /* 2 / (1 + 0.75 ln 1.2), up */
    double before_low = 0, before_high = 0;
    for (int step = 0; step < 371; step++) { /* 5 to 200 us, at the widest */
        double low, high, at = 5e-6 * pow(1.01, step);
        ridge__fit_spread(&f, at, &low, &high);
        assert_true(at * low > before_low);
        assert_true(at * high > before_high);
        before_low = at * low;
        before_high = at * high;
    }
}

/* Whatever spreads come out, however steep and close: what is written is what is read, to
 * the last digit, and is read without complaint. */
static void bands_that_are_made_can_be_read(void **state)
{
    (void)state;
    uint64_t seed = 5;
    ridge__str text;
    ridge__str_init(&text, 0, NULL);
    for (int round = 0; round < 20000; round++) {
        ridge_fit f = {.band_count = RIDGE_FIT_BANDS_MAX}, again = {.band_count = 0};
        double at = 1e-6 * pow(10, 3 * random_uniform(&seed)),
               step = 2 * random_uniform(&seed);
        for (size_t i = 0; i < f.band_count; i++) {
            double low = random_uniform(&seed) * random_uniform(&seed);
            double high = random_uniform(&seed) * random_uniform(&seed);
            f.band[i] = (ridge__fit_band){at, pow(0.01, low), pow(100, high)};
            at *= 1.01 + step * random_uniform(&seed);
        }
        ridge__fit_bands_widen(&f);
        ridge__str_reset(&text);
        ridge__fit_bands_write(&text, &f);
        char *line = text.data;
        for (char *end; (line = strchr(line, '"')); line = end + 1) {
            end = strchr(++line, '"');
            *end = '\0';
            ridge__fit_band *b = &again.band[again.band_count];
            const ridge__fit_band *was = &f.band[again.band_count++];
            assert_true(ridge__fit_band_parse(b, line));
            assert_close(b->at_s, was->at_s, 1e-12);
            assert_close(b->low, was->low, 1e-12);
            assert_close(b->high, was->high, 1e-12);
        }
        assert_int_equal(again.band_count, f.band_count);
        assert_true(f.band_count > 0 && ridge__fit_bands_grow(&again));
    }
    ridge__str_clear(&text);
}

static void builtin_fits_are_the_files(void **state)
{
    (void)state;
    ridge_catalog *catalog = catalog_of();
    ridge__str text[2], *const out[] = {&text[0], &text[1]};
    ridge__str_init(out[0], 0, NULL);
    ridge__str_init(out[1], 0, NULL);
    for (size_t i = 0; i < ridge__embedded_fit_count; i++) {
        const ridge__embedded *e = &ridge__embedded_fits[i];
        const ridge_fit *fits = NULL, *built = e->parsed;
        char path[512];
        size_t count = 0;
        snprintf(path, sizeof path, RIDGE_SOURCE_DIR "/data/fits/%s.yaml", e->id);
        assert_int_equal(ridge__catalog_fit_file(&fits, &count, catalog, path, NULL), 0);
        assert_int_equal(count, e->count);
        for (size_t k = 0; k < count; k++) {
            const ridge_fit *a = &fits[k], *b = &built[k];
            const char *const texts[][2] = {
                {a->key, b->key},   {a->op, b->op},       {a->from, b->from},
                {a->date, b->date}, {a->parts, b->parts}, {a->kernels, b->kernels},
            };
            for (size_t t = 0; t < RIDGE__COUNT(texts); t++)
                assert_string_equal(texts[t][0] ? texts[t][0] : "-",
                                    texts[t][1] ? texts[t][1] : "-");
            assert_int_equal(a->dtypes, b->dtypes);
            assert_int_equal(a->kv_dtypes, b->kv_dtypes);
            assert_int_equal(a->backend, b->backend);
            assert_int_equal(a->form, b->form);
            assert_memory_equal(a->c, b->c, sizeof a->c);
            assert_memory_equal(a->kernel, b->kernel, sizeof a->kernel);
            assert_int_equal(a->when_count, b->when_count);
            assert_string_equal(written(out[0], a), written(out[1], b));
            const double numbers[][2] = {{a->low, b->low},
                                         {a->high, b->high},
                                         {a->mape, b->mape},
                                         {a->median, b->median},
                                         {a->reach_s, b->reach_s}};
            for (size_t n = 0; n < RIDGE__COUNT(numbers); n++)
                assert_memory_equal(&numbers[n][0], &numbers[n][1], sizeof(double));
        }
    }
    ridge__str_clear(out[0]);
    ridge__str_clear(out[1]);
    ridge_catalog_free(catalog);
}

/* Every built-in file parses; a key without a file is no error. */
static void builtin_fits_load(void **state)
{
    (void)state;
    const ridge_fit *fits = NULL;
    size_t count = 0, alike = 0;
    ridge_error err = {0};
    ridge_catalog *catalog = catalog_of();
    for (size_t i = 0; i < ridge__embedded_fit_count; i++) {
        if (ridge__catalog_fits(&fits, &count, catalog, ridge__embedded_fits[i].id, &err))
            fail_msg("%s:%llu: %s", err.where, (unsigned long long)err.line, err.message);
        assert_true(count > 0);
        /* One that it is like has a file, and what it says survives being compiled in. */
        const char *like = fits[0].like;
        alike += like != NULL;
        if (like && ridge__catalog_fits(&fits, &count, catalog, like, &err))
            fail_msg("%s: %s", err.where, err.message);
        assert_true(count > 0);
    }
    assert_true(alike >= 3);
    assert_int_equal(ridge__catalog_fits(&fits, &count, catalog, "no-such-arch", &err),
                     RIDGE_OK);
    assert_null(fits);
    assert_int_equal(count, 0);
    ridge_catalog_free(catalog);
}

static void *counted_alloc(void *ctx, size_t size)
{
    *(size_t *)ctx += size;
    return malloc(size);
}

static void counted_free(void *ctx, void *ptr, size_t size)
{
    *(size_t *)ctx -= size;
    free(ptr);
}

/* A table asks once a row: the answer stays, and takes no more memory. */
static void a_broken_file_is_parsed_once(void **state)
{
    (void)state;
    static const char text[] = "key: mine\nfits:\n  - {op: gemm, form: tile, low: \"2\", "
                               "high: \"1\", constants: {}, from: x, date: x}\n";
    size_t taken = 0, before = 0;
    const ridge_allocator alloc = {counted_alloc, counted_free, &taken};
    ridge_catalog *catalog = NULL;
    scratch file;
    scratch_write(&file, text, strlen(text));
    assert_int_equal(ridge_catalog_open(&catalog, NULL, &alloc, NULL), RIDGE_OK);
    for (int i = 0; i < 100; i++) {
        ridge_error err = {0};
        const ridge_fit *fits;
        const ridge_device *device;
        size_t count;
        assert_int_equal(ridge__catalog_fit_file(&fits, &count, catalog, file.path, &err),
                         RIDGE_INVALID);
        assert_string_equal(err.message, "fits[0].low: low is above high");
        assert_int_equal(err.line, 3);
        /* Nor is it a part, which is another failure. */
        assert_int_equal(ridge_catalog_load(&device, catalog, file.path, &err),
                         RIDGE_SYNTAX);
        assert_int_equal(ridge_catalog_load(&device, catalog, "/no/such.yaml", &err),
                         RIDGE_IO);
        if (i == 0)
            before = taken;
    }
    assert_int_equal(taken, before);
    ridge_catalog_free(catalog);
    unlink(file.path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_documented_example_loads),
        cmocka_unit_test(bad_files_say_why),
        cmocka_unit_test(conditions_select_calls),
        cmocka_unit_test(conditions_are_written),
        cmocka_unit_test(conditions_at_the_edge_are_written),
        cmocka_unit_test(bands_say_the_spread_by_size),
        cmocka_unit_test(bands_are_widened_until_times_grow),
        cmocka_unit_test(bands_that_are_made_can_be_read),
        cmocka_unit_test(builtin_fits_are_the_files),
        cmocka_unit_test(builtin_fits_load),
        cmocka_unit_test(a_broken_file_is_parsed_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
