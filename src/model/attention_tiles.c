/* Tiles of scores that the mask of an attention leaves: docs/model/attention.md. */
#include "base/base.h"
#include "model/attention.h"

typedef ridge__attn_shape shape;
typedef ridge__attn_tiles tiles;

/*
 * Sum of floor((a i + b) / m) for i in [0, n), whole numbers a, b >= 0, m > 0: the steps
 * of Euclid's algorithm, so that a mask of 1e9 queries costs no more than one of 100.
 */
static double floor_sum(double n, double m, double a, double b)
{
    double sum = 0;
    while (n > 0) {
        sum += n * (n - 1) / 2 * floor(a / m) + n * floor(b / m);
        a = fmod(a, m);
        b = fmod(b, m);
        double top = a * n + b;
        if (top < m)
            break;
        n = floor(top / m);
        b = fmod(top, m);
        double swap = m;
        m = a;
        a = swap;
    }
    return sum;
}

/* q queries, `group` of them packed at each position. */
static tiles count_tiles(const shape *s, double group, double tile_q, double tile_kv)
{
    double q = s->causal ? ridge__min(s->q, s->kv) : s->q;
    double before = ridge__max(s->kv - s->q, 0); /* keys before the first query */
    double rows = ceil(q * group / tile_q);
    double columns = ceil(s->kv / tile_kv);
    tiles t = {rows, rows * columns, columns, 0};
    /* Columns that one row of tiles can touch through a window. */
    double reach = s->window + ceil(tile_q / group) - 1;
    double window_columns =
        s->window > 0 ? floor((reach + tile_kv - 2) / tile_kv) + 1 : 0;
    if (!s->causal) {
        if (s->window > 0 && window_columns < columns) {
            t.most = window_columns;
            t.total = rows * window_columns;
        }
        t.masked = fmod(s->kv, tile_kv) > 0 ? rows : 0;
        return t;
    }
    /* Last key of row i: before + floor(((i+1) tile_q - 1) / group); the last row is cut. */
    double step = group * tile_kv;
    t.total = floor_sum(rows - 1, step, tile_q, before * group + tile_q - 1) +
              floor((before + q - 1) / tile_kv) + rows;
    t.masked = rows * ridge__max(1, ceil(tile_q / step));
    if (s->window > 0) {
        /* First key of row i: before + floor(i tile_q / group) - window + 1, if positive. */
        double late = ceil(ridge__max((s->window - 1 - before) * group, 0) / tile_q);
        double first = (before - s->window + 1) * group + late * tile_q;
        if (late < rows)
            t.total -= floor_sum(rows - late, step, tile_q, first);
        t.most = ridge__min(columns, window_columns);
        t.masked += late < rows ? rows - late : 0;
    }
    t.masked = ridge__min(t.masked, t.total);
    return t;
}

/* Of sequences of several lengths: the mean of one, and the longest row of all. */
ridge__attn_tiles ridge__attn_count_tiles(const shape *s, double group, double tile_q,
                                          double tile_kv)
{
    if (!s->lists)
        return count_tiles(s, group, tile_q, tile_kv);
    tiles mean = {0, 0, 0, 0};
    shape one = *s;
    double times;
    for (ridge__sequences at = ridge__sequences_begin(s->lists);
         ridge__sequences_next(&at, &one.q, &one.kv, &times);) {
        tiles t = count_tiles(&one, group, tile_q, tile_kv);
        double share = times / s->batch;
        mean.rows += share * t.rows;
        mean.total += share * t.total;
        mean.masked += share * t.masked;
        mean.most = ridge__max(mean.most, t.most);
    }
    return mean;
}
