#include "cli.h"

static const struct option gates[] = {
    {.name = "time",
     .value = "T[,T...]",
     .kind = OPTION_QUANTITY,
     .unit = RIDGE_UNIT_S,
     .many = true,
     .help = "measured times: algbw and busbw of the median, and its share of what is "
             "reachable",
     .example = "--time 400us --time 420us,410us"},
    {.name = "before",
     .value = "T",
     .kind = OPTION_QUANTITY,
     .unit = RIDGE_UNIT_S,
     .help = "the time before a change: did the time fall",
     .example = "--time 400us --before 420us"},
    {.name = "within",
     .value = "T",
     .kind = OPTION_QUANTITY,
     .unit = RIDGE_UNIT_S,
     .help =
         "a time to keep: exit status 1 where the expected time is longer; what would "
         "fit is said",
     .example = "--within 1s"},
    {.name = NULL},
};

static const struct option *const tables[] = {
    machine_options, way_options, question_options, gates, output_options,
    detail_options,  NULL};

/* Only what crosses links, in a time that can be kept; a kernel alone is the other
 * command's. */
static ridge_status check(const struct run *run, ridge_error *err)
{
    double within = args_number(&run->args, "within");
    if (ridge_known(within) && !(within > 0))
        return fail(err, RIDGE_INVALID, "--within", "a time to keep is above zero");
    const ridge_op *op = ridge_op_find(run->args.words[0]);
    if (op && !ridge_op_communicates(op))
        return fail(err, RIDGE_INVALID, run->args.words[0],
                    "crosses no link; ridge kernel estimates it, and ridge ops lists "
                    "collectives");
    return RIDGE_OK;
}

static ridge_status answer(struct run *run, const ridge_machine *machine,
                           const ridge_call *call, const double *times, size_t count,
                           ridge_error *err)
{
    double within = args_number(&run->args, "within");
    ridge_estimate estimate;
    ridge_exchange exchange;
    ridge_measurement measurement;
    ridge_gate gate;
    ridge_result result = {
        .machine = machine, .call = call, .estimate = &estimate, .exchange = &exchange};
    ridge_status status = call_estimate(&estimate, run, machine, call, err);
    if (!status)
        status = ridge_exchange_find(&exchange, &estimate, machine, call, err);
    if (!status && count > 0) {
        status = ridge_measurement_place(&measurement, &estimate, machine, times, count,
                                         args_number(&run->args, "before"), err);
        result.measurement = &measurement;
    }
    if (!status && ridge_known(within)) {
        status = ridge_gate_find(&gate, machine, call, within, err);
        result.gate = &gate;
    }
    if (status)
        return status;
    if (result.measurement)
        run->wrong = measurement.warnings & ridge_warning_mask(RIDGE_WRONG);
    if (result.gate && !gate.met)
        run->wrong = true;
    return ridge_result_write(&result, &run->style, run->sink, err);
}

static ridge_status run_comm(struct run *run, ridge_error *err)
{
    static const struct question question = {"comm", check, answer};
    return question_run(run, &question, err);
}

const struct command command_comm = {
    .name = "comm",
    .summary = "estimate a transfer or a collective over links",
    .task = "Estimate",
    .usage = "OP key=value... [options]",
    .about =
        "OP is all_reduce, all_gather, reduce_scatter, alltoall, broadcast, reduce, "
        "gather, scatter, send_recv, weight_sync, or an exchange of experts; see ridge op "
        "NAME for its parameters. bytes is the whole buffer as nccl-tests counts size, "
        "bytes_per_rank what the call's count says: both are printed.\n"
        "\n"
        "The machine is a --system, or a --gpu in its ordinary node. Rates of links are "
        "one direction, of one part. algbw is bytes / time; busbw is algbw times "
        "nccl-tests' factor, which makes it comparable to a ring's links and is no speed "
        "of a wire where a switch or a tree adds. Expected is the fastest library measured: "
        "of small all-reduces a one-shot kernel; --backend nccl is what nccl-tests times.\n"
        "\n"
        "One link: send_recv, with over=inside|network|pcie, chunks and stages for "
        "pipelines, step for double buffering, senders into one receiver, and messages. "
        "With --within the exit status is 1 where the time is not kept.",
    .tables = tables,
    .base = "all_reduce bytes=64MiB ranks=8",
    .examples =
        (const struct example[]){
            {"comm all_reduce bytes=64MiB ranks=8 dtype=bf16 --system hgx-h100",
             "time, algorithm, algbw and busbw of an all-reduce in one node"},
            {"comm all_reduce bytes=16KiB ranks=8 --system hgx-h100 --backend nccl "
             "--time 17us",
             "whether a small one is as fast as NCCL's"},
            {"comm weight_sync bytes=100MB replicas=3 --system hgx-b200 --within 1ms",
             "whether three copies of an expert's weights fit in a layer's time"},
            {"comm send_recv bytes=100MB over=network --gpu h100-sxm --explain",
             "one link, with every formula"},
            {NULL, NULL},
        },
    .run = run_comm,
};
