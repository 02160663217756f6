#include "report/page.h"
#include "report/part.h"

#include <string.h>

enum {
    LABEL = 26, /* "fp16.matrix.acc_fp16" and an indent */
    VALUE = 12,
    RATIO = 7 /* with three parts: 26 + 12 + 2 x 19 = 76 of 80 columns */
};

typedef struct column {
    const ridge_device *device;
    const ridge__figure *figure;
    size_t count;
} column;

static const ridge__figure *find(const column *c, ridge__group group, const char *name)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->figure[i].group == group && strcmp(c->figure[i].name, name) == 0)
            return &c->figure[i];
    return NULL;
}

/* The figure without the unit that the heading says: "989.4 T". */
static void value_text(char *buf, size_t size, const ridge__figure *f)
{
    ridge__figure_text(buf, size, f->fact.value, f->unit);
    bool named = f->unit == RIDGE_UNIT_FLOP_PER_S || f->unit == RIDGE_UNIT_BYTES_PER_S ||
                 f->unit == RIDGE_UNIT_HZ || f->unit == RIDGE_UNIT_FLOP_PER_BYTE;
    char *blank = strchr(buf, ' ');
    if (!named || !blank)
        return;
    blank[strchr("PTGMk", blank[1]) ? 2 : 0] = '\0';
}

/* "-" where a dtype has no hardware path, "?" where nobody says. */
static const char *missing_text(const ridge_device *d, ridge__group group,
                                const char *name)
{
    if (group != RIDGE__GROUP_PEAK && group != RIDGE__GROUP_RIDGE &&
        group != RIDGE__GROUP_SPARSE)
        return "?";
    for (int t = 0; t < RIDGE_DTYPE_COUNT; t++) {
        const char *dtype = ridge_dtype_name((ridge_dtype)t);
        size_t size = strlen(dtype);
        if (d->unsupported & 1u << t && strncmp(name, dtype, size) == 0 &&
            name[size] == '.')
            return "-";
    }
    return "?";
}

static void put_row(ridge__str *out, const column *columns, size_t count,
                    const ridge__figure *row)
{
    const ridge__figure *first = find(&columns[0], row->group, row->name);
    char label[48];
    ridge__figure_label(label, sizeof label, row);
    ridge__str_format(out, "  %-*s", LABEL - 2, label);
    for (size_t i = 0; i < count; i++) {
        const ridge__figure *f = find(&columns[i], row->group, row->name);
        char value[48], ratio[40] = "";
        if (f)
            value_text(value, sizeof value, f);
        else
            snprintf(value, sizeof value, "%s",
                     missing_text(columns[i].device, row->group, row->name));
        if (f && first)
            snprintf(ratio, sizeof ratio, "%sx",
                     RIDGE__FIGURE(round(f->fact.value / first->fact.value * 1000) / 1000,
                                   RIDGE_UNIT_NONE));
        ridge__str_format(out, "%*s", VALUE, value);
        if (i > 0 && (ratio[0] || i + 1 < count)) /* no blanks at the end of a line */
            ridge__str_format(out, "%*s", RATIO, ratio);
    }
    ridge__str_text(out, "\n");
}

/* Rows of a group: the first part's in its order, then what only later ones have. */
static void put_group(ridge__str *out, const column *columns, size_t count,
                      ridge__group group, const ridge_style *style)
{
    bool headed = false;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < columns[i].count; k++) {
            const ridge__figure *f = &columns[i].figure[k];
            bool seen = f->group != group || strncmp(f->name, "of.", 3) == 0;
            for (size_t before = 0; before < i && !seen; before++)
                seen = find(&columns[before], group, f->name) != NULL;
            if (seen)
                continue;
            if (!headed)
                ridge__heading(out, style, ridge__group_heading(group));
            headed = true;
            put_row(out, columns, count, f);
        }
}

/* What is a word and no figure. */
static const char *arch_of(const ridge_device *d)
{
    return d->arch;
}
static const char *capability_of(const ridge_device *d)
{
    return d->capability;
}
static const char *process_of(const ridge_device *d)
{
    return d->process;
}
static const char *memory_of(const ridge_device *d)
{
    const ridge__memory *dram = ridge__device_memory(d, RIDGE_DRAM);
    return dram ? dram->name : NULL;
}

static void put_words(ridge__str *out, const ridge_device *const *devices, size_t count)
{
    static const struct {
        const char *label;
        const char *(*of)(const ridge_device *d);
    } rows[] = {{"arch", arch_of},
                {"capability", capability_of},
                {"process", process_of},
                {"memory", memory_of}};
    for (size_t r = 0; r < RIDGE__COUNT(rows); r++) {
        ridge__str_format(out, "  %-*s", LABEL - 2, rows[r].label);
        for (size_t i = 0; i < count; i++) {
            const char *word = rows[r].of(devices[i]);
            /* The blanks of a ratio go before the next value, not to the line's end. */
            ridge__str_format(out, " %*s", (i ? VALUE + RATIO : VALUE) - 1,
                              word ? word : "?");
        }
        ridge__str_text(out, "\n");
    }
}

void ridge__part_compare(ridge__str *out, const ridge_device *const *devices,
                         size_t count, const ridge_style *style, ridge__arena *scratch)
{
    column *columns = ridge__arena_alloc(scratch, count * sizeof *columns);
    if (!columns)
        return;
    for (size_t i = 0; i < count; i++) {
        columns[i].device = devices[i];
        columns[i].figure = ridge__part_figures(devices[i], scratch, &columns[i].count);
        if (!columns[i].figure)
            return;
    }
    for (size_t i = 0; i < count; i++)
        ridge__str_format(out, "%*s", i ? VALUE + RATIO : LABEL + VALUE, devices[i]->id);
    ridge__str_text(out, "\n\n");
    put_words(out, devices, count);
    for (int g = 0; g < RIDGE__GROUPS; g++)
        put_group(out, columns, count, (ridge__group)g, style);
    ridge__str_format(out, "\n  x: ratio to %s; -: no hardware path; ?: not known\n",
                      devices[0]->id);
}
