#include "table/table.h"

#include <stdio.h>
#include <string.h>

enum {
    /* Read at a time: about 1000 rows, a millisecond of work, so that taking turns costs
     * nothing. */
    BLOCK_BYTES = 64 << 10,
    /* These work 1.4 GB/s off, near what one reader and one writer feed; and with rows of
     * RIDGE_LIMIT_ROW_BYTES each takes 2.9 MB: below 64 MB whatever the rows are. */
    THREADS_MAX = 16
};

/* Whole rows of the input, and what became of them. */
typedef struct block {
    char *data;
    size_t size, room;
    ridge__str out;
    uint64_t lines, rows, failed; /* done so far */
    ridge_error first;            /* of the failed rows; lines count from the block */
    ridge_status status;          /* what ends the table after these rows */
    ridge_error err;
} block;

typedef struct worker {
    ridge__predictor predictor;
    block block;
} worker;

typedef struct stream {
    ridge_allocator allocator;
    const char *name;
    ridge_sink sink;
    bool basis; /* its two columns too */
    worker *workers;
    /* Of the thread that takes a block. */
    ridge__input *input;
    char *carry; /* the rows that the last block did not take */
    size_t carry_size, carry_room;
    bool ended;
    /* Of the thread that puts one. */
    uint64_t lines;
    ridge_predict_summary summary;
    ridge_status status;
    ridge_error err;
} stream;

/* ---- Reading ----------------------------------------------------------------------- */

static bool reserve(const ridge_allocator *a, char **data, size_t used, size_t *room,
                    size_t need)
{
    if (need <= *room)
        return true;
    size_t more = *room ? *room : BLOCK_BYTES;
    while (more < need)
        more *= 2;
    char *larger = a->alloc(a->ctx, more);
    if (!larger)
        return false;
    if (used > 0)
        memcpy(larger, *data, used);
    if (*data)
        a->free(a->ctx, *data, *room);
    *data = larger;
    *room = more;
    return true;
}

/* Bytes up to the end of the last whole row. */
static size_t whole_rows(const char *data, size_t size)
{
    size_t cut = 0, span;
    if (memchr(data, '"', size)) {
        while ((span = ridge__csv_row_span(data + cut, size - cut)) > 0)
            cut += span;
        return cut;
    }
    for (cut = size; cut > 0 && data[cut - 1] != '\n';)
        cut--;
    return cut;
}

/* Reads until there is a whole row, the input ends, or a row is too long to be one. */
static ridge_status read_rows(stream *s, block *b, size_t *cut)
{
    ridge_status status = RIDGE_OK;
    *cut = 0;
    while (*cut == 0 && b->size <= RIDGE_LIMIT_ROW_BYTES) {
        size_t got;
        if (!reserve(&s->allocator, &b->data, b->size, &b->room, b->size + BLOCK_BYTES))
            return ridge__error_set(&b->err, RIDGE_NOMEM, "out of memory");
        status =
            ridge__input_read(s->input, b->data + b->size, BLOCK_BYTES, &got, &b->err);
        if (status || got == 0) {
            s->ended = true;
            break;
        }
        b->size += got;
        *cut = whole_rows(b->data, b->size);
    }
    /* What is left at the end is a row without a line end, or one that is too long. */
    if (*cut == 0 && !status)
        *cut = b->size;
    return status;
}

/* The next block; false if there is none. */
static bool take_block(stream *s, block *b)
{
    if (s->ended)
        return false;
    *b = (block){.data = b->data, .room = b->room, .out = b->out};
    ridge__str_reset(&b->out);
    size_t cut = 0;
    if (!reserve(&s->allocator, &b->data, 0, &b->room, s->carry_size)) {
        b->status = ridge__error_set(&b->err, RIDGE_NOMEM, "out of memory");
    } else {
        if (s->carry_size > 0)
            memcpy(b->data, s->carry, s->carry_size);
        b->size = s->carry_size;
        b->status = read_rows(s, b, &cut);
    }
    s->carry_size = b->size - cut;
    if (!reserve(&s->allocator, &s->carry, 0, &s->carry_room, s->carry_size))
        b->status = ridge__error_set(&b->err, RIDGE_NOMEM, "out of memory");
    else if (s->carry_size > 0)
        memcpy(s->carry, b->data + cut, s->carry_size);
    b->size = cut;
    s->ended = s->ended || b->status;
    return true;
}

/* ---- Rows -------------------------------------------------------------------------- */

typedef struct row_text {
    const char *data;
    size_t span, size; /* with and without its line end */
    bool open;         /* nothing ends it but the end of the input */
} row_text;

static row_text first_row(const char *data, size_t left)
{
    row_text row = {.data = data, .span = ridge__csv_row_span(data, left)};
    row.open = row.span == 0;
    if (row.open)
        row.span = left;
    row.size = ridge__csv_row_trim(data, row.span);
    return row;
}

static ridge_status check_row(const row_text *row, ridge_error *err)
{
    return ridge__table_check(row->data, row->span, row->open, err);
}

static ridge_status run_row(const stream *s, worker *w, const row_text *row)
{
    block *b = &w->block;
    ridge_status status = check_row(row, &b->err);
    if (status)
        return status;
    ridge__str_add(&b->out, row->data, row->size);
    if (!ridge__table_blank(row->data, row->size)) {
        ridge_estimate estimate;
        ridge_error *err = b->failed ? NULL : &b->first;
        status =
            ridge__predictor_row(&estimate, &w->predictor, row->data, row->size, err);
        if (status == RIDGE_NOMEM)
            return ridge__error_set(&b->err, status, "out of memory");
        if (status && err)
            ridge__table_place(err, s->name, b->lines + 1);
        b->rows++;
        b->failed += status != RIDGE_OK;
        /* The new cells stand under their header even where the row ends early. */
        ridge__str_fill(&b->out, ',', w->predictor.missing);
        ridge__prediction_cells(&b->out, status ? NULL : &estimate);
        if (s->basis)
            ridge__basis_cells(&b->out, status ? NULL : &estimate);
    }
    ridge__str_add(&b->out, row->data + row->size, row->span - row->size);
    b->lines += 1 + ridge__table_lines(row->data, row->size);
    return RIDGE_OK;
}

static void run_block(const stream *s, worker *w)
{
    block *b = &w->block;
    ridge_status status = RIDGE_OK;
    for (size_t at = 0; at < b->size && !status;) {
        const row_text row = first_row(b->data + at, b->size - at);
        status = run_row(s, w, &row);
        at += row.span;
    }
    if (!status && !ridge__str_ok(&b->out))
        status = ridge__error_set(&b->err, RIDGE_NOMEM, "out of memory");
    if (status) {
        b->status = status;
        ridge__table_place(&b->err, s->name, b->lines + 1);
    }
}

/* ---- Writing ----------------------------------------------------------------------- */

/* False if this block was the last. */
static bool write_block(stream *s, const block *b)
{
    ridge_predict_summary *sum = &s->summary;
    if (b->failed > 0 && sum->failed == 0) {
        sum->first = b->first;
        sum->first.line += s->lines;
    }
    sum->rows += b->rows;
    sum->failed += b->failed;
    s->err = b->err;
    s->err.line += s->err.line > 0 ? s->lines : 0;
    s->status = ridge__str_send(&b->out, s->sink, &s->err);
    if (!s->status)
        s->status = b->status;
    s->lines += b->lines;
    return !s->status;
}

static bool take(void *ctx, unsigned index)
{
    stream *s = ctx;
    return take_block(s, &s->workers[index].block);
}

static void work(void *ctx, unsigned index)
{
    stream *s = ctx;
    run_block(s, &s->workers[index]);
}

static bool put(void *ctx, unsigned index)
{
    stream *s = ctx;
    return write_block(s, &s->workers[index].block);
}

/* ---- Header ------------------------------------------------------------------------ */

/* The first row of `size` bytes, without its line end. */
static ridge_status read_header(ridge__columns *columns, ridge__arena *arena,
                                const ridge_predict_options *options, const char *data,
                                size_t size, ridge_error *err)
{
    size_t skip = ridge__table_mark(data, size);
    ridge__csv_row *row = NULL;
    ridge_status status = ridge__csv_row_new(&row, &arena->allocator, err);
    if (!status)
        status = ridge__csv_row_parse(row, data + skip, size - skip, err);
    if (!status)
        status = ridge__columns_read(columns, row, options, arena, err);
    ridge__csv_row_free(row);
    return status;
}

/* Takes the first block for its header; the rows that follow stay in it. */
static ridge_status take_header(stream *s, ridge__columns *columns, ridge__arena *arena,
                                const ridge_predict_options *options)
{
    block *b = &s->workers[0].block;
    take_block(s, b);
    if (b->size == 0 && b->status)
        return b->status;
    const row_text row = first_row(b->data, b->size);
    ridge_status status = check_row(&row, &b->err);
    if (!status)
        status = read_header(columns, arena, options, row.data, row.size, &b->err);
    if (status) {
        ridge__table_place(&b->err, s->name, 1);
        return status;
    }
    ridge__str_add(&b->out, row.data, row.size);
    ridge__str_text(&b->out, ridge__prediction_header);
    if (s->basis)
        ridge__str_text(&b->out, ridge__basis_header);
    ridge__str_add(&b->out, row.data + row.size, row.span - row.size);
    b->lines = 1 + ridge__table_lines(row.data, row.size);
    b->size -= row.span;
    memmove(b->data, b->data + row.span, b->size);
    return RIDGE_OK;
}

/* ---- All of it --------------------------------------------------------------------- */

static ridge_status stream_init(stream *s, unsigned threads, ridge__arena *arena,
                                const ridge_allocator *alloc)
{
    s->workers = ridge__arena_alloc(arena, threads * sizeof *s->workers);
    if (!s->workers)
        return ridge__error_set(&s->err, RIDGE_NOMEM, "out of memory");
    for (unsigned i = 0; i < threads; i++)
        ridge__str_init(&s->workers[i].block.out, 0, alloc);
    return RIDGE_OK;
}

static void stream_clear(stream *s, unsigned threads)
{
    const ridge_allocator *a = &s->allocator;
    for (unsigned i = 0; s->workers && i < threads; i++) {
        worker *w = &s->workers[i];
        ridge__csv_row_free(w->predictor.row);
        ridge__str_clear(&w->block.out);
        if (w->block.data)
            a->free(a->ctx, w->block.data, w->block.room);
    }
    if (s->carry)
        a->free(a->ctx, s->carry, s->carry_room);
}

/* Everything after the header. */
static ridge_status run(stream *s, unsigned threads, const ridge__predictor *predictor)
{
    for (unsigned i = 0; i < threads; i++) {
        ridge__predictor *p = &s->workers[i].predictor;
        *p = *predictor;
        ridge_status status = ridge__csv_row_new(&p->row, &s->allocator, &s->err);
        if (status)
            return status;
    }
    block *first = &s->workers[0].block;
    bool small = first->size + s->carry_size < BLOCK_BYTES / 2;
    run_block(s, &s->workers[0]);
    if (write_block(s, first)) {
        const ridge__pipeline pipeline = {take, work, put, s};
        ridge__pipeline_run(&pipeline, small ? 1 : threads);
    }
    return s->status;
}

ridge_status ridge__predict_stream(ridge__input *input,
                                   const ridge_predict_options *options,
                                   const ridge_allocator *alloc, ridge_sink sink,
                                   ridge_predict_summary *summary, ridge_error *err)
{
    ridge_status status = RIDGE_OK;
    unsigned threads = options->threads ? options->threads : ridge__pool_cores();
    if (threads > THREADS_MAX)
        threads = THREADS_MAX;
    ridge__arena arena;
    ridge__machines machines;
    ridge__columns columns;
    stream s = {.allocator = ridge__allocator(alloc),
                .name = ridge__input_name(input),
                .input = input,
                .sink = sink,
                .basis = options->basis};
    ridge__arena_init(&arena, alloc);
    ridge__machines_init(&machines, options, alloc);
    RIDGE__TRY(stream_init(&s, threads, &arena, alloc));
    status = take_header(&s, &columns, &arena, options);
    if (status) {
        s.err = s.workers[0].block.err;
        goto out;
    }
    const ridge__predictor predictor = {
        .options = options, .columns = &columns, .machines = &machines};
    RIDGE__TRY(run(&s, threads, &predictor));
    for (unsigned i = 0; i < threads; i++) {
        s.summary.unknown_backend += s.workers[i].predictor.unknown_backend;
        s.summary.unknown_timing += s.workers[i].predictor.unknown_timing;
        s.summary.assumed_system += s.workers[i].predictor.assumed_system;
    }
    if (summary)
        *summary = s.summary;
out:
    if (status && err)
        *err = s.err;
    stream_clear(&s, threads);
    ridge__machines_clear(&machines);
    ridge__arena_clear(&arena);
    return status;
}

ridge_status ridge_predict_run(const char *path, const ridge_predict_options *options,
                               ridge_sink sink, ridge_predict_summary *summary,
                               ridge_error *err)
{
    ridge__input *input = NULL;
    if (!options->op)
        return ridge__error_set(err, RIDGE_INVALID,
                                "no op is given; an op or a family of ops is wanted");
    if (!ridge__op_is_family(options->op) && !ridge_op_find(options->op)) {
        ridge_call none; /* its error names the nearest ops */
        return ridge_call_init(&none, options->op, err);
    }
    ridge_status status = ridge__input_open(&input, path, err);
    if (!status)
        status = ridge__predict_stream(input, options, NULL, sink, summary, err);
    ridge__input_close(input);
    return status;
}
