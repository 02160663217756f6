/* PNG and PDF: where their plug-in is. */
#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum {
    PATH_BYTES = 4096
};

bool picture_named(ridge_picture *out, const char *path)
{
    static const char *const suffixes[] = {
#define X(name, text) text,
        RIDGE_PICTURE_MAP(X)
#undef X
    };
    const char *dot = path ? strrchr(path, '.') : NULL;
    for (size_t i = 0; dot && i < COUNT(suffixes); i++)
        if (strcasecmp(dot + 1, suffixes[i]) == 0) {
            *out = (ridge_picture)i;
            return true;
        }
    return false;
}

/* The folder that this program lies in; false where the system does not say. */
static bool own_folder(char *buf, size_t size)
{
    ssize_t n = readlink("/proc/self/exe", buf, size - 1);
    if (n <= 0)
        return false;
    buf[n] = '\0';
    char *slash = strrchr(buf, '/');
    if (!slash)
        return false;
    *slash = '\0';
    return true;
}

ridge_status picture_open(ridge_raster **out, const char *path, ridge_error *err)
{
    char own[PATH_BYTES], folder[2][2 * PATH_BYTES];
    const char *folders[2];
    size_t count = 0;
    const char *given = getenv("RIDGE_PLUGIN_DIR");
    if (given && given[0]) {
        folders[count++] = given;
    } else if (own_folder(own, sizeof own)) {
        static const char *const places[] = {RIDGE_PLUGINS_BUILT,
                                             RIDGE_PLUGINS_INSTALLED};
        for (; count < COUNT(places); count++) {
            snprintf(folder[count], sizeof folder[count], "%s/%s", own, places[count]);
            folders[count] = folder[count];
        }
    }
    ridge_status status = ridge_raster_open(out, folders, count, err);
    if (status != RIDGE_NOTFOUND)
        return status;
    ridge_error why = *err;
    return fail(err, status, path,
                "%.300s; install librsvg2-dev and build ridge again, or write a .svg",
                why.message);
}
