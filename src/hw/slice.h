/* slice - an instance of a part that is split in hardware (NVIDIA's MIG), as a part. */
#ifndef RIDGE_HW_SLICE_H
#define RIDGE_HW_SLICE_H

#include "base/base.h"
#include "hw/hw.h"

/* The part of "a100-sxm-80/1g.10gb": its length in `name`; 0 if this is no such name. */
size_t ridge__slice_split(const char *name);

/*
 * The slice of that name as a device in the arena: units, and with them peaks and L1, by
 * its share of the units; memory and L2 by its share of the memory.  NOTFOUND lists what
 * the part has.
 */
RIDGE_MUST_CHECK ridge_status ridge__slice_make(const ridge_device **out,
                                                const ridge_device *whole,
                                                const char *name, ridge__arena *arena,
                                                ridge_error *err);

#endif
