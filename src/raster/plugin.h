/*
 * raster - SVG to PNG and PDF by a shared object that is opened when asked for.
 *
 *   raster.c   find and open it, call it
 *   plugin.h   what the two sides agree on; plugins/raster/ is the other side
 */
#ifndef RIDGE_RASTER_PLUGIN_H
#define RIDGE_RASTER_PLUGIN_H

#include <ridge.h>

/* Changes with anything below. */
#define RIDGE__RASTER_ABI    1u
#define RIDGE__RASTER_FILE   "ridge_raster.so"
#define RIDGE__RASTER_SYMBOL "ridge_raster_plugin"

typedef struct ridge__raster_job {
    ridge_picture picture;
    const char *svg;
    size_t size;
    double scale;
    ridge_sink sink;
    char *message; /* receives a sentence when render fails */
    size_t message_size;
} ridge__raster_job;

/* The object that the symbol names. */
typedef struct ridge__raster_plugin {
    uint32_t abi;
    const char *made_by; /* "librsvg 2.54.7, cairo 1.16.0" */
    ridge_status (*render)(const ridge__raster_job *job);
} ridge__raster_plugin;

#endif
