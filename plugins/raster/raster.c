/*
 * ridge_raster.so: SVG to PNG and PDF by librsvg and cairo.  The same picture gives the
 * same bytes on one machine: no date is written.
 */
#include "raster/plugin.h"

#include <cairo-pdf.h>
#include <cairo.h>
#include <librsvg/rsvg.h>
#include <stdio.h>

/* Pixels of an SVG are 1/96 inch, the units of a PDF 1/72. */
static const double points_per_pixel = 0.75;
/* The most that cairo's images take. */
static const double pixels_most = 32767;

/* One drawing, and the first thing that went wrong with it. */
typedef struct canvas {
    const ridge__raster_job *job;
    RsvgHandle *handle;
    double width, height; /* of the SVG, pixels */
    bool stopped;         /* by the sink */
} canvas;

static ridge_status fail(const ridge__raster_job *job, ridge_status status,
                         const char *what)
{
    snprintf(job->message, job->message_size, "%s", what);
    return status;
}

static ridge_status cairo_failed(const canvas *c, cairo_status_t code)
{
    if (c->stopped)
        return fail(c->job, RIDGE_CANCELLED, "the output stopped");
    if (code == CAIRO_STATUS_NO_MEMORY)
        return fail(c->job, RIDGE_NOMEM, "out of memory");
    return fail(c->job, RIDGE_UNSUPPORTED, cairo_status_to_string(code));
}

static cairo_status_t put(void *ctx, const unsigned char *data, unsigned size)
{
    canvas *c = ctx;
    if (c->stopped || c->job->sink.write(c->job->sink.ctx, (const char *)data, size)) {
        c->stopped = true;
        return CAIRO_STATUS_WRITE_ERROR;
    }
    return CAIRO_STATUS_SUCCESS;
}

/* Draw over the whole surface, `scale` of its units to a pixel. */
static ridge_status draw(const canvas *c, cairo_surface_t *surface, double scale)
{
    cairo_t *cr = cairo_create(surface);
    const RsvgRectangle page = {0, 0, c->width, c->height};
    GError *error = NULL;
    ridge_status status = RIDGE_OK;
    cairo_scale(cr, scale, scale);
    if (!rsvg_handle_render_document(c->handle, cr, &page, &error))
        status = fail(c->job, RIDGE_SYNTAX, error ? error->message : "cannot be drawn");
    else if (cairo_status(cr))
        status = cairo_failed(c, cairo_status(cr));
    g_clear_error(&error);
    cairo_destroy(cr);
    return status;
}

static ridge_status render_png(canvas *c)
{
    double width = c->width * c->job->scale, height = c->height * c->job->scale;
    if (width > pixels_most || height > pixels_most)
        return fail(c->job, RIDGE_LIMIT, "the picture has more than 32767 pixels across");
    cairo_surface_t *surface = cairo_image_surface_create(
        CAIRO_FORMAT_ARGB32, (int)(width + 0.5), (int)(height + 0.5));
    ridge_status status = draw(c, surface, c->job->scale);
    if (!status) {
        cairo_status_t code = cairo_surface_write_to_png_stream(surface, put, c);
        if (code)
            status = cairo_failed(c, code);
    }
    cairo_surface_destroy(surface);
    return status;
}

static ridge_status render_pdf(canvas *c)
{
    cairo_surface_t *surface = cairo_pdf_surface_create_for_stream(
        put, c, c->width * points_per_pixel, c->height * points_per_pixel);
    /* Of no day, so that a chart that did not change is the same file. */
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE,
                                   "1970-01-01T00:00:00Z");
    ridge_status status = draw(c, surface, points_per_pixel);
    cairo_surface_finish(surface);
    if (!status && cairo_surface_status(surface))
        status = cairo_failed(c, cairo_surface_status(surface));
    cairo_surface_destroy(surface);
    return status;
}

static ridge_status render(const ridge__raster_job *job)
{
    GError *error = NULL;
    canvas c = {.job = job};
    c.handle = rsvg_handle_new_from_data((const guint8 *)job->svg, job->size, &error);
    if (!c.handle) {
        fail(job, RIDGE_SYNTAX, error ? error->message : "is no SVG");
        g_clear_error(&error);
        return RIDGE_SYNTAX;
    }
    ridge_status status;
    if (!rsvg_handle_get_intrinsic_size_in_pixels(c.handle, &c.width, &c.height) ||
        !(c.width >= 1 && c.height >= 1))
        status = fail(job, RIDGE_SYNTAX, "the SVG has no width and height");
    else
        status = job->picture == RIDGE_PICTURE_PNG ? render_png(&c) : render_pdf(&c);
    g_object_unref(c.handle);
    return status;
}

extern const ridge__raster_plugin ridge_raster_plugin;
__attribute__((visibility("default"))) const ridge__raster_plugin ridge_raster_plugin = {
    .abi = RIDGE__RASTER_ABI,
    .made_by = "librsvg " LIBRSVG_VERSION ", cairo " CAIRO_VERSION_STRING,
    .render = render,
};
