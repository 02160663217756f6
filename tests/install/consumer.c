/* A program of somebody else: it sees only what was installed. */
#include <ridge.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    char text[32];
    double value = RIDGE_UNKNOWN;
    ridge_error err;
    if (ridge_quantity_parse(&value, "400 Gb/s", RIDGE_UNIT_BYTES_PER_S, 0, &err)) {
        fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    ridge_quantity_format(text, sizeof text, value, RIDGE_UNIT_BYTES_PER_S);
    printf("ridge %s: %s\n", ridge_version(), text);
    return strcmp(text, "50 GB/s") != 0;
}
