/* Nodes and racks, and the links that join their parts. */
#include "cli.h"

#include <stdlib.h>

static const struct option *const tables[] = {catalog_options, output_options, NULL};

enum {
    IDS_MOST = 16
};

static ridge_status open_catalog(ridge_catalog **out, const struct run *run,
                                 ridge_error *err)
{
    ridge_status status = ridge_catalog_open(out, args_text(run, "catalog"), NULL, err);
    if (status)
        fail_at(err, "--catalog");
    return status;
}

/* ---- systems, system --------------------------------------------------------------- */

static ridge_status run_systems(struct run *run, ridge_error *err)
{
    ridge_catalog *catalog = NULL;
    ridge_status status = open_catalog(&catalog, run, err);
    if (!status)
        status = ridge_systems_write(catalog, run->args.words, run->args.word_count,
                                     &run->style, run->sink, err);
    ridge_catalog_free(catalog);
    return status;
}

static const struct example systems_examples[] = {
    {"systems hopper", "nodes of one architecture"},
    {"systems --csv", "every system, one row each"},
    {NULL, NULL},
};

const struct command command_systems = {
    .name = "systems",
    .summary = "list nodes and racks",
    .task = "Look things up",
    .usage = "[WORD...]",
    .about = "Lists the systems whose id, name, GPU, architecture, vendor or links have "
             "every WORD.\n\n"
             "Link and network rates are of one GPU in one direction: half of the total "
             "that data sheets print.",
    .tables = tables,
    .base = "",
    .examples = systems_examples,
    .run = run_systems,
};

static ridge_status run_system(struct run *run, ridge_error *err)
{
    const struct args *args = &run->args;
    ridge_catalog *catalog = NULL;
    const ridge_system *systems[IDS_MOST];
    ridge_status status = args_expect(run, 1, IDS_MOST, "the id of a system", err);
    if (!status)
        status = open_catalog(&catalog, run, err);
    for (size_t i = 0; i < args->word_count && !status; i++) {
        status = ridge_catalog_load_system(&systems[i], catalog, args->words[i], err);
        if (status)
            fail_at(err, run->command->name);
    }
    if (!status)
        status =
            ridge_system_write(systems, args->word_count, &run->style, run->sink, err);
    ridge_catalog_free(catalog);
    return status;
}

static const struct example system_examples[] = {
    {"system hgx-h100", "one node, with what its parts add up to"},
    {"system gb200-nvl72 gb200-nvl4 hgx-b200", "three systems side by side"},
    {NULL, NULL},
};

const struct command command_system = {
    .name = "system",
    .summary = "show one node or rack in full, or compare several",
    .task = "Look things up",
    .usage = "ID|FILE...",
    .about = "Shows the GPUs of a node, how they reach each other and other nodes, "
             "adapters, CPU, host memory and power, and what the GPUs add up to: peaks, "
             "memory, links, beside the totals of the datasheet.\n\n"
             "Several systems are shown side by side.",
    .tables = tables,
    .base = "hgx-h100",
    .examples = system_examples,
    .run = run_system,
};

/* ---- links, link ------------------------------------------------------------------- */

static ridge_status run_links(struct run *run, ridge_error *err)
{
    ridge_catalog *catalog = NULL;
    ridge_status status = open_catalog(&catalog, run, err);
    if (!status)
        status = ridge_links_write(catalog, run->args.words, run->args.word_count,
                                   &run->style, run->sink, err);
    ridge_catalog_free(catalog);
    return status;
}

static const struct example links_examples[] = {
    {"links", "what each link carries, one way and both ways"},
    {"links nvlink --csv", "a table of some, with what each is used for"},
    {NULL, NULL},
};

const struct command command_links = {
    .name = "links",
    .summary = "list the links between parts and between nodes",
    .task = "Look things up",
    .usage = "[WORD...]",
    .about = "Lists NVLink, PCIe, InfiniBand and the rest: the rate of one direction, "
             "the sum of both (as data sheets print it), what is reached, the latency "
             "and the path. With words, those that have every WORD.\n\n"
             "Every estimate uses one direction.",
    .tables = tables,
    .base = "",
    .examples = links_examples,
    .run = run_links,
};

static ridge_status run_link(struct run *run, ridge_error *err)
{
    const struct args *args = &run->args;
    ridge_catalog *catalog = NULL;
    const ridge_link *links[IDS_MOST];
    ridge_status status = args_expect(run, 1, IDS_MOST, "the id of a link", err);
    if (!status)
        status = open_catalog(&catalog, run, err);
    for (size_t i = 0; i < args->word_count && !status; i++) {
        status = ridge_catalog_load_link(&links[i], catalog, args->words[i], err);
        if (status)
            fail_at(err, run->command->name);
    }
    if (!status)
        status = ridge_link_write(links, args->word_count, &run->style, run->sink, err);
    ridge_catalog_free(catalog);
    return status;
}

static const struct example link_examples[] = {
    {"link nvlink5", "one link, each figure with its source"},
    {"link ib-ndr roce-400", "one after the other"},
    {NULL, NULL},
};

const struct command command_link = {
    .name = "link",
    .summary = "show links in full",
    .task = "Look things up",
    .usage = "ID|FILE...",
    .about = "Shows who has the link, its path and use, the rate of one direction, what "
             "was achieved and its share, each latency with what it is the latency of.",
    .tables = tables,
    .base = "nvlink5",
    .examples = link_examples,
    .run = run_link,
};
