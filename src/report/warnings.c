/* The sentence of each warning: what it means, and what to do about it. */
#include "report/page.h"

static const struct {
    uint32_t bit;
    const char *sentence;
} sentences[] = {
    {RIDGE_WARNING_BELOW_FLOOR,
     "the time is shorter than the work can take at stated rates: something else was "
     "measured than was counted"},
    {RIDGE_WARNING_L2_RESIDENT,
     "the time is below the floor of a cold run and possible if the data were already in "
     "L2; with --warm the roof is that of L2"},
    {RIDGE_WARNING_LATENCY_BOUND,
     "launch and serial latency outweigh compute and memory: fuse, batch or use a graph "
     "before tuning the kernel"},
    {RIDGE_WARNING_SPARSE_PEAK,
     "a peak with 2:4 sparsity was asked for: dense data cannot "
     "reach it"},
    {RIDGE_WARNING_CLOCK_ABOVE_RATING,
     "the clock is above the one that the part is rated at: power may not allow it"},
    {RIDGE_WARNING_UNSUPPORTED_DTYPE,
     "the part has no units for this dtype, or no peak is stated for it: its compute "
     "time is unknown or that of a conversion"},
    {RIDGE_WARNING_EXTRAPOLATED,
     "the shape lies outside those that the constants were fitted on: the interval is "
     "wider"},
    {RIDGE_WARNING_BORROWED,
     "constants or figures come from another part or operation: the interval is wider"},
    {RIDGE_WARNING_MISALIGNED,
     "a row is no multiple of 16 bytes: wide loads and the matrix pipe need alignment; "
     "padding may be faster"},
    {RIDGE_WARNING_DOES_NOT_FIT,
     "the operands need more memory than the part has: as it stands this cannot run"},
    {RIDGE_WARNING_UNIT_AMBIGUOUS,
     "a unit can be read in two ways; the SI one was taken"},
    {RIDGE_WARNING_NOT_COUNTED, "part of the work is left out of the count"},
    {RIDGE_WARNING_LOW_CONFIDENCE,
     "a hardware figure rests on a weak source; --explain names it"},
    {RIDGE_WARNING_SHORT_K,
     "k is short: filling and draining the pipeline of each tile costs a visible share"},
    {RIDGE_WARNING_POWER_LIMITED,
     "a long matrix product draws the part's full power: the clock drops below the one "
     "that the peak is quoted at"},
    {RIDGE_WARNING_BEST_BACKEND_ASSUMED,
     "the backend is unknown: the best library is assumed"},
    {RIDGE_WARNING_TIMING_ASSUMED,
     "the way of timing is unknown: a launch in a CUDA graph is assumed"},
    {RIDGE_WARNING_UNMEASURED,
     "no measured times stand behind the expected time: typical shares of the stated "
     "rates, and an interval that is a judgement"},
};

const char *ridge__warning_sentence(uint32_t bit)
{
    for (size_t i = 0; i < RIDGE__COUNT(sentences); i++)
        if (sentences[i].bit == bit)
            return sentences[i].sentence;
    return "no description";
}

uint32_t ridge__result_warnings(const ridge_result *result)
{
    return result->estimate->warnings |
           (result->measurement ? result->measurement->warnings : 0);
}
