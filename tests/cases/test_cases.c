/*
 * Numbers that users of such tools know and would check first, each as one row: an
 * operation, a machine, perhaps a measured time, and what must come out.  The ids are
 * those of the collection they come from (O: kernels, H: hardware facts); "primer" and
 * "errata" are the worked figures of the roofline primer and corrected ridge points.
 */
#include "test.h"

#include <ridge.h>

typedef struct outcome {
    ridge_estimate estimate;
    ridge_measurement measurement; /* zeros where the row has no time */
} outcome;

typedef double (*reading)(const outcome *o);

static double flop(const outcome *o)
{
    return o->estimate.work.flop;
}
static double bytes(const outcome *o)
{
    return o->estimate.work.bytes;
}
static double floor_us(const outcome *o)
{
    return o->estimate.floor_s * 1e6;
}
static double compute_ms(const outcome *o)
{
    return o->estimate.compute_s * 1e3;
}
static double memory_ms(const outcome *o)
{
    return o->estimate.memory_s * 1e3;
}
static double memory_us(const outcome *o)
{
    return o->estimate.memory_s * 1e6;
}
static double compute_us(const outcome *o)
{
    return o->estimate.compute_s * 1e6;
}
static double intensity(const outcome *o)
{
    return o->estimate.intensity;
}
static double ridge(const outcome *o)
{
    return o->estimate.ridge;
}
static double peak_tflop(const outcome *o)
{
    return o->estimate.peak_flop_per_s * 1e-12;
}
static double ceiling_tflop(const outcome *o)
{
    return o->estimate.ceiling_flop_per_s * 1e-12;
}
static double waves(const outcome *o)
{
    return o->estimate.plan.waves;
}
static double tile_tflop(const outcome *o)
{
    return o->estimate.plan.ceiling_flop_per_s * 1e-12;
}
static double rate_tflop(const outcome *o)
{
    return o->measurement.achieved_flop_per_s * 1e-12;
}
static double rate_gb(const outcome *o)
{
    return o->measurement.achieved_bytes_per_s * 1e-9;
}
static double rate_gib(const outcome *o)
{
    return o->measurement.achieved_bytes_per_s / (1024.0 * 1024.0 * 1024.0);
}
static double of_roof(const outcome *o)
{
    return o->measurement.of_roof * 100;
}
static double of_peak(const outcome *o)
{
    return o->measurement.of_peak * 100;
}
static double of_bandwidth(const outcome *o)
{
    return o->measurement.of_bandwidth * 100;
}
static double clock_ghz(const outcome *o)
{
    return o->measurement.implied_clock_hz * 1e-9;
}
static double verdict(const outcome *o)
{
    return o->measurement.verdict;
}

/* tolerance 0: exact. */
typedef struct row {
    const char *id;
    const char *gpu; /* NULL: the given machine */
    const char
        *machine;     /* "key=value" for ridge_machine_set, blank between; NULL: none */
    const char *call; /* op, then key=value words; also tile=256x128, count=executed */
    double time_s;    /* measured; 0: none */
    reading read;
    double expected, tolerance;
} row;

#define MLP_LAYER(k, n) "gemm m=1 n=" #n " k=" #k " dtype=fp32"

static const row rows[] = {
    {"primer compute", "example", NULL, "custom flop=10GFLOP bytes=1GB", 0, compute_ms,
     0.1, 1e-12},
    {"primer memory", "example", NULL, "custom flop=10GFLOP bytes=1GB", 0, memory_ms, 1,
     1e-12},
    {"primer ceiling", "example", NULL, "custom flop=10GFLOP bytes=1GB", 0, ceiling_tflop,
     10, 1e-12},
    {"primer ridge", "example", NULL, "custom flop=10GFLOP bytes=1GB", 0, ridge, 100,
     1e-12},
    {"primer rate", "example", NULL, "custom flop=10GFLOP bytes=1GB", 2e-3, rate_tflop, 5,
     1e-12},
    {"primer of roof", "example", NULL, "custom flop=10GFLOP bytes=1GB", 2e-3, of_roof,
     50, 1e-12},
    {"primer of peak", "example", NULL, "custom flop=10GFLOP bytes=1GB", 2e-3, of_peak, 5,
     1e-12},
    {"primer I=1", "example", NULL, "custom intensity=1 bytes=1GB", 0, ceiling_tflop, 1,
     1e-12},
    {"primer I=10", "example", NULL, "custom intensity=10 bytes=1GB", 0, ceiling_tflop,
     10, 1e-12},
    {"primer I=100", "example", NULL, "custom intensity=100 bytes=1GB", 0, ceiling_tflop,
     100, 1e-12},
    {"primer I=200", "example", NULL, "custom intensity=200 bytes=1GB", 0, ceiling_tflop,
     100, 1e-12},
    {"primer I=1000", "example", NULL, "custom intensity=1000 bytes=1GB", 0,
     ceiling_tflop, 100, 1e-12},
    {"primer add", "example", NULL, "add elements=1000000 dtype=fp32", 0, intensity,
     1.0 / 12, 1e-12},
    {"primer gemm", "example", NULL, "gemm m=128 n=4096 k=4096 dtype=fp16", 0, intensity,
     120.5, 4e-4},
    {"primer dot", "example", NULL, "dot elements=100000000 dtype=fp16", 0, intensity,
     0.5, 1e-6},
    {"primer 2x peak", "example", "peak=2x", "custom flop=10GFLOP bytes=1GB", 0, floor_us,
     1000, 1e-12},
    {"primer 2x dram", "example", "dram=2x", "custom flop=10GFLOP bytes=1GB", 0, floor_us,
     500, 1e-12},

    {"errata V100", "v100-sxm2-16", NULL, "gemm m=64 n=64 k=64 dtype=fp16", 0, ridge, 139,
     3e-3},
    {"errata A100 PCIe", "a100-pcie-80", NULL, "gemm m=64 n=64 k=64 dtype=bf16", 0, ridge,
     161, 3e-3},
    {"errata A100 SXM", "a100-sxm-80", NULL, "gemm m=64 n=64 k=64 dtype=bf16", 0, ridge,
     153, 3e-3},
    {"errata H100 SXM", "h100-sxm", NULL, "gemm m=64 n=64 k=64 dtype=bf16", 0, ridge, 295,
     3e-3},
    {"errata H200", "h200-sxm", NULL, "gemm m=64 n=64 k=64 dtype=bf16", 0, ridge, 206,
     3e-3},
    {"errata B200", "b200-hgx", NULL, "gemm m=64 n=64 k=64 dtype=bf16", 0, ridge, 293,
     3e-3},
    {"errata GB200", "gb200", NULL, "gemm m=64 n=64 k=64 dtype=bf16", 0, ridge, 315,
     3e-3},
    {"errata H800 SXM", "h800-sxm", NULL, "gemm m=64 n=64 k=64 dtype=bf16", 0, ridge, 295,
     3e-3},
    {"errata H800 PCIe", "h800-pcie", NULL, "gemm m=64 n=64 k=64 dtype=bf16", 0, ridge,
     371, 3e-3},

    {"O01", "a100-pcie-40", NULL, "gemm m=3456 n=4096 k=8192 dtype=fp16 dtype_out=fp32",
     0, floor_us, 743.36, 5e-3},
    {"O01 waves", "a100-pcie-40", NULL,
     "gemm m=3456 n=4096 k=8192 dtype=fp16 dtype_out=fp32 tile=256x128", 0, waves,
     448.0 / 108, 1e-12},
    {"O01 tile ceiling", "a100-pcie-40", NULL,
     "gemm m=3456 n=4096 k=8192 dtype=fp16 dtype_out=fp32 tile=256x128", 0, tile_tflop,
     249.6, 1e-2},
    {"O02 bytes", "a10", NULL, "gemm m=3456 n=4096 k=4096 dtype=fp32", 0, bytes,
     180355072, 0},
    {"O02 FLOP", "a10", NULL, "gemm m=3456 n=4096 k=4096 dtype=fp32", 0, flop,
     115964116992, 0},
    {"O02 epilogue", "a10", NULL, "gemm m=3456 n=4096 k=4096 dtype=fp32 epilogue=2", 0,
     flop, 115992428544, 0},
    {"O02 GiB/s", "a10", NULL, "gemm m=3456 n=4096 k=4096 dtype=fp32", 9.30172e-3,
     rate_gib, 18.0578, 1e-3},
    {"O02 GB/s", "a10", NULL, "gemm m=3456 n=4096 k=4096 dtype=fp32", 9.30172e-3, rate_gb,
     19.3894, 1e-3},
    {"O04", "a100-sxm-40", NULL, "gemm m=4096 n=4096 k=4096 dtype=fp64", 7.678e-3,
     of_peak, 91.7949, 5e-3},
    {"O05", "a100-sxm-40", NULL, "gemm m=3072 n=2048 k=768 dtype=fp16", 0, floor_us,
     30.9733, 5e-3},
    {"O07 bf16 1", "h100-sxm", NULL, "gemm m=1 n=6144 k=4096 dtype=bf16", 0, floor_us,
     15.0305, 1e-2},
    {"O07 bf16 16", "h100-sxm", NULL, "gemm m=16 n=6144 k=4096 dtype=bf16", 0, floor_us,
     15.1222, 1e-2},
    {"O07 bf16 64", "h100-sxm", NULL, "gemm m=64 n=6144 k=4096 dtype=bf16", 0, floor_us,
     15.4156, 1e-2},
    {"O07 bf16 128", "h100-sxm", NULL, "gemm m=128 n=6144 k=4096 dtype=bf16", 0, floor_us,
     15.8069, 1e-2},
    {"O07 bf16 256", "h100-sxm", NULL, "gemm m=256 n=6144 k=4096 dtype=bf16", 0, floor_us,
     16.5894, 1e-2},
    {"O07 fp8 1", "h100-sxm", NULL, "gemm m=1 n=6144 k=4096 dtype=fp8", 0, floor_us,
     7.51708, 1e-2},
    {"O07 fp8 16", "h100-sxm", NULL, "gemm m=16 n=6144 k=4096 dtype=fp8", 0, floor_us,
     7.59044, 1e-2},
    {"O07 fp8 64", "h100-sxm", NULL, "gemm m=64 n=6144 k=4096 dtype=fp8", 0, floor_us,
     7.82519, 1e-2},
    {"O07 fp8 128", "h100-sxm", NULL, "gemm m=128 n=6144 k=4096 dtype=fp8", 0, floor_us,
     8.1382, 1e-2},
    {"O07 fp8 256", "h100-sxm", NULL, "gemm m=256 n=6144 k=4096 dtype=fp8", 0, floor_us,
     8.76422, 1e-2},
    {"O08 rate", "h800-sxm", NULL, "gemm m=128 n=4096 k=7168 dtype=fp8",
     2.0 * 128 * 4096 * 7168 / 533e12, rate_gb, 2221.45, 2e-3},
    {"O08 floor", "h800-sxm", NULL, "gemm m=128 n=4096 k=7168 dtype=fp8", 0, memory_us,
     9.35111, 1e-2},
    {"O08 verdict", "h800-sxm", NULL, "gemm m=128 n=4096 k=7168 dtype=fp8",
     2.0 * 128 * 4096 * 7168 / 533e12, verdict, RIDGE_VERDICT_MEMORY, 0},
    {"O11", "h100-sxm", NULL,
     "attention batch=64 heads_q=16 q_len=1024 head_dim=64 dtype=bf16", 0, flop,
     274877906944, 0},
    {"O13 forward", "b200-hgx", NULL,
     "attention batch=4 heads_q=16 q_len=8192 head_dim=128 dtype=bf16", 1.433e-3,
     rate_tflop, 1534.56, 1e-3},
    {"O13 causal", "b200-hgx", NULL,
     "attention batch=4 heads_q=16 q_len=8192 head_dim=128 dtype=bf16 causal=1 pairs=half",
     0.775e-3, rate_tflop, 1418.72, 1e-3},
    {"O10", "h800-sxm", NULL, "grouped_gemm m=[8864x4] n=4096 k=7168 dtype=fp8", 1692e-6,
     rate_tflop, 1230.49, 2e-3},
    {"O11 backward", "h100-sxm", NULL,
     "attention_backward batch=64 heads_q=16 q_len=1024 head_dim=64 dtype=bf16", 0, flop,
     2 * 274877906944.0, 0},
    {"O13 backward", "b200-hgx", NULL,
     "attention_backward batch=4 heads_q=16 q_len=8192 head_dim=128 dtype=bf16 "
     "count=executed",
     4.043e-3, rate_tflop, 1359.77, 1e-3},
    {"O16 16 heads", "h100-sxm", NULL,
     "mla batch=128 q_len=1 kv_len=4096 heads=16 dtype=bf16", 0.215e-3, rate_gb, 2829.94,
     3e-3},
    {"O16 16 heads", "h100-sxm", NULL,
     "mla batch=128 q_len=1 kv_len=4096 heads=16 dtype=bf16", 0, intensity, 30.0009,
     5e-3},
    {"O16 64 heads", "h100-sxm", NULL,
     "mla batch=128 q_len=1 kv_len=4096 heads=64 dtype=bf16", 0.223e-3, rate_gb, 2788.37,
     3e-3},
    {"O16 64 heads", "h100-sxm", NULL,
     "mla batch=128 q_len=1 kv_len=4096 heads=64 dtype=bf16", 0, intensity, 117.423,
     5e-3},
    {"O14", "h20", NULL, "attention batch=2 heads_q=32 q_len=2048 head_dim=64 dtype=bf16",
     0, compute_us, 464.321, 5e-3},
    {"O17 exact", "h100-sxm", NULL,
     "attention batch=1 heads_q=1 q_len=4 kv_len=10 head_dim=8 head_dim_v=16 causal=1 dtype=fp32",
     0, flop, 1632, 0},
    {"O17 half", "h100-sxm", NULL,
     "attention batch=1 heads_q=1 q_len=4 kv_len=10 head_dim=8 head_dim_v=16 causal=1 pairs=half dtype=fp32",
     0, flop, 1536, 0},
    {"O19", "h100-sxm", NULL,
     "attention batch=1 heads_q=12 q_len=64 head_dim=64 dtype=fp32", 0, flop, 12582912,
     0},
    {"O20 layer 1", "h100-sxm", NULL, MLP_LAYER(784, 512), 0, flop, 2.0 * 784 * 512, 0},
    {"O20 layer 2", "h100-sxm", NULL, MLP_LAYER(512, 512), 0, flop, 2.0 * 512 * 512, 0},
    {"O20 layer 3", "h100-sxm", NULL, MLP_LAYER(512, 10), 0, flop,
     1337344 - 2.0 * 784 * 512 - 2.0 * 512 * 512, 0},
    {"O22", NULL, "peak=1PFLOP/s dram=8TB/s", "custom flop=0 bytes=25165824 dtype=bf16",
     0, memory_us, 3.14573, 5e-3},

    {"H01", "h100-sxm", NULL, "custom flop=324.48TFLOP bytes=1 dtype=bf16", 1, of_peak,
     32.7956, 5e-3},
    {"H04", "a40", NULL, "gemm m=64 n=64 k=64 dtype=fp16", 0, peak_tflop, 149.668, 1e-2},
    {"H07", "h100-sxm", NULL, "gemm m=64 n=64 k=64 dtype=bf16", 0, peak_tflop, 989.43,
     1e-3},
    {"H07 1.98 GHz", "h100-sxm", "clock=1.98GHz", "gemm m=64 n=64 k=64 dtype=bf16", 0,
     peak_tflop, 1070.53, 1e-3},
    {"H10", "rtx4090", NULL, "gemm m=64 n=64 k=64 dtype=fp16", 0, peak_tflop, 165.151,
     1e-3},
    {"H10 acc16", "rtx4090", NULL, "gemm m=64 n=64 k=64 dtype=fp16 dtype_acc=fp16", 0,
     peak_tflop, 330.3, 1e-3},
    {"H11", "gb200", "clock=1.2GHz", "gemm m=64 n=64 k=64 dtype=bf16", 0, peak_tflop,
     1494.22, 1e-3},
    {"H08", "h100-sxm", NULL, "custom flop=1070.53TFLOP bytes=1 dtype=bf16", 1, clock_ghz,
     1.98, 1e-3},
    {"L10", "h200-sxm", NULL, "custom flop=0 bytes=22.564GB dtype=bf16", 3.77e-3, rate_gb,
     5985.15, 1e-3},
    {"L10 verdict", "h200-sxm", NULL, "custom flop=0 bytes=22.564GB dtype=bf16", 3.77e-3,
     verdict, RIDGE_VERDICT_BELOW_FLOOR, 0},
    {"B01", "rtx5090", NULL, "custom flop=0 bytes=16MiB dtype=fp32", 8.182e-6,
     of_bandwidth, 114.425, 1e-3},
    {"B01 verdict", "rtx5090", NULL, "custom flop=0 bytes=16MiB dtype=fp32", 8.182e-6,
     verdict, RIDGE_VERDICT_L2_RESIDENT, 0},
};

/* The next blank-separated "key=value" of *text, split at '='; false at the end. */
static bool next_word(const char **text, char key[32], char value[64])
{
    const char *p = *text + strspn(*text, " ");
    size_t n = strcspn(p, " "), k = strcspn(p, "= ");
    if (n == 0)
        return false;
    snprintf(key, 32, "%.*s", (int)k, p);
    snprintf(value, 64, "%.*s", k < n ? (int)(n - k - 1) : 0, p + k + (k < n));
    *text = p + n;
    return true;
}

static void must(const row *r, ridge_status status, const ridge_error *err)
{
    if (status)
        fail_msg("%s: %s: %s", r->id, err->where, err->message);
}

/* A list is borrowed by its call: the value stays until three more calls are made. */
static const char *kept(const char *value)
{
    static char values[64][64];
    static size_t next;
    char *to = values[next++ % 64];
    memcpy(to, value, 64);
    return to;
}

static void make_call(ridge_call *call, const row *r)
{
    ridge_error err;
    char key[32], value[64];
    const char *text = r->call;
    next_word(&text, key, value);
    must(r, ridge_call_init(call, key, &err), &err);
    while (next_word(&text, key, value)) {
        unsigned m, n;
        if (strcmp(key, "tile") == 0 && sscanf(value, "%ux%u", &m, &n) == 2) {
            call->tile_m = (uint16_t)m;
            call->tile_n = (uint16_t)n;
        } else if (strcmp(key, "count") == 0)
            call->executed = strcmp(value, "executed") == 0;
        else
            must(r, ridge_call_set(call, key, kept(value), &err), &err);
    }
    must(r, ridge_call_finish(call, &err), &err);
}

static void check(ridge_catalog *catalog, const row *r)
{
    const ridge_device *device = NULL;
    ridge_machine *machine = NULL;
    ridge_call call;
    ridge_error err;
    outcome o = {0};
    char key[32], value[64];
    const char *text = r->machine ? r->machine : "";
    if (r->gpu)
        must(r, ridge_catalog_load(&device, catalog, r->gpu, &err), &err);
    must(r, ridge_machine_new(&machine, catalog, device, &err), &err);
    while (next_word(&text, key, value))
        must(r, ridge_machine_set(machine, key, value, &err), &err);
    make_call(&call, r);
    must(r, ridge_estimate_call(&o.estimate, machine, &call, &err), &err);
    if (r->time_s > 0)
        must(r,
             ridge_measurement_place(&o.measurement, &o.estimate, machine, &r->time_s, 1,
                                     RIDGE_UNKNOWN, &err),
             &err);
    double actual = r->read(&o);
    if (!(fabs(actual - r->expected) <= r->tolerance * fabs(r->expected)))
        fail_msg("%s: %.10g, expected %.10g within %g", r->id, actual, r->expected,
                 r->tolerance);
    ridge_machine_free(machine);
}

static void test_rows(void **state)
{
    ridge_catalog *catalog = NULL;
    ridge_error err;
    (void)state;
    assert_int_equal(ridge_catalog_open(&catalog, NULL, NULL, &err), RIDGE_OK);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        check(catalog, &rows[i]);
    ridge_catalog_free(catalog);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
