/* Files for tests: a scratch file with a given content, and an example of the docs. */
#ifndef RIDGE_SCRATCH_H
#define RIDGE_SCRATCH_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "test.h"

typedef struct scratch {
    char path[40];
} scratch;

/* A new file; the test unlinks it. */
static inline void scratch_write(scratch *s, const char *data, size_t size)
{
    snprintf(s->path, sizeof s->path, "/tmp/ridge-test-XXXXXX");
    int fd = mkstemp(s->path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, data, size), (ssize_t)size);
    close(fd);
}

/* The first ```yaml block of a document, given by its path in the project. */
static inline void doc_example(char *out, size_t size, const char *document)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", RIDGE_SOURCE_DIR, document);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char line[256];
    size_t n = 0;
    int inside = 0;
    while (fgets(line, sizeof line, file) && !(inside && strncmp(line, "```", 3) == 0)) {
        size_t k = strlen(line);
        if (inside && n + k < size) {
            memcpy(out + n, line, k);
            n += k;
        }
        inside = inside || strcmp(line, "```yaml\n") == 0;
    }
    out[n] = '\0';
    fclose(file);
    assert_true(n > 0);
}

#endif
