#include "cli.h"

#include <stdlib.h>
#include <string.h>

static const struct option own[] = {
    {.name = "strict",
     .kind = OPTION_FLAG,
     .help =
         "an atom that is borrowed from another architecture, or recalled, is an error",
     .example = "--strict"},
    {.name = "explain",
     .kind = OPTION_FLAG,
     .help = "how each figure was measured, its range, and where borrowed ones come from",
     .example = "--explain"},
    {.name = NULL},
};

static const struct option *const tables[] = {machine_options, own, output_options, NULL};

/* The words with a blank between: the shell may have cut "shfl + add" in three.  The
 * caller frees it. */
static char *join(const struct args *args)
{
    size_t size = 1;
    for (size_t i = 0; i < args->word_count; i++)
        size += strlen(args->words[i]) + 1;
    char *text = malloc(size), *at = text;
    for (size_t i = 0; text && i < args->word_count; i++) {
        size_t n = strlen(args->words[i]);
        if (i)
            *at++ = ' ';
        memcpy(at, args->words[i], n);
        at += n;
    }
    if (text)
        *at = '\0';
    return text;
}

static ridge_status check_strict(const ridge_latency *latency, ridge_error *err)
{
    for (size_t i = 0; i < latency->term_count; i++) {
        const ridge_latency_term *t = &latency->term[i];
        if (t->borrowed)
            return fail(err, RIDGE_NODATA, "--strict",
                        "%s is borrowed from %s; leave out --strict to see it with the "
                        "warning",
                        ridge_atom_name(t->item.atom), t->borrowed);
        if (t->confidence == 'R')
            return fail(err, RIDGE_NODATA, "--strict",
                        "%s is recalled, no document is at hand; leave out --strict to "
                        "see it with its confidence",
                        ridge_atom_name(t->item.atom));
    }
    return RIDGE_OK;
}

static ridge_status answer(struct run *run, const ridge_machine *machine,
                           const char *text, ridge_error *err)
{
    ridge_latency_chain chain;
    ridge_latency latency;
    ridge_status status = ridge_latency_parse(&chain, text, err);
    if (!status)
        status = ridge_latency_eval(&latency, machine, &chain, err);
    if (!status && args_has(&run->args, "strict"))
        status = check_strict(&latency, err);
    if (!status)
        status =
            ridge_latency_write(&latency, machine, text, &run->style, run->sink, err);
    return status;
}

static ridge_status run_latency(struct run *run, ridge_error *err)
{
    struct subject subject = {0};
    bool chain = run->args.word_count > 0;
    char *text = join(&run->args);
    ridge_status status = text ? RIDGE_OK : fail(err, RIDGE_NOMEM, "", "out of memory");
    if (!status && !chain && args_has(&run->args, "strict"))
        status = fail(err, RIDGE_INVALID, "--strict",
                      "judges an expression; without one the tables name what is "
                      "borrowed");
    if (!status)
        status = subject_open(&subject, run, true, err);
    if (!status)
        status = ridge_machine_load_latencies(subject.machine, err);
    if (!status && chain)
        status = answer(run, subject.machine, text, err);
    else if (!status)
        status = ridge_latency_tables_write(subject.machine, &run->style, run->sink, err);
    fail_at(err, "latency");
    subject_close(&subject);
    free(text);
    return status;
}

const struct command command_latency = {
    .name = "latency",
    .summary = "add up a serial chain, or list the latencies of a part",
    .task = "Estimate",
    .usage = "[EXPR] [options]",
    .about =
        "EXPR is a sum of atoms, each with an optional count: 5*(shfl+add), "
        "launch.cpu+100*syncthreads(256). In parentheses after an atom stands its "
        "argument: ways of smem.conflict, threads of syncthreads, operations of "
        "atomic.contended, bytes of memcpy.h2d and memcpy.d2h (64KiB). Quote it, as a "
        "shell reads * and ( itself.\n"
        "\n"
        "The atoms: fma add mufu shfl redux smem smem.conflict l1 l2.near l2.far dram "
        "dsmem syncwarp syncthreads cluster.sync grid.sync atomic.smem atomic.global "
        "atomic.contended fence.gpu fence.sys launch.cpu launch.sync launch.graph "
        "memcpy.h2d memcpy.d2h sync.stream sync.device nvlink.load pcie.read.\n"
        "\n"
        "Figures are those of the part's architecture; one that nobody measured there "
        "comes from the nearest that has it, with a warning. Without EXPR three tables "
        "are printed: on chip, off chip, system.",
    .tables = tables,
    .base = "shfl",
    .examples =
        (const struct example[]){
            {"latency '5*(shfl+add)' --gpu h100-sxm",
             "the sum of a warp by five shuffles and adds"},
            {"latency 'launch.sync + memcpy.d2h(4KiB)' --gpu b300-hgx --explain",
             "a launch that is waited for and a small result fetched"},
            {"latency --gpu a100-sxm-80", "every latency of one part, with its source"},
            {NULL, NULL},
        },
    .run = run_latency,
};
