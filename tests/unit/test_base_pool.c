/* The pool: each index once, workers below their number, results free of the threads. */
#include "test.h"

#include "base/base.h"

enum {
    COUNT = 1000
};

typedef struct job {
    unsigned threads;
    int done[COUNT];
    bool worker_bad[COUNT];
} job;

static void mark(void *ctx, unsigned worker, size_t i)
{
    job *j = ctx;
    j->done[i]++;
    j->worker_bad[i] = worker >= j->threads;
}

static void pool_runs_each_index_once(void **state)
{
    (void)state;
    static const unsigned threads[] = {1, 2, 8, RIDGE_LIMIT_THREADS};
    for (size_t t = 0; t < RIDGE__COUNT(threads); t++) {
        job j = {.threads = threads[t]};
        ridge__pool_run(COUNT, threads[t], mark, &j);
        for (size_t i = 0; i < COUNT; i++) {
            assert_int_equal(j.done[i], 1);
            assert_false(j.worker_bad[i]);
        }
    }
}

static void pool_takes_any_numbers(void **state)
{
    (void)state;
    job none = {.threads = 1}, all = {.threads = RIDGE_LIMIT_THREADS};
    ridge__pool_run(0, 0, mark, &none);
    assert_int_equal(none.done[0], 0);
    ridge__pool_run(3, 1000000, mark, &all); /* more than the limit, and than the work */
    assert_int_equal(all.done[0] + all.done[1] + all.done[2], 3);
    unsigned cores = ridge__pool_cores();
    assert_in_range(cores, 1, RIDGE_LIMIT_THREADS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pool_runs_each_index_once),
        cmocka_unit_test(pool_takes_any_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
