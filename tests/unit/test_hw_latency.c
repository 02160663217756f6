/* Latency files: what is built in, what the example of the documents says, what is refused. */
#include "base/base.h"
#include "hw/catalog.h"
#include "hw/hw.h"

#include "scratch.h"
#include "test.h"

static ridge_catalog *catalog_of(void)
{
    ridge_catalog *catalog = NULL;
    assert_int_equal(ridge_catalog_open(&catalog, NULL, NULL, NULL), RIDGE_OK);
    return catalog;
}

static void every_built_in_file_loads(void **state)
{
    (void)state;
    ridge_catalog *catalog = catalog_of();
    assert_true(ridge__embedded_latency_count >= 18);
    for (size_t i = 0; i < ridge__embedded_latency_count; i++) {
        const char *arch = ridge__embedded_latencies[i].id;
        const ridge__latencies *list = NULL, *again = NULL;
        ridge_error err = {0};
        if (ridge__catalog_latencies(&list, catalog, arch, &err))
            fail_msg("%s:%llu: %s", err.where, (unsigned long long)err.line, err.message);
        assert_non_null(list);
        assert_string_equal(list->arch, arch);
        assert_true(list->near_count > 0 && list->why);
        /* Whom it borrows from is there. */
        for (size_t k = 0; k < list->near_count; k++) {
            const ridge__latencies *other = NULL;
            assert_int_equal(
                ridge__catalog_latencies(&other, catalog, list->near[k], NULL), RIDGE_OK);
            assert_non_null(other);
        }
        assert_int_equal(ridge__catalog_latencies(&again, catalog, arch, NULL), RIDGE_OK);
        assert_ptr_equal(again, list);
    }
    ridge_catalog_free(catalog);
}

/* A single reading at an argument must be what the model of the same file gives. */
static void readings_agree_with_their_model(void **state)
{
    (void)state;
    size_t readings = 0;
    ridge_catalog *catalog = catalog_of();
    for (size_t i = 0; i < ridge__embedded_latency_count; i++) {
        const ridge__latencies *list = NULL;
        assert_int_equal(ridge__catalog_latencies(&list, catalog,
                                                  ridge__embedded_latencies[i].id, NULL),
                         RIDGE_OK);
        for (size_t k = 0; k < list->row_count; k++) {
            const ridge__latency *row = &list->row[k];
            if (!ridge_known(row->at))
                continue;
            readings++;
            const ridge__latency *model = ridge__latencies_find(list, row->atom, 0);
            assert_non_null(model);
            assert_int_equal(row->atom, RIDGE_ATOM_SYNCTHREADS);
            assert_close(row->figure.value,
                         model->figure.value + model->per_cycles * row->at / 32, 0.05);
        }
    }
    assert_int_equal(readings, 2);
    ridge_catalog_free(catalog);
}

/* Each atom is known somewhere, so that each can be borrowed. */
static void every_atom_is_found_from_anywhere(void **state)
{
    (void)state;
    static const char *const archs[] = {"hopper", "kepler", "cdna3", "no-such-arch",
                                        NULL};
    ridge_catalog *catalog = catalog_of();
    for (size_t a = 0; a < RIDGE__COUNT(archs); a++)
        for (int i = 0; i < RIDGE_ATOM_COUNT; i++) {
            ridge__atom atom;
            assert_int_equal(
                ridge__catalog_atom(&atom, catalog, archs[a], (ridge_atom)i, NULL),
                RIDGE_OK);
            if (!atom.row)
                fail_msg("%s from %s", ridge_atom_name((ridge_atom)i),
                         archs[a] ? archs[a] : "nothing");
            assert_string_equal(ridge_atom_name(atom.row->atom),
                                ridge_atom_name((ridge_atom)i));
        }
    ridge_catalog_free(catalog);
}

static void the_nearest_is_asked_first(void **state)
{
    (void)state;
    static const struct {
        const char *arch, *from;
        ridge_atom atom;
        bool borrowed, absent;
    } cases[] = {
        {"hopper", "hopper", RIDGE_ATOM_SHFL, false, false},
        {"hopper", "blackwell-ultra", RIDGE_ATOM_ADD, true, false},
        {"hopper", "ada", RIDGE_ATOM_MUFU, true, false}, /* B300 has none */
        {"ampere", "hopper", RIDGE_ATOM_SHFL, true, false},
        {"ampere", "hopper", RIDGE_ATOM_DSMEM, true, true},
        {"kepler", "volta", RIDGE_ATOM_DRAM, true, false}, /* past two without any */
        {"cdna4", "cdna3", RIDGE_ATOM_DRAM, true, false},
        {"no-such-arch", "hopper", RIDGE_ATOM_DRAM, true, false},
    };
    ridge_catalog *catalog = catalog_of();
    for (size_t i = 0; i < RIDGE__COUNT(cases); i++) {
        ridge__atom atom;
        assert_int_equal(
            ridge__catalog_atom(&atom, catalog, cases[i].arch, cases[i].atom, NULL),
            RIDGE_OK);
        assert_string_equal(atom.arch, cases[i].from);
        assert_int_equal(atom.borrowed, cases[i].borrowed);
        assert_int_equal(atom.absent, cases[i].absent);
    }
    ridge_catalog_free(catalog);
}

/* ---- One file ---------------------------------------------------------------------- */

static ridge_status parse(const ridge__latencies **out, ridge__arena *arena,
                          const char *text, ridge_error *err)
{
    return ridge__latencies_parse(out, arena, text, strlen(text), "x.yaml", NULL, err);
}

static void the_documented_example_loads(void **state)
{
    (void)state;
    char text[4096];
    ridge__arena arena;
    ridge_error err = {0};
    const ridge__latencies *list = NULL;
    ridge__arena_init(&arena, NULL);
    doc_example(text, sizeof text, "docs/format/latency.md");
    if (parse(&list, &arena, text, &err))
        fail_msg("%llu: %s", (unsigned long long)err.line, err.message);
    assert_string_equal(list->arch, "my-arch");
    assert_int_equal(list->near_count, 2);
    assert_int_equal(list->absent, 1u << RIDGE_ATOM_REDUX);
    assert_int_equal(list->row_count, 5);
    const ridge__latency *shfl = ridge__latencies_find(list, RIDGE_ATOM_SHFL, 0);
    assert_close(shfl->figure.value, 24, 0);
    assert_close(shfl->min, 23, 0);
    assert_close(shfl->clock_hz, 1.98e9, 0);
    assert_int_equal(shfl->figure.confidence, 'A');
    assert_int_equal(shfl->figure.origin, RIDGE_MEASURED);
    assert_string_equal(shfl->figure.source, "measured on my card (2026-11)");
    assert_null(ridge__latencies_find(list, RIDGE_ATOM_SHFL, 1));
    const ridge__latency *hot =
        ridge__latencies_find(list, RIDGE_ATOM_ATOMIC_CONTENDED, 0);
    assert_close(hot->figure.value, 38e9, 1e-12);
    assert_int_equal(hot->kind, RIDGE_KIND_THROUGHPUT);
    assert_int_equal(hot->unit, RIDGE_UNIT_FLOP_PER_S);
    /* The reading at 256 threads is no second model. */
    assert_close(ridge__latencies_find(list, RIDGE_ATOM_SYNCTHREADS, 0)->per_cycles, 2,
                 0);
    assert_null(ridge__latencies_find(list, RIDGE_ATOM_SYNCTHREADS, 1));
    ridge__arena_clear(&arena);
}

#define HEAD "arch: x\nsources:\n  - {key: s, title: T}\natoms:\n"
#define S    ", source: s, confidence: A}\n"

static void each_slip_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned line;
        const char *message;
    } cases[] = {
        {"near: [a]\n", 1, "\"arch\" is missing"},
        {HEAD "  - {atom: shuffle, cycles: \"24 cycles\"" S, 5,
         "atoms[0].atom: \"shuffle\" is no atom; as in shfl"},
        {HEAD "  - {atom: shfl, cycles: \"24\"" S, 5,
         "atoms[0].cycles: \"24\" has no unit; cycles wanted, as in 24cycles"},
        {HEAD "  - {atom: shfl, cycles: \"24 ns\"" S, 5,
         "atoms[0].cycles: \"24 ns\" is seconds; cycles wanted, as in 24cycles"},
        {HEAD "  - {atom: shfl" S, 5, "atoms[0]: has none of cycles, time, rate, per"},
        {HEAD "  - {atom: shfl, cycles: \"1 cycle\", rate: \"1 GOP/s\"" S, 5,
         "atoms[0]: has a rate beside cycles; one of them says it"},
        {HEAD "  - {atom: shfl, cycles: \"24 cycles\", source: t, confidence: A}\n", 5,
         "atoms[0].source: no source has the key \"t\""},
        {HEAD "  - {atom: shfl, cycles: \"24 cycles\", source: s, confidence: D}\n", 5,
         "atoms[0].confidence: \"D\" is none of A, B, C, R"},
        {HEAD "  - {atom: shfl, cycles: \"24 cycles\", time: \"20 ns\","
              " clock: \"1.98 GHz\"" S,
         5,
         "atoms[0].time: 20 ns is more than 3 % from cycles / clock, 12.1 ns; mend one"},
        {HEAD "  - {atom: shfl, cycles: \"24 cycles\", min: \"25 cycles\"" S, 5,
         "atoms[0]: the figure is not between min and max"},
        {HEAD "  - {atom: shfl, kind: mean, cycles: \"24 cycles\"" S, 5,
         "atoms[0].kind: \"mean\" is none of latency, throughput, period"},
        {HEAD "  - {atom: shfl, cycles: \"24 cycles\", at: \"32\"" S, 5,
         "atoms[0]: shfl takes no argument: no at"},
        {HEAD "  - {atom: shfl, cycles: \"24 cycles\", per: \"2 cycles\"" S, 5,
         "atoms[0]: shfl does not grow: no per"},
        {HEAD "  - {atom: syncthreads, cycles: \"38 cycles\"" S, 5,
         "atoms[0]: syncthreads grows with its argument: per is missing, or at for a "
         "single reading"},
        {HEAD "  - {atom: syncthreads, time: \"20 ns\", per: \"2 cycles\"" S, 5,
         "atoms[0]: syncthreads is stated as cycles"},
        {HEAD "  - {atom: atomic.contended, time: \"20 ns\"" S, 5,
         "atoms[0]: atomic.contended is stated as a rate"},
        {HEAD "  - {atom: atomic.contended, rate: \"38 GOP/s\"" S, 5,
         "atoms[0]: a rate needs the clock it was measured at"},
        {HEAD "  - {atom: memcpy.h2d, cycles: \"20 cycles\"" S, 5,
         "atoms[0]: memcpy.h2d is stated as a time"},
        {HEAD "  - {atom: l1, rate: \"38 GOP/s\", clock: \"1 GHz\"" S, 5,
         "atoms[0]: l1 is stated as cycles or a time"},
        {HEAD "  - {atom: l1, cycles: \"3 cycles\"" S "absent: [l1]\n", 6,
         "absent[0]: l1 has a row under atoms"},
        {HEAD "  - {atom: l1, cycles: \"3 cycles\", speed: \"1\"" S, 5,
         "atoms[0]: unknown key \"speed\""},
        {"arch: x\nsources:\n  - {key: s, title: T}\n  - {key: s, title: U}\n", 4,
         "sources[1]: the key \"s\" is used twice"},
    };
    for (size_t i = 0; i < RIDGE__COUNT(cases); i++) {
        ridge__arena arena;
        ridge_error err = {0};
        const ridge__latencies *list = NULL;
        ridge__arena_init(&arena, NULL);
        if (!parse(&list, &arena, cases[i].text, &err))
            fail_msg("case %zu was taken: %s", i, cases[i].message);
        assert_string_equal(err.message, cases[i].message);
        assert_string_equal(err.where, "x.yaml");
        assert_int_equal(err.line, cases[i].line);
        assert_null(list);
        ridge__arena_clear(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_built_in_file_loads),
        cmocka_unit_test(readings_agree_with_their_model),
        cmocka_unit_test(every_atom_is_found_from_anywhere),
        cmocka_unit_test(the_nearest_is_asked_first),
        cmocka_unit_test(the_documented_example_loads),
        cmocka_unit_test(each_slip_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
