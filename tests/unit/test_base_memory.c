/* Arena and string: alignment, limits, and every allocation failing in turn. */
#include "test.h"

#include "base/base.h"

#include <stdalign.h>
#include <stdlib.h>

/* Counts what is out, and fails from allocation number `fail` on (counted from 0). */
typedef struct counter {
    size_t calls, fail, bytes;
} counter;

static void *counting_alloc(void *ctx, size_t size)
{
    counter *c = ctx;
    if (c->calls++ >= c->fail)
        return NULL;
    c->bytes += size;
    return malloc(size);
}

static void counting_free(void *ctx, void *ptr, size_t size)
{
    counter *c = ctx;
    c->bytes -= size;
    free(ptr);
}

static ridge_allocator counting(counter *c)
{
    return (ridge_allocator){counting_alloc, counting_free, c};
}

static void arena_gives_zeroed_aligned_memory(void **state)
{
    (void)state;
    ridge__arena arena;
    ridge__arena_init(&arena, NULL);
    for (size_t size = 0; size < 20000; size = size * 3 + 1) {
        unsigned char *p = ridge__arena_alloc(&arena, size);
        assert_non_null(p);
        assert_int_equal((uintptr_t)p % alignof(max_align_t), 0);
        for (size_t i = 0; i < size; i++)
            assert_int_equal(p[i], 0);
        memset(p, 0xff, size); /* must not show in the next one */
    }
    assert_string_equal(ridge__arena_copy(&arena, "abcdef", 3), "abc");
    assert_string_equal(ridge__arena_text(&arena, "text"), "text");
    assert_null(ridge__arena_text(&arena, NULL));
    assert_true(ridge__arena_ok(&arena));
    ridge__arena_clear(&arena);
}

static void arena_failure_sticks_until_cleared(void **state)
{
    (void)state;
    for (size_t fail = 0; fail < 4; fail++) {
        counter c = {.fail = fail};
        ridge_allocator alloc = counting(&c);
        ridge__arena arena;
        ridge__arena_init(&arena, &alloc);
        size_t given = 0;
        for (int i = 0; i < 4; i++) /* each takes a chunk of its own */
            given += ridge__arena_alloc(&arena, 10000) != NULL;
        assert_int_equal(given, fail);
        assert_false(ridge__arena_ok(&arena));
        c.fail = SIZE_MAX; /* memory is back; the arena still refuses */
        assert_null(ridge__arena_alloc(&arena, 1));
        ridge__arena_clear(&arena);
        assert_int_equal(c.bytes, 0);
        assert_true(ridge__arena_ok(&arena));
        assert_non_null(ridge__arena_alloc(&arena, 1));
        ridge__arena_clear(&arena);
        assert_int_equal(c.bytes, 0);
    }
}

static void arena_refuses_sizes_that_wrap(void **state)
{
    (void)state;
    static const size_t sizes[] = {SIZE_MAX, SIZE_MAX - 16, SIZE_MAX - 40};
    for (size_t i = 0; i < RIDGE__COUNT(sizes); i++) {
        counter c = {.fail =
                         0}; /* would fail, but must not be asked for a wrapped size */
        ridge_allocator alloc = counting(&c);
        ridge__arena arena;
        ridge__arena_init(&arena, &alloc);
        assert_null(ridge__arena_alloc(&arena, sizes[i]));
        assert_false(ridge__arena_ok(&arena));
        assert_int_equal(c.calls, 0);
        ridge__arena_clear(&arena);
    }
}

static void str_grows_and_formats(void **state)
{
    (void)state;
    ridge__str s;
    ridge__str_init(&s, 0, NULL);
    assert_string_equal(ridge__str_data(&s), "");
    ridge__str_add(&s, "", 0);
    for (int i = 0; i < 1000; i++)
        ridge__str_format(&s, "%d,", i % 10);
    assert_int_equal(s.size, 2000);
    assert_memory_equal(ridge__str_data(&s), "0,1,2,3,", 8);
    assert_int_equal(strlen(ridge__str_data(&s)), 2000);
    ridge__str_reset(&s);
    ridge__str_fill(&s, '-', 3);
    ridge__str_text(&s, "x");
    assert_string_equal(ridge__str_data(&s), "---x");
    ridge__str_clear(&s);
    assert_null(s.data);
    ridge__str_text(&s, "again");
    assert_string_equal(ridge__str_data(&s), "again");
    ridge__str_clear(&s);
}

static int count_bytes(void *ctx, const char *data, size_t size)
{
    (void)data;
    *(size_t *)ctx += size;
    return 0;
}

static int stop(void *ctx, const char *data, size_t size)
{
    (void)ctx, (void)data, (void)size;
    return 1;
}

static void str_stops_at_its_maximum(void **state)
{
    (void)state;
    ridge_error err;
    size_t sent = 0;
    ridge_sink sink = {count_bytes, &sent};
    ridge__str s;
    ridge__str_init(&s, 5, NULL);
    ridge__str_text(&s, "12345");
    assert_true(ridge__str_ok(&s));
    assert_int_equal(ridge__str_send(&s, sink, &err), RIDGE_OK);
    assert_int_equal(sent, 5);
    assert_int_equal(ridge__str_send(&s, (ridge_sink){stop, NULL}, &err),
                     RIDGE_CANCELLED);
    assert_string_equal(err.message, "the output could not be written");
    ridge__str_text(&s, "6");
    assert_false(ridge__str_ok(&s));
    assert_string_equal(ridge__str_data(&s), "12345");
    assert_int_equal(ridge__str_send(&s, sink, &err), RIDGE_LIMIT);
    assert_string_equal(err.message, "the text is larger than 5 bytes");
    ridge__str_reset(&s);
    assert_false(ridge__str_ok(&s)); /* failure is kept by reset, not by clear */
    ridge__str_clear(&s);
    assert_true(ridge__str_ok(&s));
    ridge__str_fill(&s, 'x', SIZE_MAX);
    assert_false(ridge__str_ok(&s));
    ridge__str_clear(&s);
}

static void str_survives_every_failing_allocation(void **state)
{
    (void)state;
    /* 3,500 bytes take five: 256, 512, 1024, 2048, 4096. */
    for (size_t fail = 0; fail <= 5; fail++) {
        counter c = {.fail = fail};
        ridge_allocator alloc = counting(&c);
        ridge__str s;
        ridge__str_init(&s, 0, &alloc);
        for (int i = 0; i < 500; i++)
            ridge__str_format(&s, "%s", "1234567");
        assert_int_equal(ridge__str_ok(&s), fail == 5);
        assert_int_equal(ridge__str_check(&s, "", NULL), fail == 5 ? 0 : RIDGE_NOMEM);
        ridge__str_clear(&s);
        assert_int_equal(c.bytes, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arena_gives_zeroed_aligned_memory),
        cmocka_unit_test(arena_failure_sticks_until_cleared),
        cmocka_unit_test(arena_refuses_sizes_that_wrap),
        cmocka_unit_test(str_grows_and_formats),
        cmocka_unit_test(str_stops_at_its_maximum),
        cmocka_unit_test(str_survives_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
