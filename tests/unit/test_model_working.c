/*
 * The working that --explain prints: each formula, with its names replaced by the values
 * shown, comes to the value shown, and the last to the body of the estimate.
 */
#include "formula.h"
#include "model_calls.h"

/* Where the names of row `row` are looked up. */
typedef struct names {
    const ridge__working *working;
    size_t row;
    const ridge_estimate *estimate;
    const ridge_call *call;
} names;

static double value_of(const void *context, const char *name, size_t size)
{
    const names *n = context;
    return ridge__working_value(n->working, n->row, n->estimate, n->call, name, size);
}

/* The command that is shown, where its defaults are what they are, takes the time. */
static void check_call(const model_machine *m, const ridge__working_row *row)
{
    ridge_estimate e;
    ridge_error err = {0};
    ridge_call call;
    assert_int_equal(ridge_call_init(&call, row->call->op->name, &err), RIDGE_OK);
    for (size_t i = 0; i < call.op->param_count; i++)
        if (row->call->given >> i & 1u)
            call.arg[i] = row->call->arg[i];
    call.given = row->call->given;
    call.backend = row->call->backend;
    call.timing = row->call->timing;
    assert_int_equal(ridge_call_finish(&call, &err), RIDGE_OK);
    assert_int_equal(ridge_estimate_call(&e, m->machine, &call, &err), RIDGE_OK);
    assert_close(e.expected_s, row->value, 1e-12);
}

/* Redoes every row; `last` is what the last one comes to. */
static void check_backend(const model_machine *m, const char *words,
                          ridge_backend backend)
{
    ridge_call call = model_call(words);
    ridge_estimate e;
    call.backend = backend;
    ridge__working working;
    assert_int_equal(ridge_estimate_call(&e, m->machine, &call, NULL), RIDGE_OK);
    ridge__estimate_working(&working, &e, m->machine, &call);
    if (!(working.count > 8 && working.count < RIDGE__WORKING_MAX))
        fail_msg("%s: %zu rows of working", words, working.count);
    for (size_t i = 0; i < working.count; i++) {
        const ridge__working_row *row = &working.row[i];
        if (row->call)
            check_call(m, row);
        if (!row->formula || !strchr(row->formula, '{'))
            continue;
        const names n = {&working, i, &e, &call};
        double value = formula_evaluate(row->formula, value_of, &n);
        if (fabs(value - row->value) > 1e-9 * fabs(row->value))
            fail_msg("%s: %s = %s is %.12g, shown is %.12g", words, row->name,
                     row->formula, value, row->value);
    }
    const ridge__working_row *last = &working.row[working.count - 1];
    assert_string_equal(last->name, "body");
    assert_close(ridge__max(last->value, e.floor_s), e.body_s, 1e-12);
}

/* Libraries have kernels, and so terms, of their own. */
static void check(const model_machine *m, const char *words)
{
    static const ridge_backend backends[] = {RIDGE_BACKEND_BEST, RIDGE_BACKEND_TRTLLM,
                                             RIDGE_BACKEND_VLLM, RIDGE_BACKEND_SGLANG};
    for (size_t i = 0; i < RIDGE__COUNT(backends); i++)
        check_backend(m, words, backends[i]);
}

static const char *const products[] = {
    "gemm m=4096 n=4096 k=4096 dtype=bf16",
    "gemm m=1 n=1 k=1 dtype=bf16",
    "gemm m=16 n=7168 k=16384 dtype=bf16",
    "gemm m=100 n=1000 k=777 batch=9 dtype=bf16",
    "gemm m=512 n=512 k=512 batch=2 dtype=fp8",
    "gemm m=300 n=4096 k=4096 dtype=fp8",
    "gemm m=300 n=4096 k=4096 dtype=int8_wo",
    "gemm m=300 n=4096 k=4096 dtype=fp32",
    "gemm_backward m=300 n=4096 k=512 batch=3 dtype=bf16",
    "conv2d n=8 c=64 h=56 k=128 r=3 padding=1 groups=2 dtype=bf16",
    "conv2d_backward n=8 c=64 h=56 k=128 r=3 stride=2 dtype=bf16",
    "conv2d_winograd n=8 c=64 h=56 k=128 r=3 dtype=fp32",
};
static const char *const attentions[] = {
    "attention batch=2 q_len=4096 kv_len=4096 heads_q=32 heads_kv=8 head_dim=128 causal=1 "
    "dtype=bf16",
    "attention batch=1 q_len=300 kv_len=5000 heads_q=32 heads_kv=32 head_dim=72 causal=0 "
    "dtype=bf16",
    "attention batch=1 q_len=2000 kv_len=2000 heads_q=8 heads_kv=1 head_dim=256 causal=1 "
    "window=512 dtype=bf16 kv_dtype=fp8",
    "attention batch=8 q_len=1 kv_len=8192 heads_q=64 heads_kv=8 head_dim=128 dtype=bf16",
    "attention batch=1 q_len=1 kv_len=100000 heads_q=64 heads_kv=8 head_dim=96 dtype=bf16",
    "attention batch=256 q_len=4 kv_len=700 heads_q=8 heads_kv=8 head_dim=128 "
    "window=128 dtype=bf16 kv_dtype=fp8",
};
static const char *const latents[] = {
    "mla batch=4 q_len=2048 kv_len=2048 heads=128 dtype=bf16",
    "mla batch=3 q_len=100 kv_len=5000 heads=16 dtype=bf16 kv_dtype=fp8",
    "mla batch=2 q_len=300 kv_len=300 heads=16 causal=0 dtype=bf16",
    "mla batch=64 q_len=1 kv_len=4096 heads=128 dtype=bf16",
    "mla batch=1 q_len=1 kv_len=100000 heads=16 dtype=bf16 kv_dtype=fp8",
    "mla batch=200 q_len=2 kv_len=700 heads=1 dtype=bf16",
};
static const char *const modules[] = {
    "mla scope=module batch=4 q_len=2048 kv_len=2048 heads=128 dtype=bf16",
    "mla scope=module batch=64 q_len=1 kv_len=4096 heads=128 dtype=bf16",
    "mla scope=module batch=2 q_len=1 kv_len=900 heads=16 q_latent=0 dtype=bf16",
    "mla scope=module batch=8 q_len=1 kv_len=900 heads=16 gemm_dtype=fp8 dtype=bf16",
    "dsa batch=8 q_len=1 kv_past=65535 heads=128 dtype=bf16 gemm_dtype=fp8",
    "dsa batch=2 q_len=3000 heads=128 dtype=bf16",
    "csa batch=8 q_len=1 kv_past=65535 heads=128 dtype=bf16",
    "msa batch=8 q_len=1 kv_past=65535 heads=64 dtype=bf16",
    "index_topk batch=8 q_len=1 kv_past=65535 dtype=bf16",
};
static const char *const mixtures[] = {
    "moe tokens=1024 hidden=7168 inter=2048 topk=8 experts=256 ep=8 dtype=fp8_block",
    "moe tokens=33 hidden=2048 inter=512 topk=10 experts=512 ep=4 tp=2 dtype=bf16 "
    "distribution=power_law_1.2 shared_experts=1",
    "moe tokens=7 hidden=4096 inter=14336 topk=2 experts=8 gated=0 dtype=int4_wo "
    "distribution=uniform",
    "grouped_gemm m=300 groups=8 n=4096 k=7168 dtype=bf16",
    "grouped_gemm m_total=3 groups=8 n=4096 k=7168 dtype=bf16",
};
static const char *const streams[] = {
    "rmsnorm rows=4096 cols=4096 dtype=bf16",
    "add rows=8192 cols=8192 dtype=bf16",
    "softmax rows=100 cols=1000 dtype=fp32",
    "copy elements=1000 dtype=fp16",
    "custom flop=1e12 bytes=1e9 l2_bytes=5e10 dtype=bf16",
    "custom flop=0 bytes=1e6 dtype=bf16",
    "silu_mul rows=4096 cols=4096 dtype=bf16",
    "linear_attention seq_len=2048 k_heads=16 k_dim=128 v_heads=32 dtype=bf16",
};

static void on_all_machines(const char *const *words, size_t count)
{
    static const char *const ids[] = {"h100-sxm", "a100-pcie-80", "l40s",
                                      "b200-hgx", "mi300x",       "rtx4090"};
    static const char *const warm[] = {"warm=1", NULL};
    for (size_t i = 0; i < RIDGE__COUNT(ids); i++) {
        for (int pass = 0; pass < 2; pass++) {
            model_machine m = model_machine_of(ids[i], pass ? warm : NULL);
            for (size_t j = 0; j < count; j++)
                if (!(i == 1 && strstr(words[j], " dtype=fp8"))) /* no such pipe */
                    check(&m, words[j]);
            model_machine_clear(&m);
        }
    }
}

static void products_come_out(void **state)
{
    (void)state;
    on_all_machines(products, RIDGE__COUNT(products));
}

/* Kernels of old parts have terms that others lack: rows far apart, read again, odd. */
static void products_of_old_parts_come_out(void **state)
{
    (void)state;
    static const char *const ids[] = {"p4", "p100-pcie", "t4", "v100-pcie-32"};
    for (size_t i = 0; i < RIDGE__COUNT(ids); i++) {
        model_machine m = model_machine_of(ids[i], NULL);
        check_backend(&m, "gemm m=4096 n=4096 k=9000 dtype=fp32", RIDGE_BACKEND_TORCH);
        check_backend(&m, "gemm m=500 n=4099 k=777 dtype=fp32", RIDGE_BACKEND_TORCH);
        check_backend(&m, "gemm m=50 n=40 k=77 batch=9 dtype=fp32", RIDGE_BACKEND_TORCH);
        model_machine_clear(&m);
    }
}

static void mixtures_come_out(void **state)
{
    (void)state;
    on_all_machines(mixtures, RIDGE__COUNT(mixtures));
}

static void attentions_come_out(void **state)
{
    (void)state;
    on_all_machines(attentions, RIDGE__COUNT(attentions));
}

static void latents_come_out(void **state)
{
    (void)state;
    on_all_machines(latents, RIDGE__COUNT(latents));
}

static void modules_come_out(void **state)
{
    (void)state;
    on_all_machines(modules, RIDGE__COUNT(modules));
}

static void streams_come_out(void **state)
{
    (void)state;
    on_all_machines(streams, RIDGE__COUNT(streams));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_come_out),
        cmocka_unit_test(products_of_old_parts_come_out),
        cmocka_unit_test(mixtures_come_out),
        cmocka_unit_test(attentions_come_out),
        cmocka_unit_test(latents_come_out),
        cmocka_unit_test(modules_come_out),
        cmocka_unit_test(streams_come_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
