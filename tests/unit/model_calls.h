/* What the tests of models share: machines by id or made up, calls and estimates by words. */
#ifndef RIDGE_MODEL_CALLS_H
#define RIDGE_MODEL_CALLS_H

#include "model/model.h"

#include "pairs.h"
#include "test.h"

/* A machine with what it was made from. */
typedef struct model_machine {
    ridge_catalog *catalog;
    ridge_machine *machine;
} model_machine;

/* id NULL: the "given" machine.  settings: "key=value" words, ended by NULL. */
static inline model_machine model_machine_of(const char *id, const char *const *settings)
{
    model_machine m = {NULL, NULL};
    const ridge_device *device = NULL;
    ridge_error err = {0};
    if (ridge_catalog_open(&m.catalog, NULL, NULL, &err) ||
        (id && ridge_catalog_load(&device, m.catalog, id, &err)) ||
        ridge_machine_new(&m.machine, m.catalog, device, &err))
        fail_msg("%s: %s", err.where, err.message);
    for (; settings && *settings; settings++) {
        const char *value = strchr(*settings, '=') + 1;
        char key[32] = "";
        memcpy(key, *settings, (size_t)(value - *settings) - 1);
        if (ridge_machine_set(m.machine, key, value, &err))
            fail_msg("%s: %s", *settings, err.message);
    }
    return m;
}

static inline void model_machine_clear(model_machine *m)
{
    ridge_machine_free(m->machine);
    ridge_catalog_free(m->catalog);
}

/* "gemm m=1 n=2 k=3 dtype=bf16": the op and its words, finished. */
static inline ridge_call model_call(const char *words)
{
    char text[256];
    ridge_call call;
    ridge_error err = {0};
    snprintf(text, sizeof text, "%s", words);
    char *at = text + strcspn(text, " ");
    bool more = *at != '\0';
    *at = '\0';
    if (ridge_call_init(&call, text, &err))
        fail_msg("%s", err.message);
    while (more) {
        char *key = at + 1;
        at = key + strcspn(key, " ");
        more = *at != '\0';
        *at = '\0';
        char *value = strchr(key, '=');
        *value++ = '\0';
        if (ridge_call_set(&call, key, value, &err))
            fail_msg("%s=%s: %s", key, value, err.message);
    }
    if (ridge_call_finish(&call, &err))
        fail_msg("%s: %s", words, err.message);
    return call;
}

/* A part of round numbers to do sums on: DRAM of 1 TB/s, clocks of 1 GHz, no L2; the same
 * peak for every dtype. */
static inline ridge_machine made_up_machine(double units, double peak)
{
    ridge_machine m;
    memset(&m, 0, sizeof m);
    m.units.value = units;
    m.dram.value = 1e12;
    m.l2.value = m.l2_capacity.value = RIDGE_UNKNOWN;
    m.clock_matrix_hz = m.clock_vector_hz = 1e9;
    for (int d = 0; d < RIDGE_DTYPE_COUNT; d++)
        for (int p = 0; p < RIDGE_PIPE_COUNT; p++)
            m.peak[d][p].value = peak;
    return m;
}

/* No constant is known. */
static inline ridge_fit made_up_fit(ridge__fit_form form)
{
    ridge_fit fit = {.form = form, .key = "made-up"};
    for (int i = 0; i < RIDGE_FIT_CONSTANTS; i++)
        fit.c[i] = RIDGE_UNKNOWN;
    return fit;
}

/* NULL where the estimate has no such term. */
static inline const ridge_term *find_term(const ridge_estimate *e, const char *name)
{
    for (int i = 0; i < e->term_count; i++)
        if (strcmp(e->term[i].name, name) == 0)
            return &e->term[i];
    return NULL;
}
/* A test that asks for one that is not there fails. */
static inline const ridge_term *model_term(const ridge_estimate *e, const char *name)
{
    const ridge_term *term = find_term(e, name);
    if (!term)
        fail_msg("no term %s", name);
    return term;
}
static inline double term_s(const ridge_estimate *e, const char *name)
{
    return model_term(e, name)->time_s;
}

static inline ridge_estimate model_estimate(const model_machine *m, const char *words)
{
    ridge_call call = model_call(words);
    ridge_estimate e;
    ridge_error err = {0};
    if (ridge_estimate_call(&e, m->machine, &call, &err))
        fail_msg("%s: %s", words, err.message);
    return e;
}

#endif
