#include "base/base.h"
#include "format/csv.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

struct ridge__input {
    gzFile gz; /* reads plain data through as it is */
    char *name;
};

enum {
    /* zlib inflates straight into a caller's buffer that is at least twice this size. */
    GZIP_BUFFER_BYTES = 32 << 10
};

static bool is_stdin(const char *path)
{
    return !path || strcmp(path, "-") == 0;
}

const char *ridge__input_title(const char *path)
{
    return is_stdin(path) ? "standard input" : path;
}

static ridge_status open_stream(ridge__input *in, const char *path, ridge_error *err)
{
    /* A duplicate, so that closing the stream leaves standard input open. */
    int fd = is_stdin(path) ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return ridge__error_errno(err, "cannot open", errno);
    in->gz = gzdopen(fd, "rb");
    if (!in->gz || gzbuffer(in->gz, GZIP_BUFFER_BYTES)) {
        if (!in->gz)
            close(fd);
        return ridge__error_set(err, RIDGE_NOMEM, "out of memory");
    }
    return RIDGE_OK;
}

ridge_status ridge__input_open(ridge__input **out, const char *path, ridge_error *err)
{
    ridge_status status = RIDGE_OK;
    const char *name = ridge__input_title(path);
    size_t size = strlen(name) + 1;
    ridge__input *in = calloc(1, sizeof *in);
    if (!in || !(in->name = malloc(size))) {
        status = ridge__error_set(err, RIDGE_NOMEM, "out of memory");
        goto out;
    }
    memcpy(in->name, name, size);
    RIDGE__TRY(open_stream(in, path, err));
    *out = in;
    in = NULL;
out:
    ridge__input_close(in);
    if (status)
        ridge__error_at(err, name, 0);
    return status;
}

static ridge_status read_failed(ridge__input *in, int code, const char *text, int saved,
                                ridge_error *err)
{
    ridge_status status;
    if (code == Z_ERRNO)
        status = ridge__error_errno(err, "cannot read", saved);
    else if (code == Z_MEM_ERROR)
        status = ridge__error_set(err, RIDGE_NOMEM, "out of memory");
    else if (code == Z_BUF_ERROR)
        status = ridge__error_set(err, RIDGE_SYNTAX,
                                  "the gzip data ends too early: the file is truncated");
    else {
        const char *reason = strstr(text, ": "); /* zlib puts its own name first */
        status = ridge__error_set(err, RIDGE_SYNTAX, "the gzip data is damaged: %s",
                                  RIDGE__QUOTE(reason ? reason + 2 : text));
    }
    ridge__error_at(err, in->name, 0);
    return status;
}

ridge_status ridge__input_read(ridge__input *in, char *buf, size_t size, size_t *got,
                               ridge_error *err)
{
    const size_t most = 1u << 30; /* gzread counts in int */
    errno = 0;
    int n = gzread(in->gz, buf, (unsigned)(size < most ? size : most));
    if (n <= 0 && size > 0) {
        /* A truncated stream ends like a whole one; only gzerror tells them apart. */
        int saved = errno, code = Z_OK;
        const char *text = gzerror(in->gz, &code);
        if (code != Z_OK && code != Z_STREAM_END)
            return read_failed(in, code, text, saved, err);
        n = 0;
    }
    *got = (size_t)n;
    return RIDGE_OK;
}

const char *ridge__input_name(const ridge__input *in)
{
    return in->name;
}

void ridge__input_close(ridge__input *in)
{
    if (!in)
        return;
    if (in->gz)
        gzclose(in->gz);
    free(in->name);
    free(in);
}
