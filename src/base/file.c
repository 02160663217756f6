#define _GNU_SOURCE 1 /* realpath, O_TMPFILE */
#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static ridge_status io_error(ridge_error *err, const char *path, const char *what,
                             int code)
{
    ridge_status status = ridge__error_errno(err, what, code);
    ridge__error_at(err, path, 0);
    return status;
}

enum {
    WRITER_MS = 1000 /* how long a pipe may be without a program that writes into it */
};

/* read(), but a named pipe that nobody writes into is empty, and no wait without end. */
static ssize_t read_some(int fd, char *buf, size_t size, bool first)
{
    struct pollfd wait = {.fd = fd, .events = POLLIN};
    bool waited = !first;
    for (;;) {
        ssize_t n = read(fd, buf, size);
        bool later = n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
        if (n > 0 || (n < 0 && errno != EINTR && !later) || (n == 0 && waited))
            return n;
        if (later && poll(&wait, 1, -1) < 0 && errno != EINTR)
            return -1;
        if (n == 0) { /* a writer may be about to come */
            struct stat st;
            if (fstat(fd, &st) < 0 || !S_ISFIFO(st.st_mode))
                return 0;
            (void)poll(&wait, 1, WRITER_MS);
            waited = true;
        }
    }
}

ridge_status ridge__file_read(ridge__str *out, const char *path, ridge_error *err)
{
    ridge_status status = RIDGE_OK;
    char buf[16384];
    ssize_t n;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return io_error(err, path, "cannot open", errno);
    for (bool first = true; (n = read_some(fd, buf, sizeof buf, first)) != 0;
         first = false) {
        if (n < 0) {
            status = io_error(err, path, "cannot read", errno);
            break;
        }
        ridge__str_add(out, buf, (size_t)n);
        status = ridge__str_check(out, "is ", err);
        if (status) {
            ridge__error_at(err, path, 0);
            break;
        }
    }
    close(fd);
    return status;
}

/* A device, pipe or socket: something that has no contents to replace. */
static bool is_special(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

enum {
    TRIES = 100 /* names for a temporary file */
};

static void name_temporary(ridge__file *f, size_t size, int i)
{
    snprintf(f->temporary, size, "%s.tmp-%ld-%d", f->path, (long)getpid(), i);
}

static size_t temporary_size(const ridge__file *f)
{
    return strlen(f->path) + sizeof ".tmp-" + 24;
}

#ifdef O_TMPFILE
/* The name under which the system knows an open file. */
static void name_open(char buf[40], int fd)
{
    snprintf(buf, 40, "/proc/self/fd/%d", fd);
}

/* Opens a file that has no name yet: nothing is left, however the program ends. */
static bool open_nameless(ridge__file *f)
{
    char name[40];
    const char *slash = strrchr(f->path, '/');
    const int size = slash ? (int)(slash - f->path) + 1 : 0;
    snprintf(f->temporary, temporary_size(f), "%.*s.", size, f->path); /* the folder */
    f->fd = open(f->temporary, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    if (f->fd < 0)
        return false;
    name_open(name, f->fd);
    f->nameless = access(name, F_OK) == 0;
    if (!f->nameless) {
        close(f->fd);
        f->fd = -1;
    }
    return f->nameless;
}

/* Gives it the name of a temporary file; an errno, or 0. */
static int give_name(ridge__file *f)
{
    char name[40];
    int code = EEXIST;
    name_open(name, f->fd);
    for (int i = 0; i < TRIES && code == EEXIST; i++) {
        name_temporary(f, temporary_size(f), i);
        code = linkat(AT_FDCWD, name, AT_FDCWD, f->temporary, AT_SYMLINK_FOLLOW) < 0
                   ? errno
                   : 0;
    }
    f->nameless = code != 0;
    return code;
}
#else
static bool open_nameless(ridge__file *f)
{
    (void)f;
    return false;
}

static int give_name(ridge__file *f)
{
    (void)f;
    return 0;
}
#endif

/* Makes f->temporary beside f->path and opens it; an errno, or 0. */
static int open_beside(ridge__file *f)
{
    struct stat st;
    bool exists = stat(f->path, &st) == 0;
    if (exists && S_ISDIR(st.st_mode))
        return EISDIR;
    size_t size = temporary_size(f);
    f->temporary = malloc(size);
    if (!f->temporary)
        return ENOMEM;
    /* Beside the target, so that the rename stays within one file system.  Not mkstemp():
     * its file is private, where a result has the mode that the umask leaves. */
    int code = open_nameless(f) ? 0 : EEXIST;
    for (int i = 0; i < TRIES && code == EEXIST; i++) {
        name_temporary(f, size, i);
        f->fd = open(f->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        code = f->fd < 0 ? errno : 0;
    }
    if (!code && exists && fchmod(f->fd, st.st_mode & 0777) < 0)
        code = errno;
    if (code && f->fd < 0) { /* nothing to remove */
        free(f->temporary);
        f->temporary = NULL;
    }
    return code;
}

/* The file behind a link is the one to replace; a new file keeps its name. */
static char *real_name(const char *path)
{
    char *name = realpath(path, NULL);
    if (name)
        return name;
    size_t size = strlen(path) + 1;
    name = malloc(size);
    if (name)
        memcpy(name, path, size);
    return name;
}

ridge_status ridge__file_open(ridge__file *f, const char *path, ridge_error *err)
{
    int code = 0;
    *f = (ridge__file){.fd = -1, .path = real_name(path)};
    if (!f->path)
        return ridge__error_set(err, RIDGE_NOMEM, "out of memory");
    if (is_special(path)) {
        f->fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
        code = f->fd < 0 ? errno : 0;
    } else {
        code = open_beside(f);
    }
    if (!code)
        return RIDGE_OK;
    ridge__file_close(f);
    return io_error(err, path, "cannot write", code);
}

static int file_write(void *ctx, const char *data, size_t size)
{
    ridge__file *f = ctx;
    while (size > 0) {
        ssize_t n = write(f->fd, data, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            f->error = errno;
            return -1;
        }
        data += n;
        size -= (size_t)n;
    }
    return 0;
}

ridge_sink ridge__file_sink(ridge__file *f)
{
    return (ridge_sink){.write = file_write, .ctx = f};
}

ridge_status ridge__file_commit(ridge__file *f, ridge_error *err)
{
    if (!f->error && f->temporary && fsync(f->fd) < 0 && errno != EINVAL &&
        errno != EROFS)
        f->error = errno;
    if (!f->error && f->temporary && f->nameless)
        f->error = give_name(f);
    int closed = close(f->fd);
    f->fd = -1;
    if (!f->error && closed < 0)
        f->error = errno;
    if (!f->error && f->temporary && rename(f->temporary, f->path) < 0)
        f->error = errno;
    if (f->error)
        return io_error(err, f->path, "cannot write", f->error);
    free(f->temporary);
    f->temporary = NULL;
    return RIDGE_OK;
}

void ridge__file_close(ridge__file *f)
{
    if (f->fd >= 0)
        close(f->fd);
    if (f->temporary && !f->nameless)
        unlink(f->temporary);
    free(f->temporary);
    free(f->path);
    *f = (ridge__file){.fd = -1};
}

struct ridge_file {
    ridge__file file;
};

ridge_status ridge_file_open(ridge_file **out, const char *path, ridge_error *err)
{
    ridge_file *file = malloc(sizeof *file);
    if (!file)
        return ridge__error_set(err, RIDGE_NOMEM, "out of memory");
    ridge_status status = ridge__file_open(&file->file, path, err);
    if (status)
        free(file);
    else
        *out = file;
    return status;
}

ridge_sink ridge_file_sink(ridge_file *file)
{
    return ridge__file_sink(&file->file);
}

ridge_status ridge_file_commit(ridge_file *file, ridge_error *err)
{
    return ridge__file_commit(&file->file, err);
}

void ridge_file_free(ridge_file *file)
{
    if (!file)
        return;
    ridge__file_close(&file->file);
    free(file);
}
