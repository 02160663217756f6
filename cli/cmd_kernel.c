#include "cli.h"

static const struct option measured[] = {
    {.name = "time",
     .value = "T[,T...]",
     .kind = OPTION_QUANTITY,
     .unit = RIDGE_UNIT_S,
     .many = true,
     .help = "measured times of the kernel: the median is placed against the roof",
     .example = "--time 1.9ms --time 2ms,2.1ms"},
    {.name = "before",
     .value = "T",
     .kind = OPTION_QUANTITY,
     .unit = RIDGE_UNIT_S,
     .help = "the time before a change: did the time fall, or only the rate rise",
     .example = "--time 2ms --before 3ms"},
    {.name = NULL},
};

static const struct option *const tables[] = {
    machine_options, way_options, question_options, measured, output_options,
    detail_options,  NULL};

/* Estimate, place the times, and write the result. */
static ridge_status answer(struct run *run, const ridge_machine *machine,
                           const ridge_call *call, const double *times, size_t count,
                           ridge_error *err)
{
    ridge_estimate estimate;
    ridge_measurement measurement;
    ridge_sensitivity sensitivity;
    ridge_result result = {.machine = machine, .call = call, .estimate = &estimate};
    ridge_status status = call_estimate(&estimate, run, machine, call, err);
    if (status)
        return status;
    if (count > 0) {
        status = ridge_measurement_place(&measurement, &estimate, machine, times, count,
                                         args_number(&run->args, "before"), err);
        if (status)
            return status;
        result.measurement = &measurement;
        run->wrong = measurement.warnings & ridge_warning_mask(RIDGE_WRONG);
    }
    if (!ridge_sensitivity_find(&sensitivity, machine, call, NULL))
        result.sensitivity = &sensitivity;
    return ridge_result_write(&result, &run->style, run->sink, err);
}

static ridge_status run_kernel(struct run *run, ridge_error *err)
{
    static const struct question question = {"kernel", NULL, answer};
    return question_run(run, &question, err);
}

const struct command command_kernel = {
    .name = "kernel",
    .summary = "estimate one kernel, and place a measured time against it",
    .task = "Estimate",
    .usage = "OP key=value... [options]",
    .about =
        "OP is an operation of ridge ops; its parameters are key=value words (see ridge op "
        "NAME for names, units and defaults). Quantities take units: 100MB, 64MiB, 2ms.\n"
        "\n"
        "The floor is the largest of compute, memory and communication time at stated "
        "rates: no run can beat it. Expected is what a well-tuned library needs, with its "
        "central 80 %. With --time the exit status is 1 if the time is below every floor.",
    .tables = tables,
    .base = "gemm m=4096 n=4096 k=4096 dtype=bf16",
    .examples =
        (const struct example[]){
            {"kernel gemm m=4096 n=4096 k=4096 dtype=bf16 --gpu h100-sxm",
             "floor, expected time and bound of a matrix product"},
            {"kernel custom flop=10GFLOP bytes=1GB --gpu example --time 2ms",
             "how far a measured 2 ms is from the roof"},
            {"kernel rmsnorm rows=4096 cols=8192 dtype=bf16 --gpu h100-sxm --explain",
             "a norm, with every formula and source"},
            {NULL, NULL},
        },
    .run = run_kernel,
};
