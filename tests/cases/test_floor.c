/*
 * The floor of every kind of operation against its closed form, written out here a second
 * time and on its own, on 30 shapes each: max(F / P, D / B) of the datasheet figures.
 */
#include "test.h"

#include <ridge.h>

enum {
    SHAPES = 30
};

/* h100-sxm: dense bf16 peak, vector fp32 peak, device-read DRAM rate. */
static const double matrix_bf16 = 989.4e12, vector_fp32 = 66.9e12, dram = 3.352e12;

/* splitmix64 [Steele2014]: small, and the same everywhere. */
static uint64_t next(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* A size from 1 to 2^bits, spread evenly over the powers of two. */
static double size(uint64_t *state, unsigned bits)
{
    uint64_t top = (uint64_t)1 << (next(state) % (bits + 1));
    return (double)(1 + next(state) % top);
}

typedef struct shape {
    double v[6];
} shape;

typedef struct kind {
    const char *op;
    const char *keys[6]; /* one per value; NULL ends */
    unsigned bits[6];
    const char *fixed; /* further key=value words */
    double (*flop)(const shape *s);
    double (*bytes)(const shape *s);
    double peak; /* 0: memory only */
} kind;

static double gemm_flop(const shape *s)
{
    return 2 * s->v[0] * s->v[1] * s->v[2] * s->v[3];
}

static double gemm_bytes(const shape *s)
{
    double m = s->v[0], n = s->v[1], k = s->v[2];
    return 2 * (m * k + k * n + m * n) * s->v[3];
}

static double full_flop(const shape *s)
{
    return 4 * s->v[0] * s->v[1] * s->v[2] * s->v[2] * s->v[3];
}

static double full_bytes(const shape *s)
{
    return 2 * 4 * s->v[0] * s->v[1] * s->v[2] * s->v[3];
}

/* s (s + 1) / 2 pairs of a causal square. */
static double causal_flop(const shape *s)
{
    double n = s->v[2];
    return 4 * s->v[0] * s->v[1] * s->v[3] * (n * (n + 1) / 2);
}

/* One query over L keys of h_kv heads: K and V once, Q and O once. */
static double decode_flop(const shape *s)
{
    return 4 * s->v[0] * (8 * s->v[1]) * s->v[2] * s->v[3];
}

static double decode_bytes(const shape *s)
{
    double b = s->v[0], kv = s->v[1], length = s->v[2], d = s->v[3];
    return 2 * (2 * b * kv * length * d) + 2 * (2 * b * (8 * kv) * d);
}

static double elements(const shape *s)
{
    return s->v[0] * s->v[1];
}

static double twelve(const shape *s)
{
    return 12 * elements(s);
}

static double eight(const shape *s)
{
    return 8 * elements(s);
}

static double given_flop(const shape *s)
{
    return s->v[0];
}

static double given_bytes(const shape *s)
{
    return s->v[1];
}

static const kind kinds[] = {
    {"gemm",
     {"m", "n", "k", "batch"},
     {14, 14, 14, 3},
     "dtype=bf16",
     gemm_flop,
     gemm_bytes,
     matrix_bf16},
    {"attention",
     {"batch", "heads_q", "q_len", "head_dim"},
     {4, 6, 14, 8},
     "dtype=bf16",
     full_flop,
     full_bytes,
     matrix_bf16},
    {"attention",
     {"batch", "heads_q", "q_len", "head_dim"},
     {4, 6, 14, 8},
     "dtype=bf16 causal=1",
     causal_flop,
     full_bytes,
     matrix_bf16},
    {"attention",
     {"batch", "heads_kv", "kv_len", "head_dim"},
     {6, 4, 16, 8},
     "dtype=bf16 q_len=1",
     decode_flop,
     decode_bytes,
     matrix_bf16},
    {"add", {"rows", "cols"}, {14, 14}, "dtype=fp32", elements, twelve, vector_fp32},
    {"relu", {"rows", "cols"}, {14, 14}, "dtype=fp32", NULL, eight, 0},
    {"copy", {"rows", "cols"}, {14, 14}, "dtype=fp32", NULL, eight, 0},
    {"softmax", {"rows", "cols"}, {14, 14}, "dtype=fp32", NULL, eight, 0},
    {"custom",
     {"flop", "bytes"},
     {50, 40},
     "dtype=bf16",
     given_flop,
     given_bytes,
     matrix_bf16},
};

static void set(ridge_call *call, const char *key, const char *value)
{
    ridge_error err;
    if (ridge_call_set(call, key, value, &err))
        fail_msg("%s=%s: %s", key, value, err.message);
}

static void make_call(ridge_call *call, const kind *k, shape *s, uint64_t *state)
{
    char key[32], value[32], heads_q[32];
    ridge_error err;
    assert_int_equal(ridge_call_init(call, k->op, &err), RIDGE_OK);
    for (size_t i = 0; i < 6 && k->keys[i]; i++) {
        s->v[i] = size(state, k->bits[i]);
        snprintf(value, sizeof value, "%.0f", s->v[i]);
        set(call, k->keys[i], value);
        if (strcmp(k->keys[i], "heads_kv") == 0) {
            snprintf(heads_q, sizeof heads_q, "%.0f", 8 * s->v[i]);
            set(call, "heads_q", heads_q);
        }
    }
    for (const char *p = k->fixed; *p; p += strspn(p, " ")) {
        int used = 0;
        assert_int_equal(sscanf(p, "%31[^=]=%31s%n", key, value, &used), 2);
        set(call, key, value);
        p += used;
    }
    if (ridge_call_finish(call, &err))
        fail_msg("%s: %s", k->op, err.message);
}

static void test_floor(void **state)
{
    ridge_catalog *catalog = NULL;
    const ridge_device *device = NULL;
    ridge_machine *machine = NULL;
    ridge_error err;
    uint64_t seed = 20261130;
    (void)state;
    assert_int_equal(ridge_catalog_open(&catalog, NULL, NULL, &err), RIDGE_OK);
    assert_int_equal(ridge_catalog_load(&device, catalog, "h100-sxm", &err), RIDGE_OK);
    assert_int_equal(ridge_machine_new(&machine, catalog, device, &err), RIDGE_OK);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        for (int n = 0; n < SHAPES; n++) {
            ridge_call call;
            ridge_estimate e;
            shape s = {{0}};
            make_call(&call, &kinds[i], &s, &seed);
            assert_int_equal(ridge_estimate_call(&e, machine, &call, &err), RIDGE_OK);
            double compute = kinds[i].peak > 0 ? kinds[i].flop(&s) / kinds[i].peak : 0;
            double memory = kinds[i].bytes(&s) / dram;
            assert_close(e.floor_s, compute > memory ? compute : memory, 1e-3);
            assert_close(e.memory_s, memory, 1e-3);
            if (kinds[i].flop)
                assert_close(e.work.flop, kinds[i].flop(&s), 1e-12);
        }
    ridge_machine_free(machine);
    ridge_catalog_free(catalog);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_floor)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
