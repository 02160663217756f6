/*
 * Text <-> numbers.  The decimal point is always '.', whatever the host's locale, and the
 * result never depends on the machine.  Everything that reads or prints a number for a
 * person or a file goes through here.
 */
#ifndef RIDGE_NUMBER_H
#define RIDGE_NUMBER_H

#include <ridge.h>

/*
 * Read a decimal number ("12", "3.35", "1e9", ".5") at text; end receives the first byte
 * after it.  Correctly rounded.  SYNTAX if none is there or it is negative; LIMIT if it
 * is not finite.  Hex, "inf" and "nan" are SYNTAX.
 */
RIDGE_MUST_CHECK ridge_status ridge__number_parse(double *out, const char *text,
                                                  const char **end);

/* The same times 10^power, as if the exponent had been written: still rounded once. */
RIDGE_MUST_CHECK ridge_status ridge__number_parse_scaled(double *out, const char *text,
                                                         const char **end, int power);

/*
 * Write `value` with at most `digits` (1..17) significant digits, no trailing zeros, and
 * an exponent where it is shorter ("1.72e-05").  Returns the length; buf needs 32 bytes.
 * Unknown writes nothing and returns 0.
 */
size_t ridge__number_format(char *buf, double value, int digits);
/*
 * The same divided by 10^*power: the multiple of three, low <= *power <= high, that
 * leaves one to three digits before the point where the range allows it.
 */
size_t ridge__number_format_scaled(char *buf, double value, int digits, int low, int high,
                                   int *power);
/* ridge_quantity_format() with `precision` (1..17) significant digits. */
size_t ridge__quantity_format(char *buf, size_t size, double value, ridge_unit unit,
                              int precision);
/* The shortest digits that read back as the same double. */
size_t ridge__number_shortest(char *buf, double value);

#endif
