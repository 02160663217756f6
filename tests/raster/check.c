/*
 * usage: check FILE.png [RRGGBB...]: decode a PNG and print its width and height.  Fails
 * unless each colour is there, most of it is paper, and some of it is not.
 */
#include <cairo.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The pixels of a colour, and alpha ignored. */
static long count(cairo_surface_t *image, uint32_t rgb)
{
    const unsigned char *data = cairo_image_surface_get_data(image);
    int width = cairo_image_surface_get_width(image);
    int height = cairo_image_surface_get_height(image);
    int stride = cairo_image_surface_get_stride(image);
    long n = 0;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            uint32_t pixel;
            memcpy(&pixel, data + (ptrdiff_t)y * stride + (ptrdiff_t)x * 4, sizeof pixel);
            n += (pixel & 0xffffff) == rgb;
        }
    return n;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    cairo_surface_t *image = cairo_image_surface_create_from_png(argv[1]);
    if (cairo_surface_status(image)) {
        printf("%s: %s\n", argv[1], cairo_status_to_string(cairo_surface_status(image)));
        return 1;
    }
    int width = cairo_image_surface_get_width(image);
    int height = cairo_image_surface_get_height(image);
    double paper = (double)count(image, 0xffffff) / width / height;
    int failed = 0;
    if (paper < 0.7 || paper > 0.99) {
        printf("%s: %g of it is paper\n", argv[1], paper);
        failed = 1;
    }
    for (int i = 2; i < argc; i++)
        if (count(image, (uint32_t)strtoul(argv[i], NULL, 16)) < 20) {
            printf("%s: hardly a pixel is #%s\n", argv[1], argv[i]);
            failed = 1;
        }
    printf("%d %d\n", width, height);
    cairo_surface_destroy(image);
    return failed;
}
