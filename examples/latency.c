/*
 * A serial chain by hand: what a sum over a warp takes, and what waiting for a kernel
 * takes beside it.
 */
#include <ridge.h>
#include <stdio.h>

static ridge_status say(const ridge_machine *machine, const char *text, ridge_error *err)
{
    ridge_latency_chain chain;
    ridge_latency latency;
    ridge_status status = ridge_latency_parse(&chain, text, err);
    if (!status)
        status = ridge_latency_eval(&latency, machine, &chain, err);
    if (status)
        return status;
    printf("%-24s %8.0f cycles %10.1f ns\n", text, latency.cycles, latency.time_s * 1e9);
    for (size_t i = 0; i < latency.term_count; i++)
        if (latency.term[i].borrowed)
            printf("    %s is taken from %s\n",
                   ridge_atom_name(latency.term[i].item.atom), latency.term[i].borrowed);
    return RIDGE_OK;
}

int main(void)
{
    ridge_catalog *catalog = NULL;
    const ridge_device *device = NULL;
    ridge_machine *machine = NULL;
    ridge_error err = {0};

    ridge_status status = ridge_catalog_open(&catalog, NULL, NULL, &err);
    if (!status)
        status = ridge_catalog_load(&device, catalog, "h100-sxm", &err);
    if (!status)
        status = ridge_machine_new(&machine, catalog, device, &err);
    if (!status)
        status = ridge_machine_load_latencies(machine, &err);
    if (!status)
        status = say(machine, "5*(shfl+add)", &err);
    if (!status)
        status = say(machine, "launch.sync", &err);
    if (status)
        fprintf(stderr, "%s: %s\n", err.where, err.message);
    ridge_machine_free(machine);
    ridge_catalog_free(catalog);
    return status ? 1 : 0;
}
