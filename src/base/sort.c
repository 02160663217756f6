#include "base/sort.h"

#include <stdlib.h>

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void ridge__sort_numbers(double *values, size_t count)
{
    if (count > 0)
        qsort(values, count, sizeof *values, by_value);
}

double ridge__sorted_middle(const double *sorted, size_t count)
{
    size_t half = count / 2;
    if (count == 0)
        return RIDGE_UNKNOWN;
    return count % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}
