/* Several calls as one kernel, for a person and for programs. */
#include "format/csv.h"
#include "format/json.h"
#include "machine/machine.h"
#include "op/op.h"
#include "report/page.h"

#include <stdio.h>

/* ---- What there is to say ---------------------------------------------------------- */

/* How many times shorter it is: by the expected times, else by the floors. */
static double gain(const ridge_fusion *f)
{
    if (ridge_known(f->expected_s) && ridge_known(f->expected_before_s))
        return f->expected_before_s / f->expected_s;
    return f->floor_before_s / f->floor_s;
}

static const char *operand(const ridge_call *call, size_t i)
{
    return i < call->op->operand_count ? call->op->operands[i] : "?";
}

/* "add + relu" */
static void put_names(ridge__str *out, const ridge_fusion *f)
{
    for (size_t i = 0; i < f->count; i++)
        ridge__str_format(out, "%s%s", i ? " + " : "", f->call[i].op->name);
}

/* Why a link cannot stay on chip; a sentence without its end. */
static void put_reason(ridge__str *out, const ridge_fusion *f, size_t i)
{
    const ridge_fuse_link *link = &f->link[i];
    const ridge_op *from = f->call[i].op, *to = f->call[i + 1].op;
    if (link->scope == RIDGE_FUSE_ALL) {
        ridge__str_format(
            out,
            "%s reads parts of %s that any block of %s may have written: it "
            "waits until all %s of it are there",
            to->name, operand(&f->call[i + 1], link->to), from->name,
            RIDGE__Q(link->written_bytes, RIDGE_UNIT_BYTES));
        return;
    }
    ridge__str_format(
        out, "%s between %s and %s needs %s on chip at once, and a block has %s",
        link->scope == RIDGE_FUSE_ROWS ? "a tile of whole rows" : "a row", from->name,
        to->name, RIDGE__Q(link->on_chip_bytes, RIDGE_UNIT_BYTES),
        RIDGE__Q(f->shared_bytes, RIDGE_UNIT_BYTES));
    if (strcmp(to->name, "softmax") == 0 || strcmp(from->name, "softmax") == 0)
        ridge__str_text(out, "; an online softmax keeps running sums in its place: see "
                             "ridge op attention");
}

static bool in_l2(const ridge_fuse_link *link, const ridge_machine *machine)
{
    return link->written_bytes <= machine->l2_capacity.value;
}

/* ---- Text -------------------------------------------------------------------------- */

static void put_headline(ridge__str *out, const ridge_fusion *f)
{
    ridge__str text;
    ridge__str_init(&text, 0, NULL);
    bool expected = ridge_known(f->expected_s);
    if (!f->possible) {
        ridge__str_text(&text, "not as one kernel: ");
        put_reason(&text, f, f->refused);
    } else if (f->count == 1) {
        ridge__str_text(&text, "one operation is one kernel already: nothing is won");
    } else if (!ridge_known(gain(f))) {
        ridge__str_format(&text,
                          "one kernel is possible: it moves %s instead of %s; its "
                          "time is not known, as a part's is not",
                          RIDGE__Q(f->bytes, RIDGE_UNIT_BYTES),
                          RIDGE__Q(f->bytes_before, RIDGE_UNIT_BYTES));
    } else {
        ridge__str_format(&text, "%s times faster as one kernel: %s %s instead of %s",
                          RIDGE__N(gain(f)), expected ? "expect" : "at least",
                          RIDGE__S(expected ? f->expected_s : f->floor_s),
                          RIDGE__S(expected ? f->expected_before_s : f->floor_before_s));
    }
    ridge__wrap(out, 0, 0, ridge__str_data(&text));
    out->failed = out->failed || text.failed;
    ridge__str_clear(&text);
}

enum {
    NAME_WIDTH = 24
};

static void put_line(ridge__str *out, const char *name, double bytes, double floor_s,
                     double expected_s, const char *bound)
{
    ridge__str_format(out, "  %-*.*s %11s %11s %11s  %s\n", NAME_WIDTH, NAME_WIDTH, name,
                      RIDGE__Q(bytes, RIDGE_UNIT_BYTES), RIDGE__S(floor_s),
                      RIDGE__S(expected_s), bound);
}

static void put_times(ridge__str *out, const ridge_fusion *f)
{
    ridge__str_format(out, "  %-*s %11s %11s %11s  %s\n", NAME_WIDTH, "", "moved",
                      "floor", "expected", "bound");
    for (size_t i = 0; i < f->count; i++) {
        const ridge_estimate *e = &f->part[i];
        put_line(out, f->call[i].op->name, e->work.bytes, e->floor_s, e->expected_s,
                 ridge_bound_name(e->bound));
    }
    put_line(out, "one by one", f->bytes_before, f->floor_before_s, f->expected_before_s,
             ridge_bound_name(f->bound_before));
    if (f->possible)
        put_line(out, "as one", f->bytes, f->floor_s, f->expected_s,
                 ridge_bound_name(f->bound));
}

static void put_link(ridge__str *out, const ridge_fusion *f, size_t i,
                     const ridge_machine *machine)
{
    static const char *const what[] = {
        [RIDGE_FUSE_ELEMENT] = "an element per thread",
        [RIDGE_FUSE_ROW] = "a row per block",
        [RIDGE_FUSE_TILE] = "a tile per block, 16 rows of it",
        [RIDGE_FUSE_ROWS] = "a tile of 16 whole rows per block",
        [RIDGE_FUSE_ALL] = "all of it",
    };
    static const char *const fits[] = {"whether it fits is not known", "does not fit",
                                       "fits"};
    const ridge_fuse_link *link = &f->link[i];
    ridge__row_format(out, "between", "%s of %s is %s of %s",
                      operand(&f->call[i], link->from), f->call[i].op->name,
                      operand(&f->call[i + 1], link->to), f->call[i + 1].op->name);
    ridge__row_format(out, "", "%s written and %s read back%s",
                      RIDGE__Q(link->written_bytes, RIDGE_UNIT_BYTES),
                      RIDGE__Q(link->read_bytes, RIDGE_UNIT_BYTES),
                      in_l2(link, machine) ? "; it fits in L2, which may serve both"
                                           : "");
    ridge__row_format(out, "", "on chip: %s, %s: %s", what[link->scope],
                      RIDGE__Q(link->on_chip_bytes, RIDGE_UNIT_BYTES),
                      fits[link->fits + 1]);
}

static void put_gains(ridge__str *out, const ridge_fusion *f)
{
    double saved = f->bytes_before - f->bytes;
    ridge__row_format(out, "bytes", "%s saved of %s: %s",
                      RIDGE__Q(saved, RIDGE_UNIT_BYTES),
                      RIDGE__Q(f->bytes_before, RIDGE_UNIT_BYTES),
                      RIDGE__PERCENT(saved / f->bytes_before));
    if (ridge_known(f->launch_s))
        ridge__row_format(out, "launches", "1 instead of %zu: %s saved", f->count,
                          RIDGE__S(f->launch_before_s - f->launch_s));
    else
        ridge__row_format(out, "launches", "1 instead of %zu", f->count);
    ridge__row_format(out, "intensity", "%s instead of %s; the ridge is at %s",
                      RIDGE__Q(f->intensity, RIDGE_UNIT_FLOP_PER_BYTE),
                      RIDGE__Q(f->intensity_before, RIDGE_UNIT_FLOP_PER_BYTE),
                      RIDGE__Q(f->ridge, RIDGE_UNIT_FLOP_PER_BYTE));
    ridge__row_format(out, "bound", "%s, before %s", ridge_bound_name(f->bound),
                      ridge_bound_name(f->bound_before));
    ridge__row_format(out, "floor", "%s instead of %s: %s times", RIDGE__S(f->floor_s),
                      RIDGE__S(f->floor_before_s),
                      RIDGE__N(f->floor_before_s / f->floor_s));
    if (ridge_known(f->expected_s))
        ridge__row_format(out, "expected", "%s (%s to %s) instead of %s: %s times",
                          RIDGE__S(f->expected_s), RIDGE__S(f->low_s),
                          RIDGE__S(f->high_s), RIDGE__S(f->expected_before_s),
                          RIDGE__N(gain(f)));
}

static void write_text(ridge__str *out, const ridge_fusion *f,
                       const ridge_machine *machine, const ridge_style *style)
{
    ridge__str title;
    ridge__str_init(&title, 0, NULL);
    put_names(&title, f);
    ridge__str_format(&title, " on %s", ridge_machine_id(machine));
    ridge__wrap(out, 0, 0, ridge__str_data(&title));
    out->failed = out->failed || title.failed;
    ridge__str_clear(&title);
    ridge__color(out, style, f->possible ? "1" : "1;31");
    put_headline(out, f);
    ridge__color(out, style, "0");
    ridge__str_text(out, "\n");
    put_times(out, f);
    if (f->count > 1)
        ridge__heading(out, style, "What passes from one to the next");
    for (size_t i = 0; i + 1 < f->count; i++)
        put_link(out, f, i, machine);
    if (f->possible && f->count > 1) {
        ridge__heading(out, style, "What is won");
        put_gains(out, f);
    }
    ridge__warnings_text(out, f->warnings, style);
}

/* ---- Programs ---------------------------------------------------------------------- */

typedef struct figure {
    const char *name;
    double value;
} figure;

enum {
    FIGURES = 17
};

static void figures_of(figure figures[FIGURES], const ridge_fusion *f)
{
    bool one = f->possible;
    const figure made[FIGURES] = {
        {"flop", f->flop},
        {"bytes_before", f->bytes_before},
        {"bytes", f->bytes},
        {"saved_bytes", f->bytes_before - f->bytes},
        {"intensity_before", f->intensity_before},
        {"intensity", f->intensity},
        {"ridge", f->ridge},
        {"floor_before_s", f->floor_before_s},
        {"floor_s", f->floor_s},
        {"expected_before_s", f->expected_before_s},
        {"expected_s", f->expected_s},
        {"low_s", f->low_s},
        {"high_s", f->high_s},
        {"launches_saved", one ? (double)(f->count - 1) : RIDGE_UNKNOWN},
        {"launch_saved_s", f->launch_before_s - f->launch_s},
        {"floor_gain", f->floor_before_s / f->floor_s},
        {"gain", gain(f)},
    };
    memcpy(figures, made, sizeof made);
}

static void put_part(ridge__json *j, const ridge_fusion *f, size_t i)
{
    const ridge_estimate *e = &f->part[i];
    ridge__json_open(j, NULL, '{');
    ridge__json_text(j, "op", f->call[i].op->name);
    ridge__params_json(j, &f->call[i]);
    ridge__json_number(j, "flop", e->work.flop);
    ridge__json_number(j, "bytes", e->work.bytes);
    ridge__json_number(j, "floor_s", e->floor_s);
    ridge__json_number(j, "expected_s", e->expected_s);
    ridge__json_text(j, "bound", ridge_bound_name(e->bound));
    ridge__json_close(j, '}');
}

static void put_link_json(ridge__json *j, const ridge_fusion *f, size_t i)
{
    const ridge_fuse_link *link = &f->link[i];
    ridge__json_open(j, NULL, '{');
    ridge__json_text(j, "from", f->call[i].op->name);
    ridge__json_text(j, "result", operand(&f->call[i], link->from));
    ridge__json_text(j, "to", f->call[i + 1].op->name);
    ridge__json_text(j, "input", operand(&f->call[i + 1], link->to));
    ridge__json_number(j, "elements", link->elements);
    ridge__json_number(j, "written_bytes", link->written_bytes);
    ridge__json_number(j, "read_bytes", link->read_bytes);
    ridge__json_text(j, "scope", ridge_fuse_scope_name(link->scope));
    ridge__json_number(j, "on_chip_bytes", link->on_chip_bytes);
    if (link->fits < 0)
        ridge__json_null(j, "fits");
    else
        ridge__json_bool(j, "fits", link->fits > 0);
    ridge__json_close(j, '}');
}

static void write_json(ridge__str *out, const ridge_fusion *f,
                       const ridge_machine *machine, const ridge_style *style)
{
    (void)style;
    ridge__json j;
    ridge__str reason;
    figure figures[FIGURES];
    figures_of(figures, f);
    ridge__str_init(&reason, 0, NULL);
    ridge__json_init(&j, out);
    ridge__json_open(&j, NULL, '{');
    ridge__json_text(&j, "gpu", ridge_machine_id(machine));
    ridge__json_open(&j, "ops", '[');
    for (size_t i = 0; i < f->count; i++)
        put_part(&j, f, i);
    ridge__json_close(&j, ']');
    ridge__json_open(&j, "links", '[');
    for (size_t i = 0; i + 1 < f->count; i++)
        put_link_json(&j, f, i);
    ridge__json_close(&j, ']');
    ridge__json_bool(&j, "possible", f->possible);
    if (!f->possible)
        put_reason(&reason, f, f->refused);
    ridge__json_text(&j, "reason", f->possible ? NULL : ridge__str_data(&reason));
    for (size_t i = 0; i < FIGURES; i++)
        ridge__json_number(&j, figures[i].name, figures[i].value);
    ridge__json_text(&j, "bound_before", ridge_bound_name(f->bound_before));
    ridge__json_text(&j, "bound", f->possible ? ridge_bound_name(f->bound) : NULL);
    ridge__warnings_json(&j, f->warnings);
    ridge__json_close(&j, '}');
    ridge__str_text(out, "\n");
    out->failed = out->failed || reason.failed;
    ridge__str_clear(&reason);
}

static void write_csv(ridge__str *out, const ridge_fusion *f,
                      const ridge_machine *machine, const ridge_style *style)
{
    (void)style;
    ridge__str names;
    figure figures[FIGURES];
    char digits[32];
    const char *id = ridge_machine_id(machine);
    figures_of(figures, f);
    ridge__str_init(&names, 0, NULL);
    put_names(&names, f);
    ridge__str_text(out, "ops,gpu,possible");
    for (size_t i = 0; i < FIGURES; i++)
        ridge__str_format(out, ",%s", figures[i].name);
    ridge__str_text(out, ",bound_before,bound\n");
    ridge__csv_cell(out, ridge__str_data(&names), names.size);
    ridge__str_text(out, ",");
    ridge__csv_cell(out, id, strlen(id));
    ridge__str_format(out, ",%d", f->possible);
    for (size_t i = 0; i < FIGURES; i++) {
        ridge__number_shortest(digits, figures[i].value);
        ridge__str_format(out, ",%s", digits);
    }
    ridge__str_format(out, ",%s,%s\n", ridge_bound_name(f->bound_before),
                      f->possible ? ridge_bound_name(f->bound) : "");
    out->failed = out->failed || names.failed;
    ridge__str_clear(&names);
}

ridge_status ridge_fusion_write(const ridge_fusion *fusion, const ridge_machine *machine,
                                const ridge_style *style, ridge_sink sink,
                                ridge_error *err)
{
    static void (*const writers[RIDGE_FORMAT_COUNT])(ridge__str *, const ridge_fusion *,
                                                     const ridge_machine *,
                                                     const ridge_style *) = {
        [RIDGE_TEXT] = write_text,
        [RIDGE_JSON] = write_json,
        [RIDGE_CSV] = write_csv,
    };
    ridge__str out;
    if ((size_t)style->format >= RIDGE__COUNT(writers))
        return ridge__error_set(err, RIDGE_INVALID, "%d is no format",
                                (int)style->format);
    ridge__str_init(&out, 0, NULL);
    writers[style->format](&out, fusion, machine, style);
    ridge_status status = ridge__str_send(&out, sink, err);
    ridge__str_clear(&out);
    return status;
}
