/* Runs a fuzzer's function over files, without clang: each file, and beginnings of it (all,
 * or 256 of a long one), so that cut-off input is tried as well.  Folders are read one
 * level deep. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
    BEGINNINGS = 256,
    FILE_BYTES = 1 << 20
};

/* An exact heap copy, so that a sanitizer sees a read past the end. */
static void run(const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size ? size : 1);
    if (!copy)
        exit(2);
    memcpy(copy, data, size);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
}

static int run_file(const char *path)
{
    static uint8_t data[FILE_BYTES];
    FILE *f = fopen(path, "rb");
    if (!f) {
        perror(path);
        return 0;
    }
    size_t size = fread(data, 1, sizeof data, f);
    fclose(f);
    for (size_t n = 0; n < size; n += size / BEGINNINGS + 1)
        run(data, n);
    run(data, size);
    return 1;
}

int main(int argc, char **argv)
{
    int count = 0;
    for (int i = 1; i < argc; i++) {
        DIR *dir = opendir(argv[i]);
        if (!dir) {
            count += run_file(argv[i]);
            continue;
        }
        for (struct dirent *entry; (entry = readdir(dir));) {
            char path[4096];
            if (entry->d_name[0] == '.')
                continue;
            snprintf(path, sizeof path, "%s/%s", argv[i], entry->d_name);
            count += run_file(path);
        }
        closedir(dir);
    }
    printf("%d inputs\n", count);
    return count > 0 ? 0 : 1;
}
