#include "cli.h"

#include <stdlib.h>
#include <string.h>

static const struct option solve[] = {
    {.name = "solve",
     .value = "KEY[,KEY...]",
     .help = "the parameter to solve for; several take one common value (m,n,k: a cube)",
     .example = NULL},
    {.name = "fraction",
     .value = "SHARE",
     .kind = OPTION_QUANTITY,
     .unit = RIDGE_UNIT_NONE,
     .help = "the attainable rate is to reach this share of the peak; without it the "
             "peak itself, at the ridge",
     .example = "--fraction 0.9"},
    {.name = "by",
     .value = "WHAT",
     .kind = OPTION_WORD,
     .fallback = "memory",
     .words = "memory link",
     .help = "FLOP against the bytes of memory, or against those that go over a link",
     .example = "--by memory"},
    {.name = "wire",
     .value = "OPERAND[,...]",
     .help = "with --by link: the operands that go over it, where the operation itself "
             "sends nothing",
     .example = "--by link --wire c"},
    {.name = "experts",
     .value = "N",
     .kind = OPTION_QUANTITY,
     .unit = RIDGE_UNIT_COUNT,
     .help = "the product is one of N experts: tell the tokens of the whole layer too",
     .example = "--experts 256 --topk 8"},
    {.name = "topk",
     .value = "N",
     .kind = OPTION_QUANTITY,
     .unit = RIDGE_UNIT_COUNT,
     .help = "with --experts: how many of them each token goes to",
     .example = "--experts 128 --topk 8"},
    {.name = NULL},
};

static const struct option *const tables[] = {solve, machine_options, output_options,
                                              NULL};

/* Cuts `keys` at its commas. */
static ridge_status split_keys(ridge_saturate *question, char *keys, ridge_error *err)
{
    for (char *p = keys; p;) {
        char *comma = strchr(p, ',');
        if (comma)
            *comma++ = '\0';
        if (!*p || question->key_count == RIDGE_SOLVE_MAX)
            return fail(err, RIDGE_INVALID, "--solve",
                        "one to %d parameters, separated by commas, are wanted",
                        RIDGE_SOLVE_MAX);
        question->key[question->key_count++] = p;
        p = comma;
    }
    return RIDGE_OK;
}

/* A count of at least one; unknown if it was not given. */
static ridge_status read_count(double *out, const struct run *run, const char *name,
                               const char *where, ridge_error *err)
{
    *out = args_number(&run->args, name);
    if (ridge_known(*out) && !(*out >= 1))
        return fail(err, RIDGE_INVALID, where, "at least one is wanted");
    return RIDGE_OK;
}

static ridge_status read_experts(ridge_saturation_result *result, const struct run *run,
                                 ridge_error *err)
{
    ridge_status status = read_count(&result->experts, run, "experts", "--experts", err);
    if (!status)
        status = read_count(&result->topk, run, "topk", "--topk", err);
    if (status)
        return status;
    if (ridge_known(result->experts) != ridge_known(result->topk))
        return fail(err, RIDGE_INVALID,
                    ridge_known(result->topk) ? "--topk" : "--experts",
                    "--experts and --topk belong together; give both");
    if (result->topk > result->experts)
        return fail(err, RIDGE_INVALID, "--topk",
                    "a token cannot go to more experts than there are; at most the "
                    "number of --experts wanted");
    return RIDGE_OK;
}

static ridge_status read_question(ridge_saturate *question, const struct run *run,
                                  const ridge_call *call, char *keys, ridge_error *err)
{
    double fraction = args_number(&run->args, "fraction");
    question->fraction = ridge_known(fraction) ? fraction : 1;
    if (!(question->fraction > 0 && question->fraction <= 1))
        return fail(err, RIDGE_INVALID, "--fraction",
                    "a share of the peak is above 0 and at most 1, as in 0.9");
    question->link = strcmp(args_text(run, "by"), "link") == 0;
    const char *wire = args_text(run, "wire");
    if (wire && !question->link)
        return fail(err, RIDGE_INVALID, "--wire",
                    "names what goes over a link; add --by link");
    ridge_status status = split_keys(question, keys, err);
    if (!status && wire) {
        status = ridge_saturate_wire(&question->wire, call, wire, err);
        fail_at(err, "--wire");
    }
    return status;
}

static ridge_status answer(struct run *run, const struct subject *subject,
                           const ridge_call *call, char *keys, ridge_error *err)
{
    ridge_saturate question = {0};
    ridge_saturation saturation;
    ridge_saturation_result result = {
        .machine = subject->machine, .question = &question, .saturation = &saturation};
    ridge_status status = read_question(&question, run, call, keys, err);
    if (!status)
        status = read_experts(&result, run, err);
    if (!status) {
        status =
            ridge_saturation_find(&saturation, subject->machine, call, &question, err);
        fail_at(err, "--solve");
    }
    if (!status)
        status = ridge_saturation_write(&result, &run->style, run->sink, err);
    return status;
}

static ridge_status run_saturate(struct run *run, ridge_error *err)
{
    struct subject subject = {0};
    ridge_call call;
    const char *given = args_text(run, "solve");
    char *keys = NULL;
    ridge_status status = args_expect(run, 1, SIZE_MAX, "an operation", err);
    if (!status && !given)
        status = fail(err, RIDGE_INVALID, "--solve",
                      "no parameter is named; as in: saturate gemm n=4096 k=4096 "
                      "dtype=bf16 --solve m --gpu h100-sxm");
    if (!status) {
        keys = given ? strdup(given) : NULL;
        if (!keys)
            status = fail(err, RIDGE_NOMEM, "saturate", "out of memory");
    }
    if (!status)
        status = call_read(&call, run, run->args.words, run->args.word_count, err);
    if (!status)
        status = subject_open(&subject, run, true, err);
    if (!status)
        status = answer(run, &subject, &call, keys, err);
    fail_at(err, "saturate");
    subject_close(&subject);
    free(keys);
    return status;
}

const struct command command_saturate = {
    .name = "saturate",
    .summary = "from which size on an operation can reach the peak, or why never",
    .task = "Estimate",
    .usage = "OP key=value... --solve KEY[,KEY...] [options]",
    .about =
        "Where the intensity F/D of the operation reaches the ridge P/B at stated rates: "
        "the real crossing, and the smallest whole size. The solved parameters are left "
        "out of the words; every other one stays as given. Several of them take one "
        "common value: m,n,k is a cube.\n"
        "\n"
        "An intensity that falls with the size gives the largest whole size; one that "
        "stays below the ridge at any size gives \"never\", its limit, and the bytes that "
        "hold it down. The count is exact, so that the answer is too: it says from where "
        "on the peak is possible, not that a kernel reaches it (see ridge kernel).\n"
        "\n"
        "--by link sets the FLOP against the bytes that leave the part, one way. Two GPUs "
        "that each multiply half of k and exchange their sums: --by link --wire c.",
    .tables = tables,
    .base = "gemm n=7168 k=4096 dtype=bf16 --solve m",
    .examples =
        (const struct example[]){
            {"saturate gemm dtype=bf16 --solve m,n,k --gpu h100-sxm",
             "the cube from which on a product is compute bound"},
            {"saturate gemm n=7168 k=4096 dtype=bf16 --solve m --experts 256 --topk 8 "
             "--gpu h100-sxm",
             "tokens that an expert, and the whole layer, needs"},
            {"saturate attention heads_q=32 head_dim=128 causal=1 dtype=bf16 --solve "
             "q_len --gpu h100-sxm",
             "the prompt length from which on attention is compute bound"},
            {"saturate relu rows=4096 dtype=fp32 --solve cols --gpu h100-sxm",
             "what never becomes compute bound, and why"},
            {"saturate gemm m=4096 n=4096 dtype=bf16 --solve k --by link --wire c --gpu "
             "h100-sxm",
             "k per GPU at which exchanging the sums of a split product is hidden"},
            {NULL, NULL},
        },
    .run = run_saturate,
};
