#include "cli.h"

#include <stdlib.h>
#include <string.h>

static const struct option *const tables[] = {machine_options, way_options,
                                              question_options, output_options, NULL};

enum {
    OP_WORDS = 32 /* words of one operation */
};

/* The operations of the command line; each has a copy of its words, which it borrows. */
struct chain {
    char *text[RIDGE_FUSE_MAX];
    ridge_call call[RIDGE_FUSE_MAX];
    size_t count;
};

static void chain_free(struct chain *chain)
{
    for (size_t i = 0; i < chain->count; i++)
        free(chain->text[i]);
    chain->count = 0;
}

static ridge_status read_op(struct chain *chain, const struct run *run, const char *text,
                            ridge_error *err)
{
    const char *words[OP_WORDS];
    char *copy = strdup(text);
    if (!copy)
        return fail(err, RIDGE_NOMEM, "fuse", "out of memory");
    size_t at = chain->count++;
    chain->text[at] = copy;
    size_t count = words_split(copy, words, OP_WORDS);
    if (count == 0)
        return fail(err, RIDGE_INVALID, "fuse",
                    "an operation wanted, as in 'add rows=4096 cols=4096 dtype=bf16'");
    if (count > OP_WORDS)
        return fail(err, RIDGE_LIMIT, words[0], "more than %d words", (int)OP_WORDS);
    return call_parse(&chain->call[at], run, words, count, err);
}

static ridge_status read_chain(struct chain *chain, const struct run *run,
                               ridge_error *err)
{
    ridge_status status = RIDGE_OK;
    if (run->args.word_count > RIDGE_FUSE_MAX)
        return fail(err, RIDGE_LIMIT, "fuse", "at most %d operations are taken",
                    RIDGE_FUSE_MAX);
    for (size_t i = 0; i < run->args.word_count; i++) {
        const char *text = run->args.words[i];
        text += strspn(text, " \t");
        /* The shell has cut what was meant to be one: add n=1 without quotes. */
        if (memchr(text, '=', strcspn(text, " \t")))
            return fail(err, RIDGE_INVALID, text,
                        "is no operation; quote each one with its words: 'add rows=4096 "
                        "cols=4096 dtype=bf16' 'relu ...'");
    }
    for (size_t i = 0; i < run->args.word_count && !status; i++)
        status = read_op(chain, run, run->args.words[i], err);
    return status;
}

static ridge_status answer(struct run *run, const ridge_machine *machine,
                           const struct chain *chain, ridge_error *err)
{
    ridge_fusion *fusion = malloc(sizeof *fusion); /* tens of kilobytes */
    ridge_estimate estimate;
    ridge_status status = RIDGE_OK;
    if (!fusion)
        return fail(err, RIDGE_NOMEM, "fuse", "out of memory");
    for (size_t i = 0; i < chain->count && !status; i++) { /* under the options */
        status = call_estimate(&estimate, run, machine, &chain->call[i], err);
        fail_at(err, chain->text[i]);
    }
    if (!status)
        status = ridge_fusion_find(fusion, machine, chain->call, chain->count, err);
    if (!status)
        status = warnings_check(run, fusion->warnings, err);
    if (!status) {
        run->wrong = !fusion->possible;
        status = ridge_fusion_write(fusion, machine, &run->style, run->sink, err);
    }
    free(fusion);
    return status;
}

static ridge_status run_fuse(struct run *run, ridge_error *err)
{
    struct subject subject = {0};
    struct chain chain = {.count = 0};
    ridge_status status =
        args_expect(run, 1, SIZE_MAX, "an operation, quoted with its words", err);
    if (!status)
        status = read_chain(&chain, run, err);
    if (!status)
        status = subject_open(&subject, run, true, err);
    if (!status)
        status = answer(run, subject.machine, &chain, err);
    fail_at(err, "fuse");
    subject_close(&subject);
    chain_free(&chain);
    return status;
}

const struct command command_fuse = {
    .name = "fuse",
    .summary = "several operations as one kernel: what stays on chip, what is won",
    .task = "Estimate",
    .usage = "'OP key=value...' 'OP key=value...' ... [options]",
    .about =
        "Each operation is one quoted argument, in the order in which they run. The result "
        "of each is an input of the next: the first one of as many elements of the same "
        "width. What passes between them is neither written nor read back, and one kernel "
        "is launched.\n"
        "\n"
        "An element passes in a register; an operation that goes through a row twice "
        "(norms, softmax) needs the row in shared memory; the sums of a product pass a "
        "tile at a time. Where that does not fit, or all must be there first, the answer "
        "is no, with the reason and exit status 1.\n"
        "\n"
        "The floor of the one kernel is never above the sum of theirs. Its expected time "
        "is put together from the fitted parts; nobody measured it, so that its interval "
        "is wider.",
    .tables = tables,
    .base = "'add n=1e8 dtype=bf16' 'relu n=1e8 dtype=bf16'",
    .examples =
        (const struct example[]){
            {"fuse 'add n=1e8 dtype=bf16' 'relu n=1e8 dtype=bf16' --gpu h100-sxm",
             "an addition and its activation: ten bytes per element become six"},
            {"fuse 'silu_mul rows=8192 cols=14336 dtype=bf16' 'quant_token_fp8 rows=8192 "
             "cols=14336 dtype=bf16' --gpu h100-sxm",
             "the middle of a gated MLP, quantised for the next product"},
            {"fuse 'gemm m=8192 n=4096 k=4096 dtype=bf16' 'gelu rows=8192 cols=4096 "
             "dtype=bf16' --gpu h100-sxm --json",
             "an activation in the epilogue of a product, for a script"},
            {NULL, NULL},
        },
    .run = run_fuse,
};
