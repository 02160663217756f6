/*
 * Any lines as the bands of a fit, and as conditions: what is taken reads back the same when
 * it is written, and an interval by bands holds 1 and never shortens with the call.
 */
#include "hw/fit.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
    if (!condition)
        abort();
}

/* A condition, written, means what it meant. */
static void check_when(const char *line)
{
    ridge__fit_when when, again;
    ridge__str text;
    if (!ridge__fit_when_parse(&when, line))
        return;
    ridge__str_init(&text, 0, NULL);
    ridge__fit_when_write(&text, &when);
    require(ridge__fit_when_parse(&again, ridge__str_data(&text)));
    for (int i = 0; i < 1 << 10; i++) {
        ridge_fit a = {.when_count = 1}, b = {.when_count = 1};
        a.when[0] = when;
        b.when[0] = again;
        const ridge__fit_shape shape = {.dim = (i & 7) * 64,
                                        .group = i & 7,
                                        .window = i >> 3 & 1,
                                        .causal = i >> 4 & 1,
                                        .phase = (int8_t)(i >> 5 & 3),
                                        .profiled = i >> 7 & 1,
                                        .bridged = i >> 8 & 1};
        require(ridge__fit_takes(&a, &shape, i >> 9) ==
                ridge__fit_takes(&b, &shape, i >> 9));
    }
    ridge__str_clear(&text);
}

/* Alone, and with what estimate.c adds in squares. */
static void check_bands(const ridge_fit *fit, double beside)
{
    const double slack = 1 + 1e-6;
    double low_before = 0, high_before = 0;
    for (int i = -90; i < 30; i++) {
        double at = pow(10, i / 10.0), low, high;
        ridge__fit_spread(fit, at, &low, &high);
        require(low > 0 && low <= slack && high * slack >= 1 && high < 1e3);
        low = at * exp(-hypot(log(low), beside));
        high = at * exp(hypot(log(high), beside));
        require(low * slack >= low_before && high * slack >= high_before);
        low_before = low;
        high_before = high;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    ridge_fit fit = {.low = 0.9, .high = 1.1};
    for (char *line = text, *end; line; line = end ? end + 1 : NULL) {
        end = strchr(line, '\n');
        if (end)
            *end = '\0';
        check_when(line);
        if (fit.band_count < RIDGE_FIT_BANDS_MAX &&
            ridge__fit_band_parse(&fit.band[fit.band_count], line))
            fit.band_count++;
    }
    if (ridge__fit_bands_grow(&fit))
        for (double beside = 0; beside < 1; beside += 0.3)
            check_bands(&fit, beside);
    free(text);
    return 0;
}
