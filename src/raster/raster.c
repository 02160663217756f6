#include "base/base.h"
#include "raster/plugin.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct ridge_raster {
    const ridge__raster_plugin *plugin;
};

static ridge_status not_found(const char *const *folders, size_t count, ridge_error *err)
{
    ridge__str list;
    ridge__str_init(&list, 0, NULL);
    for (size_t i = 0; i < count; i++)
        ridge__str_format(&list, "%s%s", i ? ", " : "", folders[i]);
    char quoted[300];
    ridge__quote(quoted, sizeof quoted, ridge__str_data(&list));
    ridge__str_clear(&list);
    return ridge__error_set(err, RIDGE_NOTFOUND, "the plug-in %s is not in %s",
                            RIDGE__RASTER_FILE, count ? quoted : "any folder");
}

static ridge_status check(const ridge__raster_plugin *plugin, ridge_error *err)
{
    if (!plugin)
        return ridge__error_set(err, RIDGE_UNSUPPORTED,
                                "is no plug-in of ridge: it has no symbol %s",
                                RIDGE__RASTER_SYMBOL);
    if (plugin->abi != RIDGE__RASTER_ABI || !plugin->render)
        return ridge__error_set(err, RIDGE_UNSUPPORTED,
                                "the plug-in speaks version %u and this ridge %u; build "
                                "both from the same source",
                                (unsigned)plugin->abi, RIDGE__RASTER_ABI);
    return RIDGE_OK;
}

static ridge_status load(const ridge__raster_plugin **out, const char *path,
                         ridge_error *err)
{
    /* It stays loaded: what it leans on registers types that cannot be taken back. */
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!object) {
        const char *why = dlerror();
        char clean[300];
        ridge__quote(clean, sizeof clean, why ? why : "unknown reason");
        return ridge__error_set(err, RIDGE_UNSUPPORTED, "cannot load the plug-in: %s",
                                clean);
    }
    const ridge__raster_plugin *plugin = dlsym(object, RIDGE__RASTER_SYMBOL);
    ridge_status status = check(plugin, err);
    if (status)
        dlclose(object);
    else
        *out = plugin;
    return status;
}

ridge_status ridge_raster_open(ridge_raster **out, const char *const *folders,
                               size_t count, ridge_error *err)
{
    ridge__str path;
    ridge_raster *made = NULL;
    ridge_status status;
    size_t i = 0;
    ridge__str_init(&path, 0, NULL);
    for (; i < count; i++) {
        ridge__str_reset(&path);
        ridge__str_format(&path, "%s/%s", folders[i], RIDGE__RASTER_FILE);
        RIDGE__TRY(ridge__str_check(&path, "", err));
        if (access(path.data, F_OK) == 0)
            break;
    }
    RIDGE__TRY(i < count ? RIDGE_OK : not_found(folders, count, err));
    made = malloc(sizeof *made);
    RIDGE__TRY(made ? RIDGE_OK : ridge__error_set(err, RIDGE_NOMEM, "out of memory"));
    status = load(&made->plugin, path.data, err);
    if (status) {
        ridge__error_at(err, path.data, 0);
        goto out;
    }
    *out = made;
    made = NULL;
out:
    free(made);
    ridge__str_clear(&path);
    return status;
}

void ridge_raster_free(ridge_raster *raster)
{
    free(raster);
}

ridge_status ridge_raster_write(const ridge_raster *raster, ridge_picture picture,
                                const char *svg, size_t size, double scale,
                                ridge_sink sink, ridge_error *err)
{
    static const double most = 16;
    char message[200] = "";
    if (!(scale > 0 && scale <= most) || (unsigned)picture >= RIDGE_PICTURE_COUNT)
        return ridge__error_set(err, RIDGE_INVALID,
                                "a picture's scale is above 0 and at most %g", most);
    const ridge__raster_job job = {.picture = picture,
                                   .svg = svg,
                                   .size = size,
                                   .scale = scale,
                                   .sink = sink,
                                   .message = message,
                                   .message_size = sizeof message};
    ridge_status status = raster->plugin->render(&job);
    return status ? ridge__error_set(err, status, "%s", RIDGE__QUOTE(message)) : RIDGE_OK;
}
