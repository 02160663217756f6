/*
 * embed_fits OUT NCCL FILE...: NCCL's constants and the fit files as C tables.
 *
 * A machine needs all fits of its architecture, some 90 KB of YAML, whatever it is asked;
 * parsed at each start they would cost more than everything else together.  So the library's
 * own reader parses them when it is built, and a mistake in one stops the build.
 */
#include "base/base.h"
#include "hw/catalog.h"

#include <stdio.h>
#include <stdlib.h>

/* The whole of a file, to be freed; NULL: it cannot be read. */
static char *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    long end = -1;
    if (file && fseek(file, 0, SEEK_END) == 0)
        end = ftell(file);
    if (end >= 0 && fseek(file, 0, SEEK_SET) == 0)
        text = malloc((size_t)end + 1);
    if (text) {
        *size = fread(text, 1, (size_t)end, file);
        text[*size] = '\0';
    }
    if (file)
        fclose(file);
    return text;
}

static void put_text(FILE *out, const char *name, const char *text)
{
    if (!text)
        return;
    fprintf(out, "     .%s = \"", name);
    for (const char *p = text; *p; p++)
        fprintf(out, *p == '"' || *p == '\\' ? "\\%c" : "%c", *p);
    fprintf(out, "\",\n");
}

static void put_number(FILE *out, double value)
{
    if (isinf(value))
        fprintf(out, value > 0 ? "INFINITY, " : "-INFINITY, ");
    else if (ridge_known(value))
        fprintf(out, "%.17g, ", value);
    else
        fprintf(out, "NAN, ");
}

/* What a call must be for the fit. */
static void put_conditions(FILE *out, const ridge_fit *f)
{
    fprintf(out, "     .when_count = %u,\n     .when = {", f->when_count);
    for (size_t i = 0; i < f->when_count; i++) {
        const ridge__fit_when *w = &f->when[i];
        fprintf(out, "{");
        put_number(out, w->dim_min);
        put_number(out, w->dim_max);
        put_number(out, w->group_min);
        put_number(out, w->group_max);
        fprintf(out, "%d, %d, %d, %d, %d, %d, %d}, ", w->window, w->causal, w->phase,
                w->named, w->profiled, w->bridged, w->mma_sync);
    }
    fprintf(out, "%s},\n     .kernel = {", f->when_count ? "" : "{0}");
    for (size_t i = 0; i < RIDGE_FIT_KERNELS_MAX; i++)
        fprintf(out, "%uu, ", f->kernel[i]);
    fprintf(out, "},\n");
}

static void put_fit(FILE *out, const ridge_fit *f)
{
    const struct {
        const char *name;
        double value;
    } numbers[] = {{"low", f->low},
                   {"high", f->high},
                   {"mape", f->mape},
                   {"median", f->median},
                   {"reach_s", f->reach_s},
                   {"like_spread", f->like_spread},
                   {"host_call_s", f->host_call_s},
                   {"elsewhere", f->elsewhere}};
    fprintf(out, "    {.dtypes = %uu,\n     .kv_dtypes = %uu,\n", f->dtypes,
            f->kv_dtypes);
    fprintf(out, "     .backend = %d,\n     .form = %d,\n", (int)f->backend,
            (int)f->form);
    put_text(out, "key", f->key);
    put_text(out, "like", f->like);
    put_text(out, "also_for", f->also_for);
    fprintf(out, "     .like_for = %uu,\n", f->like_for);
    put_text(out, "op", f->op);
    put_text(out, "from", f->from);
    put_text(out, "date", f->date);
    put_text(out, "parts", f->parts);
    put_text(out, "kernels", f->kernels);
    put_text(out, "vendor", f->vendor);
    put_conditions(out, f);
    for (size_t i = 0; i < RIDGE__COUNT(numbers); i++) {
        fprintf(out, "     .%s = ", numbers[i].name);
        put_number(out, numbers[i].value);
        fprintf(out, "\n");
    }
    fprintf(out, "     .unseen = %d,\n     .band_count = %u,\n     .band = {", f->unseen,
            f->band_count);
    for (size_t i = 0; i < f->band_count; i++) {
        fprintf(out, "{");
        put_number(out, f->band[i].at_s);
        put_number(out, f->band[i].low);
        put_number(out, f->band[i].high);
        fprintf(out, "}, ");
    }
    fprintf(out, "%s},\n     .c = {", f->band_count ? "" : "{0}");
    for (size_t i = 0; i < RIDGE_FIT_CONSTANTS; i++)
        put_number(out, f->c[i]);
    fprintf(out, "}},\n");
}

/* The fits of a file as an array, and its row for the list of all. */
static ridge_status put_file(FILE *out, ridge__str *rows, const char *path, size_t index,
                             ridge_error *err)
{
    ridge_status status = RIDGE_OK;
    const ridge_fit *fits = NULL;
    size_t size = 0, count = 0;
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    char id[64];
    char *text = read_file(path, &size);
    ridge__arena arena;
    ridge__arena_init(&arena, NULL);
    snprintf(id, sizeof id, "%.*s", (int)(strlen(name) - strlen(".yaml")), name);
    const ridge__entry entry = {.id = id, .where = path, .text = text, .size = size};
    if (!text)
        RIDGE__TRY(ridge__error_set(err, RIDGE_IO, "cannot read %s", path));
    RIDGE__TRY(ridge__fits_parse(&fits, &count, &arena, id, &entry, err));
    fprintf(out, "static const ridge_fit fits_%zu[] = {\n", index);
    for (size_t i = 0; i < count; i++)
        put_fit(out, &fits[i]);
    fprintf(out, "};\n\n");
    ridge__str_format(rows, "    {.id = \"%s\", .text = \"\", .parsed = fits_%zu, ", id,
                      index);
    ridge__str_format(rows, ".count = %zu},\n", count);
out:
    ridge__arena_clear(&arena);
    free(text);
    return status;
}

/* "{{1, 2}, {3, 4}}, ": one level of braces for each dimension above 1. */
static void put_table(FILE *out, const char *name, const double *value, const size_t n[3])
{
    fprintf(out, "    .%s = ", name);
    fprintf(out, n[0] > 1 ? "{" : "");
    for (size_t i = 0; i < n[0]; i++) {
        fprintf(out, n[1] > 1 ? "{" : "");
        for (size_t k = 0; k < n[1]; k++) {
            fprintf(out, "{");
            for (size_t c = 0; c < n[2]; c++)
                put_number(out, *value++);
            fprintf(out, n[1] > 1 ? "}, " : "}");
        }
        fprintf(out, n[1] > 1 ? "}" : "");
        fprintf(out, n[0] > 1 ? ", " : "");
    }
    fprintf(out, n[0] > 1 ? "},\n" : ",\n");
}

static ridge_status put_nccl(FILE *out, const char *path, ridge_error *err)
{
    ridge_status status = RIDGE_OK;
    const ridge__nccl *n = NULL;
    size_t size = 0;
    char *text = read_file(path, &size);
    ridge__arena arena;
    ridge__arena_init(&arena, NULL);
    const ridge__entry entry = {.id = path, .where = path, .text = text, .size = size};
    if (!text)
        RIDGE__TRY(ridge__error_set(err, RIDGE_IO, "cannot read %s", path));
    RIDGE__TRY(ridge__nccl_parse(&n, &arena, &entry, err));
    enum {
        A = RIDGE__NCCL_ALGORITHMS,
        P = RIDGE__NCCL_PROTOCOLS,
        W = RIDGE__NCCL_WIRES,
        R = RIDGE__NCCL_ARCHS,
        N = RIDGE__NCCL_NODES
    };
    const struct {
        const char *name;
        const double *value;
        size_t n[3];
    } tables[] = {
        {"base_latency_s", n->base_latency_s[0], {1, A, P}},
        {"hop_latency_s", n->hop_latency_s[0][0], {W, A, P}},
        {"ll_max_bytes_per_s", n->ll_max_bytes_per_s[0], {1, R, N}},
        {"ring_ll128_bytes_per_s", n->ring_ll128_bytes_per_s[0], {1, R, N}},
        {"tree_ll128_bytes_per_s", n->tree_ll128_bytes_per_s[0], {1, R, N}},
        {"tree_bytes_per_s", n->tree_bytes_per_s[0], {1, R, N}},
        {"nvls_tree_bytes_per_s", n->nvls_tree_bytes_per_s[0], {1, R, N}},
        {"nvls_efficiency", n->nvls_efficiency, {1, 1, R}},
        {"tree_correction", n->tree_correction[0], {1, P, RIDGE__NCCL_SIZES}},
        {"nvlink_bytes_per_s", n->nvlink_bytes_per_s, {1, 1, 6}},
        {"network_overhead_s", n->network_overhead_s, {1, 1, 2}},
        {"graph_channels", n->graph_channels, {1, 1, R}},
        {"graph_share", n->graph_share, {1, 1, R}},
        {"nvls_channels", n->nvls_channels, {1, 1, R}},
        {"nvls_share", n->nvls_share, {1, 1, R}},
    };
    fprintf(out, "const ridge__nccl ridge__nccl_table = {\n    .source = \"%s\",\n",
            n->source);
    for (size_t i = 0; i < RIDGE__COUNT(tables); i++)
        put_table(out, tables[i].name, tables[i].value, tables[i].n);
    fprintf(out, "};\n\n");
out:
    ridge__arena_clear(&arena);
    free(text);
    return status;
}

int main(int argc, char **argv)
{
    ridge_error err = {.message = ""};
    ridge_status status = RIDGE_OK;
    ridge__str rows;
    FILE *out = argc > 3 ? fopen(argv[1], "w") : NULL;
    if (!out) {
        fprintf(stderr, "usage: embed_fits OUT NCCL FILE...\n");
        return 2;
    }
    ridge__str_init(&rows, 0, NULL);
    fprintf(out,
            "/* Made from data/fits and data/nccl by tools/embed_fits.c; not edited. */\n"
            "#include \"hw/hw.h\"\n\n");
    status = put_nccl(out, argv[2], &err);
    for (int i = 3; i < argc && !status; i++)
        status = put_file(out, &rows, argv[i], (size_t)i, &err);
    if (status)
        fprintf(stderr, "%s:%llu: %s\n", err.where, (unsigned long long)err.line,
                err.message);
    else
        fprintf(out,
                "const ridge__embedded ridge__embedded_fits[] = {\n%s};\n"
                "const size_t ridge__embedded_fit_count = %d;\n",
                ridge__str_data(&rows), argc - 3);
    bool written = fclose(out) == 0 && !status;
    if (!written)
        (void)remove(argv[1]);
    ridge__str_clear(&rows);
    return written ? 0 : 1;
}
