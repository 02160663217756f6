/* What doubling a resource would give: the estimate again, on another machine. */
#include "base/base.h"
#include "machine/machine.h"

/* Everything that runs at the clock: peaks, and an L2 rate derived from it. */
static void double_clock(ridge_machine *m)
{
    for (size_t i = 0; i < RIDGE_DTYPE_COUNT; i++) {
        if (ridge_known(m->peak_clock_hz[i][RIDGE_MATRIX]))
            m->peak_acc16[i].value *= 2;
        for (size_t p = 0; p < RIDGE_PIPE_COUNT; p++) {
            if (!ridge_known(m->peak_clock_hz[i][p]))
                continue; /* a peak that belongs to no clock stays */
            m->peak[i][p].value *= 2;
            m->peak_clock_hz[i][p] *= 2;
        }
    }
    if (m->l2.origin == RIDGE_DERIVED)
        m->l2.value *= 2;
    m->clock_matrix_hz *= 2;
    m->clock_vector_hz *= 2;
}

static double relevant_time(const ridge_estimate *e, bool of_floor)
{
    return of_floor ? e->floor_s : e->expected_s;
}

/* Time on the changed machine over the time now; unknown if it cannot be estimated. */
static double ratio_on(const ridge_machine *changed, const ridge_call *call,
                       const ridge_estimate *now, bool of_floor)
{
    ridge_estimate e;
    if (ridge_estimate_call(&e, changed, call, NULL))
        return RIDGE_UNKNOWN;
    return relevant_time(&e, of_floor) / relevant_time(now, of_floor);
}

/* Ratio with `key` set to twice its value. */
static double ratio_doubled(const ridge_machine *machine, const char *key,
                            const ridge_call *call, const ridge_estimate *now,
                            bool of_floor)
{
    ridge_machine changed = *machine;
    changed.override_count = 0; /* a copy that nobody reports on */
    if (ridge_machine_set(&changed, key, "2x", NULL))
        return RIDGE_UNKNOWN;
    return ratio_on(&changed, call, now, of_floor);
}

/* Links of a node, or what is between nodes (of bridged pairs: the host's bus). */
static double ratio_wired(const ridge_machine *machine, bool between,
                          const ridge_call *call, const ridge_estimate *now,
                          bool of_floor)
{
    ridge_machine faster = *machine;
    if (!between)
        return ratio_doubled(machine, "link", call, now, of_floor);
    faster.inside.beyond.value *= 2;
    faster.between.bandwidth.value *= 2;
    faster.between.achieved.value *= 2;
    return ratio_on(&faster, call, now, of_floor);
}

ridge_status ridge_sensitivity_find(ridge_sensitivity *out, const ridge_machine *machine,
                                    const ridge_call *call, ridge_error *err)
{
    ridge_estimate now;
    ridge_status status = ridge_estimate_call(&now, machine, call, err);
    if (status)
        return status;
    ridge_sensitivity s = {.of_floor = !ridge_known(now.expected_s),
                           .clock_2x = RIDGE_UNKNOWN,
                           .link_2x = RIDGE_UNKNOWN,
                           .network_2x = RIDGE_UNKNOWN};
    s.peak_2x = ratio_doubled(machine, "peak", call, &now, s.of_floor);
    s.dram_2x = ratio_doubled(machine, "dram", call, &now, s.of_floor);
    if (ridge_known(machine->clock_matrix_hz) || ridge_known(machine->clock_vector_hz)) {
        ridge_machine faster = *machine;
        double_clock(&faster);
        s.clock_2x = ratio_on(&faster, call, &now, s.of_floor);
    }
    if (now.work.wire_bytes > 0)
        s.link_2x = ratio_wired(machine, false, call, &now, s.of_floor);
    if (now.work.network_bytes > 0)
        s.network_2x = ratio_wired(machine, true, call, &now, s.of_floor);
    s.feed_bytes_per_s = now.peak_flop_per_s / now.intensity;
    *out = s;
    return RIDGE_OK;
}
