/* The profiler command that would check an estimate: FLOP, bytes and time. */
#include "machine/machine.h"
#include "op/op.h"
#include "report/page.h"

/*
 * Counters by pipe and dtype.  Names are Nsight Compute's (ncu --query-metrics) and those
 * of rocprofv3 --list-avail; MFMA counters are in units of 512 operations.
 */
static const struct {
    ridge_pipe pipe;
    ridge_dtype dtype;
    const char *nvidia, *amd;
} counters[] = {
    {RIDGE_MATRIX, RIDGE_BF16, "sm__ops_path_tensor_src_bf16_dst_fp32.sum",
     "SQ_INSTS_VALU_MFMA_MOPS_BF16"},
    {RIDGE_MATRIX, RIDGE_FP16, "sm__ops_path_tensor_src_fp16_dst_fp32.sum",
     "SQ_INSTS_VALU_MFMA_MOPS_F16"},
    {RIDGE_MATRIX, RIDGE_TF32, "sm__ops_path_tensor_src_tf32_dst_fp32.sum",
     "SQ_INSTS_VALU_MFMA_MOPS_F32"},
    {RIDGE_MATRIX, RIDGE_FP8, "sm__ops_path_tensor_src_fp8.sum",
     "SQ_INSTS_VALU_MFMA_MOPS_F8"},
    {RIDGE_MATRIX, RIDGE_NVFP4, "sm__ops_path_tensor_src_fp4_dst_fp32.sum",
     "SQ_INSTS_VALU_MFMA_MOPS_F6F4"},
    {RIDGE_MATRIX, RIDGE_INT8, "sm__ops_path_tensor_src_int8.sum",
     "SQ_INSTS_VALU_MFMA_MOPS_I8"},
    {RIDGE_MATRIX, RIDGE_FP64, "sm__ops_path_tensor_src_fp64.sum",
     "SQ_INSTS_VALU_MFMA_MOPS_F64"},
    {RIDGE_VECTOR, RIDGE_FP64,
     "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum,"
     "smsp__sass_thread_inst_executed_op_dadd_pred_on.sum,"
     "smsp__sass_thread_inst_executed_op_dmul_pred_on.sum",
     "SQ_INSTS_VALU_FMA_F64 SQ_INSTS_VALU_ADD_F64 SQ_INSTS_VALU_MUL_F64"},
    {RIDGE_VECTOR, RIDGE_FP16,
     "smsp__sass_thread_inst_executed_op_hfma_pred_on.sum,"
     "smsp__sass_thread_inst_executed_op_hadd_pred_on.sum,"
     "smsp__sass_thread_inst_executed_op_hmul_pred_on.sum",
     "SQ_INSTS_VALU_FMA_F16 SQ_INSTS_VALU_ADD_F16 SQ_INSTS_VALU_MUL_F16"},
    {RIDGE_VECTOR, RIDGE_FP32,
     "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum,"
     "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum,"
     "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum",
     "SQ_INSTS_VALU_FMA_F32 SQ_INSTS_VALU_ADD_F32 SQ_INSTS_VALU_MUL_F32"},
};

/* Instructions of the whole matrix pipe: what there is for dtypes without their own. */
static const char any_matrix[] = "sm__inst_executed_pipe_tensor.sum";

static size_t find_counter(const ridge_estimate *e)
{
    for (size_t i = 0; i < RIDGE__COUNT(counters); i++)
        if (counters[i].pipe == e->pipe && counters[i].dtype == e->work.dtype)
            return i;
    /* Vector work in other dtypes is computed in fp32, which is the last row. */
    return e->pipe == RIDGE_MATRIX ? RIDGE__COUNT(counters) : RIDGE__COUNT(counters) - 1;
}

/* One metric a line: a command of 80 columns that can be pasted. */
static void put_list(ridge__str *out, const char *list, char separator)
{
    while (*list) {
        size_t size = strcspn(list, (char[]){separator, '\0'});
        ridge__str_format(out, "%.*s%s", (int)size, list,
                          list[size] ? separator == ',' ? ",\\\n" : " " : "");
        list += size + (list[size] != '\0');
    }
}

static void put_ncu(ridge__str *out, const ridge_result *result)
{
    const ridge_estimate *e = result->estimate;
    size_t i = find_counter(e);
    ridge__str_format(out,
                      "  ncu --cache-control %s --clock-control none \\\n"
                      "    --metrics gpu__time_duration.sum,dram__bytes.sum,\\\n",
                      result->machine->warm ? "none" : "all");
    put_list(out, i < RIDGE__COUNT(counters) ? counters[i].nvidia : any_matrix, ',');
    ridge__str_text(out, " \\\n    ./program\n");
    ridge__wrap(out, 0, 2,
                "ncu flushes the caches before each kernel with --cache-control all (a "
                "cold run); vector FLOP are 2 x fma + add + mul.");
    if (result->call->timing != RIDGE_TIMING_KERNEL)
        ridge__str_text(out, "  nsys profile --stats=true ./program\n");
}

static void put_rocprof(ridge__str *out, const ridge_result *result)
{
    size_t i = find_counter(result->estimate);
    ridge__str_text(out, "  rocprofv3 --kernel-trace --stats -- ./program\n"
                         "  rocprofv3 --pmc FETCH_SIZE WRITE_SIZE \\\n    ");
    put_list(out,
             i < RIDGE__COUNT(counters) ? counters[i].amd : "SQ_INSTS_VALU_MFMA_MOPS_F8",
             ' ');
    ridge__str_text(out, " \\\n    -- ./program\n");
    ridge__wrap(out, 0, 2,
                "FETCH_SIZE and WRITE_SIZE are in kilobytes; MFMA_MOPS count units of "
                "512 operations.");
}

void ridge__verify(ridge__str *out, const ridge_result *result)
{
    const ridge_estimate *e = result->estimate;
    const ridge_device *device = result->machine->device;
    bool amd = device && device->vendor && strcmp(device->vendor, "AMD") == 0;
    if (amd)
        put_rocprof(out, result);
    else
        put_ncu(out, result);
    ridge__str_format(out, "  Expect %s FLOP, at least %s bytes of DRAM, at least %s.\n",
                      RIDGE__EXACT(e->work.flop), RIDGE__EXACT(e->work.bytes),
                      RIDGE__S(e->floor_s));
}
