#include "base/vocabulary.h"

#include "base/base.h"

#include <string.h>

static const ridge__dtype_info dtypes[] = {
#define X(name, text, a, w, out, math) {text, a, w, RIDGE_##out, RIDGE_##math},
    RIDGE_DTYPE_MAP(X)
#undef X
};

static const char *const pipes[] = {"vector", "matrix"};
static const char *const levels[] = {"dram", "llc", "l2", "l1"};
static const char *const bounds[] = {"compute", "memory", "communication", "latency"};
static const char *const timings[] = {
#define X(name, text) text,
    RIDGE_TIMING_MAP(X)
#undef X
};
static const char *const verdicts[] = {"compute", "memory",      "communication",
                                       "latency", "l2_resident", "below_floor"};
static const char *const backends[] = {
#define X(name, text) text,
    RIDGE_BACKEND_MAP(X)
#undef X
};
static const struct {
    const char *code, *text;
    ridge_severity severity;
} warnings[] = {
#define X(name, bit, code, severity, text) [bit] = {code, text, RIDGE_##severity},
    RIDGE_WARNING_MAP(X)
#undef X
};

static const char *word_at(const char *const *words, size_t count, size_t i)
{
    return i < count ? words[i] : NULL;
}
#define WORD(array, i) word_at(array, RIDGE__COUNT(array), (size_t)(i))

const char *ridge_dtype_name(ridge_dtype dtype)
{
    return (size_t)dtype < RIDGE__COUNT(dtypes) ? dtypes[dtype].name : NULL;
}

const char *ridge_pipe_name(ridge_pipe pipe)
{
    return WORD(pipes, pipe);
}

const char *ridge_level_name(ridge_level level)
{
    return WORD(levels, level);
}

const char *ridge_bound_name(ridge_bound bound)
{
    return WORD(bounds, bound);
}

const char *ridge_timing_name(ridge_timing timing)
{
    return WORD(timings, timing);
}

const char *ridge_backend_name(ridge_backend backend)
{
    return WORD(backends, backend);
}

const char *ridge_verdict_name(ridge_verdict verdict)
{
    return WORD(verdicts, verdict);
}

const char *ridge_warning_code(uint32_t bit)
{
    for (size_t i = 0; i < RIDGE__COUNT(warnings); i++)
        if (bit == 1u << i)
            return warnings[i].code;
    return NULL;
}

const char *ridge_warning_text(uint32_t bit)
{
    for (size_t i = 0; i < RIDGE__COUNT(warnings); i++)
        if (bit == 1u << i)
            return warnings[i].text;
    return NULL;
}

uint32_t ridge_warning_mask(ridge_severity severity)
{
    uint32_t mask = 0;
    for (size_t i = 0; i < RIDGE__COUNT(warnings); i++)
        if (warnings[i].severity == severity)
            mask |= 1u << i;
    return mask;
}

const ridge__dtype_info *ridge__dtype(ridge_dtype dtype)
{
    return &dtypes[dtype];
}

/* Index of the word, or count. */
static size_t find(const char *const *words, size_t count, const char *text, size_t size)
{
    size_t i = 0;
    while (i < count && !ridge__text_is(words[i], text, size))
        i++;
    return i;
}

bool ridge__dtype_parse(ridge_dtype *out, const char *text, size_t size)
{
    /* Published tables spell out which of the two 8-bit formats it is. */
    if (ridge__text_is("fp8_e4m3", text, size) || ridge__text_is("fp8_e5m2", text, size))
        size = strlen("fp8");
    for (size_t i = 0; i < RIDGE__COUNT(dtypes); i++)
        if (ridge__text_is(dtypes[i].name, text, size)) {
            *out = (ridge_dtype)i;
            return true;
        }
    return false;
}

bool ridge__pipe_parse(ridge_pipe *out, const char *text, size_t size)
{
    size_t i = find(pipes, RIDGE__COUNT(pipes), text, size);
    if (i < RIDGE__COUNT(pipes))
        *out = (ridge_pipe)i;
    return i < RIDGE__COUNT(pipes);
}

/* Published tables call PyTorch's own kernels by the harness and the version around
 * them. */
static const char *const torch_names[] = {"sarathi/torch", "torch 2.1 / rocm 2.4"};

bool ridge__backend_parse(ridge_backend *out, const char *text, size_t size)
{
    if (find(torch_names, RIDGE__COUNT(torch_names), text, size) <
        RIDGE__COUNT(torch_names)) {
        *out = RIDGE_BACKEND_TORCH;
        return true;
    }
    if (ridge__text_is("vllm kernels/sarathi", text, size)) { /* sarathi-serve has them */
        *out = RIDGE_BACKEND_VLLM;
        return true;
    }
    if (ridge__text_is("nccl/torch", text, size)) { /* NCCL as PyTorch calls it */
        *out = RIDGE_BACKEND_NCCL;
        return true;
    }
    size_t i = find(backends, RIDGE__COUNT(backends), text, size);
    if (i < RIDGE__COUNT(backends))
        *out = (ridge_backend)i;
    return i < RIDGE__COUNT(backends);
}

bool ridge_backend_parse(ridge_backend *out, const char *word)
{
    return ridge__backend_parse(out, word, strlen(word));
}

/* Codes of published tables; a prefix ends in '*'.  Exact words come first. */
static const struct {
    const char *code;
    ridge_timing timing;
} timing_codes[] = {
    {"cg", RIDGE_TIMING_GRAPH},
    {"cg_or_eager", RIDGE_TIMING_GRAPH},
    {"event_eager*", RIDGE_TIMING_EAGER},
    {"timer_wall", RIDGE_TIMING_EAGER},
    {"kineto*", RIDGE_TIMING_KERNEL},
    {"prof_kernel*", RIDGE_TIMING_KERNEL},
    {"rocprof*", RIDGE_TIMING_KERNEL},
    {"do_bench", RIDGE_TIMING_KERNEL},
    {"loop*", RIDGE_TIMING_STREAM},
    {"nccl_oop", RIDGE_TIMING_STREAM},
    {"deepep_test", RIDGE_TIMING_KERNEL},
    {"wideep_moe", RIDGE_TIMING_GRAPH},
    {"wideep_generation_moe", RIDGE_TIMING_GRAPH},
    /* Its floor is 200 us beside an x86 host and 400 beside Grace: the host launches. */
    {"wideep_context_moe", RIDGE_TIMING_EAGER},
};

bool ridge__timing_parse(ridge_timing *out, const char *text, size_t size)
{
    size_t i = find(timings, RIDGE__COUNT(timings), text, size);
    if (i < RIDGE__COUNT(timings)) {
        *out = (ridge_timing)i;
        return true;
    }
    for (i = 0; i < RIDGE__COUNT(timing_codes); i++) {
        const char *code = timing_codes[i].code;
        size_t n = strlen(code);
        bool prefix = code[n - 1] == '*';
        if (prefix ? size >= n - 1 && memcmp(code, text, n - 1) == 0
                   : ridge__text_is(code, text, size)) {
            *out = timing_codes[i].timing;
            return true;
        }
    }
    return false;
}

bool ridge_timing_parse(ridge_timing *out, const char *word)
{
    return ridge__timing_parse(out, word, strlen(word));
}
