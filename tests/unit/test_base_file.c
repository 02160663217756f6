/* Files: read whole, written beside and renamed; what must not be left behind or lost. */
#define _GNU_SOURCE 1 /* mkdtemp, O_TMPFILE */
#include "test.h"

#include "base/base.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/ridge-test-XXXXXX";

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) == NULL || chdir(folder) != 0;
}

static size_t entries(void)
{
    size_t count = 0;
    DIR *dir = opendir(".");
    for (struct dirent *e; dir && (e = readdir(dir));)
        if (e->d_name[0] != '.' || strlen(e->d_name) > 2) {
            count++;
        }
    closedir(dir);
    return count;
}

static int remove_folder(void **state)
{
    (void)state;
    bool empty = entries() == 0;
    return chdir("/") != 0 || rmdir(folder) != 0 || !empty;
}

static void put(const char *path, const char *text)
{
    ridge_error err;
    ridge_file *file = NULL;
    assert_int_equal(ridge_file_open(&file, path, &err), RIDGE_OK);
    ridge_sink sink = ridge_file_sink(file);
    assert_int_equal(sink.write(sink.ctx, text, strlen(text)), 0);
    assert_int_equal(ridge_file_commit(file, &err), RIDGE_OK);
    ridge_file_free(file);
}

static void assert_holds(const char *path, const char *text)
{
    ridge_error err;
    ridge__str s;
    ridge__str_init(&s, 0, NULL);
    assert_int_equal(ridge__file_read(&s, path, &err), RIDGE_OK);
    assert_string_equal(ridge__str_data(&s), text);
    ridge__str_clear(&s);
}

static mode_t mode_of(const char *path)
{
    struct stat st;
    assert_int_equal(stat(path, &st), 0);
    return st.st_mode & 0777;
}

static void commit_replaces_and_keeps_the_mode(void **state)
{
    (void)state;
    mode_t before = umask(022);
    put("a", "first\n");
    assert_holds("a", "first\n");
    assert_int_equal(mode_of("a"), 0644); /* what the umask leaves */
    assert_int_equal(chmod("a", 0600), 0);
    put("a", "second\n");
    assert_holds("a", "second\n");
    assert_int_equal(mode_of("a"), 0600);
    umask(before);
    assert_int_equal(entries(), 1);
    unlink("a");
}

static void abandoned_file_leaves_no_trace(void **state)
{
    (void)state;
    ridge_error err;
    ridge_file *file = NULL;
    put("a", "old");
    assert_int_equal(ridge_file_open(&file, "a", &err), RIDGE_OK);
    ridge_sink sink = ridge_file_sink(file);
    assert_int_equal(sink.write(sink.ctx, "new", 3), 0);
    assert_holds("a", "old");
    ridge_file_free(file); /* not committed */
    assert_holds("a", "old");
    assert_int_equal(entries(), 1);
    unlink("a");
    ridge_file_free(NULL);
}

/* Where files can be without a name, a program that is killed leaves none. */
static void unfinished_file_has_no_name(void **state)
{
    (void)state;
#ifdef O_TMPFILE
    ridge_error err;
    ridge_file *file = NULL;
    int probe = open(".", O_TMPFILE | O_WRONLY, 0600);
    if (probe < 0)
        skip();
    close(probe);
    assert_int_equal(ridge_file_open(&file, "a", &err), RIDGE_OK);
    ridge_sink sink = ridge_file_sink(file);
    assert_int_equal(sink.write(sink.ctx, "new", 3), 0);
    assert_int_equal(entries(), 0);
    assert_int_equal(ridge_file_commit(file, &err), RIDGE_OK);
    assert_int_equal(entries(), 1);
    assert_holds("a", "new");
    ridge_file_free(file);
    unlink("a");
#else
    skip();
#endif
}

/* A named pipe that nobody writes into would be waited for without end. */
static void pipe_without_a_writer_is_empty(void **state)
{
    (void)state;
    assert_int_equal(mkfifo("pipe", 0600), 0);
    assert_holds("pipe", "");
    unlink("pipe");
}

static void link_is_written_through(void **state)
{
    (void)state;
    struct stat st;
    put("target", "old");
    assert_int_equal(symlink("target", "link"), 0);
    put("link", "new");
    assert_holds("target", "new");
    assert_int_equal(lstat("link", &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    unlink("link");
    unlink("target");
}

static void open_names_what_is_wrong(void **state)
{
    (void)state;
    ridge_error err;
    ridge_file *file = NULL;
    assert_int_equal(ridge_file_open(&file, "missing/a", &err), RIDGE_IO);
    assert_string_equal(err.message, "cannot write: No such file or directory");
    assert_string_equal(err.where, "missing/a");
    assert_int_equal(ridge_file_open(&file, "/tmp", &err), RIDGE_IO);
    assert_string_equal(err.message, "cannot write: Is a directory");
    assert_null(file);
}

/* A full disk: /dev/full takes no byte.  It is opened, never replaced by a file. */
static void full_disk_is_reported(void **state)
{
    (void)state;
    ridge_error err;
    ridge_file *file = NULL;
    struct stat st;
    if (stat("/dev/full", &st) != 0 || !S_ISCHR(st.st_mode)) {
        print_message("there is no /dev/full here\n");
        skip();
    }
    assert_int_equal(ridge_file_open(&file, "/dev/full", &err), RIDGE_OK);
    ridge_sink sink = ridge_file_sink(file);
    assert_int_not_equal(sink.write(sink.ctx, "x", 1), 0);
    assert_int_equal(ridge_file_commit(file, &err), RIDGE_IO);
    assert_string_equal(err.message, "cannot write: No space left on device");
    assert_string_equal(err.where, "/dev/full");
    ridge_file_free(file);
    assert_int_equal(stat("/dev/full", &st), 0);
    assert_true(S_ISCHR(st.st_mode));
    put("/dev/null", "gone");
    assert_int_equal(stat("/dev/null", &st), 0);
    assert_true(S_ISCHR(st.st_mode));
}

static void *no_memory(void *ctx, size_t size)
{
    (void)ctx, (void)size;
    return NULL;
}

static void read_names_what_is_wrong(void **state)
{
    (void)state;
    ridge_error err;
    ridge__str s;
    ridge__str_init(&s, 4, NULL);
    assert_int_equal(ridge__file_read(&s, "missing", &err), RIDGE_IO);
    assert_string_equal(err.message, "cannot open: No such file or directory");
    assert_string_equal(err.where, "missing");
    assert_int_equal(ridge__file_read(&s, "/tmp", &err), RIDGE_IO);
    assert_string_equal(err.message, "cannot read: Is a directory");
    put("five", "12345");
    assert_int_equal(ridge__file_read(&s, "five", &err), RIDGE_LIMIT);
    assert_string_equal(err.where, "five");
    assert_string_equal(err.message, "is larger than 4 bytes");
    ridge__str_clear(&s);
    const ridge_allocator nothing = {.alloc = no_memory, .free = NULL};
    ridge__str_init(&s, 0, &nothing);
    assert_int_equal(ridge__file_read(&s, "five", &err), RIDGE_NOMEM);
    assert_string_equal(err.where, "five");
    assert_string_equal(err.message, "out of memory");
    ridge__str_clear(&s);
    unlink("five");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commit_replaces_and_keeps_the_mode),
        cmocka_unit_test(abandoned_file_leaves_no_trace),
        cmocka_unit_test(unfinished_file_has_no_name),
        cmocka_unit_test(pipe_without_a_writer_is_empty),
        cmocka_unit_test(link_is_written_through),
        cmocka_unit_test(open_names_what_is_wrong),
        cmocka_unit_test(full_disk_is_reported),
        cmocka_unit_test(read_names_what_is_wrong),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
