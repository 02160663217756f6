/* A measured time against the estimate: rates, shares, verdict. */
#include "base/base.h"
#include "machine/machine.h"

#include <stdlib.h>

/* Times and floors come from different roundings; a hair below the floor is not below. */
static const double ROUNDING = 1e-9;
/* A boost clock exceeds the rated one by up to this; more is not the clock. */
static const double CLOCK_MARGIN = 1.10;

/* Median, smallest and largest. */
static ridge_status summarise(ridge_measurement *m, const double *times_s, size_t count,
                              ridge_error *err)
{
    for (size_t i = 0; i < count; i++)
        if (!(times_s[i] > 0) || !isfinite(times_s[i]))
            return ridge__error_set(err, RIDGE_INVALID,
                                    "a measured time is %s; it must be above zero",
                                    times_s[i] == 0 ? "zero" : "no positive number");
    if (count == 0 || count > SIZE_MAX / sizeof *times_s)
        return ridge__error_set(err, RIDGE_INVALID,
                                "no time is given; at least one is needed");
    double *sorted = malloc(count * sizeof *sorted);
    if (!sorted)
        return ridge__error_set(err, RIDGE_NOMEM, "out of memory");
    memcpy(sorted, times_s, count * sizeof *sorted);
    ridge__sort_numbers(sorted, count);
    m->count = count;
    m->time_s = ridge__sorted_middle(sorted, count);
    m->min_s = sorted[0];
    m->max_s = sorted[count - 1];
    free(sorted);
    return RIDGE_OK;
}

static ridge_verdict judge(const ridge_estimate *e, double time_s)
{
    static const ridge_verdict verdicts[] = {
        [RIDGE_BY_COMPUTE] = RIDGE_VERDICT_COMPUTE,
        [RIDGE_BY_MEMORY] = RIDGE_VERDICT_MEMORY,
        [RIDGE_BY_COMMUNICATION] = RIDGE_VERDICT_COMMUNICATION,
        [RIDGE_BY_LATENCY] = RIDGE_VERDICT_LATENCY,
    };
    double reached = time_s * (1 + ROUNDING);
    /* An unknown floor excludes nothing: every comparison with it is false. */
    if (reached < e->floor_s)
        return reached < e->l2_floor_s ? RIDGE_VERDICT_BELOW_FLOOR
                                       : RIDGE_VERDICT_L2_RESIDENT;
    return verdicts[e->bound];
}

/* The clock at which the pipe used would reach the measured rate. */
static double implied_clock(const ridge_estimate *e, const ridge_machine *machine,
                            double achieved_flop_per_s)
{
    if (e->work.dtype >= RIDGE_DTYPE_COUNT || e->pipe >= RIDGE_PIPE_COUNT)
        return RIDGE_UNKNOWN;
    ridge_dtype math = ridge__dtype((ridge_dtype)e->work.dtype)->math;
    return machine->peak_clock_hz[math][e->pipe] * achieved_flop_per_s /
           e->peak_flop_per_s;
}

ridge_status ridge_measurement_place(ridge_measurement *out,
                                     const ridge_estimate *estimate,
                                     const ridge_machine *machine, const double *times_s,
                                     size_t count, double before_s, ridge_error *err)
{
    const ridge_estimate *e = estimate;
    ridge_measurement m = {.before_s = before_s};
    ridge_status status = summarise(&m, times_s, count, err);
    if (status)
        return status;
    m.achieved_flop_per_s = e->work.flop / m.time_s;
    m.achieved_bytes_per_s = e->work.bytes / m.time_s;
    m.of_roof = e->floor_s / m.time_s;
    m.of_peak = m.achieved_flop_per_s / e->peak_flop_per_s;
    m.of_bandwidth = m.achieved_bytes_per_s / e->bandwidth_bytes_per_s;
    m.of_expected = e->expected_s / m.time_s;
    m.implied_clock_hz = implied_clock(e, machine, m.achieved_flop_per_s);
    m.verdict = judge(e, m.time_s);
    if (m.verdict == RIDGE_VERDICT_BELOW_FLOOR)
        m.warnings |= RIDGE_WARNING_BELOW_FLOOR;
    if (m.verdict == RIDGE_VERDICT_L2_RESIDENT)
        m.warnings |= RIDGE_WARNING_L2_RESIDENT;
    if (m.of_peak > 1 + ROUNDING && m.of_peak <= CLOCK_MARGIN)
        m.warnings |= RIDGE_WARNING_CLOCK_ABOVE_RATING;
    *out = m;
    return RIDGE_OK;
}
