/* Files: read whole, or written beside and renamed so that no partial file is left. */
#ifndef RIDGE_FILE_H
#define RIDGE_FILE_H

#include "base/str.h"

/* The whole file at the end of `out`.  IO (cannot open, a directory), LIMIT (> max),
 * NOMEM. */
RIDGE_MUST_CHECK ridge_status ridge__file_read(ridge__str *out, const char *path,
                                               ridge_error *err);

/*
 * A file being written.  open makes a temporary in the same folder; commit renames it
 * over `path`; close removes what was not committed.  Where the system can, the temporary
 * gets its name in commit only, so that a program that is killed leaves nothing.  The sink writes to it.  A path
 * that is a device or a pipe is opened itself (renaming would replace /dev/null), and a
 * symbolic link is followed.
 */
typedef struct ridge__file {
    int fd;
    char *path, *temporary; /* owned; temporary NULL: path itself is being written */
    bool nameless;          /* the temporary has no name yet */
    int error;              /* errno of the first failed write */
} ridge__file;

RIDGE_MUST_CHECK ridge_status ridge__file_open(ridge__file *f, const char *path,
                                               ridge_error *err);
ridge_sink ridge__file_sink(ridge__file *f);
RIDGE_MUST_CHECK ridge_status ridge__file_commit(ridge__file *f, ridge_error *err);
void ridge__file_close(ridge__file *f);

#endif
