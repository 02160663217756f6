/* The size from which on a call can reach the peak, for a person and for programs. */
#include "format/csv.h"
#include "format/json.h"
#include "op/op.h"
#include "report/page.h"

#include <stdio.h>

/* What the reports say of a result, worked out once. */
typedef struct facts {
    char keys[RIDGE_SOLVE_MAX * 40]; /* "m,n,k" */
    const char *dtype;
    double at; /* the size that is told */
    double experts, topk, tokens_per_expert, tokens;
    bool fits_known, fits;
} facts;

/* ---- What there is to say ---------------------------------------------------------- */

static double finite(double x)
{
    return isfinite(x) ? x : RIDGE_UNKNOWN;
}

static double argument(const ridge_call *call, const char *name)
{
    size_t at = ridge__op_param(call->op, name, strlen(name));
    return at < call->op->param_count ? call->arg[at] : RIDGE_UNKNOWN;
}

/* tokens k / E rows fall to an expert on average [errata of the articles, 41]. */
static void fill_tokens(facts *f, const ridge_saturation_result *result)
{
    const ridge_saturation *s = result->saturation;
    double tokens = argument(&s->call, "tokens");
    f->experts = result->experts;
    f->topk = result->topk;
    f->tokens = f->tokens_per_expert = RIDGE_UNKNOWN;
    if (ridge_known(tokens) && ridge_known(argument(&s->call, "experts"))) {
        f->experts = argument(&s->call, "experts");
        f->topk = argument(&s->call, "topk");
        if (!s->never) {
            f->tokens = tokens;
            f->tokens_per_expert = tokens * f->topk / f->experts;
        }
    } else if (!s->never && ridge_known(f->experts)) {
        f->tokens_per_expert = s->integer;
        f->tokens = ceil(s->integer * f->experts / f->topk);
    }
}

static facts facts_of(const ridge_saturation_result *result)
{
    const ridge_saturation *s = result->saturation;
    facts f = {.at = s->never ? s->most : s->integer};
    size_t size = 0;
    for (size_t i = 0; i < s->param_count; i++)
        size += (size_t)snprintf(f.keys + size, sizeof f.keys - size, "%s%s",
                                 i ? "," : "", s->call.op->params[s->param[i]].name);
    f.dtype = ridge_dtype_name((ridge_dtype)s->work.dtype);
    ridge_estimate e;
    if (!ridge_estimate_call(&e, result->machine, &s->call, NULL) && e.fits >= 0) {
        f.fits_known = true;
        f.fits = e.fits > 0;
    }
    fill_tokens(&f, result);
    return f;
}

/* "k, v": the operands that grow with the work, where none is enough. */
static void put_growing(ridge__str *out, const ridge_saturation *s)
{
    const double notable = 0.1; /* of the bytes */
    for (size_t i = 0; i < s->work.operand_count && i < s->call.op->operand_count; i++)
        if (s->work.operand_bytes[i] > notable * s->work.bytes)
            ridge__str_format(out, "%s%s", out->size ? ", " : "",
                              s->call.op->operands[i]);
}

/* ---- Text -------------------------------------------------------------------------- */

/* Five digits: enough to redo the sum by hand. */
static const char *intensity_text(char *buf, double value)
{
    char digits[32] = "?";
    if (isfinite(value))
        ridge__number_format(digits, value, 5);
    snprintf(buf, 48, "%s FLOP/B", digits);
    return buf;
}
#define INTENSITY(value) intensity_text((char[48]){0}, value)
#define SIZE(value)      ridge__plain_text((char[48]){0}, value, 15)

static void put_headline(ridge__str *out, const ridge_saturation_result *result,
                         const facts *f)
{
    const ridge_saturation *s = result->saturation;
    char what[64] = "reach the peak";
    if (result->question->fraction < 1)
        snprintf(what, sizeof what, "reach %s of the peak",
                 RIDGE__PERCENT(result->question->fraction));
    ridge__str text;
    ridge__str_init(&text, 0, NULL);
    if (s->never && s->work.flop == 0)
        ridge__str_text(&text,
                        "never: it computes nothing, and only bandwidth limits it");
    else if (s->never)
        ridge__str_format(&text, "never: %s at most, and %s are wanted to %s",
                          INTENSITY(s->intensity), INTENSITY(s->target), what);
    else if (!ridge_known(s->crossing))
        ridge__str_format(&text, "already: the smallest, %s = %s, can %s, and larger too",
                          f->keys, SIZE(s->integer), what);
    else
        ridge__str_format(&text, "%s = %s is the %s that can %s: the crossing is at %s",
                          f->keys, SIZE(s->integer), s->rising ? "smallest" : "largest",
                          what, SIZE(round(s->crossing * 100) / 100));
    ridge__wrap(out, 0, 0, ridge__str_data(&text));
    out->failed = out->failed || text.failed;
    ridge__str_clear(&text);
}

/* A formula in which what depends on the key keeps its name. */
static void put_formula(ridge__str *out, const char *label, const char *formula,
                        const ridge_saturation *s)
{
    ridge_work other;
    ridge__str text;
    if (!formula || ridge_op_count(&other, &s->other, NULL))
        return;
    ridge__str_init(&text, 0, NULL);
    for (const char *p = formula; *p; p++) {
        if (*p != '{') {
            ridge__str_add(&text, p, 1);
            continue;
        }
        size_t size = strcspn(++p, "}");
        double here = ridge__op_formula_value(&s->call, &s->work, p, size);
        double there = ridge__op_formula_value(&s->other, &other, p, size);
        if (here == there)
            ridge__str_text(&text, RIDGE__EXACT(here));
        else
            ridge__str_add(&text, p, size);
        p += size;
    }
    ridge__row_format(out, label, "= %s", ridge__str_data(&text));
    out->failed = out->failed || text.failed;
    ridge__str_clear(&text);
}

static void put_wanted(ridge__str *out, const ridge_saturation_result *result)
{
    const ridge_saturation *s = result->saturation;
    const ridge_saturate *q = result->question;
    const char *rate = q->link ? "the link, one way" : "the memory";
    bool whole = q->fraction == 1;
    ridge__row_format(out, "wanted", "%s = %s%sP / B = %s%s%s / %s, FLOP per byte of %s",
                      INTENSITY(s->target), whole ? "" : RIDGE__EXACT(q->fraction),
                      whole ? "" : " ", whole ? "" : RIDGE__EXACT(q->fraction),
                      whole ? "" : " x ", RIDGE__EXACT(s->peak_flop_per_s),
                      RIDGE__EXACT(s->rate_bytes_per_s), rate);
}

/* What goes over the link, where that is what counts. */
static void put_sent(ridge__str *out, const ridge_saturation_result *result)
{
    const ridge_saturation *s = result->saturation;
    uint32_t wire = result->question->wire;
    double sum = wire ? 0 : s->work.wire_bytes;
    ridge__str names;
    ridge__str_init(&names, 0, NULL);
    for (size_t i = 0; i < s->work.operand_count; i++)
        if (wire >> i & 1) {
            sum += s->work.operand_bytes[i];
            ridge__str_format(&names, "%s%s", names.size ? " + " : "",
                              s->call.op->operands[i]);
        }
    ridge__row_format(out, "sent", "%s: %s at this size",
                      wire ? ridge__str_data(&names) : "as the operation counts it",
                      RIDGE__Q(sum, RIDGE_UNIT_BYTES));
    out->failed = out->failed || names.failed;
    ridge__str_clear(&names);
}

static void put_sides(ridge__str *out, const ridge_saturation *s, const facts *f)
{
    char label[64];
    snprintf(label, sizeof label, "at %s", SIZE(f->at));
    if (s->never)
        snprintf(label, sizeof label, "largest");
    ridge__row_format(out, label, "%s%s", INTENSITY(s->intensity),
                      s->never ? ", whatever the size" : "");
    if (!ridge_known(s->beside))
        return;
    snprintf(label, sizeof label, "at %s", SIZE(s->beside));
    ridge__row_format(out, label, "%s: not enough", INTENSITY(s->next));
}

/* Of operand i; what vanishes beside the others is 0. */
static double share_of_bytes(const ridge_saturation *s, size_t i)
{
    const double vanishing = 1e-6;
    double share = s->work.operand_bytes[i] / s->work.bytes;
    return share < vanishing ? 0 : share;
}

static void put_bytes(ridge__str *out, const ridge_saturation *s, const facts *f)
{
    ridge__str text;
    if (s->work.operand_count < 2)
        return;
    ridge__str_init(&text, 0, NULL);
    for (size_t i = 0; i < s->work.operand_count; i++)
        ridge__str_format(&text, "%s%s %s", i ? ", " : "",
                          i < s->call.op->operand_count ? s->call.op->operands[i] : "?",
                          RIDGE__PERCENT(share_of_bytes(s, i)));
    ridge__row_format(out, "bytes", "%s%s: %s", s->never ? "as it grows" : "at ",
                      s->never ? "" : SIZE(f->at), ridge__str_data(&text));
    out->failed = out->failed || text.failed;
    ridge__str_clear(&text);
}

static void put_why(ridge__str *out, const ridge_saturation *s, const facts *f)
{
    ridge__str growing;
    ridge__str_init(&growing, 0, NULL);
    put_growing(&growing, s);
    if (s->never && s->work.flop > 0 && s->work.operand_count > 1)
        ridge__row_format(out, "why",
                          "the bytes of %s grow as fast as the work; only another shape, "
                          "a narrower dtype or fusing raises the intensity",
                          ridge__str_data(&growing));
    out->failed = out->failed || growing.failed;
    ridge__str_clear(&growing);
    const char *grow = s->param_count > 1 ? "grow" : "grows";
    if (isfinite(s->limit))
        ridge__row_format(out, "limit", "%s as %s %s", INTENSITY(s->limit), f->keys,
                          grow);
    else
        ridge__row_format(out, "limit", "none: it rises as long as %s %s", f->keys, grow);
    if (s->returns)
        ridge__row(out, "note",
                   "the intensity does not only rise or fall with the size: beyond this "
                   "first crossing there is another");
    ridge__row_format(out, "in general", "%s", s->call.op->growth);
}

static void put_tokens(ridge__str *out, const facts *f)
{
    if (!ridge_known(f->tokens))
        return;
    ridge__row_format(out, "tokens",
                      "%s in all: %s per expert, as %s experts share them and each token "
                      "goes to %s (tokens = per expert x experts / topk, if the routing "
                      "is even)",
                      SIZE(f->tokens),
                      ridge__plain_text((char[48]){0}, f->tokens_per_expert, 6),
                      SIZE(f->experts), SIZE(f->topk));
}

static void write_text(ridge__str *out, const ridge_saturation_result *result,
                       const ridge_style *style)
{
    const ridge_saturation *s = result->saturation;
    facts f = facts_of(result);
    ridge__str title;
    ridge__str_init(&title, 0, NULL);
    ridge__str_format(&title, "%s ", s->call.op->name);
    ridge_call given = s->call; /* the words, without the keys */
    for (size_t i = 0; i < s->param_count; i++)
        given.given &= ~(1u << s->param[i]);
    ridge__call_words(&title, &given);
    ridge__str_format(&title, " on %s, solved for %s", ridge_machine_id(result->machine),
                      f.keys);
    ridge__wrap(out, 0, 0, ridge__str_data(&title));
    out->failed = out->failed || title.failed;
    ridge__str_clear(&title);
    ridge__color(out, style, "1");
    put_headline(out, result, &f);
    ridge__color(out, style, "0");
    ridge__str_add(out, "\n", 1);
    if (ridge_known(s->target))
        put_wanted(out, result);
    put_formula(out, "F", s->call.op->flop_formula, s);
    if (result->question->link)
        put_sent(out, result);
    else
        put_formula(out, "D", s->call.op->bytes_formula, s);
    put_sides(out, s, &f);
    put_bytes(out, s, &f);
    put_tokens(out, &f);
    if (!s->never)
        ridge__row_format(out, "memory", "%s must exist at once%s",
                          RIDGE__Q(s->work.footprint_bytes, RIDGE_UNIT_BYTES),
                          !f.fits_known ? ""
                          : f.fits      ? ": fits"
                                        : ": does not fit");
    put_why(out, s, &f);
    ridge__warnings_text(out, s->warnings, style);
}

/* ---- Programs ---------------------------------------------------------------------- */

/* Every figure of a result, for JSON and CSV alike. */
typedef struct figure {
    const char *name;
    double value;
} figure;

enum {
    FIGURES = 17
};

static void figures_of(figure figures[FIGURES], const ridge_saturation_result *result,
                       const facts *f)
{
    const ridge_saturation *s = result->saturation;
    const figure made[FIGURES] = {
        {"fraction", result->question->fraction},
        {"crossing", s->crossing},
        {"integer", s->integer},
        {"target_intensity", s->target},
        {"intensity", finite(s->intensity)},
        {"intensity_next", finite(s->next)},
        {"intensity_limit", finite(s->limit)},
        {"ridge", s->peak_flop_per_s / s->rate_bytes_per_s},
        {"peak_flop_per_s", s->peak_flop_per_s},
        {"rate_bytes_per_s", s->rate_bytes_per_s},
        {"flop", s->never ? RIDGE_UNKNOWN : s->work.flop},
        {"bytes", s->never ? RIDGE_UNKNOWN : s->work.bytes},
        {"footprint_bytes", s->never ? RIDGE_UNKNOWN : s->work.footprint_bytes},
        {"experts", f->experts},
        {"topk", f->topk},
        {"tokens_per_expert", f->tokens_per_expert},
        {"tokens", f->tokens},
    };
    memcpy(figures, made, sizeof made);
}

static const struct {
    const char *name;
    size_t offset;
} flags[] = {
    {"never", offsetof(ridge_saturation, never)},
    {"already", offsetof(ridge_saturation, already)},
    {"rising", offsetof(ridge_saturation, rising)},
    {"returns", offsetof(ridge_saturation, returns)},
};

static bool flag(const ridge_saturation *s, size_t i)
{
    bool value;
    memcpy(&value, (const char *)s + flags[i].offset, sizeof value);
    return value;
}

static bool is_solved(const ridge_saturation *s, size_t param)
{
    for (size_t i = 0; i < s->param_count; i++)
        if (s->param[i] == param)
            return true;
    return false;
}

static void put_params(ridge__json *j, const ridge_saturation *s)
{
    ridge__json_open(j, "params", '{');
    for (size_t i = 0; i < s->call.op->param_count; i++) {
        char buf[48];
        if (!(s->call.given >> i & 1u) || is_solved(s, i))
            continue;
        const char *word = ridge__call_word(buf, sizeof buf, &s->call, i);
        if (word)
            ridge__json_text(j, s->call.op->params[i].name, word);
        else
            ridge__json_number(j, s->call.op->params[i].name, s->call.arg[i]);
    }
    ridge__json_close(j, '}');
}

static void write_json(ridge__str *out, const ridge_saturation_result *result,
                       const ridge_style *style)
{
    (void)style;
    const ridge_saturation *s = result->saturation;
    facts f = facts_of(result);
    figure figures[FIGURES];
    ridge__json j;
    figures_of(figures, result, &f);
    ridge__json_init(&j, out);
    ridge__json_open(&j, NULL, '{');
    ridge__json_text(&j, "op", s->call.op->name);
    ridge__json_text(&j, "gpu", ridge_machine_id(result->machine));
    put_params(&j, s);
    ridge__json_text(&j, "solve", f.keys);
    ridge__json_text(&j, "by", result->question->link ? "link" : "memory");
    for (size_t i = 0; i < FIGURES; i++)
        ridge__json_number(&j, figures[i].name, figures[i].value);
    for (size_t i = 0; i < RIDGE__COUNT(flags); i++)
        ridge__json_bool(&j, flags[i].name, flag(s, i));
    if (s->never || !f.fits_known)
        ridge__json_null(&j, "fits");
    else
        ridge__json_bool(&j, "fits", f.fits);
    ridge__json_text(&j, "growth", s->call.op->growth);
    ridge__warnings_json(&j, s->warnings);
    ridge__json_close(&j, '}');
    ridge__str_add(out, "\n", 1);
}

static void write_csv(ridge__str *out, const ridge_saturation_result *result,
                      const ridge_style *style)
{
    (void)style;
    const ridge_saturation *s = result->saturation;
    facts f = facts_of(result);
    figure figures[FIGURES];
    char digits[32];
    figures_of(figures, result, &f);
    ridge__str_text(out, "op,gpu,solve,by");
    for (size_t i = 0; i < FIGURES; i++)
        ridge__str_format(out, ",%s", figures[i].name);
    for (size_t i = 0; i < RIDGE__COUNT(flags); i++)
        ridge__str_format(out, ",%s", flags[i].name);
    const char *id = ridge_machine_id(result->machine);
    ridge__str_format(out, "\n%s,", s->call.op->name);
    ridge__csv_cell(out, id, strlen(id));
    ridge__str_add(out, ",", 1);
    ridge__csv_cell(out, f.keys, strlen(f.keys));
    ridge__str_text(out, result->question->link ? ",link" : ",memory");
    for (size_t i = 0; i < FIGURES; i++) {
        ridge__number_shortest(digits, figures[i].value);
        ridge__str_format(out, ",%s", digits);
    }
    for (size_t i = 0; i < RIDGE__COUNT(flags); i++)
        ridge__str_format(out, ",%d", flag(s, i));
    ridge__str_add(out, "\n", 1);
}

ridge_status ridge_saturation_write(const ridge_saturation_result *result,
                                    const ridge_style *style, ridge_sink sink,
                                    ridge_error *err)
{
    static void (*const writers[RIDGE_FORMAT_COUNT])(
        ridge__str *, const ridge_saturation_result *, const ridge_style *) = {
        [RIDGE_TEXT] = write_text,
        [RIDGE_JSON] = write_json,
        [RIDGE_CSV] = write_csv,
    };
    ridge__str out;
    if ((size_t)style->format >= RIDGE__COUNT(writers))
        return ridge__error_set(err, RIDGE_INVALID, "%d is no format",
                                (int)style->format);
    ridge__str_init(&out, 0, NULL);
    writers[style->format](&out, result, style);
    ridge_status status = ridge__str_send(&out, sink, err);
    ridge__str_clear(&out);
    return status;
}
