/* A small pool on POSIX threads, an ordered pipeline on it, and a lock. */
#ifndef RIDGE_POOL_H
#define RIDGE_POOL_H

#include <pthread.h>
#include <ridge.h>

/* Online cores, at least 1, at most RIDGE_LIMIT_THREADS. */
unsigned ridge__pool_cores(void);

typedef void (*ridge__task)(void *ctx, unsigned worker, size_t i);

/*
 * Call task(ctx, worker, i) once for each i in [0, count), from up to `threads` threads
 * (0: one per core); worker is below that number.  Returns when all are done.  A task
 * writes only slot i and its worker's scratch, so results do not depend on the threads.
 * If threads cannot be started the caller does all the work.
 */
void ridge__pool_run(size_t count, unsigned threads, ridge__task task, void *ctx);

/*
 * Work that comes and goes in order.  Each thread repeats until `take` answers false:
 * take (one thread at a time), work (all at once), put (one at a time, in the order of
 * take).  `put` answers false to stop: what was taken is still worked on, and no longer
 * put. `worker` is below `threads`; each has one piece in hand.
 */
typedef struct ridge__pipeline {
    bool (*take)(void *ctx, unsigned worker);
    void (*work)(void *ctx, unsigned worker);
    bool (*put)(void *ctx, unsigned worker);
    void *ctx;
} ridge__pipeline;
void ridge__pipeline_run(const ridge__pipeline *pipeline, unsigned threads);

/* One thread at a time. */
typedef struct ridge__lock {
    pthread_mutex_t mutex;
} ridge__lock;
void ridge__lock_init(ridge__lock *lock);
void ridge__lock_enter(ridge__lock *lock);
void ridge__lock_leave(ridge__lock *lock);
void ridge__lock_clear(ridge__lock *lock);

#endif
