/* A plug-in of another version: it must be refused, not called. */
#include "raster/plugin.h"

extern const ridge__raster_plugin ridge_raster_plugin;
__attribute__((visibility("default"))) const ridge__raster_plugin ridge_raster_plugin = {
    .abi = RIDGE__RASTER_ABI + 1,
    .made_by = "nobody",
};
