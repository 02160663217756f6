/*
 * A matrix product on two GPUs: each multiplies half of d, one sends its b x f result in
 * bf16 to the other, which adds.  From which d on is it no longer the link that bounds it?
 *
 * X (b x d) Y (d x f) has 2 b d f FLOP, a half of it b d f; 2 b f bytes cross the link: an
 * intensity of d / 2 FLOP per byte of link, against peak / link.
 */
#include <math.h>
#include <ridge.h>
#include <stdio.h>

/* An estimate of `op` with the words key, value, ... up to NULL; 0 is success. */
static int estimate(ridge_estimate *out, const ridge_machine *machine, const char *op,
                    const char *const *words, ridge_error *err)
{
    ridge_call call;
    if (ridge_call_init(&call, op, err))
        return 1;
    for (; words[0]; words += 2)
        if (ridge_call_set(&call, words[0], words[1], err))
            return 1;
    return ridge_call_finish(&call, err) || ridge_estimate_call(out, machine, &call, err);
}

/* Products of b = f = 4096 and half of `d`; what is sent; the sum of the two halves. */
static int two_gpus(double *math_s, double *link_s, double *per_link_byte,
                    const ridge_machine *machine, double d, ridge_error *err)
{
    enum {
        B = 4096,
        F = 4096
    };
    char half[32], sent[32], size[32];
    ridge_estimate product, message, sum;
    snprintf(half, sizeof half, "%.0f", d / 2);
    snprintf(sent, sizeof sent, "%.0f", 2.0 * B * F);
    snprintf(size, sizeof size, "%.0f", 1.0 * B * F);
    const char *const gemm[] = {"m",  "4096",  "n",    "4096", "k",
                                half, "dtype", "bf16", NULL};
    const char *const send[] = {"bytes", sent, NULL};
    const char *const add[] = {"elements", size, "dtype", "bf16", NULL};
    if (estimate(&product, machine, "gemm", gemm, err) ||
        estimate(&message, machine, "send_recv", send, err) ||
        estimate(&sum, machine, "add", add, err))
        return 1;
    *math_s = product.compute_s;
    *link_s = message.communication_s;
    *per_link_byte = product.work.flop / message.work.wire_bytes;
    printf("d %5.0f: T_math %6.1f us, T_comm %5.1f us, %4.0f FLOP per link byte; "
           "expect %.0f + %.0f + %.0f us\n",
           d, *math_s * 1e6, *link_s * 1e6, *per_link_byte, product.expected_s * 1e6,
           message.expected_s * 1e6, sum.expected_s * 1e6);
    return 0;
}

int main(void)
{
    ridge_error err = {.message = ""};
    ridge_catalog *catalog = NULL;
    ridge_machine *machine = NULL;
    const ridge_system *system;
    double math_s = 0, link_s = 0, intensity = 0;
    int failed = ridge_catalog_open(&catalog, NULL, NULL, &err) ||
                 ridge_catalog_load_system(&system, catalog, "hgx-h100", &err) ||
                 ridge_machine_new_system(&machine, catalog, system, &err) ||
                 two_gpus(&math_s, &link_s, &intensity, machine, 4396, &err) ||
                 two_gpus(&math_s, &link_s, &intensity, machine, 4398, &err);
    if (failed) {
        fprintf(stderr, "%s: %s\n", err.where, err.message);
    } else {
        /* Both times grow alike in b and f, so the crossing is in d alone. */
        double threshold = 4398 * link_s / math_s;
        printf("the link bounds it below d = %.1f; the next even d is %.0f\n", threshold,
               2 * ceil(threshold / 2));
        failed = !(intensity == 4398 / 2.0 && math_s >= link_s &&
                   2 * ceil(threshold / 2) == 4398);
    }
    ridge_machine_free(machine);
    ridge_catalog_free(catalog);
    return failed;
}
