#include "table/table.h"

#include <string.h>

bool ridge__time_column_find(ridge__time_column *out, const ridge__csv_row *header)
{
    static const ridge__time_column none = {RIDGE__NO_COLUMN, 0, ""};
    static const struct {
        const char *name;
        double unit_s;
    } names[] = {{"time_us", 1e-6},
                 {"time_ms", 1e-3},
                 {"time_s", 1},
                 {"time_ns", 1e-9},
                 {"time", 0}};
    *out = none;
    for (size_t i = 0; i < ridge__csv_row_count(header); i++)
        for (size_t k = 0; k < RIDGE__COUNT(names); k++)
            if (strcmp(ridge__csv_row_field(header, i, NULL), names[k].name) == 0)
                *out = (ridge__time_column){i, names[k].unit_s, names[k].name};
    return out->column != RIDGE__NO_COLUMN;
}

ridge_status ridge__time_column_read(double *out, const ridge__time_column *time,
                                     const ridge__csv_row *row, ridge_error *err)
{
    size_t size;
    const char *text = ridge__csv_row_field(row, time->column, &size);
    bool bare = time->unit_s > 0;
    *out = RIDGE_UNKNOWN;
    if (size == 0)
        return RIDGE_OK;
    ridge_status status =
        ridge_quantity_parse(out, text, bare ? RIDGE_UNIT_NONE : RIDGE_UNIT_S, 0, err);
    if (!status) {
        *out *= bare ? time->unit_s : 1;
        if (!(*out > 0))
            status =
                ridge__error_set(err, RIDGE_INVALID, "a measured time is above zero");
    }
    if (status)
        ridge__error_at(err, time->name, 0);
    return status;
}
