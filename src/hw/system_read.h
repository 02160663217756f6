/* system_read - one system from its YAML text, checked against its part. */
#ifndef RIDGE_HW_SYSTEM_READ_H
#define RIDGE_HW_SYSTEM_READ_H

#include "hw/catalog.h"

/* Loads the part that the system names; everything lives in the catalogue's arena. */
RIDGE_MUST_CHECK ridge_status ridge__system_parse(const ridge_system **out,
                                                  ridge_catalog *catalog,
                                                  const ridge__entry *file,
                                                  ridge_error *err);

/* A link as such; implemented in link.c. */
RIDGE_MUST_CHECK ridge_status ridge__link_parse(const ridge_link **out,
                                                ridge_catalog *catalog,
                                                const ridge__entry *file,
                                                ridge_error *err);

#endif
