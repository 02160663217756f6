#include "cli.h"

static const struct option *const tables[] = {output_options, NULL};

static ridge_status run_ops(struct run *run, ridge_error *err)
{
    ridge_status status = args_expect(run, 0, 0, "", err);
    return status ? status : ridge_op_write(NULL, &run->style, run->sink, err);
}

static ridge_status run_op(struct run *run, ridge_error *err)
{
    ridge_status status = args_expect(run, 1, 1, "the name of an operation", err);
    if (status)
        return status;
    /* The one place that words the error for an unknown operation is the call. */
    ridge_call call;
    status = ridge_call_init(&call, run->args.words[0], err);
    if (status) {
        fail_at(err, "op");
        return status;
    }
    return ridge_op_write(call.op, &run->style, run->sink, err);
}

const struct command command_ops = {
    .name = "ops",
    .summary = "list the operations that can be estimated",
    .task = "Look things up",
    .usage = "[options]",
    .tables = tables,
    .base = "",
    .examples =
        (const struct example[]){
            {"ops", "every operation with its family and a line on what it does"},
            {"ops --json", "the same for a script"},
            {NULL, NULL},
        },
    .run = run_ops,
};

const struct command command_op = {
    .name = "op",
    .summary = "show one operation: parameters, formulas, how its intensity grows",
    .task = "Look things up",
    .usage = "NAME [options]",
    .tables = tables,
    .base = "gemm",
    .examples =
        (const struct example[]){
            {"op gemm", "parameters, FLOP and byte formulas of a matrix product"},
            {"op rmsnorm --json", "the same of a norm, for a script"},
            {NULL, NULL},
        },
    .run = run_op,
};
