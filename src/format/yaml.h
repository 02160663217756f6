/*
 * YAML into structs, by libcyaml's schema tables; the only place that includes it.
 * Adds what a person needs: errors as FILE:LINE with the sentence of the cause.
 */
#ifndef RIDGE_FORMAT_YAML_H
#define RIDGE_FORMAT_YAML_H

#include "base/base.h"

#include <cyaml/cyaml.h>

/* Parse `size` bytes by a schema into *out; *err gets where and line.  Free with
 * ridge__yaml_free and the same schema. */
RIDGE_MUST_CHECK ridge_status ridge__yaml_parse(void **out, const char *text, size_t size,
                                                const char *where,
                                                const cyaml_schema_value_t *schema,
                                                ridge_error *err);
void ridge__yaml_free(void *data, const cyaml_schema_value_t *schema);

#endif
