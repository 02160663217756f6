/*
 * ridge/raster.h - charts as PNG and PDF, by a plug-in.  Included by <ridge.h>.
 *
 * What draws them (librsvg) takes longer to load than a whole run of the program, so it
 * stands in a shared object of its own, ridge_raster.so, which is opened when asked for.
 */
#ifndef RIDGE_RASTER_H
#define RIDGE_RASTER_H

#ifndef RIDGE_H
#error "include <ridge.h>"
#endif

/* X(NAME, "suffix") */
#define RIDGE_PICTURE_MAP(X) \
    X(PNG, "png")            \
    X(PDF, "pdf")
typedef enum ridge_picture {
#define X(name, text) RIDGE_PICTURE_##name,
    RIDGE_PICTURE_MAP(X)
#undef X
    RIDGE_PICTURE_COUNT
} ridge_picture;

typedef struct ridge_raster ridge_raster; /* the opened plug-in */

/*
 * Open ridge_raster.so of the first folder that has it.  NOTFOUND names the folders;
 * UNSUPPORTED: it was made for another version of the library, or cannot be loaded.  It
 * runs the code of that file: pass folders that are yours.
 */
RIDGE_MUST_CHECK RIDGE_API ridge_status ridge_raster_open(ridge_raster **out,
                                                          const char *const *folders,
                                                          size_t count, ridge_error *err);
RIDGE_API void ridge_raster_free(ridge_raster *raster);

/*
 * Draw an SVG text of `size` bytes.  scale: pixels of a PNG for each of the SVG's, above 0
 * and at most 16; a PDF has no pixels, ignores it, and keeps text as text.  INVALID: scale;
 * SYNTAX: not an SVG; LIMIT: more than 32,767 pixels in a direction.
 */
RIDGE_MUST_CHECK RIDGE_API ridge_status ridge_raster_write(const ridge_raster *raster,
                                                           ridge_picture picture,
                                                           const char *svg, size_t size,
                                                           double scale, ridge_sink sink,
                                                           ridge_error *err);

/* The same of a chart.  NODATA if there is nothing to draw. */
RIDGE_MUST_CHECK RIDGE_API ridge_status ridge_chart_write_picture(
    const ridge_chart *chart, const ridge_raster *raster, ridge_picture picture,
    double scale, ridge_sink sink, ridge_error *err);

#endif
