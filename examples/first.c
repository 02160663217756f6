/* A first estimate: how long a matrix product takes on a GPU of the catalogue. */
#include <ridge.h>
#include <stdio.h>

int main(void)
{
    ridge_error err = {.message = ""};
    ridge_catalog *catalog = NULL;
    ridge_machine *machine = NULL;
    const ridge_device *device;
    ridge_call call;
    ridge_estimate e;

    int failed = ridge_catalog_open(&catalog, NULL, NULL, &err) ||
                 ridge_catalog_load(&device, catalog, "h100-sxm", &err) ||
                 ridge_machine_new(&machine, catalog, device, &err) ||
                 ridge_call_init(&call, "gemm", &err) ||
                 ridge_call_set(&call, "m", "4096", &err) ||
                 ridge_call_set(&call, "n", "4096", &err) ||
                 ridge_call_set(&call, "k", "4096", &err) ||
                 ridge_call_set(&call, "dtype", "bf16", &err) ||
                 ridge_call_finish(&call, &err) ||
                 ridge_estimate_call(&e, machine, &call, &err);
    if (failed) {
        fprintf(stderr, "%s: %s\n", err.where, err.message);
    } else {
        char least[32], expected[32];
        ridge_quantity_format(least, sizeof least, e.floor_s, RIDGE_UNIT_S);
        ridge_quantity_format(expected, sizeof expected, e.expected_s, RIDGE_UNIT_S);
        printf("at least %s, expect %s: %s bound\n", least, expected,
               ridge_bound_name(e.bound));
    }
    ridge_machine_free(machine);
    ridge_catalog_free(catalog);
    return failed;
}
