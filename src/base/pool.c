#include "base/base.h"

#include <pthread.h>
#include <unistd.h>

unsigned ridge__pool_cores(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    if (n < 1)
        return 1;
    return n > RIDGE_LIMIT_THREADS ? RIDGE_LIMIT_THREADS : (unsigned)n;
}

typedef struct pool {
    pthread_mutex_t lock;
    size_t next, count;
    ridge__task task;
    void *ctx;
} pool;

typedef struct worker {
    pool *pool;
    unsigned index;
    pthread_t thread;
} worker;

static void *work(void *arg)
{
    worker *w = arg;
    for (;;) {
        pthread_mutex_lock(&w->pool->lock);
        size_t i = w->pool->next;
        if (i < w->pool->count)
            w->pool->next++;
        pthread_mutex_unlock(&w->pool->lock);
        if (i >= w->pool->count)
            return NULL;
        w->pool->task(w->pool->ctx, w->index, i);
    }
}

void ridge__pool_run(size_t count, unsigned threads, ridge__task task, void *ctx)
{
    pool p = {.count = count, .task = task, .ctx = ctx};
    worker workers[RIDGE_LIMIT_THREADS];
    unsigned started = 1;
    if (threads == 0)
        threads = ridge__pool_cores();
    if (threads > RIDGE_LIMIT_THREADS)
        threads = RIDGE_LIMIT_THREADS;
    if (threads > count)
        threads = count > 0 ? (unsigned)count : 1;
    pthread_mutex_init(&p.lock, NULL);
    workers[0] = (worker){.pool = &p, .index = 0};
    for (unsigned i = 1; i < threads; i++) {
        workers[i] = (worker){.pool = &p, .index = i};
        if (pthread_create(&workers[i].thread, NULL, work, &workers[i]))
            break;
        started++;
    }
    work(&workers[0]);
    for (unsigned i = 1; i < started; i++)
        pthread_join(workers[i].thread, NULL);
    pthread_mutex_destroy(&p.lock);
}
