/*
 * YAML into structs, by libcyaml's schema tables; the only place that includes it.
 * Adds what a person needs: errors as FILE:LINE with the sentence of the cause, and a
 * plain subset (no anchors, aliases or tags; one document; nesting is bounded), so that
 * a small file cannot grow into a large one.
 */
#ifndef RIDGE_FORMAT_YAML_H
#define RIDGE_FORMAT_YAML_H

#include "base/base.h"

#include <cyaml/cyaml.h>

/* Parse `size` bytes by a schema into *out; *err gets where and line.  Free with
 * ridge__yaml_free and the same schema.  SYNTAX for text that does not fit the schema. */
RIDGE_MUST_CHECK ridge_status ridge__yaml_parse(void **out, const char *text, size_t size,
                                                const char *where,
                                                const cyaml_schema_value_t *schema,
                                                ridge_error *err);
void ridge__yaml_free(void *data, const cyaml_schema_value_t *schema);

/* The line of a node by its path, "memory[0].stated"; 0 if it is not there.  Slow: reads
 * the text again, for a message. */
uint64_t ridge__yaml_line(const char *text, size_t size, const char *path);

#endif
