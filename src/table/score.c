/* Predictions against measurements, by groups of rows: ridge/score.h. */
#include "table/table.h"

#include <stdlib.h>
#include <string.h>

/* A floor is above the truth beyond the rounding of six printed digits. */
static const double FLOOR_SLACK = 1.0001;

enum {
    BUCKETS = 1024, /* groups are hundreds at most: a chain of one */
    BY_MAX = 16,    /* columns that make a group */
    KEY_MAX = 1024,
    SEPARATOR = '\x1f' /* between cells of a key: sorts below any text */
};

typedef struct sample {
    double truth, expected, width;
} sample;

typedef struct group {
    struct group *chain; /* of its bucket */
    char *key;
    sample *sample; /* `rows` of them, in arena chunks that double */
    size_t room;
    double error_sum, log_sum;
    uint64_t within, inside, above;
    size_t widths;
    ridge_score_group figures;
} group;

/* What a row gives, by the place of its column. */
enum {
    TRUTH,
    EXPECTED,
    FLOOR,
    LOW,
    HIGH,
    QC,
    TIMING,
    ROLES
};

struct ridge_score {
    ridge__arena arena;
    ridge_score_options options;
    const char *by[BY_MAX];
    size_t by_count;
    const char *role[ROLES]; /* names of their columns */
    size_t column[ROLES], by_column[BY_MAX];
    bool headed;
    ridge__csv_row *row;
    ridge__row_reader rows;
    group *bucket[BUCKETS];
    group all;
    group **sorted;
    size_t group_count;
    uint64_t unread; /* rows whose measured time is none, and the first such cell */
    char unread_first[32];
    ridge_status status; /* what stopped the sink */
    ridge_error err;
};

static ridge_status no_memory(ridge_error *err)
{
    return ridge__error_set(err, RIDGE_NOMEM, "out of memory");
}

static ridge_status take_row(void *ctx, const char *data, size_t size, ridge_error *err);

/* ---- Options ----------------------------------------------------------------------- */

/* "tpot_expected_ms" with "floor" for "expected"; the name itself where it has none. */
static const char *sibling(ridge__arena *arena, const char *expected, const char *word)
{
    const char *at = strstr(expected, "expected");
    if (!at)
        return "";
    size_t head = (size_t)(at - expected), tail = strlen(at + strlen("expected"));
    size_t size = head + strlen(word) + tail;
    char *name = ridge__arena_alloc(arena, size + 1);
    if (name)
        snprintf(name, size + 1, "%.*s%s%s", (int)head, expected, word,
                 at + strlen("expected"));
    return name;
}

static ridge_status split_by(ridge_score *s, const char *by, ridge_error *err)
{
    for (const char *p = by ? by : ""; *p;) {
        size_t size = strcspn(p, ",");
        if (size == 0)
            return ridge__error_set(
                err, RIDGE_INVALID,
                "\"%s\" has an empty name; columns separated by commas "
                "are wanted, as in gpu,dtype",
                RIDGE__QUOTE(by));
        if (s->by_count == BY_MAX)
            return ridge__error_set(err, RIDGE_LIMIT, "more than %d columns to group by",
                                    BY_MAX);
        s->by[s->by_count++] = ridge__arena_copy(&s->arena, p, size);
        p += size;
        if (*p == ',' && !*++p)
            return split_by(s, ",", err);
    }
    return RIDGE_OK;
}

ridge_status ridge_score_new(ridge_score **out, const ridge_score_options *options,
                             ridge_error *err)
{
    ridge_score *s = calloc(1, sizeof *s);
    if (!s)
        return no_memory(err);
    ridge_status status = RIDGE_OK;
    ridge__arena_init(&s->arena, NULL);
    ridge__row_reader_init(&s->rows, take_row, s);
    s->options = *options;
    s->all.figures.name = "ALL";
    const char *expected = options->expected ? options->expected : "expected_us";
    s->role[TRUTH] =
        ridge__arena_text(&s->arena, options->truth ? options->truth : "time_us");
    s->role[EXPECTED] = ridge__arena_text(&s->arena, expected);
    s->role[FLOOR] = sibling(&s->arena, expected, "floor");
    s->role[LOW] = sibling(&s->arena, expected, "low");
    s->role[HIGH] = sibling(&s->arena, expected, "high");
    s->role[QC] = "qc";
    s->role[TIMING] = "timing";
    RIDGE__TRY(split_by(s, options->by, err));
    RIDGE__TRY(ridge__csv_row_new(&s->row, NULL, err));
    if (!ridge__arena_ok(&s->arena))
        RIDGE__TRY(no_memory(err));
    *out = s;
    s = NULL;
out:
    ridge_score_free(s);
    return status;
}

void ridge_score_free(ridge_score *s)
{
    if (!s)
        return;
    ridge__csv_row_free(s->row);
    ridge__row_reader_clear(&s->rows);
    ridge__arena_clear(&s->arena);
    free(s);
}

/* ---- Rows -------------------------------------------------------------------------- */

static size_t find_column(const ridge_score *s, const char *name)
{
    for (size_t i = 0; i < ridge__csv_row_count(s->row); i++)
        if (strcmp(ridge__csv_row_field(s->row, i, NULL), name) == 0)
            return i;
    return RIDGE__NO_COLUMN;
}

static ridge_status read_header(ridge_score *s, ridge_error *err)
{
    static const char *const needed[] = {
        [TRUTH] = "the measured times are wanted; --truth names their column",
        [EXPECTED] = "predicted times are wanted; `ridge predict` adds them",
    };
    for (size_t r = 0; r < ROLES; r++) {
        s->column[r] = s->role[r][0] ? find_column(s, s->role[r]) : RIDGE__NO_COLUMN;
        if (s->column[r] == RIDGE__NO_COLUMN && r < RIDGE__COUNT(needed))
            return ridge__error_set(err, RIDGE_SYNTAX,
                                    "the header has no column \"%s\"; %s",
                                    RIDGE__QUOTE(s->role[r]), needed[r]);
    }
    size_t kept = 0;
    for (size_t i = 0; i < s->by_count; i++) {
        size_t column = find_column(s, s->by[i]);
        if (column != RIDGE__NO_COLUMN) {
            s->by[kept] = s->by[i];
            s->by_column[kept++] = column;
        } else if (!s->options.by_present) {
            return ridge__error_set(err, RIDGE_SYNTAX,
                                    "the header has no column \"%s\" to group by; one of "
                                    "its own is wanted",
                                    RIDGE__QUOTE(s->by[i]));
        }
    }
    s->by_count = kept;
    s->headed = true;
    return RIDGE_OK;
}

static const char *cell(const ridge_score *s, int role)
{
    return ridge__csv_row_field(s->row, s->column[role], NULL);
}

/* A number above zero; unknown for anything else. */
static double number(const char *text)
{
    double value;
    const char *end;
    if (ridge__number_parse(&value, text, &end) || *end || !(value > 0))
        return RIDGE_UNKNOWN;
    return value;
}

static size_t hash(const char *key)
{
    size_t h = 5381;
    for (; *key; key++)
        h = h * 33 + (unsigned char)*key;
    return h % BUCKETS;
}

/* The group of the row just read; NULL: out of memory. */
static group *find_group(ridge_score *s)
{
    char key[KEY_MAX];
    size_t used = 0;
    for (size_t i = 0; i < s->by_count; i++) {
        size_t size;
        const char *text = ridge__csv_row_field(s->row, s->by_column[i], &size);
        if (size > KEY_MAX - 2 - used)
            size = KEY_MAX - 2 - used;
        memcpy(key + used, text, size);
        used += size;
        if (i + 1 < s->by_count && used < KEY_MAX - 2)
            key[used++] = SEPARATOR;
    }
    key[used] = '\0';
    group **at = &s->bucket[hash(key)];
    while (*at && strcmp((*at)->key, key) != 0)
        at = &(*at)->chain;
    if (*at)
        return *at;
    group *g = ridge__arena_alloc(&s->arena, sizeof *g);
    if (!g)
        return NULL;
    g->key = ridge__arena_copy(&s->arena, key, used);
    char *name = ridge__arena_copy(&s->arena, key, used);
    for (char *p = name; p && *p; p++)
        if (*p == SEPARATOR)
            *p = ' ';
    g->figures.name = name;
    s->group_count++;
    return *at = g;
}

static bool grow(ridge_score *s, group *g)
{
    enum {
        FIRST = 64
    };
    if (g->figures.rows < g->room)
        return true;
    size_t room = g->room ? 2 * g->room : FIRST;
    sample *larger = ridge__arena_alloc(&s->arena, room * sizeof *larger);
    if (!larger)
        return false;
    if (g->room)
        memcpy(larger, g->sample, g->room * sizeof *larger);
    g->sample = larger;
    g->room = room;
    return true;
}

static bool add_sample(ridge_score *s, group *g, const double role[])
{
    double truth = role[TRUTH], expected = role[EXPECTED];
    if (!ridge_known(expected)) {
        g->figures.empty++;
        return true;
    }
    if (!grow(s, g))
        return false;
    sample *one = &g->sample[g->figures.rows++];
    double error = fabs(expected / truth - 1);
    one->truth = truth;
    one->expected = expected;
    one->width = (role[HIGH] - role[LOW]) / expected;
    g->error_sum += error;
    g->log_sum += log(expected / truth);
    g->within += error <= 0.1;
    g->inside += role[LOW] <= truth && truth <= role[HIGH];
    g->above += role[FLOOR] > truth * FLOOR_SLACK;
    return true;
}

static ridge_status add_row(ridge_score *s, ridge_error *err)
{
    double role[ROLES];
    if (!s->options.all && (cell(s, QC)[0] || strcmp(cell(s, TIMING), "eager") == 0))
        return RIDGE_OK;
    for (int r = TRUTH; r <= HIGH; r++)
        role[r] = number(cell(s, r));
    if (!ridge_known(role[TRUTH])) {
        const char *text = cell(s, TRUTH);
        if (text[0] && s->unread++ == 0)
            snprintf(s->unread_first, sizeof s->unread_first, "%s", text);
        return RIDGE_OK;
    }
    if (!add_sample(s, &s->all, role))
        return no_memory(err);
    if (s->by_count == 0)
        return RIDGE_OK;
    group *g = find_group(s);
    return g && add_sample(s, g, role) ? RIDGE_OK : no_memory(err);
}

uint64_t ridge_score_unread(const ridge_score *score, const char **first)
{
    *first = score->unread_first;
    return score->unread;
}

/* One row without its line end. */
static ridge_status take_row(void *ctx, const char *data, size_t size, ridge_error *err)
{
    ridge_score *s = ctx;
    ridge_status status = ridge__csv_row_parse(s->row, data, size, err);
    if (status)
        return status;
    return s->headed ? add_row(s, err) : read_header(s, err);
}

static int write_rows(void *ctx, const char *data, size_t size)
{
    ridge_score *s = ctx;
    if (!s->status)
        s->status = ridge__row_reader_feed(&s->rows, data, size, &s->err);
    return s->status != RIDGE_OK;
}

ridge_sink ridge_score_sink(ridge_score *s)
{
    return (ridge_sink){write_rows, s};
}

ridge_status ridge_score_read(ridge_score *s, const char *path, ridge_error *err)
{
    ridge__input *input = NULL;
    ridge_status status = ridge__input_open(&input, path, err);
    if (!status && !s->status)
        s->status = ridge__row_reader_input(&s->rows, input, &s->err);
    ridge__input_close(input);
    return status;
}

/* ---- Figures ----------------------------------------------------------------------- */

/* values has room for the rows of the group. */
static void make_figures(group *g, double *values)
{
    ridge_score_group *f = &g->figures;
    size_t n = f->rows, widths = 0;
    double rows = n ? (double)n : RIDGE_UNKNOWN;
    for (size_t i = 0; i < n; i++)
        values[i] = fabs(g->sample[i].expected / g->sample[i].truth - 1);
    ridge__sort_numbers(values, n);
    f->median = ridge__sorted_middle(values, n);
    size_t ninth = (size_t)(0.9 * (double)n);
    f->p90 = n ? values[ninth < n ? ninth : n - 1] : RIDGE_UNKNOWN;
    for (size_t i = 0; i < n; i++)
        if (ridge_known(g->sample[i].width))
            values[widths++] = g->sample[i].width;
    ridge__sort_numbers(values, widths);
    f->width = ridge__sorted_middle(values, widths);
    f->mape = g->error_sum / rows;
    f->bias = g->log_sum / rows;
    f->within_tenth = (double)g->within / rows;
    f->coverage = (double)g->inside / rows;
    f->above_floor = (double)g->above / rows;
}

static int by_key(const void *a, const void *b)
{
    const group *x = *(group *const *)a, *y = *(group *const *)b;
    return strcmp(x->key, y->key);
}

static ridge_status sort_groups(ridge_score *s, ridge_error *err)
{
    s->sorted = ridge__arena_alloc(&s->arena, (s->group_count + 1) * sizeof *s->sorted);
    double *values =
        ridge__arena_alloc(&s->arena, (s->all.figures.rows + 1) * sizeof *values);
    if (!s->sorted || !values)
        return no_memory(err);
    size_t count = 0;
    for (size_t b = 0; b < BUCKETS; b++)
        for (group *g = s->bucket[b]; g; g = g->chain)
            if (g->figures.rows + g->figures.empty >= s->options.min_rows)
                s->sorted[1 + count++] = g;
    if (count > 0)
        qsort(s->sorted + 1, count, sizeof *s->sorted, by_key);
    s->sorted[0] = &s->all;
    s->group_count = count + 1;
    for (size_t i = 0; i < s->group_count; i++)
        make_figures(s->sorted[i], values);
    return RIDGE_OK;
}

ridge_status ridge_score_finish(ridge_score *s, const char *name, ridge_error *err)
{
    if (!s->status)
        s->status = ridge__row_reader_end(&s->rows, &s->err);
    if (!s->status && !s->headed)
        s->status = ridge__error_set(&s->err, RIDGE_SYNTAX,
                                     "no header; a line with the names of the columns is "
                                     "wanted");
    if (!s->status && s->all.figures.rows + s->all.figures.empty == 0)
        s->status = ridge__error_set(&s->err, RIDGE_NODATA,
                                     "no row has a measured time in \"%s\"",
                                     RIDGE__QUOTE(s->role[TRUTH]));
    if (!s->status)
        s->status = sort_groups(s, &s->err);
    if (s->status && err) {
        *err = s->err;
        snprintf(err->where, sizeof err->where, "%s", name ? name : "");
    }
    return s->status;
}

const ridge_score_group *ridge_score_at(const ridge_score *s, size_t index)
{
    return s->sorted && index < s->group_count ? &s->sorted[index]->figures : NULL;
}

size_t ridge__score_pairs(const ridge_score *s)
{
    return s->all.figures.rows;
}

void ridge__score_pair(const ridge_score *s, size_t i, double *measured, double *expected)
{
    *measured = s->all.sample[i].truth;
    *expected = s->all.sample[i].expected;
}

const char *ridge__score_truth(const ridge_score *s)
{
    return s->role[TRUTH];
}
