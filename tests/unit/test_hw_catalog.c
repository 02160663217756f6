/* The catalogue: looking a part up, folders over it, and running out of memory. */
#include "base/base.h"
#include "hw/hw.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test.h"

static ridge_catalog *catalog_of(const char *dir)
{
    ridge_catalog *catalog = NULL;
    ridge_error err;
    if (ridge_catalog_open(&catalog, dir, NULL, &err))
        fail_msg("%s: %s", err.where, err.message);
    return catalog;
}

static void names_lead_to_parts(void **state)
{
    (void)state;
    static const struct {
        const char *name, *id;
    } cases[] = {
        {"h100-sxm", "h100-sxm"},
        {"max1550", "pvc-1550"},
        {"gh200", "gh200-96"},
        {"b200", "b200-hgx"},
        {"NVIDIA H100 80GB HBM3", "h100-sxm"},
        {"AMD Radeon RX 7900 XTX", "rx7900xtx"},
    };
    ridge_catalog *catalog = catalog_of(NULL);
    for (size_t i = 0; i < RIDGE__COUNT(cases); i++) {
        const ridge_device *d = NULL;
        assert_int_equal(ridge_catalog_load(&d, catalog, cases[i].name, NULL), RIDGE_OK);
        assert_string_equal(ridge_device_id(d), cases[i].id);
        const ridge_device *again = NULL;
        assert_int_equal(ridge_catalog_load(&again, catalog, cases[i].name, NULL),
                         RIDGE_OK);
        assert_ptr_equal(again, d);
    }
    ridge_catalog_free(catalog);
}

static void unknown_names_get_help(void **state)
{
    (void)state;
    static const struct {
        const char *name, *message;
    } cases[] = {
        {"a100", "\"a100\" is ambiguous; one of a100-pcie-40, a100-pcie-80, a100-sxm-40, "
                 "a100-sxm-80"},
        {"h200", "\"h200\" is ambiguous; one of h200-nvl, h200-sxm"},
        {"h100-sxn", "no GPU \"h100-sxn\"; did you mean h100-sxm"},
        {"h10", "no GPU \"h10\"; did you mean h100-nvl, h100-pcie, h100-sxm"},
        {"tpu",
         "\"tpu\" is ambiguous; one of tpu-v4, tpu-v5e, tpu-v5p, tpu-v6e, tpu-v7x"},
        {"H200", "\"H200\" is ambiguous; one of h200-nvl, h200-sxm"},
        {"a1oo-sxm-40", "no GPU \"a1oo-sxm-40\"; did you mean a100-sxm-40"},
        {"4090", "no GPU \"4090\"; did you mean rtx4090"},
        {"90", "no GPU \"90\"; `ridge gpus` lists them"},
        {"", "no GPU \"\"; `ridge gpus` lists them"},
        {"voodoo-graphics", "no GPU \"voodoo-graphics\"; `ridge gpus` lists them"},
    };
    ridge_catalog *catalog = catalog_of(NULL);
    for (size_t i = 0; i < RIDGE__COUNT(cases); i++) {
        const ridge_device *d = NULL;
        ridge_error err = {0};
        assert_int_equal(ridge_catalog_load(&d, catalog, cases[i].name, &err),
                         RIDGE_NOTFOUND);
        assert_string_equal(err.message, cases[i].message);
        assert_null(d);
    }
    ridge_catalog_free(catalog);
}

/* ---- Folders ----------------------------------------------------------------------- */

typedef struct folder {
    char path[32];
    char file[4][64];
    size_t count;
} folder;

static void folder_make(folder *f)
{
    *f = (folder){.path = "/tmp/ridge-dir-XXXXXX"};
    assert_non_null(mkdtemp(f->path));
}

static void folder_put(folder *f, const char *name, const char *text)
{
    char *path = f->file[f->count++];
    snprintf(path, sizeof f->file[0], "%s/%s", f->path, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    fclose(file);
}

static void folder_remove(folder *f)
{
    for (size_t i = 0; i < f->count; i++)
        unlink(f->file[i]);
    rmdir(f->path);
}

#define PART(id, name)                                                                \
    "id: " id "\nname: " name "\nvendor: V\narch: a\naliases: [one-" id ", \"two " id \
    "\"]\n"                                                                           \
    "sources:\n  - {key: s, title: T}\n"

static void a_folder_lies_over_the_catalogue(void **state)
{
    (void)state;
    folder f;
    const ridge_device *d = NULL;
    folder_make(&f);
    folder_put(&f, "b.yaml", PART("aaa", "New"));
    folder_put(&f, "a.yaml", PART("h100-sxm", "Mine"));
    folder_put(&f, "notes.txt", "not read");
    ridge_catalog *plain = catalog_of(NULL);
    ridge_catalog *catalog = catalog_of(f.path);
    assert_int_equal(ridge_catalog_count(catalog), ridge_catalog_count(plain) + 1);
    for (size_t i = 1; i < ridge_catalog_count(catalog); i++)
        assert_true(
            strcmp(ridge_catalog_id(catalog, i - 1), ridge_catalog_id(catalog, i)) < 0);
    assert_int_equal(ridge_catalog_load(&d, catalog, "h100-sxm", NULL), RIDGE_OK);
    assert_string_equal(ridge_device_name(d), "Mine");
    assert_int_equal(ridge_catalog_load(&d, catalog, "two aaa", NULL), RIDGE_OK);
    assert_string_equal(ridge_device_name(d), "New");
    ridge_catalog_free(catalog);
    ridge_catalog_free(plain);
    folder_remove(&f);
}

static void bad_folders_are_refused(void **state)
{
    (void)state;
    folder f;
    char wanted[128];
    ridge_catalog *catalog = NULL;
    ridge_error err = {0};
    assert_int_equal(ridge_catalog_open(&catalog, "/no/such", NULL, &err), RIDGE_IO);
    assert_string_equal(err.message, "cannot open the folder: No such file or directory");
    assert_int_equal(ridge_catalog_open(&catalog, "", NULL, &err), RIDGE_IO);
    folder_make(&f);
    folder_put(&f, "a.yaml", PART("same", "A"));
    folder_put(&f, "b.yaml", PART("same", "B"));
    assert_int_equal(ridge_catalog_open(&catalog, f.path, NULL, &err), RIDGE_INVALID);
    snprintf(wanted, sizeof wanted, "the id \"same\" is also that of %s/a.yaml", f.path);
    assert_string_equal(err.message, wanted);
    assert_string_equal(err.where, f.file[1]);
    folder_put(&f, "0.yaml", "name: X\n");
    assert_int_equal(ridge_catalog_open(&catalog, f.path, NULL, &err), RIDGE_SYNTAX);
    assert_string_equal(err.message,
                        "has no id; a line such as \"id: my-gpu\" is wanted");
    assert_null(catalog);
    folder_remove(&f);
}

/* ---- Memory ------------------------------------------------------------------------ */

/* Fails from the n-th allocation on, and counts what is not given back. */
typedef struct meter {
    size_t calls, fail_at;
    long live;
} meter;

static void *meter_alloc(void *ctx, size_t size)
{
    meter *m = ctx;
    if (++m->calls >= m->fail_at)
        return NULL;
    m->live++;
    return malloc(size);
}

static void meter_free(void *ctx, void *ptr, size_t size)
{
    meter *m = ctx;
    (void)size;
    m->live -= ptr != NULL;
    free(ptr);
}

static ridge_status open_and_load(const ridge_allocator *alloc, const char *dir,
                                  ridge_error *err)
{
    ridge_catalog *catalog = NULL;
    const ridge_device *d = NULL;
    static const char *const ids[] = {"h100-sxm", "mi300x",  "own",   "a40",
                                      "t4",       "gb300",   "k40",   "l40s",
                                      "h20",      "tpu-v5e", "mi100", "mi355x"};
    ridge_status status = ridge_catalog_open(&catalog, dir, alloc, err);
    for (size_t i = 0; !status && i < RIDGE__COUNT(ids); i++)
        status = ridge_catalog_load(&d, catalog, ids[i], err);
    ridge_catalog_free(catalog);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    meter m = {.fail_at = SIZE_MAX};
    const ridge_allocator alloc = {meter_alloc, meter_free, &m};
    ridge_error err = {0};
    folder f;
    folder_make(&f);
    folder_put(&f, "own.yaml", PART("own", "Own"));
    assert_int_equal(open_and_load(&alloc, f.path, &err), RIDGE_OK);
    assert_int_equal(m.live, 0);
    size_t all = m.calls;
    assert_true(all > 5);
    for (size_t n = 1; n <= all; n++) {
        m = (meter){.fail_at = n};
        ridge_status status = open_and_load(&alloc, f.path, &err);
        /* A file that does not fit in memory reads like one that is too large. */
        assert_true(status == RIDGE_NOMEM || status == RIDGE_LIMIT);
        assert_int_equal(m.live, 0);
    }
    folder_remove(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_lead_to_parts),
        cmocka_unit_test(unknown_names_get_help),
        cmocka_unit_test(a_folder_lies_over_the_catalogue),
        cmocka_unit_test(bad_folders_are_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
