#include "base/base.h"

#include <pthread.h>
#include <stdatomic.h>
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

typedef struct line {
    const ridge__pipeline *pipeline;
    atomic_bool ended;       /* nothing more is taken */
    pthread_mutex_t taking;  /* of next */
    uint64_t next;           /* turn of the next piece */
    pthread_mutex_t putting; /* of turn and refused */
    pthread_cond_t turned;
    uint64_t turn; /* of the piece to be put */
    bool refused;  /* put said false */
} line;

static bool line_take(line *l, unsigned index, uint64_t *turn)
{
    const ridge__pipeline *p = l->pipeline;
    pthread_mutex_lock(&l->taking);
    bool taken = !atomic_load(&l->ended) && p->take(p->ctx, index);
    if (taken)
        *turn = l->next++;
    else
        atomic_store(&l->ended, true);
    pthread_mutex_unlock(&l->taking);
    return taken;
}

/* Every piece that was taken comes here, so the turn always moves on. */
static void line_put(line *l, unsigned index, uint64_t turn)
{
    const ridge__pipeline *p = l->pipeline;
    pthread_mutex_lock(&l->putting);
    while (l->turn != turn)
        pthread_cond_wait(&l->turned, &l->putting);
    if (!l->refused && !p->put(p->ctx, index)) {
        l->refused = true;
        atomic_store(&l->ended, true);
    }
    l->turn++;
    pthread_cond_broadcast(&l->turned);
    pthread_mutex_unlock(&l->putting);
}

static void line_work(void *ctx, unsigned index, size_t i)
{
    line *l = ctx;
    uint64_t turn = 0;
    (void)i;
    while (line_take(l, index, &turn)) {
        l->pipeline->work(l->pipeline->ctx, index);
        line_put(l, index, turn);
    }
}

void ridge__pipeline_run(const ridge__pipeline *pipeline, unsigned threads)
{
    line l = {.pipeline = pipeline};
    pthread_mutex_init(&l.taking, NULL);
    pthread_mutex_init(&l.putting, NULL);
    pthread_cond_init(&l.turned, NULL);
    ridge__pool_run(threads, threads, line_work, &l);
    pthread_cond_destroy(&l.turned);
    pthread_mutex_destroy(&l.putting);
    pthread_mutex_destroy(&l.taking);
}

void ridge__lock_init(ridge__lock *lock)
{
    pthread_mutex_init(&lock->mutex, NULL);
}

void ridge__lock_enter(ridge__lock *lock)
{
    pthread_mutex_lock(&lock->mutex);
}

void ridge__lock_leave(ridge__lock *lock)
{
    pthread_mutex_unlock(&lock->mutex);
}

void ridge__lock_clear(ridge__lock *lock)
{
    pthread_mutex_destroy(&lock->mutex);
}
