/*
 * The size at which a call's intensity reaches the ridge: docs/model/saturate.md.  Counts
 * are pure functions of the call, so they are evaluated at real sizes for the crossing,
 * and at whole ones for the size that is told.
 */
#include "base/base.h"
#include "machine/machine.h"
#include "op/op.h"

#include <string.h>

/* Whole sizes that are looked at one by one; beyond them each is this much larger. */
static const double EACH = 4096, GROWTH = 1.01;
/* Counts are whole in a double up to 2^53; no quantity needs more than this. */
static const double COUNT_MOST = 9007199254740992.0, QUANTITY_MOST = 1e30;
/* Whole values that are tried for a valid call (a multiple of something, say). */
enum {
    TRIES = 65536
};

typedef struct search {
    const ridge_machine *machine;
    const ridge_saturate *question;
    const ridge_call *call; /* as it was read: not finished */
    size_t param[RIDGE_SOLVE_MAX];
    size_t param_count;
    double least, most;
    double peak, dram, link;
    uint32_t warnings;
    /* Valid calls at two whole sizes: value j of the key is first + j step. */
    ridge_call base[2];
    double first, step;
} search;

/* ---- Calls at a size --------------------------------------------------------------- */

static bool solved(const search *s, size_t param)
{
    for (size_t i = 0; i < s->param_count; i++)
        if (s->param[i] == param)
            return true;
    return false;
}

/* The call at size x, as its op accepts it. */
static ridge_status valid_call(ridge_call *out, const search *s, double x,
                               ridge_error *err)
{
    *out = *s->call;
    for (size_t i = 0; i < s->param_count; i++) {
        out->arg[s->param[i]] = x;
        out->given |= 1u << s->param[i];
    }
    return ridge_call_finish(out, err);
}

/*
 * The call at a size between valid ones: what the op computed from the size is carried on
 * from the two bases, as a reciprocal (rows of elements / cols) or a straight line
 * (kv_len = q_len, elements = rows x cols).
 */
static ridge_call call_between(const search *s, double x)
{
    ridge_call call = s->base[0];
    double at[2] = {s->first, s->first + s->step};
    for (size_t i = 0; i < RIDGE_ARG_MAX; i++) { /* also what stands behind parameters */
        double a = s->base[0].arg[i], b = s->base[1].arg[i];
        if (solved(s, i))
            call.arg[i] = x;
        else if (ridge_known(a) && ridge_known(b) && a != b)
            call.arg[i] = a * at[0] == b * at[1]
                              ? a * at[0] / x
                              : a + (b - a) * (x - at[0]) / (at[1] - at[0]);
    }
    return call;
}

/* False where the op cannot count it. */
static bool work_at(ridge_work *work, ridge_call *call, const search *s, double x)
{
    if (valid_call(call, s, x, NULL))
        *call = call_between(s, x);
    return !ridge_op_count(work, call, NULL);
}

/* ---- Intensity against the target -------------------------------------------------- */

static double bytes_of(const search *s, const ridge_work *work)
{
    if (!s->question->link)
        return work->bytes;
    if (!s->question->wire)
        return work->wire_bytes;
    double sum = 0;
    for (size_t i = 0; i < work->operand_count; i++)
        if (s->question->wire >> i & 1)
            sum += work->operand_bytes[i];
    return sum;
}

/* With --warm a working set that fits in L2 comes at its rate. */
static double rate_of(const search *s, const ridge_work *work)
{
    const ridge_machine *m = s->machine;
    if (s->question->link)
        return s->link;
    bool resident = m->warm && ridge_known(m->l2.value) &&
                    work->footprint_bytes <= m->l2_capacity.value;
    return resident ? m->l2.value : s->dram;
}

static double target_of(const search *s, const ridge_work *work)
{
    return s->question->fraction * s->peak / rate_of(s, work);
}

static double intensity_of(const search *s, const ridge_work *work)
{
    double bytes = bytes_of(s, work);
    if (work->flop == 0)
        return 0;
    return bytes > 0 ? work->flop / bytes : INFINITY;
}

static double intensity_at(const search *s, double x)
{
    ridge_call call;
    ridge_work work;
    return work_at(&work, &call, s, x) ? intensity_of(s, &work) : RIDGE_UNKNOWN;
}

static bool met_at(const search *s, double x)
{
    ridge_call call;
    ridge_work work;
    return work_at(&work, &call, s, x) && intensity_of(s, &work) >= target_of(s, &work);
}

/* ---- The search -------------------------------------------------------------------- */

static double value(const search *s, double j)
{
    return s->first + j * s->step;
}

static double next_place(double j)
{
    return j < EACH ? j + 1 : ceil(j * GROWTH);
}

/* Between places a and b, where the target is met at just one of them: neighbours. */
static void narrow_whole(const search *s, double *a, double *b)
{
    bool met = met_at(s, value(s, *a));
    for (;;) {
        double mid = floor(*a + (*b - *a) / 2);
        if (mid <= *a || mid >= *b)
            return;
        if (met_at(s, value(s, mid)) == met)
            *a = mid;
        else
            *b = mid;
    }
}

/* The real size between x and y where the target is just met, to the last bit. */
static double narrow_real(const search *s, double x, double y)
{
    bool met = met_at(s, x);
    for (;;) {
        double mid = x + (y - x) / 2;
        if (mid <= x || mid >= y)
            return met ? x : y;
        if (met_at(s, mid) == met)
            x = mid;
        else
            y = mid;
    }
}

/* The nearest whole size from place j on, in steps of `way`, whose call is valid and
 * meets the target; unknown if there is none near. */
static double valid_from(const search *s, double j, double way)
{
    ridge_call call;
    for (int tries = 0; tries < TRIES && j >= 0; tries++) {
        if (!valid_call(&call, s, value(s, j), NULL) && met_at(s, value(s, j)))
            return value(s, j);
        j += way;
    }
    return RIDGE_UNKNOWN;
}

/* Places a, b around the first change, and whether there is a further one. */
static bool first_change(const search *s, double *a, double *b, bool *again)
{
    bool now = met_at(s, value(s, 0)), found = false;
    double before = 0, j = 1;
    *again = false;
    while (value(s, j) <= s->most) {
        if (met_at(s, value(s, j)) != now) {
            if (found) {
                *again = true;
                return true;
            }
            *a = before;
            *b = j;
            found = true;
            now = !now;
        }
        before = j;
        j = next_place(j);
    }
    return found;
}

/* Two valid whole sizes, the smallest that there are. */
static ridge_status find_bases(search *s, ridge_error *err)
{
    double at[2] = {0, 0};
    int found = 0;
    ridge_status status = valid_call(&s->base[0], s, s->least, err);
    for (int i = 0; i < TRIES && found < 2 && s->least + i <= s->most; i++)
        if (!valid_call(&s->base[found], s, s->least + i, NULL))
            at[found++] = s->least + i;
    if (found == 0)
        return status; /* what is wrong with the smallest */
    if (found == 1) {
        s->base[1] = s->base[0];
        at[1] = at[0] + 1;
        s->most = at[0];
    }
    s->first = at[0];
    s->step = at[1] - at[0];
    return RIDGE_OK;
}

/* ---- The question ------------------------------------------------------------------ */

static ridge_status find_key(search *s, const char *key, ridge_error *err)
{
    const ridge_op *op = s->call->op;
    size_t at = ridge__op_param(op, key, strlen(key));
    if (at == op->param_count) {
        const char *names[RIDGE_ARG_MAX];
        for (size_t i = 0; i < op->param_count; i++)
            names[i] = op->params[i].name;
        const char *near = ridge_word_nearest(key, names, op->param_count);
        return ridge__error_set(
            err, RIDGE_NOTFOUND,
            "%s has no parameter \"%s\"%s%s; `ridge op %s` lists them", op->name,
            RIDGE__QUOTE(key), near ? "; did you mean " : "", near ? near : "", op->name);
    }
    const ridge__param *p = &op->params[at];
    if (p->kind != RIDGE_PARAM_COUNT && p->kind != RIDGE_PARAM_QUANTITY &&
        p->kind != RIDGE_PARAM_LIST)
        return ridge__error_set(err, RIDGE_INVALID,
                                "%s is no number that can grow; a size is wanted",
                                p->name);
    if (s->call->given >> at & 1)
        return ridge__error_set(
            err, RIDGE_INVALID,
            "%s is given too; leave %s= out, or solve for another key", p->name, p->name);
    if (solved(s, at))
        return ridge__error_set(err, RIDGE_INVALID, "%s is named twice; once wanted",
                                p->name);
    double most = p->kind == RIDGE_PARAM_QUANTITY ? QUANTITY_MOST : COUNT_MOST;
    s->least = s->least > p->min ? s->least : p->min;
    most = p->max < most ? p->max : most;
    s->most = s->most < most ? s->most : most;
    s->param[s->param_count++] = at;
    return RIDGE_OK;
}

/* Bytes per second that leave the part one way: of its system, else its fastest link. */
static double link_rate(const ridge_machine *machine)
{
    double rate = machine->link.value;
    const ridge_device *d = machine->device;
    for (size_t i = 0; !ridge_known(rate) && d && i < d->link_count; i++)
        rate = d->link[i].stated.value;
    for (size_t i = 0; !ridge_known(machine->link.value) && d && i < d->link_count; i++)
        if (d->link[i].stated.value > rate)
            rate = d->link[i].stated.value;
    return rate;
}

enum { /* what a warning of an estimate may say of its rates, whatever the size */
    OF_RATES = RIDGE_WARNING_UNSUPPORTED_DTYPE | RIDGE_WARNING_CLOCK_ABOVE_RATING |
               RIDGE_WARNING_UNIT_AMBIGUOUS | RIDGE_WARNING_LOW_CONFIDENCE
};

/* The rates that the question needs; the peak is that of the smallest call's dtype. */
static ridge_status find_rates(search *s, ridge_error *err)
{
    ridge_estimate e;
    ridge_status status = ridge_estimate_call(&e, s->machine, &s->base[0], err);
    if (status)
        return status;
    const char *id = ridge_machine_id(s->machine);
    const char *dtype = ridge_dtype_name((ridge_dtype)e.work.dtype);
    s->peak = e.peak_flop_per_s;
    s->dram = s->machine->dram.value;
    s->link = link_rate(s->machine);
    s->warnings = e.warnings & OF_RATES;
    if (s->question->link && s->machine->link_bidirectional)
        s->warnings |= RIDGE_WARNING_LINK_BIDIRECTIONAL;
    if (e.work.flop > 0 && !ridge_known(s->peak))
        return ridge__error_set(err, RIDGE_NODATA,
                                "the %s peak of %s is not known; give --peak %s=...",
                                dtype ? dtype : "FLOP", id, dtype ? dtype : "bf16");
    if (s->question->link && !ridge_known(s->link))
        return ridge__error_set(err, RIDGE_NODATA,
                                "no link of %s is known; name a part that has one", id);
    if (!s->question->link && !ridge_known(s->dram))
        return ridge__error_set(err, RIDGE_NODATA,
                                "the DRAM bandwidth of %s is not known; give --dram", id);
    if (s->question->link && bytes_of(s, &e.work) == 0)
        return ridge__error_set(
            err, RIDGE_NODATA,
            "this %s sends nothing over a link; --wire names operands "
            "that it is to send",
            s->call->op->name);
    return RIDGE_OK;
}

static ridge_status set_up(search *s, ridge_error *err)
{
    const ridge_saturate *q = s->question;
    if (!(q->fraction > 0 && q->fraction <= 1))
        return ridge__error_set(
            err, RIDGE_INVALID,
            "the fraction of the peak is to be above 0 and at most 1");
    if (q->key_count == 0 || q->key_count > RIDGE_SOLVE_MAX)
        return ridge__error_set(err, RIDGE_INVALID,
                                "%zu keys to solve for; 1 to %d wanted", q->key_count,
                                RIDGE_SOLVE_MAX);
    s->least = 1;
    s->most = QUANTITY_MOST;
    for (size_t i = 0; i < q->key_count; i++) {
        ridge_status status = find_key(s, q->key[i], err);
        if (status)
            return status;
    }
    ridge_status status = find_bases(s, err);
    return status ? status : find_rates(s, err);
}

/* The largest intensity of the sizes looked at, where none is enough. */
static void fill_never(ridge_saturation *out, const search *s)
{
    out->never = true;
    out->integer = RIDGE_UNKNOWN;
    out->intensity = 0;
    double j = 0;
    while (value(s, j) <= s->most) {
        double intensity = intensity_at(s, value(s, j));
        out->intensity = intensity > out->intensity ? intensity : out->intensity;
        j = next_place(j);
    }
}

static ridge_status fill_crossing(ridge_saturation *out, const search *s, double a,
                                  double b, ridge_error *err)
{
    narrow_whole(s, &a, &b);
    out->crossing = narrow_real(s, value(s, a), value(s, b));
    out->integer = out->rising ? valid_from(s, b, 1) : valid_from(s, a, -1);
    out->beside = value(s, out->rising ? a : b);
    out->next = intensity_at(s, out->beside);
    if (!ridge_known(out->integer))
        return ridge__error_set(err, RIDGE_INVALID,
                                "the crossing is at %g, and no whole value near it makes "
                                "a valid call",
                                out->crossing);
    return RIDGE_OK;
}

/* What the intensity tends to: nothing finite where it still grows, 0 where it falls. */
static double limit_of(const search *s)
{
    const double apart = 1024; /* a bounded one has settled long before its range ends */
    double last = intensity_at(s, s->most), earlier = intensity_at(s, s->most / apart);
    if (last > 2 * earlier)
        return INFINITY;
    return last < earlier / 2 ? 0 : last;
}

ridge_status ridge_saturation_find(ridge_saturation *out, const ridge_machine *machine,
                                   const ridge_call *call, const ridge_saturate *question,
                                   ridge_error *err)
{
    search s = {
        .machine = machine, .question = question, .call = call, .base = {*call, *call}};
    ridge_status status = set_up(&s, err);
    if (status)
        return status;
    ridge_saturation made = {.crossing = RIDGE_UNKNOWN,
                             .integer = s.first,
                             .already = met_at(&s, s.first),
                             .beside = RIDGE_UNKNOWN,
                             .next = RIDGE_UNKNOWN,
                             .least = s.first,
                             .most = s.most,
                             .peak_flop_per_s = s.peak,
                             .warnings = s.warnings,
                             .param_count = s.param_count};
    memcpy(made.param, s.param, sizeof made.param);
    double a = 0, b = 0;
    bool changes = first_change(&s, &a, &b, &made.returns);
    made.rising = !made.already || !changes;
    if (changes)
        status = fill_crossing(&made, &s, a, b, err);
    else if (!made.already)
        fill_never(&made, &s);
    if (status)
        return status;
    made.limit = limit_of(&s);
    double shown = made.never ? made.most : made.integer;
    double other = shown == s.first ? s.first + s.step : s.first;
    ridge_work unused;
    if (!work_at(&unused, &made.other, &s, other) ||
        !work_at(&made.work, &made.call, &s, shown))
        return ridge__error_set(err, RIDGE_INVALID, "%s cannot be counted at this size",
                                call->op->name);
    made.target = target_of(&s, &made.work);
    made.rate_bytes_per_s = rate_of(&s, &made.work);
    if (!made.never)
        made.intensity = intensity_of(&s, &made.work);
    *out = made;
    return RIDGE_OK;
}

ridge_status ridge_saturate_wire(uint32_t *out, const ridge_call *call, const char *names,
                                 ridge_error *err)
{
    const ridge_op *op = call->op;
    uint32_t bits = 0;
    for (const char *p = names; *p;) {
        size_t size = strcspn(p, ","), i = 0;
        while (i < op->operand_count && !ridge__text_is(op->operands[i], p, size))
            i++;
        if (i == op->operand_count) {
            ridge__str list;
            ridge__str_init(&list, sizeof err->message, NULL);
            for (i = 0; i < op->operand_count; i++)
                ridge__str_format(&list, " %s", op->operands[i]);
            ridge_status status = ridge__error_set(
                err, RIDGE_NOTFOUND, "%s has no operand \"%.*s\"; it has%s", op->name,
                (int)(size < 40 ? size : 40), p, ridge__str_data(&list));
            ridge__str_clear(&list);
            return status;
        }
        bits |= 1u << i;
        p += size + (p[size] == ',');
    }
    if (!bits)
        return ridge__error_set(err, RIDGE_INVALID,
                                "no operand is named; one or more wanted, as in c");
    *out = bits;
    return RIDGE_OK;
}
