/* Numbers in order, and their middle. */
#ifndef RIDGE_SORT_H
#define RIDGE_SORT_H

#include <ridge.h>

/* Ascending; none may be unknown. */
void ridge__sort_numbers(double *values, size_t count);
/* The middle of sorted values, the mean of the two there are; unknown of none. */
double ridge__sorted_middle(const double *sorted, size_t count);

#endif
