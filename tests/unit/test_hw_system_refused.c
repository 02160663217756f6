/* Each way in which a system or link file can be wrong, with its line and sentence. */
#include "base/base.h"
#include "hw/hw.h"

#include <unistd.h>

#include "scratch.h"
#include "test.h"

typedef ridge_status loader(ridge_catalog *catalog, const char *path, ridge_error *err);

static ridge_status load_system(ridge_catalog *catalog, const char *path,
                                ridge_error *err)
{
    const ridge_system *system = NULL;
    return ridge_catalog_load_system(&system, catalog, path, err);
}

static ridge_status load_link(ridge_catalog *catalog, const char *path, ridge_error *err)
{
    const ridge_link *link = NULL;
    return ridge_catalog_load_link(&link, catalog, path, err);
}

static ridge_status load_text(loader *load, const char *text, ridge_error *err)
{
    scratch file;
    ridge_catalog *catalog = NULL;
    assert_int_equal(ridge_catalog_open(&catalog, NULL, NULL, NULL), RIDGE_OK);
    scratch_write(&file, text, strlen(text));
    ridge_status status = load(catalog, file.path, err);
    if (status)
        assert_string_equal(err->where, file.path);
    unlink(file.path);
    ridge_catalog_free(catalog);
    return status;
}

/* Lines 1 to 6; the case starts on line 7. */
#define SYSTEM                                                              \
    "id: x\nname: X\ngpu: h100-sxm\nsources:\n  - {key: s, title: \"T\"}\n" \
    "gpus: {value: \"8\", source: s, confidence: A}\n"
#define S ", source: s, confidence: A}\n"
#define LINK \
    "id: x\nname: X\nparts: P\npath: Q\nuse: U\nsources: [{key: s, title: \"T\"}]\n"

static const struct {
    loader *load;
    const char *text;
    unsigned line;
    const char *message;
} cases[] = {
    {load_system, SYSTEM "inside: {name: N, topology: ring" S, 7,
     "inside.topology: \"ring\" is none of switch, mesh, pairs, torus, pcie, network"},
    {load_system, SYSTEM "inside: {name: N, topology: switch, bandwidth: \"450 GB\"" S, 7,
     "inside.bandwidth: \"450 GB\" is bytes; bytes per second wanted, as in 3.35TB/s"},
    {load_system, SYSTEM "inside: {name: N, topology: switch, bandwidth: \"450\"" S, 7,
     "inside.bandwidth: \"450\" has no unit; bytes per second wanted, as in 3.35TB/s"},
    {load_system, SYSTEM "inside: {name: N, topology: switch, reduces: 1" S, 7,
     "inside.reduces: \"1\" is neither yes nor no"},
    {load_system, SYSTEM "inside: {name: N, topology: switch, link: nvlink44" S, 7,
     "inside.link: no link \"nvlink44\"; did you mean nvlink4"},
    {load_system, SYSTEM "power: {value: \"1 kW\", of: rack" S, 7,
     "power.of: \"rack\" is neither node nor domain"},
    {load_system, SYSTEM "totals:\n  - {name: bf16, value: \"9 PFLOP/s\"" S, 8,
     "totals[0].value: 9 PFLOP/s is more than 2 % from parts x part, 7.92 PFLOP/s; mend "
     "one, or say why in a note"},
    {load_system, SYSTEM "totals:\n  - {name: weight, value: \"9 kW\"" S, 8,
     "totals[0]: \"weight\" is no total; a dtype, dram, dram_capacity, link_both or "
     "fast_memory"},
    {load_system,
     SYSTEM "nics: {rate: \"400 Gb/s\", kind: K, source: t, confidence: A}\n", 7,
     "nics: \"count\" is missing"},
    {load_system,
     SYSTEM "nics: {count: \"8\", rate: \"400 Gb/s\", source: t, confidence: A}\n", 7,
     "nics.source: no source has the key \"t\""},
    {load_system,
     "id: x\nname: X\ngpu: h100-smx\nsources: [{key: s, title: T}]\n"
     "gpus: {value: \"8\"" S,
     3, "gpu: no GPU \"h100-smx\"; did you mean h100-sxm"},
    {load_link, LINK "place: rack\n", 7, "place: \"rack\" is neither node nor network"},
    {load_link, LINK "place: node\nrate: {one: \"50 GB/s\", both: \"50 GB/s\"" S, 8,
     "rate.both: 50 GB/s is not twice the 50 GB/s of one direction"},
    {load_link,
     LINK "place: node\nrate: {one: \"50 GB/s\", both: \"100 GB/s\"" S
          "achieved:\n  - {value: \"60 GB/s\", what: W" S,
     10, "achieved[0]: is above the rate of one direction"},
    {load_link, LINK "place: node\nlatency:\n  - {low: \"1 us\", what: W" S, 9,
     "latency[0]: either a value, or low and high, are wanted"},
    {load_link,
     LINK "place: node\nlatency:\n  - {low: \"3 us\", high: \"1 us\", what: W" S, 9,
     "latency[0]: low is above high"},
};

static void each_fault_has_its_sentence(void **state)
{
    (void)state;
    for (size_t i = 0; i < RIDGE__COUNT(cases); i++) {
        ridge_error err = {0};
        assert_int_not_equal(load_text(cases[i].load, cases[i].text, &err), RIDGE_OK);
        assert_string_equal(err.message, cases[i].message);
        assert_int_equal(err.line, cases[i].line);
    }
}

static void the_documented_examples_load(void **state)
{
    (void)state;
    char text[4096];
    ridge_error err = {0};
    doc_example(text, sizeof text, "docs/format/system.md");
    if (load_text(load_system, text, &err))
        fail_msg("system.md:%lu: %s", (unsigned long)err.line, err.message);
    doc_example(text, sizeof text, "docs/format/link.md");
    if (load_text(load_link, text, &err))
        fail_msg("link.md:%lu: %s", (unsigned long)err.line, err.message);
}

/* Every built-in link: sorted, with a path, and no more reached than there is. */
static void all_links_parse(void **state)
{
    (void)state;
    ridge_catalog *catalog = NULL;
    assert_int_equal(ridge_catalog_open(&catalog, NULL, NULL, NULL), RIDGE_OK);
    const size_t count = ridge_catalog_link_count(catalog);
    assert_true(count >= 34);
    for (size_t i = 0; i < count; i++) {
        const ridge_link *link = NULL;
        ridge_error err = {0};
        const char *id = ridge_catalog_link_id(catalog, i);
        if (ridge_catalog_load_link(&link, catalog, id, &err))
            fail_msg("%s:%lu: %s", err.where, (unsigned long)err.line, err.message);
        assert_string_equal(ridge_link_id(link), id);
        assert_true(link->path[0] && link->use[0]);
        assert_true(i == 0 || strcmp(ridge_catalog_link_id(catalog, i - 1), id) < 0);
    }
    assert_null(ridge_catalog_link_id(catalog, count));
    ridge_catalog_free(catalog);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_fault_has_its_sentence),
        cmocka_unit_test(the_documented_examples_load),
        cmocka_unit_test(all_links_parse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
