#include "cli.h"

#include <stdlib.h>

static const struct option *const tables[] = {catalog_options, output_options, NULL};

static ridge_status run_gpus(struct run *run, ridge_error *err)
{
    ridge_catalog *catalog = NULL;
    ridge_status status =
        ridge_catalog_open(&catalog, args_text(run, "catalog"), NULL, err);
    if (status)
        fail_at(err, "--catalog");
    if (!status)
        status = ridge_catalog_write(catalog, run->args.words, run->args.word_count,
                                     &run->style, run->sink, err);
    ridge_catalog_free(catalog);
    return status;
}

static const struct example gpus_examples[] = {
    {"gpus hopper", "the parts of one architecture"},
    {"gpus nvidia --csv", "every figure of every NVIDIA part, one row a part"},
    {NULL, NULL},
};

const struct command command_gpus = {
    .name = "gpus",
    .summary = "list the parts of the catalogue",
    .task = "Look things up",
    .usage = "[WORD...]",
    .about = "Lists the parts whose id, name, vendor or architecture has every WORD.\n\n"
             "Peaks are dense, of the fastest pipe for the dtype; DRAM is the bandwidth "
             "that the roof uses; ridge is the bf16 ridge point in FLOP/byte.",
    .tables = tables,
    .base = "",
    .examples = gpus_examples,
    .run = run_gpus,
};

static ridge_status run_gpu(struct run *run, ridge_error *err)
{
    const struct args *args = &run->args;
    ridge_catalog *catalog = NULL;
    const ridge_device **devices = NULL;
    ridge_status status = args_expect(run, 1, 16, "the id of a part", err);
    if (status)
        return status;
    devices = calloc(args->word_count, sizeof *devices);
    if (!devices)
        return fail(err, RIDGE_NOMEM, "", "out of memory");
    status = ridge_catalog_open(&catalog, args_text(run, "catalog"), NULL, err);
    if (status)
        fail_at(err, "--catalog");
    for (size_t i = 0; i < args->word_count && !status; i++) {
        status = ridge_catalog_load(&devices[i], catalog, args->words[i], err);
        if (status)
            fail_at(err, run->command->name);
    }
    if (!status)
        status =
            ridge_device_write(devices, args->word_count, &run->style, run->sink, err);
    free(devices);
    ridge_catalog_free(catalog);
    return status;
}

static const struct example gpu_examples[] = {
    {"gpu h100-sxm", "every figure of one part, each with its source"},
    {"gpu h100-sxm h200-sxm b200-hgx", "three parts side by side, with ratios"},
    {NULL, NULL},
};

const struct command command_gpu = {
    .name = "gpu",
    .summary = "show one part in full, or compare several",
    .task = "Look things up",
    .usage = "ID|FILE...",
    .about = "Shows every peak (dense; sparse apart) with its clock and ridge point, the "
             "memory levels, links and limits. Each figure has its confidence and "
             "source.\n\n"
             "Several parts are shown side by side, with the ratio to the first.",
    .tables = tables,
    .base = "h100-sxm",
    .examples = gpu_examples,
    .run = run_gpu,
};
