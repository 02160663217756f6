/*
 * The profiler command that would check an estimate: time, bytes, the pipe and the FLOP.
 *
 * Metric names are those that the vendors' tools list (ncu --query-metrics, rocprofv3
 * --list-avail) as their documentation and forums show them; none was run from here.
 * sm__throughput is left out on purpose: it is the busiest of all sub-units, so that a
 * kernel bound by shared memory shows 100 % too.
 */
#include "machine/machine.h"
#include "op/op.h"
#include "report/page.h"

/* ---- NVIDIA: ncu and nsys ---------------------------------------------------------- */

/* Instructions of a pipe, as a share of what it can issue; %s: how the part names it. */
#define PIPE(name) "sm__inst_executed_pipe_" name ".avg.pct_of_peak_sustained_active"
#define TENSOR     PIPE("tensor_op_%s")
#define SUBPIPE    PIPE("tensor_subpipe_%s")
#define BUSY       "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active"

/* Counters of FLOP by pipe and dtype, and the tensor pipe's part that executes it. */
static const struct {
    ridge_pipe pipe;
    ridge_dtype dtype;
    const char *unit; /* of the tensor pipe; of a vector row: its share metric */
    const char *nvidia, *amd;
} counters[] = {
    {RIDGE_MATRIX, RIDGE_BF16, "hmma", "sm__ops_path_tensor_src_bf16_dst_fp32.sum",
     "SQ_INSTS_VALU_MFMA_MOPS_BF16"},
    {RIDGE_MATRIX, RIDGE_FP16, "hmma", "sm__ops_path_tensor_src_fp16_dst_fp32.sum",
     "SQ_INSTS_VALU_MFMA_MOPS_F16"},
    {RIDGE_MATRIX, RIDGE_TF32, "hmma", "sm__ops_path_tensor_src_tf32_dst_fp32.sum",
     "SQ_INSTS_VALU_MFMA_MOPS_F32"},
    {RIDGE_MATRIX, RIDGE_FP8, "hmma", "sm__ops_path_tensor_src_fp8.sum",
     "SQ_INSTS_VALU_MFMA_MOPS_F8"},
    {RIDGE_MATRIX, RIDGE_FP6, "hmma", "sm__ops_path_tensor_src_fp4_fp6_fp8_dst_fp32.sum",
     "SQ_INSTS_VALU_MFMA_MOPS_F6F4"},
    {RIDGE_MATRIX, RIDGE_NVFP4, "hmma", "sm__ops_path_tensor_src_fp4_dst_fp32.sum",
     "SQ_INSTS_VALU_MFMA_MOPS_F6F4"},
    {RIDGE_MATRIX, RIDGE_INT8, "imma", "sm__ops_path_tensor_src_int8.sum",
     "SQ_INSTS_VALU_MFMA_MOPS_I8"},
    {RIDGE_MATRIX, RIDGE_FP64, "dmma", "sm__ops_path_tensor_src_fp64.sum",
     "SQ_INSTS_VALU_MFMA_MOPS_F64"},
    {RIDGE_VECTOR, RIDGE_FP64, PIPE("fp64"),
     "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum,"
     "smsp__sass_thread_inst_executed_op_dadd_pred_on.sum,"
     "smsp__sass_thread_inst_executed_op_dmul_pred_on.sum",
     "SQ_INSTS_VALU_FMA_F64 SQ_INSTS_VALU_ADD_F64 SQ_INSTS_VALU_MUL_F64"},
    {RIDGE_VECTOR, RIDGE_FP16, PIPE("fma"),
     "smsp__sass_thread_inst_executed_op_hfma_pred_on.sum,"
     "smsp__sass_thread_inst_executed_op_hadd_pred_on.sum,"
     "smsp__sass_thread_inst_executed_op_hmul_pred_on.sum",
     "SQ_INSTS_VALU_FMA_F16 SQ_INSTS_VALU_ADD_F16 SQ_INSTS_VALU_MUL_F16"},
    {RIDGE_VECTOR, RIDGE_FP32, PIPE("fma"),
     "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum,"
     "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum,"
     "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum",
     "SQ_INSTS_VALU_FMA_F32 SQ_INSTS_VALU_ADD_F32 SQ_INSTS_VALU_MUL_F32"},
};

static size_t find_counter(const ridge_estimate *e)
{
    for (size_t i = 0; i < RIDGE__COUNT(counters); i++)
        if (counters[i].pipe == e->pipe && counters[i].dtype == e->work.dtype)
            return i;
    /* Vector work in other dtypes is computed in fp32, which is the last row; a matrix
     * dtype without a row of its own does not exist. */
    return RIDGE__COUNT(counters) - 1;
}

/* "blackwell" is blackwell-rtx too. */
static bool on_arch(const ridge_result *result, const char *family)
{
    const ridge_device *device = result->machine->device;
    return device && device->arch && strncmp(device->arch, family, strlen(family)) == 0;
}

/* One metric a line, so that the command keeps to 80 columns; a blank would end it. */
static void put_list(ridge__str *out, const char *list, char separator)
{
    while (*list) {
        size_t size = strcspn(list, (char[]){separator, '\0'});
        ridge__str_format(out, "%.*s%s", (int)size, list,
                          list[size] ? separator == ',' ? ",\\\n" : " " : "");
        list += size + (list[size] != '\0');
    }
}

static void put_pipe_metrics(ridge__str *out, const ridge_result *result, size_t counter)
{
    const char *unit = counters[counter].unit;
    if (counters[counter].pipe == RIDGE_VECTOR) {
        ridge__str_format(out, "%s,\\\n", unit);
        return;
    }
    ridge__str_text(out, BUSY ",\\\n");
    /* Since Blackwell the parts of the tensor pipe are called sub-pipes. */
    if (on_arch(result, "blackwell"))
        ridge__str_format(out, SUBPIPE ",\\\n", unit);
    else
        ridge__str_format(out, TENSOR ",\\\n", unit);
    /* Hopper's asynchronous products (wgmma) are counted apart from hmma. */
    if (on_arch(result, "hopper") && strcmp(unit, "dmma") != 0)
        ridge__str_format(out, TENSOR ",\\\n", "gmma");
}

/* Blackwell lists fp8 together with what is narrower. */
static const char *flop_metric(const ridge_result *result, size_t counter)
{
    if (counters[counter].dtype == RIDGE_FP8 && on_arch(result, "blackwell"))
        return "sm__ops_path_tensor_src_fp4_fp6_fp8_dst_fp32.sum";
    return counters[counter].nvidia;
}

/* What kernels of the usual libraries are called. */
static const char *kernel_filter(const ridge_op *op)
{
    switch (op->form) {
    case RIDGE_FORM_TILE:
        return "gemm|nvjet|cutlass|xmma";
    case RIDGE_FORM_ATTENTION:
        return "flash|fmha|attention|attn";
    default:
        return "PART_OF_ITS_NAME";
    }
}

static void put_nsys(ridge__str *out, const ridge_result *result)
{
    switch (result->call->timing) {
    case RIDGE_TIMING_KERNEL:
        return; /* ncu's duration is that already */
    case RIDGE_TIMING_GRAPH:
        ridge__str_text(out, "  nsys profile --cuda-graph-trace=node -o ridge ./program\n"
                             "  nsys stats --report cuda_gpu_kern_sum ridge.nsys-rep\n");
        return;
    default: /* launches of their own: queueing and launch beside the kernel */
        ridge__str_text(out, "  nsys profile --trace=cuda,nvtx -o ridge ./program\n"
                             "  nsys stats --report cuda_kern_exec_sum ridge.nsys-rep\n");
        return;
    }
}

static void put_ncu(ridge__str *out, const ridge_result *result)
{
    size_t counter = find_counter(result->estimate);
    bool warm = result->machine->warm;
    ridge__str_format(out,
                      "  ncu -k 'regex:%s' --launch-skip 10 --launch-count 5 \\\n"
                      "    --cache-control %s --clock-control none --metrics \\\n"
                      "gpu__time_duration.sum,\\\n"
                      "dram__bytes.sum,\\\n"
                      "dram__throughput.avg.pct_of_peak_sustained_elapsed,\\\n",
                      kernel_filter(result->call->op), warm ? "none" : "all");
    put_pipe_metrics(out, result, counter);
    put_list(out, flop_metric(result, counter), ',');
    ridge__str_text(out, " \\\n    ./program\n");
    put_nsys(out, result);
    ridge__wrap(out, 0, 2,
                warm ? "--cache-control none leaves in L2 what the launch before left."
                     : "--cache-control all empties the caches before each launch: a "
                       "cold run. --clock-control none lets the clock boost as it does "
                       "without ncu.");
    if (counters[counter].pipe == RIDGE_VECTOR)
        ridge__wrap(out, 0, 2, "Vector FLOP are 2 x fma + add + mul.");
    ridge__wrap(out, 0, 2,
                "A pipe near 100 %: compute bound. dram__throughput near 100 %: memory "
                "bound. Neither: latency (launch, synchronisation, branches, too few "
                "warps). sm__throughput is no sign: it is the busiest of all sub-units, "
                "shared memory too.");
    if (counters[counter].pipe == RIDGE_MATRIX)
        ridge__wrap(out, 0, 2,
                    "Names differ between parts and versions, those of fp8 and "
                    "narrower most: ncu --query-metrics | grep sm__ops_path lists "
                    "yours. Not run here.");
}

/* ncu begins with Volta; what came before has nvprof. */
static bool before_ncu(const ridge_result *result)
{
    static const char *const families[] = {"kepler", "maxwell", "pascal"};
    for (size_t i = 0; i < RIDGE__COUNT(families); i++)
        if (on_arch(result, families[i]))
            return true;
    return false;
}

static void put_nvprof(ridge__str *out, const ridge_result *result)
{
    ridge_dtype dtype = (ridge_dtype)result->estimate->work.dtype;
    ridge__str_format(out,
                      "  nvprof --metrics flop_count_%s,dram_read_bytes,dram_write_bytes "
                      "\\\n    ./program\n",
                      dtype == RIDGE_FP64   ? "dp"
                      : dtype == RIDGE_FP16 ? "hp"
                                            : "sp");
    ridge__wrap(out, 0, 2, "ncu begins with Volta. Not run here.");
}

/* ---- AMD --------------------------------------------------------------------------- */

static void put_rocprof(ridge__str *out, const ridge_result *result)
{
    size_t counter = find_counter(result->estimate);
    ridge__str_text(out, "  rocprofv3 --kernel-trace --stats -- ./program\n"
                         "  rocprofv3 --pmc FETCH_SIZE WRITE_SIZE \\\n    ");
    put_list(out, counters[counter].amd, ' ');
    ridge__str_text(out, " \\\n    -- ./program\n"
                         "  rocprof-compute profile -n ridge -- ./program\n");
    ridge__wrap(out, 0, 2,
                "FETCH_SIZE and WRITE_SIZE are in kilobytes; MFMA_MOPS count units of "
                "512 operations. Of several counters that do not fit one pass, ask for "
                "one at a time. Not run here.");
}

/* ---- Collectives: nccl-tests ------------------------------------------------------- */

static const struct {
    const char *op, *program;
} collective_tests[] = {
    {"all_reduce", "all_reduce_perf"},
    {"all_gather", "all_gather_perf"},
    {"reduce_scatter", "reduce_scatter_perf"},
    {"alltoall", "alltoall_perf"},
    {"broadcast", "broadcast_perf"},
    {"reduce", "reduce_perf"},
    {"gather", "gather_perf"},
    {"scatter", "scatter_perf"},
    {"send_recv", "sendrecv_perf"},
};

static const char *collective_test(const ridge_op *op)
{
    for (size_t i = 0; i < RIDGE__COUNT(collective_tests); i++)
        if (strcmp(collective_tests[i].op, op->name) == 0)
            return collective_tests[i].program;
    return NULL;
}

/* An argument by name; unknown if the op has no such parameter. */
static double argument(const ridge_call *call, const char *name)
{
    size_t at = ridge__op_param(call->op, name, strlen(name));
    return at < call->op->param_count ? call->arg[at] : RIDGE_UNKNOWN;
}

/* What nccl-tests call the dtype. */
static const char *collective_dtype(double dtype)
{
    static const struct {
        ridge_dtype dtype;
        const char *name;
    } names[] = {{RIDGE_FP64, "double"}, {RIDGE_FP32, "float"}, {RIDGE_BF16, "bfloat16"},
                 {RIDGE_FP16, "half"},   {RIDGE_FP8, "f8e4m3"}, {RIDGE_INT8, "int8"}};
    for (size_t i = 0; i < RIDGE__COUNT(names); i++)
        if (dtype == (double)names[i].dtype)
            return names[i].name;
    return "float";
}

static void put_collective(ridge__str *out, const ridge_result *result,
                           const char *program)
{
    const ridge_call *call = result->call;
    double bytes = argument(call, "bytes");
    double ranks = argument(call, "ranks");
    double per_node = argument(call, "ranks_per_node");
    double here = per_node < ranks ? per_node : ranks; /* unknown: one node */
    if (per_node < ranks)
        ridge__str_format(out, "  mpirun -np %s -npernode 1 \\\n    ",
                          RIDGE__EXACT(ceil(ranks / per_node)));
    else
        ridge__str_text(out, "  ");
    ridge__str_format(out, "./build/%s -b %s -e %s \\\n    -g %s -d %s -w 20 -n 100\n",
                      program, RIDGE__EXACT(bytes), RIDGE__EXACT(bytes),
                      RIDGE__EXACT(here), collective_dtype(argument(call, "dtype")));
    ridge__wrap(out, 0, 2,
                "nccl-tests (rccl-tests on AMD, the same options). -b and -e are the "
                "size column: the whole buffer; its time column is what to compare, "
                "algbw and busbw follow from it. Not run here.");
}

/* ---- Any --------------------------------------------------------------------------- */

void ridge__verify(ridge__str *out, const ridge_result *result)
{
    const ridge_estimate *e = result->estimate;
    const ridge_device *device = result->machine->device;
    const char *vendor = device && device->vendor ? device->vendor : "NVIDIA";
    const char *program = collective_test(result->call->op);
    if (program) {
        put_collective(out, result, program);
        ridge__str_format(out, "  Expect at least %s.\n", RIDGE__S(e->floor_s));
        return;
    }
    if (before_ncu(result))
        put_nvprof(out, result);
    else if (strcmp(vendor, "NVIDIA") == 0 || strcmp(vendor, "none") == 0)
        put_ncu(out, result);
    else if (strcmp(vendor, "AMD") == 0)
        put_rocprof(out, result);
    else
        ridge__row(out, vendor,
                   "no command is known here; its own profiler counts FLOP and bytes of "
                   "memory");
    ridge__str_format(out, "  Expect %s FLOP, at least %s bytes of DRAM, at least %s.\n",
                      RIDGE__EXACT(e->work.flop), RIDGE__EXACT(e->work.bytes),
                      RIDGE__S(e->floor_s));
}
