#include "base/base.h"

#include "test.h"

enum {
    WORKERS = 8,
    PIECES = 500
};

/* Pieces are numbers; work squares them; put checks that they come in order. */
typedef struct line {
    uint64_t next, end, in_hand[WORKERS], put, stop_at;
    bool ordered;
} line;

static bool take(void *ctx, unsigned worker)
{
    line *l = ctx;
    if (l->next == l->end)
        return false;
    l->in_hand[worker] = l->next++;
    return true;
}

static void work(void *ctx, unsigned worker)
{
    line *l = ctx;
    l->in_hand[worker] *= l->in_hand[worker];
}

static bool put(void *ctx, unsigned worker)
{
    line *l = ctx;
    l->ordered = l->ordered && l->in_hand[worker] == l->put * l->put;
    l->put++;
    return l->put != l->stop_at;
}

static void test_order(void **state)
{
    (void)state;
    for (unsigned threads = 1; threads <= WORKERS; threads++) {
        line l = {.end = PIECES, .ordered = true};
        const ridge__pipeline pipeline = {take, work, put, &l};
        ridge__pipeline_run(&pipeline, threads);
        assert_int_equal(l.put, PIECES);
        assert_true(l.ordered);
    }
}

static void test_stop(void **state)
{
    (void)state;
    for (unsigned threads = 1; threads <= WORKERS; threads++) {
        line l = {.end = UINT64_MAX, .stop_at = 10, .ordered = true};
        const ridge__pipeline pipeline = {take, work, put, &l};
        ridge__pipeline_run(&pipeline, threads);
        assert_int_equal(l.put, 10);
        /* At most what each thread had in hand was taken in vain. */
        assert_true(l.next >= 10 && l.next < 10 + WORKERS);
    }
}

static void test_nothing(void **state)
{
    (void)state;
    line l = {.end = 0};
    const ridge__pipeline pipeline = {take, work, put, &l};
    ridge__pipeline_run(&pipeline, WORKERS);
    assert_int_equal(l.put, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_stop),
        cmocka_unit_test(test_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
