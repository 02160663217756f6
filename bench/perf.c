/*
 * How fast the library answers: nanoseconds per call on one core, the median of several
 * repeats, over shapes that differ from call to call.  Printed by `make perf`.
 */
#include <ridge.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum {
    SHAPES = 1024,
    CALLS = 200 * SHAPES,
    REPEATS = 7
};

/* Processor time, so that a busy machine does not make the library look slow. */
static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static uint64_t next(uint64_t *state) /* splitmix64 */
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

typedef struct workload {
    const ridge_machine *machine;
    const ridge_call *calls;
    double sum; /* of the answers: keeps the work from being optimised away */
} workload;

static void run_estimate(workload *w)
{
    for (size_t i = 0; i < CALLS; i++) {
        ridge_estimate e;
        if (!ridge_estimate_call(&e, w->machine, &w->calls[i % SHAPES], NULL))
            w->sum += e.floor_s;
    }
}

static void run_count(workload *w)
{
    for (size_t i = 0; i < CALLS; i++) {
        ridge_work work;
        if (!ridge_op_count(&work, &w->calls[i % SHAPES], NULL))
            w->sum += work.flop;
    }
}

static void run_roofline(workload *w)
{
    for (size_t i = 0; i < CALLS; i++)
        w->sum += ridge_roofline(1e15, 3e12, (double)(i % SHAPES));
}

static double median_ns(void (*run)(workload *), workload *w)
{
    double ns[REPEATS];
    for (int i = 0; i < REPEATS; i++) {
        double start = now_s();
        run(w);
        ns[i] = 1e9 * (now_s() - start) / CALLS;
    }
    qsort(ns, REPEATS, sizeof *ns, by_value);
    return ns[REPEATS / 2];
}

/* One word of a call; a failure here is a bug, so it ends the program. */
static void set(ridge_call *call, const char *key, const char *value)
{
    ridge_error err;
    if (ridge_call_set(call, key, value, &err)) {
        fprintf(stderr, "%s=%s: %s\n", key, value, err.message);
        exit(2);
    }
}

/* SHAPES products; decode: few rows, as when one token is made at a time. */
static void make_calls(ridge_call *calls, const char *dtype, bool decode)
{
    uint64_t state = 1;
    for (size_t i = 0; i < SHAPES; i++) {
        ridge_error err;
        char m[24], n[24], k[24];
        unsigned long long rows =
            decode ? 1 + next(&state) % 64 : 256 + next(&state) % 8192;
        snprintf(m, sizeof m, "%llu", rows);
        snprintf(n, sizeof n, "%llu", 64ull * (1 + next(&state) % 256));
        snprintf(k, sizeof k, "%llu", 64ull * (1 + next(&state) % 256));
        if (ridge_call_init(&calls[i], "gemm", &err))
            exit(2);
        set(&calls[i], "m", m);
        set(&calls[i], "n", n);
        set(&calls[i], "k", k);
        set(&calls[i], "dtype", dtype);
        if (ridge_call_finish(&calls[i], &err)) {
            fprintf(stderr, "%s\n", err.message);
            exit(2);
        }
    }
}

int main(void)
{
    ridge_catalog *catalog = NULL;
    const ridge_device *device = NULL;
    ridge_machine *machine = NULL;
    ridge_error err;
    static ridge_call calls[SHAPES];
    double start = now_s();
    if (ridge_catalog_open(&catalog, NULL, NULL, &err) ||
        ridge_catalog_load(&device, catalog, "h100-sxm", &err) ||
        ridge_machine_new(&machine, catalog, device, &err)) {
        fprintf(stderr, "%s: %s\n", err.where, err.message);
        return 2;
    }
    double open_ms = 1e3 * (now_s() - start);
    workload w = {machine, calls, 0};
    printf("%-44s %8s\n", "one call on one core, median of 7", "ns");
    make_calls(calls, "bf16", false);
    printf("%-44s %8.1f\n", "gemm estimate, bf16, 256 to 8447 rows",
           median_ns(run_estimate, &w));
    printf("%-44s %8.1f\n", "gemm count of FLOP and bytes alone",
           median_ns(run_count, &w));
    make_calls(calls, "bf16", true);
    printf("%-44s %8.1f\n", "gemm estimate, bf16, 1 to 64 rows",
           median_ns(run_estimate, &w));
    make_calls(calls, "fp8", true);
    printf("%-44s %8.1f\n", "gemm estimate, fp8, 1 to 64 rows",
           median_ns(run_estimate, &w));
    printf("%-44s %8.1f\n", "roofline", median_ns(run_roofline, &w));
    printf("%-44s %8.2f ms\n", "open the catalogue, load a part with its fits", open_ms);
    ridge_machine_free(machine);
    ridge_catalog_free(catalog);
    return w.sum > 0 ? 0 : 1;
}
