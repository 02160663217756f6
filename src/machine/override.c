#include "machine/machine.h"

/* ---- Values: a rate, or a factor such as "2x" -------------------------------------- */

typedef struct amount {
    double value; /* SI, or the factor */
    bool factor;
} amount;

/* Outside of these is a slip, and what follows from it could leave the doubles. */
static const double rate_least = 1, rate_most = 1e30, factor_least = 1e-9,
                    factor_most = 1e9;

static ridge_status amount_check(amount a, const char *text, ridge_error *err)
{
    if (a.value == 0)
        return ridge__error_set(err, RIDGE_INVALID,
                                "\"%s\" is zero; something above zero is wanted",
                                RIDGE__QUOTE(text));
    if (a.factor && (a.value < factor_least || a.value > factor_most))
        return ridge__error_set(err, RIDGE_INVALID,
                                "\"%s\" is out of range; 1e-9x to 1e9x wanted",
                                RIDGE__QUOTE(text));
    if (!a.factor && (a.value < rate_least || a.value > rate_most))
        return ridge__error_set(err, RIDGE_INVALID,
                                "\"%s\" is out of range; 1 to 1e30 per second wanted",
                                RIDGE__QUOTE(text));
    return RIDGE_OK;
}

static ridge_status amount_parse(amount *out, const char *text, ridge_unit unit,
                                 ridge_error *err)
{
    amount a = {0};
    size_t n = strlen(text);
    const char *end = text;
    if (n > 1 && text[n - 1] == 'x' && !ridge__number_parse(&a.value, text, &end) &&
        end == text + n - 1) {
        a.factor = true;
    } else {
        ridge_status status = ridge_quantity_parse(&a.value, text, unit, 0, err);
        if (status)
            return status;
    }
    ridge_status status = amount_check(a, text, err);
    if (status)
        return status;
    *out = a;
    return RIDGE_OK;
}

static ridge_fact given(double value, const char *option)
{
    return (ridge_fact){
        .value = value, .origin = RIDGE_GIVEN, .confidence = '?', .source = option};
}

/* A rate replaces the fact; a factor scales one that is known. */
static void amount_apply(ridge_fact *fact, amount a, const char *option)
{
    if (!a.factor)
        *fact = given(a.value, option);
    else if (ridge_known(fact->value))
        *fact = given(fact->value * a.value, option);
}

/* ---- The keys ---------------------------------------------------------------------- */

/* True if the rate is the one that the part's data sheet prints with 2:4 sparsity. */
static bool is_sparse(const ridge_machine *m, ridge_dtype dtype, amount a)
{
    const double near = 0.01; /* vendors round: 1979 for twice 989.4 */
    if (a.factor || !m->device)
        return false; /* "2x" asks what if */
    double sparse =
        ridge_device_peak(m->device, RIDGE_MATRIX, dtype, RIDGE_FP32).sparse.value;
    return ridge_known(sparse) && fabs(a.value - sparse) <= near * sparse;
}

static void peak_apply(ridge_machine *m, ridge_dtype dtype, amount a)
{
    m->sparse_peak &= ~(1u << dtype);
    if (is_sparse(m, dtype, a))
        m->sparse_peak |= 1u << dtype;
    for (size_t p = 0; p < RIDGE_PIPE_COUNT; p++) {
        amount_apply(&m->peak[dtype][p], a, "--peak");
        if (!a.factor) /* at whatever clock the user thought of */
            m->peak_clock_hz[dtype][p] = RIDGE_UNKNOWN;
    }
    if (!a.factor || ridge_known(m->peak_acc16[dtype].value))
        amount_apply(&m->peak_acc16[dtype], a, "--peak");
    if (!a.factor)
        m->unsupported &= ~(1u << dtype);
}

static ridge_status set_peak(ridge_machine *m, const char *value, ridge_error *err)
{
    amount a = {.factor = false};
    ridge_dtype only = RIDGE_DTYPE_COUNT;
    const char *equals = strchr(value, '=');
    if (equals) {
        if (!ridge__dtype_parse(&only, value, (size_t)(equals - value)))
            return ridge__error_set(
                err, RIDGE_INVALID,
                "\"%s\" does not start with a dtype; bf16=800TFLOP/s is a form",
                RIDGE__QUOTE(value));
        only = ridge__dtype(only)->math;
        value = equals + 1;
    }
    ridge_status status = amount_parse(&a, value, RIDGE_UNIT_FLOP_PER_S, err);
    for (size_t i = 0; !status && i < RIDGE_DTYPE_COUNT; i++)
        if (only == RIDGE_DTYPE_COUNT || only == (ridge_dtype)i)
            peak_apply(m, (ridge_dtype)i, a);
    return status;
}

static ridge_status set_dram(ridge_machine *m, const char *value, ridge_error *err)
{
    amount a = {.factor = false};
    ridge_status status = amount_parse(&a, value, RIDGE_UNIT_BYTES_PER_S, err);
    if (!status)
        amount_apply(&m->dram, a, "--dram");
    return status;
}

static void scale_peak(ridge_fact *peak, double *clock_hz, double to_hz)
{
    if (!ridge_known(peak->value) || !ridge_known(*clock_hz))
        return;
    *peak = given(peak->value * to_hz / *clock_hz, "--clock");
    *clock_hz = to_hz;
}

static ridge_status set_clock(ridge_machine *m, const char *value, ridge_error *err)
{
    amount a = {.factor = false};
    ridge_status status = amount_parse(&a, value, RIDGE_UNIT_HZ, err);
    if (status)
        return status;
    if (a.factor)
        return ridge__error_set(err, RIDGE_BADUNIT,
                                "\"%s\" is a factor; hertz wanted, as in 1.83GHz",
                                RIDGE__QUOTE(value));
    for (size_t i = 0; i < RIDGE_DTYPE_COUNT; i++) {
        /* The fp16-accumulating rate runs at the clock of the matrix pipe. */
        double acc16_hz = m->peak_clock_hz[i][RIDGE_MATRIX];
        scale_peak(&m->peak_acc16[i], &acc16_hz, a.value);
        for (size_t p = 0; p < RIDGE_PIPE_COUNT; p++)
            scale_peak(&m->peak[i][p], &m->peak_clock_hz[i][p], a.value);
    }
    if (m->l2.origin == RIDGE_DERIVED) /* bytes per cycle x clock */
        m->l2.value *= a.value / m->clock_vector_hz;
    m->clock_matrix_hz = m->clock_vector_hz = a.value;
    m->clock_above_rating = m->device && a.value > m->device->clock_boost.value;
    return RIDGE_OK;
}

static ridge_status set_warm(ridge_machine *m, const char *value, ridge_error *err)
{
    if (strcmp(value, "0") != 0 && strcmp(value, "1") != 0)
        return ridge__error_set(err, RIDGE_INVALID, "\"%s\" is neither 0 nor 1",
                                RIDGE__QUOTE(value));
    m->warm = value[0] == '1';
    return RIDGE_OK;
}

static bool same_name(const char *a, const char *b)
{
    return a && b && strcmp(a, b) == 0;
}

/* The closest of the parts that a fit names; one that no catalogue has may be anything. */
static ridge__kin kin_of(const ridge_machine *m, const char *parts)
{
    ridge__kin kin = RIDGE__KIN_VENDOR;
    const ridge_device *own = m->device;
    for (const char *at = parts; *at; at += strcspn(at, " "), at += *at == ' ') {
        char id[64];
        const ridge_device *other;
        size_t size = strcspn(at, " ");
        snprintf(id, sizeof id, "%.*s", size < sizeof id ? (int)size : 0, at);
        if (!own || ridge_catalog_load(&other, m->catalog, id, NULL) ||
            !same_name(own->vendor, other->vendor))
            continue;
        if (same_name(own->arch, other->arch))
            return RIDGE__KIN_ARCH;
        kin = RIDGE__KIN_NONE;
    }
    return kin;
}

static ridge_status set_fit(ridge_machine *m, const char *value, ridge_error *err)
{
    ridge_status status =
        ridge__catalog_fit_file(&m->fits[RIDGE_LINK_USER].fit,
                                &m->fits[RIDGE_LINK_USER].count, m->catalog, value, err);
    size_t count = m->fits[RIDGE_LINK_USER].count;
    if (!status && count > 0 && ridge_known(m->fits[RIDGE_LINK_USER].fit->host_call_s))
        m->host_call_s = m->fits[RIDGE_LINK_USER].fit->host_call_s;
    m->user_kin = RIDGE__KIN_ARCH;
    for (size_t i = 0; !status && i < count; i++) {
        const char *parts = m->fits[RIDGE_LINK_USER].fit[i].parts;
        ridge__kin kin = parts ? kin_of(m, parts) : RIDGE__KIN_ARCH;
        m->user_kin = kin > m->user_kin ? kin : m->user_kin;
    }
    return status;
}

static ridge_status set_link(ridge_machine *m, const char *value, ridge_error *err)
{
    amount a = {.factor = false};
    ridge_status status = amount_parse(&a, value, RIDGE_UNIT_BYTES_PER_S, err);
    if (status)
        return status;
    status = ridge_machine_assume_system(m, err);
    if (status && (a.factor || status != RIDGE_NODATA))
        return status;
    if (!a.factor)
        m->link_bidirectional = ridge__machine_both_ways(m, a.value);
    double before = m->inside.bandwidth.value;
    amount_apply(&m->inside.bandwidth, a, "--link");
    if (ridge_known(m->inside.per_peer.value)) /* a link to each peer: all of them */
        m->inside.per_peer = given(
            m->inside.per_peer.value * m->inside.bandwidth.value / before, "--link");
    if (!m->inside.name)
        m->inside.name = "given link";
    m->link = m->inside.bandwidth;
    return RIDGE_OK;
}

static const struct {
    const char *key, *option;
    ridge_status (*set)(ridge_machine *m, const char *value, ridge_error *err);
} keys[] = {
    {"peak", "--peak", set_peak},
    {"dram", "--dram", set_dram},
    {"clock", "--clock", set_clock},
    {"warm", "--warm", set_warm},
    {"fit", "--fit", set_fit},
    {"link", "--link", set_link},
    {"system", "--system", ridge__machine_set_system},
};

ridge_status ridge_machine_set(ridge_machine *machine, const char *key, const char *value,
                               ridge_error *err)
{
    size_t k = 0;
    while (k < RIDGE__COUNT(keys) && strcmp(keys[k].key, key) != 0)
        k++;
    if (k == RIDGE__COUNT(keys))
        return ridge__error_set(
            err, RIDGE_NOTFOUND,
            "\"%s\" cannot be set; one of peak, dram, clock, warm, fit, system, link",
            RIDGE__QUOTE(key));
    if (machine->override_count == RIDGE__COUNT(machine->override))
        return ridge__error_set(err, RIDGE_LIMIT, "more than %zu overrides",
                                RIDGE__COUNT(machine->override));
    ridge_status status = keys[k].set(machine, value, err);
    if (status) {
        ridge__error_at(err, keys[k].option, 0);
        return status;
    }
    ridge__override *o = &machine->override[machine->override_count++];
    ridge__quote(o->key, sizeof o->key, key);
    ridge__quote(o->value, sizeof o->value, value);
    return RIDGE_OK;
}
