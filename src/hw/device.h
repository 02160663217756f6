/* device - one part from its YAML text, checked. */
#ifndef RIDGE_HW_DEVICE_H
#define RIDGE_HW_DEVICE_H

#include "base/base.h"
#include "hw/hw.h"

/* Everything lives in `arena`.  `where` is the file's name for messages. */
RIDGE_MUST_CHECK ridge_status ridge__device_parse(ridge_device **out, ridge__arena *arena,
                                                  const char *text, size_t size,
                                                  const char *where, ridge_error *err);

#endif
