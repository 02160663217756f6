#include "chart/chart.h"

#include <string.h>

void ridge__field_add_box(ridge__field *field, ridge__box box)
{
    if (field->box_count == field->box_room) {
        size_t room = field->box_room ? field->box_room * 2 : 64;
        ridge__box *more = ridge__arena_alloc(field->arena, room * sizeof *more);
        if (!more)
            return; /* the arena remembers; the drawing is dropped at the end */
        if (field->box_count)
            memcpy(more, field->box, field->box_count * sizeof *more);
        field->box = more;
        field->box_room = room;
    }
    field->box[field->box_count++] = box;
}

void ridge__field_add_stroke(ridge__field *field, ridge__stroke stroke, double weight)
{
    if (field->stroke_count == RIDGE__STROKES)
        return;
    field->stroke[field->stroke_count] = stroke;
    field->weight[field->stroke_count++] = weight;
}

static bool overlap(ridge__box a, ridge__box b)
{
    return a.x0 < b.x1 && b.x0 < a.x1 && a.y0 < b.y1 && b.y0 < a.y1;
}

/* Narrow [*from, *to] to where p + t d lies in [low, high]. */
static bool clip(double p, double d, double low, double high, double *from, double *to)
{
    if (d == 0)
        return p >= low && p <= high;
    double a = (low - p) / d, b = (high - p) / d;
    *from = fmax(*from, fmin(a, b));
    *to = fmin(*to, fmax(a, b));
    return *from <= *to;
}

/* Does a stroke pass through a box [Liang and Barsky 1984]? */
static bool crosses(ridge__stroke s, ridge__box b)
{
    double from = 0, to = 1;
    return clip(s.x0, s.x1 - s.x0, b.x0, b.x1, &from, &to) &&
           clip(s.y0, s.y1 - s.y0, b.y0, b.y1, &from, &to);
}

double ridge__field_cost(const ridge__field *field, ridge__box box)
{
    double cost = 0;
    if (box.x0 < field->inside.x0 || box.x1 > field->inside.x1 ||
        box.y0 < field->inside.y0 || box.y1 > field->inside.y1)
        cost += RIDGE__BLOCKED;
    for (size_t i = 0; i < field->box_count; i++)
        cost += overlap(box, field->box[i]) ? RIDGE__BLOCKED : 0;
    for (size_t i = 0; i < field->stroke_count; i++)
        cost += crosses(field->stroke[i], box) ? field->weight[i] : 0;
    return cost;
}
